//! Learn from your mistakes: after a game it is analysed, then the player is put
//! before each of the own mistakes on the real board, to find a better move.
//!
//! It is shown as a lesson is: the game on the table is suspended (`SuspendedGame`), never
//! changed, and comes back at the end. A wrong try is answered on the board
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
    engines::MoveJudge,
    session::Practice,
};

/// The practice that is on, if one is.
#[derive(Resource, Default)]
pub struct PracticeSession {
    practised: Option<PractisedGame>,
    /// The finished games before it that may have mistakes, the newest last.
    earlier: Vec<OwnGame>,
    judge: MoveJudge,
    /// Judges the moves of the game, while its mistakes found so far are practised.
    checker: MoveJudge,
}

/// A finished game of a person at this table, among the saves.
#[derive(Clone, Debug)]
struct OwnGame {
    /// The id of its result.
    id: String,
    file: PathBuf,
    /// The number of the game in its file.
    number: usize,
}

/// The game whose mistakes are practised.
#[derive(Clone, Debug)]
pub struct PractisedGame {
    /// The game.
    game: GameSession,
    /// The id of its result, where that is known.
    id: Option<String>,
    /// Whose mistakes count, by [`crate::games::Side::index`].
    sides: [bool; 2],
    /// The ply that was shown: its mistake comes first.
    begin_at: Option<usize>,
    /// The screen that it was started from.
    from: Screen,
    /// The search for its mistakes.
    pub search: MistakeSearch,
    /// The mistakes found so far.
    pub exercises: Exercises,
}

/// The mistakes that the analysis suspects are searched again for longer, and those found
/// are practised meanwhile.
#[derive(Clone, Debug, Default)]
pub struct MistakeSearch {
    /// Whether the whole game is analysed.
    pub is_analysed: bool,
    /// The plies still to check, the next one last.
    pub suspects: Vec<usize>,
    /// The plies that are checked.
    pub checked: Vec<usize>,
    /// How many of them could not be judged.
    pub unjudged: usize,
}

impl MistakeSearch {
    /// Whether all mistakes are found.
    pub const fn is_over(&self) -> bool {
        self.is_analysed && self.suspects.is_empty()
    }
}

/// The mistakes, each as an exercise; after the last one the summary.
#[derive(Clone, Debug)]
pub struct Exercises {
    /// The exercises.
    pub practice: Practice,
    /// What happens on the board.
    pub attempt: Attempt,
}

impl PracticeSession {
    /// The game that is practised.
    pub const fn game(&self) -> Option<&PractisedGame> {
        self.practised.as_ref()
    }

    /// Whether the practice is over and there is an earlier game to go on with.
    pub(crate) fn offers_earlier_game(&self) -> bool {
        !self.earlier.is_empty() && self.game().is_some_and(PractisedGame::is_over)
    }

    /// How much of the judgement of the player's try is done, from 0 to 1.
    pub fn judged(&self) -> Option<f32> {
        self.judge.progress()
    }
}

#[cfg(test)]
impl PracticeSession {
    /// A practice on a game at this point.
    pub(crate) fn at(
        history: GameHistory<AnyPosition>,
        search: MistakeSearch,
        exercises: Exercises,
    ) -> Self {
        let game = PractisedGame::new(GameSession::exercise(history));
        let game = PractisedGame { search, exercises, ..game };
        Self { practised: Some(game), ..Self::default() }
    }

    /// Its exercises.
    pub(crate) fn exercises_mut(&mut self) -> Option<&mut Exercises> {
        self.practised.as_mut().map(|game| &mut game.exercises)
    }

    /// No mistake was found, and there is an earlier game.
    pub(crate) fn end_without_mistakes(&mut self) {
        self.practised.as_mut().expect("a practice").search.is_analysed = true;
        let id = String::new();
        self.earlier = vec![OwnGame { id, file: PathBuf::new(), number: 1 }];
    }

    /// How many earlier games may have mistakes.
    pub(crate) fn earlier_games(&self) -> usize {
        self.earlier.len()
    }
}

impl PractisedGame {
    /// A game of which nothing is known yet. Where no person plays, the mistakes of both
    /// sides count.
    fn new(game: GameSession) -> Self {
        let practice = Practice::new(game.history().clone(), []);
        let persons = game.seats().map(|seat| seat == Seat::Person);
        let sides = if persons.contains(&true) { persons } else { [true; 2] };
        Self {
            game,
            id: None,
            sides,
            begin_at: None,
            from: Screen::Table,
            search: MistakeSearch::default(),
            exercises: Exercises { practice, attempt: Attempt::Waiting },
        }
    }

    /// The game as it was played.
    pub const fn game(&self) -> &GameSession {
        &self.game
    }

    const fn history(&self) -> &GameHistory<AnyPosition> {
        self.game.history()
    }

    /// Whether all moves are judged, and none is a mistake.
    pub fn has_no_mistakes(&self) -> bool {
        self.search.is_over() && self.exercises.practice.is_empty() && self.search.unjudged == 0
    }

    /// Whether all mistakes are found and practised.
    pub fn is_over(&self) -> bool {
        self.search.is_over() && self.exercises.practice.exercise().is_none()
    }

    /// How many positions are evaluated of how many, or suspected mistakes checked; nothing
    /// to tell in Tablan, which is reviewed as a whole.
    pub fn progress(&self, analysis: &Analysis) -> Option<[usize; 2]> {
        let MistakeSearch { is_analysed, suspects, checked, .. } = &self.search;
        match is_analysed {
            true => Some([checked.len(), checked.len() + suspects.len()]),
            false => (!is_tablan(self.history())).then(|| analysis.progress(self.history())),
        }
    }

    /// Where a mistake stands in the practice: the one shown is the first, and those before
    /// it come last.
    fn place(&self, ply: usize) -> (bool, usize) {
        (self.begin_at.is_some_and(|begin| ply < begin), ply)
    }

    /// Whether the mistake of this ply counts: one of these sides', or the one shown.
    fn is_own(&self, ply: usize) -> bool {
        if self.begin_at == Some(ply) {
            return true;
        }
        let mover = ply.checked_sub(1).and_then(|before| self.history().at(before));
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
