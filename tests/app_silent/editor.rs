//! Setting a position up with mouse and keys, and going on from it.

use tabulae::app::{advice::LINES, editor::Editor};

use super::*;

fn draft(silent: &Silent) -> PositionBuilder {
    silent.app.world().resource::<Editor>().draft.clone()
}

fn in_editor(rules: RuleSet) -> Silent {
    let mut silent = Silent::new(SIZE);
    silent.act(Act::SetUp(Some(rules)));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Editor);
    silent
}

/// What stands in the scene is what the draft says.
fn check_draft(silent: &mut Silent) {
    let drafted: BTreeMap<Square, PieceKind> = draft(silent).pieces().collect();
    let shown: BTreeMap<Square, PieceKind> =
        scene(silent).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    assert_eq!(shown, drafted);
}

#[test]
fn pieces_are_put_moved_and_taken_off_with_the_mouse() {
    let mut silent = in_editor(RuleSet::TablutBerkeley);
    check_draft(&mut silent);
    silent.act(Act::EditClear);
    silent.act(Act::EditTool(Some(PieceKind::King)));
    silent.click("d4 c4");
    silent.act(Act::EditTool(Some(PieceKind::Soldier { white: false })));
    silent.click("a9 f5 f5");
    silent.act(Act::EditSide(Side::Second));
    check_draft(&mut silent);
    assert_eq!(draft(&silent).to_string(), "B8/9/9/9/9/2K6/9/9/9 w");
    silent.drag("a9", "b9");
    silent.settle();
    check_draft(&mut silent);
    assert_eq!(draft(&silent).to_string(), "1B7/9/9/9/9/2K6/9/9/9 w");
    silent.act(Act::EditTool(None));
    silent.click("b9");
    assert_eq!(draft(&silent).to_string(), "9/9/9/9/9/2K6/9/9/9 w");
    check_draft(&mut silent);
}

#[test]
fn a_position_is_set_up_with_the_keyboard_alone_and_played_from() {
    let mut silent = in_editor(RuleSet::Tablaaza);
    let middle = "e4";
    silent.key(KeyCode::ArrowUp);
    silent.key(KeyCode::Digit1);
    silent.key(KeyCode::Enter);
    let stone = draft(&silent).at(square(middle));
    assert!(matches!(stone, Some(PieceKind::Stone(_))), "{stone:?}");
    silent.key(KeyCode::Digit2);
    silent.key(KeyCode::ArrowDown);
    silent.key(KeyCode::Enter);
    assert!(matches!(draft(&silent).at(square("e3")), Some(PieceKind::Pavilion(_))));
    let before = draft(&silent).side;
    silent.key(KeyCode::KeyS);
    assert_eq!(draft(&silent).side, before.other());
    check_draft(&mut silent);
    let start = draft(&silent).position().expect("a position");
    silent.act(Act::NewGame(Setup { start: Some(start.clone()), ..persons(RuleSet::Tablaaza, 1) }));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(*silent.table().history().start(), start);
    check_scene(&mut silent, &start);
}

#[test]
fn the_position_on_the_table_is_taken_up_and_the_game_waits() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.click("e4 f4");
    silent.settle();
    let line = silent.table().history().clone();
    silent.act(Act::SetUp(None));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Editor);
    assert_eq!(draft(&silent), PositionBuilder::from_position(line.position()));
    silent.act(Act::EditClear);
    silent.key(KeyCode::KeyB);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(*silent.table().history(), line);
    check_scene(&mut silent, line.position());
}

#[test]
fn what_was_said_about_the_game_does_not_come_along() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.act(Act::Type("c4".to_owned()));
    assert!(silent.referee().notice.is_some());
    silent.act(Act::SetUp(None));
    silent.settle();
    assert_eq!((silent.screen(), &silent.referee().notice), (Screen::Editor, &None));
}

#[test]
fn text_is_taken_over_or_refused_with_a_reason() {
    let mut silent = in_editor(RuleSet::Tablan);
    let before = draft(&silent);
    silent.act(Act::EditText("12/12 s".to_owned()));
    assert_eq!(draft(&silent), before);
    let notice = silent.referee().notice.clone().expect("a reason");
    assert!(notice.is_error && notice.text.contains("rows"), "{}", notice.text);
    silent.act(Act::EditText("N11/12/12/S3S7 s t1".to_owned()));
    silent.settle();
    assert_eq!(draft(&silent).to_string(), "N11/12/12/S3S7 s t1");
    assert_eq!(silent.referee().notice, None);
    check_draft(&mut silent);
    silent.act(Act::EditSticks(ThrowState::Due));
    assert_eq!(draft(&silent).to_string(), "N11/12/12/S3S7 s -");
}

#[test]
fn a_position_is_analysed_in_several_lines_shown_on_the_board() {
    let mut silent = in_editor(RuleSet::TablutBerkeley);
    silent.act(Act::EditText("B8/9/9/9/9/2K6/9/9/9 w".to_owned()));
    silent.act(Act::EditAnalyse);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Replay);
    let position = silent.replay().history().expect("a position").position().clone();
    silent.until("the best lines", |world| {
        let studies = &world.resource::<Advice>().studies;
        studies.values().any(|study| study.round > 0)
    });
    let lines = silent.app.world().resource::<Advice>().lines_of(&position).to_vec();
    assert_eq!(lines.len(), LINES);
    let moves: std::collections::BTreeSet<AnyMove> = lines.iter().map(|line| line.mv).collect();
    assert_eq!(moves.len(), LINES, "each is another move");
    silent.settle();
    let arrows = silent.app.world().resource::<Marks>().arrows.len();
    assert_eq!(arrows, LINES, "one arrow each");
    silent.act(Act::Analyse);
    silent.settle();
    assert!(silent.app.world().resource::<Marks>().arrows.is_empty());
}

#[test]
fn what_was_changed_is_taken_back_and_made_again() {
    let mut silent = in_editor(RuleSet::TablutBerkeley);
    let start = draft(&silent);
    let at = silent.aim(square("e4"));
    silent.click_at(at, MouseButton::Right);
    assert_eq!(draft(&silent).at(square("e4")), None, "a right click takes off");
    let taken = draft(&silent);
    silent.act(Act::EditTool(None));
    silent.act(Act::EditRules(RuleSet::Tablaaza));
    silent.act(Act::EditStart);
    for _ in 0..2 {
        silent.key(KeyCode::KeyU);
    }
    assert_eq!(draft(&silent), start, "an act that changed nothing is none to take back");
    silent.act(Act::Undo);
    assert_eq!(draft(&silent), start);
    silent.key(KeyCode::KeyY);
    assert_eq!(draft(&silent), taken);
    silent.settle();
    check_draft(&mut silent);
    silent.act(Act::EditClear);
    silent.act(Act::Redo);
    assert_eq!(
        draft(&silent),
        PositionBuilder::empty(RuleSet::TablutBerkeley),
        "another way was taken"
    );
}

#[test]
fn of_a_game_as_text_the_last_position_is_taken() {
    let mut silent = in_editor(RuleSet::TablutBerkeley);
    let game = "[Rules \"tablaaza\"] [Result \"*\"]  1. c7 c6 *";
    silent.act(Act::EditText(game.to_owned()));
    let line = records::read(game).expect("a game")[0].history().clone();
    assert_eq!(draft(&silent), PositionBuilder::from_position(line.position()));
    silent.act(Act::EditText("[Rules \"tablaaza\"] 1. c7 c7 *".to_owned()));
    let notice = silent.referee().notice.clone().expect("a word about it");
    assert!(notice.is_error && notice.text.contains("c7"), "{}", notice.text);
    assert_eq!(draft(&silent), PositionBuilder::from_position(line.position()));
}

#[test]
fn who_plays_from_a_position_stays_chosen_while_it_is_analysed() {
    let mut silent = in_editor(RuleSet::TablutBerkeley);
    let seats = [Seat::Engine(Level::Club), Seat::Person];
    silent.act(Act::EditSeats(seats));
    let chosen = |silent: &Silent| silent.app.world().resource::<Editor>().seats;
    silent.act(Act::EditAnalyse);
    silent.settle();
    silent.act(Act::SetUp(None));
    silent.settle();
    assert_eq!((silent.screen(), chosen(&silent)), (Screen::Editor, Some(seats)));
    // Another position is another game.
    silent.act(Act::EditDone);
    silent.act(Act::SetUp(Some(RuleSet::Tablaaza)));
    silent.settle();
    assert_eq!(chosen(&silent), None);
}
