//! Choosing a file to open or to save to.

#[cfg(not(target_arch = "wasm32"))]
#[path = "files/dialog.rs"]
mod place;
#[cfg(target_arch = "wasm32")]
#[path = "files/page.rs"]
mod place;

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::EguiContexts;

use self::place::Place;
use super::{
    desk::{Confirm, Desk},
    send,
};
use crate::{
    app::{
        ON_A_PAGE,
        acts::{Act, Asking},
        copying::{Address, Sight},
        editor::Editor,
        referee::Referee,
        replay::Replay,
        settings::Settings,
        stage::Screen,
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
    const fn act(self, path: PathBuf) -> Act {
        match self {
            Self::Save => Act::Save(path),
            Self::Open | Self::Analyse => Act::Open(path),
            Self::Resume => Act::Resume(path),
            Self::Export => Act::Export(path),
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
    pub(super) fn save(&mut self, rules: RuleSet) {
        self.ask(Purpose::Save, Some((rules, "tab")));
    }

    /// Asks for a record to watch.
    pub(super) fn open(&mut self) {
        self.ask(Purpose::Open, None);
    }

    /// Asks for a record to analyse.
    pub(super) fn analyse(&mut self) {
        self.ask(Purpose::Analyse, None);
    }

    /// Asks for a game to play on with.
    pub(super) fn resume(&mut self) {
        self.ask(Purpose::Resume, None);
    }

    /// Asks where to write a picture or an animation.
    pub(super) fn export(&mut self, rules: RuleSet) {
        self.ask(Purpose::Export, Some((rules, "gif")));
    }

    /// Whether something is being chosen over the panels.
    pub(super) fn is_open(&self) -> bool {
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
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut files: ResMut<'_, Files>,
    mut desk: ResMut<'_, Desk>,
    referee: Res<'_, Referee>,
    settings: Res<'_, Settings>,
    mut acts: MessageWriter<'_, Act>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if settings.is_changed() {
        files.last.clone_from(&settings.folder);
    }
    let Some(path) = files.bypass_change_detection().place.chosen(context) else { return };
    let mut asked = remembered(&path, &settings);
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
fn remembered(path: &Path, settings: &Settings) -> Vec<Act> {
    let folder = path.parent().filter(|it| it.is_absolute() && it.to_str().is_some());
    let new = folder.filter(|&folder| settings.folder.as_deref() != Some(folder));
    let kept = |folder: &Path| Settings { folder: Some(folder.to_owned()), ..settings.clone() };
    new.map(kept).map(Act::Configure).into_iter().collect()
}

/// Asks for a file or for a yes where an act wants it.
pub(super) fn ask(
    mut files: ResMut<'_, Files>,
    mut desk: ResMut<'_, Desk>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    screen: Res<'_, State<Screen>>,
    mut acts: ParamSet<'_, '_, (MessageReader<'_, '_, Act>, MessageWriter<'_, Act>)>,
) {
    let wanted: Vec<Asking> = acts
        .p0()
        .read()
        .filter_map(|act| if let Act::Ask(asking) = act { Some(*asking) } else { None })
        .collect();
    let (mut asked, screen) = (Vec::new(), *screen.get());
    let table = referee.table.as_ref().filter(|_| screen == Screen::Table);
    for asking in wanted {
        match asking {
            Asking::Open => files.open(),
            Asking::Analyse => files.analyse(),
            Asking::Save => {
                if let Some(table) = table {
                    files.save(table.rules());
                }
            }
            Asking::Export => {
                let can = screen == Screen::Replay && !ON_A_PAGE;
                if let Some(rules) = replay.rules().filter(|_| can) {
                    files.export(rules);
                }
            }
            Asking::Resign => {
                if table.is_some_and(|table| table.outcome().is_none()) && !referee.lesson {
                    desk.confirm = Some(Confirm::Resign);
                }
            }
            Asking::Rematch if table.is_some() && !referee.lesson => {
                desk.guard(Act::Rematch, &referee, &mut asked);
            }
            Asking::PlayOn if screen == Screen::Replay => {
                desk.guard(Act::PlayOn, &referee, &mut asked);
            }
            Asking::Rematch | Asking::PlayOn => {}
        }
    }
    send(asked, &mut acts.p1());
}

/// Copies what is looked at, as text or as a link.
pub(super) fn copy(
    mut contexts: EguiContexts<'_, '_>,
    mut acts: MessageReader<'_, '_, Act>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    editor: Res<'_, Editor>,
    address: Res<'_, Address>,
    screen: Res<'_, State<Screen>>,
) {
    let screen = *screen.get();
    let sight = Sight { screen, referee: &referee, replay: &replay, editor: &editor };
    let Some(text) = acts.read().filter_map(|act| sight.copied(act, &address)).last() else {
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
        let Some(Act::Configure(kept)) = remembered(path, &settings).pop() else {
            panic!("nothing is kept")
        };
        assert_eq!(kept, Settings { folder: path.parent().map(Path::to_owned), ..settings });
        assert_eq!(remembered(path, &kept), []);
        assert_eq!(remembered(Path::new("a.tab"), &kept), [], "a page's file has no folder");
    }

    #[test]
    fn each_purpose_has_its_own_act() {
        let path = PathBuf::from("a.tab");
        assert_eq!(Purpose::Save.act(path.clone()), Act::Save(path.clone()));
        assert_eq!(Purpose::Open.act(path.clone()), Act::Open(path.clone()));
        assert_eq!(Purpose::Analyse.act(path.clone()), Act::Open(path.clone()));
        assert_eq!(Purpose::Resume.act(path.clone()), Act::Resume(path.clone()));
        assert_eq!(Purpose::Export.act(path.clone()), Act::Export(path));
    }
}
