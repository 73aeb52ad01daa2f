//! The camera sways slowly on the title screen, where drawing costs little.

use std::f32::consts::TAU;

use bevy::window::PrimaryWindow;

use super::CameraRig;
use crate::app::scene::{
    look::{CameraMoving, motion_step},
    prelude::*,
};

/// How far the camera sways to each side: yaw and pitch, in radians.
const REACH: Vec2 = Vec2::new(0.13, 0.045);
/// The seconds of one sway: yaw and pitch.
const PERIOD: Vec2 = Vec2::new(47.0, 31.0);
/// Seconds until the sway has its full reach, and until it has ended.
const FADE: f32 = 4.0;
/// It ends after so many seconds: by then nobody looks at it.
const LONGEST: f32 = 600.0;

/// How long the camera has swayed on this title, and how much of its reach it uses.
#[derive(Resource, Default)]
pub(super) struct Sway {
    seconds: f32,
    share: f32,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Sway>();
}

/// Whether the camera may sway: on the title, not at low quality, with reduced motion,
/// under a dialog or without the focus.
#[derive(SystemParam)]
pub(super) struct MaySway<'w, 's> {
    screen: Option<Res<'w, State<Screen>>>,
    quality: Res<'w, Quality>,
    settings: Res<'w, Settings>,
    focus: Option<Res<'w, UiFocus>>,
    windows: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl MaySway<'_, '_> {
    fn get(&self) -> bool {
        self.screen.as_ref().is_some_and(|screen| *screen.get() == Screen::Title)
            && *self.quality != Quality::Low
            && !self.settings.reduced_motion
            && !self.focus.as_ref().is_some_and(|focus| focus.pauses)
            && self.windows.iter().any(|window| window.focused)
    }
}

/// Moves the camera, and lets it come back to its pose where it must not sway.
pub(super) fn sway_on_the_title(
    time: Res<Time<Real>>,
    may_sway: MaySway,
    mut sway: ResMut<Sway>,
    mut rig: ResMut<CameraRig>,
    mut moving: ResMut<CameraMoving>,
) {
    let may_sway = may_sway.get() && sway.seconds < LONGEST;
    if !may_sway && sway.share == 0.0 {
        sway.bypass_change_detection().seconds = 0.0;
        return;
    }
    let step = motion_step(&time, sway.share > 0.0);
    sway.seconds += step;
    let change = if may_sway { step } else { -step } / FADE;
    sway.share = (sway.share + change).clamp(0.0, 1.0);
    let eased = sway.share * sway.share * (3.0 - 2.0 * sway.share);
    let turn = Vec2::splat(sway.seconds) / PERIOD * TAU;
    rig.sway = eased * REACH * Vec2::new(turn.x.sin(), turn.y.sin());
    moving.set_if_neq(CameraMoving(true));
}

#[cfg(test)]
mod tests {

    use bevy::{state::app::StatesPlugin, time::TimeUpdateStrategy};

    use super::*;
    use crate::app::scene::camera::CameraView;

    fn app(screen: Screen, quality: Quality, reduced_motion: bool) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)))
            .insert_state(screen)
            .insert_resource(quality)
            .insert_resource(Settings { reduced_motion, ..Settings::default() })
            .insert_resource(CameraRig::at(CameraView::Seat))
            .insert_resource(CameraMoving(false))
            .init_resource::<Sway>()
            .add_systems(Update, sway_on_the_title);
        app.world_mut().spawn((Window { focused: true, ..default() }, PrimaryWindow));
        app
    }

    /// Whether the camera moved in 25 seconds, and how far from its pose it was at most.
    fn sways(screen: Screen, quality: Quality, reduced_motion: bool) -> (bool, f32) {
        let mut app = app(screen, quality, reduced_motion);
        let (mut moved, mut reach) = (false, 0.0_f32);
        for _ in 0..250 {
            app.update();
            moved |= app.world().resource::<CameraMoving>().0;
            reach = reach.max(app.world().resource::<CameraRig>().sway.length());
        }
        (moved, reach)
    }

    #[test]
    fn the_sway_ends_as_slowly_as_it_begins() {
        let mut app = app(Screen::Title, Quality::Medium, false);
        let shares = |app: &mut App, seconds: usize| {
            (0..10 * seconds).for_each(|_| app.update());
            app.world().resource::<Sway>().share
        };
        assert!(shares(&mut app, 5) > 0.99);
        app.insert_resource(Quality::Low);
        let half = shares(&mut app, 2);
        assert!(half > 0.4 && half < 0.6, "{half}");
        assert!(shares(&mut app, 3) < 0.01);
    }

    #[test]
    fn the_camera_sways_a_little_on_the_title_and_not_at_low_quality() {
        let (moved, reach) = sways(Screen::Title, Quality::Medium, false);
        assert!(moved && reach > 0.1 && reach < 0.15, "{reach}");
        for (screen, quality, reduced) in [
            (Screen::Title, Quality::Low, false),
            (Screen::Title, Quality::High, true),
            (Screen::Table, Quality::High, false),
        ] {
            assert_eq!(sways(screen, quality, reduced), (false, 0.0), "{screen:?} {quality:?}");
        }
    }
}
