//! The panel of a position being set up: what to put on the board, who moves,
//! what is wrong with it, and where to go on.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{Color32, FontId, Rect, Ui, vec2},
};

use super::{side_panel, title::SelectedGame};
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, UiAction},
            states::{Dialog, PanelsHidden, Screen},
        },
        editor::Editor,
        game::referee::Referee,
        scene::api::{Highlights, ViewportInsets},
        ui::{
            UiSet,
            dialogs::confirm::Confirmation,
            game_texts::sentence,
            reserve_insets,
            theme::{self, ACCENT, BODY, ERROR, LARGE, TEXT},
            widgets,
        },
    },
    games::{AnyPosition, Game, RuleSet, Side, Square, Turn},
    i18n::{tr, tr_args},
    table::{
        PieceKind, PositionBuilder, Seat, Setup, ThrowState, Unplayable, describe_end,
        describe_square, describe_throw, piece_label, rules_label, side_label,
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
    choice: Res<SelectedGame>,
    editor: Res<Editor>,
    referee: Res<Referee>,
    (highlights, hidden): (Res<Highlights>, Res<PanelsHidden>),
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if hidden.0 {
        reserve_insets(context, &mut insets, ViewportInsets::default());
        return;
    }
    let (rect, reserved) = layout(context.content_rect());
    reserve_insets(context, &mut insets, reserved);
    let mut requested = Vec::new();
    let mut panel = EditorPanel {
        editor: &editor,
        choice: &choice,
        confirmation: &mut confirmation,
        referee: &referee,
        cursor: highlights.cursor,
        actions: &mut requested,
    };
    widgets::panel(context, "editor", rect, theme::panel_frame(), |ui| {
        let height = ui.available_height();
        widgets::scroll_area(ui, "editor-scroll", height, |ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 5.0);
            panel.content(ui);
        });
    });
    actions.write_batch(requested);
}

/// The panel at the right, and the room it takes.
fn layout(window: Rect) -> (Rect, ViewportInsets) {
    let right = side_panel::width(window.width());
    let rect = window.with_min_x(window.right() - right);
    (rect, ViewportInsets { right, ..ViewportInsets::default() })
}

/// What the parts of the panel read and write.
struct EditorPanel<'a> {
    editor: &'a Editor,
    choice: &'a SelectedGame,
    confirmation: &'a mut Confirmation,
    referee: &'a Referee,
    /// The square under the keyboard's cursor.
    cursor: Option<Square>,
    actions: &'a mut Vec<Action>,
}

impl EditorPanel<'_> {
    fn request(&mut self, action: impl Into<Action>) {
        self.actions.push(action.into());
    }

    fn content(&mut self, ui: &mut Ui) {
        widgets::wrapped(ui, tr("edit.title"), LARGE, ACCENT);
        self.verdict(ui);
        self.exits(ui);
        ui.separator();
        self.tools(ui);
        self.turn(ui);
        self.board(ui);
        self.rule_sets(ui);
        self.players(ui);
        ui.add_space(8.0);
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
        ui.horizontal_wrapped(|ui| {
            ui.add_enabled_ui(playable.is_some(), |ui| {
                if widgets::primary_button(ui, tr("edit.analyse"), vec2(90.0, 28.0)).clicked() {
                    self.request(EditorAction::Analyse);
                }
            });
            let play = tr("edit.play");
            if widgets::button_if(ui, playable.is_some(), play, tr("edit.cannot")).clicked()
                && let Some((position, _)) = playable
            {
                let action = GameAction::NewGame(self.setup(position));
                self.confirmation.guard(action, self.referee, self.actions);
            }
            if widgets::button(ui, tr("edit.done")).clicked() {
                self.request(EditorAction::Leave);
            }
            if widgets::button(ui, tr("bar.menu")).clicked() {
                self.request(UiAction::OpenDialog(Dialog::Menu));
            }
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
        widgets::heading(ui, tr("edit.put"));
        ui.horizontal_wrapped(|ui| {
            for (number, &kind) in draft.piece_kinds().iter().enumerate() {
                let name = format!("{}  {}", number + 1, kind_name(draft.rules(), kind));
                if widgets::choice_button(ui, tool == Some(kind), &name).clicked() {
                    self.request(EditorAction::SelectTool(Some(kind)));
                }
            }
            let name = format!("0  {}", tr("edit.take-off"));
            if widgets::choice_button(ui, tool.is_none(), &name).clicked() {
                self.request(EditorAction::SelectTool(None));
            }
        });
        widgets::note(ui, tr("edit.put-hint"));
    }

    /// Who moves, and what the sticks wait for.
    fn turn(&mut self, ui: &mut Ui) {
        let (draft, rules) = (&self.editor.draft, self.editor.draft.rules());
        widgets::heading(ui, tr("edit.acts"));
        ui.horizontal_wrapped(|ui| {
            for side in Side::BOTH {
                widgets::disc(ui, theme::side_color(rules, side), 7.0);
                let name = side_label(rules, side);
                if widgets::choice_button(ui, draft.side == side, name).clicked() {
                    self.request(EditorAction::SetSideToMove(side));
                }
            }
        });
        if !rules.has_sticks() {
            return;
        }
        widgets::heading(ui, tr("title.sticks"));
        ui.horizontal_wrapped(|ui| {
            for waiting in ThrowState::all() {
                let is_chosen = draft.throw_state == waiting;
                if widgets::choice_button(ui, is_chosen, &sticks_text(waiting)).clicked() {
                    self.request(EditorAction::SetSticks(waiting));
                }
            }
        });
    }

    /// Undoing, and whole positions.
    fn board(&mut self, ui: &mut Ui) {
        widgets::heading(ui, tr("edit.board"));
        ui.horizontal_wrapped(|ui| {
            let (can_undo, can_redo) = self.editor.can_undo_redo();
            if widgets::button_if(ui, can_undo, tr("bar.undo"), tr("bar.no-undo")).clicked() {
                self.request(GameAction::Undo);
            }
            if widgets::button_if(ui, can_redo, tr("bar.redo"), tr("bar.no-redo")).clicked() {
                self.request(GameAction::Redo);
            }
            if widgets::button(ui, tr("edit.start")).clicked() {
                self.request(EditorAction::SetStartPosition);
            }
            if widgets::button(ui, tr("edit.clear")).clicked() {
                self.request(EditorAction::Clear);
            }
            let as_text = widgets::button(ui, tr("edit.text"));
            if as_text.on_hover_text(tr("edit.text-hint")).clicked() {
                self.request(UiAction::OpenDialog(Dialog::Position));
            }
            if widgets::button(ui, tr("edit.copy")).clicked() {
                self.request(UiAction::Copy);
            }
        });
    }

    fn rule_sets(&mut self, ui: &mut Ui) {
        let current = self.editor.draft.rules();
        widgets::heading(ui, tr("edit.rules"));
        ui.horizontal_wrapped(|ui| {
            for rules in RuleSet::ALL {
                if widgets::choice_button(ui, rules == current, rules_label(rules)).clicked() {
                    self.request(EditorAction::SetRules(rules));
                }
            }
        });
    }

    /// Who plays each side from this position.
    fn players(&mut self, ui: &mut Ui) {
        let rules = self.editor.draft.rules();
        for side in Side::BOTH {
            widgets::heading(ui, &tr_args("edit.seat", &[("side", side_label(rules, side))]));
            ui.push_id(side.index(), |ui| {
                ui.horizontal_wrapped(|ui| {
                    let mut seats = self.seats();
                    let (label, seat) = (side_label(rules, side), seats[side.index()]);
                    if let Some(seat) = widgets::seat_choice(ui, label, seat) {
                        seats[side.index()] = seat;
                        self.request(EditorAction::SetSeats(seats));
                    }
                });
            });
        }
    }
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
            (tr_args("edit.wrong", &[("why", &error.message.localized())]), ERROR)
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
