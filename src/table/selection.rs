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
/// use tabulae::table::{Selection, Touched};
///
/// let position = AnyPosition::start(RuleSet::TablutAshton);
/// let (legal, mut selection) = (position.legal_moves(), Selection::default());
/// assert_eq!(selection.touch("a1".parse()?, &legal), Touched::Nothing);
/// assert_eq!(selection.touch("e4".parse()?, &legal), Touched::Chosen);
/// let wanted = position.parse_move("e4-f4")?;
/// assert_eq!(selection.touch("f4".parse()?, &legal), Touched::Complete(wanted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    touched: Vec<Square>,
}

/// What a touch led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// The square was taken into the selection.
    Chosen,
    /// The selection was let go.
    LetGo,
    /// Nothing can be done with this square now.
    Nothing,
    /// The touched squares are a whole move.
    Complete(AnyMove),
    /// The square is both where the chosen piece can go and a piece that can
    /// be chosen itself: somebody must ask.
    Ambiguous(Square),
}

impl Selection {
    /// The squares touched so far, in order.
    #[must_use]
    pub fn touched(&self) -> &[Square] {
        &self.touched
    }

    /// Where one piece of a pair goes, once it has been told.
    #[must_use]
    pub fn half(&self) -> Option<[Square; 2]> {
        match self.touched[..] {
            [from, to, ..] => Some([from, to]),
            _ => None,
        }
    }

    /// The piece that is chosen, where nothing else has been touched yet.
    #[must_use]
    pub fn chosen(&self) -> Option<Square> {
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
    pub fn touch(&mut self, square: Square, legal: &[AnyMove]) -> Touched {
        let goes_on = self.next(legal).contains(&square);
        let restart = self.restart();
        let begins = next_after(&self.touched[..restart], legal).contains(&square);
        if goes_on && begins && restart < self.touched.len() {
            return Touched::Ambiguous(square);
        }
        if goes_on {
            return self.go_on(square, legal);
        }
        if self.touched.last() == Some(&square) && restart < self.touched.len() {
            self.touched.truncate(restart);
            return Touched::LetGo;
        }
        if begins {
            return self.choose_anew(square, legal);
        }
        if next_after(&[], legal).contains(&square) {
            self.touched.clear();
            return self.go_on(square, legal);
        }
        if self.touched.is_empty() {
            return Touched::Nothing;
        }
        self.touched.clear();
        Touched::LetGo
    }

    /// Takes the square as the next step of what is chosen.
    pub fn go_on(&mut self, square: Square, legal: &[AnyMove]) -> Touched {
        let mut touched = self.touched.clone();
        touched.push(square);
        let mut whole = legal.iter().copied().filter(|mv| scripts(mv).contains(&touched));
        if let Some(mv) = whole.next() {
            self.touched.clear();
            return Touched::Complete(mv);
        }
        if next_after(&touched, legal).is_empty() {
            return Touched::Nothing;
        }
        self.touched = touched;
        Touched::Chosen
    }

    /// Takes the square as a piece chosen in place of the last one.
    pub fn choose_anew(&mut self, square: Square, legal: &[AnyMove]) -> Touched {
        let restart = self.restart();
        self.touched.truncate(restart);
        self.go_on(square, legal)
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
        .flat_map(scripts)
        .filter(|script| script.starts_with(touched))
        .filter_map(|script| script.get(touched.len()).copied())
        .collect()
}

/// The orders in which a move's squares may be touched.
///
/// ```
/// use tabulae::games::{AnyPosition, Game, RuleSet};
/// use tabulae::table::scripts;
///
/// let position = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1")?;
/// // Two pieces, in either order.
/// assert_eq!(scripts(&position.parse_move("e1-f1+a1-b1")?).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn scripts(mv: &AnyMove) -> Vec<Vec<Square>> {
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

    fn touch_all(legal: &[AnyMove], names: &[&str]) -> (Selection, Vec<Touched>) {
        let mut selection = Selection::default();
        let touched = names.iter().map(|name| selection.touch(square(name), legal)).collect();
        (selection, touched)
    }

    fn legal(rules: RuleSet, position: &str) -> Vec<AnyMove> {
        AnyPosition::parse(rules, position).expect("a position").legal_moves()
    }

    #[test]
    fn a_tablut_move_is_a_piece_and_a_square() {
        let legal = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let (selection, touched) = touch_all(&legal, &["e4", "f4"]);
        assert_eq!(touched[0], Touched::Chosen);
        assert!(matches!(touched[1], Touched::Complete(mv) if mv.to_string() == "e4-f4"));
        assert!(selection.is_empty());
    }

    #[test]
    fn touching_another_piece_chooses_it_and_the_same_one_lets_go() {
        let legal = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let (selection, touched) = touch_all(&legal, &["e4", "e3"]);
        assert_eq!(touched[1], Touched::Chosen);
        assert_eq!(selection.touched(), [square("e3")]);
        let (selection, touched) = touch_all(&legal, &["e4", "e4"]);
        assert_eq!(touched[1], Touched::LetGo);
        assert!(selection.is_empty());
        let (selection, touched) = touch_all(&legal, &["e4", "a1"]);
        assert_eq!(touched[1], Touched::LetGo);
        assert!(selection.is_empty());
        let (_, touched) = touch_all(&legal, &["a1"]);
        assert_eq!(touched[0], Touched::Nothing);
    }

    #[test]
    fn a_tablan_pair_is_touched_in_either_order() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
        for squares in [["e1", "f1", "a1", "b1"], ["a1", "b1", "e1", "f1"]] {
            let (_, touched) = touch_all(&legal, &squares);
            assert!(
                matches!(touched[3], Touched::Complete(mv) if mv.to_string() == "e1-f1+a1-b1"),
                "{touched:?}"
            );
        }
    }

    #[test]
    fn a_square_that_is_both_a_way_and_a_piece_asks() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/2SS8 s t1");
        let (mut selection, touched) = touch_all(&legal, &["c1", "d1"]);
        assert_eq!(touched, [Touched::Chosen, Touched::Ambiguous(square("d1"))]);
        assert_eq!(selection.go_on(square("d1"), &legal), Touched::Chosen);
        assert_eq!(selection.touch(square("d1"), &legal), Touched::Chosen);
        let end = selection.touch(square("e1"), &legal);
        assert!(matches!(end, Touched::Complete(mv) if mv.to_string() == "d1-e1+c1-d1"));

        let (mut selection, _) = touch_all(&legal, &["c1", "d1"]);
        assert_eq!(selection.choose_anew(square("d1"), &legal), Touched::Chosen);
        assert_eq!(selection.touched(), [square("d1")]);
    }

    #[test]
    fn a_tablaaza_move_is_one_square() {
        let legal = AnyPosition::start(RuleSet::Tablaaza).legal_moves();
        let (_, touched) = touch_all(&legal, &["c7"]);
        assert!(matches!(touched[0], Touched::Complete(mv) if mv.to_string() == "c7"));
    }
}
