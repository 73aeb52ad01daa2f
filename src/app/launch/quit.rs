//! Quitting the program.

use bevy::{prelude::*, window::WindowCloseRequested};

use crate::{
    app::core::{
        actions::{Action, UiAction},
        notice::Notify,
        schedule::AppSet,
        states::ExportRunning,
    },
    i18n::LocalizedMessage,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, quit.in_set(AppSet::ApplyActions))
        .add_systems(Update, close_window.in_set(AppSet::Input));
}

/// Closing the window quits as the menu does: changes that are in no file are asked
/// about.
fn close_window(
    mut requests: MessageReader<WindowCloseRequested>,
    mut actions: MessageWriter<Action>,
) {
    actions.write_batch(requests.read().map(|_| UiAction::Quit.into()));
}

/// Ends the program. While an export runs, which would be lost, it must be
/// asked twice.
fn quit(
    mut actions: MessageReader<UiAction>,
    exporting: Res<ExportRunning>,
    mut notices: MessageWriter<Notify>,
    mut exit: MessageWriter<AppExit>,
    mut warned: Local<bool>,
) {
    *warned &= exporting.0;
    for _ in actions.read().filter(|action| **action == UiAction::Quit) {
        if *warned || !exporting.0 {
            exit.write(AppExit::Success);
        } else {
            *warned = true;
            notices.write(Notify::info(LocalizedMessage::new("notice.export-runs")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{
        core::notice::Notices,
        game::{notices::show_notices, referee::Referee},
    };

    #[test]
    fn quitting_during_an_export_must_be_asked_twice() {
        let mut app = App::new();
        app.add_message::<UiAction>()
            .add_message::<Notify>()
            .insert_resource(ExportRunning(true))
            .init_resource::<Referee>()
            .init_resource::<Notices>()
            .add_systems(Update, (quit, show_notices).chain());
        for quits in [false, true] {
            app.world_mut().write_message(UiAction::Quit);
            app.update();
            assert_eq!(app.should_exit().is_some(), quits);
        }
        let notice =
            app.world().resource::<Notices>().shown.as_ref().map(|shown| shown.text.clone());
        assert!(notice.is_some_and(|notice| notice.contains("Quit again")));
    }
}
