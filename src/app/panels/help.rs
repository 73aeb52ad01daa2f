//! How to play: the game's aim, the mouse, the keys.

use bevy_egui::egui::{Grid, Label, RichText, Ui, vec2};

use super::{
    keys::place_name,
    theme::{ACCENT, BODY, INK, LARGE, MUTED},
    widgets, words,
};
use crate::{
    app::keys::{COMMANDS, Command, Keys, Place},
    games::RuleSet,
    table::rules_words,
    words::{find, say},
};

/// Commands that are told as one: the beginning of their names.
const TOGETHER: [&str; 3] = ["cursor", "put-throw", "edit-tool"];

/// What keys do in a place, and the keys as they are set. What stands on a key
/// is the same in every language the program speaks.
fn keys(keys: &Keys, place: Place) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for command in COMMANDS.iter().filter(|it| it.place == place && it.is_offered()) {
        let own = keys.of(command);
        let (Some(first), name) = (own.first(), name(command)) else { continue };
        match rows.last_mut() {
            Some((keys, last)) if *last == name => {
                keys.push(' ');
                keys.push_str(&first.to_string());
            }
            _ => {
                let all: Vec<String> = own.iter().map(ToString::to_string).collect();
                let is_one_of_many = TOGETHER.iter().any(|it| command.id.starts_with(it));
                rows.push((if is_one_of_many { all[0].clone() } else { all.join(" · ") }, name));
            }
        }
    }
    rows
}

fn name(command: &Command) -> String {
    let together = TOGETHER.into_iter().find(|it| command.id.starts_with(it));
    let act = together.and_then(|it| find(&format!("act.{it}")));
    act.map_or_else(|| command.name(), str::to_owned)
}

/// The help for a game.
pub(super) fn text(ui: &mut Ui, rules: RuleSet, set: &Keys) {
    ui.label(RichText::new(rules_words(rules)).size(LARGE + 4.0).color(ACCENT));
    paragraph(ui, words::aim(rules));
    ui.add_space(4.0);
    widgets::heading(ui, say("help.mouse"));
    for line in words::with_the_mouse(rules.game()) {
        paragraph(ui, line);
    }
    paragraph(ui, say("help.let-go"));
    paragraph(ui, say("help.orbit"));
    ui.spacing_mut().interact_size.y = 18.0;
    let wide = (ui.available_width() - 170.0).max(120.0);
    for place in Place::ALL {
        ui.add_space(4.0);
        widgets::heading(ui, place_name(place));
        Grid::new(place).num_columns(2).spacing(vec2(18.0, 3.0)).show(ui, |ui| {
            let mut rows = keys(set, place);
            if place == Place::Anywhere {
                rows.push(("Tab · Enter".to_owned(), say("keys.tab").to_owned()));
                rows.push(("?".to_owned(), say("key.help").to_owned()));
            }
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
    use crate::app::keys::Chord;

    #[test]
    fn the_list_shows_the_keys_as_they_are_set() {
        let mut set = Keys::default();
        let row = |set: &Keys, wanted: &str| {
            let rows = [Place::Squares, Place::Table].map(|place| keys(set, place)).concat();
            rows.into_iter().find(|(_, name)| name == wanted).map(|it| it.0)
        };
        assert_eq!(row(&set, "Take back").as_deref(), Some("U · Ctrl+Z"));
        assert_eq!(row(&set, "Move the cursor").as_deref(), Some("← → ↑ ↓"));
        assert_eq!(row(&set, "Say what the sticks show").as_deref(), Some("0 1 2 3 4"));
        let undo = COMMANDS.iter().find(|it| it.id == "undo").expect("a command");
        let other = Chord { key: KeyCode::KeyJ, command: false, shift: true };
        assert_eq!(set.set(undo, 0, Some(other)), Ok(()));
        assert_eq!(row(&set, "Take back").as_deref(), Some("Shift+J · Ctrl+Z"));
        for _ in 0..2 {
            assert_eq!(set.set(undo, 0, None), Ok(()));
        }
        assert_eq!(row(&set, "Take back"), None, "no key, no line");
    }
}
