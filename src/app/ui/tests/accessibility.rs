//! What screen readers get, and the letters of the font.

use std::collections::BTreeSet;

use super::clocks::timed;
use crate::app::{
    commands::{COMMANDS, Command},
    ui::tests::*,
};

/// Whatever can be pressed, moved or typed into has an accessible label, and no
/// two have the same.
#[test]
fn every_widget_has_its_own_accessible_label() {
    let mut screens = vec![
        ("title", TestUi::new(Screen::Title, SIZES[1])),
        ("table", timed(SIZES[1])),
        ("sticks", at_table(RuleSet::Tablan, 1, SIZES[1])),
        ("replay", in_replay(RuleSet::Tablan, 4, 2, SIZES[1])),
    ];
    for dialog in Dialog::VARIANTS.iter().copied() {
        let mut ui = timed(SIZES[1]);
        ui.edit::<OpenDialog>().0 = Some(dialog);
        screens.push(("dialog", ui));
    }
    // The labels under a dialog.
    let under = timed(SIZES[1]).labels();
    for (screen, ui) in &mut screens {
        let mut labels = ui.labels();
        if *screen == "dialog" {
            labels.retain(|label| !under.contains(label));
        }
        let mut widgets: Vec<&String> = labels
            .iter()
            .filter(|(role, _)| !matches!(role, Role::Label | Role::GenericContainer))
            .map(|(_, words)| words)
            .collect();
        assert!(!widgets.is_empty() || labels.len() > 3, "{screen}: {labels:?}");
        for words in &widgets {
            let letters = words.chars().filter(|letter| letter.is_alphanumeric()).count();
            assert!(letters > 0, "{screen}: '{words}' among {labels:?}");
        }
        widgets.sort_unstable();
        for pair in widgets.windows(2) {
            assert_ne!(pair[0], pair[1], "{screen}: {labels:?}");
        }
    }
}

/// The words of the squares, in the order of the tree.
fn squares(ui: &mut TestUi) -> Vec<String> {
    ui.app.insert_resource(bevy::a11y::AccessibilityRequested::default());
    ui.app.world().resource::<bevy::a11y::AccessibilityRequested>().set(true);
    ui.labels();
    let board = ui.nodes.iter().find(|(_, node)| node.role() == Role::Grid).expect("the board");
    let node = |id| ui.nodes.iter().find(|(known, _)| *known == id).map(|(_, node)| node);
    let rows = board.1.children().iter().filter_map(|id| node(*id));
    let squares = rows.filter(|node| node.role() == Role::Row).flat_map(Node::children);
    let squares = squares.filter_map(|id| node(*id)).filter(|node| node.role() == Role::Cell);
    squares.map(|square| square.label().unwrap_or_default().to_owned()).collect()
}

/// Asks the square whose words begin so to do this.
fn ask(ui: &mut TestUi, square: &str, action: accesskit::Action) -> Vec<Action> {
    let named = |(_, node): &&(NodeId, Node)| {
        node.role() == Role::Cell && node.label().is_some_and(|words| words.starts_with(square))
    };
    let target_node = ui.nodes.iter().find(named).map(|node| node.0).expect("the square");
    let request = ActionRequest { action, target_tree: TreeId::ROOT, target_node, data: None };
    ui.frame(vec![egui::Event::AccessKitActionRequest(request)])
}

#[test]
fn every_square_is_a_node_in_the_order_in_which_it_is_seen() {
    for (rules, count, words) in [
        (RuleSet::TablutAshton, 81, ["e5: king, castle", "e9: black soldier, camp"]),
        (RuleSet::Tablan, 48, ["a1: South piece", "l4: North piece"]),
        (RuleSet::Tablaaza, 56, ["c3: lake", "a1: empty"]),
    ] {
        let mut ui = at_table(rules, 0, SIZES[1]);
        assert!(!ui.labels().iter().any(|(role, _)| *role == Role::Cell), "nobody listens");
        let squares = squares(&mut ui);
        assert_eq!(squares.len(), count, "{rules}");
        for words in words {
            assert!(squares.iter().any(|known| known == words), "{words} in {squares:?}");
        }
        assert!(squares[0].starts_with('a') && squares[count - 1].contains("1: "));
        *ui.edit::<NearSide>() = NearSide(Side::Second);
        let turned: Vec<_> = squares.into_iter().rev().collect();
        assert_eq!(self::squares(&mut ui), turned);
    }
    let mut ui = TestUi::new(Screen::Editor, SIZES[1]);
    ui.edit::<Editor>().draft.clear();
    assert!(squares(&mut ui).iter().any(|words| words.starts_with("e5: empty")));
}

#[test]
fn a_square_can_be_pressed_and_reached_with_the_arrow_keys() {
    let mut ui = at_table(RuleSet::TablutAshton, 0, SIZES[1]);
    squares(&mut ui);
    let e4: Square = "e4".parse().expect("a square");
    let press = ask(&mut ui, "e4", accesskit::Action::Click);
    assert_eq!(press, [GameAction::SelectSquare(e4).into()]);
    let go = ask(&mut ui, "e4", accesskit::Action::Focus);
    assert_eq!(go, [GameAction::PlaceCursor(e4).into()]);
    ui.edit::<Pointed>().cursor = Some(e4);
    let focused = |ui: &mut TestUi| {
        (0..3).for_each(|_| drop(ui.frame(Vec::new())));
        let focus = ui.context.memory(egui::Memory::focused).map(|id| id.accesskit_id());
        let node = ui.nodes.iter().find(|(id, _)| Some(*id) == focus);
        node.and_then(|(_, node)| node.label()).unwrap_or_default().to_owned()
    };
    assert!(focused(&mut ui).starts_with("e4: "));
    assert!(ui.app.world().resource::<UiFocus>().board);
    // The key is the board's: the focus follows the cursor alone.
    ui.key(Key::ArrowUp);
    assert!(focused(&mut ui).starts_with("e4: "));
    ui.edit::<Pointed>().cursor = Some(Square::new(4, 4));
    assert!(focused(&mut ui).starts_with("e5: king"));
    ui.key(Key::Tab);
    assert!(!focused(&mut ui).starts_with("e5"), "Tab leaves the board");
    assert!(!ui.app.world().resource::<UiFocus>().board);
}

#[test]
fn plies_whose_turn_it_is_and_notices_are_said_when_they_change() {
    let mut ui = at_table(RuleSet::TablutAshton, 1, SIZES[1]);
    squares(&mut ui);
    let said: Vec<_> = ui
        .nodes
        .iter()
        .filter(|(_, node)| node.live() == Some(accesskit::Live::Polite))
        .filter_map(|(_, node)| node.value().or(node.label()).map(str::to_owned))
        .collect();
    assert!(said.iter().any(|text| text.starts_with("White moves ")), "{said:?}");
    assert!(said.iter().any(|text| text.starts_with("Black")), "whose turn it is: {said:?}");
}

/// Only what can be switched on tells whether it is.
#[test]
fn switches_tell_their_state_and_other_buttons_none() {
    let mut ui = at_table(RuleSet::TablutAshton, 1, SIZES[1]);
    ui.labels();
    let toggled = |name: &str| {
        let named = |(_, node): &&(NodeId, Node)| node.label() == Some(name);
        ui.nodes.iter().find(named).expect(name).1.toggled()
    };
    assert_eq!(toggled("Undo"), None);
    assert_eq!(toggled("Menu"), None);
    assert_eq!(toggled("Evaluation"), Some(accesskit::Toggled::False));
}

#[test]
fn the_font_has_every_letter_that_is_used() {
    let mut ui = TestUi::new(Screen::Title, (1280.0, 720.0));
    ui.frame(Vec::new());
    ui.frame(Vec::new());
    let tables = [
        include_str!("../../../../assets/words/en.toml"),
        include_str!("../../../../assets/words/it.toml"),
    ];
    let keys = COMMANDS.iter().flat_map(Command::default_chords).map(ToString::to_string);
    let written = tables.map(str::to_owned).into_iter().chain(keys).collect::<String>();
    let letters: BTreeSet<char> = written.chars().filter(|letter| !letter.is_control()).collect();
    assert!(letters.contains(&'→') && letters.contains(&'à'));
    let font = FontId::proportional(BODY);
    let missing: String = ui.context.fonts_mut(|fonts| {
        letters.into_iter().filter(|&letter| !fonts.has_glyph(&font, letter)).collect()
    });
    assert_eq!(missing, "");
}

#[test]
fn figures_are_equally_wide() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.frame(Vec::new());
    ui.frame(Vec::new());
    for font in [FontId::proportional(BODY), theme::strong(&ui.context, BODY)] {
        let width = |figure: char| {
            let font = font.clone();
            ui.context.fonts_mut(|fonts| {
                fonts.layout_no_wrap(figure.to_string().repeat(20), font, Color32::WHITE).size().x
            })
        };
        for figure in '0'..='9' {
            assert!((width(figure) - width('0')).abs() < 1.0, "{figure}");
        }
    }
}
