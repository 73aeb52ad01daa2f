//! Finds the mistakes, then goes on with each exercise.

use super::{Exercises, PracticePhase, PracticeSession, PractisedGame, is_tablan};
use crate::{
    app::{
        analysis::Analysis,
        core::prelude::*,
        game::{
            exercise::{Attempt, Exercise, ExerciseBoard, MAX_JUDGE_TIME},
            referee::Referee,
        },
        scene::api::SceneCommand,
    },
    engines::{Judgement, MoveJudge},
    session::Practice,
};

/// Goes on when the analysis, the judge or the player has.
pub(super) fn advance(
    mut session: ResMut<PracticeSession>,
    mut board: ExerciseBoard,
    mut analysis: ResMut<Analysis>,
) {
    let PracticeSession { practised, judge } = session.bypass_change_detection();
    let Some(game) = practised else { return };
    match &mut game.phase {
        PracticePhase::Analysing => {
            // The analysis wakes the window.
            let Some(phase) = after_analysis(game, &analysis) else { return };
            game.phase = phase;
            board.next.at_once();
        }
        PracticePhase::Checking { suspects, found, unjudged } => {
            check_suspect(&game.history, suspects, found, unjudged, judge);
            board.next.within(judge.time_left().unwrap_or_default());
        }
        PracticePhase::Exercises(exercises) => {
            if board.advance(exercises, judge) {
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
        let exercises = Exercises { practice, attempt: Attempt::Waiting, unjudged };
        let command = exercises.set_up(&mut board.referee);
        board.commands.write(command);
        game.phase = PracticePhase::Exercises(exercises);
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

impl Exercise for Exercises {
    fn attempt(&mut self) -> &mut Attempt {
        &mut self.attempt
    }

    fn plies(&self) -> Option<usize> {
        self.practice.exercise().map(|exercise| exercise.ply - 1)
    }

    /// Puts the exercise on the table; after the last one the whole game.
    fn set_up(&self, referee: &mut Referee) -> SceneCommand {
        let session = GameSession::exercise(self.practice.before());
        let command = referee.set_exercise(OnTable::Practice, session);
        referee.locked = self.practice.exercise().is_none();
        command
    }

    fn take_try(&mut self, mv: AnyMove, judge: &mut MoveJudge) -> Option<Attempt> {
        let known = &self.practice.exercise()?.judgement;
        if mv != known.played {
            let before = self.practice.before();
            judge.assume_best(&before, known);
            judge.start(&before, mv, MAX_JUDGE_TIME);
        }
        Some(Attempt::Judging(mv))
    }

    /// It is known already what is wrong with the move of the game.
    fn judgement(&self, mv: AnyMove, judge: &mut MoveJudge) -> Option<Option<Judgement>> {
        let known = &self.practice.exercise()?.judgement;
        if mv == known.played { Some(Some(known.clone())) } else { judge.poll() }
    }

    fn is_solved_by(&mut self, judgement: &Judgement) -> bool {
        self.practice.record_try(judgement)
    }
}
