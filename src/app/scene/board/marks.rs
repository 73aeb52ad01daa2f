//! Marks on squares: the [`Highlights`], the [`LitCorridors`] and what is [`Pointed`] at, as
//! flat shapes a little above the board.
//!
//! Each kind has a shape of its own, so that colour is never the only
//! difference: small corners or, round a piece, a light ring can be selected, a bold outline is
//! under the pointer, a filled outline is selected, a dot or ring can be reached,
//! corners bracket a light where the last move went and no light where it came from, pluses
//! where it put a stone, a flat cross is where it captured, four inward triangles warn, a
//! broad ring or arrow is a hint, a thin arrow warns, and bold corners are the keyboard
//! cursor. A ring of a judged move has a sign: a tick, a cross or a question mark. Tablaaza's
//! corridors have a filled frame where they are filled and an empty one where they are not.

mod shapes;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    f32::consts::PI,
};

use strum::IntoEnumIterator;

use self::shapes::{arrow_mesh, mark_mesh, way_mesh};
use crate::{
    app::{
        core::prelude::*,
        scene::{
            SceneSet,
            api::{Arrow, Highlights, LitCorridors, MoveMark, NearSide, Photo, Pointed},
            components::{OnSquare, Piece},
            layout::BoardLayout,
            look::{TableMaterial, warm_up},
        },
    },
    games::tablan,
    records::ShapeColor,
    session::MoveStep,
};

/// A kind of mark. Each kind lies above those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter)]
enum MarkKind {
    CorridorOpen,
    CorridorFilled,
    LastMoveFrom,
    LastMove,
    Placed,
    Captured,
    SelectablePiece,
    SelectableSquare,
    ReachableSquare,
    ReachablePiece,
    Warned,
    Third,
    Second,
    Hinted,
    GreenCircle,
    RedCircle,
    YellowCircle,
    BlueCircle,
    PlayedMove,
    RightMove,
    WrongMove,
    Selected,
    Hovered,
    Cursor,
}

impl MarkKind {
    /// Height above the board.
    const fn y(self) -> f32 {
        0.009 + 0.0015 * self as usize as f32
    }
}

/// The most pieces that are marked as selectable: marks of nearly every piece would only
/// cover the board. The one under the pointer is always marked.
const MAX_MARKED_PIECES: usize = 4;

/// Height of the lowest arrow, above all other highlights.
const ARROW_Y: f32 = MarkKind::Cursor.y() + 0.0015;
/// How much higher a better move's arrow lies than the next one's.
const ARROW_STEP: f32 = 0.003;

/// Height of an arrow: better moves lie above worse ones.
fn arrow_y(arrow: Arrow) -> f32 {
    let below_best = match arrow {
        Arrow::Hint(..) => 0,
        Arrow::Ranked(_, _, rank) => rank.min(3),
        Arrow::Warning(..) => 4,
        Arrow::Drawn(..) => 5,
        // Below everything but the marks of its own squares.
        Arrow::Moved(..) => return MarkKind::LastMove.y() + 0.0007,
    };
    ARROW_Y + ARROW_STEP * f32::from(5 - below_best)
}

/// The meshes of all kinds, and the material they share.
#[derive(Resource)]
struct MarkAssets {
    meshes: HashMap<MarkKind, Handle<Mesh>>,
    material: Handle<TableMaterial>,
}

/// A mark that is shown: the shape of its kind on a square.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[require(Pickable = Pickable::IGNORE)]
struct Mark(Square, MarkKind);

/// Tells the marks that follow the pointer from those of the [`Highlights`].
#[derive(Component, Clone)]
struct FollowsPointer;

/// An arrow that is shown.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(Pickable = Pickable::IGNORE)]
struct ShownArrow(Arrow);

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let meshes: HashMap<MarkKind, Handle<Mesh>> =
        MarkKind::iter().map(|kind| (kind, meshes.add(mark_mesh(kind)))).collect();
    let material = app
        .world_mut()
        .resource_mut::<Assets<TableMaterial>>()
        .add(TableMaterial { alpha_mode: AlphaMode::Blend, ..default() });
    for mesh in meshes.values() {
        warm_up(app, mesh.clone(), material.clone());
    }
    app.insert_resource(MarkAssets { meshes, material }).add_systems(
        Update,
        (
            update_marks.run_if(
                all_may_change
                    .or_else(any_match_filter::<(Changed<OnSquare>, With<Piece>)>)
                    .or_else(any_component_removed::<Piece>),
            ),
            update_pointer_marks.run_if(
                all_may_change
                    .or_else(resource_changed::<Pointed>)
                    .or_else(resource_changed::<LitCorridors>),
            ),
        )
            .in_set(SceneSet::Highlights),
    );
}

/// Whether all marks may have changed.
fn all_may_change(
    highlights: Res<Highlights>,
    photo: Res<Photo>,
    (layout, near): (Res<BoardLayout>, Res<NearSide>),
) -> bool {
    highlights.is_changed() || photo.is_changed() || layout.is_changed() || near.is_changed()
}

/// The marks of the highlights; `occupied` are the squares with a piece.
fn visible_marks(
    highlights: &Highlights,
    occupied: &BTreeSet<Square>,
) -> HashSet<(Square, MarkKind)> {
    use MarkKind as Kind;

    let Highlights { selectable, selected, reachable, .. } = highlights;
    let mut visible = HashSet::new();
    let left = MoveStep::left_squares(&highlights.last_move);
    let entered = highlights.last_move.iter().map(|step| step.to).filter(|at| !left.contains(at));
    // The pavilions that a stone raised come after it.
    let placed = highlights.last_move.first().filter(|step| step.from.is_none());
    visible.extend(entered.map(|at| {
        let is_placed = placed.is_some_and(|step| step.to == at);
        (at, if is_placed { Kind::Placed } else { Kind::LastMove })
    }));
    visible.extend(left.iter().map(|&at| (at, Kind::LastMoveFrom)));
    visible.extend(highlights.captured.iter().map(|&at| (at, Kind::Captured)));
    visible.extend(highlights.warned.iter().map(|&at| (at, Kind::Warned)));
    visible.extend(highlights.hinted.iter().map(|&at| (at, Kind::Hinted)));
    visible.extend(highlights.ranked.iter().map(|&(at, rank)| {
        let kind = if rank < 2 { Kind::Second } else { Kind::Third };
        (at, kind)
    }));
    visible.extend(highlights.circles.iter().map(|&(at, color)| {
        let kind = match color {
            ShapeColor::Green => Kind::GreenCircle,
            ShapeColor::Red => Kind::RedCircle,
            ShapeColor::Yellow => Kind::YellowCircle,
            ShapeColor::Blue => Kind::BlueCircle,
        };
        (at, kind)
    }));
    visible.extend(highlights.judged.iter().map(|&(at, mark)| {
        let kind = match mark {
            MoveMark::Played => Kind::PlayedMove,
            MoveMark::Right => Kind::RightMove,
            MoveMark::Wrong => Kind::WrongMove,
        };
        (at, kind)
    }));
    visible.extend(selected.iter().map(|&at| (at, Kind::Selected)));
    let marks_pieces = selectable.intersection(occupied).count() <= MAX_MARKED_PIECES;
    for &at in selectable.difference(reachable) {
        if !occupied.contains(&at) {
            visible.insert((at, Kind::SelectableSquare));
        } else if marks_pieces {
            visible.insert((at, Kind::SelectablePiece));
        }
    }
    for &at in reachable {
        let has_piece = occupied.contains(&at);
        visible.insert((at, if has_piece { Kind::ReachablePiece } else { Kind::ReachableSquare }));
    }
    visible
}

/// The marks that follow the pointer.
fn pointer_marks(
    pointed: &Pointed,
    LitCorridors(lit): &LitCorridors,
    highlights: &Highlights,
) -> HashSet<(Square, MarkKind)> {
    let Highlights { selectable, selected, reachable, .. } = highlights;
    let is_clickable =
        |at: &Square| selectable.contains(at) || reachable.contains(at) || selected.contains(at);
    let hovered = pointed.square.filter(is_clickable).map(|at| (at, MarkKind::Hovered));
    let cursor = pointed.cursor.map(|at| (at, MarkKind::Cursor));
    let corridors = lit.iter().flat_map(|corridors| &corridors.squares);
    let corridors = corridors.map(|&(at, is_filled)| {
        (at, if is_filled { MarkKind::CorridorFilled } else { MarkKind::CorridorOpen })
    });
    corridors.chain(hovered).chain(cursor).collect()
}

/// The arrows to draw. Where the last move took more than one step, an arrow ties each
/// end to its start, and so it does for a step that is chosen.
fn visible_arrows(highlights: &Highlights) -> Vec<Arrow> {
    let mut arrows = highlights.arrows.clone();
    if let [first, second] = highlights.last_move[..] {
        let moved = |step: MoveStep, side| Some(Arrow::Moved(step.from?, step.to, side));
        arrows.extend([moved(first, -1), moved(second, 1)].into_iter().flatten());
    }
    arrows.extend(highlights.chosen_step.map(|(from, to)| Arrow::Moved(from, to, 0)));
    arrows
}

/// The places between which a piece moved in a straight line, relative to the first. In
/// Tablan it follows its course, and turns at the ends of rows.
fn way(layout: &BoardLayout, from: Square, to: Square) -> Vec<Vec3> {
    let course = |side| layout.sticks.then(|| tablan::path(side, from, to));
    let course = Side::BOTH.into_iter().filter_map(course).find(|squares| !squares.is_empty());
    let squares = course.unwrap_or_else(|| vec![from, to]);
    let turns = squares.iter().enumerate().filter(|&(index, at)| {
        let is_end = index == 0 || index + 1 == squares.len();
        is_end || squares[index - 1].rank != at.rank || squares[index + 1].rank != at.rank
    });
    let start = layout.square_centre(from);
    turns.map(|(_, &at)| layout.square_centre(at) - start).collect()
}

/// Replaces the marks that are shown.
#[derive(SystemParam)]
struct ShownMarks<'w, 's> {
    commands: Commands<'w, 's>,
    layout: Res<'w, BoardLayout>,
    near: Res<'w, NearSide>,
    assets: Res<'w, MarkAssets>,
}

impl ShownMarks<'_, '_> {
    /// Whether what is shown can stay: on another board everything has another place, and from
    /// the other seat signs are read the other way round and ways lie on the other side.
    fn keep(&self) -> bool {
        !self.layout.is_changed() && !self.near.is_changed()
    }

    /// Despawns the marks that are no longer to be seen, and spawns the new ones.
    fn replace<'a>(
        &mut self,
        shown: impl Iterator<Item = (Entity, &'a Mark)>,
        mut wanted: HashSet<(Square, MarkKind)>,
        role: impl Bundle + Clone,
    ) {
        for (entity, mark) in shown {
            if !(self.keep() && wanted.remove(&(mark.0, mark.1))) {
                self.commands.entity(entity).despawn();
            }
        }
        for (square, kind) in wanted {
            let Some(mesh) = self.assets.meshes.get(&kind) else { continue };
            let place = self.layout.square_centre(square) + Vec3::Y * kind.y();
            let turn = if self.near.0 == Side::First { 0.0 } else { PI };
            self.commands.spawn((
                Mark(square, kind),
                role.clone(),
                Name::new(format!("{kind:?} {square}")),
                Mesh3d(mesh.clone()),
                MeshMaterial3d(self.assets.material.clone()),
                Transform::from_translation(place).with_rotation(Quat::from_rotation_y(turn)),
            ));
        }
    }
}

/// Shows the marks and arrows of the highlights. A photograph shows those of the last move
/// and no others.
fn update_marks(
    mut shown: ShownMarks,
    (highlights, photo): (Res<Highlights>, Res<Photo>),
    mut meshes: ResMut<Assets<Mesh>>,
    pieces: Query<&OnSquare, With<Piece>>,
    marks: Query<(Entity, &Mark), Without<FollowsPointer>>,
    arrows: Query<(Entity, &ShownArrow)>,
) {
    let photographed = Highlights {
        last_move: highlights.last_move.clone(),
        captured: highlights.captured.clone(),
        ..Highlights::default()
    };
    let highlights = if photo.0.is_some() { &photographed } else { &*highlights };
    let occupied = pieces.iter().map(|piece| piece.0).collect();
    shown.replace(marks.iter(), visible_marks(highlights, &occupied), ());
    let mut new_arrows = visible_arrows(highlights);
    for (entity, arrow) in &arrows {
        match new_arrows.iter().position(|other| shown.keep() && *other == arrow.0) {
            Some(index) => _ = new_arrows.swap_remove(index),
            None => shown.commands.entity(entity).despawn(),
        }
    }
    for arrow in new_arrows {
        let (from, to) = arrow.squares();
        let mesh = match arrow {
            Arrow::Moved(_, _, side) => way_mesh(&way(&shown.layout, from, to), side, shown.near.0),
            _ => {
                let [from, to] = [from, to].map(|square| shown.layout.square_centre(square));
                arrow_mesh(from, to, arrow)
            }
        };
        let from = shown.layout.square_centre(from);
        shown.commands.spawn((
            ShownArrow(arrow),
            Name::new(format!("{arrow:?}")),
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(shown.assets.material.clone()),
            Transform::from_translation(from + Vec3::Y * arrow_y(arrow)),
        ));
    }
}

/// Shows the marks that follow the pointer, but not in a photograph.
fn update_pointer_marks(
    mut shown: ShownMarks,
    (pointed, lit): (Res<Pointed>, Res<LitCorridors>),
    (highlights, photo): (Res<Highlights>, Res<Photo>),
    marks: Query<(Entity, &Mark), With<FollowsPointer>>,
) {
    let wanted = match photo.0 {
        None => pointer_marks(&pointed, &lit, &highlights),
        Some(_) => HashSet::new(),
    };
    shown.replace(marks.iter(), wanted, FollowsPointer);
}
