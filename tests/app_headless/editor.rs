//! The editor: sets up a position with mouse and keys, analyses it and plays from it.

use tabulae::app::{analysis::LINES, editor::Editor};

use super::*;

fn draft(headless: &Headless) -> PositionBuilder {
    headless.get::<Editor>().draft.clone()
}

fn in_editor(rules: RuleSet) -> Headless {
    let mut headless = Headless::new(SIZE);
    headless.perform(EditorAction::Enter(Some(rules)));
    assert_eq!(headless.screen(), Screen::Editor);
    headless
}

/// Asserts that the scene shows the pieces of the edited position.
fn check_draft(headless: &mut Headless) {
    let drafted: BTreeMap<Square, PieceKind> = draft(headless).pieces().collect();
    let shown: BTreeMap<Square, PieceKind> =
        shown_pieces(headless).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    assert_eq!(shown, drafted);
}

#[test]
fn pieces_are_placed_moved_and_removed_with_the_mouse() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    check_draft(&mut headless);
    headless.act(EditorAction::Clear);
    headless.act(EditorAction::SelectTool(Some(PieceKind::King)));
    headless.click("d4 c4");
    headless.act(EditorAction::SelectTool(Some(PieceKind::Soldier { white: false })));
    headless.click("a9 f5 f5");
    headless.act(EditorAction::SetSideToMove(Side::Second));
    check_draft(&mut headless);
    assert_eq!(draft(&headless).to_string(), "B8/9/9/9/9/2K6/9/9/9 w");
    headless.drag("a9", "b9");
    headless.settle();
    check_draft(&mut headless);
    assert_eq!(draft(&headless).to_string(), "1B7/9/9/9/9/2K6/9/9/9 w");
    headless.act(EditorAction::SelectTool(None));
    headless.click("b9");
    assert_eq!(draft(&headless).to_string(), "9/9/9/9/9/2K6/9/9/9 w");
    check_draft(&mut headless);
}

#[test]
fn a_position_can_be_set_up_with_the_keyboard_and_played() {
    let mut headless = in_editor(RuleSet::Tablaaza);
    let middle = "e4";
    headless.press_key(KeyCode::ArrowUp);
    headless.press_key(KeyCode::Digit1);
    headless.press_key(KeyCode::Enter);
    let stone = draft(&headless).at(square(middle));
    assert!(matches!(stone, Some(PieceKind::Stone(_))), "{stone:?}");
    headless.press_key(KeyCode::Digit2);
    headless.press_key(KeyCode::ArrowDown);
    headless.press_key(KeyCode::Enter);
    assert!(matches!(draft(&headless).at(square("e3")), Some(PieceKind::Pavilion(_))));
    let before = draft(&headless).side;
    headless.press_key(KeyCode::KeyS);
    assert_eq!(draft(&headless).side, before.other());
    check_draft(&mut headless);
    let start = draft(&headless).position().expect("a position");
    headless.perform(GameAction::NewGame(Setup {
        start: Some(start.clone()),
        ..two_people(RuleSet::Tablaaza, 1)
    }));
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(*headless.table().history().start(), start);
    check_scene(&mut headless, &start);
}

#[test]
fn the_editor_starts_from_the_position_on_the_table_and_keeps_the_game() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.click("e4 f4");
    headless.settle();
    let history = headless.table().history().clone();
    headless.perform(EditorAction::Enter(None));
    assert_eq!(headless.screen(), Screen::Editor);
    assert_eq!(draft(&headless), PositionBuilder::from_position(history.position()));
    headless.act(EditorAction::Clear);
    headless.press_key(KeyCode::KeyB);
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(*headless.table().history(), history);
    check_scene(&mut headless, history.position());
}

#[test]
fn opening_the_editor_clears_messages_about_the_game() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.act(GameAction::TypeMove("c4".to_owned()));
    assert!(headless.notice().is_some());
    headless.perform(EditorAction::Enter(None));
    assert_eq!((headless.screen(), headless.notice()), (Screen::Editor, None));
}

#[test]
fn valid_text_is_accepted_and_invalid_text_refused_with_a_reason() {
    let mut headless = in_editor(RuleSet::Tablan);
    let before = draft(&headless);
    headless.act(EditorAction::SetText("12/12 s".to_owned()));
    assert_eq!(draft(&headless), before);
    let notice = headless.notice().cloned().expect("a reason");
    assert!(notice.is_error && notice.text.contains("rows"), "{}", notice.text);
    headless.perform(EditorAction::SetText("N11/12/12/S3S7 s t1".to_owned()));
    assert_eq!(draft(&headless).to_string(), "N11/12/12/S3S7 s t1");
    assert_eq!(headless.notice(), None);
    check_draft(&mut headless);
    headless.act(EditorAction::SetSticks(ThrowState::Due));
    assert_eq!(draft(&headless).to_string(), "N11/12/12/S3S7 s -");
}

#[test]
fn the_analysis_draws_one_arrow_for_each_of_the_best_lines() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    headless.act(EditorAction::SetText("B8/9/9/9/9/2K6/9/9/9 w".to_owned()));
    headless.perform(EditorAction::Analyse);
    assert_eq!(headless.screen(), Screen::Replay);
    let position = headless.replay().history().expect("a position").position().clone();
    headless.wait_until("the best lines", |world| {
        let lines = &world.resource::<Analysis>().multi_pv;
        lines.values().any(|multi_pv| multi_pv.round > 0)
    });
    let lines = headless.analysis().lines_of(&position).to_vec();
    assert_eq!(lines.len(), LINES);
    let moves: std::collections::BTreeSet<AnyMove> = lines.iter().map(|line| line.mv).collect();
    assert_eq!(moves.len(), LINES, "the moves differ");
    headless.settle();
    let arrows = headless.get::<Highlights>().arrows.len();
    assert_eq!(arrows, LINES, "one arrow each");
    headless.perform(ViewAction::ToggleAnalysis);
    assert!(headless.get::<Highlights>().arrows.is_empty());
}

#[test]
fn changes_can_be_undone_and_redone() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    let start = draft(&headless);
    let at = headless.hover(square("e4"));
    headless.click_at(at, MouseButton::Right);
    assert_eq!(draft(&headless).at(square("e4")), None, "a right click removes the piece");
    let removed = draft(&headless);
    headless.act(EditorAction::SelectTool(None));
    headless.act(EditorAction::SetRules(RuleSet::Tablaaza));
    headless.act(EditorAction::SetStartPosition);
    for _ in 0..2 {
        headless.press_key(KeyCode::KeyU);
    }
    assert_eq!(draft(&headless), start, "an action without effect is not undone");
    headless.act(GameAction::Undo);
    assert_eq!(draft(&headless), start);
    headless.press_key(KeyCode::KeyY);
    assert_eq!(draft(&headless), removed);
    headless.settle();
    check_draft(&mut headless);
    headless.act(EditorAction::Clear);
    headless.act(GameAction::Redo);
    assert_eq!(
        draft(&headless),
        PositionBuilder::empty(RuleSet::TablutBerkeley),
        "a new change clears the redo stack"
    );
}

#[test]
fn the_text_of_a_game_gives_its_last_position() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    let game = "[Rules \"tablaaza\"] [Result \"*\"]  1. c7 c6 *";
    headless.act(EditorAction::SetText(game.to_owned()));
    let history = records::read(game).expect("a game")[0].history().clone();
    assert_eq!(draft(&headless), PositionBuilder::from_position(history.position()));
    headless.act(EditorAction::SetText("[Rules \"tablaaza\"] 1. c7 c7 *".to_owned()));
    let notice = headless.notice().cloned().expect("a message");
    assert!(notice.is_error && notice.text.contains("c7"), "{}", notice.text);
    assert_eq!(draft(&headless), PositionBuilder::from_position(history.position()));
}

#[test]
fn the_chosen_players_are_kept_while_the_position_is_analysed() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    let seats = [Seat::Engine(Level::Club), Seat::Person];
    headless.act(EditorAction::SetSeats(seats));
    let chosen = |headless: &Headless| headless.get::<Editor>().seats;
    headless.perform(EditorAction::Analyse);
    headless.perform(EditorAction::Enter(None));
    assert_eq!((headless.screen(), chosen(&headless)), (Screen::Editor, Some(seats)));
    // Another position starts with the default players.
    headless.act(EditorAction::Leave);
    headless.perform(EditorAction::Enter(Some(RuleSet::Tablaaza)));
    assert_eq!(chosen(&headless), None);
}
