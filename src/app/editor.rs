//! The position editor: places, moves and removes pieces until the position is
//! analysed or played from.
//!
//! The game on the table stays there meanwhile.

use crate::{
    app::{
        core::prelude::*,
        game::referee::Referee,
        replay::{Replay, shown_game},
        scene::api::{Highlights, Pointed, SceneCommand, ShownPosition},
    },
    records,
    session::{PositionBuilder, ThrowState},
};

/// The position being edited.
#[derive(Resource)]
pub struct Editor {
    /// The position so far.
    pub draft: PositionBuilder,
    /// The piece that a click places; none removes the one there.
    pub tool: Option<PieceKind>,
    /// The players chosen for a game from here, by [`crate::games::Side::index`].
    pub seats: Option<[Seat; 2]>,
    /// The screen it was opened from.
    from: Screen,
    undo_stack: Vec<PositionBuilder>,
    redo_stack: Vec<PositionBuilder>,
}

impl Default for Editor {
    fn default() -> Self {
        let draft = PositionBuilder::start(RuleSet::TablutAshton);
        let tool = draft.piece_kinds().first().copied();
        let (undo_stack, redo_stack) = default();
        Self { draft, tool, seats: None, from: Screen::Title, undo_stack, redo_stack }
    }
}

impl Editor {
    /// Whether undo and redo are possible.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (!self.undo_stack.is_empty(), !self.redo_stack.is_empty())
    }

    /// Whether it was opened from the table.
    pub(crate) fn is_from_table(&self) -> bool {
        self.from == Screen::Table
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
        self.set_draft(draft);
        true
    }

    /// Replaces the position, and the tool if these rules do not have that piece.
    fn set_draft(&mut self, draft: PositionBuilder) {
        if self.tool.is_none_or(|tool| !draft.piece_kinds().contains(&tool)) {
            self.tool = draft.piece_kinds().first().copied();
        }
        self.draft = draft;
    }

    /// Places the chosen piece on a square, or removes the one there.
    fn click(&mut self, square: Square) {
        self.draft.toggle(square, self.tool);
    }

    /// Applies an action that changes the position, the tool or the players.
    fn apply(&mut self, action: &EditorAction) {
        match action {
            EditorAction::MovePiece(from, to) => {
                self.draft.move_piece(*from, *to);
            }
            EditorAction::SelectTool(tool) => {
                if tool.is_none_or(|tool| self.draft.piece_kinds().contains(&tool)) {
                    self.tool = *tool;
                }
            }
            EditorAction::SetSeats(seats) => self.seats = Some(*seats),
            EditorAction::SetSideToMove(side) => self.draft.side = *side,
            EditorAction::SetSticks(waiting) => self.draft.throw_state = *waiting,
            EditorAction::SetRules(rules) => {
                let mut draft = self.draft.clone();
                draft.set_rules(*rules);
                self.set_draft(draft);
            }
            EditorAction::Clear => self.draft.clear(),
            EditorAction::SetStartPosition => {
                self.draft = PositionBuilder::start(self.draft.rules());
            }
            EditorAction::Enter(_)
            | EditorAction::SetText(_)
            | EditorAction::Analyse
            | EditorAction::Leave => {}
        }
    }

    /// The scene's setup for the position.
    fn scene_setup(&self) -> SceneCommand {
        let sticks = match self.draft.throw_state {
            ThrowState::ToUse(throw) if self.draft.rules().has_sticks() => Some(throw),
            ThrowState::ToUse(_) | ThrowState::Due | ThrowState::ThrowingOff => None,
        };
        SceneCommand::SetPosition(ShownPosition {
            rules: self.draft.rules(),
            pieces: self.draft.placed_pieces(),
            // A piece removed from an edited position was not captured.
            captured: Vec::new(),
            sticks,
        })
    }
}

/// Reads a position by these rules, or the last position of a recorded game.
///
/// # Errors
/// The text is neither.
pub(crate) fn read(rules: RuleSet, text: &str) -> Result<PositionBuilder, LocalizedMessage> {
    if text.trim_start().starts_with('[') {
        let games = records::read(text).map_err(|error| error.message)?;
        let last =
            games.last().map(|game| PositionBuilder::from_position(game.history().position()));
        return last.ok_or_else(|| LocalizedMessage::new("why.expected-game"));
    }
    PositionBuilder::parse(rules, text).map_err(|error| error.message.into())
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Editor>().add_systems(
        Update,
        (enter, edit, leave, highlight.run_if(in_state(Screen::Editor)))
            .chain()
            .in_set(AppSet::ApplyActions),
    );
}

/// Opens the editor with the position shown, or with the start of a game.
fn enter(
    mut actions: MessageReader<EditorAction>,
    mut editor: ResMut<Editor>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
    mut notices: ResMut<Notices>,
    (referee, replay): (Res<Referee>, Res<Replay>),
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        let EditorAction::Enter(rules) = action else { continue };
        if referee.is_exercise() || *screen.get() == Screen::Editor {
            continue;
        }
        let shown = match shown_game(*screen.get(), &referee, &replay) {
            Some((history, ply)) => history.at(ply).map(PositionBuilder::from_position),
            // The last position edited by the same rules is still there.
            None => {
                rules.filter(|&rules| rules != editor.draft.rules()).map(PositionBuilder::start)
            }
        };
        let from_own_analysis = *screen.get() == Screen::Replay && replay.from_editor;
        if let Some(draft) = shown {
            editor.set_draft(draft);
            (editor.undo_stack, editor.redo_stack) = default();
            if !from_own_analysis {
                editor.seats = None;
            }
        }
        // After the analysis of its own position the editor still returns to the
        // screen that it was first opened from.
        if !from_own_analysis {
            editor.from = *screen.get();
        }
        commands.write(editor.scene_setup());
        // A message about the game does not concern this position.
        notices.clear();
        next.set(Screen::Editor);
    }
}

/// Applies actions to the position.
fn edit(
    mut actions: MessageReader<Action>,
    mut editor: ResMut<Editor>,
    mut notices: ResMut<Notices>,
    mut commands: MessageWriter<SceneCommand>,
    pointer: Res<Pointed>,
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        if *screen.get() != Screen::Editor {
            continue;
        }
        let before = editor.draft.clone();
        match action {
            Action::Game(GameAction::Undo | GameAction::Redo) => {
                if editor.undo_or_redo(*action == Action::Game(GameAction::Undo)) {
                    commands.write(editor.scene_setup());
                }
                continue;
            }
            Action::Game(GameAction::SelectSquare(square)) => editor.click(*square),
            Action::Game(GameAction::PressCursor) => {
                if let Some(square) = pointer.cursor {
                    editor.click(square);
                }
            }
            Action::Editor(EditorAction::SetText(text)) => match read(editor.draft.rules(), text) {
                Ok(draft) => {
                    notices.clear();
                    editor.set_draft(draft);
                }
                Err(reason) => notices.set(Notice::new(reason, true)),
            },
            Action::Editor(action) => editor.apply(action),
            _ => {}
        }
        if editor.draft != before {
            editor.undo_stack.push(before);
            editor.redo_stack.clear();
            commands.write(editor.scene_setup());
        }
    }
}

/// Leaves the editor: for an analysis, or back.
fn leave(
    mut actions: MessageReader<EditorAction>,
    editor: Res<Editor>,
    mut notices: ResMut<Notices>,
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
            EditorAction::Analyse => match editor.draft.position() {
                Ok(position) => {
                    let record = Record::new(GameHistory::new(position));
                    commands.write(replay.open(record, LocalizedMessage::new("edit.position")));
                    replay.from_editor = true;
                    next.set(Screen::Replay);
                }
                Err(error) => {
                    notices.set(Notice::new(LocalizedMessage::from(error.message), true));
                }
            },
            EditorAction::Leave => {
                let back = match editor.from {
                    Screen::Table if referee.table.is_some() => Screen::Table,
                    Screen::Replay if replay.record.is_some() => Screen::Replay,
                    _ => Screen::Title,
                };
                let command = match back {
                    Screen::Table => referee.scene_setup(),
                    Screen::Replay => replay.scene_setup(),
                    Screen::Title | Screen::Editor => None,
                };
                commands.write_batch(command);
                next.set(back);
            }
            _ => {}
        }
    }
}

/// Highlights the square under the pointer if a click would change it.
fn highlight(editor: Res<Editor>, pointer: Res<Pointed>, mut highlights: ResMut<Highlights>) {
    let changes = |square: &Square| editor.draft.clone().toggle(*square, editor.tool);
    let selectable = pointer.square.filter(changes).into_iter().collect();
    highlights.set_if_neq(Highlights { selectable, ..Highlights::default() });
}
