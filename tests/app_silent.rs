//! The app without a window: the same plugins, no renderer. Pointer events on
//! squares play whole scripted games of each kind, through the same path as a
//! mouse, and what stands on the table is compared with the rules at every
//! ply.
#![cfg(feature = "app")]

mod common;

use std::collections::BTreeMap;

use bevy::prelude::*;
use common::silent::Silent;
use tabulae::{
    app::{
        acts::{Act, Sheet, Way},
        advice::Advice,
        lesson::Lesson,
        settings::{Means, Settings},
        stage::{Figurine, Marks, Pace, Screen, Spot},
    },
    engines::Level,
    games::{AnyMove, AnyPosition, GameKind, Line, Ply, RuleSet, Side, Square, Turn},
    records,
    table::{Attempt, Figure, Outcome, PieceId, Seat, Setup, Task, figures, scripts},
};

const SIZE: (u32, u32) = (1280, 720);

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn persons(rules: RuleSet, seed: u64) -> Setup {
    Setup { rules, seats: [Seat::Person; 2], seed: Some(seed), start: None, by_hand: false }
}

fn at_table(setup: Setup) -> Silent {
    let mut silent = Silent::new(SIZE);
    silent.act(Act::NewGame(setup));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    silent
}

fn hurry(silent: &mut Silent) {
    silent.app.insert_resource(Pace { speed: 1_000.0 });
}

/// What stands on the board in the scene: figures that can be touched.
fn scene(silent: &mut Silent) -> BTreeMap<Square, (PieceId, Figure)> {
    let world = silent.app.world_mut();
    let mut standing = BTreeMap::new();
    for (figurine, spot) in world.query::<(&Figurine, &Spot)>().iter(world) {
        assert_eq!(figurine.0.at, spot.0);
        let before = standing.insert(spot.0, (figurine.0.id, figurine.0.figure));
        assert!(before.is_none(), "two figures on {}", spot.0);
    }
    standing
}

fn check_scene(silent: &mut Silent, position: &AnyPosition) {
    let scene: BTreeMap<Square, Figure> =
        scene(silent).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    let rules: BTreeMap<Square, Figure> = figures(position).into_iter().collect();
    assert_eq!(scene, rules, "the scene shows what the rules say: {position}");
}

/// Plays a move by clicking on its squares, in the n-th of its orders.
fn click_move(silent: &mut Silent, mv: AnyMove, order: usize) {
    let scripts = scripts(&mv);
    for touch in &scripts[order % scripts.len()] {
        let at = silent.aim(*touch);
        silent.click_at(at, MouseButton::Left);
        if silent.referee().question.is_some() {
            // What is meant is the step, not the piece that stands there.
            silent.act(Act::Answer(0));
        }
    }
}

/// Plays a game with the mouse, to its end or to `most` plies, and gives it
/// back. After `checked` plies nothing is shown slowly any more.
fn play_out(silent: &mut Silent, checked: usize, most: usize) -> Line<AnyPosition> {
    while silent.table().line().len() < most {
        let plies = silent.table().line().len();
        match silent.table().turn() {
            Some(Turn::Throw(_)) => {
                let at = silent.stick();
                silent.click_at(at, MouseButton::Left);
            }
            Some(Turn::Move(_)) => {
                let mut moves = silent.table().line().legal_moves();
                moves.sort_unstable();
                let choice = moves[plies * 7_919 % moves.len()];
                click_move(silent, choice, plies);
            }
            Some(Turn::Over(_)) | None => break,
        }
        if plies == checked {
            hurry(silent);
        }
        silent.settle();
        assert_eq!(silent.table().line().len(), plies + 1, "one ply a turn");
        let position = silent.table().line().position().clone();
        check_scene(silent, &position);
    }
    silent.table().line().clone()
}

#[test]
fn a_whole_game_of_each_kind_is_played_and_watched_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutAshton, 1), (RuleSet::TablanOrdered, 3), (RuleSet::Tablaaza, 1)]
    {
        let mut silent = at_table(persons(rules, seed));
        let line = play_out(&mut silent, 6, usize::MAX);
        let Some(Outcome::Ended(end)) = silent.table().outcome() else {
            panic!("{rules}: ended by the rules")
        };
        let words = tabulae::table::end_words(rules, end);
        assert_eq!(silent.referee().said.last(), Some(&words), "{rules}: it says why");
        watch(&mut silent, &line);
    }
}

#[test]
fn the_other_rule_sets_are_played_and_watched_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutBerkeley, 1), (RuleSet::TablutLinnaeus, 1), (RuleSet::Tablan, 2)]
    {
        let mut silent = at_table(persons(rules, seed));
        let line = play_out(&mut silent, 4, 40);
        watch(&mut silent, &line);
    }
}

/// Watches the game on the table again: the same positions, forwards,
/// backwards and jumping.
fn watch(silent: &mut Silent, line: &Line<AnyPosition>) {
    silent.act(Act::Watch);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Replay);
    check_scene(silent, line.start());
    let names = scene(silent);
    for number in 1..=line.len().min(40) {
        silent.act(Act::StepForward);
        silent.settle();
        check_scene(silent, line.at(number).expect("a position"));
    }
    for number in [line.len() / 2, 1, line.len() - 1, 0] {
        silent.act(Act::Jump(number));
        silent.settle();
        check_scene(silent, line.at(number).expect("a position"));
    }
    assert_eq!(scene(silent), names, "the pieces kept their names");
    silent.act(Act::Jump(line.len()));
    silent.act(Act::StepBack);
    silent.settle();
    check_scene(silent, line.at(line.len() - 1).expect("a position"));
}

#[test]
fn a_replay_plays_by_itself_and_stops_at_the_end() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6", "a1"] {
        silent.click(name);
        silent.settle();
    }
    silent.act(Act::Watch);
    silent.act(Act::Speed(4.0));
    silent.act(Act::TogglePlay);
    assert!(silent.replay().playing);
    silent.until("the replay stops by itself", |world| {
        !world.resource::<tabulae::app::replay::Replay>().playing
    });
    assert_eq!(silent.replay().at, 3);
    silent.act(Act::Jump(2));
    silent.act(Act::PlayOn);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(silent.table().line().len(), 2);
    silent.click("h6");
    silent.settle();
    assert_eq!(silent.table().line().len(), 3);
}

#[test]
fn hovering_choosing_and_letting_go_are_shown() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let marks = |silent: &Silent| silent.app.world().resource::<Marks>().clone();
    assert!(marks(&silent).touchable.contains(&square("e4")));
    assert!(!marks(&silent).touchable.contains(&square("e5")), "the king cannot move yet");
    silent.aim(square("e4"));
    assert_eq!(marks(&silent).hovered, Some(square("e4")));

    silent.click("e4");
    assert_eq!(marks(&silent).chosen, [square("e4")]);
    assert!(marks(&silent).reachable.contains(&square("f4")));
    let aside = silent.aim(square("a1"));
    silent.click_at(aside, MouseButton::Right);
    assert!(marks(&silent).chosen.is_empty(), "a right click lets go");

    silent.click("e4");
    silent.act(Act::LetGo);
    assert!(marks(&silent).chosen.is_empty());

    silent.click("e4 e4");
    assert!(marks(&silent).chosen.is_empty(), "a second click lets go");

    silent.click("e4 f4");
    silent.settle();
    assert_eq!(marks(&silent).last, [square("e4"), square("f4")]);
}

#[test]
fn the_view_turns_nears_shifts_and_comes_back() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.aim(square("b2"));
    let seat = silent.eye();
    silent.click("e4");
    silent.drag_by(MouseButton::Right, Vec2::new(120.0, 0.0));
    let turned = silent.eye();
    assert!((turned - seat).length() > 1.0, "the right button turns the view");
    assert_eq!(silent.referee().selection.touched(), [square("e4")], "and lets nothing go");
    silent.act(Act::ResetView);
    assert!((silent.eye() - seat).length() < 0.05, "back at the seat");
    silent.wheel(3.0);
    assert!(silent.eye().length() < seat.length() - 1.0, "the wheel nears");
    silent.act(Act::ResetView);
    silent.drag_by(MouseButton::Middle, Vec2::new(60.0, 0.0));
    assert!((silent.eye().x - seat.x).abs() > 0.2, "the middle button shifts");
    silent.act(Act::ResetView);
    silent.act(Act::TopView);
    let above = silent.eye();
    assert!(above.y > seat.y && above.xz().length() < seat.xz().length() / 2.0, "from above");
    silent.act(Act::TopView);
    assert!((silent.eye() - seat).length() < 0.05, "and back");
}

#[test]
fn a_piece_can_be_dragged() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.drag("e4", "f4");
    silent.settle();
    assert_eq!(silent.table().line().notation(1).as_deref(), Some("e4-f4"));
    // Dropped where it cannot go, it stays where it was, and chosen.
    silent.drag("d1", "d9");
    silent.settle();
    assert_eq!(silent.table().line().len(), 1);
    assert_eq!(silent.referee().selection.touched(), [square("d1")]);
}

#[test]
fn a_pair_can_be_dragged_piece_by_piece() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
    let mut silent = at_table(Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) });
    silent.drag("a1", "b1");
    assert_eq!(silent.referee().selection.touched(), [square("a1"), square("b1")]);
    silent.drag("e1", "f1");
    silent.settle();
    assert_eq!(silent.table().line().notation(1).as_deref(), Some("e1-f1+a1-b1"));
}

#[test]
fn a_game_given_up_while_the_engine_thinks_hears_no_more_of_it() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut silent = at_table(Setup { seats, ..persons(RuleSet::TablutAshton, 1) });
    silent.until("the engine thinks", |world| {
        world.resource::<tabulae::app::referee::Referee>().thinking
    });
    silent.act(Act::Resign);
    assert_eq!(silent.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    silent.until("the thought is dropped", |world| {
        !world.resource::<tabulae::app::referee::Referee>().thinking
    });
    assert_eq!(silent.referee().notice, None);
    assert!(silent.table().line().is_empty());
}

#[test]
fn what_is_ambiguous_asks() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) };
    let mut silent = at_table(setup.clone());
    silent.click("c1 d1");
    let question = silent.referee().question.clone().expect("a question");
    assert_eq!(question.choices.len(), 2);
    silent.act(Act::Answer(0));
    silent.click("d1 e1");
    silent.settle();
    assert_eq!(silent.table().line().notation(1).as_deref(), Some("d1-e1+c1-d1"));

    let mut silent = at_table(setup);
    silent.click("c1 d1");
    silent.act(Act::Answer(1));
    silent.click("f1");
    silent.settle();
    assert_eq!(silent.table().line().notation(1).as_deref(), Some("d1-f1"));
}

#[test]
fn the_engine_answers_and_undo_goes_back_to_ones_own_turn() {
    for rules in RuleSet::ALL {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut silent = at_table(Setup { seats, ..persons(rules, 9) });
        hurry(&mut silent);
        // Throws go on until a person is to choose.
        let mut moved = 0;
        while moved < 2 {
            silent.until("a person's turn", |world| {
                let referee = world.resource::<tabulae::app::referee::Referee>();
                referee.table.as_ref().is_some_and(|table| {
                    table.person_moves() || table.person_throws() || table.outcome().is_some()
                })
            });
            silent.settle();
            if silent.table().person_throws() {
                silent.act(Act::Throw);
                continue;
            }
            let mv = silent.table().line().legal_moves()[0];
            click_move(&mut silent, mv, 0);
            moved += 1;
        }
        let before = silent.table().line().len();
        silent.act(Act::Undo);
        silent.settle();
        assert!(silent.table().person_moves(), "{rules}");
        assert!(silent.table().line().len() < before, "{rules}");
        let position = silent.table().line().position().clone();
        check_scene(&mut silent, &position);
        silent.act(Act::Redo);
        silent.settle();
    }
}

#[test]
fn saved_opened_and_resumed_it_is_the_same_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games").join("mine.tab");
    let mut silent = at_table(persons(RuleSet::Tablan, 2));
    hurry(&mut silent);
    for _ in 0..20 {
        match silent.table().turn() {
            Some(Turn::Throw(_)) => silent.act(Act::Throw),
            _ => {
                let mv = silent.table().line().legal_moves()[0];
                silent.act(Act::Type(mv.to_string()));
            }
        }
        silent.settle();
    }
    let line = silent.table().line().clone();
    silent.act(Act::Save(path.clone()));
    assert!(silent.referee().saved);
    drop(silent);

    let mut silent = Silent::new(SIZE);
    silent.act(Act::Resume(path.clone()));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(*silent.table().line(), line);
    silent.act(Act::Open(path.clone()));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Replay);
    assert_eq!(silent.replay().line(), Some(&line));
    let text = std::fs::read_to_string(&path).expect("written");
    assert_eq!(*records::read(&text).expect("a record")[0].line(), line);
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.tab");
    std::fs::write(&bad, "[Rules \"tablaaza\"]\n\n1. c7 c7 *\n").expect("written");
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.click("c7");
    silent.settle();
    let line = silent.table().line().clone();
    let complaint = |silent: &Silent| {
        let notice = silent.referee().notice.clone().expect("a word about it");
        assert!(notice.is_error);
        notice.text
    };
    silent.act(Act::Type("c7".to_owned()));
    assert!(complaint(&silent).contains("c7"));
    silent.act(Act::Open(bad.clone()));
    assert!(complaint(&silent).contains("bad.tab:3:7"), "{}", complaint(&silent));
    silent.act(Act::Resume(folder.path().join("none.tab")));
    assert!(complaint(&silent).contains("none.tab"));
    silent.act(Act::Save(bad.join("below-a-file.tab")));
    assert!(complaint(&silent).contains("below-a-file.tab"));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(*silent.table().line(), line);
    silent.act(Act::Resign);
    assert_eq!(silent.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    silent.act(Act::Undo);
    assert_eq!(silent.table().outcome(), None);
}

#[test]
fn a_file_of_several_games_says_that_the_first_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.tab");
    let game = |mv| format!("[Rules \"tablaaza\"]\n\n1. {mv} *\n\n");
    std::fs::write(&path, game("c7") + &game("a1")).expect("written");
    let mut silent = Silent::new(SIZE);
    silent.act(Act::Open(path));
    silent.settle();
    assert_eq!(silent.replay().line().and_then(|line| line.notation(1)).as_deref(), Some("c7"));
    let notice = silent.referee().notice.clone().expect("a word about the other");
    assert!(!notice.is_error && notice.text.contains("2 games"), "{}", notice.text);
}

/// Every act there is, with what it may be given, sound or not.
fn every_act(folder: &std::path::Path) -> Vec<Act> {
    let path = folder.join("game.tab");
    let setup = persons(RuleSet::Tablaaza, 1);
    let mut acts = vec![
        Act::Touch(square("e4")),
        Act::Touch(Square::new(200, 200)),
        Act::LetGo,
        Act::Press,
        Act::Answer(0),
        Act::Answer(99),
        Act::Throw,
        Act::PutThrow(1),
        Act::PutThrow(200),
        Act::Type("nonsense".to_owned()),
        Act::Type(String::new()),
        Act::Undo,
        Act::UndoTurn,
        Act::Redo,
        Act::Hint,
        Act::Threats,
        Act::Value,
        Act::Look(0),
        Act::Look(usize::MAX),
        Act::LookBack,
        Act::LookBack,
        Act::LookOn,
        Act::Branch,
        Act::Save(path.clone()),
        Act::Save(folder.join("no\0file")),
        Act::Copy,
        Act::Export(folder.join("game.unknown")),
        Act::TogglePlay,
        Act::TogglePlay,
        Act::StepForward,
        Act::StepBack,
        Act::Jump(usize::MAX),
        Act::Speed(f32::NAN),
        Act::Speed(-1.0),
        Act::Speed(2.0),
        Act::Loop,
        Act::Analyse,
        Act::Analyse,
        Act::ResetView,
        Act::TopView,
        Act::TopView,
        Act::Hurry,
        Act::Close,
        Act::Configure(Settings { speed: f32::NAN, text_size: 9_999, ..Settings::default() }),
        Act::Configure(Settings { confirm: true, reduced_motion: true, ..Settings::default() }),
        Act::Configure(Settings::default()),
        Act::OfferDraw,
        Act::Resign,
        Act::Undo,
        Act::NextStep,
        Act::PreviousStep,
        Act::Learn(GameKind::Tablaaza),
        Act::NextStep,
        Act::PreviousStep,
        Act::Title,
        Act::Table,
        Act::Watch,
        Act::PlayOn,
        Act::Open(path.clone()),
        Act::Open(folder.join("missing.tab")),
        Act::Resume(folder.join("missing.tab")),
        Act::Resume(path),
        Act::Rematch,
        Act::NewGame(setup),
        Act::Quit,
    ];
    let ways = [Way::Up, Way::Down, Way::Left, Way::Right];
    acts.splice(0..0, ways.into_iter().flat_map(|way| vec![Act::Cursor(way); 14]));
    acts.splice(0..0, Sheet::ALL.into_iter().map(Act::Show));
    acts
}

/// Every act, on every screen and in every game: none panics, none takes the
/// game off the table without another.
#[test]
fn every_act_can_be_done_on_every_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let acts = every_act(folder.path());
    let ids: std::collections::BTreeSet<&str> = acts.iter().map(Act::id).collect();
    let all: std::collections::BTreeSet<&str> = Act::IDS.iter().copied().collect();
    assert_eq!(ids, all, "every act is among them");

    let mut silent = Silent::new(SIZE);
    for act in acts.clone() {
        // On the title, before there is any game.
        silent.act(act);
    }
    for rules in [RuleSet::TablutLinnaeus, RuleSet::Tablan, RuleSet::Tablaaza] {
        let mut silent = at_table(persons(rules, 1));
        hurry(&mut silent);
        silent.act(Act::Save(folder.path().join("game.tab")));
        for screen in [Act::Title, Act::Table, Act::Watch] {
            for act in acts.clone() {
                silent.act(screen.clone());
                let id = act.id();
                silent.act(act);
                let table = silent.referee().table.as_ref();
                assert!(table.is_some(), "{rules}: {id} after {}", screen.id());
            }
        }
    }
}

#[test]
fn a_look_back_leaves_the_game_alone_and_a_branch_goes_on_from_there() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut silent);
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        silent.act(Act::Type(mv.to_owned()));
        silent.settle();
    }
    let line = silent.table().line().clone();
    silent.act(Act::LookBack);
    silent.act(Act::LookBack);
    silent.settle();
    assert_eq!(silent.referee().looking, Some(1));
    check_scene(&mut silent, line.at(1).expect("a position"));
    assert!(silent.app.world().resource::<Marks>().touchable.is_empty(), "the game waits");
    silent.act(Act::Touch(square("d1")));
    assert!(silent.referee().selection.is_empty());
    silent.act(Act::LookOn);
    silent.act(Act::LookOn);
    silent.settle();
    assert_eq!((silent.referee().looking, silent.table().line()), (None, &line));
    check_scene(&mut silent, line.position());

    silent.act(Act::Look(1));
    silent.act(Act::Branch);
    silent.act(Act::Type("d1-c1".to_owned()));
    silent.settle();
    assert_eq!(silent.table().line().len(), 2);
    let position = silent.table().line().position().clone();
    check_scene(&mut silent, &position);
}

#[test]
fn a_hint_comes_by_itself_and_is_shown_until_the_next_move() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
        let mut silent = at_table(persons(rules, 1));
        silent.act(Act::Hint);
        silent.until("a hint", |world| world.resource::<Advice>().hint.is_some());
        let marks = silent.app.world().resource::<Marks>().clone();
        assert!(!marks.arrows.is_empty() || !marks.advised.is_empty(), "{rules}: on the board");
        let (_, best) = silent.app.world().resource::<Advice>().hint.expect("a hint");
        assert!(silent.table().line().legal_moves().contains(&best), "{rules}");
        silent.act(Act::Type(best.to_string()));
        silent.settle();
        let marks = silent.app.world().resource::<Marks>().clone();
        assert!(marks.arrows.is_empty() && marks.advised.is_empty(), "{rules}: gone");
    }
}

#[test]
fn who_is_ahead_is_found_out_while_it_is_shown() {
    let mut silent = at_table(persons(RuleSet::TablutBerkeley, 1));
    assert!(silent.app.world().resource::<Advice>().known.is_empty(), "hidden until asked for");
    silent.act(Act::Value);
    silent.until("a value", |world| !world.resource::<Advice>().known.is_empty());
    let line = silent.table().line().clone();
    assert!(silent.app.world().resource::<Advice>().value_at(&line, 0).is_some());
}

#[test]
fn threats_are_shown_on_request() {
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w");
    let setup = Setup { start: start.ok(), ..persons(RuleSet::TablutBerkeley, 1) };
    let mut silent = at_table(setup);
    let arrows = |silent: &Silent| silent.app.world().resource::<Marks>().arrows.len();
    assert_eq!(arrows(&silent), 0);
    silent.act(Act::Threats);
    silent.settle();
    assert_eq!(arrows(&silent), 4, "the king's open ways");
    silent.act(Act::Threats);
    silent.settle();
    assert_eq!(arrows(&silent), 0);
}

#[test]
fn a_draw_is_offered_to_a_person_and_to_an_engine() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.act(Act::OfferDraw);
    assert_eq!(silent.referee().question.as_ref().map(|it| it.choices.len()), Some(2));
    silent.act(Act::Answer(1));
    assert_eq!(silent.table().outcome(), None, "declined");
    silent.act(Act::OfferDraw);
    silent.act(Act::Answer(0));
    assert_eq!(silent.table().outcome(), Some(Outcome::Agreed));
    silent.act(Act::Undo);
    assert_eq!(silent.table().outcome(), None);

    // The engine has nearly lost: it accepts.
    let start = AnyPosition::parse(RuleSet::TablutAshton, "B8/9/9/9/9/2K6/9/9/9 w");
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut silent =
        at_table(Setup { seats, start: start.ok(), ..persons(RuleSet::TablutAshton, 1) });
    silent.act(Act::OfferDraw);
    silent.until("an answer", |world| {
        let referee = world.resource::<tabulae::app::referee::Referee>();
        referee.table.as_ref().is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(silent.table().outcome(), Some(Outcome::Agreed));

    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.act(Act::OfferDraw);
    assert!(silent.referee().question.is_none(), "Tablaaza knows no draw");
}

#[test]
fn a_whole_turn_is_taken_back_and_real_sticks_are_told() {
    let by_hand = Setup { by_hand: true, ..persons(RuleSet::Tablan, 1) };
    let mut silent = at_table(by_hand);
    hurry(&mut silent);
    silent.act(Act::Throw);
    assert!(silent.table().line().is_empty(), "the program does not throw");
    // A one starts; it and an eight and another one are one player's turn.
    for plain in [1, 4, 1] {
        silent.act(Act::PutThrow(plain));
        let mv = silent.table().line().legal_moves()[0];
        silent.act(Act::Type(mv.to_string()));
        silent.settle();
    }
    assert_eq!(silent.table().line().len(), 6);
    silent.act(Act::PutThrow(2));
    silent.settle();
    silent.act(Act::Undo);
    assert_eq!(silent.table().line().len(), 6, "what was told wrongly is put right");
    silent.act(Act::UndoTurn);
    silent.settle();
    assert!(silent.table().line().len() <= 1, "{}", silent.table().line().len());
}

#[test]
fn a_game_is_played_with_the_keyboard_alone() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.key(KeyCode::ArrowUp);
    let cursor = |silent: &Silent| silent.app.world().resource::<Marks>().cursor;
    let middle = cursor(&silent).expect("a cursor");
    silent.key(KeyCode::ArrowRight);
    let next = cursor(&silent).expect("a cursor");
    assert_eq!((next.file, next.rank), (middle.file + 1, middle.rank));
    for _ in 0..3 {
        let legal = silent.referee().legal().to_vec();
        let AnyMove::Tablaaza(mv) = legal[0] else { panic!("a stone") };
        let goal = mv.square();
        for _ in 0..20 {
            let at = cursor(&silent).expect("a cursor");
            match (at.file.cmp(&goal.file), at.rank.cmp(&goal.rank)) {
                (std::cmp::Ordering::Less, _) => silent.key(KeyCode::ArrowRight),
                (std::cmp::Ordering::Greater, _) => silent.key(KeyCode::ArrowLeft),
                (_, std::cmp::Ordering::Less) => silent.key(KeyCode::ArrowUp),
                (_, std::cmp::Ordering::Greater) => silent.key(KeyCode::ArrowDown),
                _ => break,
            }
        }
        let plies = silent.table().line().len();
        silent.key(KeyCode::Enter);
        silent.settle();
        assert_eq!(silent.table().line().len(), plies + 1);
    }
    silent.key(KeyCode::KeyU);
    silent.settle();
    assert_eq!(silent.table().line().len(), 2);
    silent.key(KeyCode::PageUp);
    assert_eq!(silent.referee().looking, Some(1));
    silent.key(KeyCode::Escape);
    assert_eq!(silent.referee().looking, None);
}

#[test]
fn moves_wait_for_a_yes_where_that_is_wanted_and_only_drags_move_where_that_is() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.act(Act::Configure(Settings { confirm: true, ..Settings::default() }));
    silent.click("e4 f4");
    assert!(silent.table().line().is_empty() && silent.referee().question.is_some());
    silent.act(Act::Answer(0));
    silent.settle();
    assert_eq!(silent.table().line().len(), 1);

    silent.act(Act::Configure(Settings { moves: Means::Drag, ..Settings::default() }));
    silent.click("d1 d4");
    silent.settle();
    assert_eq!(silent.table().line().len(), 1, "a click does not move");
    silent.act(Act::LetGo);
    silent.drag("d1", "d4");
    silent.settle();
    assert_eq!(silent.table().line().len(), 2);

    silent.act(Act::Configure(Settings { moves: Means::Click, ..Settings::default() }));
    silent.drag("f4", "f2");
    silent.settle();
    assert_eq!(silent.table().line().len(), 2, "a drag does not move");
    silent.act(Act::LetGo);
    silent.click("f4 f2");
    silent.settle();
    assert_eq!(silent.table().line().len(), 3);
}

#[test]
fn an_analysis_judges_every_position_and_shows_the_best_move() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6"] {
        silent.click(name);
        silent.settle();
    }
    silent.act(Act::Watch);
    silent.act(Act::Analyse);
    silent.until("all judged", |world| world.resource::<Advice>().known.len() == 3);
    let marks = silent.app.world().resource::<Marks>().clone();
    assert_eq!(marks.advised.len(), 1, "the best stone");
    let line = silent.replay().line().expect("a game").clone();
    assert!(
        (0..=2).all(|ply| silent.app.world().resource::<Advice>().value_at(&line, ply).is_some())
    );
    silent.act(Act::Analyse);
    silent.settle();
    assert!(silent.app.world().resource::<Marks>().advised.is_empty());
}

#[test]
fn a_lesson_is_learnt_on_the_board_and_the_game_comes_back() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut silent);
    silent.click("e4 f4");
    silent.settle();
    let before = silent.table().line().clone();
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        silent.act(Act::Learn(game));
        silent.settle();
        let steps = silent.app.world().resource::<Lesson>().steps();
        for number in 0..steps {
            let lesson = silent.app.world().resource::<Lesson>();
            assert_eq!(lesson.step, number, "{game:?}");
            let step = lesson.now().expect("a step");
            check_scene(&mut silent, &step.start);
            // Anything else is taken back, and said to be wrong.
            let start = Line::new(step.start.clone());
            let does = |mv: &AnyMove| {
                let mut line = start.clone();
                line.push(Ply::Move(*mv)).expect("legal");
                step.attempt(&line) == Attempt::Done
            };
            let (done, missed): (Vec<_>, Vec<_>) = start.legal_moves().into_iter().partition(does);
            if step.is_problem {
                click_move(&mut silent, missed[0], 0);
                silent.settle();
                assert!(silent.app.world().resource::<Lesson>().missed, "{game:?} {}", step.name);
                assert!(silent.table().line().is_empty());
            }
            if step.task == Task::Throw {
                silent.act(Act::Throw);
            } else if step.task != Task::Read {
                click_move(&mut silent, done[0], 0);
            }
            silent.settle();
            let lesson = silent.app.world().resource::<Lesson>();
            assert!(lesson.done && !lesson.missed, "{game:?} {}", step.name);
            if number + 1 < steps {
                silent.act(Act::NextStep);
                silent.settle();
            }
        }
    }
    silent.act(Act::NextStep);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Title);
    silent.act(Act::Table);
    silent.settle();
    assert_eq!(*silent.table().line(), before, "the game that was set aside");
    check_scene(&mut silent, before.position());
}
