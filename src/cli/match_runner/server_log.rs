//! The log of a game as the server of Bologna's competition writes it.

use std::{
    fmt::Write as _,
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

use crate::{
    cli::{
        bologna::protocol::{Cell, StateMessage, TurnField},
        files::cannot_write,
        prelude::*,
    },
    session::date_at,
};

use super::{game::FinishedGame, player::RefusedMove};

/// The class of the competition's server that writes the log.
const SOURCE: &str = "it.unibo.ai.didattica.competition.tablut.domain.GameAshtonTablut";

/// Writes the log of a game to a file of its own in this folder, named as the server names
/// it: both players and the time at which the game began.
///
/// # Errors
/// It cannot be written; the text names it.
pub(super) fn write(folder: &Path, game: &FinishedGame) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let [white, black] = names(game);
    let began = game.course.started.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let path = folder.join(format!("{white}_vs_{black}_{began}_gameLog.txt"));
    write_file(&path, log(game))
}

/// The players' names with the characters that the server keeps.
fn names(game: &FinishedGame) -> [String; 2] {
    game.record.players.each_ref().map(|name| {
        let name: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
        if name.is_empty() { "player".to_owned() } else { name }
    })
}

fn log(game: &FinishedGame) -> String {
    let (history, course) = (game.record.history(), &game.course);
    let [white, black] = names(game);
    let mut log = Log { text: String::new(), at: course.started, method: "<init>" };
    log.entry("FINE", &format!("Players:\t{white}\tvs\t{black}"));
    log.entry("FINE", "Inizio partita");
    log.state(history.start(), history.start().turn());
    log.method = "checkMove";
    let mut refused = course.refused.iter().peekable();
    for number in 1..=history.len() {
        let (Some(before), Some(after)) = (history.at(number - 1), history.at(number)) else {
            break;
        };
        while let Some((_, refused)) = refused.next_if(|(plies, _)| *plies < number) {
            log.refusal(refused, before.turn());
        }
        log.at += course.thinking.get(number - 1).copied().unwrap_or_default();
        if let Some(Ply::Move(AnyMove::Tablut(mv))) = history.ply(number) {
            log.turn(before.turn(), &mv.from().to_string(), &mv.to().to_string());
        }
        for event in history.events(number) {
            if let Event::Captured { at, side } = event {
                let text = match after {
                    AnyPosition::Tablut(end) if end.shown_king() == Some(*at) => {
                        "Nero vince con re catturato in"
                    }
                    _ if *side == Side::First => "Pedina bianca rimossa in",
                    _ => "Pedina nera rimossa in",
                };
                log.entry("FINE", &format!("{text}: {at}"));
            }
        }
        // The end by repetition is the game's, not the position's.
        log.state(after, if number == history.len() { history.turn() } else { after.turn() });
    }
    let is_refusal = refused.peek().is_some();
    for (_, refused) in refused {
        log.refusal(refused, history.turn());
    }
    if history.turn().end().is_some() {
        return log.text;
    }
    match game.record.result() {
        GameResult::Won(_) if course.is_late => {
            let loser = letter(history.turn());
            log.entry("WARNING", &format!("Timeout! Player {loser} lose!"));
        }
        GameResult::Won(_) if !is_refusal => log.turn(history.turn(), "null", "null"),
        GameResult::Drawn => log.entry("WARNING", "PARTITA TERMINATA A CAUSA DELLA LUNGHEZZA"),
        _ => {}
    }
    log.text
}

/// The side to move, or the result.
const fn letter(turn: Turn) -> &'static str {
    match TurnField::new(turn) {
        TurnField::White => "W",
        TurnField::Black => "B",
        TurnField::WhiteWin => "WW",
        TurnField::BlackWin => "BW",
        TurnField::Draw => "D",
    }
}

struct Log {
    text: String,
    /// When the next entry happened.
    at: SystemTime,
    /// The method of the server that writes it.
    method: &'static str,
}

impl Log {
    /// Writes an entry as Java's logging does by default, in English: two lines, the time
    /// in UTC.
    fn entry(&mut self, level: &str, message: &str) {
        const MONTHS: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let date = date_at(self.at).unwrap_or_default();
        let part = |range| date.get(range).unwrap_or_default();
        let month = part(5..7).parse::<usize>().ok().and_then(|month| month.checked_sub(1));
        let month = month.and_then(|month| MONTHS.get(month)).unwrap_or(&MONTHS[0]);
        let seconds = self.at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
        let (hour, half) = (seconds / 3600, if seconds < 43_200 { "AM" } else { "PM" });
        let (year, day, hour) = (part(0..4), part(8..10), (hour + 11) % 12 + 1);
        let (minute, second, method) = (seconds / 60 % 60, seconds % 60, self.method);
        // Writing to a text cannot fail.
        _ = writeln!(
            self.text,
            "{month} {day}, {year} {hour}:{minute:02}:{second:02} {half} {SOURCE} {method}\n\
             {level}: {message}"
        );
    }

    /// The board with row 1 first, then the side to move.
    fn state(&mut self, position: &AnyPosition, turn: Turn) {
        let Some(state) = StateMessage::new(position, turn) else { return };
        let mut text = "Stato:\n".to_owned();
        for row in state.board {
            text.extend(row.map(|cell| match cell {
                Cell::Empty => 'O',
                Cell::White => 'W',
                Cell::Black => 'B',
                Cell::King => 'K',
                Cell::Throne => 'T',
            }));
            text.push('\n');
        }
        self.entry("FINE", &format!("{text}-\n{}", letter(turn)));
    }

    fn turn(&mut self, turn: Turn, from: &str, to: &str) {
        self.entry("FINE", &format!("Turn: {} Pawn from {from} to {to}", letter(turn)));
    }

    /// A move that was not legal, and why in the server's language.
    fn refusal(&mut self, refused: &RefusedMove, turn: Turn) {
        let (from, to) = refused.text.split_once('-').unwrap_or((&refused.text, "null"));
        self.turn(turn, from, to);
        let player = letter(turn);
        let why = match &refused.why {
            Illegal::Unreadable(_) => "Formato mossa errato".to_owned(),
            Illegal::OffBoard(_) => "Mossa fuori tabellone".to_owned(),
            Illegal::NoPiece(at) => format!("Giocatore {player} muove da una casella vuota: {at}"),
            Illegal::NotYours(_) => {
                format!("Giocatore {player} cerca di muovere una pedina avversaria")
            }
            why => format!("Mossa non permessa: {why}"),
        };
        self.entry("WARNING", &why);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::game::Course, *};
    use crate::{
        games::{GameHistory, RuleSet},
        records::{Record, read_any},
    };

    fn game(moves: &[&str]) -> FinishedGame {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        for text in moves {
            history.push(history.parse(text).expect("legal")).expect("legal");
        }
        let mut record = Record::new(history);
        record.players = ["Elsa 1".to_owned(), "Bru\nno".to_owned()];
        let mut course = Course::begin();
        course.started = UNIX_EPOCH + std::time::Duration::from_secs(1_606_930_546);
        FinishedGame { number: 0, record, forfeit: None, times: Default::default(), course }
    }

    /// The record that a log is read as.
    fn read_back(game: &FinishedGame) -> Record {
        let text = log(game);
        let records = read_any(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [record] = <[Record; 1]>::try_from(records).expect("one game");
        record
    }

    #[test]
    fn a_log_is_read_as_the_servers() {
        let game = game(&["f5-f8", "d9-b9", "f8-f3"]);
        let text = log(&game);
        let head = "Dec 02, 2020 5:35:46 PM it.unibo.ai.didattica.competition.tablut.domain.\
                    GameAshtonTablut <init>\nFINE: Players:\tElsa1\tvs\tBruno\n";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("checkMove\nFINE: Turn: B Pawn from d9 to b9\n"), "{text}");
        let record = read_back(&game);
        assert_eq!(record.players, ["Elsa1", "Bruno"]);
        assert_eq!(record.date.as_deref(), Some("2020.12.02"));
        assert_eq!(record.history().len(), 3);
    }

    /// The server leaves the king where he was captured.
    #[test]
    fn a_captured_king_stays_on_the_board() {
        let moves = "c5-c2 b5-c5 e4-b4 c5-c3 g5-g6 i4-c4 e3-g3 h5-g5 g6-g7 f9-f6 c2-b2 a6-d6 e7-f7 \
                     d9-d7 g3-d3 e9-b9 d3-d5 c4-c5 b2-b1 e8-f8 e5-e6 g5-g4 b1-b3 a4-a3 e6-e7 i6-i7 \
                     e7-e6 d7-e7";
        let game = game(&moves.split_whitespace().collect::<Vec<_>>());
        let text = log(&game);
        assert!(text.contains("\nFINE: Nero vince con re catturato in: e6\n"), "{text}");
        assert_eq!(read_back(&game).termination(), Some("king-captured"));
    }

    #[test]
    fn errors_and_ends_are_read_back() {
        let refused = |plies, text: &str, history: &GameHistory<AnyPosition>| {
            let why = history.parse(text).expect_err("not legal");
            (plies, RefusedMove { text: text.to_owned(), why })
        };
        let mut permitted = game(&["f5-f8", "d9-b9"]);
        let start = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        permitted.course.refused = vec![refused(0, "d1-d2", &start), refused(0, "a2-a3", &start)];
        let record = read_back(&permitted);
        assert_eq!((record.history().len(), record.result()), (2, GameResult::Unknown));

        let mut lost = game(&["f5-f8"]);
        lost.course.refused = vec![refused(1, "e1-e9", lost.record.history())];
        lost.record.stop(GameResult::Won(Side::First), Some("forfeit"));
        assert_eq!(read_back(&lost).result(), GameResult::Won(Side::First));
        assert_eq!(read_back(&lost).termination(), Some("illegal move"));
        lost.course.refused.clear();
        assert_eq!(read_back(&lost).termination(), Some("no move given"));
        lost.course.is_late = true;
        assert_eq!(read_back(&lost).termination(), Some("time forfeit"));

        let mut long = game(&["f5-f8"]);
        long.record.stop(GameResult::Drawn, Some("ply limit"));
        assert_eq!(read_back(&long).result(), GameResult::Drawn);
    }
}
