//! The app without a window: the same plugins, no renderer. Pointer events on
//! squares play whole scripted games of each kind, through the same path as a
//! mouse, and what stands on the table is compared with the rules at every
//! ply.
#![cfg(feature = "app")]

mod asked;
mod back;
mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod editor;
mod every_act;
mod files;
mod games;
mod hands;
mod lessons;
mod replays;
mod settings;
mod touch;
mod views;

use std::{collections::BTreeMap, time::Duration};

use bevy::{
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};
use common::headless::Headless;
use tabulae::{
    app::{
        analysis::Analysis,
        core::{
            actions::{
                Action, Direction, EditorAction, GameAction, ReplayAction, UiAction, ViewAction,
            },
            redraw::NextRedraw,
            states::{Dialog, Prompt, Screen},
        },
        game::referee::{OpenedFile, Referee},
        lesson::Lesson,
        scene::{
            api::{
                AnimationSpeed, FlipOffered, Highlights, MotionStatus, OnSquare, Piece,
                SceneCommand,
            },
            plies::{pieces_at, set_position_command},
        },
        settings::{
            NewGameChoice, Settings,
            key_bindings::{Chord, KEY_COMMANDS},
            options::{BoardFlip, MoveInput},
        },
    },
    engines::Level,
    games::{AnyMove, AnyPosition, GameHistory, GameKind, Ply, RuleSet, Side, Square, Turn},
    records,
    table::{
        Attempt, BoardGrid, LessonGoal, Outcome, PieceId, PieceKind, PositionBuilder, Seat, Setup,
        ThrowState, click_sequences, lesson_steps, pieces_on,
    },
};

const SIZE: (u32, u32) = (1280, 720);

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn persons(rules: RuleSet, seed: u64) -> Setup {
    Setup { seed: Some(seed), ..Setup::new(rules) }
}

fn at_table(setup: Setup) -> Headless {
    let mut headless = Headless::new(SIZE);
    headless.act(Action::Game(GameAction::NewGame(setup)));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    headless
}

fn hurry(headless: &mut Headless) {
    headless.app.insert_resource(AnimationSpeed { speed: 1_000.0 });
}

/// What stands on the board in the scene: figures that can be touched.
fn scene(headless: &mut Headless) -> BTreeMap<Square, (PieceId, PieceKind)> {
    let world = headless.app.world_mut();
    let mut standing = BTreeMap::new();
    for (figurine, spot) in world.query::<(&Piece, &OnSquare)>().iter(world) {
        assert_eq!(figurine.0.at, spot.0);
        let before = standing.insert(spot.0, (figurine.0.id, figurine.0.kind));
        assert!(before.is_none(), "two figures on {}", spot.0);
    }
    standing
}

fn check_scene(headless: &mut Headless, position: &AnyPosition) {
    let scene: BTreeMap<Square, PieceKind> =
        scene(headless).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    let rules: BTreeMap<Square, PieceKind> = pieces_on(position).into_iter().collect();
    assert_eq!(scene, rules, "the scene shows what the rules say: {position}");
}

/// Plays a move by clicking on its squares, in the n-th of its orders.
fn click_move(headless: &mut Headless, mv: AnyMove, order: usize) {
    let scripts = click_sequences(&mv);
    for touch in &scripts[order % scripts.len()] {
        let at = headless.aim(*touch);
        headless.click_at(at, MouseButton::Left);
        if headless.referee().question.is_some() {
            // What is meant is the step, not the piece that stands there.
            headless.act(Action::Game(GameAction::Answer(0)));
        }
    }
}
