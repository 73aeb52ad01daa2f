//! Variations, glyphs and shapes of records: random trees read back equal, and
//! changes of the tree keep the game in step.

use tabulae_games::{GameKind, Ply, RuleSet, Square};
use tabulae_records::{GameResult, Glyph, NodeId, Record, Shape, ShapeColor, opentafl, read};
use tabulae_session::GameSession;

use crate::random_games::{Numbers, play_random, random_line};

const TEXTS: &[&str] = &[
    "quiet",
    "} ) ( {",
    "1-0 (e4-f4) $3 !?",
    "two\nlines \\} \\",
    "[%clk 0:01:00]",
    "[%csl Ga1,Rb2] here",
    "[%csl [%cal Ba1b1]Yc2]",
    "[%csl Zz9] [%cal",
    "[[%csl Ga1][%csl Ga1] ]",
    "a remark that goes on beyond the eightieth column, so that the line has to be broken before it",
];

fn random_shape(rules: RuleSet, numbers: &mut Numbers) -> Shape {
    let (files, ranks) = rules.board_size();
    let mut square = || {
        let file = u8::try_from(numbers.below(usize::from(files) + 1)).unwrap();
        Square::new(file, u8::try_from(numbers.below(usize::from(ranks))).unwrap())
    };
    let (from, to) = (square(), square());
    Shape { from, to: (numbers.below(2) == 0).then_some(to), color: numbers.pick(&ShapeColor::ALL) }
}

/// Adds random variations and annotations.
fn grow(record: &mut Record, numbers: &mut Numbers) {
    for _ in 0..numbers.below(12) {
        let nodes: Vec<_> = record.tree().nodes().collect();
        let mut node = numbers.pick(&nodes);
        for _ in 0..numbers.below(6) {
            let mut line = record.line_to(node);
            if !play_random(&mut line, numbers) {
                break;
            }
            node = record.play(node, line.ply(line.len()).unwrap()).unwrap();
        }
    }
    let nodes: Vec<_> = record.tree().nodes().collect();
    for _ in 0..numbers.below(30) {
        let node = numbers.pick(&nodes);
        match numbers.below(4) {
            0 => _ = record.add_comment(node, numbers.pick(TEXTS)),
            1 => _ = record.add_comment_before(node, numbers.pick(TEXTS)),
            2 => {
                let glyphs = [1, 2, 5, 6, 0, 7, 14, 255].map(Glyph);
                _ = record.set_glyphs(node, [numbers.pick(&glyphs), numbers.pick(&glyphs)]);
            }
            _ => _ = record.toggle_shape(node, random_shape(record.rules(), numbers)),
        }
    }
}

fn assert_reads_back(record: &Record) {
    let text = record.to_string();
    let back = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(back == std::slice::from_ref(record), "{text}");
    assert_eq!(back[0].to_string(), text);
}

#[test]
fn random_trees_read_back_equal() {
    let mut numbers = Numbers::new(26);
    let mut deepest = 0;
    for rules in RuleSet::ALL {
        for _ in 0..40 {
            let plies = numbers.below(30);
            let mut record = Record::new(random_line(rules, &mut numbers, plies));
            grow(&mut record, &mut numbers);
            assert_reads_back(&record);
            deepest = deepest.max(record.tree().variations());
        }
    }
    assert!(deepest >= 8, "the trees were too small: {deepest} variations");
}

#[test]
fn random_trees_survive_opentafl_notation() {
    let mut numbers = Numbers::new(26);
    let tablut = RuleSet::ALL.into_iter().filter(|rules| rules.game() == GameKind::Tablut);
    let (mut deepest, mut halves) = (0, 0);
    for rules in tablut {
        for number in 0..100 {
            let plies = numbers.below(20);
            let mut record = Record::new(random_line(rules, &mut numbers, plies));
            for _ in 0..numbers.below(12) {
                let nodes: Vec<_> = record.tree().nodes().collect();
                let mut node = numbers.pick(&nodes);
                for _ in 0..numbers.below(6) {
                    let mut line = record.line_to(node);
                    if !play_random(&mut line, &mut numbers) {
                        break;
                    }
                    node = record.play(node, line.ply(line.len()).unwrap()).unwrap();
                    let is_bare = record.tree().annotation(node).is_empty();
                    if is_bare && numbers.below(3) == 0 {
                        record.add_comment(node, "a remark");
                    }
                }
            }
            let text = opentafl::write(&record).expect("a game of Tablut");
            let back = opentafl::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(back.tree(), record.tree(), "{rules} {number}\n{text}");
            for line in text.lines().filter(|line| line.starts_with(|first: char| first != '[')) {
                let address = line.split(' ').next().unwrap();
                deepest = deepest.max(address.matches('.').count());
                halves += usize::from(line.contains(" ....."));
            }
        }
    }
    assert!(deepest >= 7 && halves > 50, "{deepest} {halves}");
}

#[test]
fn lines_with_variations_stay_within_eighty_columns() {
    let mut numbers = Numbers::new(27);
    for rules in RuleSet::ALL {
        let mut record = Record::new(random_line(rules, &mut numbers, 60));
        for _ in 0..40 {
            let nodes: Vec<_> = record.tree().nodes().collect();
            let node = numbers.pick(&nodes);
            let mut line = record.line_to(node);
            if play_random(&mut line, &mut numbers) {
                record.play(node, line.ply(line.len()).unwrap()).unwrap();
            }
        }
        let text = record.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

/// Whatever is done to a tree, its game is its main line, every line is legal, and
/// it reads back equal.
#[test]
fn promoting_and_deleting_keep_the_game_in_step_with_the_tree() {
    let mut numbers = Numbers::new(28);
    for rules in RuleSet::ALL {
        for _ in 0..15 {
            let mut record = Record::new(random_line(rules, &mut numbers, 12));
            record.stop(GameResult::Drawn, Some("agreement"));
            grow(&mut record, &mut numbers);
            for _ in 0..10 {
                let nodes: Vec<_> = record.tree().nodes().collect();
                let node = numbers.pick(&nodes);
                match numbers.below(3) {
                    0 => {
                        let was_main = record.is_main(node);
                        assert_eq!(record.make_main(node), !was_main);
                        assert!(record.is_main(node));
                    }
                    1 => {
                        let was_main = record.is_main(node);
                        assert_eq!(record.promote(node), !was_main);
                    }
                    _ => {
                        let parent = record.tree().parent(node);
                        assert_eq!(record.delete(node), parent);
                        assert_eq!(record.tree().contains(node), node == NodeId::ROOT);
                    }
                }
                let main: Vec<_> = record.tree().line(NodeId::ROOT).collect();
                assert_eq!(record.tree().main_line(), main);
                let plies: Vec<_> =
                    main.iter().filter_map(|&node| record.tree().ply(node)).collect();
                assert_eq!(plies, record.history().plies().collect::<Vec<_>>());
                assert_reads_back(&record);
            }
        }
    }
}

#[test]
fn a_tree_is_read_as_it_is_written() {
    let text = "[Rules \"tablaaza\"]\n\n1. c7 ! {[%csl Gc6] one} (1. {Or} c1 $14 d1 (1... b1) (1... c2?!)) {two}\n\
                (1. e1) c6 (1... b7!?) 2. c3 *";
    let error = read(text).unwrap_err();
    assert_eq!(
        (error.line, error.text.as_str()),
        (4, "c3"),
        "the main line is strict too: {error}"
    );

    let record = &read(&text.replace("2. c3", "2. e1")).unwrap()[0];
    let tree = record.tree();
    let name = |node| tree.ply(node).map_or(String::new(), |ply: Ply<_>| ply.to_string());
    let names =
        |nodes: &[NodeId]| nodes.iter().map(|&node| name(node)).collect::<Vec<_>>().join(" ");
    assert_eq!(names(tree.children(NodeId::ROOT)), "c7 c1 e1");
    let [c7, c1, _] = tree.children(NodeId::ROOT) else { panic!() };
    assert_eq!(names(tree.children(*c7)), "c6 b7");
    assert_eq!(names(tree.children(*c1)), "d1 b1 c2");
    assert_eq!(tree.annotation(*c7).comments(), ["one", "two"]);
    assert_eq!(tree.annotation(*c7).glyphs().collect::<Vec<_>>(), [Glyph(1)]);
    assert_eq!(tree.annotation(*c1).comments_before(), ["Or"]);
    assert_eq!(
        record.to_string().lines().skip(5).collect::<Vec<_>>().join(" "),
        "1. c7! {[%csl Gc6]} {one} {two} ({Or} 1. c1 $14 d1 (1... b1) (1... c2?!)) (1. e1) 1... c6 \
         (1... b7!?) 2. e1 *"
    );
}

/// What the list of moves shows can be pasted into a record.
#[test]
fn the_marks_of_the_list_of_moves_read_back() {
    let start = "[Rules \"tablut/linnaeus\"]\n[Position \"9/9/9/9/4K4/9/9/4B4/9 w\"]\n\n";
    let read = |moves: &str| read(&format!("{start}{moves}"));
    let plain = read("1. e5-e9 *").unwrap();
    for marked in ["e5-e9 T!", "e5-e9T!", "e5-e9 T! "] {
        let record = read(&format!("1. {marked} *")).unwrap_or_else(|error| panic!("{error}"));
        assert!(record == plain, "{marked}");
    }
    let annotated = read("1. e5-e9T!?! *").unwrap();
    assert!(annotated[0].to_string().contains("1. e5-e9?! *"), "{}", annotated[0]);
    for marked in ["e9-a9 #", "e9-a9#", "e9-a9#!!", "e9-a9!! #"] {
        let record =
            read(&format!("1. e5-e9 e2-e3 2. {marked}")).unwrap_or_else(|error| panic!("{error}"));
        assert!(record[0].end().is_some(), "{marked}");
    }
    let error = read("1. e5-e9R!").unwrap_err();
    assert_eq!((error.column, error.text.as_str()), (9, "R!"), "{error}");
}

/// A game that is continued at the table and saved keeps its variations.
#[test]
fn a_game_at_the_table_keeps_its_variations() {
    let text = "[Rules \"tablaaza\"]\n[Red \"Aili\"]\n[Green \"Piera\"]\n[Result \"*\"]\n\n\
                {[%csl Gc7]} 1. c7! {well begun} (1. c1 d1) 1... c6 (1... b7?) 2. e1 $10 *\n";
    let record = read(text).unwrap().remove(0);
    let mut session = GameSession::from_record(&record);
    assert_eq!(session.record(None).tree(), record.tree());

    // Another move in place of the last one: what was said of that is gone.
    assert!(session.undo());
    let other = session.history().parse("g1").unwrap();
    let Ply::Move(mv) = other else { panic!() };
    session.play(mv).unwrap();
    let saved = session.record(None);
    assert_eq!(saved.tree().variations(), 2);
    let text = saved.to_string();
    assert!(text.contains("1... c6 (1... b7?)") && !text.contains("$10"), "{text}");

    let branch = session.branch(1).record(None).to_string();
    assert!(branch.contains("(1. c1 d1)") && !branch.contains("b7"), "{branch}");
}

#[test]
fn a_record_refuses_annotations_that_it_could_not_write() {
    let mut record = read("[Rules \"tablaaza\"]\n\n1. c7 (1. c1) *").unwrap().remove(0);
    let [main, other] = *record.tree().children(NodeId::ROOT) else { panic!() };
    assert!(!record.set_glyphs(NodeId::ROOT, [Glyph(1)]));
    assert!(!record.add_comment_before(main, "it begins no variation"));
    assert!(record.add_comment_before(other, "Or:"));
    assert!(!record.add_comment(other, " \r\n "));
    let outside = Shape { from: Square::new(8, 0), to: None, color: ShapeColor::Red };
    assert!(!record.toggle_shape(main, outside));
    let taken = record.tree().ply(other).unwrap();
    assert!(record.play(other, taken).is_err());
    assert_eq!(record.delete(NodeId::ROOT), None);

    // As the main line it has nothing to stand before.
    assert!(record.promote(other));
    assert_eq!(record.comments(1), ["Or:"]);
    assert_reads_back(&record);
}
