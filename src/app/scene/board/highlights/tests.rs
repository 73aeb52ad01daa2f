use bevy::mesh::VertexAttributeValues;

use crate::app::{
    scene::{board::highlights::*, look::palette::Scheme},
    settings::options::Palette,
};

#[test]
fn a_reachable_square_shows_whether_a_figure_stands_there() {
    let (free, taken) = (Square::new(0, 0), Square::new(1, 0));
    let marks = Highlights {
        reachable: [free, taken].into(),
        touchable: [free].into(),
        hovered: Some(free),
        ..Highlights::default()
    };
    let wanted = wanted(&marks, &[taken].into());
    let expected =
        [(free, Mark::ReachableFree), (taken, Mark::ReachableTaken), (free, Mark::Hovered)];
    assert_eq!(wanted, expected.into());
}

/// A mark's edge over a ground, by lightness as the eye weighs it.
fn contrast(mark: Color, ground: Color) -> f32 {
    let (mark, ground) = (mark.to_linear(), ground.to_linear());
    let light = mark.alpha * mark.luminance() + (1.0 - mark.alpha) * ground.luminance();
    let (one, other) = (light + 0.05, ground.luminance() + 0.05);
    one.max(other) / one.min(other)
}

/// The colours of a mark's lines, not of what thinly fills it.
fn lines(mark: Mark) -> Vec<Color> {
    let mesh = mark.mesh();
    let Some(VertexAttributeValues::Float32x4(colours)) = mesh.attribute(Mesh::ATTRIBUTE_COLOR)
    else {
        panic!("{mark:?} has no colours")
    };
    let colours = colours.iter().filter(|colour| colour[3] > 0.4);
    colours.map(|&[r, g, b, a]| Color::linear_rgba(r, g, b, a)).collect()
}

#[test]
fn every_mark_is_plain_on_every_ground_of_every_palette() {
    for palette in Palette::ALL {
        let scheme = Scheme::of(palette);
        let grounds = [scheme.plain, scheme.middle, scheme.rows, scheme.plots].concat();
        for ground in grounds.into_iter().chain([scheme.camp, palette::CASTLE]) {
            for mark in Mark::ALL {
                let most = lines(mark).into_iter().map(|it| contrast(it, ground));
                let most = most.fold(0.0, f32::max);
                let wanted = if mark == Mark::Third { 2.0 } else { 3.0 };
                assert!(most >= wanted, "{mark:?} on {ground:?} of {palette:?}: {most}");
            }
        }
    }
}

#[test]
fn a_square_that_cannot_be_touched_does_not_answer_the_pointer() {
    let marks = Highlights { hovered: Some(Square::new(4, 4)), ..Highlights::default() };
    assert!(wanted(&marks, &HashSet::new()).is_empty());
}

#[test]
fn a_better_move_lies_over_those_after_it() {
    let (from, to) = (Square::new(1, 1), Square::new(1, 3));
    let arrows = [
        Arrow::Analysis(from, to),
        Arrow::Lesser(from, to, 1),
        Arrow::Lesser(from, to, 2),
        Arrow::Way(from, to),
    ];
    let heights = arrows.map(height);
    assert!(heights.is_sorted_by(|over, under| over > under), "{heights:?}");
    assert!(heights[3] >= ARROW_Y);
}
