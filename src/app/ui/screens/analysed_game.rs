//! What the panels of the analysis show.

use crate::app::{
    analysis::{Mistake, Verdict},
    ui::prelude::*,
};

/// The game that is shown and may be analysed, and how.
pub(super) struct AnalysedGame<'a> {
    /// The game.
    pub(super) history: &'a GameHistory<AnyPosition>,
    /// How many of its plies are shown.
    pub(super) current: usize,
    /// How many of its plies the panels may reveal: not one that still moves.
    pub(super) revealed: usize,
    /// What is known of it.
    pub(super) analysis: &'a Analysis,
    /// The mistakes among these plies, where the game is analysed.
    pub(super) mistakes: Vec<Mistake>,
    /// Whether luck is told apart from skill here.
    pub(super) reviews: bool,
    /// A text shown first, where it has no other place; empty for none.
    pub(super) first_text: &'a str,
    /// The action that goes to a ply.
    pub(super) go_to: fn(usize) -> Action,
    /// What can be done with lines and mistakes: more in a replay.
    pub(super) usage: Usage,
}

/// What can be done with the lines and the mistakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Whether a mistake has a card, which does not tell the better move.
    pub(super) has_cards: bool,
    /// Whether a click on a line plays its first move.
    pub(super) plays_lines: bool,
    /// Whether the mistakes of this line can be practised.
    pub(super) practises: bool,
    /// Whether the line is summed up: it is the game as it was played.
    pub(super) sums_up: bool,
}

impl<'a> AnalysedGame<'a> {
    /// Its rules.
    pub(super) fn rules(&self) -> RuleSet {
        self.history.start().rules()
    }

    /// The position that is shown.
    pub(super) fn position(&self) -> Option<&'a AnyPosition> {
        self.history.at(self.current)
    }

    /// The mistake that this ply is.
    pub(super) fn mistake(&self, ply: usize) -> Option<&Mistake> {
        self.mistakes.iter().find(|mistake| mistake.ply == ply)
    }

    /// The mistake after the ply that is shown; after the last one, the first. With the text
    /// of the button that leads there.
    pub(super) fn next_mistake(&self) -> Option<(&'static str, usize)> {
        let first = self.mistakes.first()?.ply;
        let next = self.mistakes.iter().map(|mistake| mistake.ply).find(|ply| *ply > self.current);
        let ply = next.unwrap_or(first);
        let text = tr(if ply == first { "study.first-mistake" } else { "study.next-mistake" });
        (ply != self.current).then_some((text, ply))
    }

    /// How well a side played; empty before all of the game is checked.
    pub(super) fn summary(&self, side: Side) -> String {
        let whole = self.analysis.of_game(self.history).filter(|_| self.usage.sums_up);
        let Some(whole) = whole else { return String::new() };
        let percent = format!("{:.0}", whole.accuracy[side.index()]);
        let accuracy = tr_args("history.accuracy", &[("percent", &percent)]);
        let count = |verdict: Verdict, key| {
            let is_own = |mistake: &&Mistake| {
                let before = self.history.at(mistake.ply - 1);
                mistake.verdict == verdict && before.is_some_and(|before| before.side() == side)
            };
            let count = self.mistakes.iter().filter(is_own).count();
            (count > 0).then(|| tr_args(key, &[("count", &count.to_string())]))
        };
        let parts = [
            Some(game_texts::sentence(&accuracy)),
            count(Verdict::Mistake, "study.mistakes"),
            count(Verdict::Blunder, "study.blunders"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// The mistakes among the first `plies` plies of a game; none where it is not analysed.
pub(super) fn mistakes_until(
    analysis: &Analysis,
    history: &GameHistory<AnyPosition>,
    plies: usize,
) -> Vec<Mistake> {
    let mut mistakes = if analysis.enabled { analysis.mistakes(history) } else { Vec::new() };
    mistakes.retain(|mistake| mistake.ply <= plies);
    mistakes
}
