//! The analysis as JSON.

use crate::cli::{json::ScoreFields, prelude::*};

/// Where an object of JSON comes from.
#[derive(Clone, Serialize)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) game: usize,
    pub(super) rules: &'static str,
}

/// An object of JSON: an evaluated position, a throw, or a side's totals.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Line {
    Position {
        #[serde(flatten)]
        place: Place,
        ply: usize,
        side: &'static str,
        position: String,
        played: Option<String>,
        best: String,
        #[serde(flatten)]
        score: ScoreFields,
        depth: Option<u32>,
        exact: bool,
        error: Option<f64>,
    },
    Throw {
        #[serde(flatten)]
        place: Place,
        ply: usize,
        side: &'static str,
        throw: String,
        before: f64,
        luck: f64,
    },
    Rollout {
        #[serde(flatten)]
        place: Place,
        ply: usize,
        side: &'static str,
        r#move: String,
        games: u32,
        equity: f64,
        standard_error: f64,
        is_played: bool,
    },
    Totals {
        #[serde(flatten)]
        place: Place,
        side: &'static str,
        luck: f64,
        error: f64,
        choices: usize,
    },
}
