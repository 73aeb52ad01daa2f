//! The screen of a game being played: lays out its panels.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Rect, pos2},
};

use super::{
    bar,
    desk::{Call, Desk},
    dock,
    files::Files,
    moves, send, side,
};
use crate::{
    app::{
        acts::Act,
        referee::Referee,
        stage::{Margins, Motion},
    },
    games::{Announcement, AnyPosition, Event, Line, Ply, RuleSet, Side, Turn},
    table::{Seat, Table, announce, status},
};

/// Shows the panels of the table.
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut desk: ResMut<'_, Desk>,
    mut files: ResMut<'_, Files>,
    referee: Res<'_, Referee>,
    motion: Res<'_, Motion>,
    mut margins: ResMut<'_, Margins>,
    mut acts: MessageWriter<'_, Act>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(table) = &referee.table else { return };
    let desk = &mut *desk;
    let screen = context.content_rect();
    let places = Places::of(screen, table.rules().has_sticks());
    margins.set_if_neq(places.margins(screen));

    let shown = shown(table, &motion);
    let mut asked = Vec::new();
    let telling = telling(table, shown, referee.thinking);
    let telling = bar::Telling { status: &telling.0, thinking: referee.thinking, calls: telling.1 };
    bar::show(context, places.bar, table, &telling, desk, &mut files, &mut asked);
    let sheet = side::Sheet {
        line: table.line(),
        listed: shown,
        shown,
        players: names(table),
        turn: table.turn().and_then(Turn::side),
        thinking: referee.thinking,
        subtitle: "",
        comment: None,
        said: told(&referee.said, table.line(), shown),
    };
    side::show(context, places.side, &sheet, &mut desk.scrolled);
    if let Some(place) = places.dock {
        let persons = table.seats().contains(&Seat::Person);
        let button = persons.then(|| table.person_throws() && !motion.is_busy());
        dock::show(context, place, table.line(), shown, button, &mut asked);
    }
    listen(&mut desk.call, table.line(), shown, false, context.input(|input| input.time));
    send(asked, &mut acts);
}

/// How many plies of the game on the table have been shown to their end.
pub(super) fn shown(table: &Table, motion: &Motion) -> usize {
    table.line().len().saturating_sub(motion.waiting)
}

/// The status line, and whether it calls on the person who looks on. While a
/// throw still tumbles the line does not give its outcome away, and while a
/// move is under way it says which.
fn telling(table: &Table, shown: usize, thinking: bool) -> (String, bool) {
    let tumbling = (shown + 1..=table.line().len())
        .any(|ply| matches!(table.line().ply(ply), Some(Ply::Throw(_))));
    if tumbling {
        return ("The sticks are thrown…".to_owned(), false);
    }
    let line = table.line();
    if shown < line.len()
        && !thinking
        && let (Some(side), Some(mv)) = (moves::mover(line, line.len()), line.notation(line.len()))
    {
        return (format!("{} plays {mv}.", table.rules().side_name(side)), false);
    }
    (status(table), !thinking && (table.person_moves() || table.person_throws()))
}

/// What was said of the plies that have been shown: `said` without the words
/// for the plies still moving.
fn told<'a>(said: &'a [String], line: &Line<AnyPosition>, shown: usize) -> &'a [String] {
    let rules = line.start().rules();
    let early = (shown + 1..=line.len())
        .flat_map(|ply| line.events(ply))
        .filter(|event| announce(rules, event).is_some())
        .count();
    &said[..said.len().saturating_sub(early)]
}

fn names(table: &Table) -> [String; 2] {
    Side::BOTH.map(|side| match table.names()[side.index()].as_str() {
        "?" => table.seats()[side.index()].name(),
        name => name.to_owned(),
    })
}

/// Notes what the ply shown last calls out; the end of the game too where
/// `ends` says so.
pub(super) fn listen(
    call: &mut Call,
    line: &Line<AnyPosition>,
    shown: usize,
    ends: bool,
    now: f64,
) {
    if shown == call.heard + 1 {
        let rules = line.start().rules();
        let words = line.events(shown).iter().find_map(|event| called_out(rules, event, ends));
        call.words = words.map(|words| (words, now));
    } else if shown != call.heard {
        call.words = None;
    }
    call.heard = shown;
}

fn called_out(rules: RuleSet, event: &Event, ends: bool) -> Option<String> {
    match event {
        Event::Announced(Announcement::Raichi) => Some("Raichi!".to_owned()),
        Event::Announced(Announcement::Tuichi) => Some("Tuichi!".to_owned()),
        Event::Announced(Announcement::Starts(side)) => {
            Some(format!("{} starts", rules.side_name(*side)))
        }
        Event::Lost { .. } => Some("The throw is lost".to_owned()),
        Event::Ended(end) if ends => Some(match end.winner {
            Some(side) => format!("{} wins", rules.side_name(side)),
            None => "A draw".to_owned(),
        }),
        _ => None,
    }
}

/// Where the panels of the table stand.
struct Places {
    bar: Rect,
    side: Rect,
    dock: Option<Rect>,
}

impl Places {
    fn of(screen: Rect, sticks: bool) -> Self {
        let under = screen.top() + bar::HEIGHT;
        let left = screen.right() - side::width(screen.width());
        let bar = screen.with_max_y(under);
        let side = Rect::from_min_max(pos2(left, under), screen.max);
        let dock = sticks.then(|| {
            let top = screen.bottom() - dock::HEIGHT;
            Rect::from_min_max(pos2(screen.left(), top), pos2(left, screen.bottom()))
        });
        Self { bar, side, dock }
    }

    fn margins(&self, screen: Rect) -> Margins {
        Margins {
            left: 0.0,
            right: screen.right() - self.side.left(),
            top: self.bar.height(),
            bottom: self.dock.map_or(0.0, |dock| dock.height()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Throw;

    #[test]
    fn a_ply_is_called_out_once_when_it_is_shown_and_not_after_a_jump() {
        let mut line = Line::new(AnyPosition::start(RuleSet::Tablan));
        for plain in [2, 1] {
            line.push(Ply::Throw(Throw::new(plain).unwrap())).unwrap();
        }
        let mut call = Call::default();
        listen(&mut call, &line, 1, false, 1.0);
        assert_eq!(call.words, None);
        listen(&mut call, &line, 2, false, 2.0);
        listen(&mut call, &line, 2, false, 3.0);
        assert_eq!(call.words, Some(("North starts".to_owned(), 2.0)));
        listen(&mut call, &line, 0, false, 4.0);
        assert_eq!(call.words, None);
        listen(&mut call, &line, 2, false, 5.0);
        assert_eq!(call.words, None, "two plies at once are a jump");
    }

    #[test]
    fn the_end_is_called_out_only_where_no_banner_says_it() {
        let end =
            crate::games::End { winner: Some(Side::First), reason: crate::games::Reason::Escape };
        let event = Event::Ended(end);
        let says = |ends| called_out(RuleSet::TablutAshton, &event, ends);
        assert_eq!(says(true), Some("White wins".to_owned()));
        assert_eq!(says(false), None);
    }

    #[test]
    fn the_status_tells_the_ply_under_way_before_it_calls_for_the_next() {
        let setup = crate::table::Setup {
            rules: RuleSet::Tablaaza,
            seats: [Seat::Person; 2],
            seed: None,
            start: None,
        };
        let mut table = Table::new(setup);
        let first = table.line().parse("d4").unwrap();
        let Ply::Move(first) = first else { panic!("a move") };
        table.play(first).unwrap();
        assert_eq!(telling(&table, 0, false), ("Red plays d4.".to_owned(), false));
        assert!(telling(&table, 1, false).1, "Green is called on");
        assert_eq!(telling(&table, 0, true).0, status(&table), "the other one thinks already");
    }
}
