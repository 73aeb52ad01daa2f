//! The colours, text sizes and frames of the panels.

use std::sync::atomic::{AtomicU8, Ordering};

use bevy_egui::egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, FontId, Frame, Id, Margin, Shadow,
    Stroke, TextStyle, Visuals,
    style::{ScrollFadeStyle, ScrollStyle, WidgetVisuals},
    vec2,
};

use crate::{
    app::settings::options::Palette,
    games::{RuleSet, Side},
};

/// Plain text.
pub(crate) const TEXT: Color32 = Color32::from_rgb(236, 228, 212);
/// Explanatory text.
pub(crate) const MUTED: Color32 = Color32::from_rgb(190, 178, 158);
/// What is chosen, and what to do next.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(232, 172, 88);
/// Text on the accent.
pub(crate) const ON_ACCENT: Color32 = Color32::from_rgb(34, 24, 12);
/// Errors, and what cannot be undone.
pub(crate) const ERROR: Color32 = Color32::from_rgb(240, 128, 104);
/// Cards and buttons.
pub(crate) const CARD: Color32 = Color32::from_rgb(50, 43, 37);
/// The same under the pointer.
pub(crate) const CARD_HOVERED: Color32 = Color32::from_rgb(66, 56, 47);
/// The same when chosen.
pub(crate) const CARD_CHOSEN: Color32 = Color32::from_rgb(84, 62, 34);
/// The selection in the file dialog, which writes the chosen name in the same
/// colour: legible on a dark ground, and under light letters.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const CHOSEN_NAME: Color32 = Color32::from_rgb(166, 118, 58);
/// Thin lines.
pub(crate) const LINE: Color32 = Color32::from_rgb(82, 71, 60);

/// Explanations and other small text.
pub(crate) const SMALL: f32 = 14.0;
/// Plain text and buttons.
pub(crate) const BODY: f32 = 16.0;
/// Headings, and what to do next.
pub(crate) const LARGE: f32 = 20.0;
/// The name of the game, and what is called out.
pub(crate) const HUGE: f32 = 36.0;

/// The fill of panels, slightly transparent.
fn panel_fill() -> Color32 {
    Color32::from_rgba_unmultiplied(24, 20, 17, 236)
}

/// A panel along the window's edge.
pub(crate) fn panel_frame() -> Frame {
    Frame::new().fill(panel_fill()).inner_margin(Margin::symmetric(12, 8))
}

/// How far a scroll bar reaches into the margin of its panel (points).
pub(crate) const SCROLL_BAR: f32 = 10.0;

/// Scroll bars are always visible, and content fades out where there is more.
fn floating_scroll_bars() -> ScrollStyle {
    ScrollStyle {
        bar_width: 8.0,
        floating_width: 5.0,
        bar_outer_margin: 1.0,
        dormant_background_opacity: 0.3,
        dormant_handle_opacity: 0.5,
        active_background_opacity: 0.5,
        active_handle_opacity: 0.8,
        fade: ScrollFadeStyle { strength: 1.0, size: 18.0 },
        ..ScrollStyle::floating()
    }
}

/// A panel that floats over the scene.
pub(crate) fn floating_frame() -> Frame {
    Frame::new()
        .fill(panel_fill())
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(10)
        .inner_margin(Margin::symmetric(20, 16))
        .shadow(Shadow {
            offset: [0, 6],
            blur: 24,
            spread: 0,
            color: Color32::from_black_alpha(140),
        })
}

/// A panel that floats over other panels, opaque.
pub(crate) fn dialog_frame() -> Frame {
    floating_frame().fill(Color32::from_rgb(24, 20, 17))
}

/// The palette of [`side_color`]: one value for the one window.
static PALETTE: AtomicU8 = AtomicU8::new(0);

/// Sets the palette of [`side_color`].
pub(crate) fn set_palette(palette: Palette) {
    PALETTE.store(palette as u8, Ordering::Relaxed);
}

/// The colour of a side's pieces on the board.
pub(crate) fn side_color(rules: RuleSet, side: Side) -> Color32 {
    let palette = PALETTE.load(Ordering::Relaxed);
    let is_blue_orange = palette == Palette::BlueOrange as u8;
    let [first, second] = match (rules, is_blue_orange) {
        (RuleSet::TablutBerkeley, _) => {
            [Color32::from_rgb(30, 26, 24), Color32::from_rgb(240, 230, 206)]
        }
        (RuleSet::TablutAshton | RuleSet::TablutLinnaeus, _) => {
            [Color32::from_rgb(240, 230, 206), Color32::from_rgb(30, 26, 24)]
        }
        (RuleSet::Tablan | RuleSet::TablanOrdered, true) => {
            [Color32::from_rgb(236, 152, 40), Color32::from_rgb(52, 104, 190)]
        }
        // Red and green are their names: a dark red, a light green.
        (RuleSet::Tablaaza, true) => {
            [Color32::from_rgb(186, 54, 24), Color32::from_rgb(150, 214, 184)]
        }
        (RuleSet::Tablan | RuleSet::TablanOrdered, false) => {
            [Color32::from_rgb(214, 92, 52), Color32::from_rgb(66, 104, 176)]
        }
        (RuleSet::Tablaaza, false) if palette == Palette::Clear as u8 => {
            [Color32::from_rgb(176, 46, 34), Color32::from_rgb(152, 204, 116)]
        }
        (RuleSet::Tablaaza, false) => {
            [Color32::from_rgb(190, 66, 52), Color32::from_rgb(74, 142, 82)]
        }
    };
    match side {
        Side::First => first,
        Side::Second => second,
    }
}

/// Scroll bars stand beside the content from now on: the file dialog leaves them
/// no margin.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn use_solid_scroll_bars(context: &Context) {
    let solid = ScrollStyle { bar_width: 6.0, ..ScrollStyle::solid() };
    context.all_styles_mut(|style| style.spacing.scroll = solid);
}

/// Scroll bars stand in the panels' margins again.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn use_floating_scroll_bars(context: &Context) {
    context.all_styles_mut(|style| style.spacing.scroll = floating_scroll_bars());
}

/// Sets the fill of what is selected.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn set_selection_fill(context: &Context, fill: Color32) {
    // Letters in the accent's colour would be illegible on it.
    let text = if fill == CHOSEN_NAME { Color32::WHITE } else { ACCENT };
    context.all_styles_mut(|style| {
        style.visuals.selection.bg_fill = fill;
        style.visuals.selection.stroke.color = text;
    });
}

/// Applies the theme, once for each context.
pub(crate) fn apply(context: &Context) {
    let done = Id::new("tabulae-theme");
    if context.data(|data| data.get_temp::<bool>(done)).unwrap_or(false) {
        return;
    }
    context.data_mut(|data| data.insert_temp(done, true));
    // The proportional font has no arrows; the monospace font has.
    let mut fonts = FontDefinitions::default();
    let code = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let reading = fonts.families.entry(FontFamily::Proportional).or_default();
    let missing: Vec<_> = code.into_iter().filter(|name| !reading.contains(name)).collect();
    reading.extend(missing);
    context.set_fonts(fonts);
    // However long a button is held, releasing it there is a click: on a slow
    // machine press and release may be more than a second apart.
    context.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    context.all_styles_mut(|style| {
        style.visuals = visuals();
        style.interaction.selectable_labels = false;
        style.spacing.item_spacing = vec2(8.0, 6.0);
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.interact_size.y = 28.0;
        style.spacing.tooltip_width = 320.0;
        style.spacing.scroll = floating_scroll_bars();
        style.text_styles = [
            (TextStyle::Small, SMALL, FontFamily::Proportional),
            (TextStyle::Body, BODY, FontFamily::Proportional),
            (TextStyle::Button, BODY, FontFamily::Proportional),
            (TextStyle::Heading, LARGE, FontFamily::Proportional),
            (TextStyle::Monospace, SMALL, FontFamily::Monospace),
        ]
        .into_iter()
        .map(|(name, size, family)| (name, FontId::new(size, family)))
        .collect();
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    let widget = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CornerRadius::same(6),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = widget(panel_fill(), LINE, TEXT);
    visuals.widgets.inactive = widget(CARD, LINE, TEXT);
    visuals.widgets.hovered = widget(CARD_HOVERED, ACCENT, Color32::WHITE);
    visuals.widgets.active = widget(CARD_CHOSEN, ACCENT, Color32::WHITE);
    visuals.widgets.open = widget(CARD_HOVERED, ACCENT, TEXT);
    visuals.selection.bg_fill = CARD_CHOSEN;
    visuals.selection.stroke = Stroke::new(1.5, ACCENT);
    visuals.weak_text_color = Some(MUTED);
    visuals.error_fg_color = ERROR;
    visuals.warn_fg_color = ACCENT;
    visuals.hyperlink_color = ACCENT;
    visuals.panel_fill = panel_fill();
    visuals.window_fill = Color32::from_rgb(24, 20, 17);
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.extreme_bg_color = Color32::from_rgb(14, 12, 10);
    visuals.faint_bg_color = Color32::from_rgb(36, 31, 27);
    visuals.slider_trailing_fill = true;
    visuals
}
