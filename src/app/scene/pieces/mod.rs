//! The figures on the table: pieces, stones, pavilions.
//!
//! Every [`PieceId`] is one entity for as long as it is on the table, the
//! tray of captured pieces included. [`SceneCommand::Set`] is followed here; what a
//! ply does is played by the animations.

mod contact_shadow;
mod lathe;
mod pavilion;
mod shapes;

use std::collections::HashMap;

use bevy::prelude::*;

use super::{
    animation::SceneSet,
    api::{OnSquare, Piece, SceneCommand},
    layout::Layout,
};
use crate::{
    games::{Side, Square},
    table::{PieceId, PieceKind, PlacedPiece},
};

pub(crate) use shapes::Shapes;

/// How big a captured piece is in the tray.
pub(crate) const TRAY_SCALE: f32 = 0.78;

/// A piece of this game and the entity that shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// The entity.
    pub(crate) entity: Entity,
    /// What it is, and where it stands or stood last.
    pub(crate) standing: PlacedPiece,
}

/// Which entity each piece is, and who lies in the trays.
#[derive(Resource, Default)]
pub(crate) struct PieceEntities {
    actors: HashMap<PieceId, Actor>,
    captured: Vec<(PieceId, Side)>,
}

impl PieceEntities {
    /// Who plays a piece.
    pub(crate) fn actor(&self, id: PieceId) -> Option<Actor> {
        self.actors.get(&id).copied()
    }

    /// Notes where a piece stands now, and says so on its entity.
    pub(crate) fn stand(&mut self, commands: &mut Commands, id: PieceId, at: Square) {
        if let Some(actor) = self.actors.get_mut(&id) {
            actor.standing.at = at;
            commands.entity(actor.entity).try_insert((Piece(actor.standing), OnSquare(at)));
        }
    }

    /// Takes a piece off the table for good.
    pub(crate) fn dismiss(&mut self, commands: &mut Commands, id: PieceId) {
        if let Some(actor) = self.actors.remove(&id) {
            commands.entity(actor.entity).despawn();
        }
    }

    /// Puts a captured piece on the list of its side's tray and says which
    /// place it has there. Once there, it stays there.
    pub(crate) fn capture(&mut self, id: PieceId, side: Side) -> usize {
        let others = |list: &[(PieceId, Side)]| list.iter().filter(|it| it.1 == side).count();
        match self.captured.iter().position(|it| it.0 == id) {
            Some(index) => others(&self.captured[..index]),
            None => {
                let place = others(&self.captured);
                self.captured.push((id, side));
                place
            }
        }
    }
}

/// Whose tray a captured figure goes to; `None` for what is never captured.
pub(crate) const fn tray_side(figure: PieceKind) -> Option<Side> {
    match figure {
        PieceKind::King | PieceKind::Soldier { white: true } => Some(Side::First),
        PieceKind::Soldier { white: false } => Some(Side::Second),
        PieceKind::Runner(side) => Some(side),
        PieceKind::Stone(_) | PieceKind::Pavilion(_) => None,
    }
}

/// Figures and their identities.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PieceEntities>();
    app.add_plugins((shapes::plugin, contact_shadow::plugin));
    app.add_systems(Update, set.in_set(SceneSet::Pieces));
}

/// Puts a figure on its square.
pub(crate) fn spawn(
    commands: &mut Commands,
    cast: &mut PieceEntities,
    shapes: &Shapes,
    layout: &Layout,
    standing: PlacedPiece,
) -> Entity {
    let entity = commands
        .spawn((
            Name::new(format!("{:?} {}", standing.kind, standing.id.0)),
            Piece(standing),
            OnSquare(standing.at),
            Mesh3d(shapes.mesh(standing.kind)),
            MeshMaterial3d(shapes.material(standing.kind)),
            stance(layout, standing),
        ))
        .with_child(shapes.contact.clone())
        .id();
    if let Some(trim) = shapes.trim(standing.kind) {
        commands.entity(entity).with_child(trim);
    }
    cast.actors.insert(standing.id, Actor { entity, standing });
    entity
}

/// How a figure stands on its square: facing its opponent.
pub(crate) fn stance(layout: &Layout, standing: PlacedPiece) -> Transform {
    Transform::from_translation(layout.place(standing.at))
}

/// How a captured figure stands in its tray.
pub(crate) fn tray_stance(layout: &Layout, side: Side, place: usize) -> Transform {
    Transform::from_translation(layout.tray(side, place)).with_scale(Vec3::splat(TRAY_SCALE))
}

/// Follows the last [`SceneCommand::Set`] of a frame: whoever is on the table already
/// under the same name goes to the new place, others come and go.
fn set(
    mut commands: Commands,
    mut cues: MessageReader<SceneCommand>,
    mut cast: ResMut<PieceEntities>,
    shapes: Res<Shapes>,
    layout: Res<Layout>,
) {
    let Some((figures, captured)) = cues
        .read()
        .filter_map(|cue| match cue {
            SceneCommand::Set { figures, captured, .. } => Some((figures, captured)),
            SceneCommand::Play { .. } | SceneCommand::Finish => None,
        })
        .last()
    else {
        return;
    };
    let mut known = std::mem::take(&mut cast.actors);
    cast.captured.clear();
    let mut entity_of =
        |commands: &mut Commands, cast: &mut PieceEntities, standing: PlacedPiece| match known
            .get(&standing.id)
        {
            Some(&Actor { entity, standing: was }) if was.kind == standing.kind => {
                known.remove(&standing.id);
                cast.actors.insert(standing.id, Actor { entity, standing });
                entity
            }
            _ => spawn(commands, cast, &shapes, &layout, standing),
        };
    for &standing in figures {
        let entity = entity_of(&mut commands, &mut cast, standing);
        commands.entity(entity).remove::<Pickable>().insert((
            Piece(standing),
            OnSquare(standing.at),
            stance(&layout, standing),
        ));
    }
    for &standing in captured {
        let Some(side) = tray_side(standing.kind) else { continue };
        let entity = entity_of(&mut commands, &mut cast, standing);
        let place = cast.capture(standing.id, side);
        commands
            .entity(entity)
            .remove::<OnSquare>()
            .insert((Pickable::IGNORE, tray_stance(&layout, side, place)));
    }
    for actor in known.values() {
        commands.entity(actor.entity).despawn();
    }
}
