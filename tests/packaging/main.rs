//! What an installation puts on a person's desktop: the entry in the menu and
//! the icon, which is drawn here.
//!
//! `make icon` draws it anew.
#![cfg(feature = "app")]

mod drawing;
mod icon;

use std::{collections::BTreeMap, env, fs, path::PathBuf};

fn packaging(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "packaging", name].iter().collect()
}

/// The icon in the tree is the one that is drawn; with `DRAW_ICON` set it is
/// put there.
#[test]
fn the_icon_is_what_is_drawn() {
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
    assert!(png.into_raw() == pixels, "the picture is another one");
}

/// The entry has what desktops ask of one, and names what is installed.
#[test]
fn the_entry_names_the_program_the_icon_and_the_window() {
    let text = fs::read_to_string(packaging("tabulae.desktop")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("[Desktop Entry]"));
    let entry: BTreeMap<_, _> = lines.map(|line| line.split_once('=').expect(line)).collect();
    for (key, value) in [
        ("Type", "Application"),
        ("Exec", "tabulae"),
        ("Icon", "tabulae"),
        // The name that the window gives itself.
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
