//! The game on the table: the resource that validates every move.
//!
//! Every action is passed to the [`GameSession`], which asks the rules. What comes
//! back (the events of the ply, or why it was refused) goes to the scene as a
//! [`SceneCommand`] and to the panels as text.
//!
//! Architecture invariant: nothing else changes a game.

mod actions;
mod autosave;
mod files;
pub(crate) mod messages;
mod online;
mod opponent;
mod program;
mod question;
mod refusal;
mod results;
mod tutored;

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::{
        core::{actions::GameAction, notice::Notice, states::OnTable},
        scene::{
            api::{MotionStatus, SceneCommand},
            plies::{pieces_at, set_position_command, tumble_seed},
        },
        settings::options::TutorMode,
    },
    games::{AnyMove, AnyPosition, Event, GameKind, Illegal, Ply, RuleSet, Square, Throw, Turn},
    i18n::LocalizedMessage,
    session::{
        self, ClickOutcome, GameSession, PieceTracker, Seat, Selection, Setup, UnratedReason,
    },
};

pub(crate) use autosave::{Autosave, SaveGames};
pub use files::OpenedFile;
pub(crate) use files::{
    FileActions, left_out_notice, read_game, read_games, read_valid_games, saved_title,
    write_record,
};
pub use messages::GameLog;
use messages::NoticeChange;
pub(crate) use online::OnlineRequest;
pub use opponent::EngineThinking;
pub use question::Question;
use question::Subject;
use refusal::{Refused, illegal_reason, unreachable_reason};
pub(crate) use results::GameResults;
use tutored::TutoredMove;

/// A game that waits until a lesson or an exercise ends.
struct SuspendedGame {
    table: Option<GameSession>,
    saved: bool,
    autosaved: bool,
}

/// The game on the table: the resource that validates every move.
#[derive(Resource, Default)]
pub struct Referee {
    /// The game; none before the first.
    pub table: Option<GameSession>,
    /// The squares selected so far.
    pub selection: Selection,
    /// A question to the player that is not answered yet.
    pub question: Option<Question>,
    /// Whether the game as it stands was saved to a file of the player's choice.
    pub saved: bool,
    /// Whether the game as it stands is in its autosave file.
    pub autosaved: bool,
    /// Whether this is a game or an exercise, and which.
    pub on_table: OnTable,
    /// Whether no moves are accepted: that step is done, or an online game waits.
    pub locked: bool,
    /// The earlier ply being viewed; none at the current position.
    pub viewed_ply: Option<usize>,
    /// Whether the tutor judges the person's moves.
    pub(crate) tutor: TutorMode,
    tutored: Option<TutoredMove>,
    /// What to tell the player, in order.
    notice_changes: Vec<NoticeChange>,
    /// What the player wants of the server of an online game.
    requests: Vec<OnlineRequest>,
    suspended: Option<SuspendedGame>,
    tracker: PieceTracker,
    legal_moves: Vec<AnyMove>,
    /// Whether the game had ended when it was put on this table, and is not in its own file:
    /// its result is known.
    is_finished_copy: bool,
    /// How many games have been put on this table.
    pub(in crate::app::game) games_started: u64,
    /// The number of the game whose file this one continues, if it is the next of
    /// a match.
    continues: Option<u64>,
}

impl Referee {
    /// The legal moves of the position on the table.
    #[must_use]
    pub fn legal_moves(&self) -> &[AnyMove] {
        &self.legal_moves
    }

    /// Whether there is a game, on the table or waiting for the end of a lesson.
    fn has_game(&self) -> bool {
        self.game().is_some()
    }

    /// Whether this is a step of a lesson, practice or a puzzle instead of a game.
    #[must_use]
    pub const fn is_exercise(&self) -> bool {
        self.on_table.is_exercise()
    }

    /// Whether plies of a person are accepted.
    const fn is_free(&self) -> bool {
        !self.locked && self.tutored.is_none()
    }

    /// The game, also while it waits for the end of a lesson or an exercise.
    pub(crate) fn game(&self) -> Option<&GameSession> {
        match &self.suspended {
            Some(suspended) if self.is_exercise() => suspended.table.as_ref(),
            _ => self.table.as_ref(),
        }
    }

    /// Whether a game is on the table that goes on and counts for ratings.
    pub(crate) fn counts_for_ratings(&self) -> bool {
        let table = self.table.as_ref().filter(|_| !self.is_exercise());
        table.is_some_and(|table| table.unrated_reason().is_none() && table.outcome().is_none())
    }

    /// Takes the game on the table out of the ratings, since the player got help, and
    /// says so.
    pub(crate) fn set_unrated(&mut self) {
        let helped = |table: &mut GameSession| table.set_unrated(UnratedReason::Help);
        if self.counts_for_ratings() && self.table.as_mut().is_some_and(helped) {
            self.notify(LocalizedMessage::new("play.unrated"));
        }
    }

    /// The number of the game on the table, which rises with each that is put there.
    #[must_use]
    pub(crate) const fn game_number(&self) -> u64 {
        self.games_started
    }

    /// Whether it is a person's turn to move.
    #[must_use]
    pub fn awaits_move(&self) -> bool {
        self.is_free() && self.table.as_ref().is_some_and(GameSession::person_moves)
    }

    /// Whether it is a person's turn to throw.
    #[must_use]
    pub fn awaits_throw(&self) -> bool {
        self.is_free() && self.table.as_ref().is_some_and(GameSession::person_throws)
    }

    /// Whether the computer's reply waits until the last ply has been seen. Nothing waits
    /// while a clock runs.
    fn reply_waits(&self, motion: &MotionStatus) -> bool {
        motion.rests && self.table.as_ref().is_some_and(|table| table.clock().is_none())
    }

    /// Replaces the game and returns the scene's new setup.
    pub(crate) fn set_game(&mut self, table: GameSession) -> SceneCommand {
        self.is_finished_copy = table.outcome().is_some();
        self.on_table = Self::kind_of_game(&table);
        self.table = Some(table);
        self.games_started += 1;
        self.saved = false;
        self.continues = None;
        (self.suspended, self.tutored, self.locked) = (None, None, false);
        self.notice_changes.push(NoticeChange::PutAway);
        self.reset()
    }

    fn kind_of_game(table: &GameSession) -> OnTable {
        if table.is_online() { OnTable::OnlineGame } else { OnTable::Game }
    }

    /// Sets up an exercise of this kind. The game on the table waits meanwhile and is not
    /// touched.
    pub(crate) fn set_exercise(&mut self, kind: OnTable, table: GameSession) -> SceneCommand {
        if !self.is_exercise() {
            let table = self.table.take();
            let (saved, autosaved) = (self.saved, self.autosaved);
            self.suspended = Some(SuspendedGame { table, saved, autosaved });
            self.tutored = None;
        }
        self.table = Some(table);
        (self.on_table, self.locked) = (kind, false);
        self.notice_changes.push(NoticeChange::PutAway);
        self.reset()
    }

    /// Plays the opponent's answer in an exercise.
    pub(crate) fn play_in_exercise(&mut self, mv: AnyMove) -> Option<SceneCommand> {
        if self.is_exercise() { self.play(mv) } else { None }
    }

    /// Ends a lesson or an exercise: puts the game back that waited meanwhile and
    /// returns the scene's setup; none when there was no game.
    pub(crate) fn resume_suspended(&mut self) -> Option<SceneCommand> {
        if !self.is_exercise() {
            return None;
        }
        let suspended = self.suspended.take();
        (self.table, self.saved, self.autosaved) =
            suspended.map_or((None, false, false), |it| (it.table, it.saved, it.autosaved));
        self.on_table = self.table.as_ref().map_or(OnTable::Game, Self::kind_of_game);
        self.locked = false;
        self.notice_changes.push(NoticeChange::PutAway);
        self.table.is_some().then(|| self.reset())
    }

    /// Starts a game with today's date.
    fn begin(&mut self, setup: Setup) -> SceneCommand {
        let mut table = GameSession::new(setup);
        table.date(session::today());
        self.set_game(table)
    }

    /// Starts the next game of the match, in the match's file; none if none is due.
    fn begin_next_game(&mut self) -> Option<SceneCommand> {
        if self.is_exercise() {
            return None;
        }
        let mut next = self.table.as_ref()?.next_game()?;
        next.date(session::today());
        let before = self.games_started;
        let command = self.set_game(next);
        self.continues = Some(before);
        Some(command)
    }

    /// The scene's setup for the current position.
    pub(crate) fn scene_setup(&mut self) -> Option<SceneCommand> {
        self.table.is_some().then(|| self.reset())
    }

    /// Rebuilds everything derived from the game after a jump (undo, redo, open).
    fn reset(&mut self) -> SceneCommand {
        self.clear_selection();
        self.viewed_ply = None;
        let Some(table) = &self.table else {
            return SceneCommand::SkipAnimations;
        };
        self.legal_moves = table.history().legal_moves();
        let history = table.history();
        self.tracker = pieces_at(history, history.len());
        set_position_command(table.rules(), &self.tracker, history, history.len())
    }

    fn clear_selection(&mut self) {
        self.selection.clear();
        self.question = None;
    }

    /// Plays one ply; returns the scene's command on success.
    fn apply(
        &mut self,
        what: Refused<'_>,
        play: impl FnOnce(&mut GameSession) -> Result<&[Event], Illegal>,
    ) -> Option<SceneCommand> {
        let by_person = self.awaits_move() || self.awaits_throw();
        let table = self.table.as_mut()?;
        let by_person = by_person || table.hand_throws();
        let before = table.history().position().clone();
        let played = play(table).map(<[Event]>::to_vec);
        // A new ply leaves the view of an earlier one.
        let was_viewing = self.viewed_ply.take().is_some();
        self.clear_selection();
        match played {
            Ok(events) => {
                self.notice_changes.push(NoticeChange::Played { by_person });
                self.saved = false;
                let command = self.show(&before, &events);
                Some(if was_viewing { self.reset() } else { command })
            }
            Err(reason) => {
                self.refuse(what, &reason);
                was_viewing.then(|| self.reset())
            }
        }
    }

    fn play(&mut self, mv: AnyMove) -> Option<SceneCommand> {
        self.apply(Refused::Text(&mv.to_string()), |table| table.play(mv))
    }

    fn throw_sticks(&mut self) -> Option<SceneCommand> {
        self.apply(Refused::Throw, GameSession::throw)
    }

    fn show(&mut self, before: &AnyPosition, events: &[Event]) -> SceneCommand {
        let effects = self.tracker.follow(before, events);
        let Some(table) = &self.table else {
            return SceneCommand::SkipAnimations;
        };
        let history = table.history();
        self.legal_moves = history.legal_moves();
        SceneCommand::PlayPly { effects, tumble_seed: tumble_seed(table.seed(), history.len()) }
    }

    /// Handles a click on a square. With `confirm` a complete move must be
    /// confirmed before it is played.
    fn select_square(&mut self, square: Square, confirm: bool) -> Option<SceneCommand> {
        // A refusal belongs to the click before.
        self.notice_changes.push(NoticeChange::TriedAgain);
        let table = self.table.as_ref()?;
        // A move answers an offer, too.
        let is_asked = self.question.as_ref().is_some_and(|question| !question.is_offer());
        if is_asked || self.viewed_ply.is_some() || !self.awaits_move() {
            return None;
        }
        let selected = self.selection.origin();
        let outcome = self.selection.click(square, &self.legal_moves);
        match (&outcome, selected) {
            // In Tablaaza one click is a whole move, so an illegal one needs a reason.
            (ClickOutcome::Ignored, None) if table.rules().game() == GameKind::Tablaaza => {
                let text = square.to_string();
                if let Some(reason) = illegal_reason(table, &text) {
                    self.refuse(Refused::Text(&text), &reason);
                }
            }
            (ClickOutcome::Deselected, Some(from)) => {
                if let Some(message) = unreachable_reason(table, from, square) {
                    self.set_notice(Notice::no_effect(message));
                }
            }
            _ => {}
        }
        self.handle_click(outcome, confirm)
    }

    /// Moves the selected piece to the square that it was dropped on, or says why it may
    /// not stand there. It stays selected.
    fn drop_piece(&mut self, square: Square, confirm: bool) -> Option<SceneCommand> {
        if self.selection.next(&self.legal_moves).contains(&square) {
            return self.select_square(square, confirm);
        }
        let from = self.selection.origin()?;
        self.notice_changes.push(NoticeChange::TriedAgain);
        if let Some(message) = unreachable_reason(self.table.as_ref()?, from, square) {
            self.set_notice(Notice::no_effect(message));
        }
        None
    }

    fn handle_click(&mut self, outcome: ClickOutcome, confirm: bool) -> Option<SceneCommand> {
        match outcome {
            ClickOutcome::Complete(mv) if confirm => {
                self.ask(Subject::Move(mv));
                None
            }
            ClickOutcome::Complete(mv) => self.play_choice(mv),
            ClickOutcome::Ambiguous(square) => {
                self.ask(Subject::Square(square));
                None
            }
            ClickOutcome::Selected | ClickOutcome::Deselected | ClickOutcome::Ignored => None,
        }
    }

    fn type_move(&mut self, text: &str) -> Option<SceneCommand> {
        let table = self.table.as_ref()?;
        if !self.awaits_move() {
            self.notify_refusal(LocalizedMessage::new("illegal.not-yet").with("text", text));
            return None;
        }
        match table.history().parse(text) {
            Ok(Ply::Move(mv)) => self.play_choice(mv),
            Ok(Ply::Throw(_)) => {
                self.notify_refusal(
                    LocalizedMessage::new("illegal.thrown-not-written").with("text", text),
                );
                None
            }
            Err(reason) => {
                self.refuse(Refused::Text(&format!("'{text}'")), &reason);
                None
            }
        }
    }

    fn throw(&mut self) -> Option<SceneCommand> {
        if self.awaits_throw() && self.is_online() {
            self.request_throw();
            return None;
        }
        if self.awaits_throw() { self.throw_sticks() } else { None }
    }

    /// Enters the score of sticks thrown by hand.
    fn enter_throw(&mut self, plain: u8) -> Option<SceneCommand> {
        let throw = Throw::new(plain)?;
        if self.tutored.is_some() || !self.table.as_ref()?.hand_throws() {
            return None;
        }
        self.apply(Refused::Throw, |table| table.enter_throw(throw))
    }

    /// Applies an undo or redo and rebuilds when it changed something.
    fn rewind(&mut self, change: impl FnOnce(&mut GameSession) -> bool) -> Option<SceneCommand> {
        let counted = self.counts_for_ratings();
        if !change(self.table.as_mut()?) {
            return None;
        }
        self.tutored = None;
        self.saved = false;
        self.notice_changes.push(NoticeChange::PutAway);
        if counted && !self.counts_for_ratings() {
            self.notify(LocalizedMessage::new("play.unrated"));
        }
        Some(self.reset())
    }

    /// Runs the clock; true when a flag fell.
    pub(crate) fn run_clock(&mut self, elapsed: Duration) -> bool {
        let flag_fell = self.table.as_mut().is_some_and(|table| table.run_clock(elapsed));
        if flag_fell {
            self.clear_selection();
            self.saved = false;
        }
        flag_fell
    }

    /// Shows the position after so many plies without changing the game.
    fn view_ply(&mut self, plies: usize) -> Option<SceneCommand> {
        let history = self.table.as_ref()?.history();
        let plies = plies.min(history.len());
        if plies == history.len() {
            return self.viewed_ply.is_some().then(|| self.reset());
        }
        let tracker = pieces_at(history, plies);
        let command = set_position_command(history.start().rules(), &tracker, history, plies);
        self.clear_selection();
        self.viewed_ply = Some(plies);
        Some(command)
    }

    /// The number of plies shown.
    #[must_use]
    pub fn shown_ply(&self) -> usize {
        let all = self.table.as_ref().map_or(0, |table| table.history().len());
        self.viewed_ply.unwrap_or(all)
    }

    /// Continues from the ply being viewed. The original game stays in its file;
    /// the branch gets its own.
    fn branch(&mut self) -> Option<SceneCommand> {
        let plies = self.viewed_ply?;
        let branch = self.table.as_ref()?.branch(plies);
        let kept = self.autosaved;
        let command = self.set_game(branch);
        if kept {
            self.notify(LocalizedMessage::new("notice.branched").with("ply", plies));
        }
        Some(command)
    }

    fn resign(&mut self) {
        let Some(table) = &mut self.table else { return };
        if table.resigning_side().is_some_and(|side| table.resign(side)) {
            self.clear_selection();
            self.saved = false;
        }
    }

    /// Ends the game as a draw by agreement.
    pub(crate) fn agree_draw(&mut self) {
        if self.table.as_mut().is_some_and(GameSession::agree) {
            self.clear_selection();
            self.saved = false;
        }
    }

    /// Offers a draw. Asks the opponent if that is a person; returns true if it
    /// is an engine, which the caller must ask.
    pub(crate) fn offer_draw(&mut self) -> bool {
        let Some(table) = &self.table else { return false };
        if self.is_exercise() || table.outcome().is_some() || !table.knows_draws() {
            return false;
        }
        if self.request_action(&GameAction::OfferDraw) {
            return false;
        }
        let Some(table) = &self.table else { return false };
        let side = table.turn().and_then(Turn::side).filter(|_| table.person_moves());
        let Some(side) = side else {
            self.notify(LocalizedMessage::new("notice.draw-not-now"));
            return false;
        };
        let other = side.other().index();
        match table.seats()[other] {
            Seat::Engine(_) => return true,
            Seat::Program => {
                let name = table.names()[other].clone();
                self.notify(LocalizedMessage::new("notice.program-offers").with("name", name));
                return false;
            }
            Seat::Person | Seat::Remote => {}
        }
        self.ask(Subject::Draw(side));
        false
    }
}

/// Applies actions to the game and sends the scene what happened.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Referee>()
        .init_resource::<GameLog>()
        .add_plugins((files::plugin, autosave::plugin, results::plugin, opponent::plugin))
        .add_systems(
            Update,
            (actions::apply_actions, messages::translate)
                .chain()
                .in_set(crate::app::core::schedule::AppSet::ApplyActions),
        )
        .add_systems(
            Update,
            messages::write_log
                .run_if(resource_changed::<Referee>)
                .in_set(crate::app::core::schedule::AppSet::Report),
        )
        .add_systems(
            Update,
            tell_what_is_on_the_table
                .run_if(resource_changed::<Referee>)
                .in_set(crate::app::core::schedule::AppSet::Report),
        )
        .add_systems(
            Update,
            messages::show_notices.in_set(crate::app::core::schedule::AppSet::Notify),
        );
}

/// Lets the state [`OnTable`] follow the referee.
fn tell_what_is_on_the_table(
    referee: Res<Referee>,
    shown: Res<State<OnTable>>,
    mut next: ResMut<NextState<OnTable>>,
) {
    if *shown.get() != referee.on_table {
        next.set(referee.on_table);
    }
}

/// Run condition: this is on the table.
pub(crate) fn on_table(what: OnTable) -> impl Fn(Res<Referee>) -> bool + Clone {
    move |referee| referee.on_table == what
}

/// The seats of a game that the command line starts: a person against an engine.
#[must_use]
pub fn default_setup(rules: RuleSet) -> Setup {
    Setup {
        seats: [Seat::Person, Seat::Engine(crate::engines::Level::Casual)],
        ..Setup::new(rules)
    }
}
