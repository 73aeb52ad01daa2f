//! Simple players that are easy to reproduce, to measure engines by.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use strum::{Display, EnumString};
use thiserror::Error;

use tabulae_games::{AnyMove, AnyPosition, Event, Game as _, GameHistory};

/// A player without an engine. It knows the rules and little else.
///
/// ```
/// use tabulae_engines::{ParseYardstickError, Yardstick};
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
///
/// // The king is one move from the edge.
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?;
/// let history = GameHistory::new(start);
/// let greedy: Yardstick = "greedy".parse()?;
/// let best = greedy.choose_move(&history, 1).map(|mv| mv.to_string());
/// assert!(["e3-a3", "e3-i3", "e3-e1"].contains(&best.as_deref().unwrap_or_default()));
/// assert_eq!("lazy".parse::<Yardstick>(), Err(ParseYardstickError("lazy".to_owned())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(
    serialize_all = "kebab-case",
    parse_err_ty = ParseYardstickError,
    parse_err_fn = unknown_player
)]
#[non_exhaustive]
pub enum Yardstick {
    /// Plays any legal move.
    Random,
    /// Looks one ply ahead: wins at once if it can, else captures or raises a
    /// pavilion, else plays any legal move.
    Greedy,
}

impl Yardstick {
    /// Both yardsticks, the weaker first.
    pub const ALL: [Self; 2] = [Self::Random, Self::Greedy];

    /// Chooses a move, at random among those it likes equally: the same one for the
    /// same game and seed. `None` when no move is due.
    pub fn choose_move(self, history: &GameHistory<AnyPosition>, seed: u64) -> Option<AnyMove> {
        let position = history.position();
        let mut moves = history.legal_moves();
        moves.sort_unstable();
        if self == Self::Greedy {
            let liking: Vec<_> = moves.iter().map(|&mv| liking(position, mv)).collect();
            let most = liking.iter().copied().max();
            let mut liking = liking.into_iter();
            moves.retain(|_| liking.next() == most);
        }
        // The number of plies varies the choice where a position is repeated.
        let plies = history.len() as u64;
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ position.key().rotate_left(29));
        rng.set_stream(plies);
        let at = rng.random_range(0..moves.len().max(1));
        moves.get(at).copied()
    }
}

/// How much [`Yardstick::Greedy`] likes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Liking {
    Quiet,
    Takes,
    Wins,
}

fn liking(position: &AnyPosition, mv: AnyMove) -> Liking {
    let mut after = position.clone();
    let Ok(events) = after.play(mv) else { return Liking::Quiet };
    let takes =
        |event: &Event| matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. });
    if after.turn().end().is_some_and(|end| end.winner == Some(position.side())) {
        Liking::Wins
    } else if events.iter().any(takes) {
        Liking::Takes
    } else {
        Liking::Quiet
    }
}

/// The text is not the name of a yardstick.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown player '{0}' (random or greedy)")]
pub struct ParseYardstickError(pub String);

fn unknown_player(text: &str) -> ParseYardstickError {
    ParseYardstickError(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::{Ply, RuleSet, Turn};

    fn moves_of(yardstick: Yardstick, rules: RuleSet, text: &str) -> Vec<String> {
        let position = AnyPosition::parse(rules, text).expect("a position");
        let history = GameHistory::new(position);
        let mut moves: Vec<_> = (0..60)
            .filter_map(|seed| yardstick.choose_move(&history, seed))
            .map(|mv| history.position().notation(mv))
            .collect();
        moves.sort();
        moves.dedup();
        moves
    }

    #[test]
    fn greedy_captures_and_raises_pavilions() {
        // The start position, but the black soldier of d1 is on d3.
        let text = "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/3BW4/4B4/4BB3 w";
        let moves = moves_of(Yardstick::Greedy, RuleSet::TablutAshton, text);
        assert!(!moves.is_empty() && moves.iter().all(|mv| mv.contains("xd3")), "{moves:?}");
        assert!(moves_of(Yardstick::Random, RuleSet::TablutAshton, text).len() > 20);
        let text = "r1r1r2g/1r5r/rg~g1~rg/gr~1g~gr/rg~2~1g/grg1g2r/8 r";
        let moves = moves_of(Yardstick::Greedy, RuleSet::Tablaaza, text);
        assert!(!moves.is_empty() && moves.iter().all(|mv| mv.contains('^')), "{moves:?}");
    }

    #[test]
    fn the_same_game_and_seed_have_the_same_moves() {
        for rules in RuleSet::ALL {
            for yardstick in Yardstick::ALL {
                let mut history = GameHistory::new(AnyPosition::start(rules));
                while history.len() < 60 && history.turn().end().is_none() {
                    let ply = match history.turn() {
                        Turn::Move(_) => {
                            let mv = yardstick.choose_move(&history, 7);
                            assert_eq!(mv, yardstick.choose_move(&history, 7));
                            Ply::Move(mv.expect("a move is due"))
                        }
                        _ => {
                            assert_eq!(yardstick.choose_move(&history, 7), None);
                            Ply::Throw(history.position().outcomes()[history.len() % 5].0)
                        }
                    };
                    history.push(ply).expect("legal");
                }
                assert!(history.len() > 10, "{rules} {yardstick}");
            }
        }
    }
}
