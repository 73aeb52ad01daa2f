//! Fitting the weights of the evaluation to games the engine plays with
//! itself: logistic regression of each quiet position's outcome on the terms
//! that count in it.

use rand::{SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use super::{
    evaluation::FULL,
    ground::Ground,
    selfplay::{Terms, play},
    shipped_weights,
    state::Sums,
    weights::{COUNT, Weights},
};
use crate::games::{RuleSet, tablut};

/// What weights a fit begins with.
#[derive(Clone, Debug)]
pub enum TablutStart {
    /// Those that are shipped.
    Shipped,
    /// Those set by hand, before anything was fitted.
    ByHand,
    /// Those of a text that an earlier fit has written.
    Text(String),
}

/// How Tablut's weights are to be fitted.
#[derive(Clone, Debug)]
pub struct TablutPlan {
    /// Which of the three rule sets.
    pub rules: RuleSet,
    /// Games to learn from.
    pub games: u64,
    /// Nodes a move in them.
    pub nodes: u64,
    /// Games of the new weights against the old, to see which are better.
    pub check: u64,
    /// Where all that is random comes from.
    pub seed: u64,
    /// Weights to begin with: the shipped ones, or those set by hand, or these.
    pub start: TablutStart,
}

/// How much of a position's target is the game's result; the rest is what the
/// search thought of it.
const RESULT_SHARE: f32 = 0.5;
/// Passes over the positions.
const EPOCHS: usize = 24;
const BATCH: usize = 256;
/// How strongly weights are drawn to where they began, by position.
const PULL: f32 = 2e-6;
/// Points for which a win is `e` times as likely as a loss: what ties points
/// to hundredths of a soldier.
const SCALE: f32 = 150.0;

/// One position to learn from.
struct Sample {
    /// The weights that count.
    numbers: Vec<u16>,
    /// Black to move.
    black: bool,
    /// The share of a full board, 0 to 1.
    full: f32,
    /// What White should expect, 0 to 1.
    target: f32,
}

/// Plays the plan's games, fits the weights and compares them with the ones
/// before; returns the weights' text. `say` is told how it goes, line by line.
///
/// ```
/// use tabulae::engines::{TablutPlan, TablutStart, fit_tablut};
/// use tabulae::games::RuleSet;
///
/// let (rules, start) = (RuleSet::Tablan, TablutStart::Shipped);
/// let plan = TablutPlan { rules, games: 1, nodes: 100, check: 0, seed: 1, start };
/// assert!(fit_tablut(&plan, &mut |_| ()).is_err(), "Tablan has no such weights");
/// ```
///
/// # Errors
/// The rules are no Tablut, or the text to begin with is none of weights.
pub fn fit_tablut(plan: &TablutPlan, say: &mut dyn FnMut(&str)) -> Result<String, String> {
    let rules = [tablut::ASHTON, tablut::BERKELEY, tablut::LINNAEUS]
        .into_iter()
        .find(|rules| rules.set == plan.rules)
        .ok_or_else(|| format!("{} has no such weights", plan.rules))?;
    let start = match &plan.start {
        TablutStart::Shipped => shipped_weights(rules),
        TablutStart::ByHand => Weights::by_hand(rules),
        TablutStart::Text(text) => Weights::read(text)?,
    };
    let ground = Ground::new(rules, start);
    let samples = gather(plan, &ground, say);
    let flat = descend(&samples, ground.weights.flat(), plan.seed, say);
    let fitted = Ground::new(rules, Weights::new(flat));
    if plan.check > 0 {
        compare(plan, [&fitted, &ground], say);
    }
    Ok(fitted.weights.write())
}

/// The positions of the plan's games.
fn gather(plan: &TablutPlan, ground: &Ground, say: &mut dyn FnMut(&str)) -> Vec<Sample> {
    let terms = Terms { nodes: plan.nodes, opening: (2, 9) };
    let mut samples = Vec::new();
    let mut results = [0; 3];
    for number in 0..plan.games {
        let game = play([ground; 2], terms, plan.seed.wrapping_add(number));
        results[(game.result * 2.0) as usize % 3] += 1;
        for seen in game.seen {
            let thought = sigmoid(seen.value as f32 / SCALE);
            samples.push(Sample {
                numbers: seen.state.weights_that_count(ground),
                black: seen.state.black_to_move,
                full: f32::from(seen.state.men()).min(FULL as f32) / FULL as f32,
                target: RESULT_SHARE * game.result + (1.0 - RESULT_SHARE) * thought,
            });
        }
        if (number + 1) % 500 == 0 || number + 1 == plan.games {
            let [black, draws, white] = results;
            say(&format!(
                "{} games: White {white}, drawn {draws}, Black {black}; {} positions",
                number + 1,
                samples.len()
            ));
        }
    }
    samples
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// What the weights make of a sample, in points for White.
fn value_of(sample: &Sample, weights: &[[f32; 4]]) -> f32 {
    let first = if sample.black { 2 } else { 0 };
    let (mut many, mut few) = (0.0, 0.0);
    for &number in &sample.numbers {
        let weight = &weights[usize::from(number)];
        many += weight[first];
        few += weight[first + 1];
    }
    many * sample.full + few * (1.0 - sample.full)
}

/// The mean logistic loss, beyond what no weights could avoid.
fn loss(samples: &[Sample], weights: &[[f32; 4]]) -> f32 {
    let entropy = |p: f32, q: f32| if p > 0.0 { -p * q.max(1e-6).ln() } else { 0.0 };
    let total: f64 = samples
        .iter()
        .map(|sample| {
            let (p, q) = (sample.target, sigmoid(value_of(sample, weights) / SCALE));
            let loss = entropy(p, q) + entropy(1.0 - p, 1.0 - q);
            f64::from(loss - entropy(p, p) - entropy(1.0 - p, 1.0 - p))
        })
        .sum();
    (total / samples.len().max(1) as f64) as f32
}

/// Gradient descent by Adam, from `start`.
fn descend(samples: &[Sample], start: &[Sums], seed: u64, say: &mut dyn FnMut(&str)) -> Vec<Sums> {
    let start: Vec<[f32; 4]> =
        start.iter().map(|weight| weight.map(|number| number as f32)).collect();
    let mut weights = start.clone();
    // The tenth game's positions are kept apart to see what was learnt.
    let held = samples.len() / 10;
    let (test, train) = samples.split_at(held);
    let mut order: Vec<usize> = (0..train.len()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xf17);
    let (mut mean, mut square) = (vec![[0_f32; 4]; COUNT], vec![[0_f32; 4]; COUNT]);
    let mut gradient = vec![[0_f32; 4]; COUNT];
    say(&format!("loss at the start: {:.5} on games held back", loss(test, &weights)));
    let mut step = 0;
    for epoch in 0..EPOCHS {
        // Points a step, less and less.
        let rate = 2.0 * (1.0 - epoch as f32 / EPOCHS as f32).powi(2) + 0.02;
        order.shuffle(&mut rng);
        for batch in order.chunks(BATCH) {
            step += 1;
            gradient.iter_mut().for_each(|slope| *slope = [0.0; 4]);
            for &at in batch {
                let sample = &train[at];
                let off = sigmoid(value_of(sample, &weights) / SCALE) - sample.target;
                let first = if sample.black { 2 } else { 0 };
                for &number in &sample.numbers {
                    let slope = &mut gradient[usize::from(number)];
                    slope[first] += off * sample.full;
                    slope[first + 1] += off * (1.0 - sample.full);
                }
            }
            let share = 1.0 / batch.len() as f32;
            let (fade, fade_square) = (0.9_f32, 0.999_f32);
            let warm = (1.0 - fade.powi(step), 1.0 - fade_square.powi(step));
            for number in 0..COUNT {
                for side in 0..4 {
                    let pull = PULL * (weights[number][side] - start[number][side]);
                    let slope = gradient[number][side] * share + pull;
                    let (mean, square) = (&mut mean[number][side], &mut square[number][side]);
                    *mean = fade * *mean + (1.0 - fade) * slope;
                    *square = fade_square * *square + (1.0 - fade_square) * slope * slope;
                    let denominator = (*square / warm.1).sqrt() + 1e-6;
                    weights[number][side] -= rate * (*mean / warm.0) / denominator;
                }
            }
        }
        say(&format!(
            "epoch {}: loss {:.5}, on games held back {:.5}",
            epoch + 1,
            loss(train, &weights),
            loss(test, &weights)
        ));
    }
    weights.iter().map(|weight| weight.map(|number| number.round() as i32)).collect()
}

/// Lets the first ground's weights play the second's, both colours each
/// opening.
fn compare(plan: &TablutPlan, grounds: [&Ground; 2], say: &mut dyn FnMut(&str)) {
    let terms = Terms { nodes: plan.nodes, opening: (3, 6) };
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for number in 0..plan.check {
        let seed = plan.seed.wrapping_add(1 << 40).wrapping_add(number / 2);
        let changed = number % 2 == 1;
        let [first, second] = grounds;
        let game = play(if changed { [second, first] } else { [first, second] }, terms, seed);
        let points = if changed { 1.0 - game.result } else { game.result };
        match points {
            0.5 => draws += 1,
            points if points > 0.5 => wins += 1,
            _ => losses += 1,
        }
    }
    let mean = (f64::from(wins) + f64::from(draws) / 2.0) / plan.check.max(1) as f64;
    say(&format!(
        "new weights against old, {} nodes a move: +{wins} ={draws} -{losses} ({:.1} %)",
        plan.nodes,
        mean * 100.0
    ));
}
