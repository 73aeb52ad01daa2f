//! The question before an action that cannot be undone.

use bevy_egui::egui::Modal;

use super::{
    confirmation::{Confirm, Confirmation, Loss},
    files::{AfterSaving, FileChooser},
    release_focus,
};
use crate::app::{
    core::states::Prompt,
    ui::{prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Confirmation>()
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::Confirmation))
        .add_systems(EguiPrimaryContextPass, ask_on_prompt.in_set(UiSet::Prompts));
}

/// Asks for confirmation where an action wants it.
fn ask_on_prompt(
    mut actions: ParamSet<(MessageReader<Action>, MessageWriter<Action>)>,
    mut confirmation: ResMut<Confirmation>,
    (referee, autosave): (Res<Referee>, Res<Autosave>),
    screen: Res<State<Screen>>,
) {
    let (mut requested, mut held) = (Vec::new(), Vec::new());
    let table = referee.table.as_ref().filter(|_| *screen.get() == Screen::Table);
    let table = table.filter(|_| !referee.is_exercise());
    for action in actions.p0().read() {
        match action {
            Action::Ui(UiAction::Prompt(Prompt::Resign))
                if table.is_some_and(|table| table.outcome().is_none()) =>
            {
                confirmation.0 = Some(Confirm::Resign);
            }
            Action::Ui(UiAction::Prompt(Prompt::Rematch)) if table.is_some() => {
                confirmation.guard(GameAction::Rematch, &referee, &autosave, &mut requested);
            }
            Action::Ui(UiAction::Prompt(Prompt::PlayOn)) if *screen.get() == Screen::Replay => {
                confirmation.guard(ReplayAction::PlayFromHere, &referee, &autosave, &mut requested);
            }
            Action::Ui(UiAction::AskToDiscard(action)) => held.push((**action).clone()),
            _ => {}
        }
    }
    if !held.is_empty() {
        confirmation.0 = Some(Confirm::LoseChanges(held));
    }
    actions.p1().write_batch(requested);
}

fn show(
    mut contexts: EguiContexts,
    mut confirmation: ResMut<Confirmation>,
    mut files: ResMut<FileChooser>,
    (referee, replay): (Res<Referee>, Res<Replay>),
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(confirm) = confirmation.0.clone() else { return };
    let can_save = matches!(confirm, Confirm::LoseGame(_) | Confirm::LoseChanges(_));
    let loses_changes = matches!(confirm, Confirm::LoseChanges(_));
    let (text, yes, confirmed) = match confirm {
        Confirm::Resign => {
            let (text, yes) = resign_question(&referee);
            (text, yes, vec![GameAction::Resign.into()])
        }
        Confirm::LoseGame(action) => {
            (tr("popup.would-be-lost").to_owned(), tr("popup.go-on"), vec![action])
        }
        Confirm::LoseChanges(held) => {
            (tr("popup.changes-lost").to_owned(), tr("popup.go-on"), held)
        }
        Confirm::DeleteSave(path, game) => {
            let text = tr_args("popup.forget", &[("game", &game)]);
            (text, tr("recent.remove"), vec![GameAction::DeleteSave(path).into()])
        }
        Confirm::Quit(losses) => {
            let losses = losses.into_iter().map(|loss| match loss {
                Loss::Game => tr("popup.would-be-lost"),
                Loss::Position => tr("popup.position-lost"),
                Loss::Export => tr("popup.export-lost"),
            });
            let text = losses.collect::<Vec<_>>().join("\n");
            (text, tr("act.quit"), vec![UiAction::QuitAnyway.into()])
        }
    };
    let Some(answer) = ask(context, &text, yes, can_save) else { return };
    match answer {
        Answer::Yes => {
            if loses_changes {
                actions.write(ReplayAction::DiscardChanges.into());
            }
            actions.write_batch(confirmed);
        }
        Answer::Save if loses_changes => {
            files.save_replay(&replay);
            files.after_saving(AfterSaving::LeaveReplay(confirmed));
        }
        Answer::Save => {
            if let Some(table) = &referee.table {
                files.save(table.rules());
                confirmed.into_iter().for_each(|action| {
                    files.after_saving(AfterSaving::LeaveGame(action));
                });
            }
        }
        Answer::No => {}
    }
    confirmation.0 = None;
    release_focus(context);
}

/// The question before a resignation, and its yes.
fn resign_question(referee: &Referee) -> (String, &'static str) {
    let table = referee.table.as_ref();
    if table.is_some_and(GameSession::can_abort) {
        return (tr("popup.abort-question").to_owned(), tr("popup.abort"));
    }
    let side = table.and_then(|table| Some(side_label(table.rules(), table.resigning_side()?)));
    (tr_args("popup.give-up", &[("side", side.unwrap_or_default())]), tr("popup.resign"))
}

#[derive(Clone, Copy)]
enum Answer {
    Yes,
    /// Save the game first.
    Save,
    No,
}

/// Shows the question; the answer, once there is one.
fn ask(context: &Context, text: &str, yes: &str, can_save: bool) -> Option<Answer> {
    let id = Id::new("confirm");
    let modal = Modal::new(id).area(Modal::default_area(id).fade_in(false));
    let modal = modal.frame(theme::dialog_frame()).show(context, |ui| {
        ui.set_width((context.content_rect().width() - 70.0).min(430.0));
        widgets::say_when_changed(&widgets::wrapped(ui, text, LARGE, TEXT));
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| answers(ui, yes, can_save)).inner
    });
    modal.inner.or_else(|| modal.should_close().then_some(Answer::No))
}

fn answers(ui: &mut Ui, yes: &str, can_save: bool) -> Option<Answer> {
    let mut answer = None;
    if widgets::danger_button(ui, yes).clicked() {
        answer = Some(Answer::Yes);
    }
    if can_save && widgets::button(ui, tr("popup.save-first")).clicked() {
        answer = Some(Answer::Save);
    }
    let no = widgets::button(ui, tr("popup.cancel"));
    // The harmless answer has the focus until another is chosen.
    if ui.memory(|memory| memory.focused().is_none()) {
        no.request_focus();
    }
    if no.clicked() {
        answer = Some(Answer::No);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_an_unfinished_game_that_is_in_no_file_asks_for_confirmation() {
        let setup = Setup { seats: [Seat::Person; 2], ..NewGameChoice::default().setup() };
        let (mut confirmation, mut actions) = (Confirmation::default(), Vec::new());
        let folder = tempfile::tempdir().unwrap();
        let autosave = Autosave::default();
        let mut referee = Referee::default();
        referee.table = Some(GameSession::new(setup));
        confirmation.guard(GameAction::Rematch, &referee, &autosave, &mut actions);
        assert_eq!(actions, [GameAction::Rematch.into()], "nothing has been played yet");

        let table = referee.table.as_mut().unwrap();
        let first = table.history().legal_moves()[0];
        table.play(first).unwrap();
        confirmation.guard(GameAction::Rematch, &referee, &autosave, &mut actions);
        assert_eq!(actions.len(), 1);
        assert_eq!(confirmation.0, Some(Confirm::LoseGame(GameAction::Rematch.into())));

        let mut autosave = Autosave::with_saved(&referee);
        confirmation.guard(GameAction::Rematch, &referee, &autosave, &mut actions);
        assert_eq!(actions.len(), 2);

        autosave = Autosave::in_folder(folder.path().to_owned());
        let lock = autosave.store().unwrap().create().unwrap();
        autosave.adopt(&referee, lock);
        confirmation.guard(GameAction::Rematch, &referee, &autosave, &mut actions);
        assert_eq!(actions.len(), 3, "it stays among the saved games");
    }
}
