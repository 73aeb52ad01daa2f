//! Choosing a file to open or to save to.

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
use self::native::FilePicker;
#[cfg(target_arch = "wasm32")]
use self::web::FilePicker;
use super::confirmation::Confirmation;
use crate::{
    app::{
        core::{actions::ExportOptions, states::Prompt},
        ui::prelude::*,
    },
    session::saves_folder,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FileChooser>().add_systems(
        EguiPrimaryContextPass,
        (choose_on_prompt.in_set(UiSet::Prompts), show.in_set(UiSet::FileChooser)),
    );
}

/// The choice of a file, and what the file is for.
#[derive(Resource)]
pub(crate) struct FileChooser {
    picker: FilePicker,
    purpose: Purpose,
    /// What waits for the file to be saved, if anything.
    after_saving: Option<AfterSaving>,
    /// The same, once the file has been chosen. It is done a frame later, when the file
    /// has been written.
    ready: Option<AfterSaving>,
    /// The file that needs no choice.
    chosen: Option<PathBuf>,
    /// Where a file was chosen last.
    last_folder: Option<PathBuf>,
}

/// An action that waits for a file to be saved, since it would lose what the file holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AfterSaving {
    /// It takes the game off the table.
    LeaveGame(Action),
    /// It leaves the replay.
    LeaveReplay(Vec<Action>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Save,
    SaveReplay,
    Open,
    Analyse,
    Resume,
    Export(ExportOptions),
    /// A picture of photo mode with so many pixels on its long side.
    Photo(u32),
}

impl Purpose {
    /// What is done with the file that was chosen.
    fn action(self, path: PathBuf) -> Action {
        match self {
            Self::Save => GameAction::Save(path).into(),
            Self::SaveReplay => ReplayAction::Save(path).into(),
            Self::Open => ReplayAction::open(path).into(),
            Self::Analyse => ReplayAction::Open { path, analyse: true }.into(),
            Self::Resume => GameAction::ResumeFile(path).into(),
            Self::Export(options) => UiAction::Export { path, options }.into(),
            Self::Photo(pixels) => UiAction::SavePhoto { path, pixels }.into(),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn title(self) -> &'static str {
        match self {
            Self::Save | Self::SaveReplay => tr("files.save"),
            Self::Open => tr("files.open"),
            Self::Analyse => tr("files.analyse"),
            Self::Resume => tr("files.resume"),
            Self::Export(_) => tr("files.export"),
            Self::Photo(_) => tr("files.photo"),
        }
    }
}

impl Default for FileChooser {
    fn default() -> Self {
        Self {
            picker: FilePicker::default(),
            purpose: Purpose::Open,
            after_saving: None,
            ready: None,
            chosen: None,
            last_folder: None,
        }
    }
}

impl FileChooser {
    /// Asks where to save the game on the table, which is by `rules`.
    pub(crate) fn save(&mut self, rules: RuleSet) {
        self.ask(Purpose::Save, Some((rules, "tab")));
    }

    /// Saves the replay to its file; without one, asks where to.
    pub(crate) fn save_replay(&mut self, replay: &Replay) {
        if replay.file.is_none() {
            self.save_replay_as(replay);
            return;
        }
        self.purpose = Purpose::SaveReplay;
        self.after_saving = None;
        self.chosen.clone_from(&replay.file);
    }

    /// Asks where to save the replay.
    fn save_replay_as(&mut self, replay: &Replay) {
        if let Some(rules) = replay.rules() {
            self.ask(Purpose::SaveReplay, Some((rules, "tab")));
        }
    }

    /// Does this once the file that is being chosen is saved.
    pub(crate) fn after_saving(&mut self, action: AfterSaving) {
        self.after_saving = Some(action);
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
    pub(crate) fn export(&mut self, rules: RuleSet, options: ExportOptions) {
        self.ask(Purpose::Export(options), Some((rules, options.form.extension())));
    }

    /// Asks where to save the picture of photo mode.
    pub(crate) fn photo(&mut self, rules: RuleSet, pixels: u32) {
        self.ask(Purpose::Photo(pixels), Some((rules, "png")));
    }

    /// Takes the file that was chosen; returns what is done with it.
    pub(crate) fn choose(&mut self, path: PathBuf) -> Action {
        self.ready = self.after_saving.take();
        self.purpose.action(path)
    }

    /// What is exported to the file that is being chosen.
    #[cfg(test)]
    pub(crate) fn export_options(&self) -> Option<ExportOptions> {
        match self.purpose {
            Purpose::Export(options) if self.is_open() => Some(options),
            _ => None,
        }
    }

    /// Whether a file is being chosen over the panels.
    pub(crate) fn is_open(&self) -> bool {
        self.picker.is_open()
    }

    /// `written` holds the rules and the extension of a file to be written.
    fn ask(&mut self, purpose: Purpose, written: Option<(RuleSet, &str)>) {
        // The last folder; else that of the saved games, once there are any;
        // else the working directory.
        let known = self.last_folder.clone().into_iter().chain(saves_folder());
        let folder = known.into_iter().find(|folder| folder.is_dir());
        let name = written.map(|(rules, extension)| {
            free_name(rules, today().as_deref(), folder.as_deref(), extension)
        });
        self.purpose = purpose;
        self.after_saving = None;
        self.picker.open(purpose, folder, name);
    }
}

/// Shows the choice, and requests what the chosen file is for.
fn show(
    mut contexts: EguiContexts,
    mut files: ResMut<FileChooser>,
    mut confirmation: ResMut<Confirmation>,
    (referee, autosave): (Res<Referee>, Res<Autosave>),
    mut settings: ResMut<Settings>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if files.last_folder != settings.last_folder {
        files.last_folder.clone_from(&settings.last_folder);
    }
    let mut requested = Vec::new();
    // If the file could not be saved, either asks again.
    match files.bypass_change_detection().ready.take() {
        Some(AfterSaving::LeaveGame(action)) => {
            confirmation.guard(action, &referee, &autosave, &mut requested);
        }
        Some(AfterSaving::LeaveReplay(actions)) => requested.extend(actions),
        None => {}
    }
    let picked = files.bypass_change_detection();
    if let Some(path) = picked.chosen.take().or_else(|| picked.picker.show(context)) {
        remember_folder(
            &path,
            settings.reborrow().map_unchanged(|settings| &mut settings.last_folder),
        );
        let action = files.choose(path);
        if files.purpose == Purpose::Resume {
            confirmation.guard(action, &referee, &autosave, &mut requested);
        } else {
            requested.push(action);
        }
        if files.ready.is_some() {
            context.request_repaint();
        }
    }
    actions.write_batch(requested);
}

/// Remembers this file's folder, for the next choice to begin there; not where it is no
/// absolute path in UTF-8.
fn remember_folder(path: &Path, mut last: Mut<Option<PathBuf>>) {
    let folder = path.parent().filter(|folder| folder.is_absolute() && folder.to_str().is_some());
    if let Some(folder) = folder {
        last.set_if_neq(Some(folder.to_owned()));
    }
}

/// Opens the choice of a file where an action wants one.
fn choose_on_prompt(
    mut actions: MessageReader<Action>,
    mut files: ResMut<FileChooser>,
    mut open: ResMut<OpenDialog>,
    (referee, replay): (Res<Referee>, Res<Replay>),
    screen: Res<State<Screen>>,
) {
    for action in actions.read() {
        let Action::Ui(UiAction::Prompt(prompt)) = action else { continue };
        match (prompt, screen.get()) {
            (Prompt::Open, _) => files.open(),
            (Prompt::Analyse, _) => files.analyse(),
            (Prompt::Save, Screen::Table) if !referee.is_exercise() => {
                if let Some(rules) = referee.table.as_ref().map(GameSession::rules) {
                    files.save(rules);
                }
            }
            (Prompt::Save, Screen::Replay) => files.save_replay(&replay),
            (Prompt::SaveAs, Screen::Replay) => files.save_replay_as(&replay),
            (Prompt::Export, Screen::Replay) if !IS_WEB => open.0 = Some(Dialog::Export),
            _ => {}
        }
    }
}

/// A file name for a game of this day that no file in `folder` has yet.
fn free_name(rules: RuleSet, date: Option<&str>, folder: Option<&Path>, extension: &str) -> String {
    let mut stem = rules.file_name().to_owned();
    if let Some(date) = date {
        stem = format!("{stem}-{}", date.replace('.', "-"));
    }
    let is_taken = |name: &str| folder.is_some_and(|folder| folder.join(name).exists());
    (1_u32..)
        .map(|number| match number {
            1 => format!("{stem}.{extension}"),
            number => format!("{stem}-{number}.{extension}"),
        })
        .find(|name| !is_taken(name))
        .unwrap_or_else(|| format!("{stem}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proposed_name_is_that_of_no_existing_file() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name =
            || free_name(RuleSet::TablutAshton, Some("2026.11.20"), Some(folder.path()), "tab");
        assert_eq!(name(), "tablut-ashton-2026-11-20.tab");
        std::fs::write(folder.path().join(name()), "")?;
        assert_eq!(name(), "tablut-ashton-2026-11-20-2.tab");
        Ok(())
    }

    #[test]
    fn the_folder_of_a_chosen_file_is_remembered_once() {
        #[derive(Resource)]
        struct LastFolder(Option<PathBuf>);

        let mut world = World::new();
        world.insert_resource(LastFolder(None));
        let mut changes = |path: &Path| {
            world.clear_trackers();
            let last = world.resource_mut::<LastFolder>();
            remember_folder(path, last.map_unchanged(|last| &mut last.0));
            let last = world.resource_ref::<LastFolder>();
            (last.0.clone(), last.is_changed())
        };
        let path = Path::new(if cfg!(windows) { "C:\\games\\a.tab" } else { "/games/a.tab" });
        let folder = path.parent().map(Path::to_owned);
        assert_eq!(changes(path), (folder.clone(), true));
        assert_eq!(changes(path), (folder.clone(), false));
        assert_eq!(changes(Path::new("a.tab")), (folder, false), "a page's file has no folder");
    }

    #[test]
    fn each_purpose_has_its_own_action() {
        let path = PathBuf::from("a.tab");
        let expected: [(Purpose, Action); 7] = [
            (Purpose::Photo(3840), UiAction::SavePhoto { path: path.clone(), pixels: 3840 }.into()),
            (Purpose::Save, GameAction::Save(path.clone()).into()),
            (Purpose::SaveReplay, ReplayAction::Save(path.clone()).into()),
            (Purpose::Open, ReplayAction::Open { path: path.clone(), analyse: false }.into()),
            (Purpose::Analyse, ReplayAction::Open { path: path.clone(), analyse: true }.into()),
            (Purpose::Resume, GameAction::ResumeFile(path.clone()).into()),
            (
                Purpose::Export(ExportOptions::default()),
                UiAction::Export { path: path.clone(), options: ExportOptions::default() }.into(),
            ),
        ];
        for (purpose, action) in expected {
            assert_eq!(purpose.action(path.clone()), action);
        }
    }
}
