//! Exports a game as an animation, or the board as a picture, while the player
//! goes on playing.
//!
//! Each export runs `tabulae render` as a child process, so that rendering can
//! neither slow down nor crash the program.

#[cfg(all(test, unix))]
mod tests;

use std::{
    ffi::OsString,
    io::{self, BufRead, BufReader},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

use bevy::window::PrimaryWindow;

use super::partial_file::{part_path, remove};
use crate::{
    app::{
        core::{
            actions::{ExportForm, ExportOptions, ExportPart},
            prelude::*,
            states::ExportRunning,
        },
        on_screen::OnScreen,
        scene::{
            api::{FlatView, Photo},
            camera::{CameraRig, CameraView},
        },
        settings::{Settings, options::Quality},
    },
    session::{ProcessTree, write_atomic},
};

/// The interval at which the progress is shown. An export needs the processor for itself.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// A running export. It ends with this program. Dropping it kills the child and removes its
/// partial files.
struct ExportJob {
    /// None while it is dropped.
    process: Option<ProcessTree>,
    /// The number of the process.
    number: u32,
    out: PathBuf,
    /// The temporary file of the record.
    record: PathBuf,
    progress: Arc<ExportProgress>,
    /// Reads stderr, so that the child never blocks on a full pipe, and returns
    /// its last line.
    errors: Option<JoinHandle<String>>,
}

/// The ply that an animation has reached, and its number of plies.
#[derive(Default)]
struct ExportProgress {
    ply: AtomicUsize,
    plies: AtomicUsize,
}

/// The running exports.
#[derive(Resource, Default)]
pub(crate) struct ExportJobs(Vec<ExportJob>);

impl ExportJobs {
    /// The file of each export, the ply it has reached and its number of plies:
    /// zeros before the first ply, and for a single picture.
    pub(crate) fn progress(&self) -> Vec<(String, usize, usize)> {
        let progress = |job: &ExportJob| {
            let counts = &job.progress;
            let [ply, plies] =
                [&counts.ply, &counts.plies].map(|number| number.load(Ordering::Relaxed));
            (file_name(&job.out), ply, plies)
        };
        self.0.iter().map(progress).collect()
    }
}

#[cfg(all(test, unix))]
impl ExportJobs {
    /// An export to this file that does not end by itself.
    pub(crate) fn example(folder: &Path) -> Self {
        let mut command = Command::new("sleep");
        command.arg("1000");
        let (out, record) = (folder.join("game.gif"), folder.join("game.tab"));
        Self(vec![ExportJob::start(command, &out, record).expect("a process")])
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<ExportJobs>().add_systems(
        Update,
        (start_or_stop, save_photo.run_if(resource_exists::<Photo>), finish_jobs)
            .chain()
            .in_set(AppSet::Files),
    );
}

fn start_or_stop(
    mut actions: MessageReader<UiAction>,
    mut jobs: ResMut<ExportJobs>,
    mut notices: MessageWriter<Notify>,
    shown: OnScreen,
    look: TableLook,
) {
    for action in actions.read() {
        match action {
            UiAction::Export { path, options } => {
                let Some((record, plies)) = shown.game() else {
                    notices.write(Notify::error(LocalizedMessage::new("notice.no-game")));
                    continue;
                };
                let look = look.arguments();
                match start_export(&record, plies, path, *options, look) {
                    Ok(job) => jobs.0.push(job),
                    Err(error) => {
                        notices.write(failure(path, &error.to_string()));
                    }
                }
            }
            UiAction::StopExport if !jobs.0.is_empty() => {
                jobs.0.clear();
                notices.write(Notify::info(LocalizedMessage::new("notice.export-stopped")));
            }
            _ => {}
        }
    }
}

/// Starts to render the picture of photo mode.
fn save_photo(
    mut actions: MessageReader<UiAction>,
    mut jobs: ResMut<ExportJobs>,
    mut notices: MessageWriter<Notify>,
    shown: OnScreen,
    camera: PhotoCamera,
) {
    for action in actions.read() {
        let UiAction::SavePhoto { path, pixels } = action else { continue };
        let (Some((record, plies)), Some(arguments)) = (shown.game(), camera.arguments(*pixels))
        else {
            notices.write(Notify::error(LocalizedMessage::new("notice.no-game")));
            continue;
        };
        let file = ["--out".into(), path.into(), "--ply".into(), plies.to_string().into()];
        match start_render(&record, path, file.into_iter().chain(arguments).collect()) {
            Ok(job) => jobs.0.push(job),
            Err(error) => {
                notices.write(failure(path, &error.to_string()));
            }
        }
    }
}

fn failure(path: &Path, error: &str) -> Notify {
    let message = LocalizedMessage::new("notice.not-exported").with("file", path.display());
    Notify::error(message.with("error", error))
}

/// Starts an export: of the game or a part as an animation or its frames, of the
/// position after `plies` plies as a picture.
fn start_export(
    record: &Record,
    plies: usize,
    out: &Path,
    options: ExportOptions,
    look: Vec<String>,
) -> io::Result<ExportJob> {
    let arguments = render_arguments(out, plies, options)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, options.form.extension()))?;
    start_render(
        record,
        out,
        arguments.into_iter().chain(look.into_iter().map(Into::into)).collect(),
    )
}

/// Starts `tabulae render` with these arguments, which write to `out`.
fn start_render(record: &Record, out: &Path, arguments: Vec<OsString>) -> io::Result<ExportJob> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);

    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("tabulae-export-{}-{number}.tab", std::process::id());
    let record_path = std::env::temp_dir().join(name);
    write_atomic(&record_path, record.to_string())?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("render").arg(&record_path).args(arguments).arg("--progress");
    ExportJob::start(command, out, record_path)
}

/// How the table looks, and from where it is seen.
#[derive(SystemParam)]
struct TableLook<'w> {
    rig: Res<'w, CameraRig>,
    settings: Res<'w, Settings>,
    quality: Res<'w, Quality>,
    flat: Res<'w, FlatView>,
}

impl TableLook<'_> {
    /// The arguments of `tabulae render` that draw a game as the player sees it.
    fn arguments(&self) -> Vec<String> {
        let view = if self.flat.0 { CameraView::Diagram } else { self.rig.view() };
        let mut arguments = look_arguments(&self.settings, *self.quality);
        arguments.push(format!("--view={view}"));
        arguments
    }
}

/// The arguments of `tabulae render` for the room, the colours and the quality.
fn look_arguments(settings: &Settings, quality: Quality) -> Vec<String> {
    vec![
        format!("--room={}", settings.room),
        format!("--palette={}", settings.palette),
        format!("--quality={quality}"),
    ]
}

/// What a photograph is taken with.
#[derive(SystemParam)]
struct PhotoCamera<'w, 's> {
    photo: Res<'w, Photo>,
    look: TableLook<'w>,
    windows: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl PhotoCamera<'_, '_> {
    /// The arguments of `tabulae render` that take the picture of photo mode, with so many
    /// pixels on its long side; none where photo mode is off.
    fn arguments(&self, pixels: u32) -> Option<Vec<OsString>> {
        let lens = self.photo.0?;
        let window = self.windows.iter().next().map(Window::size)?;
        let picture = lens.crop(window.max(Vec2::ONE));
        let size = (picture * (pixels as f32 / picture.max_element())).round().as_uvec2();
        let [yaw, pitch, zoom, x, z] = self.look.rig.numbers();
        let mut arguments = vec![
            format!("--size={}x{}", size.x.clamp(16, 8192), size.y.clamp(16, 8192)),
            format!("--camera={yaw:.3},{pitch:.3},{zoom:.4},{x:.3},{z:.3}"),
            format!("--lens={}", lens.focal_length),
            format!("--time={}", lens.time),
        ];
        arguments.extend(look_arguments(&self.look.settings, *self.look.quality));
        arguments.extend(lens.aperture.map(|aperture| format!("--aperture={aperture}")));
        Some(arguments.into_iter().map(OsString::from).collect())
    }
}

/// The arguments of `tabulae render` for this file, with `plies` plies shown; none
/// where its extension is another one.
fn render_arguments(out: &Path, plies: usize, options: ExportOptions) -> Option<Vec<OsString>> {
    let ExportOptions { form, part, size, pause, board_alone } = options;
    out.extension().filter(|it| it.eq_ignore_ascii_case(form.extension()))?;
    let is_picture = form == ExportForm::Picture;
    let size = if is_picture { size.picture() } else { size.animation() };
    let to = if form == ExportForm::Frames { "--frames" } else { "--out" };
    let mut arguments: Vec<OsString> = vec![to.into(), out.into()];
    arguments.extend(["--size", size].map(OsString::from));
    if !board_alone {
        arguments.push("--names".into());
    }
    if !is_picture {
        arguments.extend(["--pause", pause.seconds()].map(OsString::from));
    }
    let bound = match part {
        _ if is_picture => Some("--ply"),
        ExportPart::ToShownPly => Some("--ply"),
        ExportPart::FromShownPly => Some("--from"),
        ExportPart::WholeGame => None,
    };
    if let Some(bound) = bound {
        arguments.extend([bound.into(), plies.to_string().into()]);
    }
    Some(arguments)
}

impl ExportJob {
    fn start(mut command: Command, out: &Path, record: PathBuf) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = ProcessTree::spawn(command).inspect_err(|_| remove(&record))?;
        let progress = Arc::new(ExportProgress::default());
        // Both threads end with the process.
        if let (_, Some(stdout)) = process.take_pipes() {
            let progress = Arc::clone(&progress);
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if let Some((ply, plies)) = parse_progress(&line) {
                        progress.plies.store(plies, Ordering::Relaxed);
                        progress.ply.store(ply, Ordering::Relaxed);
                    }
                }
            });
        }
        let errors = process
            .take_stderr()
            .map(|stderr| thread::spawn(move || last_line(BufReader::new(stderr))));
        let (number, process) = (process.id(), Some(process));
        Ok(Self { process, number, out: out.to_owned(), record, progress, errors })
    }

    /// How the export has ended; none while it runs.
    ///
    /// # Errors
    /// The last line that the child has written to stderr.
    fn poll(&mut self) -> Option<Result<(), String>> {
        let status = self.process.as_ref()?.exit_status()?;
        if status.success() {
            return Some(Ok(()));
        }
        // The thread may not have read its last line yet.
        if self.errors.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return None;
        }
        let last = self.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        // The notice names the file already.
        let file = format!("{}: ", self.out.display());
        Some(Err(last.split_once(&file).map_or(&*last, |(_, message)| message).to_owned()))
    }
}

/// Parses `ply 3 of 40`.
fn parse_progress(line: &str) -> Option<(usize, usize)> {
    let (ply, plies) = line.strip_prefix("ply ")?.split_once(" of ")?;
    Some((ply.parse().ok()?, plies.parse().ok()?))
}

/// Reads to the end and returns the last line, where it is text.
fn last_line(mut reader: impl BufRead) -> String {
    let (mut last, mut line) = (Vec::new(), Vec::new());
    while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        std::mem::swap(&mut last, &mut line);
        line.clear();
    }
    String::from_utf8_lossy(&last).trim_end().to_owned()
}

impl Drop for ExportJob {
    fn drop(&mut self) {
        drop(self.process.take());
        remove(&part_path(&self.out, self.number));
        remove(&self.record);
    }
}

/// Reports the exports that have ended.
fn finish_jobs(
    mut jobs: ResMut<ExportJobs>,
    mut notices: MessageWriter<Notify>,
    (mut running, mut next): (ResMut<ExportRunning>, ResMut<NextFrame>),
) {
    running.set_if_neq(ExportRunning(!jobs.0.is_empty()));
    if jobs.0.is_empty() {
        return;
    }
    next.within(PROGRESS_INTERVAL);
    jobs.0.retain_mut(|job| {
        let Some(ended) = job.poll() else { return true };
        notices.write(match ended {
            Ok(()) => Notify::written("notice.exported", &job.out),
            Err(error) => failure(&job.out, &error),
        });
        false
    });
}
