//! The view: fonts, board flips, the course, animations and coordinates.

use bevy_egui::EguiManagedTextures;

use super::*;

#[test]
fn new_glyphs_reach_the_renderer_in_the_frame_that_uses_them() {
    let mut app = tabulae::app::headless((900, 600));
    let mut known = std::collections::HashSet::new();
    for frame in 0..6 {
        app.update();
        let textures = app.world().resource::<EguiManagedTextures>();
        let now: Vec<_> = textures.values().map(|texture| texture.handle.id()).collect();
        let events = app.world().resource::<Messages<AssetEvent<Image>>>();
        for id in now.into_iter().filter(|id| known.insert(*id)) {
            let sent = events.iter_current_update_messages().any(|event| event.is_added(id));
            assert!(sent, "frame {frame}: the renderer gets {id} a frame late");
        }
    }
    assert!(!known.is_empty(), "glyphs were drawn");
}

#[test]
fn the_board_flips_to_the_next_player_as_the_settings_say() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let offered = |headless: &Headless| headless.get::<FlipOffered>().0;
    headless.click("e4 f4");
    headless.settle();
    assert!(
        headless.camera_position().z > 5.0 && !offered(&headless),
        "by default the board is not flipped"
    );

    let like = |board_flip| Settings { board_flip, ..Settings::default() };
    headless.change_settings(like(BoardFlip::Ask));
    assert!(
        headless.camera_position().z > 5.0 && offered(&headless),
        "Black is to play, White's seat is seen from"
    );
    headless.act(ViewAction::FlipBoard);
    assert!(headless.camera_position().z < -5.0 && !offered(&headless));
    headless.click("d1 d4");
    headless.settle();
    assert!(
        headless.camera_position().z < -5.0 && offered(&headless),
        "offered again after the next move"
    );

    headless.change_settings(like(BoardFlip::Always));
    assert!(headless.camera_position().z > 5.0 && !offered(&headless), "to White, who is to move");
    headless.click("f4 f2");
    headless.settle();
    assert!(headless.camera_position().z < -5.0, "and to Black");
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    headless.act(GameAction::NewGame(Setup { seats, ..two_people(RuleSet::TablutAshton, 1) }));
    headless.act(ViewAction::ResetCamera);
    let eye = headless.camera_position();
    headless.wait_until("two plies", |world| {
        let referee = world.resource::<Referee>();
        referee.table.as_ref().is_some_and(|table| !table.person_moves())
            || referee.table.as_ref().is_some_and(|table| table.history().is_empty())
    });
    assert!(
        (headless.camera_position() - eye).length() < 0.05,
        "the board is not flipped for an engine"
    );
}

#[test]
fn the_only_person_sits_near_and_else_the_side_that_moves_first() {
    let [engine, person] = [Seat::Engine(Level::Novice), Seat::Person];
    let against = |seats| Setup { seats, ..two_people(RuleSet::Tablan, 4) };
    let mut headless = start_game(against([engine, person]));
    assert!(headless.camera_position().z < -5.0, "North is near");
    headless.act(UiAction::ShowTitle);
    assert!(headless.camera_position().z > 5.0, "the title is seen from the first seat");
    headless.act(UiAction::ShowTable);
    assert!(headless.camera_position().z < -5.0, "North is near again");
    headless.act(GameAction::StartLesson(GameKind::Tablan));
    assert!(headless.camera_position().z > 5.0, "a lesson always looks the same");
    headless.act(GameAction::LeavePractice);
    headless.act(UiAction::ShowTable);
    assert!(headless.camera_position().z < -5.0, "the game is as it was");
    headless.act(GameAction::NewGame(against([person; 2])));
    assert!(headless.camera_position().z > 5.0, "South is near");
    headless.act(ViewAction::FlipBoard);
    headless.perform(GameAction::Throw);
    assert!(headless.camera_position().z < -5.0, "and stays away once flipped");
}

#[test]
fn the_course_is_shown_to_a_new_player_until_it_is_switched_off() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 4));
    let shown = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        world.query::<&Name>().iter(world).filter(|name| name.as_str() == "Course").count()
    };
    assert_eq!(shown(&mut headless), 1);
    headless.press_key(KeyCode::KeyC);
    assert_eq!(shown(&mut headless), 0);
    headless.act(GameAction::NewGame(two_people(RuleSet::Tablan, 5)));
    assert_eq!(shown(&mut headless), 0, "as it was chosen");
    headless.press_key(KeyCode::KeyC);
    assert_eq!(shown(&mut headless), 1);
    headless.act(GameAction::NewGame(two_people(RuleSet::Tablaaza, 4)));
    assert_eq!(shown(&mut headless), 0, "only Tablan has one");
    headless.act(GameAction::NewGame(two_people(RuleSet::TablanOrdered, 4)));
    assert_eq!(shown(&mut headless), 1);
    headless.act(ViewAction::ToggleCourse);
    assert_eq!(shown(&mut headless), 0);
}

#[test]
fn any_key_finishes_the_animation() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.app.insert_resource(AnimationSpeed(Some(0.01)));
    headless.act(GameAction::TypeMove("e4-f4".to_owned()));
    let busy = |headless: &Headless| headless.get::<MotionStatus>().is_busy();
    assert!(busy(&headless), "this slow animation takes about a minute");
    headless.press_key(KeyCode::F5);
    assert!(!busy(&headless));
}

/// The window position of a point in the world.
fn window_position(headless: &mut Headless, at: Vec3) -> Vec2 {
    let world = headless.app.world_mut();
    let mut camera = world.query_filtered::<(&Camera, &GlobalTransform), With<Camera3d>>();
    let (camera, place) = camera.single(world).expect("one camera");
    camera.world_to_viewport(place, at).expect("in view")
}

/// The vertices of the meshes of these entities, in world coordinates.
fn vertices(world: &mut World, wanted: impl Fn(&World, Entity) -> bool) -> Vec<Vec3> {
    let mut shown = world.query::<(Entity, &Mesh3d, &GlobalTransform)>();
    let shown: Vec<_> =
        shown.iter(world).map(|(entity, mesh, place)| (entity, mesh.0.clone(), *place)).collect();
    let meshes = world.resource::<Assets<Mesh>>();
    let shown = shown.into_iter().filter(|(entity, ..)| wanted(world, *entity));
    let vertices = shown.filter_map(|(_, mesh, place)| {
        let positions = meshes.get(&mesh)?.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3()?;
        Some(positions.iter().map(|&at| place.transform_point(at.into())).collect::<Vec<_>>())
    });
    vertices.flatten().collect()
}

#[test]
fn coordinates_of_both_long_edges_are_visible_above_the_pieces() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 1));
    for turn in 0..2 {
        let far = if turn == 0 { -1.0 } else { 1.0 };
        let world = headless.app.world_mut();
        let letters = vertices(world, |world, entity| {
            let seen = world.get::<Visibility>(entity) != Some(&Visibility::Hidden);
            seen && world.get::<Name>(entity).is_some_and(|name| name.as_str() == "Coordinates")
        });
        let behind = |at: &&Vec3| at.z * far > 2.1;
        let letters: Vec<Vec3> = letters.iter().filter(behind).copied().collect();
        let middle = letters.iter().map(|at| at.z).sum::<f32>() / letters.len() as f32;
        // A glyph fills two thirds of its square.
        let foot = Vec3::new(0.0, letters[0].y, middle - 0.18 * far);
        let pieces = vertices(world, |world, entity| world.get::<Piece>(entity).is_some());
        let pieces: Vec<Vec3> = pieces.into_iter().filter(|at| at.z * far > 1.0).collect();
        assert!(!pieces.is_empty(), "there are pieces in front of the letters");
        let top = pieces
            .into_iter()
            .map(|at| window_position(&mut headless, Vec3::new(0.0, at.y, at.z)).y);
        let top = top.fold(f32::INFINITY, f32::min);
        let foot = window_position(&mut headless, foot).y;
        assert!(foot < top, "seat {turn}: letters down to {foot}, pieces up to {top}");
        headless.perform(ViewAction::FlipBoard);
        headless.frames(60);
    }
}

#[test]
fn one_key_hides_all_panels_and_brings_them_back() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let insets = |headless: &Headless| *headless.get::<ViewportInsets>();
    let with_panels = insets(&headless);
    assert!(with_panels.right > 100.0, "{with_panels:?}");
    headless.press_key(KeyCode::KeyZ);
    assert_eq!(insets(&headless), ViewportInsets::default(), "the board has the whole window");
    headless.click("e4 f4");
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "the game goes on");
    headless.press_key(KeyCode::Escape);
    assert_eq!(insets(&headless), with_panels, "Esc brings them back");
    headless.press_key(KeyCode::KeyZ);
    headless.press_key(KeyCode::KeyZ);
    assert_eq!(insets(&headless), with_panels, "so does the same key");
    headless.press_key(KeyCode::KeyZ);
    headless.act(UiAction::ShowTitle);
    headless.act(UiAction::ShowTable);
    assert_eq!(insets(&headless), with_panels, "so does the title");
}

#[test]
fn the_diagram_shows_flat_pieces_from_above_and_is_kept_in_the_settings() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let highest = |headless: &mut Headless| {
        let pieces = vertices(headless.app.world_mut(), |world, entity| {
            world.get::<Piece>(entity).is_some()
        });
        pieces.into_iter().map(|at| at.y).fold(0.0, f32::max)
    };
    assert!(highest(&mut headless) > 0.6);
    headless.press_key(KeyCode::KeyD);
    assert!(headless.get::<Settings>().diagram);
    let eye = headless.camera_position();
    assert!(eye.xz().length() < 0.1 && eye.y > 5.0, "above the middle: {eye}");
    assert!(highest(&mut headless) < 0.1, "nothing stands out");
    headless.click("e4 f4");
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "the game goes on");
    assert!(highest(&mut headless) < 0.1);
    headless.act(ViewAction::ToggleTopView);
    assert!(headless.camera_position().xz().length() < 0.1, "a diagram is seen from above");
    headless.act(ViewAction::ToggleDiagram);
    assert!(headless.camera_position().z > 5.0, "back at the seat");
    assert!(highest(&mut headless) > 0.6);
}

#[test]
fn the_king_does_not_hide_the_piece_behind_him() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let king = vertices(headless.app.world_mut(), |world, entity| {
        let is_king = |entity: Entity| {
            world.get::<Piece>(entity).is_some_and(|piece| piece.kind == PieceKind::King)
        };
        is_king(entity) || world.get::<ChildOf>(entity).is_some_and(|parent| is_king(parent.0))
    });
    let top = king.into_iter().map(|at| window_position(&mut headless, at).y);
    let top = top.fold(f32::INFINITY, f32::min);
    // The soldier on e6 shows from the hips upwards.
    let hips = window_position(&mut headless, Vec3::new(0.0, 0.35, -1.0)).y;
    assert!(hips < top, "the king reaches up to {top}, the soldier's hips are at {hips}");
}

#[test]
fn while_nothing_happens_nothing_is_drawn_again() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    speed_up(&mut headless);
    headless.click("e4 f4");
    headless.settle();
    check_rest(&mut headless, "the table");
    headless.perform(ReplayAction::WatchGame);
    check_rest(&mut headless, "the replay");
    headless.act(ViewAction::ToggleEvaluation);
    headless
        .wait_until("an evaluation", |world| !world.resource::<Analysis>().evaluations.is_empty());
    headless.settle();
    check_rest(&mut headless, "the evaluation");
    headless.act(ViewAction::ToggleEvaluation);
    headless.perform(UiAction::ShowTitle);
    for (what, action) in [
        ("a lesson", GameAction::StartLesson(GameKind::Tablut)),
        ("a puzzle", GameAction::StartPuzzles(Some(RuleSet::Tablaaza))),
    ] {
        headless.perform(action);
        check_rest(&mut headless, what);
    }
}

#[test]
fn photo_mode_hides_the_panels_and_has_a_plain_lens_until_it_ends() {
    use tabulae::app::scene::api::Photo;

    /// The angle of view of a plain lens.
    fn angle(headless: &mut Headless) -> Option<f32> {
        let world = headless.app.world_mut();
        let mut cameras = world.query_filtered::<&Projection, With<Camera3d>>();
        match cameras.single(world).expect("one camera") {
            Projection::Perspective(lens) => Some(lens.fov),
            _ => None,
        }
    }

    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let insets = |headless: &Headless| *headless.get::<ViewportInsets>();
    let with_panels = insets(&headless);
    headless.press_key(KeyCode::F4);
    headless.frames(4);
    assert_eq!(insets(&headless), ViewportInsets::default(), "the table has the whole window");
    let usual = angle(&mut headless).expect("a plain lens");
    let eye = headless.camera_position();
    let mut photo = headless.app.world_mut().resource_mut::<Photo>();
    if let Some(lens) = &mut photo.0 {
        lens.focal_length = 85.0;
    }
    headless.frames(3);
    assert!(angle(&mut headless).is_some_and(|now| now < 0.7 * usual), "a long lens");
    assert!(headless.camera_position().length() > 1.4 * eye.length(), "from farther away");
    headless.press_key(KeyCode::Escape);
    headless.frames(3);
    assert_eq!(insets(&headless), with_panels, "Escape ends it");
    assert_eq!(angle(&mut headless), None);
    headless.act(ViewAction::TogglePhoto);
    headless.act(UiAction::ShowTitle);
    headless.frames(2);
    assert_eq!(*headless.get::<Photo>(), Photo(None), "so does the title");
}

/// The place of the camera, and whether all sticks are seen, in each frame of a throw.
fn frames_of_a_throw(headless: &mut Headless) -> Vec<(Vec3, bool)> {
    headless.act(GameAction::Throw);
    let mut frames = Vec::new();
    while headless.get::<MotionStatus>().throws {
        headless.frames(1);
        let size = Rect::from_corners(Vec2::ZERO, Vec2::new(SIZE.0 as f32, SIZE.1 as f32));
        let insets = *headless.get::<ViewportInsets>();
        let free = Rect {
            min: size.min + Vec2::new(insets.left, insets.top),
            max: size.max - Vec2::new(insets.right, insets.bottom),
        };
        let world = headless.app.world_mut();
        let mut cameras = world.query_filtered::<(&Camera, &GlobalTransform), With<Camera3d>>();
        let (camera, place) = cameras.single(world).expect("one 3D camera");
        let (camera, place) = (camera.clone(), *place);
        let mut sticks = world.query_filtered::<&GlobalTransform, With<CastingStick>>();
        let is_seen = sticks.iter(world).all(|stick| {
            let at = camera.world_to_viewport(&place, stick.translation());
            at.is_ok_and(|at| free.contains(at))
        });
        frames.push((place.translation(), is_seen));
    }
    frames
}

#[test]
fn the_camera_draws_back_for_a_throw_that_it_would_not_hold() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 5));
    let seat = headless.camera_position();
    let frames = frames_of_a_throw(&mut headless);
    assert!(frames.len() > 20 && frames.iter().all(|frame| frame.1), "the seat holds it");
    assert!(frames.iter().all(|frame| frame.0.distance(seat) < 1e-3), "and stays");

    headless.act(GameAction::NewGame(two_people(RuleSet::Tablan, 5)));
    headless.hover(square("f3"));
    headless.wheel(5.0);
    let near = headless.camera_position();
    let frames = frames_of_a_throw(&mut headless);
    let farthest = frames.iter().map(|frame| frame.0.length()).fold(0.0, f32::max);
    assert!(farthest > near.length() + 2.0, "it draws back: {farthest}, {near}");
    let later = &frames[frames.len() / 4..];
    assert!(later.iter().all(|frame| frame.1), "the sticks are seen to the end");
    let far = headless.camera_position();
    while matches!(headless.table().turn(), Some(Turn::Throw(_))) {
        headless.perform(GameAction::Throw);
    }
    headless.frames(60);
    let to_move = headless.camera_position();
    assert!(to_move.distance(far) < 0.01, "the board stands still while somebody is to click");
    let mv = headless.table().history().legal_moves()[0];
    headless.perform(GameAction::TypeMove(mv.to_string()));
    let back = headless.camera_position();
    assert!(back.distance(near) < 0.3, "it returns as the piece moves: {back}, not {near}");

    headless.change_settings(Settings { reduced_motion: true, ..Settings::default() });
    let plies = headless.table().history().len();
    headless.act(GameAction::Throw);
    let back = headless.camera_position();
    assert!(back.distance(near) < 0.3, "with reduced motion it stays: {back}");
    assert!(headless.table().history().len() > plies, "and the sticks are thrown");
}

#[test]
fn of_throws_in_a_row_that_bring_nothing_only_the_first_takes_its_time() {
    let start = AnyPosition::parse(RuleSet::Tablan, "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS s -");
    let start = start.expect("a position");
    let setup = |seed| Setup { start: Some(start.clone()), ..two_people(RuleSet::Tablan, seed) };
    let passes = |seed: &u64| {
        let mut game = tabulae::session::GameSession::new(setup(*seed));
        let mut passes_to = |side| game.throw().is_ok() && game.turn() == Some(Turn::Throw(side));
        passes_to(Side::Second) && passes_to(Side::First)
    };
    let mut headless = start_game(setup((0..).find(passes).expect("two throws that pass")));
    let [first, second] = [0; 2].map(|_| frames_of_a_throw(&mut headless).len());
    assert!(second * 2 < first + 5, "{second} frames after {first}");
    assert!(second > 10, "{second} frames: it is seen");
}

#[test]
fn the_computer_throws_only_after_the_score_has_been_read() {
    let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
    let setup =
        |seed| Setup { seats, first: Some(Side::First), ..two_people(RuleSet::Tablan, seed) };
    let passes = |seed: &u64| {
        let mut game = tabulae::session::GameSession::new(setup(*seed));
        game.throw().is_ok() && game.turn() == Some(Turn::Throw(Side::Second))
    };
    let mut headless = start_game(setup((0..).find(passes).expect("a throw that passes")));
    headless.perform(GameAction::Throw);
    let mut rested = 0;
    while headless.table().history().len() == 1 && rested < 200 {
        headless.frames(1);
        rested += 1;
    }
    // A frame is 33 ms.
    assert!((20..60).contains(&rested), "{rested} frames");
}
