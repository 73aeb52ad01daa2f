//! Panels fit into the window, and overlap neither each other nor the scene.

use bevy::math::Vec2;

use crate::{
    app::{
        commands::Command,
        scene::{
            camera::place_in_window,
            layout::{BoardLayout, FRAME_WIDTH, TABLE_Y},
        },
        ui::tests::*,
    },
    i18n::set_thread_language,
};

/// The usual sizes, and the smallest in which nothing is scrolled.
const TITLE_SIZES: [(f32, f32); 5] =
    [(800.0, 540.0), (900.0, 600.0), (960.0, 600.0), (1280.0, 720.0), (1600.0, 900.0)];

/// The commands that the title links to, by group.
const LINKS: [&[&str]; 4] = [
    &["act.online", "act.set-up"],
    &["act.start-lesson", "act.start-puzzles", "act.help"],
    &["act.recent", "act.history", "act.open", "act.analyse-record"],
    &["act.settings", "act.look", "act.about", "act.quit"],
];

#[test]
fn nothing_on_the_title_is_scrolled_and_the_level_is_in_view() {
    let folder = tempfile::tempdir().expect("a folder");
    for language in Language::ALL {
        set_thread_language(Some(language));
        for size in TITLE_SIZES {
            for rules in RuleSet::ALL {
                let mut ui = TestUi::new(Screen::Title, size);
                super::offers::with_unfinished(&mut ui, folder.path());
                ui.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 3));
                ui.edit::<SelectedGame>().set_rules(rules);
                ui.settle();
                let window = ui.window();
                let panel = ui.panel_rect("title");
                assert!(window.expand(0.5).contains_rect(panel), "{size:?}: {panel}");
                let bars = ui.nodes.iter().filter(|(_, it)| it.role() == Role::ScrollBar);
                assert_eq!(bars.count(), 0, "{language:?} {size:?}");
                for key in LINKS.concat() {
                    let place = bounds_of(&ui, key);
                    let is_inside = place.x0 >= 0.0
                        && place.x1 <= f64::from(size.0)
                        && place.y1 <= f64::from(size.1);
                    assert!(is_inside, "{language:?} {size:?}: {key} at {place:?}");
                }
                let text = ui.visible_text();
                let level = crate::session::level_label(Level::Casual);
                assert!(text.top_of(level).is_some(), "{language:?} {size:?}");
            }
        }
        set_thread_language(None);
    }
}

#[test]
fn a_move_is_typed_and_a_comment_written_beside_the_board() {
    for size in SIZES {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            for (mut ui, dialog) in [
                (at_table(rules, 4, size), Dialog::TypeMove),
                (in_replay(rules, 6, 3, size), Dialog::TypeMove),
                (in_replay(rules, 6, 3, size), Dialog::Comment),
            ] {
                ui.open(dialog);
                ui.settle();
                let place = ui.context.memory(|memory| memory.area_rect(Id::new("dialog")));
                let (place, scene) = (place.expect("a dialog"), ui.scene());
                assert!(ui.window().contains_rect(place), "{size:?} {rules}: {place}");
                assert!(scene.intersect(place).width() < 1.0, "{size:?}: {place} in {scene}");
            }
        }
    }
}

#[test]
fn the_board_is_seen_in_the_card_of_the_chosen_game() {
    for size in TITLE_SIZES {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let mut ui = TestUi::new(Screen::Title, size);
            ui.edit::<SelectedGame>().set_game(game);
            ui.frame(Vec::new());
            ui.frame(Vec::new());
            let name = format!("Game: {}", crate::app::ui::game_texts::name(game));
            let card = ui.nodes.iter().find(|(_, node)| node.label() == Some(&name));
            let card = card.and_then(|(_, node)| node.bounds()).expect("a card");
            let scene = ui.scene();
            let (left, right) = (f64::from(scene.left()), f64::from(scene.right()));
            assert!((left - card.x0).abs() < 1.0 && (right - card.x1).abs() < 1.0, "{scene}");
            assert!((f64::from(scene.top()) - card.y0).abs() < 1.0, "{scene}");
            assert!(scene.height() >= 100.0, "{size:?}: {scene}");
            // The dialog of room and pieces shows the whole board.
            ui.open(Dialog::Look);
            let scene = ui.scene();
            assert!(scene.width() > 0.6 * size.0 && scene.height() > size.1 - 1.0, "{scene}");
        }
    }
}

#[test]
fn the_links_of_the_title_stand_in_four_groups() {
    for (language, size) in
        Language::ALL.into_iter().flat_map(|language| TITLE_SIZES.map(move |size| (language, size)))
    {
        set_thread_language(Some(language));
        let mut ui = TestUi::new(Screen::Title, size);
        ui.settle();
        let rows = LINKS.map(|keys| keys.iter().map(|key| bounds_of(&ui, key)).collect::<Vec<_>>());
        for row in &rows {
            let is_level = row.iter().all(|rect| (rect.y0 - row[0].y0).abs() < 0.5);
            assert!(is_level, "{language:?} {size:?}: {row:?}");
            assert!((row[0].x0 - rows[0][0].x0).abs() < 0.5, "{language:?} {size:?}");
        }
        assert!(rows.is_sorted_by(|above, below| above[0].y1 <= below[0].y0 + 0.5));
        set_thread_language(None);
    }
}

#[test]
fn on_a_telephone_each_link_of_the_title_is_in_one_line_beside_its_heading() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        // High enough for all of the title.
        let mut ui = TestUi::new(Screen::Title, (UPRIGHT.0, 2.0 * UPRIGHT.1));
        ui.settle();
        let first = bounds_of(&ui, LINKS[0][0]);
        for key in LINKS.concat() {
            let place = bounds_of(&ui, key);
            assert!(place.height() < 1.5 * first.height(), "{language:?}: {key} at {place:?}");
            assert!(place.x0 > first.x0 - 1.0, "{language:?}: {key} at {place:?}");
            assert!(place.x1 <= f64::from(UPRIGHT.0), "{language:?}: {key} at {place:?}");
        }
        set_thread_language(None);
    }
}

/// Where the widget with this text stands.
fn bounds_of(ui: &TestUi, key: &'static str) -> accesskit::Rect {
    let words = match key {
        // It names the chosen game.
        "act.start-lesson" => Command::lesson(ui.read::<SelectedGame>().rules.game()).name(),
        _ => tr(key).to_owned(),
    };
    let node = ui.nodes.iter().find(|(_, node)| node.label() == Some(&words));
    node.and_then(|(_, node)| node.bounds()).unwrap_or_else(|| panic!("no {key}"))
}

/// "!" is as easily hit as "??".
#[test]
fn the_buttons_of_glyphs_are_equally_wide_and_in_one_row() {
    let keys = [
        "line.good",
        "line.poor",
        "line.very-good",
        "line.very-poor",
        "line.speculative",
        "line.questionable",
    ];
    for (language, size) in
        Language::ALL.into_iter().flat_map(|language| SIZES.map(move |size| (language, size)))
    {
        set_thread_language(Some(language));
        let mut ui = in_replay(RuleSet::Tablaaza, 6, 4, size);
        ui.settle();
        let [first, rest @ ..] = keys.map(|key| bounds_of(&ui, key));
        assert!(first.width() >= 18.0, "{language:?} {size:?}: {first:?}");
        for place in rest {
            let (wider, lower) = (place.width() - first.width(), place.y0 - first.y0);
            assert!(wider.abs() < 1.0, "{language:?} {size:?}: {place:?}, {first:?}");
            assert!(lower.abs() < 1.0, "{language:?} {size:?}: {place:?}, {first:?}");
        }
        set_thread_language(None);
    }
}

#[test]
fn dialogs_fit_into_the_window_even_at_the_largest_text() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for dialog in Dialog::VARIANTS.iter().copied() {
            let mut ui = at_table(RuleSet::Tablan, 6, size);
            ui.edit::<OpenDialog>().0 = Some(dialog);
            ui.settle();
            let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
            let rect = ui.panel_rect("dialog");
            assert!(window.contains_rect(rect), "{dialog:?} at {size:?}: {rect}");
        }
    }
}

#[test]
fn the_settings_need_no_scroll_bar_in_the_smallest_window() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        let mut ui = at_table(RuleSet::Tablan, 6, SIZES[0]);
        let file = "/home/maria/.config/tabulae/settings.toml".into();
        ui.edit::<SettingsFile>().path = Some(file);
        ui.edit::<OpenDialog>().0 = Some(Dialog::Settings);
        ui.settle();
        let dialog = ui.panel_rect("dialog");
        let bars = ui.nodes.iter().filter(|(_, node)| node.role() == Role::ScrollBar);
        let bars = bars.filter_map(|(_, node)| node.bounds());
        #[expect(clippy::cast_possible_truncation, reason = "places in a window")]
        let inside =
            |rect: &egui::accesskit::Rect| dialog.contains(pos2(rect.x0 as f32, rect.y0 as f32));
        assert_eq!(bars.filter(inside).count(), 0, "{}", language.name());
        set_thread_language(None);
    }
}

#[test]
fn the_menu_is_as_high_as_the_window_allows() {
    let mut ui = at_table(RuleSet::Tablan, 6, (1280.0, 720.0));
    ui.edit::<OpenDialog>().0 = Some(Dialog::Menu);
    ui.settle();
    let height = ui.panel_rect("dialog").height();
    // All its rows, where egui's areas begin with 400.
    assert!(height > 440.0, "{height}");
}

#[test]
fn at_the_largest_text_the_move_list_is_shown_only_when_opened() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
        let mut ui = at_table(rules, 4, LARGEST_TEXT);
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        assert!(ui.scene().width() > 440.0 && ui.scene().height() > 100.0);
        let (requested, _) = ui.press_all();
        for id in ["Undo", "OpenDialog"] {
            assert!(requests(&requested, id), "{id} among {requested:?}");
        }
        ui.edit::<MoveList>().is_open = true;
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        let window = Rect::from_min_max(pos2(0.0, 0.0), LARGEST_TEXT.into());
        assert!(
            window.expand(0.5).contains_rect(ui.panel_rect("side")),
            "{}",
            ui.panel_rect("side")
        );
    }
}

#[test]
fn a_lesson_panel_leaves_the_board_free() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
            let mut ui = at_table(rules, 0, size);
            ui.edit::<Referee>().on_table = OnTable::Lesson;
            let mut lesson = ui.edit::<Lesson>();
            (lesson.game, lesson.step) = (Some(rules.game()), 1);
            let (requested, _) = ui.press_all();
            for id in ["NextLessonStep", "PreviousLessonStep", "LeavePractice"] {
                assert!(requests(&requested, id), "{size:?} {rules}: {id} among {requested:?}");
            }
            let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
            let rect = ui.panel_rect("exercise");
            assert!(window.expand(0.5).contains_rect(rect), "{size:?}: {rect}");
            let (scene, shared) = (ui.scene(), ui.scene().intersect(rect));
            assert!(scene.height() > 50.0, "{size:?}: {scene}");
            assert!(shared.width() < 1.0 || shared.height() < 1.0, "{size:?}: {scene} {rect}");
        }
    }
}

#[test]
fn labels_of_rows_on_the_title_stay_in_one_line() {
    set_thread_language(Some(Language::Italian));
    let mut ui = TestUi::new(Screen::Title, LARGEST_TEXT);
    let mut choice = ui.edit::<SelectedGame>();
    (choice.0.rules, choice.0.throws_for_start) = (RuleSet::Tablan, true);
    ui.edit::<OpenDialog>().0 = Some(Dialog::NewGame);
    for words in [crate::i18n::tr("title.first"), crate::i18n::tr("title.sticks")] {
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        let label =
            |(_, node): &&(NodeId, Node)| node.role() == Role::Label && node.value() == Some(words);
        let rect = ui.nodes.iter().find(label).and_then(|(_, node)| node.bounds());
        let high = rect.map_or(0.0, |rect| rect.y1 - rect.y0);
        assert!(high > 0.0 && high < 30.0, "{words}: {high} points high");
    }
    set_thread_language(None);
}

/// A telephone held upright.
const UPRIGHT: (f32, f32) = (390.0, 844.0);

/// What stands on the table besides its pieces: the corners of the boxes round the board,
/// the bowls and all pieces that can be captured.
fn things_on_the_table(layout: &BoardLayout) -> Vec<(&'static str, Vec3)> {
    let corners = |middle: Vec3, half: Vec2, height: f32| {
        [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].into_iter().flat_map(move |(x, z)| {
            let foot = middle + Vec3::new(x * half.x, 0.0, z * half.y);
            [foot, foot + Vec3::Y * height]
        })
    };
    let edge = layout.half_size() + FRAME_WIDTH;
    let board = corners(Vec3::Y * TABLE_Y, edge, 0.39);
    let mut things: Vec<_> = board.map(|at| ("board", at)).collect();
    for side in Side::BOTH {
        if layout.has_bowls() {
            let bowl = corners(layout.bowl_position(side), Vec2::new(0.434, 0.86), 0.436);
            things.extend(bowl.map(|at| ("bowl", at)));
        } else {
            let most = if layout.sticks { 12 } else { 16 };
            for slot in 0..most {
                let foot = layout.tray_position(side, slot);
                things.extend(corners(foot, Vec2::splat(0.22), 0.52).map(|at| ("tray", at)));
            }
        }
    }
    things
}

#[test]
fn the_camera_frames_the_board_and_what_stands_beside_it_in_every_window() {
    use crate::app::scene::camera::CameraView;
    for size in [(800.0, 540.0), (960.0, 600.0), (1280.0, 720.0), (1600.0, 900.0), UPRIGHT] {
        for rules in RuleSet::ALL {
            let mut ui = at_table(rules, 4, size);
            ui.settle();
            let (free, insets) = (ui.scene().expand(0.5), *ui.read::<ViewportInsets>());
            let (files, ranks) = rules.board_size();
            let layout = BoardLayout { files, ranks, sticks: rules.has_sticks() };
            for view in [CameraView::Seat, CameraView::Far, CameraView::Top] {
                for (thing, point) in things_on_the_table(&layout) {
                    let window = Vec2::new(size.0, size.1);
                    let at = place_in_window(point, view, window, &insets, &layout);
                    assert!(
                        free.contains(pos2(at.x, at.y)),
                        "{size:?} {rules} {view}: {thing} at {at} outside {free}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_buttons_of_a_lesson_stay_where_they_are() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let steps = crate::session::lesson_steps(game);
            let (mut rects, mut end_rects) = (Vec::new(), Vec::new());
            for (number, step) in steps.iter().enumerate() {
                for done in [false, true] {
                    let rules = step.start.rules();
                    let mut ui = at_table(rules, 0, size);
                    let setup = Setup { start: Some(step.start.clone()), ..Setup::new(rules) };
                    let mut referee = ui.edit::<Referee>();
                    (referee.table, referee.on_table) =
                        (Some(GameSession::new(setup)), OnTable::Lesson);
                    let mut lesson = ui.edit::<Lesson>();
                    (lesson.game, lesson.step, lesson.done) = (Some(game), number, done);
                    let ends = lesson.ends_part();
                    ui.frame(Vec::new());
                    ui.frame(Vec::new());
                    let position = |words: &str| {
                        let node = |(_, node): &&(NodeId, Node)| node.label() == Some(words);
                        let node = ui.nodes.iter().find(node).map(|node| node.1.bounds());
                        let rect = node.flatten().unwrap_or_else(|| panic!("no {words}"));
                        (rect.x0 as i32, rect.y0 as i32)
                    };
                    // The last step of a part offers a game as well, and perhaps other rules.
                    if ends {
                        end_rects.push([
                            position("Play a game"),
                            position("Back"),
                            position("Leave"),
                        ]);
                    } else {
                        rects.push([position("Back"), position("Next"), position("Leave")]);
                    }
                    let reading = step.goal == crate::session::LessonGoal::Read && number > 0;
                    if reading && done {
                        assert_eq!(ui.visible_text().count("Well done."), 0, "nothing was done");
                    }
                }
            }
            rects.dedup();
            assert_eq!(rects.len(), 1, "{size:?} {game:?}: {rects:?}");
            for [before, after] in end_rects.as_chunks().0 {
                assert_eq!(before, after, "{size:?} {game:?}: done");
            }
        }
    }
}

#[test]
fn panels_of_table_and_replay_do_not_overlap() {
    for size in SIZES {
        for rules in RuleSet::ALL {
            let mut ui = at_table(rules, 4, size);
            ui.frame(Vec::new());
            ui.frame(Vec::new());
            let mut rects = vec![ui.panel_rect("bar"), ui.panel_rect("side")];
            if rules.has_sticks() {
                rects.push(ui.panel_rect("throw-panel"));
            }
            assert_apart(&ui, &rects, rules);

            let mut ui = in_replay(rules, 4, 2, size);
            ui.frame(Vec::new());
            ui.frame(Vec::new());
            let mut rects = vec![ui.panel_rect("replay-bar"), ui.panel_rect("side")];
            if rules.has_sticks() {
                rects.push(ui.panel_rect("throw-panel"));
            }
            assert_apart(&ui, &rects, rules);
        }
    }
}

fn assert_apart(ui: &TestUi, rects: &[Rect], rules: RuleSet) {
    let window = Rect::from_min_max(pos2(0.0, 0.0), ui.size.into());
    let scene = ui.scene();
    assert!(scene.width() > 0.6 * window.width(), "{rules}: room for the board");
    let all = [rects, &[scene]].concat();
    for (index, one) in all.iter().enumerate() {
        assert!(window.expand(0.5).contains_rect(*one), "{rules}: {one} in {window}");
        for other in &all[index + 1..] {
            let shared = one.intersect(*other);
            let touches = shared.width() < 1.0 || shared.height() < 1.0;
            assert!(touches, "{rules}, {:?}: {one} over {other}", ui.size);
        }
    }
}

#[test]
fn the_play_button_is_visible_whatever_is_chosen() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let mut ui = TestUi::new(Screen::Title, size);
            ui.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
            let mut choice = ui.edit::<SelectedGame>();
            choice.set_game(game);
            choice.clock = "600+5,180+2".parse().ok();
            choice.games = 4;
            ui.labels();
            let play = ui.nodes.iter().find(|(_, node)| node.label() == Some("Play"));
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
            for (mut ui, bar) in
                [(at_table(rules, 4, size), "bar"), (in_replay(rules, 4, 2, size), "replay-bar")]
            {
                // The sticks come first there.
                if size == LARGEST_TEXT && rules.has_sticks() && bar == "bar" {
                    continue;
                }
                ui.edit::<Analysis>().enabled = true;
                ui.frame(Vec::new());
                ui.frame(Vec::new());
                let (panel, scene) = (ui.panel_rect("analysis"), ui.scene());
                assert!(window.expand(0.5).contains_rect(panel), "{rules} {size:?}: {panel}");
                assert!(scene.height() > 60.0, "{rules} {size:?} {bar}: {scene}");
                for other in [scene, ui.panel_rect(bar)] {
                    let shared = panel.intersect(other);
                    let is_apart = shared.width() < 1.0 || shared.height() < 1.0;
                    assert!(is_apart, "{rules} {size:?} {bar}: {panel} over {other}");
                }
            }
        }
        let mut ui = TestUi::new(Screen::Editor, size);
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        let (editor, scene) = (ui.panel_rect("editor"), ui.scene());
        assert!(window.expand(0.5).contains_rect(editor) && scene.height() > 100.0, "{size:?}");
        let shared = editor.intersect(scene);
        assert!(shared.width() < 1.0 || shared.height() < 1.0, "{size:?}: {editor} {scene}");
    }
}

#[test]
fn the_plate_of_the_near_side_is_the_lower_one() {
    let players = ["Aili", "Bruno"];
    let setup = Setup { names: players.map(str::to_owned), ..Setup::new(RuleSet::TablutAshton) };
    let session = GameSession::new(setup);
    let mut at_table = TestUi::new(Screen::Table, SIZES[2]);
    at_table.edit::<Referee>().table = Some(session.clone());
    let mut in_replay = TestUi::new(Screen::Replay, SIZES[2]);
    let _ = in_replay.edit::<Replay>().open(session.record(None), String::new());
    for ui in [&mut at_table, &mut in_replay] {
        for (side, near) in [(Side::First, 0), (Side::Second, 1)] {
            *ui.edit::<NearSide>() = NearSide(side);
            ui.frame(Vec::new());
            ui.frame(Vec::new());
            let text = ui.visible_text();
            let tops = [near, 1 - near].map(|side| text.top_of(players[side]).expect("a plate"));
            assert!(tops[0] > tops[1] + 100.0, "{side:?}: {tops:?}");
        }
    }
}
