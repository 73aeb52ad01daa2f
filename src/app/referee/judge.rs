//! Acts, put to the game one after the other.

use bevy::prelude::*;

use super::Referee;
use crate::{
    app::{
        acts::Act,
        replay::Replay,
        settings::Settings,
        stage::{Cue, Marks, Motion, Screen},
    },
    i18n::{Language, LocalizedMessage, language},
    table::GameSession,
};

/// Puts the acts to the game.
pub(super) fn judge(
    mut acts: MessageReader<Act>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<Cue>,
    motion: Res<Motion>,
    settings: Res<Settings>,
    marks: Res<Marks>,
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let asks = settings.confirm;
    for act in acts.read() {
        let at_table = *screen.get() == Screen::Table;
        // Acts about something else leave no trace on the game.
        if !concerns_the_game(act) {
            continue;
        }
        let referee = &mut *referee;
        if at_table && motion.is_busy() && hurries(act) {
            cues.write(Cue::Finish);
        }
        let cue = match act {
            Act::Press if at_table && referee.throws() => referee.throw(),
            Act::Touch(_) | Act::Press if at_table && referee.looking.is_some() => {
                let button = LocalizedMessage::new("bar.branch");
                referee.tell(
                    LocalizedMessage::new("notice.looked-back").with_message("button", button),
                );
                None
            }
            Act::Touch(square) if at_table => referee.touch(*square, asks),
            Act::Touch(_) if *screen.get() == Screen::Replay => {
                let button = LocalizedMessage::new("replay.play-on");
                referee
                    .tell(LocalizedMessage::new("notice.watched").with_message("button", button));
                None
            }
            Act::Press if at_table => marks.cursor.and_then(|square| referee.touch(square, asks)),
            Act::Answer(choice) if at_table => referee.answer(*choice, asks),
            Act::Type(text) if at_table => referee.type_move(text),
            Act::Throw if at_table => referee.throw(),
            Act::PutThrow(plain) if at_table => referee.put_throw(*plain),
            // A half that was only chosen is taken back before anything played.
            Act::Undo if at_table && referee.selection.first_step().is_some() => {
                referee.let_go();
                None
            }
            Act::Undo if at_table => referee.turn_back(GameSession::undo),
            Act::UndoTurn if at_table => referee.turn_back(GameSession::undo_turn),
            Act::Redo if at_table => referee.turn_back(GameSession::redo),
            Act::Look(plies) if at_table => referee.look(*plies),
            Act::LookBack if at_table => {
                let plies = referee.looked_at();
                referee.look(plies.saturating_sub(1))
            }
            Act::LookOn if at_table => {
                let plies = referee.looked_at();
                referee.look(plies.saturating_add(1))
            }
            Act::Branch if at_table => referee.branch(),
            Act::LetGo => {
                referee.let_go();
                None
            }
            Act::Resign if at_table => {
                referee.resign();
                None
            }
            Act::NewGame(setup) => {
                next.set(Screen::Table);
                Some(referee.begin(setup.clone()))
            }
            Act::Rematch => match referee.table.as_ref().map(GameSession::rematch) {
                Some(setup) => {
                    next.set(Screen::Table);
                    Some(referee.begin(setup))
                }
                None => None,
            },
            // A lesson is left by whoever teaches it.
            Act::Title if !referee.lesson => {
                referee.let_go();
                next.set(Screen::Title);
                None
            }
            Act::Table if referee.table.is_some() => {
                next.set(Screen::Table);
                Some(referee.reset())
            }
            Act::Hurry => Some(Cue::Finish),
            _ => None,
        };
        if let Some(cue) = cue {
            cues.write(cue);
        }
    }
}

/// Whether an act can change anything on the table at all.
const fn concerns_the_game(act: &Act) -> bool {
    !matches!(
        act,
        Act::Cursor(_)
            | Act::Hint
            | Act::OfferDraw
            | Act::Threats
            | Act::Value
            | Act::Show(_)
            | Act::Close
            | Act::Dismiss
            | Act::Configure(_)
            | Act::Forget(_)
            | Act::Copy
            | Act::CopyLink
            | Act::Export(_)
            | Act::StopExport
            | Act::TogglePlay
            | Act::StepForward
            | Act::StepBack
            | Act::Jump(_)
            | Act::Speed(_)
            | Act::Loop
            | Act::Analyse
            | Act::AutoCamera
            | Act::SetUp(_)
            | Act::EditRules(_)
            | Act::EditTool(_)
            | Act::EditMove(..)
            | Act::EditSide(_)
            | Act::EditSticks(_)
            | Act::EditSeats(_)
            | Act::EditClear
            | Act::EditStart
            | Act::EditText(_)
            | Act::EditAnalyse
            | Act::EditDone
            | Act::ResetView
            | Act::TopView
            | Act::TurnTable
            | Act::Course
            | Act::Learn(_)
            | Act::NextStep
            | Act::PreviousStep
            | Act::FirstStep
    )
}

/// Whether an act first brings running animations to their end.
const fn hurries(act: &Act) -> bool {
    matches!(
        act,
        Act::Touch(_)
            | Act::Press
            | Act::Answer(_)
            | Act::Type(_)
            | Act::Throw
            | Act::PutThrow(_)
            | Act::Undo
            | Act::UndoTurn
            | Act::Redo
            | Act::Look(_)
            | Act::LookBack
            | Act::LookOn
            | Act::Branch
    )
}

/// What was said is said again in another language.
pub(super) fn speak_anew(
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
