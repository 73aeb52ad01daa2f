//! Choosing a file to open or to save to.

#[cfg(not(target_arch = "wasm32"))]
#[path = "native.rs"]
mod place;
#[cfg(target_arch = "wasm32")]
#[path = "web.rs"]
mod place;

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::EguiContexts;

use self::place::Place;
use crate::{
    app::{
        capture::clipboard::{PageAddress, ShownGame},
        core::{
            actions::{Action, GameAction, ReplayAction, UiAction},
            states::{Prompt, Screen},
        },
        editor::Editor,
        game::referee::Referee,
        platform::IS_WEB,
        replay::Replay,
        settings::{ChangeSettings, Settings},
        ui::{
            send,
            state::{Confirm, UiState},
        },
    },
    games::RuleSet,
    i18n::tr,
    table::{saves_folder, today},
};

/// Where files are chosen, and what the answer is for.
#[derive(Resource)]
pub(crate) struct Files {
    place: Place,
    purpose: Purpose,
    /// Where a file was chosen last.
    last: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Save,
    Open,
    Analyse,
    Resume,
    Export,
}

impl Purpose {
    const fn act(self, path: PathBuf) -> Action {
        match self {
            Self::Save => Action::Game(GameAction::Save(path)),
            Self::Open | Self::Analyse => Action::Replay(ReplayAction::Open(path)),
            Self::Resume => Action::Game(GameAction::ResumeFile(path)),
            Self::Export => Action::Ui(UiAction::Export(path)),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Save => tr("files.save"),
            Self::Open => tr("files.open"),
            Self::Analyse => tr("files.analyse"),
            Self::Resume => tr("files.resume"),
            Self::Export => tr("files.export"),
        }
    }
}

impl Default for Files {
    fn default() -> Self {
        Self { place: Place::default(), purpose: Purpose::Open, last: None }
    }
}

impl Files {
    /// Asks where to save a game by `rules`.
    pub(crate) fn save(&mut self, rules: RuleSet) {
        self.ask(Purpose::Save, Some((rules, "tab")));
    }

    /// Asks for a record to watch.
    pub(crate) fn open(&mut self) {
        self.ask(Purpose::Open, None);
    }

    /// Asks for a record to analyse.
    pub(crate) fn analyse(&mut self) {
        self.ask(Purpose::Analyse, None);
    }

    /// Asks for a game to play on with.
    pub(crate) fn resume(&mut self) {
        self.ask(Purpose::Resume, None);
    }

    /// Asks where to write a picture or an animation.
    pub(crate) fn export(&mut self, rules: RuleSet) {
        self.ask(Purpose::Export, Some((rules, "gif")));
    }

    /// Whether something is being chosen over the panels.
    pub(crate) fn is_open(&self) -> bool {
        self.place.is_open()
    }

    fn ask(&mut self, purpose: Purpose, written: Option<(RuleSet, &str)>) {
        // Where one last was; else with the saved games, once there are any;
        // else where the program was started.
        let known = self.last.clone().into_iter().chain(saves_folder());
        let folder = known.into_iter().find(|folder| folder.is_dir());
        let name = written
            .map(|(rules, kind)| free_name(rules, today().as_deref(), folder.as_deref(), kind));
        self.purpose = purpose;
        self.place.ask(purpose, folder, name);
    }
}

/// Shows what is being chosen and hands on what was chosen.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut files: ResMut<'_, Files>,
    mut desk: ResMut<'_, UiState>,
    referee: Res<'_, Referee>,
    settings: Res<'_, Settings>,
    mut acts: MessageWriter<'_, Action>,
    mut changes: MessageWriter<'_, ChangeSettings>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if settings.is_changed() {
        files.last.clone_from(&settings.last_folder);
    }
    let Some(path) = files.bypass_change_detection().place.chosen(context) else { return };
    let mut asked = Vec::new();
    changes.write_batch(remembered(&path, &settings));
    let act = files.purpose.act(path);
    desk.analyse = files.purpose == Purpose::Analyse;
    if files.purpose == Purpose::Resume {
        desk.guard(act, &referee, &mut asked);
    } else {
        asked.push(act);
    }
    send(asked, &mut acts);
}

/// The settings with this file's folder, for the next dialog to begin there;
/// nothing where they know it, or where no text can name it.
fn remembered(path: &Path, settings: &Settings) -> Option<ChangeSettings> {
    let folder = path.parent().filter(|it| it.is_absolute() && it.to_str().is_some());
    let new = folder.filter(|&folder| settings.last_folder.as_deref() != Some(folder));
    let kept =
        |folder: &Path| Settings { last_folder: Some(folder.to_owned()), ..settings.clone() };
    new.map(kept).map(ChangeSettings)
}

/// Asks for a file or for a yes where an act wants it.
pub(crate) fn ask(
    mut files: ResMut<'_, Files>,
    mut desk: ResMut<'_, UiState>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    screen: Res<'_, State<Screen>>,
    mut acts: ParamSet<'_, '_, (MessageReader<'_, '_, Action>, MessageWriter<'_, Action>)>,
) {
    let wanted: Vec<Prompt> = acts
        .p0()
        .read()
        .filter_map(|act| {
            if let Action::Ui(UiAction::Prompt(asking)) = act { Some(*asking) } else { None }
        })
        .collect();
    let (mut asked, screen) = (Vec::new(), *screen.get());
    let table = referee.table.as_ref().filter(|_| screen == Screen::Table);
    for asking in wanted {
        match asking {
            Prompt::Open => files.open(),
            Prompt::Analyse => files.analyse(),
            Prompt::Save => {
                if let Some(table) = table {
                    files.save(table.rules());
                }
            }
            Prompt::Export => {
                let can = screen == Screen::Replay && !IS_WEB;
                if let Some(rules) = replay.rules().filter(|_| can) {
                    files.export(rules);
                }
            }
            Prompt::Resign => {
                if table.is_some_and(|table| table.outcome().is_none()) && !referee.lesson {
                    desk.confirm = Some(Confirm::Resign);
                }
            }
            Prompt::Rematch if table.is_some() && !referee.lesson => {
                desk.guard(Action::Game(GameAction::Rematch), &referee, &mut asked);
            }
            Prompt::PlayOn if screen == Screen::Replay => {
                desk.guard(Action::Replay(ReplayAction::PlayFromHere), &referee, &mut asked);
            }
            Prompt::Rematch | Prompt::PlayOn => {}
        }
    }
    send(asked, &mut acts.p1());
}

/// Copies what is looked at, as text or as a link.
pub(crate) fn copy(
    mut contexts: EguiContexts<'_, '_>,
    mut acts: MessageReader<'_, '_, Action>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    editor: Res<'_, Editor>,
    address: Res<'_, PageAddress>,
    screen: Res<'_, State<Screen>>,
) {
    let screen = *screen.get();
    let sight = ShownGame { screen, referee: &referee, replay: &replay, editor: &editor };
    let Some(text) = acts.read().filter_map(|act| sight.clipboard_text(act, &address)).last()
    else {
        return;
    };
    if let Ok(context) = contexts.ctx_mut() {
        context.copy_text(text);
    }
}

/// A file name for a game of this day that stands for no file in `folder` yet.
fn free_name(rules: RuleSet, date: Option<&str>, folder: Option<&Path>, kind: &str) -> String {
    let mut stem = rules.id().replace('/', "-");
    if let Some(date) = date {
        stem = format!("{stem}-{}", date.replace('.', "-"));
    }
    let taken = |name: &str| folder.is_some_and(|folder| folder.join(name).exists());
    (1_u32..)
        .map(|number| match number {
            1 => format!("{stem}.{kind}"),
            number => format!("{stem}-{number}.{kind}"),
        })
        .find(|name| !taken(name))
        .unwrap_or_else(|| format!("{stem}.{kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_game_never_proposes_another_ones_name() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name =
            || free_name(RuleSet::TablutAshton, Some("2026.11.20"), Some(folder.path()), "tab");
        assert_eq!(name(), "tablut-ashton-2026-11-20.tab");
        std::fs::write(folder.path().join(name()), "")?;
        assert_eq!(name(), "tablut-ashton-2026-11-20-2.tab");
        Ok(())
    }

    #[test]
    fn the_folder_of_a_chosen_file_is_kept_once() {
        let settings = Settings::default();
        let path = Path::new(if cfg!(windows) { "C:\\games\\a.tab" } else { "/games/a.tab" });
        let ChangeSettings(kept) = remembered(path, &settings).expect("kept");
        assert_eq!(kept, Settings { last_folder: path.parent().map(Path::to_owned), ..settings });
        assert_eq!(remembered(path, &kept), None);
        assert_eq!(remembered(Path::new("a.tab"), &kept), None, "a page's file has no folder");
    }

    #[test]
    fn each_purpose_has_its_own_act() {
        let path = PathBuf::from("a.tab");
        assert_eq!(Purpose::Save.act(path.clone()), Action::Game(GameAction::Save(path.clone())));
        assert_eq!(
            Purpose::Open.act(path.clone()),
            Action::Replay(ReplayAction::Open(path.clone()))
        );
        assert_eq!(
            Purpose::Analyse.act(path.clone()),
            Action::Replay(ReplayAction::Open(path.clone()))
        );
        assert_eq!(
            Purpose::Resume.act(path.clone()),
            Action::Game(GameAction::ResumeFile(path.clone()))
        );
        assert_eq!(Purpose::Export.act(path.clone()), Action::Ui(UiAction::Export(path)));
    }
}
