//! Targets in this process: records, move lists, logs, positions, moves.

use std::{fs, time::Duration};

use tabulae_games::{AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn};
use tabulae_online::{
    ClientMessage, Entry, GameLink, Hash256, OnlineGame, PostGame, Referee, ServerMessage, Terms,
    VERSION,
};
use tabulae_records::{Record, RecordError, import, link, opentafl, read, read_bytes, read_games};
use tabulae_session::puzzles::{SavedProgress, read_puzzles};

use crate::{
    common::games::Numbers,
    runner::{Target, files, message_kind},
};

/// Checks that written records read back equal.
fn check_round_trip(records: &[Record]) -> String {
    let text = records.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(read(&text).as_deref(), Ok(records), "{text}");
    let first = &records[0];
    let length = first.history().len();
    let (variations, end) = (first.tree().variations(), first.end());
    format!("{} {} {} {variations} {end:?}", records.len(), first.rules(), length.min(40))
}

/// Checks that an error's place is in the text and its message is one line.
fn check_error(error: &RecordError, input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input).replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<_> = text.split('\n').collect();
    assert!((1..=lines.len()).contains(&error.line), "{error:?}");
    let line = lines[error.line - 1].chars().count();
    assert!((1..=line + 1).contains(&error.column), "{error:?}");
    assert!(!error.reason.is_empty(), "{error:?}");
    let message = error.to_string();
    assert!(!message.contains(char::is_control), "{message:?}");
    assert!(message.chars().count() < 1000, "{message}");
    message_kind(&error.reason)
}

/// Checks each game of a file by itself, and that they are what is read together.
fn check_games(input: &[u8]) -> String {
    let (games, all) = (read_games(input), read_bytes(input));
    assert_eq!(games.iter().cloned().collect::<Result<Vec<_>, _>>(), all);
    assert!(!games.is_empty());
    let valid: Vec<_> = games.iter().flatten().cloned().collect();
    let mut kind = if valid.is_empty() { String::new() } else { check_round_trip(&valid) };
    for error in games.iter().filter_map(|game| game.as_ref().err()) {
        kind += &check_error(error, input);
    }
    kind
}

fn check_result(read: Result<Vec<Record>, RecordError>, input: &[u8]) -> String {
    match read {
        Ok(records) => check_round_trip(&records),
        Err(error) => check_error(&error, input),
    }
}

/// `.tab` files, and other files read as one.
pub(crate) struct Records;

impl Target for Records {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds = files("records/valid", ".tab");
        seeds.extend(files("records/invalid", ".tab"));
        // The other formats, which are told by what they look like.
        for ending in [".log", ".berkeley"] {
            seeds.extend(files("fuzz/corpus", ending));
        }
        seeds.push(seeds[..4].concat());
        seeds
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "[Rules \"tablan\"]\n",
            "[Rules \"tablut/linnaeus\"]",
            "\r",
            "\n% ",
            "\u{bd}-\u{bd}",
            "\u{2013}",
            " += ",
            " N ",
            "[Position \"8/8/2~2~2/2~2~2/2~2~2/8/8 r\"]\n",
            "[Seed \"7\"]",
            "[Result \"1-0\"]\n",
            "[Termination \"resignation\"]\n",
            "1-0",
            "0-1",
            "1/2-1/2",
            "*",
            "{a comment}",
            "{",
            "}",
            "; to the end\n",
            "12...",
            "t1",
            "t4",
            "e4-f4",
            "l1-l2+k1-l1",
            "c7^c6",
            "\\",
            "\"",
            "(",
            ")",
            "(1... c6)",
            "($1 {before}",
            "!?",
            "$14",
            "R!",
            "#",
            "{[%csl Gc6,Re4]}",
            "[%cal Yc7c6]",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        check_games(input)
    }
}

/// Games in OpenTafl's notation.
pub(crate) struct OpenTafl;

impl Target for OpenTafl {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("records/valid", ".otg")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "1b.1.1a. ",
            "2a.2.1a. ",
            "1a.1.1b.1.1a. ",
            "9223372036854775808b.1.1a. ",
            "..... ",
            "e4-f4 ",
            "d1-d2",
            "---",
            "[a|b]\n",
            "[date:x]\n",
            "start:/9/9/",
            "esc:e",
            "|",
            "]",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input).into_owned();
        let looks = opentafl::looks_like(&text);
        let read = opentafl::read(&text);
        if let Some(written) = read.as_ref().ok().and_then(opentafl::write) {
            assert!(opentafl::read(&written).is_ok(), "{written}");
        }
        format!("{looks} {}", check_result(read.map(|read| vec![read]), text.as_bytes()))
    }
}

/// Links that hold a record: the text of one, and its letters.
pub(crate) struct Links;

impl Target for Links {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds = files("records/valid", ".tab");
        seeds.truncate(4);
        let links: Vec<_> = seeds.iter().map(|text| String::from_utf8_lossy(text)).collect();
        let links: Vec<_> = links.iter().map(|text| link::encode(text).into_bytes()).collect();
        seeds.extend(links);
        seeds
    }

    fn words(&self) -> &'static [&'static str] {
        &["game=", "#", "A", "_-", "[A \"b\"]", "1. c7 "]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let again = link::decode(&link::encode(&text));
        assert!(again.as_ref().map_or(true, |again| *again == text), "{again:?}");
        match link::decode(&text) {
            Ok(_) => "a text".to_owned(),
            Err(error) => {
                format!("{error:?}")
            }
        }
    }
}

/// Files of puzzles, and of what a player has solved of them.
pub(crate) struct Puzzles;

impl Target for Puzzles {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let header = "# tabulae puzzles 1\n# rules tablut/berkeley\n";
        let line = "969;win 1;king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;d4-d3;130.44\n";
        let progress = "streak = 3\n[ratings.\"tablut/berkeley\"]\nrating = 1100.5\n\
                        deviation = 90.0\nvolatility = 0.06\n[reviews.IDID]\nsolved = 2\n\
                        easiness = 2.5\ndays = 6\ndue = 86400\n";
        let id = read_puzzles(&format!("{header}{line}")).map(|(_, found)| found[0].1.id());
        let progress = progress.replace("IDID", &id.expect("a puzzle"));
        [format!("{header}{line}"), progress].map(String::into_bytes).to_vec()
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "win 3",
            "win 4294967295",
            "gain 20",
            "defend",
            "only-win",
            ";",
            ",",
            "d4-d3",
            " f4-f2",
            "4294967295",
            "nan",
            "-inf",
            "1e308",
            "days = 4294967295\n",
            "due = -9223372036854775808\n",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let seeds = self.seeds();
        let known = read_puzzles(&String::from_utf8_lossy(&seeds[0])).expect("a puzzle").1;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles.toml");
        fs::write(&path, &*text).unwrap();
        let progress = SavedProgress::read(&path).map(|saved| {
            let mut progress = saved.of("");
            for (now, solved) in [(0, true), (i64::MAX / 2, true), (1, false)] {
                progress.record(&known[0].1, solved, true, now);
            }
            let rating = progress.rating(RuleSet::TablutBerkeley).rating;
            assert!(rating.is_finite(), "{rating}");
            progress.streak().min(3)
        });
        match read_puzzles(&text) {
            Ok((rules, puzzles)) => {
                for (_, puzzle) in &puzzles {
                    let history = GameHistory::new(puzzle.start.clone());
                    assert!(puzzle.accepts(&history, puzzle.line[0]), "{puzzle}");
                }
                format!("{rules} {} {:?}", puzzles.len(), progress.ok())
            }
            Err((_, error)) => format!("{} {:?}", message_kind(&error.to_string()), progress.ok()),
        }
    }
}

/// Move lists, commands and transcripts of Berkeley's project.
pub(crate) struct Berkeley;

impl Target for Berkeley {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("fuzz/corpus", ".berkeley")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "i6-g",
            "d5-7",
            "e8-f8",
            "i6-g6",
            "12.",
            "#",
            ",",
            "\n",
            "e5-a5",
            "d1-d9",
            "h5-5",
            "\nundo\n",
            "\nnew\n",
            "\nquit\n",
            "\nmanual white\n",
            "\n===\n",
            "> ",
            "* ",
            "\n* White wins.\n",
            "\nError: no\n",
            "\r",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input).into_owned();
        let looks = import::berkeley::looks_like(&text);
        let read = import::berkeley::read(&text).map(|record| vec![record]);
        format!("{looks} {}", check_result(read, text.as_bytes()))
    }
}

/// Game logs of Bologna's server.
pub(crate) struct Bologna;

impl Target for Bologna {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("fuzz/corpus", ".log")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "Stato:\n",
            "Players:\ta\tvs\tb\n",
            "Turn: W Pawn from e4 to f4\n",
            "Turn: B Pawn from null to null\n",
            "FINE: ",
            "OOOBBBOOO\n",
            "BBWWKWWBB\n",
            "-\nW\n",
            "-\nWW\n",
            "D",
            "Mossa ",
            "White player name: x\n",
            "dic 02, 2020 5:35:46 PM\n",
            "Turn: null Pawn from d1 to d4\n",
            "Suggested move: ",
            "PARTITA TERMINATA A CAUSA DELLA LUNGHEZZA\n",
            "Timeout! Player W lose!\n",
            "\r",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input).into_owned();
        let looks = import::bologna::looks_like(&text);
        format!("{looks} {}", check_result(import::bologna::read(&text), text.as_bytes()))
    }
}

/// Splits an input into the rule set of its first line and the rest.
fn rules_and_rest(text: &str) -> (RuleSet, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or(("", text));
    (first.parse().unwrap_or(RuleSet::TablutAshton), rest)
}

/// Texts of positions.
pub(crate) struct Positions;

impl Target for Positions {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("fuzz/corpus", ".position")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "tablan\n",
            "tablaaza\n",
            "9/",
            "/8",
            "12",
            "3BBB3",
            "K",
            "~",
            "p",
            "r",
            "g",
            " w",
            " b",
            " s -",
            " n t1",
            " ?s -",
            "?n",
            "t0",
            "t2",
            "SSS",
            "NN",
            "W1W",
            "/",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let (rules, text) = rules_and_rest(&text);
        let position = match AnyPosition::parse(rules, text) {
            Ok(position) => position,
            Err(error) => {
                assert_eq!(error.text, text);
                return message_kind(&error.reason);
            }
        };
        let shown = position.to_string();
        assert_eq!(AnyPosition::parse(rules, &shown).as_ref(), Ok(&position), "{shown}");
        // Games can be played from it.
        let mut line = GameHistory::new(position);
        let mut numbers = Numbers::new(input.len() as u64);
        while line.len() < 12 && crate::common::games::play_random(&mut line, &mut numbers) {}
        for number in 0..=line.len() {
            let at = line.at(number).unwrap();
            for mv in at.legal_moves() {
                let notation = at.notation(mv);
                assert_eq!(at.parse_move(&notation), Ok(mv), "{at} {notation}");
            }
        }
        let turn = line.turn();
        format!("{rules} {} {}", line.len(), matches!(turn, Turn::Over(_)))
    }
}

/// Texts of moves, one a line, after a line with the rule set and one with the
/// plies before.
pub(crate) struct Moves;

impl Target for Moves {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("fuzz/corpus", ".moves")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "tablan\n",
            "t1",
            "t4",
            "e4-f4",
            "e4",
            "-",
            "x",
            "+",
            "^",
            "e4-7",
            "e4-g",
            "E4-F4",
            "e4-f4xf5",
            "l1-l2+k1-l1",
            "a1xc1",
            "c7",
            "c7^c6",
            "\n",
            "j1",
            "a0",
            "e10",
            "h8",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let (rules, rest) = rules_and_rest(&text);
        let mut line = GameHistory::new(AnyPosition::start(rules));
        let (before, tried) = rest.split_once('\n').unwrap_or((rest, ""));
        let mut kinds = String::new();
        for word in before.split_whitespace().chain(tried.split('\n')) {
            let untouched = line.clone();
            let result = line.parse(word).and_then(|ply| line.push(ply).map(|_| ply));
            match result {
                Ok(ply) => {
                    let notation = line.notation(line.len()).unwrap();
                    assert_eq!(untouched.parse(&notation), Ok(ply), "{word}");
                    assert_eq!(line.undo(), Some(ply));
                    assert!(line == untouched);
                    line.push(ply).unwrap();
                }
                Err(illegal) => {
                    assert!(line == untouched, "{word}");
                    kinds = message_kind(&illegal.to_string());
                }
            }
        }
        // A throw where none is due is refused too.
        let untouched = line.clone();
        if !matches!(line.turn(), Turn::Throw(_)) {
            assert!(line.push(Ply::Throw(Throw::ALL[1])).is_err());
            assert!(line == untouched);
        }
        format!("{rules} {} {kinds}", line.len().min(20))
    }
}

/// Messages of online games, as a server and a client get them, and links.
pub(crate) struct OnlineMessages;

impl Target for OnlineMessages {
    fn seeds(&self) -> Vec<Vec<u8>> {
        [
            r#"{"type":"move","round":0,"ply":0,"move":"e4-f4"}"#,
            r#"{"type":"reveal","round":0,"throw":1,"reveal":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            r#"{"type":"commit","round":0,"commitment":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            r#"{"type":"offer","round":0,"ply":0,"offer":"undo"}"#,
            r#"{"type":"answer","round":0,"ply":0,"offer":"draw","accept":true}"#,
            r#"{"type":"resign","round":0}"#,
            r#"{"type":"create","version":1,"terms":{"rules":"tablan","clock":"600+5,1/30"}}"#,
            r#"{"type":"hello","version":1,"ticket":"AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA","since":9}"#,
            r#"{"type":"welcome","version":1,"player":0,"from":0,"entries":[{"entry":"created","terms":{"rules":"tablut/ashton"},"commitment":null,"at":1}],"elapsed":0}"#,
            r#"{"type":"entries","from":1,"entries":[{"entry":"joined","side":1,"name":"A","at":1},{"entry":"joined","side":2,"name":"","at":1},{"entry":"moved","move":"e4-f4","used":5,"at":1}],"elapsed":0}"#,
            r#"{"type":"entries","from":1,"entries":[{"entry":"undone","plies":0,"at":1},{"entry":"timed-out","side":1},{"entry":"thrown","reveal":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","throw":"t1","at":1}],"elapsed":0}"#,
            "https://play.example/x/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA",
            "https://play.example/#turn=8_MwAA",
        ]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "\"round\":",
            "\"ply\":",
            "18446744073709551615",
            "-1",
            "null",
            "[]",
            "{}",
            "\"tablan\"",
            "\"tablaaza\"",
            "\"move\"",
            "e4-f4",
            "\"used\":",
            "\"side\":2",
            "#watch=",
            "wss://",
            "\\u0000",
            "\"rematch\"",
            "{\"entry\":\"drawn\"}",
            "{\"entry\":\"resigned\",\"side\":1}",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let mut kinds = Vec::new();
        if let Ok(link) = text.parse::<GameLink>() {
            assert_eq!(link.to_string().parse().as_ref(), Ok(&link));
            kinds.push("link".to_owned());
        }
        if let Ok(game) = PostGame::from_fragment(&text) {
            assert!(PostGame::from_fragment(&game.fragment()).is_ok());
            kinds.push("post".to_owned());
        }
        if let Ok(message) = serde_json::from_str::<ClientMessage>(&text) {
            kinds.extend(RuleSet::ALL.map(|rules| answer(rules, &message)));
        }
        let link = "http://a.b/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA".parse().expect("a link");
        let mut client = OnlineGame::new(link, "", Hash256([0; 32]));
        client.opened(Duration::ZERO);
        for entry in &start(RuleSet::TablutAshton)[..1] {
            let welcome = ServerMessage::Welcome {
                version: VERSION,
                player: Some(0),
                from: 0,
                entries: vec![entry.clone()],
                elapsed: 0,
            };
            client.handle(&serde_json::to_string(&welcome).expect("text"), Duration::ZERO);
        }
        kinds
            .push(format!("{:?}", client.handle(&text, Duration::ZERO)).chars().take(40).collect());
        client.tick(Duration::from_secs(9));
        client.outgoing();
        kinds.join(" ")
    }
}

/// A game that both players have joined.
fn start(rules: RuleSet) -> Vec<Entry> {
    let mut entries = vec![Referee::created(Terms { rules, clock: None }, Hash256([9; 32]), 0)];
    for (side, number) in [(Side::First, 1), (Side::Second, 2)] {
        entries.push(Entry::Joined { side, name: String::new(), at: 0 });
        if rules.has_sticks() {
            // The commitment of the seed's reveal, which is all zeros.
            let commitment = if number == 1 { Hash256([0; 32]).hashed() } else { Hash256([2; 32]) };
            entries.push(Entry::Committed { side, commitment, at: 0 });
        }
    }
    entries
}

/// What a referee answers; what it accepts must be entries that follow.
fn answer(rules: RuleSet, message: &ClientMessage) -> String {
    let mut referee = Referee::new(Hash256([9; 32]), &start(rules)).expect("a game");
    let mut kind = String::new();
    for player in 0..2 {
        match referee.answer(player, message, 5, 5) {
            Ok(entries) => {
                for entry in &entries {
                    referee.apply(entry).expect("the referee's own entry");
                }
                kind += &format!("+{}", entries.len());
            }
            Err(refusal) => {
                kind += &message_kind(&refusal.to_string());
            }
        }
    }
    kind
}
