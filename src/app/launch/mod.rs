//! Opening the program: in a window, or without one.

#[cfg(not(target_arch = "wasm32"))]
mod native;

use std::path::PathBuf;

use bevy::{
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::{ExitCondition, PresentMode, WindowResolution},
    winit::WinitPlugin,
};
use bevy_egui::EguiPlugin;

use crate::{
    app::{
        core::{
            actions::{Action, GameAction, ReplayAction},
            notice::Notice,
        },
        dev_tools::report::Report,
        game::referee::{Autosave, Referee, default_setup},
        platform::ON_A_PAGE,
        scene::{look, sound},
        settings,
    },
    games::RuleSet,
    table::{Seat, Setup, kept_folder},
    words::speak,
};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use self::native::quietly;
#[cfg(not(target_arch = "wasm32"))]
pub use self::native::{AppError, run};

/// What the page calls the place where the table is drawn.
const CANVAS: &str = "#table";

/// How the window program begins.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// Straight to a table of these rules.
    pub rules: Option<RuleSet>,
    /// Who sits where at that table, by [`Side::index`](crate::games::Side);
    /// a person against an engine where nothing is said.
    pub seats: [Option<Seat>; 2],
    /// The sticks' seed at that table.
    pub seed: Option<u64>,
    /// Straight to the replay of this file.
    pub record: Option<PathBuf>,
    /// The window's size in logical pixels.
    pub size: Option<(u32, u32)>,
    /// When two engines' game is over, go on with the next rules' game.
    pub again: bool,
    /// And after so many plies at the latest.
    pub again_after: Option<usize>,
    /// Say on stdout what is shown, line by line, for scripts.
    pub report: bool,
    /// Say on stdout what frames cost.
    pub frame_report: bool,
}

/// Takes up what this person has kept, and goes where the options say.
pub(crate) fn begin(app: &mut App, options: &AppOptions) {
    let liked = settings::settings_path().map(|path| settings::load(&path));
    if let Some((settings, _, _)) = &liked {
        speak(settings.spoken());
    }
    let mut referee = Referee::default();
    if let Some(folder) = kept_folder() {
        let mut keeping = Autosave::in_folder(folder);
        referee.resume(&mut keeping);
        app.insert_resource(keeping);
    }
    if let Some((settings, file, word)) = liked {
        if let Some(word) = word {
            referee.notify_error_too(word);
        }
        app.insert_resource(settings).insert_resource(file);
    }
    app.insert_resource(Greeting(referee.notice.take())).add_systems(Last, greet);
    app.insert_resource(referee);
    app.insert_resource(Report::new(options.report));
    if options.again {
        app.insert_resource(crate::app::game::autoplay::AutoplayOptions(options.again_after));
    }
    if let Some(path) = &options.record {
        app.world_mut().write_message(Action::Replay(ReplayAction::open(path.clone())));
    } else if let Some(rules) = options.rules {
        let usual = default_setup(rules);
        let seats = [0, 1].map(|side| options.seats[side].unwrap_or(usual.seats[side]));
        let setup = Setup { seats, seed: options.seed, ..usual };
        app.world_mut().write_message(Action::Game(GameAction::NewGame(setup)));
    }
}

/// What is to be said at the start. It waits for the table that is asked for: a
/// new game puts old words away.
#[derive(Resource)]
struct Greeting(Option<Notice>);

fn greet(mut greeting: ResMut<Greeting>, mut referee: ResMut<Referee>) {
    if let Some(notice) = greeting.bypass_change_detection().0.take() {
        referee.notice = Some(notice);
    }
}

/// The program with no window and no renderer, for tests: the same plugins, a
/// virtual window of `size` logical pixels, and a clock that goes on by 1/30 s
/// a frame.
///
/// ```
/// use tabulae::app::{acts::Action, referee::Referee, headless};
/// use tabulae::games::{Game, RuleSet};
/// use tabulae::table::{Seat, Setup};
///
/// let mut app = headless((900, 600));
/// let setup = Setup { seats: [Seat::Person; 2], ..Setup::of(RuleSet::Tablaaza) };
/// app.world_mut().write_message(Action::Game(GameAction::NewGame(setup)));
/// for _ in 0..100 {
///     app.update();
/// }
/// app.world_mut().write_message(Action::Game(GameAction::TypeMove("c7".to_owned())));
/// app.update();
/// let table = app.world().resource::<Referee>().table.as_ref();
/// assert_eq!(table.map(|table| table.line().len()), Some(1));
/// ```
pub fn headless(size: (u32, u32)) -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(primary(size)),
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(RenderPlugin {
                render_creation: WgpuSettings { backends: None, ..default() }.into(),
                ..default()
            })
            .disable::<bevy::log::LogPlugin>()
            .disable::<bevy::audio::AudioPlugin>()
            .disable::<WinitPlugin>(),
    );
    app.insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(33)));
    app.add_plugins(EguiPlugin::default());
    app.add_plugins((crate::app::scene::plugin, crate::app::game_plugins));
    app.finish();
    app.cleanup();
    app
}

/// The same, begun as [`run`] begins it: with this person's settings and kept
/// games (`TABULAE_HOME` says where they are), and a report if one is wanted.
///
/// ```no_run
/// use tabulae::app::{AppOptions, headless_run};
///
/// let mut app = headless_run(&AppOptions { report: true, ..AppOptions::default() });
/// app.update();
/// ```
pub fn headless_run(options: &AppOptions) -> App {
    let mut app = headless(options.size.unwrap_or((1280, 720)));
    begin(&mut app, options);
    app
}

/// The program in a window of this size, or on the page's canvas.
pub(crate) fn window(size: (u32, u32)) -> App {
    let mut app = App::new();
    let plugins = DefaultPlugins
        .set(WindowPlugin { primary_window: Some(primary(size)), ..default() })
        .set(RenderPlugin { render_creation: look::drawing().into(), ..default() })
        .set(look::surfaces())
        .set(bevy::log::LogPlugin {
            filter: "warn,wgpu=error,naga=error,winit=error,bevy_egui=error,bevy_render=error,bevy_audio=error"
                .to_owned(),
            ..default()
        });
    // Asked for a device that is not there, the system's own library complains
    // on stderr.
    app.add_plugins(if sound::can_be_heard() {
        plugins
    } else {
        plugins.disable::<bevy::audio::AudioPlugin>()
    });
    app.add_plugins(EguiPlugin::default());
    app.add_plugins((
        crate::app::scene::plugin,
        crate::app::game_plugins,
        crate::app::scene::look::shader_warmup::plugin,
    ));
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(crate::app::platform::icon::plugin);
    app
}

fn primary(size: (u32, u32)) -> Window {
    Window {
        title: "Tabulae".to_owned(),
        name: Some("tabulae".to_owned()),
        resolution: WindowResolution::new(size.0, size.1),
        resize_constraints: bevy::window::WindowResizeConstraints {
            min_width: if ON_A_PAGE { 1.0 } else { 800.0 },
            min_height: if ON_A_PAGE { 1.0 } else { 540.0 },
            ..default()
        },
        // On a page it fills what stands around the canvas.
        canvas: ON_A_PAGE.then(|| CANVAS.to_owned()),
        fit_canvas_to_parent: true,
        present_mode: PresentMode::AutoVsync,
        ..default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_start_has_to_say_is_said_at_a_table_too() {
        let mut app = headless((900, 600));
        let notice = Notice::new("the settings cannot be read".to_owned(), true);
        app.insert_resource(Greeting(Some(notice.clone()))).add_systems(Last, greet);
        app.world_mut()
            .write_message(Action::Game(GameAction::NewGame(Setup::of(RuleSet::Tablaaza))));
        for _ in 0..5 {
            app.update();
        }
        let referee = app.world().resource::<Referee>();
        assert!(referee.table.is_some());
        assert_eq!(referee.notice, Some(notice));
    }
}
