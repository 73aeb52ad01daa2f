//! What an engine says when it is asked: a hint, who is ahead, whether it
//! takes a draw, a whole game's evaluation.
//!
//! One worker of its own, one thought at a time, never waited for. Nothing
//! here changes a game but an accepted draw; an answer about a position that
//! is no longer there is dropped.

use std::collections::HashMap;

use bevy::prelude::*;

use super::{
    Steps,
    acts::Act,
    referee::Referee,
    replay::Replay,
    stage::{Awake, Motion, Screen},
};
use crate::{
    engines::{Info, Level, Limits, Reply, Request, Score, Settings, Worker},
    games::{AnyMove, AnyPosition, Game, Line, Side, Turn},
    table::{Seat, Table, side_words},
    words::{fill, say},
};

/// Who is ahead, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// By hundredths of a piece, for the first side.
    Points(i32),
    /// This side wins in so many plies.
    Wins(Side, u32),
}

impl Value {
    /// A score told for the side to move.
    fn of(score: Score, mover: Side) -> Self {
        match score {
            Score::Points(points) => {
                Self::Points(if mover == Side::First { points } else { -points })
            }
            Score::Win(plies) => Self::Wins(mover, plies),
            Score::Loss(plies) => Self::Wins(mover.other(), plies),
        }
    }

    /// How the first side stands, from 0 (lost) over 0.5 (even) to 1 (won).
    #[must_use]
    pub fn share(self) -> f32 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "hundredths of pieces")]
            Self::Points(points) => 1.0 / (1.0 + (-points as f32 / 250.0).exp()),
            Self::Wins(Side::First, _) => 1.0,
            Self::Wins(Side::Second, _) => 0.0,
        }
    }
}

/// What was found about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Who is ahead.
    pub value: Value,
    /// The best move.
    pub best: Option<AnyMove>,
    /// How it would go on, as records write it.
    pub play: String,
}

/// What there is to show of all this.
#[derive(Resource, Debug, Default)]
pub struct Advice {
    /// The hint for the position with this key.
    pub hint: Option<(u64, AnyMove)>,
    /// Whether a hint is being looked for.
    pub waiting: bool,
    /// Whether threats are shown.
    pub threats: bool,
    /// Whether it is shown who is ahead.
    pub value: bool,
    /// Whether every position of a replay is judged.
    pub analysis: bool,
    /// What is known, by the positions' keys.
    pub known: HashMap<u64, Judgement>,
}

impl Advice {
    /// The hint for this position, if it was asked for.
    #[must_use]
    pub fn hint_for(&self, position: &AnyPosition) -> Option<AnyMove> {
        self.hint.filter(|(key, _)| *key == position.key()).map(|(_, mv)| mv)
    }

    /// What is known of the game after `plies` plies, or of the last position
    /// before at which something was (before a throw nothing is told).
    #[must_use]
    pub fn value_at(&self, line: &Line<AnyPosition>, plies: usize) -> Option<Value> {
        (0..=plies).rev().take(6).find_map(|number| {
            let position = line.at(number)?;
            match position.turn() {
                Turn::Over(end) => {
                    Some(end.winner.map_or(Value::Points(0), |side| Value::Wins(side, 0)))
                }
                Turn::Move(_) | Turn::Throw(_) => Some(self.known.get(&position.key())?.value),
            }
        })
    }
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The ply it was.
    pub ply: usize,
    /// How much it gave away, from 0 to 1 (from won to lost).
    pub loss: f32,
    /// What would have been better.
    pub best: AnyMove,
}

/// From this share on a move is a mistake.
const MISTAKE: f32 = 0.15;
/// From this share on it is a bad one.
pub const BLUNDER: f32 = 0.30;

impl Advice {
    /// The mistakes of a game, as far as its positions are judged. Where a
    /// throw follows a move, nothing is known of the move itself.
    #[must_use]
    pub fn mistakes(&self, line: &Line<AnyPosition>) -> Vec<Mistake> {
        let share = |plies: usize| {
            let position = line.at(plies)?;
            let ended = if plies == line.len() { line.turn().end() } else { None };
            match ended {
                Some(end) => Some(match end.winner {
                    Some(side) => Value::Wins(side, 0).share(),
                    None => 0.5,
                }),
                None => self.known.get(&position.key()).map(|it| it.value.share()),
            }
        };
        (1..=line.len())
            .filter_map(|ply| {
                let before = line.at(ply - 1)?;
                let best = self.known.get(&before.key())?.best?;
                let (from, to) = (share(ply - 1)?, share(ply)?);
                let loss = if before.side() == Side::First { from - to } else { to - from };
                let played =
                    matches!(line.ply(ply), Some(crate::games::Ply::Move(mv)) if mv != best);
                (played && loss >= MISTAKE).then_some(Mistake { ply, loss, best })
            })
            .collect()
    }
}

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

/// Whether somebody plays the other side who can be asked for a draw.
pub(super) fn is_engine(table: &Table, side: Side) -> bool {
    matches!(table.seats()[side.index()], Seat::Engine(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_gives_the_game_away_is_a_mistake() {
        let mut line = Line::new(AnyPosition::start(crate::games::RuleSet::Tablaaza));
        let mut advice = Advice::default();
        let mut judge = |line: &Line<AnyPosition>, points| {
            let best = line.legal_moves().last().copied();
            let judgement = Judgement { value: Value::Points(points), best, play: String::new() };
            advice.known.insert(line.position().key(), judgement);
        };
        judge(&line, 0);
        for points in [20, 400, 380] {
            let first = line.legal_moves()[0];
            line.push(crate::games::Ply::Move(first)).expect("legal");
            judge(&line, points);
        }
        let mistakes = advice.mistakes(&line);
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert_eq!(mistakes[0].ply, 2, "Green's, which was good for Red");
        assert!(mistakes[0].loss > BLUNDER, "{mistakes:?}");
    }

    #[test]
    fn a_score_is_turned_to_the_first_side() {
        assert_eq!(Value::of(Score::Points(30), Side::Second), Value::Points(-30));
        assert_eq!(Value::of(Score::Loss(4), Side::First), Value::Wins(Side::Second, 4));
        assert!((Value::Points(0).share() - 0.5).abs() < 1e-6);
        assert!(Value::Points(200).share() > 0.6 && Value::Points(-200).share() < 0.4);
        assert!(Value::Wins(Side::First, 3).share() > 0.999);
    }
}
