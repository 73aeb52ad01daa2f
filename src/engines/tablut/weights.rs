//! The weights of the evaluation's terms: their names, their numbers, and the
//! text they are kept in.
//!
//! Every weight is four numbers, in hundredths of a white soldier for White:
//! with White to move on a full board and on an empty one, and the same with
//! Black to move. Between full and empty the evaluation slides by the number
//! of men.
//!
//! The text has a line for each weight that is not nothing: the term's name,
//! which of its weights, the four numbers. For a man's place that is the king's
//! square and the man's, one pair for all eight that are alike by symmetry.

use std::{fmt::Write as _, sync::LazyLock};

use crate::games::{Square, tablut::Rules};

use super::{
    ground::{BLACK, WHITE},
    squares::{NUMBERS, number, of},
    state::Sums,
};

/// A term: its name and how many weights it has, one for each count.
#[derive(Clone, Copy, Debug)]
struct Term {
    name: &'static str,
    size: usize,
    first: usize,
}

macro_rules! terms {
    ($($(#[$doc:meta])* $id:ident $name:literal $size:literal after $before:expr;)*) => {
        $($(#[$doc])* pub(super) const $id: usize = $before;)*
        const NAMED: &[Term] = &[$(Term { name: $name, size: $size, first: $id }),*];
    };
}

terms! {
    /// The side to move.
    TEMPO "tempo" 1 after 0;
    /// White's soldiers, 0 to 8.
    WHITE_MEN "white_men" 9 after TEMPO + 1;
    /// Black's soldiers, 0 to 16.
    BLACK_MEN "black_men" 17 after WHITE_MEN + 9;
    /// Squares the king can move to.
    KING_REACH "king_reach" 17 after BLACK_MEN + 17;
    /// The king's sides that are shut by Black or by what stands for him: five
    /// on the castle, five next to it, five elsewhere.
    SHUT_SIDES "shut_sides" 15 after KING_REACH + 17;
    /// The king's sides where a white soldier stands.
    OWN_SIDES "own_sides" 5 after SHUT_SIDES + 15;
    /// Squares the king can move to from which a way home is open.
    PROSPECTS "prospects" 9 after OWN_SIDES + 5;
    /// Squares the king can move to from which two ways are open.
    FORKS "forks" 5 after PROSPECTS + 9;
    /// Ways home that only one white soldier bars.
    UNVEILED "unveiled" 5 after FORKS + 5;
    /// Ways home that only one black soldier bars.
    LONE_GUARDS "lone_guards" 5 after UNVEILED + 5;
    /// Squares that lack only a Black who gets there for the king to be taken:
    /// up to three out of Black's reach, then up to three within it.
    TAKERS "takers" 8 after LONE_GUARDS + 5;
}

const KING_AT: usize = TAKERS + 8;
const KING_PLACES: usize = 15;
const PAIRS_FROM: usize = KING_AT + KING_PLACES;
/// Pairs of squares that no symmetry of the board makes alike.
const PAIRS: usize = 861;
/// How many weights there are.
pub(super) const COUNT: usize = PAIRS_FROM + 2 * PAIRS;

const BY_KING: [&str; 2] = ["white_by_king", "black_by_king"];

/// Where men stand, seen from one king's square.
#[derive(Clone, Debug)]
pub(super) struct Places {
    king: Sums,
    soldiers: [[Sums; NUMBERS]; 2],
}

impl Places {
    pub(super) const fn king(&self) -> &Sums {
        &self.king
    }

    pub(super) fn soldier(&self, kind: usize, at: u8) -> &Sums {
        &self.soldiers[kind & 1][usize::from(at & 127)]
    }
}

/// All weights of a rule set.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    flat: Vec<Sums>,
    /// By the king's square.
    places: Vec<Places>,
}

/// The board's eight symmetries, on files and ranks from 0 to 8.
fn images((file, rank): (usize, usize)) -> [(usize, usize); 8] {
    let (left, down) = (8 - file, 8 - rank);
    [
        (file, rank),
        (left, rank),
        (file, down),
        (left, down),
        (rank, file),
        (down, file),
        (rank, left),
        (down, left),
    ]
}

/// Every pair of squares by its class, and a pair for each class.
struct Classes {
    of: Vec<u16>,
    pairs: Vec<(u8, u8)>,
    king: Vec<u8>,
    king_squares: Vec<u8>,
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let mut classes = Classes {
        of: vec![0; 81 * 81],
        pairs: Vec::new(),
        king: vec![0; 81],
        king_squares: vec![],
    };
    let squares = || (0..9).flat_map(|file| (0..9).map(move |rank| (file, rank)));
    let index = |(file, rank): (usize, usize)| file * 9 + rank;
    for king in squares() {
        let least = images(king).into_iter().min() == Some(king);
        if least {
            for image in images(king) {
                classes.king[index(image)] = classes.king_squares.len() as u8;
            }
            classes.king_squares.push(number(king.0, king.1));
        }
        for other in squares() {
            let pairs = || images(king).into_iter().zip(images(other));
            if pairs().min() == Some((king, other)) {
                for (king, other) in pairs() {
                    classes.of[index(king) * 81 + index(other)] = classes.pairs.len() as u16;
                }
                classes.pairs.push((number(king.0, king.1), number(other.0, other.1)));
            }
        }
    }
    classes
});

fn plain(at: u8) -> usize {
    super::squares::file(at) * 9 + super::squares::rank(at)
}

/// The number of the weight of the king's own place.
pub(super) fn king_at(king: u8) -> usize {
    KING_AT + usize::from(CLASSES.king[plain(king)])
}

/// The number of the weight of a soldier's place by the king's.
pub(super) fn soldier_at(kind: usize, king: u8, at: u8) -> usize {
    PAIRS_FROM + (kind & 1) * PAIRS + usize::from(CLASSES.of[plain(king) * 81 + plain(at)])
}

impl Weights {
    /// Weights in the order of their numbers; what is missing weighs nothing.
    pub(super) fn new(mut flat: Vec<Sums>) -> Self {
        flat.resize(COUNT, [0; 4]);
        let empty = Places { king: [0; 4], soldiers: [[[0; 4]; NUMBERS]; 2] };
        let mut places = vec![empty; NUMBERS];
        for (king, _) in super::ground::Ground::squares() {
            let here = &mut places[usize::from(king)];
            here.king = flat[king_at(king)];
            for (at, _) in super::ground::Ground::squares() {
                for kind in [WHITE, BLACK] {
                    here.soldiers[kind][usize::from(at)] = flat[soldier_at(kind, king, at)];
                }
            }
        }
        Self { flat, places }
    }

    pub(super) fn flat(&self) -> &[Sums] {
        &self.flat
    }

    pub(super) fn term(&self, number: usize) -> &Sums {
        &self.flat[number]
    }

    pub(super) fn places(&self, king: u8) -> &Places {
        &self.places[usize::from(king & 127)]
    }

    /// Set by hand, as a start for fitting: men, the king's freedom, threats.
    pub(super) fn by_hand(rules: &Rules) -> Self {
        let mut flat = vec![[0; 4]; COUNT];
        let mut ramp = |first: usize, count: usize, from: i32, step: i32| {
            for (at, weight) in flat[first..first + count].iter_mut().enumerate() {
                *weight = [from + step * at as i32; 4];
            }
        };
        ramp(WHITE_MEN, 9, 0, 100);
        ramp(BLACK_MEN, 17, 0, -55);
        ramp(KING_REACH, 17, 0, 5);
        ramp(SHUT_SIDES, 5, 0, -15);
        ramp(SHUT_SIDES + 5, 5, 0, -20);
        ramp(SHUT_SIDES + 10, 5, 0, -30);
        ramp(PROSPECTS, 9, 0, 25);
        ramp(UNVEILED, 5, 0, 25);
        ramp(LONE_GUARDS, 5, 0, 10);
        ramp(TAKERS, 4, 0, -15);
        ramp(TAKERS + 4, 4, -60, -30);
        flat[TEMPO] = [10, 10, -10, -10];
        for (at, weight) in flat[FORKS..FORKS + 5].iter_mut().enumerate().skip(1) {
            let more = 20 * at as i32;
            *weight = [300 + more, 300 + more, 80 + more, 80 + more];
        }
        let corners_only = rules.escapes().len() == 4;
        // Squares that slant off the corners shut them when only corners count.
        let slants = ["a3", "b2", "c1"].map(|name| name.parse::<Square>().ok());
        for (number, &(_, at)) in CLASSES.pairs.iter().enumerate() {
            let slant = slants.iter().flatten().any(|slant| {
                let slant = (usize::from(slant.file), usize::from(slant.rank));
                images(slant).contains(&(super::squares::file(at), super::squares::rank(at)))
            });
            if corners_only && slant {
                flat[PAIRS_FROM + PAIRS + number] = [-14; 4];
            }
        }
        Self::new(flat)
    }

    /// The weights as text.
    pub(super) fn write(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, which: &str, number: usize| {
            let [a, b, c, d] = self.flat[number];
            if [a, b, c, d] != [0; 4] {
                // Writing to a string never fails.
                _ = writeln!(text, "{name} {which} {a} {b} {c} {d}");
            }
        };
        for term in NAMED {
            for at in 0..term.size {
                line(term.name, &at.to_string(), term.first + at);
            }
        }
        let name = |at: u8| super::squares::square(at).to_string();
        for (class, &king) in CLASSES.king_squares.iter().enumerate() {
            line("king_at", &name(king), KING_AT + class);
        }
        for (kind, term) in BY_KING.iter().enumerate() {
            for (class, &(king, at)) in CLASSES.pairs.iter().enumerate() {
                let which = format!("{}:{}", name(king), name(at));
                line(term, &which, PAIRS_FROM + kind * PAIRS + class);
            }
        }
        text
    }

    /// Reads what [`Weights::write`] writes. Empty lines and lines that begin
    /// with `#` are skipped.
    ///
    /// # Errors
    /// A line that is none of it; the text says which and why.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut flat = vec![[0; 4]; COUNT];
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |why: &str| format!("line {}: {why}: '{line}'", at + 1);
            let words: Vec<_> = line.split_whitespace().collect();
            let [name, which, numbers @ ..] = words.as_slice() else {
                return Err(wrong("expected a term, which of it and four numbers"));
            };
            let number = place_of(name, which).ok_or_else(|| wrong("no such weight"))?;
            let numbers: Vec<i32> =
                numbers.iter().map_while(|number| number.parse().ok()).collect();
            flat[number] = numbers.try_into().map_err(|_| wrong("expected four numbers"))?;
        }
        Ok(Self::new(flat))
    }
}

/// The number of a weight by its term and which of it.
fn place_of(name: &str, which: &str) -> Option<usize> {
    let square = |name: &str| {
        let square = name.parse::<Square>().ok()?;
        (square.file < 9 && square.rank < 9).then(|| of(square))
    };
    if let Some(term) = NAMED.iter().find(|term| term.name == name) {
        let at = which.parse::<usize>().ok().filter(|at| *at < term.size)?;
        return Some(term.first + at);
    }
    if name == "king_at" {
        return Some(king_at(square(which)?));
    }
    let kind = BY_KING.iter().position(|term| *term == name)?;
    let (king, at) = which.split_once(':')?;
    Some(soldier_at(kind, square(king)?, square(at)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tablut::{ASHTON, BERKELEY, LINNAEUS};

    #[test]
    fn classes_cover_the_board() {
        assert_eq!(CLASSES.pairs.len(), PAIRS);
        assert_eq!(CLASSES.king_squares.len(), KING_PLACES);
        let last = NAMED.iter().map(|term| term.first + term.size).max();
        assert_eq!(last, Some(KING_AT));
        for pair in NAMED.windows(2) {
            assert_eq!(pair[0].first + pair[0].size, pair[1].first, "{}", pair[0].name);
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for rules in [ASHTON, BERKELEY, LINNAEUS] {
            let weights = Weights::by_hand(rules);
            let text = weights.write();
            let back = Weights::read(&text).unwrap();
            assert_eq!(back.flat, weights.flat);
            assert_eq!(back.write(), text);
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, why) in [
            ("tempo 0 1 2 3", "line 1: expected four numbers"),
            ("\ntempo 1 1 2 3 4", "line 2: no such weight"),
            ("black_by_king e5:k4 1 2 3 4", "line 1: no such weight"),
            ("tempo", "line 1: expected a term"),
        ] {
            let error = Weights::read(text).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
