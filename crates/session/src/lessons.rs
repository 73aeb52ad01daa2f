//! Lessons: short steps on the real board, then problems; behind them what is different in
//! the game's other rule sets.
//!
//! A step is a position, a goal and a text. `assets/learn/` has the positions and
//! goals; the text's key is `learn.GAME-STEP`.

use std::sync::OnceLock;

use serde::Deserialize;
use strum::EnumString;

use crate::{
    i18n::{LocalizedMessage, lookup, tr},
    side_key,
};
use tabulae_games::{AnyMove, AnyPosition, Event, Game, GameHistory, GameKind, Ply, RuleSet, Side};

/// A step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonStep {
    /// Its name within the lesson, a part of its text keys.
    pub name: String,
    /// Its first position.
    pub start: AnyPosition,
    /// What the player has to do.
    pub goal: LessonGoal,
    /// Whether it is a problem, whose text does not give the solution.
    pub is_problem: bool,
}

/// What the player has to do in a step.
#[derive(Clone, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum LessonGoal {
    /// Read the text.
    Read,
    /// Play any move.
    Move,
    /// Throw the sticks.
    Throw,
    /// Capture a piece.
    Capture,
    /// Capture two pieces with one move.
    CaptureTwo,
    /// Raise a pavilion.
    Pavilion,
    /// Play a move that announces Raichi or Tuichi.
    Announce,
    /// Win with one move.
    Win,
    /// Play one of these moves.
    Moves(Vec<String>),
}

/// Whether the last ply of a game reached the goal of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing was played yet.
    Waiting,
    /// The ply reached the goal.
    Done,
    /// The ply did not reach the goal.
    Missed,
}

#[derive(Deserialize)]
struct LessonFile {
    step: Vec<StepEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepEntry {
    name: String,
    rules: RuleSet,
    position: Option<String>,
    task: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    problem: bool,
}

impl StepEntry {
    /// The step; `None` for wrong data, of which a test finds none.
    fn parse(self) -> Option<LessonStep> {
        let start = match &self.position {
            Some(text) => AnyPosition::parse(self.rules, text).ok()?,
            None => AnyPosition::start(self.rules),
        };
        let goal = match self.task.parse().ok()? {
            LessonGoal::Moves(_) => LessonGoal::Moves(self.moves),
            goal => goal,
        };
        Some(LessonStep { name: self.name, start, goal, is_problem: self.problem })
    }
}

const fn source(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => include_str!("../../../assets/learn/tablut.toml"),
        GameKind::Tablan => include_str!("../../../assets/learn/tablan.toml"),
        GameKind::Tablaaza => include_str!("../../../assets/learn/tablaaza.toml"),
    }
}

const fn key_part(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => "tablut",
        GameKind::Tablan => "tablan",
        GameKind::Tablaaza => "tablaaza",
    }
}

/// The steps of a game's lesson: those of its usual rules, problems last, then those of its
/// other rule sets.
///
/// ```
/// use tabulae_games::{GameKind, GameHistory};
/// use tabulae_session::{Attempt, LessonStep, LessonGoal, lesson_steps};
///
/// let steps: &[LessonStep] = lesson_steps(GameKind::Tablut);
/// assert_eq!(steps.iter().filter(|step| step.is_problem).count(), 3);
/// let first = &steps[0];
/// let wanted = if first.goal == LessonGoal::Read { Attempt::Done } else { Attempt::Waiting };
/// assert_eq!(first.attempt(&GameHistory::new(first.start.clone())), wanted);
/// assert!(!first.text().is_empty());
/// ```
pub fn lesson_steps(game: GameKind) -> &'static [LessonStep] {
    static LESSONS: [OnceLock<Vec<LessonStep>>; 3] = [const { OnceLock::new() }; 3];
    LESSONS[game as usize].get_or_init(|| {
        let file: Option<LessonFile> = toml::from_str(source(game)).ok();
        file.into_iter().flat_map(|file| file.step).filter_map(StepEntry::parse).collect()
    })
}

impl LessonStep {
    /// Its text in the current language.
    pub fn text(&self) -> &'static str {
        let game = key_part(self.start.rules().game());
        lookup(&format!("learn.{game}-{}", self.name)).unwrap_or_else(|| tr("lesson.try"))
    }

    /// Whether it is about other rules than the game's usual ones.
    pub fn is_of_other_rules(&self) -> bool {
        let rules = self.start.rules();
        rules != rules.game().default_rules()
    }

    /// Why the solution of a problem is right, to show once it was found.
    pub fn explanation(&self) -> Option<&'static str> {
        let game = key_part(self.start.rules().game());
        lookup(&format!("learn.{game}-{}-why", self.name))
    }

    /// A move that reaches the goal at once.
    pub fn solution(&self, history: &GameHistory<AnyPosition>) -> Option<AnyMove> {
        history.legal_moves().into_iter().find(|&mv| {
            let mut after = history.clone();
            after.push(Ply::Move(mv)).is_ok() && self.attempt(&after) == Attempt::Done
        })
    }

    /// The next move that shows why the solution of a problem is right: the most stubborn reply,
    /// by the king if it is his, and the win after it. None once the game is over, and where a
    /// reply puts the win off.
    pub fn proof(&self, history: &GameHistory<AnyPosition>) -> Option<AnyMove> {
        let is_shown = self.is_problem && matches!(self.goal, LessonGoal::Moves(_));
        if !is_shown || history.is_empty() {
            return None;
        }
        if history.position().side() == self.start.side() {
            return wins(history).next();
        }
        let king = match history.position() {
            AnyPosition::Tablut(position) => position.king(),
            AnyPosition::Tablan(_) | AnyPosition::Tablaaza(_) => None,
        };
        let replies = history.legal_moves().into_iter().map(|reply| {
            let mut after = history.clone();
            let is_played = after.push(Ply::Move(reply)).is_ok();
            let count = if is_played { wins(&after).count() } else { 0 };
            let is_king = matches!(reply, AnyMove::Tablut(mv) if Some(mv.from()) == king);
            (count, !is_king, reply)
        });
        let (count, _, reply) = replies.min_by_key(|&(count, is_other, _)| (count, is_other))?;
        (count > 0).then_some(reply)
    }

    /// Whether the last ply of a game that began at [`Self::start`] reached the
    /// goal. A throw does not count against the goal to play any move.
    pub fn attempt(&self, history: &GameHistory<AnyPosition>) -> Attempt {
        let number = history.len();
        let Some(ply) = history.ply(number) else {
            return if self.goal == LessonGoal::Read { Attempt::Done } else { Attempt::Waiting };
        };
        let events = history.events(number);
        let has = |wanted: &dyn Fn(&Event) -> bool| events.iter().any(wanted);
        let mover = number.checked_sub(1).and_then(|before| history.at(before)).map(Game::side);
        let done = match (&self.goal, ply) {
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
            (LessonGoal::Win, _) => mover.is_some_and(|mover| has_won(history, mover)),
            (LessonGoal::Moves(moves), Ply::Move(mv)) => moves.contains(&mv.to_string()),
            (LessonGoal::Moves(_), Ply::Throw(_)) => false,
        };
        if done { Attempt::Done } else { Attempt::Missed }
    }
}

/// Why an attempt missed.
impl LessonStep {
    /// Why the last ply of a game that began at [`Self::start`] did not reach the goal, as
    /// far as the rules tell.
    pub fn why_missed(&self, history: &GameHistory<AnyPosition>) -> LocalizedMessage {
        let number = history.len();
        let before = number.checked_sub(1).and_then(|before| history.at(before));
        let (Some(before), Some(Ply::Move(mv))) = (before, history.ply(number)) else {
            return LocalizedMessage::new("lesson.missed");
        };
        let told = |key| LocalizedMessage::new(key).with("move", before.notation(mv));
        let captures = history.events(number).iter();
        let captures = captures.filter(|event| matches!(event, Event::Captured { .. })).count();
        match &self.goal {
            LessonGoal::Capture => told("lesson.captures-nothing"),
            LessonGoal::CaptureTwo if captures == 0 => told("lesson.captures-nothing"),
            LessonGoal::CaptureTwo => told("lesson.captures-one"),
            LessonGoal::Pavilion => told("lesson.no-pavilion"),
            LessonGoal::Announce => told("lesson.no-way-out"),
            LessonGoal::Win => told(why_not_won(before, mv)),
            LessonGoal::Moves(_) if self.is_problem => why_not_solved(before, mv, history),
            LessonGoal::Moves(moves) => {
                told("lesson.another-move").with("wanted", moves.first().map_or("", String::as_str))
            }
            LessonGoal::Read | LessonGoal::Move | LessonGoal::Throw => told("lesson.missed"),
        }
    }
}

/// What a move that was to win did not do.
fn why_not_won(before: &AnyPosition, mv: AnyMove) -> &'static str {
    match (before, mv) {
        (AnyPosition::Tablut(_), _) if before.rules().side_name(before.side()) == "Black" => {
            "lesson.king-not-captured"
        }
        (AnyPosition::Tablut(tablut), AnyMove::Tablut(mv)) if tablut.king() != Some(mv.from()) => {
            "lesson.not-the-king"
        }
        (AnyPosition::Tablut(_), _) => "lesson.king-not-out",
        (AnyPosition::Tablan(_) | AnyPosition::Tablaaza(_), _) => "lesson.not-won",
    }
}

/// How the other side answers a move that does not solve a problem.
fn why_not_solved(
    before: &AnyPosition,
    mv: AnyMove,
    after: &GameHistory<AnyPosition>,
) -> LocalizedMessage {
    let (side, rules) = (before.side(), before.rules());
    let key =
        if rules.game() == GameKind::Tablaaza { "lesson.moves-last" } else { "lesson.answered" };
    let reply = after.legal_moves().into_iter().find(|&reply| {
        let mut answered = after.clone();
        answered.push(Ply::Move(reply)).is_ok() && !has_won(&answered, side) && !wins_now(&answered)
    });
    let reply = reply.map(|reply| after.position().notation(reply)).unwrap_or_default();
    LocalizedMessage::new(key)
        .with("move", before.notation(mv))
        .with_message("side", LocalizedMessage::new(side_key(rules, side.other())))
        .with("reply", reply)
}

/// Whether the side to move has a move that wins at once.
fn wins_now(history: &GameHistory<AnyPosition>) -> bool {
    wins(history).next().is_some()
}

/// The moves with which the side to move wins at once.
fn wins(history: &GameHistory<AnyPosition>) -> impl Iterator<Item = AnyMove> {
    let side = history.position().side();
    history.legal_moves().into_iter().filter(move |&mv| {
        let mut after = history.clone();
        after.push(Ply::Move(mv)).is_ok() && has_won(&after, side)
    })
}

fn has_won(history: &GameHistory<AnyPosition>, side: Side) -> bool {
    history.turn().end().is_some_and(|end| end.winner == Some(side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use std::collections::BTreeSet;
    use tabulae_engines::{EngineOptions, Request, Score, SearchLimits, StopSignal, search};
    use tabulae_games::{Square, Throw, Turn, tablan::SCORES};

    const GAMES: [GameKind; 3] = [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza];

    #[test]
    fn every_lesson_parses_and_has_its_texts() {
        for game in GAMES {
            let file: LessonFile = toml::from_str(source(game)).expect("a lesson");
            let names: Vec<String> = file.step.iter().map(|step| step.name.clone()).collect();
            for entry in file.step {
                let name = entry.name.clone();
                assert!(entry.parse().is_some(), "{game:?}: {name} has a legal position and task");
            }
            let steps = lesson_steps(game);
            let problems = steps.iter().filter(|step| step.is_problem).count();
            assert!((6..=12).contains(&(steps.len() - problems)), "{game:?}: {}", steps.len());
            assert_eq!(problems, 3, "{game:?}");
            let (usual, others) = steps.split_at(
                steps.iter().position(LessonStep::is_of_other_rules).unwrap_or(steps.len()),
            );
            assert!(usual[usual.len() - 3..].iter().all(|step| step.is_problem), "last");
            assert!(others.iter().all(|step| step.is_of_other_rules() && !step.is_problem));
            for (name, step) in names.into_iter().zip(steps) {
                let key = format!("learn.{}-{name}", key_part(game));
                let why = format!("{key}-why");
                for language in Language::ALL {
                    let texts = language.texts();
                    assert!(texts.contains_key(&key), "{key} in {}", language.name());
                    // Only problems have an explanation, since it gives the solution.
                    let told = texts.contains_key(&why);
                    assert_eq!(told, step.is_problem, "{why} in {}", language.name());
                }
            }
        }
    }

    /// The moves that reach the goal of a step.
    fn solutions(step: &LessonStep) -> Vec<AnyMove> {
        let history = GameHistory::new(step.start.clone());
        history
            .legal_moves()
            .into_iter()
            .filter(|&mv| {
                let mut history = history.clone();
                history.push(Ply::Move(mv)).expect("legal");
                step.attempt(&history) == Attempt::Done
            })
            .collect()
    }

    #[test]
    fn a_problem_that_is_won_after_any_reply_is_played_out_to_its_end() {
        for name in ["problem-2", "problem-3"] {
            let step = lesson_steps(GameKind::Tablut).iter().find(|step| step.name == name);
            let step = step.expect("a step");
            let mut history = GameHistory::new(step.start.clone());
            assert_eq!(step.proof(&history), None, "the player comes first");
            history.push(Ply::Move(solutions(step)[0])).expect("legal");
            while let Some(mv) = step.proof(&history) {
                history.push(Ply::Move(mv)).expect("legal");
            }
            assert_eq!(history.len(), 3, "a reply and the win: {name}");
            assert!(has_won(&history, step.start.side()), "{name}");
        }
        let others = GAMES.map(lesson_steps).into_iter().flatten();
        for step in others.filter(|step| !matches!(step.goal, LessonGoal::Moves(_))) {
            let mut history = GameHistory::new(step.start.clone());
            if let Some(mv) = step.solution(&history) {
                history.push(Ply::Move(mv)).expect("legal");
                assert_eq!(step.proof(&history), None, "{}", step.name);
            }
        }
    }

    #[test]
    fn every_step_can_be_solved_and_problems_can_be_missed() {
        for game in GAMES {
            for step in lesson_steps(game) {
                let history = GameHistory::new(step.start.clone());
                match step.goal {
                    LessonGoal::Read => assert_eq!(step.attempt(&history), Attempt::Done),
                    LessonGoal::Throw => {
                        let mut history = history.clone();
                        let throw = Throw::ALL[1];
                        history.push(Ply::Throw(throw)).expect("a throw is due");
                        assert_eq!(step.attempt(&history), Attempt::Done, "{}", step.name);
                    }
                    _ => {
                        assert_eq!(step.attempt(&history), Attempt::Waiting);
                        if let LessonGoal::Moves(moves) = &step.goal {
                            for text in moves {
                                let legal = step.start.parse_move(text);
                                assert!(legal.is_ok(), "{game:?} {}: {text}", step.name);
                            }
                        }
                        let (all, done) = (history.legal_moves().len(), solutions(step).len());
                        assert!(done > 0, "{game:?}: {} can be done", step.name);
                        if step.is_problem {
                            assert!(done * 3 <= all, "{game:?}: {} {done}/{all}", step.name);
                        }
                    }
                }
            }
        }
    }

    /// Who finds a win has done more than any task asks for.
    #[test]
    fn every_move_that_wins_solves_its_exercise() {
        for game in GAMES {
            for step in lesson_steps(game) {
                let history = GameHistory::new(step.start.clone());
                let side = history.position().side();
                for mv in history.legal_moves() {
                    let mut after = history.clone();
                    after.push(Ply::Move(mv)).expect("legal");
                    let is_done = step.attempt(&after) == Attempt::Done;
                    assert!(is_done || !has_won(&after, side), "{game:?} {}: {mv}", step.name);
                }
            }
        }
    }

    #[test]
    fn a_move_that_misses_is_told_why() {
        let told = |game, name: &str, mv: &str| {
            let step = lesson_steps(game).iter().find(|step| step.name == name).expect("a step");
            let mut history = GameHistory::new(step.start.clone());
            let ply = history.parse(mv).expect("legal");
            history.push(ply).expect("legal");
            assert_eq!(step.attempt(&history), Attempt::Missed, "{name} {mv}");
            step.why_missed(&history).to_string()
        };
        let (tablut, tablan) = (GameKind::Tablut, GameKind::Tablan);
        for (game, name, mv, why) in [
            (tablut, "home", "c4-d4", "With c4-d4 the king does not reach an escape square."),
            (tablut, "capture", "b3-b4", "b3-b4 captures nothing."),
            (tablut, "between", "c7-c6", "c7-c6 is allowed, but the task asks for c7-c3."),
            (tablut, "king", "c3-c4", "c3-c4 does not capture the king."),
            (tablan, "problem-1", "d1-f1", "d1-f1 captures nothing."),
        ] {
            assert_eq!(told(game, name, mv), why);
        }
        // A problem is answered by a move that the rules allow, after which nothing wins.
        for name in ["problem-2", "problem-3"] {
            let step = lesson_steps(tablut).iter().find(|step| step.name == name).expect("one");
            let start = GameHistory::new(step.start.clone());
            for mv in start.legal_moves() {
                let mut history = start.clone();
                history.push(Ply::Move(mv)).expect("legal");
                if step.attempt(&history) == Attempt::Missed {
                    let why = step.why_missed(&history).to_string();
                    let reply = why.trim_end_matches('.').rsplit(' ').next().expect("a word");
                    assert!(history.parse(reply).is_ok(), "{name}: {why}");
                }
            }
        }
    }

    #[test]
    fn the_step_about_the_goal_row_wants_a_piece_there() {
        let goal_step = lesson_steps(GameKind::Tablan).iter().find(|step| step.name == "home");
        let goal_step = goal_step.expect("its step");
        let arrived = |position: &AnyPosition| match position {
            AnyPosition::Tablan(position) => position.goal_count(Side::First),
            _ => unreachable!("it is Tablan's"),
        };
        for mv in GameHistory::new(goal_step.start.clone()).legal_moves() {
            let mut history = GameHistory::new(goal_step.start.clone());
            history.push(Ply::Move(mv)).expect("legal");
            let brought = arrived(history.position()) > arrived(&goal_step.start);
            assert_eq!(goal_step.attempt(&history) == Attempt::Done, brought, "{mv}");
        }
    }

    /// The numbers or the squares of a text, without the marks round them.
    fn words_of<T: std::str::FromStr>(text: &str) -> Vec<T> {
        let words = text.split(|symbol: char| !symbol.is_alphanumeric());
        words.filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn both_languages_name_the_same_squares() {
        for game in GAMES {
            for step in lesson_steps(game) {
                let key = format!("learn.{}-{}", key_part(game), step.name);
                for key in [format!("{key}-why"), key] {
                    let squares = Language::ALL.map(|language| {
                        let text = language.texts().get(&key).map_or("", |text| &**text);
                        words_of::<Square>(text).into_iter().collect::<BTreeSet<_>>()
                    });
                    assert!(
                        squares.windows(2).all(|pair| pair[0] == pair[1]),
                        "{key}: {squares:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_numbers_in_the_lesson_of_tablan_are_those_of_the_rules() {
        let start = AnyPosition::start(RuleSet::Tablan);
        let (mut nothing, mut all) = (0, 0);
        for (throw, weight) in start.outcomes() {
            nothing += if throw.score() == 0 { *weight } else { 0 };
            all += weight;
        }
        let score = |plain: usize| u32::from(Throw::ALL[plain].score());
        let sticks = [score(0), score(1), score(4), nothing, all];
        let mut hits: Vec<u32> =
            SCORES.iter().flat_map(|&score| [u32::from(score / 2), u32::from(score)]).collect();
        hits.sort_unstable();
        hits.dedup();
        for language in Language::ALL {
            let texts = language.texts();
            assert_eq!(words_of::<u32>(&texts["learn.tablan-sticks"]), sticks);
            let course = words_of::<u32>(&texts["learn.tablan-course"]);
            assert!(course.starts_with(&hits), "{course:?}");
        }
    }

    /// The step about the course says what a piece passes over and may land on.
    #[test]
    fn only_arrived_enemies_and_own_pieces_are_in_the_way_as_the_lesson_says() {
        let is_legal = |position: &str, mv: &str| {
            AnyPosition::parse(RuleSet::Tablan, position).expect("legal").parse_move(mv).is_ok()
        };
        assert!(is_legal("12/NN10/1S10/12 s t4", "b2-g3"), "over two enemies");
        assert!(is_legal("10N1/11S/12/S11 s t1", "l3xk4"), "an enemy on its start row");
        assert!(!is_legal("N11/12/12/S1N7S1 s t1", "a1xc1"), "an enemy that has arrived");
        assert!(!is_legal("N11/12/12/S1S9 s t1", "a1-c1"), "an own piece");
        let words = ["has arrived on your start row", "arrivato sulla tua riga di partenza"];
        for (language, words) in Language::ALL.into_iter().zip(words) {
            assert!(language.texts()["learn.tablan-course"].contains(words), "{words}");
        }
    }

    /// The best move and score of a search as deep as these problems need.
    fn search_position(history: &GameHistory<AnyPosition>) -> (Option<AnyMove>, Option<Score>) {
        let options = EngineOptions::for_analysis(4);
        let deep = (history.start().rules().game() != GameKind::Tablaaza).then_some(5);
        let limits = SearchLimits {
            movetime: None,
            depth: deep,
            nodes: Some(30_000),
            ..SearchLimits::default()
        };
        let mut last = None;
        let best = search(
            &Request { history: history.clone(), limits, options },
            &StopSignal::default(),
            &mut |info| last = Some(info.score),
        );
        (best, last)
    }

    /// In Tablut and Tablaaza the solutions win, and no other move wins as soon. In
    /// Tablan, where throws follow, the engine's choice is one of the solutions.
    #[test]
    fn the_engine_agrees_with_every_solution() {
        for game in GAMES {
            for step in lesson_steps(game).iter().filter(|step| step.is_problem) {
                let history = GameHistory::new(step.start.clone());
                let solutions = solutions(step);
                if game == GameKind::Tablan {
                    let (best, _) = search_position(&history);
                    assert!(
                        best.is_some_and(|best| solutions.contains(&best)),
                        "{}: the engine plays {best:?}, not {solutions:?}",
                        step.name
                    );
                    continue;
                }
                // The plies until a move wins; `None` if it does not.
                let wins = |mv: AnyMove| {
                    let mut after = history.clone();
                    after.push(Ply::Move(mv)).expect("legal");
                    match after.turn() {
                        Turn::Over(end) if end.winner == Some(history.position().side()) => Some(0),
                        Turn::Over(_) => None,
                        _ => match search_position(&after).1 {
                            Some(Score::Loss(plies)) => Some(plies),
                            _ => None,
                        },
                    }
                };
                let soonest = solutions.iter().filter_map(|&mv| wins(mv)).min();
                let name = &step.name;
                assert!(soonest.is_some(), "{game:?} {name}: the solution wins");
                for mv in history.legal_moves().into_iter().filter(|mv| !solutions.contains(mv)) {
                    let other = wins(mv).filter(|plies| Some(*plies) <= soonest);
                    assert_eq!(other, None, "{game:?} {name}: {mv} wins as well");
                }
            }
        }
    }
}
