//! An exercise on the board: a try that does not solve it is answered there by the engine,
//! and then undone.

use super::referee::Referee;
use crate::{
    app::{
        core::prelude::*,
        scene::api::{MotionStatus, SceneCommand},
    },
    engines::{Judgement, MoveJudge},
};

/// A judgement is given up after this, which happens only where other programs leave
/// almost nothing of the machine.
pub(crate) const MAX_JUDGE_TIME: Duration = Duration::from_secs(60);
/// How long the engine's answer to a wrong try stands on the board.
const REFUTATION_TIME: Duration = Duration::from_millis(1800);

/// How often it is shown how far a judgement is.
const PROGRESS_TIME: Duration = Duration::from_millis(250);

/// What happens on the board.
#[derive(Clone, Debug, Default, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Attempt {
    /// A move is awaited.
    #[default]
    Waiting,
    /// The move is right; this reply follows.
    Answering(AnyMove),
    /// A move was played and is judged.
    Judging(AnyMove),
    /// The answer to a wrong move is shown for so long, then both are undone.
    Refuted(Judgement, Duration),
    /// It was undone; without a judgement where it could not be judged.
    Missed(Option<Judgement>),
    /// The exercise is solved; with a judgement where more than one move solves it.
    Solved(Option<Judgement>),
}

/// What the player has to find.
pub(crate) trait Exercise {
    /// What happens on the board.
    fn attempt(&mut self) -> &mut Attempt;

    /// How many plies stand on the board before the try; none where nothing is asked.
    fn plies(&self) -> Option<usize>;

    /// Puts it on the table.
    fn set_up(&self, referee: &mut Referee) -> SceneCommand;

    /// What a move on the board leads to; the judge begins with one that it has to judge.
    fn take_try(&mut self, mv: AnyMove, judge: &mut MoveJudge) -> Option<Attempt>;

    /// Takes the reply to a right move, which is on the board now.
    fn take_reply(&mut self, _reply: AnyMove) {}

    /// The judgement of a move: none while it is awaited, and none in it if there will be none.
    fn judgement(&self, _mv: AnyMove, judge: &mut MoveJudge) -> Option<Option<Judgement>> {
        judge.poll()
    }

    /// Counts a judged move; whether it solves the exercise.
    fn is_solved_by(&mut self, _judgement: &Judgement) -> bool {
        false
    }
}

/// The board of an exercise.
#[derive(SystemParam)]
pub(crate) struct ExerciseBoard<'w> {
    pub(crate) referee: ResMut<'w, Referee>,
    pub(crate) commands: MessageWriter<'w, SceneCommand>,
    pub(crate) next: ResMut<'w, NextFrame>,
    motion: Res<'w, MotionStatus>,
    time: Res<'w, Time<Real>>,
}

impl ExerciseBoard<'_> {
    /// Goes on when the judge, the board or the player has; whether the attempt is a new one.
    pub(crate) fn advance(&mut self, exercise: &mut impl Exercise, judge: &mut MoveJudge) -> bool {
        let was_locked = self.referee.locked;
        let Some((attempt, command)) = self.next_attempt(exercise, judge) else {
            if self.referee.locked != was_locked {
                self.referee.set_changed();
                self.next.at_once();
            }
            match exercise.attempt() {
                Attempt::Judging(_) => {
                    let left = judge.time_left().unwrap_or(Duration::MAX);
                    self.next.within(left.min(PROGRESS_TIME));
                }
                Attempt::Refuted(_, shown) if !self.motion.is_busy() => {
                    self.next.within(REFUTATION_TIME.saturating_sub(*shown));
                }
                _ => {}
            }
            return false;
        };
        *exercise.attempt() = attempt;
        self.referee.set_changed();
        self.commands.write_batch(command);
        self.next.at_once();
        true
    }

    /// Plays a move of a solution that is shown, once the ply before it has been seen.
    pub(crate) fn play_when_still(&mut self, mv: AnyMove) {
        if self.motion.is_busy() || self.motion.rests {
            return;
        }
        let command = self.referee.play_in_exercise(mv);
        self.commands.write_batch(command);
        self.next.at_once();
    }

    /// What the attempt becomes, with the scene's command; none if it stays.
    fn next_attempt(
        &mut self,
        exercise: &mut impl Exercise,
        judge: &mut MoveJudge,
    ) -> Option<(Attempt, Option<SceneCommand>)> {
        let (referee, is_busy) = (self.referee.bypass_change_detection(), self.motion.is_busy());
        let tried = match referee.table.as_ref()?.history().ply(exercise.plies()? + 1) {
            Some(Ply::Move(mv)) => Some(mv),
            Some(Ply::Throw(_)) | None => None,
        };
        match (exercise.attempt().clone(), tried) {
            // Its motion begins in this frame.
            (Attempt::Waiting | Attempt::Missed(_), Some(_)) if !referee.locked => {
                referee.locked = true;
                None
            }
            // What follows waits until the move is on the board.
            (Attempt::Answering(_), _) | (_, Some(_)) if is_busy => None,
            (Attempt::Waiting | Attempt::Missed(_), Some(mv)) => {
                Some((exercise.take_try(mv, judge)?, None))
            }
            (Attempt::Answering(reply), _) => {
                let command = referee.play_in_exercise(reply);
                referee.locked = false;
                exercise.take_reply(reply);
                Some((Attempt::Waiting, command))
            }
            (Attempt::Judging(mv), Some(_)) => {
                let Some(judgement) = exercise.judgement(mv, judge)? else {
                    return Some((Attempt::Missed(None), Some(exercise.set_up(referee))));
                };
                if exercise.is_solved_by(&judgement) {
                    return Some((Attempt::Solved(Some(judgement)), None));
                }
                let answer = judgement.reply.and_then(|reply| referee.play_in_exercise(reply));
                Some((Attempt::Refuted(judgement, Duration::ZERO), answer))
            }
            (Attempt::Refuted(judgement, mut shown), Some(_)) => {
                if !is_busy {
                    shown += self.time.delta();
                }
                if shown < REFUTATION_TIME {
                    *exercise.attempt() = Attempt::Refuted(judgement, shown);
                    return None;
                }
                Some((Attempt::Missed(Some(judgement)), Some(exercise.set_up(referee))))
            }
            // The try was undone.
            (Attempt::Judging(_) | Attempt::Refuted(..) | Attempt::Solved(_), None) => {
                judge.cancel();
                referee.locked = false;
                Some((Attempt::Waiting, None))
            }
            (Attempt::Waiting | Attempt::Missed(_), None) => {
                referee.locked = false;
                None
            }
            (Attempt::Solved(_), Some(_)) => None,
        }
    }
}
