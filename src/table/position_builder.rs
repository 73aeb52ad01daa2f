//! A position being set up: pieces put on a board and taken off it, and the
//! text that comes of it.
//!
//! Architecture invariant: a draft can be anything; whether it is a position,
//! and why not, is said by the rules' own reader alone.

use std::{collections::BTreeMap, fmt};

use crate::games::{
    AnyPosition, Game, GameKind, PositionError, RuleSet, Side, Square, Turn, tablan::ThrowState,
};

use super::{
    board_grid::{BoardGrid, SquareKind, pieces_on},
    piece_tracker::{PieceId, PieceKind, PlacedPiece},
};

/// A position as far as it is set up.
///
/// ```
/// use tabulae::{
///     games::RuleSet,
///     table::{PositionBuilder, PieceKind},
/// };
///
/// let mut draft = PositionBuilder::empty(RuleSet::TablutAshton);
/// draft.put("e5".parse().unwrap(), PieceKind::King);
/// assert_eq!(draft.to_string(), "9/9/9/9/4K4/9/9/9/9 w");
/// assert!(draft.position().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionBuilder {
    rules: RuleSet,
    standing: BTreeMap<Square, PieceKind>,
    /// Who acts next.
    pub side: Side,
    /// What the sticks wait for; means something in Tablan only.
    pub sticks: ThrowState,
}

impl PositionBuilder {
    /// Nothing on the board, the side that begins by the rules to act.
    #[must_use]
    pub fn empty(rules: RuleSet) -> Self {
        Self { rules, standing: BTreeMap::new(), side: Side::First, sticks: ThrowState::Due }
    }

    /// The start of a game.
    #[must_use]
    pub fn start(rules: RuleSet) -> Self {
        Self::from_position(&AnyPosition::start(rules))
    }

    /// A position as it stands.
    #[must_use]
    pub fn from_position(position: &AnyPosition) -> Self {
        let sticks = match position {
            AnyPosition::Tablan(position) => position.throw_state(),
            AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => ThrowState::Due,
        };
        Self {
            rules: position.rules(),
            standing: pieces_on(position).into_iter().collect(),
            side: position.side(),
            sticks,
        }
    }

    /// Reads a position's text: by these rules, or else by the first that read
    /// it.
    ///
    /// # Errors
    /// No rules read it; the error is that of `rules`.
    pub fn parse(rules: RuleSet, text: &str) -> Result<Self, PositionError> {
        let text = text.trim();
        AnyPosition::parse(rules, text).map(|position| Self::from_position(&position)).or_else(
            |error| {
                RuleSet::ALL
                    .into_iter()
                    .find_map(|other| AnyPosition::parse(other, text).ok())
                    .map(|position| Self::from_position(&position))
                    .ok_or(error)
            },
        )
    }

    /// The rules it is set up for.
    #[must_use]
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The same by other rules: what stands is kept where the game is the
    /// same, else the board is set for its start. Who moves stays the same by
    /// name: Black begins by some rules and White by others.
    pub fn set_rules(&mut self, rules: RuleSet) {
        if self.rules.game() != rules.game() {
            *self = Self::start(rules);
            return;
        }
        let name = self.rules.side_name(self.side);
        self.rules = rules;
        if let Some(same) = Side::BOTH.into_iter().find(|&side| rules.side_name(side) == name) {
            self.side = same;
        }
    }

    /// What there is to put on this board.
    #[must_use]
    pub fn kinds(&self) -> &'static [PieceKind] {
        match self.rules.game() {
            GameKind::Tablut => &[
                PieceKind::King,
                PieceKind::Soldier { white: true },
                PieceKind::Soldier { white: false },
            ],
            GameKind::Tablan => &[PieceKind::Runner(Side::First), PieceKind::Runner(Side::Second)],
            // The square says whose they are.
            GameKind::Tablaaza => {
                &[PieceKind::Stone(Side::First), PieceKind::Pavilion(Side::First)]
            }
        }
    }

    /// What stands on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<PieceKind> {
        self.standing.get(&square).copied()
    }

    /// Everything that stands, in the order of squares.
    pub fn figures(&self) -> impl Iterator<Item = (Square, PieceKind)> + '_ {
        self.standing.iter().map(|(&square, &figure)| (square, figure))
    }

    /// The same for whoever draws it: a figure keeps its identity as long as
    /// it stands where it stands.
    #[must_use]
    pub fn standing(&self) -> Vec<PlacedPiece> {
        self.figures()
            .map(|(at, figure)| {
                let kind = match figure {
                    PieceKind::King => 0,
                    PieceKind::Soldier { white: true } => 1,
                    PieceKind::Soldier { white: false } => 2,
                    PieceKind::Runner(side) => 3 + side.index() as u16,
                    PieceKind::Stone(side) => 5 + side.index() as u16,
                    PieceKind::Pavilion(side) => 7 + side.index() as u16,
                };
                let id = kind << 8 | u16::from(at.rank) << 4 | u16::from(at.file);
                PlacedPiece { id: PieceId(id), at, kind: figure }
            })
            .collect()
    }

    /// What this figure is on this square: a stone has the square's colour, a
    /// pavilion is its opponent's. None where it cannot stand at all, off the
    /// board or on water.
    fn suited(&self, square: Square, figure: PieceKind) -> Option<PieceKind> {
        let ground = BoardGrid::new(self.rules).kind(square)?;
        match (figure, ground) {
            (_, SquareKind::Lake) => None,
            (PieceKind::Stone(_), SquareKind::Plot(side)) => Some(PieceKind::Stone(side)),
            (PieceKind::Pavilion(_), SquareKind::Plot(side)) => {
                Some(PieceKind::Pavilion(side.other()))
            }
            (PieceKind::Stone(_) | PieceKind::Pavilion(_), _) | (_, SquareKind::Plot(_)) => None,
            (figure, _) => Some(figure),
        }
    }

    /// Puts a figure on a square, in place of what stood there; there is one
    /// king only. Says whether it can stand there.
    pub fn put(&mut self, square: Square, figure: PieceKind) -> bool {
        let kinds = self.kinds();
        let same_kind =
            |other: &PieceKind| std::mem::discriminant(other) == std::mem::discriminant(&figure);
        let Some(suited) = self.suited(square, figure).filter(|_| kinds.iter().any(same_kind))
        else {
            return false;
        };
        if suited == PieceKind::King {
            self.standing.retain(|_, standing| *standing != PieceKind::King);
        }
        self.standing.insert(square, suited);
        true
    }

    /// Takes what stands on a square off the board; says whether anything did.
    pub fn take(&mut self, square: Square) -> bool {
        self.standing.remove(&square).is_some()
    }

    /// Puts a figure where a hand does that touches a square: the same figure
    /// again is taken off.
    pub fn toggle(&mut self, square: Square, figure: Option<PieceKind>) -> bool {
        match figure.and_then(|figure| self.suited(square, figure)) {
            Some(figure) if self.at(square) != Some(figure) => self.put(square, figure),
            _ => self.take(square),
        }
    }

    /// Moves what stands on a square to another, or off the board.
    pub fn move_piece(&mut self, from: Square, to: Option<Square>) -> bool {
        let Some(figure) = self.at(from) else { return false };
        match to {
            Some(to) if to == from || self.suited(to, figure).is_none() => false,
            Some(to) => {
                self.take(from);
                self.put(to, figure)
            }
            None => self.take(from),
        }
    }

    /// Takes everything off the board.
    pub fn clear(&mut self) {
        self.standing.clear();
        self.sticks = ThrowState::Due;
    }

    /// Whether a king belongs on this board and none stands there: to the rules
    /// a game that is over.
    #[must_use]
    pub fn lacks_king(&self) -> bool {
        self.rules.game() == GameKind::Tablut
            && !self.standing.values().any(|figure| *figure == PieceKind::King)
    }

    /// The position, if it is one.
    ///
    /// # Errors
    /// What the rules' reader says is wrong with it.
    pub fn position(&self) -> Result<AnyPosition, PositionError> {
        AnyPosition::parse(self.rules, &self.to_string())
    }

    /// The position if a game can go on from it, and who acts.
    ///
    /// # Errors
    /// It is none, or the game is over.
    pub fn playable(&self) -> Result<(AnyPosition, Side), Unplayable> {
        let position = self.position().map_err(Unplayable::Wrong)?;
        match position.turn() {
            Turn::Over(end) => Err(Unplayable::Over(end)),
            Turn::Move(side) | Turn::Throw(side) => Ok((position, side)),
        }
    }
}

/// Why no game can go on from a draft.
///
/// ```
/// use tabulae::games::RuleSet;
/// use tabulae::table::{PositionBuilder, Unplayable};
///
/// // Where no king is left, the game is over.
/// let draft = PositionBuilder::empty(RuleSet::TablutAshton);
/// assert!(matches!(draft.playable(), Err(Unplayable::Over(_))));
/// assert!(PositionBuilder::start(RuleSet::TablutAshton).playable().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// It is no position.
    Wrong(PositionError),
    /// The game would be over.
    Over(crate::games::End),
}

impl fmt::Display for PositionBuilder {
    /// As positions are written, whether it is one or not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = BoardGrid::new(self.rules);
        for rank in (0..board.ranks).rev() {
            let mut empty = 0;
            for file in 0..board.files {
                let square = Square::new(file, rank);
                let letter = match self.at(square) {
                    Some(figure) => letter(figure),
                    None if board.kind(square) == Some(SquareKind::Lake) => "~",
                    None => {
                        empty += 1;
                        continue;
                    }
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                f.write_str(letter)?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        let name = self.rules.side_name(self.side).to_lowercase();
        let side = name.get(..1).unwrap_or_default();
        match (self.rules.game(), self.sticks) {
            (GameKind::Tablut | GameKind::Tablaaza, _) => f.write_str(side),
            (GameKind::Tablan, ThrowState::ThrowingOff) => write!(f, "?{side} -"),
            (GameKind::Tablan, ThrowState::Due) => write!(f, "{side} -"),
            (GameKind::Tablan, ThrowState::ToUse(throw)) => write!(f, "{side} {throw}"),
        }
    }
}

const fn letter(figure: PieceKind) -> &'static str {
    match figure {
        PieceKind::King => "K",
        PieceKind::Soldier { white: true } => "W",
        PieceKind::Soldier { white: false } => "B",
        PieceKind::Runner(Side::First) => "S",
        PieceKind::Runner(Side::Second) => "N",
        PieceKind::Stone(Side::First) => "r",
        PieceKind::Stone(Side::Second) => "g",
        PieceKind::Pavilion(_) => "p",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameHistory, Ply, Throw};

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn every_position_of_a_game_is_drafted_as_it_is_written() {
        for rules in RuleSet::ALL {
            let mut line = GameHistory::new(AnyPosition::start(rules));
            for number in 0..60_usize {
                let draft = PositionBuilder::from_position(line.position());
                assert_eq!(draft.to_string(), line.position().to_string(), "{rules}");
                assert_eq!(draft.position().as_ref(), Ok(line.position()), "{rules}");
                let moves = line.legal_moves();
                let ply = match (line.turn(), moves.len()) {
                    (Turn::Over(_), _) => break,
                    (Turn::Throw(_), _) => Ply::Throw(Throw::ALL[number * 7 % 5]),
                    (Turn::Move(_), count) => Ply::Move(moves[number * 7_919 % count]),
                };
                line.push(ply).expect("legal");
            }
        }
    }

    #[test]
    fn pieces_are_put_moved_and_taken_off() {
        let mut draft = PositionBuilder::empty(RuleSet::TablutBerkeley);
        assert!(
            draft.put(square("e5"), PieceKind::King) && draft.put(square("a1"), PieceKind::King)
        );
        assert_eq!(draft.at(square("e5")), None, "there is one king");
        assert!(!draft.put(Square::new(9, 0), PieceKind::King), "off the board");
        assert!(!draft.put(square("a2"), PieceKind::Runner(Side::First)), "of another game");
        let black = PieceKind::Soldier { white: false };
        assert!(draft.toggle(square("b1"), Some(black)) && draft.toggle(square("b1"), Some(black)));
        assert_eq!(draft.at(square("b1")), None, "the same again takes it off");
        assert!(draft.toggle(square("b1"), Some(black)));
        assert!(draft.move_piece(square("b1"), Some(square("c1"))));
        assert!(
            !draft.move_piece(square("b1"), Some(square("d1"))),
            "nothing stands there any more"
        );
        assert_eq!(draft.to_string(), "9/9/9/9/9/9/9/9/K1B6 b");
        assert!(draft.move_piece(square("c1"), None) && draft.toggle(square("a1"), None));
        assert_eq!(draft, PositionBuilder::empty(RuleSet::TablutBerkeley));
    }

    #[test]
    fn a_square_of_tablaaza_says_whose_stone_and_pavilion_stand_there() {
        let mut draft = PositionBuilder::empty(RuleSet::Tablaaza);
        for (name, figure, stands) in [
            ("a1", PieceKind::Stone(Side::Second), Some(PieceKind::Stone(Side::First))),
            ("b1", PieceKind::Stone(Side::First), Some(PieceKind::Stone(Side::Second))),
            ("d1", PieceKind::Pavilion(Side::Second), Some(PieceKind::Pavilion(Side::First))),
            ("c4", PieceKind::Stone(Side::First), None),
        ] {
            assert_eq!(draft.put(square(name), figure), stands.is_some(), "{name}");
            assert_eq!(draft.at(square(name)), stands, "{name}");
        }
        assert!(draft.move_piece(square("a1"), Some(square("h1"))));
        assert_eq!(draft.at(square("h1")), Some(PieceKind::Stone(Side::Second)));
        let position = draft.position().expect("a position");
        assert_eq!(pieces_on(&position).len(), 3);
    }

    #[test]
    fn the_reader_says_what_is_wrong_and_what_is_over() {
        let mut draft = PositionBuilder::start(RuleSet::Tablan);
        assert!(draft.playable().is_ok());
        draft.sticks = ThrowState::ToUse(Throw::ALL[1]);
        assert!(draft.playable().is_ok(), "a one can be used");
        draft.clear();
        let Err(Unplayable::Wrong(error)) = draft.playable() else { panic!("no piece stands") };
        assert!(error.to_string().contains("no piece"), "{error}");

        let mut draft = PositionBuilder::start(RuleSet::TablutAshton);
        let (soldier, edge) = (PieceKind::Soldier { white: true }, Square::new(0, 0));
        assert!(draft.put(edge, soldier));
        assert!(matches!(draft.playable(), Err(Unplayable::Wrong(_))), "nine white soldiers");
        assert!(draft.put(edge, PieceKind::King));
        assert!(matches!(draft.playable(), Err(Unplayable::Over(_))), "the king is home");
    }

    #[test]
    fn a_text_of_any_game_is_read_and_rules_are_changed() {
        let text = AnyPosition::start(RuleSet::Tablaaza).to_string();
        let draft = PositionBuilder::parse(RuleSet::TablutAshton, &format!("  {text}\n"));
        assert_eq!(draft, Ok(PositionBuilder::start(RuleSet::Tablaaza)));
        let error = PositionBuilder::parse(RuleSet::Tablan, "nothing").expect_err("no position");
        assert!(error.to_string().contains("nothing"));

        let mut draft = PositionBuilder::start(RuleSet::TablutAshton);
        draft.take(square("e4"));
        draft.set_rules(RuleSet::TablutBerkeley);
        assert_eq!((draft.at(square("e4")), draft.side), (None, Side::Second), "White still");
        assert!(draft.to_string().ends_with(" w"));
        draft.set_rules(RuleSet::Tablan);
        assert_eq!(draft, PositionBuilder::start(RuleSet::Tablan));
    }

    #[test]
    fn figures_keep_their_identity_where_they_stand() {
        let draft = PositionBuilder::start(RuleSet::TablutLinnaeus);
        let before = draft.standing();
        let mut after = draft.clone();
        after.take(square("e4"));
        let names = |standing: &[PlacedPiece]| -> std::collections::BTreeSet<PieceId> {
            standing.iter().map(|it| it.id).collect()
        };
        assert_eq!(names(&before).len(), before.len(), "each has its own");
        assert!(names(&after.standing()).is_subset(&names(&before)));
    }
}
