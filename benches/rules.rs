//! Benchmarks of the rules' move generation (perft):
//! `cargo bench --no-default-features --bench rules`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabulae::games::{AnyPosition, RuleSet, perft};

/// Each game without throws, to a depth of some hundred thousand nodes.
const DEPTHS: [(RuleSet, u32); 4] = [
    (RuleSet::TablutBerkeley, 3),
    (RuleSet::TablutAshton, 3),
    (RuleSet::TablutLinnaeus, 3),
    (RuleSet::Tablaaza, 5),
];

fn perft_speed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(20);
    for (rules, depth) in DEPTHS {
        let start = AnyPosition::start(rules);
        group.throughput(Throughput::Elements(perft(&start, depth)));
        group.bench_function(format!("{rules} {depth}"), |bencher| {
            bencher.iter(|| perft(black_box(&start), depth));
        });
    }
    group.finish();
}

criterion_group!(benches, perft_speed);
criterion_main!(benches);
