//! Whole games played with the mouse, compared with the rules after every ply.

use super::*;
use tabulae::session::GameSession;
use tabulae::session::last_move_steps;

#[test]
fn a_whole_game_of_each_kind_is_played_and_replayed_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutAshton, 1), (RuleSet::TablanOrdered, 3), (RuleSet::Tablaaza, 1)]
    {
        let mut headless = start_game(two_people(rules, seed));
        let history = play_out(&mut headless, Hand::Mouse, 6, usize::MAX);
        let Some(Outcome::Ended(end)) = headless.table().outcome() else {
            panic!("{rules}: ended by the rules")
        };
        let words = tabulae::session::describe_end(rules, end);
        assert_eq!(headless.told().last(), Some(&words), "{rules}: the log says why");
        check_replay(&mut headless, &history);
    }
}

#[test]
fn the_other_rule_sets_are_played_and_replayed_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutBerkeley, 1), (RuleSet::TablutLinnaeus, 1), (RuleSet::Tablan, 2)]
    {
        let mut headless = start_game(two_people(rules, seed));
        let history = play_out(&mut headless, Hand::Mouse, 4, 40);
        check_replay(&mut headless, &history);
    }
}

#[test]
fn a_game_of_each_kind_is_played_by_the_tree_of_screen_readers_alone() {
    // Tablan goes on as it began, for some hundred plies.
    for (rules, seed, max_plies) in [
        (RuleSet::TablutAshton, 1, usize::MAX),
        (RuleSet::TablanOrdered, 3, 60),
        (RuleSet::Tablaaza, 1, usize::MAX),
    ] {
        let mut headless = start_game(two_people(rules, seed));
        headless.listen();
        let history = play_out(&mut headless, Hand::ScreenReader, 2, max_plies);
        let is_over = matches!(headless.table().outcome(), Some(Outcome::Ended(_)));
        assert!(is_over || history.len() == max_plies, "{rules}: {}", history.len());
    }
}

/// Cause before effect: no mark tells of a ply that still moves, nor of what follows it, and
/// the computer's reply begins a moment after it.
#[test]
fn no_mark_and_no_reply_comes_while_a_ply_moves() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
        let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
        let mut headless = start_game(Setup { seats, ..two_people(rules, 5) });
        let now = |headless: &Headless| headless.app.world().resource::<Time<Real>>().elapsed();
        // When the last ply came to its end, and how many pauses before replies were seen.
        let (mut ended, mut replies, mut was_busy) = (None, 0, false);
        let mut marked = 0;
        let mut is_reply = false;
        for frame in 0.. {
            assert!(frame < 6_000, "{rules}: {replies} replies, {marked} marks");
            if replies >= 3 && marked >= 3 {
                break;
            }
            let motion = *headless.get::<MotionStatus>();
            if !motion.is_busy() && !was_busy {
                match headless.table().turn() {
                    Some(Turn::Throw(Side::First)) => {
                        headless.app.world_mut().write_message(Action::from(GameAction::Throw));
                    }
                    Some(Turn::Move(Side::First)) => {
                        let mv = headless.table().history().legal_moves()[0];
                        let action = GameAction::TypeMove(mv.to_string());
                        headless.app.world_mut().write_message(Action::from(action));
                    }
                    _ => {}
                }
            }
            let turn = headless.table().turn().and_then(Turn::side);
            headless.app.update();
            std::thread::yield_now();
            let is_busy = headless.get::<MotionStatus>().is_busy();
            let highlights = headless.get::<Highlights>().clone();
            if is_busy {
                is_reply |= !was_busy && turn == Some(Side::Second);
                // Only a ply that has been shown may be marked.
                let history = headless.table().history();
                let pending = headless.get::<MotionStatus>().pending;
                let shown = last_move_steps(history, history.len() - pending);
                let marked = &highlights.last_move;
                assert!(marked.is_empty() || *marked == shown, "{rules}: {marked:?}");
                let next = (&highlights.selectable, &highlights.reachable, &highlights.hinted);
                assert!(next.0.is_empty() && next.1.is_empty() && next.2.is_empty(), "{next:?}");
                if let (Some(ended), true, false) = (ended, is_reply, was_busy) {
                    let pause = now(&headless) - ended;
                    assert!(pause >= Duration::from_millis(250), "{rules}: {pause:?}");
                    replies += 1;
                }
            } else {
                marked += usize::from(!highlights.last_move.is_empty() || rules.has_sticks());
            }
            if was_busy && !is_busy {
                (ended, is_reply) = (Some(now(&headless)), false);
            }
            was_busy = is_busy;
        }
    }
}

/// What a game is played with.
#[derive(Clone, Copy)]
enum Hand {
    Mouse,
    ScreenReader,
}

/// Plays a game, to its end or to `max_plies`, and returns it.
/// After `animated` plies the animations are sped up.
fn play_out(
    headless: &mut Headless,
    hand: Hand,
    animated: usize,
    max_plies: usize,
) -> GameHistory<AnyPosition> {
    while headless.table().history().len() < max_plies {
        let plies = headless.table().history().len();
        match headless.table().turn() {
            Some(Turn::Throw(_)) if matches!(hand, Hand::ScreenReader) => {
                headless.press_node("Throw");
            }
            Some(Turn::Throw(_)) => {
                let at = headless.stick_position();
                headless.click_at(at, MouseButton::Left);
            }
            Some(Turn::Move(_)) => {
                let mut moves = headless.table().history().legal_moves();
                moves.sort_unstable();
                let choice = moves[plies * 7_919 % moves.len()];
                match hand {
                    Hand::Mouse => click_move(headless, choice, plies),
                    Hand::ScreenReader => press_move(headless, choice),
                }
            }
            Some(Turn::Over(_)) | None => break,
        }
        if plies == animated {
            speed_up(headless);
        }
        headless.settle();
        assert_eq!(headless.table().history().len(), plies + 1, "one ply a turn");
        let position = headless.table().history().position().clone();
        check_scene(headless, &position);
    }
    headless.table().history().clone()
}

/// Plays a move as a screen reader does, by the nodes of its squares.
fn press_move(headless: &mut Headless, mv: AnyMove) {
    for square in &click_sequences(&mv)[0] {
        headless.press_node(&format!("{square}: "));
        if let Some(question) = headless.referee().question_text() {
            headless.press_node(&question.choices[0]);
        }
    }
}

/// Replays the game on the table and checks its positions: forwards, backwards
/// and after jumps.
fn check_replay(headless: &mut Headless, history: &GameHistory<AnyPosition>) {
    headless.perform(ReplayAction::WatchGame);
    assert_eq!(headless.screen(), Screen::Replay);
    check_scene(headless, history.start());
    let pieces = shown_pieces(headless);
    for number in 1..=history.len().min(40) {
        headless.perform(ReplayAction::StepForward);
        check_scene(headless, history.at(number).expect("a position"));
    }
    for number in [history.len() / 2, 1, history.len() - 1, 0] {
        headless.perform(ReplayAction::Jump(number));
        check_scene(headless, history.at(number).expect("a position"));
    }
    assert_eq!(shown_pieces(headless), pieces, "the pieces kept their ids");
    headless.act(ReplayAction::Jump(history.len()));
    headless.perform(ReplayAction::StepBack);
    check_scene(headless, history.at(history.len() - 1).expect("a position"));
}

#[test]
fn undo_returns_to_the_persons_turn_in_a_game_against_an_engine() {
    for rules in RuleSet::ALL {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut headless = start_game(Setup { seats, ..two_people(rules, 9) });
        speed_up(&mut headless);
        // Throw until the person can choose a move.
        let mut moved = 0;
        while moved < 2 {
            headless.wait_until("a person's turn", |world| {
                let referee = world.resource::<Referee>();
                referee.table.as_ref().is_some_and(|table| {
                    table.person_moves()
                        || table.thrower() == Some(Thrower::Person)
                        || table.outcome().is_some()
                })
            });
            headless.settle();
            if headless.table().thrower() == Some(Thrower::Person) {
                headless.act(GameAction::Throw);
                continue;
            }
            let mv = headless.table().history().legal_moves()[0];
            click_move(&mut headless, mv, 0);
            moved += 1;
        }
        let before = headless.table().history().len();
        headless.perform(GameAction::Undo);
        assert!(headless.referee().question.is_some(), "{rules}: it is asked about");
        headless.perform(GameAction::Answer(0));
        assert!(headless.table().person_moves(), "{rules}");
        assert!(headless.table().history().len() < before, "{rules}");
        let position = headless.table().history().position().clone();
        check_scene(&mut headless, &position);
        headless.perform(GameAction::Redo);
    }
}

#[test]
fn resigning_while_the_engine_thinks_cancels_its_search() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::TablutAshton, 1) });
    headless.wait_until("the engine thinks", |world| world.resource::<EngineThinking>().0);
    headless.act(GameAction::Resign);
    assert_eq!(headless.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    headless.wait_until("the search is cancelled", |world| !world.resource::<EngineThinking>().0);
    assert_eq!(headless.notice(), None);
    assert!(headless.table().history().is_empty());
}

/// What stands on the table is asked of the entities.
#[test]
fn queries_answer_where_the_king_stands_and_what_is_captured() {
    let rules = RuleSet::TablutBerkeley;
    let start = AnyPosition::parse(rules, "8B/9/9/9/2K6/9/9/1BW6/W8 w").ok();
    let mut headless = start_game(Setup { start, ..two_people(rules, 1) });
    let king = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        world.query_filtered::<&OnSquare, With<King>>().single(world).expect("one king").0
    };
    let soldiers = |headless: &mut Headless, side: Side| {
        let world = headless.app.world_mut();
        let mut soldiers =
            world.query_filtered::<(&Owner, Option<&OnSquare>, Option<&Captured>), With<Soldier>>();
        let of_side = soldiers.iter(world).filter(|soldier| soldier.0.0 == side);
        let mut places: Vec<_> = of_side
            .map(|(_, on, taken)| (on.map(|at| at.0.to_string()), taken.map(|taken| taken.slot)))
            .collect();
        places.sort();
        places
    };
    assert_eq!(king(&mut headless), square("c5"));
    let on = |name: &str| (Some(name.to_owned()), None);
    assert_eq!(soldiers(&mut headless, Side::Second), [on("b2"), on("i9")]);
    headless.perform(GameAction::TypeMove("a1-a2".to_owned()));
    assert_eq!(soldiers(&mut headless, Side::First), [on("a2"), on("c2")]);
    assert_eq!(soldiers(&mut headless, Side::Second), [(None, Some(0)), on("i9")]);
    headless.act(GameAction::TypeMove("i9-i8".to_owned()));
    headless.perform(GameAction::TypeMove("c5-c7".to_owned()));
    assert_eq!(king(&mut headless), square("c7"));
    for _ in 0..3 {
        headless.act(GameAction::Undo);
    }
    headless.settle();
    assert_eq!(king(&mut headless), square("c5"));
    assert_eq!(soldiers(&mut headless, Side::Second), [on("b2"), on("i9")], "back on the board");
}

#[test]
fn the_sticks_are_thrown_without_a_click_where_that_is_chosen() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 3));
    speed_up(&mut headless);
    headless.frames(20);
    assert!(headless.table().history().is_empty(), "by default they wait for a click");
    headless.act(GameAction::ToggleAutomaticThrows);
    let moves_due = |headless: &mut Headless| {
        headless.wait_until("a move is due", |world| {
            let table = world.resource::<Referee>().table.as_ref();
            table.is_some_and(GameSession::person_moves)
        });
        headless.settle();
    };
    moves_due(&mut headless);
    let mv = headless.table().history().legal_moves()[0];
    headless.perform(GameAction::TypeMove(mv.to_string()));
    moves_due(&mut headless);
    let plies = headless.table().history().len();
    headless.perform(GameAction::Undo);
    let undone = headless.table().history().len();
    assert!(undone < plies);
    headless.frames(20);
    assert_eq!(headless.table().history().len(), undone, "what is undone is not thrown again");
    // The same move again is followed by the same throw.
    headless.perform(GameAction::TypeMove(mv.to_string()));
    moves_due(&mut headless);
    assert_eq!(headless.table().history().len(), plies);
    headless.perform(GameAction::StartLesson(GameKind::Tablan));
    let plies = headless.table().history().len();
    headless.frames(20);
    assert_eq!(headless.table().history().len(), plies, "a lesson tells when to throw");
}
