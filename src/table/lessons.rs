//! Learning a game: short steps on the real board, and problems at the end.
//!
//! A step is a position, what is asked for, and a text (in the tables of
//! words, under `learn.GAME-STEP`). The positions are in `assets/learn/`.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::{
    games::{AnyMove, AnyPosition, Event, GameHistory, GameKind, Ply, RuleSet, Side, Turn},
    i18n::{lookup, tr},
};

/// A step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonStep {
    /// Its name within the lesson, for the text.
    pub name: String,
    /// The position it is about.
    pub start: AnyPosition,
    /// What is asked for.
    pub task: LessonGoal,
    /// Whether it is a problem, to be solved without being told how.
    pub is_problem: bool,
}

/// What a step asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonGoal {
    /// To read and look.
    Read,
    /// Any move.
    Move,
    /// A throw.
    Throw,
    /// A move that captures.
    Capture,
    /// A move that captures two at once.
    CaptureTwo,
    /// A move that raises a pavilion.
    Pavilion,
    /// A move that announces something.
    Announce,
    /// A move that wins.
    Win,
    /// One of these moves.
    Moves(Vec<String>),
}

/// What the last ply of a step's line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing was played yet.
    Waiting,
    /// What was asked for.
    Done,
    /// Something else.
    Missed,
}

#[derive(Deserialize)]
struct File {
    step: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    rules: String,
    position: Option<String>,
    task: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    problem: bool,
}

impl Entry {
    /// None where the data is wrong, which a test holds it is not.
    fn step(self) -> Option<LessonStep> {
        let rules: RuleSet = self.rules.parse().ok()?;
        let start = match &self.position {
            Some(text) => AnyPosition::parse(rules, text).ok()?,
            None => AnyPosition::start(rules),
        };
        let task = match self.task.as_str() {
            "read" => LessonGoal::Read,
            "move" => LessonGoal::Move,
            "throw" => LessonGoal::Throw,
            "capture" => LessonGoal::Capture,
            "capture-two" => LessonGoal::CaptureTwo,
            "pavilion" => LessonGoal::Pavilion,
            "announce" => LessonGoal::Announce,
            "win" => LessonGoal::Win,
            "moves" => LessonGoal::Moves(self.moves),
            _ => return None,
        };
        Some(LessonStep { name: self.name, start, task, is_problem: self.problem })
    }
}

const fn source(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => include_str!("../../assets/learn/tablut.toml"),
        GameKind::Tablan => include_str!("../../assets/learn/tablan.toml"),
        GameKind::Tablaaza => include_str!("../../assets/learn/tablaaza.toml"),
    }
}

const fn word(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => "tablut",
        GameKind::Tablan => "tablan",
        GameKind::Tablaaza => "tablaaza",
    }
}

/// The steps of a game's lesson, problems last.
///
/// ```
/// use tabulae::games::{GameKind, GameHistory};
/// use tabulae::table::{Attempt, LessonStep, LessonGoal, lesson_steps};
///
/// let steps: &[LessonStep] = lesson_steps(GameKind::Tablut);
/// assert_eq!(steps.iter().rev().take_while(|step| step.is_problem).count(), 3);
/// let first = &steps[0];
/// let wanted = if first.task == LessonGoal::Read { Attempt::Done } else { Attempt::Waiting };
/// assert_eq!(first.attempt(&GameHistory::new(first.start.clone())), wanted);
/// assert!(!first.text().is_empty());
/// ```
#[must_use]
pub fn lesson_steps(game: GameKind) -> &'static [LessonStep] {
    static LESSONS: [OnceLock<Vec<LessonStep>>; 3] = [const { OnceLock::new() }; 3];
    LESSONS[game as usize].get_or_init(|| {
        let file: Option<File> = toml::from_str(source(game)).ok();
        file.into_iter().flat_map(|file| file.step).filter_map(Entry::step).collect()
    })
}

impl LessonStep {
    /// Its text in the language spoken now.
    #[must_use]
    pub fn text(&self) -> &'static str {
        let game = word(self.start.rules().game());
        lookup(&format!("learn.{game}-{}", self.name)).unwrap_or_else(|| tr("lesson.try"))
    }

    /// Why its solution is right, to be told once it was found: problems keep
    /// that to themselves until then.
    #[must_use]
    pub fn explanation(&self) -> Option<&'static str> {
        let game = word(self.start.rules().game());
        lookup(&format!("learn.{game}-{}-why", self.name))
    }

    /// A move that does at once what is asked for.
    #[must_use]
    pub fn solution(&self, line: &GameHistory<AnyPosition>) -> Option<AnyMove> {
        line.legal_moves().into_iter().find(|&mv| {
            let mut after = line.clone();
            after.push(Ply::Move(mv)).is_ok() && self.attempt(&after) == Attempt::Done
        })
    }

    /// Whether a line that began here has done what is asked for. Where a
    /// throw decides nothing, a move may wait for more than one.
    #[must_use]
    pub fn attempt(&self, line: &GameHistory<AnyPosition>) -> Attempt {
        let number = line.len();
        let Some(ply) = line.ply(number) else {
            return if self.task == LessonGoal::Read { Attempt::Done } else { Attempt::Waiting };
        };
        let events = line.events(number);
        let has = |wanted: &dyn Fn(&Event) -> bool| events.iter().any(wanted);
        let mover = number.checked_sub(1).and_then(|before| line.at(before)).map(mover);
        let done = match (&self.task, ply) {
            (LessonGoal::Read, _)
            | (LessonGoal::Move, Ply::Move(_))
            | (LessonGoal::Throw, Ply::Throw(_)) => true,
            (LessonGoal::Move, Ply::Throw(_)) => return Attempt::Waiting,
            (LessonGoal::Throw, Ply::Move(_)) => false,
            (LessonGoal::Capture, _) => has(&|event| matches!(event, Event::Captured { .. })),
            (LessonGoal::CaptureTwo, _) => {
                events.iter().filter(|event| matches!(event, Event::Captured { .. })).count() == 2
            }
            (LessonGoal::Pavilion, _) => {
                has(&|event| matches!(event, Event::PavilionRaised { .. }))
            }
            (LessonGoal::Announce, _) => has(&|event| matches!(event, Event::Announced(_))),
            (LessonGoal::Win, _) => match line.turn() {
                Turn::Over(end) => end.winner.is_some() && end.winner == mover,
                Turn::Move(_) | Turn::Throw(_) => false,
            },
            (LessonGoal::Moves(moves), Ply::Move(mv)) => moves.contains(&mv.to_string()),
            (LessonGoal::Moves(_), Ply::Throw(_)) => false,
        };
        if done { Attempt::Done } else { Attempt::Missed }
    }
}

fn mover(position: &AnyPosition) -> Side {
    crate::games::Game::side(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engines::{EngineOptions, Request, Score, SearchLimits, StopSignal, search},
        games::Game,
        i18n::Language,
    };

    const GAMES: [GameKind; 3] = [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza];

    #[test]
    fn every_lesson_is_read_whole_and_has_its_texts() {
        for game in GAMES {
            let file: File = toml::from_str(source(game)).expect("a lesson");
            let names: Vec<String> = file.step.iter().map(|step| step.name.clone()).collect();
            for entry in file.step {
                let name = entry.name.clone();
                assert!(entry.step().is_some(), "{game:?}: {name} has a legal position and task");
            }
            let steps = lesson_steps(game);
            let problems = steps.iter().filter(|step| step.is_problem).count();
            assert!((6..=12).contains(&(steps.len() - problems)), "{game:?}: {}", steps.len());
            assert_eq!(problems, 3, "{game:?}");
            assert!(steps[steps.len() - 3..].iter().all(|step| step.is_problem), "last");
            for (name, step) in names.into_iter().zip(steps) {
                let key = format!("learn.{}-{name}", word(game));
                let why = format!("{key}-why");
                for language in Language::ALL {
                    let texts = language.texts();
                    assert!(texts.contains_key(&key), "{key} in {}", language.name());
                    // A problem's reason would give it away before.
                    let told = texts.contains_key(&why);
                    assert_eq!(told, step.is_problem, "{why} in {}", language.name());
                }
            }
        }
    }

    /// The moves of a step that do what it asks for.
    fn solutions(step: &LessonStep) -> Vec<AnyMove> {
        let line = GameHistory::new(step.start.clone());
        line.legal_moves()
            .into_iter()
            .filter(|&mv| {
                let mut line = line.clone();
                line.push(Ply::Move(mv)).expect("legal");
                step.attempt(&line) == Attempt::Done
            })
            .collect()
    }

    #[test]
    fn every_step_can_be_done_and_a_problem_can_be_missed() {
        for game in GAMES {
            for step in lesson_steps(game) {
                let line = GameHistory::new(step.start.clone());
                match step.task {
                    LessonGoal::Read => assert_eq!(step.attempt(&line), Attempt::Done),
                    LessonGoal::Throw => {
                        let mut line = line.clone();
                        let throw = crate::games::Throw::ALL[1];
                        line.push(Ply::Throw(throw)).expect("a throw is due");
                        assert_eq!(step.attempt(&line), Attempt::Done, "{}", step.name);
                    }
                    _ => {
                        assert_eq!(step.attempt(&line), Attempt::Waiting);
                        if let LessonGoal::Moves(moves) = &step.task {
                            for text in moves {
                                let legal = step.start.parse_move(text);
                                assert!(legal.is_ok(), "{game:?} {}: {text}", step.name);
                            }
                        }
                        let (all, done) = (line.legal_moves().len(), solutions(step).len());
                        assert!(done > 0, "{game:?}: {} can be done", step.name);
                        if step.is_problem {
                            assert!(done * 3 <= all, "{game:?}: {} {done}/{all}", step.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_piece_is_brought_home_where_that_is_asked_for() {
        let home = lesson_steps(GameKind::Tablan).iter().find(|step| step.name == "home");
        let home = home.expect("its step");
        let at_home = |position: &AnyPosition| match position {
            AnyPosition::Tablan(position) => position.goal_count(Side::First),
            _ => unreachable!("it is Tablan's"),
        };
        for mv in GameHistory::new(home.start.clone()).legal_moves() {
            let mut line = GameHistory::new(home.start.clone());
            line.push(Ply::Move(mv)).expect("legal");
            let brought = at_home(line.position()) > at_home(&home.start);
            assert_eq!(home.attempt(&line) == Attempt::Done, brought, "{mv}");
        }
    }

    /// What the strongest level finds for whoever is to move, within depths
    /// that these short problems need.
    fn judged(line: &GameHistory<AnyPosition>) -> (Option<AnyMove>, Option<Score>) {
        let options = EngineOptions::for_analysis(4);
        let deep = (line.start().rules().game() != GameKind::Tablaaza).then_some(5);
        let limits = SearchLimits { movetime: None, depth: deep, nodes: Some(30_000) };
        let mut last = None;
        let best = search(
            &Request { line: line.clone(), limits, options },
            &StopSignal::default(),
            &mut |info| last = Some(info.score),
        );
        (best, last)
    }

    /// The engine agrees with every problem's solution: in Tablut and
    /// Tablaaza they win, and nothing else does as soon; in Tablan, where
    /// throws follow, the engine's choice is among them.
    #[test]
    fn the_engine_agrees_with_every_solution() {
        for game in GAMES {
            for step in lesson_steps(game).iter().filter(|step| step.is_problem) {
                let line = GameHistory::new(step.start.clone());
                let solutions = solutions(step);
                if game == GameKind::Tablan {
                    let (best, _) = judged(&line);
                    assert!(
                        best.is_some_and(|best| solutions.contains(&best)),
                        "{}: the engine plays {best:?}, not {solutions:?}",
                        step.name
                    );
                    continue;
                }
                // How soon a move wins, if it does.
                let wins = |mv: AnyMove| {
                    let mut after = line.clone();
                    after.push(Ply::Move(mv)).expect("legal");
                    match after.turn() {
                        Turn::Over(end) if end.winner == Some(line.position().side()) => Some(0),
                        Turn::Over(_) => None,
                        _ => match judged(&after).1 {
                            Some(Score::Loss(plies)) => Some(plies),
                            _ => None,
                        },
                    }
                };
                let soonest = solutions.iter().filter_map(|&mv| wins(mv)).min();
                let name = &step.name;
                assert!(soonest.is_some(), "{game:?} {name}: the solution wins");
                for mv in line.legal_moves().into_iter().filter(|mv| !solutions.contains(mv)) {
                    let other = wins(mv).filter(|plies| Some(*plies) <= soonest);
                    assert_eq!(other, None, "{game:?} {name}: {mv} wins as well");
                }
            }
        }
    }
}
