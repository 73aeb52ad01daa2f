//! What is left of the players' time, by each seat.

use std::time::Duration;

use bevy_egui::egui::{
    Color32, FontFamily, FontId, Label, Response, RichText, Ui, WidgetInfo, WidgetType,
};

use crate::{
    app::ui::{
        theme::{self, ACCENT, ALARM, BODY, INK},
        widgets,
    },
    games::{RuleSet, Side},
    i18n::tr_args,
    table::{GameSession, format_clock, is_low_on_time, side_label},
};

/// Both clocks as they are to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clocks {
    /// What is left, by [`Side::index`].
    pub(crate) left: [Duration; 2],
    /// Whose runs.
    pub(crate) running: Option<Side>,
}

impl Clocks {
    /// Those of a game on the table: as they stand, or as they stood after so
    /// many plies while those are looked at.
    pub(crate) fn of(table: &GameSession, looking: Option<usize>) -> Option<Self> {
        let clock = table.clock()?;
        Some(match looking {
            Some(plies) => Self { left: clock.after_ply(plies), running: None },
            None => Self {
                left: Side::BOTH.map(|side| clock.left(side)),
                running: table.clock_runs_for(),
            },
        })
    }

    fn ink(&self, side: Side) -> Color32 {
        match (self.running == Some(side), is_low_on_time(self.left[side.index()])) {
            (true, true) => ALARM,
            (true, false) => ACCENT,
            (false, _) => INK,
        }
    }
}

/// Shows one side's clock.
pub(crate) fn show(ui: &mut Ui, rules: RuleSet, side: Side, clocks: &Clocks) -> Response {
    let time = format_clock(clocks.left[side.index()]);
    let font = FontId::new(BODY + 1.0, FontFamily::Monospace);
    let response = ui.add(Label::new(RichText::new(&time).font(font).color(clocks.ink(side))));
    let words = tr_args("clock.left", &[("side", side_label(rules, side)), ("time", &time)]);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &words));
    response
}

/// Shows both, from the right, where there is no room by the seats.
pub(crate) fn both(ui: &mut Ui, rules: RuleSet, clocks: &Clocks) {
    for side in [Side::Second, Side::First] {
        show(ui, rules, side, clocks);
        widgets::disc(ui, theme::colour(rules, side), 6.0);
    }
}
