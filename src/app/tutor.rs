//! The tutor: in a game against an engine it asks whether to take back a move that
//! gives something away, without naming the better one.
//!
//! The search before the move begins while the player thinks; nothing blocks a frame.
//! If there is no verdict in time, play goes on, and the player is told.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    app::{
        analysis::AnalysisSearches,
        core::{redraw::KeepRedrawing, schedule::AppSet, states::Screen},
        game::referee::Referee,
        scene::api::{MotionStatus, SceneCommand},
        settings::Settings,
    },
    engines::MoveJudge,
    i18n::LocalizedMessage,
    table::describe_giveaway,
};

/// The opponent waits no longer than this for a verdict. It is needed only where other
/// programs leave almost nothing of the machine: the judge is limited by nodes.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// No frame counts as more of it than this: the judge has stood still, too.
const MAX_FRAME: Duration = Duration::from_millis(200);

#[derive(Resource, Default)]
struct Tutor {
    judge: MoveJudge,
    /// How long the verdict has been awaited; none while no move is judged.
    waited: Option<Duration>,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Tutor>()
        .add_systems(Update, apply_setting.in_set(AppSet::ApplyActions))
        .add_systems(Update, judge_moves.in_set(AppSet::Engines).after(AnalysisSearches));
}

/// Tells the referee whether moves are judged.
fn apply_setting(settings: Res<Settings>, mut referee: ResMut<Referee>) {
    if referee.tutor != settings.tutor {
        referee.tutor = settings.tutor;
    }
}

/// Judges the move that waits for a verdict.
fn judge_moves(
    mut tutor: ResMut<Tutor>,
    mut referee: ResMut<Referee>,
    mut commands: MessageWriter<SceneCommand>,
    mut redraw: ResMut<KeepRedrawing>,
    (screen, motion, time): (Res<State<Screen>>, Res<MotionStatus>, Res<Time<Real>>),
) {
    if *screen.get() != Screen::Table {
        return;
    }
    if !referee.awaits_verdict() {
        if tutor.waited.take().is_some() {
            tutor.judge.cancel();
        }
        if referee.is_changed() || motion.is_changed() {
            prepare(&mut tutor, &referee, &motion);
        }
        tutor.judge.poll();
        return;
    }
    redraw.set_if_neq(KeepRedrawing(true));
    let Some((before, mv)) = referee.move_to_judge() else {
        tutor.waited = None;
        referee.ask_for_tutor();
        return;
    };
    let Some(waited) = tutor.waited else {
        tutor.judge.start(&before, mv, MAX_WAIT);
        tutor.waited = Some(Duration::ZERO);
        return;
    };
    // The question comes when the move is on the board.
    if motion.is_busy() {
        return;
    }
    let waited = waited + time.delta().min(MAX_FRAME);
    tutor.waited = Some(waited);
    match tutor.judge.poll() {
        Some(Some(judgement)) if judgement.verdict().is_some() => {
            referee.warn(describe_giveaway(&before, &judgement));
        }
        None if waited < MAX_WAIT => return,
        Some(Some(_)) => {
            commands.write_batch(referee.keep_tutored());
        }
        Some(None) | None => {
            commands.write_batch(referee.keep_tutored());
            referee.notify(LocalizedMessage::new("tutor.not-judged"));
        }
    }
    tutor.waited = None;
    tutor.judge.cancel();
}

/// Searches the position of a player who thinks, so that the verdict comes sooner.
fn prepare(tutor: &mut Tutor, referee: &Referee, motion: &MotionStatus) {
    let table = referee.table.as_ref().filter(|_| referee.is_tutored() && !motion.is_busy());
    if let Some(table) = table {
        tutor.judge.prepare(table.history());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::settings::options::TutorMode,
        engines::Level,
        games::RuleSet,
        table::{GameSession, Seat, Setup},
    };

    #[test]
    fn play_goes_on_without_a_verdict_in_time() {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let setup = Setup { seats, seed: Some(1), ..Setup::new(RuleSet::TablutAshton) };
        let mut referee = Referee::default();
        referee.tutor = TutorMode::BeforeMove;
        let _ = referee.set_game(GameSession::new(setup));
        let first = referee.legal_moves()[0];
        assert!(referee.play_choice(first).is_none() && referee.awaits_verdict());
        // The judge never answers, since it is never asked.
        let waited = Some(MAX_WAIT.saturating_sub(Duration::from_millis(1)));
        let mut app = App::new();
        app.insert_resource(referee)
            .insert_resource(Tutor { waited, ..Tutor::default() })
            .insert_resource(State::new(Screen::Table))
            .init_resource::<KeepRedrawing>()
            .init_resource::<MotionStatus>()
            .init_resource::<Time<Real>>()
            .add_message::<SceneCommand>()
            .add_systems(Update, judge_moves);
        let plies = |app: &App| {
            let table = app.world().resource::<Referee>().table.as_ref();
            table.map(|table| table.history().len())
        };
        app.update();
        assert_eq!(plies(&app), Some(0), "it may still come");
        app.world_mut().resource_mut::<Tutor>().waited = Some(MAX_WAIT);
        app.update();
        assert_eq!(plies(&app), Some(1));
        let referee = app.world().resource::<Referee>();
        assert!(!referee.awaits_verdict());
        let notice = referee.notice.as_ref().map(|notice| notice.text.as_str());
        assert_eq!(notice, Some(crate::i18n::tr("tutor.not-judged")), "not judged is not good");
    }
}
