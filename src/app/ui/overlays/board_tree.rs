//! The board for screen readers: every square is a node of the accessibility tree, with its
//! name, what is on it and what can be done; a live region tells each ply once it has been
//! seen.
//!
//! As in a grid of a web page, Tab stops at one square, that under the cursor, and the arrow
//! keys go on from there.

use bevy::a11y::AccessibilityRequested;
use bevy_egui::{
    EguiInput, EguiPreUpdateSet, PrimaryEguiContext,
    egui::{
        Area, Event, EventFilter,
        accesskit::{self, Role},
    },
};

use super::board_points::BoardPoints;
use crate::{
    app::{
        on_screen::OnScreen,
        ui::{prelude::*, widgets},
    },
    session::{BoardGrid, SquareKind, piece_label},
};

/// Half a square, as the place of a node (points).
const HALF_SQUARE: f32 = 12.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BoardTree>()
        .init_resource::<AccessibilityRequested>()
        .add_systems(
            PreUpdate,
            keep_arrows.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::Callout));
}

/// Where the keyboard is among the nodes of the squares.
#[derive(Resource, Default)]
pub(crate) struct BoardTree {
    /// Whether a square has the focus: all keys but Tab are the board's.
    pub(crate) has_focus: bool,
    /// The cursor of the last frame.
    cursor: Option<Square>,
}

/// What is shown of the board.
struct ShownBoard<'a> {
    rules: RuleSet,
    grid: BoardGrid,
    pieces: Vec<(Square, PieceKind)>,
    highlights: &'a Highlights,
    cursor: Option<Square>,
}

/// Keeps the arrow keys from egui while a square has the focus. The filter that [`show`] gives to
/// egui does so only from the second frame of a square on: a key before that would leave the board.
fn keep_arrows(tree: Res<BoardTree>, mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>) {
    const ARROWS: [Key; 4] = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];

    if tree.has_focus {
        for mut input in &mut inputs {
            input
                .events
                .retain(|event| !matches!(event, Event::Key { key, .. } if ARROWS.contains(key)));
        }
    }
}

fn show(
    mut contexts: EguiContexts,
    (shown, motion): (OnScreen, Res<MotionStatus>),
    (highlights, pointer): (Res<Highlights>, Res<Pointed>),
    near: Res<NearSide>,
    points: BoardPoints,
    (requested, mut tree): (Res<AccessibilityRequested>, ResMut<BoardTree>),
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    tree.has_focus = false;
    let Some(rules) = shown.rules().filter(|_| requested.get()) else { return };
    let board = ShownBoard {
        rules,
        grid: BoardGrid::new(rules),
        pieces: shown.pieces(&motion),
        highlights: &highlights,
        cursor: pointer.cursor,
    };
    let place = |square| {
        let middle = points.square(context, square).unwrap_or_else(|| pos2(0.0, 0.0));
        Rect::from_center_size(middle, vec2(HALF_SQUARE, HALF_SQUARE) * 2.0)
    };
    // It is under everything and takes no clicks of the mouse.
    let area = Area::new(Id::new("board-tree")).order(Order::Background).interactable(false);
    area.fixed_pos(pos2(0.0, 0.0)).show(context, |ui| {
        tell(ui, &last_ply(&shown, &motion));
        ui.scope(|ui| {
            context.accesskit_node_builder(ui.unique_id(), |node| {
                node.set_role(Role::Grid);
                node.set_label(tr("figure.board"));
            });
            for row in rows(rules, near.0) {
                ui.scope(|ui| {
                    context.accesskit_node_builder(ui.unique_id(), |node| node.set_role(Role::Row));
                    for square in row {
                        let asked = board.node(ui, square, place(square), &mut tree);
                        actions.write_batch(asked.map(Action::from));
                    }
                });
            }
        });
        tree.cursor = pointer.cursor;
    });
}

impl ShownBoard<'_> {
    /// The square that Tab stops at.
    fn stop(&self) -> Square {
        let (files, ranks) = self.rules.board_size();
        self.cursor.unwrap_or_else(|| Square::new(files / 2, ranks / 2))
    }

    /// Adds the node of a square; returns what a screen reader asks for.
    fn node(
        &self,
        ui: &Ui,
        square: Square,
        place: Rect,
        tree: &mut BoardTree,
    ) -> Option<GameAction> {
        let id = ui.id().with((square.file, square.rank));
        let is_stop = square == self.stop();
        let sense = if is_stop { Sense::focusable_noninteractive() } else { Sense::empty() };
        let response = ui.interact(place, id, sense);
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_role(Role::Cell);
            node.set_label(self.words(square));
            node.set_bounds(bounds(place));
            node.add_action(accesskit::Action::Focus);
            node.add_action(accesskit::Action::Click);
            if self.highlights.selected.contains(&square) {
                node.set_selected(true);
            }
        });
        let is_new = self.cursor == Some(square) && tree.cursor != Some(square);
        if is_new {
            response.request_focus();
        }
        if is_stop && response.has_focus() {
            tree.has_focus = true;
            let arrows = EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                ..EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
        }
        let asked = |action| ui.input(|input| input.num_accesskit_action_requests(id, action) > 0);
        if asked(accesskit::Action::Click) {
            return Some(GameAction::SelectSquare(square));
        }
        let is_focused = asked(accesskit::Action::Focus) || is_stop && response.gained_focus();
        (is_focused && self.cursor != Some(square)).then_some(GameAction::PlaceCursor(square))
    }

    /// The square in words: `e5: king, castle, can move`.
    fn words(&self, square: Square) -> String {
        let piece = self.pieces.iter().find(|(at, _)| *at == square);
        let kind = self.grid.kind(square);
        let what = match piece {
            Some((_, piece)) => piece_label(self.rules, *piece),
            None if kind == Some(SquareKind::Lake) => tr("figure.lake").to_owned(),
            None => tr("figure.nothing").to_owned(),
        };
        let kind = match kind {
            Some(SquareKind::Castle) => Some("figure.castle"),
            Some(SquareKind::Camp) => Some("figure.camp"),
            Some(SquareKind::Goal) => Some("figure.goal"),
            _ => None,
        };
        let marks = self.highlights;
        let states = [
            (marks.selected.contains(&square), "figure.chosen"),
            (marks.selectable.contains(&square), "figure.can-be-chosen"),
            (marks.reachable.contains(&square), "figure.can-go-here"),
            (marks.last_move.iter().any(|step| step.to == square), "figure.last-move"),
            (marks.hinted.contains(&square), "figure.hinted"),
            (marks.warned.contains(&square), "figure.warned"),
            (marks.circles.iter().any(|(at, _)| *at == square), "figure.marked"),
        ];
        let states = states.into_iter().filter_map(|(holds, key)| holds.then_some(key));
        let judged = marks.judged.iter().filter(|(at, _)| *at == square);
        let judged = judged.map(|(_, mark)| game_texts::mark_label(*mark));
        let words = kind.into_iter().chain(states).map(tr).chain(judged);
        let words = words.map(|text| format!(", {text}"));
        let square = square.to_string();
        tr_args("figure.at", &[("square", &square), ("what", &what)]) + &words.collect::<String>()
    }
}

/// The rows of squares from the far left corner, as they are seen.
fn rows(rules: RuleSet, near: Side) -> Vec<Vec<Square>> {
    let (files, ranks) = rules.board_size();
    let row = |rank| (0..files).map(|file| Square::new(file, rank)).collect();
    let mut rows: Vec<Vec<_>> = (0..ranks).rev().map(row).collect();
    if near == Side::Second {
        rows.reverse();
        rows.iter_mut().for_each(|row| row.reverse());
    }
    rows
}

/// What has happened last, in sentences.
fn last_ply(shown: &OnScreen, motion: &MotionStatus) -> String {
    let told = shown.history().map(|history| describe_ply(history, shown.ply(motion)));
    told.unwrap_or_default().join(" ")
}

/// Has a screen reader say a text when it changes.
fn tell(ui: &Ui, text: &str) {
    let place = Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, 1.0));
    let told = ui.interact(place, ui.id().with("told"), Sense::empty());
    told.ctx.accesskit_node_builder(told.id, |node| {
        node.set_role(Role::Status);
        node.set_value(text);
    });
    widgets::say_when_changed(&told);
}

fn bounds(rect: Rect) -> accesskit::Rect {
    accesskit::Rect {
        x0: rect.min.x.into(),
        y0: rect.min.y.into(),
        x1: rect.max.x.into(),
        y1: rect.max.y.into(),
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::Modifiers;

    use super::*;

    #[test]
    fn arrow_keys_stay_with_the_board_that_has_the_focus() {
        let mut app = App::new();
        app.init_resource::<BoardTree>().add_systems(Update, keep_arrows);
        let panels = app.world_mut().spawn((EguiInput::default(), PrimaryEguiContext)).id();
        let pressed = |key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let (arrow, tab) = (pressed(Key::ArrowUp), pressed(Key::Tab));
        for (board, left) in [(false, vec![arrow.clone(), tab.clone()]), (true, vec![tab.clone()])]
        {
            app.world_mut().resource_mut::<BoardTree>().has_focus = board;
            let mut input = app.world_mut().get_mut::<EguiInput>(panels).expect("the input");
            input.events = vec![arrow.clone(), tab.clone()];
            app.update();
            let input = app.world().get::<EguiInput>(panels).expect("the input");
            assert_eq!(input.events, left, "the board has the focus: {board}");
        }
    }
}
