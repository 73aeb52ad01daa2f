//! Choosing a file to open or to save to.

use std::{
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui_file_dialog::{DialogState, FileDialog};

use super::send;
use crate::{app::acts::Act, games::RuleSet};

const RECORDS: &str = "Records (.tab, .txt)";
const RECORD: &str = "Record (.tab)";

/// The file dialog, and what its answer is for.
#[derive(Resource)]
pub(super) struct Files {
    dialog: FileDialog,
    purpose: Purpose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Save,
    Open,
    Resume,
}

impl Purpose {
    const fn act(self, path: PathBuf) -> Act {
        match self {
            Self::Save => Act::Save(path),
            Self::Open => Act::Open(path),
            Self::Resume => Act::Resume(path),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Save => "Save the game",
            Self::Open => "Open a record to watch",
            Self::Resume => "Resume a saved game",
        }
    }
}

impl Default for Files {
    fn default() -> Self {
        Self { dialog: FileDialog::new(), purpose: Purpose::Open }
    }
}

impl Files {
    /// Asks where to save a game by `rules`.
    pub(super) fn save(&mut self, rules: RuleSet) {
        let folder = folder();
        if let Some(folder) = &folder {
            // A folder that cannot be made is no reason not to save elsewhere:
            // the dialog then begins where the program was started.
            if let Err(error) = std::fs::create_dir_all(folder) {
                warn!("no folder for saved games at {}: {error}", folder.display());
            }
        }
        let folder = folder.filter(|folder| folder.is_dir());
        let name = free_name(rules, today(), folder.as_deref());
        self.begin(Purpose::Save, folder);
        self.dialog.config_mut().default_file_name = name;
        self.dialog.save_file();
    }

    /// Asks for a record to watch.
    pub(super) fn open(&mut self) {
        self.begin(Purpose::Open, folder().filter(|folder| folder.is_dir()));
        self.dialog.pick_file();
    }

    /// Asks for a game to play on with.
    pub(super) fn resume(&mut self) {
        self.begin(Purpose::Resume, folder().filter(|folder| folder.is_dir()));
        self.dialog.pick_file();
    }

    /// Whether the dialog is open.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.dialog.state(), DialogState::Open)
    }

    fn begin(&mut self, purpose: Purpose, folder: Option<PathBuf>) {
        let mut dialog = FileDialog::new()
            .title(purpose.title())
            .id(egui::Id::new("file-dialog"))
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .default_size([660.0, 380.0])
            .add_file_filter_extensions(RECORDS, vec!["tab", "txt"])
            .default_file_filter(RECORDS)
            .add_save_extension(RECORD, "tab")
            .default_save_extension(RECORD);
        if let Some(folder) = folder {
            dialog = dialog.initial_directory(folder);
        }
        self.dialog = dialog;
        self.purpose = purpose;
    }
}

/// Shows the dialog while it is open and hands on what was chosen.
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut files: ResMut<'_, Files>,
    mut acts: MessageWriter<'_, Act>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if !files.is_open() {
        return;
    }
    files.dialog.update(context);
    if let Some(path) = files.dialog.take_picked() {
        let act = files.purpose.act(path);
        send(vec![act], &mut acts);
    }
}

/// Where saved games belong on this system.
fn folder() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "tabulae")?.data_dir().join("games"))
}

/// A file name for a game of this day that stands for no file in `folder` yet.
fn free_name(rules: RuleSet, (year, month, day): (i64, u32, u32), folder: Option<&Path>) -> String {
    let stem = format!("{}-{year:04}-{month:02}-{day:02}", rules.id().replace('/', "-"));
    let taken = |name: &str| folder.is_some_and(|folder| folder.join(name).exists());
    (1_u32..)
        .map(|number| match number {
            1 => format!("{stem}.tab"),
            number => format!("{stem}-{number}.tab"),
        })
        .find(|name| !taken(name))
        .unwrap_or_else(|| format!("{stem}.tab"))
}

/// The day by the system's clock (UTC): year, month and day.
fn today() -> (i64, u32, u32) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// The date that lies `days` after 1 January 1970.
///
/// Counted in eras of 400 years that begin on 1 March, so that the leap day is
/// the last of its year.
fn date(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, u32::try_from(month).unwrap_or(1), u32::try_from(day).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_777), (2026, 11, 20));
        assert_eq!(date(-1), (1969, 12, 31));
    }

    #[test]
    fn a_saved_game_never_proposes_another_ones_name() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name = || free_name(RuleSet::TablutAshton, (2026, 11, 20), Some(folder.path()));
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
        assert_eq!(Purpose::Resume.act(path.clone()), Act::Resume(path));
    }
}
