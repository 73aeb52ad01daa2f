//! Applies actions to the game, one after the other.

use bevy::prelude::*;

use super::{GameResults, Referee};
use crate::{
    app::{
        core::{
            actions::{Action, GameAction, UiAction, ViewAction},
            states::Screen,
        },
        scene::api::{Highlights, MotionStatus, SceneCommand},
        settings::Settings,
    },
    games::Square,
    i18n::LocalizedMessage,
    session::GameSession,
};

/// Applies the actions to the game. An action about something else does not
/// mark the referee as changed.
pub(crate) fn apply_actions(
    mut actions: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut commands: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
    (settings, results): (Res<Settings>, Res<GameResults>),
    highlights: Res<Highlights>,
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let at_table = *screen.get() == Screen::Table;
    for action in actions.read() {
        let command = match action {
            Action::Game(GameAction::NewGame(setup)) => {
                next.set(Screen::Table);
                Some(referee.begin(results.adapted(setup.clone())))
            }
            Action::Game(
                action
                @ (GameAction::Rematch | GameAction::RematchSameSides | GameAction::NextGame),
            ) if referee.is_online() => {
                referee.request_action(action);
                None
            }
            Action::Game(GameAction::Rematch | GameAction::RematchSameSides) => {
                let setup = match action {
                    Action::Game(GameAction::Rematch) => GameSession::rematch,
                    _ => GameSession::rematch_same_sides,
                };
                referee.table.as_ref().map(setup).map(|setup| {
                    next.set(Screen::Table);
                    referee.begin(results.adapted(setup))
                })
            }
            Action::Game(GameAction::NextGame) => {
                let command = referee.begin_next_game();
                if command.is_some() {
                    next.set(Screen::Table);
                }
                command
            }
            Action::Game(GameAction::Deselect) => {
                referee.deselect();
                None
            }
            Action::Game(action) if at_table => {
                if motion.is_busy() && skips_animation(action) {
                    commands.write(SceneCommand::SkipAnimations);
                }
                apply_at_table(action, &mut referee, highlights.cursor, settings.confirm_moves)
            }
            // A lesson has its own way back to the title.
            Action::Ui(UiAction::ShowTitle) if !referee.is_exercise() => {
                referee.clear_selection();
                next.set(Screen::Title);
                None
            }
            Action::Ui(UiAction::ShowTable) if referee.table.is_some() => {
                next.set(Screen::Table);
                Some(referee.reset())
            }
            Action::View(ViewAction::FinishAnimations) => Some(SceneCommand::SkipAnimations),
            _ => None,
        };
        commands.write_batch(command);
    }
}

/// Applies an action at the table. With `confirm` a complete move is asked
/// about before it is played.
fn apply_at_table(
    action: &GameAction,
    referee: &mut ResMut<Referee>,
    cursor: Option<Square>,
    confirm: bool,
) -> Option<SceneCommand> {
    match action {
        GameAction::PressCursor if referee.awaits_throw() => referee.throw(),
        GameAction::SelectSquare(_) | GameAction::DropPiece(_) | GameAction::PressCursor
            if referee.viewed_ply.is_some() =>
        {
            let button = LocalizedMessage::new("act.play-from-here");
            referee
                .notify(LocalizedMessage::new("notice.looked-back").with_message("button", button));
            None
        }
        GameAction::SelectSquare(square) => referee.select_square(*square, confirm),
        GameAction::DropPiece(square) => referee.drop_piece(*square, confirm),
        GameAction::PressCursor => cursor.and_then(|square| referee.select_square(square, confirm)),
        GameAction::Answer(choice) => referee.answer(*choice, confirm),
        GameAction::TypeMove(text) => referee.type_move(text),
        GameAction::Throw => referee.throw(),
        GameAction::EnterThrow(plain) => referee.enter_throw(*plain),
        // The first half of a move is dropped before a whole ply is taken back.
        GameAction::Undo if referee.selection.first_step().is_some() => {
            referee.clear_selection();
            None
        }
        // The analysis answers offers of a draw.
        GameAction::OfferDraw => None,
        action if referee.is_online() && referee.request_action(action) => None,
        // So is a move that does not count yet.
        GameAction::Undo | GameAction::UndoTurn if referee.drop_held_move() => None,
        GameAction::Undo => referee.rewind(GameSession::undo),
        GameAction::UndoTurn => referee.rewind(GameSession::undo_turn),
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
        GameAction::Branch if !referee.is_exercise() => referee.branch(),
        GameAction::Resign if !referee.is_exercise() => {
            referee.resign();
            None
        }
        _ => None,
    }
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
