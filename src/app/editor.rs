//! Setting a position up with the hand: pieces put down, moved and taken off,
//! until it is analysed or played on from.
//!
//! The game on the table stays there meanwhile.

use bevy::prelude::*;

use super::{
    Steps,
    acts::Act,
    advice::Advice,
    referee::Referee,
    replay::Replay,
    stage::{Cue, Marks, Screen},
};
use crate::{
    games::{AnyPosition, GameHistory, RuleSet},
    i18n::LocalizedMessage,
    records::{self, Record},
    table::{PieceKind, PositionBuilder, Seat, ThrowState},
};

/// The position being set up.
#[derive(Resource)]
pub struct Editor {
    /// As far as it is.
    pub draft: PositionBuilder,
    /// What a touch puts down; none takes off.
    pub tool: Option<PieceKind>,
    /// Who plays from here, by [`crate::games::Side::index`], where that was
    /// chosen here.
    pub seats: Option<[Seat; 2]>,
    /// Where it was opened from.
    from: Screen,
    past: Vec<PositionBuilder>,
    future: Vec<PositionBuilder>,
}

impl Default for Editor {
    fn default() -> Self {
        let draft = PositionBuilder::start(RuleSet::TablutAshton);
        let tool = draft.piece_kinds().first().copied();
        let (past, future) = default();
        Self { draft, tool, seats: None, from: Screen::Title, past, future }
    }
}

impl Editor {
    /// Whether there is a change to take back, and one to make again.
    #[must_use]
    pub fn can_turn(&self) -> (bool, bool) {
        (!self.past.is_empty(), !self.future.is_empty())
    }

    /// Takes the last change back, or makes the one taken back last again.
    fn turn(&mut self, back: bool) -> bool {
        let (from, to) = if back {
            (&mut self.past, &mut self.future)
        } else {
            (&mut self.future, &mut self.past)
        };
        let Some(draft) = from.pop() else { return false };
        to.push(self.draft.clone());
        self.take_up(draft);
        true
    }

    fn take_up(&mut self, draft: PositionBuilder) {
        if self.tool.is_none_or(|tool| !draft.piece_kinds().contains(&tool)) {
            self.tool = draft.piece_kinds().first().copied();
        }
        self.draft = draft;
    }

    fn cue(&self) -> Cue {
        let sticks = match self.draft.throw_state {
            ThrowState::ToUse(throw) if self.draft.rules().has_sticks() => Some(throw),
            ThrowState::ToUse(_) | ThrowState::Due | ThrowState::ThrowingOff => None,
        };
        Cue::Set {
            rules: self.draft.rules(),
            figures: self.draft.placed_pieces(),
            // What is taken off a position that is set up was not captured.
            captured: Vec::new(),
            sticks,
        }
    }
}

/// What a text stands for: a position, by these rules rather than others; or,
/// where it is a game, the position that the game has come to.
///
/// # Errors
/// It is neither.
pub(crate) fn read(rules: RuleSet, text: &str) -> Result<PositionBuilder, LocalizedMessage> {
    if text.trim_start().starts_with('[') {
        let games = records::read(text).map_err(|error| error.message)?;
        let last =
            games.last().map(|game| PositionBuilder::from_position(game.history().position()));
        return last.ok_or(LocalizedMessage::new("why.expected-game"));
    }
    PositionBuilder::parse(rules, text).map_err(|error| error.message)
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Editor>()
        .add_systems(Update, (enter, edit, leave, mark).chain().in_set(Steps::Judge));
}

/// Opens the editor with what is looked at, or with the start of a game.
fn enter(
    mut acts: MessageReader<Act>,
    mut editor: ResMut<Editor>,
    mut cues: MessageWriter<Cue>,
    mut next: ResMut<NextState<Screen>>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        let Act::SetUp(rules) = act else { continue };
        if referee.lesson || *screen.get() == Screen::Editor {
            continue;
        }
        let at = |line: &GameHistory<AnyPosition>, plies| {
            line.at(plies).map(PositionBuilder::from_position)
        };
        let looked_at = match screen.get() {
            Screen::Table => {
                referee.table.as_ref().and_then(|table| at(table.history(), referee.looked_at()))
            }
            Screen::Replay => replay.history().and_then(|line| at(line, replay.at)),
            // What was set up last by the same rules is still there.
            Screen::Title | Screen::Editor => {
                rules.filter(|&rules| rules != editor.draft.rules()).map(PositionBuilder::start)
            }
        };
        let from_its_analysis = *screen.get() == Screen::Replay && replay.set_up;
        if let Some(draft) = looked_at {
            editor.take_up(draft);
            (editor.past, editor.future) = default();
            if !from_its_analysis {
                editor.seats = None;
            }
        }
        // Back from its own analysis, it is left for where it was opened from.
        if !from_its_analysis {
            editor.from = *screen.get();
        }
        cues.write(editor.cue());
        // What was said about the game is not about this position.
        referee.notice = None;
        next.set(Screen::Editor);
    }
}

/// Acts on the position.
fn edit(
    mut acts: MessageReader<Act>,
    mut editor: ResMut<Editor>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<Cue>,
    marks: Res<Marks>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        let editor = &mut *editor;
        let (tool, cursor, before) = (editor.tool, marks.cursor, editor.draft.clone());
        if let Act::Undo | Act::Redo = act {
            if editor.turn(*act == Act::Undo) {
                cues.write(editor.cue());
            }
            continue;
        }
        let changed = match act {
            Act::Touch(square) => editor.draft.toggle(*square, tool),
            Act::Press => cursor.is_some_and(|square| editor.draft.toggle(square, tool)),
            Act::EditMove(from, to) => editor.draft.move_piece(*from, *to),
            Act::EditTool(tool) => {
                if tool.is_none_or(|tool| editor.draft.piece_kinds().contains(&tool)) {
                    editor.tool = *tool;
                }
                false
            }
            Act::EditSeats(seats) => {
                editor.seats = Some(*seats);
                false
            }
            Act::EditSide(side) => {
                editor.draft.side = *side;
                true
            }
            Act::EditSticks(waiting) => {
                editor.draft.throw_state = *waiting;
                true
            }
            Act::EditRules(rules) => {
                let mut draft = editor.draft.clone();
                draft.set_rules(*rules);
                editor.take_up(draft);
                true
            }
            Act::EditClear => {
                editor.draft.clear();
                true
            }
            Act::EditStart => {
                editor.draft = PositionBuilder::start(editor.draft.rules());
                true
            }
            Act::EditText(text) => match read(editor.draft.rules(), text) {
                Ok(draft) => {
                    referee.notice = None;
                    editor.take_up(draft);
                    true
                }
                Err(why) => {
                    referee.complain(why);
                    false
                }
            },
            _ => false,
        };
        if changed && editor.draft != before {
            editor.past.push(before);
            editor.future.clear();
            cues.write(editor.cue());
        }
    }
}

/// Acts that go on from the editor.
fn leave(
    mut acts: MessageReader<Act>,
    editor: Res<Editor>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut advice: ResMut<Advice>,
    mut cues: MessageWriter<Cue>,
    mut next: ResMut<NextState<Screen>>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        match act {
            Act::EditAnalyse => match editor.draft.position() {
                Ok(position) => {
                    let record = Record::new(GameHistory::new(position));
                    cues.write(replay.open(record, LocalizedMessage::new("edit.position")));
                    replay.set_up = true;
                    advice.analysis = true;
                    next.set(Screen::Replay);
                }
                Err(error) => referee.complain(error.message),
            },
            Act::EditDone => {
                let back = match editor.from {
                    Screen::Table if referee.table.is_some() => Screen::Table,
                    Screen::Replay if replay.record.is_some() => Screen::Replay,
                    _ => Screen::Title,
                };
                let cue = match back {
                    Screen::Table => referee.set_again(),
                    Screen::Replay => replay.set_again(),
                    Screen::Title | Screen::Editor => None,
                };
                cues.write_batch(cue);
                next.set(back);
            }
            _ => {}
        }
    }
}

/// The square under the pointer answers where a touch would do something.
fn mark(editor: Res<Editor>, screen: Res<State<Screen>>, mut marks: ResMut<Marks>) {
    if *screen.get() != Screen::Editor {
        return;
    }
    let mut new = marks.kept();
    new.touchable = marks
        .hovered
        .filter(|&square| {
            let mut tried = editor.draft.clone();
            tried.toggle(square, editor.tool)
        })
        .into_iter()
        .collect();
    marks.set_if_neq(new);
}
