//! The interface between the scene and the rest of the app.
//!
//! The scene knows no rules. It is told what stands on the board
//! ([`SceneCommand::SetPosition`]), what a ply does ([`SceneCommand::PlayPly`]),
//! which squares to highlight ([`Highlights`], [`LitCorridors`], [`Pointed`]) and how fast
//! to animate ([`AnimationSpeed`]). It reports whether something still moves
//! ([`MotionStatus`]) or is still being prepared ([`SceneReady`]). What stands on the
//! table can be asked of its entities ([`components`](super::components)).

use std::collections::BTreeSet;

use crate::{
    app::{core::prelude::*, settings::options::TimeOfDay},
    records::ShapeColor,
    session::{Effect, MoveStep, PlacedPiece, last_captures, last_move_steps},
};

/// A command to the scene.
#[derive(Message, Clone, Debug)]
pub enum SceneCommand {
    /// Show a position at once, without animation. A piece whose identity is
    /// already on the board keeps its entity; others are spawned or despawned.
    /// Drops all running and queued animations.
    SetPosition(ShownPosition),
    /// Animate a ply, after all animations already queued.
    PlayPly(ShownPly),
    /// Bring all running and queued animations to their end at once.
    SkipAnimations,
}

/// What stands on the table.
#[derive(Clone, Debug)]
pub struct ShownPosition {
    /// Whose board to show.
    pub rules: RuleSet,
    /// The pieces on the board.
    pub pieces: Vec<PlacedPiece>,
    /// The captured pieces in order of capture; they stand in the trays.
    pub captured: Vec<PlacedPiece>,
    /// What the sticks show; `None` if they have not been thrown.
    pub sticks: Option<Throw>,
}

/// A ply that is animated.
#[derive(Clone, Debug)]
pub struct ShownPly {
    /// What it does, in order.
    pub effects: Vec<Effect>,
    /// Seed of a throw's animation: equal seeds give equal motion.
    pub tumble_seed: u64,
}

/// The last position that the commands of a frame set up.
#[derive(SystemParam)]
pub(crate) struct NewPosition<'w, 's>(MessageReader<'w, 's, SceneCommand>);

impl NewPosition<'_, '_> {
    /// The position, once; none if no command sets one up.
    pub(crate) fn read(&mut self) -> Option<&ShownPosition> {
        let positions = self.0.read().filter_map(|command| match command {
            SceneCommand::SetPosition(position) => Some(position),
            SceneCommand::PlayPly(_) | SceneCommand::SkipAnimations => None,
        });
        positions.last()
    }
}

/// What the pointer and the keyboard are at. It changes with every movement of the mouse,
/// and so is kept apart from the [`Highlights`].
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointed {
    /// The square under the pointer. It is marked only if a click on it has an effect.
    pub square: Option<Square>,
    /// Whether the pointer is over the sticks.
    pub sticks: bool,
    /// The keyboard cursor.
    pub cursor: Option<Square>,
}

/// What to highlight on the board, layer by layer. The scene draws it; the
/// game, the replay and the editor write it.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlights {
    /// Squares that can be selected; drawn subtly, pieces only where they are few.
    pub selectable: BTreeSet<Square>,
    /// Squares selected so far, in order.
    pub selected: Vec<Square>,
    /// Where the selected piece can go, or which piece can be selected next.
    pub reachable: BTreeSet<Square>,
    /// The first half of a pair of moves, which is chosen but not played: the piece stands
    /// on the second square, and its ghost on the first.
    pub chosen_step: Option<(Square, Square)>,
    /// The steps of the last move, in order.
    pub last_move: Vec<MoveStep>,
    /// The squares that the last move has emptied by capture.
    pub captured: Vec<Square>,
    /// Squares to warn of.
    pub warned: Vec<Square>,
    /// Squares to recommend.
    pub hinted: Vec<Square>,
    /// Squares of the next-best recommendations, with their rank from 1.
    pub ranked: Vec<(Square, u8)>,
    /// Circles that the user drew.
    pub circles: Vec<(Square, ShapeColor)>,
    /// Squares of a move of which the texts say what it is worth.
    pub judged: Vec<(Square, MoveMark)>,
    /// Arrows between squares.
    pub arrows: Vec<Arrow>,
    /// Whether the sticks wait for the user to throw them.
    pub sticks_ready: bool,
}

/// What the texts beside the board say of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveMark {
    /// It was played in the game: a mistake.
    Played,
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
}

impl MoveMark {
    /// The lines of its sign, in a circle of radius 1: a question mark, a tick or a cross. The
    /// second coordinate points down.
    pub(crate) const fn sign(self) -> &'static [&'static [(f32, f32)]] {
        match self {
            Self::Played => &[
                &[
                    (-0.36, -0.3),
                    (-0.2, -0.56),
                    (0.2, -0.56),
                    (0.36, -0.3),
                    (0.0, 0.02),
                    (0.0, 0.2),
                ],
                &[(0.0, 0.52), (0.0, 0.54)],
            ],
            Self::Right => &[&[(-0.45, 0.0), (-0.12, 0.36), (0.48, -0.4)]],
            Self::Wrong => &[&[(-0.38, -0.38), (0.38, 0.38)], &[(-0.38, 0.38), (0.38, -0.38)]],
        }
    }
}

impl Highlights {
    /// Whether the user is to choose a square or to throw the sticks.
    pub(crate) fn awaits_click(&self) -> bool {
        self.sticks_ready || !self.selectable.is_empty() || !self.selected.is_empty()
    }
}

/// The corridors of squares where a pavilion may rise, or has risen just now.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct LitCorridors(pub Vec<Corridors>);

/// The squares that decide about a pavilion on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corridors {
    /// The square.
    pub of: Square,
    /// The squares that must be filled, each with whether it is.
    pub squares: Vec<(Square, bool)>,
}

impl Corridors {
    /// How many of the squares are filled.
    pub fn filled(&self) -> usize {
        self.squares.iter().filter(|(_, is_filled)| *is_filled).count()
    }
}

/// An arrow from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrow {
    /// A recommended move.
    Hint(Square, Square),
    /// A next-best move, with its rank from 1.
    Ranked(Square, Square, u8),
    /// A move to warn of.
    Warning(Square, Square),
    /// An arrow that the user drew.
    Drawn(Square, Square, ShapeColor),
    /// The way of a piece in the last move, beside the middle of its squares on the
    /// given side: -1, 0 or 1.
    Moved(Square, Square, i8),
}

impl Arrow {
    /// The squares it goes from and to.
    pub(crate) const fn squares(self) -> (Square, Square) {
        let (Self::Hint(from, to)
        | Self::Ranked(from, to, _)
        | Self::Warning(from, to)
        | Self::Drawn(from, to, _)
        | Self::Moved(from, to, _)) = self;
        (from, to)
    }
}

impl Highlights {
    /// Marks the last move within the first `plies` plies of the game, and its captures.
    pub(crate) fn mark_last_move(&mut self, history: &GameHistory<AnyPosition>, plies: usize) {
        self.last_move = last_move_steps(history, plies);
        self.captured = last_captures(history, plies);
    }

    /// Only the marks of the last move.
    pub(crate) fn of_last_move(history: &GameHistory<AnyPosition>, plies: usize) -> Self {
        let mut highlights = Self::default();
        highlights.mark_last_move(history, plies);
        highlights
    }
}

/// What the player's hand holds: it follows the pointer.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Hand(pub Option<InHand>);

impl Hand {
    /// The square of the piece that is held.
    pub(crate) fn piece(&self) -> Option<Square> {
        match self.0?.what {
            Holdable::Piece(from) => Some(from),
            Holdable::Stone(_) | Holdable::Sticks => None,
        }
    }

    /// The side whose stone is held.
    pub(crate) fn stone(&self) -> Option<Side> {
        match self.0?.what {
            Holdable::Stone(side) => Some(side),
            Holdable::Piece(_) | Holdable::Sticks => None,
        }
    }

    /// Whether the sticks are held.
    pub(crate) fn has_sticks(&self) -> bool {
        self.0.is_some_and(|held| held.what == Holdable::Sticks)
    }
}

/// What is held, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InHand {
    /// What is held.
    pub what: Holdable,
    /// Where the pointer is, in logical pixels of the window.
    pub pointer: Vec2,
    /// Whether the pointer is a finger, which hides what is under it.
    pub by_finger: bool,
}

/// What can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holdable {
    /// A piece, which still stands for its square.
    Piece(Square),
    /// A side's stone, on its way from beside the board to a square that is not chosen yet.
    Stone(Side),
    /// The casting sticks.
    Sticks,
}

/// Whether the right button draws on the board, so that it does not turn the camera.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct IsDrawing(pub(crate) bool);

/// How fast animations play, as a factor of the usual speed; without one, nothing is
/// animated.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct AnimationSpeed(pub Option<f32>);

impl AnimationSpeed {
    /// Which part of its way to a goal something makes that eases there, in a time given in
    /// time constants.
    pub(crate) fn share(self, time: f32) -> f32 {
        if self.0.is_some() { 1.0 - (-time).exp() } else { 1.0 }
    }
}

impl Default for AnimationSpeed {
    fn default() -> Self {
        Self(Some(1.0))
    }
}

/// How many plies are being animated or queued.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionStatus {
    /// Plies received and not yet shown to their end.
    pub pending: usize,
    /// Whether the last ply has only just been shown: the eye rests on it before the
    /// computer answers.
    pub rests: bool,
    /// Whether the sticks fly, or have only just come to rest.
    pub throws: bool,
}

impl MotionStatus {
    /// Whether something still moves.
    pub const fn is_busy(&self) -> bool {
        self.pending > 0
    }
}

/// Whether the scene can be drawn in full: the board is painted and the render
/// pipelines it needs are compiled. Updated at the start of each frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneReady(pub bool);

/// The side that sits near: the board is seen from its seat. The first side has rank 1.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NearSide(pub(crate) Side);

impl Default for NearSide {
    fn default() -> Self {
        Self(Side::First)
    }
}

impl NearSide {
    /// A place on the table with its right at the right of the player who sits there.
    pub(crate) const fn seen_from_seat(self, at: Vec3) -> Vec3 {
        match self.0 {
            Side::First => at,
            Side::Second => Vec3::new(-at.x, at.y, -at.z),
        }
    }
}

/// Whether the board is drawn flat from above, as in a printed book.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlatView(pub bool);

/// Whether the course of Tablan's pieces is shown by arrows.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CourseShown {
    /// What the player chose.
    pub(crate) chosen: Option<bool>,
    /// What holds until the player chooses.
    pub(crate) by_default: bool,
}

impl CourseShown {
    /// Whether it is shown now.
    pub(crate) fn is_on(self) -> bool {
        self.chosen.unwrap_or(self.by_default)
    }
}

/// Photo mode, while it is on.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Photo(pub Option<PhotoLens>);

/// How a photograph is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhotoLens {
    /// The focal length in millimetres, for a picture 24 mm high.
    pub focal_length: f32,
    /// The aperture as an f-number; without one, everything is sharp.
    pub aperture: Option<f32>,
    /// When it is taken.
    pub time: TimeOfDay,
    /// Width and height of the picture, as a ratio; without one, the window's.
    pub aspect: Option<(u16, u16)>,
}

impl Default for PhotoLens {
    fn default() -> Self {
        Self { focal_length: 50.0, aperture: Some(4.0), time: TimeOfDay::Usual, aspect: None }
    }
}

impl PhotoLens {
    /// The tangent of half the vertical angle of view.
    pub(crate) fn tangent(&self) -> f32 {
        12.0 / self.focal_length.clamp(18.0, 120.0)
    }

    /// The size of the picture in a window of this size.
    pub fn crop(&self, window: Vec2) -> Vec2 {
        let Some((width, height)) = self.aspect else { return window };
        let aspect = f32::from(width.max(1)) / f32::from(height.max(1));
        if window.x > window.y * aspect {
            Vec2::new(window.y * aspect, window.y)
        } else {
            Vec2::new(window.x, window.x / aspect)
        }
    }
}

/// The part of the window that panels cover, in logical pixels from each edge.
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

/// The squares that the camera turns towards. An empty list ends the following:
/// the camera shows the whole board again.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct CameraFocus(pub Vec<Square>);
