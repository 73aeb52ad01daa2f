//! The table of commands, one row each.

use super::{
    Chord, Command, CommandContext, GetAction,
    Icon::{
        self, Board as BoardIcon, Book, Evaluation, Export, First, Frame, Hint, Last, Loop, More,
        Next, Panels, Previous, Target,
    },
    Menu::{Files, Game, Moves, Program, Study, View},
    Platform::{Page, Window},
    Scope, ctrl, ctrl_shift, plain, shift,
};
use crate::{
    app::core::{actions::Direction, prelude::*, states::Prompt},
    session::PositionBuilder,
};

const fn everywhere(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Everywhere, id, action)
}

const fn lesson(id: &'static str, action: GetAction) -> Command {
    everywhere(id, action).in_menu(Program)
}

const fn board(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Board, id, action)
}

const fn game(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Game, id, action)
}

const fn squares(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Squares, id, action).key_only()
}

const fn table(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Table, id, action)
}

const fn replay(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Replay, id, action)
}

const fn editor(id: &'static str, action: GetAction) -> Command {
    Command::new(Scope::Editor, id, action)
}

/// The commands that enter a throw made by hand.
const fn throw(id: &'static str, keys: &'static [Chord], action: GetAction) -> Command {
    table(id, action).keys(keys).offered(|now| now.rules.has_sticks() && now.by_hand)
}

/// The commands that annotate the move of a replay.
const fn glyph(id: &'static str, keys: &'static [Chord], action: GetAction) -> Command {
    replay(id, action).keys(keys).enabled(|now| now.replay_ply > 0)
}

fn open(dialog: Dialog) -> Action {
    UiAction::OpenDialog(dialog).into()
}

fn ask(prompt: Prompt) -> Action {
    UiAction::Prompt(prompt).into()
}

fn set_glyph(number: u8) -> Action {
    ReplayAction::SetGlyph(Some(number)).into()
}

/// All commands, in the order of the menus and of the lists of keys.
pub static COMMANDS: &[Command] = &[
    // Everywhere: the program, and what can be started.
    everywhere("commands", |_| open(Dialog::Commands))
        .keys(&[ctrl(KeyCode::KeyK)])
        .in_menu(Program)
        .key_only(),
    everywhere("recent", |_| open(Dialog::Recent)).keys(&[ctrl(KeyCode::KeyR)]).in_menu(Program),
    everywhere("open", |_| ask(Prompt::Open)).keys(&[ctrl(KeyCode::KeyO)]).in_menu(Program),
    everywhere("analyse-record", |_| ask(Prompt::Analyse)),
    everywhere("history", |_| open(Dialog::History)).keys(&[shift(KeyCode::KeyH)]).in_menu(Program),
    lesson("start-lesson-tablut", |_| GameAction::StartLesson(GameKind::Tablut).into()),
    lesson("start-lesson-tablan", |_| GameAction::StartLesson(GameKind::Tablan).into()),
    lesson("start-lesson-tablaaza", |_| GameAction::StartLesson(GameKind::Tablaaza).into()),
    everywhere("start-puzzles", |now| {
        let is_chosen = now.screen == Screen::Title;
        GameAction::StartPuzzles(is_chosen.then_some(now.rules)).into()
    })
    .keys(&[ctrl(KeyCode::KeyL)])
    .in_menu(Program),
    everywhere("online", |_| open(Dialog::Online)),
    everywhere("look", |_| open(Dialog::Look)).keys(&[plain(KeyCode::F3)]),
    everywhere("settings", |_| open(Dialog::Settings))
        .keys(&[ctrl(KeyCode::Comma)])
        .in_menu(Program),
    everywhere("keys", |_| open(Dialog::Keys)).keys(&[plain(KeyCode::F2)]),
    everywhere("engines", |_| open(Dialog::Engines)).only_in(Window),
    everywhere("help", |_| open(Dialog::Help)).keys(&[plain(KeyCode::F1)]).in_menu(Program),
    everywhere("about", |_| open(Dialog::About)),
    everywhere("menu", |_| open(Dialog::Menu)).keys(&[plain(KeyCode::F10)]).icon_of(More),
    everywhere("stop-export", |_| UiAction::StopExport.into())
        .only_in(Window)
        .offered(|now| now.exports),
    everywhere("quit", |_| UiAction::Quit.into())
        .keys(&[ctrl(KeyCode::KeyQ)])
        .only_in(Window)
        .in_menu(Program),
    everywhere("back", go_back).keys(&[plain(KeyCode::Escape)]).key_only(),
    // The game on the table, and what takes its place.
    board("show-title", |_| UiAction::ShowTitle.into())
        .keys(&[ctrl(KeyCode::KeyN)])
        .keys_on_page(&[shift(KeyCode::KeyT)])
        .in_menu(Game),
    table("next-step", |_| GameAction::NextLessonStep.into())
        .keys(&[plain(KeyCode::KeyN)])
        .icon_of(Next)
        .offered(CommandContext::is_exercise)
        .enabled(|now| now.has_steps[1])
        .words(|now| if now.ends_lesson && now.has_steps[1] { "-other-rules" } else { "" }),
    table("previous-step", |_| GameAction::PreviousLessonStep.into())
        .keys(&[shift(KeyCode::KeyN)])
        .icon_of(Previous)
        .offered(|now| now.is_exercise() && now.on_table != OnTable::Puzzle)
        .enabled(|now| now.has_steps[0]),
    table("first-step", |_| GameAction::FirstLessonStep.into())
        .in_menu(Game)
        .offered(CommandContext::is_exercise),
    table("earlier-game", |_| GameAction::LearnFromEarlier.into())
        .icon_of(Target)
        .offered(|now| now.has_earlier_game),
    table("play-taught", |_| GameAction::PlayTaught.into())
        .offered(|now| now.ends_lesson || now.ends_practice),
    table("leave-exercise", |_| GameAction::LeavePractice.into())
        .keys(&[plain(KeyCode::KeyB)])
        .in_menu(Game)
        .offered(CommandContext::is_exercise),
    table("next-game", |_| GameAction::NextGame.into())
        .keys(&[ctrl(KeyCode::Enter)])
        .in_menu(Game)
        .icon_of(Next)
        .offered(|now| now.shows_game() && now.awaits_next_game),
    table("rematch", |_| ask(Prompt::Rematch))
        .keys(&[ctrl_shift(KeyCode::KeyN)])
        .keys_on_page(&[shift(KeyCode::KeyR)])
        .in_menu(Game)
        .icon_of(Loop)
        .offered(|now| now.shows_game() && !now.awaits_next_game),
    table("rematch-same-sides", |_| GameAction::RematchSameSides.into())
        .in_menu(Game)
        .offered(|now| now.shows_game() && now.is_over && !now.is_online && !now.awaits_next_game),
    table("offer-draw", |_| GameAction::OfferDraw.into())
        .keys(&[ctrl(KeyCode::KeyD)])
        .in_menu(Game)
        .offered(|now| now.shows_game() && now.rules.knows_draws())
        .enabled(|now| !now.is_over),
    table("resign", |_| ask(Prompt::Resign))
        .keys(&[ctrl_shift(KeyCode::KeyR)])
        .in_menu(Game)
        .offered(CommandContext::shows_game)
        .enabled(|now| !now.is_over),
    table("online-game", |_| open(Dialog::Online))
        .in_menu(Game)
        .offered(|now| now.shows_game() && now.is_online),
    replay("show-table", |_| UiAction::ShowTable.into())
        .keys(&[plain(KeyCode::KeyB)])
        .in_menu(Game)
        .enabled(|now| now.has_game),
    game("play-from-here", |now| match now.screen {
        Screen::Replay => ask(Prompt::PlayOn),
        _ => GameAction::Branch.into(),
    })
    .keys(&[plain(KeyCode::KeyP), ctrl(KeyCode::KeyB)])
    .in_menu(Game)
    .enabled(|now| now.screen == Screen::Replay || now.views_earlier_ply),
    replay("toggle-loop", |_| ReplayAction::ToggleLoop.into())
        .keys(&[plain(KeyCode::KeyL)])
        .in_menu(Game)
        .icon_of(Loop)
        .switch(|now| now.looping),
    replay("toggle-auto-camera", |_| ReplayAction::ToggleAutoCamera.into())
        .keys(&[plain(KeyCode::KeyF)])
        .in_menu(Game)
        .switch(|now| now.auto_camera),
    replay("games", |_| open(Dialog::Games))
        .keys(&[ctrl(KeyCode::KeyG)])
        .in_menu(Game)
        .offered(|now| now.several_games),
    editor("leave-editor", |_| EditorAction::Leave.into())
        .keys(&[plain(KeyCode::KeyB)])
        .in_menu(Game),
    // Moves.
    squares("move-cursor-left", |_| GameAction::MoveCursor(Direction::Left).into())
        .keys(&[plain(KeyCode::ArrowLeft)]),
    squares("move-cursor-right", |_| GameAction::MoveCursor(Direction::Right).into())
        .keys(&[plain(KeyCode::ArrowRight)]),
    squares("move-cursor-up", |_| GameAction::MoveCursor(Direction::Up).into())
        .keys(&[plain(KeyCode::ArrowUp)]),
    squares("move-cursor-down", |_| GameAction::MoveCursor(Direction::Down).into())
        .keys(&[plain(KeyCode::ArrowDown)]),
    squares("press-cursor", |now| match now.golden.and_then(Command::find) {
        Some(golden) if !now.cursor_waits => golden.action(now),
        _ => GameAction::PressCursor.into(),
    })
    .keys(&[plain(KeyCode::Enter), plain(KeyCode::NumpadEnter)]),
    table("throw", |_| GameAction::Throw.into())
        .keys(&[plain(KeyCode::Space)])
        .offered(|now| now.rules.has_sticks())
        .enabled(|now| now.throw_due),
    table("toggle-automatic-throws", |_| GameAction::ToggleAutomaticThrows.into())
        .in_menu(Moves)
        .offered(|now| now.shows_game() && now.rules.has_sticks() && !now.by_hand)
        .switch(|now| now.throws_by_itself),
    throw("enter-throw-0", &[plain(KeyCode::Digit0), plain(KeyCode::Numpad0)], |_| {
        GameAction::EnterThrow(0).into()
    }),
    throw("enter-throw-1", &[plain(KeyCode::Digit1), plain(KeyCode::Numpad1)], |_| {
        GameAction::EnterThrow(1).into()
    }),
    throw("enter-throw-2", &[plain(KeyCode::Digit2), plain(KeyCode::Numpad2)], |_| {
        GameAction::EnterThrow(2).into()
    }),
    throw("enter-throw-3", &[plain(KeyCode::Digit3), plain(KeyCode::Numpad3)], |_| {
        GameAction::EnterThrow(3).into()
    }),
    throw("enter-throw-4", &[plain(KeyCode::Digit4), plain(KeyCode::Numpad4)], |_| {
        GameAction::EnterThrow(4).into()
    }),
    game("type-move", |_| open(Dialog::TypeMove))
        .keys(&[plain(KeyCode::KeyM)])
        .in_menu(Moves)
        .enabled(|now| !now.is_over),
    board("undo", |_| GameAction::Undo.into())
        .keys(&[plain(KeyCode::KeyU), ctrl(KeyCode::KeyZ)])
        .in_menu(Moves)
        .icon_of(Icon::Undo)
        .enabled(|now| now.can_undo),
    board("redo", |_| GameAction::Redo.into())
        .keys(&[plain(KeyCode::KeyY), ctrl_shift(KeyCode::KeyZ)])
        .in_menu(Moves)
        .enabled(|now| now.can_redo),
    table("undo-turn", |_| GameAction::UndoTurn.into())
        .keys(&[shift(KeyCode::KeyU)])
        .in_menu(Moves)
        .offered(|now| now.shows_game() && now.rules.has_sticks())
        .enabled(|now| now.can_undo),
    table("view-previous-ply", |_| GameAction::ViewPreviousPly.into())
        .keys(&[plain(KeyCode::PageUp)]),
    table("view-next-ply", |_| GameAction::ViewNextPly.into())
        .keys(&[plain(KeyCode::PageDown)])
        .enabled(|now| now.views_earlier_ply),
    table("view-latest-ply", |_| GameAction::ViewPly(usize::MAX).into())
        .icon_of(Last)
        .enabled(|now| now.views_earlier_ply),
    game("throws", |_| open(Dialog::Throws))
        .keys(&[plain(KeyCode::KeyS)])
        .in_menu(Moves)
        .offered(|now| !now.is_exercise() && now.rules.has_sticks()),
    replay("toggle-play", |_| ReplayAction::TogglePlay.into())
        .keys(&[plain(KeyCode::Space)])
        .icon_of(Icon::Play)
        .enabled(|now| now.playing || now.replay_plies > 0)
        .words(|now| if now.playing { "-on" } else { "" }),
    replay("step-forward", |_| ReplayAction::StepForward.into())
        .keys(&[plain(KeyCode::ArrowRight)])
        .icon_of(Next)
        .enabled(|now| now.replay_ply < now.replay_plies),
    replay("step-back", |_| ReplayAction::StepBack.into())
        .keys(&[plain(KeyCode::ArrowLeft)])
        .icon_of(Previous)
        .enabled(|now| now.replay_ply > 0),
    replay("jump-to-start", |_| ReplayAction::Jump(0).into())
        .keys(&[plain(KeyCode::ArrowUp)])
        .icon_of(First)
        .enabled(|now| now.replay_ply > 0),
    replay("jump-to-end", |now| ReplayAction::Jump(now.replay_plies).into())
        .keys(&[plain(KeyCode::ArrowDown)])
        .icon_of(Last)
        .enabled(|now| now.replay_ply < now.replay_plies),
    replay("slower", |now| ReplayAction::SetSpeed((now.replay_speed / 2.0).max(0.5)).into())
        .keys(&[plain(KeyCode::Minus)])
        .enabled(|now| now.replay_speed > 0.5),
    replay("faster", |now| ReplayAction::SetSpeed((now.replay_speed * 2.0).min(4.0)).into())
        .keys(&[plain(KeyCode::Equal), shift(KeyCode::Equal)])
        .enabled(|now| now.replay_speed < 4.0),
    replay("comment", |_| open(Dialog::Comment)).keys(&[plain(KeyCode::KeyN)]).in_menu(Moves),
    glyph("glyph-good", &[plain(KeyCode::Digit1), plain(KeyCode::Numpad1)], |_| set_glyph(1)),
    glyph("glyph-poor", &[plain(KeyCode::Digit2), plain(KeyCode::Numpad2)], |_| set_glyph(2)),
    glyph("glyph-very-good", &[plain(KeyCode::Digit3), plain(KeyCode::Numpad3)], |_| set_glyph(3)),
    glyph("glyph-very-poor", &[plain(KeyCode::Digit4), plain(KeyCode::Numpad4)], |_| set_glyph(4)),
    glyph("glyph-speculative", &[plain(KeyCode::Digit5), plain(KeyCode::Numpad5)], |_| {
        set_glyph(5)
    }),
    glyph("glyph-questionable", &[plain(KeyCode::Digit6), plain(KeyCode::Numpad6)], |_| {
        set_glyph(6)
    }),
    replay("promote", |_| ReplayAction::Promote.into())
        .keys(&[shift(KeyCode::ArrowUp)])
        .in_menu(Moves)
        .enabled(|now| now.in_variation),
    replay("make-main", |_| ReplayAction::MakeMain.into())
        .in_menu(Moves)
        .enabled(|now| now.in_variation),
    replay("delete-from-here", |_| ReplayAction::DeleteFromHere.into())
        .keys(&[ctrl(KeyCode::KeyD)])
        .in_menu(Moves)
        .enabled(|now| now.replay_ply > 0),
    replay("clear-shapes", |_| ReplayAction::ClearShapes.into()).keys(&[shift(KeyCode::KeyD)]),
    // Analysis and learning.
    table("hint", |_| GameAction::Hint.into())
        .keys(&[plain(KeyCode::KeyH)])
        .icon_of(Hint)
        .enabled(|now| now.can_hint || now.solves() && now.has_steps[1])
        .words(|now| if now.solves() { "-solution" } else { "" }),
    board("toggle-analysis", |now| match now.screen {
        Screen::Editor => EditorAction::Analyse.into(),
        _ => ViewAction::ToggleAnalysis.into(),
    })
    .keys(&[plain(KeyCode::KeyA)])
    .in_menu(Study)
    .icon_of(Evaluation)
    .offered(|now| !now.is_exercise())
    .enabled(|now| now.screen != Screen::Editor || now.is_playable)
    .switch(|now| now.analyses && now.screen != Screen::Editor),
    table("analyse-game", |_| ReplayAction::AnalyseGame.into())
        .icon_of(Evaluation)
        .offered(|now| now.shows_game() && now.is_over),
    table("watch-game", |_| ReplayAction::WatchGame.into())
        .keys(&[ctrl(KeyCode::KeyW)])
        .keys_on_page(&[shift(KeyCode::KeyW)])
        .in_menu(Study)
        .offered(CommandContext::shows_game)
        .enabled(|now| now.has_plies),
    replay("toggle-explorer", |_| ViewAction::ToggleExplorer.into())
        .keys(&[plain(KeyCode::KeyO)])
        .in_menu(Study)
        .icon_of(Book)
        .switch(|now| now.explores),
    everywhere("learn-from-mistakes", |_| GameAction::LearnFromMistakes.into())
        .keys(&[plain(KeyCode::KeyK)])
        .in_menu(Study)
        .icon_of(Target)
        .offered(|now| match now.screen {
            Screen::Table => now.shows_game() && now.is_over,
            Screen::Replay => now.has_plies,
            Screen::Title => true,
            Screen::Editor => false,
        }),
    everywhere("set-up", |now| {
        EditorAction::Enter((now.screen == Screen::Title).then_some(now.rules)).into()
    })
    .keys(&[ctrl(KeyCode::KeyP)])
    .in_menu(Study)
    .offered(|now| !now.is_exercise() && now.screen != Screen::Editor),
    // Files.
    game("save", |_| ask(Prompt::Save))
        .keys(&[ctrl(KeyCode::KeyS)])
        .in_menu(Files)
        .offered(|now| !now.is_exercise())
        .words(|now| if now.saves_in_place { "-on" } else { "" }),
    replay("save-as", |_| ask(Prompt::SaveAs))
        .keys(&[ctrl_shift(KeyCode::KeyS)])
        .in_menu(Files)
        .offered(|now| now.saves_in_place),
    board("copy", |_| UiAction::Copy.into())
        .keys(&[ctrl(KeyCode::KeyC)])
        .in_menu(Files)
        .offered(|now| !now.is_exercise()),
    board("copy-link", |_| UiAction::CopyLink.into())
        .only_in(Page)
        .in_menu(Files)
        .offered(|now| !now.is_exercise()),
    replay("export", |_| ask(Prompt::Export))
        .keys(&[ctrl(KeyCode::KeyE)])
        .only_in(Window)
        .in_menu(Files)
        .icon_of(Export),
    editor("edit-text", |_| open(Dialog::Position)).keys(&[plain(KeyCode::KeyM)]).in_menu(Files),
    // What is seen.
    board("toggle-threats", |_| ViewAction::ToggleThreats.into())
        .keys(&[plain(KeyCode::KeyX)])
        .in_menu(View)
        .offered(|now| now.screen != Screen::Editor && !now.is_exercise())
        .switch(|now| now.shows_threats),
    board("toggle-evaluation", |_| ViewAction::ToggleEvaluation.into())
        .keys(&[plain(KeyCode::KeyE)])
        .in_menu(View)
        .icon_of(Evaluation)
        .offered(|now| now.screen != Screen::Editor && !now.is_exercise())
        .switch(|now| now.shows_evaluation),
    board("toggle-diagram", |_| ViewAction::ToggleDiagram.into())
        .keys(&[plain(KeyCode::KeyD)])
        .in_menu(View)
        .switch(|now| now.diagram),
    board("flip-board", |_| ViewAction::FlipBoard.into())
        .keys(&[plain(KeyCode::KeyV)])
        .in_menu(View),
    board("toggle-top-view", |_| ViewAction::ToggleTopView.into())
        .keys(&[plain(KeyCode::KeyT)])
        .in_menu(View)
        .icon_of(BoardIcon),
    board("reset-camera", |_| ViewAction::ResetCamera.into())
        .keys(&[plain(KeyCode::KeyR), plain(KeyCode::Home)])
        .in_menu(View)
        .icon_of(Frame),
    board("toggle-course", |_| ViewAction::ToggleCourse.into())
        .keys(&[plain(KeyCode::KeyC)])
        .in_menu(View)
        .offered(|now| now.rules.has_sticks())
        .switch(|now| now.shows_course),
    board("toggle-panels", |_| ViewAction::TogglePanels.into())
        .keys(&[plain(KeyCode::KeyZ)])
        .in_menu(View)
        .icon_of(Panels)
        .words(|now| if now.panels_hidden { "-on" } else { "" }),
    board("toggle-photo", |_| ViewAction::TogglePhoto.into())
        .keys(&[plain(KeyCode::F4)])
        .in_menu(View),
    board("finish-animations", |_| ViewAction::FinishAnimations.into())
        .keys(&[plain(KeyCode::End)])
        .key_only(),
    // The editor.
    editor("select-tool-0", |_| EditorAction::SelectTool(None).into())
        .keys(&[plain(KeyCode::Digit0), plain(KeyCode::Numpad0)]),
    editor("select-tool-1", |now| EditorAction::SelectTool(now.editor_pieces[0]).into())
        .keys(&[plain(KeyCode::Digit1), plain(KeyCode::Numpad1)]),
    editor("select-tool-2", |now| EditorAction::SelectTool(now.editor_pieces[1]).into())
        .keys(&[plain(KeyCode::Digit2), plain(KeyCode::Numpad2)]),
    editor("select-tool-3", |now| EditorAction::SelectTool(now.editor_pieces[2]).into())
        .keys(&[plain(KeyCode::Digit3), plain(KeyCode::Numpad3)])
        .offered(|now| PositionBuilder::empty(now.rules).piece_kinds().len() > 2),
    editor("set-side-to-move", |now| {
        EditorAction::SetSideToMove(now.editor_other_side.unwrap_or(Side::First)).into()
    })
    .keys(&[plain(KeyCode::KeyS)]),
    editor("set-start-position", |_| EditorAction::SetStartPosition.into())
        .keys(&[plain(KeyCode::KeyI)]),
    editor("clear-board", |_| EditorAction::Clear.into()).keys(&[plain(KeyCode::KeyO)]),
];

/// Closes what is nearest: what lies over the board, photo mode, the view of an earlier
/// ply, the selection; else shows hidden panels; with none of them, opens the menu.
fn go_back(context: &CommandContext) -> Action {
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
        open(Dialog::Menu)
    }
}
