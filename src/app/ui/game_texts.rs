//! Texts about games and rule sets that several panels share.

use crate::{
    app::scene::api::MoveMark,
    games::{GameKind, RuleSet, Side},
    i18n::{lookup, signed, tr, tr_args},
    session::{GameSession, Rating, TimeControl, TimeControls, player_label},
};

/// The three games, in the order of their cards.
pub(crate) const GAMES: [GameKind; 3] = [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza];

/// What the sign of a judged move says.
pub(crate) fn mark_label(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Played => tr("lesson.mark-played"),
        MoveMark::Right => tr("lesson.mark-right"),
        MoveMark::Wrong => tr("lesson.mark-wrong"),
    }
}

/// A person's rating after a result, and its change; no change of what is only a guess.
pub(crate) fn rating_after(rating: Rating, change: i32) -> String {
    let key = if rating.is_guess() { "popup.rating-guess" } else { "popup.rating-change" };
    tr_args(key, &[("rating", &rating.to_string()), ("change", &signed(change))])
}

/// A game's name.
pub(crate) fn name(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => tr("game.tablut"),
        GameKind::Tablan => tr("game.tablan"),
        GameKind::Tablaaza => tr("game.tablaaza"),
    }
}

/// What kind of game it is.
pub(crate) fn kind(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => tr("game.tablut-kind"),
        GameKind::Tablan => tr("game.tablan-kind"),
        GameKind::Tablaaza => tr("game.tablaaza-kind"),
    }
}

/// A game in one line.
pub(crate) fn line(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => tr("game.tablut-line"),
        GameKind::Tablan => tr("game.tablan-line"),
        GameKind::Tablaaza => tr("game.tablaaza-line"),
    }
}

/// A game in two lines.
pub(crate) fn summary(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => tr("game.tablut-account"),
        GameKind::Tablan => tr("game.tablan-account"),
        GameKind::Tablaaza => tr("game.tablaaza-account"),
    }
}

/// A rule set's name among its game's.
pub(crate) fn variant(rules: RuleSet) -> &'static str {
    of_rules("variant", rules)
}

/// How a rule set differs from the others of its game, and its source.
pub(crate) fn difference(rules: RuleSet) -> &'static str {
    of_rules("differs", rules)
}

/// How a game is won and what a move is, for the help.
pub(crate) fn aim(rules: RuleSet) -> &'static str {
    of_rules("aim", rules)
}

fn of_rules(section: &str, rules: RuleSet) -> &'static str {
    lookup(&format!("{section}.{}", rules.file_name())).unwrap_or(rules.title())
}

/// Against whom a person plays, or the two persons.
pub(crate) fn opponent(table: &GameSession) -> String {
    let [first, second] = table.person_names();
    let are_persons = table.seats().iter().all(|seat| !seat.is_computer());
    if are_persons && !first.is_empty() && !second.is_empty() {
        return tr_args("title.name-and-name", &[("first", &first), ("second", &second)]);
    }
    let is_engine = |side: &Side| table.seats()[side.index()].is_computer();
    let engines = Side::BOTH.into_iter().filter(is_engine);
    let names: Vec<String> = engines.map(|side| player_label(table, side)).collect();
    match &names[..] {
        [name] => tr_args("title.against", &[("opponent", name)]),
        [_, _] => tr("title.watch").to_owned(),
        _ => tr("title.two-players").to_owned(),
    }
}

/// How to read a written move.
pub(crate) fn notation(game: GameKind) -> &'static str {
    match game {
        GameKind::Tablut => tr("help.written-tablut"),
        GameKind::Tablan => tr("help.written-tablan"),
        GameKind::Tablaaza => tr("help.written-tablaaza"),
    }
}

/// How to make a move with the mouse.
pub(crate) fn mouse_help(game: GameKind) -> Vec<&'static str> {
    match game {
        GameKind::Tablut => vec![tr("mouse.tablut-1"), tr("mouse.tablut-2")],
        GameKind::Tablan => {
            vec![tr("mouse.tablan-1"), tr("mouse.tablan-2"), tr("mouse.tablan-3")]
        }
        GameKind::Tablaaza => vec![tr("mouse.tablaaza-1")],
    }
}

/// The text with a capital first letter.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// A time control in short, and in full.
pub(crate) fn time_control(time_control: TimeControl) -> (String, String) {
    let (time, more) = (time_control.time().as_secs(), time_control.increment().as_secs());
    let (minutes, seconds) = ((time / 60).to_string(), more.to_string());
    let names = [("minutes", minutes.as_str()), ("seconds", seconds.as_str())];
    match time_control {
        TimeControl::PerMove(_) if time < 60 => {
            let name = tr_args("clock.seconds", &[("seconds", &time.to_string())]);
            (name, tr("clock.move-hint").to_owned())
        }
        TimeControl::PerMove(_) if time >= 24 * 3600 => {
            let days = (time / (24 * 3600)).to_string();
            (tr_args("clock.days", &[("days", &days)]), tr("clock.move-hint").to_owned())
        }
        TimeControl::PerMove(_) => {
            (tr_args("clock.minutes", &names), tr("clock.move-hint").to_owned())
        }
        TimeControl::PerGame { .. } if more == 0 => {
            (minutes.clone(), tr_args("clock.game-hint", &names))
        }
        TimeControl::PerGame { .. } => {
            (tr_args("clock.with-more", &names), tr_args("clock.plus-hint", &names))
        }
    }
}

/// The clocks in short: one time for both sides, or that of each.
pub(crate) fn clock(clock: TimeControls) -> String {
    let [first, second] = Side::BOTH.map(|side| time_control(clock.of(side)).0);
    if clock.is_even() { first } else { format!("{first} / {second}") }
}

/// How long a game was: its moves, as the end of the game and its record number them. In
/// Tablan, where a turn has any number of throws, both are counted.
pub(crate) fn length(rules: RuleSet, plies: usize, moves: usize) -> String {
    if rules.has_sticks() {
        tr_args("history.throws-and-moves", &[("count", &plies.to_string())])
    } else {
        match moves {
            1 => tr("history.one-move").to_owned(),
            moves => tr_args("history.moves", &[("moves", &moves.to_string())]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_set_has_its_own_texts() {
        for (index, rules) in RuleSet::ALL.into_iter().enumerate() {
            for other in RuleSet::ALL.into_iter().skip(index + 1) {
                assert_ne!(difference(rules), difference(other), "{rules} and {other}");
                assert_ne!(aim(rules), aim(other), "{rules} and {other}");
            }
            assert!(rules.title().starts_with(name(rules.game())));
            assert_ne!(variant(rules), rules.title(), "{rules} has a short name");
            assert!(!mouse_help(rules.game()).is_empty());
        }
    }

    #[test]
    fn a_reason_becomes_a_sentence() {
        assert_eq!(sentence("the king was captured."), "The king was captured.");
        assert_eq!(sentence(""), "");
    }
}
