//! What a Tablan position is worth, term by term.

use crate::games::{
    Game as _, Side,
    tablan::{HOME_ROW, LAST_ROW, Position, opposite},
};

/// The worth of a game won.
pub(super) const WON: i32 = 3000;

/// What the terms weigh, in hundredths of a piece. Tried against each other in
/// a few hundred games with shallow looks.
mod weights {
    /// A piece that has not been captured.
    pub(super) const ALIVE: i32 = 100;
    /// A piece that has arrived counts at the end and is safe.
    pub(super) const ARRIVED: i32 = 200;
    /// A square of progress along the course.
    pub(super) const STEP: i32 = 2;
    /// A piece that a throw of weight 1 of 16 captures.
    pub(super) const EXPOSED: i32 = 10;
    /// Holding the sticks.
    pub(super) const TEMPO: i32 = 15;
    /// Of each piece one is likely to be ahead at the end, in percent.
    pub(super) const RACE: i32 = 50;
}

/// The worth for `me`, in hundredths of a piece; the position waits for a throw.
pub(super) fn evaluate(position: &Position, me: Side) -> i32 {
    let other = me.other();
    let tempo = if position.side() == me { weights::TEMPO } else { -weights::TEMPO };
    let race = weights::RACE * margin(position, me) / 100;
    stand(position, me) - stand(position, other) + race + tempo
}

/// What one side has: pieces, arrivals and progress, less what is exposed.
fn stand(position: &Position, side: Side) -> i32 {
    let places = position.places(side);
    weights::ALIVE * places.count_ones() as i32
        + weights::ARRIVED * position.home_count(side) as i32
        + weights::STEP * progress(places)
        - weights::EXPOSED * exposure(position, side)
}

/// By how many hundredths of a piece `me` is likely to be ahead at the end, if
/// both run home at the same speed and nobody is captured any more.
fn margin(position: &Position, me: Side) -> i32 {
    let (mine, theirs) = (position.places(me), position.places(me.other()));
    let (my_way, their_way) = (way(mine), way(theirs));
    if my_way <= their_way {
        100 * mine.count_ones() as i32 - arrivals(theirs, my_way)
    } else {
        arrivals(mine, their_way) - 100 * theirs.count_ones() as i32
    }
}

/// The steps all pieces together need to the last row.
fn way(places: u64) -> i32 {
    36 * places.count_ones() as i32 - progress(places)
}

/// How many hundredths of pieces are home after so many steps, the nearest
/// pieces running first.
fn arrivals(places: u64, mut steps: i32) -> i32 {
    let mut home = 100 * (places & LAST_ROW).count_ones() as i32;
    let mut rest = places & !LAST_ROW;
    while rest != 0 {
        let place = 63 - rest.leading_zeros();
        let needed = 36 - place as i32;
        if steps < needed {
            return home + 100 * steps / needed;
        }
        steps -= needed;
        home += 100;
        rest ^= 1 << place;
    }
    home
}

/// Squares travelled by all pieces; on the last row no further ones count.
fn progress(places: u64) -> i32 {
    let arrived = (places & LAST_ROW).count_ones() as i32;
    let mut rest = places & !LAST_ROW;
    let mut sum = 36 * arrived;
    while rest != 0 {
        sum += rest.trailing_zeros() as i32;
        rest &= rest - 1;
    }
    sum
}

/// How often of 16 throws the pieces of `side` are captured, added up: by one
/// piece going 2, 8 or 12, or one of two going half of that.
fn exposure(position: &Position, side: Side) -> i32 {
    let hunters = position.places(side.other()) & !LAST_ROW;
    // Rule 16: on the hunters' own home row nobody is captured. Where the last
    // row fills in order, hardly anybody is captured there either.
    let safe = if position.rules().ordered_entry { HOME_ROW | LAST_ROW } else { HOME_ROW };
    let prey = opposite(position.places(side)) & !safe;
    let hit = |score: u32| ((hunters << score | hunters << (score / 2)) & prey).count_ones() as i32;
    4 * hit(2) + hit(8) + hit(12)
}
