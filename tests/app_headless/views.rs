//! How the table is seen, and what moves on it.

use bevy_egui::EguiManagedTextures;

use super::*;

#[test]
fn letters_reach_the_renderer_in_the_frame_that_writes_with_them() {
    let mut app = tabulae::app::headless((900, 600));
    let mut known = std::collections::HashSet::new();
    for frame in 0..6 {
        app.update();
        let textures = app.world().resource::<EguiManagedTextures>();
        let now: Vec<_> = textures.values().map(|texture| texture.handle.id()).collect();
        let events = app.world().resource::<Messages<AssetEvent<Image>>>();
        for id in now.into_iter().filter(|id| known.insert(*id)) {
            let told = events.iter_current_update_messages().any(|event| event.is_added(id));
            assert!(told, "frame {frame}: the renderer hears of {id} a frame late");
        }
    }
    assert!(!known.is_empty(), "letters were drawn");
}

#[test]
fn the_table_turns_to_whoever_plays_next_where_that_is_wanted() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let asked = |headless: &Headless| headless.app.world().resource::<FlipOffered>().0;
    headless.click("e4 f4");
    headless.settle();
    assert!(headless.eye().z > 5.0 && !asked(&headless), "usually it stays");

    let like = |board_flip| Settings { board_flip, ..Settings::default() };
    headless.change_settings(like(BoardFlip::Ask));
    assert!(
        headless.eye().z > 5.0 && asked(&headless),
        "Black is to play, White's seat is seen from"
    );
    headless.act(Action::View(ViewAction::FlipBoard));
    assert!(headless.eye().z < -5.0 && !asked(&headless));
    headless.click("d1 d4");
    headless.settle();
    assert!(headless.eye().z < -5.0 && asked(&headless), "asked again after the next move");

    headless.change_settings(like(BoardFlip::Always));
    assert!(headless.eye().z > 5.0 && !asked(&headless), "to White, who is to play");
    headless.click("f4 f2");
    headless.settle();
    assert!(headless.eye().z < -5.0, "and to Black by itself");
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    headless.act(Action::Game(GameAction::NewGame(Setup {
        seats,
        ..persons(RuleSet::TablutAshton, 1)
    })));
    headless.act(Action::View(ViewAction::ResetCamera));
    let eye = headless.eye();
    headless.until("two plies", |world| {
        let referee = world.resource::<tabulae::app::game::referee::Referee>();
        referee.table.as_ref().is_some_and(|table| !table.person_moves())
            || referee.table.as_ref().is_some_and(|table| table.history().is_empty())
    });
    assert!((headless.eye() - eye).length() < 0.05, "an engine needs no seat");
}

#[test]
fn the_course_is_shown_on_request() {
    let mut headless = at_table(persons(RuleSet::Tablan, 4));
    let shown = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        world.query::<&Name>().iter(world).filter(|it| it.as_str() == "Course").count()
    };
    assert_eq!(shown(&mut headless), 0);
    headless.key(KeyCode::KeyC);
    assert_eq!(shown(&mut headless), 1);
    headless.act(Action::Game(GameAction::NewGame(persons(RuleSet::Tablaaza, 4))));
    assert_eq!(shown(&mut headless), 0, "only Tablan has one");
    headless.act(Action::Game(GameAction::NewGame(persons(RuleSet::TablanOrdered, 4))));
    assert_eq!(shown(&mut headless), 1);
    headless.act(Action::View(ViewAction::ToggleCourse));
    assert_eq!(shown(&mut headless), 0);
}

#[test]
fn any_key_brings_an_animation_to_its_end() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.app.insert_resource(AnimationSpeed { speed: 0.01 });
    headless.act(Action::Game(GameAction::TypeMove("e4-f4".to_owned())));
    let busy = |headless: &Headless| headless.app.world().resource::<MotionStatus>().is_busy();
    assert!(busy(&headless), "slow as it is it would take a minute");
    headless.key(KeyCode::F5);
    assert!(!busy(&headless));
}

/// Where something is in the window.
fn in_window(headless: &mut Headless, at: Vec3) -> Vec2 {
    let world = headless.app.world_mut();
    let mut camera = world.query_filtered::<(&Camera, &GlobalTransform), With<Camera3d>>();
    let (camera, place) = camera.single(world).expect("one camera");
    camera.world_to_viewport(place, at).expect("in view")
}

/// Every corner of the meshes that these entities show, on the table.
fn corners(world: &mut World, wanted: impl Fn(&World, Entity) -> bool) -> Vec<Vec3> {
    let mut shown = world.query::<(Entity, &Mesh3d, &GlobalTransform)>();
    let shown: Vec<_> =
        shown.iter(world).map(|(entity, mesh, place)| (entity, mesh.0.clone(), *place)).collect();
    let meshes = world.resource::<Assets<Mesh>>();
    let shown = shown.into_iter().filter(|(entity, ..)| wanted(world, *entity));
    let corners = shown.filter_map(|(_, mesh, place)| {
        let positions = meshes.get(&mesh)?.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3()?;
        Some(positions.iter().map(|&at| place.transform_point(at.into())).collect::<Vec<_>>())
    });
    corners.flatten().collect()
}

#[test]
fn letters_of_both_long_edges_are_read_over_the_pieces_before_them() {
    let mut headless = at_table(persons(RuleSet::Tablan, 1));
    for turn in 0..2 {
        let far = if turn == 0 { -1.0 } else { 1.0 };
        let world = headless.app.world_mut();
        let letters = corners(world, |world, entity| {
            let seen = world.get::<Visibility>(entity) != Some(&Visibility::Hidden);
            seen && world.get::<Name>(entity).is_some_and(|it| it.as_str() == "Coordinates")
        });
        let behind = |at: &&Vec3| at.z * far > 2.1;
        let letters: Vec<Vec3> = letters.iter().filter(behind).copied().collect();
        let middle = letters.iter().map(|at| at.z).sum::<f32>() / letters.len() as f32;
        // A letter's ink takes two thirds of its square.
        let foot = Vec3::new(0.0, letters[0].y, middle - 0.18 * far);
        let pieces = corners(world, |world, entity| {
            world.get::<Piece>(entity).is_some()
                || world.get::<ChildOf>(entity).is_some_and(|it| world.get::<Piece>(it.0).is_some())
        });
        let pieces: Vec<Vec3> = pieces.into_iter().filter(|at| at.z * far > 1.0).collect();
        assert!(!pieces.is_empty(), "a row stands before the letters");
        let top =
            pieces.into_iter().map(|at| in_window(&mut headless, Vec3::new(0.0, at.y, at.z)).y);
        let top = top.fold(f32::INFINITY, f32::min);
        let foot = in_window(&mut headless, foot).y;
        assert!(foot < top, "seat {turn}: letters down to {foot}, pieces up to {top}");
        headless.act(Action::View(ViewAction::FlipBoard));
        headless.settle();
        headless.frames(60);
    }
}
