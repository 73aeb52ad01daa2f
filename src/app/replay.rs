//! Replaying a recorded game.
//!
//! A replay sends the scene the same commands as the game did. A jump of more
//! than one ply sets the pieces up without animation. Another move played at a
//! position begins a variation; the line that is shown may be one.

mod study;
mod unsaved;

use crate::{
    app::{
        core::{notice::LocalizedText, prelude::*},
        game::{
            autosave::Autosave,
            files::{FileActions, OpenedFile, saved_title},
            record_files::{BigFiles, left_out_notice, read_game, read_games, read_valid_games},
            referee::Referee,
        },
        platform::IS_WEB,
        scene::{
            api::{AnimationSpeed, CameraFocus, MotionStatus, SceneCommand},
            plies::{pieces_at, play_ply_command, set_position_command},
        },
        settings::Settings,
    },
    i18n::language,
    records::{GameResult, NodeId},
    session::{Clock, Outcome, PieceTracker, SaveStore, Selection, last_move_squares},
};

/// Pause between two plies at normal speed.
const PAUSE_BETWEEN_PLIES: Duration = Duration::from_millis(450);

/// The speed of a replay, as a multiple of the normal one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplaySpeed(pub f32);

impl Default for ReplaySpeed {
    fn default() -> Self {
        Self(1.0)
    }
}

/// A record was opened to be analysed.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct OpenedForAnalysis;

/// The game being replayed.
#[derive(Resource, Default)]
pub struct Replay {
    /// The record; none before the first one is opened.
    pub record: Option<Record>,
    /// The players' clocks, if the record has them.
    pub clock: Option<Clock>,
    /// The line that is shown, from the start to its end.
    line: Option<ShownLine>,
    /// The number of its plies that are shown.
    pub ply: usize,
    /// The squares clicked for the next move.
    pub selection: Selection,
    /// The record as it is in its file, or as it was opened.
    saved: Option<Record>,
    /// Rises with each change of the record.
    pub revision: u64,
    /// The records before each change, with the node shown then.
    undo_stack: Vec<(Record, NodeId)>,
    redo_stack: Vec<(Record, NodeId)>,
    /// Whether it plays by itself.
    pub playing: bool,
    /// Whether it starts over at the end.
    pub looping: bool,
    /// How fast it plays.
    pub speed: ReplaySpeed,
    /// Whether the camera follows the moves.
    pub auto_camera: bool,
    /// The title shown: usually the file's name.
    pub title: String,
    /// The file that saving replaces; without one, saving asks for a file.
    pub file: Option<PathBuf>,
    /// The id of its result, if it is one of this user's games.
    pub(crate) game: Option<String>,
    /// Whether it is a position from the editor, opened for analysis.
    pub from_editor: bool,
    /// A sentence on how the game ended, if it did.
    pub ending: Option<String>,
    localized_title: LocalizedText,
    tracker: PieceTracker,
    paused_for: Duration,
}

/// A line of the record: the main line or a variation with what leads to it.
struct ShownLine {
    history: GameHistory<AnyPosition>,
    /// The node after each ply.
    nodes: Vec<NodeId>,
}

/// The game that is played or watched on this screen, and how many of its plies are shown.
pub(crate) fn shown_game<'a>(
    screen: Screen,
    referee: &'a Referee,
    replay: &'a Replay,
) -> Option<(&'a GameHistory<AnyPosition>, usize)> {
    match screen {
        Screen::Title | Screen::Editor => None,
        Screen::Table => Some((referee.table.as_ref()?.history(), referee.shown_ply())),
        Screen::Replay => Some((replay.history()?, replay.ply)),
    }
}

impl Replay {
    /// The line that is shown, if a game is open.
    pub fn history(&self) -> Option<&GameHistory<AnyPosition>> {
        self.line.as_ref().map(|line| &line.history)
    }

    /// The node after `ply` plies of the line that is shown.
    pub fn node_at(&self, ply: usize) -> NodeId {
        let nodes = self.line.as_ref().map_or(&[][..], |line| &line.nodes);
        ply.checked_sub(1).and_then(|index| nodes.get(index)).copied().unwrap_or(NodeId::ROOT)
    }

    /// The node that is shown.
    pub fn node(&self) -> NodeId {
        self.node_at(self.ply)
    }

    /// Whether the main line is shown.
    pub fn is_main_line(&self) -> bool {
        let end = self.node_at(self.ply_count());
        self.record.as_ref().is_some_and(|record| record.is_main(end))
    }

    /// The number of plies of the line that is shown.
    pub fn ply_count(&self) -> usize {
        self.history().map_or(0, GameHistory::len)
    }

    /// The rules of the game.
    pub fn rules(&self) -> Option<RuleSet> {
        self.record.as_ref().map(Record::rules)
    }

    /// Whether the line that is shown has a result.
    pub(crate) fn is_settled(&self) -> bool {
        let has_result = |record: &Record| record.result() != GameResult::Unknown;
        let is_over = |history: &GameHistory<AnyPosition>| history.turn().end().is_some();
        self.is_main_line() && self.record.as_ref().is_some_and(has_result)
            || self.history().is_some_and(is_over)
    }

    /// Opens a record at its start.
    pub(crate) fn open(&mut self, record: Record, title: impl Into<LocalizedText>) -> SceneCommand {
        let localized_title = title.into();
        let title = localized_title.text().to_owned();
        let (clock, speed, auto_camera) =
            (Clock::from_record(&record), self.speed, self.auto_camera);
        let revision = self.revision + 1;
        *self = Self {
            line: Some(ShownLine::through(&record, NodeId::ROOT)),
            saved: Some(record.clone()),
            record: Some(record),
            revision,
            clock,
            title,
            localized_title,
            speed,
            auto_camera,
            ..Self::default()
        };
        self.jump(0)
    }

    /// A game that continues from the ply shown, with a person to play.
    pub(crate) fn table(&self) -> Option<GameSession> {
        let mut record = self.record.clone()?;
        record.make_main(self.node());
        Some(GameSession::from_record(&record).branch(self.ply).with_person())
    }

    /// The scene's setup for the position shown.
    pub(crate) fn scene_setup(&mut self) -> Option<SceneCommand> {
        self.record.is_some().then(|| self.jump(self.ply))
    }

    /// Repeats the title and the ending in the current language.
    pub(crate) fn translate(&mut self) {
        self.localized_title = self.localized_title.relocalized();
        self.localized_title.text().clone_into(&mut self.title);
        self.find_ending();
    }

    /// Says how the line that is shown ends.
    fn find_ending(&mut self) {
        let (Some(record), Some(line)) = (&self.record, &self.line) else { return };
        let of_game = || GameSession::from_record(record).outcome();
        let outcome = match line.history.turn() {
            Turn::Over(end) => Some(Outcome::Ended(end)),
            _ if self.is_main_line() => of_game(),
            _ => None,
        };
        self.ending = outcome.map(|outcome| describe_outcome(record.rules(), outcome));
    }

    /// What ply `number` did in sentences; after the last one also how the players ended the
    /// game, where they did (resignation, agreement, time).
    pub fn describe(&self, number: usize) -> Vec<String> {
        let Some(history) = self.history() else { return Vec::new() };
        let by_players = number == history.len() && !matches!(history.turn(), Turn::Over(_));
        let ending = self.ending.clone().filter(|_| by_players);
        describe_ply(history, number).into_iter().chain(ending).collect()
    }

    /// Shows the position after `to` plies, at most all of them.
    pub(crate) fn jump(&mut self, to: usize) -> SceneCommand {
        self.paused_for = Duration::ZERO;
        self.selection.clear();
        let (Some(record), Some(line)) = (&self.record, &self.line) else {
            return SceneCommand::SkipAnimations;
        };
        let history = &line.history;
        self.ply = to.min(history.len());
        self.tracker = pieces_at(history, self.ply);
        let command = set_position_command(record.rules(), &self.tracker, history, self.ply);
        self.find_ending();
        command
    }

    /// Plays the next ply; none at the end.
    fn forward(&mut self) -> Option<SceneCommand> {
        self.paused_for = Duration::ZERO;
        let record = self.record.as_ref()?;
        let history = &self.line.as_ref()?.history;
        let seed = record.seed.unwrap_or(0);
        let command = play_ply_command(&mut self.tracker, history, self.ply + 1, seed)?;
        self.ply += 1;
        self.selection.clear();
        Some(command)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Replay>()
        .add_message::<OpenedForAnalysis>()
        .add_plugins((study::plugin, unsaved::plugin))
        .add_systems(
            Update,
            (
                apply_actions,
                study::apply_actions,
                autoplay.run_if(in_state(Screen::Replay)),
                update_camera_focus,
                translate,
            )
                .chain()
                .in_set(AppSet::ApplyActions),
        )
        .add_systems(Update, open_files.in_set(AppSet::Files).after(FileActions))
        .add_systems(OnExit(Screen::Replay), restore_speed);
}

/// Opens records, and continues a game from one.
fn open_files(
    mut actions: MessageReader<ReplayAction>,
    (mut big_files, mut next_frame): (Local<BigFiles<ReplayAction>>, ResMut<NextFrame>),
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut opened_file: ResMut<OpenedFile>,
    mut notices: ResMut<Notices>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    mut analysed: MessageWriter<OpenedForAnalysis>,
    (mut next, mut open): (ResMut<NextState<Screen>>, ResMut<OpenDialog>),
    autosave: Res<Autosave>,
) {
    let file: fn(&ReplayAction) -> Option<&Path> = |action| match action {
        ReplayAction::Open { path, .. } | ReplayAction::OpenAt { path, .. } => Some(path),
        _ => None,
    };
    for action in &big_files.due(actions.read(), file, &mut notices, &mut next_frame) {
        match action {
            ReplayAction::Open { path, analyse } => match read_valid_games(path) {
                Ok((records, left_out)) => {
                    notices.clear();
                    let is_whole = records.len() == 1 && left_out.is_empty();
                    told.write_batch(left_out_notice(left_out));
                    *opened_file = OpenedFile::new(path, &records, false);
                    if !opened_file.games.is_empty() {
                        open.0 = Some(Dialog::Games);
                    }
                    let id = own_result_id(path, &records, 1, &autosave);
                    if let Some(first) = records.into_iter().next() {
                        let title = saved_title(path, &first, &autosave);
                        commands.write(replay.open(first, title));
                        replay.game = id;
                        replay.file = is_whole.then(|| replaceable(path, &autosave)).flatten();
                        if *analyse {
                            commands.write(replay.jump(usize::MAX));
                            analysed.write(OpenedForAnalysis);
                        }
                        next.set(Screen::Replay);
                    }
                }
                Err(reason) => notices.set(Notice::new(reason, true)),
            },
            ReplayAction::OpenAt { path, game, ply } => match read_game(path, *game) {
                Ok(record) => {
                    let id = read_games(path)
                        .ok()
                        .and_then(|records| own_result_id(path, &records, *game, &autosave));
                    notices.clear();
                    *opened_file = OpenedFile::default();
                    let title = saved_title(path, &record, &autosave);
                    // Its start is set up first, for the camera and the pieces.
                    commands.write(replay.open(record, title));
                    replay.game = id;
                    commands.write(replay.jump(*ply));
                    next.set(Screen::Replay);
                }
                Err(reason) => notices.set(Notice::new(reason, true)),
            },
            ReplayAction::PickGame(number) if !opened_file.resumes => {
                let Some(record) = opened_file.pick(*number) else { continue };
                commands.write(replay.open(record, opened_file.file_name.clone()));
                next.set(Screen::Replay);
            }
            ReplayAction::WatchGame | ReplayAction::AnalyseGame => {
                // An exercise is no game.
                if let Some(table) = referee.table.as_ref().filter(|_| !referee.is_exercise()) {
                    let title = LocalizedMessage::new("replay.this-game");
                    *opened_file = OpenedFile::default();
                    let path = autosave.path_of(&referee);
                    let game = path.map(|path| table.result_id(path));
                    commands.write(replay.open(table.record(today()), title));
                    replay.game = game;
                    if *action == ReplayAction::AnalyseGame {
                        // At its end, as it stands on the table.
                        commands.write(replay.jump(usize::MAX));
                        analysed.write(OpenedForAnalysis);
                    }
                    next.set(Screen::Replay);
                }
            }
            ReplayAction::PlayFromHere => {
                if let Some(table) = replay.table() {
                    commands.write(referee.set_game(table));
                    next.set(Screen::Table);
                }
            }
            _ => {}
        }
    }
}

/// The file, if saving may replace it: a record of our own format, not a game that the
/// program saves itself. On a page no file can be replaced.
fn replaceable(path: &Path, autosave: &Autosave) -> Option<PathBuf> {
    let is_save = path.parent() == autosave.store().map(SaveStore::folder);
    let is_record = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("tab"));
    (is_record && !is_save && !IS_WEB).then(|| path.to_owned())
}

/// The id of the result of a file's game, by its number from 1, if the file is one of
/// this user's saves.
fn own_result_id(
    path: &Path,
    records: &[Record],
    number: usize,
    autosave: &Autosave,
) -> Option<String> {
    let is_own = path.parent() == autosave.store().map(SaveStore::folder);
    // With the games before it, a game of a match is known as one.
    let session = GameSession::from_records(records.get(..number)?).filter(|_| is_own);
    session.map(|session| session.result_id(path))
}

/// Repeats what was announced when the language changes.
fn translate(mut replay: ResMut<Replay>, mut last_language: Local<Option<Language>>) {
    let current = language();
    if last_language.replace(current).is_some_and(|before| before != current) {
        replay.translate();
    }
}

/// Steps through the record as actions say.
fn apply_actions(
    mut actions: MessageReader<ReplayAction>,
    mut replay: ResMut<Replay>,
    mut speed: ResMut<AnimationSpeed>,
    mut commands: MessageWriter<SceneCommand>,
    screen: Res<State<Screen>>,
    settings: Res<Settings>,
    motion: Res<MotionStatus>,
    mut told: MessageWriter<Notify>,
) {
    if *screen.get() != Screen::Replay {
        actions.clear();
        return;
    }
    for action in actions.read() {
        match action {
            ReplayAction::TogglePlay => {
                let at_end = replay.ply >= replay.ply_count();
                if !replay.playing && at_end {
                    commands.write(replay.jump(0));
                }
                replay.playing = !replay.playing;
            }
            ReplayAction::StepForward => {
                replay.playing = false;
                if motion.is_busy() {
                    commands.write(SceneCommand::SkipAnimations);
                }
                commands.write_batch(replay.forward());
            }
            ReplayAction::StepBack => {
                replay.playing = false;
                let to = replay.ply.saturating_sub(1);
                commands.write(replay.jump(to));
            }
            ReplayAction::Jump(to) => {
                replay.playing = false;
                commands.write(replay.jump(*to));
            }
            ReplayAction::ToggleLoop => replay.looping = !replay.looping,
            ReplayAction::ToggleAutoCamera => {
                replay.auto_camera = !replay.auto_camera;
                told.write(Notify::info(LocalizedMessage::new(
                    match (replay.auto_camera, settings.reduced_motion) {
                        (true, true) => "replay.camera-still",
                        (true, false) => "replay.camera-on",
                        (false, _) => "replay.camera-off",
                    },
                )));
            }
            ReplayAction::SetSpeed(times) if times.is_finite() && *times > 0.0 => {
                replay.speed = ReplaySpeed(*times);
            }
            _ => {}
        }
    }
    let usual = settings.effective_animation_speed();
    speed.set_if_neq(AnimationSpeed(usual.map(|usual| replay.speed.0 * usual)));
}

/// Plays the next ply after a pause, while the replay plays.
fn autoplay(
    mut replay: ResMut<Replay>,
    time: Res<Time<Real>>,
    motion: Res<MotionStatus>,
    focus: Res<UiFocus>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextFrame>,
) {
    // An open menu lies over the board.
    if !replay.playing || motion.is_busy() || focus.pauses {
        return;
    }
    let ReplaySpeed(speed) = replay.speed;
    let paused_for = &mut replay.bypass_change_detection().paused_for;
    *paused_for += time.delta().mul_f32(speed);
    let rest = PAUSE_BETWEEN_PLIES.saturating_sub(*paused_for);
    if !rest.is_zero() {
        let wait = Duration::try_from_secs_f32(rest.as_secs_f32() / speed);
        next.within(wait.unwrap_or(Duration::MAX));
        return;
    }
    match replay.forward() {
        Some(command) => {
            commands.write(command);
        }
        None if replay.looping && replay.ply_count() > 0 => {
            commands.write(replay.jump(0));
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
    let auto_camera =
        *screen.get() == Screen::Replay && replay.auto_camera && !settings.reduced_motion;
    let history = replay.history().filter(|_| auto_camera);
    focus.set_if_neq(CameraFocus(
        history.map_or_else(Vec::new, |history| last_move_squares(history, replay.ply)),
    ));
}

/// Stops the replay and restores the animation speed of the settings.
fn restore_speed(
    mut speed: ResMut<AnimationSpeed>,
    settings: Res<Settings>,
    mut replay: ResMut<Replay>,
) {
    replay.playing = false;
    speed.set_if_neq(AnimationSpeed(settings.effective_animation_speed()));
}
