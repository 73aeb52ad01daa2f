//! Scores, and what an engine reports while it searches.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use tabulae_games::{AnyMove, GameKind};

/// The score of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// In Tablut about hundredths of a piece, in Tablaaza hundredths of a free square.
    /// In Tablan hundredths of equity, the average over the throws to come: 100 is a
    /// certain win, 0 even, -100 a certain loss. [`Score::win_share`] converts them.
    Points(i32),
    /// A forced win in at most this many plies.
    Win(u32),
    /// A forced loss in at most this many plies.
    Loss(u32),
}

impl Score {
    /// The share of a win for the side to move: 0 is lost, 0.5 even, 1 won.
    ///
    /// ```
    /// use tabulae_engines::Score;
    /// use tabulae_games::GameKind;
    ///
    /// // A win is e times as likely as a loss.
    /// let share = Score::Points(150).win_share(GameKind::Tablut);
    /// assert!((share - 0.731).abs() < 0.001, "{share}");
    /// assert_eq!(Score::Points(50).win_share(GameKind::Tablan), 0.75);
    /// assert_eq!(Score::Loss(4).win_share(GameKind::Tablaaza), 0.0);
    /// ```
    pub fn win_share(self, game: GameKind) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "at most a few thousand")]
        match (self, game) {
            (Self::Points(points), GameKind::Tablut) => logistic(points as f32 / TABLUT_SCALE),
            (Self::Points(points), GameKind::Tablaaza) => logistic(points as f32 / TABLAAZA_SCALE),
            (Self::Points(points), GameKind::Tablan) => {
                ((1.0 + points as f32 / 100.0) / 2.0).clamp(0.0, 1.0)
            }
            (Self::Win(_), _) => 1.0,
            (Self::Loss(_), _) => 0.0,
        }
    }

    /// The score for the other side, one ply earlier.
    pub const fn before_move(self) -> Self {
        match self {
            Self::Points(points) => Self::Points(-points),
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }

    /// The score of a search value: points, or plies to the win or loss.
    pub(super) const fn of(value: i32) -> Self {
        if value >= MATE_IN_MAX_PLY {
            Self::Win((MATE - value) as u32)
        } else if value <= -MATE_IN_MAX_PLY {
            Self::Loss((MATE + value) as u32)
        } else {
            Self::Points(value)
        }
    }
}

/// Points of Tablut by which the odds of a win grow by a factor of *e*. The networks are
/// trained with it, and [`Score::win_share`] shows what they mean.
pub(super) const TABLUT_SCALE: f32 = 150.0;
/// The same in Tablaaza, whose evaluation is not trained. It agrees with the results of
/// games; see "Evaluation and results" in docs/benchmarks.md.
const TABLAAZA_SCALE: f32 = 250.0;

/// The probability whose odds are *e* to the power of `value`.
pub(super) fn logistic(value: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-value))
}

/// The value of a win at the root; a win in `n` plies is worth `n` less.
pub(super) const MATE: i32 = 30_000;
/// Values from here on are forced wins: above every evaluation, and below a win
/// at the maximum ply.
pub(super) const MATE_IN_MAX_PLY: i32 = MATE - 1_000;
/// Greater than any value.
pub(super) const INFINITY: i32 = MATE + 1;
/// Maximum distance from the root, in plies.
pub(super) const MAX_PLY: usize = 120;

/// Converts a win or loss from plies to the root to plies to the node, as the
/// transposition table stores it.
pub(super) fn value_to_tt(value: i32, ply: usize) -> i16 {
    let value = match value {
        MATE_IN_MAX_PLY.. => value + ply as i32,
        _ if value <= -MATE_IN_MAX_PLY => value - ply as i32,
        _ => value,
    };
    value.clamp(-MATE, MATE) as i16
}

/// The inverse of [`value_to_tt`], for a node `ply` plies from the root.
pub(super) const fn value_from_tt(value: i16, ply: usize) -> i32 {
    match value as i32 {
        value @ MATE_IN_MAX_PLY.. => value - ply as i32,
        value if value <= -MATE_IN_MAX_PLY => value + ply as i32,
        value => value,
    }
}

impl fmt::Display for Score {
    /// As UGI writes it: `cp` and hundredths, or `mate` and moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(f, "cp {points}"),
            Self::Win(plies) => write!(f, "mate {}", plies.div_ceil(2)),
            Self::Loss(plies) => write!(f, "mate -{}", plies.div_ceil(2)),
        }
    }
}

/// What a search reports after an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// The iteration's depth in plies.
    pub depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// Nodes searched.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation from the position searched; in Tablan only the
    /// move, since a throw follows.
    pub pv: Vec<AnyMove>,
    /// Whether the score is proven.
    pub exact: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_ugi_does() {
        let texts = [Score::Points(-35), Score::Win(1), Score::Win(5), Score::Loss(2)]
            .map(|score| score.to_string());
        assert_eq!(texts, ["cp -35", "mate 1", "mate 3", "mate -1"]);
        assert_eq!(Score::of(MATE - 3), Score::Win(3));
        assert_eq!(Score::of(4 - MATE), Score::Loss(4));
        assert_eq!(Score::of(-250), Score::Points(-250));
    }

    #[test]
    fn table_values_count_from_the_node() {
        for (value, stored) in [(MATE - 5, MATE - 2), (5 - MATE, 2 - MATE), (-250, -250)] {
            assert_eq!(i32::from(value_to_tt(value, 3)), stored);
            assert_eq!(value_from_tt(value_to_tt(value, 3), 3), value);
        }
    }
}
