//! `tabulae render`: renders a picture of the 3D table without a window.

#[cfg(feature = "app")]
use std::io::{self, Write};
use std::path::PathBuf;

use super::CommandError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Record to render
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of the game in the file, from 1; the first by default
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Show the position after this many plies; the last by default
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// File to write; a name that ends in .gif makes an animation of the game up
    /// to that ply
    #[arg(long, value_name = "PNG", required_unless_present = "frames")]
    out: Option<PathBuf>,
    /// Write the animation's frames to this folder instead, as 0001.png,
    /// 0002.png and so on, 20 per second
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    frames: Option<PathBuf>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x960", value_parser = parse_size)]
    size: (u32, u32),
    /// Camera position: seat, top or far
    #[arg(long, default_value = "seat")]
    view: String,
    /// Graphics quality: low, medium or high
    #[arg(long, default_value = "medium")]
    quality: String,
    /// Print the progress of an animation to stdout, as `ply 3 of 40`
    #[arg(long)]
    progress: bool,
}

/// The largest width and height, in pixels.
const MAX_PIXELS: u32 = 8192;

/// Parses a size in pixels, as `1280x960`.
pub(super) fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (16..=MAX_PIXELS).contains(n));
    text.split_once('x')
        .and_then(|(width, height)| Some((number(width)?, number(height)?)))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, both from 16 to {MAX_PIXELS}"))
}

/// Checks that the record has the game and the ply, then renders.
pub(super) fn run(args: Args) -> Result<(), CommandError> {
    let records = super::read_records(&args.file)?;
    let (number, games) = (args.game.unwrap_or(1), records.len());
    let game = number.checked_sub(1).and_then(|index| records.get(index));
    let Some(game) = game else {
        let file = args.file.display();
        return Err(CommandError::Failed(format!(
            "{file} has {games} games: there is no game {number}"
        )));
    };
    if games > 1 && args.game.is_none() {
        let file = args.file.display();
        eprintln!("{file} has {games} games: this is the first, --game N draws the N-th");
    }
    let plies = game.history().len();
    if let Some(ply) = args.ply.filter(|ply| *ply > plies) {
        let file = args.file.display();
        return Err(CommandError::Failed(format!(
            "{file} has {plies} plies: there is no ply {ply}"
        )));
    }
    render(args)
}

#[cfg(feature = "app")]
fn render(args: Args) -> Result<(), CommandError> {
    use crate::app::{
        capture::render::{CameraView, RenderOptions, frames, run},
        settings::options::{ParseQualityError, Quality},
    };
    let Args { file, game, ply, out, frames: folder, size, view, quality, progress } = args;
    let view: CameraView = view.parse().map_err(|error| CommandError::Usage(format!("{error}")))?;
    let quality: Quality = quality
        .parse()
        .map_err(|error: ParseQualityError| CommandError::Usage(format!("{error}")))?;
    let out = out.unwrap_or_default();
    let tell: Option<fn(usize, usize)> = if progress { Some(print_progress) } else { None };
    let game = game.unwrap_or(1);
    let options = RenderOptions {
        record: file,
        game,
        ply,
        out,
        size,
        view,
        quality,
        shadows: true,
        progress: tell,
    };
    match folder {
        None => run(&options).map_err(|error| CommandError::Failed(error.to_string())),
        Some(folder) => {
            let count = frames(&options, &folder)
                .map_err(|error| CommandError::Failed(error.to_string()))?;
            writeln!(io::stdout(), "{count} frames in {}", folder.display())?;
            Ok(())
        }
    }
}

/// Prints the progress; rendering continues if stdout is closed.
#[cfg(feature = "app")]
fn print_progress(ply: usize, plies: usize) {
    let mut out = io::stdout();
    let _ = writeln!(out, "ply {ply} of {plies}").and_then(|()| out.flush());
}

#[cfg(not(feature = "app"))]
fn render(args: Args) -> Result<(), CommandError> {
    let Args { out, frames, size: (width, height), view, quality, .. } = args;
    let picture = out.or(frames).unwrap_or_default();
    let picture = format!("{} ({width}x{height}, view {view}, {quality})", picture.display());
    Err(super::missing_app(&format!("{picture} cannot be made")))
}
