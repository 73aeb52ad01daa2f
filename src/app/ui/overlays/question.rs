//! The question that the game asks: which of several moves is meant, whether a
//! draw is accepted, whether the tutor's warning is heeded. The tutor's is about the
//! whole board, so it stands under the board and never over it.

use super::below_top;
use crate::app::{
    game::referee::{Question, QuestionText},
    ui::{prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TutorQuestion>().add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Table).or_eager(in_state(Screen::Replay)))
            .in_set(UiSet::Question),
    );
}

/// Where the tutor's question stands.
#[derive(Resource, Debug, Default)]
pub(crate) struct TutorQuestion {
    /// The room that the table leaves it.
    pub(crate) room: Option<Rect>,
}

/// The name of the panel.
pub(crate) const QUESTION: &str = "question";

fn show(
    mut contexts: EguiContexts,
    tutor: Res<TutorQuestion>,
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
        let Some(room) = tutor.room else { return };
        widgets::foot_panel(context, QUESTION, room, false, |ui| content(ui, question, &text))
    } else {
        let scene = scene_rect(context, &insets);
        let (top, width) = (below_top(scene, 14.0), (scene.width() - 40.0).min(440.0));
        let (align, frame) = (Align2::CENTER_TOP, theme::dialog_frame());
        widgets::floating_panel(context, QUESTION, top, align, width, frame, |ui| {
            content(ui, question, &text)
        })
    };
    actions.write_batch(answer.map(Action::from));
}

/// The question and its answers; returns the one that was chosen.
fn content(ui: &mut Ui, question: Question, text: &QuestionText) -> Option<GameAction> {
    let mut answer = None;
    widgets::say_when_changed(&widgets::wrapped(ui, &text.text, LARGE, TEXT));
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        for (index, choice) in text.choices.iter().enumerate() {
            if widgets::choice_button(ui, false, choice).clicked() {
                answer = Some(GameAction::Answer(index));
            }
        }
        if !question.must_be_answered() && widgets::button(ui, tr("ask.let-go")).clicked() {
            answer = Some(GameAction::Deselect);
        }
    });
    answer
}
