//! Which styles are recognised, and what that is worth.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::{
    super::{board::SCORES, throws::throw_until_usable},
    *,
};
use crate::{EngineOptions, Level, Request, Score, SearchLimits, StopSignal, search};
use tabulae_games::{
    AnyMove, Throw, Turn,
    tablan::{ORDERED, PLAIN, Position},
};

/// How South plays in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum South {
    Style(Style),
    /// By the network without look-ahead, with up to this much noise.
    Noisy(f32),
}

impl South {
    fn choose(self, board: Board, score: u8, rng: &mut ChaCha8Rng) -> Board {
        let noise = match self {
            Self::Style(style) => {
                let choices = style.choices(board, score);
                return choices[rng.random_range(0..choices.len())];
            }
            Self::Noisy(noise) => noise,
        };
        let network = builtin_network(board.ordered);
        let parent = network.accumulate(inputs(board));
        let noisy = |after, rng: &mut ChaCha8Rng| {
            equity_of(evaluate_raw(network, &parent, after)) + noise * rng.random::<f32>()
        };
        let all = Style::Random.choices(board, score);
        let noisy: Vec<_> = all.into_iter().map(|after| (noisy(after, rng), after)).collect();
        noisy.into_iter().max_by(|one, other| one.0.total_cmp(&other.0)).unwrap().1
    }
}

/// A game in which North moves at random, up to South's nth move.
fn game(ordered: bool, south: South, choices: usize, seed: u64) -> GameHistory<AnyPosition> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rules = if ordered { ORDERED } else { PLAIN };
    let start = Position::with_first_thrower(rules, Side::First);
    let (mut history, mut made) = (GameHistory::new(AnyPosition::Tablan(start)), 0);
    while made < choices {
        let ply = match history.turn() {
            Turn::Over(_) => break,
            Turn::Throw(_) => {
                Ply::Throw(Throw::ALL[(rng.random::<u8>() & 15).count_ones() as usize])
            }
            Turn::Move(side) => {
                let AnyPosition::Tablan(position) = history.position() else { unreachable!() };
                let (moves, board) = (position.legal_moves(), Board::from_position(position));
                let score = position.pending().unwrap().score();
                Ply::Move(AnyMove::Tablan(if side == Side::First {
                    made += 1;
                    let chosen = south.choose(board, score, &mut rng);
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
        history.push(ply).unwrap();
    }
    history
}

#[test]
fn weak_styles_are_recognised_and_sound_play_is_not_mistaken_for_one() {
    for ordered in [false, true] {
        for south in [
            South::Style(Style::Greedy),
            South::Style(Style::Random),
            South::Noisy(0.0),
            South::Noisy(0.1),
        ] {
            let style_of =
                |seed| infer_style(&game(ordered, south, 30, seed), Side::First, ordered);
            let styles: Vec<_> = (0..20).map(style_of).collect();
            let seen = |wanted| styles.iter().filter(|style| **style == wanted).count();
            match south {
                South::Style(style) => {
                    assert!(seen(Some(style)) >= 18, "{ordered} {south:?} {styles:?}");
                }
                South::Noisy(_) => {
                    assert!(seen(None) >= 19, "{ordered} {south:?} {styles:?}");
                }
            }
        }
    }
}

/// Prints what the opponent model is worth to a player without look-ahead,
/// against players of several kinds:
///
/// ```sh
/// cargo test --release --no-default-features --lib measure_opponent_modelling -- \
///     --ignored --nocapture
/// ```
#[test]
#[ignore = "takes a minute; run in a release build"]
fn measure_opponent_modelling() {
    let kinds = [
        South::Style(Style::Greedy),
        South::Style(Style::Random),
        South::Noisy(0.0),
        South::Noisy(0.1),
        South::Noisy(0.24),
        South::Noisy(0.48),
        South::Noisy(1.4),
    ];
    for ordered in [false, true] {
        for south in kinds {
            let points = [false, true].map(|models| {
                let games = 10_000;
                let played = (0..games).map(|seed| static_game(ordered, south, models, seed));
                let (mut points, mut seen) = (0.0, [0.0; 3]);
                for (result, style) in played {
                    points += 50.0 * (1.0 - result);
                    seen[style.map_or(0, |style| 1 + style as usize)] += 1.0;
                }
                (points / games as f32, seen.map(|seen| 100.0 * seen / games as f32))
            });
            let [(without, _), (with, [none, greedy, random])] = points;
            println!(
                "ordered {ordered}, {south:?}: {without:.2} % of the points, with the model \
                 {with:.2} %; at the end taken for sound {none:.1}, greedy {greedy:.1}, \
                 random {random:.1} %"
            );
        }
    }
}

/// The result for South of a game in which North plays by the network without
/// look-ahead, and the style that North infers by its end.
fn static_game(ordered: bool, south: South, models: bool, seed: u64) -> (f32, Option<Style>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Seen by South; the first score is a 2, South's in every other game.
    let (mut board, mut thrower) = (Board::start(ordered), seed as usize % 2);
    let mut first = Some((0, 0));
    let mut posterior = StylePosterior::new();
    loop {
        let sides = [board, board.swap_sides()];
        let usable = [0, 1].map(|at| SCORES.map(|(score, _)| sides[at ^ thrower].can_move(score)));
        if usable == [[false; 3]; 2] {
            return (board.arrivals_result(), posterior.style());
        }
        let (scorer, score) = first.take().unwrap_or_else(|| throw_until_usable(&mut rng, usable));
        thrower ^= scorer;
        let (before, score) = (sides[thrower], SCORES[score].0);
        board = if thrower == 0 {
            let chosen = south.choose(before, score, &mut rng);
            if models {
                let observed = ObservedMove { before, score, after: chosen };
                posterior.update(builtin_network(ordered), observed);
            }
            chosen
        } else {
            let model = posterior.style().and_then(|style| OpponentModel::new(style, ordered));
            let network = model.map_or_else(|| builtin_network(ordered), |model| model.own_network);
            let parent = network.accumulate(inputs(before));
            let raw = |after: &Board| evaluate_raw(network, &parent, *after);
            let choices = Style::Random.choices(before, score).into_iter();
            let best = choices.max_by(|one, other| raw(one).total_cmp(&raw(other)));
            best.unwrap().swap_sides()
        };
        if let Some(result) = board.result() {
            return (result, posterior.style());
        }
    }
}

#[test]
fn a_style_is_inferred_from_the_sides_own_moves_only() {
    let history = GameHistory::new(AnyPosition::Tablan(Position::start(PLAIN)));
    assert_eq!(infer_style(&history, Side::First, false), None);
    // The other side's moves do not count.
    let history = game(false, South::Style(Style::Greedy), 12, 1);
    assert_eq!(infer_style(&history, Side::First, false), Some(Style::Greedy));
    assert_ne!(infer_style(&history, Side::Second, false), Some(Style::Greedy));
}

#[test]
fn master_exploits_a_weak_opponent_only_if_adapt_is_set() {
    let mut history = game(true, South::Style(Style::Greedy), 30, 2);
    // Back to a position where North has a choice.
    while history.turn() != Turn::Move(Side::Second) || history.legal_moves().len() < 9 {
        history.undo();
    }
    let score_of = |level, adapt| {
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let options = EngineOptions { level, adapt, ..EngineOptions::default() };
        let request = Request { history: history.clone(), limits, options };
        let mut score = None;
        search(&request, &StopSignal::default(), &mut |info| score = Some(info.score));
        score
    };
    let is_confident = |score| matches!(score, Some(Score::Points(points)) if points > 60);
    let [adapting, neutral] = [true, false].map(|adapt| score_of(Level::Master, adapt));
    assert!(is_confident(adapting) && !is_confident(neutral), "{adapting:?} {neutral:?}");
    assert!(!is_confident(score_of(Level::Expert, true)));
}

#[test]
fn exploiting_networks_expect_to_win_from_the_start() {
    for (style, ordered, least) in
        [(Style::Greedy, false, 0.4), (Style::Random, false, 0.85), (Style::Greedy, true, 0.85)]
    {
        let networks = networks_against(style, ordered).unwrap();
        let [own, opponent] = networks.map(|network| network.equity(inputs(Board::start(ordered))));
        assert!(own > least && opponent < -least, "{style} {ordered}: {own} {opponent}");
    }
    assert!(networks_against(Style::Random, true).is_none());
}
