//! The games and their rule sets in a few words, for those who choose one.

use crate::games::{GameKind, RuleSet};

/// The three games, in the order of their cards.
pub(super) const GAMES: [GameKind; 3] = [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza];

/// A game's name.
pub(super) const fn name(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => "Tablut",
        GameKind::Tablan => "Tablan",
        GameKind::Tablaaza => "Tablaaza",
    }
}

/// What kind of game it is.
pub(super) const fn kind(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => "Lapland's siege",
        GameKind::Tablan => "A running fight from Mysore",
        GameKind::Tablaaza => "Stones between two lakes",
    }
}

/// A game in two lines.
pub(super) const fn account(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => {
            "The king and his eight try to break out of the ring of sixteen that closes round \
             them."
        }
        GameKind::Tablan => {
            "Four casting sticks drive two rows of twelve along a winding course to the far side."
        }
        GameKind::Tablaaza => {
            "Fill the corridors, raise pavilions on your rival's squares, make the last move."
        }
    }
}

/// A rule set's name among its game's.
pub(super) const fn variant(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::TablutBerkeley => "Berkeley",
        RuleSet::TablutAshton => "Ashton",
        RuleSet::TablutLinnaeus => "Linnaeus",
        RuleSet::Tablan => "Plain",
        RuleSet::TablanOrdered => "Ordered",
        RuleSet::Tablaaza => "Perkis",
    }
}

/// What differs in a rule set, and where it comes from.
pub(super) const fn difference(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::TablutBerkeley => {
            "Black begins. Any edge square is home for the king; bringing a position back loses. \
             As set by a programming course at Berkeley."
        }
        RuleSet::TablutAshton => {
            "White begins. Camps close to all but their own; the castle stays shut once left. \
             John Ashton's reading of the sources."
        }
        RuleSet::TablutLinnaeus => {
            "White begins. Only a corner is home, and the king takes no piece. After Linnaeus' \
             Lapland diary of 1732."
        }
        RuleSet::Tablan => {
            "The last row may be filled in any order; whoever brings more pieces there wins. \
             From Damian Walker's leaflet."
        }
        RuleSet::TablanOrdered => {
            "The last row is filled square by square, the furthest first. The variation in Damian \
             Walker's leaflet."
        }
        RuleSet::Tablaaza => {
            "The first reply must be neighbourly; who cannot play has lost. Invented by Andrew \
             Perkis, 2005."
        }
    }
}

/// How a game is won and what a move is, for the help.
pub(super) const fn aim(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::TablutBerkeley => {
            "White brings the king to any edge square; Black captures him. Every piece goes any \
             distance in a straight line over free squares. A soldier caught between two enemies \
             by the enemy's own move is taken; the empty castle counts as an enemy. The king on \
             his castle falls to four, beside it to three, elsewhere to two."
        }
        RuleSet::TablutAshton => {
            "White brings the king to an edge square that is no camp; Black captures him. Every \
             piece goes any distance in a straight line over free squares. A soldier caught \
             between two enemies, or an enemy and a camp or the castle, is taken. The king on his \
             castle falls to four, beside it to three, elsewhere to two."
        }
        RuleSet::TablutLinnaeus => {
            "White brings the king to a corner; Black surrounds him. Every piece goes any distance \
             in a straight line over free squares. A soldier caught between two enemy soldiers, or \
             a soldier and a corner, is taken. The king falls only when all his sides are closed. \
             Raichi! means one way home is open, Tuichi! two."
        }
        RuleSet::Tablan => {
            "Throw the sticks and use the whole score: one piece goes all of it, or two pieces half \
             each. Pieces pass over others and capture by landing. The first to have all remaining \
             pieces on the last row ends the game; more pieces there wins."
        }
        RuleSet::TablanOrdered => {
            "Throw the sticks and use the whole score: one piece goes all of it, or two pieces half \
             each. Pieces pass over others and capture by landing. The last row is filled in order, \
             the furthest square first; more pieces there at the end wins."
        }
        RuleSet::Tablaaza => {
            "Play a stone on a free square of your own colour. When you have filled all your \
             squares in the row and the column of a free square of the other colour, a pavilion of \
             yours closes it. Whoever cannot play has lost."
        }
    }
}

/// How to make a move with the mouse.
pub(super) const fn with_the_mouse(game: GameKind) -> &'static [&'static str] {
    match game {
        GameKind::Tablut => &[
            "Click one of your pieces: the squares it can reach light up. Click one of them.",
            "Or hold the piece and drag it there.",
        ],
        GameKind::Tablan => &[
            "Click the sticks, or the Throw button, to throw.",
            "Click a piece, then the lit square it goes to. For a move of two pieces click the \
             first and its half step, then the second and its own.",
            "Where a click could mean more than one move, the table asks.",
        ],
        GameKind::Tablaaza => &["Click a lit square of your colour: the stone is played there."],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_set_has_words_of_its_own() {
        for (index, rules) in RuleSet::ALL.into_iter().enumerate() {
            for other in RuleSet::ALL.into_iter().skip(index + 1) {
                assert_ne!(difference(rules), difference(other), "{rules} and {other}");
                assert_ne!(aim(rules), aim(other), "{rules} and {other}");
            }
            assert!(rules.title().starts_with(name(rules.game())));
            assert!(!with_the_mouse(rules.game()).is_empty());
        }
    }
}
