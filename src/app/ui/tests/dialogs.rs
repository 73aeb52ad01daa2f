//! How dialogs and banners open and close.

use crate::{app::ui::tests::*, i18n::set_thread_language};

#[test]
fn a_dialog_opens_scrolled_to_its_top() {
    let mut ui = at_table(RuleSet::TablutAshton, 4, LARGEST_TEXT);
    let first = crate::i18n::tr("act.show-title");
    let seen = |ui: &mut TestUi, open| {
        ui.edit::<OpenDialog>().0 = open;
        ui.settle();
        ui.visible_text().count(first)
    };
    assert_eq!(seen(&mut ui, Some(Dialog::Menu)), 1);
    scroll_down(&mut ui);
    assert_eq!(seen(&mut ui, Some(Dialog::Menu)), 0, "it was scrolled down");
    seen(&mut ui, None);
    assert_eq!(seen(&mut ui, Some(Dialog::Menu)), 1);
}

#[test]
fn how_to_play_has_the_full_rules_in_the_players_language() {
    for (language, page, heading) in [
        (Language::English, "How to play: Full rules", "Capturing a soldier"),
        (Language::Italian, "Come si gioca: Regole complete", "La cattura di un soldato"),
    ] {
        set_thread_language(Some(language));
        for size in SIZES {
            let mut ui = at_table(RuleSet::TablutAshton, 4, size);
            ui.edit::<OpenDialog>().0 = Some(Dialog::Help);
            ui.press(page);
            ui.frame(Vec::new());
            let headings = ui.labels();
            assert!(headings.iter().any(|(_, text)| text == heading), "{headings:?}");
        }
    }
    set_thread_language(None);
}

#[test]
fn how_to_play_explains_the_calls_only_where_the_rules_have_them() {
    for (rules, has_calls) in [(RuleSet::TablutAshton, false), (RuleSet::TablutLinnaeus, true)] {
        let mut ui = at_table(rules, 4, SIZES[0]);
        ui.edit::<OpenDialog>().0 = Some(Dialog::Help);
        ui.settle();
        let explains = ui.labels().iter().any(|(_, text)| text.starts_with("R! (Raichi)"));
        assert_eq!(explains, has_calls, "{rules}");
    }
}

/// Scrolls down under the middle of the window.
fn scroll_down(ui: &mut TestUi) {
    let middle = ui.window().center();
    scroll_down_at(ui, middle);
}

fn scroll_down_at(ui: &mut TestUi, point: egui::Pos2) {
    ui.frame(vec![egui::Event::PointerMoved(point)]);
    for _ in 0..30 {
        ui.frame(vec![egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -60.0),
            phase: egui::TouchPhase::Move,
            modifiers: egui::Modifiers::NONE,
        }]);
    }
}

#[test]
fn every_entry_of_the_editor_menu_can_be_reached() {
    let mut ui = TestUi::new(Screen::Editor, SIZES[0]);
    let (requested, _) = press_dialog(&mut ui, Dialog::Menu);
    for id in ["ShowTitle", "Leave", "Analyse", "Copy", "Quit"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    assert!(
        requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Position))),
        "{requested:?}"
    );
}

#[test]
fn the_focus_ring_of_a_dialog_never_comes_before_it() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.settle();
    // A key was pressed last, so rings are shown.
    ui.key(Key::F12);
    let before = ui.focus_rings();
    ui.edit::<OpenDialog>().0 = Some(Dialog::Settings);
    for frame in 0..4 {
        ui.frame(Vec::new());
        let is_drawn = ui.visible_text().count("Close") > 0;
        let rings = ui.focus_rings();
        assert!(
            is_drawn || rings.iter().all(|ring| before.contains(ring)),
            "frame {frame}: {rings:?}"
        );
    }
    assert_eq!(ui.focus_rings().len(), 1, "around the button that closes");
}

#[test]
fn no_focus_ring_stays_behind_when_a_dialog_closes() {
    let closings: [fn(&mut TestUi); 3] = [
        |ui| drop(ui.key(Key::Escape)),
        |ui| drop(ui.key(Key::Enter)),
        |ui| ui.edit::<OpenDialog>().0 = None,
    ];
    for close in closings {
        let mut ui = TestUi::new(Screen::Title, SIZES[0]);
        ui.settle();
        ui.edit::<OpenDialog>().0 = Some(Dialog::Settings);
        ui.settle();
        // Another key than those that press buttons: the ring is shown.
        ui.key(Key::F12);
        assert_eq!(ui.focus_rings().len(), 1, "around the button that closes");
        close(&mut ui);
        for frame in 0..3 {
            ui.frame(Vec::new());
            assert_eq!(ui.read::<OpenDialog>().0, None);
            assert_eq!(ui.focus_rings(), [], "frame {frame} after closing");
        }
    }
}

#[test]
fn the_menu_has_room_in_a_small_window() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
            let mut ui = at_table(rules, 4, (960.0, 600.0));
            ui.edit::<OpenDialog>().0 = Some(Dialog::Menu);
            ui.settle();
            let quit = crate::i18n::tr("act.quit");
            assert_eq!(ui.visible_text().count(quit), 1, "{language:?}, {rules}: the last entry");
        }
    }
    set_thread_language(None);
}
