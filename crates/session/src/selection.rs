//! Selecting a move by clicking squares.
//!
//! A move is clicked square by square: a piece and its target; for a Tablan pair
//! both pieces with their targets in either order; in Tablaaza the square alone. A
//! [`Selection`] has the squares clicked so far and finds the legal moves that
//! begin with them.

use std::collections::BTreeSet;

use tabulae_games::{AnyMove, AnyPosition, Game, Square};

/// The squares clicked so far.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, RuleSet};
/// use tabulae_session::{Selection, ClickOutcome};
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
    squares: Vec<Square>,
}

/// What a click did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickOutcome {
    /// The square was added to the selection.
    Selected,
    /// The selection, or its last piece, was dropped.
    Deselected,
    /// The square begins no legal move.
    Ignored,
    /// The clicked squares are a legal move; the selection is empty again.
    Complete(AnyMove),
    /// The square is both a target of the selected piece and a piece that can be
    /// selected: ask the user, then call [`Selection::extend`] or
    /// [`Selection::reselect`].
    Ambiguous(Square),
}

impl Selection {
    /// The squares clicked so far, in order.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The first piece of a pair and its target, once both are clicked.
    pub fn first_step(&self) -> Option<[Square; 2]> {
        match self.squares[..] {
            [from, to, ..] => Some([from, to]),
            _ => None,
        }
    }

    /// The selected piece, if its target is not yet clicked.
    pub fn origin(&self) -> Option<Square> {
        match self.squares[..] {
            [from] | [_, _, from] => Some(from),
            _ => None,
        }
    }

    /// Whether nothing is selected.
    pub const fn is_empty(&self) -> bool {
        self.squares.is_empty()
    }

    /// Drops the selection.
    pub fn clear(&mut self) {
        self.squares.clear();
    }

    /// The squares that can be clicked next, given the legal moves.
    pub fn next(&self, legal: &[AnyMove]) -> BTreeSet<Square> {
        next_after(&self.squares, legal)
    }

    /// Clicks a square.
    pub fn click(&mut self, square: Square, legal: &[AnyMove]) -> ClickOutcome {
        let extends = self.next(legal).contains(&square);
        let restart = self.restart();
        let begins = next_after(&self.squares[..restart], legal).contains(&square);
        if extends && begins && restart < self.squares.len() {
            return ClickOutcome::Ambiguous(square);
        }
        if extends {
            return self.extend(square, legal);
        }
        if self.squares.last() == Some(&square) && restart < self.squares.len() {
            self.squares.truncate(restart);
            return ClickOutcome::Deselected;
        }
        if begins {
            return self.reselect(square, legal);
        }
        if next_after(&[], legal).contains(&square) {
            self.squares.clear();
            return self.extend(square, legal);
        }
        if self.squares.is_empty() {
            return ClickOutcome::Ignored;
        }
        // A whole step stays chosen while the piece of the next one is dropped.
        self.squares.truncate(if restart < self.squares.len() { restart } else { 0 });
        ClickOutcome::Deselected
    }

    /// Adds a square to the selection.
    pub fn extend(&mut self, square: Square, legal: &[AnyMove]) -> ClickOutcome {
        let mut squares = self.squares.clone();
        squares.push(square);
        let mut whole = legal.iter().copied().filter(|mv| click_sequences(mv).contains(&squares));
        if let Some(mv) = whole.next() {
            self.squares.clear();
            return ClickOutcome::Complete(mv);
        }
        if next_after(&squares, legal).is_empty() {
            return ClickOutcome::Ignored;
        }
        self.squares = squares;
        ClickOutcome::Selected
    }

    /// Selects the piece on a square in place of the last one.
    pub fn reselect(&mut self, square: Square, legal: &[AnyMove]) -> ClickOutcome {
        let restart = self.restart();
        self.squares.truncate(restart);
        self.extend(square, legal)
    }

    /// The number of squares that stay if another piece is selected: those of
    /// complete steps, each a piece and its target.
    fn restart(&self) -> usize {
        self.squares.len() / 2 * 2
    }
}

fn next_after(clicked: &[Square], legal: &[AnyMove]) -> BTreeSet<Square> {
    legal
        .iter()
        .flat_map(click_sequences)
        .filter(|sequence| sequence.starts_with(clicked))
        .filter_map(|sequence| sequence.get(clicked.len()).copied())
        .collect()
}

/// The orders in which a move's squares can be clicked.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, RuleSet};
/// use tabulae_session::click_sequences;
///
/// let position = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1")?;
/// // Two pieces, in either order.
/// assert_eq!(click_sequences(&position.parse_move("e1-f1+a1-b1")?).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Which piece a move moves, for a hint that does not say where: the squares of its
/// pieces. For a stone of Tablaaza, which comes from nowhere, the squares of its column
/// on which one can be played.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, RuleSet};
/// use tabulae_session::hinted_squares;
///
/// let position = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1")?;
/// let pieces = hinted_squares(&position, position.parse_move("e1-f1+a1-b1")?);
/// assert_eq!(pieces.len(), 2);
/// let city = AnyPosition::start(RuleSet::Tablaaza);
/// let column = hinted_squares(&city, city.parse_move("c7")?);
/// assert!(column.len() > 1 && column.iter().all(|square| square.to_string().starts_with('c')));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hinted_squares(position: &AnyPosition, mv: AnyMove) -> Vec<Square> {
    let sequences = click_sequences(&mv);
    let squares = sequences.first().map(Vec::as_slice).unwrap_or_default();
    if let [stone] = squares {
        let all = position.legal_moves().into_iter();
        let all = all.filter_map(|mv| click_sequences(&mv).first()?.first().copied());
        let mut column: Vec<_> = all.filter(|square| square.file == stone.file).collect();
        column.sort_unstable();
        return column;
    }
    squares.chunks(2).filter_map(|step| step.first().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::RuleSet;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn click_all(legal: &[AnyMove], names: &[&str]) -> (Selection, Vec<ClickOutcome>) {
        let mut selection = Selection::default();
        let outcomes = names.iter().map(|name| selection.click(square(name), legal)).collect();
        (selection, outcomes)
    }

    fn legal(rules: RuleSet, position: &str) -> Vec<AnyMove> {
        AnyPosition::parse(rules, position).expect("a position").legal_moves()
    }

    #[test]
    fn a_tablut_move_is_a_piece_and_a_square() {
        let legal = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let (selection, outcomes) = click_all(&legal, &["e4", "f4"]);
        assert_eq!(outcomes[0], ClickOutcome::Selected);
        assert!(matches!(outcomes[1], ClickOutcome::Complete(mv) if mv.to_string() == "e4-f4"));
        assert!(selection.is_empty());
    }

    #[test]
    fn clicking_another_piece_selects_it_and_the_same_one_deselects_it() {
        let legal = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let (selection, outcomes) = click_all(&legal, &["e4", "e3"]);
        assert_eq!(outcomes[1], ClickOutcome::Selected);
        assert_eq!(selection.squares(), [square("e3")]);
        let (selection, outcomes) = click_all(&legal, &["e4", "e4"]);
        assert_eq!(outcomes[1], ClickOutcome::Deselected);
        assert!(selection.is_empty());
        let (selection, outcomes) = click_all(&legal, &["e4", "a1"]);
        assert_eq!(outcomes[1], ClickOutcome::Deselected);
        assert!(selection.is_empty());
        let (_, outcomes) = click_all(&legal, &["a1"]);
        assert_eq!(outcomes[0], ClickOutcome::Ignored);
    }

    #[test]
    fn a_wrong_square_drops_the_piece_of_the_second_step_and_then_the_first_step() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
        let (mut selection, _) = click_all(&legal, &["e1", "f1", "a1"]);
        for left in [&["e1", "f1"][..], &[]] {
            assert_eq!(selection.click(square("h3"), &legal), ClickOutcome::Deselected);
            let left: Vec<Square> = left.iter().map(|name| square(name)).collect();
            assert_eq!(selection.squares(), left);
        }
    }

    #[test]
    fn a_tablan_pair_is_clicked_in_either_order() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
        for squares in [["e1", "f1", "a1", "b1"], ["a1", "b1", "e1", "f1"]] {
            let (_, outcomes) = click_all(&legal, &squares);
            assert!(
                matches!(outcomes[3], ClickOutcome::Complete(mv) if mv.to_string() == "e1-f1+a1-b1"),
                "{outcomes:?}"
            );
        }
    }

    #[test]
    fn a_square_that_is_both_a_target_and_a_piece_is_ambiguous() {
        let legal = legal(RuleSet::Tablan, "N11/12/12/2SS8 s t1");
        let (mut selection, outcomes) = click_all(&legal, &["c1", "d1"]);
        assert_eq!(outcomes, [ClickOutcome::Selected, ClickOutcome::Ambiguous(square("d1"))]);
        assert_eq!(selection.extend(square("d1"), &legal), ClickOutcome::Selected);
        assert_eq!(selection.click(square("d1"), &legal), ClickOutcome::Selected);
        let end = selection.click(square("e1"), &legal);
        assert!(matches!(end, ClickOutcome::Complete(mv) if mv.to_string() == "d1-e1+c1-d1"));

        let (mut selection, _) = click_all(&legal, &["c1", "d1"]);
        assert_eq!(selection.reselect(square("d1"), &legal), ClickOutcome::Selected);
        assert_eq!(selection.squares(), [square("d1")]);
    }

    #[test]
    fn a_tablaaza_move_is_one_square() {
        let legal = AnyPosition::start(RuleSet::Tablaaza).legal_moves();
        let (_, outcomes) = click_all(&legal, &["c7"]);
        assert!(matches!(outcomes[0], ClickOutcome::Complete(mv) if mv.to_string() == "c7"));
    }
}
