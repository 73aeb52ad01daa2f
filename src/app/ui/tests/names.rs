//! The names of the persons at the table.

use super::*;
use crate::i18n::tr;

#[test]
fn each_person_has_a_line_for_a_name_and_the_table_shows_it() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let lines = |ui: &mut TestUi| {
        let labels = ui.labels();
        let lines = labels.into_iter().filter(|(role, _)| *role == Role::TextInput);
        lines.map(|(_, label)| label).collect::<Vec<_>>()
    };
    assert_eq!(lines(&mut ui), [tr("title.your-name")]);
    ui.focus(tr("title.your-name"));
    ui.frame(vec![egui::Event::Text("Aili".to_owned())]);
    assert_eq!(ui.read::<SelectedGame>().names[0], "Aili");

    ui.press(tr("title.two-players"));
    assert_eq!(lines(&mut ui), ["Name of White", "Name of Black"]);
    ui.focus("Name of Black");
    ui.frame(vec![egui::Event::Text("Bruno".to_owned())]);
    ui.press(tr("title.play"));
    let Some(Action::Game(GameAction::NewGame(setup))) = ui.requested.pop() else {
        panic!("a game")
    };
    assert_eq!(setup.names, ["Aili", "Bruno"]);

    let mut ui = TestUi::new(Screen::Table, SIZES[1]);
    ui.edit::<Referee>().table = Some(GameSession::new(setup));
    let words: Vec<String> = ui.labels().into_iter().map(|(_, label)| label).collect();
    for name in ["Aili", "Bruno"] {
        assert!(words.iter().any(|it| it.contains(name)), "{name}: {words:?}");
    }
}
