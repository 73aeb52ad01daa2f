//! Fixed searches have fixed answers, on every platform: the same move, score, depth and
//! number of nodes.
//!
//! A change of a search changes the answers. The test then prints the new ones, in the
//! form of `tests/vectors/engine-searches.jsonl`. `tests/web/engine.test.mjs` asks the
//! page's engine, which is compiled to wasm32, for the same answers.

use serde::{Deserialize, Serialize};

use crate::vectors::cases;
use tabulae_engines::{EngineOptions, Info, Level, Request, SearchLimits, StopSignal, search};
use tabulae_games::{AnyMove, AnyPosition, GameHistory, RuleSet};

/// A search and its answer: levels with random errors, a search of each kind, and Tablan's
/// networks.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Golden {
    rules: RuleSet,
    position: String,
    level: Level,
    nodes: u64,
    /// The move, as the page's engine sends it.
    best: Option<AnyMove>,
    /// Move, score, depth and nodes of the last iteration.
    answer: String,
}

impl Golden {
    /// The search with today's answer.
    fn searched(self) -> Self {
        let start = AnyPosition::parse(self.rules, &self.position).expect("a position");
        let (level, nodes) = (self.level, Some(self.nodes));
        let request = Request {
            history: GameHistory::new(start),
            limits: SearchLimits { nodes, ..SearchLimits::default() },
            options: EngineOptions { level, seed: 48, hash_mib: 4, ..EngineOptions::default() },
        };
        let mut last: Option<Info> = None;
        let best = search(&request, &StopSignal::default(), &mut |info| last = Some(info.clone()));
        let (mv, info) = (best.expect("a move"), last.expect("a report"));
        let answer = format!("{mv} {} depth {} nodes {}", info.score, info.depth, info.nodes);
        Self { best, answer, ..self }
    }
}

#[test]
fn fixed_searches_have_fixed_answers_on_every_platform() {
    let mut is_same = true;
    for case in cases("engine-searches.jsonl") {
        let golden: Golden = serde_json::from_value(case).expect("a search");
        let found = golden.clone().searched();
        is_same &= found == golden;
        println!("{}", serde_json::to_string(&found).expect("a text"));
    }
    assert!(is_same, "the answers above are not those of the file");
}
