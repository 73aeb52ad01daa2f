//! The state of a game's fair throws: what everybody has committed to and given so far.

use std::mem;

use super::{
    Hash256,
    fair::{COMMITMENTS_TAG, REVEALS_TAG, STICKS, fair_throw, join_hashes},
};
use tabulae_games::Throw;
use tabulae_records::Record;

/// What the `N` contributors to a game's throws have committed to and given so far. Each
/// has its place: the first side 0, the second side 1 and the server, if there is one, 2.
#[derive(Clone, Debug)]
pub(super) struct FairThrows<const N: usize> {
    pub(super) commitments: [Option<Hash256>; N],
    /// The parts of the last throw, the commitments before the first.
    reveals: [Option<Hash256>; N],
    /// The number of throws made.
    made: usize,
    /// The parts of the throw that is due.
    pub(super) parts: [Option<Hash256>; N],
}

impl<const N: usize> FairThrows<N> {
    /// No commitment is known.
    pub(super) const NEW: Self = Self::after(0, [None; N], [None; N]);

    /// So many throws were made, the last one of these parts; of none the parts are the
    /// commitments.
    pub(super) const fn after(
        made: usize,
        commitments: [Option<Hash256>; N],
        reveals: [Option<Hash256>; N],
    ) -> Self {
        Self { commitments, reveals, made, parts: [None; N] }
    }

    /// Notes a commitment, before the first throw.
    pub(super) const fn commit(&mut self, place: usize, commitment: Option<Hash256>) {
        self.commitments[place] = commitment;
        self.reveals[place] = commitment;
    }

    /// The number of the throw that is due, or will be next, from 1.
    pub(super) const fn next_number(&self) -> usize {
        self.made + 1
    }

    /// Whether the hash of a part is the last one of its contributor, so that the part leads
    /// to the commitment.
    pub(super) fn is_next(&self, place: usize, part: Hash256) -> bool {
        self.reveals[place] == Some(part.hashed())
    }

    /// The throw that is due; `None` while a part of it is missing.
    pub(super) fn throw(&self) -> Option<Throw> {
        let parts = self.parts.into_iter().collect::<Option<Vec<_>>>()?;
        Some(fair_throw(self.next_number(), &parts))
    }

    /// Goes on to the next throw.
    pub(super) const fn advance(&mut self) {
        self.reveals = mem::replace(&mut self.parts, [None; N]);
        self.made += 1;
    }

    /// Writes the proof of the throws into a record, whose seed has thrown nothing.
    pub(super) fn write_proof(&self, record: &mut Record) {
        record.seed = None;
        record.set_tag(STICKS.0, STICKS.1);
        let all = self.commitments.into_iter().flatten();
        if all.clone().count() < 2 {
            return;
        }
        record.set_tag(COMMITMENTS_TAG, &join_hashes(all));
        if self.made > 0 {
            record.set_tag(REVEALS_TAG, &join_hashes(self.reveals.into_iter().flatten()));
        }
    }
}
