//! `tabulae play`, with typed input.

use tabulae_games::Ply;

use crate::{
    common::program::{fail, path_arg, run_tabulae, run_tabulae_in, succeed, succeed_with},
    read_file,
};

#[test]
fn two_persons_play_to_the_end() {
    let out = succeed_with(
        &["play", "--rules", "tablut/berkeley", "--second", "person"],
        "moves a4\na4-b4\nmove e4-d4\nb4-a4\nd4-e4\nundo\nredo\ne2-f2\nquit\nnever read",
    );
    for words in [
        "Tablut (Berkeley). Black: Person. White: Person.",
        " 5 B B W W K W W B B 5",
        "a4-b4",
        "Black moves a4 to b4.",
        "White moves e4 to d4.",
        "Black wins: White repeated an earlier position.",
        "Undone.",
        "Redone.",
        "Not allowed: the game is over.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn the_persons_at_the_table_have_names() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.tab");
    let names = ["--first-name", " Åsa  Ek ", "--second", "person", "--second-name", "Bruno"];
    let rules = ["play", "--rules", "tablut/ashton"];
    // The names stay in another game between the same players.
    let typed = format!("new\nsave {}\n", path_arg(&file));
    let out = succeed_with(&[&rules[..], &names].concat(), &typed);
    assert!(out.contains("White: Åsa Ek. Black: Bruno."), "{out}");
    assert_eq!(read_file(&file)[0].players, ["Åsa Ek", "Bruno"]);
    // An engine keeps its own name.
    let out = succeed_with(&[&rules[..], &["--second-name", "Bruno"]].concat(), "quit");
    assert!(out.contains("White: You. Black: Tabulae Club."), "{out}");
}

#[test]
fn invalid_input_is_answered_and_changes_nothing() {
    let out = succeed_with(
        &["play", "--rules", "tablut/ashton", "--second", "person"],
        "e4-e5\nmove\nfrobnicate\nt1\nthrow\nundo\nredo\nmoves z\nopen nowhere.tab\nsave\n\
         save no/such/folder/x.tab\nopen\nhelp\nwhere\nshow\n\n",
    );
    for words in [
        "Not allowed: ",
        "Which move?",
        "not a move: ",
        "Type “throw” to throw the sticks.",
        "this game has no sticks",
        "Nothing to undo.",
        "Nothing to redo.",
        "No legal move starts with z.",
        "cannot read nowhere.tab",
        "Save where?",
        "cannot write no/such/folder/x.tab",
        "Open what?",
        "hint        ",
        "King: e5.\nWhite soldiers: c5 d5 e3 e4 e6 e7 f5 g5.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(!out.contains("White moves"), "{out}");
    assert!(out.trim_end().ends_with('>'), "the end of input ends it: {out}");
}

#[test]
fn a_saved_game_is_opened_again_with_its_throws() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one.tab"), dir.path().join("two.tab"));
    let throws = "throw\n".repeat(40);
    let table = ["play", "--rules", "tablan", "--second", "person", "--seed", "11"];
    let out = succeed_with(&table, &format!("{throws}save {}\n", path_arg(&one)));
    assert!(!out.contains("seed"), "it would reveal the throws to come: {out}");
    assert!(out.contains("plain sides up, not just one."), "{out}");
    assert!(out.contains("to move: one piece 2 squares, or two pieces 1 each."), "{out}");
    assert!(out.contains("Not allowed: a move is due, not a throw."), "{out}");
    let saved = &read_file(&one)[0];
    assert_eq!(saved.seed, Some(11));
    assert!(saved.history().plies().all(|ply| matches!(ply, Ply::Throw(_))));

    // Opened again it continues as if it had never been closed, but is a copy now.
    let more = "moves\nl1-k2\na4-b3\nthrow\nthrow\nthrow\nthrows\nresign\n";
    let on = format!("{more}save {}\n", path_arg(&two));
    let out = succeed_with(&["play", "--record", path_arg(&one)], &on);
    assert!(out.contains("The sticks' seed was 11."), "said at the end: {out}");
    assert!(out.contains("The numbers in brackets are the expected numbers."), "{out}");
    let reopened = read_file(&two).remove(0);
    succeed_with(&table, &format!("{throws}{on}"));
    let mut never_closed = read_file(&two).remove(0);
    assert!(never_closed.set_tag("Rated", "copy"));
    assert_eq!(never_closed, reopened);
    assert!(reopened.history().len() > saved.history().len());
    assert_eq!(reopened.termination(), Some("resignation"));
    let out = succeed_with(&["play", "--record", path_arg(&two)], "undo\nshow\n");
    assert!(out.contains(" resigned.") && out.contains("Undone."), "{out}");
}

#[test]
fn engines_play_by_themselves() {
    let table =
        ["play", "--rules", "tablaaza", "--first", "novice", "--second", "novice", "--seed", "3"];
    let out = succeed(&table);
    let last = out.lines().last().unwrap();
    assert!(last.contains("has no free square left."), "{out}");
    assert!(out.contains("raises a pavilion on "), "{out}");
    assert!(!out.contains('>'), "nobody is asked: {out}");
}

#[test]
fn a_person_plays_against_an_engine() {
    let table = ["play", "--rules", "tablaaza", "--second", "novice"];
    let out = succeed_with(&table, "a1\nhint\nundo\nnew\nresign\nresign\nquit\n");
    for words in [
        "Red: You. Green: Tabulae Novice.",
        "Red plays a1.",
        "Green plays ",
        "The strongest level would play ",
        "Undone.\nRed to play a stone.",
        "Green wins: Red resigned.",
        "The game is already over.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

/// The lot decides who throws first, the engine or the person: `resign` must
/// resign the person either way.
#[test]
fn an_adaptive_level_rises_with_the_person_who_wins() {
    let dir = tempfile::tempdir().unwrap();
    let play = |arguments: &[&str], typed: &str| {
        let rules = ["play", "--rules", "tablaaza", "--first-name", "Aili"];
        run_tabulae_in(dir.path(), &[&rules[..], arguments].concat(), typed).stdout
    };
    let adaptive = ["--second", "adaptive"];
    let out = play(&adaptive, "quit");
    assert!(out.contains("Red: Aili. Green: Adaptive (Casual)."), "{out}");
    let won = |number: usize| {
        format!(
            r#"{{"game":"{number}","rules":"tablaaza","names":["Aili",""],"levels":[null,"master"],"adaptive":false,"result":"1-0","termination":"time","plies":9,"rated":true,"opening":""}}"#
        ) + "\n"
    };
    let results = (1..9).map(won).collect::<String>();
    std::fs::create_dir_all(dir.path().join("games")).unwrap();
    std::fs::write(dir.path().join("games/results.jsonl"), results).unwrap();
    let out = play(&adaptive, "quit");
    assert!(out.contains("Adaptive (") && !out.contains("Casual"), "{out}");
    // A guest has no rating. In a new game the level is chosen anew.
    let rules = ["play", "--rules", "tablaaza", "--second", "adaptive"];
    let out = run_tabulae_in(dir.path(), &rules, "new same\nquit").stdout;
    assert_eq!(out.matches("Green: Adaptive (Casual).").count(), 2, "{out}");
    let refused = fail(2, &["play", "--rules", "tablaaza", "--first", "adaptive"]);
    assert!(refused.contains("the other player must be person"), "{refused}");
}

#[test]
fn a_game_with_help_says_once_that_it_is_not_rated() {
    let unrated = "This game no longer counts for your rating.";
    let play =
        |typed: &str| succeed_with(&["play", "--rules", "tablaaza", "--second", "person"], typed);
    for typed in ["c7\nundo\nundo\nc7\nundo", "c7\nturn", "hint\nhint\nc7\nundo"] {
        let out = play(typed);
        assert_eq!(out.matches(unrated).count(), 1, "{typed}: {out}");
    }
    for typed in ["c7", "undo", "redo", "moves", "threats"] {
        assert!(!play(typed).contains(unrated), "{typed}");
    }
}

#[test]
fn resign_resigns_the_person_even_if_the_engine_is_to_throw() {
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let game = ["play", "--rules", "tablan", "--by-hand", "--seed", seed];
        let seats = [
            (["--first", "novice", "--second", "person"], "South wins: North resigned."),
            (["--first", "person", "--second", "novice"], "North wins: South resigned."),
        ];
        for (seats, words) in seats {
            let out = succeed_with(&[&game[..], &seats[..]].concat(), "resign\nresign\n");
            assert!(out.contains(words), "seed {seed}: {out}");
            assert!(out.contains("The game is already over."), "{out}");
        }
    }
    // Nobody can resign for two engines.
    let engines =
        ["play", "--rules", "tablan", "--by-hand", "--first", "novice", "--second", "novice"];
    let out = succeed_with(&engines, "resign\n");
    assert!(!out.contains("resigned"), "{out}");
}

#[test]
fn a_game_is_autosaved_and_continued() {
    let home = tempfile::tempdir().unwrap();
    let play = |arguments: &[&str], input: &str| {
        let run = run_tabulae_in(home.path(), arguments, input);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        run.stdout
    };
    let persons = ["play", "--rules", "tablaaza", "--second", "person"];
    // The input ends in the middle of the game, as when the process is killed.
    play(&persons, "c7\nc6\na1\n");
    let out = play(&["play", "--continue"], "said 2\nthreats\nundo\nquit\n");
    assert!(out.contains("2. Green plays c6.\n3. Red plays a1."), "{out}");
    assert!(out.contains("To continue, run `tabulae play --continue`"), "{out}");
    play(&persons, "a1\n");
    let out = play(&["play", "--continue"], "recent\nopen 2\nsaid\nopen 7\n");
    assert!(out.contains("1. Tablaaza, ") && out.contains("move 1. In progress."), "{out}");
    assert!(out.contains("2. Green plays c6."), "the other game goes on: {out}");
    let none = run_tabulae(&["play", "--continue"], "");
    assert_eq!(none.code, 1);
    assert!(none.stderr.contains("no unfinished game"), "{}", none.stderr);
}

#[test]
fn one_of_several_games_in_a_file_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.tab");
    let game = |moves: &str| format!("[Rules \"tablaaza\"]\n\n1. {moves} *\n\n");
    std::fs::write(&file, game("c7") + &game("a1")).unwrap();
    let (name, two) = (file.to_str().unwrap(), ["play", "--record", file.to_str().unwrap()]);
    let out = succeed_with(&two, "said\nquit\n");
    assert!(out.contains("This is game 1 of 2 in ") && out.contains("plays c7."), "{out}");
    let out = succeed_with(&[&two[..], &["--game", "2"]].concat(), "said\nquit\n");
    assert!(out.contains("plays a1.") && !out.contains("This is game 1"), "{out}");
    let input = format!("open {name}\nopen {name} 2\nsaid\nopen {name} 3\nquit\n");
    let out = succeed_with(&two, &input);
    assert!(out.contains("2. Tablaaza, ") && out.contains("Which game?"), "{out}");
    assert!(out.contains("plays a1.") && out.contains("there is no game 3"), "{out}");
    let error = fail(1, &[&two[..], &["--game", "0"]].concat());
    assert!(error.contains("has 2 games: there is no game 0"), "{error}");
}

/// The record says who plays and how the sticks are thrown.
#[test]
fn players_and_sticks_are_for_new_games_only() {
    let record = crate::record_path("valid", "tablan-short.tab");
    for source in [&["--record", path_arg(&record)] as &[&str], &["--continue"]] {
        for more in [&["--first", "novice"] as &[&str], &["--second", "person"], &["--by-hand"]] {
            let error = fail(2, &[&["play"], source, more].concat());
            assert!(error.contains(more[0]) && error.contains(source[0]), "{error}");
        }
    }
}

#[test]
fn a_game_that_cannot_be_saved_is_left_only_after_a_warning() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let persons = ["play", "--rules", "tablaaza", "--second", "person"];
    let run = run_tabulae_in(&file, &persons, "c7\nquit\nc6\nquit\nquit\nnever read\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("The game could not be saved: "), "{}", run.stdout);
    assert_eq!(run.stdout.matches("repeat the command").count(), 2, "{}", run.stdout);
    assert!(!run.stdout.contains("never"), "{}", run.stdout);
}

#[test]
fn a_draw_is_agreed_and_throws_of_real_sticks_are_entered() {
    let out = succeed_with(
        &["play", "--rules", "tablan", "--second", "person", "--by-hand"],
        "throw\nt1\nmoves\nundo\nt2\nt1\ndraw\nthrows\n",
    );
    assert!(out.contains("Throw your sticks and type the result"), "{out}");
    assert!(out.contains("starts, and uses this throw."), "{out}");
    assert!(out.contains("Draw: by agreement."), "{out}");
    assert!(out.contains("The sticks were thrown by hand."), "{out}");
    let out =
        succeed_with(&["play", "--rules", "tablaaza", "--second", "person"], "draw\nthrows\n");
    assert!(out.contains("These rules have no draws."), "{out}");
    assert!(out.contains("This game has no sticks."), "{out}");
}

#[test]
fn the_terminal_speaks_italian_by_option_or_by_the_settings() {
    let input = "mosse e4\nmossa e4-e5\ne4-f4\nritira\nrigioca\ndove\nminacce\naiuto\nlancia\n\
                 undo\nbofonchia\nesci\nesci\n";
    let arguments = ["play", "--rules", "tablut/ashton", "--second", "person", "--language", "it"];
    let out = succeed_with(&arguments, input);
    for words in [
        "Bianco",
        "Scrivi «aiuto» per l'elenco dei comandi.",
        "Mosse legali (",
        "): e4-",
        "Non si può: ",
        "Mossa ritirata.",
        "Mossa rigiocata.",
        "Soldati bianchi: ",
        "mossa M ",
        "in questo gioco non ci sono bastoncini",
        "non è una mossa: 'bofonchia' (servono due caselle",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    for words in ["White", "Not allowed", "Undone", "expected"] {
        assert!(!out.contains(words), "{words}: {out}");
    }

    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("settings.toml"), "language = \"italian\"\n").unwrap();
    let run = run_tabulae_in(home.path(), &["play", "--rules", "tablaaza"], "c7\nesci\nesci\n");
    assert!(run.stdout.contains("Rosso"), "{}", run.stdout);
    let bad = home.path().join("bad.tab");
    std::fs::write(&bad, "[Rules \"tablaaza\"]\n\n1. c7 c7 *\n").unwrap();
    let run = run_tabulae_in(home.path(), &["play", "--record", path_arg(&bad)], "");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("bad.tab:3:7: 'c7': in c7 c'è già una pietra"), "{}", run.stderr);
    // The output that programs read stays English.
    let run = run_tabulae_in(home.path(), &["check", path_arg(&bad)], "");
    assert!(
        run.stderr.contains("a stone stands on c7") || run.stdout.contains("a stone stands on c7")
    );
}

#[test]
fn a_match_swaps_the_sides_keeps_its_score_and_is_one_file() {
    let home = tempfile::tempdir().unwrap();
    let play = |arguments: &[&str], input: &str| {
        let run = run_tabulae_in(home.path(), arguments, input);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        run.stdout
    };
    let table = ["play", "--rules", "tablaaza", "--second", "novice", "--games", "4"];
    let out = play(&[&table[..], &["--clock", "900,300"]].concat(), "next\nresign\n");
    for words in [
        "Game 1 of 4 · You 0 – 0 Tabulae Novice\n",
        "Finish this game first. Then type “next” for the next game.",
        "Game 1 of 4 · You 0 – 1 Tabulae Novice. Type “next” for the next game.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    // Between two games and within one, the match continues where it was left.
    let out = play(&["play", "--continue"], "next\nresign\nundo\nresign\nnext\n");
    assert!(out.contains("Red: Tabulae Novice. Green: You."), "{out}");
    assert!(out.contains("Game 2 of 4 · You 0 – 1 Tabulae Novice"), "{out}");
    let file = home.path().join("match.tab");
    let script = format!("resign\nnext\nresign\nnext\nsave {}\n", path_arg(&file));
    let out = play(&["play", "--continue"], &script);
    assert!(out.contains("Tabulae Novice wins the match 4 – 0."), "{out}");
    let records = read_file(&file);
    let tags = |wanted: &str| -> Vec<String> {
        let value = |record: &tabulae_records::Record| {
            let tag = record.tags().iter().find(|(name, _)| name == wanted);
            tag.unwrap_or_else(|| panic!("{wanted}")).1.clone()
        };
        records.iter().map(value).collect()
    };
    assert_eq!(tags("Round"), ["1", "2", "3", "4"]);
    assert_eq!(tags("Event"), ["Match of 4 games"; 4]);
    assert_eq!(tags("RedTimeControl"), ["900", "300", "900", "300"], "each keeps its own");
    let none = run_tabulae_in(home.path(), &["play", "--continue"], "");
    assert_eq!(none.code, 1, "the match is over: {}", none.stdout);
}

#[test]
fn engines_play_a_whole_match_by_themselves() {
    let seats = ["--first", "newcomer", "--second", "novice", "--games", "2"];
    let out = succeed(&[&["play", "--rules", "tablaaza"][..], &seats].concat());
    assert!(out.contains("Red: Tabulae Novice. Green: Tabulae Newcomer."), "{out}");
    let last = out.trim_end().lines().last().unwrap().to_lowercase();
    assert!(last.contains("the match"), "{out}");
    let error = fail(2, &["play", "--rules", "tablaaza", "--games", "0"]);
    assert!(error.contains("from 1 to 100"), "{error}");
}

#[test]
fn a_command_that_cannot_be_carried_out_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let [notes, empty, game] = ["notes.txt", "empty", "game.tab"].map(|name| dir.path().join(name));
    std::fs::write(&notes, "milk, bread").unwrap();
    std::fs::write(&empty, "").unwrap();
    let rules = ["play", "--rules", "tablaaza", "--second", "person", "--games", "2"];
    let typed = format!(
        "next\nsave {}\nsave {}\nsave {}\nsave {}\nsaid -1\nsaid 0\nmoves zz\nmoves C\nc7\nc6\n\
         said 99999999999999999999\n",
        notes.display(),
        empty.display(),
        game.display(),
        game.display()
    );
    let out = succeed_with(&rules, &typed);
    assert!(out.contains("Finish this game first. Then type “next” for the next game."), "{out}");
    assert!(!out.contains("There is no next game"), "{out}");
    let refused = format!("{} exists and is not a game file.", notes.display());
    assert!(out.contains(&refused), "{out}");
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "milk, bread");
    assert_eq!(out.matches("Saved to ").count(), 3, "{out}");
    assert_eq!(out.matches("Type “said N”, where N is 1 or more.").count(), 2, "{out}");
    assert!(out.contains("No legal move starts with zz."), "{out}");
    assert!(out.contains(" moves: c1, "), "{out}");
    assert!(out.contains("1. Red") && out.contains("2. Green"), "{out}");
    // Without a match there is no next game.
    let out = succeed_with(&rules[..5], "next\n");
    assert!(out.contains("There is no next game: no match is being played"), "{out}");
}

/// Phones begin a line with a capital.
#[test]
fn commands_are_understood_with_capitals() {
    for (language, typed) in [
        ("en", "Help\nC7\nSaid\nUNDO\nNew Same\nQuit\nquit\n"),
        ("it", "Aiuto\nC7\nDescrivi\nRITIRA\nNuova Uguale\nEsci\nquit\n"),
    ] {
        let rules = ["play", "--rules", "tablaaza", "--second", "person", "--language", language];
        let capitals = succeed_with(&rules, typed);
        assert_eq!(capitals, succeed_with(&rules, &typed.to_lowercase()), "{language}");
    }
    let train = ["train", "--rules", "tablaaza"];
    assert_eq!(succeed_with(&train, "Help\nQuit\n"), succeed_with(&train, "help\nquit\n"));
}

#[test]
fn another_game_is_replaced_only_when_save_is_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let [other, own] = ["other.tab", "own.tab"].map(|name| dir.path().join(name));
    let two = "[Rules \"tablaaza\"]\n\n1. a1 a2 *\n\n[Rules \"tablaaza\"]\n\n1. c7 *\n";
    std::fs::write(&other, two).unwrap();
    let rules = ["play", "--rules", "tablaaza", "--second", "person"];
    let [to_other, to_own] = [&other, &own].map(|path| format!("save {}\n", path.display()));
    let out = succeed_with(&rules, &format!("c7\n{to_other}{to_own}c6\n{to_own}"));
    assert!(
        out.contains("other.tab already contains a game. Repeat the command to replace that game.")
    );
    assert_eq!(out.matches("Saved to ").count(), 2, "its own file: {out}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), two);
    // One game of a file with two stands for itself alone, and one that was read is its own.
    let record = |path| ["play", "--record", path];
    let out = succeed_with(&record(path_arg(&other)), &to_other);
    assert!(out.contains("already contains a game") && !out.contains("Saved to "), "{out}");
    let out = succeed_with(&record(path_arg(&own)), &format!("a1\n{to_own}"));
    assert!(out.contains("Saved to ") && read_file(&own)[0].history().len() == 3, "{out}");
    let out = succeed_with(&rules, &format!("c7\n{to_other}{to_other}"));
    assert!(out.contains("Saved to ") && read_file(&other).len() == 1, "{out}");
}

#[test]
fn flags_without_effect_are_bad_usage() {
    let error = fail(2, &["play", "--rules", "tablaaza", "--by-hand"]);
    assert!(error.contains("cannot use --by-hand with tablaaza: it has no sticks"), "{error}");
    for more in [&["--rules", "tablaaza"] as &[&str], &["--continue"]] {
        let error = fail(2, &[&["play", "--game", "2"], more].concat());
        assert!(error.contains("--record"), "{error}");
    }
}

#[test]
fn lines_of_results_that_cannot_be_read_are_named() {
    let home = tempfile::tempdir().unwrap();
    let play = ["play", "--rules", "tablaaza", "--second", "person"];
    assert_eq!(run_tabulae_in(home.path(), &play, "c7\nc6\nresign\n").stderr, "");
    let mut folders = vec![home.path().to_owned()];
    let mut results = None;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("results.jsonl") {
                results = Some(path);
            }
        }
    }
    let results = results.expect("the result of the game");
    let good = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, format!("{good}damaged\n{{}}\n")).unwrap();
    let run = run_tabulae_in(home.path(), &play, "");
    let named = format!("{}: lines 2, 3 cannot be read and are skipped.\n", results.display());
    assert_eq!((run.code, run.stderr), (0, named));
}
