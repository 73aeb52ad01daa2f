//! The question that the game asks: which of several moves is meant, whether a
//! draw is accepted, whether the tutor's warning is heeded. It stands over the board, in
//! place of the line that says whose turn it is. The tutor's is about the whole board, so it
//! stands under the board. Neither covers it.

use super::below_top;
use crate::app::{
    game::referee::{Question, QuestionText},
    ui::{prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<QuestionRoom>().add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Table).or_eager(in_state(Screen::Replay)))
            .in_set(UiSet::Question),
    );
}

/// The room that the table leaves the question.
#[derive(Resource, Debug, Default)]
pub(crate) struct QuestionRoom {
    /// Over the board.
    pub(crate) over: Option<Rect>,
    /// Under it, for the tutor's.
    pub(crate) under: Option<Rect>,
}

/// The name of the panel.
pub(crate) const QUESTION: &str = "question";

fn show(
    mut contexts: EguiContexts,
    room: Res<QuestionRoom>,
    referee: Res<Referee>,
    insets: Res<ViewportInsets>,
    screen: Res<State<Screen>>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some((question, text)) = referee.question.zip(referee.question_text()) else { return };
    // A replay asks only about the game that it shows.
    if *screen != Screen::Table && !question.is_about_rating() {
        return;
    }
    let answer = if question == Question::Tutor {
        // The table has made room for it from the next frame on.
        let Some(room) = room.under else { return };
        widgets::foot_panel(context, QUESTION, room, false, |ui| {
            content(ui, question, &text, false)
        })
    } else {
        let scene = scene_rect(context, &insets);
        let room = room.over.unwrap_or(scene.with_min_y(below_top(scene, space(2)).y));
        let (wanted, most) = (row_width(context, question, &text), room.width() - 2.0 * MARGIN);
        let (top, width) = (room.center_top() + vec2(0.0, MARGIN), wanted.min(most));
        let is_row = wanted <= most;
        widgets::floating_panel(context, QUESTION, top, Align2::CENTER_TOP, width, frame(), |ui| {
            content(ui, question, &text, is_row)
        })
    };
    actions.write_batch(answer.map(Action::from));
}

/// The space around the panel over the board.
pub(crate) const MARGIN: f32 = space(1);

fn frame() -> Frame {
    theme::dialog_frame().inner_margin(Margin::symmetric(14, 6))
}

/// How wide the panel is where the answers stand beside the question.
fn row_width(context: &Context, question: Question, text: &QuestionText) -> f32 {
    let style = context.global_style();
    let painter = context.layer_painter(LayerId::background());
    let width = |text: &str| {
        painter.layout_no_wrap(text.to_owned(), FontId::proportional(BODY), TEXT).size().x
    };
    let around = 2.0 * style.spacing.button_padding.x + style.spacing.item_spacing.x + 2.0;
    let cancel = (!question.must_be_answered()).then(|| tr("ask.let-go"));
    let buttons = text.choices.iter().map(String::as_str).chain(cancel);
    let buttons: f32 = buttons.map(|text| width(text) + around).sum();
    (width(&text.text) + space(4) + buttons + frame().total_margin().sum().x).ceil()
}

/// The question and, beside it in a row or else under it, its answers; returns the one that
/// was chosen.
fn content(
    ui: &mut Ui,
    question: Question,
    text: &QuestionText,
    is_row: bool,
) -> Option<GameAction> {
    if is_row {
        return ui
            .horizontal(|ui| {
                let asked = ui.label(RichText::new(&text.text).size(BODY).color(TEXT));
                widgets::say_when_changed(&asked);
                ui.add_space(space(2));
                answers(ui, question, text)
            })
            .inner;
    }
    widgets::say_when_changed(&widgets::wrapped(ui, &text.text, BODY, TEXT));
    ui.add_space(space(1));
    ui.horizontal_wrapped(|ui| answers(ui, question, text)).inner
}

fn answers(ui: &mut Ui, question: Question, text: &QuestionText) -> Option<GameAction> {
    let mut answer = None;
    for (index, choice) in text.choices.iter().enumerate() {
        if widgets::choice_button(ui, false, choice).clicked() {
            answer = Some(GameAction::Answer(index));
        }
    }
    if !question.must_be_answered() && widgets::button(ui, tr("ask.let-go")).clicked() {
        answer = Some(GameAction::Deselect);
    }
    answer
}
