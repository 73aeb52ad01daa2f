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
