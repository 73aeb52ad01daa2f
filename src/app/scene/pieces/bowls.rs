//! The bowls beside Tablaaza's board: the stones come from there.

use bevy::camera::visibility::RenderLayers;

use super::assets::PieceAssets;
use crate::app::scene::{
    board::CurrentBoard,
    look::{CASTER_LAYERS, GroundShadows, ShadowOf, SolidOnly},
    prelude::*,
};

/// The first bowl's place among the shadows of its game.
const FIRST_SHADOW: usize = 4;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        place_bowls.in_set(SceneSet::Pieces).run_if(resource_exists_and_changed::<CurrentBoard>),
    );
}

/// Puts the bowls beside a board of Tablaaza.
fn place_bowls(
    mut commands: Commands,
    board: Res<CurrentBoard>,
    layout: Res<BoardLayout>,
    (assets, shadows): (Res<PieceAssets>, Res<GroundShadows>),
    old: Query<Entity, With<Bowl>>,
) {
    for bowl in &old {
        commands.entity(bowl).despawn();
    }
    if board.0.map(RuleSet::game) != Some(GameKind::Tablaaza) {
        return;
    }
    for side in Side::BOTH {
        let shadow = shadows.of(GameKind::Tablaaza, FIRST_SHADOW + side.index());
        commands
            .spawn((
                Bowl(side),
                Name::new(format!("Bowl of {side:?}")),
                SolidOnly,
                Mesh3d(assets.bowl(side)),
                MeshMaterial3d(assets.material.clone()),
                RenderLayers::from_layers(&CASTER_LAYERS),
                Transform::from_translation(layout.bowl_position(side)),
            ))
            .with_child((Name::new("Shadow"), ShadowOf::PIECE, shadow));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bowls_stand_beside_the_board_of_tablaaza_only() {
        let mut app = crate::app::headless((900, 600));
        let mut bowls = |rules: RuleSet| -> Vec<f32> {
            app.world_mut().write_message(Action::Game(GameAction::NewGame(Setup::new(rules))));
            (0..10).for_each(|_| app.update());
            let world = app.world_mut();
            let mut bowls = world.query_filtered::<&Transform, With<Bowl>>();
            bowls.iter(world).map(|bowl| bowl.translation.x).collect()
        };
        assert_eq!(bowls(RuleSet::Tablaaza), [-5.24, 5.24]);
        assert!(bowls(RuleSet::TablutAshton).is_empty());
    }

    #[test]
    fn the_stones_in_a_bowl_have_the_colour_of_those_on_the_board() {
        use crate::app::{scene::look::palette::tint, settings::options::Palette};

        for &palette in Palette::VARIANTS {
            for side in ["red", "green"] {
                let stone = tint(palette, &format!("piece_stone_{side}"));
                assert_eq!(tint(palette, &format!("bowl_{side}")), stone, "{palette:?}");
            }
        }
    }
}
