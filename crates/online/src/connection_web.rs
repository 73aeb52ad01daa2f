//! The WebSocket of a program on a web page, which connects again by itself.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::{Rc, Weak},
    time::Duration,
};

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{CloseEvent, MessageEvent, WebSocket};
use web_time::Instant;

use super::{GameLink, Incoming, MAX_SERVER_MESSAGE};
use tabulae_records::on_one_line;

/// The first and the longest pause before it connects again, in milliseconds. A
/// connection that lasted for the longest one was a good one: the pauses are short again.
const FIRST_PAUSE: i32 = 200;
const LONGEST_PAUSE: i32 = 10_000;
/// The most messages that wait for the program.
const MOST_WAITING: usize = 1_000;

/// A connection to a game's server. It ends when dropped.
pub struct Connection(Rc<Shared>);

/// What the browser's events share with the program.
struct Shared {
    address: String,
    socket: RefCell<Option<WebSocket>>,
    incoming: RefCell<VecDeque<(Instant, Incoming)>>,
    pause: Cell<i32>,
    /// When the connection was opened.
    opened: Cell<Option<Instant>>,
    wake: Box<dyn Fn()>,
}

impl Connection {
    /// Connects to the server of a link, and again whenever the connection is lost.
    pub fn open(link: &GameLink) -> Self {
        Self::to(link.socket_address(), || ())
    }

    /// The same for the address of a WebSocket. `wake` is called whenever
    /// [`Self::receive`] has something new.
    pub fn to(address: String, wake: impl Fn() + 'static) -> Self {
        let shared = Rc::new(Shared {
            address,
            socket: RefCell::default(),
            incoming: RefCell::default(),
            pause: Cell::new(FIRST_PAUSE),
            opened: Cell::new(None),
            wake: Box::new(wake),
        });
        connect(&shared);
        Self(shared)
    }

    /// Sends a text; it is lost while there is no connection.
    pub fn send(&self, text: String) {
        if let Some(socket) = &*self.0.socket.borrow() {
            // An error is a socket that is not open.
            _ = socket.send_with_str(&text);
        }
    }

    /// Drops the connection and connects again.
    pub fn reconnect(&self) {
        self.0.drop_socket();
        self.0.report(Incoming::Closed(String::new()));
        connect(&self.0);
    }

    /// What has arrived, if anything has.
    pub fn receive(&self) -> Option<Incoming> {
        self.receive_with_age().map(|(incoming, _)| incoming)
    }

    /// What has arrived, if anything has, and how long ago.
    pub fn receive_with_age(&self) -> Option<(Incoming, Duration)> {
        self.0.incoming.borrow_mut().pop_front().map(|(at, incoming)| (incoming, at.elapsed()))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.drop_socket();
    }
}

impl Shared {
    /// Whether the program has not taken so much that a server may fill the memory.
    fn is_flooded(&self) -> bool {
        self.incoming.borrow().len() >= MOST_WAITING
    }

    fn report(&self, incoming: Incoming) {
        self.incoming.borrow_mut().push_back((Instant::now(), incoming));
        (self.wake)();
    }

    /// Closes the socket; its events are no longer heard.
    fn drop_socket(&self) {
        if let Some(socket) = self.socket.borrow_mut().take() {
            socket.set_onopen(None);
            socket.set_onmessage(None);
            socket.set_onclose(None);
            // An error is a socket that is closed already.
            _ = socket.close();
        }
    }

    /// Reports a lost connection and connects again after a pause.
    fn lost(self: &Rc<Self>, why: String) {
        self.drop_socket();
        self.report(Incoming::Closed(on_one_line(&why)));
        let lasted = self.opened.take().map_or(0, |opened| opened.elapsed().as_millis());
        let is_good = lasted >= u128::from(LONGEST_PAUSE.unsigned_abs());
        let pause = if is_good { FIRST_PAUSE } else { self.pause.get() };
        self.pause.set((pause * 2).min(LONGEST_PAUSE));
        let shared = Rc::downgrade(self);
        let again = Closure::once_into_js(move || {
            if let Some(shared) = shared.upgrade() {
                connect(&shared);
            }
        });
        if let Some(window) = web_sys::window() {
            // A page without timers stays without a connection.
            _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(
                again.unchecked_ref(),
                pause,
            );
        }
    }
}

/// Opens a socket whose events report to `shared`, as long as that exists.
fn connect(shared: &Rc<Shared>) {
    let socket = match WebSocket::new(&shared.address) {
        Ok(socket) => socket,
        Err(error) => return shared.lost(text_of(&error)),
    };
    let heard = |act: fn(&Rc<Shared>, JsValue)| {
        let shared: Weak<Shared> = Rc::downgrade(shared);
        let closure = Closure::<dyn FnMut(JsValue)>::new(move |event| {
            if let Some(shared) = shared.upgrade() {
                act(&shared, event);
            }
        });
        // It belongs to the browser from now on, which frees it with the socket.
        closure.into_js_value()
    };
    let opened = heard(|shared, _| {
        shared.opened.set(Some(Instant::now()));
        shared.report(Incoming::Opened);
    });
    let received = heard(|shared, event| {
        let text = event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().as_string());
        let text = text.unwrap_or_default();
        if text.len() > MAX_SERVER_MESSAGE || shared.is_flooded() {
            return shared.lost("too many or too long messages".to_owned());
        }
        shared.report(Incoming::Text(text));
    });
    let closed = heard(|shared, event| {
        let reason = event.dyn_into::<CloseEvent>().map(|event| event.reason());
        shared.lost(reason.unwrap_or_default());
    });
    socket.set_onopen(Some(opened.unchecked_ref()));
    socket.set_onmessage(Some(received.unchecked_ref()));
    socket.set_onclose(Some(closed.unchecked_ref()));
    *shared.socket.borrow_mut() = Some(socket);
}

fn text_of(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(String::new, |error| error.message().into())
}
