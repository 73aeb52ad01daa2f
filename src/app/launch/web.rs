//! The program on a page of a browser: how it begins there, and what the page
//! hands it while it runs, files and links.

use std::{cell::RefCell, path::PathBuf, rc::Rc};

use bevy::{
    prelude::*,
    render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy},
    winit::{EventLoopProxyWrapper, WinitUserEvent},
};
use wasm_bindgen::{JsCast as _, closure::Closure, prelude::wasm_bindgen};
use web_sys::{Location, UrlSearchParams};

use super::{AppOptions, begin as take_up, window};
use crate::{app::{core::{schedule::AppSet, actions::{Action, ReplayAction}}, capture::clipboard::PageAddress, scene::look::shader_warmup::PipelineStatus, game::referee::Referee}, records::link, table::disk, words::{Why, say}};

/// What the browser offers to be opened.
const KINDS: &str = ".tab,.txt,text/plain";
/// Frames that were drawn with all they need when the page is shown.
const FRAMES: u32 = 2;
/// The page's size before it is known.
const SIZE: (u32, u32) = (1280, 720);

/// Opens the program on its page, once it is known which games stand on other
/// pages.
pub fn begin() {
    wasm_bindgen_futures::spawn_local(async {
        disk::look().await;
        open();
    });
}

fn open() {
    let Some(page) = web_sys::window() else { return };
    let (options, wrong) = options(&page.location());
    let mut app = window(SIZE);
    leave_keys_to_the_page(&mut app);
    app.add_plugins(plugin).insert_resource(address(&page.location()));
    take_up(&mut app, &options);
    if let Some(why) = wrong {
        app.world_mut().resource_mut::<Referee>().notify_error(why);
    }
    DROPPED.with(on_drop);
    let linked = Closure::<dyn FnMut()>::new(|| {
        let found = web_sys::window().and_then(|page| linked(&page.location()));
        come(|come| come.opened.extend(found));
    });
    page.set_onhashchange(Some(linked.as_ref().unchecked_ref()));
    // It listens as long as the page is there.
    linked.forget();
    app.run();
}

/// What the browser does with keys it goes on doing. Told only now: with it, the
/// panels would have no way to a keyboard on the screen.
fn leave_keys_to_the_page(app: &mut App) {
    let world = app.world_mut();
    for mut window in world.query::<&mut Window>().iter_mut(world) {
        window.prevent_default_event_handling = false;
    }
}

/// The page's own address, to which a game can be tied.
fn address(location: &Location) -> PageAddress {
    let (origin, path) = (location.origin(), location.pathname());
    PageAddress(origin.ok().zip(path.ok()).map(|(origin, path)| origin + &path))
}

/// What the page's address asks for: `?rules=tablan&first=person&second=club`
/// for a table, `#game=…` for a replay. What cannot be read in it is told.
fn options(location: &Location) -> (AppOptions, Option<Why>) {
    let asked = location.search().ok().and_then(|it| UrlSearchParams::new_with_str(&it).ok());
    let mut wrong = None;
    let mut options = AppOptions::default();
    if let Some(asked) = asked {
        options.rules = read(&asked, "rules", &mut wrong);
        options.seats = [read(&asked, "first", &mut wrong), read(&asked, "second", &mut wrong)];
        options.seed = read(&asked, "seed", &mut wrong);
        options.report = asked.has("report");
    }
    match linked(location) {
        Some(Ok(path)) => options.record = Some(path),
        Some(Err(why)) => wrong = Some(why),
        None => {}
    }
    (options, wrong)
}

fn read<T: std::str::FromStr>(
    asked: &UrlSearchParams,
    name: &'static str,
    wrong: &mut Option<Why>,
) -> Option<T> {
    let text = asked.get(name)?;
    let read = text.parse().ok();
    if read.is_none() {
        *wrong = Some(Why::of("notice.bad-address").with("name", name).with("text", text));
    }
    read
}

/// The game that an address carries, to be read there.
fn linked(location: &Location) -> Option<Result<PathBuf, Why>> {
    let part = location.hash().ok().filter(|part| part.len() > 1)?;
    let text = link::text(&part).map_err(|error| error.why());
    Some(text.map(|text| disk::opened(say("files.from-a-link"), text.into_bytes())))
}

fn plugin(app: &mut App) {
    app.insert_resource(RenderErrorHandler(give_up));
    app.add_systems(Startup, |proxy: Res<EventLoopProxyWrapper>| {
        let proxy = (**proxy).clone();
        let wake = move || {
            // A program that has ended need not wake.
            let _ = proxy.send_event(WinitUserEvent::WakeUp);
        };
        INBOX.with_borrow_mut(|come| come.wake = Some(Rc::new(wake)));
    })
    .add_systems(Update, hand_on.in_set(AppSet::Input))
    .add_systems(Last, show_up);
}

/// What was dropped or linked to is opened.
fn hand_on(mut acts: MessageWriter<Action>, mut referee: ResMut<Referee>) {
    for opened in INBOX.with_borrow_mut(|come| std::mem::take(&mut come.opened)) {
        match opened {
            Ok(path) => {
                acts.write(Action::Replay(ReplayAction::open(path)));
            }
            Err(why) => referee.notify_error(why),
        }
    }
}

/// Says to the page that there is something to be seen.
fn show_up(
    compiling: Res<PipelineStatus>,
    mut shown: Local<bool>,
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    if *shown {
        return;
    }
    // Until then nobody can do anything that would be drawn.
    if compiling.whole_frames() < FRAMES {
        redraw.write(bevy::window::RequestRedraw);
        return;
    }
    *shown = true;
    tell("data-state", "ready");
}

/// Says to the page that nothing is drawn any more, and why.
fn give_up(error: &RenderError, world: &mut World, _: &mut World) -> RenderErrorPolicy {
    tell("data-error", &error.description);
    tell("data-state", "lost");
    world.write_message(AppExit::error());
    RenderErrorPolicy::StopRendering
}

/// Tells the page by an attribute of its body; a page without one has nobody
/// to tell.
fn tell(name: &str, value: &str) {
    let body = web_sys::window().and_then(|page| page.document()?.body());
    let _ = body.map(|body| body.set_attribute(name, value));
}
