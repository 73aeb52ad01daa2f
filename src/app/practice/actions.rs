//! What actions do to the practice.

use super::{OwnGame, PracticeSession, PractisedGame};
use crate::{
    app::{
        analysis::{Analysis, HintStep},
        core::prelude::*,
        game::{
            autosave::Autosave,
            exercise::{Attempt, Exercise as _},
            record_files::read_game,
            referee::Referee,
            results::GameResults,
            suspended::SuspendedGame,
        },
        replay::Replay,
        scene::api::SceneCommand,
    },
    session::game_id,
};

/// Starts, steps through and leaves the practice.
pub(super) fn apply(
    mut actions: MessageReader<Action>,
    mut session: ResMut<PracticeSession>,
    (mut referee, mut suspended): (ResMut<Referee>, ResMut<SuspendedGame>),
    mut replay: ResMut<Replay>,
    (autosave, results): (Res<Autosave>, Res<GameResults>),
    mut analysis: ResMut<Analysis>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    (screen, mut next): (Res<State<Screen>>, ResMut<NextState<Screen>>),
) {
    for action in actions.read() {
        match action {
            Action::Game(
                action @ (GameAction::LearnFromMistakes
                | GameAction::LearnFromSaved(_)
                | GameAction::LearnFromEarlier),
            ) => {
                let is_title = *screen.get() == Screen::Title;
                let from = session.game().map_or(*screen.get(), |game| game.from);
                let own = match action {
                    GameAction::LearnFromEarlier => session.earlier.pop(),
                    GameAction::LearnFromSaved(file) => {
                        session.earlier = own_games(&results, &autosave);
                        let found = session.take_own(|own| own.file == *file);
                        Some(found.unwrap_or_else(|| OwnGame::of_file(file.clone())))
                    }
                    _ if is_title => {
                        session.earlier = own_games(&results, &autosave);
                        session.earlier.pop()
                    }
                    _ => None,
                };
                let game = match own {
                    Some(own) => match read_game(&own.file, own.number) {
                        Ok(record) => {
                            let game = PractisedGame::new(GameSession::from_record(&record));
                            Some(PractisedGame { id: Some(own.id), from, ..game })
                        }
                        Err(problem) => {
                            told.write(Notify::error(problem));
                            continue;
                        }
                    },
                    None => {
                        let shown = (&*referee, &*replay, &*analysis);
                        let game = game_to_practise(*screen.get(), shown, &autosave);
                        if let Some(game) = &game {
                            session.earlier = own_games(&results, &autosave);
                            session.take_own(|own| game.id.as_ref() == Some(&own.id));
                        }
                        game
                    }
                };
                let Some(game) = game else {
                    if is_title {
                        let is_first = results.games().is_empty();
                        let key = if is_first { "practice.no-game" } else { "practice.all-clean" };
                        told.write(Notify::info(LocalizedMessage::new(key)));
                    }
                    continue;
                };
                let running = suspended.game(&referee).filter(|game| game.outcome().is_none());
                if running.is_some_and(|running| running.history() == game.history()) {
                    told.write(Notify::info(LocalizedMessage::new("practice.goes-on")));
                    continue;
                }
                if !game.history().plies().any(|ply| matches!(ply, Ply::Move(_))) {
                    told.write(Notify::info(LocalizedMessage::new("practice.no-moves")));
                    continue;
                }
                replay.playing = false;
                analysis.hide_for_exercise();
                analysis.studied = Some(game.history().clone());
                suspended.suspend(&mut referee);
                commands.write(referee.set_exercise(
                    OnTable::Practice,
                    GameSession::exercise(game.history().clone()),
                    game.game.only_person(),
                ));
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

/// The finished games of the persons at this table that may have mistakes, the newest last.
fn own_games(results: &GameResults, autosave: &Autosave) -> Vec<OwnGame> {
    let Some(store) = autosave.store() else { return Vec::new() };
    let saved = store.ids();
    let finished = results.games().iter();
    let finished = finished.filter(|it| it.may_have_mistakes() && saved.contains(it.save_name()));
    let own = finished.map(|game| OwnGame {
        id: game.id.clone(),
        file: store.folder().join(format!("{}.tab", game.save_name())),
        number: game.round().unwrap_or(1),
    });
    own.collect()
}

impl OwnGame {
    /// The first game of a file.
    fn of_file(file: PathBuf) -> Self {
        Self { id: game_id(&file), file, number: 1 }
    }
}

/// Another game or exercise takes its place.
pub(super) fn end(mut session: ResMut<PracticeSession>, mut analysis: ResMut<Analysis>) {
    session.end(&mut analysis);
}

/// The game on the screen, and the sides of its persons: in a game without any, both.
/// The mistake that a replay shows comes first, also where the opponent made it.
fn game_to_practise(
    screen: Screen,
    (referee, replay, analysis): (&Referee, &Replay, &Analysis),
    autosave: &Autosave,
) -> Option<PractisedGame> {
    let (game, id) = match screen {
        // Where games are saved, the title looks among those.
        Screen::Title if !has_finished(referee) || autosave.store().is_some() => return None,
        Screen::Table | Screen::Title if !referee.is_exercise() => {
            let table = referee.table.clone()?;
            let id = autosave.path_of(referee).map(|path| table.result_id(path));
            (table, id)
        }
        Screen::Replay => (GameSession::from_record(replay.record.as_ref()?), replay.game.clone()),
        Screen::Table | Screen::Title | Screen::Editor => return None,
    };
    let is_shown = screen == Screen::Replay && analysis.enabled && replay.is_main_line();
    let mut mistakes = analysis.mistakes(game.history()).into_iter().map(|mistake| mistake.ply);
    let begin_at = mistakes.find(|ply| is_shown && *ply == replay.ply);
    Some(PractisedGame { id, begin_at, from: screen, ..PractisedGame::new(game) })
}

impl PracticeSession {
    /// Takes a game out of the earlier ones, and those after it.
    fn take_own(&mut self, is_it: impl FnMut(&OwnGame) -> bool) -> Option<OwnGame> {
        let place = self.earlier.iter().position(is_it)?;
        self.earlier.drain(place..).next()
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
