//! Judges one move against the best one, with the same effort for both.
//!
//! In Tablut and Tablaaza the position and the position after the move are searched to
//! the same number of nodes, so the judgement does not depend on how busy the machine
//! is. In Tablan both moves are reviewed at the same depth, averaged
//! over the throws to come, so that luck has no part in it.

use std::time::Duration;

use super::{
    EngineOptions, Info, Request, ReviewWorker, SearchEvent, SearchLimits, SearchWorker,
    judgement::{BestMove, Judgement, PlayedMove, final_score, game_of},
    timeman::Stopwatch,
};
use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory, GameKind, Ply, Turn};

/// Size of the transposition table, in MiB.
const HASH_MIB: usize = 32;

/// What each of the two searches takes on one core of a desktop computer.
const TYPICAL_TIME: Duration = Duration::from_millis(800);

/// How many times as many nodes the answer to a move is searched to where the best move is
/// proven in Tablaaza: there only a proof shows that the move is worse.
const PROOF_TIMES: u64 = 3;

/// What is being searched.
#[derive(Debug)]
enum Stage {
    /// The best move of the position.
    Best,
    /// The opponent's answer.
    Reply,
    /// The best move and the opponent's answer in one review, in Tablan.
    Review,
    /// Nothing: the answer is there.
    Answered(Option<Judgement>),
}

#[derive(Debug)]
struct Task {
    before: GameHistory<AnyPosition>,
    /// The move; none while only the best move is searched in advance.
    played: Option<AnyMove>,
    /// Since when the judgement is awaited, and for how long at most; none while only the
    /// best move is searched.
    awaited: Option<(Stopwatch, Duration)>,
    stage: Stage,
    ticket: u64,
    last: Option<Info>,
    /// The nodes of the searches that are over, and the most of all searches.
    nodes: [u64; 2],
}

/// Judges one move at a time off the caller's thread. No method blocks.
///
/// The searches are limited by nodes, so the same move of the same game gets the same
/// judgement. A judgement that takes too long is given up: there is none then.
///
/// ```
/// use std::time::Duration;
/// use tabulae_engines::{Judgement, MoveJudge, Verdict};
/// use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet};
///
/// // The king could escape to c1, and White moves a soldier.
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "7W1/9/9/9/9/2B6/1BKB5/B8/9 w")?;
/// let before = GameHistory::new(start);
/// let played = before.position().parse_move("h9-h8")?;
/// let mut judge = MoveJudge::default();
/// judge.start(&before, played, Duration::from_secs(60));
/// let judgement: Judgement = loop {
///     match judge.poll() {
///         Some(judgement) => break judgement.expect("a judgement"),
///         None => std::thread::yield_now(),
///     }
/// };
/// assert!(!judgement.is_good());
/// assert_eq!(judgement.verdict(), Some(Verdict::Blunder));
/// assert_eq!(judgement.best.to_string(), "c3-c1");
/// assert_eq!(judgement.reply.unwrap().to_string(), "a2-c2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MoveJudge {
    worker: SearchWorker,
    reviewer: ReviewWorker,
    task: Option<Task>,
    /// The best move found last, with the game it belongs to.
    known: Option<(GameHistory<AnyPosition>, BestMove)>,
}

impl MoveJudge {
    /// Searches the best move of a position in advance. In Tablan, which needs no search
    /// of its own for it, it does nothing.
    pub fn prepare(&mut self, before: &GameHistory<AnyPosition>) {
        let is_due = matches!(before.turn(), Turn::Move(_))
            && !matches!(before.position(), AnyPosition::Tablan(_))
            && self.known_for(before).is_none()
            && self.task.as_ref().is_none_or(|task| task.before != *before);
        if is_due {
            self.begin(before.clone(), None, None);
        }
    }

    /// Takes the best move of a position from an earlier judgement.
    pub fn assume_best(&mut self, before: &GameHistory<AnyPosition>, judgement: &Judgement) {
        let &Judgement { best, best_score: score, exact, .. } = judgement;
        self.known = Some((before.clone(), BestMove { best, score, exact }));
    }

    /// Judges a legal move of the last position of `before`. Without a judgement after
    /// `max_time` it gives up. Cancels what was judged before.
    pub fn start(
        &mut self,
        before: &GameHistory<AnyPosition>,
        played: AnyMove,
        max_time: Duration,
    ) {
        let awaited = Some((Stopwatch::start(), max_time));
        let prepared = self.task.as_mut().filter(|task| {
            task.played.is_none() && matches!(task.stage, Stage::Best) && task.before == *before
        });
        match prepared {
            Some(task) => (task.played, task.awaited) = (Some(played), awaited),
            None => self.begin(before.clone(), Some(played), awaited),
        }
    }

    /// The judgement, once; `Some(None)` if the move could not be judged, which says
    /// nothing about it.
    pub fn poll(&mut self) -> Option<Option<Judgement>> {
        self.advance();
        self.give_up_if_late();
        let task = self.task.as_mut()?;
        task.played?;
        let Stage::Answered(judgement) = &mut task.stage else { return None };
        let judgement = judgement.take();
        self.task = None;
        Some(judgement)
    }

    /// Whether a judgement is still to come.
    pub fn is_judging(&self) -> bool {
        self.task.as_ref().is_some_and(|task| task.played.is_some())
    }

    /// How long the judgement may still take; none while no move is judged.
    pub fn time_left(&self) -> Option<Duration> {
        let task = self.task.as_ref().filter(|task| task.played.is_some())?;
        task.awaited.as_ref().map(|(since, most)| most.saturating_sub(since.elapsed()))
    }

    /// How much of the judgement is done, from 0 to 1; none while no move is judged, and in
    /// Tablan, where no nodes are counted.
    pub fn progress(&self) -> Option<f32> {
        let task = self.task.as_ref().filter(|task| task.played.is_some())?;
        let [before, all] = task.nodes;
        let searched = before + task.last.as_ref().map_or(0, |info| info.nodes);
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        (all > 0).then_some((searched as f32 / all as f32).min(1.0))
    }

    /// Stops and drops what is judged or searched in advance.
    pub fn cancel(&mut self) {
        self.worker.cancel();
        self.reviewer.cancel();
        self.task = None;
    }

    fn known_for(&self, before: &GameHistory<AnyPosition>) -> Option<BestMove> {
        self.known.as_ref().filter(|(history, _)| history == before).map(|(_, known)| *known)
    }

    /// Stops searching once the judgement has been awaited for too long.
    fn give_up_if_late(&mut self) {
        let Some(task) = &self.task else { return };
        let is_late = task.awaited.is_some_and(|(since, most)| since.elapsed() >= most);
        if is_late && !matches!(task.stage, Stage::Answered(_)) {
            self.worker.cancel();
            self.reviewer.cancel();
            self.answer(None);
        }
    }

    fn begin(
        &mut self,
        before: GameHistory<AnyPosition>,
        played: Option<AnyMove>,
        awaited: Option<(Stopwatch, Duration)>,
    ) {
        self.cancel();
        let known = self.known_for(&before);
        let mut task = Task {
            before,
            played,
            awaited,
            stage: Stage::Answered(None),
            ticket: 0,
            last: None,
            nodes: [0; 2],
        };
        if let (AnyPosition::Tablan(_), Some(played)) = (task.before.position(), played) {
            let mut history = GameHistory::new(task.before.position().clone());
            if history.push(Ply::Move(played)).is_ok() {
                self.reviewer.start(history);
                task.stage = Stage::Review;
            }
        } else if known.is_none() && matches!(task.before.turn(), Turn::Move(_)) {
            let limits = limits_in(&task.before);
            // The answer to the move is searched as long.
            task.nodes[1] = 2 * limits.nodes.unwrap_or_default();
            task.ticket = self.search(task.before.clone(), limits);
            task.stage = Stage::Best;
        }
        self.task = Some(task);
        if let Some(known) = known {
            self.judge_played(known);
        }
    }

    fn search(&mut self, history: GameHistory<AnyPosition>, limits: SearchLimits) -> u64 {
        let options = EngineOptions::for_analysis(HASH_MIB);
        self.worker.start(Request { history, limits, options })
    }

    /// Takes the results that have come.
    fn advance(&mut self) {
        if let Some(result) = self.reviewer.poll() {
            let judgement = result.and_then(|review| review.moves.first().map(Judgement::from));
            self.answer(judgement);
        }
        while let Some(event) = self.worker.poll() {
            let Some(task) = &mut self.task else { continue };
            match event {
                SearchEvent::Info { ticket, info, .. } if ticket == task.ticket => {
                    task.last = Some(info);
                }
                SearchEvent::BestMove { ticket, best, .. } if ticket == task.ticket => {
                    let info = task.last.take();
                    self.finish_search(best, info.as_ref());
                }
                SearchEvent::Info { .. } | SearchEvent::BestMove { .. } => {}
            }
        }
    }

    /// Goes on after a search.
    fn finish_search(&mut self, best: Option<AnyMove>, info: Option<&Info>) {
        let (Some(task), Some(best), Some(info)) = (&self.task, best, info) else {
            self.answer(None);
            return;
        };
        match task.stage {
            Stage::Best => {
                let known = BestMove { best, score: info.score, exact: info.exact };
                self.known = Some((task.before.clone(), known));
                if task.played.is_some() {
                    self.judge_played(known);
                } else {
                    self.task = None;
                }
            }
            Stage::Reply => {
                let after = PlayedMove {
                    score: info.score.before_move(),
                    reply: Some(best),
                    exact: info.exact,
                };
                self.answer_with(after);
            }
            Stage::Review | Stage::Answered(_) => {}
        }
    }

    /// Judges the move, once the best one is known.
    fn judge_played(&mut self, known: BestMove) {
        let Some(task) = &self.task else { return };
        let Some(played) = task.played else { return };
        if played == known.best {
            let BestMove { score, exact, .. } = known;
            self.answer_with(PlayedMove { score, reply: None, exact });
            return;
        }
        let mover = task.before.position().side();
        let mut after = task.before.clone();
        if after.push(Ply::Move(played)).is_err() {
            self.answer(None);
            return;
        }
        match after.turn() {
            Turn::Over(end) => {
                let score = final_score(end.winner, mover);
                self.answer_with(PlayedMove { score, reply: None, exact: true });
            }
            Turn::Move(_) => {
                let limits = reply_limits(played, known, limits_in(&after));
                let ticket = self.search(after, limits);
                if let Some(task) = &mut self.task {
                    (task.ticket, task.stage, task.last) = (ticket, Stage::Reply, None);
                    let before = task.nodes[1] / 2;
                    task.nodes = [before, before + limits.nodes.unwrap_or_default()];
                }
            }
            Turn::Throw(_) => self.answer(None),
        }
    }

    fn answer_with(&mut self, after: PlayedMove) {
        let Some(task) = &self.task else { return };
        let judgement = task.played.zip(self.known_for(&task.before));
        let judgement = judgement.map(|(played, known)| Judgement::new(played, known, after));
        self.answer(judgement);
    }

    fn answer(&mut self, judgement: Option<Judgement>) {
        if let Some(task) = &mut self.task {
            task.stage = Stage::Answered(judgement);
        }
    }
}

/// The limits of a search in this game.
fn limits_in(history: &GameHistory<AnyPosition>) -> SearchLimits {
    SearchLimits::by_nodes(history.start().rules().game(), TYPICAL_TIME)
}

/// The limits of the search for the answer to a move; one that finds a proof ends sooner.
fn reply_limits(played: AnyMove, known: BestMove, limits: SearchLimits) -> SearchLimits {
    let needs_proof = known.exact && game_of(played) == GameKind::Tablaaza;
    let times = if needs_proof { PROOF_TIMES } else { 1 };
    let [nodes, solver_nodes] =
        [limits.nodes, limits.solver_nodes].map(|most| most.map(|nodes| nodes * times));
    SearchLimits { nodes, solver_nodes, ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Score, StopSignal, Verdict, search};
    use tabulae_games::RuleSet;

    /// No judgement here takes so long.
    const PATIENCE: Duration = Duration::from_secs(600);

    /// The judgement of the last of these moves.
    fn judge(rules: RuleSet, moves: &str) -> Judgement {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        for text in moves.split_whitespace() {
            let mv = history.position().parse_move(text).expect("a move");
            history.push(Ply::Move(mv)).expect("legal");
        }
        let Some(Ply::Move(played)) = history.ply(history.len()) else { panic!("a move") };
        history.truncate(history.len() - 1);
        let mut judge = MoveJudge::default();
        judge.start(&history, played, PATIENCE);
        loop {
            match judge.poll() {
                Some(judgement) => break judgement.expect("a judgement"),
                None => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn a_move_that_loses_a_proven_win_is_a_blunder() {
        let game = "e5 f7 a3 g4 c7 h7 b4 c6 f2 e2 b6 e4 c1 a4 g7 f1 b2 b1 e1 d1 h6 b5 a1 g2 a7 b7 \
                    f6 h5 e3 d3 d2 d5 g1 a6 d4 h3 a5 d7 h2";
        let judgement = judge(RuleSet::Tablaaza, game);
        assert_eq!(judgement.verdict(), Some(Verdict::Blunder), "{judgement:?}");
    }

    #[test]
    fn a_move_that_loses_a_win_that_no_player_sees_is_no_mistake() {
        let judgement = judge(RuleSet::Tablaaza, "d4");
        assert!(matches!(judgement.best_score, Score::Win(49)), "{judgement:?}");
        assert!(judgement.verdict().is_none() && judgement.is_good(), "{judgement:?}");
    }

    #[test]
    fn the_progress_of_a_judgement_rises() {
        let history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        let played = history.legal_moves()[0];
        let mut judge = MoveJudge::default();
        assert_eq!(judge.progress(), None, "no move is judged");
        judge.start(&history, played, PATIENCE);
        let mut seen = vec![judge.progress().expect("a move is judged")];
        while judge.poll().is_none() {
            seen.extend(judge.progress().filter(|now| seen.last() != Some(now)));
            std::thread::yield_now();
        }
        assert!(seen.len() > 2 && seen.is_sorted(), "{seen:?}");
        assert!(seen[0] < 0.1 && seen.iter().all(|done| *done <= 1.0), "{seen:?}");
    }

    #[test]
    fn where_only_a_proof_counts_it_gets_more_nodes() {
        let start = AnyPosition::start(RuleSet::Tablaaza);
        let best = start.legal_moves()[0];
        let limits = limits_in(&GameHistory::new(start));
        for (exact, times) in [(false, 1), (true, PROOF_TIMES)] {
            let known = BestMove { best, score: Score::Win(9), exact };
            let reply = reply_limits(best, known, limits);
            assert_eq!(reply.nodes, limits.nodes.map(|nodes| nodes * times));
            assert_eq!(reply.solver_nodes, limits.solver_nodes.map(|nodes| nodes * times));
        }
    }
    /// A game by Ashton's rules in which White misses a forced win with the last move.
    const MISSED_WIN: &str = "e3-g3 a6-a7 e4-b4 d9-d7 c5-c1 e8-f8 c1-c7 f8-g8 g3-g4 h5-h3 \
        e6-g6 e9-e8 e5-e3 d1-d3 c7-c3 e2-b2 c3-a3 f9-c9 e3-c3 b2-c2 d5-c5 e8-a8 a3-a1 a4-a3 \
        g6-b6 a3-b3 f5-f3 e1-c1 e7-h7 a7-c7 b6-c6 a8-a7 c6-f6 a5-a3 f6-f8 i6-d6 g4-d4 g8-g9 \
        c5-c6 f1-i1 h7-h9 c7-g7 f8-h8";

    #[test]
    fn a_missed_win_is_seen_on_a_busy_machine_too() {
        let alone = judge(RuleSet::TablutAshton, MISSED_WIN);
        // a1-a2 wins as quickly.
        assert_eq!(alone.best.to_string(), "a1-b1");
        assert!(matches!(alone.best_score, Score::Win(_)), "{alone:?}");
        // A tenth of the nodes, as many as a busy machine searched in the time allowed,
        // finds no win.
        assert!(matches!(alone.played_score, Score::Points(_)), "{alone:?}");
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let (order, cores) = (std::sync::atomic::Ordering::Relaxed, 4);
        let beside_others = std::thread::scope(|scope| {
            for _ in 0..2 * cores {
                scope.spawn(|| {
                    while !is_over.load(order) {
                        std::hint::spin_loop();
                    }
                });
            }
            let judgement = judge(RuleSet::TablutAshton, MISSED_WIN);
            is_over.store(true, order);
            judgement
        });
        assert_eq!(beside_others, alone);
    }

    #[test]
    fn a_search_within_the_judges_limits_does_not_depend_on_time() {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
            let history = GameHistory::new(AnyPosition::start(rules));
            let limits = limits_in(&history);
            assert_eq!(limits.movetime, None, "{rules}");
            let options = EngineOptions::for_analysis(HASH_MIB);
            let request = Request { history, limits, options };
            let nodes = || {
                let (stop, mut found) = (StopSignal::default(), Vec::new());
                let best = search(&request, &stop, &mut |info| {
                    found.push((info.depth, info.nodes, info.score));
                });
                (best, found)
            };
            assert_eq!(nodes(), nodes(), "{rules}");
        }
    }

    #[test]
    fn a_judgement_that_takes_too_long_is_none() {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
            let history = GameHistory::new(AnyPosition::start(rules));
            let played = history.legal_moves()[0];
            let mut judge = MoveJudge::default();
            judge.start(&history, played, Duration::ZERO);
            assert_eq!(judge.time_left(), Some(Duration::ZERO));
            assert_eq!(judge.poll(), Some(None), "{rules}");
            assert!(!judge.is_judging() && judge.time_left().is_none());
        }
    }
}
