//! A game in words: players, plies and outcomes, in the current language.

mod captures;
mod hints;

use crate::i18n::{localized, lookup, tr, tr_args};
use tabulae_engines::Level;
use tabulae_games::{
    Announcement, AnyMove, AnyPosition, AnyRules, End, EndReason, Event, Game, GameHistory,
    GameKind, Illegal, Ply, Repetition, RuleSet, Side, Square, Throw,
};

use self::captures::describe_capture;
use super::{GameSession, MatchResult, Outcome, PieceKind, Seat, board_grid::pieces_on};
pub use hints::describe_hint;

/// The translated name of a side. Records have [`RuleSet::side_name`].
pub fn side_label(rules: RuleSet, side: Side) -> &'static str {
    tr(side_key(rules, side))
}

/// The text key of a side's name.
///
/// ```
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::side_key;
///
/// assert_eq!(side_key(RuleSet::Tablaaza, Side::First), "side.red");
/// ```
pub fn side_key(rules: RuleSet, side: Side) -> &'static str {
    match rules.side_name(side) {
        "White" => "side.white",
        "Black" => "side.black",
        "South" => "side.south",
        "North" => "side.north",
        "Red" => "side.red",
        _ => "side.green",
    }
}

/// The translated name of a rule set.
///
/// ```
/// use tabulae_engines::Level;
/// use tabulae_games::{RuleSet, Side, Throw};
/// use tabulae_session::{Seat, rules_label, seat_label, side_label, describe_throw_off, describe_throw};
///
/// assert_eq!(side_label(RuleSet::Tablan, Side::First), "South");
/// assert!(rules_label(RuleSet::TablutAshton).contains("Ashton"));
/// assert!(seat_label(Seat::Engine(Level::Club)).contains("Club"));
/// assert_ne!(seat_label(Seat::Person), seat_label(Seat::Engine(Level::Club)));
/// assert_ne!(describe_throw(Throw::ALL[4]), describe_throw_off(Throw::ALL[4]));
/// ```
pub fn rules_label(rules: RuleSet) -> &'static str {
    lookup(&format!("rules.{}", rules.file_name())).unwrap_or(rules.title())
}

/// The translated name of a player.
pub fn seat_label(seat: Seat) -> String {
    match seat {
        Seat::Person => tr("seat.person").to_owned(),
        Seat::Remote => tr("seat.remote").to_owned(),
        Seat::Program => tr("seat.program").to_owned(),
        Seat::Engine(level) => tr_args("seat.engine", &[("level", level_label(level))]),
    }
}

/// The name of a side's player: the person's own, or the translated one of the seat; the only
/// person is "you".
///
/// ```
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{GameSession, Setup, player_label};
///
/// let names = ["Aili".to_owned(), String::new()];
/// let session = GameSession::new(Setup { names, ..Setup::new(RuleSet::Tablan) });
/// assert_eq!(Side::BOTH.map(|side| player_label(&session, side)), ["Aili", "Person"]);
/// ```
pub fn player_label(session: &GameSession, side: Side) -> String {
    let (name, seat) = (&session.names()[side.index()], session.seats()[side.index()]);
    match seat {
        Seat::Engine(level) if session.is_adaptive() => {
            tr_args("seat.adaptive", &[("level", level_label(level))])
        }
        _ if name != "?" && *name != seat.name() => name.clone(),
        Seat::Person if session.only_person().is_some() => tr("seat.you").to_owned(),
        _ => seat_label(seat),
    }
}

/// The translated name of a level.
///
/// ```
/// use tabulae_engines::Level;
/// use tabulae_session::level_label;
///
/// assert_eq!(level_label(Level::Candidate), "Candidate");
/// ```
pub fn level_label(level: Level) -> &'static str {
    lookup(&format!("seat.{}", level.id())).unwrap_or(level.id())
}

/// An event in a sentence; `None` for a plain move or stone, which
/// [`describe_ply`] describes by the move.
pub fn describe_event(rules: RuleSet, event: &Event) -> Option<String> {
    let name = |side| side_label(rules, side);
    Some(match *event {
        Event::Captured { at, side } => match rules.game() {
            GameKind::Tablut | GameKind::Tablaaza => {
                tr_args("said.loses-piece", &[("side", name(side)), ("at", &at.to_string())])
            }
            GameKind::Tablan => {
                tr_args("said.captures", &[("side", name(side.other())), ("at", &at.to_string())])
            }
        },
        Event::PavilionRaised { at, side } => {
            tr_args("said.pavilion", &[("side", name(side)), ("at", &at.to_string())])
        }
        Event::Thrown { side, throw } => describe_thrown(rules, side, &describe_throw(throw)),
        Event::Passed { side } => {
            tr_args("said.passes", &[("side", name(side)), ("other", name(side.other()))])
        }
        Event::Lost { side } => tr_args("said.lost", &[("side", name(side))]),
        Event::Announced(Announcement::Raichi) => tr("said.raichi").to_owned(),
        Event::Announced(Announcement::Tuichi) => tr("said.tuichi").to_owned(),
        Event::Announced(Announcement::Starts(side)) => {
            tr_args("said.starts", &[("side", name(side))])
        }
        Event::Ended(end) => describe_end(rules, end),
        _ => return None,
    })
}

fn describe_thrown(rules: RuleSet, side: Side, throw: &str) -> String {
    tr_args("said.throws", &[("side", side_label(rules, side)), ("throw", throw)])
}

/// Whether the next throw only decides who starts.
pub(super) fn throws_off(position: &AnyPosition) -> bool {
    match position {
        AnyPosition::Tablan(position) => position.throwing_off(),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => false,
    }
}

/// What ply `number` did (1 is the first) in sentences: the move, then its events.
/// Empty for a ply that was not played.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, GameHistory, Ply, RuleSet, Side};
/// use tabulae_session::{describe_ply, describe_event, describe_move, describe_square};
///
/// let rules = RuleSet::TablutAshton;
/// let mut game = GameHistory::new(AnyPosition::start(rules));
/// assert_eq!(describe_square(game.position(), "e5".parse()?), "e5: king");
/// let mv = game.position().parse_move("e4-f4")?;
/// game.push(Ply::Move(mv))?;
/// assert_eq!(describe_ply(&game, 1), ["White moves e4 to f4."]);
/// assert_eq!(describe_move(rules, Side::First, mv), describe_ply(&game, 1)[0]);
/// // A plain move has no sentence besides.
/// assert!(game.events(1).iter().all(|event| describe_event(rules, event).is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn describe_ply(history: &GameHistory<AnyPosition>, number: usize) -> Vec<String> {
    let rules = history.start().rules();
    let before = number.checked_sub(1).and_then(|before| history.at(before));
    let moved = match (before, history.ply(number)) {
        (Some(before), Some(Ply::Move(mv))) => Some(describe_move(rules, before.side(), mv)),
        _ => None,
    };
    let throws_off = before.is_some_and(throws_off);
    let events = history.events(number).iter().filter_map(|event| match *event {
        Event::Thrown { side, throw } if throws_off => {
            Some(describe_thrown(rules, side, &describe_throw_off(throw)))
        }
        Event::Captured { at, .. }
            if let Some(AnyPosition::Tablut(before)) = before
                && let Some(Ply::Move(AnyMove::Tablut(mv))) = history.ply(number) =>
        {
            Some(describe_capture(before, mv, at))
        }
        _ => describe_event(rules, event),
    });
    moved.into_iter().chain(events).collect()
}

/// What ply `number` of a game did in sentences ([`describe_ply`]); of the throws that drew
/// who starts, whom they drew; after the last ply also how the players ended the game, where
/// they did.
///
/// ```
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{GameSession, Setup, describe_ply_of};
///
/// let mut session = GameSession::new(Setup::new(RuleSet::Tablaaza));
/// assert!(describe_ply_of(&session, 0).is_empty());
/// session.resign(Side::First);
/// assert_eq!(describe_ply_of(&session, 0), ["Green wins: Red resigned."]);
/// ```
pub fn describe_ply_of(session: &GameSession, number: usize) -> Vec<String> {
    let history = session.history();
    let mut told = if number > session.drawn_throws() {
        describe_ply(history, number)
    } else {
        describe_lot(session).into_iter().collect()
    };
    if session.moved_follower_first(number)
        && let Some(Ply::Move(mv)) = history.ply(number)
        && let (Some(moved), Some(before)) = (told.first_mut(), history.at(number - 1))
    {
        *moved = describe_steps(session.rules(), before.side(), mv, true);
    }
    let by_players = |it: &Outcome| number == history.len() && !matches!(it, Outcome::Ended(_));
    let ending = session.outcome().filter(by_players);
    let ending = ending.map(|outcome| describe_outcome(session.rules(), outcome));
    told.into_iter().chain(ending).collect()
}

/// What is on a square, for screen readers.
pub fn describe_square(position: &AnyPosition, square: Square) -> String {
    let rules = position.rules();
    let piece = pieces_on(position).into_iter().find(|(at, _)| *at == square).map(|piece| piece.1);
    let what =
        piece.map_or_else(|| tr("figure.nothing").to_owned(), |kind| piece_label(rules, kind));
    tr_args("figure.at", &[("square", &square.to_string()), ("what", &what)])
}

/// The translated name of a piece.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::{PieceKind, piece_label};
///
/// assert_eq!(piece_label(RuleSet::TablutAshton, PieceKind::King), "king");
/// ```
pub fn piece_label(rules: RuleSet, kind: PieceKind) -> String {
    let of = |key, side| tr_args(key, &[("side", side_label(rules, side))]);
    match kind {
        PieceKind::King => tr("figure.king").to_owned(),
        PieceKind::Soldier { white: true } => tr("figure.white-soldier").to_owned(),
        PieceKind::Soldier { white: false } => tr("figure.black-soldier").to_owned(),
        PieceKind::Runner(side) => of("figure.piece", side),
        PieceKind::Stone(side) => of("figure.stone", side),
        PieceKind::Pavilion(side) => of("figure.pavilion", side),
    }
}

/// A move in a sentence.
pub fn describe_move(rules: RuleSet, side: Side, mv: AnyMove) -> String {
    describe_steps(rules, side, mv, false)
}

/// A move in a sentence, of a pair the follower first if that was moved first.
fn describe_steps(rules: RuleSet, side: Side, mv: AnyMove, follower_first: bool) -> String {
    let name = side_label(rules, side);
    let mut steps: Vec<(String, String)> = match mv {
        AnyMove::Tablaaza(mv) => {
            let at = mv.square().to_string();
            return tr_args("said.places", &[("side", name), ("at", &at)]);
        }
        AnyMove::Tablut(mv) => vec![(mv.from().to_string(), mv.to().to_string())],
        AnyMove::Tablan(mv) => std::iter::once(mv.leader())
            .chain(mv.follower())
            .map(|step| (step.from.to_string(), step.to.to_string()))
            .collect(),
    };
    if follower_first {
        steps.reverse();
    }
    match steps.as_slice() {
        [(from, to), (from2, to2), ..] => tr_args(
            "said.moves-two",
            &[("side", name), ("from", from), ("to", to), ("from2", from2), ("to2", to2)],
        ),
        [(from, to)] => tr_args("said.moves", &[("side", name), ("from", from), ("to", to)]),
        [] => String::new(),
    }
}

/// A throw: `1 plain side up, 2 squares`.
pub fn describe_throw(throw: Throw) -> String {
    let sides = plain_sides(throw);
    match throw.score() {
        0 => tr_args("throw.no-score", &[("sides", &sides)]),
        score => tr_args("throw.score", &[("sides", &sides), ("score", &score.to_string())]),
    }
}

/// A throw that only decides who starts.
pub fn describe_throw_off(throw: Throw) -> String {
    match throw.plain() {
        1 => describe_throw(throw),
        _ => tr_args("throw.not-a-one", &[("sides", &plain_sides(throw))]),
    }
}

fn plain_sides(throw: Throw) -> String {
    match throw.plain() {
        1 => tr("throw.one").to_owned(),
        plain => tr_args("throw.sides", &[("count", &plain.to_string())]),
    }
}

/// An end by the rules in a sentence.
pub fn describe_end(rules: RuleSet, end: End) -> String {
    let loser = end.winner.map_or("", |side| side_label(rules, side.other()));
    let reason = match end.reason {
        EndReason::Escape => match rules.rules() {
            AnyRules::Tablut(rules) if rules.has_corner_goals() => tr("end.corner").to_owned(),
            _ => tr("end.edge").to_owned(),
        },
        EndReason::KingCaptured => tr("end.king-captured").to_owned(),
        EndReason::NoMoves => match rules.game() {
            GameKind::Tablaaza => tr_args("end.no-squares", &[("loser", loser)]),
            GameKind::Tablut | GameKind::Tablan => tr_args("end.no-moves", &[("loser", loser)]),
        },
        EndReason::Repetition => match rules.repetition() {
            Repetition::MoverLoses => tr_args("end.repeated-loses", &[("loser", loser)]),
            Repetition::Draw { times: 3.. } => tr("end.repeated-thrice").to_owned(),
            Repetition::Draw { .. } | Repetition::Ignored => tr("end.repeated-twice").to_owned(),
        },
        EndReason::AllHome if end.winner.is_some() => tr("end.all-home").to_owned(),
        EndReason::AllHome => tr("end.all-home-draw").to_owned(),
        EndReason::NoPieces => tr_args("end.no-pieces", &[("loser", loser)]),
        EndReason::Deadlock if end.winner.is_some() => tr("end.deadlock").to_owned(),
        EndReason::Deadlock => tr("end.deadlock-draw").to_owned(),
        // Newer rules may have other ends.
        other => other.id().to_owned(),
    };
    sentence(rules, end.winner, &reason)
}

fn sentence(rules: RuleSet, winner: Option<Side>, reason: &str) -> String {
    match winner {
        Some(side) => tr_args("end.wins", &[("side", side_label(rules, side)), ("why", reason)]),
        None => tr_args("end.draw", &[("why", reason)]),
    }
}

/// An outcome in a sentence.
///
/// ```
/// use tabulae_games::{End, Illegal, EndReason, RuleSet, Side};
/// use tabulae_session::{Outcome, describe_end, describe_illegal, describe_outcome};
///
/// let rules = RuleSet::Tablaaza;
/// let end = End { winner: Some(Side::First), reason: EndReason::NoMoves };
/// assert_eq!(describe_outcome(rules, Outcome::Ended(end)), describe_end(rules, end));
/// assert!(describe_end(rules, end).contains("Red"));
/// assert!(describe_outcome(rules, Outcome::Resigned(Side::First)).contains("Red"));
/// assert_eq!(describe_illegal(&Illegal::GameOver), "the game is over");
/// ```
pub fn describe_outcome(rules: RuleSet, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ended(end) => describe_end(rules, end),
        Outcome::Resigned(side) => {
            let reason = tr_args("end.given-up", &[("loser", side_label(rules, side))]);
            sentence(rules, Some(side.other()), &reason)
        }
        Outcome::Agreed => sentence(rules, None, tr("end.agreed")),
        Outcome::TimedOut(side) => {
            let reason = tr_args("end.timed-out", &[("loser", side_label(rules, side))]);
            sentence(rules, Some(side.other()), &reason)
        }
    }
}

/// The players of a match, by [`Side::index`] of this game: their names, or their
/// sides where both have the same name.
fn match_players(session: &GameSession) -> [String; 2] {
    let names = Side::BOTH.map(|side| player_label(session, side));
    if names[0] == names[1] {
        Side::BOTH.map(|side| side_label(session.rules(), side).to_owned())
    } else {
        names
    }
}

/// The score of the match in one line, the number of the game first and the players in
/// the same order in all games; `None` for a single game.
///
/// ```
/// use tabulae_engines::Level;
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{Seat, Setup, GameSession, describe_match_result, describe_standing};
///
/// let seats = [Seat::Person, Seat::Engine(Level::Club)];
/// let mut game = GameSession::new(Setup { seats, games: 2, ..Setup::new(RuleSet::Tablaaza) });
/// let line = describe_standing(&game);
/// assert_eq!(line.as_deref(), Some("Game 1 of 2 · You 0 – 0 Tabulae Club"));
/// assert_eq!(describe_match_result(&game), None, "it goes on");
/// game.resign(Side::First);
/// let mut last = game.next_game().unwrap();
/// let line = describe_standing(&last);
/// assert_eq!(line.as_deref(), Some("Game 2 of 2 · You 0 – 1 Tabulae Club"), "in the same order");
/// last.resign(Side::Second);
/// let result = describe_match_result(&last);
/// assert_eq!(result.as_deref(), Some("Tabulae Club wins the match 2 – 0."));
/// ```
pub fn describe_standing(session: &GameSession) -> Option<String> {
    let standing = session.match_standing()?;
    // The player who began with the first side stands first in every game.
    let first = if standing.round % 2 == 1 { Side::First } else { Side::Second };
    let (sides, players) = ([first, first.other()], match_players(session));
    let [one, other] = sides.map(|side| players[side.index()].as_str());
    let [first, second] = sides.map(|side| standing.points(side));
    let (round, games) = (standing.round.to_string(), standing.games.to_string());
    Some(tr_args(
        "match.standing",
        &[
            ("round", &round),
            ("games", &games),
            ("one", one),
            ("first", &first),
            ("second", &second),
            ("other", other),
        ],
    ))
}

/// Who won the match in a sentence; `None` until its last game has ended.
pub fn describe_match_result(session: &GameSession) -> Option<String> {
    let standing = session.match_standing()?;
    let points = |side| standing.points(side);
    Some(match standing.result()? {
        MatchResult::Won { side, by_moves } => {
            let index = side.index();
            let [few, many] =
                [index, 1 - index].map(|side| standing.winning_moves[side].to_string());
            let (player, own, others) =
                (&match_players(session)[index], points(side), points(side.other()));
            let is_you = *player == tr("seat.you");
            let key = match (by_moves, is_you) {
                (false, false) => "match.won",
                (false, true) => "match.you-won",
                (true, false) => "match.won-by-moves",
                (true, true) => "match.you-won-by-moves",
            };
            let names = [
                ("player", player.as_str()),
                ("points", own.as_str()),
                ("others", others.as_str()),
                ("few", few.as_str()),
                ("many", many.as_str()),
            ];
            tr_args(key, &names)
        }
        MatchResult::Drawn => {
            let (first, second) = (points(Side::First), points(Side::Second));
            tr_args("match.drawn", &[("points", &first), ("others", &second)])
        }
    })
}

/// Which side the lot made throw off first, or start at once; `None` if no lot was drawn.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::{Setup, GameSession, describe_lot};
///
/// let drawn = GameSession::new(Setup { seed: Some(1), ..Setup::new(RuleSet::Tablan) });
/// assert!(describe_lot(&drawn).is_some_and(|text| !text.is_empty()));
/// assert_eq!(describe_lot(&GameSession::new(Setup::new(RuleSet::Tablaaza))), None, "it has no lot");
/// ```
pub fn describe_lot(session: &GameSession) -> Option<String> {
    let name = |side| [("side", side_label(session.rules(), side))];
    if session.drawn_throws() > 0 {
        let side = session.history().at(session.drawn_throws())?.side();
        return Some(tr_args("said.drawn", &name(side)));
    }
    Some(tr_args("said.lot", &name(session.lot()?)))
}

/// Why a move or a throw was refused.
pub fn describe_illegal(reason: &Illegal) -> String {
    localized(&reason.message())
}

#[cfg(test)]
mod tests;
