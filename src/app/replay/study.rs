//! Playing and editing variations in a replay.
//!
//! Each change can be undone: the record before it is kept.

use super::{Replay, ShownLine};
use crate::{
    app::{
        core::prelude::*,
        game::{files::FileActions, record_files::write_record},
        platform::IS_WEB,
        scene::api::{MotionStatus, SceneCommand},
    },
    games::Illegal,
    records::{Glyph, NodeId},
    session::ClickOutcome,
};

/// The most changes that can be undone.
const MAX_UNDO: usize = 200;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, save.in_set(AppSet::Files).after(FileActions));
}

impl ShownLine {
    /// The line through a node to its end.
    pub(super) fn through(record: &Record, node: NodeId) -> Self {
        let tree = record.tree();
        let (mut history, mut nodes) = (record.line_to(node), tree.path(node));
        for next in tree.line(node).skip(1) {
            // Every ply of a record is legal.
            if tree.ply(next).is_none_or(|ply| history.push(ply).is_err()) {
                break;
            }
            nodes.push(next);
        }
        Self { history, nodes }
    }
}

impl Replay {
    /// Shows a node, and the line through it.
    fn go_to(&mut self, node: NodeId) -> Option<SceneCommand> {
        let record = self.record.as_ref().filter(|record| record.tree().contains(node))?;
        let ply = record.tree().path(node).len();
        self.line = Some(ShownLine::through(record, node));
        Some(self.jump(ply))
    }

    /// The moves that can be played at the position shown.
    pub fn legal_moves(&self) -> Vec<AnyMove> {
        let Some(history) = self.history() else { return Vec::new() };
        if self.ply == history.len() {
            return history.legal_moves();
        }
        history.at(self.ply).map_or_else(Vec::new, Game::legal_moves)
    }

    /// Whether a throw is due at the position shown.
    pub fn awaits_throw(&self) -> bool {
        let position = self.history().and_then(|history| history.at(self.ply));
        position.is_some_and(|position| matches!(position.turn(), Turn::Throw(_)))
    }

    /// Whether a change of the record can be undone, and redone.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (!self.undo_stack.is_empty(), !self.redo_stack.is_empty())
    }

    /// Plays a ply at the position shown: a new variation, or one that is known.
    fn play(&mut self, ply: Ply<AnyMove>) -> Result<Option<SceneCommand>, Illegal> {
        let (node, shown) = (self.node(), self.ply);
        let Some(record) = &self.record else { return Ok(None) };
        let mut changed = record.clone();
        let next = changed.play(node, ply)?;
        if changed.tree() != record.tree() {
            self.change(changed);
        }
        if let Some(record) = &self.record {
            self.line = Some(ShownLine::through(record, next));
        }
        self.ply = shown;
        self.find_ending();
        Ok(self.forward())
    }

    /// Replaces the record; what it was before can be restored.
    fn change(&mut self, changed: Record) {
        let node = self.node();
        if let Some(before) = self.record.replace(changed) {
            let is_same_game = self.record.as_ref().map(Record::history) == Some(before.history());
            if !is_same_game {
                // What was played is no longer the main line.
                self.game = None;
            }
            self.undo_stack.push((before, node));
            if self.undo_stack.len() > MAX_UNDO {
                self.undo_stack.remove(0);
            }
        }
        self.redo_stack.clear();
        self.revision += 1;
    }

    /// Changes the record with `edit`, which returns the node to show, or `None` if
    /// there is nothing to change.
    fn edit(
        &mut self,
        edit: impl FnOnce(&mut Record, NodeId) -> Option<NodeId>,
    ) -> Option<SceneCommand> {
        let mut changed = self.record.clone()?;
        let node = edit(&mut changed, self.node())?;
        self.change(changed);
        self.go_to(node)
    }

    /// Undoes the last change of the record, or redoes the one undone last.
    fn undo_or_redo(&mut self, back: bool) -> Option<SceneCommand> {
        let (from, to) = if back {
            (&mut self.undo_stack, &mut self.redo_stack)
        } else {
            (&mut self.redo_stack, &mut self.undo_stack)
        };
        let (record, node) = from.pop()?;
        let shown = self.line.as_ref().and_then(|line| line.nodes.get(self.ply.wrapping_sub(1)));
        let shown = shown.copied().unwrap_or(NodeId::ROOT);
        to.push((self.record.replace(record)?, shown));
        self.revision += 1;
        self.go_to(node)
    }

    fn click(&mut self, square: Square, told: &mut MessageWriter<Notify>) -> Option<SceneCommand> {
        let legal = self.legal_moves();
        let outcome = match self.selection.click(square, &legal) {
            // Between the target of a pair and another piece: the pair goes on.
            ClickOutcome::Ambiguous(square) => self.selection.extend(square, &legal),
            outcome => outcome,
        };
        match outcome {
            ClickOutcome::Complete(mv) => self.play(Ply::Move(mv)).ok().flatten(),
            ClickOutcome::Ignored => {
                let button = LocalizedMessage::new("act.play-from-here");
                told.write(Notify::info(if self.awaits_throw() {
                    LocalizedMessage::new("notice.throw-first")
                } else {
                    LocalizedMessage::new("notice.watched").with_message("button", button)
                }));
                None
            }
            ClickOutcome::Selected | ClickOutcome::Deselected | ClickOutcome::Ambiguous(_) => None,
        }
    }

    /// Plays a move or a throw that was typed.
    fn type_ply(&mut self, text: &str) -> Result<Option<SceneCommand>, Illegal> {
        let Some(history) = self.history() else { return Ok(None) };
        let mut line = history.clone();
        line.truncate(self.ply);
        let ply = line.parse(text)?;
        self.play(ply)
    }
}

/// Replaces the glyph with a suffix by this one, or removes it; other glyphs stay.
fn set_glyph(record: &mut Record, node: NodeId, glyph: Option<Glyph>) -> bool {
    let glyphs = record.tree().annotation(node).glyphs();
    let others: Vec<_> = glyphs.filter(|glyph| glyph.suffix().is_none()).collect();
    record.set_glyphs(node, others.into_iter().chain(glyph))
}

/// Replaces the comments of a node; clock times stay.
fn set_comment(record: &mut Record, node: NodeId, text: &str) {
    let comments = record.tree().annotation(node).comments();
    let clocks: Vec<String> =
        comments.iter().filter_map(|comment| clock_command(comment)).collect();
    record.clear_comments(node);
    for comment in clocks.iter().map(String::as_str).chain([text]) {
        record.add_comment(node, comment);
    }
}

/// The clock command in a comment.
fn clock_command(comment: &str) -> Option<String> {
    let start = comment.find("[%clk ")?;
    let end = comment[start..].find(']')? + start;
    Some(comment[start..=end].to_owned())
}

/// Plays moves, and applies the actions that change the record.
pub(super) fn apply_actions(
    mut actions: MessageReader<Action>,
    mut replay: ResMut<Replay>,
    mut told: MessageWriter<Notify>,
    mut commands: MessageWriter<SceneCommand>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
) {
    if *screen.get() != Screen::Replay {
        actions.clear();
        return;
    }
    for action in actions.read() {
        let plays = matches!(
            action,
            Action::Game(
                GameAction::SelectSquare(_) | GameAction::TypeMove(_) | GameAction::EnterThrow(_)
            )
        );
        if plays && motion.is_busy() {
            commands.write(SceneCommand::SkipAnimations);
        }
        let replay = &mut *replay;
        let command = match action {
            Action::Game(GameAction::SelectSquare(square)) => replay.click(*square, &mut told),
            Action::Game(GameAction::Deselect) => {
                replay.selection.clear();
                None
            }
            Action::Game(GameAction::TypeMove(text)) => {
                replay.type_ply(text).unwrap_or_else(|illegal| {
                    let reason = LocalizedMessage::from(illegal.message());
                    told.write(Notify(Notice::refusal(reason)));
                    None
                })
            }
            Action::Game(GameAction::EnterThrow(plain)) => {
                let throw = Throw::new(*plain).filter(|_| replay.awaits_throw());
                throw.and_then(|throw| replay.play(Ply::Throw(throw)).ok().flatten())
            }
            Action::Game(GameAction::Undo) => replay.undo_or_redo(true),
            Action::Game(GameAction::Redo) => replay.undo_or_redo(false),
            Action::Replay(action) => replay.apply_edit(action),
            _ => None,
        };
        if command.is_some() {
            replay.playing = false;
        }
        commands.write_batch(command);
    }
}

impl Replay {
    /// Applies an action that shows a node or changes the record.
    fn apply_edit(&mut self, action: &ReplayAction) -> Option<SceneCommand> {
        match action {
            ReplayAction::GoTo(node) => self.go_to(*node),
            ReplayAction::Promote => self.edit(|record, node| record.promote(node).then_some(node)),
            ReplayAction::MakeMain => {
                self.edit(|record, node| record.make_main(node).then_some(node))
            }
            ReplayAction::DeleteFromHere => self.edit(Record::delete),
            ReplayAction::SetGlyph(number) => self.edit(|record, node| {
                let glyph = number.map(Glyph);
                let known =
                    record.tree().annotation(node).glyphs().any(|other| Some(other) == glyph);
                set_glyph(record, node, glyph.filter(|_| !known)).then_some(node)
            }),
            ReplayAction::SetComment(text) => self.edit(|record, node| {
                set_comment(record, node, text);
                Some(node)
            }),
            ReplayAction::ToggleShape(shape) => {
                self.edit(|record, node| record.toggle_shape(node, *shape).then_some(node))
            }
            ReplayAction::ClearShapes => self.edit(|record, node| {
                let has_shapes = record.tree().annotation(node).shapes().next().is_some();
                record.clear_shapes(node);
                has_shapes.then_some(node)
            }),
            _ => None,
        }
    }
}

/// Writes the record to a file.
fn save(
    mut actions: MessageReader<ReplayAction>,
    mut replay: ResMut<Replay>,
    mut told: MessageWriter<Notify>,
) {
    for action in actions.read() {
        let ReplayAction::Save(path) = action else { continue };
        let Some(record) = &replay.record else { continue };
        let written = write_record(path, record.to_string());
        if written.is_ok() {
            replay.mark_saved();
            replay.file = Some(path.clone()).filter(|_| !IS_WEB);
        }
        told.write(written.unwrap_or_else(|failed| failed));
    }
}
