//! The results of finished games, and the ratings that follow from them.

use super::{
    autosave::{Autosave, SaveGames},
    referee::Referee,
};
use crate::{
    app::core::prelude::*,
    session::{FinishedGame, GameAnalysis, Rating, Ratings, ResultStore, Results, SaveStore},
};

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<GameResults>().add_systems(
        Update,
        add_result.run_if(resource_changed::<Referee>).in_set(AppSet::Report).after(SaveGames),
    );
}

/// In how many games of a kind a player is new to it.
const FIRST_GAMES: usize = 3;

/// The results of this user's games. Without a store (tests, pictures) there are none.
#[derive(Resource, Debug, Default)]
pub(crate) struct GameResults {
    store: Option<ResultStore>,
    results: Results,
    ratings: Ratings,
}

impl GameResults {
    /// Opens the results beside the saves, after adding those that a kill prevented.
    /// Also returns what the user must know: lines or a file that cannot be read.
    pub(crate) fn open(saves: &SaveStore) -> (Self, Option<LocalizedMessage>) {
        let store = ResultStore::beside(saves);
        let file = |key| LocalizedMessage::new(key).with("file", store.path().display());
        let recovered = store.recover(saves);
        let (results, warning) = match recovered.and_then(|_| store.load()) {
            Ok(results) if results.damaged.is_empty() => (results, None),
            Ok(results) => {
                let lines: Vec<String> = results.damaged.iter().map(usize::to_string).collect();
                let warning = file("notice.results-damaged").with("lines", lines.join(", "));
                (results, Some(warning))
            }
            Err(error) => {
                // What can be read is shown all the same.
                let warning = file("notice.results-unread").with("error", error);
                (store.load().unwrap_or_default(), Some(warning))
            }
        };
        let ratings = Ratings::new(&results.games);
        (Self { store: Some(store), results, ratings }, warning)
    }

    /// The games, in the order in which they ended.
    pub(crate) fn games(&self) -> &[FinishedGame] {
        &self.results.games
    }

    /// Whether so few games of this kind have been finished that its player is new to it.
    pub(crate) fn is_new_to(&self, game: GameKind) -> bool {
        let is_of_kind = |finished: &&FinishedGame| finished.rules.game() == game;
        self.games().iter().filter(is_of_kind).count() < FIRST_GAMES
    }

    /// The names that persons gave themselves, the last player first.
    pub(crate) fn known_names(&self) -> Vec<String> {
        let mut names = self.person_names();
        names.retain(|name| !name.is_empty());
        names
    }

    /// The names of the persons, the last player first; a guest's is empty.
    pub(crate) fn person_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for game in self.games().iter().rev() {
            for side in Side::BOTH {
                let name = &game.names[side.index()];
                if game.seats[side.index()] == Seat::Person && !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        names
    }

    /// The ratings after all games.
    pub(crate) const fn ratings(&self) -> &Ratings {
        &self.ratings
    }

    /// A person's rating by these rules, as the game that is set up would count it.
    pub(crate) fn rating(&self, setup: &Setup, side: Side) -> Option<Rating> {
        self.ratings.current(&setup.person_name(side), setup.rules)
    }

    /// The rating of the only person of the game on the table before that game, if there
    /// was one, and after it; none while the game has no result that is rated.
    pub(crate) fn rating_change(
        &self,
        referee: &Referee,
        autosave: &Autosave,
    ) -> Option<(Option<Rating>, Rating)> {
        let table = referee.table.as_ref().filter(|table| table.outcome().is_some())?;
        let id = table.result_id(autosave.path_of(referee)?);
        let index = self.results.games.iter().position(|game| game.id == id)?;
        let name = &self.results.games[index].names[table.only_person()?.index()];
        let curve = self.ratings.curve(name, table.rules());
        let place = curve.iter().position(|(game, _)| *game == index)?;
        let before = place.checked_sub(1).map(|before| curve[before].1);
        Some((before, curve[place].1))
    }

    /// The set-up with the level that fits the person, where the engine is to adapt.
    pub(crate) fn adapted(&self, setup: Setup) -> Setup {
        self.ratings.adapted(setup)
    }

    /// Whether this game has ended after so many plies and its mistakes are not known yet.
    pub(crate) fn wants_analysis(&self, id: &str, plies: usize) -> bool {
        let game = self.results.game(id);
        game.is_some_and(|game| {
            let is_known = game.analysis.is_some_and(|found| found.mistakes.is_some());
            !is_known && game.plies == plies
        })
    }

    /// Adds what the analysis of a game found.
    pub(crate) fn add_analysis(&mut self, id: &str, analysis: GameAnalysis) {
        let game = self.results.games.iter_mut().find(|game| game.id == id);
        if let Some(game) = game {
            game.analysis = Some(analysis);
            if let Some(store) = &self.store
                && let Err(error) = store.add_analysis(id, analysis)
            {
                warn!("{}: {error}", store.path().display());
            }
        }
    }

    /// Adds a game that has just ended; the first result of a game counts.
    fn add(&mut self, game: FinishedGame) -> Result<(), std::io::Error> {
        let written = self.store.as_ref().map_or(Ok(()), |store| store.add(&game));
        self.results.games.push(game);
        self.ratings = Ratings::new(&self.results.games);
        written
    }

    /// Results for a test.
    #[cfg(test)]
    pub(crate) fn of(games: Vec<FinishedGame>) -> Self {
        let ratings = Ratings::new(&games);
        Self { store: None, results: Results { games, damaged: Vec::new() }, ratings }
    }
}

/// Adds the result of the game on the table once its end is saved.
fn add_result(
    referee: Res<Referee>,
    mut results: ResMut<GameResults>,
    autosave: Res<Autosave>,
    mut told: MessageWriter<Notify>,
) {
    let is_due = autosave.keeps(&referee) && !referee.is_exercise();
    let Some(table) = referee.table.as_ref().filter(|_| is_due) else { return };
    if table.outcome().is_none() || results.store.is_none() {
        return;
    }
    if autosave.is_finished_copy(&referee) {
        return;
    }
    let path = autosave.path_of(&referee);
    let Some(id) = path.map(|path| table.result_id(path)) else { return };
    if results.results.game(&id).is_some() {
        return;
    }
    let Some(game) = FinishedGame::new(&id, table, today()) else { return };
    if let Err(error) = results.add(game) {
        let file = results.store.as_ref().map(|store| store.path().display().to_string());
        let message = LocalizedMessage::new("notice.result-unkept");
        let message = message.with("file", file.unwrap_or_default()).with("error", error);
        told.write(Notify::error(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::game::autosave::write_if_due, engines::Level};

    #[test]
    fn a_game_has_one_result_once_its_end_is_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let saves = SaveStore::new(folder.path().join("recent"));
        let (results, warning) = GameResults::open(&saves);
        assert!(warning.is_none() && results.games().is_empty());
        let mut app = App::new();
        app.init_resource::<Referee>().add_message::<Notify>().insert_resource(results);
        app.insert_resource(Autosave::in_folder(saves.folder().to_owned()));
        app.add_systems(
            Update,
            (
                |referee: ResMut<Referee>, mut autosave: ResMut<Autosave>| {
                    let _ = write_if_due(referee, &mut autosave, false);
                },
                add_result,
            )
                .chain(),
        );
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let setup = Setup { seats, ..Setup::new(RuleSet::Tablaaza) };
        let mut referee = app.world_mut().resource_mut::<Referee>();
        referee.begin(setup);
        for _ in 0..2 {
            let first = referee.legal_moves()[0];
            referee.play(first).expect("legal");
        }
        let count = |app: &mut App| {
            app.update();
            app.world().resource::<GameResults>().games().len()
        };
        assert_eq!(count(&mut app), 0);
        app.world_mut().resource_mut::<Referee>().resign();
        assert_eq!((count(&mut app), count(&mut app)), (1, 1));
        // Taken back and resigned again, it is the same game.
        let mut referee = app.world_mut().resource_mut::<Referee>();
        referee.rewind(GameSession::undo);
        assert_eq!(count(&mut app), 1);
        app.world_mut().resource_mut::<Referee>().resign();
        assert_eq!(count(&mut app), 1);

        // Its analysis is that of the same plies.
        let found = app.world().resource::<GameResults>();
        let (id, plies) = (found.games()[0].id.clone(), found.games()[0].plies);
        assert!(found.wants_analysis(&id, plies) && !found.wants_analysis(&id, plies + 1));

        let change = app
            .world()
            .resource::<GameResults>()
            .rating_change(app.world().resource::<Referee>(), app.world().resource::<Autosave>());
        let (before, after) = change.expect("a rated game");
        assert!(before.is_none() && after.value < 1500.0, "{change:?}");

        let (again, _) = GameResults::open(&saves);
        assert_eq!(again.games(), app.world().resource::<GameResults>().games());
        assert!(again.games()[0].rated);
        let file = ResultStore::beside(&saves).path().to_owned();
        std::fs::write(&file, "damaged\n").expect("written");
        let (recovered, warning) = GameResults::open(&saves);
        assert!(warning.is_some_and(|warning| warning.localized().contains('1')), "it is reported");
        assert_eq!(recovered.games().len(), 1, "recovered from its save");
        assert!(!recovered.games()[0].rated, "its save says that a move was taken back");

        // A copy of the finished game has no result of its own.
        let mut copy = app.world().resource::<Referee>().table.clone().expect("a game");
        copy.mark_as_copy();
        app.world_mut().resource_mut::<Referee>().set_game(copy);
        assert_eq!(count(&mut app), 1);
    }

    #[test]
    fn an_adaptive_engine_plays_at_the_level_that_fits_the_person() {
        let setup = |names: [&str; 2]| Setup {
            seats: [Seat::Engine(Level::Master), Seat::Person],
            names: names.map(str::to_owned),
            adaptive: true,
            ..Setup::new(RuleSet::Tablaaza)
        };
        let mut session = GameSession::new(setup(["", "Aili"]));
        for _ in 0..2 {
            let first = session.history().legal_moves()[0];
            session.play(first).expect("legal");
        }
        session.resign(Side::First);
        let won = FinishedGame::new("1", &session, None).expect("a result");
        let results = GameResults::of(vec![won]);
        let level = |setup: Setup| results.adapted(setup).seats[0];
        assert_eq!(level(setup(["", "Bruno"])), Seat::Engine(Level::Casual));
        let Seat::Engine(fitting) = level(setup(["", " Aili "])) else { panic!("an engine") };
        assert!(fitting > Level::Casual, "{fitting}");
        let fixed = Setup { adaptive: false, ..setup(["", "Aili"]) };
        assert_eq!(level(fixed), Seat::Engine(Level::Master));
    }
}
