//! Opening the program: in a window, or without one.

use std::{
    io::{self, Write},
    panic,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use bevy::{
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::{ExitCondition, PresentMode, WindowResolution},
    winit::WinitPlugin,
};
use bevy_egui::EguiPlugin;
use thiserror::Error;

use super::{
    acts::Act,
    referee::{Keeping, Referee, default_setup},
    report::Report,
    settings, sound,
    stage::Screen,
};
use crate::{
    games::RuleSet,
    records::on_one_line,
    table::{Seat, Setup, kept_folder},
    words::speak,
};

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

/// Why the window could not be opened.
#[derive(Debug, Error)]
pub enum AppError {
    /// There is no display, or it cannot be used.
    #[error(
        "no window can be opened here ({0}); `tabulae play` plays in the terminal, and \
         `tabulae render` makes a picture of a record without a window"
    )]
    NoDisplay(String),
    /// The record to show cannot be read.
    #[error("{0}")]
    Record(String),
    /// The program ended with an error code.
    #[error("the program ended with code {0}")]
    Ended(u8),
}

/// Opens the program in a window and returns when it is closed.
///
/// ```no_run
/// use tabulae::app::{AppError, AppOptions, run};
/// use tabulae::games::RuleSet;
///
/// let options = AppOptions { rules: Some(RuleSet::Tablan), ..AppOptions::default() };
/// if let Err(AppError::NoDisplay(why)) = run(&options) {
///     eprintln!("not here: {why}");
/// }
/// ```
///
/// # Errors
/// No display, or a record that cannot be read.
pub fn run(options: &AppOptions) -> Result<(), AppError> {
    let begun = Instant::now();
    if let Some(path) = &options.record {
        super::referee::read_file(path)
            .map_err(|why| AppError::Record(on_one_line(&why.words())))?;
    }
    check_display()?;
    let size = options.size.unwrap_or((1280, 720));
    let mut app = quietly(|| window(size)).map_err(|words| {
        // What the windowing library says of it is for its own developers.
        let unanswered = words.contains("event loop");
        AppError::NoDisplay(if unanswered { "the display does not answer".into() } else { words })
    })?;
    if options.frame_report {
        let first = if options.record.is_some() {
            Screen::Replay
        } else if options.rules.is_some() {
            Screen::Table
        } else {
            Screen::Title
        };
        super::frames::measure(&mut app, begun, first);
    }
    begin(&mut app, options);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(AppError::Ended(code.get())),
    }
}

/// Takes up what this person has kept, and goes where the options say.
fn begin(app: &mut App, options: &AppOptions) {
    let liked = settings::settings_path().map(|path| settings::take_up(&path));
    if let Some((settings, _, _)) = &liked {
        speak(settings.spoken());
    }
    let mut referee = Referee::default();
    if let Some(folder) = kept_folder() {
        let mut keeping = Keeping::on(folder);
        referee.take_up(&mut keeping);
        app.insert_resource(keeping);
    }
    if let Some((settings, file, word)) = liked {
        if let Some(word) = word {
            referee.complain(word);
        }
        app.insert_resource(settings).insert_resource(file);
    }
    app.insert_resource(referee);
    app.insert_resource(Report::new(options.report));
    if options.again {
        app.insert_resource(super::exhibition::Again(options.again_after));
    }
    if let Some(path) = &options.record {
        app.world_mut().write_message(Act::Open(path.clone()));
    } else if let Some(rules) = options.rules {
        let usual = default_setup(rules);
        let seats = [0, 1].map(|side| options.seats[side].unwrap_or(usual.seats[side]));
        let setup = Setup { seats, seed: options.seed, ..usual };
        app.world_mut().write_message(Act::NewGame(setup));
    }
}

/// The program with no window and no renderer, for tests: the same plugins, a
/// virtual window of `size` logical pixels, and a clock that goes on by 1/30 s
/// a frame.
///
/// ```
/// use tabulae::app::{acts::Act, referee::Referee, silent};
/// use tabulae::games::{Game, RuleSet};
/// use tabulae::table::{Seat, Setup};
///
/// let mut app = silent((900, 600));
/// let setup = Setup { seats: [Seat::Person; 2], ..Setup::of(RuleSet::Tablaaza) };
/// app.world_mut().write_message(Act::NewGame(setup));
/// for _ in 0..100 {
///     app.update();
/// }
/// app.world_mut().write_message(Act::Type("c7".to_owned()));
/// app.update();
/// let table = app.world().resource::<Referee>().table.as_ref();
/// assert_eq!(table.map(|table| table.line().len()), Some(1));
/// ```
pub fn silent(size: (u32, u32)) -> App {
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
    app.add_plugins((super::scene, super::game));
    app.finish();
    app.cleanup();
    app
}

/// The same, begun as [`run`] begins it: with this person's settings and kept
/// games (`TABULAE_HOME` says where they are), and a report if one is wanted.
///
/// ```no_run
/// use tabulae::app::{AppOptions, silent_run};
///
/// let mut app = silent_run(&AppOptions { report: true, ..AppOptions::default() });
/// app.update();
/// ```
pub fn silent_run(options: &AppOptions) -> App {
    let mut app = silent(options.size.unwrap_or((1280, 720)));
    begin(&mut app, options);
    app
}

fn window(size: (u32, u32)) -> App {
    let mut app = App::new();
    let plugins = DefaultPlugins
        .set(WindowPlugin { primary_window: Some(primary(size)), ..default() })
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
    app.add_plugins((super::scene, super::game, super::look::warm::plugin, super::icon::plugin));
    app
}

fn primary(size: (u32, u32)) -> Window {
    Window {
        title: "Tabulae".to_owned(),
        name: Some("tabulae".to_owned()),
        resolution: WindowResolution::new(size.0, size.1),
        resize_constraints: bevy::window::WindowResizeConstraints {
            min_width: 800.0,
            min_height: 540.0,
            ..default()
        },
        present_mode: PresentMode::AutoVsync,
        ..default()
    }
}

/// On systems whose windows need a display server: is one named at all?
fn check_display() -> Result<(), AppError> {
    let needs = cfg!(all(unix, not(target_os = "macos"), not(target_os = "android")));
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if needs && !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named) {
        return Err(AppError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    Ok(())
}

/// Builds the program; a panic on the way (the windowing and drawing libraries'
/// only way to say that there is no display or no adapter) becomes one line.
pub(super) fn quietly(build: impl FnOnce() -> App + panic::UnwindSafe) -> Result<App, String> {
    static REASON: Mutex<Option<String>> = Mutex::new(None);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let mut reason = REASON.lock().unwrap_or_else(PoisonError::into_inner);
        let words = info.payload_as_str().and_then(|text| text.lines().next());
        reason.get_or_insert_with(|| words.unwrap_or("the display does not answer").to_owned());
    }));
    let built = panic::catch_unwind(build);
    panic::set_hook(usual);
    built.map_err(|_| {
        let reason = REASON.lock().unwrap_or_else(PoisonError::into_inner).take();
        reason.unwrap_or_else(|| "the display does not answer".to_owned())
    })
}

/// Writes a line for scripts; a closed pipe is no error.
pub(crate) fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}
