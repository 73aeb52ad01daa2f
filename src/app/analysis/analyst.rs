//! Prompt the engine, one thought at a time, and hearing what it says.

use bevy::prelude::*;

use super::{Analysis, Candidate, Judgement, LINES, Value};
use crate::{
    app::{
        core::{
            actions::{Action, GameAction, ReplayAction, UiAction, ViewAction},
            schedule::AppSet,
            states::Screen,
        },
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

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Hint,
    Value,
    Draw,
    /// One of the best lines, in this round.
    Line(u32),
}

impl Purpose {
    /// How long it may take.
    fn limits(self) -> Limits {
        let millis = match self {
            Self::Hint => 1500,
            Self::Value => 300,
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
    /// The game that is being reviewed.
    reviewed: Option<Line<AnyPosition>>,
    job: Option<Job>,
    wants_hint: bool,
    wants_draw: bool,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Analysis>()
        .init_resource::<AnalysisWorker>()
        .add_systems(Update, ask.in_set(AppSet::ApplyActions))
        .add_systems(Update, (start_for_replay, advise).chain().in_set(AppSet::Engines));
}

/// Takes the acts that ask for something.
fn ask(
    mut acts: MessageReader<Action>,
    mut worker: ResMut<AnalysisWorker>,
    mut advice: ResMut<Analysis>,
    mut referee: ResMut<Referee>,
    lesson: Res<Lesson>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        match act {
            Action::View(ViewAction::ToggleThreats) if has_game(*screen.get()) => {
                advice.threats = !advice.threats
            }
            Action::View(ViewAction::ToggleEvaluation) if has_game(*screen.get()) => {
                advice.value = !advice.value
            }
            Action::View(ViewAction::ToggleAnalysis)
                if has_game(*screen.get()) && !referee.lesson =>
            {
                advice.analysis = !advice.analysis;
                // Its lines say what is best now.
                advice.hint = None;
            }
            // What was analysed is left: a game is not, until it is asked for.
            Action::Game(GameAction::NewGame(_))
            | Action::Game(GameAction::Rematch)
            | Action::Game(GameAction::ResumeFile(_))
            | Action::Replay(ReplayAction::PlayFromHere)
            | Action::Ui(UiAction::ShowTable) => {
                advice.analysis = false;
            }
            Action::Game(GameAction::Hint) if *screen.get() == Screen::Table => {
                let line = referee.table.as_ref().filter(|_| referee.plays()).map(Table::line);
                let step = lesson.now().filter(|_| referee.lesson);
                if let Some((step, line)) = step.zip(line) {
                    // Not what is best, but what the step asks for.
                    let solution = step.solution(line);
                    advice.hint = solution.map(|mv| (line.position().key(), mv));
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
fn start_for_replay(mut replay: ResMut<Replay>, mut advice: ResMut<Analysis>) {
    if replay.analyse {
        replay.analyse = false;
        advice.analysis = true;
        advice.hint = None;
    }
}

/// Whether a game is looked at.
const fn has_game(screen: Screen) -> bool {
    matches!(screen, Screen::Table | Screen::Replay)
}

/// The game that is looked at, up to the ply shown.
fn looked_at(screen: Screen, referee: &Referee, replay: &Replay) -> Option<Line<AnyPosition>> {
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

fn advise(
    mut worker: ResMut<AnalysisWorker>,
    mut advice: ResMut<Analysis>,
    mut referee: ResMut<Referee>,
    mut awake: ResMut<KeepRedrawing>,
    replay: Res<Replay>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
) {
    let screen = *screen.get();
    let idle = worker.job.is_none() && !worker.wants_hint && !worker.wants_draw;
    let awaits = worker.job.is_some() || referee.thinking || replay.playing;
    awake.set_if_neq(KeepRedrawing(awaits));
    if idle && !advice.value && !advice.analysis {
        return;
    }
    review(&mut worker, &mut advice, &replay, screen);
    while let Some(reply) = worker.worker.poll() {
        listen(reply, &mut worker, &mut advice, &mut referee);
    }
    let table = referee.table.as_ref().map(Table::line);
    // A thought for the game is about its last position.
    let stale = worker.job.as_ref().is_some_and(|job| match job.purpose {
        Purpose::Hint | Purpose::Draw => screen != Screen::Table || table != Some(&job.line),
        Purpose::Value => !(advice.value || advice.analysis) || referee.thinking,
        Purpose::Line(_) => {
            let here = looked_at(screen, &referee, &replay);
            !advice.analysis
                || referee.thinking
                || here.is_none_or(|line| line.position().key() != job.line.position().key())
        }
    });
    if stale {
        worker.worker.cancel();
        worker.job = None;
    }
    let urgent = worker.wants_hint || worker.wants_draw;
    let quiet = |job: &Job| matches!(job.purpose, Purpose::Value | Purpose::Line(_));
    let in_the_way = worker.job.as_ref().is_some_and(quiet) && urgent;
    if in_the_way {
        worker.worker.cancel();
        worker.job = None;
    }
    if worker.job.is_none() {
        begin(&mut worker, &advice, &referee, &replay, screen, motion.is_busy());
    }
    let waiting =
        worker.wants_hint || matches!(worker.job, Some(Job { purpose: Purpose::Hint, .. }));
    if advice.waiting != waiting {
        advice.waiting = waiting;
    }
    if worker.job.is_some() || worker.reviewer.is_at_work() {
        awake.set_if_neq(KeepRedrawing(true));
    }
}

/// Has luck and skill told apart in the game of Tablan that is analysed.
fn review(worker: &mut AnalysisWorker, advice: &mut Analysis, replay: &Replay, screen: Screen) {
    if let Some(found) = worker.reviewer.poll()
        && let (Some(line), Some(review)) = (worker.reviewed.clone(), found)
    {
        advice.review = Some((line, review));
    }
    let wanted = replay.line().filter(|line| {
        let is_tablan = matches!(line.start(), AnyPosition::Tablan(_));
        advice.analysis && screen == Screen::Replay && is_tablan && !line.is_empty()
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

/// What an analysis looks into next: first a glance at what is looked at and
/// its best lines, then the rest of the game, then the lines again for longer.
fn next_to_study(
    advice: &Analysis,
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
) -> Option<(Purpose, Line<AnyPosition>)> {
    let here = looked_at(screen, referee, replay)?;
    let key = here.position().key();
    let due = matches!(here.turn(), Turn::Move(_)) && advice.analysis;
    let round = advice.studies.get(&key).map_or(0, |study| study.round);
    let goes_on = advice.studies.get(&key).is_none_or(super::MultiPv::goes_on);
    let first = due && round == 0 && goes_on && advice.known.contains_key(&key);
    if first {
        return Some((Purpose::Line(0), here));
    }
    if let Some(line) = unjudged(advice, screen, referee, replay) {
        return Some((Purpose::Value, line));
    }
    (due && goes_on).then_some((Purpose::Line(round), here))
}

/// The next position to judge: the one looked at, and then, where a game is
/// analysed, every other from the first on.
fn unjudged(
    advice: &Analysis,
    screen: Screen,
    referee: &Referee,
    replay: &Replay,
) -> Option<Line<AnyPosition>> {
    let unknown = |position: &AnyPosition| {
        matches!(position.turn(), Turn::Move(_)) && !advice.known.contains_key(&position.key())
    };
    let here = looked_at(screen, referee, replay)?;
    if unknown(here.position()) && matches!(here.turn(), Turn::Move(_)) {
        return Some(here);
    }
    let whole = match screen {
        Screen::Replay => replay.line(),
        Screen::Table => referee.table.as_ref().map(Table::line),
        Screen::Title | Screen::Editor => None,
    };
    let whole = whole.filter(|_| advice.analysis)?;
    let next = (0..=whole.len()).find(|&plies| {
        // A game can end where a position alone would go on.
        let ended = plies == whole.len() && matches!(whole.turn(), Turn::Over(_));
        !ended && whole.at(plies).is_some_and(unknown)
    })?;
    let mut line = whole.clone();
    line.truncate(next);
    Some(line)
}

fn begin(
    worker: &mut AnalysisWorker,
    advice: &Analysis,
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
    } else if (advice.value || advice.analysis) && !busy && !referee.thinking {
        next_to_study(advice, screen, referee, replay)
    } else {
        None
    };
    let Some((purpose, line)) = next else { return };
    if !matches!(line.turn(), Turn::Move(_)) {
        return;
    }
    // A hint is for a game that is to be won.
    let contempt = purpose == Purpose::Hint;
    let settings = Settings { contempt, ..Settings::judge(32) };
    let request = Request { line: line.clone(), limits: purpose.limits(), settings };
    let without = match purpose {
        Purpose::Line(_) => {
            let study = advice.studies.get(&line.position().key());
            study.map(super::MultiPv::found).unwrap_or_default()
        }
        Purpose::Hint | Purpose::Value | Purpose::Draw => Vec::new(),
    };
    let ticket = worker.worker.ask_beside(request, without);
    worker.job = Some(Job { purpose, ticket, line, last: None });
}

fn listen(reply: Reply, worker: &mut AnalysisWorker, advice: &mut Analysis, referee: &mut Referee) {
    match reply {
        Reply::Info { ticket, info } => {
            let Some(job) = worker.job.as_mut().filter(|job| job.ticket == ticket) else {
                return;
            };
            if let (Purpose::Line(_), Some(&mv)) = (job.purpose, info.pv.first()) {
                let candidate = candidate(&job.line, mv, &info);
                let key = job.line.position().key();
                advice.studies.entry(key).or_default().hear(candidate);
            }
            job.last = Some(info);
        }
        Reply::Best { ticket, best, .. } => {
            let Some(job) = worker.job.take_if(|job| job.ticket == ticket) else { return };
            let position = job.line.position();
            let mover = position.side();
            let value = job.last.as_ref().map(|info| Value::of(info.score, mover));
            if matches!(job.purpose, Purpose::Line(_)) {
                learn(advice, &job, best);
                return;
            }
            // A hint is no judge: it does not take every draw.
            if let Some(value) = value.filter(|_| job.purpose != Purpose::Hint) {
                let play = job.last.map_or_else(String::new, |info| told(&job.line, &info.pv));
                advice.known.insert(position.key(), Judgement { value, best, play });
            }
            match (job.purpose, best) {
                (Purpose::Hint, Some(best)) => advice.hint = Some((position.key(), best)),
                (Purpose::Hint, None) => referee.tell(Why::of("notice.no-hint")),
                (Purpose::Draw, _) => answer_offer(referee, mover, value),
                (Purpose::Value | Purpose::Line(_), _) => {}
            }
        }
    }
}

fn candidate(line: &Line<AnyPosition>, mv: AnyMove, info: &Info) -> Candidate {
    let value = Value::of(info.score, line.position().side());
    let play = told(line, &info.pv);
    Candidate { mv, value, depth: info.depth, exact: info.exact, play }
}

/// Notes one of the best lines; the first of a round is the best known of the
/// position.
fn learn(advice: &mut Analysis, job: &Job, best: Option<AnyMove>) {
    let (position, key) = (job.line.position(), job.line.position().key());
    let study = advice.studies.entry(key).or_default();
    let (Some(best), Some(info)) = (best, &job.last) else {
        study.end();
        return;
    };
    let candidate = candidate(&job.line, best, info);
    if study.found().is_empty() {
        let (value, play) = (candidate.value, candidate.play.clone());
        advice.known.insert(key, Judgement { value, best: Some(best), play });
    }
    let most = job.line.legal_moves().len().min(LINES);
    study.take(candidate, most, position.side());
}

/// An engine takes a draw when it is not ahead.
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
        referee.agree();
    } else if let Some(table) = &referee.table {
        let side = Why::of(side_key(table.rules(), offerer.other()));
        referee.tell(Why::of("notice.draw-declined").holding("side", side));
    }
}

/// The play an engine expects, as records write it.
fn told(line: &Line<AnyPosition>, play: &[AnyMove]) -> String {
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
