//! How to play: the aim of the game, the mouse, the keys.

use bevy_egui::egui::{Grid, TextStyle};

use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use super::{DialogWindow, WindowLayout, keys::scope_name};
use crate::{
    app::{
        commands::{COMMANDS, Chord, Command, CommandContext, Scope},
        settings::key_bindings::KeyBindings,
        ui::{
            prelude::*,
            widgets::{self, segmented::segmented},
        },
    },
    games::AnyRules,
    i18n::language,
    session::full_rules,
};

/// The size of diagrams: 76 columns fit in the window.
const DIAGRAM: f32 = 12.5;

/// What the dialog shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    /// The aim of the game, the mouse and the keys.
    #[default]
    Summary,
    FullRules,
}

pub(super) fn show(
    mut window: DialogWindow,
    state: CommandState,
    settings: Res<Settings>,
    (mut page, mut cache): (Local<Page>, Local<CommonMarkCache>),
) {
    let context = state.context(&settings);
    window.show(&WindowLayout::default(), |ui, _| {
        widgets::dialog_title(ui, rules_label(context.rules));
        let pages = [Page::Summary, Page::FullRules];
        let names = [(tr("help.summary"), ""), (tr("help.full-rules"), "")];
        let chosen = pages.iter().position(|other| *other == *page);
        if let Some(index) = segmented(ui, tr("act.help"), chosen, &names) {
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

/// Whether a command has a use here; on the title screen each has.
fn has_use(command: &Command, context: &CommandContext) -> bool {
    command.exists() && (context.screen == Screen::Title || command.is_offered(context))
}

/// The rows of a scope: keys as they are set, and what they do. Keys are named alike in
/// every language. Commands that differ by a number alone share a row.
fn rows(keys: &KeyBindings, scope: Scope, context: &CommandContext) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for command in
        COMMANDS.iter().filter(|command| command.scope == scope && has_use(command, context))
    {
        let mut own: Vec<String> = keys.chords(command).into_iter().map(Chord::label).collect();
        if command.id == "help" {
            own.push("?".to_owned());
        }
        own.dedup();
        let Some(first) = own.first() else { continue };
        let series = command.series();
        let name = series.map_or_else(|| command.name(), str::to_owned);
        match rows.last_mut() {
            Some((keys, last)) if *last == name => {
                keys.push(' ');
                keys.push_str(first);
            }
            _ => rows.push((if series.is_some() { first.clone() } else { own.join(" · ") }, name)),
        }
    }
    rows
}

fn summary(ui: &mut Ui, context: &CommandContext, keys: &KeyBindings) {
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
    if matches!(rules.rules(), AnyRules::Tablut(tablut) if tablut.announces) {
        paragraph(ui, tr("help.written-calls"));
    }
    ui.spacing_mut().interact_size.y = 18.0;
    key_lists(ui, context, keys);
}

fn key_lists(ui: &mut Ui, context: &CommandContext, keys: &KeyBindings) {
    for &scope in Scope::VARIANTS {
        let mut rows = rows(keys, scope, context);
        if rows.is_empty() {
            continue;
        }
        if scope == Scope::Everywhere {
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

    fn all_rows(context: &CommandContext) -> Vec<(String, String)> {
        let rows = |&scope: &Scope| rows(&KeyBindings::default(), scope, context);
        Scope::VARIANTS.iter().flat_map(rows).collect()
    }

    #[test]
    fn the_list_shows_the_keys_as_they_are_set() {
        let mut keys = KeyBindings::default();
        let row = |keys: &KeyBindings, wanted: &str| {
            let scopes = [Scope::Board, Scope::Squares, Scope::Table];
            let rows = scopes.map(|scope| rows(keys, scope, &CommandContext::default())).concat();
            rows.into_iter().find(|(_, name)| name == wanted).map(|row| row.0)
        };
        assert_eq!(row(&keys, "Undo").as_deref(), Some("U · Ctrl+Z"));
        assert_eq!(row(&keys, "Move the cursor").as_deref(), Some("← → ↑ ↓"));
        assert_eq!(row(&keys, "Enter your throw").as_deref(), Some("0 1 2 3 4"));
        let undo = Command::named("undo");
        let other = Chord { key: KeyCode::KeyJ, command: false, shift: true, alt: false };
        assert_eq!(keys.set(undo, 0, Some(other)), Ok(()));
        assert_eq!(row(&keys, "Undo").as_deref(), Some("Shift+J · Ctrl+Z"));
        for _ in 0..2 {
            assert_eq!(keys.set(undo, 0, None), Ok(()));
        }
        assert_eq!(row(&keys, "Undo"), None, "no key, no line");
    }

    #[test]
    fn only_the_keys_of_the_game_on_the_table_are_listed_each_once() {
        let at =
            |rules| CommandContext { screen: Screen::Table, rules, ..CommandContext::default() };
        let has = |context: &CommandContext, effect: &str| {
            all_rows(context).iter().any(|(_, name)| name == effect)
        };
        let sticks = ["Throw", "Direction of play"];
        for effect in sticks {
            assert!(
                has(&at(RuleSet::Tablan), effect) && has(&CommandContext::default(), effect),
                "{effect}"
            );
            assert!(!has(&at(RuleSet::TablutAshton), effect), "{effect}");
            assert!(!has(&at(RuleSet::Tablaaza), effect), "{effect}");
        }
        let on_table = OnTable::Lesson;
        let of = |context: CommandContext| CommandContext { has_plies: true, ..context };
        for (context, effect) in [
            (CommandContext { by_hand: true, ..at(RuleSet::Tablan) }, "Enter your throw"),
            (CommandContext { on_table, ..at(RuleSet::Tablaaza) }, "Next"),
            (CommandContext { is_over: true, ..at(RuleSet::Tablaaza) }, "Learn from your mistakes"),
            (of(CommandContext { screen: Screen::Replay, ..CommandContext::default() }), "Play"),
            (
                CommandContext { screen: Screen::Editor, ..CommandContext::default() },
                "Clear the board",
            ),
            (at(RuleSet::TablutAshton), "Offer a draw"),
        ] {
            assert!(has(&context, effect) && has(&CommandContext::default(), effect), "{effect}");
            assert!(!has(&at(RuleSet::Tablaaza), effect), "{effect}");
        }
        let title = all_rows(&CommandContext::default());
        let rows = |effect: &str| -> Vec<&str> {
            let rows = title.iter().filter(|(_, name)| name == effect);
            rows.map(|(keys, _)| keys.as_str()).collect()
        };
        assert_eq!(rows("How to play"), ["F1 · ?"]);
        assert_eq!(rows("Faster"), ["+"]);
    }
}
