//! What stands over the panels for a while: a question, the end of the game,
//! something called out, a yes that is asked for.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{
        Align2, Context, FontId, Id, Label, Modal, Pos2, Rect, RichText, ScrollArea, TextStyle, Ui,
        pos2, vec2,
    },
};

use super::toast;
use crate::{
    app::{
        capture::export::ExportJobs,
        core::{
            actions::{Action, GameAction, ReplayAction, UiAction},
            states::{Dialog, Screen},
        },
        game::referee::{Question, Referee},
        scene::api::{MotionStatus, ViewportInsets},
        ui::{
            dialogs::{files::Files, throws},
            screens::{replay, table},
            send,
            state::{Confirm, UiState},
            theme::{self, ACCENT, BODY, HUGE, INK, LARGE, SMALL},
            widgets,
        },
    },
    i18n::{tr, tr_args},
    table::{GameSession, describe_outcome, scores, side_label},
};

/// How long something called out stays, and how long it takes to go (seconds).
const CALL: (f64, f64) = (2.6, 0.6);

/// Shows whatever is due.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    screen: Res<'_, State<Screen>>,
    mut desk: ResMut<'_, UiState>,
    mut files: ResMut<'_, Files>,
    (referee, drawings): (Res<'_, Referee>, Res<'_, ExportJobs>),
    motion: Res<'_, MotionStatus>,
    margins: Res<'_, ViewportInsets>,
    mut acts: ParamSet<'_, '_, (MessageReader<'_, '_, Action>, MessageWriter<'_, Action>)>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let desk = &mut *desk;
    let scene = crate::app::ui::left_free(context, &margins);
    let mut asked = Vec::new();
    let banner = desk.banner.take();
    if *screen.get() != Screen::Title {
        called(context, scene, desk);
    }
    if let (Screen::Table, Some(table)) = (screen.get(), &referee.table) {
        if let Some(asking) = &referee.question {
            question(context, scene, asking, &mut asked);
        }
        let still = !motion.is_busy() && table::shown(table, &motion) == table.history().len();
        if still && table.outcome().is_some() && !referee.lesson {
            // The dialog of files lies over it, and nothing under a dialog answers.
            if !files.is_open() {
                let (anew, files) = (banner.is_none(), &mut files);
                end(context, scene, (table, anew), &referee, desk, files, &mut asked);
            }
        } else {
            desk.end_seen = None;
        }
    }
    // The same word said anew is shown anew.
    let watched = *screen.get() == Screen::Replay || referee.viewed_ply.is_some();
    let of_a_touch = watched || referee.notice.as_ref().is_some_and(|it| it.is_refusal);
    let anew = acts.p0().read().any(|act| {
        of_a_touch
            && matches!(
                act,
                Action::Game(GameAction::SelectSquare(_)) | Action::Game(GameAction::PressCursor)
            )
            || matches!(
                act,
                Action::Replay(ReplayAction::Open(_))
                    | Action::Game(GameAction::ResumeFile(_))
                    | Action::Game(GameAction::Save(_))
                    | Action::Game(GameAction::DeleteSave(_))
                    | Action::Game(GameAction::TypeMove(_))
                    | Action::Game(GameAction::Hint)
                    | Action::Game(GameAction::OfferDraw)
            )
    });
    // A key that is being chosen, or a file, comes before it.
    let over = desk.open.is_some() || desk.confirm.is_some();
    let takes_escape = over && desk.catching.is_none() && !files.is_open();
    let mut window = context.content_rect();
    if *screen.get() == Screen::Replay {
        // Its buttons are not covered.
        window.max.y = scene.bottom().max(window.bottom() - replay::LOW);
    }
    let written = toast::exporting(context, [scene, window], &drawings, &mut asked);
    let rooms = [scene, window].map(|room| room.with_max_y(room.bottom() - written));
    toast::notice(context, rooms, referee.notice.as_ref(), anew, takes_escape, &mut desk.notice);
    confirm(context, desk, &mut files, &referee, &mut asked);
    send(asked, &mut acts.p1());
}

fn below_the_top(scene: Rect, by: f32) -> Pos2 {
    pos2(scene.center().x, scene.top() + by)
}

fn called(context: &Context, scene: Rect, desk: &mut UiState) {
    let Some((words, since)) = &desk.call.words else { return };
    let age = context.input(|input| input.time) - since;
    if age > CALL.0 {
        desk.call.words = None;
        return;
    }
    #[expect(clippy::cast_possible_truncation, reason = "an opacity")]
    let opacity = ((CALL.0 - age) / CALL.1).clamp(0.0, 1.0) as f32;
    // As large as there is room for.
    let font = FontId::proportional(HUGE);
    let wide =
        context.fonts_mut(|fonts| fonts.layout_no_wrap(words.clone(), font, ACCENT).size().x);
    let size = (HUGE * (scene.width() - 56.0) / wide).clamp(SMALL, HUGE).floor();
    let place = below_the_top(scene, (scene.height() * 0.25).min(70.0));
    widgets::shout(context, "call", place, words, size, opacity);
    context.request_repaint();
}

fn question(context: &Context, scene: Rect, question: &Question, asked: &mut Vec<Action>) {
    let width = (scene.width() - 40.0).min(440.0);
    let top = below_the_top(scene, 14.0);
    widgets::float(context, "question", top, Align2::CENTER_TOP, width, theme::dialog(), |ui| {
        ui.add(Label::new(RichText::new(&question.text).size(LARGE).color(INK)).wrap());
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            for (index, choice) in question.choices.iter().enumerate() {
                if widgets::choice(ui, false, choice).clicked() {
                    asked.push(Action::Game(GameAction::Answer(index)));
                }
            }
            if widgets::button(ui, tr("ask.let-go")).clicked() {
                asked.push(Action::Game(GameAction::Deselect));
            }
        });
    });
}

fn end(
    context: &Context,
    scene: Rect,
    (table, anew): (&GameSession, bool),
    referee: &Referee,
    desk: &mut UiState,
    files: &mut Files,
    asked: &mut Vec<Action>,
) {
    let Some(outcome) = table.outcome() else { return };
    let length = table.history().len();
    if desk.end_seen == Some(length) {
        return;
    }
    desk.banner = Some(length);
    let rules = table.rules();
    let words = describe_outcome(rules, outcome);
    let head =
        outcome.winner().map_or_else(|| tr("desk.a-draw").to_owned(), |side| wins(rules, side));
    let why = words.split_once(": ").map_or(words.as_str(), |(_, why)| why);
    let low = scene.height() < 320.0;
    let gap = if low { 6.0 } else { 22.0 };
    let width = (scene.width() - 2.0 * gap).min(560.0);
    let top = below_the_top(scene, gap);
    // Where there is little room it covers what stands under the board too.
    let height = context.content_rect().bottom() - top.y - gap;
    let frame = if low { theme::dialog().inner_margin(12) } else { theme::dialog() };
    let inside = height - frame.total_margin().sum().y;
    let content = |ui: &mut Ui| {
        ui.horizontal(|ui| {
            let size = if low { LARGE + 4.0 } else { HUGE };
            // The disc stands in the middle of so large a line.
            let high = ui.text_style_height(&TextStyle::Body) * size / BODY;
            ui.set_min_height(high);
            ui.spacing_mut().interact_size.y = high;
            if let Some(side) = outcome.winner() {
                widgets::disc(ui, theme::colour(rules, side), size / 3.0);
            }
            ui.label(RichText::new(head).size(size).color(ACCENT));
        });
        ui.add(Label::new(RichText::new(sentence(why)).size(BODY + 2.0).color(INK)).wrap());
        for (label, [first, second]) in scores(table.history().start(), table.history().position())
        {
            let [one, other] = crate::games::Side::BOTH.map(|side| side_label(rules, side));
            let names = [
                ("label", label),
                ("one", one),
                ("first", first.as_str()),
                ("other", other),
                ("second", second.as_str()),
            ];
            widgets::note(ui, &tr_args("popup.count-line", &names));
        }
        if let Some(seed) = throws::seed(table) {
            widgets::note(ui, &seed);
        }
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            if widgets::main_button(ui, tr("popup.rematch"), vec2(110.0, 36.0)).clicked() {
                asked.push(Action::Game(GameAction::Rematch));
            }
            ui.spacing_mut().interact_size.y = 36.0;
            if widgets::button(ui, tr("popup.watch")).clicked() {
                asked.push(Action::Replay(ReplayAction::WatchGame));
            }
            if widgets::button(ui, tr("replay.analyse")).clicked() {
                desk.analyse = true;
                asked.push(Action::Replay(ReplayAction::WatchGame));
            }
            if widgets::button_if(ui, !referee.saved, tr("popup.save"), tr("popup.is-saved"))
                .clicked()
            {
                files.save(rules);
            }
            if rules.has_sticks() && widgets::button(ui, tr("popup.throws")).clicked() {
                asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Throws)));
            }
            if widgets::button(ui, tr("popup.title")).clicked() {
                asked.push(Action::Ui(UiAction::ShowTitle));
            }
            if widgets::button(ui, tr("popup.see-board")).clicked() {
                desk.end_seen = Some(length);
            }
        });
    };
    widgets::float(context, "end", top, Align2::CENTER_TOP, width, frame, |ui| {
        if low {
            ui.set_min_height(inside);
        }
        let mut scroll = ScrollArea::vertical().id_salt("end-scroll");
        if anew {
            scroll = scroll.vertical_scroll_offset(0.0);
        }
        widgets::scrolling_from(ui, scroll, inside, content);
    });
}

fn wins(rules: crate::games::RuleSet, side: crate::games::Side) -> String {
    tr_args("desk.side-wins", &[("side", side_label(rules, side))])
}

/// The text with its first letter large.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

fn confirm(
    context: &Context,
    desk: &mut UiState,
    files: &mut Files,
    referee: &Referee,
    asked: &mut Vec<Action>,
) {
    let Some(confirm) = desk.confirm.clone() else { return };
    let (text, yes, act) = match confirm {
        Confirm::Resign => {
            (giving_up(referee), tr("popup.resign"), Action::Game(GameAction::Resign))
        }
        Confirm::Leave(act) => (tr("popup.would-be-lost").to_owned(), tr("popup.go-on"), act),
        Confirm::Forget(path, game) => {
            let text = tr_args("popup.forget", &[("game", &game)]);
            (text, tr("recent.remove"), Action::Game(GameAction::DeleteSave(path)))
        }
    };
    let saves =
        !matches!(act, Action::Game(GameAction::Resign) | Action::Game(GameAction::DeleteSave(_)));
    let modal = Modal::new(Id::new("confirm")).frame(theme::dialog()).show(context, |ui| {
        ui.set_width((context.content_rect().width() - 70.0).min(430.0));
        ui.add(Label::new(RichText::new(text).size(LARGE).color(INK)).wrap());
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| answers(ui, yes, saves)).inner
    });
    match modal.inner {
        Some(Answer::Yes) => {
            asked.push(act);
            desk.confirm = None;
        }
        Some(Answer::Save) => {
            desk.confirm = None;
            if let Some(table) = &referee.table {
                files.save(table.rules());
            }
        }
        Some(Answer::No) => desk.confirm = None,
        None if modal.should_close() => desk.confirm = None,
        None => {}
    }
    if desk.confirm.is_none() {
        crate::app::ui::dialogs::release(context);
    }
}

/// Asks whether whoever would give the game up does.
fn giving_up(referee: &Referee) -> String {
    let rules = referee.table.as_ref().map(GameSession::rules);
    let side = rules.zip(referee.person()).map_or("", |(rules, side)| side_label(rules, side));
    tr_args("popup.give-up", &[("side", side)])
}

#[derive(Clone, Copy)]
enum Answer {
    Yes,
    Save,
    No,
}

fn answers(ui: &mut Ui, yes: &str, saves: bool) -> Option<Answer> {
    let mut answer = None;
    if widgets::alarm_button(ui, yes).clicked() {
        answer = Some(Answer::Yes);
    }
    if saves && widgets::button(ui, tr("popup.save-first")).clicked() {
        answer = Some(Answer::Save);
    }
    let no = widgets::button(ui, tr("popup.cancel"));
    // The harmless answer has the keyboard until another is chosen.
    if ui.memory(|memory| memory.focused().is_none()) {
        no.request_focus();
    }
    if no.clicked() {
        answer = Some(Answer::No);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_becomes_a_sentence() {
        assert_eq!(sentence("the king is captured."), "The king is captured.");
        assert_eq!(sentence(""), "");
    }
}
