//! How a person likes the program, kept between runs.
//!
//! A TOML file in the system's folder for settings, written whole or not at
//! all. What a file does not say is as at first; a file that cannot be read is
//! set aside and named.

mod choice;
pub mod key_bindings;
pub mod options;

use std::{
    io,
    path::{Path, PathBuf},
};

use bevy::{
    prelude::*,
    window::{MonitorSelection, PrimaryWindow, WindowMode},
};
use serde::{Deserialize, Serialize};

use self::{
    key_bindings::Keys,
    options::{Means, Palette, Quality, Turning},
};
use crate::{
    app::{
        core::{schedule::AppSet, states::Screen},
        game::referee::Referee,
        scene::api::AnimationSpeed,
    },
    games::GameKind,
    i18n::{Language, LocalizedMessage, set_language},
    table::{lesson_steps, storage, system_language, write_atomic},
};

pub use self::choice::Choice;
pub use crate::table::settings_path;

/// The step that each lesson was left at, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Places {
    tablut: usize,
    tablan: usize,
    tablaaza: usize,
}

impl Places {
    /// Where the lesson of this game was left; no further than its last step.
    #[must_use]
    pub fn of(&self, game: GameKind) -> usize {
        let place = match game {
            GameKind::Tablut => self.tablut,
            GameKind::Tablan => self.tablan,
            GameKind::Tablaaza => self.tablaaza,
        };
        place.min(lesson_steps(game).len().saturating_sub(1))
    }

    /// The lesson of this game has come to this step.
    pub const fn put(&mut self, game: GameKind, step: usize) {
        *match game {
            GameKind::Tablut => &mut self.tablut,
            GameKind::Tablan => &mut self.tablan,
            GameKind::Tablaaza => &mut self.tablaaza,
        } = step;
    }
}

/// Replaces the settings; what is out of range is put in range.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct ChangeSettings(pub Settings);

/// How a person likes the program.
#[derive(Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The language; none is the system's, where it is spoken here.
    pub language: Option<Language>,
    /// The size of text and buttons, in percent.
    pub text_size: u16,
    /// The colours of the table.
    pub palette: Palette,
    /// Times the usual speed of animations.
    pub speed: f32,
    /// Whether nothing is animated.
    pub reduced_motion: bool,
    /// Whether letters and numbers stand at the board's edge.
    pub coordinates: bool,
    /// What moves pieces.
    pub moves: Means,
    /// Whether each move is asked about before it is played.
    pub confirm: bool,
    /// Whether the window fills the screen.
    pub full_screen: bool,
    /// How loud sounds are, in percent; 0 for none.
    pub volume: u16,
    /// How fine the picture is; none is what suits the graphics card.
    pub picture: Option<Quality>,
    /// The keys, where they are not the usual ones.
    #[serde(skip_serializing_if = "Keys::are_usual")]
    pub keys: Keys,
    /// Whether the table turns between two people.
    pub turning: Turning,
    /// The folder of the file that was opened or written last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The game that was chosen last.
    pub choice: Choice,
    /// How far each lesson has been gone through.
    pub lessons: Places,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            text_size: 100,
            palette: Palette::Wood,
            speed: 1.0,
            reduced_motion: storage::less_motion(),
            coordinates: true,
            moves: Means::Both,
            confirm: false,
            full_screen: false,
            volume: 70,
            picture: None,
            keys: Keys::default(),
            turning: Turning::Never,
            folder: None,
            choice: Choice::default(),
            lessons: Places::default(),
        }
    }
}

/// The sizes of text one can choose, in percent.
pub const TEXT_SIZES: [u16; 6] = [75, 90, 100, 125, 150, 200];
/// The speeds one can choose.
pub const SPEEDS: [f32; 4] = [0.5, 1.0, 1.5, 3.0];
/// The volumes one can choose, in percent.
pub const VOLUMES: [u16; 4] = [0, 35, 70, 100];
/// At this speed nothing is animated at all.
const AT_ONCE: f32 = 1_000.0;

impl Settings {
    /// The pace of animations.
    #[must_use]
    pub fn pace(&self) -> f32 {
        if self.reduced_motion { AT_ONCE } else { self.speed }
    }

    /// The language to speak.
    #[must_use]
    pub fn spoken(&self) -> Language {
        self.language.or_else(system_language).unwrap_or_default()
    }

    /// What a file may say but the program cannot do is put right.
    fn sound(mut self) -> Self {
        let [least, .., most] = TEXT_SIZES;
        self.text_size = self.text_size.clamp(least, most);
        self.volume = self.volume.min(100);
        self.keys = self.keys.sound();
        self.speed = if self.speed.is_finite() { self.speed.clamp(0.25, 8.0) } else { 1.0 };
        self
    }

    /// The settings that a text says. What it does not say is as at first,
    /// and what the program cannot do is put right.
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
    /// It is no text of settings; why.
    pub fn parse(text: &str) -> Result<Self, String> {
        let settings = toml::from_str::<Self>(text).map(Self::sound);
        settings.map_err(|error| error.message().to_owned())
    }

    /// What is right in a file that says something wrong.
    fn salvage(path: &Path) -> Self {
        let text = storage::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let mut said: toml::Table = text.and_then(|it| it.parse().ok()).unwrap_or_default();
        said.retain(|key, value| {
            let alone = toml::Table::from_iter([(key.to_owned(), value.clone())]);
            Self::parse(&alone.to_string()).is_ok()
        });
        Self::parse(&said.to_string()).unwrap_or_default()
    }

    /// Reads the settings.
    ///
    /// # Errors
    /// The file is there and is not a settings file; why.
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

/// The file of the settings; none keeps them nowhere (tests, pictures).
#[derive(Resource, Debug, Default)]
pub(crate) struct SettingsFile {
    pub(crate) path: Option<PathBuf>,
    written: Settings,
}

/// Reads the settings of this person. A damaged file is set aside, and what is
/// right in it counts; the word about it comes with them.
pub(crate) fn load(path: &Path) -> (Settings, SettingsFile, Option<LocalizedMessage>) {
    let kept =
        |written: &Settings| SettingsFile { path: Some(path.to_owned()), written: written.clone() };
    match Settings::read(path) {
        Ok(settings) => {
            let file = kept(&settings);
            (settings, file, None)
        }
        Err(reason) => {
            let settings = Settings::salvage(path);
            match crate::table::set_aside(path) {
                Ok(aside) => {
                    let aside = aside.display().to_string();
                    let word = LocalizedMessage::new("notice.settings-damaged");
                    let word = word.with("reason", reason).with("aside", aside);
                    // What is right is no longer in its place: it is written anew.
                    let file = kept(&Settings::default());
                    (settings, file, Some(word))
                }
                Err(_) => {
                    let word =
                        LocalizedMessage::new("notice.settings-unkept").with("reason", reason);
                    (settings, SettingsFile::default(), Some(word))
                }
            }
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<ChangeSettings>()
        .init_resource::<Settings>()
        .init_resource::<SettingsFile>()
        .add_systems(Update, configure.in_set(AppSet::ApplyActions))
        .add_systems(
            Update,
            (keep, (quicken, fill_screen).run_if(resource_exists_and_changed::<Settings>))
                .chain()
                .in_set(AppSet::Report),
        );
}

fn configure(mut changes: MessageReader<ChangeSettings>, mut settings: ResMut<Settings>) {
    for ChangeSettings(wanted) in changes.read() {
        let wanted = wanted.clone().sound();
        if wanted.language != settings.language {
            set_language(wanted.spoken());
        }
        settings.set_if_neq(wanted);
    }
}

/// Writes the settings when they have changed.
fn keep(settings: Res<Settings>, mut file: ResMut<SettingsFile>, mut referee: ResMut<Referee>) {
    if file.written == *settings {
        return;
    }
    file.written = settings.clone();
    let Some(path) = file.path.clone() else { return };
    let written = toml::to_string(&*settings).map_err(io::Error::other).and_then(|text| {
        path.parent().map_or(Ok(()), storage::create_dir_all)?;
        write_atomic(&path, text)
    });
    if let Err(error) = written {
        let reason = format!("{}: {error}", path.display());
        referee
            .notify_error(LocalizedMessage::new("notice.settings-unkept").with("reason", reason));
    }
}

/// A replay has a speed of its own besides.
fn quicken(settings: Res<Settings>, screen: Res<State<Screen>>, mut pace: ResMut<AnimationSpeed>) {
    if *screen.get() != Screen::Replay {
        pace.set_if_neq(AnimationSpeed { speed: settings.pace() });
    }
}

fn fill_screen(settings: Res<Settings>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
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
    fn settings_read_back_and_a_damaged_file_is_set_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.toml");
        let (first, _, word) = load(&path);
        assert_eq!((first, word), (Settings::default(), None));

        let mine = Settings {
            language: Some(Language::Italian),
            text_size: 170,
            palette: Palette::BlueOrange,
            moves: Means::Drag,
            volume: 0,
            picture: Some(Quality::Light),
            folder: Some(folder.path().to_owned()),
            choice: Choice { rules: crate::games::RuleSet::Tablaaza, ..Choice::default() },
            lessons: Places { tablan: 4, ..Places::default() },
            ..Settings::default()
        };
        fs::write(&path, toml::to_string(&mine).expect("a text")).expect("written");
        assert_eq!(Settings::read(&path), Ok(mine.clone()));

        fs::write(&path, "text-size = 900\nspeed = nan\nvolume = 300\nunknown = 1\n")
            .expect("written");
        let sound = Settings::read(&path).expect("read");
        assert_eq!((sound.text_size, sound.speed, sound.volume), (200, 1.0, 100));

        let damaged = "text-size = \"large\"\nvolume = 35\nlanguage = \"it\"\n";
        fs::write(&path, damaged).expect("written");
        let (settings, file, word) = load(&path);
        let right = Settings { volume: 35, ..Settings::default() };
        assert_eq!((&settings, file.path.as_deref()), (&right, Some(path.as_path())));
        assert!(word.is_some_and(|word| word.localized().contains("damaged-1")));
        let aside = folder.path().join("settings-damaged-1.txt");
        assert_eq!(fs::read_to_string(aside).expect("kept"), damaged);
        let mut app = App::new();
        app.insert_resource(settings.clone()).insert_resource(file).init_resource::<Referee>();
        app.add_systems(Update, keep).update();
        assert_eq!(Settings::read(&path), Ok(settings), "what was right is there the next time");
        fs::write(&path, "volume = 35\nno settings").expect("written");
        assert_eq!(load(&path).0, Settings::default());
    }
}
