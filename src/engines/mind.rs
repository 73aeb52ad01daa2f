//! What an engine keeps from one thought to the next.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use super::tablut;

/// The memory of one player through a game: with it a thought limited only by
/// time begins where the last one ended. A thought limited by depth or nodes
/// never uses it, so that the same request has the same answer. Clones share
/// it; a new one knows nothing.
#[derive(Clone, Default)]
pub struct Mind(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    tablut: Option<Arc<tablut::Table>>,
}

impl Mind {
    /// A mind that knows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything and gives the memory back.
    pub fn forget(&self) {
        *self.kept() = Kept::default();
    }

    pub(super) fn tablut<R>(&self, look: impl FnOnce(&mut Option<Arc<tablut::Table>>) -> R) -> R {
        look(&mut self.kept().tablut)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Mind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mind").finish_non_exhaustive()
    }
}
