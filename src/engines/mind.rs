//! What an engine keeps from one thought to the next.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{room::Room, tablut};

/// The memory of one player through a game: with it a thought limited only by
/// time begins where the last one ended. A thought limited by depth or nodes
/// has the room of the last one, cleared, so that the same request has the same
/// answer. Clones share it; a new one knows nothing.
#[derive(Clone, Default)]
pub struct Mind(Arc<Shared>);

/// What clones of a mind share, and rooms come back to.
#[derive(Debug, Default)]
pub(super) struct Shared(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    tablut: Option<Arc<tablut::Table>>,
    /// Room that no thought is using.
    spare: Option<Room>,
}

impl Mind {
    /// A mind that knows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything; the room for it is kept for what comes next.
    pub fn forget(&self) {
        // A table's room comes back here, so the lock must be free by then.
        let table = self.0.kept().tablut.take();
        drop(table);
    }

    /// Cleared room of at most `mib` MiB for the tables of one thought, which
    /// want so many words.
    pub(super) fn room(&self, mib: usize, wanted: usize) -> Room {
        let spare = self.0.kept().spare.take();
        let room = spare.and_then(|room| room.again(mib, wanted));
        let room = room.unwrap_or_else(|| Room::new(mib, wanted));
        room.living_at(Arc::downgrade(&self.0))
    }

    /// The table that is kept through a game of Tablut, if it is of this size;
    /// else the one that is made.
    pub(super) fn tablut(
        &self,
        mib: usize,
        make: impl FnOnce(Room) -> tablut::Table,
    ) -> Arc<tablut::Table> {
        let kept = self.0.kept().tablut.clone();
        if let Some(table) = kept.filter(|table| table.is_of(mib)) {
            return table;
        }
        self.forget();
        let table = Arc::new(make(self.room(mib, usize::MAX)));
        let other = self.0.kept().tablut.replace(Arc::clone(&table));
        drop(other);
        table
    }
}

impl Shared {
    /// Keeps room for the next thought; one is enough.
    pub(super) fn keep(&self, room: Room) {
        let other = self.kept().spare.replace(room);
        drop(other);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Mind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mind").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_have_the_same_room_one_after_the_other() {
        let mind = Mind::new();
        let place = |room: &Room| room.first(1).as_ptr();
        let first = mind.room(1, 0);
        let at = place(&first);
        // Two thoughts at once have a room each, of which one is kept.
        let second = mind.room(1, 0);
        assert_ne!(place(&second), at);
        drop(second);
        drop(first);
        assert_eq!(place(&mind.room(1, 0)), at);
        assert!(mind.room(2, 0).is_of(2));
        // A table's room comes back when the game is over.
        let table = mind.tablut(2, |room| tablut::Table::of(room, usize::MAX));
        assert!(Arc::ptr_eq(&table, &mind.tablut(2, |_| unreachable!("it is kept"))));
        drop(table);
        mind.forget();
        assert!(mind.0.kept().spare.as_ref().is_some_and(|room| room.is_of(2)));
        // The mind is gone before its room.
        let room = mind.room(2, 0);
        drop(mind);
        drop(room);
    }
}
