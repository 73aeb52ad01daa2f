//! The opening explorer.

use bevy::prelude::App;

use crate::{
    app::{
        core::actions::{Action, ExplorerSource, GameAction, ReplayAction, ViewAction},
        explorer::Explorer,
        game::autosave::Autosave,
        headless,
        replay::Replay,
    },
    games::Side,
};

#[test]
fn the_users_games_that_reached_the_position_are_counted_and_opened_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let write = |name: &str, moves: &str| {
        let tags = "[Rules \"tablaaza\"]\n[Termination \"resignation\"]";
        std::fs::write(file(name), format!("{tags}\n\n{moves}\n"))
    };
    write("one.tab", "1. c7 c6 2. a1 0-1").expect("written");
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
    assert!(explorer.moves.iter().all(|mv| mv.counts.games == 2), "{:?}", explorer.moves);

    act(&mut app, GameAction::TypeMove("c7".to_owned()).into());
    let explorer = app.world().resource::<Explorer>();
    assert_eq!(explorer.counts.wins[Side::First.index()], 1);
    let replies: Vec<_> = explorer.moves.iter().map(|mv| mv.counts.games).collect();
    assert_eq!(replies.first(), Some(&2), "{replies:?}");

    let (path, game, ply) = (file("two.tab"), 1, 1);
    act(&mut app, ReplayAction::OpenAt { path, game, ply }.into());
    let replay = app.world().resource::<Replay>();
    assert_eq!((replay.ply, replay.ply_count()), (1, 2));
}
