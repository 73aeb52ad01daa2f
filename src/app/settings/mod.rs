//! The player's settings, saved between runs.
//!
//! A TOML file in the system's folder for settings. It is replaced at once, but only
//! what this run has changed differs: another run may have written the rest. A key
//! that is missing in the file has its default; a file that cannot be read is
//! set aside and named in a notice.

mod engines;
pub mod key_bindings;
mod new_game;
pub mod options;

use std::io;

use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};
use serde::{Deserialize, Serialize};

use self::{
    key_bindings::KeyBindings,
    options::{BoardFlip, MoveInput, Palette, Quality, Room, TutorMode},
};
use crate::{
    app::core::prelude::*,
    i18n::set_language,
    session::{lesson_steps, storage, system_language, write_atomic},
};

pub use self::{engines::Engines, new_game::NewGameChoice};
pub use crate::session::settings_path;

/// Something of each game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
struct PerGame<T> {
    tablut: T,
    tablan: T,
    tablaaza: T,
}

impl<T> PerGame<T> {
    const fn of(&mut self, game: GameKind) -> &mut T {
        match game {
            GameKind::Tablut => &mut self.tablut,
            GameKind::Tablan => &mut self.tablan,
            GameKind::Tablaaza => &mut self.tablaaza,
        }
    }
}

/// The last step shown of each lesson, from 0, which steps are done, and for which games the
/// offer of a lesson was taken or declined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct LessonProgress {
    #[serde(flatten)]
    steps: PerGame<usize>,
    #[serde(skip_serializing_if = "is_default")]
    answered: PerGame<bool>,
    /// A bit for each step.
    #[serde(skip_serializing_if = "is_default")]
    done: PerGame<u32>,
}

impl LessonProgress {
    /// The last step shown of this game's lesson, at most its last one.
    pub fn step(mut self, game: GameKind) -> usize {
        (*self.steps.of(game)).min(lesson_steps(game).len().saturating_sub(1))
    }

    /// Sets the step of this game's lesson.
    pub const fn set_step(&mut self, game: GameKind, step: usize) {
        *self.steps.of(game) = step;
    }

    /// Whether a step of this game's lesson is done.
    pub fn is_done(mut self, game: GameKind, step: usize) -> bool {
        *self.done.of(game) & Self::bit(step) != 0
    }

    /// Remembers that a step of this game's lesson is done.
    pub fn set_done(&mut self, game: GameKind, step: usize) {
        *self.done.of(game) |= Self::bit(step);
    }

    /// The bit of a step. A lesson has less than 32.
    fn bit(step: usize) -> u32 {
        u32::try_from(step).ok().and_then(|step| 1_u32.checked_shl(step)).unwrap_or(0)
    }

    /// Whether this game's lesson was begun, or the player does not want it.
    pub fn is_answered(mut self, game: GameKind) -> bool {
        *self.answered.of(game) || self.step(game) > 0
    }

    /// Remembers that this game's lesson was begun, or is not wanted.
    pub const fn answer(&mut self, game: GameKind) {
        *self.answered.of(game) = true;
    }
}

/// The player's settings.
#[derive(Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The language; none is the system's, or English.
    pub language: Option<Language>,
    /// The size of text and buttons, in percent.
    pub text_size: u16,
    /// The colours of the board and the pieces.
    pub palette: Palette,
    /// The room round the table.
    #[serde(skip_serializing_if = "is_default")]
    pub room: Room,
    /// The speed of animations, as a factor.
    #[serde(rename = "speed")]
    pub animation_speed: f32,
    /// Whether animations are off.
    pub reduced_motion: bool,
    /// Whether letters and numbers stand at the board's edge.
    pub coordinates: bool,
    /// Whether the board is drawn as a flat diagram.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub diagram: bool,
    /// Whether the diagram is on white paper.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub paper: bool,
    /// How pieces are moved.
    #[serde(rename = "moves")]
    pub move_input: MoveInput,
    /// Whether each move must be confirmed.
    #[serde(rename = "confirm")]
    pub confirm_moves: bool,
    /// Whether the sticks of a person are thrown without a click.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub automatic_throws: bool,
    /// Whether the window fills the screen.
    pub full_screen: bool,
    /// The volume of all sounds, in percent; 0 is off.
    pub volume: u16,
    /// The volume of the pieces and the announcements, in percent of that.
    #[serde(skip_serializing_if = "is_full")]
    pub pieces_volume: u16,
    /// The volume of the sticks, in the same way.
    #[serde(skip_serializing_if = "is_full")]
    pub sticks_volume: u16,
    /// The volume of the room, in the same way. It was once `true` or `false`.
    #[serde(skip_serializing_if = "is_full", deserialize_with = "percent_or_switch")]
    pub room_tone: u16,
    /// The quality of the graphics; none chooses by the graphics card.
    #[serde(rename = "picture")]
    pub quality: Option<Quality>,
    /// The key bindings that differ from the default.
    #[serde(rename = "keys", skip_serializing_if = "KeyBindings::is_default")]
    pub key_bindings: KeyBindings,
    /// Whether the board is flipped between two people.
    #[serde(rename = "turning")]
    pub board_flip: BoardFlip,
    /// Whether the tutor judges the moves.
    #[serde(skip_serializing_if = "TutorMode::is_off")]
    pub tutor: TutorMode,
    /// Whether the player is told, every few minutes, in which online games it is his turn.
    #[serde(skip_serializing_if = "is_on")]
    pub notify_turns: bool,
    /// The address of the last server of online games; empty for none.
    #[serde(rename = "server", skip_serializing_if = "String::is_empty")]
    pub online_server: String,
    /// The folder of the last file opened or saved.
    #[serde(rename = "folder", skip_serializing_if = "Option::is_none")]
    pub last_folder: Option<PathBuf>,
    /// The last choice on the title screen.
    #[serde(rename = "choice")]
    pub new_game: NewGameChoice,
    /// The progress of each lesson.
    pub lessons: LessonProgress,
}

impl Settings {
    /// The default settings, but with what is no preference: the key bindings, which have
    /// a reset of their own, the progress of the lessons, and the last choices.
    #[must_use]
    pub fn with_defaults(&self) -> Self {
        let kept = self.clone();
        Self {
            key_bindings: kept.key_bindings,
            lessons: kept.lessons,
            online_server: kept.online_server,
            last_folder: kept.last_folder,
            new_game: kept.new_game,
            ..Self::default()
        }
    }
}

/// Whether a setting is the default one, which older files do not tell.
fn is_default<T: Default + PartialEq>(setting: &T) -> bool {
    *setting == T::default()
}

/// Whether a setting that is on by default is on.
const fn is_on(setting: &bool) -> bool {
    *setting
}

/// Whether a volume is the default one.
const fn is_full(percent: &u16) -> bool {
    *percent == 100
}

/// Reads a volume, or a switch that is all or nothing.
fn percent_or_switch<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Volume {
        Percent(u16),
        Switch(bool),
    }
    Ok(match Volume::deserialize(from)? {
        Volume::Percent(percent) => percent,
        Volume::Switch(is_on) => 100 * u16::from(is_on),
    })
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            text_size: 100,
            palette: Palette::Wood,
            room: Room::default(),
            animation_speed: 1.0,
            reduced_motion: storage::prefers_reduced_motion(),
            coordinates: true,
            diagram: false,
            paper: false,
            move_input: MoveInput::Both,
            confirm_moves: false,
            automatic_throws: false,
            full_screen: false,
            volume: 70,
            pieces_volume: 100,
            sticks_volume: 100,
            room_tone: 100,
            quality: None,
            key_bindings: KeyBindings::default(),
            board_flip: BoardFlip::Never,
            tutor: TutorMode::Off,
            notify_turns: true,
            online_server: String::new(),
            last_folder: None,
            new_game: NewGameChoice::default(),
            lessons: LessonProgress::default(),
        }
    }
}

/// The text sizes offered, in percent.
pub const TEXT_SIZES: [u16; 6] = [75, 90, 100, 125, 150, 200];
/// The animation speeds offered.
pub const SPEEDS: [f32; 4] = [0.5, 1.0, 1.5, 3.0];

impl Settings {
    /// The speed of animations, as a factor; none with reduced motion: the scene skips them.
    pub fn effective_animation_speed(&self) -> Option<f32> {
        (!self.reduced_motion).then_some(self.animation_speed)
    }

    /// The language of the interface: the one chosen, the system's, or English.
    pub fn effective_language(&self) -> Language {
        self.language.or_else(system_language).unwrap_or_default()
    }

    /// Clamps values that are out of range, and drops unknown keys.
    fn sanitized(mut self) -> Self {
        let [smallest, .., largest] = TEXT_SIZES;
        self.text_size = self.text_size.clamp(smallest, largest);
        let volumes = [
            &mut self.volume,
            &mut self.pieces_volume,
            &mut self.sticks_volume,
            &mut self.room_tone,
        ];
        for volume in volumes {
            *volume = (*volume).min(100);
        }
        self.key_bindings = self.key_bindings.sanitized();
        let speed = self.animation_speed;
        self.animation_speed = if speed.is_finite() { speed.clamp(0.25, 8.0) } else { 1.0 };
        self
    }

    /// Parses the text of a settings file. Missing keys get their defaults;
    /// values out of range are clamped.
    ///
    /// ```
    /// use tabulae::app::settings::Settings;
    ///
    /// let large = Settings::parse("text-size = 900")?;
    /// assert_eq!(large, Settings { text_size: 200, ..Settings::default() });
    /// assert!(Settings::parse("text-size = large").is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// The reason why it is no text of settings.
    pub fn parse(text: &str) -> Result<Self, String> {
        let settings = toml::from_str::<Self>(text).map(Self::sanitized);
        settings.map_err(|error| error.message().to_owned())
    }

    /// The valid entries of a file that also has invalid ones.
    fn salvage(path: &Path) -> Self {
        let text = storage::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let mut entries: toml::Table = text.and_then(|text| text.parse().ok()).unwrap_or_default();
        entries.retain(|key, value| {
            let alone = toml::Table::from_iter([(key.to_owned(), value.clone())]);
            Self::parse(&alone.to_string()).is_ok()
        });
        Self::parse(&entries.to_string()).unwrap_or_default()
    }

    /// Reads a settings file; a missing one has the defaults.
    ///
    /// # Errors
    /// The file exists and cannot be read; the reason, with the file's name.
    fn read(path: &Path) -> Result<Self, String> {
        let read = storage::read(path);
        match read.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other)) {
            Ok(text) => {
                Self::parse(&text).map_err(|reason| format!("{}: {reason}", path.display()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }
}

/// Where the settings are saved; without a path they are not (tests, exports).
#[derive(Resource, Debug, Default)]
pub(crate) struct SettingsFile {
    pub(crate) path: Option<PathBuf>,
    /// The settings when the file was written last, or that was tried.
    attempted: Settings,
    /// The settings when it was read or written last: what differs from them has still to
    /// be written.
    written: Settings,
}

/// Reads the settings. A damaged file is set aside and its valid entries are
/// used; the message says so.
pub(crate) fn load(path: &Path) -> (Settings, SettingsFile, Option<LocalizedMessage>) {
    let file = |written: &Settings| SettingsFile {
        path: Some(path.to_owned()),
        attempted: written.clone(),
        written: written.clone(),
    };
    match Settings::read(path) {
        Ok(settings) => {
            let file = file(&settings);
            (settings, file, None)
        }
        Err(reason) => {
            let settings = Settings::salvage(path);
            match crate::session::set_aside(path) {
                Ok(aside) => {
                    let message = LocalizedMessage::new("notice.settings-damaged")
                        .with("reason", reason)
                        .with("aside", aside.display());
                    // The file is gone from its place: the first frame saves a new one.
                    (settings, file(&Settings::default()), Some(message))
                }
                Err(_) => {
                    let message =
                        LocalizedMessage::new("notice.settings-unkept").with("reason", reason);
                    (settings, SettingsFile::default(), Some(message))
                }
            }
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Settings>()
        .init_resource::<SettingsFile>()
        .init_resource::<Engines>()
        .add_systems(Update, follow_language.in_set(AppSet::ApplyActions))
        .add_systems(
            Update,
            (save, set_window_mode.run_if(resource_exists_and_changed::<Settings>))
                .in_set(AppSet::Report),
        );
}

/// Speaks another language once it has been chosen.
fn follow_language(settings: Res<Settings>, mut spoken: Local<Option<Option<Language>>>) {
    let before = spoken.replace(settings.language);
    if before.is_some_and(|before| before != settings.language) {
        set_language(settings.effective_language());
    }
}

/// The text of the settings file with what has changed since `before`. Everything else
/// stays as it is there: another running copy of the program may have written it.
fn text_with_changes(path: &Path, before: &Settings, settings: &Settings) -> io::Result<String> {
    let table = |settings: &Settings| toml::Table::try_from(settings).map_err(io::Error::other);
    let [before, wanted] = [table(before)?, table(settings)?];
    let bytes = storage::read_if_there(path)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let written: Option<toml::Table> =
        text.filter(|text| Settings::parse(text).is_ok()).and_then(|text| text.parse().ok());
    let merged = match written {
        Some(mut written) => {
            if let Some(toml::Value::Table(keys)) = written.get_mut("keys") {
                *keys = key_bindings::with_current_ids(std::mem::take(keys)).collect();
            }
            apply_differences(&mut written, &before, &wanted);
            written
        }
        None => wanted,
    };
    Ok(merged.to_string())
}

/// Applies to `table` what differs between `before` and `wanted`. A table that is left out
/// is an empty one.
fn apply_differences(table: &mut toml::Table, before: &toml::Table, wanted: &toml::Table) {
    let empty = toml::Table::new();
    for key in before.keys().chain(wanted.keys().filter(|key| !before.contains_key(*key))) {
        let (old, new) = (before.get(key), wanted.get(key));
        if old == new {
            continue;
        }
        let as_table = |value: Option<&toml::Value>| match value {
            Some(value) => value.as_table().cloned(),
            None => Some(empty.clone()),
        };
        if let Some(toml::Value::Table(inner)) = table.get_mut(key)
            && let (Some(old), Some(new)) = (as_table(old), as_table(new))
        {
            apply_differences(inner, &old, &new);
        } else if let Some(new) = new {
            table.insert(key.clone(), new.clone());
        } else {
            table.remove(key);
        }
    }
}

/// Writes the settings file after a change.
fn save(
    settings: Res<Settings>,
    mut file: ResMut<SettingsFile>,
    mut notices: MessageWriter<Notify>,
) {
    if file.attempted == *settings {
        return;
    }
    file.attempted = settings.clone();
    let Some(path) = file.path.clone() else { return };
    let written = text_with_changes(&path, &file.written, &settings).and_then(|text| {
        path.parent().map_or(Ok(()), storage::create_dir_all)?;
        write_atomic(&path, text)
    });
    if written.is_ok() {
        file.written = settings.clone();
    }
    if let Err(error) = written {
        let reason = format!("{}: {error}", path.display());
        notices.write(Notify::error(
            LocalizedMessage::new("notice.settings-unkept").with("reason", reason),
        ));
    }
}

fn set_window_mode(settings: Res<Settings>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    let wanted = if settings.full_screen {
        WindowMode::BorderlessFullscreen(MonitorSelection::Current)
    } else {
        WindowMode::Windowed
    };
    for mut window in &mut windows {
        if window.mode != wanted {
            window.mode = wanted;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_defaults_leave_keys_progress_and_last_choices_as_they_are() {
        let bound = Settings::parse("[keys]\nundo = [\"J\"]").expect("settings");
        assert!(!bound.key_bindings.is_default());
        let mut changed = Settings {
            volume: 0,
            online_server: "https://play.example".to_owned(),
            last_folder: Some("/games".into()),
            new_game: NewGameChoice { rules: RuleSet::Tablan, ..NewGameChoice::default() },
            ..bound
        };
        changed.lessons.set_step(GameKind::Tablan, 2);
        let restored = changed.with_defaults();
        assert_eq!(restored.volume, Settings::default().volume);
        assert_eq!(Settings { volume: 0, ..restored }, changed);
    }

    #[test]
    fn the_sound_of_the_room_was_once_a_switch() {
        let room = |text: &str| Settings::parse(text).map(|settings| settings.room_tone);
        assert_eq!(room("room-tone = false"), Ok(0));
        assert_eq!(room("room-tone = true"), Ok(100));
        assert_eq!(room("room-tone = 35"), Ok(35));
        assert_eq!(room("room-tone = 900"), Ok(100));
        assert!(room("room-tone = \"loud\"").is_err());
    }

    #[test]
    fn what_another_copy_has_written_stays_in_the_file() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("settings.toml");
        let start = Settings::default();
        assert_eq!(Settings::parse(&text_with_changes(&path, &start, &start)?), Ok(start.clone()));
        let mut other = start.clone();
        other.lessons.set_step(GameKind::Tablut, 3);
        other.diagram = true;
        fs::write(&path, text_with_changes(&path, &start, &other)?)?;
        let mut ours = Settings { volume: 35, ..start.clone() };
        ours.lessons.set_step(GameKind::Tablan, 2);
        let text = text_with_changes(&path, &start, &ours)?;
        let mut both = Settings { volume: 35, ..other.clone() };
        both.lessons.set_step(GameKind::Tablan, 2);
        assert_eq!(Settings::parse(&text), Ok(both));
        fs::write(&path, text)?;
        let reset =
            text_with_changes(&path, &other, &Settings { diagram: false, ..other.clone() })?;
        assert!(!Settings::parse(&reset).is_ok_and(|settings| settings.diagram), "{reset}");
        Ok(())
    }

    #[test]
    fn key_bindings_of_two_copies_are_merged() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("settings.toml");
        let bound = |keys: &str| {
            let text = format!("[keys]\n{keys}\n");
            Settings::parse(&text).map_err(io::Error::other)
        };
        let (start, both) = (Settings::default(), "undo = [\"J\"]\nfaster = [\"Shift+=\"]");
        fs::write(&path, text_with_changes(&path, &start, &bound("undo = [\"J\"]")?)?)?;
        let ours = bound("faster = [\"Shift+=\"]")?;
        let merged = text_with_changes(&path, &start, &ours)?;
        assert_eq!(Settings::parse(&merged), Ok(bound(both)?));
        // Our key gets its default back; theirs stays.
        fs::write(&path, merged)?;
        let reset = text_with_changes(&path, &ours, &start)?;
        assert_eq!(Settings::parse(&reset), Ok(bound("undo = [\"J\"]")?));
        Ok(())
    }

    #[test]
    fn a_key_written_under_an_old_name_can_be_reset() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("settings.toml");
        fs::write(&path, "[keys]\nhurry = [\"J\"]\n")?;
        let start = Settings::read(&path).map_err(|_| io::Error::other("unread"))?;
        let reset = Settings { key_bindings: KeyBindings::default(), ..start.clone() };
        let text = text_with_changes(&path, &start, &reset)?;
        assert!(
            Settings::parse(&text).is_ok_and(|settings| settings.key_bindings.is_default()),
            "{text}"
        );
        Ok(())
    }

    #[test]
    fn a_change_that_could_not_be_written_is_written_with_the_next_one() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("settings.toml");
        fs::create_dir(&path)?;
        let file = SettingsFile { path: Some(path.clone()), ..SettingsFile::default() };
        let mut app = App::new();
        app.add_message::<Notify>()
            .init_resource::<Settings>()
            .insert_resource(file)
            .add_systems(Update, save);
        app.world_mut().resource_mut::<Settings>().volume = 35;
        app.update();
        fs::remove_dir(&path)?;
        app.world_mut().resource_mut::<Settings>().text_size = 150;
        app.update();
        let both = Settings { volume: 35, text_size: 150, ..Settings::default() };
        assert_eq!(Settings::read(&path), Ok(both));
        Ok(())
    }

    /// A file as version 1.0 has written it: the keys stay.
    const OLD_FILE: &str = r#"
language = "italian"
text-size = 125
palette = "blue-orange"
speed = 1.5
reduced-motion = false
coordinates = false
moves = "drag"
confirm = true
full-screen = true
volume = 35
picture = "best"
turning = "ask"
folder = "/home/ann/games"

[keys]
undo = ["J", "Ctrl+Z"]
faster = ["Shift+="]

[choice]
rules = "tablan/ordered"
seats = ["person", "master"]
by-hand = true
first = "north"
clock = "600+5"

[lessons]
tablut = 0
tablan = 4
tablaaza = 0
"#;

    #[test]
    fn an_old_settings_file_keeps_its_meaning() {
        let settings = Settings::parse(OLD_FILE).expect("settings");
        let chords = |id: &str| {
            let chords = settings.key_bindings.chords(crate::app::commands::Command::named(id));
            chords.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(chords("undo"), ["J", "Ctrl+Z"]);
        assert_eq!(chords("faster"), ["Shift+="]);
        let expected = Settings {
            language: Some(Language::Italian),
            text_size: 125,
            palette: Palette::BlueOrange,
            room: Room::Study,
            animation_speed: 1.5,
            reduced_motion: false,
            coordinates: false,
            diagram: false,
            paper: false,
            move_input: MoveInput::Drag,
            confirm_moves: true,
            automatic_throws: false,
            full_screen: true,
            volume: 35,
            pieces_volume: 100,
            sticks_volume: 100,
            room_tone: 100,
            quality: Some(Quality::High),
            key_bindings: settings.key_bindings.clone(),
            board_flip: BoardFlip::Ask,
            tutor: TutorMode::Off,
            notify_turns: true,
            online_server: String::new(),
            last_folder: Some("/home/ann/games".into()),
            new_game: NewGameChoice {
                rules: RuleSet::TablanOrdered,
                seats: [Seat::Person, Seat::Engine(crate::engines::Level::Master)],
                has_chosen_side: false,
                names: [String::new(), String::new()],
                level: crate::engines::Level::Casual,
                adaptive: false,
                by_hand: true,
                throws_for_start: false,
                first: Some(Side::Second),
                clock: "600+5".parse().ok(),
                games: 1,
            },
            lessons: LessonProgress {
                steps: PerGame { tablan: 4, ..PerGame::default() },
                ..LessonProgress::default()
            },
        };
        assert_eq!(settings, expected);
        let written: toml::Table =
            toml::to_string(&settings).expect("a text").parse().expect("a table");
        // The levels of quality have new names; everything else is written as it was.
        let renamed = OLD_FILE.replace("picture = \"best\"", "picture = \"high\"");
        let expected: toml::Table = renamed.parse().expect("a table");
        assert_eq!(written, expected, "the same keys are written");
    }

    #[test]
    fn settings_read_back_and_a_damaged_file_is_set_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.toml");
        let (first, _, message) = load(&path);
        assert_eq!((first, message), (Settings::default(), None));

        let mine = Settings {
            language: Some(Language::Italian),
            text_size: 170,
            diagram: true,
            palette: Palette::BlueOrange,
            room: Room::Cabin,
            move_input: MoveInput::Drag,
            volume: 0,
            room_tone: 0,
            quality: Some(Quality::Low),
            tutor: TutorMode::BeforeMove,
            notify_turns: false,
            last_folder: Some(folder.path().to_owned()),
            new_game: NewGameChoice { rules: RuleSet::Tablaaza, ..NewGameChoice::default() },
            lessons: LessonProgress {
                steps: PerGame { tablan: 4, ..PerGame::default() },
                ..LessonProgress::default()
            },
            ..Settings::default()
        };
        fs::write(&path, toml::to_string(&mine).expect("a text")).expect("written");
        assert_eq!(Settings::read(&path), Ok(mine.clone()));

        // Earlier versions had several sets of pieces.
        let old = "text-size = 900\nspeed = nan\nvolume = 300\nunknown = 1\n\n\
            [sets]\ntablut = \"carved\"\n";
        fs::write(&path, old).expect("written");
        let clamped = Settings::read(&path).expect("read");
        assert_eq!((clamped.text_size, clamped.animation_speed, clamped.volume), (200, 1.0, 100));

        let damaged = "text-size = \"large\"\nvolume = 35\nlanguage = \"it\"\n";
        fs::write(&path, damaged).expect("written");
        let (settings, file, message) = load(&path);
        let valid = Settings { volume: 35, ..Settings::default() };
        assert_eq!((&settings, file.path.as_deref()), (&valid, Some(path.as_path())));
        assert!(message.is_some_and(|message| message.localized().contains("damaged-1")));
        let aside = folder.path().join("settings-damaged-1.txt");
        assert_eq!(fs::read_to_string(aside).expect("kept"), damaged);
        let mut app = App::new();
        app.insert_resource(settings.clone()).insert_resource(file).add_message::<Notify>();
        app.add_systems(Update, save).update();
        assert_eq!(Settings::read(&path), Ok(settings), "the valid entries are saved");
        fs::write(&path, "volume = 35\nno settings").expect("written");
        assert_eq!(load(&path).0, Settings::default());
    }
}
