//! The panel at the end of a game: who won and why, and what to do next. It stands
//! under the board and never over it.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{Rect, RichText, ScrollArea, Ui, UiBuilder, vec2},
};

use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, GameAction, ReplayAction, UiAction},
            states::{OpenDialog, Screen},
        },
        game::referee::{Autosave, GameResults, Referee},
        scene::api::MotionStatus,
        ui::{
            UiSet,
            dialogs::{files::FileChooser, throws},
            game_texts::sentence,
            theme::{self, ACCENT, CONTROL_HEIGHT, HEADING, SMALL, TEXT, space},
            widgets,
        },
    },
    games::Side,
    i18n::{signed, tr, tr_args},
    session::{
        GameSession, Rating, Seat, Setup, UnratedReason, describe_match_result, describe_outcome,
        headline, scores, side_label,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EndBanner>()
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::EndBanner));
}

/// Whether the panel is shown, whether it was closed, and where it stands.
#[derive(Resource, Debug, Default)]
pub(crate) struct EndBanner {
    /// The game whose panel is on the screen: its number, and how many plies it has.
    pub(crate) shown: Option<(u64, usize)>,
    /// The game whose panel was closed: its number, and how many plies it has.
    pub(crate) closed: Option<(u64, usize)>,
    /// The room that the table leaves it.
    pub(crate) room: Option<Rect>,
    /// How high its content was in the last frame.
    height: f32,
}

/// The height that is reserved before it is known.
const USUAL_HEIGHT: f32 = space(26);
/// The greatest share of the window's height that it takes.
const MAX_SHARE: f32 = 0.42;
/// From this width on the buttons stand beside the texts.
const WIDE: f32 = 780.0;

impl EndBanner {
    /// Closes the panel that is on the screen.
    pub(super) const fn close(&mut self) {
        if let Some(game) = self.shown.take() {
            self.closed = Some(game);
        }
    }

    /// Whether a game has ended, and its panel was not closed.
    pub(crate) fn is_due(&self, referee: &Referee, motion: &MotionStatus) -> bool {
        referee
            .table
            .as_ref()
            .filter(|_| !motion.is_busy() && !referee.is_exercise())
            .filter(|it| it.outcome().is_some())
            .is_some_and(|it| self.closed != Some((referee.game_number(), it.history().len())))
    }

    /// How much height it takes in a window this high.
    pub(crate) fn height(&self, window: f32) -> f32 {
        let height = if self.height > 0.0 { self.height } else { USUAL_HEIGHT };
        height.min(window * MAX_SHARE)
    }
}

fn show(
    mut contexts: EguiContexts,
    mut banner: ResMut<EndBanner>,
    (referee, analysis): (Res<Referee>, Res<Analysis>),
    (results, autosave): (Res<GameResults>, Res<Autosave>),
    (files, dialog): (Res<FileChooser>, Res<OpenDialog>),
    (screen, motion): (Res<State<Screen>>, Res<MotionStatus>),
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let is_new = banner.shown.take().is_none();
    let (Screen::Table, Some(table)) = (screen.get(), &referee.table) else { return };
    if table.outcome().is_none() || referee.is_exercise() {
        banner.closed = None;
        return;
    }
    // A dialog lies over the table, and nothing under it can be pressed.
    if files.is_open() || dialog.0.is_some() || !banner.is_due(&referee, &motion) {
        return;
    }
    let Some(room) = banner.room else { return };
    banner.shown = Some((referee.game_number(), table.history().len()));
    let rating = results.rating_change(&referee, &autosave).map(rating_text);
    let rating = rating.unwrap_or_default();
    let mut requested = Vec::new();
    let frame = theme::panel_frame();
    let margin = frame.total_margin().sum().y;
    let used = widgets::panel(context, "end", room, frame, |ui| {
        let mut scroll = ScrollArea::vertical().id_salt("end-scroll");
        if is_new {
            scroll = scroll.vertical_scroll_offset(0.0);
        }
        let height = ui.available_height();
        widgets::scroll_area_from(ui, scroll, height, |ui| {
            let top = ui.cursor().top();
            let mut close = false;
            if ui.available_width() < WIDE {
                texts(ui, table, &rating);
                close |= buttons(ui, table, &analysis, &mut requested);
            } else {
                let (left, right) =
                    ui.available_rect_before_wrap().split_left_right_at_fraction(0.45);
                let texts = ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
                    texts(ui, table, &rating);
                });
                let right = UiBuilder::new().max_rect(right);
                let buttons =
                    ui.scope_builder(right, |ui| buttons(ui, table, &analysis, &mut requested));
                close |= buttons.inner;
                ui.advance_cursor_after_rect(texts.response.rect | buttons.response.rect);
            }
            if close {
                requested.push(UiAction::Dismiss.into());
            }
            ui.min_rect().bottom() - top
        })
    });
    let height = used + margin + space(1);
    if (height - banner.height).abs() > 0.5 {
        banner.height = height;
        context.request_repaint();
    }
    actions.write_batch(requested);
}

/// The person's rating after the game, and its change.
fn rating_text((before, after): (Option<Rating>, Rating)) -> String {
    let rating = after.to_string();
    match before {
        Some(before) => {
            #[expect(clippy::cast_possible_truncation, reason = "a few thousand at most")]
            let change = signed((after.value.round() - before.value.round()) as i32);
            tr_args("popup.rating-change", &[("rating", &rating), ("change", &change)])
        }
        None => tr_args("popup.first-rating", &[("rating", &rating)]),
    }
}

/// Who won and why, the rating, the count, and how a match ended.
fn texts(ui: &mut Ui, table: &GameSession, rating: &str) {
    let Some(outcome) = table.outcome() else { return };
    let rules = table.rules();
    ui.spacing_mut().item_spacing.y = space(1);
    ui.horizontal(|ui| {
        if let Some(side) = outcome.winner() {
            widgets::disc(ui, theme::side_color(rules, side), HEADING / 3.0);
        }
        let font = theme::serif(ui.ctx(), HEADING);
        let title = headline(table).unwrap_or_default();
        ui.label(RichText::new(title).font(font).color(ACCENT));
    });
    let whole = describe_outcome(rules, outcome);
    let reason = whole.split_once(": ").map_or(whole.as_str(), |(_, reason)| reason);
    widgets::wrapped(ui, &sentence(reason), SMALL, TEXT);
    if let Some(result) = describe_match_result(table) {
        widgets::wrapped(ui, &result, SMALL, ACCENT);
    }
    if !rating.is_empty() {
        widgets::wrapped(ui, rating, SMALL, ACCENT);
    } else if table.seats().contains(&Seat::Person)
        && let Some(reason) = table.unrated_reason()
    {
        widgets::note(ui, unrated_text(reason));
    }
    let counts = scores(table.history().start(), table.history().position());
    let counts = counts.iter().map(|(label, [first, second])| {
        let [one, other] = Side::BOTH.map(|side| side_label(rules, side));
        let names = [
            ("label", *label),
            ("one", one),
            ("first", first.as_str()),
            ("other", other),
            ("second", second.as_str()),
        ];
        tr_args("popup.count-line", &names)
    });
    widgets::note(ui, &counts.collect::<Vec<_>>().join(" · "));
    if let Some(origin) = throws::origin(table) {
        widgets::note(ui, &origin);
    }
}

/// Why the game counts for no rating.
fn unrated_text(reason: UnratedReason) -> &'static str {
    tr(match reason {
        UnratedReason::Help => "popup.unrated-help",
        UnratedReason::Undo => "popup.unrated-undo",
        UnratedReason::Copy => "popup.unrated-copy",
        UnratedReason::SamePlayer => "popup.unrated-names",
        UnratedReason::Other => "popup.unrated-other",
    })
}

/// What to do with the game, and the next one; whether the panel is to be closed.
fn buttons(
    ui: &mut Ui,
    table: &GameSession,
    analysis: &Analysis,
    actions: &mut Vec<Action>,
) -> bool {
    let mut close = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().interact_size.y = CONTROL_HEIGHT;
        let size = vec2(space(28), CONTROL_HEIGHT);
        if table.awaits_next_game() {
            if widgets::primary_button(ui, tr("popup.next-game"), size).clicked() {
                actions.push(GameAction::NextGame.into());
            }
        } else {
            let swapped = rematch_text(&table.rematch(), "popup.rematch-swapped");
            if widgets::primary_button(ui, &swapped, size).clicked() {
                actions.push(GameAction::Rematch.into());
            }
            let same = rematch_text(&table.rematch_same_sides(), "popup.same-sides");
            if !table.is_online() && widgets::button(ui, &same).clicked() {
                actions.push(GameAction::RematchSameSides.into());
            }
        }
        if table.has_moves_by_person() {
            let learn = widgets::button(ui, tr("practice.title"));
            if learn.on_hover_text(tr("practice.hint")).clicked() {
                actions.push(GameAction::LearnFromMistakes.into());
            }
        }
        if widgets::button(ui, tr("replay.analyse")).clicked() {
            actions.extend(ReplayAction::analyse_game(analysis.enabled));
        }
        if widgets::button(ui, tr("popup.new-game")).clicked() {
            actions.push(UiAction::ShowTitle.into());
        }
        close = widgets::button(ui, tr("popup.close")).clicked();
    });
    close
}

/// A rematch: it names the side that the only person gets, or the first side's player
/// where persons have names, and else says what becomes of the sides.
fn rematch_text(setup: &Setup, otherwise: &'static str) -> String {
    let person = |side: &Side| setup.seats[side.index()] == Seat::Person;
    let persons: Vec<Side> = Side::BOTH.into_iter().filter(person).collect();
    let [first, second] = &setup.names;
    match persons.as_slice() {
        [side] => tr_args("popup.rematch-as", &[("side", side_label(setup.rules, *side))]),
        [side, _] if !first.is_empty() && first != second => {
            let names = [("name", first.as_str()), ("side", side_label(setup.rules, *side))];
            tr_args("popup.rematch-name-as", &names)
        }
        _ => tr(otherwise).to_owned(),
    }
}
