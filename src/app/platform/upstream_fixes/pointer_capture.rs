//! The pointer on a panel is not on the board behind it.
//!
//! `bevy_egui` 0.42 says so as well, but from where the pointer was a frame
//! ago. Where frames are slow, or a hand is quick, a click right after one on a
//! button can come in the very frame in which the pointer came to the board,
//! and was lost. Here it is asked where the pointer is now.

use bevy::{
    camera::NormalizedRenderTarget,
    picking::{
        PickingSystems,
        backend::{HitData, PointerHits},
        pointer::{PointerId, PointerLocation},
    },
    prelude::*,
};
use bevy_egui::{
    EguiContext, EguiContextSettings, PrimaryEguiContext,
    egui::{Context, Order, Pos2},
};

/// In front of whatever a camera shows.
const IN_FRONT: f32 = 1.0e6;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PreUpdate, (take_over, catch).chain().in_set(PickingSystems::Backend));
}

fn take_over(mut added: Query<'_, '_, &mut EguiContextSettings, Added<EguiContextSettings>>) {
    for mut settings in &mut added {
        settings.capture_pointer_input = false;
    }
}

fn catch(
    pointers: Query<'_, '_, (&PointerId, &PointerLocation)>,
    mut contexts: Query<'_, '_, (Entity, &mut EguiContext), With<PrimaryEguiContext>>,
    mut hits: MessageWriter<'_, PointerHits>,
) {
    for (pointer, location) in &pointers {
        let Some(location) = location.location.as_ref() else { continue };
        if !matches!(location.target, NormalizedRenderTarget::Window(_)) {
            continue;
        }
        for (entity, mut context) in &mut contexts {
            if is_caught(context.get_mut(), location.position) {
                let hit = (entity, HitData::new(entity, 0.0, None, None));
                hits.write(PointerHits::new(*pointer, vec![hit], IN_FRONT));
            }
        }
    }
}

/// Whether a panel lies there, or one is being dragged: a slider keeps the
/// pointer wherever it goes.
fn is_caught(context: &Context, at: Vec2) -> bool {
    let at = Pos2::new(at.x, at.y) / context.zoom_factor();
    let over = context.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
    context.egui_is_using_pointer() || over
}
