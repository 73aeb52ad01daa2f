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
use common::silent::Silent;
use tabulae::{
    app::{
        acts::{Act, Asking, Sheet, Way},
        advice::Advice,
        keys::{COMMANDS, Chord},
        lesson::Lesson,
        referee::{Games, Referee, roster_at, set_cue},
        settings::{Choice, Means, Settings, Turning},
        stage::{Cue, Due, Figurine, Marks, Motion, Pace, Screen, Spot, TurnAsked},
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

fn at_table(setup: Setup) -> Silent {
    let mut silent = Silent::new(SIZE);
    silent.act(Act::NewGame(setup));
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    silent
}

fn hurry(silent: &mut Silent) {
    silent.app.insert_resource(Pace { speed: 1_000.0 });
}

/// What stands on the board in the scene: figures that can be touched.
fn scene(silent: &mut Silent) -> BTreeMap<Square, (PieceId, PieceKind)> {
    let world = silent.app.world_mut();
    let mut standing = BTreeMap::new();
    for (figurine, spot) in world.query::<(&Figurine, &Spot)>().iter(world) {
        assert_eq!(figurine.0.at, spot.0);
        let before = standing.insert(spot.0, (figurine.0.id, figurine.0.kind));
        assert!(before.is_none(), "two figures on {}", spot.0);
    }
    standing
}

fn check_scene(silent: &mut Silent, position: &AnyPosition) {
    let scene: BTreeMap<Square, PieceKind> =
        scene(silent).into_iter().map(|(at, (_, figure))| (at, figure)).collect();
    let rules: BTreeMap<Square, PieceKind> = pieces_on(position).into_iter().collect();
    assert_eq!(scene, rules, "the scene shows what the rules say: {position}");
}

/// Plays a move by clicking on its squares, in the n-th of its orders.
fn click_move(silent: &mut Silent, mv: AnyMove, order: usize) {
    let scripts = click_sequences(&mv);
    for touch in &scripts[order % scripts.len()] {
        let at = silent.aim(*touch);
        silent.click_at(at, MouseButton::Left);
        if silent.referee().question.is_some() {
            // What is meant is the step, not the piece that stands there.
            silent.act(Act::Answer(0));
        }
    }
}
