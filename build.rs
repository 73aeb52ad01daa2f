//! Gives the Windows program its icon and version. The version, the names and the
//! description are those of `Cargo.toml`.

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=packaging/tabulae.png");
    if env::var("CARGO_CFG_TARGET_OS")? != "windows" {
        return Ok(());
    }
    let icon = Path::new(&env::var("OUT_DIR")?).join("tabulae.ico");
    fs::write(&icon, ico(&fs::read("packaging/tabulae.png")?)?)?;
    let icon = icon.to_str().ok_or("the build folder's name is not Unicode")?;
    winresource::WindowsResource::new()
        .set_icon(icon)
        .set("ProductName", "Tabulae")
        .set("LegalCopyright", "The Tabulae authors")
        .compile()?;
    Ok(())
}

/// An icon file with one PNG picture of 256 by 256 pixels, which a 0 stands for.
fn ico(png: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    // Reserved, type 1 (icon), one picture; then width, height, colours of the
    // palette, reserved, colour planes, bits for each pixel.
    let mut bytes = vec![0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 32, 0];
    bytes.extend(u32::try_from(png.len())?.to_le_bytes());
    // The header's own length.
    bytes.extend(22_u32.to_le_bytes());
    bytes.extend(png);
    Ok(bytes)
}
