//! What a front end needs to draw a board: its squares and their kinds, the
//! pieces on them, the path of a move and the squares of the last one.

use tabulae_games::{
    AnyPosition, AnyRules, Event, GameHistory, RuleSet, Side, Square, tablaaza, tablan, tablut,
};

use super::PieceKind;

/// The kind of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquareKind {
    /// No special square.
    Plain,
    /// Tablut's castle, e5.
    Castle,
    /// An Ashton camp.
    Camp,
    /// A square where Tablut's king wins: the edge or a corner.
    Goal,
    /// The Tablan row where this side's pieces start.
    StartRow(Side),
    /// A Tablaaza square, by the side that may play there.
    Plot(Side),
    /// A Tablaaza lake.
    Lake,
}

/// A board: its size and the kinds of its squares.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::{BoardGrid, SquareKind};
///
/// let board = BoardGrid::new(RuleSet::TablutAshton);
/// assert_eq!((board.files, board.ranks, board.squares.len()), (9, 9, 81));
/// assert_eq!(board.kind("e5".parse()?), Some(SquareKind::Castle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardGrid {
    /// The number of files (columns).
    pub files: u8,
    /// The number of ranks (rows).
    pub ranks: u8,
    /// Every square with its kind, rank by rank from `a1`.
    pub squares: Vec<(Square, SquareKind)>,
}

impl BoardGrid {
    /// The board of a rule set.
    pub fn new(rules: RuleSet) -> Self {
        let (files, ranks) = rules.board_size();
        let squares = (0..ranks)
            .flat_map(|rank| (0..files).map(move |file| Square::new(file, rank)))
            .map(|square| (square, square_kind(rules, square)))
            .collect();
        Self { files, ranks, squares }
    }

    /// The kind of a square; `None` off the board.
    pub fn kind(&self, square: Square) -> Option<SquareKind> {
        if square.file >= self.files || square.rank >= self.ranks {
            return None;
        }
        let index = usize::from(square.rank) * usize::from(self.files) + usize::from(square.file);
        self.squares.get(index).map(|&(_, kind)| kind)
    }
}

pub(crate) fn square_kind(rules: RuleSet, square: Square) -> SquareKind {
    match rules.rules() {
        AnyRules::Tablut(_) if square == tablut::CASTLE => SquareKind::Castle,
        AnyRules::Tablut(rules) if rules.is_camp(square) => SquareKind::Camp,
        AnyRules::Tablut(rules) if rules.is_goal(square) => SquareKind::Goal,
        AnyRules::Tablut(_) => SquareKind::Plain,
        AnyRules::Tablan(_) => match square.rank {
            0 => SquareKind::StartRow(Side::First),
            3 => SquareKind::StartRow(Side::Second),
            _ => SquareKind::Plain,
        },
        AnyRules::Tablaaza => {
            tablaaza::LAKES.colour(square).map_or(SquareKind::Lake, SquareKind::Plot)
        }
    }
}

/// The pieces on the board, each with its square.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::{PieceKind, pieces_on};
///
/// let start = pieces_on(&AnyPosition::start(RuleSet::TablutAshton));
/// assert_eq!(start.len(), 25);
/// assert!(start.contains(&("e5".parse()?, PieceKind::King)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pieces_on(position: &AnyPosition) -> Vec<(Square, PieceKind)> {
    match position {
        AnyPosition::Tablut(position) => position
            .pieces()
            .map(|(square, piece)| {
                let kind = match piece {
                    tablut::Piece::King => PieceKind::King,
                    tablut::Piece::White => PieceKind::Soldier { white: true },
                    tablut::Piece::Black => PieceKind::Soldier { white: false },
                };
                (square, kind)
            })
            .collect(),
        AnyPosition::Tablan(position) => {
            position.pieces().map(|(square, side)| (square, PieceKind::Runner(side))).collect()
        }
        AnyPosition::Tablaaza(position) => position
            .squares()
            .filter_map(|square| {
                let kind = match position.at(square) {
                    tablaaza::Cell::Stone(side) => PieceKind::Stone(side),
                    tablaaza::Cell::Pavilion(side) => PieceKind::Pavilion(side),
                    tablaaza::Cell::Free | tablaaza::Cell::Lake => return None,
                };
                Some((square, kind))
            })
            .collect(),
    }
}

/// The squares that a piece passes from `from` to `to`, both included: along its
/// course in Tablan, only the two ends elsewhere. `before` is the position before
/// the move.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet, Square};
/// use tabulae_session::path;
///
/// let position = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S11 s t1")?;
/// let passed: Vec<Square> = path(&position, "a1".parse()?, "c1".parse()?);
/// assert_eq!(passed, [Square::new(0, 0), Square::new(1, 0), Square::new(2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path(before: &AnyPosition, from: Square, to: Square) -> Vec<Square> {
    match before {
        AnyPosition::Tablan(position) => match position.piece(from) {
            Some(side) => tablan::path(side, from, to),
            None => vec![from, to],
        },
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => vec![from, to],
    }
}

/// The squares of the last move within the first `plies` plies: where pieces
/// came from, went to, or were placed. Empty before the first move.
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
/// use tabulae_session::last_move_squares;
///
/// let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
/// assert!(last_move_squares(&history, 0).is_empty());
/// let ply = history.parse("e3-f3").unwrap();
/// history.push(ply).unwrap();
/// assert_eq!(last_move_squares(&history, 1), ["e3".parse()?, "f3".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn last_move_squares(history: &GameHistory<AnyPosition>, plies: usize) -> Vec<Square> {
    let steps = last_move_steps(history, plies);
    steps.into_iter().flat_map(|step| step.from.into_iter().chain([step.to])).collect()
}

/// A piece that a move took to another square, or put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveStep {
    /// The square that the piece came from; `None` if it was not on the board.
    pub from: Option<Square>,
    /// The square that the piece went to.
    pub to: Square,
}

impl MoveStep {
    /// The squares that these steps left and where nothing went afterwards.
    ///
    /// ```
    /// use tabulae_games::Square;
    /// use tabulae_session::MoveStep;
    ///
    /// let [a, b, c] = [0, 1, 2].map(|file| Square::new(file, 0));
    /// let steps = [MoveStep { from: Some(a), to: b }, MoveStep { from: Some(b), to: c }];
    /// assert_eq!(MoveStep::left_squares(&steps), [a, b]);
    /// ```
    pub fn left_squares(steps: &[Self]) -> Vec<Square> {
        let is_entered_later =
            |index: usize, at| steps[index + 1..].iter().any(|step| step.to == at);
        let left = steps.iter().enumerate().filter_map(|(index, step)| Some((index, step.from?)));
        left.filter(|&(index, at)| !is_entered_later(index, at)).map(|(_, at)| at).collect()
    }
}

/// The steps of the last move within the first `plies` plies, in order: two where a
/// pair of pieces was moved, one more for each pavilion that a stone raised. Empty
/// before the first move.
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
/// use tabulae_session::{MoveStep, last_move_steps};
///
/// let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
/// let ply = history.parse("e3-f3").unwrap();
/// history.push(ply).unwrap();
/// let step = MoveStep { from: Some("e3".parse()?), to: "f3".parse()? };
/// assert_eq!(last_move_steps(&history, 1), [step]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn last_move_steps(history: &GameHistory<AnyPosition>, plies: usize) -> Vec<MoveStep> {
    let mut steps = (1..=plies).rev().map(|ply| steps_of(history.events(ply)));
    steps.find(|steps| !steps.is_empty()).unwrap_or_default()
}

fn steps_of(events: &[Event]) -> Vec<MoveStep> {
    let steps = events.iter().filter_map(|event| match *event {
        Event::Slid { from, to } => Some(MoveStep { from: Some(from), to }),
        Event::Placed { at, .. } | Event::PavilionRaised { at, .. } => {
            Some(MoveStep { from: None, to: at })
        }
        _ => None,
    });
    steps.collect()
}

/// The squares that the last move within the first `plies` plies has emptied by capture.
/// A square that the move entered is not one of them.
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
/// use tabulae_session::last_captures;
///
/// let start = AnyPosition::parse(RuleSet::TablutAshton, "9/9/9/4K4/9/9/1BW6/4B4/9 b").unwrap();
/// let mut history = GameHistory::new(start);
/// history.push(history.parse("e2-e3")?).unwrap();
/// assert_eq!(last_captures(&history, 1), []);
/// history.push(history.parse("e6-f6")?).unwrap();
/// history.push(history.parse("e3-d3")?).unwrap();
/// assert_eq!(last_captures(&history, 3), ["c3".parse().unwrap()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn last_captures(history: &GameHistory<AnyPosition>, plies: usize) -> Vec<Square> {
    let last = (1..=plies).rev().find(|&ply| !steps_of(history.events(ply)).is_empty());
    let events = last.map_or(&[][..], |ply| history.events(ply));
    let entered: Vec<Square> = steps_of(events).iter().map(|step| step.to).collect();
    let captured = events.iter().filter_map(|event| match *event {
        Event::Captured { at, .. } if !entered.contains(&at) => Some(at),
        _ => None,
    });
    captured.collect()
}
