//! The banner at the end of a game: who won and why, and what to do next.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{Align2, Context, Rect, RichText, ScrollArea, TextStyle, Ui, vec2},
};

use super::below_top;
use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, GameAction, ReplayAction, UiAction, ViewAction},
            states::{Dialog, Screen},
        },
        game::referee::Referee,
        scene::api::{MotionStatus, ViewportInsets},
        ui::{
            UiSet,
            dialogs::{files::FileChooser, throws},
            game_texts::sentence,
            scene_rect,
            screens::table,
            theme::{self, ACCENT, BODY, DISPLAY, HEADING, LARGE, TEXT},
            widgets,
        },
    },
    games::{RuleSet, Side},
    i18n::{tr, tr_args},
    table::{GameSession, Outcome, describe_outcome, scores, side_label},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EndBanner>()
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::EndBanner));
}

/// Whether the banner is shown, and whether it was closed.
#[derive(Resource, Debug, Default)]
pub(crate) struct EndBanner {
    /// How many plies the game has whose banner is on the screen.
    pub(crate) shown: Option<usize>,
    /// How many plies the game has whose banner was closed.
    pub(crate) closed: Option<usize>,
}

impl EndBanner {
    /// Closes the banner that is on the screen.
    pub(super) const fn close(&mut self) {
        if let Some(plies) = self.shown.take() {
            self.closed = Some(plies);
        }
    }
}

fn show(
    mut contexts: EguiContexts,
    mut banner: ResMut<EndBanner>,
    mut files: ResMut<FileChooser>,
    (referee, analysis): (Res<Referee>, Res<Analysis>),
    (screen, motion): (Res<State<Screen>>, Res<MotionStatus>),
    insets: Res<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let is_new = banner.shown.take().is_none();
    let (Screen::Table, Some(table)) = (screen.get(), &referee.table) else { return };
    let is_still = !motion.is_busy() && table::shown_plies(table, &motion) == table.history().len();
    let outcome = table.outcome().filter(|_| is_still && !referee.lesson);
    let Some(outcome) = outcome else {
        banner.closed = None;
        return;
    };
    let plies = table.history().len();
    // The file dialog lies over it, and nothing under a dialog can be pressed.
    if files.is_open() || banner.closed == Some(plies) {
        return;
    }
    banner.shown = Some(plies);
    let layout = Layout::new(context, scene_rect(context, &insets));
    layout.show(context, is_new, |ui| {
        texts(ui, table, outcome, layout.is_low);
        ui.add_space(6.0);
        let mut requested = Vec::new();
        ui.horizontal_wrapped(|ui| {
            game_buttons(ui, &referee, table.rules(), &analysis, &mut files, &mut requested);
            if widgets::button(ui, tr("popup.see-board")).clicked() {
                banner.closed = Some(plies);
            }
        });
        actions.write_batch(requested);
    });
}

/// Where the banner stands.
#[derive(Clone, Copy)]
struct Layout {
    scene: Rect,
    /// Whether there is so little room that it covers what stands under the
    /// board, too.
    is_low: bool,
    gap: f32,
    /// How high its content can be before it is scrolled.
    height: f32,
}

impl Layout {
    fn new(context: &Context, scene: Rect) -> Self {
        let is_low = scene.height() < 320.0;
        let gap = if is_low { 6.0 } else { 22.0 };
        let margin = Self::frame(is_low).total_margin().sum().y;
        let height = context.content_rect().bottom() - below_top(scene, gap).y - gap - margin;
        Self { scene, is_low, gap, height }
    }

    fn frame(is_low: bool) -> bevy_egui::egui::Frame {
        let frame = theme::dialog_frame();
        if is_low { frame.inner_margin(12) } else { frame }
    }

    /// Shows the banner; a new one from its top.
    fn show(self, context: &Context, is_new: bool, add: impl FnOnce(&mut Ui)) {
        let width = (self.scene.width() - 2.0 * self.gap).min(560.0);
        let (top, align) = (below_top(self.scene, self.gap), Align2::CENTER_TOP);
        let frame = Self::frame(self.is_low);
        widgets::floating_panel(context, "end", top, align, width, frame, |ui| {
            if self.is_low {
                ui.set_min_height(self.height);
            }
            let mut scroll = ScrollArea::vertical().id_salt("end-scroll");
            if is_new {
                scroll = scroll.vertical_scroll_offset(0.0);
            }
            widgets::scroll_area_from(ui, scroll, self.height, add);
        });
    }
}

/// Who won and why, and the count.
fn texts(ui: &mut Ui, table: &GameSession, outcome: Outcome, is_low: bool) {
    let rules = table.rules();
    let title = match outcome.winner() {
        Some(side) => tr_args("desk.side-wins", &[("side", side_label(rules, side))]),
        None => tr("desk.a-draw").to_owned(),
    };
    ui.horizontal(|ui| {
        let size = if is_low { HEADING } else { DISPLAY };
        // The disc stands in the middle of so large a line.
        let height = ui.text_style_height(&TextStyle::Body) * size / BODY;
        ui.set_min_height(height);
        ui.spacing_mut().interact_size.y = height;
        if let Some(side) = outcome.winner() {
            widgets::disc(ui, theme::side_color(rules, side), size / 3.0);
        }
        ui.label(RichText::new(title).size(size).color(ACCENT));
    });
    let whole = describe_outcome(rules, outcome);
    let reason = whole.split_once(": ").map_or(whole.as_str(), |(_, reason)| reason);
    widgets::wrapped(ui, &sentence(reason), LARGE, TEXT);
    for (label, [first, second]) in scores(table.history().start(), table.history().position()) {
        let [one, other] = Side::BOTH.map(|side| side_label(rules, side));
        let names = [
            ("label", label),
            ("one", one),
            ("first", first.as_str()),
            ("other", other),
            ("second", second.as_str()),
        ];
        widgets::note(ui, &tr_args("popup.count-line", &names));
    }
    if let Some(origin) = throws::origin(table) {
        widgets::note(ui, &origin);
    }
}

/// What to do with the game, and the next one.
fn game_buttons(
    ui: &mut Ui,
    referee: &Referee,
    rules: RuleSet,
    analysis: &Analysis,
    files: &mut FileChooser,
    actions: &mut Vec<Action>,
) {
    if widgets::primary_button(ui, tr("popup.rematch"), vec2(110.0, 36.0)).clicked() {
        actions.push(GameAction::Rematch.into());
    }
    ui.spacing_mut().interact_size.y = 36.0;
    if widgets::button(ui, tr("popup.watch")).clicked() {
        actions.push(ReplayAction::WatchGame.into());
    }
    if widgets::button(ui, tr("replay.analyse")).clicked() {
        actions.push(ReplayAction::WatchGame.into());
        if !analysis.enabled {
            actions.push(ViewAction::ToggleAnalysis.into());
        }
    }
    let by_person = referee.table.as_ref().is_some_and(GameSession::has_moves_by_person);
    if by_person {
        let learn = widgets::button(ui, tr("practice.title"));
        if learn.on_hover_text(tr("practice.hint")).clicked() {
            actions.push(GameAction::LearnFromMistakes.into());
        }
    }
    let (save, saved) = (tr("popup.save"), tr("popup.is-saved"));
    if widgets::button_if(ui, !referee.saved, save, saved).clicked() {
        files.save(rules);
    }
    if rules.has_sticks() && widgets::button(ui, tr("popup.throws")).clicked() {
        actions.push(UiAction::OpenDialog(Dialog::Throws).into());
    }
    if widgets::button(ui, tr("popup.title")).clicked() {
        actions.push(UiAction::ShowTitle.into());
    }
}
