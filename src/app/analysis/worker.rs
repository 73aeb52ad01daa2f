//! The worker of the analysis: what it searches, and what is still wanted of it.

use super::LINES;
use crate::{
    app::{core::prelude::*, game::referee::Referee},
    engines::{Info, ReviewWorker, SearchLimits, SearchWorker},
};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Hint,
    Evaluation,
    Draw,
    /// The best lines, for so long.
    Lines(Duration),
}

impl Purpose {
    /// Its limits. Evaluations are limited by nodes, so that a busy machine finds the same
    /// mistakes.
    pub(super) fn limits(self, game: GameKind) -> SearchLimits {
        let time = match self {
            Self::Hint => Duration::from_millis(1500),
            Self::Evaluation => Duration::from_millis(300),
            Self::Draw => Duration::from_millis(600),
            Self::Lines(time) => time,
        };
        if self == Self::Evaluation {
            return SearchLimits::by_nodes(game, time);
        }
        SearchLimits { movetime: Some(time), ..SearchLimits::default() }
    }

    /// How many best lines it searches.
    pub(super) const fn lines(self) -> usize {
        if matches!(self, Self::Lines(_)) { LINES } else { 1 }
    }
}

/// A search that runs.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) purpose: Purpose,
    pub(super) history: GameHistory<AnyPosition>,
    /// The number of the game on the table when it began.
    pub(super) game: u64,
    /// The latest report of the best line.
    pub(super) last: Option<Info>,
}

/// The engine of the analysis, and what it is to do.
#[derive(Resource, Default)]
pub(super) struct AnalysisWorker {
    pub(super) worker: SearchWorker,
    pub(super) reviewer: ReviewWorker,
    /// The game under review.
    pub(super) reviewed: Option<GameHistory<AnyPosition>>,
    pub(super) job: Option<Job>,
    /// Where a hint is wanted: the number of the game, and of its plies.
    pub(super) wanted_hint: Option<(u64, usize)>,
    /// Where a draw offer is to be answered.
    pub(super) wanted_draw: Option<(u64, usize)>,
}

/// Where the game on the table stands: its number, and the number of its plies.
pub(super) fn place(referee: &Referee) -> Option<(u64, usize)> {
    let table = referee.table.as_ref()?;
    Some((referee.game_number(), table.history().len()))
}
