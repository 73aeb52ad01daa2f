//! The game on the table: the resource that validates every move.
//!
//! Every action is passed to the [`GameSession`], which asks the rules. What comes
//! back (the events of the ply, or why it was refused) goes to the scene as a
//! [`SceneCommand`] and to the player as [`News`].
//!
//! Architecture invariant: nothing else plays or takes back a ply. Exercises and online
//! games may lock the table, and an exercise suspends the game. Who plays, what is saved
//! and what a server is asked are the concern of other plugins of this folder.

mod online;
mod question;
mod refusal;
mod tutored;

use crate::{
    app::{
        core::{notice::LocalizedText, prelude::*},
        scene::{
            api::{MotionStatus, SceneCommand},
            plies::{pieces_at, play_ply_command, set_position_command},
        },
        settings::options::TutorMode,
    },
    games::Illegal,
    session::{self, ClickOutcome, Effect, PieceTracker, Selection, UnratedReason},
};

pub(crate) use online::OnlineRequest;
pub use question::{Question, QuestionText};
use refusal::{Refused, illegal_reason, unreachable_reason, unselectable_reason};
use tutored::TutoredMove;

/// The game on the table: the resource that validates every move.
#[derive(Resource, Default)]
pub struct Referee {
    /// The game; none before the first.
    pub table: Option<GameSession>,
    /// The squares selected so far.
    pub selection: Selection,
    /// The first step of a pair that is chosen whole but not played yet: its piece stands
    /// there already.
    placed_step: Option<[Square; 2]>,
    /// A question to the player that is not answered yet.
    pub question: Option<Question>,
    /// Whether this is a game or an exercise, and which.
    pub on_table: OnTable,
    /// Whether no moves are accepted: that step is done, or an online game waits.
    pub locked: bool,
    /// The side from whose seat an exercise is seen; none for the seat taken before.
    pub(in crate::app::game) exercise_seat: Option<Side>,
    /// The earlier ply being viewed; none at the current position.
    pub viewed_ply: Option<usize>,
    /// The move that waits for the tutor's verdict.
    tutored: Option<TutoredMove>,
    /// The pieces, which keep their identities from ply to ply.
    tracker: PieceTracker,
    legal_moves: Vec<AnyMove>,
    /// How many games have been put on this table.
    games_started: u64,
    /// Whether the game had ended when it was put on this table.
    began_over: bool,
    /// What has happened since it was last asked.
    news: Vec<News>,
}

/// What happened at the table that concerns the notice which the player sees.
#[derive(Clone, Debug)]
pub(in crate::app::game) enum News {
    /// Something to say, such as why a move was refused.
    Notice(Notice),
    /// Another game or position is there.
    PutOnTable,
    /// The player tried something else.
    TriedAgain,
    /// A ply was played.
    Played {
        /// Whether by a person, who has seen the notice.
        by_person: bool,
    },
}

/// How an action at the table is answered.
#[derive(Debug, Default)]
pub(crate) enum Response {
    /// Nothing else follows.
    #[default]
    Done,
    /// The scene follows.
    Scene(SceneCommand),
    /// The server of an online game is asked.
    Online(OnlineRequest),
    /// The analysis gives this help.
    Help(Help),
}

/// Help for which a game no longer counts for a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// A hint.
    Hint,
    /// The evaluation.
    Evaluation,
    /// The best lines.
    Analysis,
}

/// What is undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The last ply; against an engine, the plies back to the player's own turn.
    Ply,
    /// The whole turn (Tablan).
    Turn,
}

impl Undo {
    fn apply(self, table: &mut GameSession) -> bool {
        match self {
            Self::Ply => table.undo(),
            Self::Turn => table.undo_turn(),
        }
    }
}

/// The player wants this help although the game will not count then.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct HelpAccepted(pub(crate) Help);

impl From<Option<SceneCommand>> for Response {
    fn from(command: Option<SceneCommand>) -> Self {
        command.map_or(Self::Done, Self::Scene)
    }
}

/// Settings that decide how a chosen move is played.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveOptions {
    /// Whether the player confirms each move.
    pub(crate) confirm: bool,
    /// Whether the tutor judges the moves.
    pub(crate) tutor: TutorMode,
}

impl Referee {
    /// The legal moves of the position on the table.
    pub fn legal_moves(&self) -> &[AnyMove] {
        &self.legal_moves
    }

    /// Whether this is a step of a lesson, practice or a puzzle instead of a game.
    pub const fn is_exercise(&self) -> bool {
        self.on_table.is_exercise()
    }

    /// Whether plies of a person are accepted.
    const fn is_free(&self) -> bool {
        !self.locked && self.tutored.is_none()
    }

    /// Whether a game is on the table that goes on and counts for ratings.
    pub(crate) fn counts_for_ratings(&self) -> bool {
        let table = self.table.as_ref().filter(|_| !self.is_exercise());
        table.is_some_and(|table| table.unrated_reason().is_none() && table.outcome().is_none())
    }

    /// Takes the game on the table out of the ratings, since the player got help, and
    /// says so.
    pub(crate) fn set_unrated(&mut self) {
        if self.accept_unrated(UnratedReason::Help) {
            self.say_that(LocalizedMessage::new("play.unrated"));
        }
    }

    /// The same where the player was asked before, and knows it; whether it counted.
    fn accept_unrated(&mut self, why: UnratedReason) -> bool {
        let set = |table: &mut GameSession| table.set_unrated(why);
        let counted = self.counts_for_ratings() && self.table.as_mut().is_some_and(set);
        if counted {
            // What it asks about is settled.
            self.question.take_if(|question| question.is_about_rating());
        }
        counted
    }

    /// The number of the game on the table, which rises with each that is put there.
    pub(crate) const fn game_number(&self) -> u64 {
        self.games_started
    }

    /// Whether the game had ended when it was put on this table.
    pub(in crate::app::game) const fn began_over(&self) -> bool {
        self.began_over
    }

    /// Whether it is a person's turn to move.
    pub fn awaits_move(&self) -> bool {
        self.is_free() && self.table.as_ref().is_some_and(GameSession::person_moves)
    }

    /// Whether it is a person's turn to throw.
    pub fn awaits_throw(&self) -> bool {
        self.is_free() && self.thrower() == Some(Thrower::Person)
    }

    /// Who makes the throw that is due.
    pub(super) fn thrower(&self) -> Option<Thrower> {
        self.table.as_ref()?.thrower()
    }

    /// Whether the computer's reply waits until the last ply has been seen. Nothing waits
    /// while a clock runs.
    pub(super) fn reply_waits(&self, motion: &MotionStatus) -> bool {
        motion.rests && self.table.as_ref().is_some_and(|table| table.clock().is_none())
    }

    /// Replaces the game and returns the scene's new setup.
    pub(crate) fn set_game(&mut self, table: GameSession) -> SceneCommand {
        self.began_over = table.outcome().is_some();
        self.on_table = Self::kind_of_game(&table);
        self.table = Some(table);
        self.games_started += 1;
        (self.tutored, self.locked) = (None, false);
        self.news.push(News::PutOnTable);
        self.reset()
    }

    fn kind_of_game(table: &GameSession) -> OnTable {
        if table.is_online() { OnTable::OnlineGame } else { OnTable::Game }
    }

    /// Sets up an exercise of this kind, seen from this side's seat.
    pub(crate) fn set_exercise(
        &mut self,
        kind: OnTable,
        table: GameSession,
        seat: Option<Side>,
    ) -> SceneCommand {
        (self.table, self.exercise_seat) = (Some(table), seat);
        (self.on_table, self.tutored, self.locked) = (kind, None, false);
        self.news.push(News::PutOnTable);
        self.reset()
    }

    /// Plays the opponent's answer in an exercise.
    pub(crate) fn play_in_exercise(&mut self, mv: AnyMove) -> Option<SceneCommand> {
        if self.is_exercise() { self.play(mv) } else { None }
    }

    /// Puts the game back that was on the table before an exercise; none if there was none.
    /// Returns the scene's setup.
    pub(super) fn end_exercise(&mut self, game: Option<GameSession>) -> Option<SceneCommand> {
        self.table = game;
        self.on_table = self.table.as_ref().map_or(OnTable::Game, Self::kind_of_game);
        self.locked = false;
        self.news.push(News::PutOnTable);
        self.scene_setup()
    }

    /// Starts a game with today's date.
    pub(super) fn begin(&mut self, setup: Setup) -> SceneCommand {
        let mut table = GameSession::new(setup);
        table.date(session::today());
        self.set_game(table)
    }

    /// Starts the next game of the match; none if none is due.
    pub(super) fn begin_next_game(&mut self) -> Option<SceneCommand> {
        if self.is_exercise() {
            return None;
        }
        let mut next = self.table.as_ref()?.next_game()?;
        next.date(session::today());
        Some(self.set_game(next))
    }

    /// The scene's setup for the current position.
    pub(crate) fn scene_setup(&mut self) -> Option<SceneCommand> {
        self.table.is_some().then(|| self.reset())
    }

    /// Rebuilds everything derived from the game after a jump (undo, redo, open).
    pub(super) fn reset(&mut self) -> SceneCommand {
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

    /// What has happened since the last time.
    pub(in crate::app::game) fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Shows a notice in place of the last one.
    fn say(&mut self, notice: Notice) {
        self.news.push(News::Notice(notice));
    }

    pub(super) fn say_that(&mut self, text: impl Into<LocalizedText>) {
        self.say(Notice::new(text, false));
    }

    pub(super) fn clear_selection(&mut self) {
        self.end_choice();
        self.placed_step = None;
    }

    /// Ends the choice of a move that is not played yet: the piece that stands on its new
    /// square stays there.
    fn end_choice(&mut self) {
        self.selection.clear();
        self.question = None;
    }

    /// The first step of a pair, whose piece stands on its new square although the pair is
    /// not played yet.
    pub(crate) fn placed_step(&self) -> Option<[Square; 2]> {
        self.selection.first_step().or(self.placed_step)
    }

    /// Chooses a square, and remembers which step of a whole pair was chosen first.
    fn choose(
        &mut self,
        choice: impl FnOnce(&mut Selection, &[AnyMove]) -> ClickOutcome,
    ) -> ClickOutcome {
        let first = self.selection.first_step();
        let outcome = choice(&mut self.selection, &self.legal_moves);
        let is_whole = matches!(outcome, ClickOutcome::Complete(_));
        self.placed_step = first.filter(|_| is_whole);
        outcome
    }

    /// Plays one ply; returns the scene's command on success.
    fn apply(
        &mut self,
        what: Refused<'_>,
        play: impl FnOnce(&mut GameSession) -> Result<&[Event], Illegal>,
    ) -> Option<SceneCommand> {
        let by_person =
            self.awaits_move() || self.awaits_throw() || self.thrower() == Some(Thrower::Hand);
        let table = self.table.as_mut()?;
        let played = play(table).map(|_| ());
        // A new ply leaves the view of an earlier one.
        let was_viewing = self.viewed_ply.take().is_some();
        let placed = self.placed_step.take();
        // The opponent's reply does not answer whether to undo.
        let asked = self.question.filter(|asked| !by_person && matches!(asked, Question::Undo(_)));
        self.clear_selection();
        self.question = asked;
        match played {
            Ok(()) => {
                if let (Some([from, _]), Some(table)) = (placed, &mut self.table) {
                    table.note_first_step(from);
                }
                self.news.push(News::Played { by_person });
                if was_viewing { Some(self.reset()) } else { self.show(placed) }
            }
            Err(reason) => {
                self.refuse(what, &reason);
                was_viewing.then(|| self.reset())
            }
        }
    }

    pub(super) fn play(&mut self, mv: AnyMove) -> Option<SceneCommand> {
        self.apply(Refused::Text(&mv.to_string()), |table| table.play(mv))
    }

    pub(super) fn throw_sticks(&mut self) -> Option<SceneCommand> {
        self.apply(Refused::Throw, GameSession::throw)
    }

    /// Follows the last ply; a step whose piece stands there already comes first.
    fn show(&mut self, placed: Option<[Square; 2]>) -> Option<SceneCommand> {
        let table = self.table.as_ref()?;
        let history = table.history();
        self.legal_moves = history.legal_moves();
        let command = play_ply_command(&mut self.tracker, history, history.len(), table.seed());
        // The rules play a pair in their own order; on the table it happens in the order
        // chosen by hand.
        command.map(|mut command| {
            if let (SceneCommand::PlayPly(ply), Some(step)) = (&mut command, placed) {
                move_to_front(&mut ply.effects, step);
            }
            command
        })
    }

    /// Handles a click on a square.
    pub(super) fn select_square(&mut self, square: Square, options: MoveOptions) -> Response {
        // A refusal belongs to the click before.
        self.news.push(News::TriedAgain);
        // A move answers an offer, too.
        let is_asked =
            self.question.is_some_and(|question| !matches!(question, Question::Offer(..)));
        if is_asked || self.viewed_ply.is_some() || !self.awaits_move() {
            return Response::Done;
        }
        let selected = self.selection.origin();
        let outcome = self.choose(|selection, legal| selection.click(square, legal));
        let Some(table) = &self.table else { return Response::Done };
        match (&outcome, selected) {
            // In Tablaaza one click is a whole move, so an illegal one needs a reason.
            (ClickOutcome::Ignored, None) if table.rules().game() == GameKind::Tablaaza => {
                let text = square.to_string();
                if let Some(reason) = illegal_reason(table, &text) {
                    self.refuse(Refused::Text(&text), &reason);
                }
            }
            (ClickOutcome::Ignored, None) => {
                if let Some(message) = unselectable_reason(table, square) {
                    self.say_refusal(message);
                }
            }
            (ClickOutcome::Deselected, Some(from)) => {
                let reason = unreachable_reason(table, from, square).or_else(|| {
                    (square != from).then(|| unselectable_reason(table, square)).flatten()
                });
                if let Some(message) = reason {
                    self.say_refusal(message);
                }
            }
            _ => {}
        }
        self.handle_click(outcome, options)
    }

    /// Moves the selected piece to the square that it was dropped on, as a click does. A drop
    /// on another piece of its side ends the selection, and does not select that piece.
    pub(super) fn drop_piece(&mut self, square: Square, options: MoveOptions) -> Response {
        let is_target = self.selection.next(&self.legal_moves).contains(&square);
        let selected = self.selection.origin().zip(self.table.as_ref());
        let on_own = selected.filter(|(from, table)| {
            !is_target && unreachable_reason(table, *from, square).is_none()
        });
        let square = on_own.map_or(square, |(from, _)| from);
        self.select_square(square, options)
    }

    fn handle_click(&mut self, outcome: ClickOutcome, options: MoveOptions) -> Response {
        match outcome {
            ClickOutcome::Complete(mv) if options.confirm => self.ask(Question::Move(mv)),
            ClickOutcome::Complete(mv) => return self.play_choice(mv, options.tutor),
            ClickOutcome::Ambiguous(square) => self.ask(Question::Square(square)),
            ClickOutcome::Selected | ClickOutcome::Deselected | ClickOutcome::Ignored => {}
        }
        Response::Done
    }

    pub(super) fn type_move(&mut self, text: &str, tutor: TutorMode) -> Response {
        let Some(table) = &self.table else { return Response::Done };
        if !self.awaits_move() {
            self.say_refusal(LocalizedMessage::new("illegal.not-yet").with("text", text));
            return Response::Done;
        }
        match table.history().parse(text) {
            Ok(Ply::Move(mv)) => return self.play_choice(mv, tutor),
            Ok(Ply::Throw(_)) => self.say_refusal(
                LocalizedMessage::new("illegal.thrown-not-written").with("text", text),
            ),
            Err(reason) => self.refuse(Refused::Text(&format!("'{text}'")), &reason),
        }
        Response::Done
    }

    pub(super) fn throw(&mut self) -> Response {
        match (self.awaits_throw(), self.is_online()) {
            (true, true) => self.request_throw(),
            (true, false) => self.throw_sticks().into(),
            (false, _) => Response::Done,
        }
    }

    /// Enters the score of sticks thrown by hand.
    pub(super) fn enter_throw(&mut self, plain: u8) -> Option<SceneCommand> {
        let throw = Throw::new(plain)?;
        if self.tutored.is_some() || self.thrower() != Some(Thrower::Hand) {
            return None;
        }
        self.apply(Refused::Throw, |table| table.enter_throw(throw))
    }

    /// Undoes plies. Where the game would then no longer count for ratings, asks before;
    /// a move that the tutor still judges is taken back at once.
    pub(super) fn undo(&mut self, what: Undo) -> Option<SceneCommand> {
        let can_undo = self.table.as_ref().is_some_and(GameSession::can_undo);
        if can_undo && self.counts_for_ratings() && self.tutored.is_none() {
            self.ask(Question::Undo(what));
            return None;
        }
        self.rewind(|table| what.apply(table))
    }

    /// Applies an undo or redo and rebuilds when it changed something.
    pub(super) fn rewind(
        &mut self,
        change: impl FnOnce(&mut GameSession) -> bool,
    ) -> Option<SceneCommand> {
        let counted = self.counts_for_ratings();
        if !change(self.table.as_mut()?) {
            return None;
        }
        self.tutored = None;
        self.news.push(News::PutOnTable);
        if counted && !self.counts_for_ratings() {
            self.say_that(LocalizedMessage::new("play.unrated"));
        }
        Some(self.reset())
    }

    /// Runs the clock; true when a flag fell.
    pub(crate) fn run_clock(&mut self, elapsed: Duration) -> bool {
        let flag_fell = self.table.as_mut().is_some_and(|table| table.run_clock(elapsed));
        if flag_fell {
            self.clear_selection();
        }
        flag_fell
    }

    /// Shows the position after so many plies without changing the game.
    pub(super) fn view_ply(&mut self, plies: usize) -> Option<SceneCommand> {
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
    pub fn shown_ply(&self) -> usize {
        let all = self.table.as_ref().map_or(0, |table| table.history().len());
        self.viewed_ply.unwrap_or(all)
    }

    /// Continues from the ply being viewed, and says so where the original game `is_kept` in
    /// its file; the branch gets its own.
    pub(super) fn branch(&mut self, is_kept: bool) -> Option<SceneCommand> {
        let plies = self.viewed_ply?;
        let branch = self.table.as_ref()?.branch(plies);
        let command = self.set_game(branch);
        if is_kept {
            self.say_that(LocalizedMessage::new("notice.branched").with("ply", plies));
        }
        Some(command)
    }

    pub(super) fn resign(&mut self) {
        let Some(table) = &mut self.table else { return };
        if table.resigning_side().is_some_and(|side| table.resign(side)) {
            self.clear_selection();
        }
    }

    /// Ends the game as a draw by agreement.
    pub(crate) fn agree_draw(&mut self) {
        if self.table.as_mut().is_some_and(GameSession::agree) {
            self.clear_selection();
        }
    }

    /// Whether a draw can be offered.
    fn knows_draws(&self) -> bool {
        let table = self.table.as_ref().filter(|_| !self.is_exercise());
        table.is_some_and(|table| table.outcome().is_none() && table.rules().knows_draws())
    }

    /// Offers a draw at this table. Asks the opponent if that is a person; returns true if
    /// it is an engine, which the caller must ask.
    pub(crate) fn offer_draw(&mut self) -> bool {
        let can_offer = self.knows_draws() && !self.is_online();
        let Some(table) = self.table.as_ref().filter(|_| can_offer) else { return false };
        let side = table.turn().and_then(Turn::side).filter(|_| table.person_moves());
        let Some(side) = side else {
            self.say_that(LocalizedMessage::new("notice.draw-not-now"));
            return false;
        };
        let other = side.other().index();
        match table.seats()[other] {
            Seat::Engine(_) => return true,
            Seat::Program => {
                let name = table.names()[other].clone();
                self.say_that(LocalizedMessage::new("notice.program-offers").with("name", name));
                return false;
            }
            Seat::Person | Seat::Remote => {}
        }
        self.ask(Question::Draw(side));
        false
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Referee>().add_message::<OnlineRequest>().add_message::<HelpAccepted>();
}

/// Run condition: this is on the table.
pub(crate) fn on_table(what: OnTable) -> impl Fn(Res<Referee>) -> bool + Clone {
    move |referee| referee.on_table == what
}

/// Run condition: this was on the table in the last frame, and is not there any more.
pub(crate) fn left_table(what: OnTable) -> impl FnMut(Res<Referee>, Local<bool>) -> bool + Clone {
    move |referee, mut was_there| {
        let is_there = referee.on_table == what;
        std::mem::replace(&mut *was_there, is_there) && !is_there
    }
}

/// Moves the step of one piece, with what it captures, before all other effects.
fn move_to_front(effects: &mut [Effect], [from, to]: [Square; 2]) {
    let is_step = |effect: &Effect| matches!(effect, Effect::Move { path, .. } if path.first() == Some(&from) && path.last() == Some(&to));
    let Some(start) = effects.iter().position(is_step) else { return };
    let captures =
        effects[start + 1..].iter().take_while(|effect| matches!(effect, Effect::Remove { .. }));
    let end = start + 1 + captures.count();
    effects[..end].rotate_right(end - start);
}

/// The seats of a game that the command line starts: a person against an engine.
pub fn default_setup(rules: RuleSet) -> Setup {
    Setup {
        seats: [Seat::Person, Seat::Engine(crate::engines::Level::Casual)],
        ..Setup::new(rules)
    }
}
