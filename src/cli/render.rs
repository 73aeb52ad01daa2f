//! `tabulae render`: a picture of the 3D table with no window.

use std::path::PathBuf;

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record to show
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position after this many plies; without it, the last
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Where the picture goes
    #[arg(long, value_name = "PNG")]
    out: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x960", value_parser = size)]
    size: (u32, u32),
    /// From where: seat, top or far
    #[arg(long, default_value = "seat")]
    view: String,
}

/// The largest picture that is tried, each way.
const MOST_PIXELS: u32 = 8192;

fn size(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (16..=MOST_PIXELS).contains(n));
    text.split_once('x')
        .and_then(|(width, height)| Some((number(width)?, number(height)?)))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, both from 16 to {MOST_PIXELS}"))
}

/// Renders the position; which plies there are is checked before.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let records = super::read_records(&args.file)?;
    let plies = records.first().map_or(0, |record| record.line().len());
    if let Some(ply) = args.ply.filter(|ply| *ply > plies) {
        let file = args.file.display();
        return Err(Failure::Wrong(format!("{file} has {plies} plies: there is no ply {ply}")));
    }
    picture(args)
}

#[cfg(feature = "app")]
fn picture(args: Args) -> Result<(), Failure> {
    use crate::app::render::{RenderOptions, View, run};
    let Args { file, ply, out, size, view } = args;
    let view: View = view
        .parse()
        .map_err(|_| Failure::Usage(format!("no view '{view}' (one of seat, top, far)")))?;
    run(&RenderOptions { record: file, ply, out, size, view })
        .map_err(|error| Failure::Wrong(error.to_string()))
}

#[cfg(not(feature = "app"))]
fn picture(args: Args) -> Result<(), Failure> {
    let Args { out, size: (width, height), view, .. } = args;
    let picture = format!("{} ({width}x{height}, view {view})", out.display());
    Err(super::without_table(&format!("{picture} cannot be made")))
}
