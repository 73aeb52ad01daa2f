//! What the panels of the analysis show.

use crate::app::{analysis::Mistake, ui::prelude::*};

/// The game that is analysed, and how it is shown.
#[derive(Clone, Copy)]
pub(super) struct AnalysedGame<'a> {
    /// The game.
    pub(super) history: &'a GameHistory<AnyPosition>,
    /// How many of its plies are shown.
    pub(super) current: usize,
    /// How many of its plies the panel may reveal: not a throw that still
    /// tumbles.
    pub(super) revealed: usize,
    /// What is known of it.
    pub(super) analysis: &'a Analysis,
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
}

impl AnalysedGame<'_> {
    /// The mistakes that may be revealed.
    pub(super) fn mistakes(&self) -> Vec<Mistake> {
        let mut mistakes = self.analysis.mistakes(self.history);
        mistakes.retain(|mistake| mistake.ply <= self.revealed);
        mistakes
    }
}

/// The sign behind a mistake in the list of moves: `?` or `??`.
pub(super) fn sign(mistakes: &[Mistake], ply: usize) -> Option<&'static str> {
    mistakes.iter().find(|mistake| mistake.ply == ply).map(|mistake| mistake.verdict.sign())
}
