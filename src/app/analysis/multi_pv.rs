//! What the analysis has found: the best lines of a position, and the mistakes of
//! a game.

use super::{Analysis, Evaluation};
use crate::{app::core::prelude::*, engines::Verdict};

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

/// How long each round searches. The first is short: the other positions of the game are
/// evaluated after it.
const ROUNDS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];

/// The best lines of one position (multi-PV), and the progress of their search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiPv {
    /// The lines shown, best first, all of one iteration.
    pub lines: Vec<Candidate>,
    /// Finished rounds.
    pub round: usize,
    /// The lines of the latest iteration.
    found: Vec<Candidate>,
}

impl MultiPv {
    /// How long the next round searches; none if none is due.
    pub(crate) fn next_round(&self) -> Option<Duration> {
        ROUNDS.get(self.round).copied()
    }

    /// Takes in a line of an iteration, which reports `most` lines, best first. They are
    /// shown together, unless deeper ones are known from an earlier round.
    pub(crate) fn update(&mut self, line: usize, candidate: Candidate, most: usize) {
        self.found.truncate(line - 1);
        self.found.push(candidate);
        let depth = |lines: &[Candidate]| lines.iter().map(|line| line.depth).max();
        if self.found.len() >= most && depth(&self.found) >= depth(&self.lines) {
            self.lines.clone_from(&self.found);
        }
    }

    /// Ends a round. What is left of an iteration that was stopped is better than nothing.
    pub(crate) fn finish_round(&mut self) {
        let found = std::mem::take(&mut self.found);
        if self.lines.is_empty() {
            self.lines = found;
        }
        self.round += 1;
    }

    /// Ends the search: nothing more can be found.
    pub(crate) const fn finish(&mut self) {
        self.round = ROUNDS.len();
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
                None => self.evaluations.get(&position.key()).map(|evaluation| evaluation.value),
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
    use crate::app::analysis::PositionEvaluation;

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
            assert_eq!(found.first().map(|found| found.verdict), verdict, "{error}");
            assert!(found.iter().all(|found| found.best == moves[1]));
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
    fn the_lines_of_an_iteration_are_shown_together_and_deeper_ones_stay() {
        let mut multi_pv = MultiPv::default();
        multi_pv.update(1, candidate(0, -10, 1), 2);
        assert!(multi_pv.lines.is_empty(), "the second line is still to come");
        multi_pv.update(2, candidate(1, -30, 1), 2);
        multi_pv.update(1, candidate(1, -40, 4), 2);
        assert_eq!(multi_pv.lines[0], candidate(0, -10, 1), "lines of two depths do not mix");
        multi_pv.update(2, candidate(0, -50, 4), 2);
        let deep = [candidate(1, -40, 4), candidate(0, -50, 4)];
        assert_eq!(multi_pv.lines, deep);
        multi_pv.finish_round();
        assert!(multi_pv.round == 1 && multi_pv.next_round() > Some(ROUNDS[0]));
        multi_pv.update(1, candidate(0, 0, 3), 2);
        multi_pv.update(2, candidate(2, 0, 3), 2);
        assert_eq!(multi_pv.lines, deep, "the next round begins at the first depth again");
        multi_pv.update(1, candidate(0, 0, 4), 2);
        multi_pv.update(2, candidate(2, 0, 4), 2);
        assert_eq!(multi_pv.lines, [candidate(0, 0, 4), candidate(2, 0, 4)]);
        multi_pv.finish_round();
        assert_eq!(multi_pv.next_round(), None);
    }

    #[test]
    fn part_of_an_iteration_is_shown_where_there_is_no_whole_one() {
        let mut multi_pv = MultiPv::default();
        multi_pv.update(1, candidate(0, -10, 1), 3);
        multi_pv.finish_round();
        assert_eq!(multi_pv.lines, [candidate(0, -10, 1)]);
        multi_pv.finish();
        assert_eq!(multi_pv.next_round(), None);
    }
}
