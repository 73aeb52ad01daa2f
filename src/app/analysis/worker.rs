//! The worker of the analysis: what it searches, and what is still wanted of it.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::game::referee::Referee,
    engines::{Info, ReviewWorker, SearchLimits, SearchWorker},
    games::{AnyPosition, GameHistory, GameKind},
};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Hint,
    Evaluation,
    Draw,
    /// One of the best lines, in this round.
    Line(u32),
}

impl Purpose {
    /// Its limits. Evaluations are limited by nodes, so that a busy machine finds the same
    /// mistakes.
    pub(super) fn limits(self, game: GameKind) -> SearchLimits {
        let millis = match self {
            Self::Hint => 1500,
            Self::Evaluation => 300,
            Self::Draw => 600,
            Self::Line(round) => 300 << round.min(8),
        };
        let time = Duration::from_millis(millis);
        if self == Self::Evaluation {
            return SearchLimits::by_nodes(game, time);
        }
        SearchLimits { movetime: Some(time), ..SearchLimits::default() }
    }
}

/// A search that runs.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) purpose: Purpose,
    pub(super) ticket: u64,
    pub(super) history: GameHistory<AnyPosition>,
    /// The number of the game on the table when it began.
    pub(super) game: u64,
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
