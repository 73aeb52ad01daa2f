//! The learned judgement: a small network over the places of the men, its
//! arithmetic in whole numbers, and its file.
//!
//! Every man on his square adds a row of numbers to the hidden sums; a state
//! keeps these up to date move by move. Each side to move has a head of its
//! own that makes points of them: two layers of units, each the sum of what
//! comes in, cut off below nothing and above one.

use super::squares::{NUMBERS, file, rank};

/// Units of the first layer.
pub(super) const HIDDEN: usize = 32;
/// Units of the second layer, for each side to move.
pub(super) const SECOND: usize = 16;
/// Kinds of men times squares.
pub(super) const INPUTS: usize = 3 * 81;
/// A number for each unit of the first layer.
pub(super) type Sums = [i16; HIDDEN];

/// A unit that is wholly on.
pub(super) const ONE: i16 = 256;
/// The weight 1 between the layers, as a power of two.
const INNER_BITS: u32 = 10;
pub(super) const INNER: i32 = 1 << INNER_BITS;
/// A point in the outer weights.
pub(super) const POINT: i32 = 16;
/// No row's number is larger: all men of a board together stay within 16 bits.
pub(super) const MOST_ROW: i16 = 1000;
/// No outer weight is larger, no middle sum with all units off, and no sum with
/// all of the second off.
pub(super) const MOST: i32 = 1 << 18;
pub(super) const MOST_SUM: i32 = 1 << 27;
/// No judgement is further from even than so many points.
const MOST_POINTS: i32 = 9_999;

/// What one side to move makes of the hidden sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// What the hidden sums are with no men.
    pub(super) base: Sums,
    /// For each unit of the second layer what those of the first weigh.
    pub(super) inner: [Sums; SECOND],
    /// Its sums with all units of the first off.
    pub(super) middle: [i32; SECOND],
    /// What the units of the second layer weigh.
    pub(super) outer: [i32; SECOND],
    /// The sum with all of them off.
    pub(super) rest: i32,
}

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Network {
    /// By kind of man and square.
    rows: Vec<Sums>,
    /// With White to move, with Black to move.
    heads: [Head; 2],
}

/// The input of a man on a square.
pub(super) fn input(kind: usize, at: u8) -> usize {
    kind % 3 * 81 + file(at) * 9 + rank(at)
}

/// What changes when a man leaves a square for another.
pub(super) fn shift(sums: &mut Sums, from: &Sums, to: &Sums) {
    for ((sum, from), to) in sums.iter_mut().zip(from).zip(to) {
        *sum = sum.wrapping_add(to.wrapping_sub(*from));
    }
}

pub(super) fn add(sums: &mut Sums, row: &Sums) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

pub(super) fn subtract(sums: &mut Sums, row: &Sums) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

fn dot(a: &Sums, b: &Sums) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

impl Network {
    /// Rows by input, in order.
    pub(super) fn new(inputs: &[Sums], heads: [Head; 2]) -> Self {
        let mut rows = vec![[0; HIDDEN]; 3 * NUMBERS];
        for (at, _) in super::ground::Ground::squares() {
            for kind in 0..3 {
                let row = inputs.get(input(kind, at)).copied();
                rows[kind * NUMBERS + usize::from(at)] = row.unwrap_or([0; HIDDEN]);
            }
        }
        Self { rows, heads }
    }

    /// One that only counts soldiers, for those who begin with nothing.
    pub(super) fn counting() -> Self {
        let mut inputs = vec![[0; HIDDEN]; INPUTS];
        let (white, black) = inputs.split_at_mut(81);
        white.iter_mut().for_each(|row| row[0] = ONE / 8);
        black[..81].iter_mut().for_each(|row| row[1] = ONE / 16);
        let mut head = Head {
            base: [0; HIDDEN],
            inner: [[0; HIDDEN]; SECOND],
            middle: [0; SECOND],
            outer: [0; SECOND],
            rest: 0,
        };
        for (unit, points) in [(0, 800), (1, -800)] {
            head.inner[unit][unit] = INNER as i16;
            head.outer[unit] = points * POINT;
        }
        Self::new(&inputs, [head.clone(), head])
    }

    /// What a man there adds to the hidden sums.
    pub(super) fn row(&self, kind: usize, at: u8) -> &Sums {
        &self.rows[kind % 3 * NUMBERS + usize::from(at & 127)]
    }

    /// Points for White.
    pub(super) fn value(&self, sums: &Sums, black_to_move: bool) -> i32 {
        let head = &self.heads[usize::from(black_to_move)];
        let mut units = *sums;
        for (unit, base) in units.iter_mut().zip(&head.base) {
            *unit = unit.wrapping_add(*base).clamp(0, ONE);
        }
        let second = head.inner.iter().zip(&head.middle).zip(&head.outer);
        let sum = second.fold(head.rest, |sum, ((inner, middle), outer)| {
            sum + ((middle + dot(&units, inner)) >> INNER_BITS).clamp(0, i32::from(ONE)) * outer
        });
        (sum / (i32::from(ONE) * POINT)).clamp(-MOST_POINTS, MOST_POINTS)
    }
}

/// What the file begins with.
const MAGIC: &[u8; 8] = b"tablutn1";
const HEAD: usize = 2 * HIDDEN * (1 + SECOND) + 4 * (2 * SECOND + 1);
const BYTES: usize = 8 + 3 * 4 + 2 * INPUTS * HIDDEN + 2 * HEAD;

impl Network {
    /// The file's bytes; `assets/engines/README.md` describes them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(MAGIC);
        for size in [INPUTS, HIDDEN, SECOND] {
            bytes.extend((size as u32).to_le_bytes());
        }
        let mut rows = vec![[0; HIDDEN]; INPUTS];
        for (at, _) in super::ground::Ground::squares() {
            (0..3).for_each(|kind| rows[input(kind, at)] = *self.row(kind, at));
        }
        bytes.extend(rows.iter().flatten().flat_map(|number| number.to_le_bytes()));
        for head in &self.heads {
            let words = head.base.iter().chain(head.inner.iter().flatten());
            bytes.extend(words.flat_map(|number| number.to_le_bytes()));
            let longs = head.middle.iter().chain(&head.outer).chain([&head.rest]);
            bytes.extend(longs.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads the file's bytes.
    ///
    /// # Errors
    /// They are no such file; the text says why.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let magic = bytes.get(..MAGIC.len());
        if magic != Some(MAGIC.as_slice()) {
            return Err("no network of Tablut: it does not begin with 'tablutn1'".to_owned());
        }
        if bytes.len() != BYTES {
            return Err(format!("{} bytes where a network of Tablut has {BYTES}", bytes.len()));
        }
        let mut rest = &bytes[MAGIC.len()..];
        for (what, size) in [("inputs", INPUTS), ("hidden units", HIDDEN), ("units", SECOND)] {
            let [found] = longs(&mut rest);
            if found != size as i32 {
                return Err(format!("{found} {what} where there are {size}"));
            }
        }
        let rows: Vec<Sums> = (0..INPUTS).map(|_| words(&mut rest)).collect();
        let mut head = || Head {
            base: words(&mut rest),
            inner: std::array::from_fn(|_| words(&mut rest)),
            middle: longs(&mut rest),
            outer: longs(&mut rest),
            rest: longs::<1>(&mut rest)[0],
        };
        let heads = [head(), head()];
        let is_large = |number: &i32, most: i32| number.unsigned_abs() > most as u32;
        let first = rows.iter().chain(heads.iter().map(|head| &head.base)).flatten();
        let too_large = first.copied().any(|number| number.unsigned_abs() > MOST_ROW as u16)
            || heads.iter().any(|head| {
                head.middle.iter().chain([&head.rest]).any(|number| is_large(number, MOST_SUM))
                    || head.outer.iter().any(|number| is_large(number, MOST))
            });
        if too_large {
            return Err("a weight out of range".to_owned());
        }
        Ok(Self::new(&rows, heads))
    }
}

/// The next numbers of the file, of two bytes each; nothing where it has ended.
fn words<const N: usize>(bytes: &mut &[u8]) -> [i16; N] {
    let (taken, rest) = bytes.split_at(bytes.len().min(2 * N));
    *bytes = rest;
    let mut words = taken.as_chunks::<2>().0.iter().copied().map(i16::from_le_bytes);
    std::array::from_fn(|_| words.next().unwrap_or(0))
}

/// Likewise of four bytes each.
fn longs<const N: usize>(bytes: &mut &[u8]) -> [i32; N] {
    let (taken, rest) = bytes.split_at(bytes.len().min(4 * N));
    *bytes = rest;
    let mut longs = taken.as_chunks::<4>().0.iter().copied().map(i32::from_le_bytes);
    std::array::from_fn(|_| longs.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let network = Network::counting();
        let bytes = network.to_bytes();
        assert_eq!(bytes.len(), BYTES);
        assert_eq!(Network::read(&bytes), Ok(network));
    }

    #[test]
    fn what_is_no_network_is_refused_with_a_reason() {
        let bytes = Network::counting().to_bytes();
        let reason = |bytes: &[u8]| Network::read(bytes).expect_err("no network");
        assert!(reason(b"tablnet1").contains("does not begin with 'tablutn1'"));
        assert!(reason(&bytes[..bytes.len() - 1]).contains("bytes where a network"));
        let mut other = bytes.clone();
        other[8] += 1;
        assert_eq!(reason(&other), "244 inputs where there are 243");
        for at in [21, BYTES - 1] {
            let mut other = bytes.clone();
            other[at] = 0x7f;
            assert_eq!(reason(&other), "a weight out of range");
        }
    }

    #[test]
    fn the_largest_weights_there_are_make_no_overflow() {
        let head = Head {
            base: [MOST_ROW; HIDDEN],
            inner: [[i16::MAX; HIDDEN]; SECOND],
            middle: [MOST_SUM; SECOND],
            outer: [MOST; SECOND],
            rest: MOST_SUM,
        };
        let network = Network::new(&vec![[MOST_ROW; HIDDEN]; INPUTS], [head.clone(), head]);
        let mut sums = [0; HIDDEN];
        for at in 0..25 {
            add(&mut sums, network.row(0, super::super::squares::number(at % 9, at / 9)));
        }
        assert_eq!(network.value(&sums, false), MOST_POINTS);
    }
}
