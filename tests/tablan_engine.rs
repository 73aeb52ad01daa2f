//! The Tablan engine from outside: where the end is worked out, it is worked
//! out rightly.

use std::collections::HashMap;

use tabulae::{
    engines::{EngineOptions, Info, Level, Request, Score, SearchLimits, StopSignal, search},
    games::{
        AnyMove, AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn,
        tablan::{ORDERED, PLAIN, Position},
    },
};

/// Equities for South of every position that can follow, by the rules' own code
/// and patience: averages over averages until they stay the same.
struct Table {
    places: HashMap<Position, usize>,
    values: Vec<f64>,
}

impl Table {
    fn of(start: &Position) -> Self {
        let mut table = Self { places: HashMap::new(), values: Vec::new() };
        let mut positions = vec![start.clone()];
        table.places.insert(start.clone(), 0);
        // What follows each position: South's choice, North's, or a draw by lot.
        let mut next: Vec<(Turn, Vec<(usize, f64)>)> = Vec::new();
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
                let fresh = table.places.len();
                let place = *table.places.entry(position.clone()).or_insert(fresh);
                if place == fresh {
                    positions.push(position);
                }
                edges.push((place, weight));
            }
            next.push((position.turn(), edges));
        }
        table.values = vec![0.0; positions.len()];
        loop {
            let mut change = 0.0f64;
            // Later positions were found later: from the end it goes quickest.
            for (place, (turn, edges)) in next.iter().enumerate().rev() {
                let values = edges.iter().map(|&(place, _)| table.values[place]);
                let value = match turn {
                    Turn::Over(end) => match end.winner {
                        None => 0.0,
                        Some(Side::First) => 1.0,
                        Some(Side::Second) => -1.0,
                    },
                    Turn::Move(Side::First) => values.fold(f64::NEG_INFINITY, f64::max),
                    Turn::Move(Side::Second) => values.fold(f64::INFINITY, f64::min),
                    Turn::Throw(_) => {
                        edges.iter().map(|&(place, weight)| weight * table.values[place]).sum()
                    }
                };
                change = change.max((value - table.values[place]).abs());
                table.values[place] = value;
            }
            if change < 1e-13 {
                return table;
            }
        }
    }

    fn value(&self, position: &Position) -> f64 {
        self.values[self.places[position]]
    }
}

fn answer(position: &Position, limits: SearchLimits) -> (AnyMove, Vec<Info>) {
    let request = Request {
        line: GameHistory::new(AnyPosition::Tablan(position.clone())),
        limits,
        options: EngineOptions { level: Level::Master, hash_mib: 2, ..EngineOptions::default() },
    };
    let mut infos = Vec::new();
    let best = search(&request, &StopSignal::default(), &mut |info| infos.push(info.clone()));
    (best.expect("a move is due"), infos)
}

#[test]
fn the_run_in_is_played_perfectly() {
    let (mut choices, mut hard) = (0, 0);
    for (rules, text) in [
        (PLAIN, "2SS4S3/3N1S5S/5N6/NN1N7N s"),
        (PLAIN, "SSSS8/8S2S/N4N6/1NNN8 n"),
        (PLAIN, "SSS9/6N1S3/3S8/9NNN n"),
        (ORDERED, "SSSS8/7S2S1/1N4N5/7NNNNN s"),
        (ORDERED, "SSS9/2N1S7/5N2S3/10NN n"),
    ] {
        let start = Position::parse(rules, text).unwrap();
        let table = Table::of(&start);
        assert!(table.values.len() > 200, "{text}: {}", table.values.len());
        let mut positions: Vec<_> = table.places.keys().collect();
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
            let (most, got) = (sign * table.value(position), sign * table.value(&after));
            assert!(got > most - 1e-6, "{position}: {best} is worth {got}, not {most}");
            match last.score {
                Score::Points(points) => assert!((f64::from(points) - 100.0 * most).abs() < 0.51),
                Score::Win(_) => assert!(most > 1.0 - 1e-9),
                Score::Loss(_) => assert!(most < 1e-9 - 1.0),
            }
            choices += 1;
            hard += usize::from(most.abs() < 0.99);
        }
    }
    assert!(choices > 40 && hard > 15, "{choices} {hard}");
}

#[test]
fn what_is_only_judged_is_not_called_exact() {
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        let mut line = GameHistory::new(AnyPosition::start(rules));
        line.push(Ply::Throw(Throw::ALL[1])).unwrap();
        let AnyPosition::Tablan(position) = line.position() else { panic!("{rules}") };
        let depth = SearchLimits { depth: Some(3), ..SearchLimits::default() };
        let (_, infos) = answer(position, depth);
        assert!(infos.len() > 1 && infos.iter().all(|info| !info.exact), "{infos:?}");
        for info in infos {
            assert!(matches!(info.score, Score::Points(-50..=50)), "{info:?}");
        }
    }
}
