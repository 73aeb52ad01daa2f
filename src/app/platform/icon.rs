//! The window's icon, for desktops that ask the window itself (X11, Windows).
//! Wayland and macOS take it from the installed program.

use bevy::{ecs::system::NonSendMarker, prelude::*, window::WindowCreated, winit::WINIT_WINDOWS};
use winit::window::Icon;

/// The picture that is installed too.
const PICTURE: &[u8] = include_bytes!("../../../packaging/tabulae.png");

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, give.run_if(on_message::<WindowCreated>));
}

/// Gives it to each new window. Windows are known to the main thread only.
fn give(mut created: MessageReader<WindowCreated>, _main: NonSendMarker) {
    WINIT_WINDOWS.with_borrow(|windows| {
        for window in created.read().filter_map(|it| windows.get_window(it.window)) {
            window.set_window_icon(icon());
        }
    });
}

/// None if it cannot be read, which a test rules out.
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
    fn the_picture_is_one_that_windows_take() {
        assert!(icon().is_some());
        let picture = image::load_from_memory(PICTURE).unwrap().into_rgba8();
        assert_eq!(picture.width(), picture.height());
        // Round corners show what is behind, the middle is the king.
        assert_eq!((picture.get_pixel(0, 0)[3], picture.get_pixel(128, 128)[3]), (0, 255));
    }
}
