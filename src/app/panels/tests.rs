//! The panels laid out and pressed with the keyboard, without a window.

use bevy::{prelude::*, state::app::StatesPlugin};
use bevy_egui::{
    EguiContext, EguiPrimaryContextPass, EguiUserTextures, PrimaryEguiContext,
    egui::{self, Context, Id, Key, RawInput, Rect, pos2},
};

use super::{desk::Desk, files::Files};
use crate::{
    app::{
        acts::{Act, Sheet},
        advice::Advice,
        lesson::Lesson,
        referee::{Keeping, Referee},
        replay::Replay,
        settings::{Settings, SettingsFile},
        stage::{Margins, Marks, Motion, Screen},
    },
    engines::Level,
    games::{GameKind, Ply, RuleSet},
    table::{Seat, Setup, Table},
};

/// The smallest window the panels are made for, a usual and a large one.
const SIZES: [(f32, f32); 3] = [(900.0, 600.0), (1280.0, 720.0), (1600.0, 900.0)];
/// The smallest window at the largest text: the room there is in points.
const LARGEST_TEXT: (f32, f32) = (450.0, 300.0);

/// More widgets than any screen of the tests has.
const WIDGETS: usize = 40;

struct Panels {
    app: App,
    context: Context,
    size: (f32, f32),
    time: f64,
}

impl Panels {
    fn new(screen: Screen, size: (f32, f32)) -> Self {
        let mut app = App::new();
        app.add_plugins(StatesPlugin)
            .add_message::<Act>()
            .init_resource::<Referee>()
            .init_resource::<Replay>()
            .init_resource::<Advice>()
            .init_resource::<Lesson>()
            .init_resource::<Keeping>()
            .init_resource::<Settings>()
            .init_resource::<SettingsFile>()
            .init_resource::<Motion>()
            .init_resource::<Marks>()
            .init_resource::<Margins>()
            .init_resource::<EguiUserTextures>()
            .insert_state(screen);
        super::systems(&mut app);
        let mut shared = EguiContext::default();
        let context = shared.get_mut().clone();
        app.world_mut().spawn((shared, PrimaryEguiContext));
        Self { app, context, size, time: 0.0 }
    }

    /// One frame with these events; what the panels asked for in it.
    fn frame(&mut self, events: Vec<egui::Event>) -> Vec<Act> {
        self.time += 0.03;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_max(pos2(0.0, 0.0), self.size.into())),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        let world = self.app.world_mut();
        let mut output = self.context.run_ui(input, |_| world.run_schedule(EguiPrimaryContextPass));
        output.textures_delta.clear();
        world.resource_mut::<Messages<Act>>().drain().collect()
    }

    fn key(&mut self, key: Key) -> Vec<Act> {
        let event = |pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        let mut asked = self.frame(vec![event(true)]);
        asked.extend(self.frame(vec![event(false)]));
        asked
    }

    /// Goes to each widget with Tab and presses it with Enter; what
    /// was asked for, and whether a yes or a file were asked for.
    fn press_all(&mut self) -> (Vec<Act>, [bool; 2]) {
        let (mut asked, mut opened) = (Vec::new(), [false; 2]);
        self.frame(Vec::new());
        for number in 1..=WIDGETS {
            self.context
                .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
            for _ in 0..number {
                self.key(Key::Tab);
            }
            asked.extend(self.key(Key::Enter));
            let world = self.app.world_mut();
            let mut desk = world.resource_mut::<Desk>();
            opened[0] |= desk.confirm.take().is_some();
            let mut files = world.resource_mut::<Files>();
            if files.is_open() {
                opened[1] = true;
                *files = Files::default();
            }
            // A dialog keeps the keyboard to itself for a frame more.
            self.frame(Vec::new());
        }
        (asked, opened)
    }

    fn place(&self, name: &str) -> Rect {
        let place = self.context.memory(|memory| memory.area_rect(Id::new(name)));
        place.unwrap_or_else(|| panic!("no panel {name}"))
    }

    fn scene(&self) -> Rect {
        let margins = self.app.world().resource::<Margins>();
        Rect::from_min_max(
            pos2(margins.left, margins.top),
            pos2(self.size.0 - margins.right, self.size.1 - margins.bottom),
        )
    }
}

/// A table of two persons after the first `plies` plies that come.
fn table(rules: RuleSet, plies: usize) -> Table {
    let seats = [Seat::Person; 2];
    let mut table = Table::new(Setup { rules, seats, seed: Some(1), start: None, by_hand: false });
    for _ in 0..plies {
        let played = match table.line().legal_moves().first() {
            Some(&mv) => table.play(mv).is_ok(),
            None => table.throw().is_ok(),
        };
        assert!(played);
    }
    table
}

fn at_table(rules: RuleSet, plies: usize, size: (f32, f32)) -> Panels {
    let mut panels = Panels::new(Screen::Table, size);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(rules, plies));
    panels
}

fn in_replay(rules: RuleSet, plies: usize, at: usize, size: (f32, f32)) -> Panels {
    let mut panels = Panels::new(Screen::Replay, size);
    let mut replay = panels.app.world_mut().resource_mut::<Replay>();
    replay.record = Some(table(rules, plies).record(None));
    replay.at = at;
    panels
}

fn asks(asked: &[Act], id: &str) -> bool {
    asked.iter().any(|act| act.id() == id)
}

#[test]
fn the_title_starts_resumes_opens_and_quits() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (asked, opened) = panels.press_all();
    for id in ["new-game", "table", "learn", "quit"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for sheet in [Sheet::Help, Sheet::Recent, Sheet::Settings] {
        assert!(asked.contains(&Act::Show(sheet)), "{sheet:?} among {asked:?}");
    }
    assert_eq!(opened, [false, true], "no yes, files");
    let chosen = asked.iter().find_map(|act| match act {
        Act::NewGame(setup) => Some((setup.rules.game(), setup.seats)),
        _ => None,
    });
    let chosen = chosen.expect("a game");
    assert_eq!(chosen.0, GameKind::Tablaaza, "the last card pressed before Play");
    assert_eq!(chosen.1, [Seat::Engine(Level::Master); 2], "the last seats pressed before Play");
}

#[test]
fn the_title_stands_inside_the_window() {
    for size in SIZES {
        let mut panels = Panels::new(Screen::Title, size);
        panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
        assert!(window.contains_rect(panels.place("title")), "{size:?}");
        assert_eq!(panels.scene(), window, "the scene stands behind");
    }
}

#[test]
fn every_button_of_the_table_can_be_reached() {
    let mut panels = at_table(RuleSet::Tablan, 0, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some({
        let mut table = table(RuleSet::Tablan, 3);
        table.undo();
        while !table.person_throws() {
            let first = table.line().legal_moves()[0];
            assert!(table.play(first).is_ok());
        }
        table
    });
    let (asked, opened) = panels.press_all();
    for id in ["undo", "undo-turn", "redo", "top-view", "reset-view", "throw", "threats", "value"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for ply in [1, 2] {
        assert!(asked.contains(&Act::Look(ply)), "looking back at {ply} among {asked:?}");
    }
    for sheet in [Sheet::Help, Sheet::Menu] {
        assert!(asked.contains(&Act::Show(sheet)), "{sheet:?} among {asked:?}");
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
}

/// Presses everything on a sheet; what was asked for.
fn press_sheet(panels: &mut Panels, sheet: Sheet) -> (Vec<Act>, [bool; 2]) {
    let (mut asked, mut opened) = (Vec::new(), [false; 2]);
    for number in 1..=WIDGETS {
        panels.app.world_mut().resource_mut::<Desk>().open = Some(sheet);
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        panels
            .context
            .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
        for _ in 0..number {
            panels.key(Key::Tab);
        }
        asked.extend(panels.key(Key::Enter));
        let world = panels.app.world_mut();
        let mut desk = world.resource_mut::<Desk>();
        opened[0] |= desk.confirm.take().is_some();
        desk.open = None;
        let mut files = world.resource_mut::<Files>();
        if files.is_open() {
            opened[1] = true;
            *files = Files::default();
        }
        panels.frame(Vec::new());
    }
    (asked, opened)
}

#[test]
fn the_menu_of_the_table_has_the_rest() {
    let mut panels = at_table(RuleSet::TablutAshton, 3, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().kept = true;
    let (asked, opened) = press_sheet(&mut panels, Sheet::Menu);
    for id in ["title", "rematch", "copy", "watch", "offer-draw", "quit", "close"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for sheet in [Sheet::TypeMove, Sheet::Recent, Sheet::Settings, Sheet::Help] {
        assert!(asked.contains(&Act::Show(sheet)), "{sheet:?} among {asked:?}");
    }
    assert_eq!(opened, [true; 2], "the yes to resigning, files");
    assert!(!asks(&asked, "resign"), "resigning wants a yes");
}

#[test]
fn the_settings_can_be_chosen_with_the_keyboard() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    let (asked, _) = press_sheet(&mut panels, Sheet::Settings);
    let chosen: Vec<Settings> = asked
        .into_iter()
        .filter_map(|act| match act {
            Act::Configure(settings) => Some(settings),
            _ => None,
        })
        .collect();
    let has = |wanted: &dyn Fn(&Settings) -> bool| chosen.iter().any(wanted);
    assert!(has(&|it| it.text_size == 200) && has(&|it| it.text_size == 75));
    assert!(has(&|it| it.language == Some(crate::words::Language::Italian)));
    assert!(has(&|it| it.reduced_motion) && has(&|it| !it.coordinates) && has(&|it| it.confirm));
    assert!(has(&|it| it.palette == crate::app::settings::Palette::BlueOrange));
    assert!(has(&|it| it.moves == crate::app::settings::Means::Drag) && has(&|it| it.speed > 2.0));
}

#[test]
fn a_move_is_typed_and_entered() {
    let mut panels = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    panels.app.world_mut().resource_mut::<Desk>().open = Some(Sheet::TypeMove);
    panels.frame(Vec::new());
    panels.frame(Vec::new());
    panels.frame(vec![egui::Event::Text("e4-f4".to_owned())]);
    let asked = panels.key(Key::Enter);
    assert_eq!(asked, [Act::Type("e4-f4".to_owned())]);
    assert_eq!(panels.app.world().resource::<Desk>().open, None);
}

#[test]
fn sheets_stand_inside_the_window_even_at_the_largest_text() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for sheet in Sheet::ALL {
            let mut panels = at_table(RuleSet::Tablan, 6, size);
            panels.app.world_mut().resource_mut::<Desk>().open = Some(sheet);
            for _ in 0..4 {
                panels.frame(Vec::new());
            }
            let window = Rect::from_min_max(pos2(0.0, 0.0), size.into());
            let place = panels.place("sheet");
            assert!(window.contains_rect(place), "{sheet:?} at {size:?}: {place}");
        }
    }
}

#[test]
fn at_the_largest_text_the_list_takes_the_board_s_place_only_when_wanted() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
        let mut panels = at_table(rules, 4, LARGEST_TEXT);
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        assert!(panels.scene().width() > 440.0 && panels.scene().height() > 100.0);
        let (asked, _) = panels.press_all();
        for id in ["undo", "show"] {
            assert!(asks(&asked, id), "{id} among {asked:?}");
        }
        panels.app.world_mut().resource_mut::<Desk>().list = true;
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let window = Rect::from_min_max(pos2(0.0, 0.0), LARGEST_TEXT.into());
        assert!(window.expand(0.5).contains_rect(panels.place("side")), "{}", panels.place("side"));
    }
}

#[test]
fn a_lesson_shows_its_text_and_buttons_beside_or_under_the_board() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan] {
            let mut panels = at_table(rules, 0, size);
            panels.app.world_mut().resource_mut::<Referee>().lesson = true;
            let mut lesson = panels.app.world_mut().resource_mut::<Lesson>();
            (lesson.game, lesson.step) = (Some(rules.game()), 1);
            let (asked, _) = panels.press_all();
            for id in ["next-step", "previous-step", "title"] {
                assert!(asks(&asked, id), "{size:?} {rules}: {id} among {asked:?}");
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
fn the_recent_games_can_be_played_on_and_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = crate::table::Shelf::new(folder.path().to_owned());
    let slot = shelf.fresh().expect("a place");
    slot.write(&table(RuleSet::Tablaaza, 2).record(None).to_string()).expect("written");
    std::fs::write(folder.path().join("0.tab"), "nothing").expect("written");
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.insert_resource(Keeping::on(folder.path().to_owned()));
    panels.app.world_mut().resource_mut::<Desk>().recent = shelf.list(9);
    let (asked, _) = press_sheet(&mut panels, Sheet::Recent);
    assert!(asked.contains(&Act::Resume(slot.path().to_owned())), "{asked:?}");
    assert!(asked.contains(&Act::Open(slot.path().to_owned())), "{asked:?}");
}

#[test]
fn panels_of_table_and_replay_leave_each_other_and_the_scene_alone() {
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
fn every_button_of_the_replay_can_be_reached() {
    let mut panels = in_replay(RuleSet::TablutLinnaeus, 4, 2, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (asked, opened) = panels.press_all();
    for id in [
        "toggle-play",
        "step-forward",
        "step-back",
        "speed",
        "analyse",
        "play-on",
        "table",
        "top-view",
        "show",
    ] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for to in [0, 1, 3, 4] {
        assert!(asked.contains(&Act::Jump(to)), "jump to {to} among {asked:?}");
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
    let (asked, opened) = press_sheet(&mut panels, Sheet::Menu);
    for id in ["title", "copy", "loop", "quit"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    assert!(opened[1], "a file for the animation");
}

#[test]
fn playing_on_over_an_unsaved_game_wants_a_yes() {
    let mut panels = in_replay(RuleSet::TablutAshton, 4, 2, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 2));
    let (asked, opened) = panels.press_all();
    assert!(opened[0] && !asks(&asked, "play-on"));
}

#[test]
fn the_end_offers_another_game_and_can_be_put_away() {
    let mut table = table(RuleSet::TablutBerkeley, 2);
    assert!(table.resign(crate::games::Side::First));
    let mut panels = Panels::new(Screen::Table, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table);
    let (asked, _) = panels.press_all();
    for id in ["rematch", "watch", "title"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    assert_eq!(panels.app.world().resource::<Desk>().end_seen, Some(2), "See the board");
}

#[test]
fn help_opens_with_f1_and_closes_with_escape() {
    let mut panels = at_table(RuleSet::Tablaaza, 0, SIZES[0]);
    panels.frame(Vec::new());
    panels.key(Key::F1);
    assert_eq!(panels.app.world().resource::<Desk>().open, Some(Sheet::Help));
    panels.key(Key::Escape);
    assert_eq!(panels.app.world().resource::<Desk>().open, None);
}

#[test]
fn a_throw_that_still_tumbles_is_not_given_away() {
    let mut panels = at_table(RuleSet::Tablan, 1, SIZES[0]);
    panels.app.world_mut().resource_mut::<Motion>().waiting = 1;
    let (asked, _) = panels.press_all();
    assert!(!asks(&asked, "throw"), "no throw while one tumbles");
    let referee = panels.app.world().resource::<Referee>();
    let line = referee.table.as_ref().map(|table| table.line().ply(1));
    assert!(matches!(line, Some(Some(Ply::Throw(_)))));
}

#[test]
fn a_slow_click_is_a_click() {
    let mut panels = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    panels.frame(Vec::new());
    let pos = panels.place("bar").min + egui::vec2(40.0, 22.0);
    panels.frame(vec![egui::Event::PointerMoved(pos)]);
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    assert_eq!(panels.frame(vec![button(true)]), []);
    panels.time += 3.0;
    assert_eq!(panels.frame(vec![button(false)]), [Act::Show(Sheet::Menu)], "the first button");
}
