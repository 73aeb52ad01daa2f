//! The panel at the end of a game: who won and why, and what to do next. It stands
//! under the board and never over it.

use crate::{
    app::ui::{
        dialogs::files::FileChooser,
        game_texts::sentence,
        prelude::*,
        widgets::{self, command::CommandUi, evaluation_bar},
    },
    session::{Outcome, Rating, UnratedReason, describe_match_result, headline},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EndBanner>()
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::EndBanner));
}

/// Whether the panel is shown, whether it was closed, and where it stands.
#[derive(Resource, Debug, Default)]
pub(crate) struct EndBanner {
    /// The game whose panel is on the screen: its number, and how many plies it has.
    pub(crate) shown: Option<(u64, usize)>,
    /// The game whose panel was closed: its number, and how many plies it has.
    pub(crate) closed: Option<(u64, usize)>,
    /// The room that the table leaves it.
    pub(crate) room: Option<Rect>,
    /// Whether the last plies still moved when this was read last.
    was_moving: bool,
    /// Until when the board alone shows how the game ended (seconds).
    held_until: Option<f64>,
    /// Whether it makes room for the analysis.
    is_folded: bool,
}

/// For how long the board alone shows the move that decided the game (seconds).
const HELD_FOR: f64 = 1.5;

/// The name of the panel.
pub(crate) const END: &str = "end";

/// From this width on the buttons stand beside the texts.
const WIDE: f32 = 780.0;

impl EndBanner {
    /// Closes the panel that is on the screen.
    pub(super) const fn close(&mut self) {
        if let Some(game) = self.shown.take() {
            self.closed = Some(game);
        }
    }

    /// Follows what is seen: after the last move the panel waits a moment, and it folds while
    /// the game is analysed. Returns how long it still waits (seconds).
    pub(crate) fn follow(
        &mut self,
        referee: &Referee,
        motion: &MotionStatus,
        analyses: bool,
        now: f64,
    ) -> Option<f64> {
        let was_moving = std::mem::replace(&mut self.was_moving, motion.is_busy());
        let has_ended = referee.table.as_ref().is_some_and(|table| table.outcome().is_some());
        if was_moving && !motion.is_busy() && has_ended {
            self.held_until = Some(now + HELD_FOR);
        }
        self.held_until = self.held_until.filter(|until| has_ended && now < *until);
        self.is_folded = analyses;
        self.held_until.map(|until| until - now)
    }

    /// Whether a game has ended, and its panel was not closed.
    pub(crate) fn is_due(&self, referee: &Referee, motion: &MotionStatus) -> bool {
        referee
            .table
            .as_ref()
            .filter(|_| !motion.is_busy() && !referee.is_exercise())
            .filter(|_| self.held_until.is_none() && !self.is_put_away(referee))
            .is_some_and(|table| table.outcome().is_some())
    }

    /// Whether it was closed, or makes room for the analysis.
    pub(crate) fn is_put_away(&self, referee: &Referee) -> bool {
        let game = |table: &GameSession| (referee.game_number(), table.history().len());
        self.is_folded || self.closed.is_some() && self.closed == referee.table.as_ref().map(game)
    }
}

fn show(
    mut contexts: EguiContexts,
    mut banner: ResMut<EndBanner>,
    (referee, state, settings): (Res<Referee>, CommandState, Res<Settings>),
    (results, autosave, analysis): (Res<GameResults>, Res<Autosave>, Res<Analysis>),
    (files, dialog): (Res<FileChooser>, Res<OpenDialog>),
    (screen, motion): (Res<State<Screen>>, Res<MotionStatus>),
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let is_new = banner.shown.take().is_none();
    let (Screen::Table, Some(table)) = (screen.get(), &referee.table) else { return };
    if table.outcome().is_none() || referee.is_exercise() {
        banner.closed = None;
        return;
    }
    // A dialog lies over the table, and nothing under it can be pressed.
    if files.is_open() || dialog.0.is_some() || !banner.is_due(&referee, &motion) {
        return;
    }
    let Some(room) = banner.room else { return };
    banner.shown = Some((referee.game_number(), table.history().len()));
    let rating = results.rating_change(&referee, &autosave).map(rating_text);
    let details = details(table, rating, &analysis);
    let mut commands = CommandUi::new(&state, &settings);
    let close = widgets::foot_panel(context, END, room, is_new, |ui| {
        let is_wide = ui.available_width() >= WIDE;
        let id = ui.id().with("buttons-width");
        let close = ui.horizontal(|ui| {
            let width = ui.data(|data| data.get_temp::<f32>(id)).unwrap_or(space(150));
            let buttons_width = if is_wide { width + space(2) } else { 0.0 };
            let left = (ui.available_width() - buttons_width - space(10)).max(space(20));
            let size = vec2(left, CONTROL_HEIGHT);
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                ui.set_width(left);
                texts(ui, table, &details);
                if let Some(wait) = accuracy_wait(table, &analysis) {
                    widgets::wait_bar(ui, wait);
                }
            });
            if is_wide {
                let shown = ui.horizontal(|ui| buttons(ui, table, &mut commands));
                ui.data_mut(|data| data.insert_temp(id, shown.response.rect.width()));
            }
            let close = widgets::button(ui, "×");
            widgets::set_accessible_label(&close, tr("popup.close"));
            close.on_hover_text(tr("popup.close")).clicked()
        });
        if !is_wide {
            ui.horizontal_wrapped(|ui| buttons(ui, table, &mut commands));
        }
        close.inner
    });
    if close {
        commands.requested.push(UiAction::Dismiss.into());
    }
    actions.write_batch(commands.requested);
}

/// The person's rating after the game, and its change.
fn rating_text((before, after): (Option<Rating>, Rating)) -> String {
    let before = before.unwrap_or(after).value.round();
    #[expect(clippy::cast_possible_truncation, reason = "a few thousand at most")]
    game_texts::rating_after(after, (after.value.round() - before) as i32)
}

/// How a match stands, how well the persons played, and what became of their rating.
fn details(table: &GameSession, rating: Option<String>, analysis: &Analysis) -> Vec<String> {
    let is_person = |side: &Side| table.seats()[side.index()] == Seat::Person;
    let persons: Vec<Side> = Side::BOTH.into_iter().filter(is_person).collect();
    let unrated = || table.unrated_reason().filter(|_| !persons.is_empty()).map(unrated_text);
    let rating = rating.or_else(|| unrated().map(str::to_owned));
    let history = table.history();
    let ahead = ahead_loser(table, analysis).map(|side| match table.only_person() {
        Some(person) if person == side => tr("popup.you-were-ahead").to_owned(),
        _ => tr_args("popup.side-was-ahead", &[("side", side_label(table.rules(), side))]),
    });
    let accuracy = match analysis.of_game(history) {
        Some(found) => persons
            .iter()
            .map(|side| {
                let percent = format!("{:.0}", found.accuracy[side.index()]);
                let accuracy = tr_args("history.accuracy", &[("percent", &percent)]);
                match persons.as_slice() {
                    [_] => sentence(&accuracy),
                    _ => format!("{}: {accuracy}", side_label(table.rules(), *side)),
                }
            })
            .collect(),
        None if analysis.studied.as_ref() == Some(history) => vec![tr("popup.accuracy").to_owned()],
        None => Vec::new(),
    };
    let result = describe_match_result(table);
    result.into_iter().chain(ahead).chain(accuracy).chain(rating).collect()
}

/// Who resigned or ran out of time although that side was ahead, as far as it is known.
fn ahead_loser(table: &GameSession, analysis: &Analysis) -> Option<Side> {
    let (Outcome::Resigned(loser) | Outcome::TimedOut(loser)) = table.outcome()? else {
        return None;
    };
    let (history, plies) = (table.history(), table.history().len());
    let value = analysis.deepest_value(history, plies).filter(|_| !table.is_aborted())?;
    let leader = evaluation_bar::leader(table.rules(), value);
    leader.filter(|leader| *leader == loser && !analysis.is_old_at(history, plies))
}

/// How far the accuracy is measured, while it is.
fn accuracy_wait(table: &GameSession, analysis: &Analysis) -> Option<[usize; 2]> {
    let history = table.history();
    let is_measured = analysis.studied.as_ref() == Some(history);
    let wait @ [done, all] = analysis.progress(history);
    (is_measured && analysis.of_game(history).is_none() && done < all).then_some(wait)
}

/// Who won and why, and the details: in one line where there is room.
fn texts(ui: &mut Ui, table: &GameSession, details: &[String]) {
    let Some(outcome) = table.outcome() else { return };
    let rules = table.rules();
    ui.spacing_mut().item_spacing.y = space(1);
    let whole = describe_outcome(rules, outcome);
    let reason = whole.split_once(": ").map_or(whole.as_str(), |(_, reason)| reason);
    let title = headline(table).unwrap_or_default();
    let font = theme::serif(ui.ctx(), HEADING);
    let reason = [sentence(reason)];
    let parts = reason.iter().chain(details).map(String::as_str).collect::<Vec<_>>();
    let more = parts.join(" · ").replace(". · ", " · ");
    let title_width = ui.painter().layout_no_wrap(title.clone(), font.clone(), ACCENT).size().x;
    let whole_width = title_width + widgets::text_width(ui, &more, BODY) + space(12);
    let is_one_line = whole_width <= ui.available_width();
    ui.horizontal(|ui| {
        if let Some(side) = outcome.winner().filter(|_| !table.is_aborted()) {
            widgets::disc(ui, theme::side_color(rules, side), HEADING / 3.0);
        }
        widgets::say_when_changed(&ui.label(RichText::new(title).font(font).color(ACCENT)));
        if is_one_line {
            ui.label(RichText::new(&more).size(BODY).color(TEXT));
        }
    });
    if !is_one_line {
        widgets::wrapped(ui, &more, BODY, TEXT);
    }
}

/// Why the game counts for no rating.
fn unrated_text(reason: UnratedReason) -> &'static str {
    tr(match reason {
        UnratedReason::Help => "popup.unrated-help",
        UnratedReason::Undo => "popup.unrated-undo",
        UnratedReason::Copy => "popup.unrated-copy",
        UnratedReason::Aborted => "popup.unrated-aborted",
        UnratedReason::SamePlayer => "popup.unrated-names",
        UnratedReason::Other => "popup.unrated-other",
    })
}

/// What to do next.
fn buttons(ui: &mut Ui, table: &GameSession, commands: &mut CommandUi) {
    ui.spacing_mut().interact_size.y = CONTROL_HEIGHT;
    let size = vec2(space(28), CONTROL_HEIGHT);
    if table.awaits_next_game() {
        commands.primary_button(ui, "next-game", size);
    } else {
        let swapped = rematch_text(&table.rematch());
        if widgets::primary_button(ui, &swapped, size).clicked() {
            commands.requested.push(GameAction::Rematch.into());
        }
    }
    commands.button(ui, "analyse-game");
    let learns = table.has_moves_by_person();
    commands.button(ui, if learns { "learn-from-mistakes" } else { "show-title" });
}

/// A rematch: it names the side that the only person gets, or the first side's player
/// where persons have names, and else says what becomes of the sides.
fn rematch_text(setup: &Setup) -> String {
    let person = |side: &Side| setup.seats[side.index()] == Seat::Person;
    let persons: Vec<Side> = Side::BOTH.into_iter().filter(person).collect();
    let [first, second] = &setup.names;
    match persons.as_slice() {
        [side] => tr_args("popup.rematch-as", &[("side", side_label(setup.rules, *side))]),
        [side, _] if !first.is_empty() && first != second => {
            let names = [("name", first.as_str()), ("side", side_label(setup.rules, *side))];
            tr_args("popup.rematch-name-as", &names)
        }
        _ => tr("popup.rematch-swapped").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::analysis::PositionEvaluation;

    #[test]
    fn who_loses_while_ahead_is_told_so() {
        let mut table = GameSession::new(Setup::new(RuleSet::Tablaaza));
        for text in ["c7", "c6"] {
            let Ok(Ply::Move(mv)) = table.history().parse(text) else { panic!("{text}") };
            table.play(mv).expect("legal");
        }
        assert!(table.resign(Side::First));
        let told = |points| {
            let value = PositionEvaluation {
                value: Evaluation::Points(points),
                best: None,
                variation: String::new(),
                depth: 9,
            };
            let evaluations = [(table.history().position().key(), value)].into();
            details(&table, None, &Analysis { evaluations, ..Analysis::default() })
        };
        let ahead = "Red was ahead in the last position.";
        for (points, expected) in [(140, true), (3, false), (-140, false)] {
            assert_eq!(told(points).iter().any(|line| line == ahead), expected, "{points}");
        }
        assert!(!details(&table, None, &Analysis::default()).iter().any(|line| line == ahead));
    }

    #[test]
    fn the_board_alone_shows_the_end_for_a_moment() {
        let mut table = GameSession::new(Setup::new(RuleSet::Tablaaza));
        assert!(table.resign(Side::First));
        let mut referee = Referee::default();
        referee.table.replace(table);
        let [moving, still] = [1, 0].map(|pending| MotionStatus { pending, ..default() });
        let mut banner = EndBanner::default();
        assert_eq!(banner.follow(&referee, &still, false, 0.0), None);
        assert!(banner.is_due(&referee, &still), "a finished game that was opened");
        banner.follow(&referee, &moving, false, 1.0);
        assert!(!banner.is_due(&referee, &moving), "the last move moves");
        assert_eq!(banner.follow(&referee, &still, false, 2.0), Some(HELD_FOR));
        assert!(!banner.is_due(&referee, &still), "it is looked at");
        banner.follow(&referee, &still, false, 2.0 + HELD_FOR);
        assert!(banner.is_due(&referee, &still));
        banner.follow(&referee, &still, true, 4.0);
        assert!(!banner.is_due(&referee, &still), "it is analysed");
    }
}
