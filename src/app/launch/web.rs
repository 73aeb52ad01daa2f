//! The program on a web page: how it starts there, and what it receives from
//! the page while it runs: files and links.

use std::{
    cell::RefCell,
    sync::atomic::{AtomicBool, Ordering},
};

use bevy::render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy};
use wasm_bindgen::{JsCast as _, closure::Closure};
use web_sys::{Event, KeyboardEvent, Location, UrlSearchParams};

use super::{AppOptions, begin as begin_app, window};
use crate::{
    app::{
        capture::clipboard::PageAddress,
        core::prelude::*,
        platform::{
            is_mac, page_tree,
            web_files::{self, Linked},
        },
        replay::Replay,
        scene::look::{PipelineStatus, update_frame_pacing},
        settings::{
            Settings,
            key_bindings::{KeyBindings, browser::BrowserKey},
        },
        ui::dialogs::keys::KeyCapture,
    },
    i18n::tr,
    online::{GameLink, LinkProblem},
    records::link,
    session::storage,
};

/// The number of complete frames after which the page is shown.
const FRAMES: u32 = 2;
/// The page's size before it is known.
const SIZE: (u32, u32) = (1280, 720);

/// Whether changes of a replay are lost with the page: then the browser asks before it
/// leaves.
static LOSES_CHANGES: AtomicBool = AtomicBool::new(false);

/// The keys that the page keeps from the browser.
struct KeptKeys {
    bindings: KeyBindings,
    /// Whether all are kept: the player presses one to bind it.
    all: bool,
}

thread_local! {
    static KEPT_KEYS: RefCell<KeptKeys> =
        RefCell::new(KeptKeys { bindings: KeyBindings::default(), all: false });
}

/// Starts the program on its page, once it knows which saved games other pages
/// have open.
pub fn begin() {
    wasm_bindgen_futures::spawn_local(async {
        storage::look().await;
        open();
    });
}

fn open() {
    let Some(page) = web_sys::window() else { return };
    let (options, error) = options(&page.location());
    let mut app = window(SIZE);
    leave_keys_to_the_page(&mut app);
    app.add_plugins(plugin).insert_resource(address(&page.location()));
    begin_app(&mut app, &options);
    if let Some(why) = error {
        app.world_mut().write_message(Notify::error(why));
    }
    web_files::accept_drops();
    let on_hash_change = Closure::<dyn FnMut()>::new(|| {
        let linked = web_sys::window().and_then(|page| linked_game(&page.location()));
        if let Some(file) = linked {
            web_files::add_opened(file);
        }
    });
    page.set_onhashchange(Some(on_hash_change.as_ref().unchecked_ref()));
    let on_leave = Closure::<dyn FnMut(Event)>::new(|event: Event| {
        if LOSES_CHANGES.load(Ordering::Relaxed) {
            event.prevent_default();
        }
    });
    page.set_onbeforeunload(Some(on_leave.as_ref().unchecked_ref()));
    let on_key = Closure::<dyn FnMut(KeyboardEvent)>::new(|event: KeyboardEvent| {
        if is_kept(&event) {
            event.prevent_default();
        }
    });
    // The page works without it, too: keys then do what they do in the browser.
    let _ = page.add_event_listener_with_callback("keydown", on_key.as_ref().unchecked_ref());
    // They listen as long as the page exists.
    on_hash_change.forget();
    on_key.forget();
    on_leave.forget();
    app.run();
}

/// Lets the browser handle keys, too. Set only after the window is built: if set
/// before, text fields could not open an on-screen keyboard.
fn leave_keys_to_the_page(app: &mut App) {
    let world = app.world_mut();
    for mut window in world.query::<&mut Window>().iter_mut(world) {
        window.prevent_default_event_handling = false;
    }
}

/// Whether the page keeps a key from the browser.
fn is_kept(event: &KeyboardEvent) -> bool {
    let (code, key) = (event.code(), event.key());
    let command = event.ctrl_key() || is_mac() && event.meta_key();
    let is_foreign = event.meta_key() && !is_mac() || event.get_modifier_state("AltGraph");
    let (shift, alt) = (event.shift_key(), event.alt_key());
    let pressed = BrowserKey { code: &code, key: &key, command, shift, alt };
    let kept = |keys: &KeptKeys| keys.all || keys.bindings.keeps_from_browser(pressed);
    !is_foreign && KEPT_KEYS.with_borrow(kept)
}

/// Notes which keys the page keeps from the browser.
fn note_keys(settings: Res<Settings>, capture: Res<KeyCapture>) {
    KEPT_KEYS.with_borrow_mut(|keys| {
        keys.bindings.clone_from(&settings.key_bindings);
        keys.all = capture.is_active();
    });
}

/// The page's own address, to which a game can be added as a link.
fn address(location: &Location) -> PageAddress {
    let (origin, path) = (location.origin(), location.pathname());
    PageAddress(origin.ok().zip(path.ok()).map(|(origin, path)| origin + &path))
}

/// The options in the page's address (`?rules=tablan&first=person&second=club`
/// for a game, `#game=…` for a replay), and the last error in it.
fn options(location: &Location) -> (AppOptions, Option<LocalizedMessage>) {
    let query =
        location.search().ok().and_then(|search| UrlSearchParams::new_with_str(&search).ok());
    let mut error = None;
    let mut options = AppOptions::default();
    if let Some(query) = query {
        options.rules = read(&query, "rules", &mut error);
        options.seats = [read(&query, "first", &mut error), read(&query, "second", &mut error)];
        options.seed = read(&query, "seed", &mut error);
        options.report = query.has("report");
    }
    match linked_game(location) {
        Some(Ok(Linked::Record(path))) => options.record = Some(path),
        Some(Ok(Linked::Seat(link))) => options.join = Some(link),
        Some(Err(why)) => error = Some(why),
        None => {}
    }
    (options, error)
}

fn read<T: std::str::FromStr>(
    query: &UrlSearchParams,
    name: &'static str,
    error: &mut Option<LocalizedMessage>,
) -> Option<T> {
    let text = query.get(name)?;
    let value = text.parse().ok();
    if value.is_none() {
        *error =
            Some(LocalizedMessage::new("notice.bad-address").with("name", name).with("text", text));
    }
    value
}

/// The game contained in an address, as a file to open, or the seat that it names.
fn linked_game(location: &Location) -> Option<Result<Linked, LocalizedMessage>> {
    let part = location.hash().ok().filter(|part| part.len() > 1)?;
    if ["#seat=", "#watch="].iter().any(|prefix| part.starts_with(prefix)) {
        let page = address(location).0.unwrap_or_default();
        let link = GameLink::of_fragment(&page, &part).map_err(LinkProblem::message);
        return Some(link.map(Linked::Seat));
    }
    let text = link::decode(&part).map_err(|error| LocalizedMessage::from(error.message()));
    let file = |text: String| storage::opened(tr("files.from-a-link"), text.into_bytes());
    Some(text.map(|text| Linked::Record(file(text))))
}

fn plugin(app: &mut App) {
    app.add_plugins(page_tree::plugin)
        .insert_resource(RenderErrorHandler(stop_rendering))
        .add_systems(Update, open_received_files.in_set(AppSet::Input))
        .add_systems(
            Last,
            (
                show_page.before(update_frame_pacing),
                note_changes.run_if(resource_changed::<Replay>),
                note_keys
                    .run_if(resource_changed::<Settings>.or_else(resource_changed::<KeyCapture>)),
            ),
        );
}

/// Notes whether the replay has changes that are in no file.
fn note_changes(replay: Res<Replay>) {
    LOSES_CHANGES.store(replay.is_unsaved(), Ordering::Relaxed);
}

/// Opens files that were dropped on the page or linked to, and joins linked games.
fn open_received_files(
    settings: Res<Settings>,
    mut actions: MessageWriter<Action>,
    mut notices: MessageWriter<Notify>,
) {
    for file in web_files::take_opened() {
        match file {
            Ok(Linked::Seat(link)) => {
                actions.write(super::join_action(&link, &settings));
            }
            Ok(Linked::Record(path)) => {
                actions.write(ReplayAction::open(path).into());
            }
            Err(why) => {
                notices.write(Notify::error(why));
            }
        }
    }
}

/// Shows the page once there is something to see.
fn show_page(compiling: Res<PipelineStatus>, mut shown: Local<bool>, mut next: ResMut<NextFrame>) {
    if *shown {
        return;
    }
    // Before, no input could cause a frame.
    if compiling.complete_frames() < FRAMES {
        next.at_once();
        return;
    }
    *shown = true;
    set_page_attribute("data-state", "ready");
}

/// Stops rendering after an error of the graphics and tells the page why.
fn stop_rendering(error: &RenderError, world: &mut World, _: &mut World) -> RenderErrorPolicy {
    set_page_attribute("data-error", &error.description);
    set_page_attribute("data-state", "lost");
    world.write_message(AppExit::error());
    RenderErrorPolicy::StopRendering
}

/// Sets an attribute of the page's body, if it has one.
fn set_page_attribute(name: &str, value: &str) {
    let body = web_sys::window().and_then(|page| page.document()?.body());
    let _ = body.map(|body| body.set_attribute(name, value));
}
