//! The position editor: places, moves and removes pieces until the position is
//! analysed or played from.
//!
//! The game on the table stays there meanwhile.

use bevy::prelude::*;

use crate::{
    app::{
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

/// The position being edited.
#[derive(Resource)]
pub struct Editor {
    /// The position so far.
    pub draft: Draft,
    /// The piece that a click places; none removes the one there.
    pub tool: Option<Figure>,
    /// The players chosen for a game from here, by [`crate::games::Side::index`].
    pub seats: Option<[Seat; 2]>,
    /// The screen it was opened from.
    from: Screen,
    undo_stack: Vec<Draft>,
    redo_stack: Vec<Draft>,
}

impl Default for Editor {
    fn default() -> Self {
        let draft = Draft::start(RuleSet::TablutAshton);
        let tool = draft.kinds().first().copied();
        let (undo_stack, redo_stack) = default();
        Self { draft, tool, seats: None, from: Screen::Title, undo_stack, redo_stack }
    }
}

impl Editor {
    /// Whether undo and redo are possible.
    #[must_use]
    pub fn can_turn(&self) -> (bool, bool) {
        (!self.undo_stack.is_empty(), !self.redo_stack.is_empty())
    }

    /// Undoes the last change, or redoes the last one undone; false if none.
    fn undo_or_redo(&mut self, back: bool) -> bool {
        let (from, to) = if back {
            (&mut self.undo_stack, &mut self.redo_stack)
        } else {
            (&mut self.redo_stack, &mut self.undo_stack)
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

    fn scene_setup(&self) -> SceneCommand {
        let sticks = match self.draft.sticks {
            Waiting::Use(throw) if self.draft.rules().has_sticks() => Some(throw),
            Waiting::Use(_) | Waiting::Throw | Waiting::ThrowingOff => None,
        };
        SceneCommand::Set {
            rules: self.draft.rules(),
            figures: self.draft.standing(),
            // A piece removed from an edited position was not captured.
            captured: Vec::new(),
            sticks,
        }
    }
}

/// Reads a position by these rules, or the last position of a recorded game.
///
/// # Errors
/// The text is neither.
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
        .add_systems(Update, (enter, edit, leave, highlight).chain().in_set(AppSet::ApplyActions));
}

/// Opens the editor with the position shown, or with the start of a game.
fn enter(
    mut actions: MessageReader<Action>,
    mut editor: ResMut<Editor>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        let Action::Editor(EditorAction::Enter(rules)) = action else { continue };
        if referee.lesson || *screen.get() == Screen::Editor {
            continue;
        }
        let at = |line: &Line<AnyPosition>, plies| line.at(plies).map(Draft::of);
        let looked_at = match screen.get() {
            Screen::Table => {
                referee.table.as_ref().and_then(|table| at(table.line(), referee.looked_at()))
            }
            Screen::Replay => replay.line().and_then(|line| at(line, replay.at)),
            // The last position edited by the same rules is still there.
            Screen::Title | Screen::Editor => {
                rules.filter(|&rules| rules != editor.draft.rules()).map(Draft::start)
            }
        };
        let from_its_analysis = *screen.get() == Screen::Replay && replay.set_up;
        if let Some(draft) = looked_at {
            editor.enter_position(draft);
            (editor.undo_stack, editor.redo_stack) = default();
            if !from_its_analysis {
                editor.seats = None;
            }
        }
        // Coming back from its own analysis, it keeps the screen it was opened from.
        if !from_its_analysis {
            editor.from = *screen.get();
        }
        commands.write(editor.scene_setup());
        // A message about the game does not concern this position.
        referee.notice = None;
        next.set(Screen::Editor);
    }
}

/// Applies actions to the position.
fn edit(
    mut actions: MessageReader<Action>,
    mut editor: ResMut<Editor>,
    mut referee: ResMut<Referee>,
    mut commands: MessageWriter<SceneCommand>,
    marks: Res<Highlights>,
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        let editor = &mut *editor;
        let (tool, cursor, before) = (editor.tool, marks.cursor, editor.draft.clone());
        if let Action::Game(GameAction::Undo) | Action::Game(GameAction::Redo) = action {
            if editor.undo_or_redo(*action == Action::Game(GameAction::Undo)) {
                commands.write(editor.scene_setup());
            }
            continue;
        }
        let changed = match action {
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
            editor.undo_stack.push(before);
            editor.redo_stack.clear();
            commands.write(editor.scene_setup());
        }
    }
}

/// Leaves the editor: for an analysis, or back.
fn leave(
    mut actions: MessageReader<Action>,
    editor: Res<Editor>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        match action {
            Action::Editor(EditorAction::Analyse) => match editor.draft.position() {
                Ok(position) => {
                    let record = Record::new(Line::new(position));
                    commands.write(replay.open(record, Why::of("edit.position")));
                    replay.set_up = true;
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
                    Screen::Table => referee.scene_setup(),
                    Screen::Replay => replay.scene_setup(),
                    Screen::Title | Screen::Editor => None,
                };
                commands.write_batch(cue);
                next.set(back);
            }
            _ => {}
        }
    }
}

/// Highlights the square under the pointer if a click would change it.
fn highlight(editor: Res<Editor>, screen: Res<State<Screen>>, mut marks: ResMut<Highlights>) {
    if *screen.get() != Screen::Editor {
        return;
    }
    let mut new = marks.kept();
    new.touchable = marks
        .hovered
        .filter(|&square| {
            let mut tried = editor.draft.clone();
            tried.touch(square, editor.tool)
        })
        .into_iter()
        .collect();
    marks.set_if_neq(new);
}
