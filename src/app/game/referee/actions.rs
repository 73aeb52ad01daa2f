//! Acts, put to the game one after the other.

use bevy::prelude::*;

use super::Referee;
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            states::Screen,
        },
        replay::Replay,
        scene::api::{Highlights, MotionStatus, SceneCommand},
        settings::Settings,
    },
    table::Table,
    words::{Language, Why, language},
};

/// Puts the acts to the game.
pub(crate) fn judge(
    mut acts: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
    settings: Res<Settings>,
    marks: Res<Highlights>,
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let asks = settings.confirm_moves;
    for act in acts.read() {
        let at_table = *screen.get() == Screen::Table;
        // Acts about something else leave no trace on the game.
        if !concerns_the_game(act) {
            continue;
        }
        let referee = &mut *referee;
        if at_table && motion.is_busy() && hurries(act) {
            cues.write(SceneCommand::Finish);
        }
        let cue = match act {
            Action::Game(GameAction::PressCursor) if at_table && referee.throws() => {
                referee.throw()
            }
            Action::Game(GameAction::SelectSquare(_)) | Action::Game(GameAction::PressCursor)
                if at_table && referee.looking.is_some() =>
            {
                let button = Why::of("bar.branch");
                referee.tell(Why::of("notice.looked-back").holding("button", button));
                None
            }
            Action::Game(GameAction::SelectSquare(square)) if at_table => {
                referee.touch(*square, asks)
            }
            Action::Game(GameAction::SelectSquare(_)) if *screen.get() == Screen::Replay => {
                let button = Why::of("replay.play-on");
                referee.tell(Why::of("notice.watched").holding("button", button));
                None
            }
            Action::Game(GameAction::PressCursor) if at_table => {
                marks.cursor.and_then(|square| referee.touch(square, asks))
            }
            Action::Game(GameAction::Answer(choice)) if at_table => referee.answer(*choice, asks),
            Action::Game(GameAction::TypeMove(text)) if at_table => referee.type_move(text),
            Action::Game(GameAction::Throw) if at_table => referee.throw(),
            Action::Game(GameAction::EnterThrow(plain)) if at_table => referee.put_throw(*plain),
            // A half that was only chosen is taken back before anything played.
            Action::Game(GameAction::Undo) if at_table && referee.selection.half().is_some() => {
                referee.let_go();
                None
            }
            Action::Game(GameAction::Undo) if at_table => referee.turn_back(Table::undo),
            Action::Game(GameAction::UndoTurn) if at_table => referee.turn_back(Table::undo_turn),
            Action::Game(GameAction::Redo) if at_table => referee.turn_back(Table::redo),
            Action::Game(GameAction::ViewPly(plies)) if at_table => referee.look(*plies),
            Action::Game(GameAction::ViewPreviousPly) if at_table => {
                let plies = referee.looked_at();
                referee.look(plies.saturating_sub(1))
            }
            Action::Game(GameAction::ViewNextPly) if at_table => {
                let plies = referee.looked_at();
                referee.look(plies.saturating_add(1))
            }
            Action::Game(GameAction::Branch) if at_table => referee.branch(),
            Action::Game(GameAction::Deselect) => {
                referee.let_go();
                None
            }
            Action::Game(GameAction::Resign) if at_table => {
                referee.resign();
                None
            }
            Action::Game(GameAction::NewGame(setup)) => {
                next.set(Screen::Table);
                Some(referee.begin(setup.clone()))
            }
            Action::Game(GameAction::Rematch) => match referee.table.as_ref().map(Table::rematch) {
                Some(setup) => {
                    next.set(Screen::Table);
                    Some(referee.begin(setup))
                }
                None => None,
            },
            // A lesson is left by whoever teaches it.
            Action::Ui(UiAction::ShowTitle) if !referee.lesson => {
                referee.let_go();
                next.set(Screen::Title);
                None
            }
            Action::Ui(UiAction::ShowTable) if referee.table.is_some() => {
                next.set(Screen::Table);
                Some(referee.reset())
            }
            Action::View(ViewAction::FinishAnimations) => Some(SceneCommand::Finish),
            _ => None,
        };
        if let Some(cue) = cue {
            cues.write(cue);
        }
    }
}

/// Whether an act can change anything on the table at all.
const fn concerns_the_game(act: &Action) -> bool {
    !matches!(
        act,
        Action::Game(GameAction::MoveCursor(_))
            | Action::Game(GameAction::Hint)
            | Action::Game(GameAction::OfferDraw)
            | Action::View(ViewAction::ToggleThreats)
            | Action::View(ViewAction::ToggleEvaluation)
            | Action::Ui(UiAction::OpenDialog(_))
            | Action::Ui(UiAction::CloseDialog)
            | Action::Ui(UiAction::Dismiss)
            | Action::Game(GameAction::DeleteSave(_))
            | Action::Ui(UiAction::Copy)
            | Action::Ui(UiAction::CopyLink)
            | Action::Ui(UiAction::Export(_))
            | Action::Ui(UiAction::StopExport)
            | Action::Replay(ReplayAction::TogglePlay)
            | Action::Replay(ReplayAction::StepForward)
            | Action::Replay(ReplayAction::StepBack)
            | Action::Replay(ReplayAction::Jump(_))
            | Action::Replay(ReplayAction::SetSpeed(_))
            | Action::Replay(ReplayAction::ToggleLoop)
            | Action::View(ViewAction::ToggleAnalysis)
            | Action::Replay(ReplayAction::ToggleAutoCamera)
            | Action::Editor(EditorAction::Enter(_))
            | Action::Editor(EditorAction::SetRules(_))
            | Action::Editor(EditorAction::SelectTool(_))
            | Action::Editor(EditorAction::MovePiece(..))
            | Action::Editor(EditorAction::SetSideToMove(_))
            | Action::Editor(EditorAction::SetSticks(_))
            | Action::Editor(EditorAction::SetSeats(_))
            | Action::Editor(EditorAction::Clear)
            | Action::Editor(EditorAction::SetStartPosition)
            | Action::Editor(EditorAction::SetText(_))
            | Action::Editor(EditorAction::Analyse)
            | Action::Editor(EditorAction::Leave)
            | Action::View(ViewAction::ResetCamera)
            | Action::View(ViewAction::ToggleTopView)
            | Action::View(ViewAction::FlipBoard)
            | Action::View(ViewAction::ToggleCourse)
            | Action::Game(GameAction::StartLesson(_))
            | Action::Game(GameAction::NextLessonStep)
            | Action::Game(GameAction::PreviousLessonStep)
            | Action::Game(GameAction::FirstLessonStep)
    )
}

/// Whether an act first brings running animations to their end.
const fn hurries(act: &Action) -> bool {
    matches!(
        act,
        Action::Game(GameAction::SelectSquare(_))
            | Action::Game(GameAction::PressCursor)
            | Action::Game(GameAction::Answer(_))
            | Action::Game(GameAction::TypeMove(_))
            | Action::Game(GameAction::Throw)
            | Action::Game(GameAction::EnterThrow(_))
            | Action::Game(GameAction::Undo)
            | Action::Game(GameAction::UndoTurn)
            | Action::Game(GameAction::Redo)
            | Action::Game(GameAction::ViewPly(_))
            | Action::Game(GameAction::ViewPreviousPly)
            | Action::Game(GameAction::ViewNextPly)
            | Action::Game(GameAction::Branch)
    )
}

/// What was said is said again in another language.
pub(crate) fn speak_anew(
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut spoken: Local<Option<Language>>,
) {
    let now = language();
    if spoken.replace(now).is_some_and(|before| before != now) {
        referee.translate();
        replay.translate();
    }
}
