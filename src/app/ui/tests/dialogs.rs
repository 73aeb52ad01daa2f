//! How dialogs and banners open and close.

use crate::app::ui::tests::*;

#[test]
fn a_dialog_opens_scrolled_to_its_top() {
    let mut panels = at_table(RuleSet::TablutAshton, 4, LARGEST_TEXT);
    let first = crate::i18n::tr("menu.new");
    let seen = |panels: &mut Panels, open| {
        panels.edit::<OpenDialog>().0 = open;
        for _ in 0..4 {
            panels.frame(Vec::new());
        }
        panels.visible_text().count(first)
    };
    assert_eq!(seen(&mut panels, Some(Dialog::Menu)), 1);
    scroll_down(&mut panels);
    assert_eq!(seen(&mut panels, Some(Dialog::Menu)), 0, "it was scrolled down");
    seen(&mut panels, None);
    assert_eq!(seen(&mut panels, Some(Dialog::Menu)), 1);
}

/// Scrolls down under the middle of the window.
fn scroll_down(panels: &mut Panels) {
    let middle = panels.window().center();
    panels.frame(vec![egui::Event::PointerMoved(middle)]);
    for _ in 0..30 {
        panels.frame(vec![egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -60.0),
            phase: egui::TouchPhase::Move,
            modifiers: egui::Modifiers::NONE,
        }]);
    }
}

#[test]
fn the_next_end_banner_opens_scrolled_to_its_top() {
    let mut panels = Panels::new(Screen::Table, LARGEST_TEXT);
    let seen = |panels: &mut Panels, rules, words: &str| {
        let mut table = table(rules, 2);
        assert!(table.resign(crate::games::Side::Second));
        panels.edit::<Referee>().table = Some(table);
        for _ in 0..4 {
            panels.frame(Vec::new());
        }
        panels.visible_text().count(words)
    };
    // The line at the top says it too.
    assert_eq!(seen(&mut panels, RuleSet::Tablan, "South wins"), 2);
    scroll_down(&mut panels);
    assert_eq!(panels.visible_text().count("South wins"), 1, "it was scrolled down");
    panels.edit::<Referee>().table = None;
    panels.frame(Vec::new());
    assert_eq!(seen(&mut panels, RuleSet::Tablaaza, "Red wins"), 2);
}

#[test]
fn every_entry_of_the_editor_menu_can_be_reached() {
    let mut panels = Panels::new(Screen::Editor, SIZES[0]);
    let (requested, _) = press_dialog(&mut panels, Dialog::Menu);
    for id in ["title", "edit-done", "edit-analyse", "copy", "quit"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    assert!(
        requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Position))),
        "{requested:?}"
    );
}

#[test]
fn no_focus_ring_stays_behind_when_a_dialog_closes() {
    let closings: [fn(&mut Panels); 3] = [
        |panels| drop(panels.key(Key::Escape)),
        |panels| drop(panels.key(Key::Enter)),
        |panels| panels.edit::<OpenDialog>().0 = None,
    ];
    for close in closings {
        let mut panels = Panels::new(Screen::Title, SIZES[0]);
        for _ in 0..5 {
            panels.frame(Vec::new());
        }
        panels.edit::<OpenDialog>().0 = Some(Dialog::Settings);
        for _ in 0..3 {
            panels.frame(Vec::new());
        }
        // Another key than those that press buttons: the ring is shown.
        panels.key(Key::F12);
        assert_eq!(panels.focus_rings(), 1, "around the button that closes");
        close(&mut panels);
        for frame in 0..3 {
            panels.frame(Vec::new());
            assert_eq!(panels.read::<OpenDialog>().0, None);
            assert_eq!(panels.focus_rings(), 0, "frame {frame} after closing");
        }
    }
}
