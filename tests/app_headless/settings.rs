//! Changed settings take effect.

use super::*;

#[test]
fn a_key_can_be_rebound() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        headless.perform(GameAction::TypeMove(mv.to_owned()));
    }
    let plies = |headless: &Headless| headless.table().history().len();
    headless.press_key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(plies(&headless), 2, "the default key");
    let mut mine = Settings::default();
    let undo = Command::find("undo").expect("a command");
    let chord = Chord { key: KeyCode::KeyJ, command: false, shift: false, alt: false };
    assert_eq!(mine.key_bindings.set(undo, 0, Some(chord)), Ok(()));
    headless.change_settings(mine);
    headless.press_key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(plies(&headless), 2, "the old key does nothing");
    headless.press_key(KeyCode::KeyJ);
    headless.settle();
    assert_eq!(plies(&headless), 1);
    headless.change_settings(Settings::default());
    headless.press_key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(plies(&headless), 0);
}

#[test]
fn reduced_motion_moves_the_camera_at_once() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let seat = headless.camera_position();
    headless.change_settings(Settings { reduced_motion: true, ..Settings::default() });
    headless.app.world_mut().write_message(Action::View(ViewAction::ToggleTopView));
    headless.frames(2);
    let world = headless.app.world_mut();
    let mut cameras = world.query_filtered::<&GlobalTransform, With<Camera3d>>();
    let now = cameras.single(world).expect("one 3D camera").translation();
    let above = headless.camera_position();
    assert!((above - seat).length() > 1.0 && (now - above).length() < 0.05, "{now} {above}");
}

#[test]
fn the_last_new_game_choice_is_restored() {
    let mine = NewGameChoice {
        rules: RuleSet::TablanOrdered,
        seats: [Seat::Engine(Level::Master), Seat::Person],
        has_chosen_side: true,
        names: [String::new(), "Aili".to_owned()],
        level: Level::Master,
        adaptive: false,
        by_hand: true,
        throws_for_start: false,
        first: Some(Side::Second),
        clock: "600+5".parse().ok(),
        games: 1,
    };
    let mut app = tabulae::app::headless(SIZE);
    app.insert_resource(Settings { new_game: mine.clone(), ..Settings::default() });
    let mut headless = Headless::with_app(app);
    headless.press_key(KeyCode::Enter);
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table, "the Play button has the focus");
    let table = headless.table();
    assert_eq!((table.rules(), table.seats(), table.by_hand()), (mine.rules, mine.seats, true));
    assert_eq!(table.clock().map(tabulae::session::Clock::time_controls), mine.clock);
    assert_eq!(table.rematch().first, Some(Side::Second));
    assert_eq!(table.names(), &["Tabulae Master".to_owned(), "Aili".to_owned()]);
    assert_eq!(headless.get::<Settings>().new_game, mine);
}

#[test]
fn the_choice_of_a_room_has_the_keyboard() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let insets = |headless: &Headless| *headless.get::<ViewportInsets>();
    let with_panels = insets(&headless);
    headless.press_key(KeyCode::F3);
    headless.press_key(KeyCode::KeyZ);
    assert_eq!(insets(&headless), with_panels);
}
