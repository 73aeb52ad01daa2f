//! A puzzle in words, in the current language.

use super::{Goal, Puzzle, Theme};
use crate::{
    i18n::{lookup, tr_args},
    side_label,
};

/// What is to be found in a puzzle.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::{describe_task, shipped};
///
/// let puzzle = &shipped(RuleSet::Tablan)[0];
/// assert!(describe_task(puzzle).ends_with("has one move far better than all others. Find it."));
/// ```
pub fn describe_task(puzzle: &Puzzle) -> String {
    let side = side_label(puzzle.rules(), puzzle.side());
    let (key, moves) = match puzzle.goal {
        Goal::Win(1) => ("puzzles.win-now", 1),
        Goal::Win(plies) => ("puzzles.win", plies.div_ceil(2)),
        Goal::Defend => ("puzzles.defend", 1),
        Goal::OnlyWin => ("puzzles.only-win", 1),
        Goal::Gain(_) => ("puzzles.gain", 1),
    };
    tr_args(key, &[("side", side), ("moves", &moves.to_string())])
}

/// The themes and the rating of a puzzle, which would give away the solution before.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::{Theme, describe_themes, shipped};
///
/// let mut puzzle = shipped(RuleSet::Tablan).remove(0);
/// puzzle.themes = vec![Theme::Capture, Theme::Arrival];
/// assert!(describe_themes(&puzzle).starts_with("Themes: capture, arrival. "));
/// puzzle.themes.pop();
/// assert!(describe_themes(&puzzle).starts_with("Theme: capture. "));
/// ```
pub fn describe_themes(puzzle: &Puzzle) -> String {
    let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme_label(*theme)).collect();
    let key = if themes.len() == 1 { "puzzles.about" } else { "puzzles.about-themes" };
    let (themes, rating) = (themes.join(", "), puzzle.rating.to_string());
    tr_args(key, &[("themes", &themes), ("rating", &rating)])
}

/// The name of a puzzle's theme.
///
/// ```
/// use tabulae_session::puzzles::{Theme, theme_label};
///
/// assert_eq!(theme_label(Theme::KingHunt), "king hunt");
/// ```
pub fn theme_label(theme: Theme) -> &'static str {
    lookup(&format!("puzzles.theme-{}", theme.id())).unwrap_or_else(|| theme.id())
}
