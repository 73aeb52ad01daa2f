//! The icon is drawn by this test program; `make icon` updates the files.

use std::{env, fs};

use crate::{drawing, icon, packaging};

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
