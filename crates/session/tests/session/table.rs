//! Game sessions: seats, sticks, undo, piece identities, clocks and records.

use std::time::Duration;

use tabulae_engines::{Level, PlayerClock};
use tabulae_games::{AnyMove, AnyPosition, Event, Game, Illegal, RuleSet, Side, Turn};
use tabulae_records as records;
use tabulae_session::{
    BoardGrid, Effect, GameSession, Outcome, PROGRAM_PATIENCE, PieceTracker, ProgramLimits, Seat,
    Setup, SquareKind, pieces_on,
};

const PERSONS: [Seat; 2] = [Seat::Person; 2];

fn table(rules: RuleSet, seats: [Seat; 2], seed: u64) -> GameSession {
    GameSession::new(Setup { seats, seed: Some(seed), ..Setup::new(rules) })
}

/// Plays fixed choices of the legal moves until there are `plies` plies or the game
/// is over.
fn play_on(table: &mut GameSession, plies: usize) {
    while table.history().len() < plies {
        match table.turn() {
            Some(Turn::Throw(_)) => {
                table.throw().expect("a throw is due");
            }
            Some(Turn::Move(_)) => {
                let mut moves = table.history().legal_moves();
                moves.sort_unstable();
                let choice = table.history().len() * 7919 % moves.len();
                table.play(moves[choice]).expect("a legal move");
            }
            Some(Turn::Over(_)) | None => return,
        }
    }
}

#[test]
fn undo_goes_back_to_a_persons_choice_and_redo_returns() {
    for rules in RuleSet::ALL {
        let mut table = table(rules, PERSONS, 11);
        play_on(&mut table, 40);
        let whole = table.history().clone();
        let mut lengths = vec![table.history().len()];
        while table.can_undo() {
            assert!(table.undo());
            lengths.push(table.history().len());
        }
        assert!(table.history().is_empty(), "{rules}");
        assert!(!table.undo(), "{rules}: nothing left to take back");
        while table.can_redo() {
            assert!(table.redo());
        }
        assert_eq!(*table.history(), whole, "{rules}");
        assert!(lengths.windows(2).all(|pair| pair[0] > pair[1]), "{rules}: {lengths:?}");
    }
}

#[test]
fn undo_never_changes_later_throws() {
    let mut table = table(RuleSet::Tablan, PERSONS, 5);
    play_on(&mut table, 60);
    let throws = |table: &GameSession| -> Vec<String> {
        table.history().plies().map(|ply| ply.to_string()).filter(|text| text.len() == 2).collect()
    };
    let before = throws(&table);
    for _ in 0..5 {
        table.undo();
    }
    play_on(&mut table, 61);
    let after = throws(&table);
    let common = before.len().min(after.len());
    assert_eq!(before[..common], after[..common]);
}

#[test]
fn undo_against_an_engine_goes_back_to_the_person_s_turn() {
    let mut table = table(RuleSet::TablutAshton, [Seat::Person, Seat::Engine(Level::Casual)], 1);
    play_on(&mut table, 4);
    assert!(table.person_moves());
    assert!(table.undo());
    assert_eq!(table.history().len(), 2);
    assert!(table.person_moves());
    assert!(table.redo());
    assert_eq!(table.history().len(), 4);
}

#[test]
fn the_only_person_is_the_one_whose_opponent_is_none_at_this_table() {
    let only = |seats| table(RuleSet::Tablan, seats, 1).only_person();
    for other in [Seat::Engine(Level::Casual), Seat::Program, Seat::Remote] {
        assert_eq!(only([Seat::Person, other]), Some(Side::First), "{other:?}");
        assert_eq!(only([other, Seat::Person]), Some(Side::Second), "{other:?}");
        assert_eq!(only([other; 2]), None);
    }
    assert_eq!(only(PERSONS), None);
}

#[test]
fn a_new_move_after_undo_clears_redo() {
    let mut table = table(RuleSet::Tablaaza, PERSONS, 1);
    play_on(&mut table, 3);
    table.undo();
    assert!(table.can_redo());
    let taken = table.history().legal_moves();
    let other = taken.last().copied().expect("a move");
    table.play(other).expect("legal");
    table.undo();
    play_on(&mut table, 3);
    assert!(!table.can_redo() || table.history().len() == 3);
}

#[test]
fn a_saved_game_can_redo_after_it_is_resumed() {
    for rules in RuleSet::ALL {
        let mut table = table(rules, PERSONS, 9);
        play_on(&mut table, 40);
        let played = table.history().clone();
        for _ in 0..3 {
            assert!(table.undo());
        }
        let left = table.history().len();
        let resume = |text: &str| GameSession::from_record(&records::read(text).expect(text)[0]);
        let text = table.saved_game(None).to_string();
        let mut resumed = resume(&text);
        assert_eq!(resumed.history().len(), left);
        assert_eq!(resumed.saved_game(None).to_string(), text);
        while resumed.redo() {}
        assert_eq!(resumed.history(), &played, "{text}");
        // A game that is saved by name, or played on, keeps none of it.
        assert!(!table.record(None).to_string().contains("[Redo"), "{rules}");
        assert!(!resumed.saved_game(None).to_string().contains("[Redo"), "{rules}");
        // A damaged tag is no reason to lose the game.
        let damaged = text.replace("[Redo \"", "[Redo \"z9 ");
        assert_ne!(damaged, text);
        let resumed = resume(&damaged);
        assert!(!resumed.can_redo() && resumed.history().len() == left, "{damaged}");
    }
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let mut table = table(RuleSet::TablutAshton, PERSONS, 1);
    let before = table.history().clone();
    let foreign: AnyMove = AnyPosition::start(RuleSet::Tablaaza).legal_moves()[0];
    assert!(matches!(table.play(foreign), Err(Illegal::Rule(_))));
    assert_eq!(table.throw().unwrap_err(), Illegal::NoSticks);
    assert_eq!(*table.history(), before);
}

#[test]
fn a_resignation_ends_the_game_and_can_be_undone() {
    let mut table = table(RuleSet::Tablaaza, PERSONS, 1);
    play_on(&mut table, 2);
    assert!(table.resign(Side::First));
    assert_eq!(table.outcome(), Some(Outcome::Resigned(Side::First)));
    assert_eq!(table.turn(), None);
    let mv = table.history().legal_moves()[0];
    assert_eq!(table.play(mv).unwrap_err(), Illegal::GameOver);
    assert!(!table.resign(Side::Second));
    assert!(table.undo());
    assert_eq!(table.outcome(), None);
    assert_eq!(table.history().len(), 2);
}

#[test]
fn a_record_restores_the_game_and_its_throws() {
    let seats = [Seat::Engine(Level::Club), Seat::Person];
    for rules in RuleSet::ALL {
        for plies in [0, 1, 25, 10_000] {
            let mut table = table(rules, seats, 77);
            play_on(&mut table, plies);
            let text = table.record(Some("2026.11.20".to_owned())).to_string();
            let read = records::read(&text).unwrap_or_else(|error| panic!("{rules}: {error}"));
            let mut again = GameSession::from_record(&read[0]);
            assert_eq!(again.history(), table.history(), "{rules}");
            assert_eq!(again.seats(), table.seats(), "{rules}");
            assert_eq!(again.outcome(), table.outcome(), "{rules}");
            // Both go on with the same throws.
            play_on(&mut table, plies + 20);
            play_on(&mut again, plies + 20);
            assert_eq!(again.history(), table.history(), "{rules}");
        }
    }
}

#[test]
fn a_resignation_is_saved_too() {
    let mut table = table(RuleSet::TablutBerkeley, PERSONS, 3);
    play_on(&mut table, 6);
    table.resign(Side::Second);
    let text = table.record(None).to_string();
    let again = GameSession::from_record(&records::read(&text).expect("a record")[0]);
    assert_eq!(again.outcome(), Some(Outcome::Resigned(Side::Second)));
}

#[test]
fn the_lot_decides_who_throws_off_and_the_record_keeps_it() {
    let first = |seed| table(RuleSet::Tablan, PERSONS, seed).history().turn();
    let sides: Vec<_> = (0..20).map(first).collect();
    assert!(sides.contains(&Turn::Throw(Side::First)));
    assert!(sides.contains(&Turn::Throw(Side::Second)));
}

#[test]
fn pieces_keep_their_identities() {
    for rules in RuleSet::ALL {
        let mut table = table(rules, PERSONS, 23);
        play_on(&mut table, 10_000);
        let line = table.history();
        let mut tracker = PieceTracker::new(line.start());
        for number in 1..=line.len() {
            let before = tracker.clone();
            let position = line.at(number - 1).expect("a position");
            let effects = tracker.follow(position, line.events(number));
            for effect in &effects {
                match effect {
                    Effect::Move { id, path } => {
                        let piece_before =
                            before.placed_pieces().iter().find(|piece| piece.id == *id);
                        assert_eq!(piece_before.map(|piece| piece.at), path.first().copied());
                        let stands = tracker.placed_pieces().iter().find(|piece| piece.id == *id);
                        assert_eq!(stands.map(|stand| stand.at), path.last().copied());
                    }
                    Effect::Remove { id, .. } => {
                        assert!(before.placed_pieces().iter().any(|piece| piece.id == *id));
                        assert!(tracker.placed_pieces().iter().all(|piece| piece.id != *id));
                    }
                    Effect::Place(it) => assert_eq!(tracker.at(it.at), Some(*it)),
                    Effect::Throw { .. } | Effect::Event(_) => {}
                }
            }
            // The tracked pieces are those of the position.
            let mut drawn: Vec<_> =
                tracker.placed_pieces().iter().map(|piece| (piece.at, piece.kind)).collect();
            let mut real = pieces_on(line.at(number).expect("a position"));
            drawn.sort_by_key(|(at, _)| *at);
            real.sort_by_key(|(at, _)| *at);
            assert_eq!(drawn, real, "{rules}, ply {number}");
        }
        assert!(
            (1..=line.len())
                .flat_map(|number| line.events(number))
                .any(|event| matches!(event, Event::Ended(_))),
            "{rules}: the game was played to its end"
        );
    }
}

#[test]
fn boards_have_their_square_kinds() {
    let ground = |rules, name: &str| {
        BoardGrid::new(rules).kind(name.parse().expect("a square")).expect("on the board")
    };
    assert_eq!(ground(RuleSet::TablutBerkeley, "e5"), SquareKind::Castle);
    assert_eq!(ground(RuleSet::TablutBerkeley, "a1"), SquareKind::Goal);
    assert_eq!(ground(RuleSet::TablutBerkeley, "a5"), SquareKind::Goal);
    assert_eq!(ground(RuleSet::TablutAshton, "a5"), SquareKind::Camp);
    assert_eq!(ground(RuleSet::TablutAshton, "b1"), SquareKind::Goal);
    assert_eq!(ground(RuleSet::TablutLinnaeus, "a1"), SquareKind::Goal);
    assert_eq!(ground(RuleSet::TablutLinnaeus, "a5"), SquareKind::Plain);
    assert_eq!(ground(RuleSet::Tablan, "l1"), SquareKind::StartRow(Side::First));
    assert_eq!(ground(RuleSet::Tablaaza, "a1"), SquareKind::Plot(Side::First));
    assert_eq!(ground(RuleSet::Tablaaza, "h1"), SquareKind::Plot(Side::Second));
    assert_eq!(ground(RuleSet::Tablaaza, "c4"), SquareKind::Lake);
    assert_eq!(BoardGrid::new(RuleSet::Tablan).kind("a5".parse().expect("a square")), None);
}

const SECOND: Duration = Duration::from_secs(1);

fn timed(rules: RuleSet, seats: [Seat; 2], timing: &str) -> GameSession {
    let clock = Some(timing.parse().expect("a time"));
    GameSession::new(Setup { seats, clock, seed: Some(3), ..Setup::new(rules) })
}

fn left(table: &GameSession) -> [Duration; 2] {
    let clock = table.clock().expect("clocks");
    Side::BOTH.map(|side| clock.left(side))
}

#[test]
fn the_side_to_move_loses_when_its_clock_runs_out() {
    let mut table = timed(RuleSet::TablutAshton, PERSONS, "60+5");
    assert_eq!(table.clock_runs_for(), Some(Side::First));
    assert!(!table.run_clock(10 * SECOND));
    play_on(&mut table, 1);
    assert_eq!(left(&table), [55 * SECOND, 60 * SECOND]);
    assert!(!table.run_clock(59 * SECOND));
    assert!(table.run_clock(SECOND));
    assert_eq!(table.outcome(), Some(Outcome::TimedOut(Side::Second)));
    assert_eq!(table.outcome().and_then(Outcome::winner), Some(Side::First));
    assert!(!table.run_clock(SECOND), "nothing runs any more");
    let mv = table.history().legal_moves()[0];
    assert_eq!(table.play(mv).unwrap_err(), Illegal::GameOver);

    // The record has the loss on time and the position after the last ply.
    let record = table.record(None);
    assert_eq!(record.termination(), Some("time forfeit"));
    let again = GameSession::from_record(&record);
    assert_eq!(again.outcome(), table.outcome());
    assert!(table.undo(), "time is given back");
    assert_eq!((table.outcome(), left(&table)), (None, [55 * SECOND, 60 * SECOND]));
}

#[test]
fn a_throw_costs_no_time() {
    let mut table = timed(RuleSet::Tablan, PERSONS, "60");
    let mut moved = 0;
    while moved < 4 {
        if matches!(table.turn(), Some(Turn::Throw(_))) {
            assert_eq!(table.clock_runs_for(), None);
            table.run_clock(40 * SECOND);
        } else {
            table.run_clock(5 * SECOND);
            moved += 1;
        }
        let plies = table.history().len();
        play_on(&mut table, plies + 1);
    }
    assert_eq!(table.outcome(), None);
    assert_eq!(left(&table).iter().sum::<Duration>(), 100 * SECOND);
}

#[test]
fn clocks_round_trip_through_the_record() {
    let mut table = timed(RuleSet::TablutAshton, PERSONS, "600+5");
    for plies in 1..=3 {
        table.run_clock(Duration::from_millis(1_250) * plies);
        play_on(&mut table, plies as usize);
    }
    let kept = table.record(None);
    let text = kept.to_string();
    assert!(text.contains("[TimeControl \"600+5\"]"), "{text}");
    assert!(text.contains("{[%clk 0:10:03.8]}"), "{text}");

    let read = records::read(&text).expect("a record").remove(0);
    assert_eq!(read, kept);
    let mut again = GameSession::from_record(&read);
    assert_eq!(again.clock().map(tabulae_session::Clock::time_controls), "600+5".parse().ok());
    assert_eq!(left(&again)[0], 605 * SECOND);
    assert_eq!(again.record(None).to_string(), text, "written as it was read");
    assert!((0..=3).all(|ply| again.comments(ply).is_empty()), "clocks are no comments");
    assert!(again.undo());
    assert_eq!(left(&again)[0], Duration::from_millis(603_800));
}

#[test]
fn time_used_for_the_next_move_is_not_given_back() {
    for (timing, spent) in [("600+5", 30 * SECOND), ("1/60", 20 * SECOND)] {
        let mut table = timed(RuleSet::TablutAshton, PERSONS, timing);
        table.run_clock(4 * SECOND);
        play_on(&mut table, 1);
        let before = left(&table);
        table.run_clock(spent);
        let text = table.record(None).to_string();
        let read = records::read(&text).expect("a record").remove(0);
        let mut again = GameSession::from_record(&read);
        assert_eq!(left(&again), [before[0], before[1] - spent], "{text}");
        assert_eq!(again.record(None).to_string(), text, "written as it was read");
        // After the move the tag is gone.
        play_on(&mut again, 2);
        assert!(!again.record(None).to_string().contains("[Clock "), "{timing}");
        assert!(again.undo());
        assert_eq!(left(&again), before, "taken back it gives its time back");
    }
    // A time longer than the last one is ignored.
    let text = "[Rules \"tablaaza\"]\n[TimeControl \"60\"]\n[Clock \"0:05:00\"]\n\n1. c7 *\n";
    let read = records::read(text).expect("a record").remove(0);
    assert_eq!(left(&GameSession::from_record(&read)), [60 * SECOND; 2]);
}

#[test]
fn comments_and_tags_of_a_record_are_kept() {
    let text = "[Rules \"tablaaza\"]\n[Date \"2020.01.02\"]\n[Red \"Aili\"]\n[Green \"?\"]\n\
                [Result \"1-0\"]\n[Termination \"rules infraction\"]\n[Event \"A fair\"]\n\n\
                {before} 1. c7 {well done} c6 1-0\n";
    let read = records::read(text).expect("a record").remove(0);
    let mut table = GameSession::from_record(&read);
    assert_eq!(table.record(None), read);
    play_on(&mut table, 3);
    let on = table.record(None);
    assert_eq!(on.tags(), read.tags());
    assert_eq!((on.comments(0), on.comments(1)), (read.comments(0), read.comments(1)));
    assert_eq!((on.result(), on.termination()), (records::GameResult::Unknown, None), "it goes on");
    // The undone resignation is not written again.
    let text = text.replace("rules infraction", "resignation");
    let mut table = GameSession::from_record(&records::read(&text).expect("a record").remove(0));
    assert!(table.outcome().is_some() && table.undo());
    assert_eq!(table.record(None).result(), records::GameResult::Unknown);
}

#[test]
fn untimed_records_keep_foreign_clock_comments() {
    let mut plain = table(RuleSet::Tablaaza, PERSONS, 1);
    play_on(&mut plain, 2);
    let text = plain.record(None).to_string();
    assert!(!text.contains("TimeControl") && !text.contains("%clk"), "{text}");

    let foreign = text.replacen("\n\n", "\n[TimeControl \"40/9000\"]\n\n", 1);
    let record = records::read(&foreign).expect("a record").remove(0);
    let table = GameSession::from_record(&record);
    assert!(table.clock().is_none());
    assert_eq!(table.record(None).to_string(), foreign);
}

#[test]
fn an_engine_is_never_charged_more_than_its_allowance() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut table = timed(RuleSet::TablutAshton, seats, "10");
    let allowed = table.allowance().expect("a clock");
    assert!(allowed < SECOND, "a short game has short thoughts");
    assert!(!table.run_clock(100 * SECOND), "the machine was busy with something else");
    assert_eq!(left(&table)[0], 10 * SECOND - allowed);
}

#[test]
fn a_program_is_told_the_clocks_of_a_timed_game() {
    let seats = [Seat::Program, Seat::Person];
    let mut table = timed(RuleSet::TablutAshton, seats, "60+5");
    assert!(!table.run_clock(10 * SECOND));
    let (limits, deadline) = ProgramLimits::for_turn(&table);
    let ProgramLimits::Clocks(clocks) = limits else { panic!("{limits:?}") };
    assert_eq!(clocks.map(|clock| clock.remaining), [50 * SECOND, 60 * SECOND]);
    assert!(clocks.iter().all(|clock| (clock.increment, clock.moves_to_go) == (5 * SECOND, None)));
    assert_eq!(deadline, 50 * SECOND + PROGRAM_PATIENCE);
    // The rest of a time per move is lost, so nothing has to be shared out.
    let (limits, deadline) = ProgramLimits::for_turn(&timed(RuleSet::Tablaaza, seats, "1/10"));
    let ProgramLimits::PerMove(limits) = limits else { panic!("{limits:?}") };
    assert_eq!((limits.movetime, deadline), (Some(8 * SECOND), 8 * SECOND + PROGRAM_PATIENCE));
}

#[test]
fn an_engine_shares_its_time_out_as_in_matches() {
    let table = timed(RuleSet::TablutAshton, [Seat::Engine(Level::Master), Seat::Person], "60+5");
    let clock = table.clock().expect("clocks").player_clock(Side::First);
    assert_eq!(
        clock,
        PlayerClock { remaining: 60 * SECOND, increment: 5 * SECOND, moves_to_go: None }
    );
    assert_eq!(table.allowance(), Some(clock.share()));
}

#[test]
fn the_first_to_throw_off_is_chosen_or_drawn_by_lot() {
    for side in Side::BOTH {
        let chosen = GameSession::new(Setup { first: Some(side), ..Setup::new(RuleSet::Tablan) });
        assert_eq!(chosen.turn(), Some(Turn::Throw(side)));
        assert_eq!(chosen.lot(), None);
        assert_eq!(chosen.rematch().first, Some(side));
    }
    let drawn = table(RuleSet::TablanOrdered, PERSONS, 4);
    assert_eq!(drawn.lot().map(Turn::Throw), drawn.turn());
    assert!(tabulae_session::describe_lot(&drawn).is_some());
    let fixed =
        GameSession::new(Setup { first: Some(Side::Second), ..Setup::new(RuleSet::Tablaaza) });
    assert_eq!((fixed.turn(), fixed.lot()), (Some(Turn::Move(Side::First)), None));
}

#[test]
fn a_start_that_is_drawn_at_once_is_thrown_for_by_the_rules() {
    let mut starters = [0; 2];
    for seed in 0..40 {
        let setup =
            Setup { draws_start: true, seed: Some(seed), ..Setup::new(RuleSet::TablanOrdered) };
        let mut drawn = GameSession::new(setup.clone());
        let Some(Turn::Move(side)) = drawn.turn() else { panic!("{:?}", drawn.turn()) };
        starters[side.index()] += 1;
        let words = tabulae_session::describe_lot(&drawn).expect("words");
        assert!(words.contains(["South", "North"][side.index()]), "{words}");
        let mut thrown = GameSession::new(Setup { draws_start: false, ..setup.clone() });
        while matches!(thrown.turn(), Some(Turn::Throw(_))) {
            thrown.throw().expect("a throw");
        }
        assert_eq!(thrown.history().throws(), drawn.history().throws(), "the same sticks");
        let mv = drawn.history().legal_moves()[0];
        drawn.play(mv).expect("a move");
        assert!(drawn.undo() && !drawn.undo(), "the draw is not undone");
        assert_eq!(drawn.turn(), Some(Turn::Move(side)));
        assert!(drawn.rematch().draws_start);
        let mut resumed = GameSession::from_record(&drawn.record(None));
        assert!(resumed.rematch().draws_start && !resumed.undo(), "a saved game keeps it");
        let replayed = GameSession::from_record(&resumed.record(None)).record(None);
        assert_eq!(replayed.tag("Sticks"), Some("start drawn"));
        assert_eq!(resumed.branch(0).record(None).tag("Sticks"), None, "it is thrown for");
        for seats in [[Seat::Person, Seat::Remote], PERSONS] {
            let by_hand = seats == PERSONS;
            let other = GameSession::new(Setup { seats, by_hand, ..setup.clone() });
            assert!(other.history().is_empty(), "these sticks are thrown by others");
        }
    }
    assert!(starters.iter().all(|count| *count > 8), "{starters:?}");
}

#[test]
fn who_would_move_last_is_told_once_a_pavilion_stands() {
    let pavilions = |position: &AnyPosition| {
        let AnyPosition::Tablaaza(position) = position else { unreachable!() };
        Side::BOTH.into_iter().map(|side| position.pavilions(side)).sum::<u32>()
    };
    let mut position = AnyPosition::start(RuleSet::Tablaaza);
    let mut told = [0; 2];
    loop {
        let raised = pavilions(&position);
        let is_over = position.turn().side().is_none();
        let leader = tabulae_session::leader(&position);
        assert_eq!(leader.is_some(), raised > 0 && !is_over, "{leader:?}");
        told[usize::from(raised > 0)] += 1;
        let after = |mv| {
            let mut after = position.clone();
            after.play(mv).expect("legal");
            after
        };
        let Some(next) = position.legal_moves().into_iter().map(after).max_by_key(&pavilions)
        else {
            break;
        };
        position = next;
    }
    assert!(told.iter().all(|count| *count > 0), "{told:?}");
}
