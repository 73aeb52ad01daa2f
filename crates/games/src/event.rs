//! The effects of a ply, and the ends of a game.

use strum::{Display, IntoStaticStr, VariantArray};

use super::{Side, Square, Throw};

/// An effect of a ply. The events of a ply are in the order in which a player at a
/// board would see them.
///
/// ```
/// use tabulae_games::{Announcement, AnyMove, AnyPosition, Event, Game, GameKind, GameHistory, Ply, RuleSet};
///
/// // The king leaves the castle and can reach two corners.
/// let text = "4B4/9/9/9/4K4/9/9/9/9 w";
/// let start = AnyPosition::parse(RuleSet::TablutLinnaeus, text)?;
/// assert_eq!(start.rules().game(), GameKind::Tablut);
/// let mut game = GameHistory::new(start);
/// let mv: AnyMove = game.position().parse_move("e5-e1")?;
/// let events = game.push(Ply::Move(mv))?;
/// assert!(matches!(events[0], Event::Slid { .. }));
/// assert!(events.contains(&Event::Announced(Announcement::Tuichi)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// A piece moved.
    Slid {
        /// Its square before.
        from: Square,
        /// Its square now.
        to: Square,
    },
    /// A piece was captured. In Tablan, where pieces capture by landing, this comes
    /// before the `Slid` of the capturing piece.
    Captured {
        /// Its square.
        at: Square,
        /// The side that lost it.
        side: Side,
    },
    /// A stone was played.
    Placed {
        /// Its square.
        at: Square,
        /// The side that played it.
        side: Side,
    },
    /// A pavilion was raised.
    PavilionRaised {
        /// Its square.
        at: Square,
        /// The side that raised it.
        side: Side,
    },
    /// The sticks were thrown.
    Thrown {
        /// The side that threw.
        side: Side,
        /// The throw.
        throw: Throw,
    },
    /// A null score: `side` passes the sticks to the opponent.
    Passed {
        /// The side that threw it.
        side: Side,
    },
    /// The score has no legal use: the throw is lost and `side` throws again.
    Lost {
        /// The side that threw it.
        side: Side,
    },
    /// An announcement that the rules require.
    Announced(Announcement),
    /// The game ended.
    Ended(End),
}

/// An announcement that the rules require.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Announcement {
    /// The king can reach one corner in one move.
    Raichi,
    /// The king can reach two corners in one move.
    Tuichi,
    /// The throwing off is over: this side starts, with the score of 2 that it threw.
    Starts(Side),
}

/// How a game ended.
///
/// ```
/// use tabulae_games::{AnyPosition, End, Game, GameHistory, Ply, EndReason, RuleSet, Side, Turn};
///
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?;
/// let mut game = GameHistory::new(start);
/// let escape = game.parse("e3-a3")?;
/// game.push(escape)?;
/// let end = End { winner: Some(Side::Second), reason: EndReason::Escape };
/// assert_eq!(game.turn(), Turn::Over(end));
/// assert_eq!((end.result(), end.reason.to_string().as_str()), ("p2win", "escape"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason.
    pub reason: EndReason,
}

impl End {
    /// The result in UGI: `p1win`, `p2win` or `draw`.
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Side::First) => "p1win",
            Some(Side::Second) => "p2win",
            None => "draw",
        }
    }
}

/// Why a game ended by the rules. `Display` writes the [`id`](Self::id).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum EndReason {
    /// Tablut: the king reached a goal square.
    Escape,
    /// Tablut: the king was captured.
    KingCaptured,
    /// Tablut and Tablaaza: the side to move has no legal move.
    NoMoves,
    /// Tablut: the position was repeated.
    Repetition,
    /// Tablan: all remaining pieces of one side are on its goal row.
    AllHome,
    /// Tablan: one side has no piece left.
    NoPieces,
    /// Tablan: neither side can ever use a score again.
    Deadlock,
}

impl EndReason {
    /// All reasons.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in records and protocols: `escape`, `king-captured`, `no-moves`,
    /// `repetition`, `all-home`, `no-pieces` or `deadlock`.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// Whether a text is the id of a reason.
    pub fn is_id(text: &str) -> bool {
        Self::ALL.iter().any(|reason| reason.id() == text)
    }
}
