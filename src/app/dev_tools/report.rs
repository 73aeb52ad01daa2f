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
//! dialog menu                  the open dialog (or `none`)
//! hovered e4                   what the pointer is on (or `sticks`, or `none`)
//! notice Saved as a.tab        a notice to the player, when it appears
//! entities 412                 how many there are before a game's first ply
//! evaluated 21                 positions that the running analysis has evaluated
//! settled                      nothing moves, the camera neither
//! ```

use std::fmt::Write;

use bevy::{ecs::entity::Entities, prelude::*, window::PrimaryWindow};

use crate::{
    app::{
        analysis::Analysis,
        core::states::{OpenDialog, Screen},
        editor::Editor,
        game::referee::Referee,
        platform::print_line,
        replay::Replay,
        scene::{
            api::{Highlights, OnSquare, Stick},
            look::{SceneAtRest, update_frame_pacing},
        },
    },
    games::{RuleSet, Side, Turn},
    table::{BoardGrid, Seat},
};

/// Whether to report, and what was reported last.
#[derive(Resource, Default)]
pub(crate) struct Report {
    enabled: bool,
    last: Lines,
}

/// The lines of a report, each printed when it changes and is not empty.
#[derive(Default, PartialEq)]
struct Lines {
    /// Screen, layout, state, dialog, pointer, notice, number of entities, progress
    /// of the analysis.
    lines: [String; 8],
    settled: bool,
}

impl Report {
    pub(crate) fn new(enabled: bool) -> Self {
        Self { enabled, ..Self::default() }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Report>().add_systems(Last, report.after(update_frame_pacing));
}

fn report(
    mut report: ResMut<Report>,
    screen: Res<State<Screen>>,
    (referee, replay, editor): (Res<Referee>, Res<Replay>, Res<Editor>),
    at_rest: Res<SceneAtRest>,
    (highlights, analysis): (Res<Highlights>, Res<Analysis>),
    open: Res<OpenDialog>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    squares: Query<(&OnSquare, &GlobalTransform)>,
    sticks: Query<(&Stick, &GlobalTransform)>,
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
            (referee.table.as_ref().map(crate::table::GameSession::rules), table_state(&referee))
        }
        Screen::Replay => {
            (replay.rules(), format!("replay {} of {}", replay.ply, replay.ply_count()))
        }
    };
    let window = windows.single().ok();
    let layout = rules.map(|rules| layout(rules, &cameras, &squares, &sticks, window));
    let dialog = open.0.map(|dialog| format!("{dialog:?}").to_lowercase());
    let hovered = match highlights.hovered {
        Some(square) => square.to_string(),
        None if highlights.sticks_hovered => "sticks".to_owned(),
        None => "none".to_owned(),
    };
    let notice = referee.notice.as_ref().map(|notice| format!("notice {}", notice.text));
    let at_start = referee.table.as_ref().is_some_and(|table| table.history().is_empty());
    let lines = [
        format!("screen {:?}", screen.get()).to_lowercase(),
        layout.unwrap_or_default(),
        state,
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
    format!("{turn}\nselected {}\nshown {number} {last}", selected.join(" "))
}

/// Where the squares and the sticks are in the window, in physical pixels from
/// its upper left corner.
fn layout(
    rules: RuleSet,
    cameras: &Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    squares: &Query<(&OnSquare, &GlobalTransform)>,
    sticks: &Query<(&Stick, &GlobalTransform)>,
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
        && let Some((_, transform)) = sticks.iter().find(|(stick, _)| stick.0 == 0)
        && let Some(pixel) = pixel(transform.translation() + Vec3::Y * 0.05)
    {
        let _ = write!(text, "\nsticks {:.1} {:.1}", pixel.x, pixel.y);
    }
    text
}
