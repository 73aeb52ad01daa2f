//! What a person has set is so.

use super::*;

#[test]
fn a_key_does_what_it_was_set_to_do() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        silent.act(Act::Type(mv.to_owned()));
        silent.settle();
    }
    let plies = |silent: &Silent| silent.table().history().len();
    silent.key(KeyCode::KeyU);
    silent.settle();
    assert_eq!(plies(&silent), 2, "the usual key");
    let mut mine = Settings::default();
    let undo = COMMANDS.iter().find(|command| command.id == "undo").expect("a command");
    let chord = Chord { key: KeyCode::KeyJ, command: false, shift: false };
    assert_eq!(mine.keys.set(undo, 0, Some(chord)), Ok(()));
    silent.act(Act::Configure(mine));
    silent.key(KeyCode::KeyU);
    silent.settle();
    assert_eq!(plies(&silent), 2, "no longer");
    silent.key(KeyCode::KeyJ);
    silent.settle();
    assert_eq!(plies(&silent), 1);
    silent.act(Act::Configure(Settings::default()));
    silent.key(KeyCode::KeyU);
    silent.settle();
    assert_eq!(plies(&silent), 0);
}

#[test]
fn without_motion_the_view_does_not_glide_either() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let seat = silent.eye();
    silent.act(Act::Configure(Settings { reduced_motion: true, ..Settings::default() }));
    silent.app.world_mut().write_message(Act::TopView);
    silent.frames(2);
    let world = silent.app.world_mut();
    let mut cameras = world.query_filtered::<&GlobalTransform, With<Camera3d>>();
    let now = cameras.single(world).expect("one 3D camera").translation();
    let above = silent.eye();
    assert!((above - seat).length() > 1.0 && (now - above).length() < 0.05, "{now} {above}");
}

#[test]
fn what_was_chosen_last_stands_ready_the_next_time() {
    let mine = Choice {
        rules: RuleSet::TablanOrdered,
        seats: [Seat::Engine(Level::Master), Seat::Person],
        by_hand: true,
        first: Some(Side::Second),
        clock: "600+5".parse().ok(),
    };
    let mut app = tabulae::app::silent(SIZE);
    app.insert_resource(Settings { choice: mine.clone(), ..Settings::default() });
    let mut silent = Silent::over(app);
    silent.key(KeyCode::Enter);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table, "Play has the keyboard");
    let table = silent.table();
    assert_eq!((table.rules(), table.seats(), table.by_hand()), (mine.rules, mine.seats, true));
    assert_eq!(table.clock().map(tabulae::table::Clock::time_control), mine.clock);
    assert_eq!(table.rematch().first, Some(Side::Second));
    assert_eq!(silent.app.world().resource::<Settings>().choice, mine);
}
