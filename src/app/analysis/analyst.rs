//! Schedules the analysis searches, one at a time, and collects their results.

use std::time::Duration;

use bevy::prelude::*;

use super::{
    Analysis, Candidate, Evaluation, HintStep, LINES, MultiPv, PositionEvaluation, results,
    second_opinion,
};
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            redraw::KeepRedrawing,
            schedule::AppSet,
            states::Screen,
        },
        editor::Editor,
        game::referee::Referee,
        lesson::Lesson,
        replay::Replay,
        scene::api::MotionStatus,
        settings::Settings,
    },
    engines::{
        EngineOptions, Info, Request, ReviewWorker, SearchEvent, SearchLimits, SearchWorker,
    },
    games::{AnyMove, AnyPosition, Game, GameHistory, GameKind, Side, Turn},
    i18n::LocalizedMessage,
    table::{GameSession, side_key},
};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Hint,
    Evaluation,
    Draw,
    /// One of the best lines, in this round.
    Line(u32),
}

impl Purpose {
    /// Its limits. Evaluations are limited by nodes, so that a busy machine finds the same
    /// mistakes.
    fn limits(self, game: GameKind) -> SearchLimits {
        let millis = match self {
            Self::Hint => 1500,
            Self::Evaluation => 300,
            Self::Draw => 600,
            Self::Line(round) => 300 << round.min(8),
        };
        let time = Duration::from_millis(millis);
        if self == Self::Evaluation {
            return SearchLimits::by_nodes(game, time);
        }
        SearchLimits { movetime: Some(time), ..SearchLimits::default() }
    }
}

#[derive(Debug)]
struct Job {
    purpose: Purpose,
    ticket: u64,
    history: GameHistory<AnyPosition>,
    last: Option<Info>,
}

#[derive(Resource, Default)]
struct AnalysisWorker {
    worker: SearchWorker,
    reviewer: ReviewWorker,
    /// The game under review.
    reviewed: Option<GameHistory<AnyPosition>>,
    job: Option<Job>,
    wants_hint: bool,
    wants_draw: bool,
}

/// The systems that run the searches; they decide first whether frames continue.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnalysisSearches;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Analysis>()
        .init_resource::<AnalysisWorker>()
        .init_resource::<second_opinion::SecondEngine>()
        .add_systems(
            Update,
            (apply_actions, second_opinion::choose_engine).in_set(AppSet::ApplyActions),
        )
        .add_systems(
            Update,
            (
                start_for_replay,
                run_searches,
                second_opinion::ask_engine,
                (mark_unrated, results::store_analysis),
            )
                .chain()
                .in_set(AnalysisSearches)
                .in_set(AppSet::Engines),
        );
}

/// Starts the analysis of a record that was opened to be analysed.
fn start_for_replay(mut replay: ResMut<Replay>, mut analysis: ResMut<Analysis>) {
    if replay.analyse {
        replay.analyse = false;
        analysis.enabled = true;
        analysis.hint = None;
    }
}

/// Takes a game out of the ratings once its evaluation or its best moves are shown; in an
/// online game hides them.
fn mark_unrated(
    mut analysis: ResMut<Analysis>,
    screen: Res<State<Screen>>,
    mut referee: ResMut<Referee>,
) {
    let shows = analysis.show_evaluation || analysis.enabled;
    let is_helped = shows || analysis.show_threats;
    if is_helped && *screen.get() == Screen::Table && referee.forbids_help() {
        analysis.hide();
    }
    if shows && *screen.get() == Screen::Table && referee.counts_for_ratings() {
        referee.set_unrated();
    }
}

/// Applies the actions that concern the analysis.
fn apply_actions(
    mut actions: MessageReader<Action>,
    mut worker: ResMut<AnalysisWorker>,
    mut analysis: ResMut<Analysis>,
    mut referee: ResMut<Referee>,
    (lesson, settings): (Res<Lesson>, Res<Settings>),
    editor: Res<Editor>,
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        let is_exercise =
            *screen.get() == Screen::Table && referee.lesson && lesson.current_step().is_none();
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
                if *screen.get() == Screen::Table && referee.forbids_help() =>
            {
                referee.notify(LocalizedMessage::new("online.no-help"));
            }
            Action::View(ViewAction::ToggleThreats) if has_game(*screen.get()) => {
                analysis.show_threats = !analysis.show_threats;
            }
            Action::View(ViewAction::ToggleEvaluation) if has_game(*screen.get()) => {
                analysis.show_evaluation = !analysis.show_evaluation;
            }
            Action::View(ViewAction::ToggleAnalysis)
                if has_game(*screen.get()) && !referee.lesson =>
            {
                analysis.enabled = !analysis.enabled;
                // The analysis shows the best move itself.
                analysis.hint = None;
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
            }
            // Two persons play without help.
            Action::Online(_) => analysis.hide(),
            Action::Game(GameAction::StartLesson(_)) => analysis.show_threats = false,
            Action::Game(GameAction::ResumeFile(_))
            | Action::Replay(ReplayAction::PlayFromHere)
            | Action::Ui(UiAction::ShowTable) => {
                analysis.enabled = false;
            }
            Action::Game(GameAction::Hint) if *screen.get() == Screen::Table => {
                let in_steps = !settings.tutor.is_off() && !referee.lesson;
                request_hint(&mut worker, &mut analysis, &mut referee, &lesson, in_steps);
            }
            Action::Game(GameAction::OfferDraw) if *screen.get() == Screen::Table => {
                worker.wants_draw = referee.offer_draw();
            }
            _ => {}
        }
    }
}

/// Starts the search for a hint. In a lesson the hint is the solution of the step. With
/// `in_steps` it first shows the piece, and the move when it is asked for again.
fn request_hint(
    worker: &mut AnalysisWorker,
    analysis: &mut ResMut<Analysis>,
    referee: &mut ResMut<Referee>,
    lesson: &Lesson,
    in_steps: bool,
) {
    let history =
        referee.table.as_ref().filter(|_| referee.awaits_move()).map(GameSession::history);
    let step = lesson.current_step().filter(|_| referee.lesson);
    if referee.lesson && step.is_none() {
        // An exercise shows its own answer.
        return;
    }
    let is_known = history.is_some_and(|it| analysis.known_hint(it.position()).is_some());
    if in_steps && is_known {
        analysis.hint_step = HintStep::Move;
        return;
    }
    analysis.hint_step = if in_steps { HintStep::Piece } else { HintStep::Move };
    if step.is_none() && history.is_some() && referee.counts_for_ratings() {
        referee.set_unrated();
    }
    let history =
        referee.table.as_ref().filter(|_| referee.awaits_move()).map(GameSession::history);
    if let Some((step, history)) = step.zip(history) {
        let solution = step.solution(history);
        analysis.hint = solution.map(|mv| (history.position().key(), mv));
    } else if history.is_some() {
        worker.wants_hint = true;
    } else {
        referee.notify(LocalizedMessage::new("notice.no-hint"));
    }
}

/// Whether the screen shows a game.
const fn has_game(screen: Screen) -> bool {
    matches!(screen, Screen::Table | Screen::Replay)
}

/// The game shown, up to the ply shown.
pub(super) fn shown_game(
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
) -> Option<GameHistory<AnyPosition>> {
    let (history, plies) = match screen {
        Screen::Title | Screen::Editor => return None,
        Screen::Table => {
            let history = referee.table.as_ref()?.history();
            (history, referee.viewed_ply.unwrap_or(history.len()))
        }
        Screen::Replay => (replay.history()?, replay.ply),
    };
    let mut history = history.clone();
    history.truncate(plies);
    Some(history)
}

/// Cancels outdated searches, collects results and starts the next search.
fn run_searches(
    mut worker: ResMut<AnalysisWorker>,
    mut analysis: ResMut<Analysis>,
    mut referee: ResMut<Referee>,
    mut redraw: ResMut<KeepRedrawing>,
    replay: Res<Replay>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
) {
    let screen = *screen.get();
    let idle = worker.job.is_none() && !worker.wants_hint && !worker.wants_draw;
    let awaits = worker.job.is_some() || referee.thinking || replay.playing;
    redraw.set_if_neq(KeepRedrawing(awaits));
    if idle && !analysis.evaluates() {
        return;
    }
    review(&mut worker, &mut analysis, &replay, screen);
    while let Some(reply) = worker.worker.poll() {
        handle_reply(reply, &mut worker, &mut analysis, &mut referee);
    }
    let cancelled = worker.job.as_ref().is_some_and(|job| {
        is_outdated(job, &analysis, &referee, &replay, screen) || gives_way(job, &worker)
    });
    if cancelled {
        worker.worker.cancel();
        worker.job = None;
    }
    if worker.job.is_none() {
        start_search(&mut worker, &analysis, &referee, &replay, screen, motion.is_busy());
    }
    let hint_pending =
        worker.wants_hint || matches!(worker.job, Some(Job { purpose: Purpose::Hint, .. }));
    if analysis.hint_pending != hint_pending {
        analysis.hint_pending = hint_pending;
    }
    if worker.job.is_some() || worker.reviewer.is_reviewing() {
        redraw.set_if_neq(KeepRedrawing(true));
    }
}

/// Whether the result of a search is no longer wanted.
fn is_outdated(
    job: &Job,
    analysis: &Analysis,
    referee: &Referee,
    replay: &Replay,
    screen: Screen,
) -> bool {
    match job.purpose {
        // A hint or a draw offer belongs to the last position of the game.
        Purpose::Hint | Purpose::Draw => {
            let history = referee.table.as_ref().map(GameSession::history);
            screen != Screen::Table || history != Some(&job.history)
        }
        Purpose::Evaluation => !analysis.evaluates() || referee.thinking,
        Purpose::Line(_) => {
            let here = shown_game(screen, referee, replay);
            !analysis.enabled
                || referee.thinking
                || here
                    .is_none_or(|history| history.position().key() != job.history.position().key())
        }
    }
}

/// Whether a search of the analysis makes room for a hint or a draw offer.
fn gives_way(job: &Job, worker: &AnalysisWorker) -> bool {
    matches!(job.purpose, Purpose::Evaluation | Purpose::Line(_))
        && (worker.wants_hint || worker.wants_draw)
}

/// Reviews luck and skill of the game of Tablan that is analysed.
fn review(worker: &mut AnalysisWorker, analysis: &mut Analysis, replay: &Replay, screen: Screen) {
    if let Some(found) = worker.reviewer.poll()
        && let (Some(history), Some(review)) = (worker.reviewed.clone(), found)
    {
        analysis.review = Some((history, review));
    }
    let shown = replay.history().filter(|_| analysis.enabled && screen == Screen::Replay);
    let wanted =
        analysis.studied.as_ref().or(shown).filter(|history| {
            matches!(history.start(), AnyPosition::Tablan(_)) && !history.is_empty()
        });
    match wanted {
        Some(history) if worker.reviewed.as_ref() != Some(history) => {
            worker.reviewed = Some(history.clone());
            worker.reviewer.start(history.clone());
        }
        None if worker.reviewer.is_reviewing() => {
            worker.reviewer.cancel();
            worker.reviewed = None;
        }
        _ => {}
    }
}

/// What the analysis searches next: first the position shown and its best lines
/// briefly, then the rest of the game, then the lines again for longer.
fn next_search(
    analysis: &Analysis,
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
) -> Option<(Purpose, GameHistory<AnyPosition>)> {
    if let Some(studied) = &analysis.studied {
        // A game of Tablan is reviewed instead.
        let is_tablan = matches!(studied.start(), AnyPosition::Tablan(_));
        let next = first_unevaluated(analysis, studied).filter(|_| !is_tablan)?;
        return Some((Purpose::Evaluation, next));
    }
    let here = shown_game(screen, referee, replay)?;
    let key = here.position().key();
    let analysed = matches!(here.turn(), Turn::Move(_)) && analysis.enabled;
    let multi_pv = analysis.multi_pv.get(&key);
    let round = multi_pv.map_or(0, |lines| lines.round);
    let unfinished = multi_pv.is_none_or(MultiPv::is_unfinished);
    if analysed && round == 0 && unfinished && analysis.evaluations.contains_key(&key) {
        return Some((Purpose::Line(0), here));
    }
    if let Some(history) = next_unevaluated(analysis, screen, referee, replay) {
        return Some((Purpose::Evaluation, history));
    }
    (analysed && unfinished).then_some((Purpose::Line(round), here))
}

/// The next position to evaluate: the one shown, then, if the game is analysed,
/// all others from the first on.
fn next_unevaluated(
    analysis: &Analysis,
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
) -> Option<GameHistory<AnyPosition>> {
    let here = shown_game(screen, referee, replay)?;
    if is_unevaluated(analysis, here.position()) && matches!(here.turn(), Turn::Move(_)) {
        return Some(here);
    }
    let whole = match screen {
        Screen::Replay => replay.history(),
        Screen::Table => referee.table.as_ref().map(GameSession::history),
        Screen::Title | Screen::Editor => None,
    };
    first_unevaluated(analysis, whole.filter(|_| analysis.enabled)?)
}

fn is_unevaluated(analysis: &Analysis, position: &AnyPosition) -> bool {
    matches!(position.turn(), Turn::Move(_)) && !analysis.evaluations.contains_key(&position.key())
}

/// The game up to its first position that is to be evaluated.
fn first_unevaluated(
    analysis: &Analysis,
    whole: &GameHistory<AnyPosition>,
) -> Option<GameHistory<AnyPosition>> {
    let next = (0..=whole.len()).find(|&plies| {
        // A game can be over where its last position alone is not (repetition).
        let ended = plies == whole.len() && matches!(whole.turn(), Turn::Over(_));
        !ended && whole.at(plies).is_some_and(|position| is_unevaluated(analysis, position))
    })?;
    let mut history = whole.clone();
    history.truncate(next);
    Some(history)
}

/// Starts the next search, if there is one.
fn start_search(
    worker: &mut AnalysisWorker,
    analysis: &Analysis,
    referee: &Referee,
    replay: &Replay,
    screen: Screen,
    busy: bool,
) {
    let game = referee.table.as_ref().filter(|_| screen == Screen::Table);
    let current = game.map(|table| table.history().clone());
    let next = if std::mem::take(&mut worker.wants_hint) {
        current.map(|history| (Purpose::Hint, history))
    } else if std::mem::take(&mut worker.wants_draw) {
        current.map(|history| (Purpose::Draw, history))
    } else if analysis.evaluates() && !busy && !referee.thinking {
        next_search(analysis, screen, referee, replay)
    } else {
        None
    };
    let Some((purpose, history)) = next else { return };
    if !matches!(history.turn(), Turn::Move(_)) {
        return;
    }
    // A hint is for a player who wants to win: it avoids draws.
    let contempt = purpose == Purpose::Hint;
    let options = EngineOptions { contempt, ..EngineOptions::for_analysis(32) };
    let request = Request {
        history: history.clone(),
        limits: purpose.limits(history.start().rules().game()),
        options,
    };
    let excluded = match purpose {
        Purpose::Line(_) => {
            let multi_pv = analysis.multi_pv.get(&history.position().key());
            multi_pv.map(MultiPv::found_moves).unwrap_or_default()
        }
        Purpose::Hint | Purpose::Evaluation | Purpose::Draw => Vec::new(),
    };
    let ticket = worker.worker.start_excluding(request, excluded);
    worker.job = Some(Job { purpose, ticket, history, last: None });
}

/// Stores what a search reports.
fn handle_reply(
    reply: SearchEvent,
    worker: &mut AnalysisWorker,
    analysis: &mut Analysis,
    referee: &mut Referee,
) {
    match reply {
        SearchEvent::Info { ticket, info } => {
            let Some(job) = worker.job.as_mut().filter(|job| job.ticket == ticket) else {
                return;
            };
            if let (Purpose::Line(_), Some(&mv)) = (job.purpose, info.pv.first()) {
                let candidate = candidate(&job.history, mv, &info);
                let key = job.history.position().key();
                analysis.multi_pv.entry(key).or_default().update(candidate);
            }
            job.last = Some(info);
        }
        SearchEvent::BestMove { ticket, best, .. } => {
            if let Some(job) = worker.job.take_if(|job| job.ticket == ticket) {
                handle_result(job, best, analysis, referee);
            }
        }
    }
}

/// Stores or answers with the result of a finished search.
fn handle_result(job: Job, best: Option<AnyMove>, analysis: &mut Analysis, referee: &mut Referee) {
    if matches!(job.purpose, Purpose::Line(_)) {
        store_line(analysis, &job, best);
        return;
    }
    let position = job.history.position();
    let mover = position.side();
    let value = job.last.as_ref().map(|info| Evaluation::from_score(info.score, mover));
    // A hint's score includes contempt, so it is no evaluation.
    if let Some(value) = value.filter(|_| job.purpose != Purpose::Hint) {
        let depth = job.last.as_ref().map_or(0, |info| info.depth);
        let variation =
            job.last.map_or_else(String::new, |info| variation_text(&job.history, &info.pv));
        analysis
            .evaluations
            .insert(position.key(), PositionEvaluation { value, best, variation, depth });
    }
    match (job.purpose, best) {
        (Purpose::Hint, Some(best)) => analysis.hint = Some((position.key(), best)),
        (Purpose::Hint, None) => referee.notify(LocalizedMessage::new("notice.no-hint")),
        (Purpose::Draw, _) => answer_offer(referee, mover, value),
        (Purpose::Evaluation | Purpose::Line(_), _) => {}
    }
}

/// The line that a search reported. It begins with its own move, also where the search
/// ended with another one, `best`, that it had no time to report.
pub(super) fn candidate(
    history: &GameHistory<AnyPosition>,
    best: AnyMove,
    info: &Info,
) -> Candidate {
    let mv = info.pv.first().copied().unwrap_or(best);
    let value = Evaluation::from_score(info.score, history.position().side());
    let variation = variation_text(history, &info.pv);
    Candidate { mv, value, depth: info.depth, exact: info.exact, variation }
}

/// Stores one of the best lines; the first of a round is also the position's
/// evaluation, unless that comes from a deeper search.
fn store_line(analysis: &mut Analysis, job: &Job, best: Option<AnyMove>) {
    let (position, key) = (job.history.position(), job.history.position().key());
    let multi_pv = analysis.multi_pv.entry(key).or_default();
    let (Some(best), Some(info)) = (best, &job.last) else {
        multi_pv.finish();
        return;
    };
    let candidate = candidate(&job.history, best, info);
    let is_first = multi_pv.found_moves().is_empty();
    let is_deep = analysis.evaluations.get(&key).is_none_or(|known| candidate.depth >= known.depth);
    if is_first && is_deep {
        let (value, variation) = (candidate.value, candidate.variation.clone());
        let (best, depth) = (Some(candidate.mv), candidate.depth);
        analysis.evaluations.insert(key, PositionEvaluation { value, best, variation, depth });
    }
    let most = job.history.legal_moves().len().min(LINES);
    multi_pv.complete_line(candidate, most, position.side());
}

/// Answers a draw offer: an engine accepts when it is not ahead.
fn answer_offer(referee: &mut Referee, offerer: Side, value: Option<Evaluation>) {
    let accepts = match value {
        Some(Evaluation::Points(points)) => {
            let points = if offerer == Side::First { points } else { -points };
            points >= 0
        }
        Some(Evaluation::Wins(side, _)) => side == offerer,
        None => false,
    };
    if accepts {
        referee.agree_draw();
    } else if let Some(table) = &referee.table {
        let side = LocalizedMessage::new(side_key(table.rules(), offerer.other()));
        referee.notify(LocalizedMessage::new("notice.draw-declined").with_message("side", side));
    }
}

/// Writes a principal variation in the records' notation.
fn variation_text(history: &GameHistory<AnyPosition>, variation: &[AnyMove]) -> String {
    let mut history = history.clone();
    let mut moves = Vec::new();
    for &mv in variation {
        let text = history.position().notation(mv);
        if history.push(crate::games::Ply::Move(mv)).is_err() {
            break;
        }
        moves.push(text);
    }
    moves.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::{engines::Score, games::RuleSet};

    #[test]
    fn a_line_begins_with_its_own_move_where_the_search_ended_with_another() {
        let history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        let [reported, preferred] =
            ["e3-h3", "e3-b3"].map(|text| history.position().parse_move(text).expect("a move"));
        let (score, time) = (Score::Points(0), Duration::ZERO);
        let info = Info { depth: 9, score, nodes: 1, time, pv: vec![reported], exact: false };
        let line = candidate(&history, preferred, &info);
        assert_eq!((line.mv, line.variation.as_str()), (reported, "e3-h3"));
        let without = Info { pv: Vec::new(), ..info };
        assert_eq!(candidate(&history, preferred, &without).mv, preferred);
    }
}
