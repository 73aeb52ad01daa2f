//! Whom the player meets, and with which side.

use crate::{
    app::ui::{
        prelude::*,
        widgets::field::{Entry, LIST_WIDTH, field, list},
    },
    engines::favoured_side,
    i18n::lookup,
    session::level_label,
};

/// What is chosen in the list of opponents.
#[derive(Clone, Debug, PartialEq)]
enum Opponent {
    Level(Level),
    /// The level that fits the player's rating.
    Adaptive,
    /// Another program, by its name in the list of engines.
    Program(String),
    /// No program yet: the list of engines opens.
    OtherPrograms,
    /// A second player at this screen.
    Here,
    /// A player elsewhere.
    Elsewhere,
    /// Nobody: the computer plays both sides.
    Watch,
}

impl Opponent {
    fn of(choice: &NewGameChoice) -> Self {
        let [first, second] = choice.seats;
        if choice.is_online() {
            return Self::Elsewhere;
        }
        let Some(own) = choice.computers_opponent() else {
            return if first == second && first == Seat::Person { Self::Here } else { Self::Watch };
        };
        match choice.seats[own.other().index()] {
            Seat::Program => Self::Program(choice.names[own.other().index()].clone()),
            _ if choice.adaptive => Self::Adaptive,
            _ => Self::Level(choice.engine_level()),
        }
    }

    /// Seats the players.
    fn seat(self, choice: &mut NewGameChoice) {
        let engine = Seat::Engine(choice.engine_level());
        let own = choice.own_side().unwrap_or(Side::First);
        let both = |choice: &mut NewGameChoice, seat: Seat| {
            for side in Side::BOTH {
                choice.set_seat(side, seat);
            }
        };
        match self {
            Self::Level(level) => {
                choice.play_computer();
                choice.adaptive = false;
                if let Some(own) = choice.computers_opponent() {
                    choice.set_seat(own.other(), Seat::Engine(level));
                }
            }
            Self::Adaptive => {
                choice.play_computer();
                choice.adaptive = true;
            }
            Self::Program(name) => {
                choice.play_computer();
                if let Some(own) = choice.computers_opponent() {
                    choice.set_program(own.other(), &name);
                }
            }
            Self::OtherPrograms => {}
            Self::Here => both(choice, Seat::Person),
            Self::Elsewhere => {
                choice.set_seat(own, Seat::Person);
                choice.set_seat(own.other(), Seat::Remote);
            }
            Self::Watch => both(choice, engine),
        }
    }

    fn entry(&self, choice: &NewGameChoice) -> Entry {
        match self {
            Self::Level(level) => Entry {
                figure: format!("{:.0}", level.rating(choice.rules)),
                ..Entry::new(level_text(*level), strength(*level))
            },
            Self::Adaptive => Entry::new(tr("title.adaptive"), tr("title.adaptive-hint")),
            Self::Program(name) => Entry::new(name, tr("title.program-hint")),
            Self::OtherPrograms => Entry::new(tr("title.program"), tr("title.program-hint")),
            Self::Here => Entry::new(tr("title.two-players"), tr("title.two-players-hint")),
            Self::Elsewhere => Entry::new(tr("title.friend"), tr("title.friend-hint")),
            Self::Watch => Entry::new(tr("title.watch"), tr("title.watch-hint")),
        }
    }
}

/// The number and the name of a level.
pub(crate) fn level_text(level: Level) -> String {
    format!("{} · {}", level.number(), level_label(level))
}

/// How strong a level is, in words.
fn strength(level: Level) -> &'static str {
    lookup(&format!("strength.{}", level.id())).unwrap_or_default()
}

/// What the field of the opponent is called, and says.
pub(super) fn opponent_texts(
    choice: &NewGameChoice,
    results: &GameResults,
) -> (&'static str, String) {
    let against = tr("title.opponent");
    let level_of_ten = |level: Level| {
        let number = level.number().to_string();
        let names = [("name", level_label(level)), ("number", number.as_str())];
        tr_args("title.level-of-ten", &names)
    };
    match Opponent::of(choice) {
        Opponent::Level(level) => (against, level_of_ten(level)),
        Opponent::Adaptive => {
            let seats = results.adapted(choice.setup()).seats;
            let level = seats.into_iter().find_map(|seat| match seat {
                Seat::Engine(level) => Some(level_label(level)),
                _ => None,
            });
            (against, tr_args("seat.adaptive", &[("level", level.unwrap_or_default())]))
        }
        Opponent::Program(name) => (against, name),
        Opponent::OtherPrograms => (against, tr("title.program").to_owned()),
        Opponent::Here => (against, tr("title.two-players").to_owned()),
        Opponent::Elsewhere => (against, tr("title.friend").to_owned()),
        Opponent::Watch => {
            let name = |side: Side| match choice.seats[side.index()] {
                Seat::Engine(level) => level_label(level).to_owned(),
                _ => choice.names[side.index()].clone(),
            };
            let [first, second] = Side::BOTH.map(name);
            let names = [("first", first.as_str()), ("second", second.as_str())];
            (tr("title.watch"), tr_args("title.name-and-name", &names))
        }
    }
}

/// The field of the opponent, and its list: the levels with their strength, then the others.
pub(super) fn opponent_field(
    ui: &mut Ui,
    width: f32,
    choice: &mut NewGameChoice,
    results: &GameResults,
    engines: &Engines,
    actions: &mut Vec<Action>,
) {
    let (name, value) = opponent_texts(choice, results);
    let button = field(ui, width, name, &value);
    let mut opponents: Vec<Opponent> = Level::ALL.map(Opponent::Level).to_vec();
    opponents.push(Opponent::Adaptive);
    if !IS_WEB {
        let programs =
            engines.list().engines.iter().map(|engine| Opponent::Program(engine.name.clone()));
        opponents.extend(programs);
        opponents.push(Opponent::OtherPrograms);
    }
    opponents.extend([Opponent::Here, Opponent::Elsewhere, Opponent::Watch]);
    let now = Opponent::of(choice);
    let chosen = opponents.iter().position(|opponent| *opponent == now);
    let entries: Vec<Entry> = opponents.iter().map(|opponent| opponent.entry(choice)).collect();
    let own = choice.computers_opponent();
    let rating = own.and_then(|own| results.rating(&choice.setup(), own));
    let rating = rating.map(|rating| tr_args("title.rating", &[("rating", &rating.to_string())]));
    let heading = [Some(tr("title.ratings").to_owned()), rating];
    let heading = heading.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let of = tr("title.opponent");
    let Some(index) = list(&button, LIST_WIDTH, of, &heading, chosen, &entries) else { return };
    match opponents.swap_remove(index) {
        Opponent::OtherPrograms => actions.push(UiAction::OpenDialog(Dialog::Engines).into()),
        opponent => opponent.seat(choice),
    }
}

/// A side, and whether it has it easier or harder than the other.
pub(super) fn side_text(choice: &NewGameChoice, side: Side) -> String {
    let name = side_label(choice.rules, side);
    match favoured_side(choice.rules) {
        Some(easier) if easier == side => tr_args("title.easier", &[("side", name)]),
        Some(_) => tr_args("title.harder", &[("side", name)]),
        None => name.to_owned(),
    }
}

/// The field of the player's own side, and its list.
pub(super) fn side_field(ui: &mut Ui, width: f32, choice: &mut NewGameChoice, own: Side) {
    let of = tr("title.your-side");
    let button = field(ui, width, of, &side_text(choice, own));
    let entries = Side::BOTH.map(|side| Entry::new(side_text(choice, side), ""));
    if let Some(index) = list(&button, width, of, "", Some(own.index()), &entries) {
        choice.choose_side(Side::BOTH[index]);
    }
}
