use bevy::mesh::VertexAttributeValues;

use crate::{
    app::{
        core::prelude::*,
        scene::{
            board::marks::*,
            look::{
                models::colours_of,
                palette::{self, ColorScheme},
            },
        },
        settings::options::Palette,
    },
    records::read,
};

#[test]
fn a_reachable_square_shows_whether_it_is_occupied() {
    let (free, taken) = (Square::new(0, 0), Square::new(1, 0));
    let highlights = Highlights {
        reachable: [free, taken].into(),
        selectable: [free].into(),
        ..Highlights::default()
    };
    let expected = [(free, MarkKind::ReachableSquare), (taken, MarkKind::ReachablePiece)];
    assert_eq!(visible_marks(&highlights, &[taken].into()), expected.into());
}

#[test]
fn few_pieces_that_can_move_are_marked_and_many_are_not() {
    let marked = |count: u8| {
        let selectable: BTreeSet<Square> = (0..count).map(|file| Square::new(file, 0)).collect();
        let occupied = selectable.iter().copied().collect();
        visible_marks(&Highlights { selectable, ..Highlights::default() }, &occupied)
    };
    assert_eq!(marked(4).len(), 4);
    assert!(marked(5).is_empty());
    let squares: BTreeSet<Square> = (0..8).map(|file| Square::new(file, 0)).collect();
    let free = Highlights { selectable: squares.clone(), ..Highlights::default() };
    assert_eq!(visible_marks(&free, &BTreeSet::new()).len(), 8, "free squares");
    assert!(visible_marks(&free, &squares).is_empty());
}

/// Contrast ratio (WCAG 2) of a highlight over a square.
fn contrast(highlight: Color, square: Color) -> f32 {
    let (highlight, square) = (highlight.to_linear(), square.to_linear());
    let luminance =
        highlight.alpha * highlight.luminance() + (1.0 - highlight.alpha) * square.luminance();
    let (one, other) = (luminance + 0.05, square.luminance() + 0.05);
    one.max(other) / one.min(other)
}

/// The colours of a highlight's lines, without its transparent fill.
fn line_colours(kind: MarkKind) -> Vec<Color> {
    let mesh = mark_mesh(kind);
    let Some(VertexAttributeValues::Float32x4(colours)) = mesh.attribute(Mesh::ATTRIBUTE_COLOR)
    else {
        panic!("{kind:?} has no colours")
    };
    let colours = colours.iter().filter(|colour| colour[3] > 0.45);
    colours.map(|&[r, g, b, a]| Color::linear_rgba(r, g, b, a)).collect()
}

#[test]
fn every_highlight_has_contrast_on_every_square_of_every_palette() {
    for &palette in Palette::VARIANTS {
        let games = [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza];
        let known = games.into_iter().flat_map(|game| colours_of(game, palette));
        for (name, square) in known.filter(|known| !known.0.starts_with("piece_")) {
            let square = Color::from(square);
            for kind in MarkKind::iter() {
                let ratios = line_colours(kind).into_iter().map(|colour| contrast(colour, square));
                let best = ratios.fold(0.0, f32::max);
                let least = if kind == MarkKind::Third { 2.0 } else { 3.0 };
                assert!(best >= least, "{kind:?} on {name} of {palette:?}: {best}");
            }
        }
    }
}

#[test]
fn hovering_highlights_only_clickable_squares() {
    let square = Square::new(4, 4);
    let pointed = Pointed { square: Some(square), ..Pointed::default() };
    let marks = |selectable| {
        let highlights = Highlights { selectable, ..Highlights::default() };
        pointer_marks(&pointed, &LitCorridors::default(), &highlights)
    };
    assert!(marks(BTreeSet::new()).is_empty());
    assert_eq!(marks([square].into()), [(square, MarkKind::Hovered)].into());
}

#[test]
fn an_arrow_to_the_next_square_has_a_shaft_beside_the_piece() {
    let (from, to) = (Square::new(1, 1), Square::new(1, 2));
    let mesh = arrow_mesh(Vec3::ZERO, Vec3::NEG_Z, Arrow::Hint(from, to));
    let positions =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|attribute| attribute.as_float3());
    let positions = positions.unwrap_or_default();
    let tip = positions.iter().map(|at| -at[2]).fold(0.0, f32::max);
    let is_shaft = |at: &&[f32; 3]| at[0].abs() < 0.12 && -at[2] < 1.1;
    let neck = positions.iter().filter(is_shaft).map(|at| -at[2]).fold(0.0, f32::max);
    // A piece's foot reaches 0.31 from its middle.
    assert!(neck - 0.31 > 0.4, "a shaft up to {neck}");
    assert!(tip > 1.2, "it points into the square: {tip}");
}

#[test]
fn a_hint_has_the_colour_of_no_side() {
    let hint = palette::HIGHLIGHT_HINTED.to_srgba().to_vec3();
    for &palette in Palette::VARIANTS {
        let scheme = ColorScheme::new(palette);
        for side in [scheme.stones, scheme.runners, scheme.bases].concat() {
            let apart = side.to_srgba().to_vec3().distance(hint);
            assert!(apart > 0.3, "{side:?} of {palette:?}: {apart}");
        }
    }
}

#[test]
fn arrows_of_better_moves_lie_higher() {
    let (from, to) = (Square::new(1, 1), Square::new(1, 3));
    let arrows = [
        Arrow::Hint(from, to),
        Arrow::Ranked(from, to, 1),
        Arrow::Ranked(from, to, 2),
        Arrow::Warning(from, to),
    ];
    let heights = arrows.map(arrow_y);
    assert!(heights.is_sorted_by(|over, under| over > under), "{heights:?}");
    assert!(heights[3] >= ARROW_Y);
}

/// The area of a highlight, weighted by how opaque it is.
fn weight(kind: MarkKind) -> f32 {
    let mesh = mark_mesh(kind);
    let positions =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|attribute| attribute.as_float3());
    let positions = positions.unwrap_or_default();
    let Some(VertexAttributeValues::Float32x4(colours)) = mesh.attribute(Mesh::ATTRIBUTE_COLOR)
    else {
        panic!("{kind:?} has no colours")
    };
    let indices: Vec<usize> =
        mesh.indices().into_iter().flat_map(bevy::mesh::Indices::iter).collect();
    let area = |triangle: &[usize]| {
        let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(positions[triangle[corner]]));
        (b - a).cross(c - a).length() * colours[triangle[0]][3]
    };
    indices.chunks(3).map(area).sum()
}

#[test]
fn an_origin_of_the_last_move_has_the_corners_of_its_destination_without_its_light() {
    let [a, b, c, d] = [0, 1, 2, 3].map(|file| Square::new(file, 0));
    let step = |from, to| MoveStep { from: Some(from), to };
    let shown = |last_move: Vec<MoveStep>| {
        visible_marks(&Highlights { last_move, ..Highlights::default() }, &BTreeSet::new())
    };
    let (origin, destination) = (MarkKind::LastMoveFrom, MarkKind::LastMove);
    assert_eq!(shown(vec![step(a, b)]), [(a, origin), (b, destination)].into());
    let pair = [(a, origin), (b, destination), (c, origin), (d, destination)];
    assert_eq!(shown(vec![step(a, b), step(c, d)]), pair.into());
    let onwards = [(a, origin), (b, origin), (c, destination)];
    assert_eq!(shown(vec![step(a, b), step(b, c)]), onwards.into());
    let into_a_left_square = [(a, destination), (b, destination), (c, origin)];
    assert_eq!(shown(vec![step(a, b), step(c, a)]), into_a_left_square.into());
    // A stone is put down, and raises a pavilion.
    let put = |to| MoveStep { from: None, to };
    let raised = [(a, MarkKind::Placed), (b, destination)];
    assert_eq!(shown(vec![put(a), put(b)]), raised.into());
    // As clear, and told apart at a glance.
    let share = weight(origin) / weight(destination);
    assert!((0.3..0.6).contains(&share), "{share}");
    assert!(line_colours(destination).ends_with(&line_colours(origin)));
}

#[test]
fn a_captured_piece_leaves_a_cross_and_a_capture_by_landing_none() {
    let at = |name: &str| name.parse::<Square>().expect("a square");
    let shown = |record: &str, ply: usize| {
        let records = read(record).expect("a record");
        let highlights = Highlights::of_last_move(records[0].history(), ply);
        visible_marks(&highlights, &BTreeSet::new())
    };
    let tablut = "[Rules \"tablut/ashton\"]\n\
        [Position \"9/9/9/4K4/9/9/1BW6/4B4/9 b\"]\n\n1. e2-e3 e6-f6 2. e3-d3 *\n";
    let (from, to) = (MarkKind::LastMoveFrom, MarkKind::LastMove);
    assert_eq!(shown(tablut, 1), [(at("e2"), from), (at("e3"), to)].into());
    let caught = [(at("e3"), from), (at("d3"), to), (at("c3"), MarkKind::Captured)];
    assert_eq!(shown(tablut, 3), caught.into());
    // In Tablan the capturing piece stands there.
    let tablan = include_str!("../../../../../tests/records/valid/tablan.tab");
    let record = &read(tablan).expect("a record")[0];
    let plies = record.history().len();
    let is_capture = |event: &Event| matches!(event, Event::Captured { .. });
    assert!((1..=plies).any(|ply| record.history().events(ply).iter().any(is_capture)));
    let crosses = (1..=plies).flat_map(|ply| shown(tablan, ply));
    assert_eq!(crosses.filter(|cross| cross.1 == MarkKind::Captured).count(), 0);
}

#[test]
fn each_end_of_a_pair_of_moves_is_tied_to_its_start() {
    let [a, b, c, d] = [0, 1, 2, 3].map(|file| Square::new(file, 0));
    let step = |from, to| MoveStep { from: Some(from), to };
    let arrows = |last_move: Vec<MoveStep>| {
        visible_arrows(&Highlights { last_move, ..Highlights::default() })
    };
    assert_eq!(arrows(vec![step(a, b)]), [], "one move needs no arrow");
    let pair = arrows(vec![step(a, c), step(b, d)]);
    assert_eq!(pair, [Arrow::Moved(a, c, -1), Arrow::Moved(b, d, 1)]);
    // Two pieces of one row: the ways lie beside each other, before the pieces of the row.
    let farthest = |from: Square, to: Square, side: i8, near: Side| {
        let [from, to] = [from, to].map(|at| Vec3::X * f32::from(at.file));
        let mesh = way_mesh(&[Vec3::ZERO, to - from], side, near);
        let positions =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|attribute| attribute.as_float3());
        let seat = if near == Side::First { 1.0 } else { -1.0 };
        positions.unwrap_or_default().iter().map(|at| seat * at[2]).fold(0.0, f32::max)
    };
    let strokes = |side| way_mesh(&[Vec3::ZERO, Vec3::X], side, Side::First).count_vertices();
    assert!(strokes(0) < strokes(-1) && strokes(-1) < strokes(1), "the first and the second");
    for (near, (from, to)) in Side::BOTH.into_iter().zip([(b, d), (d, b)]) {
        let [first, second] = [farthest(a, c, -1, near), farthest(from, to, 1, near)];
        assert!(first > 0.35 && second - first > 0.07 && second < 0.5, "{first} {second}");
    }
}

#[test]
fn the_way_of_a_piece_follows_its_course_round_the_corner() {
    let at = |name: &str| name.parse::<Square>().expect("a square");
    let layout = BoardLayout { files: 12, ranks: 4, sticks: true };
    let turns = |from: &str, to: &str| -> Vec<[f32; 2]> {
        way(&layout, at(from), at(to)).iter().map(|at| [at.x, at.z]).collect()
    };
    assert_eq!(turns("c1", "f1"), [[0.0, 0.0], [3.0, 0.0]]);
    // South goes on to row 2, North comes from row 4.
    assert_eq!(turns("k1", "k2"), [[0.0, 0.0], [1.0, 0.0], [1.0, -1.0], [0.0, -1.0]]);
    assert_eq!(turns("b4", "b3"), [[0.0, 0.0], [-1.0, 0.0], [-1.0, 1.0], [0.0, 1.0]]);
    assert_eq!(turns("l1", "l2"), [[0.0, 0.0], [0.0, -1.0]]);
    let other = BoardLayout { files: 9, ranks: 9, sticks: false };
    assert_eq!(way(&other, at("a1"), at("c1")).len(), 2);
}
