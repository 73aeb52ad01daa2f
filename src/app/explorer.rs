//! The opening explorer: the moves that games played at the position on the board.
//!
//! The games are those of the shipped book, or the user's own saved games. These are
//! read one file a frame, so that none is late however many there are.

use std::path::PathBuf;

use bevy::prelude::*;

use super::{
    core::{
        actions::{Action, ExplorerSource, ViewAction},
        schedule::AppSet,
        states::Screen,
    },
    game::referee::Autosave,
    replay::Replay,
};
use crate::{
    games::AnyPosition,
    table::{Book, BookCounts, BookMove, GameHit, GameIndex, SaveStore, storage},
};

/// What the explorer shows.
#[derive(Resource, Debug, Default)]
pub struct Explorer {
    /// Whether it is shown.
    pub is_open: bool,
    /// Which games it counts.
    pub source: ExplorerSource,
    /// The moves played at the position, the most frequent first.
    pub moves: Vec<BookMove>,
    /// The games that reached the position itself.
    pub counts: BookCounts,
    /// The user's games that reached the position.
    pub games: Vec<GameHit>,
    /// The position that these belong to.
    position: Option<AnyPosition>,
    index: GameIndex,
    /// Saved games that are still to be read, the newest last.
    unread: Vec<PathBuf>,
}

impl Explorer {
    /// Whether the user's games are still being read.
    #[must_use]
    pub const fn is_reading(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Looks a position up, unless it is shown already.
    fn show(&mut self, position: &AnyPosition) {
        if self.position.as_ref() == Some(position) {
            return;
        }
        match self.source {
            ExplorerSource::Book => {
                let book = Book::builtin(position.rules());
                self.moves = book.lookup(position);
                self.counts = book.counts(position).unwrap_or_default();
                self.games.clear();
            }
            ExplorerSource::OwnGames => {
                self.moves = self.index.lookup(position);
                self.counts = self.index.counts(position).unwrap_or_default();
                self.games = self.index.games(position);
            }
        }
        self.position = Some(position.clone());
    }

    /// Begins to read the saved games anew.
    fn read_games(&mut self, store: Option<&SaveStore>) {
        self.index = GameIndex::default();
        self.position = None;
        let files = store.map_or_else(Vec::new, |store| storage::files(store.folder()));
        self.unread = files.into_iter().map(|(_, path)| path).collect();
        self.unread.retain(|path| path.extension().is_some_and(|it| it == "tab"));
        self.unread.sort_unstable();
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Explorer>()
        .add_systems(Update, apply_actions.in_set(AppSet::ApplyActions))
        .add_systems(Update, (read, look_up).chain().in_set(AppSet::Engines));
}

fn apply_actions(
    mut actions: MessageReader<Action>,
    mut explorer: ResMut<Explorer>,
    autosave: Res<Autosave>,
) {
    for action in actions.read() {
        match action {
            Action::View(ViewAction::ToggleExplorer) => explorer.is_open = !explorer.is_open,
            Action::View(ViewAction::SetExplorerSource(source)) => explorer.source = *source,
            _ => continue,
        }
        explorer.position = None;
        if explorer.is_open && explorer.source == ExplorerSource::OwnGames {
            explorer.read_games(autosave.store());
        }
    }
}

/// Reads the next saved game. A file that cannot be read is left out.
fn read(mut explorer: ResMut<Explorer>) {
    if let Some(path) = explorer.bypass_change_detection().unread.pop() {
        _ = explorer.index.add_file(&path);
        explorer.position = None;
    }
}

fn look_up(mut explorer: ResMut<Explorer>, replay: Res<Replay>, screen: Res<State<Screen>>) {
    if *screen.get() != Screen::Replay || !explorer.is_open {
        return;
    }
    let position = replay.history().and_then(|history| history.at(replay.ply));
    if let Some(position) = position
        && explorer.position.as_ref() != Some(position)
    {
        explorer.show(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::{
            core::actions::{GameAction, ReplayAction},
            headless,
        },
        games::Side,
    };

    #[test]
    fn the_users_games_that_reached_the_position_are_counted_and_opened_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        let write = |name: &str, moves: &str| {
            std::fs::write(file(name), format!("[Rules \"tablaaza\"]\n\n{moves}\n"))
        };
        write("one.tab", "1. c7 c6 2. a1 *").expect("written");
        // The same by symmetry.
        write("two.tab", "1. c1 c2 1-0").expect("written");
        write("broken.tab", "1. z9 *").expect("written");
        let mut app = headless((900, 600));
        app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
        let act = |app: &mut App, action: Action| {
            app.world_mut().write_message(action);
            (0..6).for_each(|_| app.update());
        };
        act(&mut app, ReplayAction::open(file("one.tab")).into());
        act(&mut app, ViewAction::ToggleExplorer.into());
        act(&mut app, ViewAction::SetExplorerSource(ExplorerSource::OwnGames).into());
        let explorer = app.world().resource::<Explorer>();
        assert!(!explorer.is_reading());
        assert_eq!((explorer.counts.games, explorer.games.len()), (2, 2));
        assert!(explorer.moves.iter().all(|it| it.counts.games == 2), "{:?}", explorer.moves);

        act(&mut app, GameAction::TypeMove("c7".to_owned()).into());
        let explorer = app.world().resource::<Explorer>();
        assert_eq!(explorer.counts.wins[Side::First.index()], 1);
        let replies: Vec<_> = explorer.moves.iter().map(|it| it.counts.games).collect();
        assert_eq!(replies.first(), Some(&2), "{replies:?}");

        let (path, game, ply) = (file("two.tab"), 1, 1);
        act(&mut app, ReplayAction::OpenAt { path, game, ply }.into());
        let replay = app.world().resource::<Replay>();
        assert_eq!((replay.ply, replay.ply_count()), (1, 2));
    }
}
