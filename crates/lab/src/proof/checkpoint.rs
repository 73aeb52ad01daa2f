//! Checkpoint files: the positions proven so far, from which a later run continues.

use std::{collections::HashMap, fmt::Write as _, time::Duration};

use tabulae_engines::ProvenPosition;
use tabulae_games::tablaaza::LAKES;

/// Proofs of positions with fewer free squares are not stored unless the position to
/// solve is small itself: they are fast to find again.
const MIN_PROOF_SQUARES: u32 = 32;
/// How many squares fewer than the position to solve a stored position may have, if
/// that is below [`MIN_PROOF_SQUARES`].
const SMALL_PROOF_MARGIN: u32 = 8;
/// The largest number of proofs stored; those of the smallest positions are dropped
/// first.
const MAX_PROOFS: usize = 500_000;

/// The smallest number of free squares of the proofs to store for a position with
/// `free` free squares.
pub(crate) const fn min_proof_squares(free: u32) -> u32 {
    let small = free.saturating_sub(SMALL_PROOF_MARGIN);
    if small < MIN_PROOF_SQUARES { small } else { MIN_PROOF_SQUARES }
}

const TITLE: &str = "tabulae solve tablaaza checkpoint 1";

/// Proven positions, and the work that went into them.
///
/// As text: the title, `nodes N`, `seconds S`, then a line for each position:
/// its free squares in hexadecimal (bit 0 is a1, bit 8 a2), with Red to move,
/// and `w` or `l` for a win or a loss. A position with Green to move is stored
/// mirrored, a for h, with the colours exchanged.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    /// By free squares: whether the side to move wins.
    proofs: HashMap<u64, bool>,
    /// Positions searched in all runs.
    pub(crate) nodes: u64,
    /// Time of all runs.
    pub(crate) time: Duration,
    /// Positions with fewer free squares are dropped.
    min_squares: u32,
}

impl Checkpoint {
    /// Adds proofs; drops those of the smallest positions if there are too many.
    pub(crate) fn add(&mut self, proofs: &[ProvenPosition]) {
        let min_squares = self.min_squares;
        let large = proofs.iter().filter(|proof| proof.free.count_ones() >= min_squares);
        self.proofs.extend(large.map(|proof| (proof.free, proof.wins)));
        while self.proofs.len() > MAX_PROOFS {
            let smallest = self.proofs.keys().map(|free| free.count_ones()).min();
            self.drop_smaller(smallest.unwrap_or_default() + 1);
        }
    }

    /// Drops the proofs of positions with fewer free squares, now and later.
    pub(crate) fn drop_smaller(&mut self, min_squares: u32) {
        self.min_squares = min_squares;
        self.proofs.retain(|free, _| free.count_ones() >= min_squares);
    }

    pub(crate) fn proofs(&self) -> Vec<ProvenPosition> {
        self.proofs.iter().map(|(&free, &wins)| ProvenPosition { free, wins }).collect()
    }

    pub(crate) fn proof_count(&self) -> usize {
        self.proofs.len()
    }

    pub(crate) fn write(&self) -> String {
        let mut text = format!("{TITLE}\nnodes {}\nseconds {}\n", self.nodes, self.time.as_secs());
        let mut proofs: Vec<_> = self.proofs.iter().collect();
        proofs.sort_unstable();
        for (free, wins) in proofs {
            // Writing to a string cannot fail.
            _ = writeln!(text, "{free:014x} {}", if *wins { 'w' } else { 'l' });
        }
        text
    }

    /// Reads what [`Checkpoint::write`] wrote.
    ///
    /// # Errors
    /// The line that is wrong, and what was expected.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|(line, _)| line) != Some(TITLE) {
            return Err(format!("line 1: expected '{TITLE}'"));
        }
        let mut number = |name: &str| {
            let (line, at) = lines
                .next()
                .ok_or_else(|| format!("unexpected end of the file: expected '{name} NUMBER'"))?;
            let value = line.strip_prefix(name).and_then(|value| value.trim().parse().ok());
            value.ok_or_else(|| format!("line {at}: expected '{name} NUMBER', found '{line}'"))
        };
        let (nodes, seconds) = (number("nodes")?, number("seconds")?);
        let mut proofs = HashMap::new();
        for (line, at) in lines {
            let (free, wins) = read_proof(line).ok_or_else(|| {
                format!(
                    "line {at}: expected free squares in hexadecimal and w or l, found '{line}'"
                )
            })?;
            proofs.insert(free, wins);
        }
        Ok(Self { proofs, nodes, time: Duration::from_secs(seconds), min_squares: 0 })
    }
}

fn read_proof(line: &str) -> Option<(u64, bool)> {
    let (free, word) = line.split_once(' ')?;
    let free = u64::from_str_radix(free, 16).ok().filter(|free| free & !LAKES.playing() == 0)?;
    match word {
        "w" => Some((free, true)),
        "l" => Some((free, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(free: u64) -> ProvenPosition {
        ProvenPosition { free, wins: true }
    }

    fn lost(free: u64) -> ProvenPosition {
        ProvenPosition { free, wins: false }
    }

    #[test]
    fn checkpoint_round_trips_through_text() {
        let time = Duration::from_secs(9);
        let mut checkpoint = Checkpoint { nodes: 7, time, ..Checkpoint::default() };
        checkpoint.add(&[won(LAKES.playing()), lost(0b11)]);
        assert_eq!(Checkpoint::read(&checkpoint.write()), Ok(checkpoint));
    }

    #[test]
    fn malformed_checkpoint_is_rejected_with_its_line() {
        let title = format!("{TITLE}\nnodes 1\nseconds 2\n");
        for (text, error) in [
            (String::new(), "line 1: expected"),
            ("{}\n".to_owned(), "line 1: expected"),
            (format!("{TITLE}\n"), "end of the file: expected 'nodes NUMBER'"),
            (format!("{TITLE}\nnodes x\nseconds 1\n"), "line 2: expected 'nodes NUMBER'"),
            (format!("{title}3 w\n3 x\n"), "line 5: expected free squares"),
            // c3 is a lake.
            (format!("{title}40000 w\n"), "line 4: expected free squares"),
        ] {
            let found = Checkpoint::read(&text).expect_err("it is malformed");
            assert!(found.contains(error), "{found}");
        }
    }

    #[test]
    fn large_positions_store_large_proofs_and_small_ones_their_own() {
        assert_eq!([50, 40, 39, 19, 3].map(min_proof_squares), [32, 32, 31, 11, 0]);
    }

    #[test]
    fn full_checkpoint_drops_the_smallest_positions() {
        let mut checkpoint = Checkpoint::default();
        checkpoint.add(&(1..=MAX_PROOFS as u64).map(won).collect::<Vec<_>>());
        assert_eq!(checkpoint.proof_count(), MAX_PROOFS);
        checkpoint.add(&[lost(LAKES.playing())]);
        let proofs = checkpoint.proofs();
        assert!(proofs.contains(&lost(LAKES.playing())));
        // Those with one free square, and no others.
        let single = (1..=MAX_PROOFS as u64).filter(|free| free.count_ones() == 1).count();
        assert_eq!(proofs.len(), MAX_PROOFS + 1 - single);
        assert!(proofs.iter().all(|proof| proof.free.count_ones() > 1));
        checkpoint.add(&[won(0b100)]);
        assert_eq!(checkpoint.proof_count(), MAX_PROOFS + 1 - single, "dropped again");
    }
}
