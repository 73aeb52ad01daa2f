//! Mutates inputs into ones that are nearly valid.

use crate::common::games::Numbers;

/// Numbers that overflow an integer type, and characters of several bytes.
const EDGE_CASES: [&str; 22] = [
    "0",
    "-1",
    "00000000000000000000000001",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "\u{feff}",
    "é",
    "\u{202e}",
    "𝔢4",
    "ß",
    "İ",
    "\0",
    "\r\n",
    "\u{2028}",
    "\u{85}",
    "\u{1b}[2J",
];

/// The longest input, in bytes.
const MAX_INPUT_BYTES: usize = 16 << 10;

/// Returns one of the pool's inputs with a few changes.
pub(crate) fn mutate(numbers: &mut Numbers, pool: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut input = numbers.pick(pool);
    let times = 1 + numbers.below(4).min(numbers.below(4));
    for _ in 0..times {
        change(numbers, &mut input, pool, words);
    }
    input.truncate(MAX_INPUT_BYTES);
    input
}

/// Makes one random change.
fn change(numbers: &mut Numbers, input: &mut Vec<u8>, pool: &[Vec<u8>], words: &[&str]) {
    let at = numbers.below(input.len() + 1);
    let length = 1 + numbers.below(8).min(numbers.below(64));
    let end = (at + length).min(input.len());
    match numbers.below(12) {
        0 if at < input.len() => input[at] ^= 1 << numbers.below(8),
        1 if at < input.len() => {
            input[at] = numbers.pick(b" \n\t[]{}\"\\;.-+x^~/0129aeiKWBSNrgp?*t");
        }
        2 => {
            input.drain(at..end);
        }
        3 => {
            let copy = input[at..end].to_vec();
            let to = numbers.below(input.len() + 1);
            input.splice(to..to, copy);
        }
        4 => input.truncate(at),
        5 | 6 => {
            let word = numbers.pick(words);
            input.splice(at..at, word.bytes());
        }
        7 => {
            let word = numbers.pick(&EDGE_CASES);
            input.splice(at..at, word.bytes());
        }
        8 => {
            // Splice with the end of another input.
            let other = numbers.pick(pool);
            let from = numbers.below(other.len() + 1);
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        9 => replace_word(numbers, input, words),
        _ => change_line(numbers, input),
    }
}

/// Replaces a word.
fn replace_word(numbers: &mut Numbers, input: &mut Vec<u8>, words: &[&str]) {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let at = numbers.below(input.len() + 1);
    let begin = input[..at].iter().rposition(is_space).map_or(0, |index| index + 1);
    let end = input[at..].iter().position(is_space).map_or(input.len(), |index| at + index);
    let word = if numbers.below(4) == 0 { numbers.pick(&EDGE_CASES) } else { numbers.pick(words) };
    input.splice(begin..end, word.bytes());
}

/// Removes, repeats or moves a line.
fn change_line(numbers: &mut Numbers, input: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = input.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let line = numbers.below(lines.len());
    let taken = if numbers.below(2) == 0 { lines[line].clone() } else { lines.remove(line) };
    if numbers.below(3) > 0 {
        lines.insert(numbers.below(lines.len() + 1), taken);
    }
    *input = lines.join(&b'\n');
}
