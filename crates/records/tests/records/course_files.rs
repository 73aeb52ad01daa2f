//! Files of the two courses that play Tablut: logs of Bologna's server and its console,
//! and commands and transcripts of Berkeley's project.

use tabulae_games::{RuleSet, Side};
use tabulae_records::{GameResult, Record, read_any, read_games};

const STAMP: &str = "nov 26, 2026 3:00:00 PM it.unibo.domain.GameAshtonTablut checkMove\n";

/// The board of a log: Ashton's start with these rows, from rank 1, and the side to move.
fn board(rows: &[(usize, &str)], state: &str) -> String {
    let mut board = [
        "OOOBBBOOO",
        "OOOOBOOOO",
        "OOOOWOOOO",
        "BOOOWOOOB",
        "BBWWKWWBB",
        "BOOOWOOOB",
        "OOOOWOOOO",
        "OOOOBOOOO",
        "OOOBBBOOO",
    ];
    for (rank, row) in rows {
        board[rank - 1] = row;
    }
    format!("{}\n-\n{state}\n", board.join("\n"))
}

fn logged(message: &str) -> String {
    format!("{STAMP}FINE: {message}\n")
}

/// The boards after e4-f4, d1-d4 and e3-f3, as the server shows them.
fn boards() -> [String; 4] {
    let first = (4, "BOOOOWOOB");
    let second = [(4, "BOOBOWOOB"), (1, "OOOOBBOOO")];
    [
        board(&[], "W"),
        board(&[first], "B"),
        board(&second, "W"),
        board(&[second[0], second[1], (3, "OOOOOWOOO")], "B"),
    ]
}

/// A log with these letters behind `Turn:`.
fn log(letters: [&str; 3]) -> String {
    let [start, one, two, three] = boards();
    let turn = |letter: &str, squares| logged(&format!("Turn: {letter} Pawn from {squares}"));
    [
        logged("Players:\tNorth\tvs\tEast"),
        logged("Stato:") + &start,
        turn(letters[0], "e4 to f4"),
        logged("Stato:") + &one,
        turn(letters[1], "d1 to d4"),
        logged("Stato:") + &two,
        turn(letters[2], "e3 to f3"),
        logged("Stato:") + &three,
    ]
    .concat()
}

fn the_one(text: &str) -> Record {
    let mut records = read_any(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

#[test]
fn the_boards_of_a_log_say_whose_move_it_is() {
    for letters in [["W", "B", "W"], ["W", "null", "W"], ["W", "W", "W"], ["null", "W", "B"]] {
        let text = log(letters);
        let record = the_one(&text);
        assert_eq!((record.rules(), record.history().len()), (RuleSet::TablutAshton, 3));
        assert_eq!(record.players, ["North", "East"]);
        // The classic end of a line of old systems.
        assert_eq!(the_one(&text.replace('\n', "\r")), record);
        // A board that the moves do not make is still refused.
        let wrong = read_any(&text.replacen("BOOOOWOOB", "BOOOWOOOB", 1)).unwrap_err();
        assert_eq!(wrong.message.key(), "why.other-board", "{wrong}");
    }
}

#[test]
fn a_log_that_the_server_ended_by_length_is_a_draw() {
    let text = log(["W", "B", "W"]) + "\nPARTITA TERMINATA A CAUSA DELLA LUNGHEZZA\nD\n";
    let record = the_one(&text);
    assert_eq!((record.history().len(), record.result()), (3, GameResult::Drawn));
    assert_eq!(record.termination(), Some("length"));
    let late = log(["W", "B", "W"]) + &logged("Timeout! Player B lose!");
    let record = the_one(&late);
    assert_eq!(record.result(), GameResult::Won(Side::First));
    assert_eq!(record.termination(), Some("time forfeit"));
}

/// Without boards, the message of the end is what tells that the move before it stood.
#[test]
fn the_last_move_counts_before_the_end_of_a_log() {
    let moves = ["W Pawn from e4 to f4", "B Pawn from d1 to d4"];
    let moves = moves.map(|turn| logged(&format!("Turn: {turn}"))).concat();
    let record = the_one(&(moves.clone() + &logged("Timeout! Player W lose!")));
    assert_eq!((record.history().len(), record.result()), (2, GameResult::Won(Side::Second)));
    assert_eq!(record.termination(), Some("time forfeit"));
    let record = the_one(&(moves.clone() + &logged("TIMEOUT! END OF THE GAME")));
    assert_eq!((record.history().len(), record.result()), (2, GameResult::Drawn));
    // A move that the rules refuse is no move, unless the server refused it, too.
    let illegal = moves.replace("d1 to d4", "d1 to d9");
    assert_eq!(read_any(&illegal).unwrap_err().text, "d1-d9");
    let record = the_one(&(illegal + &logged("Mossa in diagonale")));
    assert_eq!((record.history().len(), record.termination()), (1, Some("illegal move")));
}

#[test]
fn the_last_board_of_a_log_is_compared() {
    let [.., last] = boards();
    let ended = |state| {
        let begun = log(["W", "B", "W"]);
        let begun = begun.strip_suffix(&(logged("Stato:") + &last)).expect("its last board");
        let last = last.replace("-\nB\n", &format!("-\n{state}\n"));
        format!("{begun}{}Stato:\n{last}", logged("Timeout! Player B lose!"))
    };
    let text = ended("WW");
    assert_eq!(the_one(&text).result(), GameResult::Won(Side::First));
    let wrong = text.replace("OOOOOWOOO", "OOOOWOOOO");
    assert_ne!(wrong, text);
    let error = read_any(&wrong).unwrap_err();
    assert_eq!(error.message.key(), "why.other-board", "{error}");
}

#[test]
fn a_refused_try_loses_only_if_no_move_follows() {
    let begun = log(["W", "B", "W"]);
    let [.., last] = boards();
    let begun = begun.strip_suffix(&(logged("Stato:") + &last)).expect("its last board");
    let begun = begun.strip_suffix(&logged("Turn: W Pawn from e3 to f3")).expect("its last move");
    let refused = format!(
        "{begun}{}{STAMP}WARNING: Mossa in diagonale\n",
        logged("Turn: W Pawn from e3 to g5")
    );
    let record = the_one(&refused);
    assert_eq!((record.history().len(), record.result()), (2, GameResult::Won(Side::Second)));
    assert_eq!(record.termination(), Some("illegal move"));
    let played = refused + &logged("Turn: W Pawn from e3 to f3") + &logged("Stato:") + &last;
    let record = the_one(&played);
    assert_eq!((record.history().len(), record.result()), (3, GameResult::Unknown));
    assert_eq!(record.termination(), None);
    let silent = log(["W", "B", "W"]) + &logged("Turn: B Pawn from null to null");
    assert_eq!(the_one(&silent).termination(), Some("no move given"));
}

#[test]
fn the_console_of_the_server_is_read() {
    let [_, one, two, three] = boards();
    let text = format!(
        "Waiting for W...\nSuggested move: Turn: W Pawn from e4 to f4\nStato:\n{one}\
         Waiting for B...\nSuggested move: Turn: B Pawn from d1 to d4\n{two}\
         Suggested move: Turn: W Pawn from e3 to f3\n{two}Current state:\n{three}"
    );
    assert_eq!(the_one(&text).history().len(), 3);
    // It may begin within a game.
    let text = format!("State:\n{two}Suggested move: Turn: W Pawn from e3 to f3\n{three}");
    let record = the_one(&text);
    assert_eq!(record.history().len(), 1);
    assert_ne!(*record.history().start(), *the_one(&log(["W"; 3])).history().start());
}

#[test]
fn a_log_without_a_move_is_an_error() {
    let [start, ..] = boards();
    for text in [logged("Stato:") + &start, logged("Players:\ta\tvs\tb") + "Stato:\n" + &start] {
        let error = read_any(&text).unwrap_err();
        assert_eq!(error.message.key(), "why.expected-log", "{error}");
    }
}

#[test]
fn each_game_of_a_log_stands_for_itself() {
    let good = log(["W", "B", "W"]);
    let bad = good.replace("d1 to d4", "d1 to d9");
    let games = read_games([&*good, &bad, &good].concat().as_bytes());
    assert!(games.len() == 3 && games[0].is_ok() && games[0] == games[2]);
    let error = games[1].as_ref().unwrap_err();
    assert_eq!((error.text.as_str(), error.column), ("d1-d9", 25), "{error}");
}

#[test]
fn commands_of_the_berkeley_project_are_skipped_and_obeyed() {
    let text = "#* java -ea tablut.Main\n# a test\nmanual white\nseed 42\nLimit 9\nd1-4\nE4-f\n\
                dump\nundo\ni6-f\nauto black\n#*move/win+\nquit\n";
    let record = the_one(text);
    let plies: Vec<_> = record.history().plies().map(|ply| ply.to_string()).collect();
    assert_eq!((record.rules(), plies.join(" ").as_str()), (RuleSet::TablutBerkeley, "i6-f6"));
    assert_eq!(the_one(&text.replace('\n', "\r")), record);

    let games = read_games(b"new\nd1-4 e4-f\nnew\nd1-9\nnew\nf1-4\nquit\n");
    let lengths: Vec<_> = games.iter().flatten().map(|game| game.history().len()).collect();
    assert_eq!((games.len(), lengths), (3, vec![2, 1]));
    let error = games[1].as_ref().unwrap_err();
    assert_eq!((error.line, error.column, error.text.as_str()), (4, 1, "d1-9"), "{error}");
}

#[test]
fn transcripts_of_the_berkeley_project_are_read() {
    let dump = "===\n 9 - - - B B B - - -\n 8 - - - - B - - - -\n 7 - - - - W - - - -\n \
                6 B - - - W - - - B\n 5 B B W W K W W B B\n 4 B - - B - W - - B\n \
                3 - - - - W - - - -\n 2 - - - - B - - - -\n 1 - - - - B B - - -\n   \
                a b c d e f g h i\n===\n";
    let text =
        format!("> > seed 3\n> d1-4\n* e4-f\n> dump\n{dump}> d4-9\nError: bad move\n> d4-3\n");
    let record = the_one(&text);
    let plies: Vec<_> = record.history().plies().map(|ply| ply.to_string()).collect();
    assert_eq!(plies.join(" "), "d1-d4 e4-f4 d4-d3");
    // Without the message the move was meant.
    let error = read_any(&text.replace("Error: bad move\n", "")).unwrap_err();
    assert_eq!((error.line, error.text.as_str()), (17, "d4-9"), "{error}");
    let error = read_any(&text.replacen("B - W - -", "B W - - -", 1)).unwrap_err();
    assert_eq!(error.message.key(), "why.other-board", "{error}");
    assert_eq!(error.line, 6, "{error}");

    // The limit of moves is the program's own.
    let won = the_one("limit 1\n* d1-4\n> e4-f\n* White wins.\n");
    assert_eq!((won.result(), won.termination()), (GameResult::Won(Side::Second), None));
    let repeated = "a4-3 e4-f a3-4 f4-e\n* Black wins.\n";
    assert_eq!(the_one(repeated).result(), GameResult::Won(Side::First));
    let error = read_any(&repeated.replace("Black", "White")).unwrap_err();
    assert_eq!((error.line, error.column, error.text.as_str()), (2, 3, "0-1"), "{error}");
}

/// A board that is left open, or has another line within it, would hide moves.
#[test]
fn a_board_of_a_transcript_is_nine_rows_between_two_lines() {
    let row = " 4 B - - B - W - - B\n";
    for (text, line) in [
        ("===\n===\n".to_owned(), 1),
        ("i6-g\n=====\nd5-7\n=====\n".to_owned(), 3),
        ("i6-g\n===== # a board".to_owned(), 3),
        (format!("i6-g\n===\n{row}\n{row}===\n"), 2),
        (format!("i6-g\n===\n{}===\n", row.repeat(10)), 2),
        (format!("i6-g\n===\n{row}a b c\n"), 4),
    ] {
        let games = read_games(format!("{text}\nnew\nd1-4\n").as_bytes());
        let error = games[0].as_ref().expect_err(&text);
        assert!(error.reason.starts_with("expected a board"), "{text}: {error}");
        assert_eq!((games.len(), error.line), (2, line), "{text}: {error}");
        assert_eq!(games[1].as_ref().map(|game| game.history().len()), Ok(1), "{text}");
    }
    let open = read_any("i6-g\n> ===").unwrap_err();
    assert_eq!((open.line, open.column, open.text.as_str()), (2, 3, "==="), "{open}");
}

#[test]
fn a_winner_is_forgotten_with_the_next_move_or_undo() {
    for text in ["d1-4\n* Black wins.\ne4-f\n", "d1-4 e4-f\nd4-3\n* Black wins.\nundo\n"] {
        assert_eq!(the_one(text).result(), GameResult::Unknown, "{text}");
    }
}

#[test]
fn commands_without_a_move_are_an_error() {
    for text in ["dump\nquit\n", "manual white\n", "* Black wins.\n", "> \n"] {
        let error = read_any(text).unwrap_err();
        assert_eq!(error.message.key(), "why.expected-moves", "{text}: {error}");
    }
    // What changes the board cannot be skipped.
    assert_eq!(read_any("d1-4\ntoggle e5\n").unwrap_err().text, "toggle");
}
