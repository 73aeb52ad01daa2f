//! The choices for a new game on the title screen: the game and its rules, who
//! plays, the sticks, the clock, the match.

use bevy_egui::egui::{
    Align2, CornerRadius, CursorIcon, Rect, Sense, Slider, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, vec2,
};

use crate::{
    app::{
        core::{
            actions::{Action, UiAction},
            states::Dialog,
        },
        game::referee::GameResults,
        platform::IS_WEB,
        settings::{Engines, NewGameChoice},
        ui::{
            game_texts,
            theme::{
                self, ACCENT, BODY, CARD, CARD_HOVERED, CONTROL_HEIGHT, CONTROL_RADIUS, HEADING,
                LINE, TEXT, space,
            },
            widgets::{
                self, board_picture,
                segmented::{Segment, segmented},
            },
        },
    },
    engines::Level,
    games::{GameKind, RuleSet, Side},
    i18n::{tr, tr_args},
    session::{Seat, TimeControl, TimeControls, level_label, side_label},
};

/// Whether a window has room for headings and large pictures.
pub(super) fn is_high(window: Rect) -> bool {
    window.height() >= space(200)
}

/// The heading of a group of choices; in a low window the choices speak for themselves.
pub(super) fn heading(ui: &mut Ui, text: &str) {
    if is_high(ui.ctx().content_rect()) {
        ui.add_space(space(1));
        widgets::label(ui, text);
    }
}

/// The three games as pictures of their boards.
pub(super) fn games(ui: &mut Ui, choice: &mut NewGameChoice) {
    #[expect(clippy::cast_precision_loss, reason = "three games")]
    let count = game_texts::GAMES.len() as f32;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space(2);
        let width = (ui.available_width() - (count - 1.0) * space(2)) / count;
        for game in game_texts::GAMES {
            if game_card(ui, width, game, choice.rules.game() == game) {
                choice.set_game(game);
            }
        }
    });
}

/// One game; whether it was clicked.
fn game_card(ui: &mut Ui, width: f32, game: GameKind, is_chosen: bool) -> bool {
    let name = game_texts::name(game);
    let most = if is_high(ui.ctx().content_rect()) { space(23) } else { space(12) };
    let picture_height = (width / board_picture::ASPECT).min(most).floor();
    let size = vec2(width, picture_height + CONTROL_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let label = tr_args("keys.of", &[("command", tr("title.game")), ("key", name)]);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), is_chosen, &label)
    });
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let is_lit = response.hovered() || response.has_focus();
    let fill = if is_lit { CARD_HOVERED } else { CARD };
    ui.painter().rect_filled(rect, CONTROL_RADIUS, fill);
    let picture = rect.with_max_y(rect.top() + picture_height);
    let corners = CornerRadius { nw: CONTROL_RADIUS, ne: CONTROL_RADIUS, sw: 0, se: 0 };
    board_picture::paint(ui, picture, game, corners);
    let line = match (is_chosen, is_lit) {
        (true, _) => Stroke::new(2.0, ACCENT),
        (false, true) => Stroke::new(1.0, ACCENT),
        (false, false) => Stroke::new(1.0, LINE),
    };
    ui.painter().rect_stroke(rect, CONTROL_RADIUS, line, StrokeKind::Inside);
    let below = rect.with_min_y(picture.bottom()).center();
    let color = if is_chosen { ACCENT } else { TEXT };
    let font = theme::serif(ui.ctx(), HEADING);
    ui.painter().text(below, Align2::CENTER_CENTER, name, font, color);
    let about = format!("{}\n{}", game_texts::kind(game), game_texts::summary(game));
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(about).clicked()
}

/// The rules of the game: its rule sets where it has several, and what the chosen
/// one is.
pub(super) fn rule_sets(ui: &mut Ui, choice: &mut NewGameChoice) {
    let game = choice.rules.game();
    let heading = tr_args("title.rules-of", &[("game", game_texts::name(game))]);
    self::heading(ui, &heading);
    let sets: Vec<RuleSet> =
        RuleSet::ALL.into_iter().filter(|rules| rules.game() == game).collect();
    if sets.len() > 1 {
        let segments: Vec<Segment<'_>> =
            sets.iter().map(|&rules| (game_texts::variant(rules), "")).collect();
        let chosen = sets.iter().position(|&rules| rules == choice.rules);
        if let Some(index) = segmented(ui, &heading, chosen, &segments) {
            choice.rules = sets[index];
        }
    }
    widgets::note(ui, game_texts::difference(choice.rules));
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opponent {
    /// A person plays this side, an engine the other.
    Computer(Side),
    /// Two persons play at this screen.
    Person,
    /// A person plays this side, a person elsewhere the other.
    Friend(Side),
    /// Two engines play.
    Watch,
}

impl Opponent {
    const fn of(seats: [Seat; 2]) -> Self {
        match seats {
            [Seat::Person, Seat::Remote] => Self::Friend(Side::First),
            [Seat::Remote, _] | [_, Seat::Remote] => Self::Friend(Side::Second),
            [Seat::Person, Seat::Person] => Self::Person,
            [Seat::Person, _] => Self::Computer(Side::First),
            [_, Seat::Person] => Self::Computer(Side::Second),
            [Seat::Engine(_) | Seat::Program, _] => Self::Watch,
        }
    }

    const fn segment(self) -> usize {
        match self {
            Self::Computer(_) => 0,
            Self::Person => 1,
            Self::Friend(_) => 2,
            Self::Watch => 3,
        }
    }
}

/// Who plays: against whom, how well, and with which colour.
pub(super) fn opponent(
    ui: &mut Ui,
    choice: &mut NewGameChoice,
    results: &GameResults,
    engines: &Engines,
    actions: &mut Vec<Action>,
) {
    let of = tr("title.opponent");
    heading(ui, of);
    let segments = [
        (tr("title.computer"), ""),
        (tr("title.two-players"), ""),
        (tr("title.friend"), tr("title.friend-hint")),
        (tr("title.watch"), tr("title.watch-hint")),
    ];
    let opponent = Opponent::of(choice.seats);
    if let Some(index) = segmented(ui, of, Some(opponent.segment()), &segments) {
        let engine = Seat::Engine(choice.engine_level());
        let seats = match index {
            0 if matches!(opponent, Opponent::Computer(_)) => choice.seats,
            0 => [Seat::Person, engine],
            1 => [Seat::Person; 2],
            2 if matches!(opponent, Opponent::Friend(_)) => choice.seats,
            2 => [Seat::Person, Seat::Remote],
            3 if opponent == Opponent::Watch => choice.seats,
            _ => [engine; 2],
        };
        for side in Side::BOTH {
            choice.set_seat(side, seats[side.index()]);
        }
    }
    let known = results.known_names();
    let your_name = tr("title.your-name");
    match Opponent::of(choice.seats) {
        Opponent::Person => {
            for side in Side::BOTH {
                let of = tr_args("title.name-of", &[("side", side_label(choice.rules, side))]);
                widgets::name_field(ui, &of, &mut choice.names[side.index()], &known);
            }
        }
        Opponent::Computer(side) => {
            strength(ui, choice, side, results, engines, actions);
            let side = own_side(ui, choice, side);
            widgets::name_field(ui, your_name, &mut choice.names[side.index()], &known);
        }
        Opponent::Friend(side) => {
            let side = own_side(ui, choice, side);
            widgets::name_field(ui, your_name, &mut choice.names[side.index()], &known);
        }
        Opponent::Watch => {
            for side in Side::BOTH {
                let name = side_label(choice.rules, side);
                if !IS_WEB {
                    let kinds = [(tr("title.tabulae"), ""), (tr("title.program"), "")];
                    let kind = usize::from(choice.seats[side.index()] == Seat::Program);
                    widgets::labelled(ui, name, |ui| {
                        match segmented(ui, name, Some(kind), &kinds).filter(|it| *it != kind) {
                            Some(0) => choice.set_seat(side, Seat::Engine(choice.engine_level())),
                            Some(_) => choose_program(choice, side, engines, actions),
                            None => {}
                        }
                    });
                }
                level_slider(ui, name, &mut choice.seats[side.index()]);
                program(ui, choice, side, engines, actions);
            }
        }
    }
}

/// Which side the person plays; returns what was chosen.
fn own_side(ui: &mut Ui, choice: &mut NewGameChoice, side: Side) -> Side {
    let of = tr("title.your-side");
    let sides = Side::BOTH.map(|side| (side_label(choice.rules, side), ""));
    let mut chosen = side;
    widgets::labelled(ui, of, |ui| {
        if let Some(index) = segmented(ui, of, Some(side.index()), &sides) {
            chosen = Side::BOTH[index];
        }
    });
    if chosen != side {
        choice.swap_seats();
    }
    chosen
}

/// The person's rating, and whether the computer plays at a level, adapts to the rating,
/// or is another program.
fn strength(
    ui: &mut Ui,
    choice: &mut NewGameChoice,
    person: Side,
    results: &GameResults,
    engines: &Engines,
    actions: &mut Vec<Action>,
) {
    let setup = choice.setup();
    if let Some(rating) = results.rating(&setup, person) {
        let rating = rating.to_string();
        widgets::note(ui, &tr_args("title.rating", &[("rating", &rating)]));
    }
    let of = tr("title.strength");
    let is_program = choice.seats[person.other().index()] == Seat::Program;
    widgets::labelled(ui, of, |ui| {
        let segments = [
            (tr("title.fixed"), ""),
            (tr("title.adaptive"), tr("title.adaptive-hint")),
            (tr("title.program"), tr("title.program-hint")),
        ];
        let segments = if IS_WEB { &segments[..2] } else { &segments[..] };
        let chosen = if is_program { 2 } else { usize::from(choice.adaptive) };
        match segmented(ui, of, Some(chosen), segments).filter(|index| *index != chosen) {
            Some(2) => choose_program(choice, person.other(), engines, actions),
            Some(index) => {
                choice.adaptive = index == 1;
                if is_program {
                    choice.set_seat(person.other(), Seat::Engine(choice.engine_level()));
                }
            }
            None => {}
        }
    });
    let engine = person.other().index();
    if choice.seats[engine] == Seat::Program {
        program(ui, choice, person.other(), engines, actions);
    } else if !choice.adaptive {
        level_slider(ui, tr("title.level"), &mut choice.seats[engine]);
    } else if let Seat::Engine(level) = results.adapted(choice.setup()).seats[engine] {
        widgets::note(ui, &tr_args("title.adapts", &[("level", &level_text(level))]));
    }
}

/// Seats the first program of the list; opens the list where it has none.
fn choose_program(
    choice: &mut NewGameChoice,
    side: Side,
    engines: &Engines,
    actions: &mut Vec<Action>,
) {
    match engines.list().engines.first() {
        Some(entry) => choice.set_program(side, &entry.name),
        None => actions.push(UiAction::OpenDialog(Dialog::Engines).into()),
    }
}

/// Which program of the list plays a side, where one does.
fn program(
    ui: &mut Ui,
    choice: &mut NewGameChoice,
    side: Side,
    engines: &Engines,
    actions: &mut Vec<Action>,
) {
    if choice.seats[side.index()] != Seat::Program {
        return;
    }
    let of = tr("title.engine");
    let name = choice.names[side.index()].clone();
    widgets::labelled(ui, of, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            for entry in &engines.list().engines {
                if widgets::labelled_choice(ui, of, entry.name == name, &entry.name).clicked() {
                    choice.set_program(side, &entry.name);
                }
            }
            if widgets::button(ui, tr("engines.open")).clicked() {
                actions.push(UiAction::OpenDialog(Dialog::Engines).into());
            }
        });
    });
    if engines.list().find(&name).is_none() {
        widgets::note(ui, &tr_args("title.no-such-engine", &[("name", &name)]));
    }
}

/// The level of a player as a slider, with its name.
fn level_slider(ui: &mut Ui, of: &str, seat: &mut Seat) {
    let Seat::Engine(level) = *seat else { return };
    let mut number = Level::ALL.iter().position(|it| *it == level).unwrap_or_default();
    let name = level_text(level);
    let text = tr_args("keys.of", &[("command", of), ("key", &name)]);
    widgets::labelled(ui, of, |ui| {
        let widest = Level::ALL.map(|level| widgets::text_width(ui, &level_text(level), BODY));
        let widest = widest.into_iter().fold(0.0, f32::max);
        ui.horizontal(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            ui.visuals_mut().selection.bg_fill = ACCENT;
            ui.visuals_mut().widgets.inactive.bg_fill = LINE;
            ui.visuals_mut().widgets.inactive.fg_stroke.color = TEXT;
            ui.spacing_mut().slider_width =
                (ui.available_width() - widest - space(4)).max(space(16));
            let last = Level::ALL.len() - 1;
            let slider = ui.add(Slider::new(&mut number, 0..=last).show_value(false));
            #[expect(clippy::cast_precision_loss, reason = "ten levels")]
            let value = number as f64;
            let enabled = ui.is_enabled();
            slider.widget_info(|| WidgetInfo::slider(enabled, value, &text));
            ui.label(name);
        });
    });
    *seat = Seat::Engine(Level::ALL[number.min(Level::ALL.len() - 1)]);
}

/// The number and the name of a level.
fn level_text(level: Level) -> String {
    format!("{} · {}", level.number(), level_label(level))
}

/// Who throws the sticks, and who throws first.
pub(super) fn sticks(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.sticks");
    widgets::labelled(ui, of, |ui| {
        let segments = [(tr("title.sticks-program"), ""), (tr("title.sticks-hand"), "")];
        if let Some(index) = segmented(ui, of, Some(usize::from(choice.by_hand)), &segments) {
            choice.by_hand = index == 1;
        }
    });
    let of = tr("title.first");
    widgets::labelled(ui, of, |ui| {
        let [first, second] = Side::BOTH.map(|side| (side_label(choice.rules, side), ""));
        let segments = [(tr("title.by-lot"), tr("title.by-lot-hint")), first, second];
        let chosen = choice.first.map_or(0, |side| side.index() + 1);
        if let Some(index) = segmented(ui, of, Some(chosen), &segments) {
            choice.first = index.checked_sub(1).map(|side| Side::BOTH[side]);
        }
    });
}

/// The kind of clock (none, for each move, for the whole game), whether both sides
/// have the same, and the times.
pub(super) fn clock(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.clock");
    widgets::labelled(ui, of, |ui| {
        let segments =
            [(tr("title.no-clock"), ""), (tr("title.each-move"), ""), (tr("title.whole-game"), "")];
        let chosen = match choice.clock.map(|clock| clock.of(Side::First)) {
            None => 0,
            Some(TimeControl::PerMove(_)) => 1,
            Some(TimeControl::PerGame { .. }) => 2,
        };
        match segmented(ui, of, Some(chosen), &segments).filter(|index| *index != chosen) {
            Some(0) => choice.clock = None,
            Some(1) => choice.clock = Some(TimeControls::both(TimeControl::MOVES[1])),
            Some(_) => choice.clock = Some(TimeControls::both(TimeControl::GAMES[2])),
            None => {}
        }
    });
    let Some(clock) = choice.clock else { return };
    let presets: &[TimeControl] = match clock.of(Side::First) {
        TimeControl::PerMove(_) => &TimeControl::MOVES,
        TimeControl::PerGame { .. } => &TimeControl::GAMES,
    };
    let of = tr("title.odds");
    widgets::labelled(ui, of, |ui| {
        let segments =
            [(tr("title.odds-none"), ""), (tr("title.odds-each"), tr("title.odds-hint"))];
        let chosen = usize::from(!clock.is_even());
        match segmented(ui, of, Some(chosen), &segments).filter(|index| *index != chosen) {
            Some(0) => choice.clock = Some(TimeControls::both(clock.of(Side::First))),
            Some(_) => {
                let own = clock.of(Side::First);
                let other = presets.iter().copied().find(|preset| *preset != own).unwrap_or(own);
                choice.clock = Some(TimeControls::each([own, other]));
            }
            None => {}
        }
    });
    if clock.is_even() {
        let of = match clock.of(Side::First) {
            TimeControl::PerMove(_) => tr("title.time"),
            TimeControl::PerGame { .. } => tr("clock.unit"),
        };
        if let Some(time) = times(ui, of, presets, clock.of(Side::First)) {
            choice.clock = Some(TimeControls::both(time));
        }
        return;
    }
    let mut each = Side::BOTH.map(|side| clock.of(side));
    for side in Side::BOTH {
        if let Some(time) = times(ui, side_label(choice.rules, side), presets, clock.of(side)) {
            each[side.index()] = time;
            choice.clock = Some(TimeControls::each(each));
        }
    }
}

/// The times to choose from; the one that was clicked.
fn times(
    ui: &mut Ui,
    of: &str,
    presets: &[TimeControl],
    chosen: TimeControl,
) -> Option<TimeControl> {
    widgets::labelled(ui, of, |ui| {
        let texts: Vec<(String, String)> =
            presets.iter().map(|&preset| time_control_text(preset)).collect();
        let segments: Vec<Segment<'_>> =
            texts.iter().map(|(name, hint)| (name.as_str(), hint.as_str())).collect();
        let chosen = presets.iter().position(|preset| *preset == chosen);
        segmented(ui, of, chosen, &segments).map(|index| presets[index])
    })
}

/// The usual numbers of games.
const GAMES: [usize; 4] = [1, 2, 4, 6];
/// The most games that the slider offers.
const MOST_GAMES: usize = 20;

/// A single game, or a match of so many games.
pub(super) fn games_count(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("match.games");
    let id = ui.id().with("own-number-of-games");
    let usual = GAMES.iter().position(|games| *games == choice.games);
    // The slider stays while it passes one of the usual numbers.
    let is_own = usual.is_none() || ui.data(|data| data.get_temp(id)).unwrap_or(false);
    widgets::labelled(ui, of, |ui| {
        let texts = GAMES.map(|games| games.to_string());
        let mut segments: Vec<Segment<'_>> = texts.iter().map(|it| (it.as_str(), "")).collect();
        segments[0] = (tr("match.single"), "");
        segments.push((tr("match.own"), tr("match.own-hint")));
        let chosen = if is_own { Some(GAMES.len()) } else { usual };
        if let Some(index) = segmented(ui, of, chosen, &segments) {
            let is_own = index == GAMES.len();
            choice.games = if is_own { choice.games.max(3) } else { GAMES[index] };
            ui.data_mut(|data| data.insert_temp(id, is_own));
        }
    });
    if !is_own {
        return;
    }
    let of = tr("match.number");
    widgets::labelled(ui, of, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            ui.spacing_mut().slider_width = (ui.available_width() - space(12)).max(space(16));
            let most = MOST_GAMES.max(choice.games);
            let slider = ui.add(Slider::new(&mut choice.games, 2..=most).show_value(false));
            let (games, enabled) = (choice.games.to_string(), ui.is_enabled());
            let text = tr_args("keys.of", &[("command", of), ("key", &games)]);
            #[expect(clippy::cast_precision_loss, reason = "at most a hundred games")]
            let value = choice.games as f64;
            slider.widget_info(|| WidgetInfo::slider(enabled, value, &text));
            ui.label(games);
        });
    });
}

/// A time control in short, and in full.
fn time_control_text(time_control: TimeControl) -> (String, String) {
    let (time, more) = (time_control.time().as_secs(), time_control.increment().as_secs());
    let (minutes, seconds) = ((time / 60).to_string(), more.to_string());
    let names = [("minutes", minutes.as_str()), ("seconds", seconds.as_str())];
    match time_control {
        TimeControl::PerMove(_) if time < 60 => {
            let name = tr_args("clock.seconds", &[("seconds", &time.to_string())]);
            (name, tr("clock.move-hint").to_owned())
        }
        TimeControl::PerMove(_) => {
            (tr_args("clock.minutes", &names), tr("clock.move-hint").to_owned())
        }
        TimeControl::PerGame { .. } if more == 0 => {
            (minutes.clone(), tr_args("clock.game-hint", &names))
        }
        TimeControl::PerGame { .. } => {
            (tr_args("clock.with-more", &names), tr_args("clock.plus-hint", &names))
        }
    }
}
