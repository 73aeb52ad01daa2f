//! The Python module `tabulae._native`; `tabulae/__init__.py` is what users import.

use std::thread;

use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict},
};

use tabulae_engines::{
    EngineOptions, EngineState, Info, Level, Request, SearchLimits, StopSignal, search_with_state,
};
use tabulae_games::{
    AnyMove, AnyPosition, AnyRules, Game as _, GameHistory, GameKind, Ply, RuleSet, Side, Square,
    Throw, Turn, tablaaza::Cell, tablut::Piece,
};
use tabulae_lab::{CorpusGame, CorpusPlan, play_corpus_game};

fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn rule_set(name: &str) -> PyResult<RuleSet> {
    name.parse().map_err(value_error)
}

/// The number of observation planes of a game.
const fn plane_count(game: GameKind) -> usize {
    match game {
        GameKind::Tablut => 6,
        GameKind::Tablan => 8,
        GameKind::Tablaaza => 8,
    }
}

/// The number of actions of a game.
fn action_total(rules: RuleSet) -> usize {
    let (files, ranks) = rules.board_size();
    let squares = usize::from(files) * usize::from(ranks);
    match rules.game() {
        // From a square, to a file of its rank or to a rank of its file.
        GameKind::Tablut => squares * (usize::from(files) + usize::from(ranks)),
        // One piece from a square, or two pieces from two squares.
        GameKind::Tablan => squares + squares * squares,
        GameKind::Tablaaza => squares,
    }
}

/// A game in progress.
#[pyclass(module = "tabulae", name = "Game")]
struct PyGame {
    history: GameHistory<AnyPosition>,
}

impl PyGame {
    fn rule_set(&self) -> RuleSet {
        self.history.start().rules()
    }

    fn square_index(&self, square: Square) -> usize {
        let (files, _) = self.rule_set().board_size();
        usize::from(square.rank) * usize::from(files) + usize::from(square.file)
    }

    /// The number of a move; each legal move of a position has its own.
    fn action_of(&self, mv: AnyMove) -> usize {
        let (files, ranks) = self.rule_set().board_size();
        let squares = usize::from(files) * usize::from(ranks);
        match mv {
            AnyMove::Tablut(mv) => {
                let (from, to) = (mv.from(), mv.to());
                let line = if from.rank == to.rank { to.file } else { files + to.rank };
                self.square_index(from) * usize::from(files + ranks) + usize::from(line)
            }
            AnyMove::Tablan(mv) => {
                let leader = self.square_index(mv.leader().from);
                match mv.follower() {
                    None => leader,
                    Some(second) => squares * (1 + leader) + self.square_index(second.from),
                }
            }
            AnyMove::Tablaaza(mv) => self.square_index(mv.square()),
        }
    }

    fn move_of(&self, action: usize) -> PyResult<AnyMove> {
        let mut moves = self.history.legal_moves().into_iter();
        moves
            .find(|&mv| self.action_of(mv) == action)
            .ok_or_else(|| PyIndexError::new_err(format!("action {action} is not legal here")))
    }

    fn push(&mut self, ply: Ply<AnyMove>) -> PyResult<String> {
        self.history.push(ply).map_err(value_error)?;
        Ok(self.history.notation(self.history.len()).unwrap_or_default())
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (rules, position = None))]
    fn new(rules: &str, position: Option<&str>) -> PyResult<Self> {
        let rules = rule_set(rules)?;
        let start = match position {
            None => AnyPosition::start(rules),
            Some(text) => AnyPosition::parse(rules, text).map_err(value_error)?,
        };
        Ok(Self { history: GameHistory::new(start) })
    }

    /// The rule set.
    #[getter]
    fn rules(&self) -> &'static str {
        self.rule_set().id()
    }

    /// The position as text.
    #[getter]
    fn position(&self) -> String {
        self.history.position().to_string()
    }

    /// The plies so far, moves with their captures.
    #[getter]
    fn plies(&self) -> Vec<String> {
        (1..=self.history.len()).filter_map(|number| self.history.notation(number)).collect()
    }

    /// What is due: "move", "throw" or "over".
    #[getter]
    fn due(&self) -> &'static str {
        match self.history.turn() {
            Turn::Move(_) => "move",
            Turn::Throw(_) => "throw",
            Turn::Over(_) => "over",
        }
    }

    /// The side on turn: 0 for the one that moves first by the rules, 1 for the other;
    /// None once the game is over.
    #[getter]
    fn side(&self) -> Option<usize> {
        self.history.turn().side().map(Side::index)
    }

    /// The side that has won; None while the game is on, and after a draw.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.history.turn().end()?.winner.map(Side::index)
    }

    /// Why the game has ended, such as "escape"; None while it is on.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.history.turn().end().map(|end| end.reason.id())
    }

    /// The names of both sides.
    #[getter]
    fn side_names(&self) -> (&'static str, &'static str) {
        let rules = self.rule_set();
        (rules.side_name(Side::First), rules.side_name(Side::Second))
    }

    /// The legal moves, sorted; empty unless a move is due.
    fn legal_moves(&self) -> Vec<String> {
        let mut moves = self.history.legal_moves();
        moves.sort_unstable();
        moves.iter().map(ToString::to_string).collect()
    }

    /// Plays a move, or a throw from "t0" to "t4"; returns it with its captures.
    fn play(&mut self, text: &str) -> PyResult<String> {
        let ply = self.history.parse(text).map_err(value_error)?;
        self.push(ply)
    }

    /// Throws so many plain sides.
    fn throw(&mut self, plain: u8) -> PyResult<String> {
        let throw = Throw::new(plain).ok_or_else(|| value_error("expected 0 to 4 plain sides"))?;
        self.push(Ply::Throw(throw))
    }

    /// The possible throws with their weights, of 16 in all; empty unless a throw is due.
    fn outcomes(&self) -> Vec<(u8, u32)> {
        if !matches!(self.history.turn(), Turn::Throw(_)) {
            return Vec::new();
        }
        let outcomes = self.history.position().outcomes();
        outcomes.iter().map(|&(throw, weight)| (throw.plain(), weight)).collect()
    }

    /// Takes the last ply back; False at the start.
    fn undo(&mut self) -> bool {
        self.history.undo().is_some()
    }

    /// Another game with the same plies.
    fn copy(&self) -> Self {
        Self { history: self.history.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}', '{}')", self.rules(), self.position())
    }

    /// The numbers of the legal moves, sorted.
    fn legal_actions(&self) -> Vec<usize> {
        let mut actions: Vec<_> =
            self.history.legal_moves().into_iter().map(|mv| self.action_of(mv)).collect();
        actions.sort_unstable();
        actions
    }

    /// The number of a legal move.
    fn action(&self, text: &str) -> PyResult<usize> {
        match self.history.parse(text).map_err(value_error)? {
            Ply::Move(mv) => Ok(self.action_of(mv)),
            Ply::Throw(_) => Err(value_error("a throw has no number")),
        }
    }

    /// Plays the legal move with this number; returns it with its captures.
    fn play_action(&mut self, action: usize) -> PyResult<String> {
        let mv = self.move_of(action)?;
        self.push(Ply::Move(mv))
    }

    /// The position as planes of bytes, row 1 first; see `plane_names`.
    fn plane_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &planes(self.history.position()))
    }

    /// The best move by the engine, and its value: the share of a win for the side to move,
    /// from 0 to 1. (None, None) unless a move is due.
    #[pyo3(signature = (nodes = 10_000, level = "master", seed = 0))]
    fn best_move(
        &self,
        py: Python<'_>,
        nodes: u64,
        level: &str,
        seed: u64,
    ) -> PyResult<(Option<String>, Option<f32>)> {
        let level: Level = level.parse().map_err(value_error)?;
        let request = Request {
            history: self.history.clone(),
            limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
            options: EngineOptions { level, seed, hash_mib: 16, ..EngineOptions::default() },
        };
        let game = self.rule_set().game();
        Ok(py.detach(|| {
            let mut score = None;
            let mut on_info = |info: &Info| score = Some(info.score);
            let (state, stop) = (EngineState::new(), StopSignal::default());
            let best = search_with_state(&state, &request, &stop, &mut on_info);
            (best.map(|mv| mv.to_string()), score.map(|score| score.win_share(game)))
        }))
    }
}

/// The planes of a position; their names are in `plane_names`.
fn planes(position: &AnyPosition) -> Vec<u8> {
    let rules = position.rules();
    let (files, ranks) = rules.board_size();
    let squares = usize::from(files) * usize::from(ranks);
    let mut planes = vec![0; plane_count(rules.game()) * squares];
    let mut set = |plane: usize, square: Square| {
        let at = usize::from(square.rank) * usize::from(files) + usize::from(square.file);
        planes[plane * squares + at] = 1;
    };
    let all = || (0..ranks).flat_map(|rank| (0..files).map(move |file| Square::new(file, rank)));
    let last = plane_count(rules.game()) - 1;
    match position {
        AnyPosition::Tablut(position) => {
            for (square, piece) in position.pieces() {
                let plane = match piece {
                    Piece::White => 0,
                    Piece::Black => 1,
                    Piece::King => 2,
                };
                set(plane, square);
            }
            let AnyRules::Tablut(rules) = rules.rules() else { return planes };
            all().filter(|&at| rules.escapes().contains(at)).for_each(|at| set(3, at));
            all().filter(|&at| rules.is_camp(at)).for_each(|at| set(4, at));
        }
        AnyPosition::Tablan(position) => {
            for (square, side) in position.pieces() {
                set(side.index(), square);
            }
            if let Some(throw) = position.pending() {
                all().for_each(|at| set(2 + usize::from(throw.plain()), at));
            }
        }
        AnyPosition::Tablaaza(position) => {
            for square in all() {
                match position.at(square) {
                    Cell::Stone(side) => set(side.index(), square),
                    Cell::Pavilion(side) => set(2 + side.index(), square),
                    Cell::Free => {
                        if let Some(side) = position.colour(square) {
                            set(4 + side.index(), square);
                        }
                    }
                    Cell::Lake => set(6, square),
                }
            }
        }
    }
    if position.side() == Side::First {
        all().for_each(|at| set(last, at));
    }
    planes
}

/// The names of all rule sets.
#[pyfunction]
fn rule_sets() -> Vec<&'static str> {
    RuleSet::ALL.iter().map(|rules| rules.id()).collect()
}

/// The number of planes, rows and columns of an observation.
#[pyfunction]
fn plane_shape(rules: &str) -> PyResult<(usize, usize, usize)> {
    let rules = rule_set(rules)?;
    let (files, ranks) = rules.board_size();
    Ok((plane_count(rules.game()), usize::from(ranks), usize::from(files)))
}

/// What each plane shows.
#[pyfunction]
fn plane_names(rules: &str) -> PyResult<Vec<&'static str>> {
    Ok(match rule_set(rules)?.game() {
        GameKind::Tablut => {
            vec![
                "white soldiers",
                "black soldiers",
                "king",
                "escapes",
                "camps",
                "first side to move",
            ]
        }
        GameKind::Tablan => vec![
            "South's pieces",
            "North's pieces",
            "throw 0",
            "throw 1",
            "throw 2",
            "throw 3",
            "throw 4",
            "first side to move",
        ],
        GameKind::Tablaaza => vec![
            "red stones",
            "green stones",
            "pavilions of Red",
            "pavilions of Green",
            "free red squares",
            "free green squares",
            "lakes",
            "first side to move",
        ],
    })
}

/// The number of actions: a legal action is smaller.
#[pyfunction]
fn action_count(rules: &str) -> PyResult<usize> {
    Ok(action_total(rule_set(rules)?))
}

/// Plays games of self-play: the strongest level against itself after random moves. Each
/// game is a dict with "rules", "game", "plies", "values", "result" and "reason". The games
/// do not depend on `threads`.
#[pyfunction]
#[pyo3(signature = (rules, games, nodes = 1_000, seed = 1, random_moves = 4, max_plies = 1_000, threads = 1))]
#[expect(clippy::too_many_arguments, reason = "named in Python")]
fn self_play<'py>(
    py: Python<'py>,
    rules: &str,
    games: u64,
    nodes: u64,
    seed: u64,
    random_moves: usize,
    max_plies: usize,
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let plan = CorpusPlan { rules: rule_set(rules)?, seed, nodes, random_moves, max_plies };
    let threads = threads.clamp(1, 256) as u64;
    let played: Vec<CorpusGame> = py.detach(|| {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|first| {
                    let numbers = (1 + first..=games).step_by(threads as usize);
                    scope.spawn(move || {
                        numbers.map(|number| play_corpus_game(plan, number)).collect::<Vec<_>>()
                    })
                })
                .collect();
            let mut played: Vec<_> =
                workers.into_iter().flat_map(|it| it.join().unwrap_or_default()).collect();
            played.sort_by_key(|game| game.game);
            played
        })
    });
    played
        .into_iter()
        .map(|game| {
            let dict = PyDict::new(py);
            dict.set_item("rules", game.rules)?;
            dict.set_item("game", game.game)?;
            dict.set_item("plies", game.plies)?;
            dict.set_item("values", game.values)?;
            dict.set_item("result", game.result)?;
            dict.set_item("reason", game.reason)?;
            Ok(dict)
        })
        .collect()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGame>()?;
    module.add_function(wrap_pyfunction!(rule_sets, module)?)?;
    module.add_function(wrap_pyfunction!(plane_shape, module)?)?;
    module.add_function(wrap_pyfunction!(plane_names, module)?)?;
    module.add_function(wrap_pyfunction!(action_count, module)?)?;
    module.add_function(wrap_pyfunction!(self_play, module)?)?;
    Ok(())
}
