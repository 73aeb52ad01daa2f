//! A match: several games between the same players, who swap seats after each.
//!
//! A record of a game in a match has the tags `Event`, `Round` and `Games`; the
//! records of its games so far make one file.

use tabulae_games::Side;
use tabulae_records::{GameResult, Record};

use super::{GameSession, Setup};

/// The most games of a match.
pub(super) const MAX_GAMES: usize = 100;

/// The tag of the match's name, as in PGN.
pub(super) const EVENT: &str = "Event";
/// The tag of the number of a game in its match, as in PGN.
pub(super) const ROUND: &str = "Round";
/// The tag of the number of games that a match has.
pub(super) const GAMES: &str = "Games";

/// The match that a game belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    games: usize,
    /// The games before this one, in order.
    earlier: Vec<Record>,
}

/// How a match stands, by the sides of the game that is on the table.
///
/// A won game counts one point, a draw half a point for each player. Where both
/// have equally many points, the player whose won games took fewer moves in all
/// wins the match; where that is equal, too, the match is drawn.
///
/// ```
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{GameSession, MatchResult, MatchStanding, Setup};
///
/// let setup = Setup { games: 2, ..Setup::new(RuleSet::Tablaaza) };
/// let mut first = GameSession::new(setup);
/// assert!(first.next_game().is_none(), "the first game is not over");
/// first.resign(Side::First);
/// let mut second = first.next_game().unwrap();
/// // The players have swapped seats: the one who lost plays the second side now.
/// let standing: MatchStanding = second.match_standing().unwrap();
/// assert_eq!((standing.round, standing.points(Side::First).as_str()), (2, "1"));
/// second.resign(Side::Second);
/// let won = MatchResult::Won { side: Side::First, by_moves: false };
/// assert_eq!(second.match_standing().and_then(|standing| standing.result()), Some(won));
/// assert!(second.next_game().is_none(), "the match is over");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchStanding {
    /// The number of the game on the table, from 1.
    pub round: usize,
    /// How many games the match has.
    pub games: usize,
    /// How many of them have ended.
    pub ended: usize,
    /// The points in halves, by [`Side::index`].
    pub half_points: [usize; 2],
    /// The moves of the games that each has won, by [`Side::index`].
    pub winning_moves: [usize; 2],
}

/// Who won a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchResult {
    /// The player of this side in the game on the table.
    Won {
        /// The side.
        side: Side,
        /// Whether the points were equal, and fewer moves decided.
        by_moves: bool,
    },
    /// Nobody has won.
    Drawn,
}

impl MatchStanding {
    /// The points of a side's player: `1½`.
    pub fn points(&self, side: Side) -> String {
        match self.half_points[side.index()] {
            1 => "½".to_owned(),
            halves if halves % 2 == 1 => format!("{}½", halves / 2),
            halves => (halves / 2).to_string(),
        }
    }

    /// Whether no game is left.
    pub const fn is_over(&self) -> bool {
        self.ended >= self.games
    }

    /// Who won the match; `None` before its last game has ended.
    pub fn result(&self) -> Option<MatchResult> {
        if !self.is_over() {
            return None;
        }
        let ([first, second], [one, other]) = (self.half_points, self.winning_moves);
        let won = |is_first: bool, by_moves| MatchResult::Won {
            side: if is_first { Side::First } else { Side::Second },
            by_moves,
        };
        Some(if first != second {
            won(first > second, false)
        } else if one != other {
            won(one < other, true)
        } else {
            MatchResult::Drawn
        })
    }

    /// Counts a game that `winner` (a side of the game on the table) won in so many
    /// moves, or that was drawn.
    fn count(&mut self, winner: Option<Side>, moves: usize) {
        self.ended += 1;
        match winner {
            Some(side) => {
                self.half_points[side.index()] += 2;
                self.winning_moves[side.index()] += moves;
            }
            None => self.half_points = self.half_points.map(|halves| halves + 1),
        }
    }
}

impl Match {
    /// A match of so many games; `None` for a single game.
    pub(super) fn new(games: usize) -> Option<Self> {
        let games = games.min(MAX_GAMES);
        (games > 1).then_some(Self { games, earlier: Vec::new() })
    }

    /// The match whose games so far are these records; `None` if they are not the
    /// first games of one match.
    fn of(records: &[Record]) -> Option<Self> {
        let (last, earlier) = records.split_last()?;
        let games = number(last, GAMES)?;
        let belongs = |(record, round): (&Record, usize)| {
            number(record, ROUND) == Some(round)
                && number(record, GAMES) == Some(games)
                && record.rules() == last.rules()
        };
        let is_whole = records.iter().zip(1..).all(belongs)
            && earlier.iter().all(|record| record.result() != GameResult::Unknown);
        (is_whole && (2..=MAX_GAMES).contains(&games) && records.len() <= games)
            .then(|| Self { games, earlier: earlier.to_vec() })
    }

    const fn round(&self) -> usize {
        self.earlier.len() + 1
    }

    /// Writes the tags of the game that is on the table.
    pub(super) fn write_tags(&self, record: &mut Record) {
        if record.tag(EVENT).is_none() {
            record.set_tag(EVENT, &format!("Match of {} games", self.games));
        }
        record.set_tag(ROUND, &self.round().to_string());
        record.set_tag(GAMES, &self.games.to_string());
    }
}

/// The value of a tag that is a number.
fn number(record: &Record, tag: &str) -> Option<usize> {
    record.tag(tag)?.parse().ok()
}

impl GameSession {
    /// The session that goes on with the games of a file: its match, if they are
    /// the games of one, else its first game.
    pub fn from_records(records: &[Record]) -> Option<Self> {
        let found = Match::of(records);
        let record = if found.is_some() { records.last()? } else { records.first()? };
        let mut session = Self::from_record(record);
        session.match_played = found;
        Some(session)
    }

    /// Whether the games of a file are the games so far of one match.
    pub fn is_match(records: &[Record]) -> bool {
        Match::of(records).is_some()
    }

    /// How the match stands; `None` for a single game.
    pub fn match_standing(&self) -> Option<MatchStanding> {
        let played = self.match_played.as_ref()?;
        let round = played.round();
        let mut standing = MatchStanding {
            round,
            games: played.games,
            ended: 0,
            half_points: [0; 2],
            winning_moves: [0; 2],
        };
        for (record, number) in played.earlier.iter().zip(1..) {
            let winner = match record.result() {
                GameResult::Won(side) => Some(side),
                GameResult::Drawn | GameResult::Unknown => None,
            };
            // The seats are swapped after each game.
            let is_swapped = (round - number) % 2 == 1;
            let winner = winner.map(|side| if is_swapped { side.other() } else { side });
            let history = record.history();
            standing.count(winner, history.move_number(history.len()));
        }
        if let Some(outcome) = self.outcome() {
            standing.count(outcome.winner(), self.history().move_number(self.history().len()));
        }
        Some(standing)
    }

    /// Whether this game has ended and another one of its match follows.
    pub fn awaits_next_game(&self) -> bool {
        self.outcome().is_some()
            && self.match_standing().is_some_and(|standing| !standing.is_over())
    }

    /// The next game of the match, with the players in each other's seats; `None`
    /// while this game goes on, and after the last one.
    pub fn next_game(&self) -> Option<Self> {
        if !self.awaits_next_game() {
            return None;
        }
        let played = self.match_played.as_ref()?;
        let mut earlier = played.earlier.clone();
        earlier.push(self.record(None));
        let mut next = Self::new(Setup { games: 1, ..self.same_again().swapped() });
        let [first, second] = self.names();
        next.names = [second.clone(), first.clone()];
        next.match_played = Some(Match { games: played.games, earlier });
        next.notes.tags =
            self.notes.tags.iter().filter(|(name, _)| name == EVENT).cloned().collect();
        Some(next)
    }

    /// The set-up of another game, or match, like this one, in which the players
    /// begin in each other's seats.
    pub fn rematch(&self) -> Setup {
        // After an even number of games they sit in each other's seats already.
        if self.match_played.as_ref().is_some_and(|played| played.round().is_multiple_of(2)) {
            self.same_again()
        } else {
            self.same_again().swapped()
        }
    }

    /// The set-up of another game, or match, like this one, in which the players
    /// begin in the same seats.
    pub fn rematch_same_sides(&self) -> Setup {
        self.rematch().swapped()
    }

    /// The games of the match so far, or this game alone, as the text of a file.
    /// `date` is that of [`Self::record`].
    pub fn file_text(&self, date: Option<String>) -> String {
        self.with_earlier(&self.record(date))
    }

    /// The text that is saved while the game is played: with the undone plies, so
    /// that a resumed game can still redo them.
    pub fn saved_text(&self, date: Option<String>) -> String {
        self.with_earlier(&self.saved_game(date))
    }

    fn with_earlier(&self, record: &Record) -> String {
        let earlier = self.match_played.iter().flat_map(|played| &played.earlier);
        let texts: Vec<String> =
            earlier.chain(std::iter::once(record)).map(ToString::to_string).collect();
        texts.join("\n")
    }

    /// Makes this a game of its own.
    pub(super) fn leave_match(&mut self) {
        self.match_played = None;
        let tags = &mut self.notes.tags;
        if [ROUND, GAMES].iter().all(|tag| tags.iter().any(|(name, _)| name == tag)) {
            tags.retain(|(name, _)| ![EVENT, ROUND, GAMES].contains(&name.as_str()));
        }
    }
}

/// Whether a match can have so many games, a single one included: 1 to 100.
///
/// ```
/// assert!(tabulae_session::is_match_length(4) && !tabulae_session::is_match_length(0));
/// ```
pub const fn is_match_length(games: usize) -> bool {
    games >= 1 && games <= MAX_GAMES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seat;
    use tabulae_engines::Level;
    use tabulae_games::RuleSet;
    use tabulae_records::read;

    fn begun(rules: RuleSet, games: usize) -> GameSession {
        let seats = [Seat::Person, Seat::Engine(Level::Club)];
        let clock = "600,60".parse().ok();
        GameSession::new(Setup { seats, games, clock, seed: Some(1), ..Setup::new(rules) })
    }

    fn play(session: &mut GameSession, plies: usize) {
        for _ in 0..plies {
            let mv = session.history().legal_moves()[0];
            session.play(mv).expect("legal");
        }
    }

    fn standing(session: &GameSession) -> MatchStanding {
        session.match_standing().expect("a match")
    }

    #[test]
    fn players_swap_seats_and_each_keeps_its_clock_and_its_points() {
        let mut game = begun(RuleSet::TablutAshton, 3);
        let mut person = Side::First;
        for round in 1..=3 {
            assert_eq!(game.seats()[person.index()], Seat::Person);
            let time = game.clock().expect("clocks").time_controls().of(person).time();
            assert_eq!(time.as_secs(), 600);
            play(&mut game, 2);
            assert!(if round == 2 { game.agree() } else { game.resign(person.other()) });
            let now = standing(&game);
            assert_eq!((now.round, now.ended), (round, round));
            assert_eq!(now.points(person), ["1", "1½", "2½"][round - 1]);
            assert_eq!(now.points(person.other()), ["0", "½", "½"][round - 1]);
            assert_eq!(game.awaits_next_game(), round < 3);
            if let Some(next) = game.next_game() {
                game = next;
                person = person.other();
            }
        }
        let won = MatchResult::Won { side: person, by_moves: false };
        assert_eq!(standing(&game).result(), Some(won));
        // The rematch begins on the other side than this match did.
        let again = game.rematch();
        assert_eq!((again.seats[1], again.games), (Seat::Person, 3));
        assert_eq!(game.rematch_same_sides().seats[0], Seat::Person);
        assert_eq!(again.clock.map(|clock| clock.to_string()).as_deref(), Some("60,600"));
    }

    #[test]
    fn equal_points_are_decided_by_the_moves_of_the_won_games() {
        for (first, second, expected) in [
            (4, 6, MatchResult::Won { side: Side::Second, by_moves: true }),
            (6, 4, MatchResult::Won { side: Side::First, by_moves: true }),
            (4, 4, MatchResult::Drawn),
        ] {
            let mut game = begun(RuleSet::TablutAshton, 2);
            play(&mut game, first);
            game.resign(Side::Second);
            let mut game = game.next_game().expect("the second game");
            play(&mut game, second);
            // The winner of the first game, who sits on the second side now, loses.
            game.resign(Side::Second);
            assert_eq!(standing(&game).half_points, [2, 2]);
            assert_eq!(standing(&game).result(), Some(expected), "{first} {second}");
        }
    }

    #[test]
    fn a_file_of_a_match_continues_it_and_a_branch_leaves_it() {
        let mut game = begun(RuleSet::TablutAshton, 4);
        play(&mut game, 3);
        game.resign(Side::First);
        let mut game = game.next_game().expect("the second game");
        play(&mut game, 2);
        assert!(game.undo());
        let text = game.saved_text(None);
        let records = read(&text).expect("two games");
        assert_eq!(records.len(), 2);
        let mut again = GameSession::from_records(&records).expect("the match");
        assert_eq!(again.saved_text(None), text, "written as it was read");
        assert_eq!(standing(&again), standing(&game));
        assert!(again.redo(), "what was undone can still be redone");

        let alone = again.branch(1).file_text(None);
        assert!(!alone.contains("[Round") && !alone.contains("[Event"), "{alone}");
        // Games that are no match are opened at the first.
        for other in [text.replace("\"4\"", "\"1\""), text.replace("[Round \"2\"]", "")] {
            let records = read(&other).expect("two games");
            assert!(!GameSession::is_match(&records), "{other}");
            let first = GameSession::from_records(&records).expect("the first game");
            assert_eq!((first.history().len(), first.match_standing()), (3, None));
        }
    }
}
