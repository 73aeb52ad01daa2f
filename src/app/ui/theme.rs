//! The design system of the panels: colours, text sizes and faces, distances,
//! corners, shadows, the focus ring. Screens name these rather than sizes and colours
//! of their own.

use std::sync::atomic::{AtomicU8, Ordering};

use bevy::color::ColorToPacked as _;
use bevy_egui::egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Frame, Id,
    Margin, Rect, Shadow, Stroke, TextStyle, Visuals,
    style::{ScrollFadeStyle, ScrollStyle, WidgetVisuals},
    vec2,
};

use crate::{
    app::{
        core::prelude::*,
        scene::{api::MoveMark, look::palette},
        settings::options::Palette,
    },
    session::shapes::Rgb,
};

/// Plain text.
pub(crate) const TEXT: Color32 = Color32::from_rgb(243, 234, 217);
/// Explanatory text.
pub(crate) const MUTED: Color32 = Color32::from_rgb(185, 171, 147);
/// Labels over a group, and numbers in a list.
pub(crate) const FAINT: Color32 = Color32::from_rgb(163, 150, 127);
/// What is chosen, and what to do next.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(226, 177, 90);
/// Text on the accent.
pub(crate) const ON_ACCENT: Color32 = Color32::from_rgb(34, 24, 12);
/// Errors, mistakes, and what cannot be undone.
pub(crate) const ERROR: Color32 = Color32::from_rgb(240, 132, 108);
/// Cards and buttons.
pub(crate) const CARD: Color32 = Color32::from_rgb(42, 35, 28);
/// The same under the pointer.
pub(crate) const CARD_HOVERED: Color32 = Color32::from_rgb(58, 48, 38);
/// The same when chosen.
pub(crate) const CARD_CHOSEN: Color32 = Color32::from_rgb(74, 56, 30);
/// A square of the board, under the disc of a side.
pub(crate) const WOOD: Color32 = Color32::from_rgb(196, 164, 118);
/// The selection in the file dialog, which writes the chosen name in the same
/// colour: legible on a dark ground, and under light letters.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const CHOSEN_NAME: Color32 = Color32::from_rgb(166, 118, 58);
/// Thin lines.
pub(crate) const LINE: Color32 = Color32::from_rgb(76, 66, 55);
/// What a text is written in, and bars are drawn on.
const WELL: Color32 = Color32::from_rgb(14, 11, 8);
/// The ground of panels and dialogs.
pub(crate) const GROUND: Color32 = Color32::from_rgb(24, 19, 14);
/// So dark is the soft picture behind the title's texts: they are legible on its brightest
/// part.
pub(crate) const GROUND_TINT: Color32 = Color32::from_gray(62);

/// So many steps of 4 points: every distance between things is one.
pub(crate) const fn space(steps: u8) -> f32 {
    4.0 * steps as f32
}

/// How high buttons and fields are.
pub(crate) const CONTROL_HEIGHT: f32 = space(9);
/// How high the most important button is.
pub(crate) const PRIMARY_HEIGHT: f32 = space(13);
/// The corners of buttons and fields.
pub(crate) const CONTROL_RADIUS: u8 = 8;
/// The corners of the pill.
pub(crate) const PILL_RADIUS: u8 = 22;
/// The corners of panels.
pub(crate) const PANEL_RADIUS: u8 = 14;

/// The line of the focus ring.
pub(crate) const FOCUS_RING: Stroke = Stroke { width: 2.0, color: Color32::WHITE };
/// How far the focus ring stands off, and its corners.
pub(crate) const FOCUS_RING_GAP: f32 = 2.0;

/// Labels over a group.
pub(crate) const LABEL: f32 = 13.0;
/// Explanations and other small text.
pub(crate) const SMALL: f32 = 14.0;
/// Plain text and buttons.
pub(crate) const BODY: f32 = 16.0;
/// What to do next.
pub(crate) const LARGE: f32 = 18.0;
/// Headings.
pub(crate) const HEADING: f32 = 21.0;
/// The titles of dialogs, and what is called out.
pub(crate) const DISPLAY: f32 = 30.0;
/// The name of the program on the title screen.
pub(crate) const TITLE: f32 = 64.0;

/// A panel along the window's edge.
pub(crate) fn panel_frame() -> Frame {
    Frame::new().fill(GROUND).inner_margin(Margin::symmetric(12, 8))
}

/// A panel beside the board, in a place of this size: with room it stands free.
pub(crate) fn side_frame(rect: Rect) -> (Rect, Frame) {
    if rect.width() < FREE_SIDE {
        return (rect, panel_frame());
    }
    let line = Stroke::new(1.0, LINE);
    let frame = panel_frame().corner_radius(PANEL_RADIUS).stroke(line);
    (rect.shrink(space(3)), frame.inner_margin(Margin::same(16)))
}

/// A low panel under the board, in the middle of a place of this size: with room it
/// stands free.
pub(crate) fn foot_frame(rect: Rect) -> (Rect, Frame) {
    if rect.width() < FREE_FOOT {
        return (rect, panel_frame());
    }
    let shown = Rect::from_center_size(
        rect.center() - vec2(0.0, space(1)),
        vec2(FREE_FOOT - 2.0 * space(3), rect.height() - space(3)),
    );
    (shown, panel_frame().corner_radius(PANEL_RADIUS).stroke(Stroke::new(1.0, LINE)))
}

/// From this width on a panel under the board stands free, and no wider than this.
const FREE_FOOT: f32 = space(185);
/// From this width on a panel beside the board stands free.
const FREE_SIDE: f32 = space(80);

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

/// The shadow of what floats.
const SHADOW: Shadow =
    Shadow { offset: [0, 6], blur: 24, spread: 0, color: Color32::from_black_alpha(140) };

/// A panel that floats over the scene.
pub(crate) fn floating_frame() -> Frame {
    Frame::new()
        .fill(GROUND)
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(PANEL_RADIUS)
        .inner_margin(Margin::symmetric(20, 16))
        .shadow(SHADOW)
}

/// A panel that floats over other panels, opaque.
pub(crate) fn dialog_frame() -> Frame {
    floating_frame().fill(GROUND)
}

/// The palette of [`side_color`]: one value for the one window.
static PALETTE: AtomicU8 = AtomicU8::new(0);

/// Sets the palette of [`side_color`].
pub(crate) fn set_palette(palette: Palette) {
    PALETTE.store(palette as u8, Ordering::Relaxed);
}

/// The colour of a side's pieces on the board.
pub(crate) fn side_color(rules: RuleSet, side: Side) -> Color32 {
    let shown = PALETTE.load(Ordering::Relaxed);
    let palette = Palette::VARIANTS.iter().copied().find(|palette| *palette as u8 == shown);
    let Rgb(red, green, blue) = palette::side_color(palette.unwrap_or_default(), rules, side);
    Color32::from_rgb(red, green, blue)
}

/// The colour of a judged move on the board.
pub(crate) fn mark_color(mark: MoveMark) -> Color32 {
    let [red, green, blue, _] = palette::mark_color(mark).to_srgba().to_u8_array();
    Color32::from_rgb(red, green, blue)
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

/// The display serif: names and titles.
const SERIF: &str = "serif";
/// The text face in a heavier weight.
const STRONG: &str = "strong";
/// The name of the face of all other texts.
const TEXT_FACE: &str = "text";

/// The faces, see `assets/CREDITS.md`. egui's own follow them, for letters of
/// other scripts and for symbols.
const FACES: [(&str, &[u8]); 3] = [
    (TEXT_FACE, include_bytes!("../../../assets/fonts/Inter-Regular.otf")),
    (STRONG, include_bytes!("../../../assets/fonts/Inter-SemiBold.otf")),
    (SERIF, include_bytes!("../../../assets/fonts/EBGaramond-Regular.otf")),
];

/// egui's own faces.
#[cfg(not(target_arch = "wasm32"))]
fn egui_fonts() -> FontDefinitions {
    FontDefinitions::default()
}

/// egui's own faces but for its pictograms, which are two fifths of them.
#[cfg(target_arch = "wasm32")]
fn egui_fonts() -> FontDefinitions {
    use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

    let mut fonts = FontDefinitions::empty();
    for (name, face) in [("light", UBUNTU_LIGHT), ("mono", HACK_REGULAR)] {
        fonts.font_data.insert(name.to_owned(), FontData::from_static(face).into());
    }
    let families =
        [(FontFamily::Proportional, vec!["light"]), (FontFamily::Monospace, vec!["mono", "light"])];
    for (family, names) in families {
        fonts.families.insert(family, names.into_iter().map(str::to_owned).collect());
    }
    fonts
}

/// The faces of each family, in the order in which a letter is looked for.
fn fonts() -> FontDefinitions {
    let mut fonts = egui_fonts();
    for (name, face) in FACES {
        fonts.font_data.insert(name.to_owned(), FontData::from_static(face).into());
    }
    let code = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let reading = fonts.families.entry(FontFamily::Proportional).or_default();
    let missing: Vec<_> = code.into_iter().filter(|name| !reading.contains(name)).collect();
    reading.extend(missing);
    reading.insert(0, TEXT_FACE.to_owned());
    let reading = reading.clone();
    for name in [STRONG, SERIF] {
        let family = std::iter::once(name.to_owned()).chain(reading.clone()).collect();
        fonts.families.insert(FontFamily::Name(name.into()), family);
    }
    fonts
}

/// A font with its name for egui.
#[cfg(not(target_arch = "wasm32"))]
pub(super) type NamedFont = (String, std::sync::Arc<FontData>);

/// Sets the game's fonts, and after them those that have letters of other scripts.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn set_fonts(context: &Context, added: &[NamedFont]) {
    let mut fonts = fonts();
    for (name, font) in added {
        fonts.font_data.insert(name.clone(), font.clone());
        fonts.families.values_mut().for_each(|family| family.push(name.clone()));
    }
    context.set_fonts(fonts);
}

/// The display serif in this size.
pub(crate) fn serif(context: &Context, size: f32) -> FontId {
    named(context, SERIF, size)
}

/// The heavier text face in this size.
pub(crate) fn strong(context: &Context, size: f32) -> FontId {
    named(context, STRONG, size)
}

/// A family of [`fonts`]. Fonts are known from the second frame on: until then it
/// is the default one.
fn named(context: &Context, name: &str, size: f32) -> FontId {
    let family = FontFamily::Name(name.into());
    let is_known = context.fonts(|fonts| fonts.definitions().families.contains_key(&family));
    FontId::new(size, if is_known { family } else { FontFamily::Proportional })
}

/// Applies the theme, once for each context.
pub(crate) fn apply(context: &Context) {
    let done = Id::new("tabulae-theme");
    if context.data(|data| data.get_temp::<bool>(done)).unwrap_or(false) {
        return;
    }
    context.data_mut(|data| data.insert_temp(done, true));
    context.set_fonts(fonts());
    // However long a button is held, releasing it there is a click: on a slow
    // machine press and release may be more than a second apart.
    context.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    context.all_styles_mut(|style| {
        style.visuals = visuals();
        style.interaction.selectable_labels = false;
        style.spacing.item_spacing = vec2(space(2), 6.0);
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.interact_size.y = 28.0;
        style.spacing.tooltip_width = 320.0;
        style.spacing.scroll = floating_scroll_bars();
        style.text_styles = [
            (TextStyle::Small, SMALL, FontFamily::Proportional),
            (TextStyle::Body, BODY, FontFamily::Proportional),
            (TextStyle::Button, BODY, FontFamily::Proportional),
            (TextStyle::Heading, HEADING, FontFamily::Proportional),
            (TextStyle::Monospace, SMALL, FontFamily::Monospace),
        ]
        .into_iter()
        .map(|(name, size, family)| (name, FontId::new(size, family)))
        .collect();
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    // Each blink would draw the whole table again.
    visuals.text_cursor.blink = false;
    let widget = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CornerRadius::same(CONTROL_RADIUS),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = widget(GROUND, LINE, TEXT);
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
    visuals.panel_fill = GROUND;
    visuals.window_fill = GROUND;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(PANEL_RADIUS);
    visuals.menu_corner_radius = CornerRadius::same(CONTROL_RADIUS);
    visuals.extreme_bg_color = WELL;
    visuals.faint_bg_color = CARD;
    visuals.slider_trailing_fill = true;
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.
    fn luminance(color: Color32) -> f32 {
        let [red, green, blue, _] = color.to_array().map(|channel| {
            let share = f32::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: Color32, other: Color32) -> f32 {
        let [one, other] = [one, other].map(luminance);
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// A panel over this colour of the scene.
    fn panel_over(scene: Color32) -> Color32 {
        scene.blend(GROUND)
    }

    #[test]
    fn text_is_legible_over_the_pictures_behind_the_title() {
        for ground in crate::app::ui::widgets::board_picture::blurred_colors() {
            let ground = ground * GROUND_TINT;
            for (name, text) in [("text", TEXT), ("muted", MUTED), ("faint", FAINT)] {
                assert!(contrast(text, ground) >= 4.5, "{name} on {ground:?}");
            }
        }
    }

    #[test]
    fn text_is_legible_on_every_ground() {
        // The brightest squares of all palettes are darker.
        let panel = panel_over(Color32::from_rgb(250, 240, 215));
        for ground in [panel, GROUND, WELL, CARD, CARD_HOVERED, CARD_CHOSEN] {
            for (name, text) in [("text", TEXT), ("muted", MUTED)] {
                assert!(contrast(text, ground) >= 4.5, "{name} on {ground:?}");
            }
        }
        for ground in [panel, GROUND, CARD] {
            for (name, text) in [("faint", FAINT), ("accent", ACCENT), ("error", ERROR)] {
                assert!(contrast(text, ground) >= 4.5, "{name} on {ground:?}");
            }
        }
        assert!(contrast(ON_ACCENT, ACCENT) >= 4.5);
        assert!(contrast(ACCENT, CARD_CHOSEN) >= 4.5);
        assert!(contrast(FOCUS_RING.color, CARD_CHOSEN) >= 3.0);
    }

    #[test]
    fn the_colours_of_both_sides_stand_out_in_every_palette() {
        for &palette in Palette::VARIANTS {
            for rules in RuleSet::ALL {
                let sides = Side::BOTH.map(|side| {
                    let Rgb(red, green, blue) = palette::side_color(palette, rules, side);
                    Color32::from_rgb(red, green, blue)
                });
                for color in sides {
                    // A dark disc stands out by its ring, which is muted text.
                    let edge = contrast(color, GROUND).max(contrast(MUTED, GROUND));
                    assert!(edge >= 3.0, "{palette:?} {rules}");
                }
                let [first, second] = sides.map(|color| color.to_array());
                let apart = first.into_iter().zip(second);
                let apart: u32 = apart.map(|(a, b)| u32::from(a.abs_diff(b))).sum();
                assert!(apart > 150, "{palette:?} {rules}: {sides:?}");
            }
        }
    }
}
