//! Draws the pictures of README and manual in the real window: `make pictures`.

use std::{fs, path::Path};

use image::{Rgb, RgbImage};
use tabulae::records;

use super::{Display, Window};

const SIZE: (u32, u32) = (1600, 900);

/// A display whose picture can be read from a file.
struct Studio {
    display: Display,
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl Studio {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let screen = format!("{}x{}x24", SIZE.0, SIZE.1);
        let framebuffer = folder.path().to_str().expect("a path in UTF-8");
        let display = Display::start(&["-screen", "0", &screen, "-fbdir", framebuffer]);
        Self { display, folder, home: tempfile::tempdir().expect("a folder") }
    }

    fn window(&self, arguments: &[&str]) -> Window<'_> {
        let size = format!("{}x{}", SIZE.0, SIZE.1);
        Window::open(&self.display, self.home.path(), &[arguments, &["--size", &size]].concat())
    }

    /// Opens the first plies of a sample record as a replay that stands at its
    /// end.
    fn replay(&self, sample: &str, plies: usize) -> Window<'_> {
        let record = self.folder.path().join("game.tab");
        fs::write(&record, beginning(sample, plies)).expect("a record");
        let mut window = self.window(&["--record", record.to_str().expect("a path in UTF-8")]);
        window.key("Down");
        window.until(&format!("replay {plies} of {plies}"));
        window.until("settled");
        window
    }

    /// Writes the screen as a PNG file below the root of the tree.
    fn save(&self, path: &str) {
        let dump = fs::read(self.folder.path().join("Xvfb_screen0")).expect("a framebuffer");
        let picture = read_xwd(&dump);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        picture.save(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// The first plies of a sample record, as a game in progress.
fn beginning(sample: &str, plies: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/valid").join(sample);
    let text = fs::read_to_string(&path).expect("a sample");
    let record = &records::read(&text).expect("a record")[0];
    let moves: Vec<_> = record.history().plies().take(plies).map(|ply| ply.to_string()).collect();
    format!("[Rules \"{}\"]\n[Result \"*\"]\n\n{} *\n", record.history().rules(), moves.join(" "))
}

/// Reads the dump of an X screen: a header of big-endian words, a table of
/// colours of 12 bytes each, then rows of pixels as blue, green, red, unused.
fn read_xwd(dump: &[u8]) -> RgbImage {
    let word = |index: usize| {
        let bytes = dump[4 * index..][..4].try_into().expect("4 bytes");
        u32::from_be_bytes(bytes) as usize
    };
    let (header, width, height) = (word(0), word(4), word(5));
    let (depth, row_len, colours) = (word(11), word(12), word(19));
    assert_eq!(depth, 32, "bits per pixel");
    let pixels = &dump[header + 12 * colours..];
    RgbImage::from_fn(width as u32, height as u32, |x, y| {
        let at = y as usize * row_len + 4 * x as usize;
        Rgb([pixels[at + 2], pixels[at + 1], pixels[at]])
    })
}

impl Window<'_> {
    /// Presses a key, by xdotool's name.
    fn key(&self, name: &str) {
        self.xdotool(&["key", "--window", &self.id, name]);
    }
}

#[test]
#[ignore = "draws the pictures of README and manual"]
fn draw_the_documentation() {
    let studio = Studio::open();
    for (name, sample, plies) in [("table", "tablut-ashton.tab", 12)] {
        let window = studio.replay(sample, plies);
        studio.save(&format!("docs/pictures/{name}.png"));
        drop(window);
    }
}
