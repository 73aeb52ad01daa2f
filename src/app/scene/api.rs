//! The seam between the game and the scene.
//!
//! The scene knows no rules: it is told what stands where ([`SceneCommand::Set`]), what
//! a ply does ([`SceneCommand::Play`]), which squares to mark ([`Highlights`]) and how fast
//! to move ([`AnimationSpeed`]). It tells back whether anything is still moving
//! ([`MotionStatus`]), and gives what can be touched its [`OnSquare`].

use std::collections::BTreeSet;

use bevy::prelude::*;

use crate::{
    games::{RuleSet, Square, Throw},
    table::{Effect, Standing},
};

/// An order to the scene.
#[derive(Message, Clone, Debug)]
pub enum SceneCommand {
    /// Set the table at once, without motion. Figures with an identity that
    /// stands already are kept and moved; others come and go. Drops all
    /// running animations.
    Set {
        /// Whose board.
        rules: RuleSet,
        /// What stands on it.
        figures: Vec<Standing>,
        /// What was captured, in that order, and lies in the trays.
        captured: Vec<Standing>,
        /// What the sticks show, if they lie on the table.
        sticks: Option<Throw>,
    },
    /// Play what a ply does, after everything cued before.
    Play {
        /// In order.
        effects: Vec<Effect>,
        /// Varies the look of a throw; the same number, the same tumble.
        tumble: u64,
    },
    /// Bring every running and waiting animation to its end at once.
    Finish,
}

/// Something of the scene that stands for a square: the plot itself, or the
/// figure on it. What can be touched carries one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnSquare(pub Square);

/// One of the four casting sticks.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(ThrowTarget)]
pub struct Stick(pub usize);

/// Touching it throws the sticks: them, or the light they wait on.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThrowTarget;

/// A piece, stone or pavilion of the scene.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece(pub Standing);

/// Which squares are marked, and how. The scene draws it, others write it.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlights {
    /// Under the pointer; shown only where a touch would do something.
    pub hovered: Option<Square>,
    /// Whether the sticks are under the pointer.
    pub sticks_hovered: bool,
    /// What could be touched first (shown quietly).
    pub touchable: BTreeSet<Square>,
    /// Chosen so far, in order.
    pub chosen: Vec<Square>,
    /// Where the chosen piece can go, or which piece can be chosen next.
    pub reachable: BTreeSet<Square>,
    /// The squares of the last move.
    pub last: Vec<Square>,
    /// Warned of: what can be captured, where a pavilion can rise.
    pub noted: Vec<Square>,
    /// Where a hint would have something put.
    pub advised: Vec<Square>,
    /// Where the next best lines would, by their rank from 1.
    pub lesser: Vec<(Square, u8)>,
    /// Arrows from square to square.
    pub arrows: Vec<Arrow>,
    /// The keyboard's cursor.
    pub cursor: Option<Square>,
    /// Whether the sticks wait to be thrown by a person.
    pub sticks: bool,
}

/// An arrow over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrow {
    /// What a hint would move.
    Analysis(Square, Square),
    /// What one of the next best lines would, by its rank from 1.
    Lesser(Square, Square, u8),
    /// What could happen next.
    Way(Square, Square),
}

impl Highlights {
    /// Nothing marked, but where the hands are: pointer and cursor.
    #[must_use]
    pub fn kept(&self) -> Self {
        Self {
            hovered: self.hovered,
            sticks_hovered: self.sticks_hovered,
            cursor: self.cursor,
            ..Self::default()
        }
    }
}

/// How fast things move.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct AnimationSpeed {
    /// Times the usual speed; above 100 everything is at once.
    pub speed: f32,
}

impl Default for AnimationSpeed {
    fn default() -> Self {
        Self { speed: 1.0 }
    }
}

/// Whether anything on the table is moving, or waiting to.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionStatus {
    /// Plies cued and not yet shown to their end.
    pub waiting: usize,
    /// Plies shown to their end since the last [`SceneCommand::Set`].
    pub shown: usize,
}

impl MotionStatus {
    /// Whether something still moves.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.waiting > 0
    }
}

/// Whether two people at one screen are asked to turn the table.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlipOffered(pub bool);

/// Whether the course of Tablan's pieces is shown on the board.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CourseShown(pub bool);

/// The part of the window that panels leave free for the scene, in logical
/// pixels from each edge.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewportInsets {
    /// From the left edge.
    pub left: f32,
    /// From the right edge.
    pub right: f32,
    /// From the top edge.
    pub top: f32,
    /// From the bottom edge.
    pub bottom: f32,
}

/// What the camera should turn towards, calmly: the squares of what happens. None
/// leaves it where it is.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct CameraFocus(pub Vec<Square>);
