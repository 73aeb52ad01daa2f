//! What an engine says when it is asked: a hint, who is ahead, whether it
//! takes a draw, a whole game's evaluation.
//!
//! One worker of its own, one thought at a time, never waited for. Nothing
//! here changes a game but an accepted draw; an answer about a position that
//! is no longer there is dropped.

mod adviser;

use std::collections::HashMap;

use bevy::prelude::*;

pub(crate) use adviser::plugin;

use crate::{
    engines::Score,
    games::{AnyMove, AnyPosition, Game, Line, Side, Turn},
    table::{Seat, Table},
};

/// Who is ahead, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// By hundredths of a piece, for the first side.
    Points(i32),
    /// This side wins in so many plies.
    Wins(Side, u32),
}

impl Value {
    /// A score told for the side to move.
    fn of(score: Score, mover: Side) -> Self {
        match score {
            Score::Points(points) => {
                Self::Points(if mover == Side::First { points } else { -points })
            }
            Score::Win(plies) => Self::Wins(mover, plies),
            Score::Loss(plies) => Self::Wins(mover.other(), plies),
        }
    }

    /// How the first side stands, from 0 (lost) over 0.5 (even) to 1 (won).
    #[must_use]
    pub fn share(self) -> f32 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "hundredths of pieces")]
            Self::Points(points) => 1.0 / (1.0 + (-points as f32 / 250.0).exp()),
            Self::Wins(Side::First, _) => 1.0,
            Self::Wins(Side::Second, _) => 0.0,
        }
    }
}

/// What was found about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Who is ahead.
    pub value: Value,
    /// The best move.
    pub best: Option<AnyMove>,
    /// How it would go on, as records write it.
    pub play: String,
}

/// What there is to show of all this.
#[derive(Resource, Debug, Default)]
pub struct Advice {
    /// The hint for the position with this key.
    pub hint: Option<(u64, AnyMove)>,
    /// Whether a hint is being looked for.
    pub waiting: bool,
    /// Whether threats are shown.
    pub threats: bool,
    /// Whether it is shown who is ahead.
    pub value: bool,
    /// Whether every position of a replay is judged.
    pub analysis: bool,
    /// What is known, by the positions' keys.
    pub known: HashMap<u64, Judgement>,
}

impl Advice {
    /// The hint for this position, if it was asked for.
    #[must_use]
    pub fn hint_for(&self, position: &AnyPosition) -> Option<AnyMove> {
        self.hint.filter(|(key, _)| *key == position.key()).map(|(_, mv)| mv)
    }

    /// What is known of the game after `plies` plies, or of the last position
    /// before at which something was (before a throw nothing is told).
    #[must_use]
    pub fn value_at(&self, line: &Line<AnyPosition>, plies: usize) -> Option<Value> {
        (0..=plies).rev().take(6).find_map(|number| {
            let position = line.at(number)?;
            match position.turn() {
                Turn::Over(end) => {
                    Some(end.winner.map_or(Value::Points(0), |side| Value::Wins(side, 0)))
                }
                Turn::Move(_) | Turn::Throw(_) => Some(self.known.get(&position.key())?.value),
            }
        })
    }
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The ply it was.
    pub ply: usize,
    /// How much it gave away, from 0 to 1 (from won to lost).
    pub loss: f32,
    /// What would have been better.
    pub best: AnyMove,
}

/// From this share on a move is a mistake.
const MISTAKE: f32 = 0.15;
/// From this share on it is a bad one.
pub const BLUNDER: f32 = 0.30;

impl Advice {
    /// The mistakes of a game, as far as its positions are judged. Where a
    /// throw follows a move, nothing is known of the move itself.
    #[must_use]
    pub fn mistakes(&self, line: &Line<AnyPosition>) -> Vec<Mistake> {
        let share = |plies: usize| {
            let position = line.at(plies)?;
            let ended = if plies == line.len() { line.turn().end() } else { None };
            match ended {
                Some(end) => Some(match end.winner {
                    Some(side) => Value::Wins(side, 0).share(),
                    None => 0.5,
                }),
                None => self.known.get(&position.key()).map(|it| it.value.share()),
            }
        };
        (1..=line.len())
            .filter_map(|ply| {
                let before = line.at(ply - 1)?;
                let best = self.known.get(&before.key())?.best?;
                let (from, to) = (share(ply - 1)?, share(ply)?);
                let loss = if before.side() == Side::First { from - to } else { to - from };
                let played =
                    matches!(line.ply(ply), Some(crate::games::Ply::Move(mv)) if mv != best);
                (played && loss >= MISTAKE).then_some(Mistake { ply, loss, best })
            })
            .collect()
    }
}

/// Whether somebody plays the other side who can be asked for a draw.
pub(super) fn is_engine(table: &Table, side: Side) -> bool {
    matches!(table.seats()[side.index()], Seat::Engine(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_gives_the_game_away_is_a_mistake() {
        let mut line = Line::new(AnyPosition::start(crate::games::RuleSet::Tablaaza));
        let mut advice = Advice::default();
        let mut judge = |line: &Line<AnyPosition>, points| {
            let best = line.legal_moves().last().copied();
            let judgement = Judgement { value: Value::Points(points), best, play: String::new() };
            advice.known.insert(line.position().key(), judgement);
        };
        judge(&line, 0);
        for points in [20, 400, 380] {
            let first = line.legal_moves()[0];
            line.push(crate::games::Ply::Move(first)).expect("legal");
            judge(&line, points);
        }
        let mistakes = advice.mistakes(&line);
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert_eq!(mistakes[0].ply, 2, "Green's, which was good for Red");
        assert!(mistakes[0].loss > BLUNDER, "{mistakes:?}");
    }

    #[test]
    fn a_score_is_turned_to_the_first_side() {
        assert_eq!(Value::of(Score::Points(30), Side::Second), Value::Points(-30));
        assert_eq!(Value::of(Score::Loss(4), Side::First), Value::Wins(Side::Second, 4));
        assert!((Value::Points(0).share() - 0.5).abs() < 1e-6);
        assert!(Value::Points(200).share() > 0.6 && Value::Points(-200).share() < 0.4);
        assert!(Value::Wins(Side::First, 3).share() > 0.999);
    }
}
