//! Puzzles: positions with one best move, which is checked.
//!
//! - [`Puzzle`] and its line of text; [`shipped`] are those of `assets/puzzles`.
//! - [`ForcedWins`]: forced wins in Tablut, by every reply that the rules allow.
//! - [`PuzzleProgress`]: what a player has solved, and what comes back;
//!   [`PuzzleTraining`] chooses the next one.
//! - [`describe_task`], [`describe_why`], [`describe_themes`], [`theme_label`]: a puzzle in
//!   words.
//!
//! The package `tabulae-lab` finds and checks puzzles.
//!
//! What is the best move differs by game:
//!
//! - Tablut: the only move that wins by force, or the only one that does not lose by
//!   force ([`Goal::Win`], [`Goal::Defend`]);
//! - Tablan: the move whose equity is far above that of any other ([`Goal::Gain`]);
//! - Tablaaza: the only move that wins ([`Goal::OnlyWin`]).

mod describe;
mod forced;
mod progress;
mod training;

use std::{fmt, str::FromStr};

use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use thiserror::Error;

use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory, Ply, RuleSet, Side};

pub use describe::{describe_task, describe_themes, describe_why, theme_label, theme_meaning};
pub use forced::ForcedWins;
pub use progress::{PuzzleProgress, PuzzleRating, SavedProgress};
pub use training::PuzzleTraining;

/// The first line of a file of puzzles.
pub const HEADER: &str = "# tabulae puzzles 1";

/// A position with one best move.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::{Goal, Puzzle, Theme};
///
/// let line = "969;win 1;king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;d4-d3;130.44";
/// let puzzle = Puzzle::parse(RuleSet::TablutBerkeley, line)?;
/// assert_eq!((puzzle.goal, puzzle.rating), (Goal::Win(1), 969));
/// assert_eq!(puzzle.themes, [Theme::KingHunt]);
/// assert_eq!(puzzle.to_string(), line);
/// # Ok::<(), tabulae_session::puzzles::PuzzleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position; a move is due.
    pub start: AnyPosition,
    /// The solution, and in turn the opponent's replies and the solver's next moves.
    pub line: Vec<AnyMove>,
    /// What the solution achieves.
    pub goal: Goal,
    /// What it is about.
    pub themes: Vec<Theme>,
    /// How hard it is, on a scale like Elo's.
    pub rating: u32,
    /// Where it is from: game and ply of the seed's self-play, or of a file.
    pub source: String,
}

/// What the solution of a puzzle achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// A forced win in at most this many plies, the first included.
    Win(u32),
    /// Every other move loses by force.
    Defend,
    /// Every other move loses.
    OnlyWin,
    /// Every other move costs at least this much equity, in hundredths.
    Gain(u32),
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win {plies}"),
            Self::Defend => f.write_str("defend"),
            Self::OnlyWin => f.write_str("only-win"),
            Self::Gain(hundredths) => write!(f, "gain {hundredths}"),
        }
    }
}

/// The most plies of a forced win. The proof tries every move of each of them.
pub const MAX_WIN_PLIES: u32 = 5;
/// The most that a move can gain, in hundredths: from lost to won.
const MAX_GAIN: u32 = 200;
/// The highest rating.
const MAX_RATING: u32 = 4000;

impl FromStr for Goal {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str, most: u32| {
            text.parse().ok().filter(|number| (1..=most).contains(number)).ok_or(())
        };
        match text.split_once(' ') {
            Some(("win", plies)) => number(plies, MAX_WIN_PLIES).map(Self::Win),
            Some(("gain", hundredths)) => number(hundredths, MAX_GAIN).map(Self::Gain),
            None if text == "defend" => Ok(Self::Defend),
            None if text == "only-win" => Ok(Self::OnlyWin),
            _ => Err(()),
        }
    }
}

/// What a puzzle is about.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Theme {
    /// Tablut: the king reaches a goal square.
    Escape,
    /// Tablut: the king is captured.
    KingHunt,
    /// Tablut: the first move threatens to win in two ways.
    DoubleThreat,
    /// Tablut: the first move threatens one escape of the king.
    Raichi,
    /// Tablut: the first move threatens two escapes of the king.
    Tuichi,
    /// Tablut: the only defence.
    Defence,
    /// Tablut and Tablan: the first move captures a piece.
    Capture,
    /// Tablut and Tablan: the first move captures two pieces or more.
    DoubleCapture,
    /// Tablan: neither side can capture any more.
    Race,
    /// Tablan: the move leaves fewer pieces in reach of a capture than the next best.
    Safety,
    /// Tablan, ordered: a piece takes its place on the goal row.
    Order,
    /// Tablan, not ordered: a piece reaches the goal row.
    Arrival,
    /// Tablan: the move captures nothing, saves nothing and does not arrive.
    Quiet,
    /// Tablaaza: the move raises a pavilion.
    Pavilion,
    /// Tablaaza: the move takes away a pavilion that the opponent could raise.
    Block,
    /// Tablaaza: the move raises no pavilion, and wins by the count of the free squares.
    Parity,
}

impl Theme {
    /// All themes.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in files.
    pub fn id(self) -> &'static str {
        self.into()
    }
}

/// A line that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The line has not six parts.
    #[error("expected 'rating;goal;themes;position;moves;source', found '{0}'")]
    Parts(String),
    /// A part is invalid: its name and its text.
    #[error("invalid {0} '{1}'")]
    Part(&'static str, String),
    /// The goal is invalid.
    #[error(
        "invalid goal '{0}': expected 'win PLIES' (1 to {MAX_WIN_PLIES}), 'defend', 'only-win' or \
         'gain HUNDREDTHS' (1 to {MAX_GAIN})"
    )]
    Goal(String),
    /// The first lines do not name the format and the rules.
    #[error("expected '{HEADER}' and a line '# rules RULES'")]
    Header,
}

impl Puzzle {
    /// Parses a line; see [`Display`](fmt::Display).
    ///
    /// # Errors
    /// The part that is invalid. Every move of the line must be legal.
    pub fn parse(rules: RuleSet, line: &str) -> Result<Self, PuzzleError> {
        let parts: Vec<&str> = line.split(';').collect();
        let [rating, goal, themes, position, moves, source] = parts[..] else {
            return Err(PuzzleError::Parts(line.to_owned()));
        };
        let invalid = |part, text: &str| PuzzleError::Part(part, text.to_owned());
        let start =
            AnyPosition::parse(rules, position).map_err(|_| invalid("position", position))?;
        let mut history = GameHistory::new(start.clone());
        let mut line = Vec::new();
        for text in moves.split(' ') {
            let mv = history.position().parse_move(text).map_err(|_| invalid("move", text))?;
            history.push(Ply::Move(mv)).map_err(|_| invalid("move", text))?;
            line.push(mv);
        }
        let themes = themes.split(',').filter(|text| !text.is_empty());
        Ok(Self {
            start,
            line,
            goal: goal.parse().map_err(|()| PuzzleError::Goal(goal.to_owned()))?,
            themes: themes
                .map(|text| text.parse().map_err(|_| invalid("theme", text)))
                .collect::<Result<_, _>>()?,
            rating: rating
                .parse()
                .ok()
                .filter(|rating| *rating <= MAX_RATING)
                .ok_or_else(|| invalid("rating", rating))?,
            source: source.to_owned(),
        })
    }

    /// The rules.
    pub fn rules(&self) -> RuleSet {
        self.start.rules()
    }

    /// The side that solves it.
    pub fn side(&self) -> Side {
        self.start.side()
    }

    /// The number of moves that the solver makes.
    pub const fn own_moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// A key for what is remembered of it: the same for the same position (FNV-1a).
    pub fn id(&self) -> String {
        let text = format!("{} {}", self.rules(), self.start);
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// Whether a move of the solver is right, after the moves of `history`, which
    /// begins with the puzzle's position.
    ///
    /// The first move must be the solution, or lead to the same position. In a forced
    /// win of Tablut, each later move may be any that still wins in time.
    pub fn accepts(&self, history: &GameHistory<AnyPosition>, mv: AnyMove) -> bool {
        let mut after = history.clone();
        if after.push(Ply::Move(mv)).is_err() {
            return false;
        }
        let played = history.len();
        let mut expected = history.clone();
        let follows = (0..played).all(|at| history.ply(at + 1) == self.ply(at));
        if follows
            && let Some(Ply::Move(solution)) = self.ply(played)
            && expected.push(Ply::Move(solution)).is_ok()
            && expected.position() == after.position()
        {
            return true;
        }
        match self.goal {
            Goal::Win(plies) if played > 0 => {
                let left = plies.saturating_sub(u32::try_from(played).unwrap_or(u32::MAX));
                left > 0
                    && ForcedWins::default().wins_after(&mut after, self.side(), left - 1)
                        == Some(true)
            }
            _ => false,
        }
    }

    /// A move that is right after the moves of `history`, which begins with the
    /// puzzle's position: the line's, or any after another forced win.
    pub fn solution(&self, history: &GameHistory<AnyPosition>) -> Option<AnyMove> {
        let follows = history.plies().zip(&self.line).all(|(ply, mv)| ply == Ply::Move(*mv));
        let solution = self.line.get(history.len()).copied();
        solution.filter(|_| follows).or_else(|| {
            let moves = history.legal_moves();
            moves.into_iter().find(|mv| self.accepts(history, *mv))
        })
    }

    /// The opponent's reply after the moves of `history`: the line's, or else, in a
    /// forced win of Tablut, the one that resists the longest. None if the puzzle is
    /// solved.
    pub fn reply(&self, history: &GameHistory<AnyPosition>) -> Option<AnyMove> {
        let played = history.len();
        let follows = (0..played).all(|at| history.ply(at + 1) == self.ply(at));
        if follows {
            return match self.ply(played)? {
                Ply::Move(mv) => Some(mv),
                Ply::Throw(_) => None,
            };
        }
        match self.goal {
            Goal::Win(plies) => {
                let left = plies.saturating_sub(u32::try_from(played).unwrap_or(u32::MAX));
                ForcedWins::default().longest_reply(&mut history.clone(), self.side(), left)
            }
            _ => None,
        }
    }

    fn ply(&self, index: usize) -> Option<Ply<AnyMove>> {
        self.line.get(index).copied().map(Ply::Move)
    }
}

impl fmt::Display for Puzzle {
    /// `rating;goal;themes;position;moves;source`, with commas between the themes and
    /// spaces between the moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let themes: Vec<&str> = self.themes.iter().map(|theme| theme.id()).collect();
        let moves: Vec<String> = self.line.iter().map(ToString::to_string).collect();
        let Self { start, goal, rating, source, .. } = self;
        write!(f, "{rating};{goal};{};{start};{};{source}", themes.join(","), moves.join(" "))
    }
}

/// A file's puzzles, or the number of the first wrong line and its error.
pub type ReadPuzzles = Result<(RuleSet, Vec<(usize, Puzzle)>), (usize, PuzzleError)>;

/// Reads a file of puzzles, each with the number of its line.
///
/// # Errors
/// The first wrong line.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::{HEADER, read_puzzles};
///
/// let line = "969;win 1;king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;d4-d3;130.44";
/// let (rules, puzzles) = read_puzzles(&format!("{HEADER}\n# rules tablut/berkeley\n{line}\n"))?;
/// assert_eq!((rules, puzzles.len()), (RuleSet::TablutBerkeley, 1));
/// assert_eq!(read_puzzles("610;").unwrap_err().0, 1);
/// # Ok::<(), (usize, tabulae_session::puzzles::PuzzleError)>(())
/// ```
pub fn read_puzzles(text: &str) -> ReadPuzzles {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line != HEADER) {
        return Err((1, PuzzleError::Header));
    }
    let rules = lines.next().and_then(|(_, line)| line.strip_prefix("# rules ")?.parse().ok());
    let rules = rules.ok_or((2, PuzzleError::Header))?;
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let puzzles = lines
        .map(|(number, line)| match Puzzle::parse(rules, line) {
            Ok(puzzle) => Ok((number, puzzle)),
            Err(error) => Err((number, error)),
        })
        .collect::<Result<_, _>>()?;
    Ok((rules, puzzles))
}

/// The puzzles that come with the program.
pub fn shipped(rules: RuleSet) -> Vec<Puzzle> {
    let text = crate::shipped::shipped(rules).puzzles;
    // A test reads all of them.
    let (_, puzzles) = read_puzzles(text).unwrap_or((rules, Vec::new()));
    puzzles.into_iter().map(|(_, puzzle)| puzzle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_bounds_are_refused() {
        let of = |rating: &str, goal: &str| {
            let text = format!("{rating};{goal};king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;");
            Puzzle::parse(RuleSet::TablutBerkeley, &format!("{text}d4-d3;x"))
        };
        assert!(of("969", "win 1").is_ok() && of("0", "gain 200").is_ok());
        for goal in ["win 0", "win 6", "win 4294967295", "win 4294967296", "gain 0", "gain 201"] {
            assert_eq!(of("969", goal), Err(PuzzleError::Goal(goal.to_owned())));
        }
        for rating in ["4001", "4294967295", "-1", ""] {
            assert_eq!(of(rating, "win 1"), Err(PuzzleError::Part("rating", rating.to_owned())));
        }
    }

    #[test]
    fn each_puzzle_is_solved_by_its_line_and_by_no_other_first_move() {
        for rules in RuleSet::ALL {
            for puzzle in shipped(rules).iter().step_by(10) {
                let mut history = GameHistory::new(puzzle.start.clone());
                for mv in history.legal_moves() {
                    let mut after = puzzle.start.clone();
                    let mut solved = puzzle.start.clone();
                    let plays = after.play(mv).is_ok() && solved.play(puzzle.line[0]).is_ok();
                    let same = plays && after == solved;
                    assert_eq!(puzzle.accepts(&history, mv), same, "{puzzle}: {mv}");
                }
                for pair in puzzle.line.chunks(2) {
                    assert!(puzzle.accepts(&history, pair[0]), "{puzzle}: {}", pair[0]);
                    history.push(Ply::Move(pair[0])).expect("legal");
                    assert_eq!(puzzle.reply(&history), pair.get(1).copied(), "{puzzle}");
                    if let Some(reply) = pair.get(1) {
                        history.push(Ply::Move(*reply)).expect("legal");
                    }
                }
            }
        }
    }
}
