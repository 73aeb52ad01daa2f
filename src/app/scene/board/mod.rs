//! The board: its squares, its frame, and the marks drawn on it.
//!
//! A board stands until a [`SceneCommand::Set`] names other rules. It knows squares
//! and kinds of ground, never a rule.

mod course;
mod frame;
mod highlights;
mod lettering;
mod paint;
mod surface;
mod water;

use bevy::{light::NotShadowCaster, prelude::*};

pub(crate) use crate::app::scene::layout::Layout;

use super::{
    animation::SceneSet,
    api::{OnSquare, SceneCommand},
    camera::CameraRig,
    look::MeshBuilder,
};
use crate::{
    app::settings::Settings,
    games::RuleSet,
    table::{BoardGrid, SquareKind},
};

/// Which board stands on the table.
#[derive(Resource, Default)]
pub(crate) struct Standing(pub(crate) Option<RuleSet>);

/// How deep a city's streets lie under its plots, and the water.
const STREET_Y: f32 = -0.024;
const WATER_Y: f32 = -0.070;
/// The bed under everything.
const BED_Y: f32 = -0.19;

/// The root of everything that belongs to one board.
#[derive(Component)]
struct BoardRoot;

/// The letters and numbers on the frame, to be read from the far seat or not.
#[derive(Component)]
struct Lettered {
    from_far: bool,
    size: f32,
}

/// Squares, frame and marks.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Standing>().init_resource::<Layout>();
    app.add_plugins((
        course::plugin,
        frame::plugin,
        surface::plugin,
        lettering::plugin,
        highlights::plugin,
        water::plugin,
    ));
    app.add_systems(Update, (build, letter).chain().in_set(SceneSet::Board));
}

/// Shows letters and numbers only to who likes them, upright as they are seen,
/// and large to who reads large text.
fn letter(
    settings: Res<Settings>,
    rig: Res<CameraRig>,
    layout: Res<Layout>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut letters: Query<(&mut Lettered, &Mesh3d, &mut Visibility)>,
) {
    let size = lettering::size(settings.text_size);
    for (mut lettered, mesh, mut visibility) in &mut letters {
        let wanted = settings.coordinates && lettered.from_far == rig.is_far();
        visibility.set_if_neq(if wanted { Visibility::Inherited } else { Visibility::Hidden });
        if lettered.size != size
            && let Some(mut mesh) = meshes.get_mut(mesh)
        {
            lettered.size = size;
            *mesh = lettering::labels(&layout, lettered.from_far, size);
        }
    }
}

/// The last board a frame's cues ask for: what was set before it never shows.
fn build(
    mut commands: Commands,
    mut cues: MessageReader<SceneCommand>,
    mut standing: ResMut<Standing>,
    mut layout: ResMut<Layout>,
    old: Query<Entity, With<BoardRoot>>,
    grounds: Res<surface::Grounds>,
    bars: Res<frame::Bars>,
    lakes: Res<water::Lakes>,
    letters: Res<lettering::Letters>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let Some(rules) = cues
        .read()
        .filter_map(
            |cue| if let SceneCommand::Set { rules, .. } = cue { Some(*rules) } else { None },
        )
        .last()
    else {
        return;
    };
    if standing.0 == Some(rules) {
        return;
    }
    standing.0 = Some(rules);
    for root in &old {
        commands.entity(root).despawn();
    }
    let board = BoardGrid::new(rules);
    *layout = Layout::of(&board, rules.has_sticks());
    let root = commands
        .spawn((BoardRoot, Name::new("Board"), Transform::default(), Visibility::default()))
        .id();
    for &(square, ground) in &board.squares {
        let mut tile = commands.spawn((
            Name::new(format!("Square {square}")),
            Mesh3d(meshes.add(tile_mesh(layout.place(square), ground, &layout))),
            MeshMaterial3d(grounds.material()),
            Transform::from_translation(layout.place(square)),
            NotShadowCaster,
            ChildOf(root),
        ));
        if ground == SquareKind::Lake {
            tile.insert(Pickable::IGNORE);
        } else {
            tile.insert(OnSquare(square));
        }
    }
    water::fill(&mut commands, &mut meshes, &lakes, &board, &layout, root);
    let mut part = |name: &'static str, mesh: Mesh, material: Handle<StandardMaterial>| {
        commands
            .spawn((
                Name::new(name),
                Mesh3d(meshes.add(mesh)),
                MeshMaterial3d(material),
                Pickable::IGNORE,
                ChildOf(root),
            ))
            .id()
    };
    let style = frame::Style::of(rules.game());
    part("Frame", frame::frame(&layout, style), bars.of(style));
    if captives(rules) != [0, 0] {
        part("Trays", frame::trays(&layout, captives(rules), style), bars.of(style));
    }
    let both = [false, true].map(|from_far| {
        let labels = lettering::labels(&layout, from_far, 1.0);
        (part("Coordinates", labels, letters.material(style)), from_far)
    });
    for (labels, from_far) in both {
        commands.entity(labels).insert((Lettered { from_far, size: 1.0 }, NotShadowCaster));
    }
}

/// How many pieces of each side the trays have room for.
const fn captives(rules: RuleSet) -> [usize; 2] {
    match rules {
        RuleSet::TablutBerkeley | RuleSet::TablutAshton | RuleSet::TablutLinnaeus => [8, 16],
        RuleSet::Tablan | RuleSet::TablanOrdered => [12, 12],
        RuleSet::Tablaaza => [0, 0],
    }
}

/// A square's part of the painted board. Plots of a city stand a little over
/// their streets; the bed of a lake lies deep.
fn tile_mesh(place: Vec3, ground: SquareKind, layout: &Layout) -> Mesh {
    let half = layout.half();
    let uv = |at: Vec3| (at.xz() + place.xz() + half) / (2.0 * half);
    let flat = |half: f32, y: f32| {
        [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
            .map(|(x, z)| Vec3::new(x * half, y, z * half))
    };
    let mut tile = MeshBuilder::new();
    match ground {
        SquareKind::Lake => {
            tile.polygon_with_uv(&flat(0.5, water::BED), uv, Color::WHITE);
        }
        SquareKind::Plot(_) => {
            tile.polygon_with_uv(&flat(0.5, STREET_Y), uv, Color::WHITE);
            let half = paint::PLOT;
            let (min, max) = (Vec3::new(-half, STREET_Y, -half), Vec3::new(half, 0.0, half));
            tile.slab(min, max, 0.016, uv, Color::WHITE);
        }
        _ => {
            tile.polygon_with_uv(&flat(0.5, 0.0), uv, Color::WHITE);
        }
    }
    tile.build_for_relief()
}
