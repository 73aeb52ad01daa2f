//! Replaying a recorded game.
//!
//! A replay sends the scene the same commands as the game did. A jump of more
//! than one ply sets the pieces up without animation.

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
    games::{AnyPosition, Line, RuleSet, Turn},
    records::{Outcome, Record},
    table::{Clock, Roster, Table, account, outcome_words, today},
    words::{Language, Why, language},
};

/// Pause between two plies at normal speed.
const PAUSE_BETWEEN_PLIES: Duration = Duration::from_millis(450);

/// The game being replayed.
#[derive(Resource)]
pub struct Replay {
    /// The record; none before the first one is opened.
    pub record: Option<Record>,
    /// The players' clocks, if the record has them.
    pub clock: Option<Clock>,
    /// The number of plies shown.
    pub at: usize,
    /// Whether it plays by itself.
    pub playing: bool,
    /// Whether it starts over at the end.
    pub looping: bool,
    /// Speed, as a multiple of the normal one.
    pub speed: f32,
    /// Whether the camera follows the moves.
    pub follows: bool,
    /// The title shown: usually the file's name.
    pub title: String,
    /// Whether it is a position from the editor, opened for analysis.
    pub set_up: bool,
    /// Whether the analysis starts as soon as it is opened; then this is unset.
    pub(crate) analyse: bool,
    /// A log of the game in words up to here, newest line last.
    pub said: Vec<String>,
    /// A sentence on how the game ended, if it did.
    pub ending: Option<String>,
    localized_title: LocalizedText,
    roster: Roster,
    paused_for: Duration,
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
            localized_title: LocalizedText::default(),
            roster: Roster::default(),
            paused_for: Duration::ZERO,
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

    /// Whether the record has a result.
    pub(crate) fn is_settled(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.result() != Outcome::Open)
    }

    /// Opens a record at its start.
    pub(crate) fn open(&mut self, record: Record, title: impl Into<LocalizedText>) -> SceneCommand {
        let localized_title = title.into();
        let title = localized_title.text().to_owned();
        let (clock, speed, follows) = (Clock::of(&record), self.speed, self.follows);
        *self = Self {
            record: Some(record),
            clock,
            title,
            localized_title,
            speed,
            follows,
            ..Self::default()
        };
        self.jump(0)
    }

    /// A game that continues from the ply shown, with a person to play.
    pub(crate) fn table(&self) -> Option<Table> {
        let whole = Table::from_record(self.record.as_ref()?);
        Some(whole.branch(self.at).taken_over())
    }

    /// The scene's setup for the position shown.
    pub(crate) fn scene_setup(&mut self) -> Option<SceneCommand> {
        self.record.is_some().then(|| self.jump(self.at))
    }

    /// Repeats title and log in the current language.
    pub(crate) fn translate(&mut self) {
        self.localized_title = self.localized_title.again();
        self.localized_title.text().clone_into(&mut self.title);
        self.rebuild_log();
    }

    fn rebuild_log(&mut self) {
        let Some(record) = &self.record else { return };
        let line = record.line();
        self.said = (1..=self.at).flat_map(|number| account(line, number)).collect();
        let outcome = Table::from_record(record).outcome();
        self.ending = outcome.map(|it| outcome_words(record.rules(), it));
        self.said.extend(self.ending_by_players());
    }

    /// How the players ended the game, if its last ply is shown and they did
    /// (resignation, agreement, time): an end by the rules is in the log already.
    fn ending_by_players(&self) -> Option<String> {
        let line = self.line().filter(|line| self.at == line.len())?;
        let by_players = !matches!(line.turn(), Turn::Over(_));
        self.ending.clone().filter(|_| by_players)
    }

    pub(crate) fn jump(&mut self, to: usize) -> SceneCommand {
        self.paused_for = Duration::ZERO;
        let Some(record) = &self.record else { return SceneCommand::Finish };
        let line = record.line();
        self.at = to.min(line.len());
        self.roster = roster_at(line, self.at);
        let cue = set_cue(record.rules(), &self.roster, line, self.at);
        self.rebuild_log();
        cue
    }

    fn forward(&mut self) -> Option<SceneCommand> {
        self.paused_for = Duration::ZERO;
        let record = self.record.as_ref()?;
        let line = record.line();
        let before = line.at(self.at)?;
        line.ply(self.at + 1)?;
        self.at += 1;
        let effects = self.roster.follow(before, line.events(self.at));
        let tumble = tumble(record.seed.unwrap_or(0), self.at);
        self.said.extend(account(line, self.at));
        self.said.extend(self.ending_by_players());
        Some(SceneCommand::Play { effects, tumble })
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Replay>()
        .add_systems(
            Update,
            (apply_actions, play_on, update_camera_focus, translate)
                .chain()
                .in_set(AppSet::ApplyActions),
        )
        .add_systems(Update, open_files.in_set(AppSet::Files).after(FileActions))
        .add_systems(OnExit(Screen::Replay), restore_speed);
}

/// Opens records, and continues a game from one.
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
            ReplayAction::Open { path, analyse } => match read_games(path) {
                Ok(records) => {
                    referee.notice = None;
                    *opened = OpenedFile::of(path, &records, false);
                    if let Some(first) = records.into_iter().next() {
                        let title = saved_title(path, &first, &autosave);
                        commands.write(replay.open(first, title));
                        replay.analyse = *analyse;
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
                    let title = Why::of("replay.this-game");
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

/// Steps through the record as actions say.
fn apply_actions(
    mut actions: MessageReader<Action>,
    mut replay: ResMut<Replay>,
    mut speed: ResMut<AnimationSpeed>,
    mut commands: MessageWriter<SceneCommand>,
    screen: Res<State<Screen>>,
    settings: Res<Settings>,
    motion: Res<MotionStatus>,
    mut referee: ResMut<Referee>,
) {
    if *screen.get() != Screen::Replay {
        actions.clear();
        return;
    }
    for action in actions.read() {
        let Action::Replay(action) = action else { continue };
        match action {
            ReplayAction::TogglePlay => {
                let at_end = replay.at >= replay.line_len();
                if !replay.playing && at_end {
                    commands.write(replay.jump(0));
                }
                replay.playing = !replay.playing;
            }
            ReplayAction::StepForward => {
                replay.playing = false;
                if motion.is_busy() {
                    commands.write(SceneCommand::Finish);
                }
                commands.write_batch(replay.forward());
            }
            ReplayAction::StepBack => {
                replay.playing = false;
                let to = replay.at.saturating_sub(1);
                commands.write(replay.jump(to));
            }
            ReplayAction::Jump(to) => {
                replay.playing = false;
                commands.write(replay.jump(*to));
            }
            ReplayAction::ToggleLoop => replay.looping = !replay.looping,
            ReplayAction::ToggleAutoCamera => {
                replay.follows = !replay.follows;
                referee.tell(Why::of(match (replay.follows, settings.reduced_motion) {
                    (true, true) => "replay.camera-still",
                    (true, false) => "replay.camera-on",
                    (false, _) => "replay.camera-off",
                }));
            }
            ReplayAction::SetSpeed(times) if times.is_finite() && *times > 0.0 => {
                replay.speed = *times;
            }
            _ => {}
        }
    }
    speed.set_if_neq(AnimationSpeed { speed: replay.speed * settings.pace() });
}

/// Plays by itself, with a pause after each ply.
fn play_on(
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
    replay.paused_for += time.delta().mul_f32(speed);
    if replay.paused_for < PAUSE_BETWEEN_PLIES {
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

/// Points the camera at the squares of the last move.
fn update_camera_focus(
    replay: Res<Replay>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    mut focus: ResMut<CameraFocus>,
) {
    let follows = *screen.get() == Screen::Replay && replay.follows && !settings.reduced_motion;
    let line = replay.line().filter(|_| follows);
    focus.set_if_neq(CameraFocus(line.map_or_else(Vec::new, |line| last_squares(line, replay.at))));
}

fn restore_speed(
    mut pace: ResMut<AnimationSpeed>,
    settings: Res<Settings>,
    mut replay: ResMut<Replay>,
) {
    replay.playing = false;
    pace.set_if_neq(AnimationSpeed { speed: settings.pace() });
}
