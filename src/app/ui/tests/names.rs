//! The names of the persons at the table.

use super::*;

#[test]
fn each_person_has_a_line_for_a_name_and_the_table_shows_it() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.edit::<OpenDialog>().0 = Some(Dialog::NewGame);
    let lines = |ui: &mut TestUi| {
        let labels = ui.labels();
        let lines = labels.into_iter().filter(|(role, _)| *role == Role::TextInput);
        lines.map(|(_, label)| label).collect::<Vec<_>>()
    };
    assert_eq!(lines(&mut ui), [tr("title.your-name")]);
    ui.focus(tr("title.your-name"));
    ui.frame(vec![egui::Event::Text("Aili".to_owned())]);
    let own = ui.read::<SelectedGame>().own_side().expect("one player").index();
    assert_eq!(ui.read::<SelectedGame>().names[own], "Aili");
    ui.edit::<SelectedGame>().choose_side(crate::games::Side::First);

    ui.edit::<OpenDialog>().0 = None;
    ui.choose_opponent(tr("title.two-players"));
    ui.edit::<OpenDialog>().0 = Some(Dialog::NewGame);
    assert_eq!(lines(&mut ui).len(), 2);
    let text = ui.visible_text();
    let tops = ["White", "Black"].map(|side| text.top_of(&format!("Name of {side}")));
    assert!(tops[0].is_some() && tops[0] < tops[1], "White, who moves first, first: {tops:?}");
    ui.focus("Name of Black");
    ui.frame(vec![egui::Event::Text("Bruno".to_owned())]);
    ui.edit::<OpenDialog>().0 = None;
    ui.press(tr("title.play"));
    let Some(Action::Game(GameAction::NewGame(setup))) = ui.requested.pop() else {
        panic!("a game")
    };
    assert_eq!(setup.names, ["Aili", "Bruno"]);

    let mut ui = TestUi::new(Screen::Table, SIZES[1]);
    ui.edit::<Referee>().table = Some(GameSession::new(setup));
    let words: Vec<String> = ui.labels().into_iter().map(|(_, label)| label).collect();
    for name in ["Aili", "Bruno"] {
        assert!(words.iter().any(|word| word.contains(name)), "{name}: {words:?}");
    }
}

#[test]
fn the_names_of_earlier_players_are_offered_for_both_seats() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.edit::<OpenDialog>().0 = Some(Dialog::NewGame);
    assert!(!ui.labels().iter().any(|(_, it)| it.contains("known names")), "nobody is known");
    let result = |names: [&str; 2]| {
        let names = names.map(str::to_owned);
        let mut session = GameSession::new(Setup { names, ..Setup::new(RuleSet::Tablaaza) });
        for _ in 0..2 {
            let first = session.history().legal_moves()[0];
            session.play(first).expect("legal");
        }
        session.resign(crate::games::Side::First);
        crate::session::FinishedGame::new(&session.names().concat(), &session, None).expect("ended")
    };
    let results = vec![result(["Aili", ""]), result(["Bruno", "Chiara"])];
    ui.app.insert_resource(GameResults::of(results));
    ui.edit::<SelectedGame>().seats = [Seat::Person; 2];
    ui.frame(Vec::new());
    ui.frame(Vec::new());
    let right = |label: &str| {
        let found = ui.nodes.iter().find(|(_, node)| node.label() == Some(label));
        found.and_then(|(_, node)| node.bounds()).expect("a place").x1
    };
    let beyond = right("Name of White: known names") - right("Clock: Per game");
    assert!(beyond < 0.5, "it stands in its column");
    for (side, name) in [("White", "Aili"), ("Black", "Chiara")] {
        ui.press(&format!("Name of {side}: known names"));
        ui.press(name);
    }
    assert_eq!(ui.read::<SelectedGame>().names, ["Aili", "Chiara"]);
    // Only those that contain what is typed.
    ui.edit::<SelectedGame>().names[0] = "br".to_owned();
    ui.press("Name of White: known names");
    let labels = ui.labels();
    let offered = |name: &str| labels.iter().any(|(role, it)| *role == Role::Button && it == name);
    assert!(offered("Bruno") && !offered("Aili"), "{labels:?}");
}

#[test]
fn the_slider_of_a_match_is_called_games() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.edit::<OpenDialog>().0 = Some(Dialog::NewGame);
    ui.press(tr("match.own"));
    let labels = ui.labels();
    let sliders: Vec<_> = labels.iter().filter(|(role, _)| *role == Role::Slider).collect();
    assert!(sliders.iter().any(|(_, it)| it == "Games: 3"), "{sliders:?}");
}
