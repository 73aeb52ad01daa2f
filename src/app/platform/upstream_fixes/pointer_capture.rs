//! Panels keep the pointer from the board behind them, by its current position.
//!
//! `capture_pointer_input_system` of `bevy_egui` 0.42 (vladbat00/bevy_egui#338)
//! decides in `PostUpdate` with the pointer of the last pass. A click in the
//! frame in which the pointer moves from a panel to the board is lost. No
//! upstream issue is known. Delete this file when `bevy_egui` writes its
//! `PointerHits` in `PickingSystems::Backend` from the pointer's location.

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

/// The order of the hits: in front of everything that a camera shows.
const HIT_ORDER: f32 = 1.0e6;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (disable_upstream, write_hits).chain().in_set(PickingSystems::Backend),
    );
}

/// Turns off the capture of `bevy_egui`.
fn disable_upstream(mut added: Query<&mut EguiContextSettings, Added<EguiContextSettings>>) {
    for mut settings in &mut added {
        settings.capture_pointer_input = false;
    }
}

/// Writes a hit for each pointer that a panel captures.
fn write_hits(
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
            if is_captured(context.get_mut(), location.position) {
                let hit = (entity, HitData::new(entity, 0.0, None, None));
                hits.write(PointerHits::new(*pointer, vec![hit], HIT_ORDER));
            }
        }
    }
}

/// Whether a panel lies at this position (logical pixels), or a widget is being
/// dragged: a slider keeps the pointer wherever it goes.
fn is_captured(context: &Context, at: Vec2) -> bool {
    let at = Pos2::new(at.x, at.y) / context.zoom_factor();
    let over = context.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
    context.egui_is_using_pointer() || over
}
