//! Captures, and the names of all rules that games should apply.

use std::collections::BTreeSet;

use super::{
    super::{DIRECTIONS, Name, Tally, count, name},
    BESIDE_CASTLE, CAMP_CENTRES, CORNERS, Laws, Tablut, camp, castle, colour, is, next, other,
};

impl Tablut {
    /// Whether a soldier on `victim` is captured against `beyond` by an enemy that
    /// arrives on its other side.
    fn holds(&self, victim: Name, beyond: Option<Name>, tally: &mut Tally) -> bool {
        let Some(square) = beyond else { return false };
        let mover = other(colour(self.board[&victim]));
        let stands = self.board.get(&square).copied();
        let enemy = stands.is_some_and(|piece| colour(piece) == mover);
        match self.laws {
            Laws::Berkeley => {
                if enemy {
                    if stands == Some('K') {
                        count(tally, "a soldier is taken against the king");
                    }
                    return true;
                }
                if square != castle() {
                    return false;
                }
                if stands.is_none() {
                    count(
                        tally,
                        if mover == 'b' {
                            "the empty throne takes a white soldier"
                        } else {
                            "the empty throne takes a black soldier"
                        },
                    );
                    return true;
                }
                // The castle with the king is hostile to a white soldier if its other
                // three neighbours are black.
                let others = BESIDE_CASTLE.iter().map(|text| name(text)).filter(|at| *at != victim);
                let turned =
                    mover == 'b' && others.into_iter().all(|at| self.board.get(&at) == Some(&'B'));
                if turned {
                    count(tally, "the king's throne takes a white soldier");
                }
                turned
            }
            Laws::Ashton => {
                let centre = is(square, &CAMP_CENTRES);
                if enemy {
                    if stands == Some('K') && square != castle() {
                        count(tally, "a soldier is taken against the king");
                    }
                    true
                } else if square == castle() {
                    count(
                        tally,
                        if stands.is_some() {
                            "a soldier is taken against the king's castle"
                        } else {
                            "a soldier is taken against the empty castle"
                        },
                    );
                    true
                } else if camp(square).is_some() {
                    if mover == 'w' && centre {
                        count(tally, "a camp's centre backs its own");
                        return false;
                    }
                    count(
                        tally,
                        if stands.is_some() {
                            "a soldier is taken against a manned camp"
                        } else {
                            "a soldier is taken against an empty camp"
                        },
                    );
                    true
                } else {
                    false
                }
            }
            Laws::Saami => {
                if stands == Some('K') && enemy {
                    count(tally, "a soldier is taken against the king");
                }
                if square == castle() && stands.is_none() {
                    count(tally, "a soldier is taken against the empty throne");
                }
                if square == castle() && stands.is_some() && !enemy {
                    count(tally, "the king's throne protects a white soldier");
                }
                enemy || square == castle() && stands.is_none()
            }
            Laws::Linnaeus => {
                if is(square, &CORNERS) {
                    count(tally, "a soldier is taken against a corner");
                    return true;
                }
                if stands == Some('K') && enemy {
                    count(tally, "the king is no anvil");
                }
                if square == castle() && stands.is_none() {
                    count(tally, "the konakis takes nobody");
                }
                enemy && stands != Some('K')
            }
        }
    }

    /// The soldiers that a piece captures by arriving on `to`.
    pub(super) fn taken(&self, to: Name, tally: &mut Tally) -> BTreeSet<Name> {
        let piece = self.board[&to];
        let mut taken = BTreeSet::new();
        for way in DIRECTIONS {
            let Some(victim) = next(to, way) else { continue };
            let Some(stands) = self.board.get(&victim) else { continue };
            if *stands == 'K' || colour(*stands) == colour(piece) {
                continue;
            }
            if self.laws == Laws::Linnaeus && piece == 'K' {
                if self.holds(victim, next(victim, way), &mut Tally::new()) {
                    count(tally, "the king is no hammer");
                }
                continue;
            }
            if self.holds(victim, next(victim, way), tally) {
                if piece == 'K' {
                    count(tally, "the king takes a soldier");
                }
                taken.insert(victim);
            }
        }
        taken
    }

    /// Whether a piece captures the king by arriving on `to`.
    pub(super) fn king_taken(&self, to: Name, tally: &mut Tally) -> bool {
        if self.board[&to] != 'B' {
            return false;
        }
        let king = self.king();
        let Some(way) = DIRECTIONS.into_iter().find(|way| next(to, *way) == Some(king)) else {
            return false;
        };
        let round = DIRECTIONS.map(|way| next(king, way));
        let black = round.iter().filter(|at| self.at(**at) == Some('B')).count();
        let off = round.iter().filter(|at| at.is_none()).count();
        let has = |names: &[&str]| round.iter().flatten().any(|at| is(*at, names));
        if self.laws == Laws::Linnaeus {
            let pattern = match (black, off) {
                (4, 0) => Some("the king is taken by four"),
                (3, 0) if has(&["e5"]) => Some("the king is taken against the konakis"),
                (3, 1) => Some("the king is taken against the edge"),
                (2, 1) if has(&CORNERS) => Some("the king is taken beside a corner"),
                _ => None,
            };
            if let Some(pattern) = pattern {
                count(tally, pattern);
            }
            return pattern.is_some();
        }
        let beyond = next(king, way);
        let (taken, pattern) = if king == castle() {
            (black == 4, "the king is taken on his castle")
        } else if is(king, &BESIDE_CASTLE) {
            (black == 3, "the king is taken beside his castle")
        } else if self.at(beyond) == Some('B') {
            (true, "the king is taken between two")
        } else {
            let camped = beyond.is_some_and(|at| camp(at).is_some());
            (self.laws == Laws::Ashton && camped, "the king is taken against a camp")
        };
        if taken {
            count(tally, pattern);
        }
        taken
    }
}

/// The rules that games by this rule set should apply.
pub(crate) fn rules(laws: Laws) -> Vec<&'static str> {
    let mut all = vec![
        "one soldier is taken",
        "two soldiers are taken",
        "three soldiers are taken",
        "ended: escape",
        "ended: king captured",
        "ended: black has no move",
        "ended: white has no move",
        "ended: repetition",
    ];
    all.extend_from_slice(match laws {
        Laws::Berkeley => &[
            "a piece passes over the empty castle",
            "the king returns",
            "a soldier is taken against the king",
            "the king takes a soldier",
            "the empty throne takes a white soldier",
            "the empty throne takes a black soldier",
            "the king's throne takes a white soldier",
            "the king is taken on his castle",
            "the king is taken beside his castle",
            "the king is taken between two",
        ][..],
        Laws::Saami => &[
            "a piece passes over the empty castle",
            "the king returns",
            "a soldier is taken against the king",
            "the king takes a soldier",
            "a soldier is taken against the empty throne",
            "the king's throne protects a white soldier",
            "the king is taken on his castle",
            "the king is taken beside his castle",
            "the king is taken between two",
        ],
        Laws::Ashton => &[
            "a soldier moves within its camp",
            "a soldier leaves across its camp",
            "a soldier is taken against the king",
            "the king takes a soldier",
            "a soldier is taken against the king's castle",
            "a soldier is taken against the empty castle",
            "a soldier is taken against a manned camp",
            "a soldier is taken against an empty camp",
            "a camp's centre backs its own",
            "the king is taken on his castle",
            "the king is taken beside his castle",
            "the king is taken between two",
            "the king is taken against a camp",
        ],
        Laws::Linnaeus => &[
            "a piece passes over the empty castle",
            "the king returns",
            "a soldier is taken against a corner",
            "the king is no anvil",
            "the king is no hammer",
            "the konakis takes nobody",
            "the king is taken by four",
            "the king is taken against the konakis",
            "the king is taken against the edge",
            "the king is taken beside a corner",
            "raichi",
            "tuichi",
        ],
    });
    all
}
