//! Finds the mistakes, and goes on with each exercise meanwhile.

use super::{Exercises, MistakeSearch, PracticeSession, PractisedGame, is_tablan};
use crate::{
    app::{
        analysis::Analysis,
        core::prelude::*,
        game::{
            exercise::{Attempt, Exercise, ExerciseBoard, MAX_JUDGE_TIME},
            referee::Referee,
            results::GameResults,
        },
        scene::api::SceneCommand,
    },
    engines::{Judgement, MoveJudge},
    session::GameAnalysis,
};

/// Goes on when the analysis, a judge or the player has.
pub(super) fn advance(
    mut session: ResMut<PracticeSession>,
    mut board: ExerciseBoard,
    mut analysis: ResMut<Analysis>,
    mut results: ResMut<GameResults>,
) {
    let PracticeSession { practised, judge, checker, .. } = session.bypass_change_detection();
    let Some(game) = practised else { return };
    let mut has_changed = board.advance(&mut game.exercises, judge);
    if !game.search.is_over() {
        let was_waiting = game.exercises.practice.exercise().is_none();
        let found = game.exercises.practice.len();
        // The player's own try comes first.
        has_changed |= search_on(game, &analysis, checker, !judge.is_judging());
        board.next.within(checker.time_left().unwrap_or(Duration::MAX));
        if game.search.is_over() {
            analysis.studied = None;
            // It is passed over the next time.
            if game.has_no_mistakes()
                && let Some(id) = &game.id
                && let Some(found) = analysis.of_game(game.history())
            {
                results.add_analysis(id, GameAnalysis { mistakes: Some([0; 2]), ..found });
            }
        }
        if was_waiting && game.exercises.practice.len() > found {
            let command = game.exercises.set_up(&mut board.referee);
            board.commands.write(command);
        }
    }
    if has_changed {
        session.set_changed();
        board.next.at_once();
    }
}

/// Goes on with the search for mistakes; whether anything is new.
fn search_on(
    game: &mut PractisedGame,
    analysis: &Analysis,
    checker: &mut MoveJudge,
    may_check: bool,
) -> bool {
    let has_new_suspects = !game.search.is_analysed && suspect(game, analysis);
    let Some(&ply) = game.search.suspects.last() else { return has_new_suspects };
    if checker.is_judging() {
        let Some(judgement) = checker.poll() else { return has_new_suspects };
        let MistakeSearch { suspects, checked, unjudged, .. } = &mut game.search;
        suspects.retain(|suspect| *suspect != ply);
        checked.push(ply);
        *unjudged += usize::from(judgement.is_none());
        let mistake = judgement.filter(|judgement| judgement.verdict().is_some());
        game.exercises.practice.extend(mistake.map(|judgement| (ply, judgement)));
        return true;
    }
    if may_check && let Some(Ply::Move(played)) = game.history().ply(ply) {
        let mut before = game.history().clone();
        before.truncate(ply - 1);
        checker.start(&before, played, MAX_JUDGE_TIME);
    }
    has_new_suspects
}

/// Takes over the mistakes that the analysis suspects so far; whether anything is new.
fn suspect(game: &mut PractisedGame, analysis: &Analysis) -> bool {
    if is_tablan(game.history()) {
        // The review has judged each choice already, and none by its luck.
        let Some(review) = analysis.review_of(game.history()) else { return false };
        let own = review.moves.iter().filter(|mv| game.is_own(mv.ply));
        let judged = own.map(|own| (own.ply, Judgement::from(own)));
        let mut found: Vec<_> = judged.filter(|(_, it)| it.verdict().is_some()).collect();
        found.sort_by_key(|(ply, _)| game.place(*ply));
        game.exercises.practice.extend(found);
        game.search.is_analysed = true;
        return true;
    }
    let [done, all] = analysis.progress(game.history());
    let mistakes = analysis.mistakes(game.history()).into_iter().map(|mistake| mistake.ply);
    let is_new = |ply: &usize| {
        let MistakeSearch { suspects, checked, .. } = &game.search;
        game.is_own(*ply) && !suspects.contains(ply) && !checked.contains(ply)
    };
    let new: Vec<usize> = mistakes.filter(is_new).collect();
    let has_new = !new.is_empty() || done == all;
    // The one that is being checked stays the next.
    let checked_now = game.search.suspects.pop();
    let mut suspects = std::mem::take(&mut game.search.suspects);
    suspects.extend(new);
    suspects.sort_by_key(|ply| std::cmp::Reverse(game.place(*ply)));
    suspects.extend(checked_now);
    (game.search.suspects, game.search.is_analysed) = (suspects, done == all);
    has_new
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
        let (before, is_over) = (self.practice.before(), self.practice.exercise().is_none());
        let seat = Some(before.position().side()).filter(|_| !is_over);
        let session = GameSession::exercise(before);
        let command = referee.set_exercise(OnTable::Practice, session, seat);
        referee.locked = is_over;
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
