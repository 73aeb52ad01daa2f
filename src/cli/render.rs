//! `tabulae render`: a picture of the 3D table with no window.

#[cfg(feature = "app")]
use std::io::{self, Write};
use std::path::PathBuf;

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record to show
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which game of the file, from 1; without it the first
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// The position after this many plies; without it, the last
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Where the picture goes; a name that ends in .gif asks for an animation
    /// of the game up to that ply
    #[arg(long, value_name = "PNG", required_unless_present = "frames")]
    out: Option<PathBuf>,
    /// Write the animation's pictures to this folder instead, as 0001.png,
    /// 0002.png and so on, 20 for a second
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    frames: Option<PathBuf>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x960", value_parser = size)]
    size: (u32, u32),
    /// From where: seat, top or far
    #[arg(long, default_value = "seat")]
    view: String,
    /// How fine: light, fine or best
    #[arg(long, default_value = "fine")]
    quality: String,
    /// Say on stdout which ply of an animation is drawn, as `ply 3 of 40`
    #[arg(long)]
    progress: bool,
}

/// The largest picture that is tried, each way.
const MOST_PIXELS: u32 = 8192;

pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (16..=MOST_PIXELS).contains(n));
    text.split_once('x')
        .and_then(|(width, height)| Some((number(width)?, number(height)?)))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, both from 16 to {MOST_PIXELS}"))
}

/// Renders the position; which plies there are is checked before.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let records = super::read_records(&args.file)?;
    let (number, games) = (args.game.unwrap_or(1), records.len());
    let game = number.checked_sub(1).and_then(|index| records.get(index));
    let Some(game) = game else {
        let file = args.file.display();
        return Err(Failure::Wrong(format!("{file} has {games} games: there is no game {number}")));
    };
    if games > 1 && args.game.is_none() {
        let file = args.file.display();
        eprintln!("{file} has {games} games: this is the first, --game N draws the N-th");
    }
    let plies = game.line().len();
    if let Some(ply) = args.ply.filter(|ply| *ply > plies) {
        let file = args.file.display();
        return Err(Failure::Wrong(format!("{file} has {plies} plies: there is no ply {ply}")));
    }
    picture(args)
}

#[cfg(feature = "app")]
fn picture(args: Args) -> Result<(), Failure> {
    use crate::app::{
        capture::render::{RenderOptions, View, frames, run},
        settings::options::{ParseQualityError, Quality},
    };
    let Args { file, game, ply, out, frames: folder, size, view, quality, progress } = args;
    let view: View = view.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    let quality: Quality =
        quality.parse().map_err(|error: ParseQualityError| Failure::Usage(format!("{error}")))?;
    let out = out.unwrap_or_default();
    let tell: Option<fn(usize, usize)> = if progress { Some(tell) } else { None };
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
        None => run(&options).map_err(|error| Failure::Wrong(error.to_string())),
        Some(folder) => {
            let count =
                frames(&options, &folder).map_err(|error| Failure::Wrong(error.to_string()))?;
            writeln!(io::stdout(), "{count} frames in {}", folder.display())?;
            Ok(())
        }
    }
}

/// Whoever listens may have gone: the picture is drawn all the same.
#[cfg(feature = "app")]
fn tell(ply: usize, plies: usize) {
    let mut out = io::stdout();
    let _ = writeln!(out, "ply {ply} of {plies}").and_then(|()| out.flush());
}

#[cfg(not(feature = "app"))]
fn picture(args: Args) -> Result<(), Failure> {
    let Args { out, frames, size: (width, height), view, quality, .. } = args;
    let picture = out.or(frames).unwrap_or_default();
    let picture = format!("{} ({width}x{height}, view {view}, {quality})", picture.display());
    Err(super::without_table(&format!("{picture} cannot be made")))
}
