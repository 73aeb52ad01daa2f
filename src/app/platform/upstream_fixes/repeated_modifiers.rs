//! Removes repeated events about modifier keys, so that an idle window is not
//! drawn.
//!
//! `bevy_egui` 0.42 reports the modifier keys to egui in every frame, changed or
//! not, and egui requests another frame after every event: the two would draw
//! forever (see also vladbat00/bevy_egui#277).

use bevy::prelude::*;
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        remove_repeated.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}

fn remove_repeated(
    mut inputs: Query<(Entity, &mut EguiInput)>,
    mut known_modifiers: Local<KnownModifiers>,
) {
    for (entity, mut input) in &mut inputs {
        let last = known_modifiers.iter().position(|(of, _)| *of == entity);
        let mut known = last.map(|index| known_modifiers.swap_remove(index).1);
        input.events.retain(|event| match event {
            egui::Event::ModifiersChanged(now) => known.replace(*now) != Some(*now),
            _ => true,
        });
        known_modifiers.extend(known.map(|modifiers| (entity, modifiers)));
    }
}

/// The last modifiers reported to each context.
type KnownModifiers = Vec<(Entity, egui::Modifiers)>;
