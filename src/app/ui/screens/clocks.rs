//! The players' clocks.

use crate::{
    app::ui::{prelude::*, widgets},
    session::{format_clock, is_low_on_time},
};

/// Both clocks as they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clocks {
    /// The time left, by [`Side::index`].
    pub(super) left: [Duration; 2],
    /// Whose clock runs.
    pub(super) running: Option<Side>,
}

impl Clocks {
    /// The clocks of a game as they are now, or as they were after `viewed`
    /// plies.
    pub(super) fn new(table: &GameSession, viewed: Option<usize>) -> Option<Self> {
        let clock = table.clock()?;
        Some(match viewed {
            Some(plies) => Self { left: clock.after_ply(plies), running: None },
            None => Self {
                left: Side::BOTH.map(|side| clock.left(side)),
                running: table.clock_runs_for(),
            },
        })
    }

    fn color(&self, side: Side) -> Color32 {
        match (self.running == Some(side), is_low_on_time(self.left[side.index()])) {
            (true, true) => ERROR,
            (true, false) => ACCENT,
            (false, _) => TEXT,
        }
    }
}

/// Shows one side's clock.
pub(super) fn show(ui: &mut Ui, rules: RuleSet, side: Side, clocks: &Clocks) -> Response {
    let time = format_clock(clocks.left[side.index()]);
    let font = theme::strong(ui.ctx(), LARGE);
    let response = ui.add(Label::new(RichText::new(&time).font(font).color(clocks.color(side))));
    let label = tr_args("clock.left", &[("side", side_label(rules, side)), ("time", &time)]);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &label));
    response
}

/// Shows both from the right, where there is no room beside the players.
pub(super) fn both(ui: &mut Ui, rules: RuleSet, clocks: &Clocks) {
    for side in [Side::Second, Side::First] {
        show(ui, rules, side, clocks);
        widgets::disc(ui, theme::side_color(rules, side), 6.0);
    }
}
