//! What an analysis has found: the best lines of a position, and the moves of
//! a game that gave something away.

use super::{Analysis, Value};
use crate::games::{AnyMove, AnyPosition, Game, GameHistory, Ply, Side};

/// Most lines that are looked for.
pub const LINES: usize = 3;

/// A move, what it is worth, and how it would go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: AnyMove,
    /// Who is ahead with it.
    pub value: Value,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Whether that is proven.
    pub exact: bool,
    /// How it would go on, the move first, as records write it.
    pub play: String,
}

/// The best lines of one position, and how far the search for them has come.
///
/// A round looks for one line after the other, each without the moves of those
/// before it; the next round takes twice the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiPv {
    /// What is shown: the best first.
    pub lines: Vec<Candidate>,
    /// How many rounds are done.
    pub round: u32,
    /// What this round has found.
    fresh: Vec<Candidate>,
}

/// Rounds at most.
const ROUNDS: u32 = 5;

impl MultiPv {
    /// Whether there is more to look for.
    pub(crate) const fn goes_on(&self) -> bool {
        self.round < ROUNDS
    }

    /// The moves this round has found already.
    pub(crate) fn found(&self) -> Vec<AnyMove> {
        self.fresh.iter().map(|line| line.mv).collect()
    }

    /// Takes what is known so far of the line that is looked for. In the first
    /// round it is shown at once; later only where it is about a line that is
    /// shown, and has seen more.
    pub(crate) fn hear(&mut self, candidate: Candidate) {
        if self.round == 0 {
            self.lines.truncate(self.fresh.len());
            self.lines.push(candidate);
        } else if let Some(line) = self.lines.iter_mut().find(|line| line.mv == candidate.mv)
            && candidate.depth >= line.depth
        {
            *line = candidate;
        }
    }

    /// Takes a line to its end. `most` is how many lines there can be.
    pub(crate) fn take(&mut self, candidate: Candidate, most: usize, mover: Side) {
        self.fresh.push(candidate);
        if self.fresh.len() >= most {
            self.lines = std::mem::take(&mut self.fresh);
            // A later line may have been looked into deeper.
            self.lines.sort_by(|one, other| {
                let worth = |line: &Candidate| rank(line.value, mover);
                worth(other).cmp(&worth(one))
            });
            self.round += 1;
        } else if self.round == 0 {
            self.lines = self.fresh.clone();
        }
    }

    /// Nothing more is to be found.
    pub(crate) fn end(&mut self) {
        if !self.fresh.is_empty() && self.round == 0 {
            self.lines = std::mem::take(&mut self.fresh);
        }
        self.round = ROUNDS;
    }
}

/// A value in an order: more is better for `mover`.
fn rank(value: Value, mover: Side) -> i64 {
    /// More than any number of points.
    const SURE: i64 = 1 << 32;
    match value {
        Value::Points(points) if mover == Side::First => i64::from(points),
        Value::Points(points) => -i64::from(points),
        Value::Wins(side, plies) if side == mover => SURE - i64::from(plies),
        Value::Wins(_, plies) => i64::from(plies) - SURE,
    }
}

/// How bad a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Something was given away.
    Mistake,
    /// Much was.
    Blunder,
}

impl Verdict {
    /// The sign that annotators write behind such a move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    fn of(loss: f32, [mistake, blunder]: [f32; 2]) -> Option<Self> {
        if loss >= blunder {
            Some(Self::Blunder)
        } else if loss >= mistake {
            Some(Self::Mistake)
        } else {
            None
        }
    }
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The ply it was.
    pub ply: usize,
    /// How much it gave away, from 0 to 1 (from won to lost).
    pub loss: f32,
    /// How bad that is.
    pub verdict: Verdict,
    /// What would have been better.
    pub best: AnyMove,
}

/// From which share of the whole way from won to lost on a move is a mistake,
/// and from which a blunder. A single choice in Tablan decides less: there the
/// sticks fall again before the next.
const BOUNDS: [f32; 2] = [0.15, 0.30];
/// The same in equity, for Tablan.
const TABLAN_BOUNDS: [f32; 2] = [0.04, 0.10];

impl Analysis {
    /// The mistakes of a game, as far as its positions are judged. In Tablan
    /// they are those of the review: before a throw nothing is known of what a
    /// move was worth.
    #[must_use]
    pub fn mistakes(&self, line: &GameHistory<AnyPosition>) -> Vec<Mistake> {
        if let Some(review) = self.review_of(line) {
            let mistake = |choice: &crate::engines::tablan::Choice| {
                let verdict = Verdict::of(choice.error(), TABLAN_BOUNDS)?;
                let (loss, best) = (choice.error() / 2.0, AnyMove::Tablan(choice.best));
                Some(Mistake { ply: choice.ply, loss, verdict, best })
            };
            return review.choices.iter().filter_map(mistake).collect();
        }
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
                let played = matches!(line.ply(ply), Some(Ply::Move(mv)) if mv != best);
                let verdict = Verdict::of(loss, BOUNDS).filter(|_| played)?;
                Some(Mistake { ply, loss, verdict, best })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::analysis::Judgement, games::RuleSet};

    #[test]
    fn a_move_that_gives_the_game_away_is_a_mistake() {
        let mut line = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        let mut advice = Analysis::default();
        let mut judge = |line: &GameHistory<AnyPosition>, points| {
            let best = line.legal_moves().last().copied();
            let judgement = Judgement { value: Value::Points(points), best, play: String::new() };
            advice.known.insert(line.position().key(), judgement);
        };
        judge(&line, 0);
        for points in [20, 400, 380] {
            let first = line.legal_moves()[0];
            line.push(Ply::Move(first)).expect("legal");
            judge(&line, points);
        }
        let mistakes = advice.mistakes(&line);
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert_eq!(mistakes[0].ply, 2, "Green's, which was good for Red");
        assert_eq!(mistakes[0].verdict, Verdict::Blunder, "{mistakes:?}");
    }

    #[test]
    fn in_tablan_the_review_says_what_was_a_mistake() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
        let mut line = GameHistory::new(start);
        let moves = line.legal_moves();
        let (AnyMove::Tablan(played), AnyMove::Tablan(best)) = (moves[0], moves[1]) else {
            panic!("moves of Tablan")
        };
        line.push(Ply::Move(moves[0])).expect("legal");
        let choice = |equity| crate::engines::tablan::Choice {
            ply: 1,
            side: Side::First,
            played,
            best,
            equity,
            kept: 0.0,
            among: 2,
            exact: false,
        };
        let mut advice = Analysis::default();
        for (error, verdict) in
            [(0.01, None), (0.05, Some(Verdict::Mistake)), (0.5, Some(Verdict::Blunder))]
        {
            let review =
                crate::engines::tablan::Review { tosses: Vec::new(), choices: vec![choice(error)] };
            advice.review = Some((line.clone(), review));
            let found = advice.mistakes(&line);
            assert_eq!(found.first().map(|it| it.verdict), verdict, "{error}");
            assert!(found.iter().all(|it| it.best == moves[1]));
        }
    }

    fn candidate(number: usize, points: i32, depth: u32) -> Candidate {
        let mv = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza)).legal_moves()[number];
        Candidate { mv, value: Value::Points(points), depth, exact: false, play: mv.to_string() }
    }

    #[test]
    fn a_round_finds_line_after_line_and_the_best_comes_first() {
        let mut study = MultiPv::default();
        study.hear(candidate(0, -10, 1));
        assert_eq!(study.lines.len(), 1, "shown while it thinks");
        study.take(candidate(0, -10, 2), 2, Side::Second);
        assert_eq!(study.found().len(), 1);
        study.take(candidate(1, -30, 2), 2, Side::Second);
        assert_eq!(study.round, 1);
        assert_eq!(study.lines[0].value, Value::Points(-30), "better for the second side");
        assert!(study.found().is_empty(), "the next round begins anew");
        study.hear(candidate(1, 5, 9));
        assert_eq!(study.lines[0].depth, 9);
        study.hear(candidate(2, 90, 9));
        assert_eq!(study.lines.len(), 2, "a line not shown waits for the round's end");
        study.end();
        assert!(!study.goes_on());
    }
}
