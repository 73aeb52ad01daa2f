//! A pointer on a panel does not hit the board behind it.
//!
//! `bevy_egui` 0.42 (`capture_pointer_input`) decides this by the position of the
//! pointer in the frame before. Where frames are slow, a click on the board
//! right after a click on a button was lost. This backend uses the current
//! position (see also vladbat00/bevy_egui#348).

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

/// The order of the hits: in front of every camera.
const IN_FRONT: f32 = 1.0e6;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (disable_builtin_capture, capture_pointers).chain().in_set(PickingSystems::Backend),
    );
}

fn disable_builtin_capture(mut added: Query<&mut EguiContextSettings, Added<EguiContextSettings>>) {
    for mut settings in &mut added {
        settings.capture_pointer_input = false;
    }
}

fn capture_pointers(
    pointers: Query<(&PointerId, &PointerLocation)>,
    mut contexts: Query<(Entity, &mut EguiContext), With<PrimaryEguiContext>>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (pointer, location) in &pointers {
        let Some(location) = location.location.as_ref() else { continue };
        if !matches!(location.target, NormalizedRenderTarget::Window(_)) {
            continue;
        }
        for (entity, mut context) in &mut contexts {
            if is_on_panel(context.get_mut(), location.position) {
                let hit = (entity, HitData::new(entity, 0.0, None, None));
                hits.write(PointerHits::new(*pointer, vec![hit], IN_FRONT));
            }
        }
    }
}

/// Whether a panel lies there or is being dragged: a slider keeps the pointer
/// wherever it goes.
fn is_on_panel(context: &Context, at: Vec2) -> bool {
    let at = Pos2::new(at.x, at.y) / context.zoom_factor();
    let over = context.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
    context.egui_is_using_pointer() || over
}
