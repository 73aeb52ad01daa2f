//! What an engine says when it is asked: a hint, who is ahead, whether it
//! takes a draw, the best lines of a position, a whole game's evaluation.
//!
//! One worker of its own, one thought at a time, never waited for. Nothing
//! here changes a game but an accepted draw; an answer about a position that
//! is no longer there is dropped.

mod analyst;
mod multi_pv;

use std::collections::HashMap;

use bevy::prelude::*;

pub(crate) use analyst::plugin;
pub use multi_pv::{Candidate, LINES, Mistake, MultiPv, Verdict};

use crate::{
    engines::{Score, tablan::Review},
    games::{AnyMove, AnyPosition, Game, GameHistory, Side, Turn},
    records::GameResult,
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

    /// A game with this result; none while it goes on.
    pub(crate) const fn of_result(result: GameResult) -> Option<Self> {
        match result {
            GameResult::Won(side) => Some(Self::Wins(side, 0)),
            GameResult::Drawn => Some(Self::Points(0)),
            GameResult::Unknown => None,
        }
    }

    /// A game that is over: `winner` has won it, or nobody.
    pub(crate) fn ended(winner: Option<Side>) -> Self {
        winner.map_or(Self::Points(0), |side| Self::Wins(side, 0))
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
pub struct Analysis {
    /// The hint for the position with this key.
    pub hint: Option<(u64, AnyMove)>,
    /// Whether a hint is being looked for.
    pub waiting: bool,
    /// Whether threats are shown.
    pub threats: bool,
    /// Whether it is shown who is ahead.
    pub value: bool,
    /// Whether the game is analysed: every position judged, and the best lines
    /// of the one that is looked at.
    pub analysis: bool,
    /// What is known, by the positions' keys.
    pub known: HashMap<u64, Judgement>,
    /// The best lines, by the positions' keys.
    pub studies: HashMap<u64, MultiPv>,
    /// Luck and skill of a game of Tablan, and which game that is.
    pub review: Option<(GameHistory<AnyPosition>, Review)>,
}

impl Analysis {
    /// The hint for this position, if it was asked for.
    #[must_use]
    pub fn hint_for(&self, position: &AnyPosition) -> Option<AnyMove> {
        self.hint.filter(|(key, _)| *key == position.key()).map(|(_, mv)| mv)
    }

    /// What is known of the game after `plies` plies, or of the last position
    /// before at which something was (before a throw nothing is told).
    #[must_use]
    pub fn value_at(&self, line: &GameHistory<AnyPosition>, plies: usize) -> Option<Value> {
        (0..=plies).rev().take(6).find_map(|number| {
            let position = line.at(number)?;
            match position.turn() {
                Turn::Over(end) => Some(Value::ended(end.winner)),
                Turn::Move(_) | Turn::Throw(_) => Some(self.known.get(&position.key())?.value),
            }
        })
    }

    /// The best lines known of a position, the best first.
    #[must_use]
    pub fn lines_of(&self, position: &AnyPosition) -> &[Candidate] {
        self.studies.get(&position.key()).map_or(&[], |study| &study.lines)
    }

    /// Luck and skill of this game, if they were told apart.
    #[must_use]
    pub fn review_of(&self, line: &GameHistory<AnyPosition>) -> Option<&Review> {
        self.review.as_ref().filter(|(about, _)| about == line).map(|(_, review)| review)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_turned_to_the_first_side() {
        assert_eq!(Value::of(Score::Points(30), Side::Second), Value::Points(-30));
        assert_eq!(Value::of(Score::Loss(4), Side::First), Value::Wins(Side::Second, 4));
        assert!((Value::Points(0).share() - 0.5).abs() < 1e-6);
        assert!(Value::Points(200).share() > 0.6 && Value::Points(-200).share() < 0.4);
        assert!(Value::Wins(Side::First, 3).share() > 0.999);
    }
}
