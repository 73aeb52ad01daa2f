//! What the panels remember for themselves. None of it is the game's.

use bevy::prelude::*;

use crate::{
    app::{
        core::{actions::Action, notice::Notice, states::Dialog},
        game::referee::Referee,
        settings::NewGameChoice,
    },
    engines::Level,
    games::RuleSet,
    i18n::{lookup, tr},
    table::{SavedGame, Seat},
};

/// The panels' own memory.
#[derive(Resource, Debug, Default)]
pub(crate) struct UiState {
    /// What the title screen would start.
    pub(crate) choice: NewGameChoice,
    /// The sheet that is open.
    pub(crate) open: Option<Dialog>,
    /// The sheet that was open in the last frame.
    pub(crate) shown: Option<Dialog>,
    /// The kept games as they were when their sheet was opened, and whether
    /// there are more.
    pub(crate) recent: (Vec<SavedGame>, bool),
    /// Whether they have to be listed anew.
    pub(crate) stale: bool,
    /// The move being typed.
    pub(crate) typed: String,
    /// What is wrong with the position that was typed.
    pub(crate) mistyped: Option<String>,
    /// Whether the list of moves is shown where there is room for the board
    /// or the list only.
    pub(crate) list: bool,
    /// Whether there was an analysis when a game was last shown.
    analysed: bool,
    /// What waits for a yes.
    pub(crate) confirm: Option<Confirm>,
    /// The notice being shown.
    pub(crate) notice: Shown,
    /// The length of the game whose closing banner was put away.
    pub(crate) end_seen: Option<usize>,
    /// The length of the game whose closing banner is shown.
    pub(crate) banner: Option<usize>,
    /// The ply the move list was last scrolled to.
    pub(crate) scrolled: Option<usize>,
    /// Whether the record being opened is to be analysed at once.
    pub(crate) analyse: bool,
    /// What is being called out.
    pub(crate) call: Call,
    /// The game that the title offers to go back to.
    pub(crate) offered: Option<Offer>,
    /// For how many frames more the title offers the keyboard to its Play
    /// button: large text is laid out in the second frame.
    pub(crate) greeting: u8,
    /// The key that is being changed: of which command, and which of its keys.
    pub(crate) catching: Option<super::dialogs::keys::Catching>,
    /// What is to be said about a command's keys: a conflict.
    pub(crate) key_word: Option<(&'static str, String)>,
}

impl UiState {
    /// An analysis that begins is seen: where there is little room the list of
    /// moves gives way.
    pub(crate) const fn make_room(&mut self, analysis: bool, tight: bool) {
        if tight && analysis && !self.analysed {
            self.list = false;
        }
        self.analysed = analysis;
    }

    /// Whether something is written over the board that can be put away.
    pub(crate) const fn covers(&self) -> bool {
        self.notice.visible || self.banner.is_some()
    }

    /// Puts away what lies on top of what is written over the board.
    pub(crate) fn dismiss(&mut self) {
        if self.notice.visible {
            (self.notice.visible, self.notice.closed) = (false, true);
        } else if self.banner.is_some() {
            self.end_seen = self.banner.take();
        }
    }

    /// Asks for a yes before `act` where it would take an unfinished game that
    /// is in no file off the table. (A kept game is never lost.)
    pub(crate) fn guard(&mut self, act: Action, referee: &Referee, asked: &mut Vec<Action>) {
        let lost = referee.table.as_ref().is_some_and(|table| {
            !referee.saved
                && !referee.kept
                && !referee.lesson
                && !table.history().is_empty()
                && table.outcome().is_none()
        });
        if lost {
            self.confirm = Some(Confirm::Leave(act));
        } else {
            asked.push(act);
        }
    }
}

/// A game on the table, as the title offers it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    /// Its rules.
    pub(crate) rules: RuleSet,
    /// How many plies it has.
    pub(crate) plies: usize,
    /// Whether it is over.
    pub(crate) over: bool,
}

/// A question whose answer cannot be taken back.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Confirm {
    /// Give the game up.
    Resign,
    /// Do this, though the game on the table is not saved.
    Leave(Action),
    /// Throw this kept game away, which is called so.
    Forget(std::path::PathBuf, String),
}

/// What is being called out over the scene, and since when (in seconds).
#[derive(Debug, Default)]
pub(crate) struct Call {
    /// How many plies had been shown when it was last looked at.
    pub(crate) heard: usize,
    /// The seed whose lot was called out.
    pub(crate) lot: Option<u64>,
    /// The words, and the time they were first shown.
    pub(crate) words: Option<(String, f64)>,
}

/// The notice being shown.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// Which one.
    pub(crate) notice: Option<Notice>,
    /// Since when (in seconds).
    pub(crate) since: f64,
    /// Whether it was closed.
    pub(crate) closed: bool,
    /// Whether it is on the screen.
    pub(crate) visible: bool,
}

/// Everybody who can take a seat.
pub(crate) fn sitters() -> impl Iterator<Item = (Seat, &'static str)> {
    std::iter::once((Seat::Person, tr("seat.person"))).chain(Level::ALL.into_iter().map(|level| {
        let title = lookup(&format!("seat.{}", level.id())).unwrap_or(level.title());
        (Seat::Engine(level), title)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::core::actions::GameAction;
    use crate::table::{GameSession, Setup};

    #[test]
    fn an_unfinished_game_in_no_file_is_not_left_without_a_yes() {
        let setup = Setup { seats: [Seat::Person; 2], ..NewGameChoice::default().setup() };
        let (mut desk, mut asked) = (UiState::default(), Vec::new());
        let mut referee = Referee::default();
        referee.table = Some(GameSession::new(setup));
        desk.guard(Action::Game(GameAction::Rematch), &referee, &mut asked);
        assert_eq!(asked, [Action::Game(GameAction::Rematch)], "nothing has been played yet");

        let table = referee.table.as_mut().unwrap();
        let first = table.history().legal_moves()[0];
        table.play(first).unwrap();
        desk.guard(Action::Game(GameAction::Rematch), &referee, &mut asked);
        assert_eq!(asked.len(), 1);
        assert_eq!(desk.confirm, Some(Confirm::Leave(Action::Game(GameAction::Rematch))));

        referee.saved = true;
        desk.guard(Action::Game(GameAction::Rematch), &referee, &mut asked);
        assert_eq!(asked.len(), 2);

        (referee.saved, referee.kept) = (false, true);
        desk.guard(Action::Game(GameAction::Rematch), &referee, &mut asked);
        assert_eq!(asked.len(), 3, "it stays among the kept games");
    }
}
