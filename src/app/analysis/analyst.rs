//! Schedules the analysis searches, one at a time, and collects their results.

use bevy::prelude::*;

use super::{Analysis, Candidate, Judgement, LINES, Value};
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            schedule::AppSet,
            states::Screen,
        },
        editor::Editor,
        game::referee::Referee,
        lesson::Lesson,
        replay::Replay,
        scene::api::{KeepRedrawing, MotionStatus},
    },
    engines::{Info, Limits, Reply, Request, Reviewer, Settings, Worker},
    games::{AnyMove, AnyPosition, Game, Line, Side, Turn},
    table::{Table, side_key},
    words::Why,
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
    /// Its time limit.
    fn limits(self) -> Limits {
        let millis = match self {
            Self::Hint => 1500,
            Self::Evaluation => 300,
            Self::Draw => 600,
            Self::Line(round) => 300 << round.min(8),
        };
        Limits { movetime: Some(std::time::Duration::from_millis(millis)), ..Limits::default() }
    }
}

#[derive(Debug)]
struct Job {
    purpose: Purpose,
    ticket: u64,
    line: Line<AnyPosition>,
    last: Option<Info>,
}

#[derive(Resource, Default)]
struct AnalysisWorker {
    worker: Worker,
    reviewer: Reviewer,
    /// The game under review.
    reviewed: Option<Line<AnyPosition>>,
    job: Option<Job>,
    wants_hint: bool,
    wants_draw: bool,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Analysis>()
        .init_resource::<AnalysisWorker>()
        .add_systems(Update, apply_actions.in_set(AppSet::ApplyActions))
        .add_systems(Update, (start_for_replay, run_searches).chain().in_set(AppSet::Engines));
}

/// Applies the actions that concern the analysis.
fn apply_actions(
    mut actions: MessageReader<Action>,
    mut worker: ResMut<AnalysisWorker>,
    mut analysis: ResMut<Analysis>,
    mut referee: ResMut<Referee>,
    lesson: Res<Lesson>,
    editor: Res<Editor>,
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        match action {
            Action::View(ViewAction::ToggleThreats) if has_game(*screen.get()) => {
                analysis.threats = !analysis.threats
            }
            Action::View(ViewAction::ToggleEvaluation) if has_game(*screen.get()) => {
                analysis.value = !analysis.value
            }
            Action::View(ViewAction::ToggleAnalysis)
                if has_game(*screen.get()) && !referee.lesson =>
            {
                analysis.analysis = !analysis.analysis;
                // The analysis shows the best move itself.
                analysis.hint = None;
            }
            Action::Editor(EditorAction::Analyse) if *screen.get() == Screen::Editor => {
                analysis.analysis |= editor.draft.position().is_ok();
            }
            // Leaving for a game ends the analysis.
            Action::Game(GameAction::NewGame(_))
            | Action::Game(GameAction::Rematch)
            | Action::Game(GameAction::ResumeFile(_))
            | Action::Replay(ReplayAction::PlayFromHere)
            | Action::Ui(UiAction::ShowTable) => {
                analysis.analysis = false;
            }
            Action::Game(GameAction::Hint) if *screen.get() == Screen::Table => {
                let line = referee.table.as_ref().filter(|_| referee.plays()).map(Table::line);
                let step = lesson.now().filter(|_| referee.lesson);
                if let Some((step, line)) = step.zip(line) {
                    // In a lesson the hint is the solution of the step.
                    let solution = step.solution(line);
                    analysis.hint = solution.map(|mv| (line.position().key(), mv));
                } else if line.is_some() {
                    worker.wants_hint = true;
                } else {
                    referee.tell(Why::of("notice.no-hint"));
                }
            }
            Action::Game(GameAction::OfferDraw) if *screen.get() == Screen::Table => {
                worker.wants_draw = referee.offer_draw();
            }
            _ => {}
        }
    }
}

/// Starts the analysis of a record that was opened to be analysed.
fn start_for_replay(mut replay: ResMut<Replay>, mut analysis: ResMut<Analysis>) {
    if replay.analyse {
        replay.analyse = false;
        analysis.analysis = true;
        analysis.hint = None;
    }
}

/// Whether the screen shows a game.
const fn has_game(screen: Screen) -> bool {
    matches!(screen, Screen::Table | Screen::Replay)
}

/// The game shown, up to the ply shown.
fn shown_game(screen: Screen, referee: &Referee, replay: &Replay) -> Option<Line<AnyPosition>> {
    let (line, plies) = match screen {
        Screen::Title | Screen::Editor => return None,
        Screen::Table => {
            let line = referee.table.as_ref()?.line();
            (line, referee.looking.unwrap_or(line.len()))
        }
        Screen::Replay => (replay.line()?, replay.at),
    };
    let mut line = line.clone();
    line.truncate(plies);
    Some(line)
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
    if idle && !analysis.value && !analysis.analysis {
        return;
    }
    review(&mut worker, &mut analysis, &replay, screen);
    while let Some(reply) = worker.worker.poll() {
        handle_reply(reply, &mut worker, &mut analysis, &mut referee);
    }
    let table = referee.table.as_ref().map(Table::line);
    // A hint or a draw offer belongs to the last position of the game.
    let stale = worker.job.as_ref().is_some_and(|job| match job.purpose {
        Purpose::Hint | Purpose::Draw => screen != Screen::Table || table != Some(&job.line),
        Purpose::Evaluation => !(analysis.value || analysis.analysis) || referee.thinking,
        Purpose::Line(_) => {
            let here = shown_game(screen, &referee, &replay);
            !analysis.analysis
                || referee.thinking
                || here.is_none_or(|line| line.position().key() != job.line.position().key())
        }
    });
    if stale {
        worker.worker.cancel();
        worker.job = None;
    }
    let urgent = worker.wants_hint || worker.wants_draw;
    let quiet = |job: &Job| matches!(job.purpose, Purpose::Evaluation | Purpose::Line(_));
    let in_the_way = worker.job.as_ref().is_some_and(quiet) && urgent;
    if in_the_way {
        worker.worker.cancel();
        worker.job = None;
    }
    if worker.job.is_none() {
        start_search(&mut worker, &analysis, &referee, &replay, screen, motion.is_busy());
    }
    let waiting =
        worker.wants_hint || matches!(worker.job, Some(Job { purpose: Purpose::Hint, .. }));
    if analysis.waiting != waiting {
        analysis.waiting = waiting;
    }
    if worker.job.is_some() || worker.reviewer.is_at_work() {
        redraw.set_if_neq(KeepRedrawing(true));
    }
}

/// Reviews luck and skill of the game of Tablan that is analysed.
fn review(worker: &mut AnalysisWorker, analysis: &mut Analysis, replay: &Replay, screen: Screen) {
    if let Some(found) = worker.reviewer.poll()
        && let (Some(line), Some(review)) = (worker.reviewed.clone(), found)
    {
        analysis.review = Some((line, review));
    }
    let wanted = replay.line().filter(|line| {
        let is_tablan = matches!(line.start(), AnyPosition::Tablan(_));
        analysis.analysis && screen == Screen::Replay && is_tablan && !line.is_empty()
    });
    match wanted {
        Some(line) if worker.reviewed.as_ref() != Some(line) => {
            worker.reviewed = Some(line.clone());
            worker.reviewer.ask(line.clone());
        }
        None if worker.reviewer.is_at_work() => {
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
) -> Option<(Purpose, Line<AnyPosition>)> {
    let here = shown_game(screen, referee, replay)?;
    let key = here.position().key();
    let due = matches!(here.turn(), Turn::Move(_)) && analysis.analysis;
    let round = analysis.studies.get(&key).map_or(0, |study| study.round);
    let goes_on = analysis.studies.get(&key).is_none_or(super::MultiPv::goes_on);
    let first = due && round == 0 && goes_on && analysis.known.contains_key(&key);
    if first {
        return Some((Purpose::Line(0), here));
    }
    if let Some(line) = next_unevaluated(analysis, screen, referee, replay) {
        return Some((Purpose::Evaluation, line));
    }
    (due && goes_on).then_some((Purpose::Line(round), here))
}

/// The next position to evaluate: the one shown, then, if the game is analysed,
/// all others from the first on.
fn next_unevaluated(
    analysis: &Analysis,
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
) -> Option<Line<AnyPosition>> {
    let unknown = |position: &AnyPosition| {
        matches!(position.turn(), Turn::Move(_)) && !analysis.known.contains_key(&position.key())
    };
    let here = shown_game(screen, referee, replay)?;
    if unknown(here.position()) && matches!(here.turn(), Turn::Move(_)) {
        return Some(here);
    }
    let whole = match screen {
        Screen::Replay => replay.line(),
        Screen::Table => referee.table.as_ref().map(Table::line),
        Screen::Title | Screen::Editor => None,
    };
    let whole = whole.filter(|_| analysis.analysis)?;
    let next = (0..=whole.len()).find(|&plies| {
        // A game can be over where its last position alone is not (repetition).
        let ended = plies == whole.len() && matches!(whole.turn(), Turn::Over(_));
        !ended && whole.at(plies).is_some_and(unknown)
    })?;
    let mut line = whole.clone();
    line.truncate(next);
    Some(line)
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
    let asked = game.map(|table| table.line().clone());
    let next = if std::mem::take(&mut worker.wants_hint) {
        asked.map(|line| (Purpose::Hint, line))
    } else if std::mem::take(&mut worker.wants_draw) {
        asked.map(|line| (Purpose::Draw, line))
    } else if (analysis.value || analysis.analysis) && !busy && !referee.thinking {
        next_search(analysis, screen, referee, replay)
    } else {
        None
    };
    let Some((purpose, line)) = next else { return };
    if !matches!(line.turn(), Turn::Move(_)) {
        return;
    }
    // A hint is for a player who wants to win: it avoids draws.
    let contempt = purpose == Purpose::Hint;
    let settings = Settings { contempt, ..Settings::judge(32) };
    let request = Request { line: line.clone(), limits: purpose.limits(), settings };
    let without = match purpose {
        Purpose::Line(_) => {
            let study = analysis.studies.get(&line.position().key());
            study.map(super::MultiPv::found).unwrap_or_default()
        }
        Purpose::Hint | Purpose::Evaluation | Purpose::Draw => Vec::new(),
    };
    let ticket = worker.worker.ask_beside(request, without);
    worker.job = Some(Job { purpose, ticket, line, last: None });
}

/// Stores what a search reports.
fn handle_reply(
    reply: Reply,
    worker: &mut AnalysisWorker,
    analysis: &mut Analysis,
    referee: &mut Referee,
) {
    match reply {
        Reply::Info { ticket, info } => {
            let Some(job) = worker.job.as_mut().filter(|job| job.ticket == ticket) else {
                return;
            };
            if let (Purpose::Line(_), Some(&mv)) = (job.purpose, info.pv.first()) {
                let candidate = candidate(&job.line, mv, &info);
                let key = job.line.position().key();
                analysis.studies.entry(key).or_default().update(candidate);
            }
            job.last = Some(info);
        }
        Reply::Best { ticket, best, .. } => {
            let Some(job) = worker.job.take_if(|job| job.ticket == ticket) else { return };
            let position = job.line.position();
            let mover = position.side();
            let value = job.last.as_ref().map(|info| Value::of(info.score, mover));
            if matches!(job.purpose, Purpose::Line(_)) {
                store_line(analysis, &job, best);
                return;
            }
            // A hint's score has contempt in it and is no evaluation.
            if let Some(value) = value.filter(|_| job.purpose != Purpose::Hint) {
                let play =
                    job.last.map_or_else(String::new, |info| variation_text(&job.line, &info.pv));
                analysis.known.insert(position.key(), Judgement { value, best, play });
            }
            match (job.purpose, best) {
                (Purpose::Hint, Some(best)) => analysis.hint = Some((position.key(), best)),
                (Purpose::Hint, None) => referee.tell(Why::of("notice.no-hint")),
                (Purpose::Draw, _) => answer_offer(referee, mover, value),
                (Purpose::Evaluation | Purpose::Line(_), _) => {}
            }
        }
    }
}

fn candidate(line: &Line<AnyPosition>, mv: AnyMove, info: &Info) -> Candidate {
    let value = Value::of(info.score, line.position().side());
    let play = variation_text(line, &info.pv);
    Candidate { mv, value, depth: info.depth, exact: info.exact, play }
}

/// Stores one of the best lines; the first of a round is also the position's
/// evaluation.
fn store_line(analysis: &mut Analysis, job: &Job, best: Option<AnyMove>) {
    let (position, key) = (job.line.position(), job.line.position().key());
    let study = analysis.studies.entry(key).or_default();
    let (Some(best), Some(info)) = (best, &job.last) else {
        study.finish();
        return;
    };
    let candidate = candidate(&job.line, best, info);
    if study.found().is_empty() {
        let (value, play) = (candidate.value, candidate.play.clone());
        analysis.known.insert(key, Judgement { value, best: Some(best), play });
    }
    let most = job.line.legal_moves().len().min(LINES);
    study.complete_line(candidate, most, position.side());
}

/// Answers a draw offer: an engine accepts when it is not ahead.
fn answer_offer(referee: &mut Referee, offerer: Side, value: Option<Value>) {
    let takes = match value {
        Some(Value::Points(points)) => {
            let offerers = if offerer == Side::First { points } else { -points };
            offerers >= 0
        }
        Some(Value::Wins(side, _)) => side == offerer,
        None => false,
    };
    if takes {
        referee.agree_draw();
    } else if let Some(table) = &referee.table {
        let side = Why::of(side_key(table.rules(), offerer.other()));
        referee.tell(Why::of("notice.draw-declined").holding("side", side));
    }
}

/// Writes a principal variation in the records' notation.
fn variation_text(line: &Line<AnyPosition>, play: &[AnyMove]) -> String {
    let mut line = line.clone();
    let mut words = Vec::new();
    for &mv in play {
        let text = line.position().notation(mv);
        if line.push(crate::games::Ply::Move(mv)).is_err() {
            break;
        }
        words.push(text);
    }
    words.join(" ")
}
