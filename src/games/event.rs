//! What a ply did, for whoever shows, sounds or writes it.

use std::fmt;

use super::{Side, Square, Throw};

/// One thing that happened in a ply. A ply's events come in the order in
/// which a person at a table would see them.
///
/// ```
/// use tabulae::games::{Announcement, AnyMove, AnyPosition, Event, Game, GameKind, GameHistory, Ply, RuleSet};
///
/// // The king leaves his castle and sees two open ways.
/// let text = "4B4/9/9/9/4K4/9/9/9/9 w";
/// let start = AnyPosition::parse(RuleSet::TablutLinnaeus, text)?;
/// assert_eq!(start.rules().game(), GameKind::Tablut);
/// let mut line = GameHistory::new(start);
/// let mv: AnyMove = line.position().parse_move("e5-e1")?;
/// let events = line.push(Ply::Move(mv))?;
/// assert!(matches!(events[0], Event::Slid { .. }));
/// assert!(events.contains(&Event::Announced(Announcement::Tuichi)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A piece moved.
    Slid {
        /// Where it stood.
        from: Square,
        /// Where it stands now.
        to: Square,
    },
    /// A piece of `side` left the board. On a landing capture it comes before
    /// the `Slid` of its captor.
    Captured {
        /// Where it stood.
        at: Square,
        /// Whose it was.
        side: Side,
    },
    /// A stone was played.
    Placed {
        /// Where.
        at: Square,
        /// By whom.
        side: Side,
    },
    /// A pavilion rose.
    PavilionRaised {
        /// Where.
        at: Square,
        /// By whom.
        side: Side,
    },
    /// The sticks were thrown.
    Thrown {
        /// By whom.
        side: Side,
        /// The outcome.
        throw: Throw,
    },
    /// A null score: `side` passes the sticks to the opponent.
    Passed {
        /// Who threw it.
        side: Side,
    },
    /// The score could not be used: the throw is lost, `side` throws again.
    Lost {
        /// Who threw it.
        side: Side,
    },
    /// Something the rules call out.
    Announced(Announcement),
    /// The game ended.
    Ended(End),
}

/// What the rules call out aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Announcement {
    /// The king sees one open way to a corner.
    Raichi,
    /// The king sees two open ways to corners.
    Tuichi,
    /// The throwing-off is decided: this side starts, with the 2 it threw.
    Starts(Side),
}

/// How a game ended.
///
/// ```
/// use tabulae::games::{AnyPosition, End, Game, GameHistory, Ply, EndReason, RuleSet, Side, Turn};
///
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?;
/// let mut line = GameHistory::new(start);
/// let home = line.parse("e3-a3")?;
/// line.push(home)?;
/// let end = End { winner: Some(Side::Second), reason: EndReason::Escape };
/// assert_eq!(line.turn(), Turn::Over(end));
/// assert_eq!((end.result(), end.reason.to_string().as_str()), ("p2win", "escape"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: EndReason,
}

impl End {
    /// The result in the protocol's words: `p1win`, `p2win` or `draw`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Side::First) => "p1win",
            Some(Side::Second) => "p2win",
            None => "draw",
        }
    }
}

/// Why a game ended. `Display` is the protocol's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// Tablut: the king is home.
    Escape,
    /// Tablut: the king is taken.
    KingCaptured,
    /// Tablut and Tablaaza: the side to move cannot.
    NoMoves,
    /// Tablut: the position came back once too often.
    Repetition,
    /// Tablan: one player has all his remaining pieces on the last row.
    AllHome,
    /// Tablan: one player has no piece left.
    NoPieces,
    /// Tablan: neither player can use any score ever again.
    Deadlock,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::Escape,
        Self::KingCaptured,
        Self::NoMoves,
        Self::Repetition,
        Self::AllHome,
        Self::NoPieces,
        Self::Deadlock,
    ];

    /// The protocol's word: `escape`, `king-captured`, `no-moves`,
    /// `repetition`, `all-home`, `no-pieces` or `deadlock`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Escape => "escape",
            Self::KingCaptured => "king-captured",
            Self::NoMoves => "no-moves",
            Self::Repetition => "repetition",
            Self::AllHome => "all-home",
            Self::NoPieces => "no-pieces",
            Self::Deadlock => "deadlock",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
