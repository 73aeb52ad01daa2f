//! Learn from your mistakes: after a game it is analysed, then the player is put
//! before each of the own mistakes on the real board, to find a better move.
//!
//! It is shown as a lesson is: the referee suspends the game on the table, which is
//! never changed, and brings it back at the end. A wrong try is answered on the board
//! by the engine and then undone.

mod actions;
mod attempt;

use crate::{
    app::{
        analysis::{Analysis, AnalysisSearches},
        core::prelude::*,
        game::{
            exercise::Attempt,
            referee::{left_table, on_table},
        },
    },
    engines::{Judgement, MoveJudge},
    session::Practice,
};

/// The practice that is on, if one is.
#[derive(Resource, Default)]
pub struct PracticeSession {
    practised: Option<PractisedGame>,
    judge: MoveJudge,
}

/// The game whose mistakes are practised.
#[derive(Clone, Debug)]
pub struct PractisedGame {
    /// The game.
    history: GameHistory<AnyPosition>,
    /// Whose mistakes count, by [`crate::games::Side::index`].
    sides: [bool; 2],
    /// The ply that was shown: its mistake comes first.
    begin_at: Option<usize>,
    /// The screen that it was started from.
    from: Screen,
    /// Whether that screen analysed the game.
    was_analysed: bool,
    /// How far it is.
    pub phase: PracticePhase,
}

/// How far the practice is.
#[derive(Clone, Debug)]
pub enum PracticePhase {
    /// The game is analysed.
    Analysing,
    /// The mistakes that the analysis suspects are searched again for longer: the plies
    /// still to check, the next one last.
    Checking {
        /// The plies.
        suspects: Vec<usize>,
        /// The mistakes so far.
        found: Vec<(usize, Judgement)>,
        /// How many of the moves could not be judged.
        unjudged: usize,
    },
    /// The exercises; after the last one the summary.
    Exercises(Exercises),
}

/// The mistakes, each as an exercise.
#[derive(Clone, Debug)]
pub struct Exercises {
    /// The exercises.
    pub practice: Practice,
    /// What happens on the board.
    pub attempt: Attempt,
    /// How many possible mistakes could not be judged.
    pub unjudged: usize,
}

impl PracticeSession {
    /// The game that is practised.
    pub const fn game(&self) -> Option<&PractisedGame> {
        self.practised.as_ref()
    }
}

#[cfg(test)]
impl PracticeSession {
    /// A practice on a game at this point.
    pub(crate) fn at(history: GameHistory<AnyPosition>, phase: PracticePhase) -> Self {
        let (sides, from, was_analysed) = ([true; 2], Screen::Table, false);
        let game = PractisedGame { history, sides, begin_at: None, from, was_analysed, phase };
        Self { practised: Some(game), judge: MoveJudge::default() }
    }
}

impl PractisedGame {
    /// The exercises, once the mistakes are known.
    pub const fn exercises(&self) -> Option<&Exercises> {
        match &self.phase {
            PracticePhase::Exercises(exercises) => Some(exercises),
            PracticePhase::Analysing | PracticePhase::Checking { .. } => None,
        }
    }

    /// How many positions are evaluated of how many; nothing to tell in Tablan, which
    /// is reviewed as a whole.
    pub fn progress(&self, analysis: &Analysis) -> Option<[usize; 2]> {
        (!is_tablan(&self.history)).then(|| analysis.progress(&self.history))
    }

    /// Whether the mistake of this ply counts: one of these sides', or the one shown.
    fn is_own(&self, ply: usize) -> bool {
        if self.begin_at == Some(ply) {
            return true;
        }
        let mover = ply.checked_sub(1).and_then(|before| self.history.at(before));
        mover.is_some_and(|position| self.sides[position.side().index()])
    }
}

fn is_tablan(history: &GameHistory<AnyPosition>) -> bool {
    matches!(history.start(), AnyPosition::Tablan(_))
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PracticeSession>()
        .add_systems(Update, actions::apply.in_set(AppSet::Files))
        .add_systems(
            Update,
            attempt::advance
                .run_if(in_state(Screen::Table).and_then(on_table(OnTable::Practice)))
                .in_set(AppSet::Engines)
                .after(AnalysisSearches),
        )
        .add_systems(
            Update,
            actions::end.run_if(left_table(OnTable::Practice)).in_set(AppSet::Report),
        );
}
