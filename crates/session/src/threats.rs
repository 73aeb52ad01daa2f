//! Threats: pieces that can be captured, goals that the king can reach and
//! pavilions that one stone would raise.
//!
//! Found by playing every legal move of both sides by the rules.

use std::collections::BTreeSet;

use tabulae_games::{AnyMove, AnyPosition, Event, Game, Side, Square, Throw, Turn, tablut};

/// What single moves of either side can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// The squares of each side's pieces that one move can capture, by
    /// [`Side::index`].
    pub captured: [BTreeSet<Square>; 2],
    /// The king's square and a goal square that he can reach in one move.
    pub king_escapes: Vec<(Square, Square)>,
    /// The square of a stone, and of a pavilion that it would raise.
    pub pavilions: Vec<(Square, Square)>,
}

impl Threats {
    /// Whether there are no threats.
    pub fn is_empty(&self) -> bool {
        self.captured.iter().all(BTreeSet::is_empty)
            && self.king_escapes.is_empty()
            && self.pavilions.is_empty()
    }
}

/// The threats of both sides, whichever is to move; none once the game is over.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::{Threats, threats};
///
/// let king = AnyPosition::parse(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w")?;
/// let seen: Threats = threats(&king);
/// assert_eq!(seen.king_escapes.len(), 4);
/// assert!(threats(&AnyPosition::start(RuleSet::TablutBerkeley)).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn threats(position: &AnyPosition) -> Threats {
    let mut threats = Threats::default();
    if matches!(position.turn(), Turn::Over(_)) {
        return threats;
    }
    for side in Side::BOTH {
        for before in positions_to_move(position, side) {
            for mv in before.legal_moves() {
                let mut after = before.clone();
                if let Ok(events) = after.play(mv) {
                    add_threats(&mut threats, &before, mv, &events);
                }
            }
        }
    }
    threats.king_escapes.sort_unstable();
    threats.king_escapes.dedup();
    threats.pavilions.sort_unstable();
    threats.pavilions.dedup();
    threats
}

fn add_threats(threats: &mut Threats, before: &AnyPosition, mv: AnyMove, events: &[Event]) {
    for event in events {
        match *event {
            Event::Captured { at, side } => {
                threats.captured[side.index()].insert(at);
            }
            Event::PavilionRaised { at, .. } => {
                if let AnyMove::Tablaaza(mv) = mv {
                    threats.pavilions.push((mv.square(), at));
                }
            }
            Event::Slid { from, to } => {
                if let AnyPosition::Tablut(position) = before
                    && position.piece(from) == Some(tablut::Piece::King)
                    && position.rules().is_goal(to)
                {
                    threats.king_escapes.push((from, to));
                }
            }
            _ => {}
        }
    }
}

/// The position with `side` to move; in a game with sticks, once per throw that
/// has a score.
fn positions_to_move(position: &AnyPosition, side: Side) -> Vec<AnyPosition> {
    let rules = position.rules();
    let text = position.to_string();
    let Some((board, _)) = text.split_once(' ') else { return Vec::new() };
    let letter = &rules.side_name(side).to_lowercase()[..1];
    let texts: Vec<String> = if rules.has_sticks() {
        let counts = Throw::ALL.into_iter().filter(|throw| throw.score() > 0);
        counts.map(|throw| format!("{board} {letter} {throw}")).collect()
    } else {
        vec![format!("{board} {letter}")]
    };
    // Not every position is one with the other side to move.
    texts.iter().filter_map(|text| AnyPosition::parse(rules, text).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::RuleSet;

    fn of(rules: RuleSet, text: &str) -> Threats {
        threats(&AnyPosition::parse(rules, text).expect("a position"))
    }

    fn names(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
        squares.into_iter().map(|square| square.to_string()).collect()
    }

    #[test]
    fn a_soldier_that_can_be_flanked_is_a_threat_whichever_side_moves() {
        for side in ["w", "b"] {
            // Black's b4 stands beside White's c4; Black's d8 can come to d4.
            let text = format!("9/3B5/9/9/4K4/1BW6/9/9/9 {side}");
            let threats = of(RuleSet::TablutLinnaeus, &text);
            let [white, black] = threats.captured;
            assert_eq!((names(white), names(black)), (vec!["c4".to_owned()], vec![]), "{side}");
        }
    }

    #[test]
    fn the_king_s_reachable_goals_are_found() {
        let threats = of(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w");
        let goals = threats.king_escapes.iter().map(|escape| escape.1);
        assert_eq!(names(goals), ["a4", "c1", "c9", "i4"]);
    }

    #[test]
    fn captures_of_every_throw_are_threats() {
        // South's only piece goes two squares, eight or twelve; never four.
        let threats = of(RuleSet::Tablan, "12/12/3N3N1N1S/12 s -");
        assert_eq!(names(threats.captured[1].clone()), ["d2", "j2"]);
        assert!(threats.captured[0].is_empty(), "South is out of reach");
    }

    #[test]
    fn pavilions_that_one_stone_would_raise_are_found() {
        let start = threats(&AnyPosition::start(RuleSet::Tablaaza));
        assert!(start.is_empty(), "{start:?}");
        // The green squares of column a but one, and of row 7, are filled.
        let near = of(RuleSet::Tablaaza, "1g1g1g1g/g7/2~2~2/g1~2~2/2~2~2/8/8 g");
        let raises = near.pavilions.iter().find(|(stone, _)| stone.to_string() == "a2");
        assert_eq!(raises.map(|(_, at)| at.to_string()).as_deref(), Some("a7"), "{near:?}");
    }
}
