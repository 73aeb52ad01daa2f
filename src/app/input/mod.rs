//! Mouse, touch and keys become acts.
//!
//! Mouse and finger go through `bevy::picking` (what was bevy_mod_picking): every
//! square, piece and stick of the scene is hit by its mesh, and what a click
//! or a drag means is decided here. Panels catch the pointer before the scene
//! does.

mod chords;
mod hit_test;

use bevy::{picking::pointer::PointerButton, prelude::*};
use bevy_egui::{EguiContext, input::EguiWantsInput};

use self::chords::Chords;
use crate::{
    app::{
        core::{
            actions::{Action, Direction, EditorAction, GameAction, ViewAction},
            states::Screen,
        },
        editor::Editor,
        game::referee::Referee,
        scene::{
            api::{Highlights, MotionStatus, OnSquare, Piece, ThrowTarget},
            camera::Fingers,
            layout::Layout,
        },
        settings::{Settings, key_bindings::KeyContext, options::Means},
        ui::state::UiState,
    },
    games::Square,
};

/// A drag that began on a piece.
#[derive(Resource, Default)]
struct Drag {
    /// The square that the beginning of the drag already touched.
    touched: Option<Square>,
    /// Whether the primary button was pressed on the sticks.
    sticks: bool,
    /// How far a right-button drag went, in logical pixels: a short one is a
    /// click.
    right: f32,
}

/// Beyond this many logical pixels a right click is an orbit.
const CLICK_SLACK: f32 = 6.0;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Drag>()
        .init_resource::<Chords>()
        .add_plugins((
            MeshPickingPlugin,
            crate::app::platform::upstream_fixes::pointer_sequence::plugin,
        ))
        .add_observer(clicked)
        .add_observer(pressed)
        .add_observer(released)
        .add_observer(entered)
        .add_observer(left)
        .add_observer(hit_test::moved)
        .add_observer(drag_started)
        .add_observer(dragged)
        .add_observer(dropped)
        .add_observer(drag_ended)
        .add_systems(
            Update,
            (hurry, let_go, chords::hear, keys.run_if(not(crate::app::ui::holds_keys)), steer)
                .chain()
                .in_set(crate::app::core::schedule::AppSet::Input),
        );
}

fn clicked(
    mut click: On<Pointer<Click>>,
    spots: Query<&OnSquare>,
    sticks: Query<&ThrowTarget>,
    panels: Query<(), With<EguiContext>>,
    parents: Query<&ChildOf>,
    screen: Res<State<Screen>>,
    settings: Res<Settings>,
    (marks, fingers): (Res<Highlights>, Res<Fingers>),
    eye: hit_test::Eye,
    (layout, editor): (Res<Layout>, Res<Editor>),
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Action>,
) {
    let target = click.entity;
    click.propagate(false);
    if panels.contains(target) || fingers.hold_the_view() {
        return;
    }
    match click.button {
        PointerButton::Secondary => {
            if std::mem::take(&mut drag.right) <= CLICK_SLACK {
                // While a position is set up, it takes a piece off.
                let spot = find(target, &spots, &parents);
                let taken = spot.filter(|_| *screen.get() == Screen::Editor);
                acts.write(taken.map_or(Action::Game(GameAction::Deselect), |OnSquare(at)| {
                    Action::Editor(EditorAction::MovePiece(at, None))
                }));
            }
        }
        PointerButton::Primary if *screen.get() == Screen::Editor => {
            let spot = find(target, &spots, &parents);
            if let Some(OnSquare(over)) = spot.filter(|it| drag.touched.take() != Some(it.0)) {
                let at = click.pointer_location.position;
                let square = hit_test::meant(over, at, &eye, &layout, &editor);
                acts.write(Action::Game(GameAction::SelectSquare(square)));
            }
        }
        PointerButton::Primary if *screen.get() == Screen::Table => {
            if let Some(OnSquare(square)) = find(target, &spots, &parents) {
                // Where pieces are dragged, a click chooses but does not move.
                let lands = marks.chosen.len() % 2 == 1 && marks.reachable.contains(&square);
                let free = settings.moves != Means::Drag || !lands;
                if drag.touched.take() != Some(square) && free {
                    acts.write(Action::Game(GameAction::SelectSquare(square)));
                }
            } else if find(target, &sticks, &parents).is_none() {
                acts.write(Action::Game(GameAction::Deselect));
            }
        }
        // It is said there why nothing is played.
        PointerButton::Primary if *screen.get() == Screen::Replay => {
            let spot = find(target, &spots, &parents);
            acts.write_batch(
                spot.map(|OnSquare(square)| Action::Game(GameAction::SelectSquare(square))),
            );
        }
        PointerButton::Primary | PointerButton::Middle => {}
    }
}

/// The sticks lie side by side: a press on one and a release on another is a
/// click on them all.
fn pressed(
    mut press: On<Pointer<Press>>,
    sticks: Query<&ThrowTarget>,
    parents: Query<&ChildOf>,
    mut drag: ResMut<Drag>,
) {
    press.propagate(false);
    if press.button == PointerButton::Primary {
        drag.sticks = find(press.entity, &sticks, &parents).is_some();
    }
}

fn released(
    mut release: On<Pointer<Release>>,
    sticks: Query<&ThrowTarget>,
    parents: Query<&ChildOf>,
    screen: Res<State<Screen>>,
    fingers: Res<Fingers>,
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Action>,
) {
    release.propagate(false);
    let on_them = find(release.entity, &sticks, &parents).is_some();
    let ours = release.button == PointerButton::Primary && *screen.get() == Screen::Table;
    if ours && on_them && std::mem::take(&mut drag.sticks) && !fingers.hold_the_view() {
        acts.write(Action::Game(GameAction::Throw));
    }
}

fn entered(
    mut over: On<Pointer<Over>>,
    spots: Query<&OnSquare>,
    sticks: Query<&ThrowTarget>,
    parents: Query<&ChildOf>,
    mut marks: ResMut<Highlights>,
) {
    over.propagate(false);
    let hovered = find(over.entity, &spots, &parents).map(|spot| spot.0);
    let sticks_hovered = find(over.entity, &sticks, &parents).is_some();
    if (marks.hovered, marks.sticks_hovered) != (hovered, sticks_hovered) {
        marks.hovered = hovered;
        marks.sticks_hovered = sticks_hovered;
    }
}

fn left(
    mut out: On<Pointer<Out>>,
    spots: Query<&OnSquare>,
    parents: Query<&ChildOf>,
    mut marks: ResMut<Highlights>,
) {
    out.propagate(false);
    let spot = find(out.entity, &spots, &parents).map(|spot| spot.0);
    if spot.is_some() && marks.hovered == spot {
        marks.hovered = None;
    }
}

/// A drag on a piece chooses it, so that its destinations light up at once.
fn drag_started(
    mut start: On<Pointer<DragStart>>,
    spots: Query<&OnSquare>,
    figurines: Query<&Piece>,
    parents: Query<&ChildOf>,
    marks: Res<Highlights>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    fingers: Res<Fingers>,
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Action>,
) {
    start.propagate(false);
    if fingers.hold_the_view() {
        return;
    }
    drag.touched = None;
    if start.button == PointerButton::Secondary {
        drag.right = 0.0;
    }
    let sets_up = *screen.get() == Screen::Editor;
    if start.button != PointerButton::Primary || settings.moves == Means::Click && !sets_up {
        return;
    }
    let Some(OnSquare(square)) = find(start.entity, &spots, &parents) else { return };
    let carries = figurines.iter().any(|figurine| figurine.0.at == square);
    if sets_up {
        // Where it ends says what becomes of it.
        drag.touched = carries.then_some(square);
        return;
    }
    if *screen.get() != Screen::Table {
        return;
    }
    // After whole steps a piece is due, and may well be one of those lit up.
    let piece_due = marks.chosen.len().is_multiple_of(2);
    let free =
        (piece_due || !marks.reachable.contains(&square)) && marks.chosen.last() != Some(&square);
    if carries && free {
        drag.touched = Some(square);
        acts.write(Action::Game(GameAction::SelectSquare(square)));
    }
}

fn dragged(mut moved: On<Pointer<bevy::picking::events::Drag>>, mut drag: ResMut<Drag>) {
    moved.propagate(false);
    if moved.button == PointerButton::Secondary {
        drag.right = drag.right.max(moved.distance.length());
    }
}

/// What a drag left behind ends with it (a click or a drop comes before).
fn drag_ended(mut end: On<Pointer<DragEnd>>, mut drag: ResMut<Drag>) {
    end.propagate(false);
    match end.button {
        PointerButton::Secondary => drag.right = 0.0,
        PointerButton::Primary => drag.touched = None,
        PointerButton::Middle => {}
    }
}

/// A drop where the piece can go is a touch there; anywhere else the piece
/// stays chosen.
fn dropped(
    mut drop: On<Pointer<DragDrop>>,
    spots: Query<&OnSquare>,
    parents: Query<&ChildOf>,
    marks: Res<Highlights>,
    screen: Res<State<Screen>>,
    fingers: Res<Fingers>,
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Action>,
) {
    drop.propagate(false);
    if drop.button != PointerButton::Primary || fingers.hold_the_view() {
        return;
    }
    if *screen.get() == Screen::Editor {
        let to = find(drop.entity, &spots, &parents).map(|spot| spot.0);
        if let Some(from) = drag.touched.filter(|&from| to != Some(from)) {
            acts.write(Action::Editor(EditorAction::MovePiece(from, to)));
        }
        return;
    }
    let from = find(drop.dropped, &spots, &parents).map(|spot| spot.0);
    let to = find(drop.entity, &spots, &parents).map(|spot| spot.0);
    let (Some(from), Some(to)) = (from, to) else { return };
    if from != to && marks.chosen.last() == Some(&from) && marks.reachable.contains(&to) {
        acts.write(Action::Game(GameAction::SelectSquare(to)));
    }
    if from != to {
        drag.touched = None;
    }
}

/// The component on the entity or the nearest of its ancestors.
fn find<C: Component + Copy>(
    entity: Entity,
    having: &Query<&C>,
    parents: &Query<&ChildOf>,
) -> Option<C> {
    std::iter::once(entity)
        .chain(parents.iter_ancestors(entity))
        .find_map(|entity| having.get(entity).ok().copied())
}

/// What the first of two fingers chose on its way is let go of.
fn let_go(fingers: Res<Fingers>, mut drag: ResMut<Drag>, mut acts: MessageWriter<Action>) {
    if fingers.hold_the_view() && drag.touched.take().is_some() {
        acts.write(Action::Game(GameAction::Deselect));
    }
}

/// Any key and any click brings what moves to its end, whatever else it does.
fn hurry(
    motion: Res<MotionStatus>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    mut acts: MessageWriter<Action>,
) {
    let pressed = keys.get_just_pressed().len() > 0
        || buttons.just_pressed(MouseButton::Left)
        || touches.any_just_pressed();
    if motion.is_busy() && pressed {
        acts.write(Action::View(ViewAction::FinishAnimations));
    }
}

fn keys(
    chords: Res<Chords>,
    egui: Option<Res<EguiWantsInput>>,
    screen: Res<State<Screen>>,
    replay: Res<crate::app::replay::Replay>,
    editor: Res<Editor>,
    referee: Res<Referee>,
    (settings, desk): (Res<Settings>, Res<UiState>),
    mut acts: MessageWriter<Action>,
) {
    // A button that was clicked keeps the keys that press or leave it, and no
    // others. Whatever takes text stands on a sheet, and then none come here.
    let on_a_button = egui.is_some_and(|egui| egui.wants_keyboard_input());
    let at_table = *screen.get() == Screen::Table;
    let around = KeyContext {
        covered: desk.covers(),
        looking: at_table && referee.viewed_ply.is_some(),
        chosen: at_table && (!referee.selection.is_empty() || referee.question.is_some()),
        last: replay.line_len(),
        speed: replay.speed,
        edits: *screen.get() == Screen::Editor,
        kinds: [0, 1, 2].map(|number| editor.draft.kinds().get(number).copied()),
        other: Some(editor.draft.side.other()),
    };
    for &chord in &chords.0 {
        if on_a_button && presses_buttons(chord.key) {
            continue;
        }
        let command = settings.keys.command(*screen.get(), chord);
        if let Some(act) = command.and_then(|command| command.act(&around)) {
            acts.write(act);
        }
    }
}

/// Whether a key presses the button that has the keyboard, or leaves it.
const fn presses_buttons(key: KeyCode) -> bool {
    matches!(
        key,
        KeyCode::Enter
            | KeyCode::NumpadEnter
            | KeyCode::Space
            | KeyCode::ArrowLeft
            | KeyCode::ArrowRight
            | KeyCode::ArrowUp
            | KeyCode::ArrowDown
    )
}

/// Moves the cursor over the board; the first move brings it to the middle.
fn steer(
    mut acts: MessageReader<Action>,
    screen: Res<State<Screen>>,
    layout: Res<Layout>,
    mut marks: ResMut<Highlights>,
) {
    let (files, ranks) = (layout.files, layout.ranks);
    for act in acts.read() {
        let Action::Game(GameAction::MoveCursor(way)) = act else { continue };
        if !matches!(screen.get(), Screen::Table | Screen::Editor) {
            continue;
        }
        let on_board = marks.cursor.filter(|at| at.file < files && at.rank < ranks);
        marks.cursor = Some(match on_board {
            None => Square::new(files / 2, ranks / 2),
            Some(at) => moved(at, *way, files, ranks),
        });
    }
    if screen.is_changed() && *screen.get() != Screen::Table && marks.cursor.is_some() {
        marks.cursor = None;
    }
}

fn moved(at: Square, way: Direction, files: u8, ranks: u8) -> Square {
    let (file, rank) = (at.file, at.rank);
    match way {
        Direction::Left => Square::new(file.saturating_sub(1), rank),
        Direction::Right => Square::new((file + 1).min(files - 1), rank),
        Direction::Up => Square::new(file, (rank + 1).min(ranks - 1)),
        Direction::Down => Square::new(file, rank.saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stays_on_the_board() {
        let corner = Square::new(0, 0);
        assert_eq!(moved(corner, Direction::Left, 9, 9), corner);
        assert_eq!(moved(corner, Direction::Down, 9, 9), corner);
        assert_eq!(moved(corner, Direction::Up, 12, 4), Square::new(0, 1));
        assert_eq!(moved(Square::new(11, 3), Direction::Right, 12, 4), Square::new(11, 3));
    }
}
