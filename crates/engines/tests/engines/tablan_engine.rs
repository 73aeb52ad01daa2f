//! The Tablan engine's solved endgames, compared with value iteration over the
//! rules.

use std::collections::HashMap;

use tabulae_engines::{
    EngineOptions, Info, Level, Request, Score, SearchLimits, StopSignal, search,
};
use tabulae_games::{
    AnyMove, AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn,
    tablan::{ORDERED, PLAIN, Position},
};

/// South's equities of a position and all that can follow it, by value iteration
/// over the rules' own code.
struct ValueIteration {
    indices: HashMap<Position, usize>,
    equities: Vec<f64>,
}

impl ValueIteration {
    fn run(start: &Position) -> Self {
        let mut table = Self { indices: HashMap::new(), equities: Vec::new() };
        let mut positions = vec![start.clone()];
        table.indices.insert(start.clone(), 0);
        // The edges of each position: South's choice, North's, or weighted chance.
        let mut graph: Vec<(Turn, Vec<(usize, f64)>)> = Vec::new();
        let mut at = 0;
        while at < positions.len() {
            let position = positions[at].clone();
            at += 1;
            let mut after: Vec<(Position, f64)> = Vec::new();
            for &(throw, weight) in position.outcomes() {
                let mut thrown = position.clone();
                thrown.apply_throw(throw).unwrap();
                after.push((thrown, f64::from(weight) / 16.0));
            }
            for mv in position.legal_moves() {
                let mut moved = position.clone();
                moved.apply(mv).unwrap();
                after.push((moved, 1.0));
            }
            let mut edges = Vec::new();
            for (position, weight) in after {
                let next_index = table.indices.len();
                let index = *table.indices.entry(position.clone()).or_insert(next_index);
                if index == next_index {
                    positions.push(position);
                }
                edges.push((index, weight));
            }
            graph.push((position.turn(), edges));
        }
        table.equities = vec![0.0; positions.len()];
        loop {
            let mut change = 0.0f64;
            // Later positions have higher indices, so reverse order converges fastest.
            for (index, (turn, edges)) in graph.iter().enumerate().rev() {
                let values = edges.iter().map(|&(index, _)| table.equities[index]);
                let value = match turn {
                    Turn::Over(end) => match end.winner {
                        None => 0.0,
                        Some(Side::First) => 1.0,
                        Some(Side::Second) => -1.0,
                    },
                    Turn::Move(Side::First) => values.fold(f64::NEG_INFINITY, f64::max),
                    Turn::Move(Side::Second) => values.fold(f64::INFINITY, f64::min),
                    Turn::Throw(_) => {
                        edges.iter().map(|&(index, weight)| weight * table.equities[index]).sum()
                    }
                };
                change = change.max((value - table.equities[index]).abs());
                table.equities[index] = value;
            }
            if change < 1e-13 {
                return table;
            }
        }
    }

    fn equity(&self, position: &Position) -> f64 {
        self.equities[self.indices[position]]
    }
}

fn answer(position: &Position, limits: SearchLimits) -> (AnyMove, Vec<Info>) {
    let request = Request {
        history: GameHistory::new(AnyPosition::Tablan(position.clone())),
        limits,
        options: EngineOptions { level: Level::Master, hash_mib: 2, ..EngineOptions::default() },
    };
    let mut infos = Vec::new();
    let best = search(&request, &StopSignal::default(), &mut |info| infos.push(info.clone()));
    (best.expect("a move is due"), infos)
}

#[test]
fn solved_endgames_are_played_perfectly() {
    let (mut decisions, mut undecided) = (0, 0);
    for (rules, text) in [
        (PLAIN, "2SS4S3/3N1S5S/5N6/NN1N7N s"),
        (PLAIN, "SSSS8/8S2S/N4N6/1NNN8 n"),
        (PLAIN, "SSS9/6N1S3/3S8/9NNN n"),
        (ORDERED, "SSSS8/7S2S1/1N4N5/7NNNNN s"),
        (ORDERED, "SSS9/2N1S7/5N2S3/10NN n"),
    ] {
        let start = Position::parse(rules, text).unwrap();
        let table = ValueIteration::run(&start);
        assert!(table.equities.len() > 200, "{text}: {}", table.equities.len());
        let mut positions: Vec<_> = table.indices.keys().collect();
        positions.sort_unstable_by_key(|position| position.key());
        let moving = positions.into_iter().filter(|one| one.legal_moves().len() > 1);
        for position in moving.step_by(17) {
            let sign = if position.side() == Side::First { 1.0 } else { -1.0 };
            let (best, infos) = answer(position, SearchLimits::default());
            let last = infos.last().unwrap();
            assert!(last.exact && last.pv == [best], "{position}");
            let mut after = position.clone();
            let AnyMove::Tablan(mv) = best else { panic!("{best}") };
            after.apply(mv).unwrap();
            let (most, got) = (sign * table.equity(position), sign * table.equity(&after));
            assert!(got > most - 1e-6, "{position}: {best} has equity {got}, not {most}");
            match last.score {
                Score::Points(points) => assert!((f64::from(points) - 100.0 * most).abs() < 0.51),
                Score::Win(_) => assert!(most > 1.0 - 1e-9),
                Score::Loss(_) => assert!(most < 1e-9 - 1.0),
            }
            decisions += 1;
            undecided += usize::from(most.abs() < 0.99);
        }
    }
    assert!(decisions > 40 && undecided > 15, "{decisions} {undecided}");
}

#[test]
fn unsolved_positions_are_not_reported_as_exact() {
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        history.push(Ply::Throw(Throw::ALL[1])).unwrap();
        let AnyPosition::Tablan(position) = history.position() else { panic!("{rules}") };
        let depth = SearchLimits { depth: Some(3), ..SearchLimits::default() };
        let (_, infos) = answer(position, depth);
        assert!(infos.len() > 1 && infos.iter().all(|info| !info.exact), "{infos:?}");
        for info in infos {
            assert!(matches!(info.score, Score::Points(-50..=50)), "{info:?}");
        }
    }
}
