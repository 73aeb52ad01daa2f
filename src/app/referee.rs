//! The game on the table, and the only place where an act changes it.
//!
//! Every act is put to the [`Table`], which asks the rules; what comes back
//! (the events of the ply, or why it was refused) is handed on: to the scene
//! as a [`Cue`], to the panels as words.

mod files;
mod thinking;

use bevy::prelude::*;

use crate::{
    games::{AnyMove, Event, Line, Ply, RuleSet, Side, Square, Throw, Turn},
    table::{self, Roster, Seat, Selection, Setup, Table, Touched},
};

use super::{
    acts::Act,
    stage::{Cue, Marks, Motion, Screen},
};

pub(crate) use files::read_file;
pub use files::{autosave_path, saves_folder};

/// Something a person must choose between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// What can be answered.
    pub choices: Vec<String>,
    square: Square,
}

/// A word to the person about something that went wrong, or was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The word.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
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
    /// What was announced in this game, newest last.
    pub said: Vec<String>,
    /// The last word to the person.
    pub notice: Option<Notice>,
    /// Whether an engine is thinking.
    pub thinking: bool,
    /// Whether the game is in a file of the person's choice as it stands.
    pub saved: bool,
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

    /// Puts a table up, and says what the scene must show.
    fn seat(&mut self, table: Table) -> Cue {
        self.said.clear();
        for number in 1..=table.line().len() {
            let events = table.line().events(number);
            self.said.extend(events.iter().filter_map(|it| table::announce(table.rules(), it)));
        }
        self.table = Some(table);
        self.begun += 1;
        self.saved = false;
        self.notice = None;
        self.reset()
    }

    /// Takes up the table anew after a jump (undo, redo, open).
    fn reset(&mut self) -> Cue {
        self.let_go();
        let Some(table) = &self.table else {
            return Cue::Finish;
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

    fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), is_error: true });
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), is_error: false });
    }

    /// Plays a move or, with `None`, throws; the scene's cue on success.
    fn act(&mut self, mv: Option<AnyMove>) -> Option<Cue> {
        let table = self.table.as_mut()?;
        let before = table.line().position().clone();
        let played = match mv {
            Some(mv) => table.play(mv).map(<[Event]>::to_vec),
            None => table.throw().map(<[Event]>::to_vec),
        };
        self.let_go();
        match played {
            Ok(events) => {
                self.notice = None;
                self.saved = false;
                Some(self.show(&before, &events))
            }
            Err(reason) => {
                let what = mv.map_or_else(|| "The throw".to_owned(), |mv| mv.to_string());
                self.complain(format!("{what}: {reason}."));
                None
            }
        }
    }

    fn show(&mut self, before: &crate::games::AnyPosition, events: &[Event]) -> Cue {
        let effects = self.roster.follow(before, events);
        let Some(table) = &self.table else {
            return Cue::Finish;
        };
        let rules = table.rules();
        self.said.extend(events.iter().filter_map(|event| table::announce(rules, event)));
        self.legal = table.line().legal_moves();
        Cue::Play { effects, tumble: tumble(table.seed(), table.line().len()) }
    }

    /// A person touches a square.
    fn touch(&mut self, square: Square) -> Option<Cue> {
        let table = self.table.as_ref()?;
        if self.question.is_some() || !table.person_moves() {
            return None;
        }
        let touched = self.selection.touch(square, &self.legal);
        self.touched(touched)
    }

    fn touched(&mut self, touched: Touched) -> Option<Cue> {
        match touched {
            Touched::Complete(mv) => self.act(Some(mv)),
            Touched::Ambiguous(square) => {
                let piece = self.selection.touched().last().copied().unwrap_or(square);
                self.question = Some(Question {
                    text: format!("{square} can be two things:"),
                    choices: vec![
                        format!("Move the piece on {piece} to {square}"),
                        format!("Choose the piece on {square} instead"),
                    ],
                    square,
                });
                None
            }
            Touched::Chosen | Touched::LetGo | Touched::Nothing => None,
        }
    }

    fn answer(&mut self, choice: usize) -> Option<Cue> {
        let question = self.question.take()?;
        let touched = match choice {
            0 => self.selection.go_on(question.square, &self.legal),
            1 => self.selection.choose_anew(question.square, &self.legal),
            _ => {
                self.question = Some(question);
                return None;
            }
        };
        self.touched(touched)
    }

    fn type_move(&mut self, text: &str) -> Option<Cue> {
        let table = self.table.as_ref()?;
        if !table.person_moves() {
            self.complain(format!("'{text}': it is not a person's move now."));
            return None;
        }
        match table.line().parse(text) {
            Ok(Ply::Move(mv)) => self.act(Some(mv)),
            Ok(Ply::Throw(_)) => {
                self.complain(format!("'{text}': the sticks are thrown, not written."));
                None
            }
            Err(reason) => {
                self.complain(format!("'{text}': {reason}."));
                None
            }
        }
    }

    fn throw(&mut self) -> Option<Cue> {
        if self.table.as_ref()?.person_throws() { self.act(None) } else { None }
    }

    fn undo(&mut self) -> Option<Cue> {
        if !self.table.as_mut()?.undo() {
            return None;
        }
        self.saved = false;
        self.say_again();
        Some(self.reset())
    }

    fn redo(&mut self) -> Option<Cue> {
        if !self.table.as_mut()?.redo() {
            return None;
        }
        self.saved = false;
        self.say_again();
        Some(self.reset())
    }

    /// The announcements of the game as it now stands.
    fn say_again(&mut self) {
        if let Some(table) = self.table.take() {
            self.notice = None;
            self.said = (1..=table.line().len())
                .flat_map(|number| table.line().events(number))
                .filter_map(|event| table::announce(table.rules(), event))
                .collect();
            self.table = Some(table);
        }
    }

    fn resign(&mut self) {
        let Some(table) = self.table.as_mut() else { return };
        let Some(side) = table.turn().and_then(Turn::side) else { return };
        let person = |side: Side| table.seats()[side.index()] == Seat::Person;
        let side = if person(side) { side } else { side.other() };
        if person(side) && table.resign(side) {
            self.let_go();
            self.saved = false;
            if let Some(outcome) = self.table.as_ref().and_then(Table::outcome) {
                let rules = self.table.as_ref().map_or(RuleSet::Tablaaza, Table::rules);
                self.said.push(table::outcome_words(rules, outcome));
            }
        }
    }
}

/// The figures after `plies` plies.
#[must_use]
pub fn roster_at(line: &Line<crate::games::AnyPosition>, plies: usize) -> Roster {
    let mut roster = Roster::of(line.start());
    for number in 1..=plies.min(line.len()) {
        if let Some(before) = line.at(number - 1) {
            roster.follow(before, line.events(number));
        }
    }
    roster
}

/// The cue that shows a game after `plies` plies at once.
#[must_use]
pub fn set_cue(
    rules: RuleSet,
    roster: &Roster,
    line: &Line<crate::games::AnyPosition>,
    plies: usize,
) -> Cue {
    Cue::Set {
        rules,
        figures: roster.standing().to_vec(),
        sticks: if rules.has_sticks() { last_throw(line, plies) } else { None },
    }
}

/// What the sticks show after `plies` plies: the last throw, if there was one.
fn last_throw(line: &Line<crate::games::AnyPosition>, plies: usize) -> Option<Throw> {
    (1..=plies).rev().find_map(|number| match line.ply(number) {
        Some(Ply::Throw(throw)) => Some(throw),
        Some(Ply::Move(_)) | None => None,
    })
}

/// The look of a throw: the same ply of the same game tumbles the same.
#[must_use]
pub fn tumble(seed: u64, ply: usize) -> u64 {
    seed.rotate_left(17) ^ (ply as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The squares that the last plies touched, newest move first: from, to and
/// what was placed.
#[must_use]
pub fn last_squares(line: &Line<crate::games::AnyPosition>, plies: usize) -> Vec<Square> {
    for number in (1..=plies).rev() {
        let squares: Vec<Square> = line
            .events(number)
            .iter()
            .flat_map(|event| match *event {
                Event::Slid { from, to } => vec![from, to],
                Event::Placed { at, .. } => vec![at],
                _ => Vec::new(),
            })
            .collect();
        if !squares.is_empty() {
            return squares;
        }
    }
    Vec::new()
}

/// The game on the table: acts in, cues out.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Referee>()
        .add_plugins((files::plugin, thinking::plugin))
        .add_systems(Update, (judge, mark).chain().in_set(super::Steps::Judge));
}

/// Puts the acts to the game.
fn judge(
    mut acts: MessageReader<Act>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<Cue>,
    motion: Res<Motion>,
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
    mut exit: MessageWriter<AppExit>,
) {
    for act in acts.read() {
        let at_table = *screen.get() == Screen::Table;
        let referee = &mut *referee;
        if at_table && motion.is_busy() && hurries(act) {
            cues.write(Cue::Finish);
        }
        let cue = match act {
            Act::Touch(square) if at_table => referee.touch(*square),
            Act::Answer(choice) if at_table => referee.answer(*choice),
            Act::Type(text) if at_table => referee.type_move(text),
            Act::Throw if at_table => referee.throw(),
            Act::Undo if at_table => referee.undo(),
            Act::Redo if at_table => referee.redo(),
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
                Some(referee.seat(Table::new(setup.clone())))
            }
            Act::Rematch => match referee.table.as_ref().map(Table::rematch) {
                Some(setup) => {
                    next.set(Screen::Table);
                    Some(referee.seat(Table::new(setup)))
                }
                None => None,
            },
            Act::Title => {
                referee.let_go();
                next.set(Screen::Title);
                None
            }
            Act::Table if referee.table.is_some() => {
                next.set(Screen::Table);
                Some(referee.reset())
            }
            Act::Hurry => Some(Cue::Finish),
            Act::Quit => {
                exit.write(AppExit::Success);
                None
            }
            _ => None,
        };
        if let Some(cue) = cue {
            cues.write(cue);
        }
    }
}

/// Whether an act first brings running animations to their end.
const fn hurries(act: &Act) -> bool {
    matches!(
        act,
        Act::Touch(_) | Act::Answer(_) | Act::Type(_) | Act::Throw | Act::Undo | Act::Redo
    )
}

/// Says which squares are to be marked, on the table screen. What can be done
/// next is shown once the last ply has been: a throw is not given away while
/// the sticks still fly.
fn mark(
    referee: Res<Referee>,
    screen: Res<State<Screen>>,
    motion: Res<Motion>,
    mut marks: ResMut<Marks>,
) {
    let changed = referee.is_changed() || screen.is_changed() || motion.is_changed();
    if *screen.get() != Screen::Table || !changed {
        return;
    }
    let (hovered, sticks_hovered) = (marks.hovered, marks.sticks_hovered);
    let mut new = Marks { hovered, sticks_hovered, ..Marks::default() };
    if let Some(table) = &referee.table {
        new.last = last_squares(table.line(), table.line().len());
        new.sticks = table.person_throws() && !motion.is_busy();
        if table.person_moves() && !motion.is_busy() {
            let touched = referee.selection.touched();
            if touched.is_empty() {
                new.touchable = referee.selection.next(&referee.legal);
            } else {
                new.reachable = referee.selection.next(&referee.legal);
            }
            new.chosen = touched.to_vec();
        }
    }
    marks.set_if_neq(new);
}

/// Begins a game with these words, for the command line.
#[must_use]
pub fn default_setup(rules: RuleSet) -> Setup {
    Setup {
        rules,
        seats: [Seat::Person, Seat::Engine(crate::engines::Level::Casual)],
        seed: None,
        start: None,
    }
}
