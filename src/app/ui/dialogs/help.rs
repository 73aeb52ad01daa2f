//! How to play: the game's aim, the mouse, the keys.

use bevy_egui::egui::{Grid, Label, RichText, Ui, vec2};

use super::keys::place_name;
use crate::{
    app::{
        core::states::Screen,
        settings::key_bindings::{Chord, KEY_COMMANDS, KeyBindings, KeyCommand, KeyScope},
        ui::{
            game_texts,
            theme::{ACCENT, BODY, INK, LARGE, MUTED},
            widgets,
        },
    },
    games::RuleSet,
    i18n::{lookup, tr},
    table::rules_label,
};

/// Commands that are told as one: the beginning of their names.
const TOGETHER: [&str; 3] = ["cursor", "put-throw", "edit-tool"];

/// Where help is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Here {
    /// Which screen.
    pub(crate) screen: Screen,
    /// The rules of what is on it.
    pub(crate) rules: RuleSet,
    /// Whether its sticks are thrown by hand.
    pub(crate) by_hand: bool,
    /// Whether it is a step of a lesson.
    pub(crate) lesson: bool,
    /// Whether it is one of several games of a file.
    pub(crate) several: bool,
}

impl Here {
    /// Whether a command can be of use here; on the title any can.
    fn needs(&self, command: &KeyCommand) -> bool {
        if self.screen == Screen::Title {
            return true;
        }
        let due = match command.id {
            "next-step" | "previous-step" | "first-step" => self.lesson,
            "games" => self.several,
            other => self.by_hand || !other.starts_with("put-throw"),
        };
        due && command.scope.is_on(self.screen) && command.suits(self.rules)
    }
}

/// What keys do in a place, and the keys as they are set. What stands on a key
/// is the same in every language the program speaks.
fn keys(keys: &KeyBindings, place: KeyScope, here: &Here) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    let told = |it: &&KeyCommand| it.scope == place && it.is_offered() && here.needs(it);
    for command in KEY_COMMANDS.iter().filter(told) {
        let mut own: Vec<String> = keys.chords(command).into_iter().map(Chord::label).collect();
        if command.id == "help" {
            own.push("?".to_owned());
        }
        own.dedup();
        let (Some(first), name) = (own.first(), name(command)) else { continue };
        match rows.last_mut() {
            Some((keys, last)) if *last == name => {
                keys.push(' ');
                keys.push_str(first);
            }
            _ => {
                let is_one_of_many = TOGETHER.iter().any(|it| command.id.starts_with(it));
                rows.push((if is_one_of_many { first.clone() } else { own.join(" · ") }, name));
            }
        }
    }
    rows
}

fn name(command: &KeyCommand) -> String {
    let together = TOGETHER.into_iter().find(|it| command.id.starts_with(it));
    let act = together.and_then(|it| lookup(&format!("act.{it}")));
    act.map_or_else(|| command.name(), str::to_owned)
}

/// The help for a game.
pub(crate) fn text(ui: &mut Ui, here: &Here, set: &KeyBindings) {
    let rules = here.rules;
    ui.label(RichText::new(rules_label(rules)).size(LARGE + 4.0).color(ACCENT));
    paragraph(ui, game_texts::aim(rules));
    ui.add_space(4.0);
    widgets::heading(ui, tr("help.mouse"));
    for line in game_texts::with_the_mouse(rules.game()) {
        paragraph(ui, line);
    }
    paragraph(ui, tr("help.let-go"));
    paragraph(ui, tr("help.orbit"));
    ui.add_space(4.0);
    widgets::heading(ui, tr("help.written"));
    paragraph(ui, game_texts::notation(rules.game()));
    ui.spacing_mut().interact_size.y = 18.0;
    for place in KeyScope::ALL {
        let mut rows = keys(set, place, here);
        if rows.is_empty() {
            continue;
        }
        if place == KeyScope::Everywhere {
            rows.push(("Tab · Enter".to_owned(), tr("keys.tab").to_owned()));
        }
        let key = |(key, _): &(String, String)| widgets::width(ui, key, BODY);
        let wide = ui.available_width() - rows.iter().map(key).fold(0.0, f32::max) - 18.0;
        ui.add_space(4.0);
        widgets::heading(ui, place_name(place));
        Grid::new(place).num_columns(2).spacing(vec2(18.0, 3.0)).show(ui, |ui| {
            for (key, does) in rows {
                ui.label(RichText::new(key).size(BODY).color(ACCENT));
                ui.scope(|ui| {
                    ui.set_max_width(wide);
                    ui.add(Label::new(RichText::new(does).size(BODY).color(MUTED)).wrap());
                });
                ui.end_row();
            }
        });
    }
}

fn paragraph(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).size(BODY).color(INK)).wrap());
}

#[cfg(test)]
mod tests {
    use bevy::prelude::KeyCode;

    use super::*;

    const TITLE: Here = Here {
        screen: Screen::Title,
        rules: RuleSet::TablutAshton,
        by_hand: false,
        lesson: false,
        several: false,
    };

    fn told(here: &Here) -> Vec<(String, String)> {
        KeyScope::ALL.map(|place| keys(&KeyBindings::default(), place, here)).concat()
    }

    #[test]
    fn the_list_shows_the_keys_as_they_are_set() {
        let mut set = KeyBindings::default();
        let row = |set: &KeyBindings, wanted: &str| {
            let places = [KeyScope::Squares, KeyScope::Table];
            let rows = places.map(|place| keys(set, place, &TITLE)).concat();
            rows.into_iter().find(|(_, name)| name == wanted).map(|it| it.0)
        };
        assert_eq!(row(&set, "Take back").as_deref(), Some("U · Ctrl+Z"));
        assert_eq!(row(&set, "Move the cursor").as_deref(), Some("← → ↑ ↓"));
        assert_eq!(row(&set, "Say what the sticks show").as_deref(), Some("0 1 2 3 4"));
        let undo = KEY_COMMANDS.iter().find(|it| it.id == "undo").expect("a command");
        let other = Chord { key: KeyCode::KeyJ, command: false, shift: true };
        assert_eq!(set.set(undo, 0, Some(other)), Ok(()));
        assert_eq!(row(&set, "Take back").as_deref(), Some("Shift+J · Ctrl+Z"));
        for _ in 0..2 {
            assert_eq!(set.set(undo, 0, None), Ok(()));
        }
        assert_eq!(row(&set, "Take back"), None, "no key, no line");
    }

    #[test]
    fn only_the_keys_of_the_game_on_the_table_are_told_and_none_twice() {
        let at = |rules| Here { screen: Screen::Table, rules, ..TITLE };
        let has = |here: &Here, does: &str| told(here).iter().any(|(_, name)| name == does);
        let sticks = ["Throw the sticks", "Show or hide the course of the pieces"];
        for does in sticks {
            assert!(has(&at(RuleSet::Tablan), does) && has(&TITLE, does), "{does}");
            assert!(!has(&at(RuleSet::TablutAshton), does), "{does}");
            assert!(!has(&at(RuleSet::Tablaaza), does), "{does}");
        }
        for (here, does) in [
            (Here { by_hand: true, ..at(RuleSet::Tablan) }, "Say what the sticks show"),
            (Here { lesson: true, ..at(RuleSet::Tablaaza) }, "Next step of the lesson"),
            (Here { screen: Screen::Replay, ..TITLE }, "Play or pause"),
            (Here { screen: Screen::Editor, ..TITLE }, "Set-up: empty board"),
            (at(RuleSet::TablutAshton), "Offer a draw"),
        ] {
            assert!(has(&here, does) && has(&TITLE, does), "{does}");
            assert!(!has(&at(RuleSet::Tablaaza), does), "{does}");
        }
        let title = told(&TITLE);
        let rows = |does: &str| -> Vec<&str> {
            let rows = title.iter().filter(|(_, name)| name == does);
            rows.map(|(keys, _)| keys.as_str()).collect()
        };
        assert_eq!(rows("How to play, and the keys"), ["F1 · ?"]);
        assert_eq!(rows("Faster"), ["+"]);
    }
}
