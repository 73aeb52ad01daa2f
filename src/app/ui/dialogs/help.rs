//! How to play: the aim of the game, the mouse, the keys.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{FontId, Grid, RichText, TextStyle, Ui, vec2},
};

use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use super::{DialogWindow, ScreenContent, WindowLayout, keys::scope_name, while_open};
use crate::{
    app::{
        core::states::{Dialog, Screen},
        game::referee::OpenedFile,
        settings::{
            Settings,
            key_bindings::{Chord, KEY_COMMANDS, KeyBindings, KeyCommand, KeyScope},
        },
        ui::{
            game_texts,
            theme::{ACCENT, BODY, MUTED, TEXT, space},
            widgets::{self, segmented::segmented},
        },
    },
    games::RuleSet,
    i18n::{language, lookup, tr},
    session::{GameSession, full_rules, rules_label},
};

/// Commands listed in one row: the beginning of their ids.
const GROUPS: [&str; 3] = ["cursor", "put-throw", "edit-tool"];

/// The size of diagrams: 76 columns fit in the window.
const DIAGRAM: f32 = 12.5;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, while_open(Dialog::Help, show));
}

/// What the dialog shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    /// The aim of the game, the mouse and the keys.
    #[default]
    Summary,
    FullRules,
}

fn show(
    mut window: DialogWindow,
    screen: ScreenContent,
    opened_file: Res<OpenedFile>,
    settings: Res<Settings>,
    (mut page, mut cache): (Local<Page>, Local<CommonMarkCache>),
) {
    let context = HelpContext {
        screen: *screen.screen.get(),
        rules: screen.rules(),
        by_hand: screen.referee.table.as_ref().is_some_and(GameSession::by_hand),
        lesson: screen.referee.is_exercise(),
        has_ended: match screen.screen.get() {
            Screen::Table => screen.referee.table.as_ref().is_some_and(|it| it.outcome().is_some()),
            Screen::Replay => true,
            Screen::Title | Screen::Editor => false,
        },
        several_games: opened_file.games.len() > 1,
    };
    window.show(&WindowLayout::default(), |ui, _| {
        widgets::dialog_title(ui, rules_label(context.rules));
        let pages = [Page::Summary, Page::FullRules];
        let names = [(tr("help.summary"), ""), (tr("help.full-rules"), "")];
        let chosen = pages.iter().position(|it| *it == *page);
        if let Some(index) = segmented(ui, tr("bar.how-to"), chosen, &names) {
            *page = pages[index];
        }
        ui.add_space(space(1));
        match *page {
            Page::Summary => summary(ui, &context, &settings.key_bindings),
            Page::FullRules => {
                // The title stands above.
                let text = full_rules(context.rules, language());
                let text = text.split_once('\n').map_or(text, |(_, text)| text);
                let small = FontId::monospace(DIAGRAM);
                ui.style_mut().text_styles.insert(TextStyle::Monospace, small);
                CommonMarkViewer::new().show(ui, &mut cache, text);
            }
        }
    });
}

/// What is on the screen that the help is about.
#[derive(Clone, Copy, Debug)]
struct HelpContext {
    screen: Screen,
    rules: RuleSet,
    /// Whether the sticks are thrown by hand.
    by_hand: bool,
    /// Whether a lesson or an exercise is on.
    lesson: bool,
    /// Whether there is a finished game to learn from.
    has_ended: bool,
    /// Whether the game is one of several in its file.
    several_games: bool,
}

impl HelpContext {
    /// Whether a command has a use here; on the title screen each has.
    fn has_use_for(&self, command: &KeyCommand) -> bool {
        if self.screen == Screen::Title {
            return true;
        }
        let is_due = match command.id {
            "next-step" | "previous-step" | "first-step" | "leave-practice" => self.lesson,
            "learn-mistakes" => self.has_ended,
            "games" => self.several_games,
            other => self.by_hand || !other.starts_with("put-throw"),
        };
        is_due && command.scope.is_on(self.screen) && command.suits(self.rules)
    }
}

/// The rows of a place: keys as they are set, and what they do. Keys are named
/// alike in every language.
fn rows(keys: &KeyBindings, scope: KeyScope, context: &HelpContext) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    let is_listed =
        |it: &&KeyCommand| it.scope == scope && it.is_offered() && context.has_use_for(it);
    for command in KEY_COMMANDS.iter().filter(is_listed) {
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
                let is_grouped = GROUPS.iter().any(|it| command.id.starts_with(it));
                rows.push((if is_grouped { first.clone() } else { own.join(" · ") }, name));
            }
        }
    }
    rows
}

fn name(command: &KeyCommand) -> String {
    let group = GROUPS.into_iter().find(|it| command.id.starts_with(it));
    let name = group.and_then(|it| lookup(&format!("act.{it}")));
    name.map_or_else(|| command.name(), str::to_owned)
}

fn summary(ui: &mut Ui, context: &HelpContext, keys: &KeyBindings) {
    let rules = context.rules;
    let paragraph = |ui: &mut Ui, text| widgets::wrapped(ui, text, BODY, TEXT);
    paragraph(ui, game_texts::aim(rules));
    ui.add_space(4.0);
    widgets::heading(ui, tr("help.mouse"));
    for line in game_texts::mouse_help(rules.game()) {
        paragraph(ui, line);
    }
    paragraph(ui, tr("help.let-go"));
    paragraph(ui, tr("help.orbit"));
    ui.add_space(4.0);
    widgets::heading(ui, tr("help.written"));
    paragraph(ui, game_texts::notation(rules.game()));
    ui.spacing_mut().interact_size.y = 18.0;
    key_lists(ui, context, keys);
}

fn key_lists(ui: &mut Ui, context: &HelpContext, keys: &KeyBindings) {
    for scope in KeyScope::ALL {
        let mut rows = rows(keys, scope, context);
        if rows.is_empty() {
            continue;
        }
        if scope == KeyScope::Everywhere {
            rows.push(("Tab · Enter".to_owned(), tr("keys.tab").to_owned()));
        }
        let key_width = |(key, _): &(String, String)| widgets::text_width(ui, key, BODY);
        let keys_width = rows.iter().map(key_width).fold(0.0, f32::max);
        let width = ui.available_width() - keys_width - 18.0;
        ui.add_space(4.0);
        widgets::heading(ui, scope_name(scope));
        Grid::new(scope).num_columns(2).spacing(vec2(18.0, 3.0)).show(ui, |ui| {
            for (key, effect) in rows {
                ui.label(RichText::new(key).size(BODY).color(ACCENT));
                ui.scope(|ui| {
                    ui.set_max_width(width);
                    widgets::wrapped(ui, &effect, BODY, MUTED);
                });
                ui.end_row();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::KeyCode;

    use super::*;

    const TITLE: HelpContext = HelpContext {
        screen: Screen::Title,
        rules: RuleSet::TablutAshton,
        by_hand: false,
        lesson: false,
        has_ended: false,
        several_games: false,
    };

    fn all_rows(context: &HelpContext) -> Vec<(String, String)> {
        KeyScope::ALL.map(|scope| rows(&KeyBindings::default(), scope, context)).concat()
    }

    #[test]
    fn the_list_shows_the_keys_as_they_are_set() {
        let mut keys = KeyBindings::default();
        let row = |keys: &KeyBindings, wanted: &str| {
            let scopes = [KeyScope::Squares, KeyScope::Table];
            let rows = scopes.map(|scope| rows(keys, scope, &TITLE)).concat();
            rows.into_iter().find(|(_, name)| name == wanted).map(|it| it.0)
        };
        assert_eq!(row(&keys, "Undo a move").as_deref(), Some("U · Ctrl+Z"));
        assert_eq!(row(&keys, "Move the cursor").as_deref(), Some("← → ↑ ↓"));
        assert_eq!(row(&keys, "Enter your throw").as_deref(), Some("0 1 2 3 4"));
        let undo = KEY_COMMANDS.iter().find(|it| it.id == "undo").expect("a command");
        let other = Chord { key: KeyCode::KeyJ, command: false, shift: true, alt: false };
        assert_eq!(keys.set(undo, 0, Some(other)), Ok(()));
        assert_eq!(row(&keys, "Undo a move").as_deref(), Some("Shift+J · Ctrl+Z"));
        for _ in 0..2 {
            assert_eq!(keys.set(undo, 0, None), Ok(()));
        }
        assert_eq!(row(&keys, "Undo a move"), None, "no key, no line");
    }

    #[test]
    fn only_the_keys_of_the_game_on_the_table_are_listed_each_once() {
        let at = |rules| HelpContext { screen: Screen::Table, rules, ..TITLE };
        let has = |context: &HelpContext, effect: &str| {
            all_rows(context).iter().any(|(_, name)| name == effect)
        };
        let sticks = ["Throw the sticks", "Show or hide the direction of play"];
        for effect in sticks {
            assert!(has(&at(RuleSet::Tablan), effect) && has(&TITLE, effect), "{effect}");
            assert!(!has(&at(RuleSet::TablutAshton), effect), "{effect}");
            assert!(!has(&at(RuleSet::Tablaaza), effect), "{effect}");
        }
        for (context, effect) in [
            (HelpContext { by_hand: true, ..at(RuleSet::Tablan) }, "Enter your throw"),
            (HelpContext { lesson: true, ..at(RuleSet::Tablaaza) }, "Next step or mistake"),
            (HelpContext { has_ended: true, ..at(RuleSet::Tablaaza) }, "Learn from your mistakes"),
            (HelpContext { screen: Screen::Replay, ..TITLE }, "Play or pause"),
            (HelpContext { screen: Screen::Editor, ..TITLE }, "Editor: clear the board"),
            (at(RuleSet::TablutAshton), "Offer a draw"),
        ] {
            assert!(has(&context, effect) && has(&TITLE, effect), "{effect}");
            assert!(!has(&at(RuleSet::Tablaaza), effect), "{effect}");
        }
        let title = all_rows(&TITLE);
        let rows = |effect: &str| -> Vec<&str> {
            let rows = title.iter().filter(|(_, name)| name == effect);
            rows.map(|(keys, _)| keys.as_str()).collect()
        };
        assert_eq!(rows("Show how to play and the keys"), ["F1 · ?"]);
        assert_eq!(rows("Faster"), ["+"]);
    }
}
