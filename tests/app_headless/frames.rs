//! Which frames are asked for, and that motion follows the clock however long they take.

use super::*;
use bevy::time::TimeUpdateStrategy;
use tabulae::app::settings::options::TutorMode;

fn due(world: &World) -> Option<Duration> {
    world.resource::<NextFrame>().due()
}

fn is_busy(headless: &Headless) -> bool {
    headless.get::<MotionStatus>().is_busy()
}

/// Runs a frame that begins so much time after the last one.
fn frame_after(headless: &mut Headless, time: Duration) {
    headless.app.insert_resource(TimeUpdateStrategy::ManualDuration(time));
    headless.app.update();
}

/// White, to move, can capture c5 by a5-b5.
fn before_a_capture() -> Headless {
    let text = "B8/9/9/9/W1BW5/9/9/7K1/9 w";
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, text).expect("a position");
    start_game(Setup { start: Some(start), ..two_people(RuleSet::TablutBerkeley, 1) })
}

fn begin_capture(headless: &mut Headless) {
    headless.app.world_mut().write_message(Action::from(GameAction::TypeMove("a5-b5".to_owned())));
}

/// How long the capture moves, from its first frame to its last.
fn capture_time(frame: Duration) -> Duration {
    let mut headless = before_a_capture();
    begin_capture(&mut headless);
    frame_after(&mut headless, frame);
    assert!(is_busy(&headless));
    let mut time = Duration::ZERO;
    while is_busy(&headless) {
        frame_after(&mut headless, frame);
        time += frame;
    }
    time
}

#[test]
fn a_capture_takes_the_same_time_at_any_frame_rate() {
    let smooth = capture_time(Duration::from_millis(8));
    assert!((1.0..2.5).contains(&smooth.as_secs_f32()), "{smooth:?}");
    for millis in [33, 250, 400, 1200] {
        let frame = Duration::from_millis(millis);
        let time = capture_time(frame);
        // The first frame shows a tenth of a second at most.
        let shortest = smooth.saturating_sub(Duration::from_millis(100));
        assert!((shortest..=smooth + frame).contains(&time), "{frame:?}: {time:?}, {smooth:?}");
    }
}

/// How far the pieces and the camera are from where they were.
fn moved(headless: &mut Headless, before: &BTreeMap<PieceId, Vec3>) -> f32 {
    let now = places(headless);
    before.iter().map(|(id, at)| at.distance(now[id])).fold(0.0, f32::max)
}

fn places(headless: &mut Headless) -> BTreeMap<PieceId, Vec3> {
    let world = headless.app.world_mut();
    let mut pieces = world.query::<(&Piece, &Transform)>();
    pieces.iter(world).map(|(piece, at)| (piece.id, at.translation)).collect()
}

#[test]
fn a_rest_before_a_motion_is_no_part_of_it() {
    let mut headless = before_a_capture();
    let before = places(&mut headless);
    begin_capture(&mut headless);
    frame_after(&mut headless, Duration::from_secs(3600));
    assert!(is_busy(&headless), "it is seen from its beginning");
    assert!(moved(&mut headless, &before) < 0.5);

    let mut headless = before_a_capture();
    let place = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        let mut camera = world.query_filtered::<&GlobalTransform, With<Camera3d>>();
        camera.single(world).expect("one camera").translation()
    };
    let seat = place(&mut headless);
    headless.app.world_mut().write_message(Action::from(ViewAction::FlipBoard));
    frame_after(&mut headless, Duration::from_secs(3600));
    let first = place(&mut headless);
    for _ in 0..3 {
        frame_after(&mut headless, Duration::from_millis(1200));
    }
    let goal = place(&mut headless);
    assert!(first.distance(seat) > 0.1 && first.distance(goal) > 1.0, "{seat} {first} {goal}");
}

/// Runs frames until nobody needs another.
fn until_no_frame_is_needed(headless: &mut Headless) {
    headless.wait_until("no frame is needed", |world| due(world).is_none());
}

#[test]
fn nothing_is_drawn_while_nothing_moves() {
    let mut headless = Headless::new(SIZE);
    until_no_frame_is_needed(&mut headless);
    headless.act(GameAction::NewGame(two_people(RuleSet::Tablan, 1)));
    until_no_frame_is_needed(&mut headless);
    headless.act(UiAction::OpenDialog(Dialog::TypeMove));
    until_no_frame_is_needed(&mut headless);
    assert_eq!(tabulae::app::open_dialog(headless.app.world()), Some(Dialog::TypeMove));
}

#[test]
fn nothing_is_drawn_while_an_engine_thinks() {
    let seats = [Seat::Engine(Level::Master); 2];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::TablutAshton, 1) });
    speed_up(&mut headless);
    // The book answers at once.
    headless.wait_until("an engine thinks and no frame is needed", |world| {
        world.resource::<EngineThinking>().0 && due(world).is_none()
    });
}

#[test]
fn nothing_is_drawn_while_an_analysis_finds_nothing_new() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.act(ViewAction::ToggleAnalysis);
    headless.wait_until("the best lines are searched on and no frame is needed", |world| {
        let mut lines = world.resource::<Analysis>().multi_pv.values();
        lines.any(|lines| lines.round == 1 && !lines.lines.is_empty()) && due(world).is_none()
    });
}

#[test]
fn a_notice_goes_by_itself() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::ToggleAutoCamera);
    assert!(headless.notice().is_some());
    headless.wait_until("only the notice needs a frame", |world| {
        due(world).is_some_and(|due| due > Duration::from_millis(500))
    });
    let left = due(headless.app.world()).expect("a frame");
    assert!(left < Duration::from_secs(6), "{left:?}");
    frame_after(&mut headless, left);
    headless.frames(1);
    assert_eq!(due(headless.app.world()), None, "it has gone");
}

#[test]
fn a_replay_asks_for_the_frame_of_its_next_ply() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7");
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::SetSpeed(0.1));
    headless.act(ReplayAction::Jump(0));
    headless.act(ReplayAction::TogglePlay);
    headless.wait_until("only the next ply needs a frame", |world| {
        due(world).is_some_and(|due| due > Duration::from_millis(500))
    });
    assert!(headless.replay().playing && headless.replay().ply == 0);
    let left = due(headless.app.world()).expect("a frame");
    frame_after(&mut headless, left);
    headless.frames(1);
    assert_eq!(headless.replay().ply, 1);
}

#[test]
fn an_open_question_of_the_tutor_draws_no_frames() {
    let text = "7W1/9/9/9/9/2B6/1BKB5/B8/9 w";
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, text).expect("a position");
    let seats = [Seat::Engine(Level::Novice), Seat::Person];
    let setup = two_people(RuleSet::TablutBerkeley, 1);
    let mut headless = start_game(Setup { start: Some(start), seats, ..setup });
    headless.change_settings(Settings { tutor: TutorMode::AfterMove, ..Settings::default() });
    speed_up(&mut headless);
    headless.act(GameAction::TypeMove("h9-h8".to_owned()));
    headless
        .wait_until("the tutor's question", |world| world.resource::<Referee>().question.is_some());
    until_no_frame_is_needed(&mut headless);
    assert!(headless.referee().question.is_some());
}
