//! A game as an animation, or the board as a picture, written while one goes
//! on playing.
//!
//! The program is started once more as `tabulae render`, so that drawing
//! pictures can neither slow nor end the one that is played with.

#[cfg(all(test, unix))]
mod tests;

use std::{
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

use bevy::prelude::*;

use super::{
    clipboard::Viewed,
    render::{beside, clear},
};
use crate::{
    app::{
        core::{
            actions::{Action, UiAction},
            schedule::AppSet,
            states::Screen,
        },
        editor::Editor,
        game::referee::Referee,
        replay::Replay,
        scene::api::ExportRunning,
    },
    records::Record,
    table::write_whole,
    words::Why,
};

/// A picture being drawn. Where it is dropped before it is done, nothing of it
/// is left.
struct ExportJob {
    process: Child,
    out: PathBuf,
    record: PathBuf,
    come: Arc<ExportProgress>,
}

/// How far an animation has come: the ply that is drawn, of so many.
#[derive(Default)]
struct ExportProgress {
    ply: AtomicUsize,
    plies: AtomicUsize,
}

/// What is being drawn.
#[derive(Resource, Default)]
pub(crate) struct ExportJobs(Vec<ExportJob>);

impl ExportJobs {
    /// The file of each drawing, the ply it has come to and how many there
    /// are: none before the first, and none of a single picture.
    pub(crate) fn progress(&self) -> Vec<(String, usize, usize)> {
        let told = |drawing: &ExportJob| {
            let come = &drawing.come;
            let [ply, plies] = [&come.ply, &come.plies].map(|it| it.load(Ordering::Relaxed));
            (name(&drawing.out), ply, plies)
        };
        self.0.iter().map(told).collect()
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Width and height of what is drawn: an animation of larger pictures is a
/// file too large to mail.
const GIF: &str = "640x480";
const PNG: &str = "1600x1200";
/// How the folder ends that takes an animation's pictures one by one.
pub(crate) const FRAMES: &str = "frames";

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<ExportJobs>()
        .add_systems(Update, (begin, look_after).chain().in_set(AppSet::Files));
}

fn begin(
    mut acts: MessageReader<Action>,
    mut drawings: ResMut<ExportJobs>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    editor: Res<Editor>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        match act {
            Action::Ui(UiAction::Export(path)) => {
                let screen = *screen.get();
                let sight = Viewed { screen, referee: &referee, replay: &replay, editor: &editor };
                let Some((record, plies)) = sight.game() else {
                    referee.notify_error(Why::of("notice.no-game"));
                    continue;
                };
                match draw(&record, plies, path) {
                    Ok(drawing) => drawings.0.push(drawing),
                    Err(error) => fail(&mut referee, path, &error.to_string()),
                }
            }
            Action::Ui(UiAction::StopExport) if !drawings.0.is_empty() => {
                drawings.0.clear();
                referee.notify(Why::of("notice.export-stopped"));
            }
            _ => {}
        }
    }
}

fn fail(referee: &mut Referee, path: &Path, error: &str) {
    let word = Why::of("notice.not-exported").with("file", path.display());
    referee.notify_error(word.with("error", error));
}

/// Starts the drawing: the whole game for an animation or its pictures one by
/// one, one ply for a picture.
fn draw(record: &Record, plies: usize, out: &Path) -> io::Result<ExportJob> {
    let is_gif = out.extension().is_some_and(|it| it.eq_ignore_ascii_case("gif"));
    let is_png = out.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"));
    let is_frames = out.extension().is_some_and(|it| it.eq_ignore_ascii_case(FRAMES));
    if !is_gif && !is_png && !is_frames {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, ".gif, .png, .frames"));
    }
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("tabulae-export-{}-{number}.tab", std::process::id());
    let place = std::env::temp_dir().join(name);
    write_whole(&place, record.to_string())?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("render")
        .arg(&place)
        .arg(if is_frames { "--frames" } else { "--out" })
        .arg(out)
        .args(["--size", if is_png { PNG } else { GIF }])
        .arg("--progress");
    if is_png {
        command.args(["--ply", &plies.to_string()]);
    }
    ExportJob::start(command, out, place)
}

impl ExportJob {
    fn start(mut command: Command, out: &Path, record: PathBuf) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().inspect_err(|_| clear(&record))?;
        let come = Arc::new(ExportProgress::default());
        if let Some(stdout) = process.stdout.take() {
            let come = Arc::clone(&come);
            // It ends with the process.
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if let Some((ply, plies)) = heard(&line) {
                        come.plies.store(plies, Ordering::Relaxed);
                        come.ply.store(ply, Ordering::Relaxed);
                    }
                }
            });
        }
        Ok(Self { process, out: out.to_owned(), record, come })
    }
}

/// Reads `ply 3 of 40`.
fn heard(line: &str) -> Option<(usize, usize)> {
    let (ply, plies) = line.strip_prefix("ply ")?.split_once(" of ")?;
    Some((ply.parse().ok()?, plies.parse().ok()?))
}

impl Drop for ExportJob {
    fn drop(&mut self) {
        // One that has ended cannot be stopped, and need not be.
        let _ = self.process.kill();
        let _ = self.process.wait();
        clear(&beside(&self.out, self.process.id()));
        clear(&self.record);
    }
}

/// Says when a drawing is done, or why there is none.
fn look_after(
    mut drawings: ResMut<ExportJobs>,
    mut referee: ResMut<Referee>,
    mut writing: ResMut<ExportRunning>,
) {
    writing.set_if_neq(ExportRunning(!drawings.0.is_empty()));
    if drawings.0.is_empty() {
        return;
    }
    drawings.0.retain_mut(|drawing| {
        match drawing.process.try_wait() {
            Ok(None) => return true,
            Ok(Some(status)) if status.success() => {
                referee.notify(Why::of("notice.exported").with("file", drawing.out.display()));
            }
            Ok(Some(_)) => {
                let mut said = String::new();
                if let Some(mut stderr) = drawing.process.stderr.take() {
                    // What cannot be read is not said.
                    let _ = stderr.read_to_string(&mut said);
                }
                // The file is named already.
                let last = said.lines().last().unwrap_or_default();
                let file = format!("{}: ", drawing.out.display());
                let last = last.split_once(&file).map_or(last, |(_, why)| why);
                fail(&mut referee, &drawing.out, last);
            }
            Err(error) => fail(&mut referee, &drawing.out, &error.to_string()),
        }
        false
    });
}
