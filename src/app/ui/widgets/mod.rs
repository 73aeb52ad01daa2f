//! Small parts that the panels share. Each is a function; none knows a game.

pub(crate) mod board_sketch;
pub(crate) mod evaluation_bar;
pub(crate) mod evaluation_graph;

use std::{fmt::Debug, hash::Hash};

use bevy_egui::egui::{
    self, Align2, Area, Button, Color32, Context, CursorIcon, FontId, Frame, Id, Label, Order,
    Pos2, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextWrapMode, Ui,
    UiBuilder, Vec2, WidgetInfo, WidgetType, pos2, vec2,
};

use crate::i18n::{tr, tr_args};

use super::theme::{
    ACCENT, ALARM, BAR, BODY, CARD, CARD_CHOSEN, CARD_HOVERED, INK, LARGE, LINE, MUTED, ON_ACCENT,
    SMALL,
};

/// A panel in a fixed place.
///
/// Panels are areas of their own rather than egui's side panels: those lie on
/// the background layer, where a click would go through to the board.
pub(crate) fn pane<R>(
    context: &Context,
    id: &str,
    place: Rect,
    frame: Frame,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let inner = place.size() - frame.total_margin().sum();
    area(id, place.min, Order::Middle)
        .show(context, |ui| {
            frame
                .show(ui, |ui| {
                    ui.set_min_size(inner);
                    ui.set_max_size(inner);
                    ui.shrink_clip_rect(place);
                    add(ui)
                })
                .inner
        })
        .inner
}

/// A panel as high as what it holds, held at `point` by the middle of an edge.
pub(crate) fn float<R>(
    context: &Context,
    id: &str,
    point: Pos2,
    held: Align2,
    width: f32,
    frame: Frame,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let inner = width - frame.total_margin().sum().x;
    area(id, point, Order::Foreground)
        .pivot(held)
        .default_width(width)
        .show(context, |ui| {
            frame
                .show(ui, |ui| {
                    ui.set_width(inner);
                    add(ui)
                })
                .inner
        })
        .inner
}

/// What has no room is scrolled, in so much height; the bar stands in the
/// panel's margin.
pub(crate) fn scrolling<R>(
    ui: &mut Ui,
    id: impl Hash + Debug,
    height: f32,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    scrolling_from(ui, ScrollArea::vertical().id_salt(id), height, add)
}

/// The same with an area that is set up already.
pub(crate) fn scrolling_from<R>(
    ui: &mut Ui,
    area: ScrollArea,
    height: f32,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let room = ui.available_rect_before_wrap();
    let room = room.with_max_y(room.top() + height);
    let wide = room.with_max_x(room.right() + BAR);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(wide));
    let shown = area
        .auto_shrink([false, true])
        .max_height(height)
        .min_scrolled_height(height.min(64.0))
        .show(&mut inner, |ui| {
            ui.set_max_width(room.width());
            add(ui)
        });
    // No wider than its own room, and only as high as it came out.
    let used = inner.min_rect().intersect(room);
    ui.allocate_rect(used, Sense::hover());
    shown.inner
}

fn area(id: &str, corner: Pos2, order: Order) -> Area {
    Area::new(Id::new(id)).order(order).fixed_pos(corner).constrain(false).fade_in(false)
}

/// A button that stands back.
pub(crate) fn button(ui: &mut Ui, text: &str) -> Response {
    ui.add(Button::new(text))
}

/// How wide buttons of these words are, side by side.
pub(crate) fn wide(ui: &Ui, words: &[&str]) -> f32 {
    let spacing = ui.spacing();
    let besides = 2.0 * spacing.button_padding.x + spacing.item_spacing.x + 2.0;
    words.iter().map(|it| width(ui, it, BODY) + besides).sum()
}

/// How wide a text of this size is in one line.
pub(crate) fn width(ui: &Ui, text: &str, size: f32) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), MUTED).size().x
}

/// A button that can be out of use; `why` says so under the pointer.
pub(crate) fn button_if(ui: &mut Ui, enabled: bool, text: &str, why: &str) -> Response {
    ui.add_enabled(enabled, Button::new(text)).on_disabled_hover_text(why)
}

/// Gives a button other words for those who hear it than the ones written on
/// it.
pub(crate) fn speak(response: &Response, words: &str) {
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, words));
}

/// Draws a ring round what has the keyboard.
pub(crate) fn ring(context: &Context) {
    let Some(focused) = context.memory(egui::Memory::focused) else { return };
    let Some(response) = context.read_response(focused) else { return };
    let seen = response.interact_rect;
    if !seen.is_positive() {
        return;
    }
    let painter = context.layer_painter(response.layer_id).with_clip_rect(seen.expand(4.0));
    let stroke = Stroke::new(2.0, Color32::WHITE);
    painter.rect_stroke(response.rect.expand(2.0), 8.0, stroke, StrokeKind::Outside);
}

/// The button of what one most likely wants.
pub(crate) fn main_button(ui: &mut Ui, text: &str, size: Vec2) -> Response {
    ui.add(
        Button::new(RichText::new(text).size(LARGE).color(ON_ACCENT))
            .fill(ACCENT)
            .stroke(Stroke::NONE)
            .min_size(size),
    )
}

/// The button of what cannot be taken back.
pub(crate) fn alarm_button(ui: &mut Ui, text: &str) -> Response {
    ui.add(Button::new(RichText::new(text).color(ALARM)))
}

/// One of several choices in a row.
pub(crate) fn choice(ui: &mut Ui, chosen: bool, text: &str) -> Response {
    let colour = if chosen { ACCENT } else { INK };
    ui.add(
        Button::new(RichText::new(text).color(colour).size(BODY))
            .fill(if chosen { CARD_CHOSEN } else { CARD })
            .stroke(Stroke::new(1.0, if chosen { ACCENT } else { LINE }))
            .selected(chosen),
    )
}

/// One of several choices, heard with what they are choices of.
pub(crate) fn choice_of(ui: &mut Ui, of: &str, chosen: bool, text: &str) -> Response {
    let response = choice(ui, chosen, text);
    let words = tr_args("keys.of", &[("command", of), ("key", text)]);
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, chosen, &words));
    response
}

/// What a card says.
pub(crate) struct Card<'a> {
    /// Its heading.
    pub(crate) heading: &'a str,
    /// The heading's size.
    pub(crate) size: f32,
    /// A few words under the heading.
    pub(crate) kind: &'a str,
    /// A short account.
    pub(crate) account: &'a str,
    /// How much of its height is kept free for a picture beside the heading.
    pub(crate) picture: f32,
}

/// A large choice: a heading and a short account under it. Returns the place
/// of the picture as well.
pub(crate) fn card(ui: &mut Ui, size: Vec2, chosen: bool, card: &Card<'_>) -> (Response, Rect) {
    let (place, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), chosen, card.heading)
    });
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    let lit = response.hovered() || response.has_focus();
    let fill = match (chosen, lit) {
        (true, _) => CARD_CHOSEN,
        (false, true) => CARD_HOVERED,
        (false, false) => CARD,
    };
    let line = if chosen || lit { ACCENT } else { LINE };
    let painter = ui.painter_at(place.expand(1.0));
    let width = if chosen { 2.0 } else { 1.0 };
    painter.rect(place, 8.0, fill, Stroke::new(width, line), StrokeKind::Inside);
    let inner = place.shrink2(vec2(12.0, 8.0));
    let ink = if chosen { ACCENT } else { INK };
    let font = FontId::proportional(card.size);
    let title = painter.text(inner.min, Align2::LEFT_TOP, card.heading, font, ink);
    let small = || FontId::proportional(SMALL);
    let below = pos2(inner.left(), title.bottom() + 4.0);
    let kind = painter.layout(card.kind.to_owned(), small(), INK, inner.width() * 0.5);
    painter.galley(below, kind, INK);
    let text = painter.layout(card.account.to_owned(), small(), MUTED, inner.width());
    let top = (inner.top() + card.picture + 6.0).max(below.y);
    painter.galley(pos2(inner.left(), top), text, MUTED);
    let picture = inner.with_max_y(inner.top() + card.picture).with_min_x(inner.center().x);
    (response, picture)
}

/// A heading of a part of a panel.
pub(crate) fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(SMALL).color(ACCENT));
}

/// A heading of so much width and things beside it; under it where there is
/// little room.
pub(crate) fn labelled(ui: &mut Ui, text: &str, width: f32, add: &mut dyn FnMut(&mut Ui)) {
    if ui.available_width() < 3.0 * width {
        heading(ui, text);
        ui.horizontal_wrapped(|ui| add(ui));
        return;
    }
    ui.horizontal(|ui| {
        let (place, _) = ui.allocate_exact_size(vec2(width, 28.0), Sense::hover());
        let font = FontId::proportional(SMALL);
        ui.painter().text(place.left_center(), Align2::LEFT_CENTER, text, font, ACCENT);
        let room = ui.available_width();
        ui.vertical(|ui| {
            ui.set_max_width(room);
            ui.horizontal_wrapped(|ui| add(ui));
        });
    });
}

/// Text that explains.
pub(crate) fn note(ui: &mut Ui, text: &str) -> Response {
    ui.add(Label::new(RichText::new(text).size(SMALL).color(MUTED)).wrap())
}

/// Text of this size and colour, in as many lines as it needs.
pub(crate) fn wrapped(ui: &mut Ui, text: &str, size: f32, colour: Color32) -> Response {
    ui.add(Label::new(RichText::new(text).size(size).color(colour)).wrap())
}

/// One line of text that is cut rather than wrapped; the whole is shown under
/// the pointer, by the label itself.
pub(crate) fn one_line(ui: &mut Ui, text: &str, size: f32, colour: Color32) -> Response {
    ui.add(
        Label::new(RichText::new(text).size(size).color(colour)).wrap_mode(TextWrapMode::Truncate),
    )
}

/// A disc in a side's colour.
pub(crate) fn disc(ui: &mut Ui, colour: Color32, radius: f32) {
    let (place, _) = ui.allocate_exact_size(Vec2::splat(radius * 2.0 + 2.0), Sense::hover());
    ui.painter().circle(place.center(), radius, colour, Stroke::new(1.0, MUTED));
}

/// Three dots that take turns while an engine thinks. They ask for no frames
/// of their own, as a spinner would: the engine needs the processor.
pub(crate) fn pondering(ui: &mut Ui) {
    let (place, response) = ui.allocate_exact_size(vec2(30.0, 18.0), Sense::hover());
    response.on_hover_text(tr("desk.thinking"));
    let turn = ui.input(|input| input.time * 2.5).rem_euclid(3.0);
    for (dot, start) in [0.0, 1.0, 2.0].into_iter().enumerate() {
        let lit = (start..start + 1.0).contains(&turn);
        let x = egui::lerp(place.x_range(), [0.2, 0.5, 0.8][dot]);
        let colour = if lit { ACCENT } else { LINE };
        ui.painter().circle_filled(pos2(x, place.center().y), 3.5, colour);
    }
}

/// Four casting sticks seen from above, `plain` of them plain side up: a plain
/// side is bare, a marked one carries three notches.
pub(crate) fn sticks(ui: &mut Ui, plain: u8, height: f32) {
    let (width, gap) = (height / 4.5, height / 7.0);
    let size = vec2(4.0 * width + 3.0 * gap, height);
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    response.on_hover_text(tr_args("desk.sticks-lie", &[("count", &plain.to_string())]));
    for stick in 0..4_u8 {
        let left = place.left() + f32::from(stick) * (width + gap);
        let body = Rect::from_min_size(pos2(left, place.top()), vec2(width, height));
        let bare = stick < plain;
        let (wood, edge) = if bare {
            (Color32::from_rgb(238, 214, 168), Color32::from_rgb(150, 118, 74))
        } else {
            (Color32::from_rgb(120, 74, 40), Color32::from_rgb(214, 170, 118))
        };
        ui.painter().rect(body, width / 2.0, wood, Stroke::new(1.0, edge), StrokeKind::Inside);
        if !bare {
            for notch in [0.3, 0.5, 0.7] {
                let y = egui::lerp(body.top()..=body.bottom(), notch);
                ui.painter().hline(
                    body.left() + 2.0..=body.right() - 2.0,
                    y,
                    Stroke::new(2.0, Color32::from_rgb(244, 226, 190)),
                );
            }
        }
    }
}

/// Text called out over the scene, clicks passing through it.
pub(crate) fn shout(
    context: &Context,
    id: &str,
    middle: Pos2,
    text: &str,
    size: f32,
    opacity: f32,
) {
    Area::new(Id::new(id))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(middle)
        .interactable(false)
        .fade_in(false)
        .show(context, |ui| {
            ui.set_opacity(opacity);
            super::theme::sheet().show(ui, |ui| {
                let text = RichText::new(text).size(size).color(ACCENT);
                ui.add(Label::new(text).wrap_mode(TextWrapMode::Extend));
            });
        });
}
