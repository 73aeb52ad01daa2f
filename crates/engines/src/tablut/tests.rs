//! The engine's own board against the rules.

use std::{collections::BTreeSet, fs};

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use serde_json::Value;

use super::{
    super::{
        EngineState, SearchLimits, StopSignal, control::SharedControl, score::MATE,
        timeman::Stopwatch, tt::TranspositionTable,
    },
    board::{Board, Move},
    network::Network,
    node::{HistoryKey, NodeContext},
    rule_tables::RuleTables,
    search::Search,
    squares::{Bits, NO_SQUARE, bit, squares_in, to_square},
    tables_of,
    train::selfplay::{SelfPlayOptions, play_game},
};
use tabulae_games::{
    Game as _, GameHistory, Ply, Square,
    tablut::{ASHTON, Army, BERKELEY, LINNAEUS, Move as RulesMove, Position, SAAMI, rule_sets},
};

fn moves(board: &Board, tables: &RuleTables) -> Vec<Move> {
    let mut moves = Vec::new();
    board.for_each_move(tables, |mv| moves.push(mv));
    moves
}

/// Asserts that the engine's board agrees with the rules.
fn compare(position: &Position, board: &Board) {
    let tables = tables_of(position);
    let fresh = Board::from_position(position, tables);
    // The rules' key of a finished game has the captured king, too.
    if position.king_end().is_none() {
        assert_eq!(board.key, fresh.key, "{position}");
    }
    assert_eq!(board.accumulator, fresh.accumulator, "{position}");
    assert_eq!(
        (board.occupied_lines, board.king),
        (fresh.occupied_lines, fresh.king),
        "{position}"
    );
    assert_eq!(
        (board.white_count, board.black_count),
        (fresh.white_count, fresh.black_count),
        "{position}"
    );
    let squares = |of: &mut dyn Iterator<Item = Square>| of.collect::<Vec<_>>();
    let expected = [
        squares(&mut position.white_soldiers().squares()),
        squares(&mut position.black_soldiers().squares()),
        squares(&mut position.king().into_iter()),
    ];
    assert_eq!(board.squares(), expected, "{position}");
    let Some(king) = position.king() else { return };
    if position.king_end().is_some() {
        return;
    }
    let legal = position.legal_moves();
    let mut ours: Vec<_> = moves(board, tables).into_iter().map(Move::to_rules).collect();
    ours.sort();
    let mut theirs = legal.clone();
    theirs.sort();
    assert_eq!(ours, theirs, "{position}");
    assert_eq!(board.has_legal_move(tables), !legal.is_empty(), "{position}");
    let noisy = board.capture_squares(tables);
    let mut wins = Vec::new();
    for mv in legal {
        let ours = Move::from_rules(mv);
        assert!(board.is_legal(tables, ours), "{position}: {mv}");
        let mut after = position.clone();
        let taken = position.captures(mv);
        after.play_unchecked(mv);
        let child = board.make_move(tables, ours);
        let fresh = Board::from_position(&after, tables);
        // A captured king may still be on the rules' board.
        if after.king().is_some() {
            assert_eq!(child.key, fresh.key, "{position}: {mv}");
        }
        assert_eq!(child.squares(), fresh.squares(), "{position}: {mv}");
        let soldiers = taken.len() - u32::from(taken.contains(king));
        let is_armed = mv.from() != king || tables.armed_king;
        if soldiers > 0 && is_armed {
            assert!(noisy & bit(ours.to()) != 0, "{position}: {mv}");
        }
        if after.king_end().is_some() {
            wins.push(mv);
        }
    }
    let winning = board.winning_move(tables).map(Move::to_rules);
    assert_eq!(winning.is_some(), !wins.is_empty(), "{position}: {wins:?}");
    assert!(winning.is_none_or(|mv| wins.contains(&mv)), "{position}: {winning:?}");
    let open = board.king_escapes(tables);
    if position.to_move() == Army::White {
        let escapes = position.king_escapes();
        assert_eq!(open.directions > 0, escapes > 0, "{position}");
        assert_eq!(open.directions > 0, board.king_can_escape(tables), "{position}");
        if position.rules().escapes().len() != 32 || king.file % 8 != 0 && king.rank % 8 != 0 {
            assert_eq!(open.directions, escapes, "{position}");
        }
    }
}

#[test]
fn random_games_agree_with_the_rules() {
    for rules in rule_sets() {
        let mut compared = 0;
        for seed in 0..60 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut history = GameHistory::new(Position::start(rules));
            let mut board = Board::from_position(history.position(), tables_of(history.position()));
            while history.len() < 120 {
                compare(history.position(), &board);
                compared += 1;
                let moves = history.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Captures and ends more often than at random.
                let mut mv = moves[rng.random_range(0..moves.len())];
                if rng.random_range(0..3) == 0 {
                    let taking = |mv: &&RulesMove| !history.position().captures(**mv).is_empty();
                    mv = moves.iter().find(taking).copied().unwrap_or(mv);
                }
                board = board.make_move(tables_of(history.position()), Move::from_rules(mv));
                history.push(Ply::Move(mv)).unwrap();
            }
        }
        assert!(compared > 2000, "{:?}: {compared}", rules.set);
    }
}

/// A search without limits from `board`, for `work`.
fn with_search<T>(
    tables: &RuleTables,
    path: Vec<HistoryKey>,
    work: impl FnOnce(&mut Search<'_>) -> T,
) -> T {
    let stop = StopSignal::default();
    let shared = SharedControl::new(SearchLimits::default(), Stopwatch::start(), &stop);
    let entries = 1 << 12;
    let memory = EngineState::new().memory(1, TranspositionTable::<4>::words_for(entries));
    let tt = TranspositionTable::new(memory, entries);
    work(&mut Search::new(tables, &tt, shared.main_thread(), path))
}

#[test]
fn forks_and_captures_are_tried_once_and_an_unarmed_king_captures_nothing() {
    for rules in rule_sets() {
        let (mut taking_forks, mut unarmed) = (0, 0);
        for seed in 0..60 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut history = GameHistory::new(Position::start(rules));
            while history.len() < 120 {
                let position = history.position();
                let tables = tables_of(position);
                let board = Board::from_position(position, tables);
                let captures = board.capture_squares(tables);
                let is_white = position.to_move() == Army::White;
                let forks = if is_white { board.king_forks(tables) } else { 0 };
                let noisy = with_search(tables, Vec::new(), |search| {
                    search.ordering.push_noisy(tables, &board, captures, forks);
                    search.ordering.moves.iter().map(|scored| scored.mv().0).collect::<Vec<_>>()
                });
                let distinct: BTreeSet<_> = noisy.iter().copied().collect();
                assert_eq!(noisy.len(), distinct.len(), "{position}");
                let mut expected = BTreeSet::new();
                for mv in moves(&board, tables) {
                    let (is_king, to) = (mv.from() == board.king, bit(mv.to()));
                    let is_fork = is_king && forks & to != 0;
                    let is_capture = captures & to != 0 && (!is_king || tables.armed_king);
                    taking_forks += u32::from(is_fork && is_capture);
                    unarmed += u32::from(!is_fork && captures & to != 0 && !is_capture);
                    if is_fork || is_capture {
                        expected.insert(mv.0);
                    }
                }
                assert_eq!(distinct, expected, "{position}");
                let legal = history.legal_moves();
                if legal.is_empty() {
                    break;
                }
                history.push(Ply::Move(legal[rng.random_range(0..legal.len())])).unwrap();
            }
        }
        let seen =
            if tables_of(&Position::start(rules)).armed_king { taking_forks } else { unarmed };
        assert!(seen > 0, "{:?}", rules.set);
    }
}

#[test]
fn no_position_is_repeated_across_a_null_move() {
    // Black cannot capture anything, since no position before a capture comes back.
    let text = "3BBB3/9/4W4/B3W3B/B1WWKWW1B/B3W3B/4W4/9/3BBB3 w";
    let position = Position::parse(BERKELEY, text).unwrap();
    let tables = tables_of(&position);
    let board = Board::from_position(&position, tables);
    let passed = board.null_move();
    // Whatever follows the null move was on the board before it, and by Berkeley's
    // rules the side that repeats a position loses.
    let replies = moves(&passed, tables).into_iter().map(|mv| passed.make_move(tables, mv));
    let mut path: Vec<_> = replies.map(|reply| HistoryKey::of(&reply)).collect();
    assert!(path.iter().all(|reply| reply.soldiers == board.soldier_count()));
    path.push(HistoryKey::of(&board));
    let beta = 5000;
    let node = NodeContext {
        board: &board,
        ply: 0,
        // Deep enough that the reply to the null move is searched, not pruned.
        depth: 16,
        alpha: beta - 1,
        beta,
        is_pv: false,
        previous_move: moves(&board, tables)[0],
        tt_move: Move::NONE,
        static_eval: beta,
        is_improving: false,
        threat: board.threat(tables),
    };
    // The null move is worth about as much as the position.
    assert_eq!(with_search(tables, path.clone(), |search| search.prune_node(&node)), None);
    // A real move does repeat them.
    let reply = passed.make_move(tables, moves(&passed, tables)[0]);
    let repeated = with_search(tables, path, |search| search.repetition_value(&reply, 1));
    assert_eq!(repeated, Some(MATE - 1));
}

#[test]
fn a_win_that_leaves_no_move_is_found_below_a_longer_win() {
    // After b3-b1 the soldier on a1 cannot move.
    let text = "9/9/9/4W4/3WKW3/4W4/1W7/W8/B8 w";
    let position = Position::parse(ASHTON, text).unwrap();
    let tables = tables_of(&position);
    let board = Board::from_position(&position, tables);
    let ply = 2;
    // A win in five plies from the root is known.
    let alpha = MATE - 5;
    let value = with_search(tables, Vec::new(), |search| {
        search.root_depth = 8;
        search.negamax(&board, 6, ply, alpha, MATE, moves(&board, tables)[0])
    });
    assert_eq!(value, MATE - ply as i32 - 1);
}

/// Pieces placed at random, the king included.
#[test]
fn random_boards_agree_with_the_rules() {
    for rules in rule_sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut compared = 0;
        for _ in 0..3000 {
            let mut board = [[' '; 9]; 9];
            let mut put = |letter: char, count: u32, rng: &mut ChaCha8Rng| {
                for _ in 0..count {
                    let (file, rank) = (rng.random_range(0..9), rng.random_range(0..9));
                    if board[rank][file] == ' ' && (file, rank) != (4, 4) {
                        board[rank][file] = letter;
                    }
                }
            };
            let (white_count, black_count) = (rng.random_range(0..9), rng.random_range(1..17));
            put('W', white_count, &mut rng);
            put('B', black_count, &mut rng);
            // Half of the kings are near the castle, where the rules for him differ.
            let near = [(4, 4), (3, 4), (4, 3), (5, 4), (4, 5)];
            let (file, rank) = match rng.random_range(0..2) {
                0 => near[rng.random_range(0..near.len())],
                _ => (rng.random_range(0..9), rng.random_range(0..9)),
            };
            board[rank][file] = 'K';
            let rows: Vec<_> = board
                .iter()
                .map(|row| {
                    let row = String::from_iter(row);
                    (1..=9)
                        .rev()
                        .fold(row, |row, run| row.replace(&" ".repeat(run), &run.to_string()))
                })
                .collect();
            let side = if rng.random_range(0..2) == 0 { "w" } else { "b" };
            let text = format!("{} {side}", rows.join("/"));
            let Ok(position) = Position::parse(rules, &text) else { continue };
            compare(&position, &Board::from_position(&position, tables_of(&position)));
            compared += 1;
        }
        assert!(compared > 500, "{:?}: {compared}", rules.set);
    }
}

#[test]
fn moves_and_captures_agree_with_the_vectors() {
    for (rules, name) in [(ASHTON, "ashton"), (BERKELEY, "berkeley"), (LINNAEUS, "linnaeus")] {
        let path = format!(
            "{}/../../tests/vectors/tablut-{name}-onemove.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let rows: Vec<_> = case["position"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    let row = row.as_str().unwrap().to_owned();
                    (1..=9)
                        .rev()
                        .fold(row, |row, run| row.replace(&"-".repeat(run), &run.to_string()))
                })
                .collect();
            let side = case["turn"].as_str().unwrap().to_lowercase();
            let position = Position::parse(rules, &format!("{} {side}", rows.join("/"))).unwrap();
            let tables = tables_of(&position);
            let board = Board::from_position(&position, tables);
            let expected = case["moves"].as_object().unwrap();
            let mut ours: Vec<_> = if position.king_end().is_some() {
                Vec::new()
            } else {
                moves(&board, tables).into_iter().map(|mv| mv.to_rules().to_string()).collect()
            };
            ours.sort();
            assert_eq!(ours.iter().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
            for mv in moves(&board, tables) {
                let what = &expected[&mv.to_rules().to_string()];
                let child = board.make_move(tables, mv);
                let (soldiers, left) = if board.black_to_move {
                    (board.white, child.white)
                } else {
                    (board.black, child.black)
                };
                let taken: Vec<_> =
                    squares_in(soldiers & !left).map(|at| to_square(at).to_string()).collect();
                let mut captured: Vec<_> =
                    what["c"].as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect();
                captured.sort_unstable();
                assert_eq!(taken, captured, "{position} {}", mv.to_rules());
            }
        }
    }
}

fn perft(board: &Board, tables: &RuleTables, depth: u32) -> u64 {
    let over = board.king == NO_SQUARE || tables.goals.bits() & bit(board.king) != 0;
    match depth {
        0 => 1,
        _ if over => 0,
        _ => moves(board, tables)
            .into_iter()
            .map(|mv| perft(&board.make_move(tables, mv), tables, depth - 1))
            .sum(),
    }
}

#[test]
fn shipped_networks_read_and_value_soldiers() {
    for (rules, bytes) in [
        (ASHTON, include_bytes!("../../../../assets/engines/tablut-ashton.net")),
        (BERKELEY, include_bytes!("../../../../assets/engines/tablut-berkeley.net")),
        (LINNAEUS, include_bytes!("../../../../assets/engines/tablut-linnaeus.net")),
    ] {
        let read = Network::read(bytes);
        assert_eq!(read.map(|network| network.to_bytes()).as_deref(), Ok(bytes.as_slice()));
        // Soldiers are worth something to their side.
        let tables = tables_of(&Position::start(rules));
        let start = Board::from_position(&Position::start(rules), tables);
        let without = |white: usize, black: usize| {
            let left = |soldiers: Bits, fewer: usize| {
                squares_in(soldiers).skip(fewer).fold(0, |set, at| set | bit(at))
            };
            let (white, black) = (left(start.white, white), left(start.black, black));
            Board::from_bitboards(tables, white, black, start.king, false).evaluate(tables)
        };
        assert!(without(0, 8) > without(0, 0) && without(0, 0) > without(4, 0), "{:?}", rules.set);
    }
}

#[test]
fn trained_networks_beat_counting_soldiers() {
    let options =
        SelfPlayOptions { nodes: 100, random_plies: (2, 4), thinned_interval: 0, openings: &[] };
    for rules in rule_sets() {
        let trained = tables_of(&Position::start(rules));
        let counting = &RuleTables::new(rules, Network::material_only());
        // Each opening twice, the network once White and once Black.
        let points: f32 = (0..8)
            .map(|seed| {
                let white = play_game([trained, counting], options, seed).result;
                white + 1.0 - play_game([counting, trained], options, seed).result
            })
            .sum();
        assert!(points >= 10.5, "{:?}: {points} of 16", rules.set);
    }
}

#[test]
fn perft_from_the_start_position() {
    for (rules, counts) in [
        (ASHTON, [56, 4408, 248_456]),
        (BERKELEY, [80, 4400, 353_200]),
        (LINNAEUS, [56, 3968, 225_224]),
        (SAAMI, [80, 4400, 353_200]),
    ] {
        let position = Position::start(rules);
        let tables = tables_of(&position);
        let board = Board::from_position(&position, tables);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&board, tables, depth), count, "{:?} {depth}", rules.set);
        }
    }
}

/// `cargo test --release perft_to_depth_four -- --ignored --nocapture`
#[test]
#[ignore = "the longer counts"]
fn perft_to_depth_four() {
    for (rules, count) in [(ASHTON, 19_159_224), (BERKELEY, 19_913_864), (LINNAEUS, 16_171_000)] {
        let position = Position::start(rules);
        let tables = tables_of(&position);
        assert_eq!(
            perft(&Board::from_position(&position, tables), tables, 4),
            count,
            "{:?}",
            rules.set
        );
    }
}
