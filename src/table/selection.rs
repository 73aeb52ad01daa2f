//! From touched squares to a move.
//!
//! A move is touched square by square: a piece and where it goes; in a Tablan
//! pair both pieces, one after the other, in either order; in Tablaaza the
//! plot alone. A [`Selection`] keeps the squares touched so far and the legal
//! moves that begin with them. It decides nothing: a move it completes is
//! still checked by the rules.

use std::collections::BTreeSet;

use crate::games::{AnyMove, Square};

/// The squares touched so far.
///
/// ```
/// use tabulae::games::{AnyPosition, Game, RuleSet};
/// use tabulae::table::{Selection, ClickOutcome};
///
/// let position = AnyPosition::start(RuleSet::TablutAshton);
/// let (legal, mut selection) = (position.legal_moves(), Selection::default());
/// assert_eq!(selection.click("a1".parse()?, &legal), ClickOutcome::Ignored);
/// assert_eq!(selection.click("e4".parse()?, &legal), ClickOutcome::Selected);
/// let wanted = position.parse_move("e4-f4")?;
/// assert_eq!(selection.click("f4".parse()?, &legal), ClickOutcome::Complete(wanted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    touched: Vec<Square>,
}

/// What a touch led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickOutcome {
    /// The square was taken into the selection.
    Selected,
    /// The selection was let go.
    Deselected,
    /// Nothing can be done with this square now.
    Ignored,
    /// The touched squares are a whole move.
    Complete(AnyMove),
    /// The square is both where the chosen piece can go and a piece that can
    /// be chosen itself: somebody must ask.
    Ambiguous(Square),
}

impl Selection {
    /// The squares touched so far, in order.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.touched
    }

    /// Where one piece of a pair goes, once it has been told.
    #[must_use]
    pub fn first_step(&self) -> Option<[Square; 2]> {
        match self.touched[..] {
            [from, to, ..] => Some([from, to]),
            _ => None,
        }
    }

    /// The piece that is chosen, where nothing else has been touched yet.
    #[must_use]
    pub fn origin(&self) -> Option<Square> {
        match self.touched[..] {
            [from] => Some(from),
            _ => None,
        }
    }

    /// Whether nothing is chosen.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// Lets everything go.
    pub fn clear(&mut self) {
        self.touched.clear();
    }

    /// The squares that can be touched next, by the moves that are legal.
    #[must_use]
    pub fn next(&self, legal: &[AnyMove]) -> BTreeSet<Square> {
        next_after(&self.touched, legal)
    }

    /// Touches a square.
    pub fn click(&mut self, square: Square, legal: &[AnyMove]) -> ClickOutcome {
        let goes_on = self.next(legal).contains(&square);
        let restart = self.restart();
        let begins = next_after(&self.touched[..restart], legal).contains(&square);
        if goes_on && begins && restart < self.touched.len() {
            return ClickOutcome::Ambiguous(square);
        }
        if goes_on {
            return self.extend(square, legal);
        }
        if self.touched.last() == Some(&square) && restart < self.touched.len() {
            self.touched.truncate(restart);
            return ClickOutcome::Deselected;
        }
        if begins {
            return self.reselect(square, legal);
        }
        if next_after(&[], legal).contains(&square) {
            self.touched.clear();
            return self.extend(square, legal);
        }
        if self.touched.is_empty() {
            return ClickOutcome::Ignored;
        }
        self.touched.clear();
        ClickOutcome::Deselected
    }

    /// Takes the square as the next step of what is chosen.
    pub fn extend(&mut self, square: Square, legal: &[AnyMove]) -> ClickOutcome {
        let mut touched = self.touched.clone();
        touched.push(square);
        let mut whole = legal.iter().copied().filter(|mv| click_sequences(mv).contains(&touched));
        if let Some(mv) = whole.next() {
            self.touched.clear();
            return ClickOutcome::Complete(mv);
        }
        if next_after(&touched, legal).is_empty() {
            return ClickOutcome::Ignored;
        }
        self.touched = touched;
        ClickOutcome::Selected
    }

    /// Takes the square as a piece chosen in place of the last one.
    pub fn reselect(&mut self, square: Square, legal: &[AnyMove]) -> ClickOutcome {
        let restart = self.restart();
        self.touched.truncate(restart);
        self.extend(square, legal)
    }

    /// How many touched squares stay if another piece is chosen: whole steps,
    /// piece and destination, are kept.
    fn restart(&self) -> usize {
        self.touched.len() / 2 * 2
    }
}

fn next_after(touched: &[Square], legal: &[AnyMove]) -> BTreeSet<Square> {
    legal
        .iter()
        .flat_map(click_sequences)
        .filter(|script| script.starts_with(touched))
        .filter_map(|script| script.get(touched.len()).copied())
        .collect()
}

/// The orders in which a move's squares may be touched.
///
/// ```
/// use tabulae::games::{AnyPosition, Game, RuleSet};
/// use tabulae::table::click_sequences;
///
/// let position = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1")?;
/// // Two pieces, in either order.
/// assert_eq!(click_sequences(&position.parse_move("e1-f1+a1-b1")?).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn click_sequences(mv: &AnyMove) -> Vec<Vec<Square>> {
    match mv {
        AnyMove::Tablut(mv) => vec![vec![mv.from(), mv.to()]],
        AnyMove::Tablaaza(mv) => vec![vec![mv.square()]],
        AnyMove::Tablan(mv) => {
            let one = mv.leader();
            match mv.follower() {
                None => vec![vec![one.from, one.to]],
                Some(two) => vec![
                    vec![one.from, one.to, two.from, two.to],
                    vec![two.from, two.to, one.from, one.to],
                ],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{AnyPosition, Game, RuleSet};

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn touch_all(legal: &[AnyMove], names: &[&str]) -> (Selection, Vec<ClickOutcome>) {
        let mut selection = Selection::default();
        let touched = names.iter().map(|name| selection.click(square(name), legal)).collect();
        (selection, touched)
    }

    fn legal(rules: RuleSet, position: &str) -> Vec<AnyMove> {
        AnyPosition::parse(rules, position).expect("a position").legal_moves()
    }

    #[test]
    fn a_tablut_move_is_a_piece_and_a_square() {
        let legal = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let (selection, touched) = touch_all(&legal, &["e4", "f4"]);
        assert_eq!(touched[0], ClickOutcome::Selected);
        assert!(matches!(touched[1], ClickOutcome::Complete(mv) if mv.to_string() == "e4-f4"));
        assert!(selection.is_empty());
    }

    #[test]
    fn touching_another_piece_chooses_it_and_the_same_one_lets_go() {
        let legal = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let (selection, touched) = touch_all(&legal, &["e4", "e3"]);
        assert_eq!(touched[1], ClickOutcome::Selected);
        assert_eq!(selection.squares(), [square("e3")]);
        let (selection, touched) = touch_all(&legal, &["e4", "e4"]);
        assert_eq!(touched[1], ClickOutcome::Deselected);
        assert!(selection.is_empty());
        let (selection, touched) = touch_all(&legal, &["e4", "a1"]);
        assert_eq!(touched[1], ClickOutcome::Deselected);
        assert!(selection.is_empty());
        let (_, touched) = touch_all(&legal, &["a1"]);
        assert_eq!(touched[0], ClickOutcome::Ignored);
    }

    #[test]
    fn a_tablan_pair_is_touched_in_either_order() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
        for squares in [["e1", "f1", "a1", "b1"], ["a1", "b1", "e1", "f1"]] {
            let (_, touched) = touch_all(&legal, &squares);
            assert!(
                matches!(touched[3], ClickOutcome::Complete(mv) if mv.to_string() == "e1-f1+a1-b1"),
                "{touched:?}"
            );
        }
    }

    #[test]
    fn a_square_that_is_both_a_way_and_a_piece_asks() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/2SS8 s t1");
        let (mut selection, touched) = touch_all(&legal, &["c1", "d1"]);
        assert_eq!(touched, [ClickOutcome::Selected, ClickOutcome::Ambiguous(square("d1"))]);
        assert_eq!(selection.extend(square("d1"), &legal), ClickOutcome::Selected);
        assert_eq!(selection.click(square("d1"), &legal), ClickOutcome::Selected);
        let end = selection.click(square("e1"), &legal);
        assert!(matches!(end, ClickOutcome::Complete(mv) if mv.to_string() == "d1-e1+c1-d1"));

        let (mut selection, _) = touch_all(&legal, &["c1", "d1"]);
        assert_eq!(selection.reselect(square("d1"), &legal), ClickOutcome::Selected);
        assert_eq!(selection.squares(), [square("d1")]);
    }

    #[test]
    fn a_tablaaza_move_is_one_square() {
        let legal = AnyPosition::start(RuleSet::Tablaaza).legal_moves();
        let (_, touched) = touch_all(&legal, &["c7"]);
        assert!(matches!(touched[0], ClickOutcome::Complete(mv) if mv.to_string() == "c7"));
    }
}
