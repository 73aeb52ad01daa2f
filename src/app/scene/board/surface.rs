//! The one material of a board's squares, and when it is painted anew: for
//! other rules, other colours, or a finer picture.

use bevy::{
    prelude::*,
    render::renderer::RenderDevice,
    tasks::{Task, futures::check_ready},
};

use super::{
    Standing,
    paint::{self, Painted},
};
use crate::{
    app::{
        scene::{
            animation::SceneSet,
            look::{
                BoardPainting,
                palette::Scheme,
                textures::{Finish, Finishes},
            },
        },
        settings::{
            Settings,
            options::{Palette, Quality},
        },
    },
    games::{GameKind, RuleSet},
};

/// What a painting is of.
type Subject = (RuleSet, Palette, bool);

/// The squares' material.
#[derive(Resource)]
pub(super) struct Grounds {
    material: Handle<StandardMaterial>,
    shown: Option<Subject>,
    begun: Option<(Subject, Task<Painted>)>,
}

pub(super) fn plugin(app: &mut App) {
    let material = app
        .world_mut()
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial { perceptual_roughness: 0.5, reflectance: 0.4, ..default() });
    app.insert_resource(Grounds { material, shown: None, begun: None })
        .add_systems(Update, (begin, hang).chain().in_set(SceneSet::Highlights));
}

impl Grounds {
    /// The material of all squares.
    pub(super) fn material(&self) -> Handle<StandardMaterial> {
        self.material.clone()
    }
}

/// What a board is like without its picture, or so far.
fn plain(rules: RuleSet, palette: Palette) -> (Color, f32) {
    let scheme = Scheme::of(palette);
    match rules.game() {
        GameKind::Tablut => (scheme.plain[0], 0.52),
        GameKind::Tablan => (scheme.middle[0], 0.36),
        GameKind::Tablaaza => (scheme.plots[1], 0.8),
    }
}

/// Begins a painting where another one is wanted than there is. Without a
/// renderer nobody would see it.
fn begin(
    standing: Res<Standing>,
    settings: Res<Settings>,
    quality: Res<Quality>,
    device: Option<Res<RenderDevice>>,
    mut grounds: ResMut<Grounds>,
    mut painting: ResMut<BoardPainting>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let Some(rules) = standing.0.filter(|_| device.is_some()) else { return };
    let wanted = (rules, settings.palette, *quality != Quality::Light);
    let under_way = grounds.begun.as_ref().map(|it| it.0).or(grounds.shown);
    if under_way == Some(wanted) {
        return;
    }
    let same_board = grounds.shown.is_some_and(|shown| shown.0 == rules);
    if !same_board && let Some(mut material) = materials.get_mut(&grounds.material) {
        let (colour, rough) = plain(rules, settings.palette);
        *material = StandardMaterial {
            base_color: colour,
            perceptual_roughness: rough,
            reflectance: 0.4,
            ..default()
        };
        grounds.shown = None;
    }
    let (rules, palette, fine) = wanted;
    grounds.begun = Some((wanted, paint::begin(rules, palette, fine)));
    painting.0 = true;
}

/// Shows a painting that is done.
fn hang(
    mut grounds: ResMut<Grounds>,
    mut painting: ResMut<BoardPainting>,
    mut finishes: ResMut<Finishes>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let Some((subject, task)) = &mut grounds.bypass_change_detection().begun else { return };
    let subject = *subject;
    let Some(painted) = check_ready(task) else { return };
    grounds.begun = None;
    grounds.shown = Some(subject);
    painting.0 = false;
    let (_, rough) = plain(subject.0, subject.1);
    if let Some(mut material) = materials.get_mut(&grounds.material) {
        material.base_color = Color::WHITE;
        material.base_color_texture = Some(images.add(painted.colour));
    }
    let [relief, sheen] = painted
        .fine
        .map(|fine| fine.map(|it| images.add(it)))
        .map_or_else(|| [None, None], |fine| fine.map(Some));
    let lacquer = if subject.0.game() == GameKind::Tablan { 0.35 } else { 0.0 };
    finishes.give(&grounds.material, Finish { relief, sheen, even: (rough, 0.0), lacquer });
}
