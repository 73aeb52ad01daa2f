//! Watching a game again.
//!
//! A replay sends the scene the very same cues as the game did; a jump of more
//! than one ply sets the pieces without playing them.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, ReplayAction},
            notice::LocalizedText,
            schedule::AppSet,
            states::Screen,
        },
        game::referee::{Referee, highlights::point_out},
        scene::{
            api::{AnimationSpeed, CameraFocus, Highlights, MotionStatus, SceneCommand},
            plies::{last_squares, roster_at, set_cue, tumble},
        },
        settings::Settings,
    },
    games::{AnyPosition, Line, RuleSet, Turn},
    records::{Outcome, Record},
    table::{Clock, Roster, Table, account, outcome_words},
    words::Why,
};

/// How long a replay rests after a ply, at the usual speed.
const REST: Duration = Duration::from_millis(450);

/// The game being watched.
#[derive(Resource)]
pub struct Replay {
    /// What is watched; none before the first.
    pub record: Option<Record>,
    /// What stood on the players' clocks, where they played with some.
    pub clock: Option<Clock>,
    /// How many plies are shown.
    pub at: usize,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// Whether it begins again at its end.
    pub looping: bool,
    /// Times the usual speed.
    pub speed: f32,
    /// Whether the camera follows what happens.
    pub follows: bool,
    /// What it is called: a file's name.
    pub title: String,
    /// Whether it is a position that was set up to be analysed.
    pub set_up: bool,
    /// Whether analysis starts as soon as it is shown; then this is unset.
    pub(crate) analyse: bool,
    /// What was announced up to here, newest last.
    pub said: Vec<String>,
    /// How the game ended, in a sentence, where that is known.
    pub ending: Option<String>,
    called: LocalizedText,
    roster: Roster,
    rested: Duration,
}

impl Default for Replay {
    fn default() -> Self {
        Self {
            record: None,
            clock: None,
            at: 0,
            playing: false,
            looping: false,
            speed: 1.0,
            follows: false,
            title: String::new(),
            set_up: false,
            analyse: false,
            said: Vec::new(),
            ending: None,
            called: LocalizedText::default(),
            roster: Roster::default(),
            rested: Duration::ZERO,
        }
    }
}

impl Replay {
    /// The game, if one is open.
    #[must_use]
    pub fn line(&self) -> Option<&Line<AnyPosition>> {
        self.record.as_ref().map(Record::line)
    }

    /// The number of plies of the game.
    #[must_use]
    pub fn line_len(&self) -> usize {
        self.line().map_or(0, Line::len)
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> Option<RuleSet> {
        self.record.as_ref().map(Record::rules)
    }

    /// Whether its game has a result.
    fn is_settled(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.result() != Outcome::Open)
    }

    /// Takes up a record, from its start.
    pub(crate) fn open(
        &mut self,
        record: Record,
        called: impl Into<LocalizedText>,
    ) -> SceneCommand {
        let called = called.into();
        let title = called.text().to_owned();
        let (clock, speed, follows) = (Clock::of(&record), self.speed, self.follows);
        *self =
            Self { record: Some(record), clock, title, called, speed, follows, ..Self::default() };
        self.jump(0)
    }

    /// A table that goes on from the ply shown, with a person at it.
    pub(crate) fn table(&self) -> Option<Table> {
        let whole = Table::from_record(self.record.as_ref()?);
        Some(whole.branch(self.at).taken_over())
    }

    /// What the scene must show for the game being watched.
    pub(crate) fn set_again(&mut self) -> Option<SceneCommand> {
        self.record.is_some().then(|| self.jump(self.at))
    }

    /// What was announced, in the language spoken now.
    pub(crate) fn translate(&mut self) {
        self.called = self.called.again();
        self.called.text().clone_into(&mut self.title);
        self.say_again();
    }

    fn say_again(&mut self) {
        let Some(record) = &self.record else { return };
        let line = record.line();
        self.said = (1..=self.at).flat_map(|number| account(line, number)).collect();
        let outcome = Table::from_record(record).outcome();
        self.ending = outcome.map(|it| outcome_words(record.rules(), it));
        self.said.extend(self.settled());
    }

    /// How the players ended the game, where they did and its end is shown: the
    /// last ply says how it ended by the rules.
    fn settled(&self) -> Option<String> {
        let line = self.line().filter(|line| self.at == line.len())?;
        let by_players = !matches!(line.turn(), Turn::Over(_));
        self.ending.clone().filter(|_| by_players)
    }

    pub(crate) fn jump(&mut self, to: usize) -> SceneCommand {
        self.rested = Duration::ZERO;
        let Some(record) = &self.record else { return SceneCommand::Finish };
        let line = record.line();
        self.at = to.min(line.len());
        self.roster = roster_at(line, self.at);
        let cue = set_cue(record.rules(), &self.roster, line, self.at);
        self.say_again();
        cue
    }

    fn forward(&mut self) -> Option<SceneCommand> {
        self.rested = Duration::ZERO;
        let record = self.record.as_ref()?;
        let line = record.line();
        let before = line.at(self.at)?;
        line.ply(self.at + 1)?;
        self.at += 1;
        let effects = self.roster.follow(before, line.events(self.at));
        let tumble = tumble(record.seed.unwrap_or(0), self.at);
        self.said.extend(account(line, self.at));
        self.said.extend(self.settled());
        Some(SceneCommand::Play { effects, tumble })
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Replay>()
        .add_systems(Update, (watch, go_on, mark, lead).chain().in_set(AppSet::ApplyActions))
        .add_systems(OnExit(Screen::Replay), usual_pace);
}

fn watch(
    mut acts: MessageReader<Action>,
    mut replay: ResMut<Replay>,
    mut pace: ResMut<AnimationSpeed>,
    mut cues: MessageWriter<SceneCommand>,
    screen: Res<State<Screen>>,
    settings: Res<Settings>,
    motion: Res<MotionStatus>,
    mut referee: ResMut<Referee>,
) {
    for act in acts.read() {
        if *screen.get() != Screen::Replay {
            continue;
        }
        match act {
            Action::Replay(ReplayAction::TogglePlay) => {
                let at_end = replay.at >= replay.line_len();
                if !replay.playing && at_end {
                    cues.write(replay.jump(0));
                }
                replay.playing = !replay.playing;
            }
            Action::Replay(ReplayAction::StepForward) => {
                replay.playing = false;
                if motion.is_busy() {
                    cues.write(SceneCommand::Finish);
                }
                cues.write_batch(replay.forward());
            }
            Action::Replay(ReplayAction::StepBack) => {
                replay.playing = false;
                let to = replay.at.saturating_sub(1);
                cues.write(replay.jump(to));
            }
            Action::Replay(ReplayAction::Jump(to)) => {
                replay.playing = false;
                cues.write(replay.jump(*to));
            }
            Action::Replay(ReplayAction::ToggleLoop) => replay.looping = !replay.looping,
            Action::Replay(ReplayAction::ToggleAutoCamera) => {
                replay.follows = !replay.follows;
                referee.tell(Why::of(match (replay.follows, settings.reduced_motion) {
                    (true, true) => "replay.camera-still",
                    (true, false) => "replay.camera-on",
                    (false, _) => "replay.camera-off",
                }));
            }
            Action::Replay(ReplayAction::SetSpeed(speed)) if speed.is_finite() && *speed > 0.0 => {
                replay.speed = *speed;
            }
            _ => {}
        }
    }
    if *screen.get() == Screen::Replay {
        pace.set_if_neq(AnimationSpeed { speed: replay.speed * settings.pace() });
    }
}

/// Goes on by itself, a rest after each ply.
fn go_on(
    mut replay: ResMut<Replay>,
    time: Res<Time>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    mut cues: MessageWriter<SceneCommand>,
) {
    if *screen.get() != Screen::Replay || !replay.playing || motion.is_busy() {
        return;
    }
    let speed = replay.speed;
    replay.rested += time.delta().mul_f32(speed);
    if replay.rested < REST {
        return;
    }
    match replay.forward() {
        Some(cue) => {
            cues.write(cue);
        }
        None if replay.looping && replay.line_len() > 0 => {
            cues.write(replay.jump(0));
        }
        None => replay.playing = false,
    }
}

fn mark(
    replay: Res<Replay>,
    advice: Res<Analysis>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut marks: ResMut<Highlights>,
) {
    let changed =
        replay.is_changed() || screen.is_changed() || advice.is_changed() || motion.is_changed();
    if *screen.get() != Screen::Replay || !changed {
        return;
    }
    let mut new = Highlights::default();
    if let Some(line) = replay.line() {
        new.last = last_squares(line, replay.at);
        if let Some(position) = line.at(replay.at).filter(|_| !motion.is_busy()) {
            let over = replay.at == line.len() && replay.is_settled();
            point_out(&mut new, &advice, position, over);
        }
    }
    marks.set_if_neq(new);
}

/// Says where the camera should turn: to the squares of the last move.
fn lead(
    replay: Res<Replay>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    mut focus: ResMut<CameraFocus>,
) {
    let follows = *screen.get() == Screen::Replay && replay.follows && !settings.reduced_motion;
    let line = replay.line().filter(|_| follows);
    focus.set_if_neq(CameraFocus(line.map_or_else(Vec::new, |line| last_squares(line, replay.at))));
}

fn usual_pace(
    mut pace: ResMut<AnimationSpeed>,
    settings: Res<Settings>,
    mut replay: ResMut<Replay>,
) {
    replay.playing = false;
    pace.set_if_neq(AnimationSpeed { speed: settings.pace() });
}
