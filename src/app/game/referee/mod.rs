//! The game on the table, and the only place where an act changes it.
//!
//! Every act is put to the [`Table`], which asks the rules; what comes back
//! (the events of the ply, or why it was refused) is handed on: to the scene
//! as a [`SceneCommand`], to the panels as words.

mod actions;
mod autosave;
mod files;
pub(crate) mod highlights;
pub(crate) mod messages;
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
pub(crate) use files::{read_file, read_game};
use question::About;
pub use question::Question;
use refusal::{Part, why_not, why_not_there};

/// A game set aside for a lesson.
pub(crate) struct SuspendedGame {
    table: Option<Table>,
    saved: bool,
    kept: bool,
}

/// The game on the table: the resource that validates every move.
#[derive(Resource, Default)]
pub struct Referee {
    /// The game, once one was begun.
    pub table: Option<Table>,
    /// What is chosen so far.
    pub selection: Selection,
    /// A question that waits for its answer.
    pub question: Option<Question>,
    /// What happened in this game, newest last.
    pub said: Vec<String>,
    /// The last word to the person.
    pub notice: Option<Notice>,
    /// Whether an engine is thinking.
    pub thinking: bool,
    /// Whether the game is in a file of the person's choice as it stands.
    pub saved: bool,
    /// Whether the game is among the kept ones as it stands.
    pub kept: bool,
    /// Whether it is no game but a step of a lesson.
    pub lesson: bool,
    /// Whether that step is done: nothing more is played on it.
    pub rests: bool,
    /// How many plies are looked at while the game stands; none for all.
    pub looking: Option<usize>,
    roster: Roster,
    legal: Vec<AnyMove>,
    /// How many games were put on this table.
    begun: u64,
}

impl Referee {
    /// The legal moves of the position on the table.
    #[must_use]
    pub fn legal(&self) -> &[AnyMove] {
        &self.legal
    }

    /// Whether a person's move is due.
    #[must_use]
    pub fn plays(&self) -> bool {
        !self.rests && self.table.as_ref().is_some_and(Table::person_moves)
    }

    /// Whether a person's throw is due.
    #[must_use]
    pub fn throws(&self) -> bool {
        !self.rests && self.table.as_ref().is_some_and(Table::person_throws)
    }

    /// Puts a table up, and says what the scene must show.
    fn seat(&mut self, table: Table) -> SceneCommand {
        self.table = Some(table);
        self.begun += 1;
        self.saved = false;
        (self.lesson, self.rests) = (false, false);
        self.notice = None;
        self.say_again();
        self.reset()
    }

    /// Takes the game off the table for a lesson.
    pub(crate) fn set_aside(&mut self) -> SuspendedGame {
        SuspendedGame { table: self.table.take(), saved: self.saved, kept: self.kept }
    }

    /// Puts a step of a lesson on the table.
    pub(crate) fn teach(&mut self, table: Table) -> SceneCommand {
        self.table = Some(table);
        (self.lesson, self.rests) = (true, false);
        self.notice = None;
        self.say_again();
        self.reset()
    }

    /// Puts the game back that was set aside, and says what the scene must
    /// show; nothing where there was none.
    pub(crate) fn take_back(&mut self, aside: SuspendedGame) -> Option<SceneCommand> {
        (self.table, self.saved, self.kept) = (aside.table, aside.saved, aside.kept);
        (self.lesson, self.rests) = (false, false);
        self.notice = None;
        self.said.clear();
        self.say_again();
        self.table.is_some().then(|| self.reset())
    }

    /// Begins a game, dated today.
    fn begin(&mut self, setup: Setup) -> SceneCommand {
        let mut table = Table::new(setup);
        table.date(table::today());
        self.seat(table)
    }

    /// What the scene must show for the game on the table, as it is looked at.
    pub(crate) fn set_again(&mut self) -> Option<SceneCommand> {
        self.table.is_some().then(|| self.reset())
    }

    /// Takes up the table anew after a jump (undo, redo, open).
    fn reset(&mut self) -> SceneCommand {
        self.let_go();
        self.looking = None;
        let Some(table) = &self.table else {
            return SceneCommand::Finish;
        };
        self.legal = table.line().legal_moves();
        let line = table.line();
        self.roster = roster_at(line, line.len());
        set_cue(table.rules(), &self.roster, line, line.len())
    }

    fn let_go(&mut self) {
        self.selection.clear();
        self.question = None;
    }

    /// Plays a ply the table is asked for; the scene's cue on success.
    fn act(
        &mut self,
        what: Part<'_>,
        play: impl FnOnce(&mut Table) -> Result<&[Event], Illegal>,
    ) -> Option<SceneCommand> {
        let by_person = self.plays() || self.throws();
        let table = self.table.as_mut()?;
        let by_person = by_person || table.hand_throws();
        let before = table.line().position().clone();
        let played = play(table).map(<[Event]>::to_vec);
        // Whoever looks back is back at the game with the next ply.
        let back = self.looking.take().is_some();
        self.let_go();
        match played {
            Ok(events) => {
                self.notice.take_if(|it| by_person || !it.outlives_opponent_ply());
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
        self.act(Part::Text(&mv.to_string()), |table| table.play(mv))
    }

    fn cast(&mut self) -> Option<SceneCommand> {
        self.act(Part::Throw, Table::throw)
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

    /// A person touches a square. With `asks` a whole move is asked about
    /// before it is played.
    fn touch(&mut self, square: Square, asks: bool) -> Option<SceneCommand> {
        // What was said of the last touch is said.
        self.notice.take_if(|it| it.is_refusal);
        let table = self.table.as_ref()?;
        if self.question.is_some() || self.looking.is_some() || !self.plays() {
            return None;
        }
        let chosen = self.selection.chosen();
        let touched = self.selection.touch(square, &self.legal);
        match (&touched, chosen) {
            // Where one touch is a whole move, one that is none wants a reason.
            (Touched::Nothing, None) if table.rules().game() == GameKind::Tablaaza => {
                let text = square.to_string();
                if let Some(reason) = why_not(table, &text) {
                    self.refuse(Part::Text(&text), &reason);
                }
            }
            (Touched::LetGo, Some(from)) => {
                if let Some(why) = why_not_there(table, from, square) {
                    self.notice = Some(Notice::no_effect(why));
                }
            }
            _ => {}
        }
        self.touched(touched, asks)
    }

    fn touched(&mut self, touched: Touched, asks: bool) -> Option<SceneCommand> {
        match touched {
            Touched::Complete(mv) if asks => {
                self.ask(About::Move(mv));
                None
            }
            Touched::Complete(mv) => self.play(mv),
            Touched::Ambiguous(square) => {
                self.ask(About::Square(square));
                None
            }
            Touched::Chosen | Touched::LetGo | Touched::Nothing => None,
        }
    }

    fn type_move(&mut self, text: &str) -> Option<SceneCommand> {
        let table = self.table.as_ref()?;
        if !self.plays() {
            self.decline(Why::of("illegal.not-yet").with("text", text));
            return None;
        }
        match table.line().parse(text) {
            Ok(Ply::Move(mv)) => self.play(mv),
            Ok(Ply::Throw(_)) => {
                self.decline(Why::of("illegal.thrown-not-written").with("text", text));
                None
            }
            Err(reason) => {
                self.refuse(Part::Text(&format!("'{text}'")), &reason);
                None
            }
        }
    }

    fn throw(&mut self) -> Option<SceneCommand> {
        if self.throws() { self.cast() } else { None }
    }

    /// What sticks thrown by hand show.
    fn put_throw(&mut self, plain: u8) -> Option<SceneCommand> {
        let throw = Throw::new(plain)?;
        if !self.table.as_ref()?.hand_throws() {
            return None;
        }
        self.act(Part::Throw, |table| table.put_throw(throw))
    }

    /// Goes back or forth in the game by `change`, and takes the table up
    /// anew where that did something.
    fn turn_back(&mut self, change: impl FnOnce(&mut Table) -> bool) -> Option<SceneCommand> {
        if !change(self.table.as_mut()?) {
            return None;
        }
        self.saved = false;
        self.notice = None;
        self.say_again();
        Some(self.reset())
    }

    /// Says that so much time has gone by; true when it was the last of
    /// somebody's.
    pub(crate) fn run_clock(&mut self, elapsed: Duration) -> bool {
        let over = self.table.as_mut().is_some_and(|table| table.run_clock(elapsed));
        if over {
            self.let_go();
            self.saved = false;
            self.say_outcome();
        }
        over
    }

    /// Looks at the game after so many plies while it stands.
    fn look(&mut self, plies: usize) -> Option<SceneCommand> {
        let line = self.table.as_ref()?.line();
        let plies = plies.min(line.len());
        if plies == line.len() {
            return self.looking.is_some().then(|| self.reset());
        }
        let roster = roster_at(line, plies);
        let cue = set_cue(line.start().rules(), &roster, line, plies);
        self.let_go();
        self.looking = Some(plies);
        Some(cue)
    }

    /// How many plies are looked at.
    #[must_use]
    pub fn looked_at(&self) -> usize {
        let all = self.table.as_ref().map_or(0, |table| table.line().len());
        self.looking.unwrap_or(all)
    }

    /// Plays on from the ply looked at. The game as it was stays in its file;
    /// this one gets its own.
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

    /// The person who gives up or offers a draw: whoever is to move, or the
    /// only person at the table.
    pub(crate) fn person(&self) -> Option<Side> {
        let table = self.table.as_ref()?;
        let side = table.turn().and_then(Turn::side)?;
        let is_person = |side: Side| table.seats()[side.index()] == Seat::Person;
        [side, side.other()].into_iter().find(|&side| is_person(side))
    }

    fn resign(&mut self) {
        let Some(side) = self.person() else { return };
        if self.table.as_mut().is_some_and(|table| table.resign(side)) {
            self.let_go();
            self.saved = false;
            self.say_outcome();
        }
    }

    /// Both sides agree on a draw.
    pub(crate) fn agree(&mut self) {
        if self.table.as_mut().is_some_and(Table::agree) {
            self.let_go();
            self.saved = false;
            self.say_outcome();
        }
    }

    /// A person offers a draw: another person is asked; true where an engine
    /// must be.
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
        if crate::app::analysis::is_engine(table, side.other()) {
            return true;
        }
        self.ask(About::Draw(side));
        false
    }
}

/// The game on the table: acts in, cues out.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Referee>()
        .add_plugins((files::plugin, autosave::plugin, opponent::plugin))
        .add_systems(
            Update,
            (actions::judge, actions::speak_anew, highlights::mark)
                .chain()
                .in_set(crate::app::core::schedule::AppSet::ApplyActions),
        )
        .add_systems(
            Update,
            messages::show_notices.in_set(crate::app::core::schedule::AppSet::Notify),
        );
}

/// Begins a game with these words, for the command line.
#[must_use]
pub fn default_setup(rules: RuleSet) -> Setup {
    Setup { seats: [Seat::Person, Seat::Engine(crate::engines::Level::Casual)], ..Setup::of(rules) }
}
