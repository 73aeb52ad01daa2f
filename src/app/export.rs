//! A game as an animation, or the board as a picture, written while one goes
//! on playing.
//!
//! The program is started once more as `tabulae render`, so that drawing
//! pictures can neither slow nor end the one that is played with.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
};

use bevy::prelude::*;

use super::{Steps, acts::Act, referee::Referee, replay::Replay, stage::Screen};
use crate::{
    records::Record,
    table::{today, write_whole},
    words::{fill, say},
};

/// A picture being drawn.
struct Drawing {
    process: Child,
    out: PathBuf,
    record: PathBuf,
}

#[derive(Resource, Default)]
struct Drawings(Vec<Drawing>);

/// Width and height of what is drawn: an animation of larger pictures is a
/// file too large to mail.
const GIF: &str = "640x480";
const PNG: &str = "1600x1200";
/// How the folder ends that takes an animation's pictures one by one.
pub(super) const FRAMES: &str = "frames";

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Drawings>()
        .add_systems(Update, (begin, look_after).chain().in_set(Steps::Files));
}

fn begin(
    mut acts: MessageReader<Act>,
    mut drawings: ResMut<Drawings>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        match act {
            Act::Export(path) => {
                let Some((record, plies)) = looked_at(*screen.get(), &referee, &replay) else {
                    referee.complain(say("notice.no-game"));
                    continue;
                };
                let file = path.display().to_string();
                match draw(&record, plies, path) {
                    Ok(drawing) => {
                        drawings.0.push(drawing);
                        referee.tell(fill("notice.exporting", &[("file", &file)]));
                    }
                    Err(error) => fail(&mut referee, path, &error.to_string()),
                }
            }
            Act::Copy if *screen.get() == Screen::Editor => {
                referee.tell(say("notice.position-copied"));
            }
            Act::Copy if looked_at(*screen.get(), &referee, &replay).is_some() => {
                referee.tell(say("notice.copied"));
            }
            _ => {}
        }
    }
}

/// The game that is looked at, and up to which ply.
fn looked_at(screen: Screen, referee: &Referee, replay: &Replay) -> Option<(Record, usize)> {
    match screen {
        Screen::Title | Screen::Editor => None,
        Screen::Table => {
            let table = referee.table.as_ref()?;
            Some((table.record(today()), referee.looked_at()))
        }
        Screen::Replay => Some((replay.record.clone()?, replay.at)),
    }
}

fn fail(referee: &mut Referee, path: &Path, error: &str) {
    let file = path.display().to_string();
    referee.complain(fill("notice.not-exported", &[("file", &file), ("error", error)]));
}

/// Starts the drawing: the whole game for an animation or its pictures one by
/// one, one ply for a picture.
fn draw(record: &Record, plies: usize, out: &Path) -> io::Result<Drawing> {
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
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if is_png {
        command.args(["--ply", &plies.to_string()]);
    }
    let process = command.spawn()?;
    Ok(Drawing { process, out: out.to_owned(), record: place })
}

/// Says when a drawing is done, or why there is none.
fn look_after(mut drawings: ResMut<Drawings>, mut referee: ResMut<Referee>) {
    if drawings.0.is_empty() {
        return;
    }
    drawings.0.retain_mut(|drawing| {
        let file = drawing.out.display().to_string();
        match drawing.process.try_wait() {
            Ok(None) => return true,
            Ok(Some(status)) if status.success() => {
                referee.tell(fill("notice.exported", &[("file", &file)]));
            }
            Ok(Some(_)) => {
                let mut said = String::new();
                if let Some(mut stderr) = drawing.process.stderr.take() {
                    // What cannot be read is not said.
                    let _ = stderr.read_to_string(&mut said);
                }
                let last = said.lines().last().unwrap_or_default().to_owned();
                fail(&mut referee, &drawing.out, &last);
            }
            Err(error) => fail(&mut referee, &drawing.out, &error.to_string()),
        }
        // A file in the folder for passing things: gone with the next start
        // of the machine at the latest.
        let _ = std::fs::remove_file(&drawing.record);
        false
    });
}
