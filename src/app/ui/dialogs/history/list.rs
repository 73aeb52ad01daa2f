//! The games, the last one first; a click opens one in a replay.

use std::collections::HashSet;

use super::{
    PlayedGame,
    filter::{Opponent, Score},
    heading, shown_name,
};
use crate::{
    app::ui::{prelude::*, widgets},
    session::level_label,
};

/// The most games that are listed.
const MAX_GAMES: usize = 60;

pub(super) fn show(
    ui: &mut Ui,
    games: &[PlayedGame<'_>],
    player: Option<&str>,
    saved: &HashSet<String>,
    folder: Option<&Path>,
    actions: &mut Vec<Action>,
) {
    heading(ui, tr("history.games"));
    if games.is_empty() {
        widgets::note(ui, tr("history.no-match"));
    }
    // Among the games of all players, a game between two persons is listed once.
    let mut games = games.to_vec();
    if player.is_none() {
        games.dedup_by_key(|(index, _, _)| *index);
    }
    for game in games.iter().take(MAX_GAMES) {
        let (index, result, side) = *game;
        let color = match Score::of(result, side) {
            Score::Win => ACCENT,
            Score::Draw => TEXT,
            Score::Loss => MUTED,
        };
        let text = format!("{}. {}", index + 1, row_text(game, player.is_none()));
        let size = vec2(ui.available_width(), CONTROL_HEIGHT);
        let button = Button::new(RichText::new(&text).size(SMALL).color(color));
        let button = button.min_size(size).wrap();
        let is_saved = saved.contains(result.save_name());
        let response = ui.add_enabled(is_saved, button);
        let response = response.on_disabled_hover_text(tr("history.deleted"));
        if let Some(folder) = folder.filter(|_| response.clicked()) {
            let path = folder.join(format!("{}.tab", result.save_name()));
            // The games of a match share a file.
            actions.push(match result.round() {
                Some(game) => ReplayAction::OpenAt { path, game, ply: 0 }.into(),
                None => ReplayAction::open(path).into(),
            });
        }
    }
    if games.len() > MAX_GAMES {
        let count = (games.len() - MAX_GAMES).to_string();
        widgets::note(ui, &tr_args("history.more", &[("games", &count)]));
    }
}

/// Against whom a game was played: an engine that adapted with the level it played at.
fn opponent_label(game: &FinishedGame, side: Side) -> String {
    match game.seats[side.other().index()] {
        Seat::Engine(level) if game.adaptive => {
            tr_args("seat.adaptive", &[("level", level_label(level))])
        }
        _ => Opponent::in_game(game, side).label(),
    }
}

/// A game in one line: the result first, then when, what and against whom; the player
/// too where not all games are one player's.
fn row_text((_, game, side): &PlayedGame<'_>, names_player: bool) -> String {
    let opponent = opponent_label(game, *side);
    let date = game.date.as_deref().unwrap_or_default().replace('.', "-");
    let mut parts = vec![
        Score::of(game, *side).label().to_owned(),
        date,
        if names_player { shown_name(&game.names[side.index()]) } else { String::new() },
        tr_args("title.against", &[("opponent", &opponent)]),
        rules_label(game.rules).to_owned(),
        side_label(game.rules, *side).to_owned(),
        game_texts::length(game.rules, game.plies, game.plies.div_ceil(2)),
    ];
    if let Some(round) = game.round() {
        parts.push(tr_args("history.round", &[("round", &round.to_string())]));
    }
    if !game.rated {
        parts.push(tr("history.unrated").to_owned());
    }
    if let Some(analysis) = game.analysis {
        let percent = format!("{:.0}", analysis.accuracy[side.index()]);
        parts.push(tr_args("history.accuracy", &[("percent", &percent)]));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}
