//! Draws the pictures of README and manual in the real window: `make pictures`.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use color_quant::NeuQuant;
use image::{
    ExtendedColorType, ImageEncoder, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use tabulae_games::Side;
use tabulae_records as records;

use super::{Display, TIMEOUT, Window};

const SIZE: (u32, u32) = (1600, 900);

/// Time between two looks at the screen.
pub(super) const POLL: Duration = Duration::from_millis(250);

/// A display whose picture is written to a file, with the program's files.
pub(super) struct Studio {
    display: Display,
    framebuffer: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl Studio {
    pub(super) fn open() -> Self {
        let framebuffer = tempfile::tempdir().expect("a folder");
        let screen = format!("{}x{}x24", SIZE.0, SIZE.1);
        let folder = framebuffer.path().to_str().expect("a path in UTF-8");
        let display = Display::start(&["-screen", "0", &screen, "-fbdir", folder]);
        // The settings show where they are saved.
        let home = tempfile::Builder::new().prefix("tabulae-").tempdir().expect("a folder");
        let studio = Self { display, framebuffer, home };
        studio.settings("");
        studio
    }

    /// Writes the settings, with this line besides.
    pub(super) fn settings(&self, line: &str) {
        let settings = format!("picture = \"medium\"\nvolume = 0\n{line}\n");
        fs::write(self.home.path().join("settings.toml"), settings).expect("settings");
    }

    /// Opens the program in a window that fills the screen.
    fn window(&self, arguments: &[&str]) -> Window<'_> {
        let size = format!("{}x{}", SIZE.0, SIZE.1);
        Window::open(&self.display, self.home.path(), &[arguments, &["--size", &size]].concat())
    }

    /// Opens the first plies of a sample record as a replay, at its last ply.
    pub(super) fn replay(&self, sample: &str, plies: usize) -> Window<'_> {
        let record = self.home.path().join(sample);
        fs::write(&record, beginning(sample, plies)).expect("a record");
        let record = record.to_str().expect("a path in UTF-8");
        let mut window = self.window(&["--record", record]);
        window.xdotool(&["windowfocus", &window.id]);
        window.key("Down", &format!("replay {plies} of {plies}"));
        window.until("settled");
        window
    }

    /// Continues the first plies of a sample record at the table.
    fn game(&self, sample: &str, plies: usize) -> Window<'_> {
        let mut window = self.replay(sample, plies);
        window.key("p", &format!("shown {plies} "));
        window.until("settled");
        window
    }

    /// The dump of the screen.
    fn dump(&self) -> Vec<u8> {
        fs::read(self.framebuffer.path().join("Xvfb_screen0")).expect("a framebuffer")
    }

    /// Presses a key that opens a dialog, and waits until the screen changes.
    fn open_dialog(&self, window: &mut Window, key: &str, dialog: &str) {
        let before = self.dump();
        window.key(key, &format!("dialog {dialog}"));
        let deadline = Instant::now() + TIMEOUT;
        while self.dump() == before {
            assert!(Instant::now() < deadline, "the dialog {dialog} is not drawn");
            thread::sleep(POLL);
        }
    }

    /// Waits until the title screen is drawn: before, the window is black.
    fn wait_for_title(&self) {
        let deadline = Instant::now() + TIMEOUT;
        let is_black = || self.glance().get_pixel(1050, 400).0[..3].iter().all(|&part| part < 40);
        while is_black() {
            assert!(Instant::now() < deadline, "the title is not drawn");
            thread::sleep(POLL);
        }
    }

    /// The screen as it is.
    pub(super) fn glance(&self) -> RgbaImage {
        read_xwd(&self.dump())
    }

    /// The screen, once it has not changed for six seconds: the program reports a
    /// frame before it shows it.
    fn screen(&self) -> RgbaImage {
        let (mut last, mut equal) = (self.dump(), 0);
        while equal * POLL < Duration::from_secs(6) {
            thread::sleep(POLL);
            let next = self.dump();
            equal = if next == last { equal + 1 } else { 0 };
            last = next;
        }
        read_xwd(&last)
    }

    /// Writes the screen as a PNG file below the root of the tree, in 256 colours
    /// to keep the file small.
    fn save(&self, path: &str) {
        let mut picture = self.screen();
        let colours = NeuQuant::new(1, 256, &picture);
        for pixel in picture.pixels_mut() {
            colours.map_pixel(&mut pixel.0);
        }
        let picture = image::DynamicImage::from(picture).into_rgb8();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let file = fs::File::create(&path).expect("a file");
        PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::NoFilter)
            .write_image(&picture, SIZE.0, SIZE.1, ExtendedColorType::Rgb8)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

impl Window<'_> {
    /// Presses a key, by xdotool's name.
    pub(super) fn press(&self, name: &str) {
        self.xdotool(&["key", name]);
    }

    /// Presses a key and waits for the report of what it does.
    fn key(&mut self, name: &str, wanted: &str) {
        self.press(name);
        self.until(wanted);
    }
}

/// The first plies of a sample record, as a game in progress against the computer.
fn beginning(sample: &str, plies: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/valid").join(sample);
    let text = fs::read_to_string(&path).expect("a sample");
    let record = &records::read(&text).expect("a record")[0];
    let [first, second] = [Side::First, Side::Second].map(|side| record.rules().side_name(side));
    let moves: Vec<_> = record.history().plies().take(plies).map(|ply| ply.to_string()).collect();
    format!(
        "[Rules \"{}\"]\n[{first} \"Person\"]\n[{second} \"Tabulae Expert\"]\n\
         [Result \"*\"]\n\n{} *\n",
        record.rules(),
        moves.join(" ")
    )
}

/// Reads the dump of an X screen: a header of big-endian words, a table of
/// colours of 12 bytes each, then rows of pixels as blue, green, red, unused.
fn read_xwd(dump: &[u8]) -> RgbaImage {
    let word = |index: usize| {
        let bytes: [u8; 4] = dump[4 * index..][..4].try_into().expect("4 bytes");
        u32::from_be_bytes(bytes)
    };
    let (header_len, width, height) = (word(0), word(4), word(5));
    let (bits_per_pixel, row_len, colours) = (word(11), word(12), word(19));
    assert_eq!(bits_per_pixel, 32);
    let pixels = &dump[(header_len + 12 * colours) as usize..];
    RgbaImage::from_fn(width, height, |x, y| {
        let at = (y * row_len + 4 * x) as usize;
        image::Rgba([pixels[at + 2], pixels[at + 1], pixels[at], u8::MAX])
    })
}

#[test]
#[ignore = "draws the pictures of README and manual"]
fn draw_the_pictures_of_the_guides() {
    let studio = Studio::open();

    // Without motion, so that the board rests.
    studio.settings("reduced-motion = true");
    let window = studio.window(&[]);
    studio.wait_for_title();
    studio.save("docs/pictures/menu.png");
    drop(window);
    studio.settings("");

    // A game with its evaluation and its analysis.
    let mut window = studio.game("tablut-ashton.tab", 10);
    // Away from all that has a tooltip.
    window.xdotool(&["mousemove", "560", "80"]);
    window.press("e");
    window.key("a", "evaluated 11");
    studio.save("assets/pictures/table.png");
    drop(window);

    let mut window = studio.game("tablut-ashton.tab", 12);
    studio.open_dialog(&mut window, "ctrl+comma", "settings");
    studio.save("docs/pictures/settings.png");
    drop(window);

    // At a blunder, with its card.
    let mut window = studio.replay("tablut-ashton.tab", 24);
    window.key("a", "evaluated 25");
    for ply in (11..24).rev() {
        window.key("Left", &format!("replay {ply} of 24"));
    }
    window.until("settled");
    studio.save("docs/pictures/analysis.png");
    drop(window);

    let window = studio.replay("tablaaza.tab", 26);
    studio.save("docs/pictures/replay.png");
    drop(window);

    // South has thrown 2, and has chosen the first half of a pair: a capture.
    let mut window = studio.game("tablan.tab", 95);
    window.click("d3 e3");
    window.until("settled");
    studio.save("docs/pictures/tablan-pair.png");
    drop(window);

    let mut window = studio.game("tablut-ashton.tab", 12);
    window.key("ctrl+p", "screen editor");
    window.until("settled");
    studio.save("docs/pictures/editor.png");
}
