//! The tutor: in a game against an engine it asks whether to take back a move that
//! gives something away, without naming the better one.
//!
//! The search before the move begins while the player thinks; nothing blocks a frame.
//! If there is no verdict in time, play goes on, and the player is told.

use crate::{
    app::{
        analysis::AnalysisSearches,
        core::prelude::*,
        game::referee::Referee,
        scene::api::{MotionStatus, SceneCommand},
        settings::{Settings, options::TutorMode},
    },
    engines::MoveJudge,
    session::describe_giveaway,
};

/// The opponent waits no longer than this for a verdict. It is needed only where other
/// programs leave almost nothing of the machine: the judge is limited by nodes.
const MAX_WAIT: Duration = Duration::from_secs(20);

#[derive(Resource, Default)]
struct Tutor {
    judge: MoveJudge,
    /// Whether a verdict is awaited.
    is_judging: bool,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Tutor>().add_systems(
        Update,
        judge_moves.run_if(in_state(Screen::Table)).in_set(AppSet::Engines).after(AnalysisSearches),
    );
}

/// Judges the move that waits for a verdict.
fn judge_moves(
    mut tutor: ResMut<Tutor>,
    mut referee: ResMut<Referee>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    mut next: ResMut<NextFrame>,
    (motion, settings): (Res<MotionStatus>, Res<Settings>),
) {
    if !referee.awaits_verdict() {
        if std::mem::take(&mut tutor.is_judging) {
            tutor.judge.cancel();
        }
        if referee.is_changed() || motion.is_changed() || settings.is_changed() {
            prepare(&mut tutor, &referee, &motion, settings.tutor);
        }
        tutor.judge.poll();
        return;
    }
    let unmarked = referee.bypass_change_detection();
    let was_asked = unmarked.question.is_some();
    let Some((before, mv)) = unmarked.move_to_judge() else {
        tutor.is_judging = false;
        unmarked.ask_for_tutor();
        // An open question changes nothing, and draws no frames.
        if !unmarked.awaits_verdict() || unmarked.question.is_some() != was_asked {
            referee.set_changed();
        }
        return;
    };
    if !std::mem::replace(&mut tutor.is_judging, true) {
        tutor.judge.start(&before, mv, MAX_WAIT);
    }
    // The question comes when the move is on the board.
    if motion.is_busy() {
        return;
    }
    let verdict = tutor.judge.poll();
    if let (None, Some(left)) = (&verdict, tutor.judge.time_left()) {
        // A verdict wakes the window; that there is none does not.
        next.within(left);
        return;
    }
    match verdict.flatten() {
        Some(judgement) if judgement.verdict().is_some() => {
            referee.warn(describe_giveaway(&before, &judgement));
        }
        Some(_) => {
            commands.write_batch(referee.keep_tutored());
            told.write(Notify::info(LocalizedMessage::new("tutor.fine")));
        }
        None => {
            commands.write_batch(referee.keep_tutored());
            told.write(Notify::info(LocalizedMessage::new("tutor.not-judged")));
        }
    }
    tutor.is_judging = false;
    tutor.judge.cancel();
}

/// Searches the position of a player who thinks, so that the verdict comes sooner.
fn prepare(tutor: &mut Tutor, referee: &Referee, motion: &MotionStatus, mode: TutorMode) {
    let table = referee.table.as_ref().filter(|_| referee.is_tutored(mode) && !motion.is_busy());
    if let Some(table) = table {
        tutor.judge.prepare(table.history());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::game::{notices::show_notices, referee::Response},
        engines::Level,
    };

    #[test]
    fn play_goes_on_without_a_verdict_in_time() {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let setup = Setup { seats, seed: Some(1), ..Setup::new(RuleSet::TablutAshton) };
        let mut referee = Referee::default();
        let _ = referee.set_game(GameSession::new(setup));
        let first = referee.legal_moves()[0];
        let response = referee.play_choice(first, TutorMode::BeforeMove);
        assert!(matches!(response, Response::Done) && referee.awaits_verdict());
        // The judge never answers, since it is never asked.
        let mut app = App::new();
        app.insert_resource(referee)
            .insert_resource(Tutor { is_judging: true, ..Tutor::default() })
            .init_resource::<NextFrame>()
            .init_resource::<MotionStatus>()
            .init_resource::<Settings>()
            .add_message::<SceneCommand>()
            .add_message::<Notify>()
            .add_systems(Update, judge_moves);
        app.update();
        let table = app.world().resource::<Referee>().table.as_ref();
        assert_eq!(table.map(|table| table.history().len()), Some(1));
        let referee = app.world().resource::<Referee>();
        assert!(!referee.awaits_verdict());
        app.init_resource::<Notices>().add_systems(Update, show_notices);
        app.update();
        let notices = app.world().resource::<Notices>();
        let notice = notices.shown.as_ref().map(|notice| notice.text.as_str());
        assert_eq!(notice, Some(crate::i18n::tr("tutor.not-judged")), "not judged is not good");
    }
}
