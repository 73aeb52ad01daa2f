//! Tells a player who does something else that it is the player's turn: a notification of
//! the desktop or of the browser.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use self::native::notify;
#[cfg(target_arch = "wasm32")]
pub(crate) use self::web::{every_minute, is_hidden, may_ask, notify, request};

/// Only tabs can be open and not seen.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn is_hidden() -> bool {
    false
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::thread;

    use notify_rust::Notification;

    /// Shows a line. A desktop without notifications shows nothing.
    pub(crate) fn notify(text: &str) {
        let mut notification = Notification::new();
        notification.appname("Tabulae").summary(text).icon(crate::app::platform::APP_ID);
        // The desktop may take its time to answer.
        _ = thread::Builder::new().spawn(move || _ = notification.show());
    }
}

#[cfg(target_arch = "wasm32")]
mod web {
    use wasm_bindgen::{JsCast as _, JsValue, prelude::Closure};
    use web_sys::{Notification, NotificationPermission};

    /// Whether the browser has notifications, which not all have, and the player has said
    /// this of them.
    fn is_permission(wanted: NotificationPermission) -> bool {
        let window = web_sys::window().map(JsValue::from).unwrap_or_default();
        js_sys::Reflect::has(&window, &"Notification".into()).unwrap_or(false)
            && Notification::permission() == wanted
    }

    /// Shows a line, if the player lets the browser do so.
    pub(crate) fn notify(text: &str) {
        if is_permission(NotificationPermission::Granted) {
            // An error is a browser that shows them in another way only.
            _ = Notification::new(text);
        }
    }

    /// Whether the browser can ask the player for permission.
    pub(crate) fn may_ask() -> bool {
        is_permission(NotificationPermission::Default)
    }

    /// Lets the browser ask the player for permission.
    pub(crate) fn request() {
        _ = Notification::request_permission();
    }

    /// Calls a function every minute, also while the page's tab is not seen.
    pub(crate) fn every_minute(act: fn()) {
        let act = Closure::<dyn FnMut()>::new(act).into_js_value();
        if let Some(window) = web_sys::window() {
            let act = act.unchecked_ref();
            _ = window.set_interval_with_callback_and_timeout_and_arguments_0(act, 60_000);
        }
    }

    /// Whether the page's tab is not seen.
    pub(crate) fn is_hidden() -> bool {
        let document = web_sys::window().and_then(|window| window.document());
        document.is_some_and(|document| document.hidden())
    }
}
