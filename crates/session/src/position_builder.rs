//! Setting up a position piece by piece.
//!
//! Architecture invariant: a builder holds any arrangement of pieces. Whether it
//! is a position, and why not, only the rules' own parser decides.

use std::{collections::BTreeMap, fmt};

use tabulae_games::{
    AnyPosition, Game, GameKind, PositionError, RuleSet, Side, Square, Turn, tablan::ThrowState,
    write_ranks,
};

use super::{
    board_grid::{BoardGrid, SquareKind, pieces_on},
    piece_tracker::{PieceId, PieceKind, PlacedPiece},
};

/// An arrangement of pieces that may become a position.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::{PositionBuilder, PieceKind, ThrowState};
///
/// let mut builder = PositionBuilder::empty(RuleSet::TablutAshton);
/// builder.put("e5".parse().unwrap(), PieceKind::King);
/// assert_eq!(builder.to_string(), "9/9/9/9/4K4/9/9/9/9 w");
/// assert!(builder.position().is_ok());
/// // In Tablan the side on turn throws first.
/// assert_eq!(PositionBuilder::empty(RuleSet::Tablan).throw_state, ThrowState::Due);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionBuilder {
    rules: RuleSet,
    pieces: BTreeMap<Square, PieceKind>,
    /// The side to move or to throw.
    pub side: Side,
    /// The state of the sticks; used in Tablan only.
    pub throw_state: ThrowState,
}

impl PositionBuilder {
    /// An empty board with the first side to move.
    pub fn empty(rules: RuleSet) -> Self {
        Self { rules, pieces: BTreeMap::new(), side: Side::First, throw_state: ThrowState::Due }
    }

    /// The start position.
    pub fn start(rules: RuleSet) -> Self {
        Self::from_position(&AnyPosition::start(rules))
    }

    /// The pieces of a position.
    pub fn from_position(position: &AnyPosition) -> Self {
        let throw_state = match position {
            AnyPosition::Tablan(position) => position.throw_state(),
            AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => ThrowState::Due,
        };
        Self {
            rules: position.rules(),
            pieces: pieces_on(position).into_iter().collect(),
            side: position.side(),
            throw_state,
        }
    }

    /// Parses a position by these rules, or else by the first rule set that accepts
    /// it.
    ///
    /// # Errors
    /// No rule set accepts it; the error is that of `rules`.
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

    /// The rule set.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Changes the rule set. Within a game the pieces stay; another game begins at
    /// its start position. The side to move stays the same by name, since Black
    /// begins in some rule sets and White in others.
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

    /// The kinds of pieces of this game.
    pub fn piece_kinds(&self) -> &'static [PieceKind] {
        match self.rules.game() {
            GameKind::Tablut => &[
                PieceKind::King,
                PieceKind::Soldier { white: true },
                PieceKind::Soldier { white: false },
            ],
            GameKind::Tablan => &[PieceKind::Runner(Side::First), PieceKind::Runner(Side::Second)],
            // The square decides whose they are.
            GameKind::Tablaaza => {
                &[PieceKind::Stone(Side::First), PieceKind::Pavilion(Side::First)]
            }
        }
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<PieceKind> {
        self.pieces.get(&square).copied()
    }

    /// The pieces in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, PieceKind)> + '_ {
        self.pieces.iter().map(|(&square, &kind)| (square, kind))
    }

    /// The pieces with identities, which depend on kind and square only: a piece
    /// keeps its identity while others change.
    pub fn placed_pieces(&self) -> Vec<PlacedPiece> {
        self.pieces()
            .map(|(at, kind)| {
                let number = match kind {
                    PieceKind::King => 0,
                    PieceKind::Soldier { white: true } => 1,
                    PieceKind::Soldier { white: false } => 2,
                    PieceKind::Runner(side) => 3 + side.index() as u16,
                    PieceKind::Stone(side) => 5 + side.index() as u16,
                    PieceKind::Pavilion(side) => 7 + side.index() as u16,
                };
                let id = number << 8 | u16::from(at.rank) << 4 | u16::from(at.file);
                PlacedPiece { id: PieceId(id), at, kind }
            })
            .collect()
    }

    /// The kind that a piece becomes on a square: a stone takes the side of the
    /// square's colour, a pavilion the other side. `None` off the board, on a lake
    /// and for a piece of another game.
    fn adapted(&self, square: Square, kind: PieceKind) -> Option<PieceKind> {
        let square_kind = BoardGrid::new(self.rules).kind(square)?;
        match (kind, square_kind) {
            (_, SquareKind::Lake) => None,
            (PieceKind::Stone(_), SquareKind::Plot(side)) => Some(PieceKind::Stone(side)),
            (PieceKind::Pavilion(_), SquareKind::Plot(side)) => {
                Some(PieceKind::Pavilion(side.other()))
            }
            (PieceKind::Stone(_) | PieceKind::Pavilion(_), _) | (_, SquareKind::Plot(_)) => None,
            (kind, _) => Some(kind),
        }
    }

    /// Puts a piece on a square, replacing the one there. Another king is removed.
    /// Returns whether the piece can stand there.
    pub fn put(&mut self, square: Square, kind: PieceKind) -> bool {
        let kinds = self.piece_kinds();
        let same_kind =
            |other: &PieceKind| std::mem::discriminant(other) == std::mem::discriminant(&kind);
        let Some(adapted) = self.adapted(square, kind).filter(|_| kinds.iter().any(same_kind))
        else {
            return false;
        };
        if adapted == PieceKind::King {
            self.pieces.retain(|_, other| *other != PieceKind::King);
        }
        self.pieces.insert(square, adapted);
        true
    }

    /// Removes the piece on a square. Returns whether there was one.
    pub fn remove(&mut self, square: Square) -> bool {
        self.pieces.remove(&square).is_some()
    }

    /// Puts a piece on a square, or removes it if the same piece is there; `None`
    /// removes any piece. Returns whether anything changed.
    pub fn toggle(&mut self, square: Square, kind: Option<PieceKind>) -> bool {
        match kind.and_then(|kind| self.adapted(square, kind)) {
            Some(kind) if self.at(square) != Some(kind) => self.put(square, kind),
            _ => self.remove(square),
        }
    }

    /// Moves a piece to another square, or off the board. Returns whether it could.
    pub fn move_piece(&mut self, from: Square, to: Option<Square>) -> bool {
        let Some(kind) = self.at(from) else { return false };
        match to {
            Some(to) if to == from || self.adapted(to, kind).is_none() => false,
            Some(to) => {
                self.remove(from);
                self.put(to, kind)
            }
            None => self.remove(from),
        }
    }

    /// Removes all pieces.
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.throw_state = ThrowState::Due;
    }

    /// Whether this is Tablut without a king, where the rules say the game is over.
    pub fn is_missing_king(&self) -> bool {
        self.rules.game() == GameKind::Tablut
            && !self.pieces.values().any(|kind| *kind == PieceKind::King)
    }

    /// The position.
    ///
    /// # Errors
    /// It is no position; the error is that of the rules' parser.
    pub fn position(&self) -> Result<AnyPosition, PositionError> {
        AnyPosition::parse(self.rules, &self.to_string())
    }

    /// A position to play from, and the side to move or to throw.
    ///
    /// # Errors
    /// It is no position, or the game is over.
    pub fn playable(&self) -> Result<(AnyPosition, Side), Unplayable> {
        let position = self.position().map_err(Unplayable::Wrong)?;
        match position.turn() {
            Turn::Over(end) => Err(Unplayable::Over(end)),
            Turn::Move(side) | Turn::Throw(side) => Ok((position, side)),
        }
    }
}

/// Why no game can be played from a [`PositionBuilder`].
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::{PositionBuilder, Unplayable};
///
/// // Without a king the game is over.
/// let builder = PositionBuilder::empty(RuleSet::TablutAshton);
/// assert!(matches!(builder.playable(), Err(Unplayable::Over(_))));
/// assert!(PositionBuilder::start(RuleSet::TablutAshton).playable().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// The arrangement is no position.
    Wrong(PositionError),
    /// The game would be over.
    Over(tabulae_games::End),
}

impl fmt::Display for PositionBuilder {
    /// Writes the text of a position, whether it is one or not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = BoardGrid::new(self.rules);
        write_ranks(f, (board.files, board.ranks), |square| match self.at(square) {
            Some(kind) => Some(kind.letter()),
            None => (board.kind(square) == Some(SquareKind::Lake)).then_some('~'),
        })?;
        f.write_str(" ")?;
        let name = self.rules.side_name(self.side).to_lowercase();
        let side = name.get(..1).unwrap_or_default();
        match (self.rules.game(), self.throw_state) {
            (GameKind::Tablut | GameKind::Tablaaza, _) => f.write_str(side),
            (GameKind::Tablan, ThrowState::ThrowingOff) => write!(f, "?{side} -"),
            (GameKind::Tablan, ThrowState::Due) => write!(f, "{side} -"),
            (GameKind::Tablan, ThrowState::ToUse(throw)) => write!(f, "{side} {throw}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::{GameHistory, Ply, Throw};

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn every_position_of_a_game_is_rebuilt_with_the_same_text() {
        for rules in RuleSet::ALL {
            let mut history = GameHistory::new(AnyPosition::start(rules));
            for number in 0..60_usize {
                let draft = PositionBuilder::from_position(history.position());
                assert_eq!(draft.to_string(), history.position().to_string(), "{rules}");
                assert_eq!(draft.position().as_ref(), Ok(history.position()), "{rules}");
                let moves = history.legal_moves();
                let ply = match (history.turn(), moves.len()) {
                    (Turn::Over(_), _) => break,
                    (Turn::Throw(_), _) => Ply::Throw(Throw::ALL[number * 7 % 5]),
                    (Turn::Move(_), count) => Ply::Move(moves[number * 7_919 % count]),
                };
                history.push(ply).expect("legal");
            }
        }
    }

    #[test]
    fn pieces_are_put_moved_and_removed() {
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
    fn tablaaza_squares_decide_the_side_of_stones_and_pavilions() {
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
    fn only_positions_of_unfinished_games_are_playable() {
        let mut draft = PositionBuilder::start(RuleSet::Tablan);
        assert!(draft.playable().is_ok());
        draft.throw_state = ThrowState::ToUse(Throw::ALL[1]);
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
    fn texts_of_any_game_parse_and_rule_sets_can_be_changed() {
        let text = AnyPosition::start(RuleSet::Tablaaza).to_string();
        let draft = PositionBuilder::parse(RuleSet::TablutAshton, &format!("  {text}\n"));
        assert_eq!(draft, Ok(PositionBuilder::start(RuleSet::Tablaaza)));
        let error = PositionBuilder::parse(RuleSet::Tablan, "nothing").expect_err("no position");
        assert!(error.to_string().contains("nothing"));

        let mut draft = PositionBuilder::start(RuleSet::TablutAshton);
        draft.remove(square("e4"));
        draft.set_rules(RuleSet::TablutBerkeley);
        assert_eq!((draft.at(square("e4")), draft.side), (None, Side::Second), "White still");
        assert!(draft.to_string().ends_with(" w"));
        draft.set_rules(RuleSet::Tablan);
        assert_eq!(draft, PositionBuilder::start(RuleSet::Tablan));
    }

    #[test]
    fn pieces_keep_their_identity_when_others_are_removed() {
        let draft = PositionBuilder::start(RuleSet::TablutLinnaeus);
        let before = draft.placed_pieces();
        let mut after = draft.clone();
        after.remove(square("e4"));
        let ids = |pieces: &[PlacedPiece]| -> std::collections::BTreeSet<PieceId> {
            pieces.iter().map(|piece| piece.id).collect()
        };
        assert_eq!(ids(&before).len(), before.len(), "each has its own");
        assert!(ids(&after.placed_pieces()).is_subset(&ids(&before)));
    }
}
