//! Quitting the program.

use bevy::window::WindowCloseRequested;

use crate::app::{
    core::{prelude::*, states::ExportRunning},
    editor::Editor,
    game::{autosave::Autosave, referee::Referee},
    ui::dialogs::confirmation::{Confirm, Confirmation, Loss, would_lose_game},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Confirmation>()
        .add_systems(Update, quit.in_set(AppSet::ApplyActions))
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

/// Ends the program, or asks first about what would be lost.
fn quit(
    mut actions: MessageReader<UiAction>,
    (referee, autosave, editor): (Res<Referee>, Res<Autosave>, Res<Editor>),
    screen: Res<State<Screen>>,
    exporting: Res<ExportRunning>,
    mut confirmation: ResMut<Confirmation>,
    mut exit: MessageWriter<AppExit>,
) {
    for action in actions.read() {
        let losses = [
            (would_lose_game(&referee, &autosave), Loss::Game),
            (*screen.get() == Screen::Editor && editor.can_undo_redo().0, Loss::Position),
            (exporting.0, Loss::Export),
        ];
        let losses = losses.into_iter().filter(|(is_lost, _)| *is_lost).map(|(_, loss)| loss);
        let losses: Vec<Loss> = losses.collect();
        match action {
            UiAction::Quit if !losses.is_empty() => {
                confirmation.0 = Some(Confirm::Quit(losses));
            }
            UiAction::Quit | UiAction::QuitAnyway => _ = exit.write(AppExit::Success),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::settings::NewGameChoice;

    #[test]
    fn quitting_asks_about_each_thing_that_would_be_lost() {
        let mut app = App::new();
        app.add_plugins(bevy::state::app::StatesPlugin)
            .insert_state(Screen::Table)
            .add_message::<UiAction>()
            .init_resource::<ExportRunning>()
            .init_resource::<Referee>()
            .init_resource::<Autosave>()
            .init_resource::<Editor>()
            .init_resource::<Confirmation>()
            .add_systems(Update, quit);
        let asks = |app: &mut App, action: UiAction| {
            app.world_mut().write_message(action);
            app.update();
            app.world_mut().resource_mut::<Confirmation>().0.take()
        };
        app.world_mut().resource_mut::<ExportRunning>().0 = true;
        let asked = asks(&mut app, UiAction::Quit);
        assert_eq!(asked, Some(Confirm::Quit(vec![Loss::Export])));
        // A game that is in no file.
        let setup = Setup { seats: [Seat::Person; 2], ..NewGameChoice::default().setup() };
        let mut table = GameSession::new(setup);
        let first = table.history().legal_moves()[0];
        table.play(first).expect("legal");
        app.world_mut().resource_mut::<Referee>().table = Some(table);
        let asked = asks(&mut app, UiAction::Quit);
        assert_eq!(asked, Some(Confirm::Quit(vec![Loss::Game, Loss::Export])));
        assert_eq!(app.should_exit(), None);
        assert_eq!(asks(&mut app, UiAction::QuitAnyway), None);
        assert_eq!(app.should_exit(), Some(AppExit::Success));
    }
}
