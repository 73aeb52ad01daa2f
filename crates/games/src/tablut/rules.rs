//! The rule sets of Tablut, as data.
//!
//! Every difference between the rule sets is a field of [`Rules`]. The rules read the
//! fields and never ask which rule set is played.

use crate::{AnyRules, Repetition, RuleSet, Side, Square};

use super::{
    bitboard::Bitboard,
    line_tables::{BLACK, KING, LineMasks, LineTables, Lines},
    mailbox::{FRAME, file, from_square, index, neighbours, rank},
};

/// e5, the castle (throne, konakis).
pub const CASTLE: Square = Square::new(4, 4);
pub(super) const CASTLE_BIT: Bitboard = Bitboard::of("e5");
/// The index of the castle.
pub(super) const CASTLE_INDEX: u8 = from_square(CASTLE);
/// The neighbours of the castle.
pub(super) const CASTLE_NEIGHBOURS: Bitboard = Bitboard::from_bits(neighbours(CASTLE_INDEX));

/// The corners a1, a9, i1 and i9.
pub const CORNERS: Bitboard = Bitboard::of("a1 a9 i1 i9");

/// The squares of the edge, corners included.
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

/// The 16 squares where Black starts, in four groups of four. Only Ashton's rules
/// give them a meaning (see [`Rules::camps`]).
pub const CAMPS: Bitboard = CAMP_GROUPS[0].or(CAMP_GROUPS[1]).or(CAMP_GROUPS[2]).or(CAMP_GROUPS[3]);

/// The squares where White's soldiers start.
pub(super) const WHITE_START: Bitboard = Bitboard::of("e3 e4 e6 e7 c5 d5 f5 g5");

/// The camp group that `square` belongs to; empty outside the camps.
pub(super) const fn camp_of(square: u8) -> Bitboard {
    let mut group = 0;
    while group < CAMP_GROUPS.len() {
        if CAMP_GROUPS[group].has(square) {
            return CAMP_GROUPS[group];
        }
        group += 1;
    }
    Bitboard::EMPTY
}

/// One of the two armies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Army {
    /// The defenders: the king and his Swedes.
    White,
    /// The attackers: the Muscovites.
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

/// How Black captures the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KingCapture {
    /// Like a soldier, between the moved black soldier and another one or a square of
    /// [`Rules::hostile_to_king`]. On the castle by four black soldiers, and next to
    /// it by three, with the castle on the fourth side.
    Flanked,
    /// By closing his four sides: each a black soldier, the castle, a corner or the
    /// edge of the board.
    Enclosed,
}

/// A rule set of Tablut: [`BERKELEY`], [`ASHTON`], [`LINNAEUS`] or [`SAAMI`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Its name.
    pub set: RuleSet,
    /// The army that moves first.
    pub first: Army,
    /// The goal squares: White wins when the king stands on one.
    pub goals: Bitboard,
    /// Squares where only the king may stop.
    pub king_only: Bitboard,
    /// Squares that no piece may enter or cross.
    pub closed: Bitboard,
    /// Squares that no piece may enter or cross, except a black soldier that has not
    /// left the same group of four.
    pub camps: Bitboard,
    /// Whether the king takes part in captures, by moving or on the far side.
    pub armed_king: bool,
    /// Squares that count as a black soldier when Black captures a soldier.
    pub hostile_to_white: Bitboard,
    /// Squares that count as a white soldier when White captures.
    pub hostile_to_black: Bitboard,
    /// Squares that count as a black soldier when the king is captured.
    pub hostile_to_king: Bitboard,
    /// Whether the empty castle is hostile to both armies.
    pub empty_castle_hostile: bool,
    /// Whether the castle with the king is hostile to White if its other three sides are
    /// black.
    pub besieged_castle_hostile: bool,
    /// How the king is captured.
    pub king_capture: KingCapture,
    /// Whether a position's text still shows a captured king on his square, as in the
    /// test vectors of two of the rule sets.
    pub shows_captured_king: bool,
    /// Whether Raichi and Tuichi are announced after White's moves.
    pub announces: bool,
    /// The repetition rule.
    pub repetition: Repetition,
    /// What follows from the other fields: [`Rules::with_tables`] makes it.
    pub lines: LineTables,
}

/// Berkeley's Tablut: Black begins, the edge is the goal, repeating loses.
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
    empty_castle_hostile: true,
    besieged_castle_hostile: true,
    king_capture: KingCapture::Flanked,
    shows_captured_king: false,
    announces: false,
    repetition: Repetition::MoverLoses,
    lines: LineTables::EMPTY,
}
.with_tables();

/// Ashton's Tablut: White begins, camps and castle are barriers, a repetition is a
/// draw.
pub const ASHTON: &Rules = &Rules {
    set: RuleSet::TablutAshton,
    first: Army::White,
    goals: EDGE,
    king_only: Bitboard::EMPTY,
    closed: CASTLE_BIT,
    camps: CAMPS,
    armed_king: true,
    hostile_to_white: CAMPS.or(CASTLE_BIT),
    // A camp's centre would only matter for a soldier that has not left the camp.
    hostile_to_black: CAMPS.without(CAMP_CENTRES).or(CASTLE_BIT),
    hostile_to_king: CAMPS,
    empty_castle_hostile: false,
    besieged_castle_hostile: false,
    king_capture: KingCapture::Flanked,
    shows_captured_king: true,
    announces: false,
    // A capture restarts the count; no position before it can return anyway.
    repetition: Repetition::Draw { times: 2 },
    lines: LineTables::EMPTY,
}
.with_tables();

/// Linnaeus' Tablut: White begins, the corners are the goal, the king is unarmed.
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
    empty_castle_hostile: false,
    besieged_castle_hostile: false,
    king_capture: KingCapture::Enclosed,
    shows_captured_king: true,
    announces: true,
    repetition: Repetition::Draw { times: 3 },
    lines: LineTables::EMPTY,
}
.with_tables();

/// Saami Tablut: Black begins, the edge is the goal, the king's castle protects those beside
/// it, a third occurrence is a draw.
pub const SAAMI: &Rules = &Rules {
    set: RuleSet::TablutSaami,
    besieged_castle_hostile: false,
    repetition: Repetition::Draw { times: 3 },
    ..*BERKELEY
}
.with_tables();

/// All rule sets of Tablut.
///
/// ```
/// use tabulae_games::tablut::{self, Position, SAAMI};
///
/// assert!(tablut::rule_sets().any(|rules| rules == SAAMI));
/// assert!(tablut::rule_sets().map(Position::start).all(|start| start.pieces().count() == 25));
/// ```
pub fn rule_sets() -> impl Iterator<Item = &'static Rules> {
    RuleSet::ALL.into_iter().filter_map(|set| match set.rules() {
        AnyRules::Tablut(rules) => Some(rules),
        AnyRules::Tablan(_) | AnyRules::Tablaaza => None,
    })
}

impl Rules {
    /// The army of a side.
    pub const fn army(&self, side: Side) -> Army {
        match side {
            Side::First => self.first,
            Side::Second => self.first.other(),
        }
    }

    /// The side of an army.
    pub const fn side(&self, army: Army) -> Side {
        match (self.first, army) {
            (Army::White, Army::White) | (Army::Black, Army::Black) => Side::First,
            (Army::White, Army::Black) | (Army::Black, Army::White) => Side::Second,
        }
    }

    /// Whether `square` is a camp of this rule set.
    pub const fn is_camp(&self, square: Square) -> bool {
        self.camps.contains(square)
    }

    /// Whether the king wins on `square`.
    pub const fn is_goal(&self, square: Square) -> bool {
        self.goals.contains(square)
    }

    /// Whether the king wins at the corners, not on the edge.
    pub const fn has_corner_goals(&self) -> bool {
        EDGE.without(self.goals).is_superset(EDGE.without(CORNERS))
    }

    /// The goal squares that the king can enter: [`Rules::goals`] without camps.
    pub const fn escapes(&self) -> Bitboard {
        self.goals.without(self.camps)
    }

    /// The same rules with the tables that follow from them.
    #[must_use]
    pub const fn with_tables(mut self) -> Self {
        self.lines = line_tables(&self);
        self
    }
}

/// The tables of a rule set.
const fn line_tables(rules: &Rules) -> LineTables {
    let mut masks = LineTables::EMPTY.masks;
    let mut at = 0;
    while at < 81 {
        let square = index(at / 9, at % 9);
        let mut kind = 0;
        while kind < 3 {
            masks[kind][square as usize] = line_masks(rules, kind, square);
            kind += 1;
        }
        at += 1;
    }
    LineTables {
        masks,
        closed: Lines::of(rules.closed.bits()),
        goals: Lines::of(rules.goals.bits()),
        hostile_to_king: match rules.king_capture {
            KingCapture::Flanked => rules.hostile_to_king.bits(),
            KingCapture::Enclosed => FRAME | CASTLE_BIT.or(CORNERS).bits(),
        },
    }
}

const fn line_masks(rules: &Rules, kind: usize, at: u8) -> LineMasks {
    let blockers = Lines::of(blockers(rules, kind, at).bits());
    let targets = if kind == KING { Bitboard::ALL } else { Bitboard::ALL.without(rules.king_only) };
    let targets = Lines::of(targets.bits());
    LineMasks {
        row_blockers: blockers.rows[rank(at)],
        column_blockers: blockers.columns[file(at)],
        row_targets: targets.rows[rank(at)],
        column_targets: targets.columns[file(at)],
    }
}

/// The squares that a piece of `kind` on `from` may not enter or cross. A black soldier may
/// leave its own camp, and move within it.
pub(super) const fn blockers(rules: &Rules, kind: usize, from: u8) -> Bitboard {
    let camps = if kind == BLACK { rules.camps.without(camp_of(from)) } else { rules.camps };
    rules.closed.or(camps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_special_squares_are_where_the_rules_name_them() {
        assert_eq!((CAMPS.len(), EDGE.len(), CORNERS.len()), (16, 32, 4));
        assert_eq!(WHITE_START.len(), 8);
        assert!(EDGE.is_superset(CORNERS));
        assert!((CAMPS & (WHITE_START | CORNERS | CASTLE_BIT)).is_empty());
        assert!(CAMPS.contains(Square::new(0, 3)) && !CAMPS.contains(CASTLE));
        assert_eq!(Bitboard::one(CASTLE_INDEX), CASTLE_BIT);
    }

    #[test]
    fn ashton_has_twenty_escapes_and_linnaeus_four() {
        assert_eq!(ASHTON.escapes().len(), 20);
        assert_eq!(BERKELEY.escapes().len(), 32);
        assert_eq!(LINNAEUS.escapes(), CORNERS);
    }

    #[test]
    fn sides_and_armies_match_the_first_mover() {
        assert_eq!(BERKELEY.army(Side::First), Army::Black);
        assert_eq!(ASHTON.army(Side::First), Army::White);
        for rules in rule_sets() {
            for side in Side::BOTH {
                assert_eq!(rules.side(rules.army(side)), side);
                let name = format!("{:?}", rules.army(side));
                assert_eq!(rules.set.side_name(side), name);
            }
        }
    }
}
