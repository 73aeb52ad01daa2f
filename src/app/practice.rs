//! Learn from your mistakes: after a game it is analysed, then the player is put
//! before each of the own mistakes on the real board, to find a better move.
//!
//! It is shown as a lesson is: the referee suspends the game on the table, which is
//! never changed, and brings it back at the end. A wrong try is answered on the board
//! by the engine and then undone.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::{
        analysis::{Analysis, AnalysisSearches, HintStep},
        core::{
            actions::{Action, GameAction, UiAction},
            redraw::KeepRedrawing,
            schedule::AppSet,
            states::Screen,
        },
        game::referee::Referee,
        lesson::Lesson,
        replay::Replay,
        scene::api::{MotionStatus, SceneCommand},
    },
    engines::{Judgement, MoveJudge},
    games::{AnyMove, AnyPosition, Game, GameHistory, Ply},
    i18n::LocalizedMessage,
    table::{GameSession, Practice, Seat},
};

/// The time of each of the two searches that judge a move.
pub(crate) const JUDGE_TIME: Duration = Duration::from_millis(800);
/// How long the engine's answer to a wrong try stands on the board.
pub(crate) const REFUTATION_TIME: Duration = Duration::from_millis(1800);

/// The practice that is on, if one is.
#[derive(Resource, Default)]
pub struct PracticeSession {
    practised: Option<PractisedGame>,
    judge: MoveJudge,
}

/// The game whose mistakes are practised.
#[derive(Clone, Debug)]
pub struct PractisedGame {
    /// The game.
    history: GameHistory<AnyPosition>,
    /// Whose mistakes count, by [`crate::games::Side::index`].
    sides: [bool; 2],
    /// The screen that it was started from.
    from: Screen,
    /// Whether that screen analysed the game.
    was_analysed: bool,
    /// How far it is.
    pub phase: PracticePhase,
}

/// How far the practice is.
#[derive(Clone, Debug)]
pub enum PracticePhase {
    /// The game is analysed.
    Analysing,
    /// The mistakes that the analysis suspects are searched again for longer: the plies
    /// still to check, the next one last.
    Checking {
        /// The plies.
        suspects: Vec<usize>,
        /// The mistakes so far.
        found: Vec<(usize, Judgement)>,
    },
    /// The exercises; after the last one the summary.
    Exercises {
        /// The exercises.
        practice: Practice,
        /// What happens on the board.
        attempt: PracticeAttempt,
    },
}

/// What happens on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PracticeAttempt {
    /// A move is awaited.
    #[default]
    Waiting,
    /// A move was played and is judged.
    Judging(AnyMove),
    /// The move passes.
    Passed(Judgement),
    /// The move does not pass: the answer is shown for so long, then it is undone.
    Refuted(Judgement, Duration),
    /// It was undone.
    Missed(Judgement),
    /// The move could not be judged, and was undone.
    Unjudged,
}

impl PracticeSession {
    /// The game that is practised.
    #[must_use]
    pub const fn game(&self) -> Option<&PractisedGame> {
        self.practised.as_ref()
    }
}

#[cfg(test)]
impl PracticeSession {
    /// A practice on a game at this point.
    pub(crate) fn at(history: GameHistory<AnyPosition>, phase: PracticePhase) -> Self {
        let (sides, from, was_analysed) = ([true; 2], Screen::Table, false);
        let game = PractisedGame { history, sides, from, was_analysed, phase };
        Self { practised: Some(game), judge: MoveJudge::default() }
    }
}

impl PractisedGame {
    /// The exercises, once the mistakes are known.
    #[must_use]
    pub const fn practice(&self) -> Option<&Practice> {
        match &self.phase {
            PracticePhase::Exercises { practice, .. } => Some(practice),
            PracticePhase::Analysing | PracticePhase::Checking { .. } => None,
        }
    }

    /// What happens on the board, once there are exercises.
    #[must_use]
    pub const fn attempt(&self) -> Option<&PracticeAttempt> {
        match &self.phase {
            PracticePhase::Exercises { attempt, .. } => Some(attempt),
            PracticePhase::Analysing | PracticePhase::Checking { .. } => None,
        }
    }

    /// How many positions are evaluated of how many; nothing to tell in Tablan, which
    /// is reviewed as a whole.
    #[must_use]
    pub fn progress(&self, analysis: &Analysis) -> Option<[usize; 2]> {
        (!is_tablan(&self.history)).then(|| analysis.progress(&self.history))
    }

    fn is_own(&self, ply: usize) -> bool {
        let mover = ply.checked_sub(1).and_then(|before| self.history.at(before));
        mover.is_some_and(|position| self.sides[position.side().index()])
    }
}

fn is_tablan(history: &GameHistory<AnyPosition>) -> bool {
    matches!(history.start(), AnyPosition::Tablan(_))
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PracticeSession>()
        .add_systems(Update, apply_actions.in_set(AppSet::Files))
        .add_systems(Update, advance.in_set(AppSet::Engines).after(AnalysisSearches));
}

/// Starts, steps through and leaves the practice.
fn apply_actions(
    mut actions: MessageReader<Action>,
    mut session: ResMut<PracticeSession>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut lesson: ResMut<Lesson>,
    mut analysis: ResMut<Analysis>,
    mut commands: MessageWriter<SceneCommand>,
    (screen, mut next): (Res<State<Screen>>, ResMut<NextState<Screen>>),
) {
    for action in actions.read() {
        match action {
            Action::Game(GameAction::LearnFromMistakes) => {
                let Some(game) = game_to_practise(*screen.get(), &referee, &replay) else {
                    continue;
                };
                let goes_on = referee.table.as_ref().is_some_and(|it| it.outcome().is_none());
                if *screen.get() == Screen::Table && goes_on {
                    referee.notify(LocalizedMessage::new("practice.goes-on"));
                    continue;
                }
                if !game.history.plies().any(|ply| matches!(ply, Ply::Move(_))) {
                    referee.notify(LocalizedMessage::new("practice.no-moves"));
                    continue;
                }
                *lesson = Lesson::default();
                replay.playing = false;
                let game = PractisedGame { was_analysed: analysis.enabled, ..game };
                analysis.enabled = false;
                analysis.hint = None;
                analysis.studied = Some(game.history.clone());
                commands
                    .write(referee.set_lesson_step(GameSession::exercise(game.history.clone())));
                referee.locked = true;
                session.judge.cancel();
                session.practised = Some(game);
                next.set(Screen::Table);
            }
            // A lesson or puzzles take its place; the suspended game stays suspended.
            Action::Game(GameAction::StartLesson(_) | GameAction::StartPuzzles(_)) => {
                end(&mut session, &mut analysis);
            }
            _ if session.practised.is_none() || !referee.lesson => {}
            Action::Game(GameAction::LeavePractice) => {
                leave(
                    &mut session,
                    &mut referee,
                    &mut replay,
                    &mut analysis,
                    &mut commands,
                    &mut next,
                );
            }
            Action::Ui(UiAction::ShowTitle) => {
                commands.write_batch(referee.resume_suspended());
                end(&mut session, &mut analysis);
                next.set(Screen::Title);
            }
            Action::Game(
                action @ (GameAction::NextLessonStep
                | GameAction::PreviousLessonStep
                | GameAction::FirstLessonStep
                | GameAction::Hint),
            ) => {
                let is_over = session
                    .game()
                    .and_then(PractisedGame::practice)
                    .is_some_and(|practice| practice.exercise().is_none());
                if is_over && *action == GameAction::NextLessonStep {
                    leave(
                        &mut session,
                        &mut referee,
                        &mut replay,
                        &mut analysis,
                        &mut commands,
                        &mut next,
                    );
                } else {
                    let command = step(action, &mut session, &mut referee, &mut analysis);
                    commands.write_batch(command);
                }
            }
            _ => {}
        }
    }
    // Another game was started or opened, which ends the practice.
    if session.practised.is_some() && !referee.lesson {
        end(&mut session, &mut analysis);
    }
}

/// The game on the screen, and the sides of its persons: in a game without any, both.
fn game_to_practise(screen: Screen, referee: &Referee, replay: &Replay) -> Option<PractisedGame> {
    let (history, seats) = match screen {
        Screen::Table if !referee.lesson => {
            let table = referee.table.as_ref()?;
            (table.history().clone(), table.seats())
        }
        Screen::Replay => {
            let record = replay.record.as_ref()?;
            (record.history().clone(), GameSession::from_record(record).seats())
        }
        Screen::Table | Screen::Title | Screen::Editor => return None,
    };
    let persons = seats.map(|seat| seat == Seat::Person);
    let sides = if persons.contains(&true) { persons } else { [true; 2] };
    let (from, phase) = (screen, PracticePhase::Analysing);
    Some(PractisedGame { history, sides, from, was_analysed: false, phase })
}

fn end(session: &mut PracticeSession, analysis: &mut Analysis) {
    if session.practised.take().is_some() {
        session.judge.cancel();
        (analysis.studied, analysis.hint) = (None, None);
    }
}

/// Goes back to the screen that it was started from.
fn leave(
    session: &mut PracticeSession,
    referee: &mut Referee,
    replay: &mut Replay,
    analysis: &mut Analysis,
    commands: &mut MessageWriter<SceneCommand>,
    next: &mut NextState<Screen>,
) {
    let Some(game) = session.game() else { return };
    let (from, was_analysed) = (game.from, game.was_analysed);
    end(session, analysis);
    let table = referee.resume_suspended();
    let (screen, scene) = match from {
        Screen::Replay if replay.record.is_some() => (Screen::Replay, replay.scene_setup()),
        _ if table.is_some() => (Screen::Table, table),
        _ => (Screen::Title, None),
    };
    analysis.enabled = was_analysed && screen == Screen::Replay;
    commands.write_batch(scene);
    next.set(screen);
}

/// Goes to another exercise, or shows the answer to this one.
fn step(
    action: &GameAction,
    session: &mut PracticeSession,
    referee: &mut Referee,
    analysis: &mut Analysis,
) -> Option<SceneCommand> {
    let PracticeSession { practised, judge } = session;
    let PracticePhase::Exercises { practice, attempt } = &mut practised.as_mut()?.phase else {
        return None;
    };
    match action {
        GameAction::NextLessonStep => _ = practice.advance(),
        GameAction::PreviousLessonStep => _ = practice.go_back(),
        GameAction::FirstLessonStep => practice.restart(),
        _ => practice.show(),
    }
    judge.cancel();
    *attempt = PracticeAttempt::Waiting;
    analysis.hint = None;
    if *action == GameAction::Hint {
        let best = practice.exercise()?.judgement.best;
        analysis.hint = Some((practice.before().position().key(), best));
        analysis.hint_step = HintStep::Move;
    }
    Some(set_up(practice, referee))
}

/// Puts the exercise on the table; after the last one the whole game.
fn set_up(practice: &Practice, referee: &mut Referee) -> SceneCommand {
    let command = referee.set_lesson_step(GameSession::exercise(practice.before()));
    referee.locked = practice.exercise().is_none();
    command
}

/// Goes on when the analysis, the judge or the player has.
fn advance(
    mut session: ResMut<PracticeSession>,
    mut referee: ResMut<Referee>,
    mut analysis: ResMut<Analysis>,
    mut commands: MessageWriter<SceneCommand>,
    mut redraw: ResMut<KeepRedrawing>,
    (motion, screen, time): (Res<MotionStatus>, Res<State<Screen>>, Res<Time<Real>>),
) {
    if session.practised.is_none() || !referee.lesson || *screen.get() != Screen::Table {
        return;
    }
    let PracticeSession { practised, judge } = session.bypass_change_detection();
    let Some(game) = practised else { return };
    match &mut game.phase {
        PracticePhase::Analysing => {
            if let Some(phase) = after_analysis(game, &analysis) {
                game.phase = phase;
            }
        }
        PracticePhase::Checking { suspects, found } => {
            check_suspect(&game.history, suspects, found, judge);
        }
        PracticePhase::Exercises { practice, attempt } => {
            let board = Board { referee: &mut referee, judge, motion: &motion };
            let now = board.next_attempt(practice, attempt, time.delta());
            let is_new = now.is_some();
            if let Some((now, command)) = now {
                *attempt = now;
                commands.write_batch(command);
            }
            let waits =
                matches!(attempt, PracticeAttempt::Judging(_) | PracticeAttempt::Refuted(..));
            if is_new || waits {
                redraw.set_if_neq(KeepRedrawing(true));
            }
            if is_new {
                session.set_changed();
            }
            return;
        }
    }
    redraw.set_if_neq(KeepRedrawing(true));
    if let PracticePhase::Checking { suspects, found } = &mut game.phase
        && suspects.is_empty()
    {
        let mistakes = std::mem::take(found);
        let practice = Practice::new(game.history.clone(), mistakes);
        commands.write(set_up(&practice, &mut referee));
        let attempt = PracticeAttempt::Waiting;
        game.phase = PracticePhase::Exercises { practice, attempt };
        analysis.studied = None;
        session.set_changed();
    }
}

/// What follows when the game is analysed; none before that.
fn after_analysis(game: &PractisedGame, analysis: &Analysis) -> Option<PracticePhase> {
    if is_tablan(&game.history) {
        // The review has judged each choice already, and none by its luck.
        let review = analysis.review_of(&game.history)?;
        let own = review.moves.iter().filter(|it| game.is_own(it.ply));
        let judged = own.map(|it| (it.ply, Judgement::from(it)));
        let found = judged.filter(|(_, it)| it.verdict().is_some()).collect();
        return Some(PracticePhase::Checking { suspects: Vec::new(), found });
    }
    let [done, all] = analysis.progress(&game.history);
    let mistakes = || analysis.mistakes(&game.history).into_iter().map(|it| it.ply);
    (done == all).then(|| PracticePhase::Checking {
        suspects: mistakes().filter(|&ply| game.is_own(ply)).rev().collect::<Vec<_>>(),
        found: Vec::new(),
    })
}

/// Judges the next suspected mistake for longer.
fn check_suspect(
    history: &GameHistory<AnyPosition>,
    suspects: &mut Vec<usize>,
    found: &mut Vec<(usize, Judgement)>,
    judge: &mut MoveJudge,
) {
    let Some(&ply) = suspects.last() else { return };
    if judge.is_judging() {
        let Some(judgement) = judge.poll() else { return };
        suspects.pop();
        let mistake = judgement.filter(|judgement| judgement.verdict().is_some());
        found.extend(mistake.map(|judgement| (ply, judgement)));
    } else if let Some(Ply::Move(played)) = history.ply(ply) {
        let mut before = history.clone();
        before.truncate(ply - 1);
        judge.start(&before, played, JUDGE_TIME);
    } else {
        suspects.pop();
    }
}

/// The board of an exercise.
struct Board<'a> {
    referee: &'a mut Referee,
    judge: &'a mut MoveJudge,
    motion: &'a MotionStatus,
}

impl Board<'_> {
    /// What the attempt becomes, with the scene's command; none if it stays.
    fn next_attempt(
        self,
        practice: &mut Practice,
        attempt: &mut PracticeAttempt,
        elapsed: Duration,
    ) -> Option<(PracticeAttempt, Option<SceneCommand>)> {
        let Self { referee, judge, motion } = self;
        let exercise = practice.exercise()?;
        let plies = exercise.ply - 1;
        let known = exercise.judgement.clone();
        let history = referee.table.as_ref()?.history();
        let tried = match history.ply(plies + 1) {
            Some(Ply::Move(mv)) => Some(mv),
            Some(Ply::Throw(_)) | None => None,
        };
        match (&mut *attempt, tried) {
            // The verdict waits until the move is on the board.
            (PracticeAttempt::Judging(_), Some(_)) if motion.is_busy() => None,
            (PracticeAttempt::Judging(mv), Some(_)) => {
                // It is known already what is wrong with the move of the game.
                let is_known = *mv == known.played;
                let judgement = if is_known { Some(known) } else { judge.poll()? };
                let Some(judgement) = judgement else {
                    return Some((PracticeAttempt::Unjudged, Some(set_up(practice, referee))));
                };
                if practice.record_try(&judgement) {
                    return Some((PracticeAttempt::Passed(judgement), None));
                }
                let answer = judgement.reply.and_then(|reply| referee.play_in_exercise(reply));
                Some((PracticeAttempt::Refuted(judgement, Duration::ZERO), answer))
            }
            (PracticeAttempt::Refuted(judgement, shown), Some(_)) => {
                if !motion.is_busy() {
                    *shown += elapsed;
                }
                let judgement = (*shown >= REFUTATION_TIME).then(|| judgement.clone())?;
                Some((PracticeAttempt::Missed(judgement), Some(set_up(practice, referee))))
            }
            (PracticeAttempt::Passed(_), Some(_)) => None,
            (
                PracticeAttempt::Waiting | PracticeAttempt::Missed(_) | PracticeAttempt::Unjudged,
                Some(mv),
            ) => {
                referee.locked = true;
                if mv != known.played {
                    let before = practice.before();
                    judge.assume_best(&before, &known);
                    judge.start(&before, mv, JUDGE_TIME);
                }
                Some((PracticeAttempt::Judging(mv), None))
            }
            // The try was undone.
            (
                PracticeAttempt::Judging(_)
                | PracticeAttempt::Passed(_)
                | PracticeAttempt::Refuted(..),
                None,
            ) => {
                judge.cancel();
                referee.locked = false;
                Some((PracticeAttempt::Waiting, None))
            }
            (
                PracticeAttempt::Waiting | PracticeAttempt::Missed(_) | PracticeAttempt::Unjudged,
                None,
            ) => None,
        }
    }
}
