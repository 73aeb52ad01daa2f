//! Setting a position up with the hand: pieces put down, moved and taken off,
//! until it is analysed or played on from.
//!
//! The game on the table stays there meanwhile.

use bevy::prelude::*;

use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, EditorAction, GameAction},
            schedule::AppSet,
            states::Screen,
        },
        game::referee::Referee,
        replay::Replay,
        scene::api::{Highlights, SceneCommand},
    },
    games::{AnyPosition, Line, RuleSet},
    records::{self, Record},
    table::{Draft, Figure, Seat, Waiting},
    words::Why,
};

/// The position being set up.
#[derive(Resource)]
pub struct Editor {
    /// As far as it is.
    pub draft: Draft,
    /// What a touch puts down; none takes off.
    pub tool: Option<Figure>,
    /// Who plays from here, by [`crate::games::Side::index`], where that was
    /// chosen here.
    pub seats: Option<[Seat; 2]>,
    /// Where it was opened from.
    from: Screen,
    past: Vec<Draft>,
    future: Vec<Draft>,
}

impl Default for Editor {
    fn default() -> Self {
        let draft = Draft::start(RuleSet::TablutAshton);
        let tool = draft.kinds().first().copied();
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
        self.enter_position(draft);
        true
    }

    fn enter_position(&mut self, draft: Draft) {
        if self.tool.is_none_or(|tool| !draft.kinds().contains(&tool)) {
            self.tool = draft.kinds().first().copied();
        }
        self.draft = draft;
    }

    fn cue(&self) -> SceneCommand {
        let sticks = match self.draft.sticks {
            Waiting::Use(throw) if self.draft.rules().has_sticks() => Some(throw),
            Waiting::Use(_) | Waiting::Throw | Waiting::ThrowingOff => None,
        };
        SceneCommand::SetPosition {
            rules: self.draft.rules(),
            pieces: self.draft.standing(),
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
pub(crate) fn read(rules: RuleSet, text: &str) -> Result<Draft, Why> {
    if text.trim_start().starts_with('[') {
        let games = records::read(text).map_err(|error| error.why)?;
        let last = games.last().map(|game| Draft::of(game.line().position()));
        return last.ok_or(Why::of("why.expected-game"));
    }
    Draft::read(rules, text).map_err(|error| error.why)
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Editor>()
        .add_systems(Update, (enter, edit, leave, mark).chain().in_set(AppSet::ApplyActions));
}

/// Opens the editor with what is looked at, or with the start of a game.
fn enter(
    mut acts: MessageReader<Action>,
    mut editor: ResMut<Editor>,
    mut cues: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        let Action::Editor(EditorAction::Enter(rules)) = act else { continue };
        if referee.lesson || *screen.get() == Screen::Editor {
            continue;
        }
        let at = |line: &Line<AnyPosition>, plies| line.at(plies).map(Draft::of);
        let looked_at = match screen.get() {
            Screen::Table => {
                referee.table.as_ref().and_then(|table| at(table.line(), referee.looked_at()))
            }
            Screen::Replay => replay.line().and_then(|line| at(line, replay.at)),
            // What was set up last by the same rules is still there.
            Screen::Title | Screen::Editor => {
                rules.filter(|&rules| rules != editor.draft.rules()).map(Draft::start)
            }
        };
        let from_its_analysis = *screen.get() == Screen::Replay && replay.set_up;
        if let Some(draft) = looked_at {
            editor.enter_position(draft);
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
    mut acts: MessageReader<Action>,
    mut editor: ResMut<Editor>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<SceneCommand>,
    marks: Res<Highlights>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        let editor = &mut *editor;
        let (tool, cursor, before) = (editor.tool, marks.cursor, editor.draft.clone());
        if let Action::Game(GameAction::Undo) | Action::Game(GameAction::Redo) = act {
            if editor.turn(*act == Action::Game(GameAction::Undo)) {
                cues.write(editor.cue());
            }
            continue;
        }
        let changed = match act {
            Action::Game(GameAction::SelectSquare(square)) => editor.draft.touch(*square, tool),
            Action::Game(GameAction::PressCursor) => {
                cursor.is_some_and(|square| editor.draft.touch(square, tool))
            }
            Action::Editor(EditorAction::MovePiece(from, to)) => editor.draft.shift(*from, *to),
            Action::Editor(EditorAction::SelectTool(tool)) => {
                if tool.is_none_or(|tool| editor.draft.kinds().contains(&tool)) {
                    editor.tool = *tool;
                }
                false
            }
            Action::Editor(EditorAction::SetSeats(seats)) => {
                editor.seats = Some(*seats);
                false
            }
            Action::Editor(EditorAction::SetSideToMove(side)) => {
                editor.draft.side = *side;
                true
            }
            Action::Editor(EditorAction::SetSticks(waiting)) => {
                editor.draft.sticks = *waiting;
                true
            }
            Action::Editor(EditorAction::SetRules(rules)) => {
                let mut draft = editor.draft.clone();
                draft.turn_to(*rules);
                editor.enter_position(draft);
                true
            }
            Action::Editor(EditorAction::Clear) => {
                editor.draft.clear();
                true
            }
            Action::Editor(EditorAction::SetStartPosition) => {
                editor.draft = Draft::start(editor.draft.rules());
                true
            }
            Action::Editor(EditorAction::SetText(text)) => match read(editor.draft.rules(), text) {
                Ok(draft) => {
                    referee.notice = None;
                    editor.enter_position(draft);
                    true
                }
                Err(why) => {
                    referee.notify_error(why);
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
    mut acts: MessageReader<Action>,
    editor: Res<Editor>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut advice: ResMut<Analysis>,
    mut cues: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        match act {
            Action::Editor(EditorAction::Analyse) => match editor.draft.position() {
                Ok(position) => {
                    let record = Record::new(Line::new(position));
                    cues.write(replay.open(record, Why::of("edit.position")));
                    replay.set_up = true;
                    advice.analysis = true;
                    next.set(Screen::Replay);
                }
                Err(error) => referee.notify_error(error.why),
            },
            Action::Editor(EditorAction::Leave) => {
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
fn mark(editor: Res<Editor>, screen: Res<State<Screen>>, mut marks: ResMut<Highlights>) {
    if *screen.get() != Screen::Editor {
        return;
    }
    let mut new = marks.pointer_only();
    new.selectable = marks
        .hovered
        .filter(|&square| {
            let mut tried = editor.draft.clone();
            tried.touch(square, editor.tool)
        })
        .into_iter()
        .collect();
    marks.set_if_neq(new);
}
