//! The checkpoint: what has been proven so far, to be gone on from.

use std::{collections::HashMap, fmt::Write as _, time::Duration};

use crate::{engines::ProvenPosition, games::tablaaza::LAKES};

/// Proofs of positions with fewer free squares are soon found again.
pub(super) const KEPT_FROM: u32 = 32;
/// Proofs kept at most; the smaller positions go first.
const MOST_KEPT: usize = 500_000;

const TITLE: &str = "tabulae solve tablaaza checkpoint 1";

/// Proven positions, and the work that went into them.
///
/// As text: the title, `nodes N`, `seconds S`, then a line for each position:
/// its free squares in hexadecimal (bit 0 is a1, bit 8 a2), Red to move, and `w`
/// or `l` for whether he wins or loses. A position with Green to move stands
/// there in the mirror, a for h, with the colours exchanged.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ledger {
    pub(super) proofs: HashMap<u64, bool>,
    /// Positions searched in all runs.
    pub(super) nodes: u64,
    /// Time of all runs.
    pub(super) time: Duration,
    from: u32,
}

impl Ledger {
    /// Takes in proofs; drops the smaller positions when there are too many.
    pub(super) fn add(&mut self, proofs: &[ProvenPosition]) {
        let from = self.from;
        self.proofs.extend(proofs.iter().copied().filter(|(free, _)| free.count_ones() >= from));
        while self.proofs.len() > MOST_KEPT {
            self.from = self.from.max(KEPT_FROM) + 1;
            let from = self.from;
            self.proofs.retain(|free, _| free.count_ones() >= from);
        }
    }

    pub(super) fn write(&self) -> String {
        let mut text = format!("{TITLE}\nnodes {}\nseconds {}\n", self.nodes, self.time.as_secs());
        let mut proofs: Vec<_> = self.proofs.iter().collect();
        proofs.sort_unstable();
        for (free, wins) in proofs {
            // Writing to a text cannot fail.
            _ = writeln!(text, "{free:014x} {}", if *wins { 'w' } else { 'l' });
        }
        text
    }

    /// Reads what [`Ledger::write`] wrote.
    ///
    /// # Errors
    /// The line that is wrong, and what was expected.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|(line, _)| line) != Some(TITLE) {
            return Err(format!("line 1: expected '{TITLE}'"));
        }
        let mut number = |name: &str| {
            let (line, at) = lines.next().ok_or_else(|| format!("it ends before '{name}'"))?;
            let value = line.strip_prefix(name).and_then(|value| value.trim().parse().ok());
            value.ok_or_else(|| format!("line {at}: expected '{name} NUMBER', not '{line}'"))
        };
        let (nodes, seconds) = (number("nodes")?, number("seconds")?);
        let mut proofs = HashMap::new();
        for (line, at) in lines {
            let (free, wins) = proof(line).ok_or_else(|| {
                format!("line {at}: expected free squares in hexadecimal and w or l, not '{line}'")
            })?;
            proofs.insert(free, wins);
        }
        Ok(Self { proofs, nodes, time: Duration::from_secs(seconds), from: 0 })
    }
}

fn proof(line: &str) -> Option<ProvenPosition> {
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

    #[test]
    fn what_is_written_reads_back() {
        let mut ledger = Ledger { nodes: 7, time: Duration::from_secs(9), ..Ledger::default() };
        ledger.add(&[(LAKES.playing(), true), (0b11, false)]);
        assert_eq!(Ledger::read(&ledger.write()), Ok(ledger));
    }

    #[test]
    fn a_bad_checkpoint_says_where() {
        let title = format!("{TITLE}\nnodes 1\nseconds 2\n");
        for (text, error) in [
            (String::new(), "line 1: expected"),
            ("{}\n".to_owned(), "line 1: expected"),
            (format!("{TITLE}\n"), "before 'nodes'"),
            (format!("{TITLE}\nnodes x\nseconds 1\n"), "line 2: expected 'nodes NUMBER'"),
            (format!("{title}3 w\n3 x\n"), "line 5: expected free squares"),
            // c3 is a lake.
            (format!("{title}40000 w\n"), "line 4: expected free squares"),
        ] {
            let found = Ledger::read(&text).expect_err("refused");
            assert!(found.contains(error), "{found}");
        }
    }

    #[test]
    fn too_many_proofs_lose_the_smallest_positions() {
        let mut ledger = Ledger::default();
        let low = |at: u64| (at, true);
        ledger.add(&(1..=MOST_KEPT as u64).map(low).collect::<Vec<_>>());
        assert_eq!(ledger.proofs.len(), MOST_KEPT);
        ledger.add(&[(LAKES.playing(), false)]);
        assert_eq!(ledger.proofs, HashMap::from([(LAKES.playing(), false)]));
    }
}
