//! What a person has set is so.

use super::*;

#[test]
fn a_key_does_what_it_was_set_to_do() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        silent.act(Act::Type(mv.to_owned()));
        silent.settle();
    }
    let plies = |silent: &Silent| silent.table().line().len();
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
