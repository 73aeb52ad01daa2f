//! What a Tablut position is worth, term by term.

use super::beside;
use crate::games::{
    Square,
    tablut::{Army, CASTLE, CORNERS, Position},
};

/// What the terms weigh, in hundredths of a white soldier.
mod weights {
    /// A white soldier.
    pub(super) const WHITE: i32 = 100;
    /// A black soldier; there are twice as many.
    pub(super) const BLACK: i32 = 50;
    /// A square the king can move to: his freedom.
    pub(super) const FREEDOM: i32 = 5;
    /// One open way home that Black must close at once.
    pub(super) const ONE_WAY: i32 = 60;
    /// Two or more, of which Black can hardly close all.
    pub(super) const TWO_WAYS: i32 = 900;
    /// A black soldier next to the king.
    pub(super) const BESIDE_KING: i32 = 30;
    /// A step nearer home, as the crow flies.
    pub(super) const NEARER: i32 = 10;
    /// A black soldier on a square that slants off a corner, where the corners
    /// are the only homes: four such squares shut a corner's approaches.
    pub(super) const GUARD: i32 = 14;
    /// Being on turn.
    pub(super) const TEMPO: i32 = 8;
}

/// The worth for the side to move, in hundredths of a white soldier.
pub(super) fn evaluate(position: &Position) -> i32 {
    let Some(king) = position.king() else { return 0 };
    let reach = position.reach(king);
    let rules = position.rules();
    let ways = match (reach & rules.homes).len() {
        0 => 0,
        1 => weights::ONE_WAY,
        _ => weights::TWO_WAYS,
    };
    let crowd = (beside(king) & position.black_soldiers()).len() as i32;
    let only_corners = rules.homes == CORNERS;
    let guards = if only_corners { guards(position) } else { 0 };
    let white = weights::WHITE * position.white_soldiers().len() as i32
        - weights::BLACK * position.black_soldiers().len() as i32
        + weights::FREEDOM * reach.len() as i32
        + ways
        + weights::NEARER * steps_nearer(king, only_corners)
        - weights::BESIDE_KING * crowd
        - weights::GUARD * guards;
    weights::TEMPO
        + match position.to_move() {
            Army::White => white,
            Army::Black => -white,
        }
}

/// How many steps the king is nearer to a home than on the castle.
fn steps_nearer(king: Square, only_corners: bool) -> i32 {
    let off = |at: u8, middle: u8| i32::from(at.abs_diff(middle));
    let (across, up) = (off(king.file, CASTLE.file), off(king.rank, CASTLE.rank));
    if only_corners { across + up } else { across.max(up) }
}

/// How many of the squares that slant off the corners are black.
fn guards(position: &Position) -> i32 {
    const SLANTS: &str = "a3 b2 c1 a7 b8 c9 g1 h2 i3 g9 h8 i7";
    const GUARDED: crate::games::tablut::Bits = crate::games::tablut::Bits::of(SLANTS);
    (position.black_soldiers() & GUARDED).len() as i32
}
