//! What is shown, line by line on stdout, for scripts that drive the window
//! (`tabulae --report`).
//!
//! ```text
//! screen table
//! rules tablut/ashton
//! square e4 640.0 512.5        where each square's middle is, in pixels
//! sticks 900.0 610.0           where the sticks lie (Tablan)
//! turn move first person
//! shown 3 e4-f4                plies of the game, and the last one
//! sheet menu                   the sheet that is open over it (or `none`)
//! hovered e4                   what the pointer is on (or `sticks`, or `none`)
//! notice Kept in a.tab         a word to the person, as it comes
//! entities 412                 how many there are before a game's first ply
//! settled                      nothing moves any more, the view neither
//! ```

use std::fmt::Write;

use bevy::{ecs::entity::Entities, prelude::*, window::PrimaryWindow};

use crate::{
    app::{
        core::states::{OpenDialog, Screen},
        game::referee::Referee,
        platform::say,
        replay::Replay,
        scene::{
            api::{Highlights, OnSquare, Stick},
            look::{SceneAtRest, pace},
        },
    },
    games::{RuleSet, Side, Turn},
    table::{Board, Seat},
};

/// Whether to report, and what was said last.
#[derive(Resource, Default)]
pub(crate) struct Report {
    wanted: bool,
    said: Said,
}

#[derive(Default, PartialEq)]
struct Said {
    screen: String,
    layout: String,
    state: String,
    sheet: String,
    hovered: String,
    notice: String,
    entities: String,
    settled: bool,
}

impl Report {
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Report>().add_systems(Last, report.after(pace));
}

fn report(
    mut report: ResMut<Report>,
    screen: Res<State<Screen>>,
    referee: Res<Referee>,
    replay: Res<Replay>,
    editor: Res<crate::app::editor::Editor>,
    still: Res<SceneAtRest>,
    marks: Res<Highlights>,
    open: Res<OpenDialog>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    spots: Query<(&OnSquare, &GlobalTransform)>,
    sticks: Query<(&Stick, &GlobalTransform)>,
    windows: Query<&Window, With<PrimaryWindow>>,
    entities: &Entities,
) {
    if !report.wanted {
        return;
    }
    let (rules, state) = match screen.get() {
        Screen::Title => (None, String::new()),
        Screen::Editor => (Some(editor.draft.rules()), format!("position {}", editor.draft)),
        Screen::Table => {
            (referee.table.as_ref().map(crate::table::Table::rules), table_state(&referee))
        }
        Screen::Replay => {
            (replay.rules(), format!("replay {} of {}", replay.at, replay.line_len()))
        }
    };
    let said = Said {
        screen: match screen.get() {
            Screen::Title => "screen title".to_owned(),
            Screen::Table => "screen table".to_owned(),
            Screen::Replay => "screen replay".to_owned(),
            Screen::Editor => "screen editor".to_owned(),
        },
        layout: rules.map_or_else(String::new, |rules| {
            layout(rules, &cameras, &spots, &sticks, windows.single().ok())
        }),
        state,
        sheet: match open.0 {
            Some(sheet) => format!("sheet {sheet:?}").to_lowercase(),
            None => "sheet none".to_owned(),
        },
        hovered: match marks.hovered {
            Some(square) => format!("hovered {square}"),
            None if marks.sticks_hovered => "hovered sticks".to_owned(),
            None => "hovered none".to_owned(),
        },
        notice: match &referee.notice {
            Some(notice) => format!("notice {}", notice.text),
            None => String::new(),
        },
        entities: match &referee.table {
            Some(table) if table.line().is_empty() => {
                format!("entities {}", entities.count_spawned())
            }
            _ => String::new(),
        },
        settled: still.0,
    };
    if said == report.said {
        return;
    }
    if said.screen != report.said.screen {
        say(&said.screen);
    }
    if said.layout != report.said.layout && !said.layout.is_empty() {
        say(&said.layout);
    }
    if said.state != report.said.state && !said.state.is_empty() {
        say(&said.state);
    }
    if said.sheet != report.said.sheet {
        say(&said.sheet);
    }
    if said.hovered != report.said.hovered {
        say(&said.hovered);
    }
    if said.notice != report.said.notice && !said.notice.is_empty() {
        say(&said.notice);
    }
    if said.entities != report.said.entities && !said.entities.is_empty() {
        say(&said.entities);
    }
    if said.settled {
        say("settled");
    }
    report.said = said;
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
    };
    let turn = match table.turn() {
        Some(Turn::Move(of)) => format!("turn move {} {}", side(of), seat(of)),
        Some(Turn::Throw(of)) => format!("turn throw {} {}", side(of), seat(of)),
        Some(Turn::Over(_)) | None => "turn none".to_owned(),
    };
    let number = table.line().len();
    let last = table.line().notation(number).unwrap_or_default();
    let chosen: Vec<String> = referee.selection.touched().iter().map(ToString::to_string).collect();
    format!("{turn}\nchosen {}\nshown {number} {last}", chosen.join(" "))
}

/// Where things are in the window, in physical pixels from its upper left.
fn layout(
    rules: RuleSet,
    cameras: &Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    spots: &Query<(&OnSquare, &GlobalTransform)>,
    sticks: &Query<(&Stick, &GlobalTransform)>,
    window: Option<&Window>,
) -> String {
    let Some((camera, place)) = cameras.iter().find(|(camera, _)| camera.is_active) else {
        return String::new();
    };
    let scale = window.map_or(1.0, Window::scale_factor);
    let pixel = |at: Vec3| camera.world_to_viewport(place, at).ok().map(|pixel| pixel * scale);
    let mut text = format!("rules {rules}");
    for (square, _) in Board::of(rules).squares {
        // The plot lies lower than any figure on it.
        let plot = spots
            .iter()
            .filter(|(spot, _)| spot.0 == square)
            .map(|(_, place)| place.translation())
            .min_by(|a, b| a.y.total_cmp(&b.y));
        if let Some(pixel) = plot.and_then(pixel) {
            let _ = write!(text, "\nsquare {square} {:.1} {:.1}", pixel.x, pixel.y);
        }
    }
    if rules.has_sticks()
        && let Some((_, place)) = sticks.iter().find(|(stick, _)| stick.0 == 0)
        && let Some(pixel) = pixel(place.translation() + Vec3::Y * 0.05)
    {
        let _ = write!(text, "\nsticks {:.1} {:.1}", pixel.x, pixel.y);
    }
    text
}
