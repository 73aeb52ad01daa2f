//! The analysis panel, comments and captions.

use super::every_screen::analyse;
use crate::{
    app::{analysis::PositionEvaluation, core::actions::ExplorerSource, ui::tests::*},
    session::{BookCounts, BookMove},
};

#[test]
fn a_line_of_the_analysis_shows_how_it_goes_on_and_tells_all_of_it() {
    for (size, is_beside) in [(SIZES[0], true), (SIZES[2], true), ((700.0, 600.0), false)] {
        let mut ui = at_table(RuleSet::TablutAshton, 4, size);
        let history = ui.read::<Referee>().table.as_ref().map(|table| table.history().clone());
        let history = history.expect("a game");
        analyse(&mut ui, &history);
        let best = ui.read::<Analysis>().lines_of(history.position())[0].variation.clone();
        let labels = ui.labels();
        let told = labels.iter().any(|(_, words)| words.contains(&best));
        assert!(told, "{size:?}: {best} in {labels:?}");
        // The first four moves are legible in any case.
        let start = best.split(' ').skip(1).take(3).collect::<Vec<_>>().join(" ");
        assert!(ui.visible_text().count(&start) >= 1, "{size:?}: {start}");
        let (side, panel) = (ui.panel_rect("side"), ui.panel_rect("analysis"));
        assert!(side.intersect(panel).width() < 1.0, "{size:?}: {side} {panel}");
        let high = panel.height() > 120.0;
        assert_eq!(high, !is_beside, "{size:?}: the lines are in the panel: {panel}");
    }
}

#[test]
fn a_press_on_a_line_plays_its_move_in_a_replay_only() {
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 3, SIZES[1]);
    let history = ui.read::<Replay>().history().cloned().expect("a game");
    analyse(&mut ui, &history);
    let position = history.at(3).expect("a position");
    let line = ui.read::<Analysis>().lines_of(position)[1].clone();
    let is_line = |words: &str| words.starts_with("2.  ") && words.contains(&line.variation);
    let labels = ui.labels();
    let (role, label) = labels.iter().find(|(_, it)| is_line(it)).expect("the second line").clone();
    assert_eq!(role, Role::Button);
    ui.press(&label);
    let first = line.variation.split(' ').next().expect("a move");
    let wanted = GameAction::TypeMove(first.to_owned());
    assert_eq!(ui.requested, [wanted.into()]);

    // A click on a later move plays the line up to it.
    let place = ui.place(&label);
    let played = ui.click(place.right_top() + vec2(-8.0, 8.0));
    assert!(played.len() > 1, "{played:?} of {label}");
    let moves = line.variation.split(' ').take(played.len());
    let wanted: Vec<Action> = moves.map(|mv| GameAction::TypeMove(mv.to_owned()).into()).collect();
    assert_eq!(played, wanted);

    let mut ui = at_table(RuleSet::TablutAshton, 3, SIZES[1]);
    analyse(&mut ui, &history);
    let labels = ui.labels();
    let (role, _) = labels.iter().find(|(_, it)| is_line(it)).expect("the second line");
    assert_ne!(*role, Role::Button, "it would play in the game");
}

#[test]
fn the_card_of_a_mistake_offers_to_find_a_better_move_and_does_not_tell_it() {
    for size in SIZES {
        let mut ui = in_replay(RuleSet::TablutAshton, 6, 4, size);
        let history = ui.read::<Replay>().history().cloned().expect("a game");
        let mut analysis = ui.edit::<Analysis>();
        analysis.enabled = true;
        let best = history.at(3).expect("a position").legal_moves();
        let best = best.into_iter().find(|mv| Some(Ply::Move(*mv)) != history.ply(4));
        for (ply, points) in [(3, 0), (4, 600)] {
            let position = history.at(ply).expect("a position");
            let value = Evaluation::Points(points);
            let evaluation = PositionEvaluation { value, best, variation: String::new(), depth: 9 };
            analysis.evaluations.insert(position.key(), evaluation);
        }
        let labels = ui.labels();
        let played = history.notation(4).expect("a move");
        let tells = |words: &str| labels.iter().any(|(_, label)| label.contains(words));
        assert!(tells(&format!("{played} was a blunder")), "{size:?}: {labels:?}");
        assert!(tells("(even → White ahead by 6.0 soldiers)"), "{size:?}: {labels:?}");
        assert!(!tells("was best"), "{size:?}: {labels:?}");
        ui.press("Find a better move");
        assert_eq!(ui.requested, [GameAction::LearnFromMistakes.into()], "{size:?}");
        ui.press("Show the best");
        assert_eq!(ui.requested, [ReplayAction::Jump(3).into()], "{size:?}");
    }
}

#[test]
fn the_graph_counts_pieces_and_in_tablan_equity() {
    for (rules, level) in [(RuleSet::TablutAshton, "+3"), (RuleSet::Tablan, "+0.5")] {
        let mut ui = in_replay(rules, 6, 3, SIZES[2]);
        let history = ui.read::<Replay>().history().cloned().expect("a game");
        analyse(&mut ui, &history);
        ui.settle();
        assert!(ui.visible_text().count(level) > 0, "{rules}");
    }
}

#[test]
fn a_replay_has_no_panel_of_sticks_before_the_first_throw() {
    for (at, throws) in [(0, 0), (1, 1)] {
        let mut ui = in_replay(RuleSet::Tablan, 6, at, SIZES[0]);
        ui.frame(Vec::new());
        let is_there = ui.context.memory(|memory| {
            memory
                .areas()
                .visible_layer_ids()
                .iter()
                .any(|layer| layer.id == Id::new("throw-panel"))
        });
        assert_eq!(usize::from(is_there), throws, "after {at} plies");
    }
}

#[test]
fn the_graph_is_the_timeline_of_an_analysed_replay() {
    let mut ui = in_replay(RuleSet::Tablaaza, 9, 2, SIZES[1]);
    ui.edit::<Analysis>().enabled = true;
    ui.labels();
    let graph = ui.panel_rect("analysis");
    let at =
        |share: f32| pos2(graph.left() + 36.0 + share * (graph.width() - 48.0), graph.center().y);
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    ui.frame(vec![egui::Event::PointerMoved(at(0.5))]);
    ui.frame(vec![button(at(0.5), true)]);
    let dragged = ui.frame(vec![egui::Event::PointerMoved(at(1.0))]);
    assert_eq!(dragged, [ReplayAction::Jump(9).into()], "dragged to the end");
    ui.frame(vec![button(at(1.0), false)]);
    let sliders = ui.labels().into_iter().filter(|(role, _)| *role == Role::Slider);
    assert_eq!(sliders.count(), 1, "one timeline");
    // The arrow keys and a screen reader move along it, too.
    ui.focus(tr("replay.ply"));
    ui.frame(Vec::new());
    assert_eq!(ui.key(Key::ArrowRight), [ReplayAction::Jump(3).into()]);
    assert_eq!(ui.key(Key::ArrowLeft), [ReplayAction::Jump(1).into()]);
    let is_slider = |(_, node): &&(NodeId, Node)| node.role() == Role::Slider;
    let (target, node) = ui.nodes.iter().find(is_slider).cloned().expect("a slider");
    assert_eq!(node.max_numeric_value(), Some(9.0));
    let ask = |action, data| {
        let (target_tree, target_node) = (TreeId::ROOT, target);
        let request = ActionRequest { action, target_tree, target_node, data };
        vec![egui::Event::AccessKitActionRequest(request)]
    };
    let value = accesskit::ActionData::NumericValue(7.0);
    let set = ui.frame(ask(accesskit::Action::SetValue, Some(value)));
    assert_eq!(set, [ReplayAction::Jump(7).into()]);
    let increment = ui.frame(ask(accesskit::Action::Increment, None));
    assert_eq!(increment, [ReplayAction::Jump(3).into()]);
}

#[test]
fn a_click_on_a_dialog_over_the_timeline_does_not_move_the_replay() {
    let mut ui = in_replay(RuleSet::TablutAshton, 4, 2, SIZES[1]);
    ui.labels();
    let is_slider = |(_, node): &&(NodeId, Node)| node.role() == Role::Slider;
    let bounds =
        ui.nodes.iter().find(is_slider).and_then(|node| node.1.bounds()).expect("a slider");
    #[expect(clippy::cast_possible_truncation, reason = "a place in a window")]
    let start = pos2(bounds.x0 as f32 + 12.0, f64::midpoint(bounds.y0, bounds.y1) as f32);
    let click = |pressed| egui::Event::PointerButton {
        pos: start,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    let events = || vec![egui::Event::PointerMoved(start), click(true), click(false)];
    let jump = ReplayAction::Jump(0).into();
    assert!(ui.frame(events()).contains(&jump), "press and release in one slow frame");
    ui.edit::<OpenDialog>().0 = Some(Dialog::Menu);
    ui.settle();
    assert!(!ui.frame(events()).contains(&jump));
}

#[test]
fn a_position_without_moves_has_no_graph_and_more_room_for_the_board() {
    for size in SIZES {
        let [alone, game] = [0, 4].map(|plies| {
            let mut ui = in_replay(RuleSet::TablutAshton, plies, plies, size);
            ui.edit::<Analysis>().enabled = true;
            ui.labels();
            let has_graph = ui.context.memory(|memory| memory.area_rect(Id::new("analysis")));
            (has_graph.is_some(), ui.scene().height())
        });
        assert!(!alone.0 && game.0, "{size:?}");
        assert!(alone.1 > game.1, "{size:?}: {} {}", alone.1, game.1);
    }
}

#[test]
fn a_graph_without_room_for_its_dots_is_drawn() {
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 4, (500.0, 110.0));
    let history = ui.read::<Replay>().history().cloned().expect("a game");
    analyse(&mut ui, &history);
    ui.labels();
    let mut ui = at_table(RuleSet::TablutAshton, 6, (500.0, 110.0));
    analyse(&mut ui, &history);
    ui.labels();
}

#[test]
fn while_a_move_is_shown_a_replay_offers_nothing_that_the_next_position_would_get() {
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 4, SIZES[1]);
    let history = ui.read::<Replay>().history().cloned().expect("a game");
    analyse(&mut ui, &history);
    ui.edit::<MotionStatus>().pending = 1;
    let labels = ui.labels();
    let is_line = |words: &str| words.starts_with("1.  ");
    let (role, _) = labels.iter().find(|(_, it)| is_line(it)).expect("a line");
    assert_ne!(*role, Role::Button);
    assert!(!labels.iter().any(|(_, words)| words == "Find a better move"), "{labels:?}");
}

#[test]
fn the_analysis_says_which_throw_it_waits_for() {
    for size in SIZES {
        let mut ui = at_table(RuleSet::Tablan, 0, size);
        ui.edit::<Analysis>().enabled = true;
        ui.settle();
        let table = ui.read::<Referee>().table.as_ref();
        let side = table.and_then(|table| table.turn()?.side()).expect("a side");
        let waits = format!("Waiting for {} to throw", side_label(RuleSet::Tablan, side));
        assert_eq!(ui.visible_text().count(&waits), 1, "{size:?}: what is waited for");
        assert_eq!(ui.visible_text().count(tr("study.none-judged")), 1, "{size:?}: no empty box");
    }
}

#[test]
fn the_luck_of_a_throw_is_not_revealed_while_it_tumbles() {
    let mut ui = in_replay(RuleSet::Tablan, 3, 3, SIZES[0]);
    let history = ui.read::<Replay>().history().cloned().expect("a game");
    let ply =
        (1..=history.len()).rev().find(|&ply| matches!(history.ply(ply), Some(Ply::Throw(_))));
    let ply = ply.expect("a throw");
    let review = crate::engines::tablan::review(&history, &crate::engines::StopSignal::default());
    let mut analysis = ui.edit::<Analysis>();
    analysis.enabled = true;
    analysis.review = review.map(|review| (history.clone(), review));
    ui.edit::<Replay>().ply = ply;
    let tells = |ui: &mut TestUi| {
        ui.settle();
        let throws = format!(" throws {}", history.ply(ply).expect("a ply"));
        ui.visible_text().count(&throws) > 0
    };
    ui.edit::<MotionStatus>().pending = 1;
    assert!(!tells(&mut ui), "it tumbles");
    ui.edit::<MotionStatus>().pending = 0;
    let tossed = ui.read::<Analysis>().review_of(&history);
    let tossed = tossed.is_some_and(|review| review.throw_at(ply).is_some());
    assert_eq!(tells(&mut ui), tossed, "it lies");
}

#[test]
fn the_lesson_is_that_of_the_chosen_game() {
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        let mut ui = TestUi::new(Screen::Title, SIZES[0]);
        ui.edit::<SelectedGame>().0.set_game(game);
        ui.press(&format!("Learn {}", game_texts::name(game)));
        assert_eq!(ui.requested, [Action::Game(GameAction::StartLesson(game))]);
    }
}

#[test]
fn the_menu_and_the_palette_lead_to_every_lesson() {
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        let words = format!("Learn {}", game_texts::name(game));
        let mut ui = at_table(RuleSet::Tablan, 2, SIZES[0]);
        ui.open(Dialog::Commands);
        assert!(ui.labels().iter().any(|(_, label)| *label == words), "{words}");
        ui.open(Dialog::Menu);
        ui.press(&words);
        assert!(ui.requested.contains(&GameAction::StartLesson(game).into()), "{words}");
    }
}

#[test]
fn a_comment_is_visible_with_and_without_the_move_list() {
    for size in [SIZES[1], LARGEST_TEXT] {
        for list in [false, true] {
            let mut ui = in_replay(RuleSet::TablutAshton, 6, 3, size);
            let mut replay = ui.edit::<Replay>();
            let record = replay.record.as_mut().expect("a record");
            record.comment(3, "Well played");
            record.comment(5, "Too late");
            ui.edit::<MoveList>().is_open = list;
            let labels = ui.labels();
            let count = ui.visible_text().count("Well played");
            let tight = size == LARGEST_TEXT;
            assert!(count >= 1, "{size:?} {list}");
            // The list has every comment; without it, only that on this ply is shown.
            let others = ui.visible_text().count("Too late");
            assert_eq!(others, usize::from(list || !tight), "{size:?} {list}");
            let marked = labels.iter().any(|(_, words)| words.ends_with(": Too late"));
            assert_eq!(marked, list || !tight, "{size:?} {list}: {labels:?}");
        }
    }
}

#[test]
fn a_throw_can_be_made_where_the_analysis_replaces_the_throw_panel() {
    let mut ui = at_table(RuleSet::Tablan, 0, LARGEST_TEXT);
    ui.edit::<Analysis>().enabled = true;
    let buttons = |ui: &mut TestUi| {
        let labels = ui.labels();
        labels.iter().filter(|(role, words)| *role == Role::Button && words == "Throw").count()
    };
    assert_eq!(buttons(&mut ui), 1);
    // With a move due there is something to analyse.
    let start = crate::games::AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
    let setup = Setup { start: start.ok(), ..Setup::new(RuleSet::Tablan) };
    ui.edit::<Referee>().table = Some(GameSession::new(setup));
    assert_eq!(buttons(&mut ui), 0);
    let (panel, scene) = (ui.panel_rect("analysis"), ui.scene());
    assert!(ui.window().expand(0.5).contains_rect(panel), "{panel}");
    assert!(scene.height() > 60.0 && scene.intersect(panel).height() < 1.0, "{scene} {panel}");
}

#[test]
fn the_caption_above_a_small_board_leaves_it_free() {
    let long = "North hurries home, and forgets the two pieces behind; ".repeat(6);
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
        for comment in ["Well played", &long] {
            let mut ui = in_replay(rules, 6, 3, LARGEST_TEXT);
            let bare = ui.scene();
            let mut replay = ui.edit::<Replay>();
            replay.record.as_mut().expect("a record").comment(3, comment);
            ui.labels();
            let (scene, caption) = (ui.scene(), ui.panel_rect("caption"));
            assert!(ui.window().contains_rect(caption), "{caption}");
            assert!(caption.bottom() <= scene.top(), "{rules}: {caption} {scene}");
            assert!(scene.height() > 60.0, "{rules}: {scene}");
            // It does not jump from ply to ply.
            ui.edit::<Replay>().ply = 2;
            ui.labels();
            assert_eq!(ui.scene(), scene, "{rules}");
            assert!(bare.contains_rect(scene), "{bare} {scene}");
            // Nor is it out of place for a frame when the list takes its room.
            ui.edit::<Replay>().ply = 3;
            ui.labels();
            ui.edit::<MoveList>().is_open = true;
            ui.frame(Vec::new());
            let (scene, caption) = (ui.scene(), ui.panel_rect("caption"));
            assert!(scene.x_range().contains(caption.left()), "{rules}: {caption} {scene}");
            ui.labels();
            let (scene, caption) = (ui.scene(), ui.panel_rect("caption"));
            assert!(scene.x_range().contains(caption.right()), "{rules}: {caption} {scene}");
        }
    }
}

#[test]
fn how_a_game_ended_is_shown_at_its_end_only() {
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 6, LARGEST_TEXT);
    let mut table = super::table(RuleSet::TablutAshton, 6);
    let last = crate::session::describe_ply(table.history(), 6)[0].clone();
    let watch = |ui: &mut TestUi, record: crate::records::Record, at: usize| {
        let mut replay = ui.edit::<Replay>();
        let _ = replay.open(record, "a game".to_owned());
        let _ = replay.jump(at);
        ui.labels();
    };
    watch(&mut ui, table.record(None), 6);
    assert_eq!(ui.visible_text().count(&last), 0, "the game goes on");
    let bare = ui.scene();
    assert!(table.resign(crate::games::Side::First));
    let outcome = table.outcome().expect("an end");
    let ending = crate::session::describe_outcome(RuleSet::TablutAshton, outcome);
    watch(&mut ui, table.record(None), 5);
    assert_eq!(ui.visible_text().count(&ending), 0, "it is not shown to its end");
    let scene = ui.scene();
    watch(&mut ui, table.record(None), 6);
    assert_eq!((ui.visible_text().count(&ending), ui.scene()), (1, scene), "and nothing jumps");
    assert!(bare.height() > scene.height());
    // A result whose reason is no word of ours.
    let mut record = super::table(RuleSet::TablutAshton, 6).record(None);
    assert!(
        record.stop(crate::records::GameResult::Won(crate::games::Side::Second), Some("tea time"))
    );
    watch(&mut ui, record, 6);
    assert_eq!(ui.visible_text().count(&last), 0, "the last move is not how it ended");
}

#[test]
fn a_new_analysis_replaces_the_move_list_and_shows_the_comment_in_a_small_window() {
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 3, LARGEST_TEXT);
    let mut replay = ui.edit::<Replay>();
    replay.record.as_mut().expect("a record").comment(3, "Well played");
    ui.edit::<MoveList>().is_open = true;
    ui.labels();
    ui.edit::<Analysis>().enabled = true;
    ui.labels();
    assert!(!ui.read::<MoveList>().is_open, "the list gives way");
    let (panel, scene) = (ui.panel_rect("analysis"), ui.scene());
    assert_eq!(ui.visible_text().count("Well played"), 1);
    assert!(scene.top() < 1.0 && scene.bottom() <= panel.top() + 0.5, "{scene} {panel}");
    // It can be called back.
    ui.edit::<MoveList>().is_open = true;
    ui.labels();
    assert!(ui.read::<MoveList>().is_open);
}

#[test]
fn the_explorer_lists_moves_with_who_won_and_a_press_plays_one() {
    for size in SIZES {
        let mut ui = in_replay(RuleSet::Tablaaza, 2, 0, size);
        let mv = ui.read::<Replay>().legal_moves()[0];
        let counts = BookCounts { games: 7, wins: [4, 2] };
        let mut explorer = ui.edit::<Explorer>();
        explorer.is_open = true;
        explorer.counts = counts;
        explorer.moves = vec![BookMove { mv, counts, value: Some(Score::Points(120)) }];
        let labels = ui.labels();
        let is_row = |words: &&String| words.contains(", Games: 7, Red won 4, Green won 2, ");
        let row = labels.iter().map(|(_, words)| words).find(is_row).cloned();
        let row = row.unwrap_or_else(|| panic!("{labels:?}"));
        ui.press(&row);
        let notation = row.split(',').next().unwrap_or_default().to_owned();
        assert!(ui.requested.contains(&GameAction::TypeMove(notation).into()), "{row}");
        ui.press("My games");
        let wanted = ViewAction::SetExplorerSource(ExplorerSource::OwnGames).into();
        assert!(ui.requested.contains(&wanted), "{:?}", ui.requested);
    }
}

#[test]
fn a_checked_game_tells_how_well_it_was_played_and_leads_to_its_mistakes() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        let mut ui = in_replay(RuleSet::TablutAshton, 6, 6, size);
        let history = ui.read::<Replay>().history().cloned().expect("a game");
        let mut analysis = ui.edit::<Analysis>();
        analysis.enabled = true;
        // White loses on plies 3 and 5, the second time much more.
        for (ply, points) in [0, 0, 0, -250, -250, -1200, -1200].into_iter().enumerate() {
            let position = history.at(ply).expect("a position");
            let best = position.legal_moves();
            let best = best.into_iter().find(|mv| Some(Ply::Move(*mv)) != history.ply(ply + 1));
            let value = Evaluation::Points(points);
            let evaluation = PositionEvaluation { value, best, variation: String::new(), depth: 9 };
            if ply < 6 {
                analysis.evaluations.insert(position.key(), evaluation);
            }
        }
        let tells = |ui: &mut TestUi, words: &str| {
            ui.labels().iter().any(|(_, label)| label.contains(words))
        };
        assert!(tells(&mut ui, "Checking the game: 6 of 7 positions"), "{size:?}");
        assert!(!tells(&mut ui, "Accuracy"), "{size:?}: not all of it is checked");
        let last = history.at(6).expect("a position");
        let (value, best) = (Evaluation::Points(-1200), None);
        let evaluation = PositionEvaluation { value, best, variation: String::new(), depth: 9 };
        ui.edit::<Analysis>().evaluations.insert(last.key(), evaluation);
        assert!(!tells(&mut ui, "Checking the game"), "{size:?}");
        assert!(tells(&mut ui, "Accuracy 100 %"), "{size:?}: Black's");
        assert!(tells(&mut ui, " % · mistakes: 1 · blunders: 1"), "{size:?}: White's");
        for (at, words, to) in
            [(6, "First mistake", 3), (3, "Next mistake", 5), (5, "First mistake", 3)]
        {
            ui.edit::<Replay>().ply = at;
            ui.press(words);
            assert_eq!(ui.requested, [ReplayAction::Jump(to).into()], "{size:?} at {at}");
        }
    }
}

#[test]
fn the_analysis_says_in_words_who_is_ahead_and_who_has_the_better_start() {
    for (ply, is_start) in [(0, true), (2, false)] {
        let mut ui = in_replay(RuleSet::TablutAshton, 6, ply, SIZES[1]);
        let history = ui.read::<Replay>().history().cloned().expect("a game");
        let value = Evaluation::Points(-460);
        let evaluation =
            PositionEvaluation { value, best: None, variation: String::new(), depth: 9 };
        let mut analysis = ui.edit::<Analysis>();
        analysis.enabled = true;
        let key = history.at(ply).expect("a position").key();
        analysis.evaluations.insert(key, evaluation);
        let labels = ui.labels();
        let tells = |words: &str| labels.iter().any(|(_, label)| label == words);
        assert!(tells("Black ahead by 4.6 soldiers"), "{labels:?}");
        assert_eq!(tells("By these rules, Black has the better start."), is_start, "{labels:?}");
    }
}
