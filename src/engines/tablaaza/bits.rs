//! A board as the solver sees it: masks, neighbours and symmetries.

use crate::games::{Side, tablaaza::Board};

/// A well spread number from another; different ones stay different (the
/// finishing step of SplitMix64).
pub(super) const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The numbers of a mask's squares, lowest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(at)
    }
}

/// A board's geometry: all that matters once only free and closed count.
///
/// The free squares are a graph with two colours of nodes, an edge where a
/// red and a green square share a corridor. A move takes a node of the mover's
/// colour away, and with it the opponent's nodes that have lost their last
/// edge by it.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    /// By square: those of the other colour that share a corridor.
    pub(super) near: [u64; 64],
    /// Red's squares and Green's.
    pub(super) colours: [u64; 2],
    rows: u32,
    columns: u32,
    /// Whether the board upside down is the same, colours too.
    turns_over: bool,
    /// Whether the board in the mirror is the same, colours exchanged.
    mirrors: bool,
    /// Squares that share a corridor with the one a half turn away; none of
    /// all when a half turn does not exchange the colours.
    meeting: Option<u64>,
}

impl Geometry {
    pub(super) fn of(board: &Board) -> Self {
        let colours = Side::BOTH.map(|side| board.coloured(side));
        let mut near = [0; 64];
        for (at, near) in near.iter_mut().enumerate() {
            let is_red = colours[0] >> at & 1 == 1;
            *near = board.corridors_at(at as u32) & colours[usize::from(is_red)];
        }
        let (rows, columns) = (u32::from(board.ranks()), u32::from(board.files()));
        let mut geometry =
            Self { near, colours, rows, columns, turns_over: false, mirrors: false, meeting: None };
        // Corridors follow from where the squares are.
        let maps = |map: &dyn Fn(u64) -> u64, [one, other]: [u64; 2]| {
            map(colours[0]) == one && map(colours[1]) == other
        };
        let [red, green] = colours;
        geometry.turns_over = maps(&|mask| geometry.over(mask), [red, green]);
        geometry.mirrors = maps(&|mask| geometry.mirrored(mask), [green, red]);
        if maps(&|mask| geometry.turned(mask), [green, red]) {
            let meets = |at: &usize| near[*at] & geometry.turned(1 << at) != 0;
            let mask = Bits(red | green).filter(meets).fold(0, |mask, at| mask | 1 << at);
            geometry.meeting = Some(mask);
        }
        geometry
    }

    /// Upside down: the top row becomes the bottom one.
    const fn over(&self, mask: u64) -> u64 {
        mask.swap_bytes() >> (64 - 8 * self.rows)
    }

    /// In the mirror: the first column becomes the last.
    const fn mirrored(&self, mask: u64) -> u64 {
        mask.swap_bytes().reverse_bits() >> (8 - self.columns)
    }

    /// A half turn.
    const fn turned(&self, mask: u64) -> u64 {
        self.over(self.mirrored(mask))
    }

    /// The least mask that is the same up to turning the board over, for a
    /// position with Red to move; `red` tells whether he is. None when the
    /// colours can't be exchanged.
    pub(super) fn canonical(&self, mask: u64, red: bool) -> Option<u64> {
        let mask = match (red, self.mirrors) {
            (true, _) => mask,
            (false, true) => self.mirrored(mask),
            (false, false) => return None,
        };
        Some(if self.turns_over { mask.min(self.over(mask)) } else { mask })
    }

    /// [`Geometry::canonical`] for a region, whoever is to move there.
    pub(super) fn region(&self, mask: u64) -> u64 {
        if self.turns_over { mask.min(self.over(mask)) } else { mask }
    }

    /// Whether the side to move loses because the other answers each move on
    /// the square a half turn away: that is always free, unless a stone closes
    /// both at once, which is why squares that share a corridor with their own
    /// image may not be free any more.
    pub(super) fn is_mirror_loss(&self, free: u64) -> bool {
        self.meeting.is_some_and(|meeting| free & meeting == 0 && self.turned(free) == free)
    }

    /// The free squares closed by a stone on `at`, its own included.
    #[inline]
    pub(super) fn closed_by(&self, free: u64, at: usize) -> u64 {
        let gone = 1 << at;
        let left = free & !gone;
        let mut closed = gone;
        for other in Bits(free & self.near[at]) {
            if self.near[other] & left == 0 {
                closed |= 1 << other;
            }
        }
        closed
    }

    /// The squares that a chain of corridors joins with those of `from`.
    #[inline]
    pub(super) fn joined(&self, free: u64, from: u64) -> u64 {
        let (mut found, mut fresh) = (from, from);
        while fresh != 0 {
            let at = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let more = self.near[at] & free & !found;
            found |= more;
            fresh |= more;
        }
        found
    }

    /// Of squares with the same neighbours left free, the lowest: a stone on
    /// the others leads to the same game.
    #[inline]
    pub(super) fn distinct(&self, mut own: u64, others: u64) -> u64 {
        let mut kept = 0;
        while own != 0 {
            let at = own.trailing_zeros() as usize;
            own &= own - 1;
            kept |= 1 << at;
            let near = self.near[at] & others;
            for twin in Bits(own) {
                if self.near[twin] & others == near {
                    own &= !(1 << twin);
                }
            }
        }
        kept
    }

    /// The same graph on the lowest squares: each of `own` moved to the lowest
    /// square of its colour that has the same neighbours among `others`.
    pub(super) fn lowered(&self, own: u64, others: u64, colour: u64) -> u64 {
        let mut lowered = 0;
        for at in Bits(own) {
            let near = self.near[at] & others;
            let Some(first) = Bits(near).next() else { return own };
            let twins = self.near[first] & colour & !lowered;
            let lowest = Bits(twins).find(|&twin| self.near[twin] & others == near);
            lowered |= 1 << lowest.unwrap_or(at);
        }
        lowered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tablaaza::LAKES;

    #[test]
    fn the_board_has_its_symmetries() {
        let board = Geometry::of(&LAKES);
        assert!(board.turns_over && board.mirrors);
        // Only d4 and e4 see each other across the middle.
        assert_eq!(board.meeting, Some(1 << 27 | 1 << 28));
        for at in Bits(LAKES.playing()) {
            for other in Bits(board.near[at]) {
                let images = |map: &dyn Fn(u64) -> u64| {
                    let [one, two] = [at, other].map(|at| map(1 << at).trailing_zeros() as usize);
                    board.near[one] >> two & 1 == 1
                };
                assert!(images(&|mask| board.over(mask)));
                assert!(images(&|mask| board.mirrored(mask)));
            }
        }
    }
}
