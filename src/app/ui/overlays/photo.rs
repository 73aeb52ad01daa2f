//! Photo mode: the lens, the aperture, the time and the shape of the picture, and the
//! button that saves it. What the picture leaves out is darkened.

use bevy_egui::egui::Shadow;

use crate::app::{
    scene::{api::PhotoLens, board::CurrentBoard},
    settings::options::TimeOfDay,
    ui::{dialogs::files::FileChooser, prelude::*, widgets},
};

/// The panel of the choices.
const PANEL: &str = "photo";
/// The focal lengths offered, in millimetres.
const LENSES: [u16; 4] = [24, 35, 50, 85];
/// The apertures offered.
const APERTURES: [Option<u16>; 4] = [Some(2), Some(4), Some(8), None];
/// The shapes offered.
const ASPECTS: [Option<(u16, u16)>; 5] =
    [None, Some((1, 1)), Some((4, 3)), Some((16, 9)), Some((9, 16))];
/// With this width the choices need two rows, in both languages.
const MAX_WIDTH: f32 = 1240.0;
/// What the picture leaves out.
const SHADE: Color32 = Color32::from_black_alpha(190);

/// The pixels of the picture's long side.
#[derive(Resource, Debug)]
struct PhotoPixels(u32);

pub(super) fn plugin(app: &mut App) {
    let is_on = |photo: Res<Photo>| photo.0.is_some();
    app.insert_resource(PhotoPixels(3840))
        .add_systems(EguiPrimaryContextPass, show.run_if(is_on).in_set(UiSet::FlipButton));
}

fn show(
    mut contexts: EguiContexts,
    mut photo: ResMut<Photo>,
    mut pixels: ResMut<PhotoPixels>,
    mut files: ResMut<FileChooser>,
    board: Res<CurrentBoard>,
    mut actions: MessageWriter<Action>,
) {
    let (Ok(context), Some(mut lens)) = (contexts.ctx_mut(), photo.0) else { return };
    shade(context, &lens);
    let window = context.content_rect();
    let width = (window.width() - space(6)).min(MAX_WIDTH);
    let foot = pos2(window.center().x, window.bottom() - space(3));
    let (align, mut frame) = (Align2::CENTER_BOTTOM, theme::dialog_frame());
    // The picture is seen through the choices until the pointer or the focus is there.
    let is_used = is_under_pointer(context) || context.memory(|memory| memory.focused().is_some());
    if !is_used {
        frame = frame.fill(frame.fill.gamma_multiply(0.35)).shadow(Shadow::NONE);
    }
    let mut size = pixels.0;
    widgets::floating_panel(context, PANEL, foot, align, width, frame, |ui| {
        ui.set_opacity(if is_used { 1.0 } else { 0.7 });
        widgets::scroll_area(ui, "photo", window.height() * 0.42, |ui| {
            ui.horizontal_wrapped(|ui| lens_choices(ui, &mut lens));
            ui.horizontal_wrapped(|ui| {
                picture_choices(ui, &mut lens, &mut size);
                let button_size = vec2(140.0, CONTROL_HEIGHT - 2.0);
                if !IS_WEB
                    && widgets::primary_button(ui, tr("photo.save"), button_size).clicked()
                    && let Some(rules) = board.0
                {
                    files.photo(rules, size);
                }
                if widgets::button(ui, tr("photo.close")).clicked() {
                    actions.write(ViewAction::TogglePhoto.into());
                }
            });
        });
    });
    photo.set_if_neq(Photo(Some(lens)));
    if pixels.0 != size {
        pixels.0 = size;
    }
}

/// Whether the pointer is over the choices.
fn is_under_pointer(context: &Context) -> bool {
    let panel = context.memory(|memory| memory.area_rect(Id::new(PANEL)));
    let pointer = context.pointer_latest_pos();
    panel.zip(pointer).is_some_and(|(panel, pointer)| panel.contains(pointer))
}

/// Darkens what the picture leaves out.
fn shade(context: &Context, lens: &PhotoLens) {
    let window = context.content_rect();
    let picture = lens.crop(bevy::math::vec2(window.width(), window.height()));
    let picture = Rect::from_center_size(window.center(), vec2(picture.x, picture.y));
    let painter = context.layer_painter(LayerId::background());
    for margin in [
        Rect::from_min_max(window.min, pos2(window.max.x, picture.min.y)),
        Rect::from_min_max(pos2(window.min.x, picture.max.y), window.max),
        Rect::from_min_max(window.min, pos2(picture.min.x, window.max.y)),
        Rect::from_min_max(pos2(picture.max.x, window.min.y), window.max),
    ] {
        if margin.width() > 0.5 && margin.height() > 0.5 {
            painter.rect_filled(margin, 0.0, SHADE);
        }
    }
}

fn lens_choices(ui: &mut Ui, lens: &mut PhotoLens) {
    let lenses = LENSES
        .map(|length| (f32::from(length), tr_args("photo.mm", &[("length", &length.to_string())])));
    group(ui, tr("photo.lens"), &mut lens.focal_length, lenses);
    let apertures = APERTURES.map(|aperture| {
        let name = aperture.map_or_else(
            || tr("photo.sharp").to_owned(),
            |number| tr_args("photo.aperture-of", &[("number", &number.to_string())]),
        );
        (aperture.map(f32::from), name)
    });
    group(ui, tr("photo.aperture"), &mut lens.aperture, apertures);
    let times = TimeOfDay::VARIANTS.iter().map(|&time| {
        let name = match time {
            TimeOfDay::Usual => tr("photo.usual"),
            TimeOfDay::Morning => tr("photo.morning"),
            TimeOfDay::Evening => tr("photo.evening"),
        };
        (time, name.to_owned())
    });
    group(ui, tr("photo.time"), &mut lens.time, times);
}

fn picture_choices(ui: &mut Ui, lens: &mut PhotoLens, pixels: &mut u32) {
    let aspects = ASPECTS.map(|aspect| {
        let name = aspect.map_or_else(
            || tr("photo.window").to_owned(),
            |(width, height)| {
                let sides = [("width", width.to_string()), ("height", height.to_string())];
                tr_args("photo.ratio", &[("width", &sides[0].1), ("height", &sides[1].1)])
            },
        );
        (aspect, name)
    });
    group(ui, tr("photo.shape"), &mut lens.aspect, aspects);
    if !IS_WEB {
        let sizes = [(1920, "photo.hd"), (3840, "photo.4k"), (7680, "photo.8k")];
        let sizes = sizes.map(|(pixels, key)| (pixels, tr(key).to_owned()));
        group(ui, tr("photo.size"), pixels, sizes);
    }
}

/// A name and its choices.
fn group<T: PartialEq>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    options: impl IntoIterator<Item = (T, String)>,
) {
    let name_label = Label::new(RichText::new(name).size(SMALL).color(MUTED));
    ui.add(name_label.wrap_mode(TextWrapMode::Extend));
    for (option, text) in options {
        if widgets::labelled_choice(ui, name, *value == option, &text).clicked() {
            *value = option;
        }
    }
    ui.add_space(space(2));
}
