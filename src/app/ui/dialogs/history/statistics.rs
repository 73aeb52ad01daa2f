//! The rating with its curve, results by rules and side, and openings.

use egui_plot::{Line, Plot, PlotPoints};

use super::{PlayedGame, heading};
use crate::{
    app::ui::{prelude::*, widgets},
    session::{Performance, Rating, performance},
};

/// How many openings are shown, and of how many plies.
const OPENINGS: usize = 5;
const OPENING_PLIES: usize = 2;
/// The height of the curve.
const CURVE_HEIGHT: f32 = space(30);
/// The size of a bar of results.
const BAR: (f32, f32) = (space(30), space(3));

/// Shows what follows from these games of a player, or of all.
pub(super) fn show(
    ui: &mut Ui,
    games: &[PlayedGame<'_>],
    player: Option<&str>,
    rules: Option<RuleSet>,
    results: &GameResults,
) {
    match player {
        Some(player) => show_ratings(ui, player, rules, results),
        None => {
            heading(ui, tr("history.rating"));
            widgets::note(ui, tr("history.choose-player"));
        }
    }
    if games.is_empty() {
        return;
    }
    heading(ui, tr("history.results"));
    widgets::note(ui, tr("history.figures"));
    for rules in RuleSet::ALL {
        for side in Side::BOTH {
            let of: Vec<&FinishedGame> = games
                .iter()
                .filter(|(_, game, played)| game.rules == rules && *played == side)
                .map(|(_, game, _)| *game)
                .collect();
            if !of.is_empty() {
                show_side(ui, rules, side, &of);
            }
        }
    }
    show_openings(ui, games);
}

/// The rating by each rule set, and its curve for one.
fn show_ratings(ui: &mut Ui, player: &str, rules: Option<RuleSet>, results: &GameResults) {
    let wanted =
        RuleSet::ALL.into_iter().filter(|listed| rules.is_none_or(|rules| rules == *listed));
    let ratings = results.ratings();
    let rated: Vec<(RuleSet, Rating)> =
        wanted.filter_map(|rules| Some((rules, ratings.current(player, rules)?))).collect();
    heading(ui, tr("history.rating"));
    if rated.is_empty() {
        widgets::note(ui, tr("history.no-rating"));
    }
    for (rules, rating) in &rated {
        let text = rating.to_string();
        let text = tr_args("keys.of", &[("command", rules_label(*rules)), ("key", &text)]);
        widgets::wrapped(ui, &text, BODY, TEXT);
    }
    if rated.iter().any(|(_, rating)| rating.is_guess()) {
        widgets::note(ui, tr("history.guess"));
    }
    let only = match (rules, &rated[..]) {
        (Some(rules), _) => Some(rules),
        (None, [(rules, _)]) => Some(*rules),
        (None, _) => None,
    };
    let curve = only.map(|rules| ratings.curve(player, rules)).unwrap_or_default();
    if curve.len() > 1 {
        show_curve(ui, &curve);
    } else if !rated.is_empty() {
        let key = if rated.len() > 1 { "history.choose-rules" } else { "history.no-curve" };
        widgets::note(ui, tr(key));
    }
}

/// The rating after each game, between the lines of two deviations.
fn show_curve(ui: &mut Ui, curve: &[(usize, Rating)]) {
    let line = |name: &str, color: Color32, width: f32, value: &dyn Fn(&Rating) -> f64| {
        #[expect(clippy::cast_precision_loss, reason = "a number of games")]
        let points: Vec<[f64; 2]> = curve
            .iter()
            .enumerate()
            .map(|(number, (_, rating))| [number as f64 + 1.0, value(rating)])
            .collect();
        Line::new(name.to_owned(), PlotPoints::from(points)).color(color).width(width)
    };
    let lines = [
        line("+", MUTED, 1.5, &|rating| rating.value + rating.uncertainty()),
        line("-", MUTED, 1.5, &|rating| rating.value - rating.uncertainty()),
        line(tr("history.rating"), ACCENT, 2.5, &|rating| rating.value),
    ];
    Plot::new("rating-curve")
        .height(CURVE_HEIGHT)
        .width(ui.available_width())
        .show_axes([false, true])
        .show_grid([false, true])
        .grid_color(LINE)
        .show_x(false)
        .show_y(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .sense(Sense::hover())
        .show(ui, |plot| {
            for line in lines {
                plot.line(line);
            }
        });
    let [first, last] = [curve.first(), curve.last()].map(|point| point.map(|(_, rating)| *rating));
    if let (Some(first), Some(last)) = (first, last) {
        let (games, first, last) = (curve.len().to_string(), first.to_string(), last.to_string());
        let names = [("games", games.as_str()), ("first", &first), ("last", &last)];
        widgets::note(ui, &tr_args("history.curve", &names));
    }
}

/// The results of a side as a bar and in words.
fn show_side(ui: &mut Ui, rules: RuleSet, side: Side, games: &[&FinishedGame]) {
    let done = performance(games.iter().map(|game| (*game, side)));
    let name = format!("{}, {}", rules_label(rules), side_label(rules, side));
    ui.horizontal(|ui| {
        show_bar(ui, &done);
        widgets::one_line(ui, &name, SMALL, TEXT);
    });
    widgets::note(ui, &side_text(&done, side, games));
}

/// Games won, drawn and lost in one bar.
fn show_bar(ui: &mut Ui, done: &Performance) {
    let (bar, _) = ui.allocate_exact_size(vec2(BAR.0, BAR.1), Sense::hover());
    let all = (done.wins + done.draws + done.losses).max(1);
    let mut left = bar.left();
    for (count, color) in [(done.wins, ACCENT), (done.draws, MUTED), (done.losses, ERROR)] {
        #[expect(clippy::cast_precision_loss, reason = "numbers of games")]
        let width = bar.width() * count as f32 / all as f32;
        let part = Rect::from_min_size(bar.with_min_x(left).min, vec2(width, bar.height()));
        ui.painter().rect_filled(part, 0, color);
        left += width;
    }
}

/// Games, performance, accuracy and luck of a side.
fn side_text(done: &Performance, side: Side, games: &[&FinishedGame]) -> String {
    let [wins, draws, losses] = [done.wins, done.draws, done.losses].map(|count| count.to_string());
    let counts = [("wins", wins.as_str()), ("draws", &draws), ("losses", &losses)];
    let mut parts = vec![tr_args("history.counts", &counts)];
    if let Some(rating) = done.rating {
        let rating = format!("{rating:.0}");
        parts.push(tr_args("history.performance", &[("rating", &rating)]));
    }
    let analysed: Vec<_> = games.iter().filter_map(|game| game.analysis).collect();
    let mean = |values: &mut dyn Iterator<Item = f32>| {
        let values: Vec<f32> = values.collect();
        #[expect(clippy::cast_precision_loss, reason = "a number of games")]
        let count = values.len() as f32;
        (count > 0.0).then(|| values.iter().sum::<f32>() / count)
    };
    let side = side.index();
    if let Some(accuracy) = mean(&mut analysed.iter().map(|analysis| analysis.accuracy[side])) {
        parts.push(tr_args("history.accuracy", &[("percent", &format!("{accuracy:.0}"))]));
    }
    if let Some(luck) = mean(&mut analysed.iter().filter_map(|analysis| Some(analysis.luck?[side])))
    {
        let luck = localize_decimal(&format!("{luck:+.2}"));
        parts.push(tr_args("history.luck", &[("luck", &luck)]));
    }
    parts.join(" · ")
}

/// The first plies met most often; in games with sticks they are throws.
fn show_openings(ui: &mut Ui, games: &[PlayedGame<'_>]) {
    let mut openings: Vec<(RuleSet, String, u32, f64)> = Vec::new();
    for (_, game, side) in games.iter().filter(|(_, game, _)| !game.rules.has_sticks()) {
        let plies: Vec<&str> = game.opening.split(' ').take(OPENING_PLIES).collect();
        let plies = plies.join(" ");
        if plies.is_empty() {
            continue;
        }
        let points = game.points(*side);
        match openings.iter_mut().find(|opening| opening.0 == game.rules && opening.1 == plies) {
            Some(known) => {
                known.2 += 1;
                known.3 += points;
            }
            None => openings.push((game.rules, plies, 1, points)),
        }
    }
    openings.sort_by_key(|opening| std::cmp::Reverse(opening.2));
    if openings.is_empty() {
        return;
    }
    heading(ui, tr("history.openings"));
    for (rules, plies, count, points) in openings.into_iter().take(OPENINGS) {
        let percent = format!("{:.0}", 100.0 * points / f64::from(count));
        let count = count.to_string();
        let names = [
            ("plies", plies.as_str()),
            ("rules", rules_label(rules)),
            ("games", &count),
            ("percent", &percent),
        ];
        widgets::note(ui, &tr_args("history.opening", &names));
    }
}
