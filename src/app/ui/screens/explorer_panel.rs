//! The opening explorer under the moves of a replay.

use crate::{
    app::{
        core::actions::ExplorerSource,
        ui::{
            dialogs::recent_games::player_name,
            prelude::*,
            widgets::{self, evaluation_bar},
        },
    },
    session::{BookCounts, BookMove, GameHit},
};

/// How high a row is.
const ROW_HEIGHT: f32 = space(6);
/// The most games that are listed.
const MOST_GAMES: usize = 50;

/// Shows the moves and games of the position, in so much height.
pub(super) fn show(
    ui: &mut Ui,
    explorer: &Explorer,
    position: &AnyPosition,
    height: f32,
    actions: &mut Vec<Action>,
) {
    let top = ui.cursor().top();
    ui.spacing_mut().item_spacing = vec2(space(1), space(1));
    ui.horizontal(|ui| {
        for source in ExplorerSource::VARIANTS {
            let text = match source {
                ExplorerSource::Book => tr("explorer.book"),
                ExplorerSource::OwnGames => tr("explorer.own"),
            };
            let is_chosen = explorer.source == *source;
            let button = widgets::labelled_choice(ui, tr("explorer.title"), is_chosen, text);
            if button.clicked() && !is_chosen {
                actions.push(ViewAction::SetExplorerSource(*source).into());
            }
        }
    });
    let left = height - (ui.cursor().top() - top);
    widgets::scroll_area(ui, "explorer-scroll", left.max(ROW_HEIGHT), |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().interact_size.y = ROW_HEIGHT;
        for book_move in &explorer.moves {
            move_row(ui, position, book_move, actions);
        }
        if explorer.moves.is_empty() {
            widgets::note(ui, empty_text(explorer, position));
        } else {
            widgets::note(ui, &total(position, explorer.counts));
            if explorer.is_reading() {
                widgets::note(ui, tr("explorer.reading"));
            }
        }
        for hit in explorer.games.iter().take(MOST_GAMES) {
            game_row(ui, hit, actions);
        }
    });
}

/// Why there are no moves.
fn empty_text(explorer: &Explorer, position: &AnyPosition) -> &'static str {
    match (position.turn(), explorer.source) {
        (Turn::Throw(_), _) => tr("explorer.throw"),
        (Turn::Over(_), _) => tr("explorer.over"),
        _ if explorer.is_reading() => tr("explorer.reading"),
        (_, ExplorerSource::Book) => tr("explorer.not-in-book"),
        (_, ExplorerSource::OwnGames) => tr("explorer.no-own"),
    }
}

/// How many games reached the position, and who won them.
fn total(position: &AnyPosition, counts: BookCounts) -> String {
    let [first, second] = Side::BOTH.map(|side| side_label(position.rules(), side));
    let number = |number: u32| number.to_string();
    let [games, one, two] = [counts.games, counts.wins[0], counts.wins[1]].map(number);
    let names = [("games", &*games), ("first", first), ("one", &one), ("second", second)];
    tr_args("explorer.total", &[&names[..], &[("two", &*two)]].concat())
}

/// A move: how often it was played, who won, and what the engine thinks of it. A click
/// plays it.
fn move_row(ui: &mut Ui, position: &AnyPosition, book_move: &BookMove, actions: &mut Vec<Action>) {
    let rules = position.rules();
    let notation = position.notation(book_move.mv);
    let value = book_move.value.map(|score| Evaluation::from_score(score, position.side()));
    let in_words = value.map(|value| evaluation_bar::text(rules, value)).unwrap_or_default();
    let value = value.map(|value| short_value(rules, value)).unwrap_or_default();
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let spoken = [notation.clone(), total(position, book_move.counts), in_words];
    let spoken = spoken.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &spoken));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, CARD_HOVERED);
    }
    let font = FontId::proportional(SMALL);
    let write = |x: f32, align: Align2, text: &str, color| {
        ui.painter().text(pos2(x, rect.center().y), align, text, font.clone(), color);
    };
    let at = |share: f32| rect.left() + rect.width() * share;
    write(at(0.0) + 4.0, Align2::LEFT_CENTER, &notation, TEXT);
    write(at(0.46), Align2::RIGHT_CENTER, &book_move.counts.games.to_string(), MUTED);
    write(rect.right() - 4.0, Align2::RIGHT_CENTER, &value, ACCENT);
    let bar =
        Rect::from_x_y_ranges(at(0.49)..=at(0.80), rect.center().y - 6.0..=rect.center().y + 6.0);
    wins_bar(ui, position, bar, book_move.counts);
    if response.on_hover_text(&spoken).clicked() {
        actions.push(GameAction::TypeMove(notation).into());
    }
}

/// A value for the first side, in a few letters: `+1.2`, or `#5` for a win in 5 plies.
fn short_value(rules: RuleSet, value: Evaluation) -> String {
    match value {
        Evaluation::Points(points) => evaluation_bar::advantage(rules, points),
        Evaluation::Wins(Side::First, plies) => format!("#{plies}"),
        Evaluation::Wins(Side::Second, plies) => format!("-#{plies}"),
    }
}

/// The wins of both sides in their colours, and the rest between them.
fn wins_bar(ui: &Ui, position: &AnyPosition, bar: Rect, counts: BookCounts) {
    #[expect(clippy::cast_precision_loss, reason = "shares of a bar")]
    let share = |wins: u32| wins as f32 / counts.games.max(1) as f32;
    let rules = position.rules();
    let one = bar.left() + bar.width() * share(counts.wins[0]);
    let two = bar.right() - bar.width() * share(counts.wins[1]);
    ui.painter().rect_filled(bar, 2.0, LINE);
    let fill = |left: f32, right: f32, side| {
        let part = Rect::from_x_y_ranges(left..=right, bar.y_range());
        ui.painter().rect_filled(part, 2.0, theme::side_color(rules, side));
    };
    fill(bar.left(), one, Side::First);
    fill(two, bar.right(), Side::Second);
    ui.painter().rect_stroke(bar, 2.0, Stroke::new(1.0, MUTED), StrokeKind::Inside);
}

/// A game that reached the position. A click opens it there.
fn game_row(ui: &mut Ui, hit: &GameHit, actions: &mut Vec<Action>) {
    let [first, second] = hit.players.each_ref().map(|name| player_name(name));
    let date = hit.date.as_deref().unwrap_or_default();
    let text = format!("{first} – {second}  {}  {date}", hit.result);
    if widgets::link(ui, text.trim_end(), LABEL).on_hover_text(tr("explorer.open")).clicked() {
        let (path, game, ply) = (hit.path.clone(), hit.game, hit.ply);
        actions.push(ReplayAction::OpenAt { path, game, ply }.into());
    }
}
