//! What actions do to the trainer.

use super::PuzzleTrainer;
use crate::app::{
    analysis::Analysis,
    core::prelude::*,
    game::{
        exercise::{Attempt, Exercise as _},
        referee::Referee,
        suspended::SuspendedGame,
    },
    replay::{Replay, shown_game},
    scene::api::SceneCommand,
    settings::Settings,
};

/// Starts, steps through and leaves the trainer.
pub(super) fn apply(
    mut actions: MessageReader<Action>,
    mut trainer: ResMut<PuzzleTrainer>,
    (mut referee, mut suspended): (ResMut<Referee>, ResMut<SuspendedGame>),
    mut replay: ResMut<Replay>,
    settings: Res<Settings>,
    mut analysis: ResMut<Analysis>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    (screen, mut next): (Res<State<Screen>>, ResMut<NextState<Screen>>),
) {
    for action in actions.read() {
        match action {
            Action::Game(GameAction::StartPuzzles(rules)) => {
                let shown = shown_game(*screen.get(), &referee, &replay);
                let shown = shown.map(|(history, _)| history.start().rules());
                let rules = rules.or(shown).unwrap_or(settings.new_game.rules);
                let is_own_game = *screen.get() == Screen::Table && !referee.is_exercise();
                let from = if is_own_game { Screen::Table } else { Screen::Title };
                trainer.training.set_rules(rules);
                trainer.training.set_player(&settings.new_game.person_name());
                if !trainer.choose(from) {
                    told.write(Notify::info(LocalizedMessage::new("puzzles.none-left")));
                    continue;
                }
                replay.playing = false;
                analysis.hide_for_exercise();
                suspended.suspend(&mut referee);
                commands.write_batch(trainer.current().map(|current| current.set_up(&mut referee)));
                next.set(Screen::Table);
            }
            _ if referee.on_table != OnTable::Puzzle => {}
            Action::Ui(UiAction::ShowTitle) => {
                commands.write_batch(suspended.resume(&mut referee));
                trainer.end();
                next.set(Screen::Title);
            }
            Action::Game(GameAction::LeavePractice) => {
                let from = trainer.current().map_or(Screen::Title, |puzzle| puzzle.from);
                trainer.end();
                let table = suspended.resume(&mut referee);
                let returns = from == Screen::Table && table.is_some();
                commands.write_batch(table);
                next.set(if returns { Screen::Table } else { Screen::Title });
            }
            Action::Game(action) => {
                let command = step(action, &mut trainer, &mut referee, &mut told);
                commands.write_batch(command);
            }
            _ => {}
        }
    }
}

/// Goes to another puzzle, starts this one again, or shows its solution.
fn step(
    action: &GameAction,
    trainer: &mut PuzzleTrainer,
    referee: &mut Referee,
    told: &mut MessageWriter<Notify>,
) -> Option<SceneCommand> {
    match action {
        GameAction::NextLessonStep | GameAction::FilterPuzzles(_) => {
            let theme = trainer.training.theme();
            if let GameAction::FilterPuzzles(theme) = action {
                trainer.training.set_theme(*theme);
            }
            let (from, left) =
                trainer.current().map(|current| (current.from, current.puzzle.id()))?;
            if !trainer.choose(from) {
                trainer.training.set_theme(theme);
                told.write(Notify::info(LocalizedMessage::new("puzzles.none-left")));
                return None;
            }
            let current = trainer.current()?;
            let command = current.set_up(referee);
            if *action == GameAction::NextLessonStep && current.puzzle.id() == left {
                told.write(Notify::info(LocalizedMessage::new("puzzles.no-other")));
            }
            return Some(command);
        }
        GameAction::PreviousLessonStep | GameAction::FirstLessonStep => {
            trainer.judge.cancel();
            let current = trainer.current.as_mut()?;
            current.played.truncate(0);
            (current.attempt, current.was_shown) = (Attempt::Waiting, false);
        }
        GameAction::Hint => {
            let current = trainer.current.as_ref()?;
            let is_due = matches!(
                current.attempt,
                Attempt::Waiting | Attempt::Missed(_) | Attempt::Solved(_)
            );
            if !is_due {
                return None;
            }
            told.write_batch(trainer.record(false).map(Notify::info));
            let current = trainer.current.as_mut()?;
            if current.is_solved() {
                return None;
            }
            (current.attempt, current.was_shown) = (Attempt::Waiting, true);
        }
        _ => return None,
    }
    trainer.current().map(|current| current.set_up(referee))
}
