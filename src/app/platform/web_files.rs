//! Files on a page: what the browser hands over, waiting to be taken up.

use std::{cell::RefCell, path::PathBuf, rc::Rc};

use wasm_bindgen::{closure::Closure, prelude::wasm_bindgen};

use crate::{i18n::LocalizedMessage, table::storage};

/// What the browser offers to be opened.
const KINDS: &str = ".tab,.txt,text/plain";

#[wasm_bindgen(module = "/web/files.js")]
extern "C" {
    #[wasm_bindgen(js_name = choose)]
    fn ask_for(kinds: &str, take: &Closure<dyn FnMut(String, Vec<u8>)>);
    #[wasm_bindgen(js_name = onDrop)]
    fn on_drop(take: &Closure<dyn FnMut(String, Vec<u8>)>);
}

/// What has come from the page and was not taken up yet.
#[derive(Default)]
struct PageInbox {
    /// The file that was chosen.
    chosen: Option<PathBuf>,
    /// What was dropped, or linked to.
    opened: Vec<Result<PathBuf, LocalizedMessage>>,
    /// Wakes the program, which sleeps while nothing happens.
    wake: Option<Rc<dyn Fn()>>,
}

thread_local! {
    static INBOX: RefCell<PageInbox> = RefCell::default();
    static CHOSEN: Closure<dyn FnMut(String, Vec<u8>)> = Closure::new(|name: String, bytes: Vec<u8>| {
        let path = storage::opened(&name, bytes);
        come(|come| come.chosen = Some(path));
    });
    static DROPPED: Closure<dyn FnMut(String, Vec<u8>)> = Closure::new(|name: String, bytes: Vec<u8>| {
        let path = storage::opened(&name, bytes);
        come(|come| come.opened.push(Ok(path)));
    });
}

/// Something comes: the program wakes for it.
fn come(how: impl FnOnce(&mut PageInbox)) {
    let wake = INBOX.with_borrow_mut(|it| {
        how(it);
        it.wake.clone()
    });
    if let Some(wake) = wake {
        wake();
    }
}

/// Has the browser ask for a file.
pub(crate) fn choose() {
    CHOSEN.with(|take| ask_for(KINDS, take));
}

/// The file that was chosen, once.
pub(crate) fn chosen() -> Option<PathBuf> {
    INBOX.with_borrow_mut(|come| come.chosen.take())
}
