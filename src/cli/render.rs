//! `tabulae render`: renders a picture or an animation of the 3D table without a
//! window.

#[cfg(feature = "app")]
use std::io::Write;
use std::ops::RangeInclusive;
#[cfg(feature = "app")]
use std::path::Path;
#[cfg(feature = "app")]
use std::time::Duration;

use super::files::{game_of, is_stdio, parse_games, read_file, refuse_same_file, refuse_terminal};
#[cfg(feature = "app")]
use super::{files::write_file, screen::stdout, signals::before_an_end};
use crate::{cli::prelude::*, i18n::Language};
#[cfg(feature = "app")]
use crate::{i18n::set_language, session::preferred_language};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae render game.tab --out end.png      Draw the last position
  tabulae render game.tab --ply 12 --view top --out 12.png
  tabulae render game.tab --out game.gif     Animate the whole game
  tabulae render game.tab --frame-report     Measure how long a frame takes")]
pub(super) struct Args {
    /// Read this record: a .tab or .otg file, a Berkeley move list or a Bologna log; `-`
    /// is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Render this game of the file, counted from 1 [default: 1]
    #[arg(long, value_name = "GAME")]
    game: Option<usize>,
    /// Render the position after this many plies [default: the last]
    #[arg(long, value_name = "PLY")]
    ply: Option<usize>,
    /// Begin an animation after this many plies [default: 0]
    #[arg(long, value_name = "PLY")]
    from: Option<usize>,
    /// Write the picture to this PNG file, or with `-` to standard output; a name that
    /// ends in .gif makes an animation of the game up to --ply
    #[arg(long, value_name = "FILE", required_unless_present_any = ["frames", "frame_report"])]
    out: Option<PathBuf>,
    /// Write the frames of an animation to this folder, as 0001.png, 0002.png and so on,
    /// 20 per second; not with --out
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    frames: Option<PathBuf>,
    /// Write no picture: draw for five seconds, and print the name of the graphics adapter
    /// and how long a frame takes
    #[arg(long, conflicts_with_all = ["out", "frames", "from", "progress"])]
    frame_report: bool,
    /// Set the size of the picture, in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x960", value_parser = parse_size)]
    size: (u32, u32),
    /// Place the camera at the near seat, above the board, or at the far seat; or
    /// draw the board as a flat diagram
    #[arg(long, value_name = "VIEW", default_value = "seat", value_parser = ["seat", "top", "diagram", "far"])]
    view: String,
    /// Set the graphics quality, from the fastest to the best
    #[arg(long, value_name = "QUALITY", default_value = "medium", value_parser = values::quality())]
    quality: String,
    /// Put the table into this room
    #[arg(long, value_name = "ROOM", default_value = "study", value_parser = ["study", "cabin"])]
    room: String,
    /// Read and ignored: there were several sets of pieces
    #[arg(long, value_name = "SET", hide = true, value_parser = ["turned", "carved", "cast"])]
    set: Option<String>,
    /// Draw the board and the pieces in these colours
    #[arg(long, value_name = "PALETTE", default_value = "wood", value_parser = ["wood", "clear", "blue-orange"])]
    palette: String,
    /// Photograph the table with a lens of this focal length, from 18 to 120 mm [default: 50]
    #[arg(long, value_name = "MM", value_parser = number_in(18.0..=120.0))]
    lens: Option<f32>,
    /// Photograph with this f-number, from 1 to 32: a smaller number blurs more [default: all
    /// is sharp]
    #[arg(long, value_name = "F", value_parser = number_in(1.0..=32.0))]
    aperture: Option<f32>,
    /// Photograph in the morning or in the evening [default: the room's usual light]
    #[arg(long, value_name = "TIME", value_parser = ["usual", "morning", "evening"])]
    time: Option<String>,
    /// Photograph from here: yaw and pitch in degrees, zoom, and the point of the table that
    /// the camera looks at, in squares from the middle
    #[arg(
        long,
        value_name = "YAW,PITCH,ZOOM,X,Z",
        allow_hyphen_values = true,
        value_parser = parse_camera
    )]
    camera: Option<[f32; 5]>,
    /// Write the players, their clocks, the last move and the result round the board
    #[arg(long, conflicts_with = "frame_report")]
    names: bool,
    /// Set the language of --names [default: that of the settings]
    #[arg(long, value_name = "LANGUAGE", ignore_case = true, value_parser = values::language())]
    #[arg(requires = "names")]
    language: Option<Language>,
    /// Let an animation rest this long after each move, from 0 to 60 seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.4, value_parser = number_in(0.0..=60.0))]
    pause: f32,
    /// Print the progress of an animation to stdout, as `ply 3 of 40`
    #[arg(long)]
    progress: bool,
    /// Show no progress bar and no notices
    #[arg(long, conflicts_with = "progress")]
    quiet: bool,
}

/// The smallest and the largest width and height, in pixels.
const MIN_PIXELS: u32 = 16;
const MAX_PIXELS: u32 = 8192;

/// Parses a size in pixels, as `1280x960`.
pub(super) fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (MIN_PIXELS..=MAX_PIXELS).contains(n));
    text.split_once('x')
        .and_then(|(width, height)| Some((number(width)?, number(height)?)))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from {MIN_PIXELS} to {MAX_PIXELS}"))
}

/// A parser of a number in a range.
fn number_in(range: RangeInclusive<f32>) -> impl Fn(&str) -> Result<f32, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
    }
}

/// Parses where the camera stands, as `-30,40,1,0,0`.
fn parse_camera(text: &str) -> Result<[f32; 5], String> {
    let numbers: Option<Vec<f32>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|number: &f32| number.is_finite()))
        .collect();
    let numbers = numbers.and_then(|numbers| <[f32; 5]>::try_from(numbers).ok());
    numbers.ok_or_else(|| "expected YAW,PITCH,ZOOM,X,Z".to_owned())
}

/// Checks that the record has the game and the ply, then renders.
pub(super) fn run(args: Args) -> Result<(), CommandError> {
    refuse_stdio("--frames", args.frames.as_deref(), "it names a folder")?;
    if let Some(out) = &args.out {
        refuse_terminal("--out", out)?;
        refuse_same_file(("FILE", &args.file), ("--out", out))?;
    }
    if args.progress && args.out.as_deref().is_some_and(is_stdio) {
        return Err(CommandError::usage("cannot print --progress and the picture both to stdout"));
    }
    let bytes = read_file(&args.file)?;
    let records = parse_games(&args.file, &bytes);
    let (file, games) = (shown(&args.file), records.len());
    if games > 1 && args.game.is_none() && !args.quiet {
        print_error_line!(
            "tabulae: {file} has {games} games: rendering the first; choose with --game"
        );
    }
    let game = game_of(&args.file, &records, args.game, args.ply)?;
    let plies = game.history().len();
    if let Some(from) = args.from {
        let is_gif = |out: &PathBuf| {
            out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"))
        };
        if args.frames.is_none() && !args.out.as_ref().is_some_and(is_gif) {
            return Err(CommandError::usage(
                "cannot use --from with a picture, which shows the position after --ply",
            ));
        }
        let last = args.ply.unwrap_or(plies);
        if from > last {
            return Err(CommandError::Failed(format!(
                "cannot begin after ply {from} (--from): the animation ends at ply {last}"
            )));
        }
    }
    render(args, &bytes)
}

/// The progress bar of an animation, which the renderer reports to by a plain
/// function.
#[cfg(feature = "app")]
static BAR: std::sync::OnceLock<super::progress::Progress> = std::sync::OnceLock::new();

/// Renders the record with this content. The renderer reads and writes files: a
/// record or picture that is piped passes through a temporary folder.
#[cfg(feature = "app")]
fn render(args: Args, record: &[u8]) -> Result<(), CommandError> {
    use crate::app::{
        capture::render::{CameraView, RenderOptions, frames, remove_unfinished, run},
        dev_tools::frame_report::offscreen_report,
        scene::api::PhotoLens,
        settings::options::{Palette, Quality, Room, TimeOfDay},
    };
    let Args { file, game, ply, from, out, frames: folder, size, view, quality, .. } = args;
    let Args { room, palette, lens, aperture, time, camera, progress, quiet, .. } = args;
    let (plates, pause) = (args.names, Duration::from_secs_f32(args.pause));
    if plates {
        set_language(args.language.or_else(preferred_language).unwrap_or_default());
    }
    let frame_report = args.frame_report;
    let usage = |error: strum::ParseError| CommandError::usage(error);
    let room: Room = room.parse().map_err(usage)?;
    let palette: Palette = palette.parse().map_err(usage)?;
    let is_photo = lens.is_some() || aperture.is_some() || time.is_some() || camera.is_some();
    let time: TimeOfDay =
        time.as_deref().map_or(Ok(TimeOfDay::Usual), str::parse).map_err(usage)?;
    let focal_length = lens.unwrap_or(50.0);
    let lens = is_photo.then_some(PhotoLens { focal_length, aperture, time, aspect: None });
    let view: CameraView = view.parse().map_err(usage)?;
    let quality: Quality = quality.parse().map_err(usage)?;
    let (out, game) = (out.unwrap_or_default(), game.unwrap_or(1));
    let progress: Option<fn(usize, usize)> = match (progress, quiet) {
        (true, _) => Some(print_progress),
        (false, true) => None,
        (false, false) => Some(show_progress),
    };
    let piped_folder = if is_stdio(&file) || is_stdio(&out) {
        Some(tempfile::tempdir().map_err(|error| {
            CommandError::Failed(format!("cannot create a temporary folder: {error}"))
        })?)
    } else {
        None
    };
    // The path itself, or for `-` one in the temporary folder.
    let local = |path: &Path, name: &str| match &piped_folder {
        Some(folder) if is_stdio(path) => folder.path().join(name),
        _ => path.to_owned(),
    };
    let (record_path, picture) = (local(&file, "record"), local(&out, "picture.png"));
    if is_stdio(&file) {
        write_file(&record_path, record)?;
    }
    let unfinished = folder.clone().unwrap_or_else(|| picture.clone());
    let piped = piped_folder.as_ref().map(|folder| folder.path().to_owned());
    before_an_end(true, move || {
        remove_unfinished(&unfinished);
        _ = piped.map(std::fs::remove_dir_all);
    });
    let options = RenderOptions {
        record: record_path,
        game,
        ply,
        from: from.unwrap_or(0),
        out: picture.clone(),
        size,
        view,
        quality,
        room,
        palette,
        lens,
        camera,
        plates,
        pause,
        progress,
    };
    if frame_report {
        let report = offscreen_report(&options);
        let report = report.map_err(CommandError::failed)?;
        writeln!(stdout(), "{report}")?;
        return Ok(());
    }
    match folder {
        None => {
            let done = run(&options);
            finish_progress();
            done.map_err(CommandError::failed)?;
            if is_stdio(&out) { write_file(&out, read_file(&picture)?) } else { Ok(()) }
        }
        Some(folder) => {
            let done = frames(&options, &folder);
            finish_progress();
            let count = done.map_err(CommandError::failed)?;
            writeln!(stdout(), "{count} frames in {}", shown(&folder))?;
            Ok(())
        }
    }
}

/// Prints the progress; rendering continues if stdout is closed.
#[cfg(feature = "app")]
fn print_progress(ply: usize, plies: usize) {
    let mut out = stdout();
    _ = writeln!(out, "ply {ply} of {plies}").and_then(|()| out.flush());
}

/// Shows the progress on a terminal.
#[cfg(feature = "app")]
fn show_progress(ply: usize, plies: usize) {
    BAR.get_or_init(|| super::progress::Progress::bar(plies, "plies", false)).set(ply);
}

/// Removes the progress bar, if there is one.
#[cfg(feature = "app")]
fn finish_progress() {
    if let Some(bar) = BAR.get() {
        bar.finish();
    }
}

/// Reports that this build has no 3D table.
#[cfg(not(feature = "app"))]
fn render(args: Args, _: &[u8]) -> Result<(), CommandError> {
    let picture = args.out.or(args.frames).unwrap_or_default();
    Err(super::missing_app(&format!("cannot render {}", shown(&picture)), ""))
}
