//! Autosave: every game has a file of its own in the [`SaveStore`].
//!
//! It is written after every ply, so that the program can be killed at any
//! moment. A game that leaves the table stays in its file. A timed game is also
//! written when the clock stops, when the program ends, and every few seconds,
//! so that a kill does not give the time of the current move back.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{prelude::*, window::RequestRedraw};

use super::{Referee, read_games};
use crate::{
    app::{
        core::{
            schedule::AppSet,
            states::{Paused, Screen},
        },
        game::clock,
        scene::api::MotionStatus,
    },
    games::Game,
    i18n::LocalizedMessage,
    table::{GameSession, SaveLock, SaveStore, set_aside, today},
};

/// How long a save that another process holds is tried again. A killed process
/// holds its lock until the system has torn it down.
const LOCK_RETRY_TIME: Duration = Duration::from_secs(3);

/// The most thinking time that a kill can give back.
const CLOCK_SAVE_INTERVAL: Duration = Duration::from_secs(3);

/// Where this run saves the game on the table. Without a store nothing is saved
/// (tests, pictures).
#[derive(Resource, Default)]
pub(crate) struct Autosave {
    store: Option<SaveStore>,
    lock: Option<SaveLock>,
    /// The number of the game that the lock belongs to.
    game: u64,
    written: Option<SaveSnapshot>,
    failed: bool,
    /// How long [`Referee::resume`] may try a held save again.
    retry_time: Duration,
    /// The save that another process holds, and how long it is still tried again.
    held: Option<(PathBuf, Duration)>,
}

/// What identifies the state of a game that was written, including the time left
/// on the running clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SaveSnapshot {
    plies: usize,
    key: u64,
    over: bool,
    left: Option<Duration>,
    rated: bool,
}

impl SaveSnapshot {
    /// Whether this state must be written after that one. A running clock alone
    /// is written at intervals.
    fn is_due_after(self, written: Option<Self>, runs: bool) -> bool {
        let Some(written) = written else { return true };
        let gone = written.left.unwrap_or_default().saturating_sub(self.left.unwrap_or_default());
        let same = Self { left: written.left, ..self } == written;
        !same || gone > if runs { CLOCK_SAVE_INTERVAL } else { Duration::ZERO }
    }
}

impl Autosave {
    /// Saves games in this folder.
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Self { store: Some(SaveStore::new(folder)), ..Self::default() }
    }

    /// Tries the latest save again for a while if another process holds it.
    pub(crate) const fn with_retries(mut self) -> Self {
        self.retry_time = LOCK_RETRY_TIME;
        self
    }

    /// The store of saved games.
    pub(crate) const fn store(&self) -> Option<&SaveStore> {
        self.store.as_ref()
    }

    /// The file of the game on the table.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.lock.as_ref().map(SaveLock::path)
    }

    /// The file of the referee's game; none before it is saved.
    pub(crate) fn path_of(&self, referee: &Referee) -> Option<&Path> {
        self.path().filter(|_| self.game == referee.games_started)
    }

    /// Continues in this file with the game just put on the table.
    pub(crate) fn adopt(&mut self, referee: &Referee, lock: SaveLock) {
        self.lock = Some(lock);
        self.game = referee.games_started;
        self.written = referee.snapshot();
        self.failed = false;
    }
}

impl Referee {
    fn snapshot(&self) -> Option<SaveSnapshot> {
        let table = self.table.as_ref()?;
        let history = table.history();
        Some(SaveSnapshot {
            plies: history.len(),
            key: history.position().key(),
            over: table.outcome().is_some(),
            rated: table.is_rated(),
            left: table.clock_runs_for().and_then(|side| Some(table.clock()?.left(side))),
        })
    }

    /// Resumes the last unfinished game that no other running copy plays. A
    /// damaged file is renamed and reported; if that fails it stays, and nothing
    /// overwrites it.
    ///
    /// Never blocks: a held save is left to [`retry_held_save`] for
    /// [`LOCK_RETRY_TIME`].
    pub(crate) fn resume(&mut self, autosave: &mut Autosave) {
        let retry_time = std::mem::take(&mut autosave.retry_time);
        let Some(store) = autosave.store() else { return };
        let found = if retry_time.is_zero() {
            store.latest_unfinished()
        } else {
            match store.latest_unfinished_unless_held() {
                Ok(found) => found,
                Err(path) => {
                    autosave.held = Some((path, retry_time));
                    return;
                }
            }
        };
        let Some((path, lock)) = found else { return };
        let read = read_games(&path).and_then(|games| {
            GameSession::from_records(&games).ok_or_else(|| {
                LocalizedMessage::new("notice.no-game-in").with("file", path.display())
            })
        });
        match read {
            Ok(session) => {
                self.set_game(session);
                // Without a lock the file stays as it is and the game continues as a copy.
                if let Some(lock) = lock {
                    autosave.adopt(self, lock);
                }
                self.autosaved = true;
            }
            Err(reason) => {
                self.notify_error(match set_aside(&path) {
                    Ok(aside) => LocalizedMessage::new("notice.last-unreadable")
                        .with_message("reason", reason)
                        .with("aside", aside.display()),
                    Err(error) => LocalizedMessage::new("notice.last-stuck")
                        .with_message("reason", reason)
                        .with("error", error),
                });
            }
        }
    }
}

/// The system that writes the game to its file.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SaveGames;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Autosave>()
        .add_systems(
            Update,
            (
                retry_held_save.run_if(|autosave: Res<Autosave>| autosave.held.is_some()),
                save_changes.in_set(SaveGames),
            )
                .chain()
                .in_set(AppSet::Report),
        )
        .add_systems(Last, autosave_on_exit.run_if(on_message::<AppExit>));
}

/// Resumes the latest save as soon as its lock is free, or another one after
/// [`LOCK_RETRY_TIME`]. Waits while another screen is shown; a game that was
/// started meanwhile stays on the table.
fn retry_held_save(
    time: Res<Time<Real>>,
    screen: Res<State<Screen>>,
    mut referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    if *screen.get() != Screen::Title {
        return;
    }
    let Some((_, retry_time)) = autosave.held.take() else { return };
    if referee.table.is_some() {
        return;
    }
    autosave.retry_time = retry_time.saturating_sub(time.delta());
    // What the start had to say is not lost.
    let before = referee.notice.take();
    referee.resume(&mut autosave);
    referee.notice = match (before, referee.notice.take()) {
        (Some(before), Some(new)) => Some(before.joined_with(new)),
        (before, new) => before.or(new),
    };
    if autosave.held.is_some() {
        redraw.write(RequestRedraw);
    }
}

/// Writes the game whenever it has changed.
fn save_changes(
    paused: Res<Paused>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
) {
    let runs = clock::runs(&referee, *screen.get(), &motion, paused.0);
    write_if_due(referee, &mut autosave, runs);
}

/// Writes the game when the program ends; no clock runs any more.
fn autosave_on_exit(referee: ResMut<Referee>, mut autosave: ResMut<Autosave>) {
    write_if_due(referee, &mut autosave, false);
}

/// Writes the game if its state has changed. A game without a ply has no file.
pub(super) fn write_if_due(mut referee: ResMut<Referee>, autosave: &mut Autosave, runs: bool) {
    let timed = referee.table.as_ref().is_some_and(|table| table.clock().is_some());
    if autosave.store.is_none() || referee.lesson || !(timed || referee.is_changed()) {
        return;
    }
    if autosave.game != referee.games_started {
        // The games of a match share a file.
        if referee.continues != Some(autosave.game) {
            autosave.lock = None;
        }
        autosave.game = referee.games_started;
        autosave.written = None;
        autosave.failed = false;
    }
    let Some(snapshot) = referee.snapshot() else { return };
    let untouched = snapshot.plies == 0 && !snapshot.over && autosave.lock.is_none();
    if untouched || !snapshot.is_due_after(autosave.written, runs) {
        return;
    }
    if autosave.lock.as_ref().is_some_and(SaveLock::is_lost) {
        autosave.lock = None;
        referee.notify(LocalizedMessage::new("notice.taken-elsewhere"));
    }
    let Some(table) = &referee.table else { return };
    let text = table.saved_text(today());
    match write(autosave, &text) {
        Ok(()) => {
            autosave.written = Some(snapshot);
            autosave.failed = false;
            if !referee.autosaved {
                referee.autosaved = true;
            }
        }
        Err(error) => {
            // Try again with the next ply, or after the interval.
            autosave.written = timed.then_some(snapshot);
            if referee.autosaved {
                referee.autosaved = false;
            }
            if !autosave.failed {
                autosave.failed = true;
                let folder = autosave.store().map(|it| it.folder().display().to_string());
                let word = LocalizedMessage::new("notice.not-kept")
                    .with("file", folder.unwrap_or_default());
                referee.notify_error(word.with("error", error));
            }
        }
    }
}

fn write(autosave: &mut Autosave, text: &str) -> io::Result<()> {
    let lock = match (&mut autosave.lock, &autosave.store) {
        (Some(lock), _) => lock,
        (none, Some(store)) => none.insert(store.create()?),
        (None, None) => return Ok(()),
    };
    lock.write(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        app::core::notice::Notice,
        app::game::referee::{
            default_setup,
            files::{self, delete_save, read_file, resume},
        },
        games::RuleSet,
    };

    fn app(folder: &Path) -> App {
        let mut referee = Referee::default();
        let mut autosave = Autosave::in_folder(folder.to_owned());
        referee.resume(&mut autosave);
        let mut app = App::new();
        app.insert_resource(referee).insert_resource(autosave).add_message::<AppExit>();
        app.add_systems(Update, |referee: ResMut<Referee>, mut autosave: ResMut<Autosave>| {
            write_if_due(referee, &mut autosave, true);
        });
        app.add_systems(Last, autosave_on_exit.run_if(on_message::<AppExit>));
        app
    }

    fn begin(app: &mut App, plies: usize) {
        let mut referee = app.world_mut().resource_mut::<Referee>();
        referee.begin(default_setup(RuleSet::Tablaaza));
        play(&mut referee, plies);
        app.update();
    }

    fn play(referee: &mut Referee, plies: usize) {
        for _ in 0..plies {
            let mv = referee.legal_moves()[0];
            assert!(referee.play(mv).is_some());
        }
    }

    fn file(app: &App) -> PathBuf {
        app.world().resource::<Autosave>().path().expect("a file").to_owned()
    }

    fn plies(path: &Path) -> usize {
        read_file(path).expect("a game").history().len()
    }

    fn on_table(app: &App) -> Option<usize> {
        app.world().resource::<Referee>().table.as_ref().map(|it| it.history().len())
    }

    #[test]
    fn each_game_has_its_own_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = app(folder.path());
        begin(&mut first, 0);
        assert!(first.world().resource::<Autosave>().path().is_none(), "nothing was played");
        begin(&mut first, 3);
        let old = file(&first);
        assert!(first.world().resource::<Referee>().autosaved);
        begin(&mut first, 1);
        let new = file(&first);
        assert_eq!((plies(&old), plies(&new)), (3, 1));

        // The program is killed and opened again: the game stands there.
        drop(first);
        let mut second = app(folder.path());
        assert_eq!(on_table(&second), Some(1));
        second.update();
        play(&mut second.world_mut().resource_mut::<Referee>(), 1);
        second.update();
        assert_eq!((file(&second), plies(&new)), (new.clone(), 2));

        // Meanwhile a third copy runs: it gets another game.
        let third = app(folder.path());
        assert_eq!(on_table(&third), Some(3));
        assert_eq!(file(&third), old);
        let fourth = app(folder.path());
        assert_eq!(on_table(&fourth), None, "both are on tables");
    }

    /// An app that finds its latest save held by another process.
    fn retrying_app(folder: &Path) -> App {
        let mut autosave = Autosave::in_folder(folder.to_owned()).with_retries();
        let mut referee = Referee::default();
        referee.resume(&mut autosave);
        assert!(referee.table.is_none() && autosave.held.is_some());
        let mut app = App::new();
        app.insert_resource(referee).insert_resource(autosave);
        app.insert_resource(State::new(Screen::Title)).init_resource::<Time<Real>>();
        app.add_message::<RequestRedraw>().add_systems(Update, retry_held_save);
        app
    }

    #[test]
    fn a_second_copy_starts_at_once_and_resumes_when_the_lock_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut dying = app(folder.path());
        begin(&mut dying, 2);
        let mut second = retrying_app(folder.path());
        let warning = Notice::new("the settings are damaged".to_owned(), true);
        second.world_mut().resource_mut::<Referee>().notice = Some(warning.clone());
        second.update();
        assert_eq!(on_table(&second), None);
        drop(dying);
        second.insert_resource(State::new(Screen::Replay));
        second.update();
        assert_eq!(on_table(&second), None, "not behind another screen");
        second.insert_resource(State::new(Screen::Title));
        second.update();
        assert_eq!(on_table(&second), Some(2));
        assert_eq!(second.world().resource::<Referee>().notice, Some(warning), "it stays");
    }

    #[test]
    fn an_older_save_is_resumed_when_the_latest_one_stays_held() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = app(folder.path());
        begin(&mut first, 3);
        begin(&mut first, 1);
        let mut second = retrying_app(folder.path());
        let mut autosave = second.world_mut().resource_mut::<Autosave>();
        autosave.held.as_mut().expect("it is held").1 = Duration::ZERO;
        second.update();
        assert_eq!(on_table(&second), Some(3));
    }

    fn left(app: &App) -> [Duration; 2] {
        let table = app.world().resource::<Referee>().table.as_ref().expect("the game");
        let clock = table.clock().expect("its clocks");
        crate::games::Side::BOTH.map(|side| clock.left(side))
    }

    #[test]
    fn the_time_spent_on_the_current_move_survives_a_kill() {
        let second = Duration::from_secs(1);
        for ends in [true, false] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut first = app(folder.path());
            let mut referee = first.world_mut().resource_mut::<Referee>();
            let clock = "60+5".parse().ok();
            let seats = [crate::table::Seat::Person; 2];
            referee.begin(crate::table::Setup { clock, seats, ..default_setup(RuleSet::Tablaaza) });
            assert!(!referee.run_clock(10 * second));
            play(&mut referee, 1);
            first.update();
            for _ in 0..9 {
                let world = first.world_mut();
                world.resource_mut::<Referee>().bypass_change_detection().run_clock(second);
                first.update();
            }
            if ends {
                first.world_mut().write_message(AppExit::Success);
                first.update();
            }
            let here = left(&first);
            assert_eq!(here, [55 * second, 51 * second]);
            drop(first);
            let there = left(&app(folder.path()));
            assert_eq!(there[0], here[0]);
            let given_back = there[1] - here[1];
            let most = if ends { Duration::ZERO } else { CLOCK_SAVE_INTERVAL };
            assert!(given_back <= most, "{given_back:?} where it {ends} ends");
        }
    }

    #[test]
    fn a_game_that_another_copy_plays_continues_as_a_copy() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut one = app(folder.path());
        begin(&mut one, 2);
        let theirs = file(&one);
        let mut two = app(folder.path());
        two.world_mut().resource_scope(|world, mut autosave: Mut<'_, Autosave>| {
            let mut referee = world.resource_mut::<Referee>();
            let records = read_games(&theirs).expect("a game");
            resume(&mut referee, &mut autosave, &theirs, &records);
            assert!(referee.notice.is_some());
            play(&mut referee, 1);
        });
        two.update();
        assert_ne!(file(&two), theirs);
        assert_eq!((plies(&theirs), plies(&file(&two))), (2, 3));
    }

    #[test]
    fn a_saved_game_is_deleted_and_the_one_on_the_table_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut app = app(folder.path());
        begin(&mut app, 3);
        let old = file(&app);
        begin(&mut app, 1);
        let new = file(&app);
        for (path, gone) in [(&new, false), (&old, true), (&old, true)] {
            let there = path.is_file();
            app.world_mut().resource_scope(|world, autosave: Mut<'_, Autosave>| {
                delete_save(&mut world.resource_mut::<Referee>(), &autosave, path);
            });
            assert_eq!(!path.is_file(), gone, "{}", path.display());
            let referee = app.world().resource::<Referee>();
            let notice = referee.notice.as_ref().expect("a word about it");
            assert_eq!(notice.is_error, !(gone && there), "{}", notice.text);
        }
    }

    #[test]
    fn a_saved_game_is_replayed_under_its_date() {
        let folder = tempfile::tempdir().expect("a folder");
        let autosave = Autosave::in_folder(folder.path().join("games"));
        let text = "[Rules \"tablaaza\"]\n[Date \"1999.01.02\"]\n\n1. c7 *\n";
        let record = crate::records::read_any(text).expect("a record").remove(0);
        for (path, title) in
            [("games/1795335397770-21784-0.tab", "Game of 1999-01-02"), ("mine.tab", "mine.tab")]
        {
            let named = files::saved_title(&folder.path().join(path), &record, &autosave);
            assert_eq!(named.text(), title);
        }
    }

    #[test]
    fn the_games_of_a_match_share_a_file_that_survives_a_kill() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = app(folder.path());
        let mut referee = first.world_mut().resource_mut::<Referee>();
        let seats = [crate::table::Seat::Person; 2];
        let rules = RuleSet::Tablaaza;
        referee.begin(crate::table::Setup { games: 2, seats, ..crate::table::Setup::new(rules) });
        play(&mut referee, 3);
        referee.resign();
        first.update();
        let path = file(&first);
        // Killed between the games, it is still the game to continue.
        drop(first);
        let mut second = app(folder.path());
        assert_eq!((on_table(&second), file(&second)), (Some(3), path.clone()));
        let mut referee = second.world_mut().resource_mut::<Referee>();
        assert!(referee.begin_next_game().is_some() && referee.begin_next_game().is_none());
        second.update();
        drop(second);
        let mut third = app(folder.path());
        assert_eq!((on_table(&third), file(&third)), (Some(0), path.clone()), "the second game");
        let standing = |app: &App| {
            let table = app.world().resource::<Referee>().table.as_ref().expect("a game");
            table.match_standing().expect("a match")
        };
        assert_eq!((standing(&third).round, standing(&third).half_points.iter().sum()), (2, 2));
        let mut referee = third.world_mut().resource_mut::<Referee>();
        play(&mut referee, 2);
        referee.resign();
        third.update();
        assert_eq!(read_games(&path).expect("one file").len(), 2);
        drop(third);
        assert_eq!(on_table(&app(folder.path())), None, "the match is over");
    }

    #[test]
    fn a_branch_leaves_the_original_game_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut app = app(folder.path());
        begin(&mut app, 5);
        let whole = file(&app);
        let mut referee = app.world_mut().resource_mut::<Referee>();
        assert!(referee.view_ply(2).is_some());
        assert!(referee.branch().is_some());
        play(&mut referee, 1);
        app.update();
        assert_eq!((plies(&whole), plies(&file(&app))), (5, 3));
    }

    #[test]
    fn a_resumed_record_keeps_its_tags_and_comments() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "[Rules \"tablaaza\"]\n[Date \"1999.01.02\"]\n[Red \"Ann\"]\n[Green \"Bo\"]\n\
                    [Result \"*\"]\n[Event \"Club\"]\n\n1. c7 {well begun} c6 *\n";
        let path = folder.path().join("1.tab");
        fs::write(&path, text).expect("written");
        let mut app = app(folder.path());
        play(&mut app.world_mut().resource_mut::<Referee>(), 1);
        app.update();
        let record = read_file(&path).expect("a game");
        assert_eq!(record.date.as_deref(), Some("1999.01.02"));
        assert_eq!(record.tags(), [("Event".to_owned(), "Club".to_owned())]);
        assert_eq!(record.comments(1), ["well begun"]);
        assert_eq!(record.history().len(), 3);
    }

    #[test]
    fn a_damaged_save_is_renamed_and_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1.tab");
        for number in 1..3 {
            fs::write(&path, "not a record").expect("written");
            let mut referee = Referee::default();
            referee.resume(&mut Autosave::in_folder(folder.path().to_owned()));
            let aside = folder.path().join(format!("1-damaged-{number}.txt"));
            assert_eq!(fs::read_to_string(&aside).expect("kept"), "not a record");
            let notice = referee.notice.expect("a word about it");
            assert!(notice.is_error && notice.text.contains("1-damaged-"), "{}", notice.text);
        }
    }
}
