//! What the analysis of a finished game found goes to its result.

use super::Analysis;
use crate::{
    app::{
        core::prelude::*,
        game::{
            autosave::Autosave, referee::Referee, results::GameResults, suspended::SuspendedGame,
        },
        replay::Replay,
        scene::api::MotionStatus,
    },
    engines::visible_loss,
    session::GameAnalysis,
};

/// Stores the errors and the luck of a finished game of this user once all of it is
/// analysed.
pub(super) fn store_analysis(
    analysis: Res<Analysis>,
    (referee, suspended): (Res<Referee>, Res<SuspendedGame>),
    replay: Res<Replay>,
    autosave: Res<Autosave>,
    mut results: ResMut<GameResults>,
) {
    if !analysis.is_changed() || !(analysis.enabled || analysis.studied.is_some()) {
        return;
    }
    let game = suspended.game(&referee).filter(|game| game.outcome().is_some());
    let on_table = game.zip(autosave.path_of(&referee));
    let on_table = on_table.map(|(game, path)| (game.result_id(path), game.history()));
    // A variation was not played.
    let main_line = replay.history().filter(|_| replay.is_main_line());
    let replayed = replay.game.clone().zip(main_line);
    for (id, history) in on_table.into_iter().chain(replayed) {
        if results.wants_analysis(&id, history.len())
            && let Some(found) = analysis.of_game(history)
        {
            results.add_analysis(&id, found);
        }
    }
}

/// Analyses a game that a person has finished at this table, so that its end can tell how
/// well it was played. What the player asks for comes first.
pub(super) fn study_finished_game(
    mut analysis: ResMut<Analysis>,
    referee: Res<Referee>,
    (screen, motion): (Res<State<Screen>>, Res<MotionStatus>),
    mut studies: Local<bool>,
) {
    let is_here = *screen.get() == Screen::Table && !analysis.enabled && !motion.is_busy();
    let table = referee.table.as_ref().filter(|_| is_here && !referee.is_exercise());
    let finished = table.filter(|it| it.outcome().is_some() && it.has_moves_by_person());
    let open = finished.map(GameSession::history).filter(|it| analysis.of_game(it).is_none());
    match open {
        Some(history) if analysis.studied.is_none() && !history.is_empty() => {
            analysis.studied = Some(history.clone());
            *studies = true;
        }
        // An exercise studies its own game.
        None if std::mem::take(&mut *studies) && !referee.is_exercise() => analysis.studied = None,
        _ => {}
    }
}

impl Analysis {
    /// The errors and the luck of a game; none before all of it is analysed.
    pub(crate) fn of_game(&self, history: &GameHistory<AnyPosition>) -> Option<GameAnalysis> {
        if matches!(history.start(), AnyPosition::Tablan(_)) {
            let review = self.review_of(history)?;
            let unforced = review.moves.iter().filter(|mv| mv.move_count > 1);
            // Equity has twice the range of a win share.
            let losses = unforced.map(|mv| (mv.side, mv.error().max(0.0) / 2.0));
            let luck = Side::BOTH.map(|side| review.totals(side).luck);
            return Some(self.counted(history, GameAnalysis::from_losses(losses, Some(luck))));
        }
        let [known, due] = self.progress(history);
        if history.is_empty() || known < due {
            return None;
        }
        let game = history.start().rules().game();
        let losses = (1..=history.len()).filter_map(|ply| {
            let side = match history.at(ply - 1)?.turn() {
                Turn::Move(side) => side,
                Turn::Throw(_) | Turn::Over(_) => return None,
            };
            let [before, after] = [ply - 1, ply]
                .map(|plies| self.value_at(history, plies).map(|value| value.score_for(side)));
            Some((side, visible_loss(game, before?, after?)))
        });
        Some(self.counted(history, GameAnalysis::from_losses(losses, None)))
    }

    /// What was found of a game, with the number of its mistakes.
    fn counted(&self, history: &GameHistory<AnyPosition>, found: GameAnalysis) -> GameAnalysis {
        let mut count = [0; 2];
        for mistake in self.mistakes(history) {
            let mover = history.at(mistake.ply - 1).and_then(|before| before.turn().side());
            mover.into_iter().for_each(|side| count[side.index()] += 1);
        }
        GameAnalysis { mistakes: Some(count), ..found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::analysis::{Evaluation, PositionEvaluation};

    #[test]
    fn a_game_has_errors_once_all_of_it_is_evaluated() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        for _ in 0..2 {
            let first = history.legal_moves()[0];
            history.push(Ply::Move(first)).expect("legal");
        }
        let mut analysis = Analysis::default();
        for (ply, points) in [(0, 0), (1, -200), (2, -200)] {
            assert_eq!(analysis.of_game(&history), None);
            let key = history.at(ply).expect("a position").key();
            let value = Evaluation::Points(points);
            let evaluation =
                PositionEvaluation { value, best: None, variation: String::new(), depth: 9 };
            analysis.evaluations.insert(key, evaluation);
        }
        let found = analysis.of_game(&history).expect("an analysis");
        let loss = Evaluation::Points(0).share(GameKind::Tablut)
            - Evaluation::Points(-200).share(GameKind::Tablut);
        assert!((found.error[0] - loss).abs() < 1e-6 && found.error[1].abs() < 1e-6);
        assert!(found.accuracy[0] < 100.0 && found.accuracy[1] >= 100.0);
        assert_eq!((found.luck, found.mistakes), (None, Some([0, 0])), "no better move is known");
    }

    #[test]
    fn what_no_player_can_see_lowers_no_accuracy() {
        let [red, green] = [Side::First, Side::Second];
        for (plies, mistakes, accuracy) in [(30, [0, 0], 100.0), (9, [1, 0], 0.0)] {
            let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
            let mut analysis = Analysis::default();
            for (side, left) in [(red, plies + 1), (green, plies), (green, plies - 1)] {
                let moves = history.legal_moves();
                let value = Evaluation::Wins(side, left);
                let best = moves.last().copied();
                let evaluation =
                    PositionEvaluation { value, best, variation: String::new(), depth: 9 };
                analysis.evaluations.insert(history.position().key(), evaluation);
                history.push(Ply::Move(moves[0])).expect("legal");
            }
            history.truncate(2);
            let found = analysis.of_game(&history).expect("an analysis");
            assert_eq!(found.mistakes, Some(mistakes), "a win in {plies} plies is given up");
            assert!((found.accuracy[0] - accuracy).abs() < 10.0, "{found:?}");
        }
    }
}
