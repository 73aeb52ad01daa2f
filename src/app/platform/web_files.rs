//! Files on a web page: those chosen, dropped and linked to wait in an inbox
//! until the app takes them.

use std::{cell::RefCell, path::PathBuf};

use wasm_bindgen::{closure::Closure, prelude::wasm_bindgen};

use crate::{engines::wake, i18n::LocalizedMessage, online::GameLink, session::storage};

/// The kinds of files that the browser offers to open.
const KINDS: &str = ".tab,.txt,text/plain";

#[wasm_bindgen(module = "/web/files.js")]
extern "C" {
    #[wasm_bindgen(js_name = choose)]
    fn show_file_dialog(kinds: &str, receive: &Closure<dyn FnMut(String, Vec<u8>)>);
    #[wasm_bindgen(js_name = onDrop)]
    fn on_drop(receive: &Closure<dyn FnMut(String, Vec<u8>)>);
}

/// What was dropped on the page, or what its address leads to.
pub(crate) enum Linked {
    /// A record to watch.
    Record(PathBuf),
    /// A seat of an online game.
    Seat(GameLink),
}

/// What has come from the page and was not taken yet.
#[derive(Default)]
struct Inbox {
    /// The file chosen in the browser's dialog.
    chosen: Option<PathBuf>,
    /// Files dropped on the page or linked to.
    opened: Vec<Result<Linked, LocalizedMessage>>,
}

thread_local! {
    static INBOX: RefCell<Inbox> = RefCell::default();
    static CHOSEN: Closure<dyn FnMut(String, Vec<u8>)> = Closure::new(|name: String, bytes: Vec<u8>| {
        let path = storage::opened(&name, bytes);
        receive(|inbox| inbox.chosen = Some(path));
    });
    static DROPPED: Closure<dyn FnMut(String, Vec<u8>)> = Closure::new(|name: String, bytes: Vec<u8>| {
        add_opened(Ok(Linked::Record(storage::opened(&name, bytes))));
    });
}

/// Puts something into the inbox and wakes the event loop for it.
fn receive(put: impl FnOnce(&mut Inbox)) {
    INBOX.with_borrow_mut(put);
    wake();
}

/// Receives files dropped on the page from now on.
pub(crate) fn accept_drops() {
    DROPPED.with(on_drop);
}

/// Adds a file to open, or why it cannot be read.
pub(crate) fn add_opened(file: Result<Linked, LocalizedMessage>) {
    receive(|inbox| inbox.opened.push(file));
}

/// Takes the files dropped on the page or linked to.
pub(crate) fn take_opened() -> Vec<Result<Linked, LocalizedMessage>> {
    INBOX.with_borrow_mut(|inbox| std::mem::take(&mut inbox.opened))
}

/// Shows the browser's dialog for a file to open.
pub(crate) fn choose() {
    CHOSEN.with(|receive| show_file_dialog(KINDS, receive));
}

/// Takes the file chosen in the browser's dialog.
pub(crate) fn take_chosen() -> Option<PathBuf> {
    INBOX.with_borrow_mut(|inbox| inbox.chosen.take())
}
