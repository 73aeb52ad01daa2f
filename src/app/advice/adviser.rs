//! Asking the engine, one thought at a time, and hearing what it says.

use bevy::prelude::*;

use super::{Advice, Judgement, Value};
use crate::{
    app::{
        Steps,
        acts::Act,
        referee::Referee,
        replay::Replay,
        stage::{Awake, Motion, Screen},
    },
    engines::{Info, Level, Limits, Reply, Request, Settings, Worker},
    games::{AnyMove, AnyPosition, Game, Line, Side, Turn},
    table::{Table, side_words},
    words::{fill, say},
};

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Hint,
    Value,
    Draw,
}

impl Purpose {
    /// How long it may take.
    fn limits(self) -> Limits {
        let millis = match self {
            Self::Hint => 1500,
            Self::Value => 300,
            Self::Draw => 600,
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
struct Adviser {
    worker: Worker,
    job: Option<Job>,
    wants_hint: bool,
    wants_draw: bool,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Advice>()
        .init_resource::<Adviser>()
        .add_systems(Update, ask.in_set(Steps::Judge))
        .add_systems(Update, advise.in_set(Steps::Think));
}

/// Takes the acts that ask for something.
fn ask(
    mut acts: MessageReader<Act>,
    mut adviser: ResMut<Adviser>,
    mut advice: ResMut<Advice>,
    mut referee: ResMut<Referee>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        match act {
            Act::Threats if *screen.get() != Screen::Title => advice.threats = !advice.threats,
            Act::Value if *screen.get() != Screen::Title => advice.value = !advice.value,
            Act::Analyse if *screen.get() == Screen::Replay => {
                advice.analysis = !advice.analysis;
            }
            Act::Hint if *screen.get() == Screen::Table => {
                if referee.table.as_ref().is_some_and(Table::person_moves) {
                    adviser.wants_hint = true;
                } else {
                    referee.tell(say("notice.no-hint"));
                }
            }
            Act::OfferDraw if *screen.get() == Screen::Table => {
                adviser.wants_draw = referee.offer_draw();
            }
            _ => {}
        }
    }
}

/// The game that is looked at, up to the ply shown.
fn looked_at(screen: Screen, referee: &Referee, replay: &Replay) -> Option<Line<AnyPosition>> {
    let (line, plies) = match screen {
        Screen::Title => return None,
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
    mut adviser: ResMut<Adviser>,
    mut advice: ResMut<Advice>,
    mut referee: ResMut<Referee>,
    mut awake: ResMut<Awake>,
    replay: Res<Replay>,
    motion: Res<Motion>,
    screen: Res<State<Screen>>,
) {
    let screen = *screen.get();
    let idle = adviser.job.is_none() && !adviser.wants_hint && !adviser.wants_draw;
    let awaits = adviser.job.is_some() || referee.thinking || replay.playing;
    awake.set_if_neq(Awake(awaits));
    if idle && !advice.value && !advice.analysis {
        return;
    }
    while let Some(reply) = adviser.worker.poll() {
        listen(reply, &mut adviser, &mut advice, &mut referee);
    }
    let table = referee.table.as_ref().map(Table::line);
    // A thought for the game is about its last position.
    let stale = adviser.job.as_ref().is_some_and(|job| match job.purpose {
        Purpose::Hint | Purpose::Draw => screen != Screen::Table || table != Some(&job.line),
        Purpose::Value => !(advice.value || advice.analysis) || referee.thinking,
    });
    if stale {
        adviser.worker.cancel();
        adviser.job = None;
    }
    let urgent = adviser.wants_hint || adviser.wants_draw;
    let in_the_way = matches!(adviser.job, Some(Job { purpose: Purpose::Value, .. })) && urgent;
    if in_the_way {
        adviser.worker.cancel();
        adviser.job = None;
    }
    if adviser.job.is_none() {
        begin(&mut adviser, &advice, &referee, &replay, screen, motion.is_busy());
    }
    let waiting =
        adviser.wants_hint || matches!(adviser.job, Some(Job { purpose: Purpose::Hint, .. }));
    if advice.waiting != waiting {
        advice.waiting = waiting;
    }
    if adviser.job.is_some() {
        awake.set_if_neq(Awake(true));
    }
}

/// The next position to judge: the one looked at, and then, where a replay is
/// analysed, every other from the first on.
fn unjudged(
    advice: &Advice,
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
    let whole = replay.line().filter(|_| advice.analysis && screen == Screen::Replay)?;
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
    adviser: &mut Adviser,
    advice: &Advice,
    referee: &Referee,
    replay: &Replay,
    screen: Screen,
    busy: bool,
) {
    let game = referee.table.as_ref().filter(|_| screen == Screen::Table);
    let purpose = if std::mem::take(&mut adviser.wants_hint) {
        Purpose::Hint
    } else if std::mem::take(&mut adviser.wants_draw) {
        Purpose::Draw
    } else if (advice.value || advice.analysis) && !busy && !referee.thinking {
        Purpose::Value
    } else {
        return;
    };
    let line = match (purpose, game) {
        (Purpose::Value, _) => unjudged(advice, screen, referee, replay),
        (_, Some(table)) => Some(table.line().clone()),
        (_, None) => None,
    };
    let Some(line) = line else { return };
    if !matches!(line.turn(), Turn::Move(_)) {
        return;
    }
    let settings = Settings { level: Level::Master, threads: 1, hash_mib: 32, seed: 0 };
    let request = Request { line: line.clone(), limits: purpose.limits(), settings };
    let ticket = adviser.worker.ask(request);
    adviser.job = Some(Job { purpose, ticket, line, last: None });
}

fn listen(reply: Reply, adviser: &mut Adviser, advice: &mut Advice, referee: &mut Referee) {
    match reply {
        Reply::Info { ticket, info } => {
            if let Some(job) = adviser.job.as_mut().filter(|job| job.ticket == ticket) {
                job.last = Some(info);
            }
        }
        Reply::Best { ticket, best, .. } => {
            let Some(job) = adviser.job.take_if(|job| job.ticket == ticket) else { return };
            let position = job.line.position();
            let mover = position.side();
            let value = job.last.as_ref().map(|info| Value::of(info.score, mover));
            if let Some(value) = value {
                let play = job.last.map_or_else(String::new, |info| told(&job.line, &info.pv));
                advice.known.insert(position.key(), Judgement { value, best, play });
            }
            match (job.purpose, best) {
                (Purpose::Hint, Some(best)) => advice.hint = Some((position.key(), best)),
                (Purpose::Hint, None) => referee.tell(say("notice.no-hint")),
                (Purpose::Draw, _) => answer_offer(referee, mover, value),
                (Purpose::Value, _) => {}
            }
        }
    }
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
        let side = side_words(table.rules(), offerer.other());
        referee.tell(fill("notice.draw-declined", &[("side", side)]));
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
