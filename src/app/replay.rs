//! Watching a game again.
//!
//! A replay sends the scene the very same cues as the game did; a jump of more
//! than one ply sets the pieces without playing them.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::{
        core::{
            actions::{Action, ReplayAction},
            notice::LocalizedText,
            schedule::AppSet,
            states::Screen,
        },
        game::referee::{Autosave, FileActions, OpenedFile, Referee, read_games, saved_title},
        scene::{
            api::{AnimationSpeed, CameraFocus, MotionStatus, SceneCommand},
            plies::{last_squares, roster_at, set_cue, tumble},
        },
        settings::Settings,
    },
    games::{AnyPosition, GameHistory, RuleSet, Turn},
    i18n::{Language, LocalizedMessage, language},
    records::{GameResult, Record},
    table::{Clock, GameSession, PieceTracker, describe_outcome, describe_ply, today},
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
    /// What was announced up to here, newest last.
    pub said: Vec<String>,
    /// How the game ended, in a sentence, where that is known.
    pub ending: Option<String>,
    called: LocalizedText,
    roster: PieceTracker,
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
            said: Vec::new(),
            ending: None,
            called: LocalizedText::default(),
            roster: PieceTracker::default(),
            rested: Duration::ZERO,
        }
    }
}

impl Replay {
    /// The game, if one is open.
    #[must_use]
    pub fn history(&self) -> Option<&GameHistory<AnyPosition>> {
        self.record.as_ref().map(Record::history)
    }

    /// The number of plies of the game.
    #[must_use]
    pub fn line_len(&self) -> usize {
        self.history().map_or(0, GameHistory::len)
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> Option<RuleSet> {
        self.record.as_ref().map(Record::rules)
    }

    /// Whether its game has a result.
    pub(crate) fn is_settled(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.result() != GameResult::Unknown)
    }

    /// Takes up a record, from its start.
    pub(crate) fn open(
        &mut self,
        record: Record,
        called: impl Into<LocalizedText>,
    ) -> SceneCommand {
        let called = called.into();
        let title = called.text().to_owned();
        let (clock, speed, follows) = (Clock::from_record(&record), self.speed, self.follows);
        *self =
            Self { record: Some(record), clock, title, called, speed, follows, ..Self::default() };
        self.jump(0)
    }

    /// A table that goes on from the ply shown, with a person at it.
    pub(crate) fn table(&self) -> Option<GameSession> {
        let whole = GameSession::from_record(self.record.as_ref()?);
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
        let line = record.history();
        self.said = (1..=self.at).flat_map(|number| describe_ply(line, number)).collect();
        let outcome = GameSession::from_record(record).outcome();
        self.ending = outcome.map(|it| describe_outcome(record.rules(), it));
        self.said.extend(self.settled());
    }

    /// How the players ended the game, where they did and its end is shown: the
    /// last ply says how it ended by the rules.
    fn settled(&self) -> Option<String> {
        let line = self.history().filter(|line| self.at == line.len())?;
        let by_players = !matches!(line.turn(), Turn::Over(_));
        self.ending.clone().filter(|_| by_players)
    }

    pub(crate) fn jump(&mut self, to: usize) -> SceneCommand {
        self.rested = Duration::ZERO;
        let Some(record) = &self.record else { return SceneCommand::Finish };
        let line = record.history();
        self.at = to.min(line.len());
        self.roster = roster_at(line, self.at);
        let cue = set_cue(record.rules(), &self.roster, line, self.at);
        self.say_again();
        cue
    }

    fn forward(&mut self) -> Option<SceneCommand> {
        self.rested = Duration::ZERO;
        let record = self.record.as_ref()?;
        let line = record.history();
        let before = line.at(self.at)?;
        line.ply(self.at + 1)?;
        self.at += 1;
        let effects = self.roster.follow(before, line.events(self.at));
        let tumble = tumble(record.seed.unwrap_or(0), self.at);
        self.said.extend(describe_ply(line, self.at));
        self.said.extend(self.settled());
        Some(SceneCommand::Play { effects, tumble })
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Replay>()
        .add_systems(Update, (watch, go_on, lead, translate).chain().in_set(AppSet::ApplyActions))
        .add_systems(Update, open_files.in_set(AppSet::Files).after(FileActions))
        .add_systems(OnExit(Screen::Replay), usual_pace);
}

/// Opens what is to be watched, and goes on playing from it.
fn open_files(
    mut actions: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut opened: ResMut<OpenedFile>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
    autosave: Res<Autosave>,
) {
    for action in actions.read() {
        let Action::Replay(action) = action else { continue };
        match action {
            ReplayAction::Open(path) => match read_games(path) {
                Ok(records) => {
                    referee.notice = None;
                    *opened = OpenedFile::of(path, &records, false);
                    if let Some(first) = records.into_iter().next() {
                        let title = saved_title(path, &first, &autosave);
                        commands.write(replay.open(first, title));
                        next.set(Screen::Replay);
                    }
                }
                Err(reason) => referee.notify_error(reason),
            },
            ReplayAction::PickGame(number) if !opened.plays => {
                let Some(record) = opened.pick(*number) else { continue };
                commands.write(replay.open(record, opened.file.clone()));
                next.set(Screen::Replay);
            }
            ReplayAction::WatchGame => {
                if let Some(table) = &referee.table {
                    let title = LocalizedMessage::new("replay.this-game");
                    *opened = OpenedFile::default();
                    commands.write(replay.open(table.record(today()), title));
                    next.set(Screen::Replay);
                }
            }
            ReplayAction::PlayFromHere => {
                if let Some(table) = replay.table() {
                    commands.write(referee.seat(table));
                    next.set(Screen::Table);
                }
            }
            _ => {}
        }
    }
}

/// Repeats what was announced when the language changes.
fn translate(mut replay: ResMut<Replay>, mut spoken: Local<Option<Language>>) {
    let now = language();
    if spoken.replace(now).is_some_and(|before| before != now) {
        replay.translate();
    }
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
                referee.tell(LocalizedMessage::new(
                    match (replay.follows, settings.reduced_motion) {
                        (true, true) => "replay.camera-still",
                        (true, false) => "replay.camera-on",
                        (false, _) => "replay.camera-off",
                    },
                ));
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

/// Says where the camera should turn: to the squares of the last move.
fn lead(
    replay: Res<Replay>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    mut focus: ResMut<CameraFocus>,
) {
    let follows = *screen.get() == Screen::Replay && replay.follows && !settings.reduced_motion;
    let line = replay.history().filter(|_| follows);
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
