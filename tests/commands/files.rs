//! Commands that read records: `check`, `analyse`, `render`.

use std::{fs, path::Path};

use tabulae_records::read;

use crate::{
    common::program::{fail, path_arg, run_tabulae, succeed},
    read_file, record_path,
};

#[test]
fn render_checks_the_record_first() {
    let game = record_path("valid", "tablaaza.tab");
    let plies = read_file(&game)[0].history().len();
    let beyond = (plies + 1).to_string();
    let error = fail(1, &["render", path_arg(&game), "--out", "none.png", "--ply", &beyond]);
    assert!(error.contains(&format!("\ntabulae: ply {beyond} not found: game 1 of ")), "{error}");
    assert!(error.contains(&format!("tablaaza.tab has {plies} plies")), "{error}");
    let error = fail(1, &["render", path_arg(&game), "--out", "none.png", "--game", "3"]);
    assert!(error.starts_with("tabulae: game 3 not found: "), "{error}");
    let views = fail(2, &["render", path_arg(&game), "--out", "none.png", "--view", "below"]);
    assert!(views.contains("'below'") && views.contains("seat, top, diagram, far"), "{views}");
    let bad = record_path("invalid", "no-rules.tab");
    let error = fail(1, &["render", path_arg(&bad), "--out", "none.png"]);
    assert!(error.contains("no-rules.tab:4:1: expected a tag"), "{error}");
    let from = ["render", path_arg(&game), "--out", "none.gif", "--from"];
    let error = fail(1, &[&from[..], &["3", "--ply", "2"]].concat());
    assert!(error.contains("after ply 3 (--from): the animation ends at ply 2"), "{error}");
    let error = fail(1, &[&from[..], &[beyond.as_str()]].concat());
    assert!(error.contains(&format!("ends at ply {plies}")), "{error}");
    let error = fail(2, &["render", path_arg(&game), "--out", "none.png", "--from", "1"]);
    assert!(error.contains("cannot use --from with a picture"), "{error}");
    assert!(!Path::new("none.png").exists());
}

#[test]
fn check_prints_a_line_for_each_valid_game() {
    let mut arguments = vec!["check".to_owned()];
    let mut games = 0;
    for entry in fs::read_dir(record_path("valid", "")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        // OpenTafl's notation holds one game.
        let is_record = path.extension().is_some_and(|extension| extension == "tab");
        games += if is_record { text.matches("[Rules ").count() } else { 1 };
        arguments.push(path.to_str().unwrap().to_owned());
    }
    let out = succeed(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(out.lines().count(), games);
    assert!(out.lines().all(|line| line.contains(": tabl") && line.contains(" plies, ")));
    assert!(out.contains("tablaaza.tab: tablaaza, 46 plies, 0-1 (no-moves)"), "{out}");
    assert!(out.contains("variations.tab: tablut/ashton, 3 plies, 4 variations, *"), "{out}");
}

#[test]
fn analyse_keeps_the_variations_and_comments_the_main_line() {
    let path = record_path("valid", "variations.tab");
    let out = succeed(&["analyse", path_arg(&path), "--movetime", "1", "--quiet"]);
    let record = &read(&out).unwrap()[0];
    assert_eq!(record.tree().variations(), 4, "{out}");
    assert!(
        (0..=3)
            .all(|ply| record.comments(ply).last().is_some_and(|comment| comment.contains("best")))
    );
}

#[test]
fn check_reports_the_first_error_of_each_bad_file() {
    let (good, bad) =
        (record_path("valid", "tablaaza.tab"), record_path("invalid", "illegal-move.tab"));
    let (none, worse) = (Path::new("no-such-file.tab"), record_path("invalid", "open-comment.tab"));
    let run = run_tabulae(
        &["check", path_arg(&bad), path_arg(&good), path_arg(none), path_arg(&worse)],
        "",
    );
    assert_eq!(run.code, 1);
    let errors: Vec<_> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    let expected = fs::read_to_string(bad.with_extension("error")).unwrap();
    assert!(errors[0].ends_with(expected.trim_end()), "{errors:?}");
    assert!(errors[0].starts_with(path_arg(bad.parent().unwrap())), "{errors:?}");
    assert!(errors[1].starts_with("cannot read no-such-file.tab: "), "{errors:?}");
    assert!(errors[2].contains("open-comment.tab:3:7: '{'"), "{errors:?}");
    assert!(run.stdout.lines().all(|line| line.contains("tablaaza.tab: ")), "{}", run.stdout);

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("latin.tab");
    fs::write(&path, b"[Rules \"tablaaza\"]\n[Red \"J\xf6rg\"]\n*\n").unwrap();
    let error = fail(1, &["check", path_arg(&path)]);
    assert!(error.contains("latin.tab:2:8: expected text in UTF-8"), "{error}");
}

/// Checks that an invalid game of a file does not hide the others.
#[test]
fn the_valid_games_of_a_file_are_used_and_the_others_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("three.tab");
    let game = |moves: &str| format!("[Rules \"tablaaza\"]\n\n{moves} *\n\n");
    fs::write(&file, [game("1. c7"), game("1. c7 h1"), game("1. c7 c6")].concat()).unwrap();
    let path = path_arg(&file);
    let located = format!("{path}:7:7: 'h1': ");

    let run = run_tabulae(&["check", path], "");
    assert_eq!((run.code, run.stdout.lines().count()), (1, 2), "{}", run.stdout);
    assert!(run.stderr.starts_with(&located) && run.stderr.lines().count() == 1, "{}", run.stderr);

    let left_out = format!("tabulae: game 2 left out: {located}");
    for (arguments, found) in [
        (&["convert", path][..], "1. c7 c6 *"),
        (&["analyse", path, "--movetime", "1", "--json", "--quiet"], "\"game\":3"),
    ] {
        let run = run_tabulae(arguments, "");
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.contains(found), "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.starts_with(&left_out), "{arguments:?}: {}", run.stderr);
    }
    // The index of the folder of games names it, too.
    let show = ["book", "--show", "--rules", "tablaaza", "--search", path_arg(dir.path())];
    let run = run_tabulae(&show, "");
    assert!(run.stderr.starts_with(&format!("{path}: 7:7: 'h1': ")), "{}", run.stderr);
    assert!(run.stdout.contains("2 of 2 games reached it"), "{}", run.stdout);

    // One game is asked for by its number in the file.
    assert!(succeed(&["convert", path, "--game", "3"]).contains("1. c7 c6 *"));
    assert!(fail(1, &["convert", path, "--game", "2"]).starts_with(&format!("tabulae: {located}")));
    assert!(fail(1, &["diagram", path, "--game", "2"]).contains(&located));
    let play = ["play", "--record", path, "--game", "3", "--language", "en"];
    let run = run_tabulae(&play, "quit\n");
    assert!(run.code == 0 && run.stderr.contains("One game is skipped"), "{}", run.stderr);

    // A file without a valid game fails.
    fs::write(&file, game("1. c7 h1")).unwrap();
    assert!(fail(1, &["convert", path]).contains("three.tab:3:7: 'h1': "));
}

#[test]
fn check_reads_berkeley_move_lists() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("moves.txt");
    fs::write(&path, "1. i6-g d5-7\n2. i4-g\n").unwrap();
    let out = succeed(&["check", path_arg(&path)]);
    assert!(out.ends_with("moves.txt: tablut/berkeley, 3 plies, *\n"), "{out}");
}

#[test]
fn analyse_comments_every_position() {
    let path = record_path("valid", "commented.tab");
    let before = &read_file(&path)[0];
    let out = succeed(&["analyse", path_arg(&path), "--movetime", "5"]);
    let after = &read(&out).unwrap()[0];
    assert_eq!(after.history(), before.history());
    assert_eq!(after.result(), before.result());
    for number in 0..=before.history().len() {
        let said = after.comments(number).iter().filter(|text| text.contains("best ")).count();
        assert_eq!(said, 1, "position {number}: {out}");
        for comment in before.comments(number) {
            assert!(after.comments(number).contains(comment), "{comment} is lost");
        }
    }
    let bad = record_path("invalid", "illegal-move.tab");
    assert!(fail(1, &["analyse", path_arg(&bad)]).contains("illegal-move.tab:"));
}

/// The two lines of a report name the adapter, the frames and their times.
#[cfg(feature = "app")]
#[test]
fn render_tells_how_long_frames_take() {
    let game = record_path("valid", "tablaaza.tab");
    let report = ["render", path_arg(&game), "--size", "160x90", "--frame-report"];
    let run = run_tabulae(&report, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<_> = run.stdout.lines().collect();
    let [adapter, frames] = lines[..] else { panic!("{}", run.stdout) };
    assert!(adapter.strip_prefix("adapter ").is_some_and(|rest| rest.contains(", ")), "{adapter}");
    let (count, times) = frames.split_once(", 160x90, ").expect(frames);
    let count: usize = count.strip_prefix("frames ").expect(frames).parse().expect(frames);
    assert!(count >= 5, "{frames}");
    let (drawn, submitted) = times.split_once("; until submitted ").expect(frames);
    let (_, drawn) = drawn.split_once(": ").expect(frames);
    let [drawn, submitted] = [drawn, submitted].map(|text| {
        let median = text.split(' ').next().expect(frames);
        median.parse::<f64>().expect(frames)
    });
    assert!(0.0 < submitted && submitted <= drawn, "{frames}");
}

#[cfg(not(feature = "app"))]
#[test]
fn without_the_app_the_error_says_what_to_do() {
    let error = fail(1, &[]);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("`tabulae play") && error.contains("--features app"), "{error}");
    let game = record_path("valid", "tablan-short.tab");
    let error = fail(1, &["render", path_arg(&game), "--out", "none.png"]);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("none.png") && error.contains("--features app"), "{error}");
    assert!(!error.contains("None"), "{error}");
}

/// A command that would overwrite what it reads is refused, by whichever path.
#[test]
fn a_file_is_not_both_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tab");
    let game = "[Rules \"tablut/ashton\"]\n\n1. e4-f4 *\n";
    fs::write(&path, game).unwrap();
    let mut others = vec![path.clone(), folder.path().join("./games.tab")];
    others
        .push(folder.path().join("..").join(folder.path().file_name().unwrap()).join("games.tab"));
    #[cfg(unix)]
    {
        let link = folder.path().join("link.tab");
        std::os::unix::fs::symlink("games.tab", &link).unwrap();
        others.push(link);
    }
    let second_name = folder.path().join("second-name.tab");
    fs::hard_link(&path, &second_name).unwrap();
    others.push(second_name);
    let file = path_arg(&path);
    for other in &others {
        let other = path_arg(other);
        for arguments in [
            &["diagram", file, "--out", other] as &[&str],
            &["convert", file, "--out", other],
            &["convert", file, "--game", "1", "--to", "otg", "--out", other],
            &["render", file, "--out", other],
        ] {
            let error = fail(2, arguments);
            assert!(error.contains("are the same file"), "{arguments:?}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), game);
}

#[test]
fn a_word_of_megabytes_is_cut_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.tab");
    for rules in ["tablut/ashton", "tablan", "tablaaza"] {
        for symbol in ["z", "é", "4", "t"] {
            let word = symbol.repeat(100_000);
            for text in [
                format!("[Rules \"{rules}\"]\n\n1. {word} *\n"),
                format!("[Rules \"{rules}\"]\n[Position \"{word}\"]\n\n*\n"),
                format!("[Rules \"{word}\"]\n\n*\n"),
                format!("[Rules \"{rules}\"]\n[{word} \"x\"]\n\n*\n"),
                format!("[Rules \"{rules}\"]\n[Result \"{word}\"]\n\n*\n"),
            ] {
                fs::write(&path, &text).unwrap();
                let run = run_tabulae(&["check", path_arg(&path)], "");
                let start: String = text.chars().take(80).collect();
                assert!(run.stderr.len() < 1000, "{}: {start}", run.stderr.len());
            }
        }
    }
}
