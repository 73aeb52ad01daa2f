//! From which side the board is seen: the only person who plays sits near, and between
//! two people at one screen it is flipped always, when offered, or never.

use super::referee::Referee;
use crate::app::{
    core::prelude::*,
    scene::{api::MotionStatus, camera::CameraRig},
    settings::{Settings, options::BoardFlip},
};

/// Whether two players at one screen are offered to flip the board.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlipOffered(pub bool);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<FlipOffered>().add_systems(
        Update,
        (sit_down, flip_board)
            .chain()
            .in_set(AppSet::Scene)
            .run_if(resource_exists::<Referee>.and_then(resource_exists::<State<Screen>>)),
    );
}

/// Turns the board, once in each game, to the only person who plays, and else to the side that
/// moves first. A lesson is seen from this side, too, puzzles and mistakes from the side that has
/// to find a move; the title screen and the editor from the first side's seat.
fn sit_down(
    referee: Res<Referee>,
    screen: Res<State<Screen>>,
    mut rig: ResMut<CameraRig>,
    mut last_seat: Local<Option<(OnTable, u64, Side)>>,
) {
    let side = match (screen.get(), &referee.table) {
        (Screen::Title | Screen::Editor, _) if screen.is_changed() => {
            *last_seat = None;
            Side::First
        }
        (Screen::Table, Some(table)) => {
            let (number, side) = match referee.on_table {
                OnTable::Game | OnTable::OnlineGame => {
                    (referee.game_number(), table.only_person().unwrap_or(Side::First))
                }
                OnTable::Lesson | OnTable::Practice | OnTable::Puzzle => {
                    let Some(side) = referee.exercise_seat else { return };
                    (0, side)
                }
            };
            let seat = Some((referee.on_table, number, side));
            if std::mem::replace(&mut *last_seat, seat) == seat {
                return;
            }
            side
        }
        _ => return,
    };
    if rig.seat != side {
        rig.move_to_seat(side);
    }
}

/// Flips the board, or offers to, once the last move has been shown.
fn flip_board(
    referee: Res<Referee>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut actions: MessageReader<ViewAction>,
    mut rig: ResMut<CameraRig>,
    mut offered: ResMut<FlipOffered>,
    mut last_turn: Local<Option<(u64, Side, BoardFlip)>>,
) {
    if actions.read().any(|action| *action == ViewAction::FlipBoard) {
        offered.set_if_neq(FlipOffered(false));
    }
    let table = referee.table.as_ref().filter(|_| *screen.get() == Screen::Table);
    let due = table
        .filter(|table| table.seats() == [Seat::Person; 2] && !referee.is_exercise())
        .and_then(|table| match table.turn() {
            Some(Turn::Move(side) | Turn::Throw(side)) => Some(side),
            Some(Turn::Over(_)) | None => None,
        });
    let Some(side) = due else {
        offered.set_if_neq(FlipOffered(false));
        *last_turn = None;
        return;
    };
    let now = Some((referee.game_number(), side, settings.board_flip));
    if motion.is_busy() || *last_turn == now {
        return;
    }
    *last_turn = now;
    let is_opposite = rig.seat != side;
    offered.set_if_neq(FlipOffered(is_opposite && settings.board_flip == BoardFlip::Ask));
    if is_opposite && settings.board_flip == BoardFlip::Always {
        rig.move_to_seat(side);
    }
}
