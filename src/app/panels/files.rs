//! Choosing a file to open or to save to.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui_file_dialog::{DialogState, FileDialog};

use super::{
    bar,
    desk::{Confirm, Desk},
    labels::labels,
    send,
};
use crate::{
    app::{
        acts::{Act, Asking},
        editor::Editor,
        export::FRAMES,
        referee::Referee,
        replay::Replay,
        stage::Screen,
    },
    games::RuleSet,
    table::{Table, saves_folder, today},
    words::say,
};

/// The file dialog, and what its answer is for.
#[derive(Resource)]
pub(crate) struct Files {
    dialog: FileDialog,
    purpose: Purpose,
    /// Opened in this frame: the key that did it is not meant for the dialog.
    fresh: bool,
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
            Self::Save => say("files.save"),
            Self::Open => say("files.open"),
            Self::Analyse => say("files.analyse"),
            Self::Resume => say("files.resume"),
            Self::Export => say("files.export"),
        }
    }
}

impl Default for Files {
    fn default() -> Self {
        Self { dialog: FileDialog::new(), purpose: Purpose::Open, fresh: false }
    }
}

impl Files {
    /// Asks where to save a game by `rules`.
    pub(super) fn save(&mut self, rules: RuleSet) {
        // The folder is there once a game has been kept in it; until then the
        // dialog begins where the program was started.
        let folder = saves_folder().filter(|folder| folder.is_dir());
        let name = free_name(rules, today().as_deref(), folder.as_deref(), "tab");
        self.begin(Purpose::Save, folder);
        self.dialog.config_mut().default_file_name = name;
        self.dialog.save_file();
    }

    /// Asks for a record to watch.
    pub(super) fn open(&mut self) {
        self.begin(Purpose::Open, saves_folder().filter(|folder| folder.is_dir()));
        self.dialog.pick_file();
    }

    /// Asks for a record to analyse.
    pub(super) fn analyse(&mut self) {
        self.begin(Purpose::Analyse, saves_folder().filter(|folder| folder.is_dir()));
        self.dialog.pick_file();
    }

    /// Asks for a game to play on with.
    pub(super) fn resume(&mut self) {
        self.begin(Purpose::Resume, saves_folder().filter(|folder| folder.is_dir()));
        self.dialog.pick_file();
    }

    /// Asks where to write a picture or an animation.
    pub(super) fn export(&mut self, rules: RuleSet) {
        let folder = saves_folder().filter(|folder| folder.is_dir());
        let name = free_name(rules, today().as_deref(), folder.as_deref(), "gif");
        self.begin(Purpose::Export, folder);
        self.dialog.config_mut().default_file_name = name;
        self.dialog.save_file();
    }

    /// Whether the dialog is open.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.dialog.state(), DialogState::Open)
    }

    fn begin(&mut self, purpose: Purpose, folder: Option<PathBuf>) {
        let (filter, extensions) = match purpose {
            Purpose::Export => (say("files.pictures"), vec!["gif", "png"]),
            Purpose::Save | Purpose::Open | Purpose::Analyse | Purpose::Resume => {
                (say("files.records"), vec!["tab", "txt"])
            }
        };
        let mut dialog = FileDialog::new()
            .title(purpose.title())
            .id(egui::Id::new("file-dialog"))
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .default_size([760.0, 420.0])
            .labels(labels())
            .add_file_filter_extensions(filter, extensions)
            .default_file_filter(filter);
        if purpose == Purpose::Export {
            let picture = say("files.picture");
            dialog = dialog
                .add_save_extension("GIF", "gif")
                .add_save_extension(picture, "png")
                .add_save_extension(say("files.frames"), FRAMES)
                .default_save_extension("GIF");
        } else {
            let record = say("files.record");
            dialog = dialog.add_save_extension(record, "tab").default_save_extension(record);
        }
        if let Some(folder) = folder {
            dialog = dialog.initial_directory(folder);
        }
        self.dialog = dialog;
        self.purpose = purpose;
        self.fresh = true;
    }
}

/// Shows the dialog while it is open and hands on what was chosen.
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut files: ResMut<'_, Files>,
    mut desk: ResMut<'_, Desk>,
    referee: Res<'_, Referee>,
    mut acts: MessageWriter<'_, Act>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if !files.is_open() {
        return;
    }
    if std::mem::take(&mut files.fresh) {
        return;
    }
    // Where there is little room, only the folder and its files.
    let tight = bar::is_tight(context.content_rect().width());
    let config = files.dialog.config_mut();
    (config.show_left_panel, config.show_search) = (!tight, !tight);
    files.dialog.update(context);
    if let Some(path) = files.dialog.take_picked() {
        let act = files.purpose.act(path);
        desk.analyse = files.purpose == Purpose::Analyse;
        let mut asked = Vec::new();
        if files.purpose == Purpose::Resume {
            desk.guard(act, &referee, &mut asked);
        } else {
            asked.push(act);
        }
        send(asked, &mut acts);
    }
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
                if let Some(rules) = replay.rules().filter(|_| screen == Screen::Replay) {
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

/// Copies the game that is looked at as text.
pub(super) fn copy(
    mut contexts: EguiContexts<'_, '_>,
    mut acts: MessageReader<'_, '_, Act>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    editor: Res<'_, Editor>,
    screen: Res<'_, State<Screen>>,
) {
    if !acts.read().any(|act| *act == Act::Copy) {
        return;
    }
    let Ok(context) = contexts.ctx_mut() else { return };
    if let Some(text) = text(*screen.get(), &referee, &replay, &editor) {
        context.copy_text(text);
    }
}

/// The record of the game that is looked at, or the position that is set up.
fn text(screen: Screen, referee: &Referee, replay: &Replay, editor: &Editor) -> Option<String> {
    match screen {
        Screen::Title => None,
        Screen::Editor => Some(editor.draft.to_string()),
        Screen::Table => {
            referee.table.as_ref().map(|table: &Table| table.record(today()).to_string())
        }
        Screen::Replay => replay.record.as_ref().map(ToString::to_string),
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
    fn each_purpose_has_its_own_act() {
        let path = PathBuf::from("a.tab");
        assert_eq!(Purpose::Save.act(path.clone()), Act::Save(path.clone()));
        assert_eq!(Purpose::Open.act(path.clone()), Act::Open(path.clone()));
        assert_eq!(Purpose::Analyse.act(path.clone()), Act::Open(path.clone()));
        assert_eq!(Purpose::Resume.act(path.clone()), Act::Resume(path.clone()));
        assert_eq!(Purpose::Export.act(path.clone()), Act::Export(path));
    }
}
