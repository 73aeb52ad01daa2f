//! The game on the table: the resource that validates every move.
//!
//! Every action is passed to the [`Table`], which asks the rules. What comes
//! back (the events of the ply, or why it was refused) goes to the scene as a
//! [`SceneCommand`] and to the panels as text.
//!
//! Architecture invariant: nothing else changes a game.

mod actions;
mod autosave;
mod files;
mod messages;
mod opponent;
mod question;
mod refusal;

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::{
        core::notice::Notice,
        scene::{
            api::SceneCommand,
            plies::{roster_at, set_cue, tumble},
        },
    },
    games::{
        AnyMove, AnyPosition, Event, GameKind, Illegal, Ply, RuleSet, Side, Square, Throw, Turn,
    },
    table::{self, Roster, Seat, Selection, Setup, Table, Touched, account},
    words::Why,
};

pub(crate) use autosave::Autosave;
pub use files::OpenedFile;
pub(crate) use files::{FileActions, read_file, read_game, read_games, saved_title};
pub use question::Question;
use question::Subject;
use refusal::{Refused, why_illegal, why_unreachable};

/// A game that waits until a lesson ends.
pub(crate) struct SuspendedGame {
    table: Option<Table>,
    saved: bool,
    kept: bool,
}

/// The game on the table: the resource that validates every move.
#[derive(Resource, Default)]
pub struct Referee {
    /// The game; none before the first.
    pub table: Option<Table>,
    /// The squares selected so far.
    pub selection: Selection,
    /// A question to the player that is not answered yet.
    pub question: Option<Question>,
    /// A log of the game in words, newest line last.
    pub said: Vec<String>,
    /// The last message to the player.
    pub notice: Option<Notice>,
    /// Whether an engine is thinking.
    pub thinking: bool,
    /// Whether the game as it stands was saved to a file of the player's choice.
    pub saved: bool,
    /// Whether the game as it stands is in its autosave file.
    pub kept: bool,
    /// Whether this is a step of a lesson instead of a game.
    pub lesson: bool,
    /// Whether that step is done, so that no more moves are accepted.
    pub rests: bool,
    /// The earlier ply being viewed; none at the current position.
    pub looking: Option<usize>,
    roster: Roster,
    legal: Vec<AnyMove>,
    /// How many games have been put on this table.
    begun: u64,
}

impl Referee {
    /// The legal moves of the position on the table.
    #[must_use]
    pub fn legal(&self) -> &[AnyMove] {
        &self.legal
    }

    /// Whether it is a person's turn to move.
    #[must_use]
    pub fn plays(&self) -> bool {
        !self.rests && self.table.as_ref().is_some_and(Table::person_moves)
    }

    /// Whether it is a person's turn to throw.
    #[must_use]
    pub fn throws(&self) -> bool {
        !self.rests && self.table.as_ref().is_some_and(Table::person_throws)
    }

    /// Replaces the game and returns the scene's new setup.
    pub(crate) fn seat(&mut self, table: Table) -> SceneCommand {
        self.table = Some(table);
        self.begun += 1;
        self.saved = false;
        (self.lesson, self.rests) = (false, false);
        self.notice = None;
        self.rebuild_log();
        self.reset()
    }

    /// Removes the game for a lesson and returns it.
    pub(crate) fn suspend(&mut self) -> SuspendedGame {
        SuspendedGame { table: self.table.take(), saved: self.saved, kept: self.kept }
    }

    /// Sets up a step of a lesson.
    pub(crate) fn set_lesson_step(&mut self, table: Table) -> SceneCommand {
        self.table = Some(table);
        (self.lesson, self.rests) = (true, false);
        self.notice = None;
        self.rebuild_log();
        self.reset()
    }

    /// Puts a suspended game back and returns the scene's setup; none when there
    /// was no game.
    pub(crate) fn resume_suspended(&mut self, aside: SuspendedGame) -> Option<SceneCommand> {
        (self.table, self.saved, self.kept) = (aside.table, aside.saved, aside.kept);
        (self.lesson, self.rests) = (false, false);
        self.notice = None;
        self.said.clear();
        self.rebuild_log();
        self.table.is_some().then(|| self.reset())
    }

    /// Starts a game with today's date.
    fn begin(&mut self, setup: Setup) -> SceneCommand {
        let mut table = Table::new(setup);
        table.date(table::today());
        self.seat(table)
    }

    /// The scene's setup for the current position.
    pub(crate) fn scene_setup(&mut self) -> Option<SceneCommand> {
        self.table.is_some().then(|| self.reset())
    }

    /// Rebuilds everything derived from the game after a jump (undo, redo, open).
    fn reset(&mut self) -> SceneCommand {
        self.clear_selection();
        self.looking = None;
        let Some(table) = &self.table else {
            return SceneCommand::Finish;
        };
        self.legal = table.line().legal_moves();
        let line = table.line();
        self.roster = roster_at(line, line.len());
        set_cue(table.rules(), &self.roster, line, line.len())
    }

    fn clear_selection(&mut self) {
        self.selection.clear();
        self.question = None;
    }

    /// Plays one ply; returns the scene's command on success.
    fn apply(
        &mut self,
        what: Refused<'_>,
        play: impl FnOnce(&mut Table) -> Result<&[Event], Illegal>,
    ) -> Option<SceneCommand> {
        let by_person = self.plays() || self.throws();
        let table = self.table.as_mut()?;
        let by_person = by_person || table.hand_throws();
        let before = table.line().position().clone();
        let played = play(table).map(<[Event]>::to_vec);
        // A new ply leaves the view of an earlier one.
        let back = self.looking.take().is_some();
        self.clear_selection();
        match played {
            Ok(events) => {
                self.notice.take_if(|it| by_person || !it.stays());
                self.saved = false;
                let cue = self.show(&before, &events);
                Some(if back { self.reset() } else { cue })
            }
            Err(reason) => {
                self.refuse(what, &reason);
                back.then(|| self.reset())
            }
        }
    }

    fn play(&mut self, mv: AnyMove) -> Option<SceneCommand> {
        self.apply(Refused::Text(&mv.to_string()), |table| table.play(mv))
    }

    fn throw_sticks(&mut self) -> Option<SceneCommand> {
        self.apply(Refused::Throw, Table::throw)
    }

    fn show(&mut self, before: &AnyPosition, events: &[Event]) -> SceneCommand {
        let effects = self.roster.follow(before, events);
        let Some(table) = &self.table else {
            return SceneCommand::Finish;
        };
        let line = table.line();
        self.said.extend(account(line, line.len()));
        self.legal = line.legal_moves();
        SceneCommand::Play { effects, tumble: tumble(table.seed(), line.len()) }
    }

    /// Handles a click on a square. With `confirm` a complete move must be
    /// confirmed before it is played.
    fn select_square(&mut self, square: Square, confirm: bool) -> Option<SceneCommand> {
        // A refusal belongs to the click before.
        self.notice.take_if(|it| it.is_refusal);
        let table = self.table.as_ref()?;
        if self.question.is_some() || self.looking.is_some() || !self.plays() {
            return None;
        }
        let chosen = self.selection.chosen();
        let touched = self.selection.touch(square, &self.legal);
        match (&touched, chosen) {
            // In Tablaaza one click is a whole move, so an illegal one needs a reason.
            (Touched::Nothing, None) if table.rules().game() == GameKind::Tablaaza => {
                let text = square.to_string();
                if let Some(reason) = why_illegal(table, &text) {
                    self.refuse(Refused::Text(&text), &reason);
                }
            }
            (Touched::LetGo, Some(from)) => {
                if let Some(why) = why_unreachable(table, from, square) {
                    self.notice = Some(Notice::of_a_touch(why));
                }
            }
            _ => {}
        }
        self.handle_click(touched, confirm)
    }

    fn handle_click(&mut self, touched: Touched, confirm: bool) -> Option<SceneCommand> {
        match touched {
            Touched::Complete(mv) if confirm => {
                self.ask(Subject::Move(mv));
                None
            }
            Touched::Complete(mv) => self.play(mv),
            Touched::Ambiguous(square) => {
                self.ask(Subject::Square(square));
                None
            }
            Touched::Chosen | Touched::LetGo | Touched::Nothing => None,
        }
    }

    fn type_move(&mut self, text: &str) -> Option<SceneCommand> {
        let table = self.table.as_ref()?;
        if !self.plays() {
            self.notify_refusal(Why::of("illegal.not-yet").with("text", text));
            return None;
        }
        match table.line().parse(text) {
            Ok(Ply::Move(mv)) => self.play(mv),
            Ok(Ply::Throw(_)) => {
                self.notify_refusal(Why::of("illegal.thrown-not-written").with("text", text));
                None
            }
            Err(reason) => {
                self.refuse(Refused::Text(&format!("'{text}'")), &reason);
                None
            }
        }
    }

    fn throw(&mut self) -> Option<SceneCommand> {
        if self.throws() { self.throw_sticks() } else { None }
    }

    /// Enters the score of sticks thrown by hand.
    fn enter_throw(&mut self, plain: u8) -> Option<SceneCommand> {
        let throw = Throw::new(plain)?;
        if !self.table.as_ref()?.hand_throws() {
            return None;
        }
        self.apply(Refused::Throw, |table| table.put_throw(throw))
    }

    /// Applies an undo or redo and rebuilds when it changed something.
    fn rewind(&mut self, change: impl FnOnce(&mut Table) -> bool) -> Option<SceneCommand> {
        if !change(self.table.as_mut()?) {
            return None;
        }
        self.saved = false;
        self.notice = None;
        self.rebuild_log();
        Some(self.reset())
    }

    /// Runs the clock; true when a flag fell.
    pub(crate) fn run_clock(&mut self, elapsed: Duration) -> bool {
        let over = self.table.as_mut().is_some_and(|table| table.run_clock(elapsed));
        if over {
            self.clear_selection();
            self.saved = false;
            self.log_outcome();
        }
        over
    }

    /// Shows the position after so many plies without changing the game.
    fn view_ply(&mut self, plies: usize) -> Option<SceneCommand> {
        let line = self.table.as_ref()?.line();
        let plies = plies.min(line.len());
        if plies == line.len() {
            return self.looking.is_some().then(|| self.reset());
        }
        let roster = roster_at(line, plies);
        let cue = set_cue(line.start().rules(), &roster, line, plies);
        self.clear_selection();
        self.looking = Some(plies);
        Some(cue)
    }

    /// The number of plies shown.
    #[must_use]
    pub fn looked_at(&self) -> usize {
        let all = self.table.as_ref().map_or(0, |table| table.line().len());
        self.looking.unwrap_or(all)
    }

    /// Continues from the ply being viewed. The original game stays in its file;
    /// the branch gets its own.
    fn branch(&mut self) -> Option<SceneCommand> {
        let plies = self.looking?;
        let branch = self.table.as_ref()?.branch(plies);
        let kept = self.kept;
        let cue = self.seat(branch);
        if kept {
            self.tell(Why::of("notice.branched").with("ply", plies));
        }
        Some(cue)
    }

    /// The person who resigns or offers a draw: the side to move, or the only
    /// person at the table.
    pub(crate) fn person(&self) -> Option<Side> {
        let table = self.table.as_ref()?;
        let side = table.turn().and_then(Turn::side)?;
        let is_person = |side: Side| table.seats()[side.index()] == Seat::Person;
        [side, side.other()].into_iter().find(|&side| is_person(side))
    }

    fn resign(&mut self) {
        let Some(side) = self.person() else { return };
        if self.table.as_mut().is_some_and(|table| table.resign(side)) {
            self.clear_selection();
            self.saved = false;
            self.log_outcome();
        }
    }

    /// Ends the game as a draw by agreement.
    pub(crate) fn agree_draw(&mut self) {
        if self.table.as_mut().is_some_and(Table::agree) {
            self.clear_selection();
            self.saved = false;
            self.log_outcome();
        }
    }

    /// Offers a draw. Asks the opponent if that is a person; returns true if it
    /// is an engine, which the caller must ask.
    pub(crate) fn offer_draw(&mut self) -> bool {
        let Some(table) = &self.table else { return false };
        if table.outcome().is_some() || !table.knows_draws() {
            return false;
        }
        let side = table.turn().and_then(Turn::side).filter(|_| table.person_moves());
        let Some(side) = side else {
            self.tell(Why::of("notice.draw-not-now"));
            return false;
        };
        if matches!(table.seats()[side.other().index()], Seat::Engine(_)) {
            return true;
        }
        self.ask(Subject::Draw(side));
        false
    }
}

/// Actions in, scene commands out.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Referee>()
        .add_plugins((files::plugin, autosave::plugin, opponent::plugin))
        .add_systems(
            Update,
            (actions::apply_actions, actions::translate)
                .chain()
                .in_set(crate::app::core::schedule::AppSet::ApplyActions),
        );
}

/// The seats of a game that the command line starts: a person against an engine.
#[must_use]
pub fn default_setup(rules: RuleSet) -> Setup {
    Setup { seats: [Seat::Person, Seat::Engine(crate::engines::Level::Casual)], ..Setup::of(rules) }
}
