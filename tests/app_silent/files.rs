//! Games to files and back.

use super::*;

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
                let mv = silent.table().history().legal_moves()[0];
                silent.act(Act::Type(mv.to_string()));
            }
        }
        silent.settle();
    }
    let line = silent.table().history().clone();
    silent.act(Act::Save(path.clone()));
    assert!(silent.referee().saved);
    drop(silent);

    let mut silent = Silent::new(SIZE);
    silent.act(Act::Resume(path.clone()));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(*silent.table().history(), line);
    silent.act(Act::Open(path.clone()));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Replay);
    assert_eq!(silent.replay().history(), Some(&line));
    let text = std::fs::read_to_string(&path).expect("written");
    assert_eq!(*records::read(&text).expect("a record")[0].history(), line);
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.tab");
    std::fs::write(&bad, "[Rules \"tablaaza\"]\n\n1. c7 c7 *\n").expect("written");
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.click("c7");
    silent.settle();
    let line = silent.table().history().clone();
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
    assert_eq!(*silent.table().history(), line);
    silent.act(Act::Resign);
    assert_eq!(silent.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    silent.act(Act::Undo);
    assert_eq!(silent.table().outcome(), None);
}

#[test]
fn of_a_file_of_several_games_one_is_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("three.tab");
    let game = |mv| format!("[Rules \"tablaaza\"]\n\n1. {mv} *\n\n");
    std::fs::write(&path, game("c7") + &game("a1") + &game("d4")).expect("written");
    let first_move = |silent: &Silent| silent.replay().history().and_then(|it| it.notation(1));
    let mut silent = Silent::new(SIZE);
    silent.act(Act::Open(path.clone()));
    silent.settle();
    assert_eq!(first_move(&silent).as_deref(), Some("c7"), "the first, until one is chosen");
    let open = |silent: &Silent| tabulae::app::open_sheet(silent.app.world());
    assert_eq!(open(&silent), Some(Sheet::Games));
    let games = silent.app.world().resource::<Games>();
    assert_eq!((games.list.len(), games.shown, games.plays), (3, Some(0), false));
    silent.act(Act::Pick(1));
    silent.settle();
    assert_eq!((first_move(&silent).as_deref(), open(&silent)), (Some("a1"), None));
    silent.act(Act::Pick(3));
    assert_eq!(first_move(&silent).as_deref(), Some("a1"), "there is no fourth");

    // To play on none is taken before it is chosen.
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.act(Act::Resume(path));
    silent.settle();
    assert_eq!(
        (silent.table().rules(), open(&silent)),
        (RuleSet::TablutAshton, Some(Sheet::Games))
    );
    silent.act(Act::Pick(2));
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("d4"));
    assert_eq!(silent.screen(), Screen::Table);
}

#[test]
fn what_was_captured_lies_in_its_tray_when_a_game_is_taken_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.tab");
    let rules = RuleSet::TablutBerkeley;
    let start = AnyPosition::parse(rules, "8B/9/9/9/2K6/9/9/1BW6/W8 w").ok();
    let mut silent = at_table(Setup { start, ..persons(rules, 1) });
    silent.act(Act::Type("a1-a2".to_owned()));
    silent.settle();
    silent.act(Act::Save(path.clone()));
    let in_trays = |silent: &mut Silent| {
        let world = silent.app.world_mut();
        let mut lying = world.query_filtered::<&Figurine, Without<Spot>>();
        lying.iter(world).map(|it| it.0.kind).collect::<Vec<_>>()
    };
    let captured = [PieceKind::Soldier { white: false }];
    assert_eq!(in_trays(&mut silent), captured);
    drop(silent);
    let mut silent = Silent::new(SIZE);
    silent.act(Act::Resume(path));
    silent.settle();
    assert_eq!(in_trays(&mut silent), captured);
    silent.act(Act::Undo);
    silent.settle();
    assert_eq!(in_trays(&mut silent), []);
}
