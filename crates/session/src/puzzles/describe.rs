//! A puzzle in words, in the current language.

use super::{Goal, Puzzle, Theme};
use tabulae_games::{AnyPosition, Event, Game as _};

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
/// let task = describe_task(puzzle);
/// assert!(task.ends_with("has one move that is far better than all others. Find it."));
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

/// Why the solution is the best move: a sentence for each theme.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::{Puzzle, describe_why};
///
/// let line = "969;win 1;king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;d4-d3;130.44";
/// let puzzle = Puzzle::parse(RuleSet::TablutBerkeley, line)?;
/// let why = "Why d4-d3xe3? The king is captured, and White cannot prevent it.";
/// assert_eq!(describe_why(&puzzle), why);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn describe_why(puzzle: &Puzzle) -> String {
    let Some(&solution) = puzzle.line.first() else { return String::new() };
    let mut after = puzzle.start.clone();
    let events = after.play(solution).unwrap_or_default();
    let squares = events.iter().filter_map(|event| match event {
        Event::Captured { at, .. } | Event::PavilionRaised { at, .. } => Some(at.to_string()),
        _ => None,
    });
    let squares = squares.collect::<Vec<_>>().join(", ");
    let sides = [puzzle.side(), puzzle.side().other()];
    let [side, other] = sides.map(|side| side_label(puzzle.rules(), side));
    // Of Tablaaza: what is left to both sides.
    let free = match &after {
        AnyPosition::Tablaaza(after) => sides.map(|side| after.free(side).count_ones().to_string()),
        AnyPosition::Tablut(_) | AnyPosition::Tablan(_) => [String::new(), String::new()],
    };
    let names = [
        ("side", side),
        ("other", other),
        ("squares", squares.as_str()),
        ("free", free[0].as_str()),
        ("others", free[1].as_str()),
    ];
    let reasons = puzzle.themes.iter().map(|theme| tr_args(why_key(*theme), &names));
    let (mv, reasons) = (puzzle.start.notation(solution), reasons.collect::<Vec<_>>().join(" "));
    tr_args("puzzles.why", &[("move", &mv), ("reasons", &reasons)])
}

/// The sentence that says why a move of this theme is the best one.
const fn why_key(theme: Theme) -> &'static str {
    match theme {
        Theme::Escape => "puzzles.why-escape",
        Theme::KingHunt => "puzzles.why-king-hunt",
        Theme::DoubleThreat => "puzzles.why-double-threat",
        Theme::Raichi => "puzzles.why-raichi",
        Theme::Tuichi => "puzzles.why-tuichi",
        Theme::Defence => "puzzles.why-defence",
        Theme::Capture => "puzzles.why-capture",
        Theme::DoubleCapture => "puzzles.why-double-capture",
        Theme::Race => "puzzles.why-race",
        Theme::Safety => "puzzles.why-safety",
        Theme::Order => "puzzles.why-order",
        Theme::Arrival => "puzzles.why-arrival",
        Theme::Quiet => "puzzles.why-quiet",
        Theme::Pavilion => "puzzles.why-pavilion",
        Theme::Block => "puzzles.why-block",
        Theme::Parity => "puzzles.why-parity",
    }
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

/// What a theme means, in a sentence.
///
/// ```
/// use tabulae_session::puzzles::{Theme, theme_meaning};
///
/// assert!(theme_meaning(Theme::Raichi).contains("one open way"));
/// ```
pub fn theme_meaning(theme: Theme) -> &'static str {
    lookup(&format!("puzzles.means-{}", theme.id())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{i18n::Language, puzzles::shipped};
    use tabulae_games::RuleSet;

    #[test]
    fn every_theme_says_what_it_means_in_each_language() {
        use strum::VariantArray as _;
        for language in Language::ALL {
            crate::i18n::set_thread_language(Some(language));
            for theme in Theme::VARIANTS {
                assert!(theme_meaning(*theme).ends_with('.'), "{theme:?}");
            }
        }
    }

    /// Two puzzles about the count of squares are not told by the same words.
    #[test]
    fn a_puzzle_about_parity_says_how_many_squares_are_left() {
        let parity = shipped(RuleSet::Tablaaza).into_iter();
        let parity = parity.filter(|puzzle| puzzle.themes.contains(&Theme::Parity));
        for puzzle in parity {
            let mut after = puzzle.start.clone();
            after.play(puzzle.line[0]).expect("legal");
            let AnyPosition::Tablaaza(after) = after else { panic!("of Tablaaza") };
            let free = after.free(puzzle.side()).count_ones();
            assert!(describe_why(&puzzle).contains(&format!(" {free} ")), "{puzzle}");
        }
    }

    #[test]
    fn every_shipped_puzzle_says_why_and_on_which_squares() {
        for language in Language::ALL {
            crate::i18n::set_thread_language(Some(language));
            for puzzle in RuleSet::ALL.into_iter().flat_map(shipped) {
                let why = describe_why(&puzzle);
                let sentences = why.matches(['.', '?']).count();
                assert!(sentences > puzzle.themes.len(), "{why}");
                assert!(!why.contains(['{', '}']) && !why.contains(" ."), "{puzzle}: {why}");
                assert!(!why.contains("  ") && !why.contains("in ,"), "{puzzle}: {why}");
            }
        }
    }
}
