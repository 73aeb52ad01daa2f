//! Whom it sees, and what that is worth.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::{
    super::{state::SCORES, throws::throw},
    *,
};
use crate::engines::{EngineOptions, Level, Request, Score, SearchLimits, StopSignal, search};
use crate::games::{
    AnyMove, Throw, Turn,
    tablan::{ORDERED, PLAIN, Position},
};

/// How South chooses in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum South {
    Plays(Style),
    /// By the network's word, misjudging by so much at most.
    Judges(f32),
}

impl South {
    fn choose(self, state: State, score: u8, rng: &mut ChaCha8Rng) -> State {
        let doubt = match self {
            Self::Plays(style) => {
                let choices = style.choices(state, score);
                return choices[rng.random_range(0..choices.len())];
            }
            Self::Judges(doubt) => doubt,
        };
        let layer = weights(state.ordered).layer(inputs(state));
        let felt = |after, rng: &mut ChaCha8Rng| {
            judge(weights(state.ordered), &layer, after).tanh() + doubt * rng.random::<f32>()
        };
        let all = Style::Random.choices(state, score);
        let felt: Vec<_> = all.into_iter().map(|after| (felt(after, rng), after)).collect();
        felt.into_iter().max_by(|one, other| one.0.total_cmp(&other.0)).unwrap().1
    }
}

/// A game in which North moves at random, up to South's nth choice.
fn game(ordered: bool, south: South, choices: usize, seed: u64) -> GameHistory<AnyPosition> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rules = if ordered { ORDERED } else { PLAIN };
    let start = Position::with_first_thrower(rules, Side::First);
    let (mut line, mut made) = (GameHistory::new(AnyPosition::Tablan(start)), 0);
    while made < choices {
        let ply = match line.turn() {
            Turn::Over(_) => break,
            Turn::Throw(_) => {
                Ply::Throw(Throw::ALL[(rng.random::<u8>() & 15).count_ones() as usize])
            }
            Turn::Move(side) => {
                let AnyPosition::Tablan(position) = line.position() else { unreachable!() };
                let (moves, state) = (position.legal_moves(), State::of(position));
                let score = position.pending().unwrap().score();
                Ply::Move(AnyMove::Tablan(if side == Side::First {
                    made += 1;
                    let chosen = south.choose(state, score, &mut rng);
                    let leads = |mv| {
                        let mut after = position.clone();
                        after.apply(mv).unwrap();
                        after.places(side) == chosen.own
                    };
                    moves.into_iter().find(|&mv| leads(mv)).unwrap()
                } else {
                    moves[rng.random_range(0..moves.len())]
                }))
            }
        };
        line.push(ply).unwrap();
    }
    line
}

#[test]
fn a_style_shows_itself_and_is_not_seen_where_it_is_not() {
    for ordered in [false, true] {
        for south in [
            South::Plays(Style::Greedy),
            South::Plays(Style::Random),
            South::Judges(0.0),
            South::Judges(0.1),
        ] {
            let told = |seed| style(&game(ordered, south, 30, seed), Side::First, ordered);
            let styles: Vec<_> = (0..20).map(told).collect();
            let seen = |wanted| styles.iter().filter(|style| **style == wanted).count();
            match south {
                South::Plays(style) => {
                    assert!(seen(Some(style)) >= 18, "{ordered} {south:?} {styles:?}");
                }
                South::Judges(_) => {
                    assert!(seen(None) >= 19, "{ordered} {south:?} {styles:?}");
                }
            }
        }
    }
}

/// What reading the other side is worth to who plays by a glance, against
/// players of several kinds:
///
/// ```sh
/// cargo test --release --no-default-features --lib what_reading_is_worth -- \
///     --ignored --nocapture
/// ```
#[test]
#[ignore = "a minute; wants a release build"]
fn what_reading_is_worth() {
    let kinds = [
        South::Plays(Style::Greedy),
        South::Plays(Style::Random),
        South::Judges(0.0),
        South::Judges(0.1),
        South::Judges(0.24),
        South::Judges(0.48),
        South::Judges(1.4),
    ];
    for ordered in [false, true] {
        for south in kinds {
            let points = [false, true].map(|reads| {
                let games = 10_000;
                let played = (0..games).map(|seed| glance_game(ordered, south, reads, seed));
                let (mut points, mut seen) = (0.0, [0.0; 3]);
                for (result, style) in played {
                    points += 50.0 * (1.0 - result);
                    seen[style.map_or(0, |style| 1 + style as usize)] += 1.0;
                }
                (points / games as f32, seen.map(|seen| 100.0 * seen / games as f32))
            });
            let [(alone, _), (reading, [none, greedy, random])] = points;
            println!(
                "ordered {ordered}, {south:?}: {alone:.2} % of the points, reading \
                 {reading:.2} %; at the end held for sound {none:.1}, greedy {greedy:.1}, \
                 random {random:.1} %"
            );
        }
    }
}

/// The result for South of a game in which North plays by a glance, and
/// what North holds him for at its end.
fn glance_game(ordered: bool, south: South, reads: bool, seed: u64) -> (f32, Option<Style>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Seen by South; the first score is a 2, South's in every other game.
    let (mut state, mut thrower) = (State::start(ordered), seed as usize % 2);
    let mut first = Some((0, 0));
    let mut reading = Reading::new();
    loop {
        let sides = [state, state.turned()];
        let usable = [0, 1].map(|at| SCORES.map(|(score, _)| sides[at ^ thrower].can_use(score)));
        if usable == [[false; 3]; 2] {
            return (state.standing(), reading.style());
        }
        let (scorer, score) = first.take().unwrap_or_else(|| throw(&mut rng, usable));
        thrower ^= scorer;
        let (board, score) = (sides[thrower], SCORES[score].0);
        state = if thrower == 0 {
            let chosen = south.choose(board, score, &mut rng);
            if reads {
                reading.see(weights(ordered), board, score, chosen);
            }
            chosen
        } else {
            let rival = reading.style().and_then(|style| Rival::new(style, ordered));
            let network = rival.map_or_else(|| weights(ordered), |rival| rival.own);
            let layer = network.layer(inputs(board));
            let worth = |after: &State| judge(network, &layer, *after);
            let choices = Style::Random.choices(board, score).into_iter();
            let best = choices.max_by(|one, other| worth(one).total_cmp(&worth(other)));
            best.unwrap().turned()
        };
        if let Some(result) = state.result() {
            return (result, reading.style());
        }
    }
}

#[test]
fn nothing_is_told_before_anybody_has_chosen() {
    let line = GameHistory::new(AnyPosition::Tablan(Position::start(PLAIN)));
    assert_eq!(style(&line, Side::First, false), None);
    // Nor by the other side's choices.
    let line = game(false, South::Plays(Style::Greedy), 12, 1);
    assert_eq!(style(&line, Side::First, false), Some(Style::Greedy));
    assert_ne!(style(&line, Side::Second, false), Some(Style::Greedy));
}

#[test]
fn master_plays_on_what_it_has_read_and_a_judge_does_not() {
    let mut line = game(true, South::Plays(Style::Greedy), 30, 2);
    // Until North has a choice.
    while line.turn() != Turn::Move(Side::Second) || line.legal_moves().len() < 9 {
        line.undo();
    }
    let told = |level, adapt| {
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let options = EngineOptions { level, adapt, ..EngineOptions::default() };
        let request = Request { line: line.clone(), limits, options };
        let mut told = None;
        search(&request, &StopSignal::default(), &mut |info| told = Some(info.score));
        told
    };
    let sure = |told| matches!(told, Some(Score::Points(points)) if points > 60);
    let [master, judge] = [true, false].map(|adapt| told(Level::Master, adapt));
    assert!(sure(master) && !sure(judge), "{master:?} {judge:?}");
    assert!(!sure(told(Level::Expert, true)));
}

#[test]
fn the_weights_that_ship_know_whom_they_are_against() {
    for (style, ordered, least) in
        [(Style::Greedy, false, 0.4), (Style::Random, false, 0.85), (Style::Greedy, true, 0.85)]
    {
        let [own, theirs] = weights_against(style, ordered).unwrap();
        let start = inputs(State::start(ordered));
        let [mine, his] = [own, theirs].map(|net| net.sum(&net.layer(start).sums).tanh());
        assert!(mine > least && his < -least, "{style} {ordered}: {mine} {his}");
    }
    assert!(weights_against(Style::Random, true).is_none());
}
