//! What to export: a picture, an animation or its frames, of which part of the game, how
//! large. The choice of a file follows.

use super::{
    CloseButton, DialogWindow, ScreenContent, WindowLayout, files::FileChooser,
    settings::check_box, while_open,
};
use crate::app::{
    core::actions::{ExportForm, ExportOptions, ExportPart, ExportPause, ExportSize},
    ui::{
        prelude::*,
        widgets::{
            self, board_picture,
            icons::{self, Icon},
            segmented::choice_row,
        },
    },
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ChosenExport>()
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Export, show));
}

/// What was chosen last.
#[derive(Resource, Debug, Default)]
struct ChosenExport(ExportOptions);

fn show(
    mut window: DialogWindow,
    mut chosen: ResMut<ChosenExport>,
    mut files: ResMut<FileChooser>,
    on_screen: ScreenContent,
) {
    let layout = WindowLayout { width: 520.0, close: CloseButton::None, ..WindowLayout::default() };
    let mut options = chosen.0;
    let mut is_confirmed = false;
    window.show_until(&layout, |ui, _| {
        widgets::dialog_title(ui, tr("export.title"));
        choices(ui, on_screen.rules().game(), &mut options);
        let (confirmed, closed) = buttons(ui);
        is_confirmed = confirmed;
        confirmed || closed
    });
    if options != chosen.0 {
        chosen.0 = options;
    }
    if is_confirmed {
        files.export(on_screen.rules(), options);
    }
}

fn choices(ui: &mut Ui, game: GameKind, options: &mut ExportOptions) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 2.0 * ui.spacing().item_spacing.x) / 3.0;
        for form in ExportForm::VARIANTS {
            if card(ui, width, game, *form, options.form == *form) {
                options.form = *form;
            }
        }
    });
    let is_picture = options.form == ExportForm::Picture;
    if !is_picture {
        let parts = ExportPart::VARIANTS.iter().map(|part| match part {
            ExportPart::WholeGame => (*part, tr("export.whole-game")),
            ExportPart::ToShownPly => (*part, tr("export.to-here")),
            ExportPart::FromShownPly => (*part, tr("export.from-here")),
        });
        choice_row(ui, tr("export.part"), "", &mut options.part, parts);
        let pauses = ExportPause::VARIANTS
            .iter()
            .map(|pause| (*pause, format!("{} s", localize_decimal(pause.seconds()))));
        choice_row(ui, tr("export.pause"), "", &mut options.pause, pauses);
    }
    let sizes = ExportSize::VARIANTS.iter().map(|size| {
        let pixels = if is_picture { size.picture() } else { size.animation() };
        (*size, pixels.replace('x', " × "))
    });
    choice_row(ui, tr("export.size"), "", &mut options.size, sizes);
    let mut has_names = !options.board_alone;
    check_box(ui, &mut has_names, tr("export.names"));
    options.board_alone = !has_names;
}

/// A large choice, with a picture of what is written; whether it was clicked.
fn card(ui: &mut Ui, width: f32, game: GameKind, form: ExportForm, is_chosen: bool) -> bool {
    let (name, what) = match form {
        ExportForm::Picture => (tr("export.picture"), tr("export.picture-what")),
        ExportForm::Animation => (tr("export.animation"), tr("export.animation-what")),
        ExportForm::Frames => (tr("export.frames"), tr("export.frames-what")),
    };
    let of = |text: &str, font, color| {
        ui.painter().layout(text.to_owned(), font, color, width - space(4))
    };
    let color = if is_chosen { ACCENT } else { TEXT };
    let name_text = of(name, theme::strong(ui.ctx(), BODY), color);
    let what = of(what, FontId::proportional(SMALL), MUTED);
    let picture = (width - space(4)) / board_picture::ASPECT;
    let height = picture + name_text.size().y + what.size().y + space(7);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let label = tr_args("keys.of", &[("command", tr("export.title")), ("key", name)]);
    let enabled = ui.is_enabled();
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, enabled, is_chosen, &label));
    let (fill, line) = match (is_chosen, response.hovered()) {
        (true, _) => (CARD_CHOSEN, Stroke::new(2.0, ACCENT)),
        (false, true) => (CARD_HOVERED, Stroke::new(1.0, ACCENT)),
        (false, false) => (CARD, Stroke::new(1.0, LINE)),
    };
    ui.painter().rect(rect, CONTROL_RADIUS, fill, line, StrokeKind::Inside);
    let place =
        Rect::from_min_size(rect.min + vec2(space(2), space(2)), vec2(width - space(4), picture));
    paint_form(ui, place, game, form);
    let at = place.left_bottom() + vec2(0.0, space(2));
    let below = at + vec2(0.0, name_text.size().y + space(1));
    ui.painter().galley(at, name_text, color);
    ui.painter().galley(below, what, MUTED);
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}

/// One picture; the same with a sign that it plays; or several behind each other.
fn paint_form(ui: &Ui, place: Rect, game: GameKind, form: ExportForm) {
    let sheets = if form == ExportForm::Frames { 3 } else { 1_u8 };
    let step = space(2);
    let back = f32::from(sheets - 1) * step;
    let size = place.size() * (1.0 - back / place.width());
    for sheet in (0..sheets).rev() {
        let behind = f32::from(sheet) * step;
        let at = place.left_bottom() + vec2(behind, -size.y - behind * size.y / size.x);
        let rect = Rect::from_min_size(at, size);
        board_picture::paint(ui, rect, game, CornerRadius::same(4), 1.0);
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.0, LINE), StrokeKind::Inside);
    }
    if form == ExportForm::Animation {
        ui.painter().circle_filled(place.center(), space(4), GROUND.gamma_multiply(0.8));
        icons::paint(ui.painter(), Icon::Play, place.center(), TEXT);
    }
}

/// The buttons below: whether a file is to be chosen, and whether the dialog closes.
fn buttons(ui: &mut Ui) -> (bool, bool) {
    ui.add_space(6.0);
    let row = ui.horizontal_wrapped(|ui| {
        let confirm = widgets::primary_button(ui, tr("export.choose-file"), vec2(150.0, 34.0));
        if ui.memory(|memory| memory.focused().is_none()) {
            confirm.request_focus();
        }
        (confirm.clicked(), widgets::button(ui, tr("dialog.cancel")).clicked())
    });
    row.inner
}
