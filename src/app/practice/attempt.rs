//! Finds the mistakes, then judges each try and answers it on the board.

use std::time::Duration;

use bevy::prelude::*;

use super::{
    MAX_JUDGE_TIME, PracticeAttempt, PracticePhase, PracticeSession, PractisedGame,
    REFUTATION_TIME, is_tablan, set_up,
};
use crate::{
    app::{
        analysis::Analysis,
        core::redraw::NextFrame,
        game::referee::Referee,
        scene::api::{MotionStatus, SceneCommand},
    },
    engines::{Judgement, MoveJudge},
    games::{AnyPosition, GameHistory, Ply},
    session::Practice,
};

/// Goes on when the analysis, the judge or the player has.
pub(super) fn advance(
    mut session: ResMut<PracticeSession>,
    mut referee: ResMut<Referee>,
    mut analysis: ResMut<Analysis>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextFrame>,
    (motion, time): (Res<MotionStatus>, Res<Time<Real>>),
) {
    let PracticeSession { practised, judge } = session.bypass_change_detection();
    let Some(game) = practised else { return };
    match &mut game.phase {
        PracticePhase::Analysing => {
            // The analysis wakes the window.
            let Some(phase) = after_analysis(game, &analysis) else { return };
            game.phase = phase;
            next.at_once();
        }
        PracticePhase::Checking { suspects, found, unjudged } => {
            check_suspect(&game.history, suspects, found, unjudged, judge);
            next.within(judge.time_left().unwrap_or_default());
        }
        PracticePhase::Exercises { practice, attempt, .. } => {
            let unmarked = referee.bypass_change_detection();
            let board = Board { referee: unmarked, judge, motion: &motion };
            let now = board.next_attempt(practice, attempt, time.delta());
            let is_new = now.is_some();
            if is_new {
                referee.set_changed();
            }
            if let Some((now, command)) = now {
                *attempt = now;
                commands.write_batch(command);
            }
            match attempt {
                _ if is_new => next.at_once(),
                PracticeAttempt::Judging(_) => {
                    next.within(judge.time_left().unwrap_or(Duration::MAX));
                }
                PracticeAttempt::Refuted(_, shown) if !motion.is_busy() => {
                    next.within(REFUTATION_TIME.saturating_sub(*shown));
                }
                _ => {}
            }
            if is_new {
                session.set_changed();
            }
            return;
        }
    }
    if let PracticePhase::Checking { suspects, found, unjudged } = &mut game.phase
        && suspects.is_empty()
    {
        let (mistakes, unjudged) = (std::mem::take(found), *unjudged);
        let mut practice = Practice::new(game.history.clone(), mistakes);
        if let Some(ply) = game.begin_at {
            practice = practice.beginning_at(ply);
        }
        commands.write(set_up(&practice, &mut referee));
        let attempt = PracticeAttempt::Waiting;
        game.phase = PracticePhase::Exercises { practice, attempt, unjudged };
        analysis.studied = None;
        session.set_changed();
    }
}

/// What follows when the game is analysed; none before that.
fn after_analysis(game: &PractisedGame, analysis: &Analysis) -> Option<PracticePhase> {
    if is_tablan(&game.history) {
        // The review has judged each choice already, and none by its luck.
        let review = analysis.review_of(&game.history)?;
        let own = review.moves.iter().filter(|mv| game.is_own(mv.ply));
        let judged = own.map(|own| (own.ply, Judgement::from(own)));
        let found = judged.filter(|(_, it)| it.verdict().is_some()).collect();
        return Some(PracticePhase::Checking { suspects: Vec::new(), found, unjudged: 0 });
    }
    let [done, all] = analysis.progress(&game.history);
    let mistakes = || analysis.mistakes(&game.history).into_iter().map(|mistake| mistake.ply);
    (done == all).then(|| PracticePhase::Checking {
        suspects: mistakes().filter(|&ply| game.is_own(ply)).rev().collect::<Vec<_>>(),
        found: Vec::new(),
        unjudged: 0,
    })
}

/// Judges the next suspected mistake more deeply.
fn check_suspect(
    history: &GameHistory<AnyPosition>,
    suspects: &mut Vec<usize>,
    found: &mut Vec<(usize, Judgement)>,
    unjudged: &mut usize,
    judge: &mut MoveJudge,
) {
    let Some(&ply) = suspects.last() else { return };
    if judge.is_judging() {
        let Some(judgement) = judge.poll() else { return };
        suspects.pop();
        *unjudged += usize::from(judgement.is_none());
        let mistake = judgement.filter(|judgement| judgement.verdict().is_some());
        found.extend(mistake.map(|judgement| (ply, judgement)));
    } else if let Some(Ply::Move(played)) = history.ply(ply) {
        let mut before = history.clone();
        before.truncate(ply - 1);
        judge.start(&before, played, MAX_JUDGE_TIME);
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
                    judge.start(&before, mv, MAX_JUDGE_TIME);
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
