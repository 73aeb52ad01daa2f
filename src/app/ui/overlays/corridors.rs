//! When a pavilion rises on the square under the pointer, and how many squares of its
//! corridors are filled, at the foot of the board: beside the squares, not over them.

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

/// What has to be filled, and how much of it is, in words.
fn words(corridors: &Corridors) -> String {
    let (filled, all) = (corridors.filled().to_string(), corridors.squares.len().to_string());
    let of = corridors.of.to_string();
    tr_args("desk.filled-of", &[("square", &of), ("filled", &filled), ("all", &all)])
}

fn show(
    mut contexts: EguiContexts,
    (lit, pointer): (Res<LitCorridors>, Res<Pointed>),
    insets: Res<ViewportInsets>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let hovered = |corridor: &&Corridors| pointer.square == Some(corridor.of);
    let Some(corridors) = lit.0.iter().find(hovered) else { return };
    let scene = scene_rect(context, &insets);
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::new("corridors")));
    let (font, margin) = (theme::strong(context, SMALL), vec2(space(2), space(1)));
    let width = scene.width() - 4.0 * margin.x;
    let text = painter.layout(words(corridors), font, ACCENT, width);
    let foot = scene.center_bottom() - vec2(0.0, margin.y);
    let pill = Align2::CENTER_BOTTOM.anchor_size(foot, text.size() + 2.0 * margin);
    painter.rect_filled(pill, CONTROL_RADIUS, GROUND);
    painter.galley(pill.min + margin, text, ACCENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_many_of_how_many_are_filled() {
        let at = |file| Square::new(file, 0);
        let squares = vec![(at(1), true), (at(2), false), (at(3), true)];
        assert_eq!(
            words(&Corridors { of: at(0), squares }),
            "A pavilion rises on a1 and closes it when these 3 squares are filled: 2 of 3."
        );
    }
}
