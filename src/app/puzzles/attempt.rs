//! Judges each try, answers it on the board, and records the result.

use std::time::Duration;

use bevy::prelude::*;

use super::{PuzzleAttempt, PuzzleTrainer};
use crate::{
    app::{
        core::{notice::Notify, redraw::NextFrame},
        game::referee::Referee,
        practice::{MAX_JUDGE_TIME, REFUTATION_TIME},
        scene::api::{MotionStatus, SceneCommand},
    },
    games::Ply,
};

/// Goes on when the judge, the board or the player has.
pub(super) fn advance(
    mut trainer: ResMut<PuzzleTrainer>,
    mut referee: ResMut<Referee>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    mut next: ResMut<NextFrame>,
    (motion, time): (Res<MotionStatus>, Res<Time<Real>>),
) {
    let inner = trainer.bypass_change_detection();
    let board = referee.bypass_change_detection();
    let step = next_attempt(inner, board, &motion, time.delta());
    let Some((attempt, command)) = step else {
        match inner.current.as_ref().map(|current| &current.attempt) {
            Some(PuzzleAttempt::Judging(_)) => {
                next.within(inner.judge.time_left().unwrap_or(Duration::MAX));
            }
            Some(PuzzleAttempt::Refuted(_, shown)) if !motion.is_busy() => {
                next.within(REFUTATION_TIME.saturating_sub(*shown));
            }
            _ => {}
        }
        return;
    };
    next.at_once();
    referee.set_changed();
    let result = match &attempt {
        PuzzleAttempt::Solved => Some(true),
        PuzzleAttempt::Judging(_) => Some(false),
        _ => None,
    };
    if let Some(current) = &mut trainer.current {
        current.attempt = attempt;
    }
    let message = result.and_then(|solved| trainer.record(solved));
    told.write_batch(message.map(Notify::info));
    commands.write_batch(command);
}

/// What the attempt becomes, with the scene's command; none if it stays.
fn next_attempt(
    trainer: &mut PuzzleTrainer,
    referee: &mut Referee,
    motion: &MotionStatus,
    elapsed: Duration,
) -> Option<(PuzzleAttempt, Option<SceneCommand>)> {
    let PuzzleTrainer { current, judge, .. } = trainer;
    let current = current.as_mut()?;
    let history = referee.table.as_ref()?.history();
    let played = current.played.len();
    if history.len() < played {
        // An undo reached into what is solved.
        return Some((current.attempt.clone(), Some(current.set_up(referee))));
    }
    let tried = match history.ply(played + 1) {
        Some(Ply::Move(mv)) => Some(mv),
        Some(Ply::Throw(_)) | None => None,
    };
    match (&mut current.attempt, tried) {
        (PuzzleAttempt::Waiting | PuzzleAttempt::Missed(_), Some(mv)) => {
            referee.locked = true;
            if !current.puzzle.accepts(&current.played, mv) {
                judge.start(&current.played, mv, MAX_JUDGE_TIME);
                return Some((PuzzleAttempt::Judging(mv), None));
            }
            current.played.push(Ply::Move(mv)).ok()?;
            let reply = current.puzzle.reply(&current.played);
            Some((reply.map_or(PuzzleAttempt::Solved, PuzzleAttempt::Answering), None))
        }
        // What follows waits until the move is on the board.
        (PuzzleAttempt::Answering(_) | PuzzleAttempt::Judging(_), _) if motion.is_busy() => None,
        (PuzzleAttempt::Answering(reply), _) => {
            let reply = *reply;
            let command = referee.play_in_exercise(reply);
            referee.locked = false;
            current.played.push(Ply::Move(reply)).ok()?;
            Some((PuzzleAttempt::Waiting, command))
        }
        (PuzzleAttempt::Judging(_), Some(_)) => match judge.poll()? {
            Some(judgement) => {
                let answer = judgement.reply.and_then(|reply| referee.play_in_exercise(reply));
                Some((PuzzleAttempt::Refuted(judgement, Duration::ZERO), answer))
            }
            None => Some((PuzzleAttempt::Missed(None), Some(current.set_up(referee)))),
        },
        (PuzzleAttempt::Refuted(judgement, shown), Some(_)) => {
            if !motion.is_busy() {
                *shown += elapsed;
            }
            let judgement = (*shown >= REFUTATION_TIME).then(|| judgement.clone())?;
            Some((PuzzleAttempt::Missed(Some(judgement)), Some(current.set_up(referee))))
        }
        // The try was undone.
        (PuzzleAttempt::Judging(_) | PuzzleAttempt::Refuted(..), None) => {
            judge.cancel();
            referee.locked = false;
            Some((PuzzleAttempt::Waiting, None))
        }
        (PuzzleAttempt::Waiting | PuzzleAttempt::Missed(_), None) | (PuzzleAttempt::Solved, _) => {
            None
        }
    }
}
