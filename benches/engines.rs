//! Benchmarks of the engines:
//! `cargo bench --no-default-features --bench engines`.
//!
//! Every search has one thread and ends at a number of nodes, a depth or a
//! proof, never at a time: the work is always the same.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tabulae::{
    engines::{EngineOptions, Request, SearchLimits, StopSignal, search},
    games::{AnyMove, AnyPosition, GameHistory, Ply, RuleSet, Throw},
};

const FULL_STRENGTH: EngineOptions =
    EngineOptions { contempt: true, ..EngineOptions::for_analysis(64) };

fn best_move(history: &GameHistory<AnyPosition>, limits: SearchLimits) -> Option<AnyMove> {
    let request = Request { history: history.clone(), limits, options: FULL_STRENGTH };
    search(black_box(&request), &StopSignal::default(), &mut |_| ())
}

fn start(rules: RuleSet) -> GameHistory<AnyPosition> {
    GameHistory::new(AnyPosition::start(rules))
}

/// Nodes per second from the start position.
fn nodes_per_second(criterion: &mut Criterion) {
    const NODES: u64 = 200_000;
    let mut group = criterion.benchmark_group("nodes");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    let limits = SearchLimits { nodes: Some(NODES), ..SearchLimits::default() };
    for rules in
        [RuleSet::TablutBerkeley, RuleSet::TablutAshton, RuleSet::TablutLinnaeus, RuleSet::Tablaaza]
    {
        let history = start(rules);
        group.bench_function(rules.id(), |bencher| bencher.iter(|| best_move(&history, limits)));
    }
    group.finish();
}

/// The start position to a fixed depth.
fn fixed_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("depth");
    group.sample_size(10);
    for (rules, depth) in
        [(RuleSet::TablutBerkeley, 6), (RuleSet::TablutAshton, 6), (RuleSet::TablutLinnaeus, 6)]
    {
        let history = start(rules);
        let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
        let id = BenchmarkId::new(rules.id(), depth);
        group.bench_function(id, |bencher| bencher.iter(|| best_move(&history, limits)));
    }
    group.finish();
}

/// The exact solver, on endgames of the vectors by their number of free squares.
fn solver(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("proof");
    group.sample_size(10);
    let mut last = 0;
    for case in include_str!("../tests/vectors/tablaaza-endgames.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(case).expect("a case");
        let empties = case["empties"].as_u64().expect("a number");
        if empties <= last || empties < 12 {
            continue;
        }
        last = empties;
        let text = case["fen"].as_str().expect("a position");
        let position = AnyPosition::parse(RuleSet::Tablaaza, text).expect("a position");
        let history = GameHistory::new(position);
        let id = BenchmarkId::new("tablaaza", empties);
        group.bench_function(id, |bencher| {
            bencher.iter(|| best_move(&history, SearchLimits::default()));
        });
    }
    group.finish();
}

/// A move of Tablan's first turn, searched two throws deep.
fn expectimax(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decision");
    group.sample_size(20);
    let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        let mut history = start(rules);
        history.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
        group.bench_function(rules.id(), |bencher| bencher.iter(|| best_move(&history, limits)));
    }
    group.finish();
}

criterion_group!(benches, nodes_per_second, fixed_depth, solver, expectimax);
criterion_main!(benches);
