//! Saving, resuming and replaying files of games.

use super::*;

#[test]
fn a_saved_game_is_the_same_when_resumed_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games").join("mine.tab");
    let mut headless = start_game(two_people(RuleSet::Tablan, 2));
    speed_up(&mut headless);
    for _ in 0..20 {
        match headless.table().turn() {
            Some(Turn::Throw(_)) => headless.act(GameAction::Throw),
            _ => {
                let mv = headless.table().history().legal_moves()[0];
                headless.act(GameAction::TypeMove(mv.to_string()));
            }
        }
        headless.settle();
    }
    let history = headless.table().history().clone();
    headless.act(GameAction::Save(path.clone()));
    let (autosave, referee) = headless.autosave();
    assert!(autosave.has_saved(referee));
    drop(headless);

    let mut headless = Headless::new(SIZE);
    headless.perform(GameAction::ResumeFile(path.clone()));
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(*headless.table().history(), history);
    headless.perform(ReplayAction::open(path.clone()));
    assert_eq!(headless.screen(), Screen::Replay);
    assert_eq!(headless.replay().history(), Some(&history));
    let text = std::fs::read_to_string(&path).expect("written");
    assert_eq!(*records::read(&text).expect("a record")[0].history(), history);
}

#[test]
fn failed_actions_show_an_error_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.tab");
    std::fs::write(&bad, "[Rules \"tablaaza\"]\n\n1. c7 c7 *\n").expect("written");
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7");
    let history = headless.table().history().clone();
    let error = |headless: &Headless| {
        let notice = headless.notice().cloned().expect("a message");
        assert!(notice.is_error);
        notice.text
    };
    headless.act(GameAction::TypeMove("c7".to_owned()));
    assert!(headless.notice().is_some_and(|it| it.is_refusal && it.text.contains("c7")));
    headless.act(ReplayAction::open(bad.clone()));
    assert!(error(&headless).contains("bad.tab:3:7"), "{}", error(&headless));
    headless.act(GameAction::ResumeFile(folder.path().join("none.tab")));
    assert!(error(&headless).contains("none.tab"));
    headless.act(GameAction::Save(bad.join("below-a-file.tab")));
    assert!(error(&headless).contains("below-a-file.tab"));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(*headless.table().history(), history);
    headless.act(GameAction::Resign);
    assert_eq!(headless.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    headless.act(GameAction::Undo);
    assert_eq!(headless.table().outcome(), None);
}

#[test]
fn one_game_of_a_file_with_several_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("three.tab");
    let game = |mv| format!("[Rules \"tablaaza\"]\n\n1. {mv} *\n\n");
    std::fs::write(&path, game("c7") + &game("a1") + &game("d4")).expect("written");
    let first_move =
        |headless: &Headless| headless.replay().history().and_then(|history| history.notation(1));
    let mut headless = Headless::new(SIZE);
    headless.perform(ReplayAction::open(path.clone()));
    assert_eq!(first_move(&headless).as_deref(), Some("c7"), "the first, until one is chosen");
    let open = |headless: &Headless| tabulae::app::open_dialog(headless.app.world());
    assert_eq!(open(&headless), Some(Dialog::Games));
    let opened_file = headless.get::<OpenedFile>();
    assert_eq!(
        (opened_file.games.len(), opened_file.shown_game, opened_file.resumes),
        (3, Some(0), false)
    );
    headless.perform(ReplayAction::PickGame(1));
    assert_eq!((first_move(&headless).as_deref(), open(&headless)), (Some("a1"), None));
    headless.act(ReplayAction::PickGame(3));
    assert_eq!(first_move(&headless).as_deref(), Some("a1"), "there is no fourth");

    // To resume a game, one must be chosen first: none is on the table before.
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.perform(GameAction::ResumeFile(path));
    assert_eq!(
        (headless.table().rules(), open(&headless)),
        (RuleSet::TablutAshton, Some(Dialog::Games))
    );
    headless.perform(ReplayAction::PickGame(2));
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("d4"));
    assert_eq!(headless.screen(), Screen::Table);
}

#[test]
fn the_valid_games_of_a_file_can_be_chosen_and_an_invalid_one_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("three.tab");
    let game = |moves| format!("[Rules \"tablaaza\"]\n\n1. {moves} *\n\n");
    std::fs::write(&path, game("c7") + &game("c7 h1") + &game("d4")).expect("written");
    let mut headless = Headless::new(SIZE);
    for action in [
        Action::from(ReplayAction::open(path.clone())),
        GameAction::ResumeFile(path.clone()).into(),
    ] {
        headless.act(action);
        let opened_file = headless.get::<OpenedFile>();
        assert_eq!(opened_file.games.len(), 2);
        let notice = headless.notice().cloned().expect("a message");
        assert!(notice.is_error && notice.text.contains("three.tab:7:7"), "{}", notice.text);
    }
}

#[test]
fn captured_pieces_lie_in_the_tray_of_a_resumed_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.tab");
    let rules = RuleSet::TablutBerkeley;
    let start = AnyPosition::parse(rules, "8B/9/9/9/2K6/9/9/1BW6/W8 w").ok();
    let mut headless = start_game(Setup { start, ..two_people(rules, 1) });
    headless.perform(GameAction::TypeMove("a1-a2".to_owned()));
    headless.act(GameAction::Save(path.clone()));
    let in_trays = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        let mut lying = world.query_filtered::<&Piece, With<Captured>>();
        lying.iter(world).map(|piece| piece.kind).collect::<Vec<_>>()
    };
    let captured = [PieceKind::Soldier { white: false }];
    assert_eq!(in_trays(&mut headless), captured);
    drop(headless);
    let mut headless = Headless::new(SIZE);
    headless.perform(GameAction::ResumeFile(path));
    assert_eq!(in_trays(&mut headless), captured);
    headless.perform(GameAction::Undo);
    assert_eq!(in_trays(&mut headless), []);
}

/// A record that stands open, after another one could not be read.
fn opened_after_an_unreadable_one(analyse: bool) -> Headless {
    let folder = tempfile::tempdir().expect("a folder");
    let [bad, good] = ["bad.tab", "good.tab"].map(|name| folder.path().join(name));
    std::fs::write(&bad, "nothing").expect("written");
    std::fs::write(&good, "[Rules \"tablaaza\"]\n\n1. c7 *\n").expect("written");
    let mut headless = Headless::new(SIZE);
    headless.perform(Action::Replay(ReplayAction::Open { path: bad, analyse: true }));
    assert_eq!(headless.replay().ply_count(), 0, "it cannot be read");
    headless.perform(Action::Replay(ReplayAction::Open { path: good, analyse }));
    assert_eq!(headless.replay().ply_count(), 1);
    headless
}

#[test]
fn a_record_opened_for_analysis_is_analysed_at_once() {
    let headless = opened_after_an_unreadable_one(true);
    assert!(headless.get::<Analysis>().enabled);
}

#[test]
fn an_unreadable_record_does_not_cause_the_next_one_to_be_analysed() {
    let headless = opened_after_an_unreadable_one(false);
    assert!(!headless.get::<Analysis>().enabled);
}
