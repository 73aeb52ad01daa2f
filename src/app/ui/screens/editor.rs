//! The panel of a position being set up: what to put on the board, who moves,
//! what is wrong with it, and where to go on.

use bevy_egui::egui::Direction;

use super::{side_panel, title::SelectedGame};
use crate::{
    app::{
        editor::Editor,
        ui::{
            dialogs::confirmation::Confirmation,
            game_texts::sentence,
            overlays::toast,
            prelude::*,
            widgets::{
                self,
                command::CommandUi,
                piece_picture,
                segmented::{self, choice_row},
            },
        },
    },
    i18n::localized,
    session::{
        PositionBuilder, ThrowState, Unplayable, describe_end, describe_square, describe_throw,
        piece_label,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Editor)).in_set(UiSet::Screens),
    );
}

fn show(
    mut contexts: EguiContexts,
    mut confirmation: ResMut<Confirmation>,
    (state, settings): (CommandState, Res<Settings>),
    choice: Res<SelectedGame>,
    editor: Res<Editor>,
    (referee, autosave): (Res<Referee>, Res<Autosave>),
    (pointer, hidden): (Res<Pointed>, Res<PanelsHidden>),
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if hidden.0 {
        reserve_insets(context, &mut insets, ViewportInsets::default());
        return;
    }
    let mut dock = Dock::new(context);
    let rect = dock.right(side_panel::width(dock.window().width()));
    reserve_insets(context, &mut insets, dock.insets());
    let mut commands = CommandUi::new(&state, &settings);
    let mut panel = EditorPanel {
        editor: &editor,
        choice: &choice,
        confirmation: &mut confirmation,
        referee: &referee,
        autosave: &autosave,
        cursor: pointer.cursor,
        commands: &mut commands,
    };
    let (rect, frame) = theme::side_frame(rect);
    widgets::panel(context, "editor", rect, frame, |ui| {
        let height = ui.available_height() - toast::keep_room(ui, 0.0);
        widgets::scroll_area(ui, "editor-scroll", height, |ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 5.0);
            panel.content(ui);
        });
    });
    actions.write_batch(commands.requested);
}

/// What the parts of the panel read and write.
struct EditorPanel<'a, 'b> {
    editor: &'a Editor,
    choice: &'a SelectedGame,
    confirmation: &'a mut Confirmation,
    referee: &'a Referee,
    autosave: &'a Autosave,
    /// The square under the keyboard's cursor.
    cursor: Option<Square>,
    commands: &'a mut CommandUi<'b>,
}

impl EditorPanel<'_, '_> {
    fn request(&mut self, action: impl Into<Action>) {
        self.commands.requested.push(action.into());
    }

    fn content(&mut self, ui: &mut Ui) {
        self.title(ui);
        self.verdict(ui);
        self.exits(ui);
        ui.add_space(space(1));
        ui.separator();
        self.tools(ui);
        self.turn(ui);
        self.board(ui);
        self.rule_sets(ui);
        self.players(ui);
        ui.add_space(space(2));
    }

    /// The title, with the menu beside it.
    fn title(&mut self, ui: &mut Ui) {
        let menu = self.commands.text("menu");
        let room = ui.available_width() - widgets::buttons_width(ui, &[&menu]) - space(1);
        ui.horizontal(|ui| {
            ui.vertical(|ui| {
                ui.set_width(room.max(space(10)));
                let font = theme::serif(ui.ctx(), HEADING);
                let title = RichText::new(tr("edit.title")).font(font).color(ACCENT);
                ui.add(Label::new(title).wrap());
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.commands.button(ui, "menu");
            });
        });
    }

    /// What is wrong with the position, or who moves; and what stands under the
    /// cursor.
    fn verdict(&self, ui: &mut Ui) {
        let draft = &self.editor.draft;
        let (text, color) = verdict_text(draft);
        // The buttons below stay in place when a second line is needed.
        ui.scope(|ui| {
            let line = ui.fonts_mut(|fonts| fonts.row_height(&FontId::proportional(BODY)));
            ui.set_min_height(2.0 * line);
            widgets::wrapped(ui, &text, BODY, color);
        });
        if let (Some(square), Ok(position)) = (self.cursor, draft.position()) {
            widgets::note(ui, &describe_square(&position, square));
        }
    }

    /// Analysing the position, playing on from it, and leaving the editor.
    fn exits(&mut self, ui: &mut Ui) {
        let playable = self.editor.draft.playable().ok();
        let width = ui.available_width();
        let size = vec2(width, CONTROL_HEIGHT);
        ui.horizontal(|ui| self.commands.primary_button(ui, "toggle-analysis", size));
        let leave = self.commands.text("leave-editor");
        button_grid(ui, &[tr("edit.play"), &leave], 0.0, |ui, index, text| match index {
            0 => {
                let play = widgets::button_if(ui, playable.is_some(), text, tr("edit.cannot"));
                if let (true, Some((position, _))) = (play.clicked(), playable.clone()) {
                    let action = GameAction::NewGame(self.setup(position));
                    let requested = &mut self.commands.requested;
                    self.confirmation.guard(action, self.referee, self.autosave, requested);
                }
            }
            _ => _ = self.commands.button(ui, "leave-editor"),
        });
    }

    /// The game that begins here; what the editor does not choose is as on the
    /// title screen.
    fn setup(&self, position: AnyPosition) -> Setup {
        let (rules, start) = (position.rules(), Some(position));
        Setup { rules, start, seats: self.seats(), ..self.choice.setup() }
    }

    fn seats(&self) -> [Seat; 2] {
        let seats = self.editor.seats.unwrap_or(self.choice.seats);
        // A server begins every game at its start.
        seats.map(|seat| if seat == Seat::Remote { Seat::Person } else { seat })
    }

    /// What a click puts on the board.
    fn tools(&mut self, ui: &mut Ui) {
        let (draft, tool) = (&self.editor.draft, self.editor.tool);
        group(ui, tr("edit.put"));
        let kinds = draft.piece_kinds();
        let mut names: Vec<String> =
            kinds.iter().map(|&kind| kind_name(draft.rules(), kind)).collect();
        names.push(tr("edit.take-off").to_owned());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rules = draft.rules();
        button_grid(ui, &names, TOOL_EXTRAS, |ui, index, name| {
            let kind = kinds.get(index).copied();
            let key = if kind.is_some() { index + 1 } else { 0 };
            if tool_button(ui, rules, kind, key, name, tool == kind).clicked() {
                self.request(EditorAction::SelectTool(kind));
            }
        });
        widgets::note(ui, tr("edit.put-hint"));
    }

    /// Who moves, and what the sticks wait for.
    fn turn(&mut self, ui: &mut Ui) {
        let (draft, rules) = (&self.editor.draft, self.editor.draft.rules());
        let mut side = draft.side;
        let sides = Side::BOTH.map(|side| (side, side_label(rules, side)));
        choice_row(ui, tr("edit.acts"), "", &mut side, sides);
        if side != draft.side {
            self.request(EditorAction::SetSideToMove(side));
        }
        if !rules.has_sticks() {
            return;
        }
        let mut sticks = draft.throw_state;
        let states = ThrowState::all().into_iter().map(|state| (state, sticks_text(state)));
        choice_row(ui, tr("title.sticks"), "", &mut sticks, states);
        if sticks != draft.throw_state {
            self.request(EditorAction::SetSticks(sticks));
        }
    }

    /// Undoing, and whole positions.
    fn board(&mut self, ui: &mut Ui) {
        group(ui, tr("edit.board"));
        let ids = ["undo", "redo", "set-start-position", "clear-board", "edit-text", "copy"];
        let texts = ids.map(|id| self.commands.text(id));
        button_grid(ui, &texts.each_ref().map(String::as_str), 0.0, |ui, index, _| {
            self.commands.button(ui, ids[index]);
        });
    }

    fn rule_sets(&mut self, ui: &mut Ui) {
        let current = self.editor.draft.rules();
        let mut rules = current;
        let names = RuleSet::ALL.map(|rules| (rules, rules_label(rules)));
        choice_row(ui, tr("edit.rules"), "", &mut rules, names);
        if rules != current {
            self.request(EditorAction::SetRules(rules));
        }
    }

    /// Who plays each side from this position.
    fn players(&mut self, ui: &mut Ui) {
        let rules = self.editor.draft.rules();
        for side in Side::BOTH {
            group(ui, &tr_args("edit.seat", &[("side", side_label(rules, side))]));
            ui.push_id(side.index(), |ui| {
                let mut seats = self.seats();
                let (label, seat) = (side_label(rules, side), seats[side.index()]);
                if let Some(seat) = widgets::seat_choice(ui, label, seat) {
                    seats[side.index()] = seat;
                    self.request(EditorAction::SetSeats(seats));
                }
            });
        }
    }
}

/// The label over a group of buttons, apart from the group before it.
fn group(ui: &mut Ui, text: &str) {
    ui.add_space(space(1));
    widgets::label(ui, text);
}

/// How high a tool's picture is, and the space at each side of it.
const PICTURE: f32 = space(6);
const PICTURE_GAP: f32 = space(1);
/// How much wider a tool's button is than its name: the picture and the key.
const TOOL_EXTRAS: f32 = PICTURE + 2.0 * PICTURE_GAP + space(3);

/// A button of what a click puts on the board: its picture, its name and its key.
/// Without a piece, a click removes what is there.
fn tool_button(
    ui: &mut Ui,
    rules: RuleSet,
    piece: Option<PieceKind>,
    key: usize,
    name: &str,
    is_chosen: bool,
) -> Response {
    let response = widgets::choice_button(ui, is_chosen, "");
    let label = tr_args("keys.of", &[("command", name), ("key", &key.to_string())]);
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, is_chosen, &label));
    let rect = response.rect;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let picture = rect.left_center() + vec2(PICTURE_GAP + PICTURE / 2.0, 0.0);
    piece_picture::paint(&painter, picture, PICTURE, rules, piece);
    let text = pos2(picture.x + PICTURE / 2.0 + PICTURE_GAP, rect.center().y);
    let color = if is_chosen { ACCENT } else { TEXT };
    painter.text(text, Align2::LEFT_CENTER, name, FontId::proportional(BODY), color);
    let corner = rect.right_center() - vec2(space(2), 0.0);
    painter.text(corner, Align2::RIGHT_CENTER, key, FontId::proportional(LABEL), MUTED);
    response
}

/// Buttons with these texts in as many rows as they need, each row as wide as the
/// panel and each button by `extra` wider than its text. `add` adds one of them by its
/// number.
fn button_grid(ui: &mut Ui, texts: &[&str], extra: f32, mut add: impl FnMut(&mut Ui, usize, &str)) {
    let (room, gap) = (ui.available_width(), space(1));
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(gap, gap);
        ui.spacing_mut().button_padding.x = 6.0;
        let around = 2.0 * ui.spacing().button_padding.x + 2.0 + gap + extra;
        let widths: Vec<f32> =
            texts.iter().map(|text| widgets::text_width(ui, text, BODY) + around).collect();
        for row in segmented::rows(&widths, room + gap) {
            ui.horizontal_top(|ui| {
                let size = vec2(room + gap, ui.spacing().interact_size.y);
                let places = segmented::spread(
                    Rect::from_min_size(ui.cursor().min, size),
                    &widths[row.clone()],
                );
                for (index, place) in row.zip(places) {
                    let size = vec2(place.width() - gap, size.y);
                    let fill = Layout::centered_and_justified(Direction::TopDown);
                    ui.allocate_ui_with_layout(size, fill, |ui| add(ui, index, texts[index]));
                }
            });
        }
    });
}

/// What is wrong with a position, or who moves, and the colour of the text.
fn verdict_text(draft: &PositionBuilder) -> (String, Color32) {
    let rules = draft.rules();
    match draft.playable() {
        Ok((position, side)) => {
            let key = match position.turn() {
                Turn::Throw(_) => "edit.throws",
                Turn::Move(_) | Turn::Over(_) => "edit.moves",
            };
            (tr_args(key, &[("side", side_label(rules, side))]), TEXT)
        }
        Err(Unplayable::Over(_)) if draft.is_missing_king() => {
            (tr("edit.no-king").to_owned(), ERROR)
        }
        Err(Unplayable::Over(end)) => {
            (tr_args("edit.over", &[("why", &describe_end(rules, end))]), ACCENT)
        }
        Err(Unplayable::Wrong(error)) => {
            (tr_args("edit.wrong", &[("why", &localized(&error.message))]), ERROR)
        }
    }
}

/// The name of a kind of piece; in Tablaaza the square says whose it is.
fn kind_name(rules: RuleSet, kind: PieceKind) -> String {
    match kind {
        PieceKind::Stone(_) => tr("edit.stone").to_owned(),
        PieceKind::Pavilion(_) => tr("edit.pavilion").to_owned(),
        PieceKind::King | PieceKind::Soldier { .. } | PieceKind::Runner(_) => {
            sentence(&piece_label(rules, kind))
        }
    }
}

fn sticks_text(waiting: ThrowState) -> String {
    match waiting {
        ThrowState::ThrowingOff => tr("edit.throwing-off").to_owned(),
        ThrowState::Due => tr("edit.throw-due").to_owned(),
        ThrowState::ToUse(throw) => describe_throw(throw),
    }
}
