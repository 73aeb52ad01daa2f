//! `tabulae --report`: prints what is shown to stdout, line by line, for scripts
//! that drive the window.
//!
//! ```text
//! screen table
//! rules tablut/ashton
//! square e4 640.0 512.5        the middle of each square, in physical pixels
//! sticks 900.0 610.0           where the sticks lie (Tablan)
//! turn move first person
//! selected e4                  the squares selected so far
//! shown 3 e4-f4                plies of the game, and the last one
//! position 4BB3/9/... w        the position after it
//! puzzle 7.13 waiting          the puzzle on the board (or `none`), how far it is
//! widgets                      what follows replaces all widgets reported before
//! widget button 40.0 60.5 Undo the middle of a widget, what it is, its name
//! dialog menu                  the open dialog (or `none`)
//! hovered e4                   what the pointer is on (or `sticks`, or `none`)
//! notice Saved as a.tab        a notice to the player, when it appears
//! entities 412                 how many there are before a game's first ply
//! evaluated 21                 positions that the running analysis has evaluated
//! settled                      nothing moves, the camera neither
//! ```

use std::fmt::Write;

use bevy::{ecs::entity::Entities, window::PrimaryWindow};
use bevy_egui::{
    EguiOutput,
    egui::accesskit::{Role, Toggled},
};

use crate::{
    app::{
        analysis::Analysis,
        core::prelude::*,
        editor::Editor,
        game::referee::Referee,
        platform::print_line,
        puzzles::PuzzleTrainer,
        replay::Replay,
        scene::{
            api::Pointed,
            components::{CastingStick, OnSquare},
            look::{SceneAtRest, update_frame_pacing},
        },
    },
    session::BoardGrid,
};

/// Whether to report, and what was reported last.
#[derive(Resource, Default)]
pub(crate) struct Report {
    enabled: bool,
    last: Lines,
    last_widgets: String,
}

/// The lines of a report, each printed when it changes and is not empty.
#[derive(Default, PartialEq)]
struct Lines {
    /// Screen, layout, state, puzzle, dialog, pointer, notice, number of entities,
    /// progress of the analysis.
    lines: [String; 9],
    settled: bool,
}

impl Report {
    pub(crate) fn new(enabled: bool) -> Self {
        Self { enabled, ..Self::default() }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Report>()
        .add_systems(Last, (report.after(update_frame_pacing), report_widgets));
}

fn report(
    mut report: ResMut<Report>,
    (screen, notices): (Res<State<Screen>>, Res<Notices>),
    (referee, replay, editor): (Res<Referee>, Res<Replay>, Res<Editor>),
    trainer: Res<PuzzleTrainer>,
    at_rest: Res<SceneAtRest>,
    (pointer, analysis): (Res<Pointed>, Res<Analysis>),
    open: Res<OpenDialog>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    squares: Query<(&OnSquare, &GlobalTransform)>,
    sticks: Query<(&CastingStick, &GlobalTransform)>,
    windows: Query<&Window, With<PrimaryWindow>>,
    entities: &Entities,
) {
    if !report.enabled {
        return;
    }
    let (rules, state) = match screen.get() {
        Screen::Title => (None, String::new()),
        Screen::Editor => (Some(editor.draft.rules()), format!("position {}", editor.draft)),
        Screen::Table => {
            (referee.table.as_ref().map(crate::session::GameSession::rules), table_state(&referee))
        }
        Screen::Replay => {
            (replay.rules(), format!("replay {} of {}", replay.ply, replay.ply_count()))
        }
    };
    let window = windows.single().ok();
    let layout = rules.map(|rules| layout(rules, &cameras, &squares, &sticks, window));
    let dialog = open.0.map(|dialog| format!("{dialog:?}").to_lowercase());
    let hovered = match pointer.square {
        Some(square) => square.to_string(),
        None if pointer.sticks => "sticks".to_owned(),
        None => "none".to_owned(),
    };
    let notice = notices.shown.as_ref().map(|notice| format!("notice {}", notice.text));
    let at_start = referee.table.as_ref().is_some_and(|table| table.history().is_empty());
    let lines = [
        format!("screen {:?}", screen.get()).to_lowercase(),
        layout.unwrap_or_default(),
        state,
        format!("puzzle {}", puzzle_state(&trainer)),
        format!("dialog {}", dialog.as_deref().unwrap_or("none")),
        format!("hovered {hovered}"),
        notice.unwrap_or_default(),
        if at_start { format!("entities {}", entities.count_spawned()) } else { String::new() },
        if analysis.enabled {
            format!("evaluated {}", analysis.evaluations.len())
        } else {
            String::new()
        },
    ];
    let new = Lines { lines, settled: at_rest.0 };
    if new == report.last {
        return;
    }
    for (line, last) in new.lines.iter().zip(&report.last.lines) {
        if line != last && !line.is_empty() {
            print_line(line);
        }
    }
    if new.settled {
        print_line("settled");
    }
    report.last = new;
}

fn table_state(referee: &Referee) -> String {
    let Some(table) = &referee.table else { return String::new() };
    let side = |side| match side {
        Side::First => "first",
        Side::Second => "second",
    };
    let seat = |of: Side| match table.seats()[of.index()] {
        Seat::Person => "person",
        Seat::Engine(_) => "engine",
        Seat::Remote => "remote",
        Seat::Program => "program",
    };
    let turn = match table.turn() {
        Some(Turn::Move(of)) => format!("turn move {} {}", side(of), seat(of)),
        Some(Turn::Throw(of)) => format!("turn throw {} {}", side(of), seat(of)),
        Some(Turn::Over(_)) | None => "turn none".to_owned(),
    };
    let number = table.history().len();
    let last = table.history().notation(number).unwrap_or_default();
    let selected: Vec<String> =
        referee.selection.squares().iter().map(ToString::to_string).collect();
    let (selected, position) = (selected.join(" "), table.history().position());
    format!("{turn}\nselected {selected}\nshown {number} {last}\nposition {position}")
}

fn puzzle_state(trainer: &PuzzleTrainer) -> String {
    let Some(current) = trainer.current() else { return "none".to_owned() };
    let attempt: &str = (&current.attempt).into();
    let streak = trainer.training().progress().streak();
    let rating = trainer.training().progress().rating(current.rules()).rating;
    let (source, moves) = (&current.puzzle.source, current.played.len());
    format!("{source} {attempt} after {moves}, streak {streak}, rating {rating:.0}")
}

/// What a screen reader gets, with places, when it changes.
fn report_widgets(mut report: ResMut<Report>, outputs: Query<&EguiOutput>) {
    if !report.enabled {
        return;
    }
    let mut text = String::new();
    for output in &outputs {
        let Some(update) = &output.platform_output.accesskit_update else { continue };
        let scale = f64::from(output.pixels_per_point);
        for (_, node) in &update.nodes {
            let name = node.label().or(node.value()).unwrap_or_default().replace('\n', " ");
            // Squares have lines of their own.
            let is_widget = !matches!(node.role(), Role::TextRun | Role::Window | Role::Cell);
            if let Some(bounds) = node.bounds().filter(|_| is_widget && !name.is_empty()) {
                let (x, y) = (bounds.x0 + bounds.x1, bounds.y0 + bounds.y1);
                let role = format!("{:?}", node.role()).to_lowercase();
                let (x, y) = (x / 2.0 * scale, y / 2.0 * scale);
                let state = match (node.is_disabled(), node.toggled()) {
                    (true, _) => " (disabled)",
                    (_, Some(Toggled::True)) => " (on)",
                    _ => "",
                };
                let _ = writeln!(text, "widget {role} {x:.1} {y:.1} {name}{state}");
            }
        }
    }
    if !text.is_empty() && text != report.last_widgets {
        print_line(&format!("widgets\n{}", text.trim_end()));
        report.last_widgets = text;
    }
}

/// Where the squares and the sticks are in the window, in physical pixels from
/// its upper left corner.
fn layout(
    rules: RuleSet,
    cameras: &Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    squares: &Query<(&OnSquare, &GlobalTransform)>,
    sticks: &Query<(&CastingStick, &GlobalTransform)>,
    window: Option<&Window>,
) -> String {
    let Some((camera, transform)) = cameras.iter().find(|(camera, _)| camera.is_active) else {
        return String::new();
    };
    let scale = window.map_or(1.0, Window::scale_factor);
    let pixel = |at: Vec3| camera.world_to_viewport(transform, at).ok().map(|pixel| pixel * scale);
    let mut text = format!("rules {rules}");
    for (square, _) in BoardGrid::new(rules).squares {
        // The plot lies lower than any piece on it.
        let plot = squares
            .iter()
            .filter(|(on, _)| on.0 == square)
            .map(|(_, transform)| transform.translation())
            .min_by(|a, b| a.y.total_cmp(&b.y));
        if let Some(pixel) = plot.and_then(pixel) {
            let _ = write!(text, "\nsquare {square} {:.1} {:.1}", pixel.x, pixel.y);
        }
    }
    if rules.has_sticks()
        && let Some((_, transform)) = sticks.iter().find(|(stick, _)| stick.index == 0)
        && let Some(pixel) = pixel(transform.translation() + Vec3::Y * 0.05)
    {
        let _ = write!(text, "\nsticks {:.1} {:.1}", pixel.x, pixel.y);
    }
    text
}
