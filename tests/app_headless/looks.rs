//! The look of the three games, compared with stored pictures.
//!
//! `PICTURES=new cargo test --test app_headless looks` renders the stored pictures again; look
//! at them before you commit them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use image::{Rgba, RgbaImage};
use tabulae::app::{
    capture::render::{CameraView, RenderOptions, run},
    settings::options::{Palette, Quality, Room},
};

const SIZE: (u32, u32) = (400, 250);

/// A cell's side, in pixels: smaller than any piece, larger than an edge.
const CELL: u32 = 6;
/// How far a cell's mean may be off in one of its colours, of 255.
const TOLERANCE: f32 = 13.0;
/// Fewer cells than any piece, colour or shadow takes.
const MIN_DIFFERENT_CELLS: usize = 3;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn render(record: &Path, ply: usize, room: Room) -> RgbaImage {
    let folder = tempfile::tempdir().expect("a folder");
    let options = RenderOptions {
        record: record.to_owned(),
        game: 1,
        ply: Some(ply),
        from: 0,
        out: folder.path().join("out.png"),
        size: SIZE,
        view: CameraView::Seat,
        quality: Quality::Medium,
        room,
        palette: Palette::Wood,
        lens: None,
        camera: None,
        plates: false,
        pause: std::time::Duration::ZERO,
        progress: None,
    };
    run(&options).expect("a picture");
    image::open(&options.out).expect("a PNG").to_rgba8()
}

/// The mean colours of a picture's cells.
fn cells(picture: &RgbaImage) -> Vec<[f32; 3]> {
    let (width, height) = picture.dimensions();
    let mut cells = Vec::new();
    for y in (0..height).step_by(CELL as usize) {
        for x in (0..width).step_by(CELL as usize) {
            let mut sum = [0.0; 3];
            for (dx, dy) in (0..CELL).flat_map(|dx| (0..CELL).map(move |dy| (dx, dy))) {
                let pixel = picture.get_pixel((x + dx).min(width - 1), (y + dy).min(height - 1));
                for (sum, value) in sum.iter_mut().zip(pixel.0) {
                    *sum += f32::from(value);
                }
            }
            cells.push(sum.map(|channel| channel / (CELL * CELL) as f32));
        }
    }
    cells
}

/// In how many cells two pictures differ visibly.
fn count_different_cells(one: &RgbaImage, other: &RgbaImage) -> usize {
    assert_eq!(one.dimensions(), other.dimensions());
    let differs =
        |(a, b): (&[f32; 3], &[f32; 3])| a.iter().zip(b).any(|(a, b)| (a - b).abs() > TOLERANCE);
    cells(one).iter().zip(&cells(other)).filter(|pair| differs(*pair)).count()
}

fn stored(name: &str) -> PathBuf {
    root().join("tests/pictures").join(format!("{name}.png"))
}

#[test]
fn the_games_look_as_they_did() {
    let update = std::env::var("PICTURES").is_ok_and(|value| value == "new");
    for (name, record, ply) in
        [("tablut", "tablut-ashton", 14), ("tablan", "tablan", 61), ("tablaaza", "tablaaza", 36)]
    {
        let record = root().join(format!("tests/records/valid/{record}.tab"));
        let picture = render(&record, ply, Room::Study);
        let path = stored(name);
        if update {
            picture.save(&path).expect("written");
        }
        let size = fs::metadata(&path).expect("a stored picture").len();
        assert!(size < 200_000, "{name}: {size} bytes");
        let known = image::open(&path).expect("a PNG").to_rgba8();
        let different_cells = count_different_cells(&picture, &known);
        if different_cells >= MIN_DIFFERENT_CELLS {
            let actual_path = std::env::temp_dir().join(format!("tabulae-{name}.png"));
            picture.save(&actual_path).expect("written");
            panic!(
                "{name} looks otherwise in {different_cells} cells: see {}",
                actual_path.display()
            );
        }
    }
}

/// A missing piece, a piece of the other colour, another light: each is caught.
#[test]
fn what_is_wrong_with_a_picture_is_caught() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = |name: &str, position: &str| {
        let record = folder.path().join(name);
        let text = format!("[Rules \"tablut/ashton\"]\n[Position \"{position}\"]\n\n*\n");
        fs::write(&record, text).expect("written");
        record
    };
    // One black soldier short, so that a white one can be changed for him.
    let whole = table("whole.tab", "3BB4/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w");
    let right = render(&whole, 0, Room::Study);
    let wrongs = [
        ("no white soldier on e7", "3BB4/4B4/9/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w"),
        ("no black soldier on e8", "3BB4/9/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w"),
        ("a black soldier on e7", "3BB4/4B4/4B4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w"),
    ];
    for (what, position) in wrongs {
        let wrong = render(&table("wrong.tab", position), 0, Room::Study);
        let different_cells = count_different_cells(&right, &wrong);
        assert!(different_cells >= MIN_DIFFERENT_CELLS, "{what}: {different_cells}");
    }
    let by_night = render(&whole, 0, Room::Cabin);
    let different_cells = count_different_cells(&right, &by_night);
    assert!(different_cells >= 10 * MIN_DIFFERENT_CELLS, "another light: {different_cells}");
}

/// Another adapter draws edges a little otherwise, and rounds otherwise.
#[test]
fn an_adapters_noise_is_not_seen() {
    for name in ["tablut", "tablan", "tablaaza"] {
        let picture = image::open(stored(name)).expect("a PNG").to_rgba8();
        let (width, height) = picture.dimensions();
        let mut seed = 1_u32;
        let noisy = RgbaImage::from_fn(width, height, |x, y| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let swing = |shift: u32| f32::from((seed >> shift & 15) as u8) - 7.5;
            // A fifth of a pixel to the right, and noise.
            let [here, left] = [x, x.saturating_sub(1)].map(|x| picture.get_pixel(x, y).0);
            let mix = |c: usize| 0.8 * f32::from(here[c]) + 0.2 * f32::from(left[c]);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bytes")]
            let byte = |c: usize| (mix(c) + swing(4 + 8 * c as u32)).clamp(0.0, 255.0) as u8;
            Rgba([byte(0), byte(1), byte(2), 255])
        });
        assert!(noisy != picture);
        let different_cells = count_different_cells(&picture, &noisy);
        assert!(different_cells < MIN_DIFFERENT_CELLS, "{name}: {different_cells}");
    }
}
