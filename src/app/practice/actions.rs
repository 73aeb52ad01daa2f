//! What actions do to the practice.

use super::{PracticeSession, PractisedGame};
use crate::{
    app::{
        analysis::{Analysis, HintStep},
        core::prelude::*,
        game::{
            autosave::Autosave,
            exercise::{Attempt, Exercise as _},
            record_files::read_game,
            referee::Referee,
            suspended::SuspendedGame,
        },
        replay::Replay,
        scene::api::SceneCommand,
    },
    session::SavedGame,
};

/// Starts, steps through and leaves the practice.
pub(super) fn apply(
    mut actions: MessageReader<Action>,
    mut session: ResMut<PracticeSession>,
    (mut referee, mut suspended): (ResMut<Referee>, ResMut<SuspendedGame>),
    (mut replay, autosave): (ResMut<Replay>, Res<Autosave>),
    mut analysis: ResMut<Analysis>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    (screen, mut next): (Res<State<Screen>>, ResMut<NextState<Screen>>),
) {
    for action in actions.read() {
        match action {
            Action::Game(
                action @ (GameAction::LearnFromMistakes | GameAction::LearnFromSaved(_)),
            ) => {
                let saved = match action {
                    GameAction::LearnFromSaved(path) => Some(path.clone()),
                    _ if *screen.get() == Screen::Title && !has_finished(&referee) => {
                        last_finished(&autosave)
                    }
                    _ => None,
                };
                let game = match saved {
                    Some(path) => match read_game(&path, 1) {
                        Ok(record) => Some({
                            let seats = GameSession::from_record(&record).seats();
                            let of = PractisedGame::of(record.history().clone(), seats);
                            PractisedGame { from: *screen.get(), ..of }
                        }),
                        Err(problem) => {
                            told.write(Notify::error(problem));
                            continue;
                        }
                    },
                    None => game_to_practise(*screen.get(), &referee, &replay, &analysis),
                };
                let Some(game) = game else {
                    if *screen.get() == Screen::Title {
                        told.write(Notify::info(LocalizedMessage::new("practice.no-game")));
                    }
                    continue;
                };
                let running = suspended.game(&referee).filter(|game| game.outcome().is_none());
                if running.is_some_and(|running| *running.history() == game.history) {
                    told.write(Notify::info(LocalizedMessage::new("practice.goes-on")));
                    continue;
                }
                if !game.history.plies().any(|ply| matches!(ply, Ply::Move(_))) {
                    told.write(Notify::info(LocalizedMessage::new("practice.no-moves")));
                    continue;
                }
                replay.playing = false;
                analysis.hide_for_exercise();
                analysis.studied = Some(game.history.clone());
                suspended.suspend(&mut referee);
                commands.write(
                    referee.set_exercise(
                        OnTable::Practice,
                        GameSession::exercise(game.history.clone()),
                    ),
                );
                referee.locked = true;
                session.judge.cancel();
                session.checker.cancel();
                session.practised = Some(game);
                next.set(Screen::Table);
            }
            _ if referee.on_table != OnTable::Practice => {}
            Action::Game(action)
                if *action == GameAction::LeavePractice
                    || *action == GameAction::NextLessonStep && session.is_over() =>
            {
                if session.found_nothing() {
                    told.write(Notify::info(LocalizedMessage::new("practice.none")));
                }
                let table = suspended.resume(&mut referee);
                let (screen, scene) = leave(&mut session, table, &mut replay, &mut analysis);
                commands.write_batch(scene);
                next.set(screen);
            }
            Action::Ui(UiAction::ShowTitle) => {
                commands.write_batch(suspended.resume(&mut referee));
                session.end(&mut analysis);
                next.set(Screen::Title);
            }
            Action::Game(
                action @ (GameAction::NextLessonStep
                | GameAction::PreviousLessonStep
                | GameAction::FirstLessonStep
                | GameAction::Hint),
            ) => {
                let command = step(action, &mut session, &mut referee, &mut analysis);
                commands.write_batch(command);
            }
            _ => {}
        }
    }
}

/// Whether the game on the table is over.
fn has_finished(referee: &Referee) -> bool {
    let table = referee.table.as_ref().filter(|_| !referee.is_exercise());
    table.is_some_and(|table| table.outcome().is_some())
}

/// So many of the newest saves are looked at for a finished game.
const LOOKED_AT: usize = 40;

/// The last saved game that was finished; one of a person comes before others.
fn last_finished(autosave: &Autosave) -> Option<PathBuf> {
    let (mut saved, _) = autosave.store()?.list(LOOKED_AT);
    saved.retain(|saved| saved.game.as_ref().is_ok_and(|game| !game.is_unfinished()));
    let by_person = |saved: &SavedGame| {
        let person = Seat::Person.name();
        saved.game.as_ref().is_ok_and(|game| game.players.contains(&person))
    };
    let own = saved.iter().position(by_person).unwrap_or(0);
    (own < saved.len()).then(|| saved.swap_remove(own).path)
}

/// Another game or exercise takes its place.
pub(super) fn end(mut session: ResMut<PracticeSession>, mut analysis: ResMut<Analysis>) {
    session.end(&mut analysis);
}

/// The game on the screen, and the sides of its persons: in a game without any, both.
/// The mistake that a replay shows comes first, also where the opponent made it.
fn game_to_practise(
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
    analysis: &Analysis,
) -> Option<PractisedGame> {
    let (history, seats) = match screen {
        Screen::Title if !has_finished(referee) => return None,
        Screen::Table | Screen::Title if !referee.is_exercise() => {
            let table = referee.table.as_ref()?;
            (table.history().clone(), table.seats())
        }
        Screen::Replay => {
            let record = replay.record.as_ref()?;
            (record.history().clone(), GameSession::from_record(record).seats())
        }
        Screen::Table | Screen::Title | Screen::Editor => return None,
    };
    let is_shown = screen == Screen::Replay && analysis.enabled && replay.is_main_line();
    let mut mistakes = analysis.mistakes(&history).into_iter().map(|mistake| mistake.ply);
    let begin_at = mistakes.find(|ply| is_shown && *ply == replay.ply);
    Some(PractisedGame { begin_at, from: screen, ..PractisedGame::of(history, seats) })
}

impl PracticeSession {
    /// Whether all moves are judged, and none is a mistake.
    fn found_nothing(&self) -> bool {
        self.game().is_some_and(PractisedGame::has_no_mistakes)
    }

    /// Whether all mistakes are practised.
    fn is_over(&self) -> bool {
        self.game().is_some_and(PractisedGame::is_over)
    }

    /// Ends the practice, if there is one.
    fn end(&mut self, analysis: &mut Analysis) {
        if self.practised.take().is_some() {
            self.judge.cancel();
            self.checker.cancel();
            (analysis.studied, analysis.hint) = (None, None);
        }
    }
}

/// Ends the practice; returns the screen to go back to, where it was started from, and what
/// the scene shows there. `table` is the setup of the game that waited.
fn leave(
    session: &mut PracticeSession,
    table: Option<SceneCommand>,
    replay: &mut Replay,
    analysis: &mut Analysis,
) -> (Screen, Option<SceneCommand>) {
    let from = session.game().map(|game| game.from).unwrap_or_default();
    session.end(analysis);
    match from {
        Screen::Replay if replay.record.is_some() => (Screen::Replay, replay.scene_setup()),
        Screen::Title => (Screen::Title, table),
        _ if table.is_some() => (Screen::Table, table),
        _ => (Screen::Title, None),
    }
}

/// Goes to another exercise, or shows the answer to this one.
fn step(
    action: &GameAction,
    session: &mut PracticeSession,
    referee: &mut Referee,
    analysis: &mut Analysis,
) -> Option<SceneCommand> {
    let PracticeSession { practised, judge, .. } = session;
    let exercises = &mut practised.as_mut()?.exercises;
    let practice = &mut exercises.practice;
    match action {
        GameAction::NextLessonStep => _ = practice.advance(),
        GameAction::PreviousLessonStep => _ = practice.go_back(),
        GameAction::FirstLessonStep => practice.restart(),
        _ => practice.show(),
    }
    judge.cancel();
    exercises.attempt = Attempt::Waiting;
    analysis.hint = None;
    if *action == GameAction::Hint {
        let best = practice.exercise()?.judgement.best;
        analysis.hint = Some((practice.before().position().key(), best));
        analysis.hint_step = HintStep::Move;
    }
    Some(exercises.set_up(referee))
}
