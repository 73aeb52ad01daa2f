//! Forced wins in Tablut are found within few nodes and with the right length.
//!
//! The positions are in `tablut-wins.txt`, one a line: rules, number
//! of moves of the winning side, position. They come from self-play and are
//! proven by the rules alone, every move against every reply; see
//! [`generate_forced_wins`].

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_engines::{
    EngineOptions, Info, Level, Request, Score, SearchLimits, StopSignal, search,
};
use tabulae_games::{
    AnyPosition, Game, GameHistory, Ply, RuleSet, Turn,
    tablut::{Army, Position},
};

const TABLUTS: [RuleSet; 3] =
    [RuleSet::TablutBerkeley, RuleSet::TablutAshton, RuleSet::TablutLinnaeus];

/// Maximum nodes for a win in two moves and in three.
const MAX_NODES: [u64; 2] = [20_000, 400_000];

fn wins() -> Vec<(RuleSet, u32, String)> {
    let text = include_str!("tablut-wins.txt");
    let line = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let rules = words.next()?.parse().ok()?;
        Some((rules, words.next()?.parse().ok()?, words.next()?.to_owned()))
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|text| line(text).unwrap_or_else(|| panic!("no win: {text}")))
        .collect()
}

fn parse(rules: RuleSet, text: &str) -> AnyPosition {
    AnyPosition::parse(rules, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The report of the last iteration.
fn last_info(history: &GameHistory<AnyPosition>, nodes: u64) -> Option<Info> {
    let request = Request {
        history: history.clone(),
        limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
        options: EngineOptions { level: Level::Master, hash_mib: 16, ..EngineOptions::default() },
    };
    let mut last = None;
    search(&request, &StopSignal::default(), &mut |info| last = Some(info.clone()));
    last
}

#[test]
fn forced_wins_are_found() {
    let mut found = BTreeMap::new();
    for (rules, moves, text) in wins() {
        let history = GameHistory::new(parse(rules, &text));
        let nodes = MAX_NODES[usize::from(moves > 2)];
        let last = last_info(&history, nodes).expect("an iteration");
        assert_eq!(last.score, Score::Win(2 * moves - 1), "{rules} {moves} {text}");
        *found.entry((rules.id(), moves)).or_insert(0) += 1;
    }
    for rules in TABLUTS {
        for moves in [2, 3] {
            let found = found.get(&(rules.id(), moves)).copied().unwrap_or(0);
            assert!(found >= 6, "{rules} {moves}: {found}");
        }
    }
}

/// After i1-g1 White has only moves that let Black capture the king; it would rather pass.
#[test]
fn zugzwang_is_seen() {
    let text = "3BB4/9/9/4B3B/B2WKBB2/4B4/6B2/6W2/8B b";
    let history = GameHistory::new(parse(RuleSet::TablutAshton, text));
    let last = last_info(&history, 400_000).expect("an iteration");
    assert_eq!(last.score, Score::Win(3), "{last:?}");
    assert_eq!(last.pv.first().map(ToString::to_string).as_deref(), Some("i1-g1"));
}

/// With so few nodes the first move at the root is played, and their order is random.
#[test]
fn the_book_restricts_masters_first_move_as_white_by_ashtons_rules() {
    let book_moves = ["d5-d4", "d5-d6", "e4-d4", "e4-f4", "e6-d6", "e6-f6", "f5-f4", "f5-f6"];
    let first_moves = |rules: RuleSet, level: Level, book: bool| -> Vec<String> {
        let first_move = |seed| {
            let options = EngineOptions { level, seed, hash_mib: 1, book, ..Default::default() };
            let limits = SearchLimits { nodes: Some(1), ..SearchLimits::default() };
            let history = GameHistory::new(AnyPosition::start(rules));
            let request = Request { history, limits, options };
            search(&request, &StopSignal::default(), &mut |_| ()).expect("a move").to_string()
        };
        (0..20).map(first_move).collect()
    };
    let is_in_book = |mv: &String| book_moves.contains(&mv.as_str());
    let ashton = RuleSet::TablutAshton;
    let played = first_moves(ashton, Level::Master, true);
    assert!(played.iter().all(is_in_book), "{played:?}");
    assert!(played.iter().any(|mv| *mv != played[0]), "in several directions: {played:?}");
    for (rules, level, book) in [
        (ashton, Level::Master, false),
        (ashton, Level::Candidate, true),
        (RuleSet::TablutLinnaeus, Level::Master, true),
    ] {
        let played = first_moves(rules, level, book);
        assert!(!played.iter().all(is_in_book), "{rules} {level} {book}: {played:?}");
    }
}

/// The shorter wins are proven again, by the rules alone.
#[test]
fn wins_in_two_are_proven_by_the_rules() {
    for (rules, moves, text) in wins() {
        if moves == 2
            && let AnyPosition::Tablut(position) = parse(rules, &text)
        {
            assert!(forces(&position, 2) && !forces(&position, 1), "{rules} {text}");
        }
    }
}

/// Whether the side to move wins with at most so many moves, whatever the
/// replies.
fn forces(position: &Position, moves: u32) -> bool {
    let side = position.side();
    if moves == 1 && position.to_move() == Army::White {
        return position.king_escapes() > 0;
    }
    position.legal_moves().into_iter().any(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        match after.turn() {
            Turn::Over(end) => end.winner == Some(side),
            _ if moves == 1 => false,
            _ => after.legal_moves().into_iter().all(|reply| {
                let mut next = after.clone();
                next.play_unchecked(reply);
                match next.turn() {
                    Turn::Over(end) => end.winner == Some(side),
                    _ => forces(&next, moves - 1),
                }
            }),
        }
    })
}

/// At each end White can repeat the position, which is a draw, and everything else is
/// worse for it.
#[test]
fn the_side_that_is_worse_takes_a_draw() {
    let opening = "e6-d6 f1-f4 g5-g9 d9-b9 e3-f3 i6-g6 f5-f8 g6-g7 d6-g6 h5-g5 e5-f5 a6-g6 f5-f7 \
                   i5-i8 g9-h9 i8-h8 e4-g4";
    let games = [
        ("e1-f1 c5-c9 f1-e1", "c9-c5", -200),
        ("d1-d3 d5-d8 g6-b6 e7-c7 b6-g6", "c7-e7", -300),
        ("d1-d3 d5-d8 e2-g2 c5-c6 g2-g3 f3-f4 i4-i6 h9-i9 i6-i4", "i9-h9", -400),
    ];
    for (plies, draw, score) in games {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        for ply in opening.split_whitespace().chain(plies.split(' ')) {
            let ply = history.parse(ply).expect("a legal ply");
            history.push(ply).expect("a legal ply");
        }
        let last = last_info(&history, 120_000).expect("an iteration");
        assert_eq!(last.pv.first().map(ToString::to_string).as_deref(), Some(draw), "{last:?}");
        // A draw scores minus the contempt.
        assert_eq!(last.score, Score::Points(score), "{plies}");
    }
}

/// Writes the file of wins to stdout:
/// `cargo test --release -p tabulae-engines --test engines -- --ignored --nocapture generate`.
#[test]
#[ignore = "generates the test's data in some minutes"]
fn generate_forced_wins() {
    println!("# Forced wins: rules, moves of the winning side, position.");
    println!("# Made by generate_forced_wins in tablut_wins.rs.");
    for rules in TABLUTS {
        let mut wanted =
            BTreeMap::from([((2, true), 6), ((2, false), 6), ((3, true), 6), ((3, false), 6)]);
        for seed in 0..400 {
            if wanted.values().all(|left| *left == 0) {
                break;
            }
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut history = GameHistory::new(AnyPosition::start(rules));
            let opening = rng.random_range(4..12);
            let mut is_taken = false;
            while history.len() < 120 && !is_taken {
                let moves = history.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut mv = moves[rng.random_range(0..moves.len())];
                if history.len() >= opening {
                    let Some(last) = last_info(&history, 4000) else { break };
                    if let (Score::Win(plies @ (3 | 5)), AnyPosition::Tablut(position)) =
                        (last.score, history.position())
                    {
                        let own = plies.div_ceil(2);
                        let white = position.to_move() == Army::White;
                        let left = wanted.get_mut(&(own, white)).expect("an entry");
                        if *left > 0 && forces(position, own) && !forces(position, own - 1) {
                            *left -= 1;
                            // One position a game: the next is much the same.
                            is_taken = true;
                            println!("{rules} {own} {position}");
                        }
                    }
                    // Sometimes a random move, so that not only good play occurs.
                    if rng.random_range(0..6) > 0 {
                        mv = last.pv[0];
                    }
                }
                history.push(Ply::Move(mv)).expect("legal");
            }
        }
    }
}
