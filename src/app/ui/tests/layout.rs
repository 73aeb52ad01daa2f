//! Panels fit into the window, and overlap neither each other nor the scene.

use crate::{
    app::ui::tests::*,
    i18n::{Language, set_thread_language},
};
use strum::VariantArray as _;

#[test]
fn the_title_fits_into_the_window() {
    for size in SIZES {
        let mut panels = Panels::new(Screen::Title, size);
        panels.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
        assert!(window.contains_rect(panels.place("title")), "{size:?}");
        assert_eq!(panels.scene(), window, "the scene stands behind");
    }
}

#[test]
fn dialogs_fit_into_the_window_even_at_the_largest_text() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for dialog in Dialog::VARIANTS.iter().copied() {
            let mut panels = at_table(RuleSet::Tablan, 6, size);
            panels.edit::<OpenDialog>().0 = Some(dialog);
            for _ in 0..4 {
                panels.frame(Vec::new());
            }
            let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
            let place = panels.place("dialog");
            assert!(window.contains_rect(place), "{dialog:?} at {size:?}: {place}");
        }
    }
}

#[test]
fn the_settings_need_no_scroll_bar_in_the_smallest_window() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        let mut panels = at_table(RuleSet::Tablan, 6, SIZES[0]);
        let file = "/home/maria/.config/tabulae/settings.toml".into();
        panels.edit::<SettingsFile>().path = Some(file);
        panels.edit::<OpenDialog>().0 = Some(Dialog::Settings);
        for _ in 0..4 {
            panels.frame(Vec::new());
        }
        let dialog = panels.place("dialog");
        let bars = panels.nodes.iter().filter(|(_, node)| node.role() == Role::ScrollBar);
        let bars = bars.filter_map(|(_, node)| node.bounds());
        #[expect(clippy::cast_possible_truncation, reason = "places in a window")]
        let inside = |it: &egui::accesskit::Rect| dialog.contains(pos2(it.x0 as f32, it.y0 as f32));
        assert_eq!(bars.filter(inside).count(), 0, "{}", language.name());
        set_thread_language(None);
    }
}

#[test]
fn the_menu_is_as_high_as_the_window_allows() {
    let mut panels = at_table(RuleSet::Tablan, 6, (1280.0, 720.0));
    panels.edit::<OpenDialog>().0 = Some(Dialog::Menu);
    for _ in 0..4 {
        panels.frame(Vec::new());
    }
    let height = panels.place("dialog").height();
    // All its rows, where egui's areas begin with 400.
    assert!(height > 440.0, "{height}");
}

#[test]
fn at_the_largest_text_the_move_list_is_shown_only_when_opened() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
        let mut panels = at_table(rules, 4, LARGEST_TEXT);
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        assert!(panels.scene().width() > 440.0 && panels.scene().height() > 100.0);
        let (requested, _) = panels.press_all();
        for id in ["undo", "show"] {
            assert!(requests(&requested, id), "{id} among {requested:?}");
        }
        panels.edit::<MoveList>().is_open = true;
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let window = Rect::from_min_max(pos2(0.0, 0.0), LARGEST_TEXT.into());
        assert!(window.expand(0.5).contains_rect(panels.place("side")), "{}", panels.place("side"));
    }
}

#[test]
fn a_lesson_panel_leaves_the_board_free() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
            let mut panels = at_table(rules, 0, size);
            panels.edit::<Referee>().lesson = true;
            let mut lesson = panels.edit::<Lesson>();
            (lesson.game, lesson.step) = (Some(rules.game()), 1);
            let (requested, _) = panels.press_all();
            for id in ["next-step", "previous-step", "title"] {
                assert!(requests(&requested, id), "{size:?} {rules}: {id} among {requested:?}");
            }
            let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
            let place = panels.place("lesson");
            assert!(window.expand(0.5).contains_rect(place), "{size:?}: {place}");
            let (scene, shared) = (panels.scene(), panels.scene().intersect(place));
            assert!(scene.height() > 50.0, "{size:?}: {scene}");
            assert!(shared.width() < 1.0 || shared.height() < 1.0, "{size:?}: {scene} {place}");
        }
    }
}

#[test]
fn labels_of_rows_on_the_title_stay_in_one_line() {
    set_thread_language(Some(Language::Italian));
    let mut panels = Panels::new(Screen::Title, LARGEST_TEXT);
    panels.edit::<SelectedGame>().0.rules = RuleSet::Tablan;
    for words in [crate::i18n::tr("title.first"), crate::i18n::tr("title.sticks")] {
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let label =
            |(_, node): &&(NodeId, Node)| node.role() == Role::Label && node.value() == Some(words);
        let place = panels.nodes.iter().find(label).and_then(|(_, node)| node.bounds());
        let high = place.map_or(0.0, |it| it.y1 - it.y0);
        assert!(high > 0.0 && high < 30.0, "{words}: {high} points high");
    }
    set_thread_language(None);
}

#[test]
fn the_buttons_of_a_lesson_stay_where_they_are() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let steps = crate::table::lesson_steps(game);
            let mut places = Vec::new();
            for (number, step) in steps.iter().enumerate() {
                for done in [false, true] {
                    let rules = step.start.rules();
                    let mut panels = at_table(rules, 0, size);
                    let setup = Setup { start: Some(step.start.clone()), ..Setup::new(rules) };
                    let mut referee = panels.edit::<Referee>();
                    (referee.table, referee.lesson) = (Some(GameSession::new(setup)), true);
                    let mut lesson = panels.edit::<Lesson>();
                    (lesson.game, lesson.step, lesson.done) = (Some(game), number, done);
                    panels.frame(Vec::new());
                    panels.frame(Vec::new());
                    let next = if number + 1 == steps.len() { "Main menu" } else { "Next" };
                    let place = |words: &str| {
                        let node = |(_, node): &&(NodeId, Node)| node.label() == Some(words);
                        let node = panels.nodes.iter().find(node).map(|it| it.1.bounds());
                        let place = node.flatten().unwrap_or_else(|| panic!("no {words}"));
                        (place.x0 as i32, place.y0 as i32)
                    };
                    places.push([place("Back"), place(next)]);
                    let reading = step.goal == crate::table::LessonGoal::Read && number > 0;
                    if reading && done {
                        assert_eq!(
                            panels.visible_text().count("Well done."),
                            0,
                            "nothing was done"
                        );
                    }
                }
            }
            places.dedup();
            assert_eq!(places.len(), 1, "{size:?} {game:?}: {places:?}");
        }
    }
}

#[test]
fn panels_of_table_and_replay_do_not_overlap() {
    for size in SIZES {
        for rules in RuleSet::ALL {
            let mut panels = at_table(rules, 4, size);
            panels.frame(Vec::new());
            panels.frame(Vec::new());
            let mut places = vec![panels.place("bar"), panels.place("side")];
            if rules.has_sticks() {
                places.push(panels.place("dock"));
            }
            apart(&panels, &places, rules);

            let mut panels = in_replay(rules, 4, 2, size);
            panels.frame(Vec::new());
            panels.frame(Vec::new());
            let mut places = vec![panels.place("replay-bar"), panels.place("side")];
            if rules.has_sticks() {
                places.push(panels.place("dock"));
            }
            apart(&panels, &places, rules);
        }
    }
}

fn apart(panels: &Panels, places: &[Rect], rules: RuleSet) {
    let window = Rect::from_min_max(pos2(0.0, 0.0), panels.size.into());
    let scene = panels.scene();
    assert!(scene.width() > 0.6 * window.width(), "{rules}: room for the board");
    let all = [places, &[scene]].concat();
    for (index, one) in all.iter().enumerate() {
        assert!(window.expand(0.5).contains_rect(*one), "{rules}: {one} in {window}");
        for other in &all[index + 1..] {
            let shared = one.intersect(*other);
            let touches = shared.width() < 1.0 || shared.height() < 1.0;
            assert!(touches, "{rules}, {:?}: {one} over {other}", panels.size);
        }
    }
}

#[test]
fn the_play_button_is_visible_whatever_is_chosen() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let mut panels = Panels::new(Screen::Title, size);
            panels.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
            let mut choice = panels.edit::<SelectedGame>();
            choice.set_game(game);
            choice.clock = Some(crate::table::TimeControl::GAMES[2]);
            panels.labels();
            let play = panels.nodes.iter().find(|(_, node)| node.label() == Some("Play"));
            let seen = play.and_then(|(_, node)| node.bounds()).expect("a button to play");
            let (width, height) = (f64::from(size.0), f64::from(size.1));
            assert!(seen.x0 >= 0.0 && seen.x1 <= width, "{game:?} at {size:?}: {seen:?}");
            assert!(seen.y0 >= 0.0 && seen.y1 <= height, "{game:?} at {size:?}: {seen:?}");
        }
    }
}

#[test]
fn the_analysis_and_the_editor_leave_room_for_the_board() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
        for rules in RuleSet::ALL {
            for (mut panels, bar) in
                [(at_table(rules, 4, size), "bar"), (in_replay(rules, 4, 2, size), "replay-bar")]
            {
                // The sticks come first there.
                if size == LARGEST_TEXT && rules.has_sticks() && bar == "bar" {
                    continue;
                }
                panels.edit::<Analysis>().enabled = true;
                panels.frame(Vec::new());
                panels.frame(Vec::new());
                let (study, scene) = (panels.place("study"), panels.scene());
                assert!(window.expand(0.5).contains_rect(study), "{rules} {size:?}: {study}");
                assert!(scene.height() > 60.0, "{rules} {size:?} {bar}: {scene}");
                for other in [scene, panels.place(bar)] {
                    let shared = study.intersect(other);
                    let apart = shared.width() < 1.0 || shared.height() < 1.0;
                    assert!(apart, "{rules} {size:?} {bar}: {study} over {other}");
                }
            }
        }
        let mut panels = Panels::new(Screen::Editor, size);
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let (editor, scene) = (panels.place("editor"), panels.scene());
        assert!(window.expand(0.5).contains_rect(editor) && scene.height() > 100.0, "{size:?}");
        let shared = editor.intersect(scene);
        assert!(shared.width() < 1.0 || shared.height() < 1.0, "{size:?}: {editor} {scene}");
    }
}
