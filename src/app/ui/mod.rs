//! Everything over the scene: screens, dialogs, overlays.
//!
//! Architecture invariant: a panel reads the game and requests [`Action`]s. It changes
//! nothing of the game: only resources of panels and dialogs, the settings, and the
//! [`ViewportInsets`] that it takes from the scene.

pub(crate) mod dialogs;
mod dock;
#[cfg(not(target_arch = "wasm32"))]
mod fallback_fonts;
pub(crate) mod game_texts;
pub(crate) mod overlays;
mod prelude;
pub(crate) mod screens;
#[cfg(test)]
mod tests;
pub(crate) mod theme;
pub(crate) mod widgets;

use bevy::asset::AssetEventSystems;
use bevy_egui::{
    EguiPlugin, EguiPostUpdateSet,
    egui::{Event, Popup},
};

use self::{
    dialogs::{confirmation::Confirmation, files::FileChooser},
    overlays::{board_tree::BoardTree, end_banner::EndBanner, toast::Toast},
};
use crate::app::{
    capture::clipboard::PageAddress,
    game::opponent::EngineThinking,
    on_screen::OnScreen,
    platform::upstream_fixes::{
        multiline_paste, pointer_capture, repaint_delay, repeated_modifiers, screen_reader,
    },
    ui::prelude::*,
};

/// The order in which the parts of the UI are shown in a frame. What comes later
/// is drawn over what came before where both appear at once, and takes keys
/// that are left.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum UiSet {
    /// The theme, and frames that have to be drawn.
    Prepare,
    /// What stands in place of a board that is not drawn yet, under everything else.
    Curtain,
    /// How far files being written are: a strip that the screens leave free.
    Progress,
    Screens,
    Callout,
    Question,
    EndBanner,
    Toast,
    Confirmation,
    FlipButton,
    /// Which dialog is open.
    DialogState,
    Dialogs,
    /// Opens what an action asks for; it is shown in the next frame.
    Prompts,
    FileChooser,
    /// The clipboard, the focus ring, and [`UiFocus`].
    Finish,
}

/// Adds egui with its fixes, and all panels.
pub(crate) fn plugin(app: &mut App) {
    if !app.is_plugin_added::<EguiPlugin>() {
        app.add_plugins(EguiPlugin::default());
    }
    app.add_plugins((
        multiline_paste::plugin,
        pointer_capture::plugin,
        repaint_delay::plugin,
        repeated_modifiers::plugin,
        screen_reader::plugin,
    ));
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(fallback_fonts::plugin);
    // Letters drawn for the first time reach the renderer in the same frame:
    // else they would be missing in it.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems));
    app.add_plugins(panels_plugin);
}

/// The panels without what draws them.
fn panels_plugin(app: &mut App) {
    use UiSet::{
        Callout, Confirmation, Curtain, DialogState, Dialogs, EndBanner, FileChooser, Finish,
        FlipButton, Prepare, Progress, Prompts, Question, Screens, Toast,
    };
    app.configure_sets(
        EguiPrimaryContextPass,
        (
            Prepare,
            (Curtain, Progress).chain(),
            Screens,
            (Callout, Question, EndBanner, Toast, Confirmation, FlipButton).chain(),
            (DialogState, Dialogs).chain(),
            (Prompts, FileChooser).chain(),
            Finish,
        )
            .chain(),
    );
    app.add_plugins((screens::plugin, overlays::plugin, dialogs::plugin))
        .add_systems(Update, toggle_panels.in_set(AppSet::ApplyActions))
        .add_systems(
            Update,
            hide_panels_in_photos.run_if(resource_changed::<Photo>).in_set(AppSet::Highlights),
        )
        .add_systems(OnEnter(Screen::Title), |mut hidden: ResMut<PanelsHidden>| hidden.0 = false)
        .add_systems(
            Update,
            update_ui_focus
                .after(dialogs::open_and_close)
                .after(overlays::dismiss)
                .in_set(AppSet::Report),
        )
        .add_systems(
            EguiPrimaryContextPass,
            (
                (apply_theme, request_repaint.run_if(something_changed))
                    .chain()
                    .in_set(UiSet::Prepare),
                (copy_to_clipboard, show_focus_ring, update_ui_focus).chain().in_set(UiSet::Finish),
            ),
        );
}

/// Tells the game and the board's keys what is open, through [`UiFocus`].
fn update_ui_focus(
    open: Res<OpenDialog>,
    confirmation: Res<Confirmation>,
    files: Res<FileChooser>,
    toast: Res<Toast>,
    (banner, board): (Res<EndBanner>, Res<BoardTree>),
    mut contexts: EguiContexts,
    mut focus: ResMut<UiFocus>,
) {
    let (is_typing, is_list_open) = contexts.ctx_mut().map_or((false, false), |context| {
        (context.text_edit_focused(), Popup::is_any_open(context))
    });
    let asks = confirmation.0.is_some() || files.is_open();
    let is_taken = asks || is_typing || is_list_open;
    focus.set_if_neq(UiFocus {
        pauses: asks || open.0.is_some_and(|dialog| dialog != Dialog::TypeMove),
        keyboard: is_taken || open.0.is_some(),
        menu: !is_taken && open.0 == Some(Dialog::Menu),
        board: board.has_focus,
        dismissible: toast.is_visible || banner.shown.is_some(),
    });
}

/// Shows or hides the panels beside the board.
fn toggle_panels(
    mut actions: MessageReader<Action>,
    screen: Res<State<Screen>>,
    mut hidden: ResMut<PanelsHidden>,
) {
    for action in actions.read() {
        if *action == Action::View(ViewAction::TogglePanels) && *screen.get() != Screen::Title {
            hidden.0 = !hidden.0;
        }
    }
}

/// Hides the panels in photo mode; after it, they are as before.
fn hide_panels_in_photos(
    photo: Res<Photo>,
    mut hidden: ResMut<PanelsHidden>,
    mut before: Local<Option<bool>>,
) {
    match (photo.0.is_some(), *before) {
        (true, None) => {
            *before = Some(hidden.0);
            hidden.0 = true;
        }
        (false, Some(was_hidden)) => {
            *before = None;
            hidden.0 = was_hidden;
        }
        _ => {}
    }
}

/// Applies the look and the text size that the settings choose.
fn apply_theme(mut contexts: EguiContexts, settings: Res<Settings>, screen: Res<State<Screen>>) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if screen.is_changed() {
        dialogs::release_focus(context);
    }
    theme::apply(context);
    theme::set_palette(settings.palette);
    let zoom = f32::from(settings.text_size) / 100.0;
    if (context.zoom_factor() - zoom).abs() > 1e-3 {
        context.set_zoom_factor(zoom);
    }
}

/// Requests one more frame: panels may take two to find their size, and with
/// nothing moving the next frame may come late.
fn request_repaint(mut contexts: EguiContexts) {
    if let Ok(context) = contexts.ctx_mut() {
        context.request_repaint();
    }
}

/// Run condition: the panels may have to show something else.
fn something_changed(
    screen: Res<State<Screen>>,
    referee: Res<Referee>,
    (replay, online): (Res<Replay>, Res<OnlineTable>),
    (notices, thinking): (Res<Notices>, Res<EngineThinking>),
    motion: Res<MotionStatus>,
    analysis: Res<Analysis>,
    settings: Res<Settings>,
    mut actions: MessageReader<Action>,
) -> bool {
    let has_actions = actions.read().count() > 0;
    screen.is_changed()
        || referee.is_changed()
        || replay.is_changed()
        || online.is_changed()
        || notices.is_changed()
        || thinking.is_changed()
        || motion.is_changed()
        || analysis.is_changed()
        || settings.is_changed()
        || has_actions
}

/// Copies what is looked at, as text or as a link.
fn copy_to_clipboard(
    mut contexts: EguiContexts,
    mut actions: MessageReader<Action>,
    shown: OnScreen,
    address: Res<PageAddress>,
) {
    let texts = actions.read().filter_map(|action| match action {
        Action::Ui(action) => shown.clipboard_text(action, &address),
        _ => None,
    });
    if let Some(text) = texts.last()
        && let Ok(context) = contexts.ctx_mut()
    {
        context.copy_text(text);
    }
}

/// Shows which widget has the focus, after a key was pressed and until the
/// mouse is used.
fn show_focus_ring(mut contexts: EguiContexts, board: Res<BoardTree>, mut by_keys: Local<bool>) {
    let Ok(context) = contexts.ctx_mut() else { return };
    context.input(|input| {
        for event in &input.events {
            match event {
                Event::Key { pressed: true, .. } => *by_keys = true,
                Event::PointerButton { pressed: true, .. } => *by_keys = false,
                _ => {}
            }
        }
    });
    // The board marks its square itself.
    if *by_keys && !board.has_focus {
        widgets::paint_focus_ring(context);
    }
}
