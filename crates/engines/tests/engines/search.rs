//! The engines' public API: best moves are legal, repeatable, and right where
//! that is known.

use std::collections::HashMap;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use serde_json::Value;
use tabulae_engines::{
    EngineOptions, Info, Level, Request, Score, SearchLimits, StopSignal, search,
};
use tabulae_games::{
    AnyMove, AnyPosition, Game, GameHistory, GameKind, Ply, RuleSet, Side, Throw, Turn, tablaaza,
};

use crate::vectors::cases;

const DETERMINISTIC: [RuleSet; 5] = [
    RuleSet::TablutBerkeley,
    RuleSet::TablutAshton,
    RuleSet::TablutLinnaeus,
    RuleSet::TablutSaami,
    RuleSet::Tablaaza,
];
const TABLUTS: [(RuleSet, &str); 3] = [
    (RuleSet::TablutBerkeley, "tablut-berkeley-onemove.jsonl"),
    (RuleSet::TablutAshton, "tablut-ashton-onemove.jsonl"),
    (RuleSet::TablutLinnaeus, "tablut-linnaeus-onemove.jsonl"),
];

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

fn request(history: &GameHistory<AnyPosition>, level: Level, limits: SearchLimits) -> Request {
    let options = EngineOptions { level, hash_mib: 2, ..EngineOptions::default() };
    Request { history: history.clone(), limits, options }
}

/// The best move and the report of every iteration.
fn search_all(request: &Request) -> (Option<AnyMove>, Vec<Info>) {
    let mut infos = Vec::new();
    let best = search(request, &StopSignal::default(), &mut |info| infos.push(info.clone()));
    (best, infos)
}

fn position(rules: RuleSet, text: &str) -> GameHistory<AnyPosition> {
    GameHistory::new(AnyPosition::parse(rules, text).expect("a position"))
}

/// A game of random plies that waits for a move, if it lasts so long.
fn random_line(
    rules: RuleSet,
    plies: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GameHistory<AnyPosition>> {
    let mut history = GameHistory::new(AnyPosition::start(rules));
    loop {
        let ply = match history.turn() {
            Turn::Over(_) => return None,
            Turn::Move(_) if history.len() >= plies => return Some(history),
            Turn::Throw(_) => Ply::Throw(Throw::ALL[rng.random_range(0..Throw::ALL.len())]),
            Turn::Move(_) => {
                let moves = history.legal_moves();
                Ply::Move(moves[rng.random_range(0..moves.len())])
            }
        };
        history.push(ply).expect("legal");
    }
}

#[test]
fn best_moves_and_principal_variations_are_legal_at_every_level() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut tried = 0;
    for rules in RuleSet::ALL {
        for plies in (0..60).step_by(3) {
            let Some(history) = random_line(rules, plies, &mut rng) else { continue };
            let level = Level::ALL[tried % Level::ALL.len()];
            let (best, infos) = search_all(&request(&history, level, nodes(700)));
            let best = best.expect("a move is due");
            assert!(history.legal_moves().contains(&best), "{rules}: {}", history.position());
            for info in &infos {
                let mut history = history.clone();
                assert!(!info.pv.is_empty());
                for &mv in &info.pv {
                    let at = history.position().clone();
                    history
                        .push(Ply::Move(mv))
                        .unwrap_or_else(|error| panic!("{at}: {mv}: {error}"));
                }
            }
            tried += 1;
        }
    }
    assert!(tried > 80, "{tried}");
}

#[test]
fn the_same_request_has_the_same_answer() {
    let essence = |(best, infos): (Option<AnyMove>, Vec<Info>)| {
        let infos: Vec<_> =
            infos.into_iter().map(|info| (info.depth, info.score, info.nodes, info.pv)).collect();
        (best, infos)
    };
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for rules in RuleSet::ALL {
        for level in [Level::Newcomer, Level::Novice, Level::Club, Level::Master] {
            let history = random_line(rules, 8, &mut rng).expect("a game of eight plies");
            let request = request(&history, level, nodes(5000));
            let first = essence(search_all(&request));
            assert!(!first.1.is_empty(), "{rules} {level}");
            assert_eq!(essence(search_all(&request)), first, "{rules} {level}");
        }
    }
}

#[test]
fn the_seed_chooses_among_equal_moves() {
    let history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
    let moves: std::collections::HashSet<_> = (0..20)
        .map(|seed| {
            let mut request = request(&history, Level::Casual, depth(1));
            request.options.seed = seed;
            search_all(&request).0
        })
        .collect();
    assert!(moves.len() > 3, "{moves:?}");
}

#[test]
fn there_is_no_best_move_without_a_move_to_choose() {
    let waiting = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
    assert!(matches!(waiting.turn(), Turn::Throw(_)));
    let over = position(
        RuleSet::Tablaaza,
        "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/rgrgrgrg r",
    );
    assert!(matches!(over.turn(), Turn::Over(_)));
    for history in [waiting, over] {
        assert_eq!(
            search_all(&request(&history, Level::Master, SearchLimits::default())),
            (None, Vec::new())
        );
    }
}

#[test]
fn zero_limits_still_give_a_legal_move() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for rules in RuleSet::ALL {
        let history = random_line(rules, 5, &mut rng).expect("a game of five plies");
        for level in Level::ALL {
            for limits in [nodes(0), nodes(1), depth(0)] {
                let best = search_all(&request(&history, level, limits)).0.expect("a move is due");
                assert!(history.legal_moves().contains(&best), "{rules} {level}");
            }
        }
    }
}

#[test]
fn several_threads_give_a_legal_move() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for rules in RuleSet::ALL {
        let history = random_line(rules, 6, &mut rng).expect("a game of six plies");
        let mut request = request(&history, Level::Master, nodes(3000));
        request.options.threads = 3;
        let best = search_all(&request).0.expect("a move is due");
        assert!(history.legal_moves().contains(&best), "{rules}");
    }
}

/// A case's position in this program's notation.
fn tablut(rules: RuleSet, case: &Value) -> GameHistory<AnyPosition> {
    let rows: Vec<_> = case["position"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            let row = row.as_str().expect("a row");
            // Longest runs of empty squares first.
            (1..=9)
                .rev()
                .fold(row.to_owned(), |row, run| row.replace(&"-".repeat(run), &run.to_string()))
        })
        .collect();
    let side = case["turn"].as_str().expect("a side").to_lowercase();
    position(rules, &format!("{} {side}", rows.join("/")))
}

#[test]
fn a_win_in_one_is_found_in_every_tablut() {
    for (rules, file) in TABLUTS {
        let (mut escapes, mut captures) = (0, 0);
        for case in cases(file) {
            let moves = case["moves"].as_object().expect("moves");
            let wins: Vec<_> =
                moves.iter().filter(|(_, what)| what["win"] == case["turn"]).collect();
            let history = tablut(rules, &case);
            if wins.is_empty() || matches!(history.turn(), Turn::Over(_)) {
                continue;
            }
            for level in [Level::Novice, Level::Master] {
                let (best, infos) = search_all(&request(&history, level, depth(2)));
                let best = best.expect("a move is due").to_string();
                let at = history.position();
                assert!(wins.iter().any(|(win, _)| **win == best), "{rules} {level}: {at}: {best}");
                assert_eq!(infos.last().map(|info| info.score), Some(Score::Win(1)), "{at}");
            }
            if case["turn"] == "W" { escapes += 1 } else { captures += 1 }
        }
        assert!(escapes >= 5 && captures >= 2, "{rules}: {escapes} {captures}");
    }
}

#[test]
fn two_open_escapes_are_lost_for_black_in_two() {
    // The king on e3 can escape to a3 and i3; one move cannot block both.
    let history = position(RuleSet::TablutBerkeley, "B3B3B/9/9/9/9/9/4K4/9/4B4 b");
    for level in [Level::Club, Level::Master] {
        let (_, infos) = search_all(&request(&history, level, depth(3)));
        assert_eq!(infos.last().map(|info| info.score), Some(Score::Loss(2)), "{level}");
    }
}

#[test]
fn a_free_soldier_is_captured() {
    // The start position, but the black soldier of d1 is on d3: c5-c3 captures it.
    for rules in RuleSet::ALL.into_iter().filter(|rules| rules.game() == GameKind::Tablut) {
        let text = "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w";
        let history = position(rules, text);
        for plies in 1..=3 {
            let (best, _) = search_all(&request(&history, Level::Candidate, depth(plies)));
            let mv = best.map(|mv| history.position().notation(mv));
            assert_eq!(mv.as_deref(), Some("c5-c3xd3"), "{rules} {plies}");
        }
    }
}

#[test]
fn no_level_plays_a_losing_repetition() {
    // By Berkeley's rules the player who repeats a position loses. Each side moves
    // away and back: the fourth move would repeat the start position.
    let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutBerkeley));
    for text in ["a4-a3", "e3-d3", "a3-a4"] {
        let ply = history.parse(text).expect("legal");
        history.push(ply).expect("legal");
    }
    let back = history.parse("d3-e3").expect("legal");
    let mut lost = history.clone();
    lost.push(back).expect("legal");
    assert!(matches!(lost.turn(), Turn::Over(end) if end.winner == Some(Side::First)));
    for level in Level::ALL {
        for seed in 0..10 {
            let mut request =
                request(&history, level, SearchLimits { depth: Some(2), ..nodes(4000) });
            request.options.seed = seed;
            assert_ne!(search_all(&request).0.map(Ply::Move), Some(back), "{level} {seed}");
        }
    }
}

#[test]
fn the_losing_side_takes_a_draw_by_repetition() {
    // Black has two soldiers left. Moving away and back repeats the start: a draw
    // by Ashton's rules the second time, by Linnaeus' and Saami the third.
    let text = "9/7B1/4W4/4W4/2WWKWW2/4W4/4W4/1B7/9 w";
    for (rules, rounds) in
        [(RuleSet::TablutAshton, 1), (RuleSet::TablutLinnaeus, 2), (RuleSet::TablutSaami, 2)]
    {
        let mut history = position(rules, text);
        for round in 1..=rounds {
            for text in ["e3-d3", "b2-b1", "d3-e3"] {
                let ply = history.parse(text).expect("legal");
                history.push(ply).expect("legal");
            }
            let (best, infos) = search_all(&request(&history, Level::Candidate, depth(1)));
            let score = infos.last().expect("one iteration").score;
            let is_draw = best.is_some_and(|mv| mv.to_string() == "b1-b2");
            assert_eq!(is_draw && score == Score::Points(0), round == rounds, "{rules} {score}");
            let back = history.parse("b1-b2").expect("legal");
            history.push(back).expect("legal");
            assert_eq!(matches!(history.turn(), Turn::Over(_)), round == rounds, "{rules}");
        }
    }
}

/// The number of plies in which the side to move wins, or loses when negative,
/// against best play: by an exhaustive search.
fn distance(position: tablaaza::Position, known: &mut HashMap<(u64, Side), i32>) -> i32 {
    let key = (position.closed(), position.side());
    if let Some(distance) = known.get(&key) {
        return *distance;
    }
    let replies: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut after = position;
            after.play(mv).expect("legal");
            distance(after, known)
        })
        .collect();
    // A reply of 0 or less is the opponent's loss in that many plies.
    let soonest = replies.iter().filter(|reply| **reply <= 0).max().map(|reply| 1 - reply);
    let latest = replies.iter().filter(|reply| **reply > 0).max().map(|reply| -reply - 1);
    let distance = soonest.or(latest).unwrap_or(0);
    known.insert(key, distance);
    distance
}

#[test]
fn tablaaza_endgames_are_played_perfectly() {
    let mut solved = 0;
    for case in cases("tablaaza-endgames.jsonl") {
        if case["empties"].as_u64() > Some(16) {
            continue;
        }
        let text = case["fen"].as_str().expect("a position");
        let history = position(RuleSet::Tablaaza, text);
        let AnyPosition::Tablaaza(board) = *history.position() else { panic!("{text}") };
        let expected = match distance(board, &mut HashMap::new()) {
            plies @ 1.. => Score::Win(plies.unsigned_abs()),
            plies => Score::Loss(plies.unsigned_abs()),
        };
        let (best, infos) = search_all(&request(&history, Level::Master, SearchLimits::default()));
        assert_eq!(infos.last().map(|info| info.score), Some(expected), "{text}");
        let winning = case["winning_moves"].as_array().expect("moves");
        let wins = case["winner"] == case["to_move"];
        assert_eq!(wins, matches!(expected, Score::Win(_)), "{text}");
        assert_eq!(wins, winning.iter().any(|mv| *mv == best.expect("a move").to_string()));
        solved += 1;
    }
    assert_eq!(solved, 4);
}

#[test]
fn a_certain_win_in_tablan_is_found() {
    // South's last piece reaches the last row, and South has more there.
    let history = {
        let mut history = position(RuleSet::Tablan, "SSN9/S8N2/12/12 s -");
        history.push(Ply::Throw(Throw::ALL[0])).expect("a throw is due");
        history
    };
    assert_eq!(history.legal_moves().len(), 1);
    let (best, infos) = search_all(&request(&history, Level::Novice, SearchLimits::default()));
    assert_eq!(best.map(|mv| mv.to_string()).as_deref(), Some("a3-l4"));
    assert_eq!(infos.last().map(|info| info.score), Some(Score::Win(1)));
}

#[test]
fn each_iteration_is_one_ply_deeper() {
    for rules in DETERMINISTIC {
        let history = GameHistory::new(AnyPosition::start(rules));
        let (_, infos) = search_all(&request(&history, Level::Master, depth(3)));
        let depths: Vec<_> = infos.iter().map(|info| info.depth).collect();
        assert_eq!(depths, [1, 2, 3], "{rules}");
        assert!(infos.is_sorted_by_key(|info| info.nodes), "{rules}");
    }
}
