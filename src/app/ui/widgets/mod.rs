//! Widgets that the panels share, each a function.

pub(crate) mod board_picture;
pub(crate) mod command;
pub(crate) mod evaluation_bar;
pub(crate) mod field;
pub(crate) mod icons;
pub(crate) mod piece_picture;
mod seat_choice;
pub(crate) mod segmented;

use std::{fmt::Debug, hash::Hash};

use bevy_egui::egui::{Area, AreaState, Atom, ComboBox, Panel, ProgressBar, accesskit::Live};

use crate::{
    app::{scene::api::MoveMark, ui::prelude::*},
    session::MAX_NAME_LENGTH,
};

pub(crate) use self::seat_choice::seat_choice;

use super::theme::{FOCUS_RING, FOCUS_RING_GAP, ON_ACCENT, SCROLL_BAR, WOOD};

/// A panel in a fixed place.
///
/// Panels are areas of their own rather than egui's side panels: those lie on
/// the background layer, where a click would go through to the board.
pub(crate) fn panel<R>(
    context: &Context,
    id: &str,
    rect: Rect,
    frame: Frame,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let inner = rect.size() - frame.total_margin().sum();
    area(context, id, rect.min, Order::Middle)
        .show(context, |ui| {
            frame
                .show(ui, |ui| {
                    ui.set_min_size(inner);
                    ui.set_max_size(inner);
                    ui.shrink_clip_rect(rect);
                    add(ui)
                })
                .inner
        })
        .inner
}

/// A panel under the board, as high as its content: it grows from the foot of `room`.
/// Higher content is scrolled, from its top where it `is_new`.
pub(crate) fn foot_panel<R>(
    context: &Context,
    id: &str,
    room: Rect,
    is_new: bool,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let mut scroll = ScrollArea::vertical().id_salt(id);
    if is_new {
        scroll = scroll.vertical_scroll_offset(0.0);
    }
    let frame = theme::panel_frame();
    let inner = room.width() - frame.total_margin().sum().x;
    let most = MAX_FOOT_SHARE * context.content_rect().height() - frame.total_margin().sum().y;
    area(context, id, room.left_bottom(), Order::Middle)
        .pivot(Align2::LEFT_BOTTOM)
        .default_width(room.width())
        .show(context, |ui| {
            frame
                .show(ui, |ui| {
                    ui.set_width(inner);
                    scroll_area_from(ui, scroll, most, add)
                })
                .inner
        })
        .inner
}

/// How high the panel under the board is.
pub(crate) fn foot_panel_height(context: &Context, id: &str) -> f32 {
    let rect = context.memory(|memory| memory.area_rect(Id::new(id)));
    rect.map_or(0.0, |rect| rect.height()).min(MAX_FOOT_SHARE * context.content_rect().height())
}

/// The greatest share of the window's height that the panel under the board takes.
const MAX_FOOT_SHARE: f32 = 0.42;

/// A panel as high as its content, whose `align` corner or edge is at `point`.
pub(crate) fn floating_panel<R>(
    context: &Context,
    id: &str,
    point: Pos2,
    align: Align2,
    width: f32,
    frame: Frame,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let inner = width - frame.total_margin().sum().x;
    area(context, id, point, Order::Foreground)
        .pivot(align)
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

/// Content in so much height, scrolled where it has no room; the scroll bar
/// stands in the panel's margin.
pub(crate) fn scroll_area<R>(
    ui: &mut Ui,
    id: impl Hash + Debug,
    height: f32,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    scroll_area_from(ui, ScrollArea::vertical().id_salt(id), height, add)
}

/// The same with a given egui area.
pub(crate) fn scroll_area_from<R>(
    ui: &mut Ui,
    area: ScrollArea,
    height: f32,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let room = ui.available_rect_before_wrap();
    let room = room.with_max_y(room.top() + height);
    let with_bar = room.with_max_x(room.right() + SCROLL_BAR);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(with_bar));
    let shown = area
        .auto_shrink([false, true])
        .max_height(height)
        .min_scrolled_height(height.min(64.0))
        .show(&mut inner, |ui| {
            ui.set_max_width(room.width());
            add(ui)
        });
    // No wider than its own room, and only as high as its content.
    let used = inner.min_rect().intersect(room);
    ui.allocate_rect(used, Sense::hover());
    shown.inner
}

/// A bar that shows how much of a wait is over.
pub(crate) fn wait_bar(ui: &mut Ui, [done, all]: [usize; 2]) {
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    share_bar(ui, done as f32 / all.max(1) as f32);
}

/// The same for a share, from 0 to 1.
pub(crate) fn share_bar(ui: &mut Ui, share: f32) {
    ui.add(ProgressBar::new(share).desired_height(6.0).fill(ACCENT));
}

/// Content at the foot of a panel; what is added next stands above it. It has no frame.
pub(crate) fn foot<R>(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    let foot = Panel::bottom(ui.id().with(id)).frame(Frame::NONE).show_separator_line(false);
    foot.min_size(0.0).show(ui, add).inner
}

fn area(context: &Context, id: &str, corner: Pos2, order: Order) -> Area {
    let id = Id::new(id);
    show_at_once(context, id);
    Area::new(id).order(order).fixed_pos(corner).constrain(false).fade_in(false)
}

/// Has an egui area that is new in this frame drawn in it: egui only measures a new area,
/// so a slow renderer would show a whole frame without it.
pub(crate) fn show_at_once(context: &Context, id: Id) {
    if AreaState::load(context, id).is_none() {
        context.request_discard("new-area");
    }
}

/// A plain button.
pub(crate) fn button(ui: &mut Ui, text: &str) -> Response {
    ui.add(Button::new(text))
}

/// How wide buttons with these texts are, side by side.
pub(crate) fn buttons_width(ui: &Ui, texts: &[&str]) -> f32 {
    let spacing = ui.spacing();
    let around = 2.0 * spacing.button_padding.x + spacing.item_spacing.x + 2.0;
    texts.iter().map(|text| text_width(ui, text, BODY) + around).sum()
}

/// How wide a text of this size is in one line.
pub(crate) fn text_width(ui: &Ui, text: &str, size: f32) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), MUTED).size().x
}

/// A button that can be disabled; then `disabled_hint` is its tooltip.
pub(crate) fn button_if(ui: &mut Ui, enabled: bool, text: &str, disabled_hint: &str) -> Response {
    ui.add_enabled(enabled, Button::new(text)).on_disabled_hover_text(disabled_hint)
}

/// Gives a button another label for screen readers than the text on it.
pub(crate) fn set_accessible_label(response: &Response, label: &str) {
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, label));
}

/// Makes a label a live region: a screen reader says it when it changes.
pub(crate) fn say_when_changed(label: &Response) {
    label.ctx.accesskit_node_builder(label.id, |node| node.set_live(Live::Polite));
}

/// Draws a ring around the widget that has the focus.
pub(crate) fn paint_focus_ring(context: &Context) {
    let Some(focused) = context.memory(egui::Memory::focused) else { return };
    // egui knows the place of a widget for one frame after it has gone.
    if !context.viewport(|viewport| viewport.this_pass.widgets.contains(focused)) {
        return;
    }
    let Some(response) = context.read_response(focused) else { return };
    // In its first frame, a dialog is laid out but not drawn, and nothing in it is enabled.
    if !response.enabled() {
        return;
    }
    let visible = response.interact_rect;
    if !visible.is_positive() {
        return;
    }
    let painter = context.layer_painter(response.layer_id).with_clip_rect(visible.expand(4.0));
    let ring = response.rect.expand(FOCUS_RING_GAP);
    painter.rect_stroke(ring, CONTROL_RADIUS, FOCUS_RING, StrokeKind::Outside);
}

/// The button of the most likely choice.
pub(crate) fn primary_button(ui: &mut Ui, text: &str, size: Vec2) -> Response {
    // Dark letters would be illegible once the button is faded.
    let (fill, color) = if ui.is_enabled() { (ACCENT, ON_ACCENT) } else { (CARD, TEXT) };
    let text = RichText::new(text).font(theme::strong(ui.ctx(), LARGE)).color(color);
    // In the middle, whatever the layout around it.
    let content = (Atom::grow(), text, Atom::grow());
    ui.add(Button::new(content).gap(0.0).fill(fill).stroke(Stroke::NONE).min_size(size))
}

/// The most likely choice within a panel that has other buttons.
pub(crate) fn small_primary_button(ui: &mut Ui, text: &str) -> Response {
    let text = RichText::new(text).font(theme::strong(ui.ctx(), SMALL)).color(ON_ACCENT);
    ui.add(Button::new(text).fill(ACCENT).stroke(Stroke::NONE))
}

/// The button of what cannot be undone.
pub(crate) fn danger_button(ui: &mut Ui, text: &str) -> Response {
    ui.add(Button::new(RichText::new(text).color(ERROR)))
}

/// A button of one of several choices.
pub(crate) fn choice_button(ui: &mut Ui, is_chosen: bool, text: &str) -> Response {
    let color = if is_chosen { ACCENT } else { TEXT };
    ui.add(
        Button::new(RichText::new(text).color(color).size(BODY))
            .fill(if is_chosen { CARD_CHOSEN } else { CARD })
            .stroke(Stroke::new(1.0, if is_chosen { ACCENT } else { LINE }))
            .selected(is_chosen),
    )
}

/// A button of one of several choices, whose accessible label says of what.
pub(crate) fn labelled_choice(ui: &mut Ui, of: &str, is_chosen: bool, text: &str) -> Response {
    let response = choice_button(ui, is_chosen, text);
    let label = tr_args("keys.of", &[("command", of), ("key", text)]);
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, is_chosen, &label));
    response
}

/// A button that looks like text.
pub(crate) fn link(ui: &mut Ui, text: &str, size: f32) -> Response {
    ui.visuals_mut().widgets.inactive.fg_stroke.color = MUTED;
    let button = Button::new(RichText::new(text).size(size)).frame_when_inactive(false);
    ui.add(button).on_hover_cursor(CursorIcon::PointingHand)
}

/// The label over a group of controls.
pub(crate) fn label(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).size(LABEL).color(FAINT)).wrap());
}

/// Controls with a label before them, or over them where there is little room.
pub(crate) fn labelled<R>(ui: &mut Ui, text: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    if ui.available_width() < 3.0 * LABEL_WIDTH {
        label(ui, text);
        return add(ui);
    }
    ui.horizontal_top(|ui| {
        let size = vec2(LABEL_WIDTH, CONTROL_HEIGHT);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            label(ui, text);
        });
        ui.vertical(|ui| add(ui)).inner
    })
    .inner
}

/// A line of text, which screen readers call `of`.
pub(crate) fn text_field(ui: &mut Ui, of: &str, text: &mut String, hint: &str) -> Response {
    let line = TextEdit::singleline(text).hint_text(hint).desired_width(f32::INFINITY);
    labelled(ui, of, |ui| add_line(ui, of, line))
}

/// Adds a line of text as high as a button.
fn add_line(ui: &mut Ui, of: &str, line: TextEdit<'_>) -> Response {
    let line = line
        .min_size(vec2(0.0, CONTROL_HEIGHT))
        .margin(Margin::symmetric(10, 2))
        .vertical_align(Align::Center);
    let response = ui.add(line);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, of));
    response
}

/// A line for a person's name, with the known names in a list beside it.
pub(crate) fn name_field(ui: &mut Ui, of: &str, name: &mut String, known: &[String]) {
    let list_width = if known.is_empty() { 0.0 } else { CONTROL_HEIGHT + space(1) };
    labelled(ui, of, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space(1);
            let line = TextEdit::singleline(name)
                .char_limit(MAX_NAME_LENGTH)
                .hint_text(tr("title.name-hint"))
                .desired_width((ui.available_width() - list_width).max(0.0));
            let response = add_line(ui, of, line);
            if response.gained_focus() {
                response.scroll_to_me(None);
            }
            if !known.is_empty() {
                let names = matching_names(known, name).map(|name| (name.clone(), name.clone()));
                let names: Vec<_> = names.collect();
                ui.add_enabled_ui(!names.is_empty(), |ui| {
                    // No wider than it is high.
                    ui.spacing_mut().button_padding.x = space(1);
                    let of = tr_args("title.known-names", &[("field", of)]);
                    drop_down_of(ui, &of, "", CONTROL_HEIGHT, name, names);
                });
            }
        });
    });
}

/// The known names that contain what is typed; all while a known name is chosen.
fn matching_names<'a>(known: &'a [String], typed: &str) -> impl Iterator<Item = &'a String> {
    let typed = typed.trim().to_lowercase();
    let is_chosen = known.iter().any(|name| name.to_lowercase() == typed);
    known.iter().filter(move |name| is_chosen || name.to_lowercase().contains(&typed))
}

/// A drop-down list that says what is chosen of what.
pub(crate) fn drop_down<T: PartialEq>(
    ui: &mut Ui,
    of: &str,
    width: f32,
    chosen: &mut T,
    choices: Vec<(T, String)>,
) -> Response {
    let name = choices.iter().find(|(value, _)| value == chosen).map(|(_, name)| name.as_str());
    let text = tr_args("keys.of", &[("command", of), ("key", name.unwrap_or_default())]);
    drop_down_of(ui, of, &text, width, chosen, choices)
}

/// A drop-down list with this text on it; without text, screen readers call it `of`.
fn drop_down_of<T: PartialEq>(
    ui: &mut Ui,
    of: &str,
    text: &str,
    width: f32,
    chosen: &mut T,
    choices: Vec<(T, String)>,
) -> Response {
    let list = ComboBox::from_id_salt(of).width(width).truncate().selected_text(text);
    let response = list
        .show_ui(ui, |ui| {
            for (value, name) in choices {
                if choice_button(ui, value == *chosen, &name).clicked() {
                    *chosen = value;
                    ui.close();
                }
            }
        })
        .response;
    if text.is_empty() {
        let enabled = response.enabled();
        response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, enabled, of));
    }
    response
}

/// How wide a label before a control is.
const LABEL_WIDTH: f32 = space(30);

/// The title of a dialog, in one line.
pub(crate) fn dialog_title(ui: &mut Ui, text: &str) {
    let font = theme::serif(ui.ctx(), HEADING);
    let text = RichText::new(text).font(font).color(ACCENT);
    say_when_changed(&ui.add(Label::new(text).wrap_mode(TextWrapMode::Truncate)));
}

/// The heading of a part of a panel.
pub(crate) fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(SMALL).color(ACCENT));
}

/// Small explanatory text.
pub(crate) fn note(ui: &mut Ui, text: &str) -> Response {
    ui.add(Label::new(RichText::new(text).size(SMALL).color(MUTED)).wrap())
}

/// Text of this size and colour, in as many lines as it needs.
pub(crate) fn wrapped(ui: &mut Ui, text: &str, size: f32, color: Color32) -> Response {
    ui.add(Label::new(RichText::new(text).size(size).color(color)).wrap())
}

/// One line of text that is cut rather than wrapped; then egui shows the whole
/// under the pointer.
pub(crate) fn one_line(ui: &mut Ui, text: &str, size: f32, color: Color32) -> Response {
    ui.add(
        Label::new(RichText::new(text).size(size).color(color)).wrap_mode(TextWrapMode::Truncate),
    )
}

/// The margin of a disc on its square.
const DISC_MARGIN: f32 = 2.0;

/// A disc in a side's colour.
pub(crate) fn disc(ui: &mut Ui, color: Color32, radius: f32) {
    let size = Vec2::splat(2.0 * (radius + DISC_MARGIN));
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    paint_disc(ui.painter(), rect.center(), radius, color);
}

/// Paints a disc in a side's colour on a square of the board: on the panel's own ground
/// a black one would look like a ring. Returns the square.
pub(crate) fn paint_disc(painter: &Painter, center: Pos2, radius: f32, color: Color32) -> Rect {
    let square = Rect::from_center_size(center, Vec2::splat(2.0 * (radius + DISC_MARGIN)));
    painter.rect_filled(square, 0.4 * radius, WOOD);
    painter.circle(center, radius, color, Stroke::new(1.0, ON_ACCENT));
    square
}

/// The sign of a judged move, as the board shows it.
pub(crate) fn sign(ui: &mut Ui, mark: MoveMark) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(SMALL), Sense::hover());
    let (middle, radius) = (rect.center(), SMALL / 2.0);
    ui.painter().circle_filled(middle, radius, theme::mark_color(mark));
    let ink = if mark == MoveMark::Played { ON_ACCENT } else { Color32::WHITE };
    for line in mark.sign() {
        let points = line.iter().map(|&(x, y)| middle + radius * vec2(x, y)).collect();
        ui.painter().add(Shape::line(points, Stroke::new(1.6, ink)));
    }
}

/// A stone in a side's colour, framed while it is that side's turn.
pub(crate) fn stone(ui: &mut Ui, color: Color32, radius: f32, is_to_move: bool) {
    let size = Vec2::splat(2.0 * (radius + DISC_MARGIN + 2.0));
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let square = paint_disc(ui.painter(), rect.center(), radius, color);
    if is_to_move {
        let frame = Stroke::new(2.0, ACCENT);
        ui.painter().rect_stroke(square, 0.4 * radius, frame, StrokeKind::Outside);
    }
}

/// The size of [`thinking_dots`].
pub(crate) const THINKING_DOTS: Vec2 = vec2(30.0, 18.0);

/// Three dots while an engine thinks. Unlike a spinner they stand still: the engine needs
/// the processor that frames would take.
pub(crate) fn thinking_dots(ui: &mut Ui) {
    let (rect, response) = ui.allocate_exact_size(THINKING_DOTS, Sense::hover());
    response.on_hover_text(tr("desk.thinking"));
    for place in [0.2, 0.5, 0.8] {
        let x = egui::lerp(rect.x_range(), place);
        ui.painter().circle_filled(pos2(x, rect.center().y), 3.5, ACCENT);
    }
}

/// Four casting sticks seen from above, `plain` of them plain side up: a marked
/// side has three notches.
pub(crate) fn casting_sticks(ui: &mut Ui, plain: u8, height: f32) {
    let size = vec2(casting_sticks_width(height), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.on_hover_text(tr_args("desk.sticks-lie", &[("count", &plain.to_string())]));
    paint_casting_sticks(ui.painter(), rect.left_top(), plain, height);
}

/// How wide four sticks of this height are.
pub(crate) fn casting_sticks_width(height: f32) -> f32 {
    4.0 * height / 4.5 + 3.0 * height / 7.0
}

/// Paints four casting sticks with their top left corner at `corner`.
pub(crate) fn paint_casting_sticks(painter: &Painter, corner: Pos2, plain: u8, height: f32) {
    let (width, gap) = (height / 4.5, height / 7.0);
    let notch_width = height / 28.0;
    // Small sticks are told apart by their colours alone.
    let is_small = height < 24.0;
    for stick in 0..4_u8 {
        let left = corner.x + f32::from(stick) * (width + gap);
        let body = Rect::from_min_size(pos2(left, corner.y), vec2(width, height));
        let is_plain = stick < plain;
        let (wood, edge) = if is_plain {
            (Color32::from_rgb(238, 214, 168), Color32::from_rgb(150, 118, 74))
        } else {
            (Color32::from_rgb(120, 74, 40), Color32::from_rgb(214, 170, 118))
        };
        let edge = Stroke::new(if is_small { 0.5 } else { 1.0 }, edge);
        painter.rect(body, width / 2.0, wood, edge, StrokeKind::Inside);
        if !(is_plain || is_small) {
            for notch in [0.3, 0.5, 0.7] {
                let y = egui::lerp(body.top()..=body.bottom(), notch);
                let notch = Stroke::new(notch_width, Color32::from_rgb(244, 226, 190));
                painter.hline(body.left() + notch_width..=body.right() - notch_width, y, notch);
            }
        }
    }
}

/// A text in large letters over the scene; clicks pass through it.
pub(crate) fn callout(
    context: &Context,
    id: &str,
    middle: Pos2,
    text: &str,
    size: f32,
    opacity: f32,
) {
    area(context, id, middle, Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .interactable(false)
        .show(context, |ui| {
            ui.set_opacity(opacity);
            super::theme::floating_frame().show(ui, |ui| {
                let text = RichText::new(text).size(size).color(ACCENT);
                ui.add(Label::new(text).wrap_mode(TextWrapMode::Extend));
            });
        });
}
