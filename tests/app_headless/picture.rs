//! Pictures without a window: what `tabulae render` draws.

use std::{fs, path::PathBuf, time::Duration};

use image::RgbaImage;
use tabulae::app::{
    capture::render::{CameraView, RenderError, RenderOptions, frames, run},
    settings::options::{Palette, Quality, Room},
};

const SIZE: (u32, u32) = (192, 108);

fn options(folder: &tempfile::TempDir, text: &str) -> RenderOptions {
    let record = folder.path().join("game.tab");
    fs::write(&record, text).expect("a file");
    RenderOptions {
        record,
        game: 1,
        ply: None,
        from: 0,
        out: folder.path().join("out.png"),
        size: SIZE,
        view: CameraView::Seat,
        quality: Quality::Medium,
        room: Room::Study,
        palette: Palette::Wood,
        lens: None,
        camera: None,
        plates: false,
        pause: Duration::from_millis(400),
        progress: None,
    }
}

fn picture(options: &RenderOptions, name: &str) -> RgbaImage {
    let out: PathBuf = options.record.with_file_name(name);
    run(&RenderOptions { out: out.clone(), ..options.clone() }).expect("a picture");
    image::open(out).expect("a PNG").to_rgba8()
}

/// How many pixels differ clearly.
fn difference(one: &RgbaImage, other: &RgbaImage) -> usize {
    let apart = |a: &image::Rgba<u8>, b: &image::Rgba<u8>| (0..3).any(|c| a[c].abs_diff(b[c]) > 24);
    one.pixels().zip(other.pixels()).filter(|(a, b)| apart(a, b)).count()
}

#[test]
fn a_picture_shows_its_ply_from_its_view() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = options(&folder, "[Rules \"tablut/ashton\"]\n\n1. e4-f4 d1-d4 *\n");
    let start = picture(&RenderOptions { ply: Some(0), ..options.clone() }, "start.png");
    assert_eq!(start.dimensions(), SIZE);
    let again = picture(&RenderOptions { ply: Some(0), ..options.clone() }, "again.png");
    assert_eq!(start, again, "the same ply, the same picture");
    let end = picture(&options, "end.png");
    let moved = difference(&start, &end);
    assert!(moved > 20, "pieces moved: {moved} pixels");
    let low = RenderOptions { ply: Some(0), quality: Quality::Low, ..options.clone() };
    let low = picture(&low, "low.png");
    let high = RenderOptions { ply: Some(0), quality: Quality::High, ..options.clone() };
    let high = picture(&high, "high.png");
    assert!(low != start && high != start && low != high, "each quality has its own picture");
    // But it is the same table: few pixels are clearly another colour.
    let most = start.pixels().len() / 6;
    assert!(difference(&low, &start) < most, "{}", difference(&low, &start));
    assert!(difference(&high, &start) < most, "{}", difference(&high, &start));
    let top = picture(&RenderOptions { view: CameraView::Top, ..options.clone() }, "top.png");
    assert!(difference(&end, &top) > moved, "another view is quite another picture");
}

#[test]
fn an_animation_begins_and_ends_with_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = options(&folder, "[Rules \"tablaaza\"]\n\nc7 *\n");
    let start = picture(&RenderOptions { ply: Some(0), ..options.clone() }, "start.png");
    let end = picture(&options, "end.png");
    let pictures = folder.path().join("frames");
    let count = frames(&options, &pictures).expect("frames");
    let frame = |number: usize| {
        image::open(pictures.join(format!("{number:04}.png"))).expect("a PNG").to_rgba8()
    };
    assert_eq!(difference(&frame(1), &start), 0);
    assert_eq!(difference(&frame(count), &end), 0);
    assert!((1..count).any(|n| {
        let frame = frame(n);
        difference(&frame, &start) > 0 && difference(&frame, &end) > 0
    }));
    assert!(!pictures.join(format!("{:04}.png", count + 1)).exists());
    // From the last ply on, it is at rest.
    let rest = folder.path().join("rest");
    let count = frames(&RenderOptions { from: 1, ..options }, &rest).expect("frames");
    let last = image::open(rest.join(format!("{count:04}.png"))).expect("a PNG").to_rgba8();
    assert_eq!(difference(&last, &end), 0);
    let first = image::open(rest.join("0001.png")).expect("a PNG").to_rgba8();
    assert_eq!(difference(&first, &end), 0);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = options(&folder, "[Rules \"tablaaza\"]\n\nc7 *\n");
    let error = run(&RenderOptions { ply: Some(7), ..good.clone() });
    assert!(matches!(error, Err(RenderError::NoSuchPly { asked: 7, length: 1 })), "{error:?}");
    let from = RenderOptions { from: 2, out: folder.path().join("a.gif"), ..good.clone() };
    let error = run(&from);
    assert!(matches!(error, Err(RenderError::NoSuchPly { asked: 2, length: 1 })), "{error:?}");
    let error = run(&RenderOptions { size: (0, 9), ..good.clone() });
    assert!(matches!(error, Err(RenderError::Size(0, 9))), "{error:?}");
    let out = folder.path().join("no-such-folder").join("out.gif");
    let error = run(&RenderOptions { out, ..good.clone() });
    assert!(matches!(error, Err(RenderError::Write { .. })), "{error:?}");
    let error = run(&RenderOptions { record: folder.path().join("none.tab"), ..good });
    assert!(matches!(error, Err(RenderError::Record(_))), "{error:?}");
}
