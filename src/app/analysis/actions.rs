//! What actions do to the analysis, and what the analysis does to the game's rating.

use super::{
    Analysis, HintStep,
    worker::{AnalysisWorker, place},
};
use crate::app::{
    core::prelude::*,
    editor::Editor,
    game::{
        referee::{Help, HelpAccepted, Referee},
        suspended::SuspendedGame,
    },
    lesson::Lesson,
    replay::Replay,
    settings::Settings,
};

/// Starts the analysis of a record that was opened to be analysed.
pub(super) fn start_for_replay(mut analysis: ResMut<Analysis>) {
    (analysis.enabled, analysis.hint) = (true, None);
}

/// Shows again what an exercise has hidden; the analysis only in a replay.
pub(super) fn show_after_exercise(
    mut analysis: ResMut<Analysis>,
    referee: Res<Referee>,
    (screen, next): (Res<State<Screen>>, Res<NextState<Screen>>),
) {
    if referee.is_exercise() || analysis.before_exercise.is_none() {
        return;
    }
    let screen = match &*next {
        NextState::Unchanged => *screen.get(),
        NextState::Pending(screen) | NextState::PendingIfNeq(screen) => *screen,
    };
    if let Some([evaluation, threats, analysed]) = analysis.before_exercise.take() {
        (analysis.show_evaluation, analysis.show_threats) = (evaluation, threats);
        analysis.enabled = analysed && screen == Screen::Replay;
    }
}

/// Takes a game out of the ratings once a replay shows its evaluation or its best moves. At
/// its table, which asks before it shows them, and in an online game hides them.
pub(super) fn mark_unrated(
    mut analysis: ResMut<Analysis>,
    screen: Res<State<Screen>>,
    (mut referee, suspended): (ResMut<Referee>, Res<SuspendedGame>),
    (replay, editor): (Res<Replay>, Res<Editor>),
) {
    let shows = analysis.show_evaluation || analysis.enabled;
    let is_helped = shows || analysis.show_threats;
    let concerns_game = || {
        let game = suspended.game(&referee);
        shows_running_game(*screen.get(), game, &replay, &editor)
    };
    if is_helped && referee.forbids_help() && concerns_game() {
        analysis.hide();
    } else if shows && referee.counts_for_ratings() && concerns_game() {
        if *screen.get() == Screen::Table {
            // It was shown before this game, for which nobody has asked for it yet.
            (analysis.enabled, analysis.show_evaluation) = (false, false);
        } else {
            referee.set_unrated();
        }
    }
}

/// Whether a game goes on and the screen shows it: at its table, in a replay with the
/// position that it has reached, or as a position that was set up from its table.
fn shows_running_game(
    screen: Screen,
    game: Option<&GameSession>,
    replay: &Replay,
    editor: &Editor,
) -> bool {
    let Some(game) = game.filter(|game| game.outcome().is_none()) else {
        return false;
    };
    let reached = game.history();
    match screen {
        Screen::Title | Screen::Editor => false,
        Screen::Table => true,
        Screen::Replay => {
            let is_set_up = replay.from_editor && editor.is_from_table();
            (is_set_up && replay.rules() == Some(game.rules()))
                || replay.history().filter(|_| !reached.is_empty()).is_some_and(|line| {
                    (0..=line.len()).any(|ply| line.at(ply) == Some(reached.position()))
                })
        }
    }
}

/// Applies the actions that concern the analysis.
pub(super) fn apply_actions(
    (mut actions, mut accepted): (MessageReader<Action>, MessageReader<HelpAccepted>),
    mut worker: ResMut<AnalysisWorker>,
    mut analysis: ResMut<Analysis>,
    (mut referee, suspended): (ResMut<Referee>, Res<SuspendedGame>),
    (lesson, settings): (Res<Lesson>, Res<Settings>),
    (editor, replay): (Res<Editor>, Res<Replay>),
    screen: Res<State<Screen>>,
    mut told: MessageWriter<Notify>,
) {
    let mut wants_hint = false;
    // The player has agreed that the game will not count.
    for HelpAccepted(help) in accepted.read() {
        match help {
            Help::Hint => wants_hint = true,
            Help::Evaluation => analysis.show_evaluation = true,
            Help::Analysis => (analysis.enabled, analysis.hint) = (true, None),
        }
    }
    for action in actions.read() {
        let is_exercise = *screen.get() == Screen::Table && referee.is_exercise();
        let costs_rating = |referee: &Referee| {
            let game = suspended.game(referee);
            referee.counts_for_ratings()
                && shows_running_game(*screen.get(), game, &replay, &editor)
        };
        match action {
            // They would give an exercise away.
            Action::View(ViewAction::ToggleThreats | ViewAction::ToggleEvaluation)
                if is_exercise => {}
            Action::View(
                ViewAction::ToggleThreats
                | ViewAction::ToggleEvaluation
                | ViewAction::ToggleAnalysis,
            )
            | Action::Game(GameAction::Hint)
                if referee.forbids_help()
                    && shows_running_game(
                        *screen.get(),
                        suspended.game(&referee),
                        &replay,
                        &editor,
                    ) =>
            {
                told.write(Notify::info(LocalizedMessage::new("online.no-help")));
            }
            Action::View(ViewAction::ToggleThreats) if has_game(*screen.get()) => {
                analysis.show_threats = !analysis.show_threats;
            }
            Action::View(ViewAction::ToggleEvaluation) if has_game(*screen.get()) => {
                if !analysis.show_evaluation && costs_rating(&referee) {
                    referee.ask_before_help(Help::Evaluation);
                } else {
                    analysis.show_evaluation = !analysis.show_evaluation;
                }
            }
            Action::View(ViewAction::ToggleAnalysis)
                if has_game(*screen.get()) && !referee.is_exercise() =>
            {
                if !analysis.enabled && costs_rating(&referee) {
                    referee.ask_before_help(Help::Analysis);
                } else {
                    analysis.enabled = !analysis.enabled;
                    // The analysis shows the best move itself.
                    analysis.hint = None;
                }
            }
            Action::Editor(EditorAction::Analyse) if *screen.get() == Screen::Editor => {
                analysis.enabled |= editor.draft.position().is_ok();
            }
            // Leaving for a game ends the analysis.
            Action::Game(
                GameAction::NewGame(_)
                | GameAction::Rematch
                | GameAction::RematchSameSides
                | GameAction::NextGame,
            ) => {
                // Nobody asked for threats in the new game.
                (analysis.enabled, analysis.show_threats) = (false, false);
                if let Some([_, threats, analysed]) = &mut analysis.before_exercise {
                    (*threats, *analysed) = (false, false);
                }
            }
            // Two persons play without help.
            Action::Online(_) => {
                analysis.hide();
                analysis.before_exercise = None;
            }
            // A lesson shows no marks but its own.
            Action::Game(GameAction::StartLesson(_)) => analysis.hide_for_exercise(),
            Action::Game(GameAction::ResumeFile(_))
            | Action::Replay(ReplayAction::PlayFromHere)
            | Action::Ui(UiAction::ShowTable) => {
                analysis.enabled = false;
            }
            Action::Game(GameAction::Hint) if *screen.get() == Screen::Table => {
                wants_hint = true;
            }
            Action::Game(GameAction::OfferDraw) if *screen.get() == Screen::Table => {
                worker.wanted_draw = place(&referee).filter(|_| referee.offer_draw());
            }
            _ => {}
        }
    }
    if wants_hint {
        let in_steps = !settings.tutor.is_off() && !referee.is_exercise();
        if !request_hint(&mut worker, &mut analysis, &mut referee, &lesson, in_steps) {
            told.write(Notify::info(LocalizedMessage::new("notice.no-hint")));
        }
    }
}

/// Starts the search for a hint; false where none can be given. In a lesson the hint is the
/// solution of the step. With `in_steps` it first shows the piece, and the move when it is
/// asked for again.
fn request_hint(
    worker: &mut AnalysisWorker,
    analysis: &mut ResMut<Analysis>,
    referee: &mut ResMut<Referee>,
    lesson: &Lesson,
    in_steps: bool,
) -> bool {
    let history =
        referee.table.as_ref().filter(|_| referee.awaits_move()).map(GameSession::history);
    let step = lesson.current_step().filter(|_| referee.is_exercise());
    if referee.is_exercise() && step.is_none() {
        // An exercise shows its own answer.
        return true;
    }
    let is_known = history.is_some_and(|history| analysis.known_hint(history.position()).is_some());
    if in_steps && is_known {
        analysis.hint_step = HintStep::Move;
        return true;
    }
    if step.is_none() && history.is_some() && referee.counts_for_ratings() {
        referee.ask_before_help(Help::Hint);
        return true;
    }
    analysis.hint_step = if in_steps { HintStep::Piece } else { HintStep::Move };
    if let Some((step, history)) = step.zip(history) {
        let solution = step.solution(history);
        analysis.hint = solution.map(|mv| (history.position().key(), mv));
    } else if history.is_some() {
        worker.wanted_hint = place(referee);
    } else {
        return false;
    }
    true
}

/// Whether the screen shows a game.
const fn has_game(screen: Screen) -> bool {
    matches!(screen, Screen::Table | Screen::Replay)
}
