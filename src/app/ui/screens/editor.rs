//! The panel of a position being set up: what to put down, who acts, what is
//! wrong with it, and where to go on.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{FontId, Rect, Ui, pos2, vec2},
};

use super::side_panel;
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, UiAction},
            states::Dialog,
        },
        editor::Editor,
        game::referee::Referee,
        scene::api::{Highlights, ViewportInsets},
        ui::{
            overlays::popups,
            send,
            state::{UiState, sitters},
            theme::{self, ACCENT, ALARM, BODY, INK, LARGE},
            widgets,
        },
    },
    games::{AnyPosition, Game, RuleSet, Side, Turn},
    i18n::{tr, tr_args},
    table::{
        PieceKind, PositionBuilder, Seat, Setup, ThrowState, Unplayable, describe_end,
        describe_square, describe_throw, piece_label, rules_label, side_label,
    },
};

/// Shows the panel.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut desk: ResMut<'_, UiState>,
    editor: Res<'_, Editor>,
    referee: Res<'_, Referee>,
    marks: Res<'_, Highlights>,
    mut margins: ResMut<'_, ViewportInsets>,
    mut acts: MessageWriter<'_, Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let screen = context.content_rect();
    let (place, free) = place(screen);
    crate::app::ui::leave(context, &mut margins, free);
    let mut asked = Vec::new();
    widgets::pane(context, "editor", place, theme::pane(), |ui| {
        let height = ui.available_height();
        widgets::scrolling(ui, "editor-scroll", height, |ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 5.0);
            content(ui, &editor, &mut desk, &referee, &marks, &mut asked);
        });
    });
    send(asked, &mut acts);
}

/// At the right.
fn place(screen: Rect) -> (Rect, ViewportInsets) {
    let right = side_panel::width(screen.width());
    let left = screen.right() - right;
    let place = Rect::from_min_max(pos2(left, screen.top()), screen.max);
    (place, ViewportInsets { right, ..ViewportInsets::default() })
}

fn content(
    ui: &mut Ui,
    editor: &Editor,
    desk: &mut UiState,
    referee: &Referee,
    marks: &Highlights,
    asked: &mut Vec<Action>,
) {
    let draft = &editor.draft;
    let rules = draft.rules();
    widgets::wrapped(ui, tr("edit.title"), LARGE, ACCENT);
    stand(ui, draft, marks);
    goes_on(ui, editor, desk, referee, asked);
    ui.separator();
    widgets::heading(ui, tr("edit.put"));
    ui.horizontal_wrapped(|ui| {
        for (number, &kind) in draft.piece_kinds().iter().enumerate() {
            let name = format!("{}  {}", number + 1, kind_words(rules, kind));
            if widgets::choice(ui, editor.tool == Some(kind), &name).clicked() {
                asked.push(Action::Editor(EditorAction::SelectTool(Some(kind))));
            }
        }
        let name = format!("0  {}", tr("edit.take-off"));
        if widgets::choice(ui, editor.tool.is_none(), &name).clicked() {
            asked.push(Action::Editor(EditorAction::SelectTool(None)));
        }
    });
    widgets::note(ui, tr("edit.put-hint"));
    widgets::heading(ui, tr("edit.acts"));
    ui.horizontal_wrapped(|ui| {
        for side in Side::BOTH {
            widgets::disc(ui, theme::colour(rules, side), 7.0);
            if widgets::choice(ui, draft.side == side, side_label(rules, side)).clicked() {
                asked.push(Action::Editor(EditorAction::SetSideToMove(side)));
            }
        }
    });
    if rules.has_sticks() {
        widgets::heading(ui, tr("title.sticks"));
        ui.horizontal_wrapped(|ui| {
            for waiting in ThrowState::all() {
                let chosen = draft.throw_state == waiting;
                if widgets::choice(ui, chosen, &waiting_words(waiting)).clicked() {
                    asked.push(Action::Editor(EditorAction::SetSticks(waiting)));
                }
            }
        });
    }
    widgets::heading(ui, tr("edit.board"));
    ui.horizontal_wrapped(|ui| {
        let (back, again) = editor.can_turn();
        if widgets::button_if(ui, back, tr("bar.undo"), tr("bar.no-undo")).clicked() {
            asked.push(Action::Game(GameAction::Undo));
        }
        if widgets::button_if(ui, again, tr("bar.redo"), tr("bar.no-redo")).clicked() {
            asked.push(Action::Game(GameAction::Redo));
        }
        if widgets::button(ui, tr("edit.start")).clicked() {
            asked.push(Action::Editor(EditorAction::SetStartPosition));
        }
        if widgets::button(ui, tr("edit.clear")).clicked() {
            asked.push(Action::Editor(EditorAction::Clear));
        }
        if widgets::button(ui, tr("edit.text")).on_hover_text(tr("edit.text-hint")).clicked() {
            asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Position)));
        }
        if widgets::button(ui, tr("edit.copy")).clicked() {
            asked.push(Action::Ui(UiAction::Copy));
        }
    });
    widgets::heading(ui, tr("edit.rules"));
    ui.horizontal_wrapped(|ui| {
        for other in RuleSet::ALL {
            if widgets::choice(ui, other == rules, rules_label(other)).clicked() {
                asked.push(Action::Editor(EditorAction::SetRules(other)));
            }
        }
    });
    seats(ui, editor, desk, asked);
    ui.add_space(8.0);
}

/// What is wrong with the position, or that nothing is; and what stands under
/// the keyboard's cursor.
fn stand(ui: &mut Ui, draft: &PositionBuilder, marks: &Highlights) {
    let rules = draft.rules();
    let (text, ink) = match draft.playable() {
        Ok((position, side)) => {
            let key = match position.turn() {
                Turn::Throw(_) => "edit.throws",
                Turn::Move(_) | Turn::Over(_) => "edit.moves",
            };
            (tr_args(key, &[("side", side_label(rules, side))]), INK)
        }
        Err(Unplayable::Over(_)) if draft.is_missing_king() => {
            (tr("edit.no-king").to_owned(), ALARM)
        }
        Err(Unplayable::Over(end)) => {
            (tr_args("edit.over", &[("why", &describe_end(rules, end))]), ACCENT)
        }
        Err(Unplayable::Wrong(error)) => {
            (tr_args("edit.wrong", &[("why", &error.message.localized())]), ALARM)
        }
    };
    // The buttons below stay where they are when a second line is needed.
    ui.scope(|ui| {
        let line = ui.fonts_mut(|fonts| fonts.row_height(&FontId::proportional(BODY)));
        ui.set_min_height(2.0 * line);
        widgets::wrapped(ui, &text, BODY, ink);
    });
    if let (Some(square), Ok(position)) = (marks.cursor, draft.position()) {
        widgets::note(ui, &describe_square(&position, square));
    }
}

/// Analysing the position, playing on from it, and leaving it.
fn goes_on(
    ui: &mut Ui,
    editor: &Editor,
    desk: &mut UiState,
    referee: &Referee,
    asked: &mut Vec<Action>,
) {
    let playable = editor.draft.playable().ok();
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(playable.is_some(), |ui| {
            if widgets::main_button(ui, tr("edit.analyse"), vec2(90.0, 28.0)).clicked() {
                asked.push(Action::Editor(EditorAction::Analyse));
            }
        });
        let play = tr("edit.play");
        if widgets::button_if(ui, playable.is_some(), play, tr("edit.cannot")).clicked()
            && let Some((position, _)) = playable
        {
            let act = Action::Game(GameAction::NewGame(setup(position, editor, desk)));
            desk.guard(act, referee, asked);
        }
        if widgets::button(ui, tr("edit.done")).clicked() {
            asked.push(Action::Editor(EditorAction::Leave));
        }
        if widgets::button(ui, tr("bar.menu")).clicked() {
            asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Menu)));
        }
    });
}

/// The game that begins here; what is not chosen here is as on the title
/// screen.
fn setup(position: AnyPosition, editor: &Editor, desk: &UiState) -> Setup {
    let (rules, start, seats) = (position.rules(), Some(position), seats_here(editor, desk));
    Setup { rules, start, seats, ..desk.choice.setup() }
}

fn seats_here(editor: &Editor, desk: &UiState) -> [Seat; 2] {
    editor.seats.unwrap_or(desk.choice.seats)
}

fn seats(ui: &mut Ui, editor: &Editor, desk: &UiState, asked: &mut Vec<Action>) {
    let rules = editor.draft.rules();
    for side in Side::BOTH {
        let name = side_label(rules, side);
        widgets::heading(ui, &tr_args("edit.seat", &[("side", name)]));
        ui.push_id(side.index(), |ui| {
            ui.horizontal_wrapped(|ui| {
                for (seat, name) in sitters() {
                    let mut seats = seats_here(editor, desk);
                    let chosen = seats[side.index()] == seat;
                    if widgets::choice(ui, chosen, name).clicked() {
                        seats[side.index()] = seat;
                        asked.push(Action::Editor(EditorAction::SetSeats(seats)));
                    }
                }
            });
        });
    }
}

/// What a kind is called; in Tablaaza the square says whose it is.
fn kind_words(rules: RuleSet, kind: PieceKind) -> String {
    match kind {
        PieceKind::Stone(_) => tr("edit.stone").to_owned(),
        PieceKind::Pavilion(_) => tr("edit.pavilion").to_owned(),
        PieceKind::King | PieceKind::Soldier { .. } | PieceKind::Runner(_) => {
            popups::sentence(&piece_label(rules, kind))
        }
    }
}

fn waiting_words(waiting: ThrowState) -> String {
    match waiting {
        ThrowState::ThrowingOff => tr("edit.throwing-off").to_owned(),
        ThrowState::Due => tr("edit.throw-due").to_owned(),
        ThrowState::ToUse(throw) => describe_throw(throw),
    }
}
