//! Applies actions to the game, one after the other.

use super::{
    autosave::Autosave,
    referee::{HelpAccepted, MoveOptions, OnlineRequest, Question, Referee, Response, Undo},
    results::GameResults,
};
use crate::app::{
    core::prelude::*,
    scene::api::{MotionStatus, Pointed, SceneCommand},
    settings::Settings,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, apply_actions.in_set(AppSet::ApplyActions));
}

/// Applies the actions to the game. An action about something else does not
/// mark the referee as changed.
pub(super) fn apply_actions(
    mut actions: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
    (mut commands, mut requests): (MessageWriter<SceneCommand>, MessageWriter<OnlineRequest>),
    mut accepted: MessageWriter<HelpAccepted>,
    (motion, pointer): (Res<MotionStatus>, Res<Pointed>),
    (settings, results): (Res<Settings>, Res<GameResults>),
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let at_table = *screen.get() == Screen::Table;
    let options = MoveOptions { confirm: settings.confirm_moves, tutor: settings.tutor };
    for action in actions.read() {
        let response = match action {
            Action::Game(GameAction::NewGame(setup)) => {
                next.set(Screen::Table);
                Response::Scene(referee.begin(results.adapted(setup.clone())))
            }
            Action::Game(
                action
                @ (GameAction::Rematch | GameAction::RematchSameSides | GameAction::NextGame),
            ) if referee.is_online() => referee.request_action(action).unwrap_or_default(),
            Action::Game(GameAction::Rematch | GameAction::RematchSameSides) => {
                let setup = match action {
                    Action::Game(GameAction::Rematch) => GameSession::rematch,
                    _ => GameSession::rematch_same_sides,
                };
                let setup = referee.table.as_ref().map(setup);
                if setup.is_some() {
                    next.set(Screen::Table);
                }
                setup.map(|setup| referee.begin(results.adapted(setup))).into()
            }
            Action::Game(GameAction::NextGame) => {
                let command = referee.begin_next_game();
                if command.is_some() {
                    autosave.continue_match(&referee);
                    next.set(Screen::Table);
                }
                command.into()
            }
            Action::Game(GameAction::Deselect) => {
                referee.deselect();
                Response::Done
            }
            Action::Game(action) if at_table => {
                if motion.is_busy() && skips_animation(action) {
                    commands.write(SceneCommand::SkipAnimations);
                }
                apply_at_table(action, &mut referee, &autosave, pointer.cursor, options)
            }
            // A replay can ask it, too.
            Action::Game(GameAction::Answer(choice))
                if referee.question.as_ref().is_some_and(Question::is_about_rating) =>
            {
                referee.answer(*choice, options)
            }
            // A lesson has its own way back to the title.
            Action::Ui(UiAction::ShowTitle) if !referee.is_exercise() => {
                referee.clear_selection();
                next.set(Screen::Title);
                Response::Done
            }
            Action::Ui(UiAction::ShowTable) if referee.table.is_some() => {
                next.set(Screen::Table);
                Response::Scene(referee.reset())
            }
            Action::View(ViewAction::FinishAnimations) => {
                Response::Scene(SceneCommand::SkipAnimations)
            }
            _ => Response::Done,
        };
        match response {
            Response::Done => {}
            Response::Scene(command) => _ = commands.write(command),
            Response::Online(request) => _ = requests.write(request),
            Response::Help(help) => _ = accepted.write(HelpAccepted(help)),
        }
    }
}

/// Applies an action at the table.
fn apply_at_table(
    action: &GameAction,
    referee: &mut ResMut<Referee>,
    autosave: &Autosave,
    cursor: Option<Square>,
    options: MoveOptions,
) -> Response {
    // The first half of a move is dropped before a whole ply is taken back.
    let drops_half = *action == GameAction::Undo && referee.selection.first_step().is_some();
    if !drops_half
        && referee.is_online()
        && let Some(response) = referee.request_action(action)
    {
        return response;
    }
    let command = match action {
        GameAction::PressCursor if referee.awaits_throw() => return referee.throw(),
        GameAction::SelectSquare(_) | GameAction::DropPiece(_) | GameAction::PressCursor
            if referee.viewed_ply.is_some() =>
        {
            let button = LocalizedMessage::new("act.play-from-here");
            let message = LocalizedMessage::new("notice.looked-back");
            referee.say_that(message.with_message("button", button));
            None
        }
        GameAction::SelectSquare(square) => return referee.select_square(*square, options),
        GameAction::DropPiece(square) => return referee.drop_piece(*square, options),
        GameAction::PressCursor => {
            return cursor.map(|square| referee.select_square(square, options)).unwrap_or_default();
        }
        GameAction::Answer(choice) => return referee.answer(*choice, options),
        GameAction::TypeMove(text) => return referee.type_move(text, options.tutor),
        GameAction::Throw => return referee.throw(),
        GameAction::EnterThrow(plain) => referee.enter_throw(*plain),
        GameAction::Undo if drops_half => {
            referee.clear_selection();
            None
        }
        // So is a move that is held for the tutor.
        GameAction::Undo | GameAction::UndoTurn if referee.drop_held_move() => None,
        GameAction::Undo => referee.undo(Undo::Ply),
        GameAction::UndoTurn => referee.undo(Undo::Turn),
        GameAction::Redo => referee.rewind(GameSession::redo),
        GameAction::ViewPly(ply) => referee.view_ply(*ply),
        GameAction::ViewPreviousPly => {
            let ply = referee.shown_ply().saturating_sub(1);
            referee.view_ply(ply)
        }
        GameAction::ViewNextPly => {
            let ply = referee.shown_ply().saturating_add(1);
            referee.view_ply(ply)
        }
        // An exercise is no game to go on with.
        GameAction::Branch if !referee.is_exercise() => {
            let is_kept = autosave.keeps(referee);
            referee.branch(is_kept)
        }
        GameAction::Resign if !referee.is_exercise() => {
            referee.resign();
            None
        }
        // The analysis answers offers of a draw.
        _ => None,
    };
    command.into()
}

/// Whether running animations are finished before the action is applied.
const fn skips_animation(action: &GameAction) -> bool {
    matches!(
        action,
        GameAction::SelectSquare(_)
            | GameAction::DropPiece(_)
            | GameAction::PressCursor
            | GameAction::Answer(_)
            | GameAction::TypeMove(_)
            | GameAction::Throw
            | GameAction::EnterThrow(_)
            | GameAction::Undo
            | GameAction::UndoTurn
            | GameAction::Redo
            | GameAction::ViewPly(_)
            | GameAction::ViewPreviousPly
            | GameAction::ViewNextPly
            | GameAction::Branch
    )
}
