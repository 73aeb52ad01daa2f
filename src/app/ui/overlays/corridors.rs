//! How many squares of the corridors under the pointer are filled, beside their square.

use super::board_points::BoardPoints;
use crate::app::{
    scene::api::{Corridors, LitCorridors},
    ui::prelude::*,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(not(in_state(Screen::Title))).in_set(UiSet::Callout),
    );
}

/// How many of the squares are filled, in words.
fn words(corridors: &Corridors) -> String {
    let (filled, all) = (corridors.filled().to_string(), corridors.squares.len().to_string());
    tr_args("desk.filled-of", &[("filled", &filled), ("all", &all)])
}

fn show(
    mut contexts: EguiContexts,
    (lit, pointer): (Res<LitCorridors>, Res<Pointed>),
    points: BoardPoints,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let hovered = |corridor: &&Corridors| pointer.square == Some(corridor.of);
    let Some(corridors) = lit.0.iter().find(hovered) else { return };
    let Some(square) = points.square(context, corridors.of) else { return };
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::new("corridors")));
    let text = painter.layout_no_wrap(words(corridors), theme::strong(context, BODY), ACCENT);
    let size = text.size() + vec2(space(4), space(2));
    let pill = Align2::CENTER_CENTER.anchor_size(square, size);
    painter.rect_filled(pill, CONTROL_RADIUS, GROUND);
    painter.galley(Rect::from_center_size(square, text.size()).min, text, ACCENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_many_of_how_many_are_filled() {
        let at = |file| Square::new(file, 0);
        let squares = vec![(at(1), true), (at(2), false), (at(3), true)];
        assert_eq!(words(&Corridors { of: at(0), squares }), "Pavilion: 2 of 3 filled");
    }
}
