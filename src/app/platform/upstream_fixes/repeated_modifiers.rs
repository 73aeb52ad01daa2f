//! An idle window is not redrawn.
//!
//! `write_egui_input_system` of `bevy_egui` 0.42 pushes `ModifiersChanged` every
//! frame, changed or not, and egui requests a repaint after every event: the two
//! redraw without end. Here repeated events are removed before egui reads them.
//! No upstream issue is known (vladbat00/bevy_egui#277 is about other events).
//! Delete this file when `bevy_egui` sends `ModifiersChanged` only on a change.

use bevy::prelude::*;
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        remove_repeated.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}

fn remove_repeated(mut inputs: Query<(Entity, &mut EguiInput)>, mut sent: Local<Sent>) {
    for (entity, mut input) in &mut inputs {
        let last = sent.iter().position(|(of, _)| *of == entity);
        let mut known = last.map(|index| sent.swap_remove(index).1);
        input.events.retain(|event| match event {
            egui::Event::ModifiersChanged(now) => known.replace(*now) != Some(*now),
            _ => true,
        });
        sent.extend(known.map(|modifiers| (entity, modifiers)));
    }
}

/// The modifiers that each context was sent last.
type Sent = Vec<(Entity, egui::Modifiers)>;
