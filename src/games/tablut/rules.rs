//! The three rule sets as values.
//!
//! Everything in which the Tabluts differ is a field here; the code that moves
//! and captures reads the fields and never asks which set it plays.

use crate::games::{Repetition, RuleSet, Side, Square};

use super::bitboard::{Bitboard, index};

/// e5, the castle (throne, konakis).
pub const CASTLE: Square = Square::new(4, 4);
pub(super) const CASTLE_BIT: Bitboard = Bitboard::of("e5");
/// The four squares round the castle.
pub(super) const CASTLE_SIDES: Bitboard = Bitboard::of("d5 e4 e6 f5");

/// a1, a9, i1 and i9.
pub const CORNERS: Bitboard = Bitboard::of("a1 a9 i1 i9");

/// All squares of the outermost ring.
pub const EDGE: Bitboard = Bitboard::of(
    "a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b9 c1 c9 d1 d9 e1 e9 f1 f9 g1 g9 h1 h9 \
     i1 i2 i3 i4 i5 i6 i7 i8 i9",
);

const CAMP_GROUPS: [Bitboard; 4] = [
    Bitboard::of("a4 a5 a6 b5"),
    Bitboard::of("d1 e1 f1 e2"),
    Bitboard::of("i4 i5 i6 h5"),
    Bitboard::of("d9 e9 f9 e8"),
];
const CAMP_CENTRES: Bitboard = Bitboard::of("a5 e1 i5 e9");

/// The 16 squares where Black starts, in four groups of four. Only the Ashton
/// rules treat them apart (see [`Rules::camps`]).
pub const CAMPS: Bitboard = CAMP_GROUPS[0].or(CAMP_GROUPS[1]).or(CAMP_GROUPS[2]).or(CAMP_GROUPS[3]);

/// Where White's soldiers start.
pub(super) const WHITE_START: Bitboard = Bitboard::of("e3 e4 e6 e7 c5 d5 f5 g5");

/// Whether Black starts on this square.
#[must_use]
pub const fn is_camp(square: Square) -> bool {
    CAMPS.contains(square)
}

/// The camp group that `square` belongs to; empty outside the camps.
pub(super) fn camp_of(square: u8) -> Bitboard {
    CAMP_GROUPS.into_iter().find(|group| group.has(square)).unwrap_or(Bitboard::EMPTY)
}

/// One of the two armies on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Army {
    /// The king and his Swedes, the defenders.
    White,
    /// The Muscovites, the attackers.
    Black,
}

impl Army {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// How Black takes the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KingCapture {
    /// Like a soldier, between the moved Black and another one or a square of
    /// [`Rules::hostile_to_king`]; but on the castle by four Blacks, and next
    /// to it by three with the castle as the fourth side.
    Flanked,
    /// By closing his four sides: each of them Black, the castle, a corner or
    /// the board's edge.
    Enclosed,
}

/// One Tablut. The three that exist are [`BERKELEY`], [`ASHTON`] and
/// [`LINNAEUS`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Its name.
    pub set: RuleSet,
    /// Who moves first.
    pub first: Army,
    /// Where the king is home: White wins when he stands there.
    pub goals: Bitboard,
    /// Squares on which only the king may stop.
    pub king_only: Bitboard,
    /// Squares that nobody enters or crosses.
    pub closed: Bitboard,
    /// Squares that nobody enters or crosses, except a black soldier that is
    /// still in the same group of four.
    pub camps: Bitboard,
    /// Whether the king takes part in captures, as the moved piece and as the
    /// one opposite.
    pub armed_king: bool,
    /// Squares that stand for a Black opposite when Black captures a soldier.
    pub hostile_to_white: Bitboard,
    /// Squares that stand for a White opposite when White captures.
    pub hostile_to_black: Bitboard,
    /// Squares that stand for a Black opposite when the king is captured.
    pub hostile_to_king: Bitboard,
    /// Whether the empty castle is hostile to both colours, and the castle with
    /// the king in it to White when its other three sides are black.
    pub castle_turns_hostile: bool,
    /// How the king is taken.
    pub king_capture: KingCapture,
    /// Whether a text still shows the king on the square where he was taken.
    /// The programs that the vectors come from do it in two of three sets.
    pub shows_fallen_king: bool,
    /// Whether the king's open ways are called out after White's moves.
    pub announces: bool,
    /// What a position that comes back does.
    pub repetition: Repetition,
}

/// Berkeley's Tablut: Black begins, the edge is home, nobody may repeat.
pub const BERKELEY: &Rules = &Rules {
    set: RuleSet::TablutBerkeley,
    first: Army::Black,
    goals: EDGE,
    king_only: CASTLE_BIT,
    closed: Bitboard::EMPTY,
    camps: Bitboard::EMPTY,
    armed_king: true,
    hostile_to_white: Bitboard::EMPTY,
    hostile_to_black: Bitboard::EMPTY,
    hostile_to_king: Bitboard::EMPTY,
    castle_turns_hostile: true,
    king_capture: KingCapture::Flanked,
    shows_fallen_king: false,
    announces: false,
    repetition: Repetition::MoverLoses,
};

/// Ashton's Tablut: White begins, camps and the castle are barriers, a
/// position that comes back is a draw.
pub const ASHTON: &Rules = &Rules {
    set: RuleSet::TablutAshton,
    first: Army::White,
    goals: EDGE,
    king_only: Bitboard::EMPTY,
    closed: CASTLE_BIT,
    camps: CAMPS,
    armed_king: true,
    hostile_to_white: CAMPS.or(CASTLE_BIT),
    // The centres could only back a soldier that is still at home.
    hostile_to_black: CAMPS.without(CAMP_CENTRES).or(CASTLE_BIT),
    hostile_to_king: CAMPS,
    castle_turns_hostile: false,
    king_capture: KingCapture::Flanked,
    shows_fallen_king: true,
    announces: false,
    repetition: Repetition::Draw { times: 2, since_capture: true },
};

/// Linnaeus' Tablut: White begins, the corners are home, an unarmed king.
pub const LINNAEUS: &Rules = &Rules {
    set: RuleSet::TablutLinnaeus,
    first: Army::White,
    goals: CORNERS,
    king_only: CORNERS.or(CASTLE_BIT),
    closed: Bitboard::EMPTY,
    camps: Bitboard::EMPTY,
    armed_king: false,
    hostile_to_white: CORNERS,
    hostile_to_black: CORNERS,
    hostile_to_king: Bitboard::EMPTY,
    castle_turns_hostile: false,
    king_capture: KingCapture::Enclosed,
    shows_fallen_king: true,
    announces: true,
    repetition: Repetition::Draw { times: 3, since_capture: false },
};

impl Rules {
    /// The army that a side leads.
    #[must_use]
    pub const fn army(&self, side: Side) -> Army {
        match side {
            Side::First => self.first,
            Side::Second => self.first.other(),
        }
    }

    /// The side that leads an army.
    #[must_use]
    pub const fn side(&self, army: Army) -> Side {
        match (self.first, army) {
            (Army::White, Army::White) | (Army::Black, Army::Black) => Side::First,
            (Army::White, Army::Black) | (Army::Black, Army::White) => Side::Second,
        }
    }

    /// Whether this rule set has a camp on `square`.
    #[must_use]
    pub const fn is_camp(&self, square: Square) -> bool {
        self.camps.contains(square)
    }

    /// Whether the king wins by standing on `square`.
    #[must_use]
    pub const fn is_goal(&self, square: Square) -> bool {
        self.goals.contains(square)
    }

    /// The squares on which the king can come home: [`Rules::goals`] without
    /// the camps he may not enter.
    #[must_use]
    pub const fn escapes(&self) -> Bitboard {
        self.goals.without(self.camps)
    }

    /// The squares a soldier may not enter or cross, or the king when
    /// `soldier_of` is none, standing on `from`.
    pub(super) fn walls(&self, soldier_of: Option<Army>, from: u8) -> Bitboard {
        let camps = match soldier_of {
            Some(Army::Black) if !self.camps.is_empty() => self.camps - camp_of(from),
            _ => self.camps,
        };
        self.closed | camps
    }

    /// The squares that stand for an enemy of `army`'s soldiers, whatever is
    /// on the rest of the board.
    pub(super) const fn hostile_to(&self, army: Army) -> Bitboard {
        match army {
            Army::White => self.hostile_to_white,
            Army::Black => self.hostile_to_black,
        }
    }
}

pub(super) const CASTLE_INDEX: u8 = match index(CASTLE) {
    Some(index) => index,
    None => 0,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_the_squares_the_rules_name() {
        assert_eq!((CAMPS.len(), EDGE.len(), CORNERS.len()), (16, 32, 4));
        assert_eq!(WHITE_START.len(), 8);
        assert!(EDGE.covers(CORNERS));
        assert!(!CAMPS.meets(WHITE_START | CORNERS | CASTLE_BIT));
        assert!(is_camp(Square::new(0, 3)) && !is_camp(CASTLE));
        assert_eq!(Bitboard::one(CASTLE_INDEX), CASTLE_BIT);
    }

    #[test]
    fn ashton_has_twenty_escapes_and_linnaeus_four() {
        assert_eq!(ASHTON.escapes().len(), 20);
        assert_eq!(BERKELEY.escapes().len(), 32);
        assert_eq!(LINNAEUS.escapes(), CORNERS);
    }

    #[test]
    fn sides_follow_who_begins() {
        assert_eq!(BERKELEY.army(Side::First), Army::Black);
        assert_eq!(ASHTON.army(Side::First), Army::White);
        for rules in [BERKELEY, ASHTON, LINNAEUS] {
            for side in Side::BOTH {
                assert_eq!(rules.side(rules.army(side)), side);
                let name = format!("{:?}", rules.army(side));
                assert_eq!(rules.set.side_name(side), name);
            }
        }
    }
}
