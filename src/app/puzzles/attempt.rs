//! Records the result of each try.

use super::{PuzzleTrainer, TrainedPuzzle};
use crate::{
    app::{
        core::prelude::*,
        game::{
            exercise::{Attempt, Exercise, ExerciseBoard, MAX_JUDGE_TIME},
            referee::Referee,
        },
        scene::api::SceneCommand,
    },
    engines::MoveJudge,
};

/// Goes on when the judge, the board or the player has.
pub(super) fn advance(
    mut trainer: ResMut<PuzzleTrainer>,
    mut board: ExerciseBoard,
    mut told: MessageWriter<Notify>,
) {
    let PuzzleTrainer { current, judge, .. } = trainer.bypass_change_detection();
    let Some(current) = current else { return };
    let plies = board.referee.table.as_ref().map(|table| table.history().len());
    if plies.is_some_and(|plies| plies < current.played.len()) {
        // An undo reached into what is solved.
        let command = current.set_up(&mut board.referee);
        board.commands.write(command);
        board.next.at_once();
        return;
    }
    if current.was_shown
        && current.attempt == Attempt::Waiting
        && plies == Some(current.played.len())
        && let Some(solution) = current.solution()
    {
        board.play_when_still(solution);
    }
    if !board.advance(current, judge) {
        return;
    }
    let result = match &current.attempt {
        Attempt::Solved(_) => Some(true),
        Attempt::Judging(_) => {
            current.wrong_tries += 1;
            Some(false)
        }
        _ => None,
    };
    trainer.set_changed();
    let message = result.and_then(|solved| trainer.record(solved));
    told.write_batch(message.map(Notify::info));
}

impl Exercise for TrainedPuzzle {
    fn attempt(&mut self) -> &mut Attempt {
        &mut self.attempt
    }

    fn plies(&self) -> Option<usize> {
        (!self.is_solved()).then(|| self.played.len())
    }

    fn set_up(&self, referee: &mut Referee) -> SceneCommand {
        let session = GameSession::exercise(self.played.clone());
        let command = referee.set_exercise(OnTable::Puzzle, session, Some(self.side()));
        referee.locked = self.is_solved();
        command
    }

    fn take_try(&mut self, mv: AnyMove, judge: &mut MoveJudge) -> Option<Attempt> {
        if !self.puzzle.accepts(&self.played, mv) {
            judge.start(&self.played, mv, MAX_JUDGE_TIME);
            return Some(Attempt::Judging(mv));
        }
        self.played.push(Ply::Move(mv)).ok()?;
        let reply = self.puzzle.reply(&self.played);
        Some(reply.map_or(Attempt::Solved(None), Attempt::Answering))
    }

    fn take_reply(&mut self, reply: AnyMove) {
        let _ = self.played.push(Ply::Move(reply));
    }
}
