//! Starting the program, in a window, on a web page or without either, and
//! quitting it.

#[cfg(not(target_arch = "wasm32"))]
mod native;
mod quit;
#[cfg(target_arch = "wasm32")]
pub mod web;

use bevy::{
    asset::AssetMetaCheck,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::{ExitCondition, PresentMode, PrimaryWindow, WindowResolution},
    winit::{EventLoopProxyWrapper, WinitPlugin, WinitUserEvent},
};
use bevy_egui::EguiPlugin;

use crate::{
    app::{
        core::prelude::*,
        dev_tools::report::Report,
        game::{
            autoplay::AutoplayOptions,
            autosave::Autosave,
            online::Seats,
            referee::{Referee, default_setup},
            results::GameResults,
        },
        platform::{APP_ID, IS_WEB, alarm::Alarm, upstream_fixes::frame_time},
        puzzles::PuzzleTrainer,
        scene::{look, sound},
        settings::{self, Engines, Settings},
    },
    engines::set_waker,
    i18n::set_language,
    online::{GameLink, SeatStore},
    session::{autosave_folder, engines_path, puzzles::PuzzleTraining},
};

#[cfg(not(target_arch = "wasm32"))]
pub use self::native::{AppError, run};

/// The selector of the web page's canvas.
const CANVAS: &str = "#table";

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(quit::plugin);
}

/// How the program starts.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// Starts a game with these rules.
    pub rules: Option<RuleSet>,
    /// Who plays that game, by [`Side::index`](crate::games::Side); by default a
    /// person against an engine.
    pub seats: [Option<Seat>; 2],
    /// The seed of the throws in that game.
    pub seed: Option<u64>,
    /// Joins the online game of this link.
    pub join: Option<GameLink>,
    /// Opens this file as a replay.
    pub record: Option<PathBuf>,
    /// The window's size in logical pixels.
    pub size: Option<(u32, u32)>,
    /// After a game of two engines, starts one with the next rules.
    pub autoplay: bool,
    /// With [`autoplay`](Self::autoplay), ends each game after this many plies.
    pub autoplay_max_plies: Option<usize>,
    /// Prints what is shown to stdout, line by line, for scripts.
    pub report: bool,
    /// Prints the cost of frames to stdout.
    pub frame_report: bool,
}

/// Loads the settings and the last game of this player, and starts with what
/// the options ask for. Notices about damaged files are shown after the first
/// frame, which starts the game asked for and clears earlier notices.
pub(crate) fn begin(app: &mut App, options: &AppOptions) {
    if let Some(path) = settings::settings_path() {
        let (settings, file, warning) = settings::load(&path);
        set_language(settings.effective_language());
        app.insert_resource(settings).insert_resource(file);
        app.world_mut().write_message_batch(warning.map(Notify::error));
    }
    if let Some(path) = PuzzleTraining::default_path() {
        let (training, unread) = PuzzleTraining::in_file(&path);
        app.insert_resource(PuzzleTrainer::new(training));
        app.world_mut().write_message_batch(unread.map(Notify::error));
    }
    app.insert_resource(Seats(SeatStore::of_user()));
    if let Some(path) = engines_path() {
        let (engines, warning) = Engines::read(&path);
        app.insert_resource(engines);
        app.world_mut().write_message_batch(warning.map(Notify::error));
    }
    let mut referee = Referee::default();
    if let Some(folder) = autosave_folder() {
        let mut autosave = Autosave::in_folder(folder).with_retries();
        app.world_mut().write_message_batch(autosave.resume(&mut referee));
        if let Some(store) = autosave.store() {
            let (results, warning) = GameResults::open(store);
            app.insert_resource(results);
            app.world_mut().write_message_batch(warning.map(Notify::error));
        }
        app.insert_resource(autosave);
    }
    app.insert_resource(referee);
    app.insert_resource(Report::new(options.report));
    if options.autoplay {
        app.insert_resource(AutoplayOptions(options.autoplay_max_plies));
    }
    if let Some(path) = &options.record {
        app.world_mut().write_message(Action::Replay(ReplayAction::open(path.clone())));
    } else if let Some(link) = &options.join {
        let action =
            app.world().get_resource::<Settings>().map(|settings| join_action(link, settings));
        app.world_mut().write_message_batch(action);
    } else if let Some(rules) = options.rules {
        let default = default_setup(rules);
        let seats = [0, 1].map(|side| options.seats[side].unwrap_or(default.seats[side]));
        let setup = Setup { seats, seed: options.seed, ..default };
        app.world_mut().write_message(Action::Game(GameAction::NewGame(setup)));
    }
}

/// Joins the game of a link under the name that was chosen last.
pub(super) fn join_action(link: &GameLink, settings: &Settings) -> Action {
    let name = settings.new_game.names.iter().find(|name| !name.is_empty());
    OnlineAction::Join { link: link.to_string(), name: name.cloned().unwrap_or_default() }.into()
}

/// The program without a window and a renderer, for tests: the same plugins, a
/// virtual window of `size` logical pixels, and a clock that advances by 33 ms
/// per frame.
///
/// ```
/// use tabulae::app::{
///     core::actions::{Action, GameAction}, game::referee::Referee, headless,
/// };
/// use tabulae::games::{Game, RuleSet};
/// use tabulae::session::{Seat, Setup};
///
/// let mut app = headless((900, 600));
/// let setup = Setup { seats: [Seat::Person; 2], ..Setup::new(RuleSet::Tablaaza) };
/// app.world_mut().write_message(Action::Game(GameAction::NewGame(setup)));
/// for _ in 0..100 {
///     app.update();
/// }
/// app.world_mut().write_message(Action::Game(GameAction::TypeMove("c7".to_owned())));
/// app.update();
/// let table = app.world().resource::<Referee>().table.as_ref();
/// assert_eq!(table.map(|table| table.history().len()), Some(1));
/// ```
pub fn headless(size: (u32, u32)) -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(primary_window(size)),
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

/// The same, started as [`run`] does: with this player's settings and saved
/// games (in `TABULAE_HOME`), and a report if the options ask for it.
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

/// The program in a window of this size, or on the web page's canvas.
pub(crate) fn window(size: (u32, u32)) -> App {
    let mut app = App::new();
    let plugins = DefaultPlugins
        .set(WindowPlugin {
            // It would be black until it has a picture.
            primary_window: Some(Window { visible: IS_WEB, ..primary_window(size) }),
            // `quit` may have to ask first.
            close_when_requested: false,
            ..default()
        })
        .set(RenderPlugin { render_creation: look::renderer_settings().into(), ..default() })
        .set(look::pbr_plugin())
        .set(AssetPlugin { meta_check: AssetMetaCheck::Never, ..default() })
        .set(bevy::log::LogPlugin {
            filter: "warn,wgpu=error,naga=error,winit=error,bevy_egui=error,bevy_render=error,bevy_audio=error"
                .to_owned(),
            ..default()
        });
    // Without a sound device the system's library prints errors to stderr.
    app.add_plugins(if sound::has_sound_device() {
        plugins
    } else {
        plugins.disable::<bevy::audio::AudioPlugin>()
    });
    draw_when_needed(&mut app);
    app.add_systems(Update, show_window.in_set(AppSet::Input));
    app.add_plugins(EguiPlugin::default());
    app.add_plugins((
        crate::app::scene::plugin,
        crate::app::game_plugins,
        crate::app::scene::look::shader_warmup::plugin,
        crate::app::scene::look::kept_picture::render_plugin,
    ));
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(crate::app::platform::icon::plugin);
    app
}

/// The frames after which the first picture is there: a frame is drawn while the next one
/// is prepared.
const FRAMES_UNSEEN: u8 = 3;

/// Shows the window with its first picture.
fn show_window(
    mut windows: Query<&mut Window, With<PrimaryWindow>>,
    mut next: ResMut<NextFrame>,
    mut frames: Local<u8>,
) {
    if *frames > FRAMES_UNSEEN {
        return;
    }
    *frames += 1;
    next.at_once();
    if *frames > FRAMES_UNSEEN {
        windows.iter_mut().for_each(|mut window| window.visible = true);
    }
}

/// Lets answers of other threads and the alarm cause frames.
fn draw_when_needed(app: &mut App) {
    if let Some(proxy) = app.world().get_resource::<EventLoopProxyWrapper>() {
        let proxy = (**proxy).clone();
        // A program that has ended need not wake.
        set_waker(move || _ = proxy.send_event(WinitUserEvent::WakeUp));
        app.init_resource::<Alarm>().add_plugins(frame_time::plugin);
    }
}

fn primary_window(size: (u32, u32)) -> Window {
    Window {
        title: "Tabulae".to_owned(),
        name: Some(APP_ID.to_owned()),
        resolution: WindowResolution::new(size.0, size.1),
        resize_constraints: bevy::window::WindowResizeConstraints {
            min_width: if IS_WEB { 1.0 } else { 800.0 },
            min_height: if IS_WEB { 1.0 } else { 540.0 },
            ..default()
        },
        // On a web page it fills the element around the canvas.
        canvas: IS_WEB.then(|| CANVAS.to_owned()),
        fit_canvas_to_parent: true,
        present_mode: PresentMode::AutoVsync,
        ..default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_shown_with_its_first_picture() {
        let mut app = App::new();
        app.init_resource::<NextFrame>().add_systems(Update, show_window);
        let hidden = Window { visible: false, ..primary_window((900, 600)) };
        let window = app.world_mut().spawn((hidden, PrimaryWindow)).id();
        let visible: Vec<bool> = (0..5)
            .map(|_| {
                app.update();
                app.world().get::<Window>(window).is_some_and(|window| window.visible)
            })
            .collect();
        assert_eq!(visible, [false, false, false, true, true]);
    }

    #[test]
    fn notices_of_the_start_are_shown_although_a_game_starts() {
        let mut app = headless((900, 600));
        let notice = Notify::error("the settings cannot be read".to_owned());
        app.world_mut().write_message(notice.clone());
        app.world_mut()
            .write_message(Action::Game(GameAction::NewGame(Setup::new(RuleSet::Tablaaza))));
        for _ in 0..5 {
            app.update();
        }
        let referee = app.world().resource::<Referee>();
        assert!(referee.table.is_some());
        assert_eq!(app.world().resource::<Notices>().shown, Some(notice.0));
    }
}
