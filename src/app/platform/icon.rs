//! The window's icon, for desktops that ask the window itself (X11, Windows).
//! Wayland and macOS take it from the installed program.

use bevy::{ecs::system::NonSendMarker, prelude::*, window::WindowCreated, winit::WINIT_WINDOWS};
use winit::window::Icon;

/// The same picture is installed with the program.
const PICTURE: &[u8] = include_bytes!("../../../packaging/tabulae.png");

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, set_icon.run_if(on_message::<WindowCreated>));
}

/// Sets the icon of each new window. The marker keeps the system on the main
/// thread, the only one that knows the windows.
fn set_icon(mut created: MessageReader<WindowCreated>, _main: NonSendMarker) {
    WINIT_WINDOWS.with_borrow(|windows| {
        for window in created.read().filter_map(|created| windows.get_window(created.window)) {
            window.set_window_icon(icon());
        }
    });
}

/// None if the picture is invalid, which a test rules out.
fn icon() -> Option<Icon> {
    let picture = image::load_from_memory_with_format(PICTURE, image::ImageFormat::Png).ok()?;
    let picture = picture.into_rgba8();
    let (width, height) = picture.dimensions();
    Icon::from_rgba(picture.into_raw(), width, height).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_a_valid_icon() {
        assert!(icon().is_some());
        let picture = image::load_from_memory(PICTURE).unwrap().into_rgba8();
        assert_eq!(picture.width(), picture.height());
        // Round corners are transparent, the king in the middle is not.
        assert_eq!((picture.get_pixel(0, 0)[3], picture.get_pixel(128, 128)[3]), (0, 255));
    }
}
