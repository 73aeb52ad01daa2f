//! The history of finished games.

use super::*;
use crate::session::GameAnalysis;

/// Finished games by some rules, against several opponents, some of them analysed.
fn games() -> Vec<FinishedGame> {
    let rules = [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::TablutAshton, RuleSet::Tablaaza];
    let mut games = Vec::new();
    for number in 0..12 {
        let rules = rules[number % rules.len()];
        let level = Level::ALL[number % 5];
        let mut seats = [Seat::Person, Seat::Engine(level)];
        if number % 3 == 0 {
            seats.swap(0, 1);
        }
        // So many that both have moved.
        let mut begun = (4..).map(|plies| table(rules, plies));
        let mut session = begun.find(|game| !game.can_abort()).expect("a game");
        let names = ["", ""].map(str::to_owned);
        let setup = Setup { seats, names, seed: Some(1), ..Setup::new(rules) };
        let mut played = GameSession::new(setup);
        for ply in session.history().plies() {
            let done = match ply {
                Ply::Move(mv) => played.play(mv).is_ok(),
                Ply::Throw(_) => played.throw().is_ok(),
            };
            assert!(done);
        }
        session = played;
        assert!(session.resign(if number % 2 == 0 { Side::First } else { Side::Second }));
        let date = Some(format!("2026.11.{:02}", number + 1));
        let mut game = FinishedGame::new(&format!("game-{number}"), &session, date).expect("ended");
        let luck = rules.has_sticks().then_some([0.25, -0.25]);
        game.analysis = (number % 4 < 2).then_some(GameAnalysis {
            error: [0.04, 0.11],
            accuracy: [87.0, 71.0],
            luck,
            mistakes: None,
        });
        game.rated = number != 5;
        games.push(game);
    }
    games
}

/// Fills the history; the last game's record was deleted.
pub(super) fn with_results(ui: &mut TestUi) {
    let games = games();
    let saved = games.iter().take(11).map(|game| game.id.clone()).collect();
    ui.app.insert_resource(GameResults::of(games));
    ui.app.insert_resource(Autosave::in_folder("/recent".into()));
    ui.edit::<History>().saved = saved;
}

fn history() -> TestUi {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    with_results(&mut ui);
    ui.open(Dialog::History);
    ui.frame(Vec::new());
    ui
}

fn listed(ui: &mut TestUi) -> Vec<String> {
    let labels = ui.labels().into_iter().filter(|(role, _)| *role == Role::Button);
    let labels = labels.map(|(_, label)| label);
    let mut games: Vec<String> = labels.filter(|label| label.contains(" · ")).collect();
    let number = |game: &String| game.split('.').next().and_then(|part| part.parse::<u32>().ok());
    games.sort_by_key(|game| std::cmp::Reverse(number(game)));
    games
}

#[test]
fn a_click_on_a_game_opens_its_replay() {
    let mut ui = history();
    let games = listed(&mut ui);
    assert_eq!(games.len(), 12, "{games:?}");
    assert!(games[0].starts_with("12. ") && games[0].contains("2026-11-12"), "{games:?}");
    assert!(games[6].contains(tr("history.unrated")), "{games:?}");
    for game in &games {
        let length = if game.contains("Tablan") { "19 throws and moves" } else { "2 moves" };
        assert!(game.contains(length), "{game}");
    }
    ui.press(&games[1].clone());
    let opened = [ReplayAction::open("/recent/game-10.tab".into()).into()];
    assert_eq!(ui.requested, opened);
    // The record of the last game was deleted.
    let mut ui = history();
    ui.press(&games[0].clone());
    assert!(ui.requested.is_empty());
}

#[test]
fn a_game_against_an_opponent_that_adapted_says_so_and_at_which_level() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let mut games = games();
    games[11].adaptive = true;
    ui.app.insert_resource(GameResults::of(games));
    ui.open(Dialog::History);
    let games = listed(&mut ui);
    assert!(games[0].contains("Adaptive (Beginner)"), "{games:?}");
    assert!(games[1].contains("Tabulae Newcomer"), "{games:?}");
}

#[test]
fn the_list_and_the_statistics_follow_the_filters() {
    let mut ui = history();
    let has = |ui: &mut TestUi, words: &str| ui.visible_text().count(words) > 0;
    ui.frame(Vec::new());
    assert!(has(&mut ui, tr("history.choose-rules")), "several ratings, no curve");
    ui.press(&format!("{}: {}", tr("history.rules"), tr("history.all")));
    ui.press(rules_label(RuleSet::Tablaaza));
    assert_eq!(ui.read::<History>().filter.rules, Some(RuleSet::Tablaaza));
    let games = listed(&mut ui);
    assert_eq!(games.len(), 3, "{games:?}");
    assert!(games.iter().all(|game| game.contains(rules_label(RuleSet::Tablaaza))), "{games:?}");
    assert!(!has(&mut ui, tr("history.choose-rules")));
}

#[test]
fn the_end_of_a_rated_game_shows_the_rating_and_its_change() {
    let text = |results: usize| {
        let mut ui = TestUi::new(Screen::Table, SIZES[2]);
        let seats = [Seat::Person, Seat::Engine(Level::Casual)];
        let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) });
        for _ in 0..2 {
            let first = session.history().legal_moves()[0];
            session.play(first).expect("legal");
        }
        assert!(session.resign(Side::Second));
        let folder = tempfile::tempdir().expect("a folder");
        let mut autosave = Autosave::in_folder(folder.path().to_owned());
        let lock = autosave.store().expect("a store").create().expect("a save");
        let earlier = (1..results).map(|number| format!("earlier-{number}"));
        let ids = earlier.chain([session.result_id(lock.path())]);
        let game = |(number, id): (usize, String)| {
            let won = FinishedGame::new(&id, &session, None).expect("ended");
            let is_lost = number % 2 == 1 && number + 1 < results;
            let result =
                if is_lost { crate::records::GameResult::Won(Side::Second) } else { won.result };
            FinishedGame { result, ..won }
        };
        let games = ids.enumerate().map(game).collect();
        ui.app.insert_resource(GameResults::of(games));
        ui.edit::<Referee>().table = Some(session);
        autosave.adopt(ui.read::<Referee>(), lock);
        ui.app.insert_resource(autosave);
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        ui.labels().into_iter().map(|(_, label)| label).collect::<Vec<_>>().join("\n")
    };
    let first = text(1);
    assert!(first.contains("Your rating: 1735?. The ? means a first guess."), "{first}");
    let sure = text(40);
    assert!(sure.contains("Your rating: 1") && sure.contains("(+"), "{sure}");
}

#[test]
fn the_title_shows_the_rating_and_starts_a_game_that_adapts() {
    let mut ui = TestUi::new(Screen::Title, SIZES[2]);
    with_results(&mut ui);
    let words = |ui: &mut TestUi| {
        ui.labels().into_iter().map(|(_, label)| label).collect::<Vec<_>>().join("\n")
    };
    ui.edit::<SelectedGame>().choose_side(crate::games::Side::First);
    ui.press("Against: Casual, level 4 of 10");
    ui.frame(Vec::new());
    assert!(words(&mut ui).contains("Your rating by these rules: 1"), "{}", words(&mut ui));
    ui.press("Against: Adaptive");
    assert!(words(&mut ui).contains("Against: Adaptive (Beginner)"), "{}", words(&mut ui));
    ui.press(tr("title.play"));
    let Some(Action::Game(GameAction::NewGame(setup))) = ui.requested.pop() else {
        panic!("a game")
    };
    assert!(setup.adaptive);
    let mut ui = TestUi::new(Screen::Table, SIZES[1]);
    ui.edit::<Referee>().table = Some(GameSession::new(setup));
    assert!(words(&mut ui).contains("Adaptive (Casual)"), "{}", words(&mut ui));
}

#[test]
fn a_click_on_a_game_of_a_match_opens_that_game() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    with_results(&mut ui);
    let mut games = games();
    games[10].id = "game-11#1".to_owned();
    games[11].id = "game-11#2".to_owned();
    ui.app.insert_resource(GameResults::of(games));
    ui.edit::<History>().saved.insert("game-11".to_owned());
    ui.open(Dialog::History);
    let games = listed(&mut ui);
    assert!(games[0].contains("match, game 2") && games[1].contains("match, game 1"), "{games:?}");
    ui.press(&games[0]);
    let path = "/recent/game-11.tab".into();
    assert_eq!(ui.requested, [ReplayAction::OpenAt { path, game: 2, ply: 0 }.into()]);
}

#[test]
fn a_game_of_a_match_opens_without_asking_which_and_keeps_its_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.tab");
    let seats = [Seat::Person, Seat::Engine(Level::Casual)];
    let mut first =
        GameSession::new(Setup { seats, games: 2, ..Setup::new(RuleSet::TablutAshton) });
    assert!(first.resign(Side::First));
    let mut second = first.next_game().expect("the second game");
    second.play(second.history().legal_moves()[0]).expect("legal");
    assert!(second.resign(Side::First));
    std::fs::write(&file, second.file_text(None)).expect("written");
    let mut app = crate::app::headless((900, 600));
    app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    for (game, plies) in [(1, 0), (2, 1)] {
        let open = ReplayAction::OpenAt { path: file.clone(), game, ply: 0 };
        app.world_mut().write_message(Action::from(open));
        (0..6).for_each(|_| app.update());
        let replay = app.world().resource::<Replay>();
        assert_eq!((replay.ply_count(), replay.ply), (plies, 0));
        assert_eq!(replay.game, Some(format!("match#{game}")));
        assert_eq!(app.world().resource::<OpenDialog>().0, None);
    }
}

#[test]
fn the_dialog_keeps_its_size_and_its_filters_can_be_cleared() {
    let mut ui = history();
    let size = |ui: &mut TestUi| {
        ui.frame(Vec::new());
        ui.panel_rect("dialog")
    };
    let before = size(&mut ui);
    ui.press(&format!("{}: {}", tr("history.result"), tr("history.all")));
    ui.press(tr("history.drawn"));
    assert!(listed(&mut ui).is_empty());
    assert_eq!(size(&mut ui), before);
    ui.press(tr("history.clear"));
    assert_eq!(listed(&mut ui).len(), 12);
    assert_eq!(ui.read::<History>().filter, Default::default());
    assert_eq!(size(&mut ui), before);
}

#[test]
fn the_games_of_all_players_are_listed_once_each_with_their_players() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let mut games = games();
    let names = ["Aili", "Bruno"].map(str::to_owned);
    (games[11].seats, games[11].names) = ([Seat::Person; 2], names);
    ui.app.insert_resource(GameResults::of(games));
    ui.open(Dialog::History);
    assert_eq!(listed(&mut ui).len(), 1, "the last player's games");
    ui.press(&format!("{}: Aili", tr("history.player")));
    ui.press(tr("history.all-players"));
    let games = listed(&mut ui);
    assert_eq!(games.len(), 12, "{games:?}");
    assert!(games[0].contains("Aili · against Bruno"), "{games:?}");
    assert!(ui.visible_text().count(tr("history.choose-player")) > 0);
}

#[test]
fn a_game_of_one_move_says_so() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let mut games = games();
    games[11].plies = 2;
    ui.app.insert_resource(GameResults::of(games));
    ui.open(Dialog::History);
    let games = listed(&mut ui);
    assert!(games[0].contains(" · 1 move"), "{games:?}");
    assert!(!games[0].contains("1 moves"), "{games:?}");
}
