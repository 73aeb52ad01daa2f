//! Schedules the analysis searches, one at a time.

use super::{
    Analysis, MultiPv, is_move_due,
    replies::handle_reply,
    up_to,
    worker::{AnalysisWorker, Job, Purpose, place},
};
use crate::{
    app::{
        core::prelude::*,
        game::{opponent::EngineThinking, referee::Referee},
        replay::{Replay, shown_game},
        scene::api::MotionStatus,
    },
    engines::{EngineOptions, Request, SearchEvent},
};

/// How soon after the latest news of a search is looked for more: only some of its
/// iterations wake the window.
pub(super) const NEWS_INTERVAL: Duration = Duration::from_secs(1);

/// Cancels outdated searches, collects results and starts the next search.
pub(super) fn run_searches(
    mut worker: ResMut<AnalysisWorker>,
    mut analysis: ResMut<Analysis>,
    mut referee: ResMut<Referee>,
    mut next: ResMut<NextFrame>,
    replay: Res<Replay>,
    (motion, thinking): (Res<MotionStatus>, Res<EngineThinking>),
    screen: Res<State<Screen>>,
    mut told: MessageWriter<Notify>,
) {
    let screen = *screen.get();
    let here = place(&referee);
    let AnalysisWorker { wanted_hint, wanted_draw, .. } = &mut *worker;
    for wanted in [wanted_hint, wanted_draw] {
        wanted.take_if(|wanted| Some(*wanted) != here);
    }
    let idle = worker.job.is_none() && worker.wanted_hint.is_none() && worker.wanted_draw.is_none();
    if idle && !analysis.evaluates() {
        return;
    }
    review(&mut worker, &mut analysis, &replay, screen);
    // Before an answer is taken in: that to a draw offer must not end the next game.
    let cancelled = worker.job.as_ref().is_some_and(|job| {
        // An opponent has the processor for itself.
        let is_for_game = matches!(job.purpose, Purpose::Hint | Purpose::Draw);
        thinking.0 && !is_for_game
            || is_outdated(job, &analysis, &referee, &replay, screen)
            || gives_way(job, &worker)
    });
    if cancelled {
        worker.worker.cancel();
        worker.job = None;
    }
    while let Some(reply) = worker.worker.poll() {
        let is_watched = matches!(&worker.job, Some(Job { purpose: Purpose::Lines(_), .. }));
        if is_watched && matches!(reply, SearchEvent::Info { .. }) {
            next.within(NEWS_INTERVAL);
        }
        told.write_batch(handle_reply(reply, &mut worker, &mut analysis, &mut referee));
        let on_table = referee.table.as_ref().map(GameSession::history);
        let studied = analysis.studied.take();
        let games = [on_table, replay.history(), studied.as_ref()];
        analysis.forget_all_but(games.into_iter().flatten());
        analysis.studied = studied;
    }
    if worker.job.is_none() {
        start_search(
            &mut worker,
            &analysis,
            &referee,
            &replay,
            screen,
            motion.is_busy() || thinking.0,
        );
    }
    let hint_pending = worker.wanted_hint.is_some()
        || matches!(worker.job, Some(Job { purpose: Purpose::Hint, .. }));
    if analysis.hint_pending != hint_pending {
        analysis.hint_pending = hint_pending;
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
            screen != Screen::Table
                || job.game != referee.game_number()
                || history != Some(&job.history)
        }
        Purpose::Evaluation => !analysis.evaluates(),
        Purpose::Lines(_) => {
            let here = shown_game(screen, referee, replay);
            let here = here.and_then(|(history, ply)| history.at(ply)).map(Game::key);
            !analysis.enabled || here != Some(job.history.position().key())
        }
    }
}

/// Whether a search of the analysis makes room for a hint or a draw offer.
fn gives_way(job: &Job, worker: &AnalysisWorker) -> bool {
    matches!(job.purpose, Purpose::Evaluation | Purpose::Lines(_))
        && (worker.wanted_hint.is_some() || worker.wanted_draw.is_some())
}

/// Reviews luck and skill of the game of Tablan that is analysed.
fn review(
    worker: &mut AnalysisWorker,
    analysis: &mut ResMut<Analysis>,
    replay: &Replay,
    screen: Screen,
) {
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

/// What the analysis searches next, and after how many plies of which game: first the
/// position shown and its best lines briefly, then the rest of the game, then the lines again
/// for longer.
fn next_search<'a>(
    analysis: &'a Analysis,
    screen: Screen,
    referee: &'a Referee,
    replay: &'a Replay,
) -> Option<(Purpose, &'a GameHistory<AnyPosition>, usize)> {
    if let Some(studied) = &analysis.studied {
        // A game of Tablan is reviewed instead.
        let is_tablan = matches!(studied.start(), AnyPosition::Tablan(_));
        let next = analysis.first_unsearched(studied).filter(|_| !is_tablan)?;
        return Some((Purpose::Evaluation, studied, next));
    }
    let (history, ply) = shown_game(screen, referee, replay)?;
    let key = history.at(ply)?.key();
    let new = MultiPv::default();
    let multi_pv = analysis.multi_pv.get(&key).unwrap_or(&new);
    let is_analysed = analysis.enabled && is_move_due(history, ply);
    let round = multi_pv.next_round().filter(|_| is_analysed).map(Purpose::Lines);
    let is_first = multi_pv.round == 0 && analysis.evaluations.contains_key(&key);
    if let Some(round) = round.filter(|_| is_first) {
        return Some((round, history, ply));
    }
    let unsearched = if analysis.is_unsearched(history, ply) {
        Some(ply)
    } else {
        analysis.first_unsearched(history).filter(|_| analysis.enabled)
    };
    match unsearched {
        Some(ply) => Some((Purpose::Evaluation, history, ply)),
        None => Some((round?, history, ply)),
    }
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
    let current = game.map(GameSession::history);
    let next = if worker.wanted_hint.take().is_some() {
        current.map(|history| (Purpose::Hint, history, history.len()))
    } else if worker.wanted_draw.take().is_some() {
        current.map(|history| (Purpose::Draw, history, history.len()))
    } else if analysis.evaluates() && !busy {
        next_search(analysis, screen, referee, replay)
    } else {
        None
    };
    let Some((purpose, history, ply)) = next.filter(|(_, history, ply)| is_move_due(history, *ply))
    else {
        return;
    };
    let history = up_to(history, ply);
    // A hint is for a player who wants to win: it avoids draws.
    let contempt = purpose == Purpose::Hint;
    let options = EngineOptions { contempt, ..EngineOptions::for_analysis(32) };
    let request = Request {
        history: history.clone(),
        limits: purpose.limits(history.start().rules().game()),
        options,
    };
    worker.worker.start_lines(request, purpose.lines());
    worker.job = Some(Job { purpose, history, game: referee.game_number(), last: None });
}
