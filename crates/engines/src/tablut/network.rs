//! The evaluation: an efficiently updatable neural network (NNUE) over piece
//! and square, quantised to integers, and its file format.
//!
//! Each piece on its square is a feature that adds a row of weights to the
//! accumulator, which a board updates move by move. Each side to move has a head
//! of its own: two layers of clipped ReLU units make points of the accumulator.

use super::squares::{BOARD, MAILBOX_SIZE, file, rank, squares_in};

/// Units of the first layer.
pub(super) const HIDDEN_SIZE: usize = 128;
/// Units of the second layer.
pub(super) const SECOND_SIZE: usize = 16;
/// Kinds of pieces times squares.
pub(super) const FEATURES: usize = 3 * 81;
/// The sums of the first layer's units.
pub(super) type Accumulator = [i16; HIDDEN_SIZE];

/// Quantisation: an activation of 1, where the ReLU is clipped.
pub(super) const UNIT_ONE: i16 = 256;
const WEIGHT_BITS: u32 = 10;
/// Quantisation: a weight of 1 between the layers.
pub(super) const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS;
/// Quantisation: a point in the output weights.
pub(super) const OUTPUT_ONE: i32 = 16;
/// No feature weight is larger, so that all pieces together stay within 16 bits.
pub(super) const MAX_FEATURE_WEIGHT: i16 = 1000;
/// No output weight is larger.
pub(super) const MAX_OUTPUT_WEIGHT: i32 = 1 << 18;
/// No bias of the second layer or of the output is larger.
pub(super) const MAX_BIAS: i32 = 1 << 27;
/// Evaluations are clamped to this many points.
const MAX_POINTS: i32 = 9_999;

/// The layers above the accumulator, for one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) feature_bias: Accumulator,
    /// For each unit of the second layer, the weights of the first layer's.
    pub(super) second_weights: [Accumulator; SECOND_SIZE],
    pub(super) second_bias: [i32; SECOND_SIZE],
    pub(super) output_weights: [i32; SECOND_SIZE],
    pub(super) output_bias: i32,
}

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Network {
    /// By kind of piece and square.
    feature_weights: Vec<Accumulator>,
    /// With White to move, with Black to move.
    heads: [Head; 2],
}

/// The index of a piece on a square.
pub(super) fn feature_index(kind: usize, at: u8) -> usize {
    kind % 3 * 81 + file(at) * 9 + rank(at)
}

/// Updates the accumulator for a piece that moves.
pub(super) fn move_feature(accumulator: &mut Accumulator, from: &Accumulator, to: &Accumulator) {
    for ((sum, from), to) in accumulator.iter_mut().zip(from).zip(to) {
        *sum = sum.wrapping_add(to.wrapping_sub(*from));
    }
}

pub(super) fn add_feature(accumulator: &mut Accumulator, row: &Accumulator) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

pub(super) fn remove_feature(accumulator: &mut Accumulator, row: &Accumulator) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

fn dot(a: &Accumulator, b: &Accumulator) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

impl Network {
    /// `inputs` are the feature weights by [`feature_index`].
    pub(super) fn new(inputs: &[Accumulator], heads: [Head; 2]) -> Self {
        let mut feature_weights = vec![[0; HIDDEN_SIZE]; 3 * MAILBOX_SIZE];
        for at in squares_in(BOARD) {
            for kind in 0..3 {
                let row = inputs.get(feature_index(kind, at)).copied();
                feature_weights[kind * MAILBOX_SIZE + usize::from(at)] =
                    row.unwrap_or([0; HIDDEN_SIZE]);
            }
        }
        Self { feature_weights, heads }
    }

    /// A network that only counts soldiers: where training may begin.
    pub(super) fn material_only() -> Self {
        let mut inputs = vec![[0; HIDDEN_SIZE]; FEATURES];
        let (white, black) = inputs.split_at_mut(81);
        white.iter_mut().for_each(|row| row[0] = UNIT_ONE / 8);
        black[..81].iter_mut().for_each(|row| row[1] = UNIT_ONE / 16);
        let mut head = Head {
            feature_bias: [0; HIDDEN_SIZE],
            second_weights: [[0; HIDDEN_SIZE]; SECOND_SIZE],
            second_bias: [0; SECOND_SIZE],
            output_weights: [0; SECOND_SIZE],
            output_bias: 0,
        };
        for (unit, points) in [(0, 800), (1, -800)] {
            head.second_weights[unit][unit] = WEIGHT_ONE as i16;
            head.output_weights[unit] = points * OUTPUT_ONE;
        }
        Self::new(&inputs, [head.clone(), head])
    }

    /// The weights of a piece on a square.
    pub(super) fn feature(&self, kind: usize, at: u8) -> &Accumulator {
        &self.feature_weights[kind % 3 * MAILBOX_SIZE + usize::from(at & 127)]
    }

    /// The static evaluation, in points for White.
    pub(super) fn evaluate(&self, accumulator: &Accumulator, black_to_move: bool) -> i32 {
        let head = &self.heads[usize::from(black_to_move)];
        let mut units = *accumulator;
        for (unit, bias) in units.iter_mut().zip(&head.feature_bias) {
            *unit = unit.wrapping_add(*bias).clamp(0, UNIT_ONE);
        }
        let second = head.second_weights.iter().zip(&head.second_bias).zip(&head.output_weights);
        let sum = second.fold(head.output_bias, |sum, ((weights, bias), output)| {
            let unit = (bias + dot(&units, weights)) >> WEIGHT_BITS;
            sum + unit.clamp(0, i32::from(UNIT_ONE)) * output
        });
        (sum / (i32::from(UNIT_ONE) * OUTPUT_ONE)).clamp(-MAX_POINTS, MAX_POINTS)
    }
}

/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"tablutn1";
const HEAD: usize = 2 * HIDDEN_SIZE * (1 + SECOND_SIZE) + 4 * (2 * SECOND_SIZE + 1);
const BYTES: usize = 8 + 3 * 4 + 2 * FEATURES * HIDDEN_SIZE + 2 * HEAD;

impl Network {
    /// The file's bytes, as `assets/engines/README.md` describes them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(MAGIC);
        for size in [FEATURES, HIDDEN_SIZE, SECOND_SIZE] {
            bytes.extend((size as u32).to_le_bytes());
        }
        let mut rows = vec![[0; HIDDEN_SIZE]; FEATURES];
        for at in squares_in(BOARD) {
            (0..3).for_each(|kind| rows[feature_index(kind, at)] = *self.feature(kind, at));
        }
        bytes.extend(rows.iter().flatten().flat_map(|number| number.to_le_bytes()));
        for head in &self.heads {
            let words = head.feature_bias.iter().chain(head.second_weights.iter().flatten());
            bytes.extend(words.flat_map(|number| number.to_le_bytes()));
            let longs =
                head.second_bias.iter().chain(&head.output_weights).chain([&head.output_bias]);
            bytes.extend(longs.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads the file's bytes.
    ///
    /// # Errors
    /// The bytes are not such a file; the text says why.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let magic = bytes.get(..MAGIC.len());
        if magic != Some(MAGIC.as_slice()) {
            return Err("no network of Tablut: it does not begin with 'tablutn1'".to_owned());
        }
        if bytes.len() != BYTES {
            return Err(format!("{} bytes where a network of Tablut has {BYTES}", bytes.len()));
        }
        let mut rest = &bytes[MAGIC.len()..];
        for (what, size) in
            [("inputs", FEATURES), ("hidden units", HIDDEN_SIZE), ("units", SECOND_SIZE)]
        {
            let [found] = read_i32s(&mut rest);
            if found != size as i32 {
                return Err(format!("{found} {what} where there are {size}"));
            }
        }
        let rows: Vec<Accumulator> = (0..FEATURES).map(|_| read_i16s(&mut rest)).collect();
        let mut head = || Head {
            feature_bias: read_i16s(&mut rest),
            second_weights: std::array::from_fn(|_| read_i16s(&mut rest)),
            second_bias: read_i32s(&mut rest),
            output_weights: read_i32s(&mut rest),
            output_bias: read_i32s::<1>(&mut rest)[0],
        };
        let heads = [head(), head()];
        let is_large = |number: &i32, max: i32| number.unsigned_abs() > max as u32;
        let first = rows.iter().chain(heads.iter().map(|head| &head.feature_bias)).flatten();
        let too_large = first
            .copied()
            .any(|number| number.unsigned_abs() > MAX_FEATURE_WEIGHT as u16)
            || heads.iter().any(|head| {
                head.second_bias
                    .iter()
                    .chain([&head.output_bias])
                    .any(|number| is_large(number, MAX_BIAS))
                    || head.output_weights.iter().any(|number| is_large(number, MAX_OUTPUT_WEIGHT))
            });
        if too_large {
            return Err("a weight out of range".to_owned());
        }
        Ok(Self::new(&rows, heads))
    }
}

/// The next 16-bit numbers of the file; zeros beyond its end.
fn read_i16s<const N: usize>(bytes: &mut &[u8]) -> [i16; N] {
    let (taken, rest) = bytes.split_at(bytes.len().min(2 * N));
    *bytes = rest;
    let mut words = taken.as_chunks::<2>().0.iter().copied().map(i16::from_le_bytes);
    std::array::from_fn(|_| words.next().unwrap_or(0))
}

/// The next 32-bit numbers of the file; zeros beyond its end.
fn read_i32s<const N: usize>(bytes: &mut &[u8]) -> [i32; N] {
    let (taken, rest) = bytes.split_at(bytes.len().min(4 * N));
    *bytes = rest;
    let mut longs = taken.as_chunks::<4>().0.iter().copied().map(i32::from_le_bytes);
    std::array::from_fn(|_| longs.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{super::squares::index, *};

    #[test]
    fn written_bytes_read_back() {
        let network = Network::material_only();
        let bytes = network.to_bytes();
        assert_eq!(bytes.len(), BYTES);
        assert_eq!(Network::read(&bytes), Ok(network));
    }

    #[test]
    fn invalid_bytes_are_refused_with_a_reason() {
        let bytes = Network::material_only().to_bytes();
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
    fn the_largest_weights_do_not_overflow() {
        let head = Head {
            feature_bias: [MAX_FEATURE_WEIGHT; HIDDEN_SIZE],
            second_weights: [[i16::MAX; HIDDEN_SIZE]; SECOND_SIZE],
            second_bias: [MAX_BIAS; SECOND_SIZE],
            output_weights: [MAX_OUTPUT_WEIGHT; SECOND_SIZE],
            output_bias: MAX_BIAS,
        };
        let network =
            Network::new(&vec![[MAX_FEATURE_WEIGHT; HIDDEN_SIZE]; FEATURES], [head.clone(), head]);
        let mut accumulator = [0; HIDDEN_SIZE];
        for at in 0..25 {
            add_feature(&mut accumulator, network.feature(0, index(at % 9, at / 9)));
        }
        assert_eq!(network.evaluate(&accumulator, false), MAX_POINTS);
    }
}
