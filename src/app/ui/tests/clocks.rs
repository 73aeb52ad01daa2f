//! The clocks, set on the title and shown at the table.

use crate::app::ui::tests::*;

/// A table of two persons with clocks.
pub(crate) fn timed(size: (f32, f32)) -> TestUi {
    let mut ui = at_table(RuleSet::TablutAshton, 0, size);
    let clock = "600+5".parse().ok();
    ui.edit::<Referee>().table =
        Some(GameSession::new(Setup { clock, ..Setup::new(RuleSet::TablutAshton) }));
    ui
}

#[test]
fn the_clocks_stand_by_the_players_or_in_the_toolbar() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        let mut ui = timed(size);
        let labels = ui.labels();
        for side in ["White", "Black"] {
            let words = format!("{side}: 10:00 left on the clock");
            let count = labels.iter().filter(|(_, it)| *it == words).count();
            assert_eq!(count, 1, "{size:?}: {labels:?}");
        }
        let mut ui = at_table(RuleSet::TablutAshton, 0, size);
        assert!(ui.labels().iter().all(|(_, it)| !it.contains("clock")), "no clock, no word");
    }
}

#[test]
fn the_title_sets_the_clock_and_who_throws_first() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.edit::<SelectedGame>().0.rules = RuleSet::Tablan;
    ui.edit::<OpenDialog>().0 = Some(Dialog::NewGame);
    for name in ["Per game", "15+10", "Who starts: By throws", "Throws first: North"] {
        ui.press(name);
    }
    ui.edit::<OpenDialog>().0 = None;
    ui.press("Play");
    let requested = ui.frame(Vec::new());
    let mut requested = [ui.requested.clone(), requested].concat();
    let Some(Action::Game(GameAction::NewGame(setup))) = requested.pop() else { panic!("a game") };
    assert_eq!(setup.clock, "900+10".parse().ok());
    assert_eq!((setup.first, setup.draws_start), (Some(crate::games::Side::Second), false));
}
