//! Games to files and back.
//!
//! The game on the table is kept in a file of its own after every ply
//! ([`Shelf`]), so that the program can be killed at any moment. A game that
//! is taken off the table stays in its file.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use crate::{
    app::{Steps, acts::Act, replay::Replay, stage::Screen},
    games::Game,
    records::{Record, read_any},
    table::{Shelf, Slot, Table, set_aside, today, write_whole},
    words::{fill, say},
};

use super::{Cue, Referee};

/// Where this run of the program keeps the game on the table; no shelf keeps
/// it nowhere (tests, pictures).
#[derive(Resource, Default)]
pub(crate) struct Keeping {
    shelf: Option<Shelf>,
    slot: Option<Slot>,
    /// For which game (the number of games begun before it) the slot is.
    game: u64,
    written: Option<Stand>,
    failed: bool,
}

/// How far a game has come, and whether it has ended.
type Stand = (usize, u64, bool);

impl Keeping {
    /// Keeps games in this folder.
    pub(crate) fn on(folder: PathBuf) -> Self {
        Self { shelf: Some(Shelf::new(folder)), ..Self::default() }
    }

    /// The shelf of kept games.
    pub(crate) const fn shelf(&self) -> Option<&Shelf> {
        self.shelf.as_ref()
    }

    /// The file of the game on the table.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.slot.as_ref().map(Slot::path)
    }

    /// The game just put on the table is the one of this file.
    fn adopt(&mut self, referee: &Referee, slot: Slot) {
        self.slot = Some(slot);
        self.game = referee.begun;
        self.written = referee.stand();
        self.failed = false;
    }
}

impl Referee {
    fn stand(&self) -> Option<Stand> {
        let table = self.table.as_ref()?;
        let line = table.line();
        Some((line.len(), line.position().key(), table.outcome().is_some()))
    }

    /// Takes up the game that was played last, if it has not ended and no
    /// other running copy plays it. A damaged file is set aside and reported;
    /// where that fails it stays, and nothing is written over it.
    pub(crate) fn take_up(&mut self, keeping: &mut Keeping) {
        let Some((path, slot)) = keeping.shelf().and_then(Shelf::last) else { return };
        match read_file(&path) {
            Ok(record) => {
                self.seat(Table::from_record(&record));
                // Without a slot it stays as it is, and goes on as a copy.
                if let Some(slot) = slot {
                    keeping.adopt(self, slot);
                }
                self.kept = true;
            }
            Err(reason) => {
                self.complain(match set_aside(&path) {
                    Ok(aside) => {
                        let aside = aside.display().to_string();
                        fill("notice.last-unreadable", &[("reason", &reason), ("aside", &aside)])
                    }
                    Err(error) => {
                        let error = error.to_string();
                        fill("notice.last-stuck", &[("reason", &reason), ("error", &error)])
                    }
                });
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Keeping>()
        .add_systems(Update, file_acts.in_set(Steps::Files))
        .add_systems(Update, keep.in_set(Steps::Report));
}

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, with file, line and column where it is the text.
pub(crate) fn read_file(path: &Path) -> Result<Record, String> {
    read_games(path).map(|(record, _)| record)
}

/// Reads the first game of a file, and how many games there are.
fn read_games(path: &Path) -> Result<(Record, usize), String> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| format!("{file}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        fill("notice.no-text", &[("file", &file), ("error", &error.to_string())])
    })?;
    let records = read_any(&text).map_err(|error| error.in_file(path).words())?;
    let games = records.len();
    let first = records.into_iter().next().map(|record| (record, games));
    first.ok_or_else(|| fill("notice.no-game-in", &[("file", &file)]))
}

fn file_acts(
    mut acts: MessageReader<Act>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut keeping: ResMut<Keeping>,
    mut cues: MessageWriter<Cue>,
    mut next: ResMut<NextState<Screen>>,
) {
    for act in acts.read() {
        match act {
            Act::Save(path) => save(&mut referee, path),
            Act::Open(path) => match read_games(path) {
                Ok((record, games)) => {
                    referee.notice = None;
                    if games > 1 {
                        let file = path.display().to_string();
                        let games = games.to_string();
                        let names = [("file", file.as_str()), ("games", games.as_str())];
                        referee.tell(fill("notice.several", &names));
                    }
                    cues.write(replay.open(record, name_of(path)));
                    next.set(Screen::Replay);
                }
                Err(reason) => referee.complain(reason),
            },
            Act::Resume(path) => {
                if let Some(cue) = resume(&mut referee, &mut keeping, path) {
                    cues.write(cue);
                    next.set(Screen::Table);
                }
            }
            Act::Watch => {
                if let Some(table) = &referee.table {
                    let title = say("replay.this-game").to_owned();
                    cues.write(replay.open(table.record(today()), title));
                    next.set(Screen::Replay);
                }
            }
            Act::PlayOn => {
                if let Some(table) = replay.table() {
                    cues.write(referee.seat(table));
                    next.set(Screen::Table);
                }
            }
            _ => {}
        }
    }
}

/// Puts a saved game on the table. One from the shelf goes on in its own file,
/// unless another running copy plays it; then, as with any other file, this
/// one goes on with a copy.
fn resume(referee: &mut Referee, keeping: &mut Keeping, path: &Path) -> Option<Cue> {
    if keeping.path() == Some(path) && referee.table.is_some() {
        return Some(referee.reset());
    }
    let record = match read_file(path) {
        Ok(record) => record,
        Err(reason) => {
            referee.complain(reason);
            return None;
        }
    };
    let slot = keeping.shelf().map_or(Ok(None), |shelf| shelf.take(path));
    let on_shelf = keeping.shelf().is_some_and(|shelf| path.parent() == Some(shelf.folder()));
    let cue = referee.seat(Table::from_record(&record));
    match slot {
        Ok(Some(slot)) => keeping.adopt(referee, slot),
        Ok(None) if on_shelf => referee.tell(say("notice.taken-elsewhere")),
        Ok(None) => {}
        Err(error) => {
            let (file, error) = (path.display().to_string(), error.to_string());
            referee.complain(fill("notice.not-kept", &[("file", &file), ("error", &error)]));
        }
    }
    Some(cue)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn save(referee: &mut Referee, path: &Path) {
    let Some(table) = &referee.table else {
        referee.complain(say("notice.no-game"));
        return;
    };
    let file = path.display().to_string();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| write_whole(path, table.record(today()).to_string()));
    match written {
        Ok(()) => {
            referee.saved = true;
            referee.tell(fill("notice.saved", &[("file", &file)]));
        }
        Err(error) => {
            let error = error.to_string();
            referee.complain(fill("notice.not-saved", &[("file", &file), ("error", &error)]));
        }
    }
}

/// Keeps the game on the table in its file, whenever it has changed. A game of
/// which nothing was played yet has no file.
fn keep(mut referee: ResMut<Referee>, mut keeping: ResMut<Keeping>) {
    if keeping.shelf.is_none() || referee.lesson || !referee.is_changed() {
        return;
    }
    let keeping = &mut *keeping;
    if keeping.game != referee.begun {
        keeping.game = referee.begun;
        keeping.slot = None;
        keeping.written = None;
        keeping.failed = false;
    }
    let Some(stand) = referee.stand() else { return };
    let untouched = stand.0 == 0 && !stand.2 && keeping.slot.is_none();
    if untouched || keeping.written == Some(stand) {
        return;
    }
    let Some(table) = &referee.table else { return };
    let text = table.record(today()).to_string();
    match write(keeping, &text) {
        Ok(()) => {
            keeping.written = Some(stand);
            keeping.failed = false;
            referee.kept = true;
        }
        Err(error) => {
            referee.kept = false;
            if !keeping.failed {
                keeping.failed = true;
                let folder = keeping.shelf().map(|it| it.folder().display().to_string());
                let (file, error) = (folder.unwrap_or_default(), error.to_string());
                referee.complain(fill("notice.not-kept", &[("file", &file), ("error", &error)]));
            }
        }
    }
}

fn write(keeping: &mut Keeping, text: &str) -> io::Result<()> {
    let slot = match (&mut keeping.slot, &keeping.shelf) {
        (Some(slot), _) => slot,
        (none, Some(shelf)) => none.insert(shelf.fresh()?),
        (None, None) => return Ok(()),
    };
    slot.write(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::referee::default_setup, games::RuleSet};

    fn app(folder: &Path) -> App {
        let mut referee = Referee::default();
        let mut keeping = Keeping::on(folder.to_owned());
        referee.take_up(&mut keeping);
        let mut app = App::new();
        app.insert_resource(referee).insert_resource(keeping).add_systems(Update, keep);
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
            let mv = referee.legal()[0];
            assert!(referee.play(mv).is_some());
        }
    }

    fn file(app: &App) -> PathBuf {
        app.world().resource::<Keeping>().path().expect("a file").to_owned()
    }

    fn plies(path: &Path) -> usize {
        read_file(path).expect("a game").line().len()
    }

    fn on_table(app: &App) -> Option<usize> {
        app.world().resource::<Referee>().table.as_ref().map(|it| it.line().len())
    }

    #[test]
    fn a_game_keeps_its_file_and_a_new_one_gets_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = app(folder.path());
        begin(&mut first, 0);
        assert!(first.world().resource::<Keeping>().path().is_none(), "nothing was played");
        begin(&mut first, 3);
        let old = file(&first);
        assert!(first.world().resource::<Referee>().kept);
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

    #[test]
    fn a_killed_game_has_the_time_that_was_left_at_its_last_ply() {
        let folder = tempfile::tempdir().expect("a folder");
        let second = std::time::Duration::from_secs(1);
        let mut first = app(folder.path());
        let mut referee = first.world_mut().resource_mut::<Referee>();
        let clock = "60+5".parse().ok();
        referee.begin(crate::table::Setup { clock, ..default_setup(RuleSet::Tablaaza) });
        assert!(!referee.run_clock(10 * second));
        play(&mut referee, 1);
        assert!(!referee.run_clock(second));
        first.update();
        drop(first);
        let again = app(folder.path());
        let table = again.world().resource::<Referee>().table.as_ref().expect("the game");
        let clock = table.clock().expect("its clocks");
        let left = crate::games::Side::BOTH.map(|side| clock.left(side));
        assert_eq!(left, [55 * second, 60 * second]);
    }

    #[test]
    fn a_game_that_another_copy_plays_is_gone_on_with_as_a_copy() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut one = app(folder.path());
        begin(&mut one, 2);
        let theirs = file(&one);
        let mut two = app(folder.path());
        two.world_mut().resource_scope(|world, mut keeping: Mut<'_, Keeping>| {
            let mut referee = world.resource_mut::<Referee>();
            assert!(resume(&mut referee, &mut keeping, &theirs).is_some());
            assert!(referee.notice.is_some());
            play(&mut referee, 1);
        });
        two.update();
        assert_ne!(file(&two), theirs);
        assert_eq!((plies(&theirs), plies(&file(&two))), (2, 3));
    }

    #[test]
    fn playing_on_from_an_earlier_ply_leaves_the_game_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut app = app(folder.path());
        begin(&mut app, 5);
        let whole = file(&app);
        let mut referee = app.world_mut().resource_mut::<Referee>();
        assert!(referee.look(2).is_some());
        assert!(referee.branch().is_some());
        play(&mut referee, 1);
        app.update();
        assert_eq!((plies(&whole), plies(&file(&app))), (5, 3));
    }

    #[test]
    fn a_resumed_record_keeps_its_words() {
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
        assert_eq!(record.line().len(), 3);
    }

    #[test]
    fn a_damaged_game_is_set_aside_and_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1.tab");
        for number in 1..3 {
            fs::write(&path, "not a record").expect("written");
            let mut referee = Referee::default();
            referee.take_up(&mut Keeping::on(folder.path().to_owned()));
            let aside = folder.path().join(format!("1-damaged-{number}.txt"));
            assert_eq!(fs::read_to_string(&aside).expect("kept"), "not a record");
            let notice = referee.notice.expect("a word about it");
            assert!(notice.is_error && notice.text.contains("1-damaged-"), "{}", notice.text);
        }
    }
}
