//! The real window: under a virtual display and a software renderer, real
//! clicks play moves in all three games, and the program's own record of them
//! is read back.
//!
//! Needs Xvfb and xdotool (`make test` installs them), so it runs on Linux.
#![cfg(target_os = "linux")]

mod pictures;

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use self::pictures::{POLL, Studio};
use image::RgbaImage;
use tabulae_games::{RuleSet, Turn};
use tabulae_records as records;

/// A place beside the board, under no panel, where nothing can be touched.
const EMPTY_PLACE: (i32, i32) = (4, 300);

/// Longer than a software renderer takes for anything waited for here.
const TIMEOUT: Duration = Duration::from_secs(90);

struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual display of its own.
struct Display {
    name: String,
    _server: KillOnDrop,
}

impl Display {
    fn open() -> Self {
        Self::start(&["-screen", "0", "900x600x24"])
    }

    /// Starts Xvfb with these arguments and the ones that every test needs.
    fn start(arguments: &[&str]) -> Self {
        let mut server = Command::new("Xvfb")
            // Without `-noreset` it begins anew when the last client has gone, and
            // turns away whoever comes meanwhile.
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed (`make test` does it)");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb names its display");
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Self { name: format!(":{}", number.trim()), _server: KillOnDrop(server) }
    }
}

/// The program in its window, and a hand on the mouse.
struct Window<'a> {
    display: &'a Display,
    lines: Receiver<String>,
    reported: Vec<String>,
    id: String,
    _program: KillOnDrop,
}

impl<'a> Window<'a> {
    fn open(display: &'a Display, home: &Path, arguments: &[&str]) -> Self {
        let (x, y) = EMPTY_PLACE;
        let away = ["mousemove", &x.to_string(), &y.to_string()];
        let status = Command::new("xdotool").env("DISPLAY", &display.name).args(away).status();
        assert!(status.expect("xdotool is installed (`make test` does it)").success());
        let mut program = program(display, home)
            .arg("--report")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = program.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let program = KillOnDrop(program);
        let mut window =
            Self { display, lines, reported: Vec::new(), id: String::new(), _program: program };
        if arguments.contains(&"--record") {
            window.until("screen replay");
        } else if arguments.contains(&"--rules") {
            window.until("screen table");
            window.until("square ");
            window.until("turn ");
        } else {
            window.until("screen title");
        }
        window.until("settled");
        let found = window.xdotool(&["search", "--sync", "--onlyvisible", "--name", "Tabulae"]);
        window.id = String::from_utf8_lossy(&found.stdout)
            .lines()
            .next()
            .expect("a window called Tabulae")
            .to_owned();
        window
    }

    fn xdotool(&self, arguments: &[&str]) -> Output {
        let output = Command::new("xdotool")
            .env("DISPLAY", &self.display.name)
            .args(arguments)
            .output()
            .expect("xdotool is installed (`make test` does it)");
        assert!(output.status.success(), "xdotool {arguments:?}: {output:?}");
        output
    }

    /// Reads the program's report until a line begins with `wanted`.
    fn until(&mut self, wanted: &str) -> String {
        self.until_one_of(&[wanted])
    }

    fn until_one_of(&mut self, wanted: &[&str]) -> String {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|error| {
                self.reported.retain(|line| !line.starts_with("square"));
                let last = self.reported.len().saturating_sub(24);
                panic!("{wanted:?} was not reported ({error}); last: {:#?}", &self.reported[last..])
            });
            self.reported.push(line.clone());
            if wanted.iter().any(|wanted| line.starts_with(wanted)) {
                return line;
            }
        }
    }

    /// Where the last report of a thing put it.
    fn place(&mut self, thing: &str) -> (i32, i32) {
        self.reported.extend(self.lines.try_iter());
        let line = self
            .reported
            .iter()
            .rev()
            .find(|line| line.strip_prefix(thing).is_some_and(|rest| rest.starts_with(' ')))
            .unwrap_or_else(|| panic!("'{thing}' was reported somewhere: {:#?}", self.reported));
        let mut numbers = line.split_whitespace().rev().map(str::parse::<f32>);
        let (Some(Ok(y)), Some(Ok(x))) = (numbers.next(), numbers.next()) else {
            panic!("a place in '{line}'")
        };
        #[expect(clippy::cast_possible_truncation, reason = "pixels of a window")]
        (x.round() as i32, y.round() as i32)
    }

    fn point(&self, (x, y): (i32, i32)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.xdotool(&["mousemove", "--window", &self.id, &x, &y]);
    }

    /// Takes the pointer off everything, then to a thing, until the program
    /// says that it is there. While the table is being laid out the thing may
    /// still move.
    fn aim(&mut self, thing: &str, wanted: &str) {
        self.reported.extend(self.lines.try_iter());
        let hovered = self.reported.iter().rev().find(|line| line.starts_with("hovered"));
        if hovered.is_some_and(|line| line != "hovered none") {
            self.point(EMPTY_PLACE);
            self.until("hovered none");
        }
        let (start, mut last) = (self.reported.len(), None);
        loop {
            let at = self.place(thing);
            if last.replace(at) != Some(at) {
                self.point(at);
            }
            let since = self.reported[start..].iter().rev();
            let hovered = since.filter(|line| line.starts_with("hovered")).map(String::as_str);
            if hovered.take(1).eq([wanted]) {
                return;
            }
            self.until_one_of(&["hovered", thing]);
        }
    }

    /// Clicks on squares, each once the pointer is seen to be on it and the one
    /// before is seen to be chosen.
    fn click(&mut self, squares: &str) {
        for (index, square) in squares.split_whitespace().enumerate() {
            if index > 0 {
                self.until("selected ");
            }
            self.aim(&format!("square {square}"), &format!("hovered {square}"));
            self.xdotool(&["click", "1"]);
        }
    }

    /// Clicks on the sticks.
    fn throw(&mut self) {
        self.aim("sticks", "hovered sticks");
        self.xdotool(&["click", "1"]);
    }

    /// Waits for the ply of this number to be shown to its end.
    fn shown(&mut self, ply: usize) -> String {
        let line = self.until(&format!("shown {ply} "));
        self.until("settled");
        line
    }

    fn close(self, home: &Path) -> String {
        drop(self);
        let folder = home.join("games").join("recent");
        let path = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "tab"))
            .max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok())
            .expect("a kept game");
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

fn program(display: &Display, home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
    command
        .env("DISPLAY", &display.name)
        .env("TABULAE_HOME", home)
        // Shown as `~` in pictures.
        .env("HOME", home)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    command
}

/// The moves and throws of a record's text.
fn plies(text: &str) -> Vec<String> {
    let records = records::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    records[0].history().plies().map(|ply| ply.to_string()).collect()
}

fn persons<'a>(rules: &'a str, seed: &'a str) -> [&'a str; 10] {
    let size = "900x600";
    ["--rules", rules, "--first", "person", "--second", "person", "--seed", seed, "--size", size]
}

#[test]
fn real_clicks_play_all_three_games() {
    let display = Display::open();
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();

    // Tablut: a piece, then its square; a capture among the moves.
    let mut window = Window::open(&display, home, &persons(RuleSet::TablutAshton.id(), "1"));
    let moves = ["e4 f4", "d1 d4", "f4 f2"];
    for (ply, squares) in moves.iter().enumerate() {
        window.click(squares);
        window.shown(ply + 1);
    }
    assert_eq!(plies(&window.close(home)), ["e4-f4", "d1-d4", "f4-f2"]);

    // Tablaaza: one touch a stone.
    let mut window = Window::open(&display, home, &persons(RuleSet::Tablaaza.id(), "1"));
    for (ply, square) in ["c7", "c6", "a1", "b1"].iter().enumerate() {
        window.click(square);
        window.shown(ply + 1);
    }
    assert_eq!(plies(&window.close(home)), ["c7", "c6", "a1", "b1"]);

    // Tablan: throws by a touch on the sticks until somebody starts, then one
    // move of a single piece.
    let mut window = Window::open(&display, home, &persons(RuleSet::Tablan.id(), "4"));
    let mut ply = 0;
    loop {
        window.throw();
        ply += 1;
        if window.shown(ply).ends_with("t1") {
            break;
        }
    }
    let south = window.reported.iter().rev().find(|line| line.starts_with("turn move"));
    let south = south.is_some_and(|line| line.contains("first"));
    window.click(if south { "k1 l2" } else { "b4 a3" });
    window.shown(ply + 1);
    let text = window.close(home);
    let record = &records::read(&text).expect("a record")[0];
    assert_eq!(record.history().len(), ply + 1);
    assert!(matches!(record.history().turn(), Turn::Throw(_)));
    let last = plies(&text).pop();
    assert_eq!(last.as_deref(), Some(if south { "k1-l2" } else { "b4-a3" }));

    // Opened again, the same game stands.
    let window = Window::open(&display, home, &[]);
    assert!(window.reported.iter().any(|line| line == "screen title"));
    assert_eq!(window.close(home), text);
}

/// The diagram and the photograph need pipelines of their own; the last picture stays until
/// they are compiled.
#[test]
fn the_board_is_never_black_while_its_look_changes() {
    let studio = Studio::open();
    // The other diagram is nearly black.
    studio.settings("paper = true");
    let window = studio.replay("tablut-ashton.tab", 4);
    // The table or the paper beside the board, and light squares of both.
    let beside = [(40, 300), (130, 640)];
    let squares = [(560, 300), (420, 420)];
    let light = |screen: &RgbaImage, (x, y): (u32, u32)| -> u32 {
        screen.get_pixel(x, y).0[..3].iter().map(|&part| u32::from(part)).sum()
    };
    for (key, is_paper) in [("d", true), ("d", false), ("F4", false)] {
        let before = studio.glance();
        window.press(key);
        let started = Instant::now();
        let mut changed = None;
        // The camera moves, too: until the wanted look is there and stands.
        while changed.is_none_or(|at: Instant| at.elapsed() < Duration::from_secs(6)) {
            let screen = studio.glance();
            for places in [beside, squares] {
                let lights = places.map(|place| light(&screen, place));
                assert!(
                    lights.iter().any(|&light| light > 60),
                    "{key}: black at {places:?}: {lights:?}"
                );
            }
            let is_wanted = screen != before && (light(&screen, beside[0]) > 700) == is_paper;
            changed = is_wanted.then(|| changed.unwrap_or_else(Instant::now));
            assert!(started.elapsed() < TIMEOUT, "{key} changes nothing");
            thread::sleep(POLL / 10);
        }
    }
}

#[test]
fn without_a_display_it_says_what_to_do_instead() {
    let run = |display: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
        command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env_remove("DISPLAY");
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        command.stderr(Stdio::piped()).stdout(Stdio::null());
        let mut child = KillOnDrop(command.spawn().expect("the program starts"));
        let mut said = String::new();
        let mut stderr = child.0.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut said).expect("a text");
        (child.0.wait().expect("it ends").code(), said)
    };
    for display in [None, Some(":987")] {
        let (code, said) = run(display);
        assert_eq!(code, Some(1), "{said}");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
        assert!(said.contains("tabulae play") && said.contains("render"), "{said}");
        assert!(!said.contains("panicked") && !said.contains(".rs"), "{said}");
    }
}

#[test]
fn a_record_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("bad.tab");
    fs::write(&path, "[Rules \"tablut/ashton\"]\n\n1. e4-e9 *\n").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .arg("--record")
        .arg(&path)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("bad.tab:3:4") && said.contains("e4-e9"), "{said}");
}
