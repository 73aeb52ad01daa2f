//! How the panels look: a few colours, sizes and frames, and nothing else.

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
pub(crate) const INK: Color32 = Color32::from_rgb(236, 228, 212);
/// Text that explains.
pub(crate) const MUTED: Color32 = Color32::from_rgb(190, 178, 158);
/// What is chosen, and what to do next.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(232, 172, 88);
/// Text on the accent.
pub(crate) const ON_ACCENT: Color32 = Color32::from_rgb(34, 24, 12);
/// Errors, and what cannot be taken back.
pub(crate) const ALARM: Color32 = Color32::from_rgb(240, 128, 104);
/// Cards and buttons.
pub(crate) const CARD: Color32 = Color32::from_rgb(50, 43, 37);
/// The same under the pointer.
pub(crate) const CARD_HOVERED: Color32 = Color32::from_rgb(66, 56, 47);
/// The same when chosen.
pub(crate) const CARD_CHOSEN: Color32 = Color32::from_rgb(84, 62, 34);
/// What is chosen where its name is written in this colour too: it can be read
/// on a dark ground, and light letters on it.
pub(crate) const CHOSEN_NAME: Color32 = Color32::from_rgb(166, 118, 58);
/// Thin lines between things.
pub(crate) const LINE: Color32 = Color32::from_rgb(82, 71, 60);

/// Explanations and other small print.
pub(crate) const SMALL: f32 = 14.0;
/// Plain text and buttons.
pub(crate) const BODY: f32 = 16.0;
/// Headings, and what to do next.
pub(crate) const LARGE: f32 = 20.0;
/// The name of the game, and what is called out.
pub(crate) const HUGE: f32 = 36.0;

/// The panels' own ground: dark, and thin enough for the scene to be felt.
pub(crate) fn ground() -> Color32 {
    Color32::from_rgba_unmultiplied(24, 20, 17, 236)
}

/// A panel along the window's edge.
pub(crate) fn pane() -> Frame {
    Frame::new().fill(ground()).inner_margin(Margin::symmetric(12, 8))
}

/// How far the bar that scrolls stands out over what it scrolls, into the
/// margin of its panel.
pub(crate) const BAR: f32 = 10.0;

/// Bars are seen at once wherever there is more, and what goes on fades out.
fn scroll() -> ScrollStyle {
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

/// A panel that stands free over the scene.
pub(crate) fn sheet() -> Frame {
    Frame::new()
        .fill(ground())
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

/// A sheet that covers other panels: nothing shines through.
pub(crate) fn dialog() -> Frame {
    sheet().fill(Color32::from_rgb(24, 20, 17))
}

/// The palette that signs of sides follow: one value for the one window.
static PALETTE: AtomicU8 = AtomicU8::new(0);

/// Signs of sides have these colours from now on.
pub(crate) fn paint(palette: Palette) {
    PALETTE.store(palette as u8, Ordering::Relaxed);
}

/// What a side's own things look like on the board.
pub(crate) fn colour(rules: RuleSet, side: Side) -> Color32 {
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

/// Bars stand beside what they scroll from now on, as another's dialog wants
/// them: it leaves them no margin.
pub(crate) fn scroll_beside(context: &Context) {
    let beside = ScrollStyle { bar_width: 6.0, ..ScrollStyle::solid() };
    context.all_styles_mut(|style| style.spacing.scroll = beside);
}

/// Bars stand in the panels' margins again.
pub(crate) fn scroll_over(context: &Context) {
    context.all_styles_mut(|style| style.spacing.scroll = scroll());
}

/// What is chosen has this ground from now on.
pub(crate) fn choose(context: &Context, ground: Color32) {
    // Letters in the accent's colour would not be read on its own ground.
    let ink = if ground == CHOSEN_NAME { Color32::WHITE } else { ACCENT };
    context.all_styles_mut(|style| {
        style.visuals.selection.bg_fill = ground;
        style.visuals.selection.stroke.color = ink;
    });
}

/// Gives the context this look, once for each context.
pub(crate) fn apply(context: &Context) {
    let done = Id::new("tabulae-theme");
    if context.data(|data| data.get_temp::<bool>(done)).unwrap_or(false) {
        return;
    }
    context.data_mut(|data| data.insert_temp(done, true));
    // The letters for reading have no arrows; those for code do.
    let mut fonts = FontDefinitions::default();
    let code = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let reading = fonts.families.entry(FontFamily::Proportional).or_default();
    let missing: Vec<_> = code.into_iter().filter(|name| !reading.contains(name)).collect();
    reading.extend(missing);
    context.set_fonts(fonts);
    // However long a button is held, letting it go there is a click: on a slow
    // machine the two may be a second apart and more.
    context.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    context.all_styles_mut(|style| {
        style.visuals = visuals();
        style.interaction.selectable_labels = false;
        style.spacing.item_spacing = vec2(8.0, 6.0);
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.interact_size.y = 28.0;
        style.spacing.tooltip_width = 320.0;
        style.spacing.scroll = scroll();
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
    let widget = |fill: Color32, line: Color32, ink: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CornerRadius::same(6),
        fg_stroke: Stroke::new(1.0, ink),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = widget(ground(), LINE, INK);
    visuals.widgets.inactive = widget(CARD, LINE, INK);
    visuals.widgets.hovered = widget(CARD_HOVERED, ACCENT, Color32::WHITE);
    visuals.widgets.active = widget(CARD_CHOSEN, ACCENT, Color32::WHITE);
    visuals.widgets.open = widget(CARD_HOVERED, ACCENT, INK);
    visuals.selection.bg_fill = CARD_CHOSEN;
    visuals.selection.stroke = Stroke::new(1.5, ACCENT);
    visuals.weak_text_color = Some(MUTED);
    visuals.error_fg_color = ALARM;
    visuals.warn_fg_color = ACCENT;
    visuals.hyperlink_color = ACCENT;
    visuals.panel_fill = ground();
    visuals.window_fill = Color32::from_rgb(24, 20, 17);
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.extreme_bg_color = Color32::from_rgb(14, 12, 10);
    visuals.faint_bg_color = Color32::from_rgb(36, 31, 27);
    visuals.slider_trailing_fill = true;
    visuals
}
