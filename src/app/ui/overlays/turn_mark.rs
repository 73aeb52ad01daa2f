//! Whose turn it is, beside the flat diagram while no panel says it.

use super::board_points::BoardPoints;
use crate::app::{
    on_screen::OnScreen,
    scene::api::FlatView,
    ui::{prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FlatView>().add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Table).or_else(in_state(Screen::Replay)))
            .in_set(UiSet::Callout),
    );
}

fn show(
    mut contexts: EguiContexts,
    (flat, near, hidden): (Res<FlatView>, Res<NearSide>, Res<PanelsHidden>),
    (seen, motion): (OnScreen, Res<MotionStatus>),
    points: BoardPoints,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(history) = seen.history().filter(|_| flat.0 && hidden.0) else { return };
    let Some(side) = side_to_move(history, seen.ply(&motion)) else { return };
    let Some((middle, radius)) = points.beside(context, *near, side == near.0) else { return };
    let color = theme::side_color(history.start().rules(), side);
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::new("turn-mark")));
    widgets::paint_disc(&painter, middle, radius, color);
}

/// Whose turn it is after so many plies; nobody's once the game is over.
fn side_to_move(history: &GameHistory<AnyPosition>, ply: usize) -> Option<Side> {
    let turn = if ply >= history.len() { history.turn() } else { history.at(ply)?.turn() };
    match turn {
        Turn::Over(_) => None,
        turn => turn.side(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disc_is_that_of_the_side_to_move_at_the_position_shown() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        for text in ["c7", "c6", "d4"] {
            let ply = history.parse(text).expect("a stone");
            history.push(ply).expect("legal");
        }
        let sides = [0, 1, 2, 3].map(|ply| side_to_move(&history, ply));
        let [first, second] = Side::BOTH.map(Some);
        assert_eq!(sides, [first, second, first, second]);
    }
}
