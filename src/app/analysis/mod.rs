//! Analysis by an engine: hints, evaluations, answers to draw offers, the best
//! lines of a position (multi-PV), and the review of a whole game.
//!
//! It has a worker of its own that runs one search at a time and never blocks a
//! frame. An answer to a position that is gone is dropped. Only an accepted draw
//! changes a game.

mod actions;
mod multi_pv;
mod replies;
mod results;
mod scheduler;
mod second_opinion;
mod worker;

use std::collections::{HashMap, HashSet};

pub use crate::engines::Verdict;
pub use multi_pv::{Candidate, LINES, Mistake, MultiPv};
pub use second_opinion::SecondOpinion;

use crate::{
    app::{core::prelude::*, replay::OpenedForAnalysis},
    engines::{Score, tablan::Review},
    session::hinted_squares,
};

/// So many known positions take a few megabytes; with more, those of other games than the
/// current ones are forgotten.
const KNOWN_POSITIONS: usize = 10_000;

/// The systems that run the searches; they decide first whether frames continue.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnalysisSearches;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Analysis>()
        .init_resource::<worker::AnalysisWorker>()
        .init_resource::<second_opinion::SecondEngine>()
        .add_systems(
            Update,
            (actions::apply_actions, second_opinion::choose_engine).in_set(AppSet::ApplyActions),
        )
        .add_systems(
            Update,
            (
                actions::start_for_replay.run_if(on_message::<OpenedForAnalysis>),
                results::study_finished_game,
                scheduler::run_searches,
                second_opinion::ask_engine,
                (actions::show_after_exercise, actions::mark_unrated, results::store_analysis),
            )
                .chain()
                .in_set(AnalysisSearches)
                .in_set(AppSet::Engines),
        );
}

/// An evaluation from the first side's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// As in [`Score::Points`], but positive is good for the first side.
    Points(i32),
    /// This side wins in so many plies.
    Wins(Side, u32),
}

impl Evaluation {
    /// Converts a score from the side to move.
    pub(crate) fn from_score(score: Score, mover: Side) -> Self {
        match score {
            Score::Points(points) => {
                Self::Points(if mover == Side::First { points } else { -points })
            }
            Score::Win(plies) => Self::Wins(mover, plies),
            Score::Loss(plies) => Self::Wins(mover.other(), plies),
        }
    }

    /// The score for a side.
    pub(crate) const fn score_for(self, side: Side) -> Score {
        match (self, side) {
            (Self::Points(points), Side::First) => Score::Points(points),
            (Self::Points(points), Side::Second) => Score::Points(-points),
            (Self::Wins(Side::First, plies), Side::First)
            | (Self::Wins(Side::Second, plies), Side::Second) => Score::Win(plies),
            (Self::Wins(_, plies), _) => Score::Loss(plies),
        }
    }

    /// The evaluation of a finished game; a draw has no winner.
    pub(crate) fn ended(winner: Option<Side>) -> Self {
        winner.map_or(Self::Points(0), |side| Self::Wins(side, 0))
    }

    /// The first side's share: 0 is lost, 0.5 even, 1 won.
    pub fn share(self, game: GameKind) -> f32 {
        match self {
            Self::Points(points) => Score::Points(points).win_share(game),
            Self::Wins(Side::First, _) => 1.0,
            Self::Wins(Side::Second, _) => 0.0,
        }
    }
}

/// The evaluation of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionEvaluation {
    /// The evaluation.
    pub value: Evaluation,
    /// The best move.
    pub best: Option<AnyMove>,
    /// The principal variation, in the records' notation.
    pub variation: String,
    /// The depth of the search, in plies.
    pub depth: u32,
}

/// How much of a hint is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HintStep {
    /// Which piece moves.
    Piece,
    /// The move.
    #[default]
    Move,
}

/// What is switched on, and what has been found.
#[derive(Resource, Debug, Default)]
pub struct Analysis {
    /// The hint, with the key of its position.
    pub hint: Option<(u64, AnyMove)>,
    /// How much of it is shown.
    pub hint_step: HintStep,
    /// Whether a hint is being searched.
    pub hint_pending: bool,
    /// Whether threats are shown.
    pub show_threats: bool,
    /// Whether the evaluation is shown.
    pub show_evaluation: bool,
    /// Whether the game is analysed: every position is evaluated, and the best
    /// lines of the one shown are searched.
    pub enabled: bool,
    /// A game to evaluate as a whole, whatever is shown: for practice on its mistakes.
    pub(crate) studied: Option<GameHistory<AnyPosition>>,
    /// Evaluations by position key.
    pub evaluations: HashMap<u64, PositionEvaluation>,
    /// Best lines by position key.
    pub multi_pv: HashMap<u64, MultiPv>,
    /// The positions whose search found nothing; they are not searched again.
    pub(crate) unsearchable: HashSet<u64>,
    /// The number of known positions at which those of other games are forgotten.
    pub(crate) forgets_at: usize,
    /// What an exercise has hidden: the evaluation, the threats and the analysis.
    pub(crate) before_exercise: Option<[bool; 3]>,
    /// What another engine says.
    pub second_opinion: SecondOpinion,
    /// The luck and skill of a game of Tablan, with that game.
    pub review: Option<(GameHistory<AnyPosition>, Review)>,
}

impl Analysis {
    /// Whether positions are to be evaluated.
    const fn evaluates(&self) -> bool {
        self.show_evaluation || self.enabled || self.studied.is_some()
    }

    /// Hides all that helps.
    fn hide(&mut self) {
        (self.enabled, self.show_evaluation, self.show_threats) = (false, false, false);
        self.hint = None;
    }

    /// Hides, until it ends, all that would give an exercise away.
    pub(crate) fn hide_for_exercise(&mut self) {
        let shown = [self.show_evaluation, self.show_threats, self.enabled];
        self.before_exercise.get_or_insert(shown);
        self.hide();
    }

    /// The hint for this position, if there is one and the whole of it is shown.
    pub fn hint_for(&self, position: &AnyPosition) -> Option<AnyMove> {
        self.known_hint(position).filter(|_| self.hint_step == HintStep::Move)
    }

    /// The squares of the piece to move, where only that is shown of the hint.
    pub fn hinted_piece(&self, position: &AnyPosition) -> Vec<Square> {
        let hint = self.known_hint(position).filter(|_| self.hint_step == HintStep::Piece);
        hint.map_or_else(Vec::new, |mv| hinted_squares(position, mv))
    }

    fn known_hint(&self, position: &AnyPosition) -> Option<AnyMove> {
        self.hint.filter(|(key, _)| *key == position.key()).map(|(_, mv)| mv)
    }

    /// The evaluation after `plies` plies, or of the nearest position before that
    /// has one (positions before a throw have none).
    pub fn value_at(&self, history: &GameHistory<AnyPosition>, plies: usize) -> Option<Evaluation> {
        (0..=plies).rev().take(6).find_map(|number| match turn_at(history, number)? {
            Turn::Over(end) => Some(Evaluation::ended(end.winner)),
            Turn::Move(_) | Turn::Throw(_) => {
                Some(self.evaluations.get(&history.at(number)?.key())?.value)
            }
        })
    }

    /// The evaluation after `plies` plies, as [`Self::value_at`], or that of the best line if it
    /// was searched deeper: so bar, panel and lines say one thing.
    pub(crate) fn deepest_value(
        &self,
        history: &GameHistory<AnyPosition>,
        plies: usize,
    ) -> Option<Evaluation> {
        let position = history.at(plies)?;
        let depth = self.evaluations.get(&position.key()).map_or(0, |known| known.depth);
        let best = self.lines_of(position).first().filter(|best| best.depth >= depth);
        best.map(|best| best.value).or_else(|| self.value_at(history, plies))
    }

    /// Whether [`Self::deepest_value`] has only the evaluation of an earlier position.
    pub fn is_old_at(&self, history: &GameHistory<AnyPosition>, plies: usize) -> bool {
        self.value_at(history, plies).is_some()
            && !matches!(turn_at(history, plies), Some(Turn::Over(_)))
            && history.at(plies).is_some_and(|at| {
                !self.evaluations.contains_key(&at.key()) && self.lines_of(at).is_empty()
            })
    }

    /// How many positions of a game are evaluated, and how many there are to evaluate.
    pub fn progress(&self, history: &GameHistory<AnyPosition>) -> [usize; 2] {
        let due = (0..=history.len()).filter(|plies| is_move_due(history, *plies));
        let open = due.clone().filter(|plies| self.is_unsearched(history, *plies)).count();
        let all = due.count();
        [all - open, all]
    }

    /// Whether the position after so many plies is still to be searched.
    fn is_unsearched(&self, history: &GameHistory<AnyPosition>, plies: usize) -> bool {
        let is_known = |position: &AnyPosition| {
            let key = position.key();
            self.evaluations.contains_key(&key) || self.unsearchable.contains(&key)
        };
        is_move_due(history, plies) && history.at(plies).is_some_and(|at| !is_known(at))
    }

    /// The first position of a game that is still to be searched.
    fn first_unsearched(&self, history: &GameHistory<AnyPosition>) -> Option<usize> {
        (0..=history.len()).find(|plies| self.is_unsearched(history, *plies))
    }

    /// Forgets what is known of other games than these once it is too much.
    fn forget_all_but<'a>(&mut self, games: impl Iterator<Item = &'a GameHistory<AnyPosition>>) {
        let known = |analysis: &Self| {
            analysis.evaluations.len() + analysis.multi_pv.len() + analysis.unsearchable.len()
        };
        if known(self) < self.forgets_at.max(KNOWN_POSITIONS) {
            return;
        }
        let positions = games.flat_map(|game| (0..=game.len()).filter_map(|ply| game.at(ply)));
        let kept: HashSet<u64> = positions.map(Game::key).collect();
        self.evaluations.retain(|key, _| kept.contains(key));
        self.multi_pv.retain(|key, _| kept.contains(key));
        self.unsearchable.retain(|key| kept.contains(key));
        self.forgets_at = 2 * known(self);
    }

    /// The best lines of a position, best first.
    pub fn lines_of(&self, position: &AnyPosition) -> &[Candidate] {
        self.multi_pv.get(&position.key()).map_or(&[], |multi_pv| &multi_pv.lines)
    }

    /// The luck and skill of this game, if it was reviewed.
    pub fn review_of(&self, history: &GameHistory<AnyPosition>) -> Option<&Review> {
        self.review.as_ref().filter(|(about, _)| about == history).map(|(_, review)| review)
    }
}

/// Whose turn it is after so many plies. A game can be over where its last position alone is
/// not (repetition).
fn turn_at(history: &GameHistory<AnyPosition>, plies: usize) -> Option<Turn> {
    if plies == history.len() { Some(history.turn()) } else { history.at(plies).map(Game::turn) }
}

/// Whether a player has to move after so many plies.
fn is_move_due(history: &GameHistory<AnyPosition>, plies: usize) -> bool {
    matches!(turn_at(history, plies), Some(Turn::Move(_)))
}

/// The game up to the position after so many plies.
fn up_to(history: &GameHistory<AnyPosition>, plies: usize) -> GameHistory<AnyPosition> {
    let mut history = history.clone();
    history.truncate(plies);
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_converted_to_the_first_sides_view() {
        assert_eq!(
            Evaluation::from_score(Score::Points(30), Side::Second),
            Evaluation::Points(-30)
        );
        assert_eq!(
            Evaluation::from_score(Score::Loss(4), Side::First),
            Evaluation::Wins(Side::Second, 4)
        );
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let share = |value: Evaluation| value.share(game);
            assert!((share(Evaluation::Points(0)) - 0.5).abs() < 1e-6);
            assert!(share(Evaluation::Points(90)) > 0.55 && share(Evaluation::Points(-90)) < 0.45);
            assert!(share(Evaluation::Wins(Side::First, 3)) > 0.999);
        }
        let nearly_won = Evaluation::Points(90).share(GameKind::Tablan);
        assert!((nearly_won - 0.95).abs() < 1e-6, "equity 0.9, from -1 to 1");
    }

    #[test]
    fn the_evaluation_of_an_earlier_position_is_old() {
        let mut history = GameHistory::new(AnyPosition::start(crate::games::RuleSet::Tablaaza));
        let value = PositionEvaluation {
            value: Evaluation::Points(40),
            best: None,
            variation: String::new(),
            depth: 9,
        };
        let evaluations = [(history.position().key(), value)].into();
        let mut analysis = Analysis { evaluations, ..Analysis::default() };
        assert!(!analysis.is_old_at(&history, 0));
        let ply = history.parse("c7").expect("a stone");
        history.push(ply).expect("legal");
        assert_eq!(analysis.value_at(&history, 1), Some(Evaluation::Points(40)));
        assert!(analysis.is_old_at(&history, 1) && !analysis.is_old_at(&history, 0));
        assert!(!Analysis::default().is_old_at(&history, 1), "there is none at all");
        let (mv, value) = (history.legal_moves()[0], Evaluation::Points(90));
        let line = Candidate { mv, value, depth: 1, exact: false, variation: String::new() };
        analysis.multi_pv.entry(history.position().key()).or_default().lines.push(line);
        assert_eq!(analysis.deepest_value(&history, 1), Some(value));
        assert!(!analysis.is_old_at(&history, 1), "its best line is known");
    }

    #[test]
    fn the_panel_follows_the_best_line_once_it_is_searched_deeper() {
        let history = GameHistory::new(AnyPosition::start(crate::games::RuleSet::TablutAshton));
        let (mv, key) = (history.legal_moves()[0], history.position().key());
        let [shallow, deep] = [40, 180].map(Evaluation::Points);
        let known = |depth| PositionEvaluation {
            value: shallow,
            best: None,
            variation: String::new(),
            depth,
        };
        let line = Candidate { mv, value: deep, depth: 9, exact: false, variation: String::new() };
        let mut analysis = Analysis::default();
        analysis.multi_pv.entry(key).or_default().lines.push(line);
        for (depth, expected) in [(None, deep), (Some(8), deep), (Some(10), shallow)] {
            analysis.evaluations.extend(depth.map(|depth| (key, known(depth))));
            assert_eq!(analysis.deepest_value(&history, 0), Some(expected), "{depth:?}");
        }
    }

    #[test]
    fn what_is_known_of_other_games_is_forgotten_once_it_is_much() {
        let mut game = GameHistory::new(AnyPosition::start(crate::games::RuleSet::Tablaaza));
        let ply = game.parse("c7").expect("a stone");
        game.push(ply).expect("legal");
        let own = [0, 1].map(|ply| game.at(ply).expect("a position").key());
        let value = PositionEvaluation {
            value: Evaluation::Points(0),
            best: None,
            variation: String::new(),
            depth: 1,
        };
        let mut analysis = Analysis::default();
        let others = (0..).filter(|key| !own.contains(key));
        for key in own.into_iter().chain(others.take(KNOWN_POSITIONS - 3)) {
            analysis.evaluations.insert(key, value.clone());
        }
        analysis.forget_all_but([&game].into_iter());
        assert_eq!(analysis.evaluations.len(), KNOWN_POSITIONS - 1, "there is room");
        analysis.multi_pv.insert(7, MultiPv::default());
        analysis.forget_all_but([&game].into_iter());
        assert_eq!(analysis.evaluations.len(), 2);
        assert!(own.iter().all(|key| analysis.evaluations.contains_key(key)));
        assert!(analysis.multi_pv.is_empty());
    }
}
