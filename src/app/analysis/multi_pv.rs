//! What the analysis has found: the best lines of a position, and the mistakes of
//! a game.

use super::{Analysis, Evaluation};
use crate::{
    engines::Verdict,
    games::{AnyMove, AnyPosition, Game, GameHistory, GameKind, Ply, Side},
};

/// The number of lines searched.
pub const LINES: usize = 3;

/// A move with its evaluation and variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: AnyMove,
    /// The evaluation after it.
    pub value: Evaluation,
    /// Search depth in plies.
    pub depth: u32,
    /// Whether the evaluation is proven.
    pub exact: bool,
    /// The variation, the move first, in the records' notation.
    pub variation: String,
}

/// The best lines of one position (multi-PV), and the progress of their search.
///
/// A round searches one line after the other, each excluding the moves of the
/// lines before it. The next round takes twice the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiPv {
    /// The lines shown, best first.
    pub lines: Vec<Candidate>,
    /// Finished rounds.
    pub round: u32,
    /// The lines found in this round.
    found: Vec<Candidate>,
}

/// The most rounds.
const MAX_ROUNDS: u32 = 5;

impl MultiPv {
    /// Whether another round is due.
    pub(crate) const fn is_unfinished(&self) -> bool {
        self.round < MAX_ROUNDS
    }

    /// The moves found in this round, which the next line excludes.
    pub(crate) fn found_moves(&self) -> Vec<AnyMove> {
        self.found.iter().map(|line| line.mv).collect()
    }

    /// Updates the line being searched. The first round shows it at once; later
    /// rounds only update a line that is shown, at the same depth or deeper.
    pub(crate) fn update(&mut self, candidate: Candidate) {
        if self.round == 0 {
            self.lines.truncate(self.found.len());
            self.lines.push(candidate);
        } else if let Some(line) = self.lines.iter_mut().find(|line| line.mv == candidate.mv)
            && candidate.depth >= line.depth
        {
            *line = candidate;
        }
    }

    /// Completes a line. `most` is the number of lines possible.
    pub(crate) fn complete_line(&mut self, candidate: Candidate, most: usize, mover: Side) {
        self.found.push(candidate);
        if self.found.len() >= most {
            self.lines = std::mem::take(&mut self.found);
            // A later line may have been searched deeper.
            self.lines.sort_by(|one, other| {
                let key = |line: &Candidate| rank(line.value, mover);
                key(other).cmp(&key(one))
            });
            self.round += 1;
        } else if self.round == 0 {
            self.lines = self.found.clone();
        }
    }

    /// Ends the search: nothing more can be found.
    pub(crate) fn finish(&mut self) {
        if !self.found.is_empty() && self.round == 0 {
            self.lines = std::mem::take(&mut self.found);
        }
        self.round = MAX_ROUNDS;
    }
}

/// Orders evaluations: more is better for `mover`.
fn rank(value: Evaluation, mover: Side) -> i64 {
    /// Above any number of points.
    const WIN: i64 = 1 << 32;
    match value {
        Evaluation::Points(points) if mover == Side::First => i64::from(points),
        Evaluation::Points(points) => -i64::from(points),
        Evaluation::Wins(side, plies) if side == mover => WIN - i64::from(plies),
        Evaluation::Wins(_, plies) => i64::from(plies) - WIN,
    }
}

/// A move that lost more than the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Its ply.
    pub ply: usize,
    /// The loss in win share: 1 is from won to lost.
    pub loss: f32,
    /// Its severity.
    pub verdict: Verdict,
    /// The best move.
    pub best: AnyMove,
}

impl Analysis {
    /// The mistakes of a game, as far as its positions are evaluated. In Tablan
    /// they come from the review, because positions before a throw have no
    /// evaluation.
    #[must_use]
    pub fn mistakes(&self, history: &GameHistory<AnyPosition>) -> Vec<Mistake> {
        if let Some(review) = self.review_of(history) {
            let mistake = |choice: &crate::engines::tablan::MoveReview| {
                let (loss, best) = (choice.error() / 2.0, AnyMove::Tablan(choice.best));
                let verdict = Verdict::from_loss(GameKind::Tablan, loss)?;
                Some(Mistake { ply: choice.ply, loss, verdict, best })
            };
            return review.moves.iter().filter_map(mistake).collect();
        }
        let game = history.start().rules().game();
        let value = |plies: usize| {
            let position = history.at(plies)?;
            let ended = if plies == history.len() { history.turn().end() } else { None };
            match ended {
                Some(end) => Some(Evaluation::ended(end.winner)),
                None => self.evaluations.get(&position.key()).map(|it| it.value),
            }
        };
        (1..=history.len())
            .filter_map(|ply| {
                let before = history.at(ply - 1)?;
                let best = self.evaluations.get(&before.key())?.best?;
                let (from, to) = (value(ply - 1)?, value(ply)?);
                let [from, to] = [from, to].map(|value| value.score_for(before.side()));
                let loss = from.win_share(game) - to.win_share(game);
                let played = matches!(history.ply(ply), Some(Ply::Move(mv)) if mv != best);
                let verdict = Verdict::of_scores(game, from, to).filter(|_| played)?;
                Some(Mistake { ply, loss, verdict, best })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::analysis::PositionEvaluation, games::RuleSet};

    #[test]
    fn a_move_that_loses_the_game_is_a_blunder() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        let mut analysis = Analysis::default();
        let mut evaluate = |history: &GameHistory<AnyPosition>, points| {
            let best = history.legal_moves().last().copied();
            let evaluation = PositionEvaluation {
                value: Evaluation::Points(points),
                best,
                variation: String::new(),
                depth: 9,
            };
            analysis.evaluations.insert(history.position().key(), evaluation);
        };
        evaluate(&history, 0);
        for points in [20, 400, 380] {
            let first = history.legal_moves()[0];
            history.push(Ply::Move(first)).expect("legal");
            evaluate(&history, points);
        }
        let mistakes = analysis.mistakes(&history);
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert_eq!(mistakes[0].ply, 2, "Green's, which was good for Red");
        assert_eq!(mistakes[0].verdict, Verdict::Blunder, "{mistakes:?}");
    }

    #[test]
    fn in_tablan_mistakes_come_from_the_review() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
        let mut history = GameHistory::new(start);
        let moves = history.legal_moves();
        let (AnyMove::Tablan(played), AnyMove::Tablan(best)) = (moves[0], moves[1]) else {
            panic!("moves of Tablan")
        };
        history.push(Ply::Move(moves[0])).expect("legal");
        let choice = |equity| crate::engines::tablan::MoveReview {
            ply: 1,
            side: Side::First,
            played,
            best,
            best_equity: equity,
            played_equity: 0.0,
            move_count: 2,
            exact: false,
        };
        let mut analysis = Analysis::default();
        for (error, verdict) in
            [(0.01, None), (0.05, Some(Verdict::Mistake)), (0.5, Some(Verdict::Blunder))]
        {
            let review =
                crate::engines::tablan::Review { throws: Vec::new(), moves: vec![choice(error)] };
            analysis.review = Some((history.clone(), review));
            let found = analysis.mistakes(&history);
            assert_eq!(found.first().map(|it| it.verdict), verdict, "{error}");
            assert!(found.iter().all(|it| it.best == moves[1]));
        }
    }

    fn candidate(number: usize, points: i32, depth: u32) -> Candidate {
        let mv = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza)).legal_moves()[number];
        Candidate {
            mv,
            value: Evaluation::Points(points),
            depth,
            exact: false,
            variation: mv.to_string(),
        }
    }

    #[test]
    fn a_round_finds_line_after_line_and_sorts_them() {
        let mut multi_pv = MultiPv::default();
        multi_pv.update(candidate(0, -10, 1));
        assert_eq!(multi_pv.lines.len(), 1, "shown during the search");
        multi_pv.complete_line(candidate(0, -10, 2), 2, Side::Second);
        assert_eq!(multi_pv.found_moves().len(), 1);
        multi_pv.complete_line(candidate(1, -30, 2), 2, Side::Second);
        assert_eq!(multi_pv.round, 1);
        assert_eq!(multi_pv.lines[0].value, Evaluation::Points(-30), "better for the second side");
        assert!(multi_pv.found_moves().is_empty(), "the next round starts empty");
        multi_pv.update(candidate(1, 5, 9));
        assert_eq!(multi_pv.lines[0].depth, 9);
        multi_pv.update(candidate(2, 90, 9));
        assert_eq!(multi_pv.lines.len(), 2, "a new line waits for the end of the round");
        multi_pv.finish();
        assert!(!multi_pv.is_unfinished());
    }
}
