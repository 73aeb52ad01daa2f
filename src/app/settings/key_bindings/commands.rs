//! The commands that can have keys: their names, default keys and actions.
//!
//! To add a shortcut, add a row to [`KEY_COMMANDS`] and its name as `key.ID` to
//! `assets/words`, unless `act.ID` names it already.

use bevy::prelude::*;

use super::chord::{Chord, ctrl, ctrl_shift, plain, shift};
use crate::{
    app::{
        core::{
            actions::{
                Action, Direction, EditorAction, GameAction, ReplayAction, UiAction, ViewAction,
            },
            states::{Dialog, Prompt, Screen},
        },
        platform::IS_WEB,
    },
    games::{RuleSet, Side},
    i18n::{lookup, tr_args},
    session::{PieceKind, PositionBuilder},
};

/// The screens on which a command has its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyScope {
    /// Every screen.
    Everywhere,
    /// Every screen with a board.
    Board,
    /// The screens where squares are selected: the game and the editor.
    Squares,
    /// The current game.
    Table,
    /// A replay.
    Replay,
    /// The position editor.
    Editor,
}

impl KeyScope {
    /// All scopes, in the order of the lists of keys.
    pub const ALL: [Self; 6] =
        [Self::Everywhere, Self::Board, Self::Squares, Self::Table, Self::Replay, Self::Editor];

    /// Whether the scope includes a screen.
    #[must_use]
    pub const fn is_on(self, screen: Screen) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Board => matches!(screen, Screen::Table | Screen::Replay | Screen::Editor),
            Self::Squares => matches!(screen, Screen::Table | Screen::Editor),
            Self::Table => matches!(screen, Screen::Table),
            Self::Replay => matches!(screen, Screen::Replay),
            Self::Editor => matches!(screen, Screen::Editor),
        }
    }

    /// Whether some screen belongs to both scopes: there a key can mean only
    /// one command.
    pub(super) fn overlaps(self, other: Self) -> bool {
        [Screen::Title, Screen::Table, Screen::Replay, Screen::Editor]
            .into_iter()
            .any(|screen| self.is_on(screen) && other.is_on(screen))
    }
}

/// What the action of a key depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyContext {
    /// Whether something lies over the board that can be dismissed.
    pub dismissible: bool,
    /// Whether the panels are hidden.
    pub panels_hidden: bool,
    /// Whether photo mode is on.
    pub photographing: bool,
    /// Whether an earlier position of the game is shown.
    pub views_earlier_ply: bool,
    /// Whether a square is selected or a question is open.
    pub has_selection: bool,
    /// The number of plies of the replay.
    pub replay_plies: usize,
    /// The speed of the replay, as a factor.
    pub replay_speed: f32,
    /// Whether the editor is shown.
    pub in_editor: bool,
    /// The kinds of pieces of the editor's game.
    pub editor_pieces: [Option<PieceKind>; 3],
    /// The side that is not to move in the editor.
    pub editor_other_side: Option<Side>,
}

/// A command that can have keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyCommand {
    /// The stable name in the settings file.
    pub id: &'static str,
    /// The screens on which it has its keys.
    pub scope: KeyScope,
    /// The keys it has unless the player changes them, in a window of its own.
    default_chords: &'static [Chord],
    /// The action it stands for.
    action: fn(&KeyContext) -> Action,
}

/// Commands are the same if their names are.
impl PartialEq for KeyCommand {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for KeyCommand {}

type GetAction = fn(&KeyContext) -> Action;

const fn everywhere(id: &'static str, keys: &'static [Chord], action: GetAction) -> KeyCommand {
    KeyCommand { id, scope: KeyScope::Everywhere, default_chords: keys, action }
}

const fn board(id: &'static str, keys: &'static [Chord], action: GetAction) -> KeyCommand {
    KeyCommand { id, scope: KeyScope::Board, default_chords: keys, action }
}

const fn squares(id: &'static str, keys: &'static [Chord], action: GetAction) -> KeyCommand {
    KeyCommand { id, scope: KeyScope::Squares, default_chords: keys, action }
}

const fn table(id: &'static str, keys: &'static [Chord], action: GetAction) -> KeyCommand {
    KeyCommand { id, scope: KeyScope::Table, default_chords: keys, action }
}

const fn replay(id: &'static str, keys: &'static [Chord], action: GetAction) -> KeyCommand {
    KeyCommand { id, scope: KeyScope::Replay, default_chords: keys, action }
}

const fn editor(id: &'static str, keys: &'static [Chord], action: GetAction) -> KeyCommand {
    KeyCommand { id, scope: KeyScope::Editor, default_chords: keys, action }
}

/// The keys that commands have on a page in place of those that browsers keep.
static PAGE_CHORDS: &[(&str, &[Chord])] = &[
    ("title", &[shift(KeyCode::KeyT)]),
    ("watch", &[shift(KeyCode::KeyW)]),
    ("rematch", &[shift(KeyCode::KeyR)]),
];

/// A context in which every field differs from the default one.
const OTHER_CONTEXT: KeyContext = KeyContext {
    dismissible: true,
    panels_hidden: true,
    photographing: true,
    views_earlier_ply: true,
    has_selection: true,
    replay_plies: 1,
    replay_speed: 2.0,
    in_editor: true,
    editor_pieces: [Some(PieceKind::King); 3],
    editor_other_side: Some(Side::Second),
};

/// All commands, in the order of the lists of keys.
pub static KEY_COMMANDS: &[KeyCommand] = &[
    everywhere("help", &[plain(KeyCode::F1)], |_| UiAction::OpenDialog(Dialog::Help).into()),
    everywhere("settings", &[ctrl(KeyCode::Comma)], |_| {
        UiAction::OpenDialog(Dialog::Settings).into()
    }),
    everywhere("keys", &[plain(KeyCode::F2)], |_| UiAction::OpenDialog(Dialog::Keys).into()),
    everywhere("room", &[plain(KeyCode::F3)], |_| UiAction::OpenDialog(Dialog::Look).into()),
    everywhere("about", &[], |_| UiAction::OpenDialog(Dialog::About).into()),
    everywhere("recent", &[ctrl(KeyCode::KeyR)], |_| UiAction::OpenDialog(Dialog::Recent).into()),
    everywhere("history", &[shift(KeyCode::KeyH)], |_| {
        UiAction::OpenDialog(Dialog::History).into()
    }),
    everywhere("open", &[ctrl(KeyCode::KeyO)], |_| UiAction::Prompt(Prompt::Open).into()),
    everywhere("analyse-record", &[], |_| UiAction::Prompt(Prompt::Analyse).into()),
    everywhere("stop-export", &[], |_| UiAction::StopExport.into()),
    everywhere("quit", &[ctrl(KeyCode::KeyQ)], |_| UiAction::Quit.into()),
    everywhere("menu", &[plain(KeyCode::F10)], |_| UiAction::OpenDialog(Dialog::Menu).into()),
    everywhere("back", &[plain(KeyCode::Escape)], back_action),
    board("title", &[ctrl(KeyCode::KeyN)], |_| UiAction::ShowTitle.into()),
    board("reset-view", &[plain(KeyCode::KeyR), plain(KeyCode::Home)], |_| {
        ViewAction::ResetCamera.into()
    }),
    board("top-view", &[plain(KeyCode::KeyT)], |_| ViewAction::ToggleTopView.into()),
    board("diagram", &[plain(KeyCode::KeyD)], |_| ViewAction::ToggleDiagram.into()),
    board("turn-table", &[plain(KeyCode::KeyV)], |_| ViewAction::FlipBoard.into()),
    board("course", &[plain(KeyCode::KeyC)], |_| ViewAction::ToggleCourse.into()),
    board("panels", &[plain(KeyCode::KeyZ)], |_| ViewAction::TogglePanels.into()),
    board("photo", &[plain(KeyCode::F4)], |_| ViewAction::TogglePhoto.into()),
    board("threats", &[plain(KeyCode::KeyX)], |_| ViewAction::ToggleThreats.into()),
    board("value", &[plain(KeyCode::KeyE)], |_| ViewAction::ToggleEvaluation.into()),
    board("copy", &[ctrl(KeyCode::KeyC)], |_| UiAction::Copy.into()),
    board("copy-link", &[], |_| UiAction::CopyLink.into()),
    board("hurry", &[plain(KeyCode::End)], |_| ViewAction::FinishAnimations.into()),
    board("analyse", &[plain(KeyCode::KeyA)], analyse_action),
    board("learn-mistakes", &[plain(KeyCode::KeyK)], |_| GameAction::LearnFromMistakes.into()),
    board("set-up", &[ctrl(KeyCode::KeyP)], |_| EditorAction::Enter(None).into()),
    squares("cursor-left", &[plain(KeyCode::ArrowLeft)], |_| {
        GameAction::MoveCursor(Direction::Left).into()
    }),
    squares("cursor-right", &[plain(KeyCode::ArrowRight)], |_| {
        GameAction::MoveCursor(Direction::Right).into()
    }),
    squares("cursor-up", &[plain(KeyCode::ArrowUp)], |_| {
        GameAction::MoveCursor(Direction::Up).into()
    }),
    squares("cursor-down", &[plain(KeyCode::ArrowDown)], |_| {
        GameAction::MoveCursor(Direction::Down).into()
    }),
    squares("press", &[plain(KeyCode::Enter), plain(KeyCode::NumpadEnter)], |_| {
        GameAction::PressCursor.into()
    }),
    squares("undo", &[plain(KeyCode::KeyU), ctrl(KeyCode::KeyZ)], |_| GameAction::Undo.into()),
    squares("redo", &[plain(KeyCode::KeyY), ctrl_shift(KeyCode::KeyZ)], |_| {
        GameAction::Redo.into()
    }),
    table("throw", &[plain(KeyCode::Space)], |_| GameAction::Throw.into()),
    table("put-throw-0", &[plain(KeyCode::Digit0), plain(KeyCode::Numpad0)], |_| {
        GameAction::EnterThrow(0).into()
    }),
    table("put-throw-1", &[plain(KeyCode::Digit1), plain(KeyCode::Numpad1)], |_| {
        GameAction::EnterThrow(1).into()
    }),
    table("put-throw-2", &[plain(KeyCode::Digit2), plain(KeyCode::Numpad2)], |_| {
        GameAction::EnterThrow(2).into()
    }),
    table("put-throw-3", &[plain(KeyCode::Digit3), plain(KeyCode::Numpad3)], |_| {
        GameAction::EnterThrow(3).into()
    }),
    table("put-throw-4", &[plain(KeyCode::Digit4), plain(KeyCode::Numpad4)], |_| {
        GameAction::EnterThrow(4).into()
    }),
    table("type", &[plain(KeyCode::KeyM)], |_| UiAction::OpenDialog(Dialog::TypeMove).into()),
    table("undo-turn", &[shift(KeyCode::KeyU)], |_| GameAction::UndoTurn.into()),
    table("hint", &[plain(KeyCode::KeyH)], |_| GameAction::Hint.into()),
    table("look-back", &[plain(KeyCode::PageUp)], |_| GameAction::ViewPreviousPly.into()),
    table("look-on", &[plain(KeyCode::PageDown)], |_| GameAction::ViewNextPly.into()),
    table("branch", &[ctrl(KeyCode::KeyB)], |_| GameAction::Branch.into()),
    table("save", &[ctrl(KeyCode::KeyS)], |_| UiAction::Prompt(Prompt::Save).into()),
    table("watch", &[ctrl(KeyCode::KeyW)], |_| ReplayAction::WatchGame.into()),
    table("throws", &[plain(KeyCode::KeyS)], |_| UiAction::OpenDialog(Dialog::Throws).into()),
    table("offer-draw", &[ctrl(KeyCode::KeyD)], |_| GameAction::OfferDraw.into()),
    table("resign", &[ctrl_shift(KeyCode::KeyR)], |_| UiAction::Prompt(Prompt::Resign).into()),
    table("rematch", &[ctrl_shift(KeyCode::KeyN)], |_| UiAction::Prompt(Prompt::Rematch).into()),
    table("rematch-same-sides", &[], |_| GameAction::RematchSameSides.into()),
    table("next-game", &[ctrl(KeyCode::Enter)], |_| GameAction::NextGame.into()),
    table("next-step", &[plain(KeyCode::KeyN)], |_| GameAction::NextLessonStep.into()),
    table("previous-step", &[shift(KeyCode::KeyN)], |_| GameAction::PreviousLessonStep.into()),
    table("leave-practice", &[plain(KeyCode::KeyB)], |_| GameAction::LeavePractice.into()),
    everywhere("puzzles", &[ctrl(KeyCode::KeyL)], |_| GameAction::StartPuzzles(None).into()),
    table("first-step", &[], |_| GameAction::FirstLessonStep.into()),
    replay("toggle-play", &[plain(KeyCode::Space)], |_| ReplayAction::TogglePlay.into()),
    replay("step-forward", &[plain(KeyCode::ArrowRight)], |_| ReplayAction::StepForward.into()),
    replay("step-back", &[plain(KeyCode::ArrowLeft)], |_| ReplayAction::StepBack.into()),
    replay("beginning", &[plain(KeyCode::ArrowUp)], |_| ReplayAction::Jump(0).into()),
    replay("end", &[plain(KeyCode::ArrowDown)], |context| {
        ReplayAction::Jump(context.replay_plies).into()
    }),
    replay("slower", &[plain(KeyCode::Minus)], |context| {
        ReplayAction::SetSpeed((context.replay_speed / 2.0).max(0.5)).into()
    }),
    replay("faster", &[plain(KeyCode::Equal), shift(KeyCode::Equal)], |context| {
        ReplayAction::SetSpeed((context.replay_speed * 2.0).min(4.0)).into()
    }),
    replay("line-undo", &[plain(KeyCode::KeyU), ctrl(KeyCode::KeyZ)], |_| GameAction::Undo.into()),
    replay("line-redo", &[plain(KeyCode::KeyY), ctrl_shift(KeyCode::KeyZ)], |_| {
        GameAction::Redo.into()
    }),
    replay("line-type", &[plain(KeyCode::KeyM)], |_| UiAction::OpenDialog(Dialog::TypeMove).into()),
    replay("line-comment", &[plain(KeyCode::KeyN)], |_| {
        UiAction::OpenDialog(Dialog::Comment).into()
    }),
    replay("promote", &[shift(KeyCode::ArrowUp)], |_| ReplayAction::Promote.into()),
    replay("make-main", &[], |_| ReplayAction::MakeMain.into()),
    replay("delete-from-here", &[ctrl(KeyCode::KeyD)], |_| ReplayAction::DeleteFromHere.into()),
    replay("glyph-good", &[plain(KeyCode::Digit1), plain(KeyCode::Numpad1)], |_| glyph(1)),
    replay("glyph-poor", &[plain(KeyCode::Digit2), plain(KeyCode::Numpad2)], |_| glyph(2)),
    replay("glyph-very-good", &[plain(KeyCode::Digit3), plain(KeyCode::Numpad3)], |_| glyph(3)),
    replay("glyph-very-poor", &[plain(KeyCode::Digit4), plain(KeyCode::Numpad4)], |_| glyph(4)),
    replay("glyph-speculative", &[plain(KeyCode::Digit5), plain(KeyCode::Numpad5)], |_| glyph(5)),
    replay("glyph-questionable", &[plain(KeyCode::Digit6), plain(KeyCode::Numpad6)], |_| glyph(6)),
    replay("clear-drawing", &[shift(KeyCode::KeyD)], |_| ReplayAction::ClearShapes.into()),
    replay("line-save", &[ctrl(KeyCode::KeyS)], |_| UiAction::Prompt(Prompt::Save).into()),
    replay("explorer", &[plain(KeyCode::KeyO)], |_| ViewAction::ToggleExplorer.into()),
    replay("loop", &[plain(KeyCode::KeyL)], |_| ReplayAction::ToggleLoop.into()),
    replay("auto-camera", &[plain(KeyCode::KeyF)], |_| ReplayAction::ToggleAutoCamera.into()),
    replay("play-on", &[plain(KeyCode::KeyP)], |_| UiAction::Prompt(Prompt::PlayOn).into()),
    replay("table", &[plain(KeyCode::KeyB)], |_| UiAction::ShowTable.into()),
    replay("export", &[ctrl(KeyCode::KeyE)], |_| UiAction::Prompt(Prompt::Export).into()),
    replay("games", &[ctrl(KeyCode::KeyG)], |_| UiAction::OpenDialog(Dialog::Games).into()),
    editor("edit-tool-0", &[plain(KeyCode::Digit0), plain(KeyCode::Numpad0)], |_| {
        EditorAction::SelectTool(None).into()
    }),
    editor("edit-tool-1", &[plain(KeyCode::Digit1), plain(KeyCode::Numpad1)], |context| {
        EditorAction::SelectTool(context.editor_pieces[0]).into()
    }),
    editor("edit-tool-2", &[plain(KeyCode::Digit2), plain(KeyCode::Numpad2)], |context| {
        EditorAction::SelectTool(context.editor_pieces[1]).into()
    }),
    editor("edit-tool-3", &[plain(KeyCode::Digit3), plain(KeyCode::Numpad3)], |context| {
        EditorAction::SelectTool(context.editor_pieces[2]).into()
    }),
    editor("edit-side", &[plain(KeyCode::KeyS)], |context| {
        EditorAction::SetSideToMove(context.editor_other_side.unwrap_or(Side::First)).into()
    }),
    editor("edit-text", &[plain(KeyCode::KeyM)], |_| UiAction::OpenDialog(Dialog::Position).into()),
    editor("edit-start", &[plain(KeyCode::KeyI)], |_| EditorAction::SetStartPosition.into()),
    editor("edit-clear", &[plain(KeyCode::KeyO)], |_| EditorAction::Clear.into()),
    editor("edit-done", &[plain(KeyCode::KeyB)], |_| EditorAction::Leave.into()),
];

/// Closes what is nearest: what lies over the board, photo mode, the view of an earlier
/// ply, the selection; else shows hidden panels; with none of them, opens the menu.
fn back_action(context: &KeyContext) -> Action {
    if context.dismissible {
        UiAction::Dismiss.into()
    } else if context.photographing {
        ViewAction::TogglePhoto.into()
    } else if context.views_earlier_ply {
        GameAction::ViewPly(usize::MAX).into()
    } else if context.has_selection {
        GameAction::Deselect.into()
    } else if context.panels_hidden {
        ViewAction::TogglePanels.into()
    } else {
        UiAction::OpenDialog(Dialog::Menu).into()
    }
}

fn analyse_action(context: &KeyContext) -> Action {
    if context.in_editor { EditorAction::Analyse.into() } else { ViewAction::ToggleAnalysis.into() }
}

/// The action that sets a glyph or removes it.
fn glyph(number: u8) -> Action {
    ReplayAction::SetGlyph(Some(number)).into()
}

impl KeyCommand {
    /// The keys it has unless the player changes them.
    #[must_use]
    pub fn default_chords(&self) -> &'static [Chord] {
        self.default_chords_on(IS_WEB)
    }

    /// The default keys in a window of its own, or on a page.
    pub(super) fn default_chords_on(&self, page: bool) -> &'static [Chord] {
        let own = PAGE_CHORDS.iter().find(|(id, _)| page && *id == self.id);
        own.map_or(self.default_chords, |(_, chords)| *chords)
    }

    /// Whether it stands for different actions in different contexts.
    pub(crate) fn depends_on_context(&self) -> bool {
        self.action(&KeyContext::default()) != self.action(&OTHER_CONTEXT)
    }

    /// Whether this platform has the command.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        match self.id {
            "quit" | "export" | "stop-export" => !IS_WEB,
            "copy-link" => IS_WEB,
            _ => true,
        }
    }

    /// Whether games with these rules have a use for it.
    #[must_use]
    pub fn suits(&self, rules: RuleSet) -> bool {
        match self.id {
            "throw" | "throws" | "undo-turn" | "course" => rules.has_sticks(),
            "offer-draw" => rules.knows_draws(),
            "edit-tool-3" => PositionBuilder::empty(rules).piece_kinds().len() > 2,
            other => !other.starts_with("put-throw") || rules.has_sticks(),
        }
    }

    /// The name shown to the player, in the current language.
    #[must_use]
    pub fn name(&self) -> String {
        if let Some(count) = self.id.strip_prefix("put-throw-") {
            return tr_args("key.put-throw", &[("count", count)]);
        }
        if let Some(number) = self.id.strip_prefix("edit-tool-") {
            return tr_args("key.edit-tool", &[("number", number)]);
        }
        let own = lookup(&format!("key.{}", self.id));
        own.or_else(|| lookup(&format!("act.{}", self.id))).unwrap_or(self.id).to_owned()
    }

    /// The action it stands for.
    #[must_use]
    pub fn action(&self, context: &KeyContext) -> Action {
        (self.action)(context)
    }
}
