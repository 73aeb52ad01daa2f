//! Wakes the event loop at a time.
//!
//! winit could wait for that time itself, but it draws one frame more whenever the time is
//! changed.

use std::time::Duration;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use self::native::Alarm;
#[cfg(target_arch = "wasm32")]
pub(crate) use self::web::Alarm;
use crate::engines::wake;

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::{
        sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
        thread,
        time::Instant,
    };

    use bevy::prelude::*;

    use super::{Duration, wake};

    /// A thread that waits.
    #[derive(Resource)]
    pub(crate) struct Alarm(Sender<Option<Instant>>);

    impl Default for Alarm {
        fn default() -> Self {
            let (times, set) = channel();
            let started =
                thread::Builder::new().name("alarm".to_owned()).spawn(move || keep_time(&set));
            if let Err(error) = started {
                warn!("no thread can be started, so the window is drawn without pause: {error}");
            }
            Self(times)
        }
    }

    impl Alarm {
        /// Wakes the event loop after so much time, or never; replaces what was set before.
        pub(crate) fn set(&mut self, after: Option<Duration>) {
            let at = after.and_then(|after| Instant::now().checked_add(after));
            if self.0.send(at).is_err() {
                wake();
            }
        }
    }

    fn keep_time(times: &Receiver<Option<Instant>>) {
        let mut next: Option<Instant> = None;
        loop {
            let set = match next {
                Some(at) => times.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => times.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match set {
                Ok(at) => next = at,
                Err(RecvTimeoutError::Timeout) => {
                    next = None;
                    wake();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod web {
    use bevy::prelude::*;
    use wasm_bindgen::{JsCast as _, prelude::Closure};

    use super::{Duration, wake};

    /// The browser's timer, by its number.
    #[derive(Resource, Default)]
    pub(crate) struct Alarm(Option<i32>);

    thread_local! {
        static WAKE: Closure<dyn FnMut()> = Closure::new(wake);
    }

    impl Alarm {
        /// Wakes the event loop after so much time, or never; replaces what was set before.
        pub(crate) fn set(&mut self, after: Option<Duration>) {
            let Some(page) = web_sys::window() else { return };
            if let Some(number) = self.0.take() {
                page.clear_timeout_with_handle(number);
            }
            let Some(after) = after else { return };
            // Earlier, the frame would not be due yet.
            let millis = after.as_nanos().div_ceil(1_000_000);
            let millis = i32::try_from(millis).unwrap_or(i32::MAX);
            self.0 = WAKE.with(|wake| {
                page.set_timeout_with_callback_and_timeout_and_arguments_0(
                    wake.as_ref().unchecked_ref(),
                    millis,
                )
                .ok()
            });
        }
    }
}
