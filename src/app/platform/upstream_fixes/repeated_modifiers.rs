//! An idle table is not drawn.
//!
//! `bevy_egui` 0.42 tells egui the modifier keys every frame, changed or not,
//! and egui asks for another frame after every event: the two would draw for
//! ever. A repeated message is taken out before egui reads it.

use bevy::prelude::*;
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        hush.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}

fn hush(mut inputs: Query<'_, '_, (Entity, &mut EguiInput)>, mut told: Local<'_, Told>) {
    for (entity, mut input) in &mut inputs {
        let last = told.iter().position(|(of, _)| *of == entity);
        let mut known = last.map(|index| told.swap_remove(index).1);
        input.events.retain(|event| match event {
            egui::Event::ModifiersChanged(now) => known.replace(*now) != Some(*now),
            _ => true,
        });
        told.extend(known.map(|modifiers| (entity, modifiers)));
    }
}

/// The modifiers each context was last told.
type Told = Vec<(Entity, egui::Modifiers)>;
