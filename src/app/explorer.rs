//! The opening explorer: the moves that games played at the position on the board.
//!
//! The games are those of the shipped book, or the user's own saved games. Each frame
//! reads only a few of these, so that none is late however many there are.

use bevy::platform::time::Instant;

use super::{
    analysis::AnalysisSearches, core::actions::ExplorerSource, game::autosave::Autosave,
    replay::Replay,
};
use crate::{
    app::core::prelude::*,
    session::{Book, BookCounts, BookMove, GameHit, GameIndex, SaveStore, storage},
};

/// How long a frame reads saved games.
const READING_TIME: Duration = Duration::from_millis(8);

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

    /// Begins to read the saved games again.
    fn read_games(&mut self, store: Option<&SaveStore>) {
        self.index = GameIndex::default();
        self.position = None;
        let files = store.map_or_else(Vec::new, |store| storage::files(store.folder()));
        self.unread = files.into_iter().map(|(_, path)| path).collect();
        self.unread.retain(|path| path.extension().is_some_and(|extension| extension == "tab"));
        self.unread.sort_unstable();
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Explorer>()
        .add_systems(Update, apply_actions.in_set(AppSet::ApplyActions))
        .add_systems(
            Update,
            (read, look_up.run_if(in_state(Screen::Replay)))
                .chain()
                .after(AnalysisSearches)
                .in_set(AppSet::Engines),
        );
}

fn apply_actions(
    mut actions: MessageReader<ViewAction>,
    mut explorer: ResMut<Explorer>,
    autosave: Res<Autosave>,
) {
    for action in actions.read() {
        match action {
            ViewAction::ToggleExplorer => explorer.is_open = !explorer.is_open,
            ViewAction::SetExplorerSource(source) => explorer.source = *source,
            _ => continue,
        }
        explorer.position = None;
        if explorer.is_open && explorer.source == ExplorerSource::OwnGames {
            explorer.read_games(autosave.store());
        } else {
            explorer.unread.clear();
        }
    }
}

/// Reads saved games for a part of the frame, and keeps the frames coming until all are
/// read. A file that cannot be read is left out.
fn read(mut explorer: ResMut<Explorer>, mut next: ResMut<NextFrame>) {
    if !explorer.is_reading() {
        return;
    }
    let start = Instant::now();
    while let Some(path) = explorer.unread.pop() {
        _ = explorer.index.add_file(&path);
        if start.elapsed() > READING_TIME {
            break;
        }
    }
    explorer.position = None;
    next.at_once();
}

fn look_up(mut explorer: ResMut<Explorer>, replay: Res<Replay>) {
    if !explorer.is_open {
        return;
    }
    let position = replay.history().and_then(|history| history.at(replay.ply));
    if let Some(position) = position
        && explorer.position.as_ref() != Some(position)
    {
        explorer.show(position);
    }
}
