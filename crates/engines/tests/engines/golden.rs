//! Fixed searches have fixed answers, on every platform: the same move, score, depth and
//! number of nodes.
//!
//! A change of a search changes the answers. The test then prints the new ones, in the
//! form of the table below.

use tabulae_engines::{
    EngineOptions, Info, Level, Request, Score, SearchLimits, StopSignal, search,
};
use tabulae_games::{AnyPosition, GameHistory, RuleSet};

/// A search and its answer: rules, position, level, nodes; then move, score, depth and
/// nodes of the last iteration.
type Golden = (RuleSet, &'static str, Level, u64, &'static str);

/// Levels with random errors, a search of each kind, and Tablan's networks.
#[rustfmt::skip]
const GOLDEN: [Golden; 22] = [
    (RuleSet::TablutBerkeley, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Newcomer, 5000, "c5-c3 cp 138 depth 1 nodes 50"),
    (RuleSet::TablutBerkeley, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Expert, 20000, "c5-c3 cp 132 depth 3 nodes 3114"),
    (RuleSet::TablutBerkeley, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Master, 20000, "c5-c3 cp 147 depth 8 nodes 11535"),
    (RuleSet::TablutAshton, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Newcomer, 5000, "c5-c3 cp -343 depth 1 nodes 50"),
    (RuleSet::TablutAshton, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Expert, 20000, "c5-c3 cp -319 depth 3 nodes 8039"),
    (RuleSet::TablutAshton, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Master, 20000, "c5-c3 cp -341 depth 8 nodes 17416"),
    (RuleSet::TablutLinnaeus, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Newcomer, 5000, "c5-c3 cp -4 depth 1 nodes 50"),
    (RuleSet::TablutLinnaeus, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Expert, 20000, "c5-c3 cp 3 depth 3 nodes 4401"),
    (RuleSet::TablutLinnaeus, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w", Level::Master, 20000, "c5-c3 cp -4 depth 9 nodes 16542"),
    (RuleSet::Tablan, "NNNN2NN1N2/N4N2NN2/2S1NS2S3/SSSSS1S1SS2 n t1", Level::Newcomer, 5000, "g4-f4+j4-i4 cp 39 depth 1 nodes 26"),
    (RuleSet::Tablan, "NNNN2NN1N2/N4N2NN2/2S1NS2S3/SSSSS1S1SS2 n t1", Level::Expert, 5000, "e2xc2 cp 45 depth 1 nodes 26"),
    (RuleSet::Tablan, "NNNN2NN1N2/N4N2NN2/2S1NS2S3/SSSSS1S1SS2 n t1", Level::Master, 20000, "e2xc2 cp 44 depth 3 nodes 6604"),
    (RuleSet::TablanOrdered, "NNNN2NN1N2/N4N2NN2/2S1NS2S3/SSSSS1S1SS2 n t1", Level::Newcomer, 5000, "i3-k3 cp 5 depth 1 nodes 26"),
    (RuleSet::TablanOrdered, "NNNN2NN1N2/N4N2NN2/2S1NS2S3/SSSSS1S1SS2 n t1", Level::Expert, 5000, "e2xc2 cp 10 depth 1 nodes 26"),
    (RuleSet::TablanOrdered, "NNNN2NN1N2/N4N2NN2/2S1NS2S3/SSSSS1S1SS2 n t1", Level::Master, 20000, "e2xc2 cp 6 depth 3 nodes 2906"),
    (RuleSet::Tablan, "N11/12/12/S3S7 s t1", Level::Master, 20000, "e1-f1+a1-b1 cp -1 depth 100 nodes 6634"),
    (RuleSet::Tablaaza, "r1r1r2g/1r5r/rg~g1~rg/gr~1g~gr/rg~2~1g/grg1g2r/8 r", Level::Newcomer, 5000, "g7 cp -30 depth 1 nodes 13"),
    (RuleSet::Tablaaza, "r1r1r2g/1r5r/rg~g1~rg/gr~1g~gr/rg~2~1g/grg1g2r/8 r", Level::Expert, 20000, "d4 cp 60 depth 4 nodes 1386"),
    (RuleSet::Tablaaza, "r1r1r2g/1r5r/rg~g1~rg/gr~1g~gr/rg~2~1g/grg1g2r/8 r", Level::Master, 20000, "f2 mate 13 depth 26 nodes 6217"),
    (RuleSet::Tablaaza, "2r2g2/2gr1r2/2~g1~2/2~2~1r/rg~gr~2/g5g1/1gr3r1 r", Level::Newcomer, 5000, "d4 cp 50 depth 1 nodes 17"),
    (RuleSet::Tablaaza, "2r2g2/2gr1r2/2~g1~2/2~2~1r/rg~gr~2/g5g1/1gr3r1 r", Level::Expert, 20000, "d4 cp 50 depth 4 nodes 2553"),
    (RuleSet::Tablaaza, "2r2g2/2gr1r2/2~g1~2/2~2~1r/rg~gr~2/g5g1/1gr3r1 r", Level::Master, 20000, "b6 cp 50 depth 7 nodes 14298"),
];

fn answer(rules: RuleSet, position: &str, level: Level, nodes: u64) -> String {
    let start = AnyPosition::parse(rules, position).expect("a position");
    let request = Request {
        history: GameHistory::new(start),
        limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
        options: EngineOptions { level, seed: 48, hash_mib: 4, ..EngineOptions::default() },
    };
    let mut last: Option<Info> = None;
    let best = search(&request, &StopSignal::default(), &mut |info| last = Some(info.clone()));
    let (best, info) = (best.expect("a move"), last.expect("a report"));
    let score: Score = info.score;
    format!("{best} {score} depth {} nodes {}", info.depth, info.nodes)
}

#[test]
fn fixed_searches_have_fixed_answers_on_every_platform() {
    let mut is_same = true;
    for (rules, position, level, nodes, expected) in GOLDEN {
        let found = answer(rules, position, level, nodes);
        println!("    (RuleSet::{rules:?}, {position:?}, Level::{level:?}, {nodes}, {found:?}),");
        is_same &= found == expected;
    }
    assert!(is_same, "the answers above are not those of the table");
}
