//! Autosave: every game has a file of its own in the [`SaveStore`].
//!
//! It is written after every ply, so that the program can be killed at any
//! moment. A game that leaves the table stays in its file. A timed game is also
//! written when the clock stops, when the program ends, and every few seconds,
//! so that a kill does not give the time of the current move back.

#[cfg(test)]
mod tests;

use std::io;

use super::{clock, record_files::read_games, referee::Referee};
use crate::{
    app::{core::prelude::*, scene::api::MotionStatus},
    session::{SaveLock, SaveStore, set_aside},
};

/// How long a save that another process holds is tried again. A killed process
/// holds its lock until the system has torn it down.
const LOCK_RETRY_TIME: Duration = Duration::from_secs(3);
/// The interval between two looks whether its lock is free.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The most thinking time that a kill can give back.
const CLOCK_SAVE_INTERVAL: Duration = Duration::from_secs(3);

/// Where this run saves the game on the table. Without a store nothing is saved
/// (tests, pictures).
#[derive(Resource, Default)]
pub struct Autosave {
    store: Option<SaveStore>,
    lock: Option<SaveLock>,
    /// The number of the game that the lock belongs to.
    game: u64,
    written: Option<SaveSnapshot>,
    failed: bool,
    /// The number of the game that was resumed from its own file.
    resumed: u64,
    /// The state of the game that the player saved to another file.
    saved: Option<SaveSnapshot>,
    /// How long [`Self::resume`] may try a held save again.
    retry_time: Duration,
    /// The save that another process holds, and how long it is still tried again.
    held: Option<(PathBuf, Duration)>,
}

/// What identifies the state of a game that was written, including the time left
/// on the running clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SaveSnapshot {
    /// The number of the game.
    game: u64,
    plies: usize,
    key: u64,
    over: bool,
    left: Option<Duration>,
    rated: bool,
    seats: [Seat; 2],
}

impl SaveSnapshot {
    /// Whether this state must be written after that one. A running clock alone
    /// is written at intervals.
    fn is_due_after(self, written: Option<Self>, runs: bool) -> bool {
        let Some(written) = written else { return true };
        let gone = written.left.unwrap_or_default().saturating_sub(self.left.unwrap_or_default());
        !self.is_like(written) || gone > if runs { CLOCK_SAVE_INTERVAL } else { Duration::ZERO }
    }

    /// Whether it is the same state but for the clock.
    fn is_like(self, other: Self) -> bool {
        Self { left: other.left, ..self } == other
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

    /// One that has saved this game to a file of the player's choice.
    #[cfg(test)]
    pub(crate) fn with_saved(referee: &Referee) -> Self {
        Self { saved: referee.snapshot(), ..Self::default() }
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
        self.path().filter(|_| self.game == referee.game_number())
    }

    /// Whether the referee's game is in its own file.
    pub fn keeps(&self, referee: &Referee) -> bool {
        self.written.is_some() && !self.failed && self.game == referee.game_number()
    }

    /// Whether the referee's game is in a file, as it stands.
    pub fn has_saved(&self, referee: &Referee) -> bool {
        let is_saved = || Some(referee.snapshot()?.is_like(self.saved?));
        self.keeps(referee) || is_saved() == Some(true)
    }

    /// Notes that the player has saved the game to a file.
    pub(super) fn note_saved(&mut self, referee: &Referee) {
        self.saved = referee.snapshot();
    }

    /// Whether the referee's game had ended when it was put on the table as a copy of another
    /// file's: its result is known.
    pub(super) const fn is_finished_copy(&self, referee: &Referee) -> bool {
        referee.began_over() && self.resumed != referee.game_number()
    }

    /// Continues in this file with the game just put on the table.
    pub(crate) fn adopt(&mut self, referee: &Referee, lock: SaveLock) {
        self.lock = Some(lock);
        self.game = referee.game_number();
        self.resumed = self.game;
        self.written = referee.snapshot();
        self.failed = false;
    }

    /// Continues in the same file with the next game of the match, just put on the table.
    pub(super) fn continue_match(&mut self, referee: &Referee) {
        if self.game + 1 == referee.game_number() {
            self.begin(referee);
        }
    }

    /// Saves another game from now on.
    fn begin(&mut self, referee: &Referee) {
        self.game = referee.game_number();
        self.written = None;
        self.failed = false;
    }

    /// Resumes the last unfinished game that no other running copy plays. A
    /// damaged file is renamed and reported; if that fails it stays, and nothing
    /// overwrites it.
    ///
    /// Never blocks: a held save is left to [`retry_held_save`] for
    /// [`LOCK_RETRY_TIME`]. Returns what the player must know.
    pub(crate) fn resume(&mut self, referee: &mut Referee) -> Option<Notify> {
        let retry_time = std::mem::take(&mut self.retry_time);
        let store = self.store()?;
        let found = if retry_time.is_zero() {
            store.latest_unfinished()
        } else {
            match store.latest_unfinished_unless_held() {
                Ok(found) => found,
                Err(path) => {
                    self.held = Some((path, retry_time));
                    return None;
                }
            }
        };
        let (path, lock) = found?;
        let read = read_games(&path).and_then(|games| {
            GameSession::from_records(&games).ok_or_else(|| {
                LocalizedMessage::new("notice.no-game-in").with("file", path.display())
            })
        });
        match read {
            Ok(mut session) => {
                if lock.is_none() {
                    session.mark_as_copy();
                }
                referee.set_game(session);
                // Without a lock the file stays as it is and the game continues as a copy.
                if let Some(lock) = lock {
                    self.adopt(referee, lock);
                }
                None
            }
            Err(reason) => Some(Notify::error(match set_aside(&path) {
                Ok(aside) => LocalizedMessage::new("notice.last-unreadable")
                    .with_message("reason", reason)
                    .with("aside", aside.display()),
                Err(error) => LocalizedMessage::new("notice.last-stuck")
                    .with_message("reason", reason)
                    .with("error", error),
            })),
        }
    }
}

impl Referee {
    fn snapshot(&self) -> Option<SaveSnapshot> {
        let table = self.table.as_ref()?;
        let history = table.history();
        Some(SaveSnapshot {
            game: self.game_number(),
            plies: history.len(),
            key: history.position().key(),
            over: table.outcome().is_some(),
            rated: table.is_rated(),
            seats: table.seats(),
            left: table.clock_runs_for().and_then(|side| Some(table.clock()?.left(side))),
        })
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
                retry_held_save.run_if(
                    in_state(Screen::Title)
                        .and_then(|autosave: Res<Autosave>| autosave.held.is_some()),
                ),
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
    mut referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
    notices: Res<Notices>,
    mut told: MessageWriter<Notify>,
    mut next: ResMut<NextFrame>,
) {
    let Some((_, retry_time)) = autosave.held.take() else { return };
    if referee.table.is_some() {
        return;
    }
    autosave.retry_time = retry_time.saturating_sub(time.delta());
    let warning = autosave.resume(&mut referee);
    if referee.table.is_some() || warning.is_some() {
        told.write_batch(warning);
        // What the start had to say is not lost.
        told.write_batch(notices.shown.clone().map(Notify));
    }
    if autosave.held.is_some() {
        next.within(LOCK_POLL_INTERVAL);
    }
}

/// Writes the game whenever it has changed.
fn save_changes(
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
    mut told: MessageWriter<Notify>,
) {
    let runs = clock::runs(&referee, *screen.get(), &motion);
    told.write_batch(write_if_due(referee, &mut autosave, runs));
}

/// Writes the game when the program ends; no clock runs any more.
fn autosave_on_exit(referee: ResMut<Referee>, mut autosave: ResMut<Autosave>) {
    let _ = write_if_due(referee, &mut autosave, false);
}

/// Writes the game if its state has changed; returns what the player must know. A game
/// without a ply has no file.
pub(super) fn write_if_due(
    mut referee: ResMut<Referee>,
    autosave: &mut Autosave,
    runs: bool,
) -> Option<Notify> {
    let timed = referee.table.as_ref().is_some_and(|table| table.clock().is_some());
    // A server keeps an online game until its end; the game before is free for others.
    if referee.table.as_ref().is_some_and(|table| table.is_online() && table.outcome().is_none()) {
        if autosave.game != referee.game_number() {
            (autosave.lock, autosave.written) = (None, None);
        }
        return None;
    }
    if autosave.store.is_none() || referee.is_exercise() || !(timed || referee.is_changed()) {
        return None;
    }
    if autosave.game != referee.game_number() {
        autosave.lock = None;
        autosave.begin(&referee);
    }
    let snapshot = referee.snapshot()?;
    let untouched = snapshot.plies == 0 && !snapshot.over && autosave.lock.is_none();
    if untouched || !snapshot.is_due_after(autosave.written, runs) {
        return None;
    }
    let mut notice = None;
    if autosave.lock.as_ref().is_some_and(SaveLock::is_lost) {
        autosave.lock = None;
        notice = Some(Notify::info(LocalizedMessage::new("notice.taken-elsewhere")));
        referee.table.as_mut()?.mark_as_copy();
    }
    let text = referee.table.as_ref()?.saved_text(today());
    match write(autosave, &text) {
        Ok(()) => {
            autosave.written = Some(snapshot);
            autosave.failed = false;
        }
        Err(error) => {
            // Try again with the next ply, or after the interval.
            autosave.written = timed.then_some(snapshot);
            if !std::mem::replace(&mut autosave.failed, true) {
                let folder = autosave.store().map(|store| store.folder().display().to_string());
                let message = LocalizedMessage::new("notice.not-kept")
                    .with("file", folder.unwrap_or_default());
                notice = Some(Notify::error(message.with("error", error)));
            }
        }
    }
    notice
}

fn write(autosave: &mut Autosave, text: &str) -> io::Result<()> {
    let lock = match (&mut autosave.lock, &autosave.store) {
        (Some(lock), _) => lock,
        (none, Some(store)) => none.insert(store.create()?),
        (None, None) => return Ok(()),
    };
    lock.write(text)
}
