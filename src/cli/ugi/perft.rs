//! `go perft`: counts move sequences, and can be stopped.

use crate::{cli::prelude::*, games::perft};

/// The most that `go perft` accepts; a count of more moves would not end.
pub(super) const MAX_DEPTH: u32 = 20;
/// Subtrees of this depth are counted without a look at the stop signal.
const UNSTOPPABLE_DEPTH: u32 = 2;

/// The `info` lines of a count, each once it is known: one for each first move, sorted
/// as text, then the total. They end early after a stop.
pub(super) fn count<'a, G: Game>(
    position: &'a G,
    depth: u32,
    stop: &'a StopSignal,
) -> impl Iterator<Item = String> + 'a {
    let mut children: Vec<_> =
        children(position).map(|(mv, child)| (mv.to_string(), child)).collect();
    children.sort_by(|one, other| one.0.cmp(&other.0));
    let mut total = 0;
    let mut children = children.into_iter();
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        if let Some((mv, child)) = children.next() {
            let nodes = sequences(&child, depth - 1, stop)?;
            total += nodes;
            return Some(format!("info string {mv}: {nodes}"));
        }
        is_over = true;
        Some(format!("info nodes {total}"))
    })
}

/// [`perft`], or `None` after a stop.
fn sequences<G: Game>(position: &G, depth: u32, stop: &StopSignal) -> Option<u64> {
    if depth <= UNSTOPPABLE_DEPTH {
        return (!stop.is_stopped()).then(|| perft(position, depth));
    }
    children(position).map(|(_, child)| sequences(&child, depth - 1, stop)).sum()
}

fn children<G: Game>(position: &G) -> impl Iterator<Item = (G::Move, G)> {
    position.legal_moves().into_iter().filter_map(|mv| {
        let mut child = position.clone();
        child.play(mv).ok().map(|_| (mv, child))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{AnyPosition, RuleSet, divide};

    #[test]
    fn counts_agree_with_divide() {
        for (rules, depth) in [(RuleSet::Tablaaza, 4), (RuleSet::TablutBerkeley, 3)] {
            let position = AnyPosition::start(rules);
            let counts = divide(&position, depth);
            let mut expected: Vec<_> =
                counts.iter().map(|(mv, count)| format!("info string {mv}: {count}")).collect();
            let total: u64 = counts.iter().map(|(_, count)| count).sum();
            expected.push(format!("info nodes {total}"));
            let lines: Vec<_> = count(&position, depth, &StopSignal::default()).collect();
            assert_eq!(lines, expected);
        }
    }

    #[test]
    fn a_stop_ends_the_count_without_a_total() {
        let position = AnyPosition::start(RuleSet::Tablaaza);
        let stop = StopSignal::default();
        let mut lines = count(&position, MAX_DEPTH, &stop);
        stop.stop();
        assert_eq!(lines.next(), None);
    }
}
