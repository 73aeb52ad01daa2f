//! Setting a position up with mouse and keys, and going on from it.

use tabulae::app::{analysis::LINES, editor::Editor};

use super::*;

fn draft(headless: &Headless) -> Draft {
    headless.app.world().resource::<Editor>().draft.clone()
}

fn in_editor(rules: RuleSet) -> Headless {
    let mut headless = Headless::new(SIZE);
    headless.act(Action::Editor(EditorAction::Enter(Some(rules))));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Editor);
    headless
}

/// What stands in the scene is what the draft says.
fn check_draft(headless: &mut Headless) {
    let drafted: BTreeMap<Square, Figure> = draft(headless).figures().collect();
    let shown: BTreeMap<Square, Figure> =
        scene(headless).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    assert_eq!(shown, drafted);
}

#[test]
fn pieces_are_put_moved_and_taken_off_with_the_mouse() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    check_draft(&mut headless);
    headless.act(Action::Editor(EditorAction::Clear));
    headless.act(Action::Editor(EditorAction::SelectTool(Some(Figure::King))));
    headless.click("d4 c4");
    headless.act(Action::Editor(EditorAction::SelectTool(Some(Figure::Soldier { white: false }))));
    headless.click("a9 f5 f5");
    headless.act(Action::Editor(EditorAction::SetSideToMove(Side::Second)));
    check_draft(&mut headless);
    assert_eq!(draft(&headless).to_string(), "B8/9/9/9/9/2K6/9/9/9 w");
    headless.drag("a9", "b9");
    headless.settle();
    check_draft(&mut headless);
    assert_eq!(draft(&headless).to_string(), "1B7/9/9/9/9/2K6/9/9/9 w");
    headless.act(Action::Editor(EditorAction::SelectTool(None)));
    headless.click("b9");
    assert_eq!(draft(&headless).to_string(), "9/9/9/9/9/2K6/9/9/9 w");
    check_draft(&mut headless);
}

#[test]
fn a_position_is_set_up_with_the_keyboard_alone_and_played_from() {
    let mut headless = in_editor(RuleSet::Tablaaza);
    let middle = "e4";
    headless.key(KeyCode::ArrowUp);
    headless.key(KeyCode::Digit1);
    headless.key(KeyCode::Enter);
    let stone = draft(&headless).at(square(middle));
    assert!(matches!(stone, Some(Figure::Stone(_))), "{stone:?}");
    headless.key(KeyCode::Digit2);
    headless.key(KeyCode::ArrowDown);
    headless.key(KeyCode::Enter);
    assert!(matches!(draft(&headless).at(square("e3")), Some(Figure::Pavilion(_))));
    let before = draft(&headless).side;
    headless.key(KeyCode::KeyS);
    assert_eq!(draft(&headless).side, before.other());
    check_draft(&mut headless);
    let start = draft(&headless).position().expect("a position");
    headless.act(Action::Game(GameAction::NewGame(Setup {
        start: Some(start.clone()),
        ..persons(RuleSet::Tablaaza, 1)
    })));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(*headless.table().line().start(), start);
    check_scene(&mut headless, &start);
}

#[test]
fn the_position_on_the_table_is_taken_up_and_the_game_waits() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.click("e4 f4");
    headless.settle();
    let line = headless.table().line().clone();
    headless.act(Action::Editor(EditorAction::Enter(None)));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Editor);
    assert_eq!(draft(&headless), Draft::of(line.position()));
    headless.act(Action::Editor(EditorAction::Clear));
    headless.key(KeyCode::KeyB);
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(*headless.table().line(), line);
    check_scene(&mut headless, line.position());
}

#[test]
fn what_was_said_about_the_game_does_not_come_along() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    headless.act(Action::Game(GameAction::TypeMove("c4".to_owned())));
    assert!(headless.referee().notice.is_some());
    headless.act(Action::Editor(EditorAction::Enter(None)));
    headless.settle();
    assert_eq!((headless.screen(), &headless.referee().notice), (Screen::Editor, &None));
}

#[test]
fn text_is_taken_over_or_refused_with_a_reason() {
    let mut headless = in_editor(RuleSet::Tablan);
    let before = draft(&headless);
    headless.act(Action::Editor(EditorAction::SetText("12/12 s".to_owned())));
    assert_eq!(draft(&headless), before);
    let notice = headless.referee().notice.clone().expect("a reason");
    assert!(notice.is_error && notice.text.contains("rows"), "{}", notice.text);
    headless.act(Action::Editor(EditorAction::SetText("N11/12/12/S3S7 s t1".to_owned())));
    headless.settle();
    assert_eq!(draft(&headless).to_string(), "N11/12/12/S3S7 s t1");
    assert_eq!(headless.referee().notice, None);
    check_draft(&mut headless);
    headless.act(Action::Editor(EditorAction::SetSticks(Waiting::Throw)));
    assert_eq!(draft(&headless).to_string(), "N11/12/12/S3S7 s -");
}

#[test]
fn a_position_is_analysed_in_several_lines_shown_on_the_board() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    headless.act(Action::Editor(EditorAction::SetText("B8/9/9/9/9/2K6/9/9/9 w".to_owned())));
    headless.act(Action::Editor(EditorAction::Analyse));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Replay);
    let position = headless.replay().line().expect("a position").position().clone();
    headless.until("the best lines", |world| {
        let studies = &world.resource::<Analysis>().multi_pv;
        studies.values().any(|study| study.round > 0)
    });
    let lines = headless.app.world().resource::<Analysis>().lines_of(&position).to_vec();
    assert_eq!(lines.len(), LINES);
    let moves: std::collections::BTreeSet<AnyMove> = lines.iter().map(|line| line.mv).collect();
    assert_eq!(moves.len(), LINES, "each is another move");
    headless.settle();
    let arrows = headless.app.world().resource::<Highlights>().arrows.len();
    assert_eq!(arrows, LINES, "one arrow each");
    headless.act(Action::View(ViewAction::ToggleAnalysis));
    headless.settle();
    assert!(headless.app.world().resource::<Highlights>().arrows.is_empty());
}

#[test]
fn what_was_changed_is_taken_back_and_made_again() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    let start = draft(&headless);
    let at = headless.aim(square("e4"));
    headless.click_at(at, MouseButton::Right);
    assert_eq!(draft(&headless).at(square("e4")), None, "a right click takes off");
    let taken = draft(&headless);
    headless.act(Action::Editor(EditorAction::SelectTool(None)));
    headless.act(Action::Editor(EditorAction::SetRules(RuleSet::Tablaaza)));
    headless.act(Action::Editor(EditorAction::SetStartPosition));
    for _ in 0..2 {
        headless.key(KeyCode::KeyU);
    }
    assert_eq!(draft(&headless), start, "an act that changed nothing is none to take back");
    headless.act(Action::Game(GameAction::Undo));
    assert_eq!(draft(&headless), start);
    headless.key(KeyCode::KeyY);
    assert_eq!(draft(&headless), taken);
    headless.settle();
    check_draft(&mut headless);
    headless.act(Action::Editor(EditorAction::Clear));
    headless.act(Action::Game(GameAction::Redo));
    assert_eq!(draft(&headless), Draft::empty(RuleSet::TablutBerkeley), "another way was taken");
}

#[test]
fn of_a_game_as_text_the_last_position_is_taken() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    let game = "[Rules \"tablaaza\"] [Result \"*\"]  1. c7 c6 *";
    headless.act(Action::Editor(EditorAction::SetText(game.to_owned())));
    let line = records::read(game).expect("a game")[0].line().clone();
    assert_eq!(draft(&headless), Draft::of(line.position()));
    headless
        .act(Action::Editor(EditorAction::SetText("[Rules \"tablaaza\"] 1. c7 c7 *".to_owned())));
    let notice = headless.referee().notice.clone().expect("a word about it");
    assert!(notice.is_error && notice.text.contains("c7"), "{}", notice.text);
    assert_eq!(draft(&headless), Draft::of(line.position()));
}

#[test]
fn who_plays_from_a_position_stays_chosen_while_it_is_analysed() {
    let mut headless = in_editor(RuleSet::TablutBerkeley);
    let seats = [Seat::Engine(Level::Club), Seat::Person];
    headless.act(Action::Editor(EditorAction::SetSeats(seats)));
    let chosen = |headless: &Headless| headless.app.world().resource::<Editor>().seats;
    headless.act(Action::Editor(EditorAction::Analyse));
    headless.settle();
    headless.act(Action::Editor(EditorAction::Enter(None)));
    headless.settle();
    assert_eq!((headless.screen(), chosen(&headless)), (Screen::Editor, Some(seats)));
    // Another position is another game.
    headless.act(Action::Editor(EditorAction::Leave));
    headless.act(Action::Editor(EditorAction::Enter(Some(RuleSet::Tablaaza))));
    headless.settle();
    assert_eq!(chosen(&headless), None);
}
