//! Records: round trips, valid and invalid files, importers, and no panics.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabulae_games::{AnyPosition, Event, Game, GameHistory, GameKind, Ply, RuleSet, Side};
use tabulae_records::{GameResult, Record, import, opentafl, read, read_any, read_games};

use crate::random_games::{Numbers, play_random, random_line};

const ODD: &[&str] = &[
    "a quiet start",
    "{braces} and }more} of \\them\\",
    "\"quotes\"",
    "\\",
    "\\}",
    "two\nlines\n\n[White \"no tag\"]",
    "; not a remark",
    "1-0",
    "e4-f4 12. *",
    "\t tabs \t",
    "ελληνικά, 日本語, 🎲",
    "\u{2028}odd\u{85}ends\u{0}",
    "a long remark that goes on well beyond the eightieth column of the line that it is written on",
    "\u{feff}",
];

fn records_dir(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/records").join(kind)
}

fn files(kind: &str, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(records_dir(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} files in {kind}");
    files
}

fn random_record(rules: RuleSet, numbers: &mut Numbers) -> Record {
    let plies = numbers.below(120);
    let mut record = Record::new(random_line(rules, numbers, plies));
    for player in &mut record.players {
        *player = numbers.pick(ODD).to_owned();
    }
    if numbers.below(2) == 0 {
        record.date = Some("2026.11.20".to_owned());
        record.seed = Some(numbers.next());
    }
    if numbers.below(2) == 0 {
        assert!(record.set_tag("Event", numbers.pick(ODD)));
        assert!(record.set_tag("Round_2", ""));
    }
    for _ in 0..numbers.below(6) {
        let number = numbers.below(record.history().len() + 1);
        record.comment(number, numbers.pick(ODD));
    }
    match numbers.below(4) {
        0 => _ = record.stop(GameResult::Won(Side::Second), Some("resignation")),
        1 => _ = record.stop(GameResult::Drawn, Some("by \"agreement\"")),
        2 => _ = record.stop(GameResult::Unknown, Some("adjourned")),
        _ => (),
    }
    record
}

#[test]
fn written_records_parse_back_equal() {
    let mut numbers = Numbers::new(1);
    for rules in RuleSet::ALL {
        let records: Vec<_> = (0..25).map(|_| random_record(rules, &mut numbers)).collect();
        for record in &records {
            let text = record.to_string();
            let back = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(back, std::slice::from_ref(record), "{text}");
        }
        let file = records.iter().map(Record::to_string).collect::<Vec<_>>().join("\n");
        assert_eq!(read(&file).unwrap(), records, "several games in one file");
        assert_eq!(read_any(&file).unwrap(), records, "the kind of text is recognised");
    }
}

#[test]
fn white_space_line_ends_and_numbers_do_not_matter() {
    let mut numbers = Numbers::new(2);
    for rules in RuleSet::ALL {
        let record = Record::new(random_line(rules, &mut numbers, 60));
        let text = record.to_string();
        let (tags, moves) = text.split_once("\n\n").unwrap();
        let bare: Vec<_> = moves
            .split_whitespace()
            .filter(|word| !word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()))
            .collect();
        let numbered: String =
            bare.iter().enumerate().map(|(at, word)| format!("{at}...\t{word}\r\n\r\n")).collect();
        let glued: String =
            bare.iter().map(|word| format!("7.{word} ")).collect::<String>().replace("7.*", "*");
        for moves in [bare.join(" "), numbered, glued] {
            let text = format!("\u{feff}\r\n{}\r\n{moves}", tags.replace('\n', "\r\n"));
            assert_eq!(read(&text).unwrap(), std::slice::from_ref(&record), "{text}");
        }
    }
}

#[test]
fn lines_of_moves_stay_within_eighty_columns() {
    let mut numbers = Numbers::new(3);
    for rules in RuleSet::ALL {
        let mut texts = std::iter::repeat_with(|| {
            Record::new(random_line(rules, &mut numbers, 200)).to_string()
        });
        let text = texts.find(|text| text.lines().count() > 8).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_record_refuses_what_it_could_not_write() {
    let mut record = Record::new(GameHistory::new(AnyPosition::start(RuleSet::Tablaaza)));
    for name in ["", "two words", "quo\"te", "Rules", "Red", "Green", "Result", "Überschrift"] {
        assert!(!record.set_tag(name, "x"), "{name}");
    }
    assert!(record.set_tag("White", "x"), "no side of Tablaaza is white");
    assert!(!record.comment(0, " \n "));
    assert!(!record.comment(1, "not reached"));
    assert!(!record.stop(GameResult::Drawn, Some("no-moves")));
    assert_eq!(record.tags().len(), 1);
    assert_eq!(record.result(), GameResult::Unknown);
}

#[test]
fn valid_files_round_trip() {
    let mut seen = Vec::new();
    for path in files("valid", "tab") {
        let text = fs::read_to_string(&path).unwrap();
        let records = read_any(&text).unwrap_or_else(|error| panic!("{}", error.in_file(&path)));
        for record in records {
            seen.push(record.rules());
            assert_eq!(read(&record.to_string()).unwrap(), [record]);
        }
    }
    for rules in RuleSet::ALL {
        assert!(seen.contains(&rules), "no good file of {rules}");
    }
}

/// Each invalid file has its error in a file of the same name.
#[test]
fn invalid_files_are_refused_with_location_and_reason() {
    for path in files("invalid", "tab") {
        let text = String::from_utf8(fs::read(&path).unwrap()).unwrap();
        let name = path.file_name().unwrap();
        let error = match read(&text) {
            Err(error) => error.in_file(Path::new(name)).to_string(),
            Ok(_) => panic!("{} is not refused", path.display()),
        };
        let expected = fs::read_to_string(path.with_extension("error")).unwrap_or_default();
        assert_eq!(error, expected.trim_end(), "{}", path.display());
    }
}

#[test]
fn no_input_makes_the_parsers_panic() {
    let mut numbers = Numbers::new(4);
    let mut texts: Vec<String> = ["valid", "invalid"]
        .iter()
        .flat_map(|kind| files(kind, "tab"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    texts.push(log_of(&random_line(RuleSet::TablutAshton, &mut numbers, 20)));
    texts.push("1. i6-g d5-7, i4-g".to_owned());
    let mut refused = 0;
    for round in 0..400 {
        let mut bytes = if round % 4 == 0 {
            (0..numbers.below(200)).map(|_| numbers.next().to_le_bytes()[0]).collect()
        } else {
            numbers.pick(&texts).into_bytes()
        };
        for _ in 0..=numbers.below(8) {
            let at = numbers.below(bytes.len() + 1);
            match numbers.below(3) {
                0 => bytes.insert(at, numbers.pick(b"[]{}\"\\;.-x*t\n\r \xff")),
                1 if at < bytes.len() => _ = bytes.remove(at),
                _ => bytes.truncate(bytes.len() - numbers.below(4).min(bytes.len())),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        for result in [
            read(&text),
            read_any(&text),
            import::bologna::read(&text),
            import::berkeley::read(&text).map(|record| vec![record]),
        ] {
            match result {
                Ok(records) => assert!(!records.is_empty()),
                Err(error) => {
                    refused += 1;
                    assert!(error.line >= 1 && error.column >= 1);
                    assert!(error.line <= text.lines().count() + 1);
                    assert!(!error.to_string().contains('\n'), "{error}");
                }
            }
        }
    }
    assert!(refused > 400, "the texts were too tame: {refused} refused");
}

#[test]
fn errors_escape_control_characters() {
    let text = "[Rules \"tablut/ashton\"]\n\n1. \u{1b}[2Je4-f4 \0";
    let message = read(text).unwrap_err().to_string();
    assert!(message.contains("\\u{1b}"), "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
    let text = "[Rules \"tablan\"]\n[Position \"12/12/12/12\\nx s -\"]\n";
    let message = read(text).unwrap_err().to_string();
    assert!(!message.contains(char::is_control), "{message:?}");
}

/// The short form of a move of one piece: `i6-g`, `d5-7`.
fn short(text: &str) -> String {
    let (from, to) = text.split_once('-').unwrap();
    let same_file = from.as_bytes()[0] == to.as_bytes()[0];
    format!("{from}-{}", if same_file { &to[1..2] } else { &to[..1] })
}

#[test]
fn berkeley_lists_replay() {
    let mut numbers = Numbers::new(5);
    for round in 0..10 {
        let line = random_line(RuleSet::TablutBerkeley, &mut numbers, 80);
        let moves: Vec<_> = line.plies().map(|ply| short(&ply.to_string())).collect();
        if moves.is_empty() {
            continue;
        }
        let numbered: String = moves
            .chunks(2)
            .enumerate()
            .map(|(at, pair)| format!("{}. {} # a remark\n", at + 1, pair.join(", ")))
            .collect();
        for text in [moves.join(" "), moves.join("\r\n"), numbered] {
            let record = read_any(&text).unwrap_or_else(|error| panic!("{round}: {error}\n{text}"));
            assert_eq!(record, [Record::new(line.clone())]);
        }
    }
    let error = read_any("i6-g d5-7\n  i4-g, a1-2\n").unwrap_err();
    assert_eq!((error.line, error.column, error.text.as_str()), (2, 9, "a1-2"), "{error}");
}

/// A log as Bologna's server writes it, with rank 1 first.
fn log_of(line: &GameHistory<AnyPosition>) -> String {
    let stamp = "Dec 02, 2020 5:35:46 PM it.unibo.domain.GameAshtonTablut checkMove\n";
    let board = |number: usize| {
        let text = line.at(number).unwrap().to_string();
        let (rows, side) = text.split_once(' ').unwrap();
        let mut board: Vec<String> = rows
            .split('/')
            .map(|row| {
                row.chars().fold(String::new(), |mut row, symbol| {
                    match symbol.to_digit(10) {
                        Some(empty) => row.extend(std::iter::repeat_n('O', empty as usize)),
                        None => row.push(symbol),
                    }
                    row
                })
            })
            .collect();
        board.reverse();
        if board[4].as_bytes()[4] == b'O' {
            board[4].replace_range(4..5, "T");
        }
        let ended = if number == line.len() { line.turn().end() } else { None };
        let state = match ended.map(|end| end.winner) {
            None => side.to_uppercase(),
            Some(Some(Side::First)) => "WW".to_owned(),
            Some(Some(Side::Second)) => "BW".to_owned(),
            Some(None) => "D".to_owned(),
        };
        format!("{stamp}FINE: Stato:\n{}\n-\n{state}\n", board.join("\n"))
    };
    let mut log = format!("{stamp}FINE: Players:\tNorthwind\tvs\tEast_wind\n{}", board(0));
    for number in 1..=line.len() {
        let text = line.ply(number).unwrap().to_string();
        let (from, to) = text.split_once('-').unwrap();
        let side = if line.at(number - 1).unwrap().side() == Side::First { "W" } else { "B" };
        log += &format!("{stamp}FINE: Turn: {side} Pawn from {from} to {to}\n");
        for event in line.events(number) {
            if let Event::Captured { at, .. } = event {
                log += &format!("{stamp}FINE: Pedina nera rimossa in: {at}\n");
            }
        }
        log += &board(number);
    }
    log
}

#[test]
fn bologna_logs_replay() {
    let mut numbers = Numbers::new(6);
    for _ in 0..10 {
        let line = random_line(RuleSet::TablutAshton, &mut numbers, 80);
        let mut record = Record::new(line.clone());
        record.players = ["Northwind".to_owned(), "East_wind".to_owned()];
        record.date = Some("2020.12.02".to_owned());
        let log = log_of(&line);
        let back = read_any(&log).unwrap_or_else(|error| panic!("{error}\n{log}"));
        assert_eq!(back, [record]);
    }
}

#[test]
fn bologna_logs_that_end_early() {
    let stamp = "dic 02, 2020 5:35:46 PM it.unibo.domain.GameAshtonTablut checkMove\n";
    let mut line = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
    let ply = line.parse("e3-f3").unwrap();
    line.push(ply).unwrap();
    let log = log_of(&line);

    let given_up = format!("{log}{stamp}BUONO: Turn: B Pawn from null to null\n");
    let record = &read_any(&given_up).unwrap()[0];
    assert_eq!(record.result(), GameResult::Won(Side::First));
    assert_eq!(record.termination(), Some("no move given"));

    let illegal = format!(
        "{log}{stamp}BUONO: Turn: B Pawn from d1 to e3\n{stamp}AVVERTENZA: Mossa in diagonale\n"
    );
    let record = &read_any(&illegal).unwrap()[0];
    assert_eq!(record.history().len(), 1);
    assert_eq!(record.termination(), Some("illegal move"));

    let open = format!("{log}{stamp}FINE: Turn: B Pawn from d1 to c1\n");
    assert_eq!(read_any(&open).unwrap()[0].history().len(), 2);

    let doctored = log.replace("Turn: W Pawn from e3 to f3", "Turn: W Pawn from e3 to g3");
    let error = read_any(&doctored).unwrap_err();
    assert!(error.reason.starts_with("the board is not the position after the moves"), "{error}");

    let taken = log.replace("Turn: W Pawn from e3 to f3", "Turn: W Pawn from e3 to e5");
    let error = read_any(&taken).unwrap_err();
    assert_eq!(error.text, "e3-e5", "{error}");
    let line = taken.lines().position(|line| line.contains("e3 to e5")).unwrap() + 1;
    assert_eq!((error.line, error.column), (line, 25), "{error}");
}

#[test]
fn a_position_is_written_only_when_it_is_not_the_start() {
    let mut numbers = Numbers::new(7);
    for rules in RuleSet::ALL {
        let start = AnyPosition::start(rules);
        assert!(!Record::new(GameHistory::new(start.clone())).to_string().contains("[Position"));
        let mut line = GameHistory::new(start);
        for _ in 0..7 {
            play_random(&mut line, &mut numbers);
        }
        let mut later = GameHistory::new(line.position().clone());
        for _ in 0..20 {
            play_random(&mut later, &mut numbers);
        }
        let text = Record::new(later.clone()).to_string();
        assert!(text.contains(&format!("[Position \"{}\"]", line.position())), "{text}");
        assert_eq!(*read(&text).unwrap()[0].history(), later);
    }
}

#[test]
fn throws_are_written_among_the_moves() {
    let mut numbers = Numbers::new(8);
    let line = random_line(RuleSet::Tablan, &mut numbers, 60);
    let text = Record::new(line.clone()).to_string();
    let throws = line.plies().filter(|ply| matches!(ply, Ply::Throw(_))).count();
    let words = text.split_whitespace().filter(|word| word.starts_with('t')).count();
    assert_eq!(RuleSet::Tablan.game(), GameKind::Tablan);
    assert_eq!(words, throws, "{text}");
}

/// The moves, players and comments of a game survive OpenTafl's notation.
#[test]
fn games_of_tablut_survive_opentafl_notation() {
    let mut numbers = Numbers::new(11);
    let mut ends = std::collections::BTreeSet::new();
    for rules in RuleSet::ALL {
        for _ in 0..40 {
            let plies = 300;
            let mut record = Record::new(random_line(rules, &mut numbers, plies));
            record.players = ["Aili".to_owned(), "Carl".to_owned()];
            record.date = Some("2026.11.20".to_owned());
            record.set_tag("Event", "A test");
            record.comment(0, "before");
            record.comment(1, "after one");
            let Some(text) = opentafl::write(&record) else {
                assert_ne!(rules.game(), GameKind::Tablut);
                continue;
            };
            let back = read_any(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(back, std::slice::from_ref(&record), "{text}");
            ends.insert((rules.id(), format!("{:?}", record.end().map(|end| end.reason))));
        }
    }
    assert!(ends.len() >= 6, "{ends:?}");
}

#[test]
fn an_opentafl_game_is_read_with_its_comments_and_variations() {
    let path = records_dir("valid").join("tablut-linnaeus.otg");
    let records = read_any(&fs::read_to_string(path).unwrap()).unwrap();
    let [record] = &records[..] else { panic!("{records:?}") };
    assert_eq!((record.rules(), record.history().len()), (RuleSet::TablutLinnaeus, 4));
    assert_eq!(record.players, ["Aili", "Carl"]);
    assert_eq!(record.result(), GameResult::Won(Side::Second));
    assert_eq!(record.termination(), Some("White resigns"));
    assert_eq!(
        (record.comments(1), record.comments(2)),
        (&["a quiet start".to_owned()][..], &["and its answer".to_owned()][..])
    );
    assert!(record.comments(0)[0].ends_with("[of both kinds] in one."));
    // Both ways to write where a variation within a variation begins.
    let text = record.to_string();
    let moves = text.rsplit("in one.}").next().unwrap().split_whitespace();
    assert_eq!(
        moves.collect::<Vec<_>>().join(" "),
        "1. e3-f3 {a quiet start} (1. e4-f4 {instead} 1... d1-d2 {of e3-f3} 2. f4-g4) 1... d1-d2 {and \
         its answer} (1... a4-b4 {another answer} 2. e4-f4 (2. e4-g4) 2... b4-b3 (2... d1-d2)) 2. f3-c3 \
         d2-d3 0-1"
    );
}

#[test]
fn opentafls_own_tablut_is_read_as_saami() {
    let path = records_dir("valid").join("tablut-saami.otg");
    let records = read_any(&fs::read_to_string(path).unwrap()).unwrap();
    let [record] = &records[..] else { panic!("{records:?}") };
    assert_eq!((record.rules(), record.history().len()), (RuleSet::TablutSaami, 9));
    assert_eq!(record.players, ["Runa", "Leif"], "Black begins");
    assert_eq!(record.result(), GameResult::Won(Side::First));
    let written = tabulae_records::opentafl::write(record).unwrap();
    assert_eq!(read_any(&written).unwrap(), records, "{written}");
}

#[test]
fn the_address_of_a_variation_names_a_move() {
    let rules = "[rules:dim:9 surf:n atkf:n ka:n ks:m cenh: cenhe:K \
                 start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/]\n\n1. e3-f3 d1-d2\n";
    let read = |variation: &str| read_any(&format!("{rules}\n{variation}\n"));
    assert_eq!(read("1b.1.1a. ..... a4-b4").unwrap()[0].tree().variations(), 1);
    for address in ["2a.1.1a.", "1c.1.1a.", "1a.1.", "1a.x.1a.", "0a.1.1a.", "1a.1.1a.1.1a."] {
        let error = read(&format!("{address} e4-f4")).expect_err(address).to_string();
        let expected = format!("5:1: '{address}': no move has this address");
        assert!(error.starts_with(&expected), "{error}");
    }
    // The first error in the text, though another variation comes first in the game, and not
    // what follows from an error.
    for (variations, at) in [
        ("2a.1.1a. e4-f4\n1a.1.1a. e4-f9", "5:1: '2a.1.1a.'"),
        ("1a.1.1a.1.1a. d1-d3\n1a.1.1a. e4-f9", "6:10: 'e4-f9'"),
    ] {
        let error = read(variations).unwrap_err().to_string();
        assert!(error.starts_with(at), "{error}");
    }
    let huge = format!("1a.{0}.{0}a. e4-f4", "9".repeat(40));
    assert!(read(&huge).is_err());
    let illegal = read("1a.1.1a. e4-f4 e4-f4").unwrap_err().to_string();
    assert!(illegal.starts_with("5:16: 'e4-f4': "), "{illegal}");
}

#[test]
fn an_opentafl_game_by_other_rules_names_the_rule() {
    let start = "start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/";
    let error = |rules: &str, moves: &str| {
        let text = format!("[date:2026]\n[rules:{rules} {start}]\n\n{moves}");
        read_any(&text).expect_err("other rules").to_string()
    };
    let linnaeus = "dim:9 surf:n atkf:n ka:n ks:m cenh: cenhe:K";
    let armed = error(&linnaeus.replace("ka:n", "ka:y"), "");
    assert!(
        armed.starts_with("2:1: 'ka:y': the rules differ: whether the king captures"),
        "{armed}"
    );
    assert!(armed.contains("ka:y instead of ka:n in tablut/linnaeus"), "{armed}");
    let illegal = error(linnaeus, "1. e3-f3 d1-d9");
    assert!(illegal.starts_with("4:10: 'd1-d9': "), "{illegal}");
    let wrong = error(linnaeus, "1. e3-f3xd3");
    assert!(wrong.starts_with("4:4: 'e3-f3xd3': "), "{wrong}");
    for text in ["[date:2026]\n", "[rules:dim:9]", "[rules:dim:9 start:/3/]", "[a:", "[rules:"] {
        assert!(!read_any(text).expect_err(text).reason.is_empty());
    }
}

/// An error of one game is that of one game.
#[test]
fn the_other_games_of_a_file_are_read() {
    let game =
        |moves: &str| format!("[Rules \"tablaaza\"]\n[Event \"[Red \\\"x\\\"]\"]\n\n{moves}\n\n");
    for wrong in [
        game("1. c7 h1 *"),
        game("1. c7 {\n[Rules \"no tag\"] } h1 (c6) ) 0-1 *"),
        game("1. c7 { never closed *"),
        game("1. c7 * c6"),
        game("1. c7 (c6"),
        game("*").replace("tablaaza", "chess"),
        game("*").replace("[Event", "[Rules \"tablan\"]\n[Event"),
        game("*").replace("[Event", "[Seed \"x\"]\n[Event"),
        game("*").replace("\\\"]\"", "\\\"]"),
        game("*").replace("[Event", "[ ! \"x\"]\n[Event"),
        game("*").replace("[Event", "[Event]\n[Event"),
        game("1-0").replace("[Event", "[Result \"0-1\"]\n[Event"),
    ] {
        for ending in ["\n", "\r\n", "\r"] {
            let text = [game("1. c7 *"), wrong.clone(), game("1. c7 c6 *")];
            let text = text.concat().replace('\n', ending);
            let games = read_games(text.as_bytes());
            let lengths: Vec<_> = games
                .iter()
                .map(|game| game.as_ref().ok().map(|record| record.history().len()))
                .collect();
            assert_eq!(lengths, [Some(1), None, Some(2)], "{wrong}");
            let error = games[1].as_ref().unwrap_err();
            assert_eq!(read(&text).as_ref(), Err(error));
            assert!((5..=10).contains(&error.line), "{error}");
        }
    }
    // A malformed tag behind a game begins the next one.
    let text = [game("1. c7 b7 *"), game("1. c7 *").replacen("[Rules", "[Event x]\n[Rules", 1)];
    let games = read_games(text.concat().as_bytes());
    assert_eq!((games.len(), games[0].is_ok()), (2, true));
    assert_eq!(games[1].as_ref().map_err(|error| (error.line, error.column)), Err((6, 8)));
    assert_eq!(read_games(b"").len(), 1);
    assert_eq!(read_games(b"\xff").len(), 1);
    // A byte that is not UTF-8 is an error of its game, also in a comment or behind `%`.
    for wrong in ["1. c7 {?} *", "1. c7\n% ?\n *", "1. c?7 *"] {
        let text = [game("1. c7 *"), game(wrong), game("1. c7 {\u{fffd}} *"), game("*")].concat();
        for (mark, ending) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r")] {
            let text = format!("{mark}{}", text.replace('\n', ending));
            let bytes: Vec<u8> =
                text.bytes().map(|byte| if byte == b'?' { 0xe9 } else { byte }).collect();
            let games = read_games(&bytes);
            let good: Vec<_> = games.iter().map(Result::is_ok).collect();
            assert_eq!(good, [true, false, true, true], "{wrong}");
            let error = games[1].as_ref().unwrap_err();
            assert!(error.reason.starts_with("expected text in UTF-8"), "{error}");
            let line = text.replace("\r\n", "\n").replace('\r', "\n");
            let line = line.lines().nth(error.line - 1).unwrap();
            assert_eq!(line.chars().nth(error.column - 1), Some('?'), "{error}");
        }
    }
    let moves = read_games(b"d1-4 # caf\xe9\nnew\nd1-4\n");
    assert_eq!(moves[0].as_ref().map_err(|error| (error.line, error.column)), Err((1, 11)));
}

#[test]
fn habits_of_other_programs_are_read() {
    let read = |text: &str| {
        let text = format!("[Rules \"tablut/ashton\"]\n{text}");
        read_any(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0)
    };
    // Comments to the end of a line, whatever ends it.
    for ending in ["\n", "\r\n", "\r"] {
        let text = "\n1. e4-f4 ; quiet\nd1-d4 ; (usual\n2. e3-f3 *".replace('\n', ending);
        let record = read(&text);
        assert_eq!((record.history().len(), record.comments(1)), (3, &["quiet".to_owned()][..]));
    }
    // Lines that PGN escapes.
    let record = read("%who = \"a\"\n\n1. e4-f4\n% e4-e9\n d1-d4 {\n% no escape} *");
    assert_eq!((record.history().len(), record.comments(2)), (2, &["% no escape".to_owned()][..]));
    assert_eq!(read_any("%first\n[Rules \"tablaaza\"]\n%\n*").unwrap().len(), 1);
    // A result without its reason.
    let record = read("[Result \"1-0\"]\n\n1. e4-f4 d1-d4 1-0");
    assert_eq!((record.result(), record.termination()), (GameResult::Won(Side::First), None));
    assert_eq!(read_any(&record.to_string()).unwrap(), [record]);
    // Draws, dashes and symbols of telephones and books.
    for draw in ["½-½", "½–½", "1/2–1/2", "1/2", "½", "0.5-0.5"] {
        let record = read(&format!("[Result \"{draw}\"]\n\n1. e4–f4 d1\u{2212}d4 {draw}"));
        assert_eq!((record.history().len(), record.result()), (2, GameResult::Drawn), "{draw}");
    }
    let record = read("[a-b.c \"x\"]\n\n1. e4-f4 N += d1-d4 ± ! 2. e3-f3 +\u{2212} *");
    let glyphs = |ply| {
        let note = record.tree().annotation(record.main_node(ply).unwrap());
        note.glyphs().map(|glyph| glyph.0).collect::<Vec<_>>()
    };
    assert_eq!([1, 2, 3].map(glyphs), [vec![14, 146], vec![1, 16], vec![18]]);
    assert_eq!(record.tags(), [("a-b.c".to_owned(), "x".to_owned())]);
}

/// The game ends after two plies, and a variation plays the same and goes on.
#[test]
fn a_variation_of_opentafl_may_go_on_from_the_end_of_the_game() {
    let text = "[:]\n[rules:dim:9 surf:n atkf:n ka:n ks:m cenh: cenhe:K \
                start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/]\n\
                1. e4-f4 d1-d2\n[|]\n1a.1.1a e4-f4 d1-d2\n[|]\n1a.1.2a f4-g4\n";
    let record = tabulae_records::opentafl::read(text).expect("a game");
    assert_eq!(record.history().len(), record.tree().main_line().len() - 1);
    assert_eq!(record.history().len(), 3);
    assert_eq!(tabulae_records::read(&record.to_string()).as_deref(), Ok(&[record][..]));
}
