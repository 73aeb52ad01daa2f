//! What a person has set is so.

use super::*;

#[test]
fn a_key_does_what_it_was_set_to_do() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        headless.act(Action::Game(GameAction::TypeMove(mv.to_owned())));
        headless.settle();
    }
    let plies = |headless: &Headless| headless.table().history().len();
    headless.key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(plies(&headless), 2, "the usual key");
    let mut mine = Settings::default();
    let undo = KEY_COMMANDS.iter().find(|command| command.id == "undo").expect("a command");
    let chord = Chord { key: KeyCode::KeyJ, command: false, shift: false };
    assert_eq!(mine.key_bindings.set(undo, 0, Some(chord)), Ok(()));
    headless.change_settings(mine);
    headless.key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(plies(&headless), 2, "no longer");
    headless.key(KeyCode::KeyJ);
    headless.settle();
    assert_eq!(plies(&headless), 1);
    headless.change_settings(Settings::default());
    headless.key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(plies(&headless), 0);
}

#[test]
fn without_motion_the_view_does_not_glide_either() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let seat = headless.eye();
    headless.change_settings(Settings { reduced_motion: true, ..Settings::default() });
    headless.app.world_mut().write_message(Action::View(ViewAction::ToggleTopView));
    headless.frames(2);
    let world = headless.app.world_mut();
    let mut cameras = world.query_filtered::<&GlobalTransform, With<Camera3d>>();
    let now = cameras.single(world).expect("one 3D camera").translation();
    let above = headless.eye();
    assert!((above - seat).length() > 1.0 && (now - above).length() < 0.05, "{now} {above}");
}

#[test]
fn what_was_chosen_last_stands_ready_the_next_time() {
    let mine = NewGameChoice {
        rules: RuleSet::TablanOrdered,
        seats: [Seat::Engine(Level::Master), Seat::Person],
        by_hand: true,
        first: Some(Side::Second),
        clock: "600+5".parse().ok(),
    };
    let mut app = tabulae::app::headless(SIZE);
    app.insert_resource(Settings { new_game: mine.clone(), ..Settings::default() });
    let mut headless = Headless::over(app);
    headless.key(KeyCode::Enter);
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table, "Play has the keyboard");
    let table = headless.table();
    assert_eq!((table.rules(), table.seats(), table.by_hand()), (mine.rules, mine.seats, true));
    assert_eq!(table.clock().map(tabulae::table::Clock::time_control), mine.clock);
    assert_eq!(table.rematch().first, Some(Side::Second));
    assert_eq!(headless.app.world().resource::<Settings>().new_game, mine);
}
