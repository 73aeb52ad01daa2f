//! The desktop entry and the icon of an installation. The icon is drawn by this
//! test program; `make icon` updates the files.
#![cfg(feature = "app")]

mod drawing;
mod icon;

use std::{collections::BTreeMap, env, fs, path::PathBuf};

/// The path of a file in `packaging`.
fn packaging(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "packaging", name].iter().collect()
}

/// With `DRAW_ICON` set, writes the icon first.
#[test]
fn the_icon_files_are_up_to_date() {
    let shapes = icon::shapes();
    let (svg, pixels) = (drawing::svg(&shapes), drawing::pixels(&shapes));
    let side = drawing::SIDE;
    let (svg_path, png_path) = (packaging("tabulae.svg"), packaging("tabulae.png"));
    if env::var_os("DRAW_ICON").is_some() {
        fs::write(&svg_path, &svg).unwrap();
        image::save_buffer(&png_path, &pixels, side, side, image::ColorType::Rgba8).unwrap();
    }
    assert_eq!(fs::read_to_string(svg_path).unwrap(), svg);
    let png = image::open(png_path).unwrap().to_rgba8();
    assert_eq!((png.width(), png.height()), (side, side));
    assert!(png.into_raw() == pixels, "the pixels differ");
}

/// The keys that desktops require, and the installed files.
#[test]
fn the_desktop_entry_names_the_program_the_icon_and_the_window() {
    let text = fs::read_to_string(packaging("tabulae.desktop")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("[Desktop Entry]"));
    let entry: BTreeMap<_, _> = lines.map(|line| line.split_once('=').expect(line)).collect();
    for (key, value) in [
        ("Type", "Application"),
        ("Exec", "tabulae"),
        ("Icon", "tabulae"),
        // The window's class.
        ("StartupWMClass", "tabulae"),
        ("Terminal", "false"),
    ] {
        assert_eq!(entry.get(key), Some(&value), "{key}");
    }
    for key in ["Name", "Comment", "Comment[it]", "GenericName", "GenericName[it]"] {
        assert!(entry.get(key).is_some_and(|value| !value.is_empty()), "{key}");
    }
    for key in ["Categories", "Keywords"] {
        assert!(entry.get(key).is_some_and(|value| value.ends_with(';')), "{key}");
    }
    let makefile = [env!("CARGO_MANIFEST_DIR"), "Makefile"].iter().collect::<PathBuf>();
    let makefile = fs::read_to_string(makefile).unwrap();
    for name in ["tabulae.desktop", "tabulae.svg", "tabulae.png"] {
        assert!(makefile.contains(&format!("packaging/{name}")), "{name} is installed");
    }
}
