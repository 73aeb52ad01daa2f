//! The app without a window: the same plugins, no renderer. Pointer events take
//! the same path as a mouse's. The pieces in the scene are compared with the
//! rules after every ply.

mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod editor;
mod endurance;
mod every_action;
mod feedback;
mod files;
mod frames;
mod games;
mod headless;
mod input;
mod italian;
mod lessons;
mod looks;
mod matches;
#[path = "../fuzz/mutate.rs"]
mod mutate;
mod online;
mod picture;
mod practice;
mod programs;
mod puzzles;
mod replays;
#[path = "../fuzz/runner.rs"]
mod runner;
mod settings;
mod settings_fuzz;
mod touch;
mod tutor;
mod undo;
mod views;

use std::{collections::BTreeMap, time::Duration};

use bevy::{prelude::*, window::WindowCloseRequested};
use headless::Headless;
use tabulae::{
    app::{
        analysis::{Analysis, Evaluation, PositionEvaluation},
        commands::{Chord, Command},
        core::{
            actions::{
                Action, Direction, EditorAction, ExplorerSource, ExportOptions, GameAction,
                ReplayAction, UiAction, ViewAction,
            },
            notice::Notices,
            redraw::NextFrame,
            states::{Dialog, Prompt, Screen},
        },
        game::{
            board_flip::FlipOffered, files::OpenedFile, opponent::EngineThinking, referee::Referee,
        },
        replay::Replay,
        scene::{
            api::{
                AnimationSpeed, Highlights, LitCorridors, MotionStatus, Pointed, SceneCommand,
                ViewportInsets,
            },
            components::{Captured, CastingStick, King, OnSquare, Owner, Piece, Soldier},
            plies::{pieces_at, set_position_command},
        },
        settings::{
            NewGameChoice, Settings,
            options::{BoardFlip, MoveInput},
        },
    },
    engines::Level,
    games::{
        AnyMove, AnyPosition, Game as _, GameHistory, GameKind, Ply, RuleSet, Side, Square, Throw,
        Turn,
    },
    records,
    session::{
        Attempt, BoardGrid, LessonGoal, MoveStep, Outcome, PieceId, PieceKind, PositionBuilder,
        Seat, Setup, ThrowState, Thrower, click_sequences, lesson_steps, pieces_on,
    },
};

const SIZE: (u32, u32) = (1280, 720);

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// A game between two people, with this seed for its throws.
fn two_people(rules: RuleSet, seed: u64) -> Setup {
    Setup { seed: Some(seed), ..Setup::new(rules) }
}

/// The app with this game on the table.
fn start_game(setup: Setup) -> Headless {
    let mut headless = Headless::new(SIZE);
    headless.perform(GameAction::NewGame(setup));
    assert_eq!(headless.screen(), Screen::Table);
    headless
}

/// Asserts that nothing changes that would draw the panels again.
fn check_rest(headless: &mut Headless, what: &str) {
    let changes = |headless: &Headless| {
        let world = headless.app.world();
        [
            world.get_resource_ref::<Referee>().map(|changed| changed.last_changed()),
            world.get_resource_ref::<Notices>().map(|changed| changed.last_changed()),
            world.get_resource_ref::<Replay>().map(|changed| changed.last_changed()),
            world.get_resource_ref::<Analysis>().map(|changed| changed.last_changed()),
            world.get_resource_ref::<MotionStatus>().map(|changed| changed.last_changed()),
        ]
    };
    let before = changes(headless);
    headless.frames(5);
    assert_eq!(changes(headless), before, "{what} is drawn again and again");
}

/// The squares that are circled because a text names them.
fn circled(headless: &Headless) -> Vec<String> {
    let highlights = headless.get::<Highlights>();
    let judged = highlights.judged.iter().map(|(square, _)| square);
    let circles = highlights.circles.iter().map(|(square, _)| square);
    let mut squares: Vec<_> = circles.chain(judged).map(ToString::to_string).collect();
    squares.sort_unstable();
    squares.dedup();
    squares
}

/// Makes animations take no time.
fn speed_up(headless: &mut Headless) {
    headless.app.insert_resource(AnimationSpeed(None));
}

/// The pieces shown on the board, by square.
fn shown_pieces(headless: &mut Headless) -> BTreeMap<Square, (PieceId, PieceKind)> {
    let world = headless.app.world_mut();
    let mut shown = BTreeMap::new();
    for (piece, on) in world.query::<(&Piece, &OnSquare)>().iter(world) {
        let before = shown.insert(on.0, (piece.id, piece.kind));
        assert!(before.is_none(), "two pieces on {}", on.0);
    }
    shown
}

/// Asserts that the scene shows the pieces of this position.
fn check_scene(headless: &mut Headless, position: &AnyPosition) {
    let shown: BTreeMap<Square, PieceKind> =
        shown_pieces(headless).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    let rules: BTreeMap<Square, PieceKind> = pieces_on(position).into_iter().collect();
    assert_eq!(shown, rules, "scene and rules differ: {position}");
}

/// Plays a move by clicking on its squares, in the n-th of its orders.
fn click_move(headless: &mut Headless, mv: AnyMove, order: usize) {
    let sequences = click_sequences(&mv);
    for square in &sequences[order % sequences.len()] {
        let at = headless.hover(*square);
        headless.click_at(at, MouseButton::Left);
        if headless.referee().question.is_some() {
            // The first answer is the move, the second selects the piece there.
            headless.act(GameAction::Answer(0));
        }
    }
}
