//! Autoplay (`tabulae --again`): after a game between two engines the next one
//! starts by itself, with the next rule set.

use super::referee::Referee;
use crate::app::{core::prelude::*, scene::api::MotionStatus};

/// Present while autoplay is on. Holds the number of plies after which a game is
/// cut short, if any.
#[derive(Resource)]
pub(crate) struct AutoplayOptions(pub(crate) Option<usize>);

/// How long the end of a game is shown.
const END_SHOWN_FOR: Duration = Duration::from_secs(4);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        start_next_game.in_set(AppSet::Report).run_if(resource_exists::<AutoplayOptions>),
    );
}

fn start_next_game(
    options: Res<AutoplayOptions>,
    referee: Res<Referee>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    time: Res<Time<Real>>,
    mut shown_since: Local<Option<Duration>>,
    mut next: ResMut<NextFrame>,
    mut actions: MessageWriter<Action>,
) {
    let is_long = |table: &GameSession| options.0.is_some_and(|most| table.history().len() >= most);
    let ended = referee.table.as_ref().filter(|table| {
        let engines = table.seats().iter().all(|seat| seat.is_computer());
        engines && (table.outcome().is_some() || is_long(table))
    });
    let Some(table) = ended.filter(|_| *screen.get() == Screen::Table && !motion.is_busy()) else {
        *shown_since = None;
        return;
    };
    let since = *shown_since.get_or_insert(time.elapsed());
    let left = (since + END_SHOWN_FOR).saturating_sub(time.elapsed());
    if !left.is_zero() && table.outcome().is_some() {
        next.within(left);
    } else {
        *shown_since = None;
        actions.write(Action::Game(GameAction::NewGame(Setup {
            rules: next_rules(table.rules()),
            ..table.rematch()
        })));
    }
}

/// The rule set after this one, in the order of [`RuleSet::ALL`].
fn next_rules(rules: RuleSet) -> RuleSet {
    let all = RuleSet::ALL;
    all.iter().position(|other| *other == rules).map_or(rules, |at| all[(at + 1) % all.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::game::referee::default_setup, engines::Level};

    fn app(seats: [Seat; 2], most: Option<usize>) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, bevy::state::app::StatesPlugin, plugin));
        app.insert_state(Screen::Table).init_resource::<MotionStatus>().init_resource::<Referee>();
        app.add_message::<Action>().insert_resource(AutoplayOptions(most));
        app.init_resource::<NextFrame>();
        let mut table = GameSession::new(Setup { seats, ..default_setup(RuleSet::Tablaaza) });
        if most.is_none() {
            table.resign(crate::games::Side::First);
        }
        app.world_mut().resource_mut::<Referee>().table = Some(table);
        app
    }

    /// The actions of so many seconds, in frames of one second.
    fn actions(app: &mut App, seconds: usize) -> Vec<Action> {
        for _ in 0..seconds {
            app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_secs(1));
            app.world_mut().run_schedule(Update);
        }
        app.world_mut().resource_mut::<Messages<Action>>().drain().collect()
    }

    #[test]
    fn after_a_game_between_engines_the_next_rule_set_follows() {
        let mut engines = app([Seat::Engine(Level::Novice); 2], None);
        assert_eq!(actions(&mut engines, 2), [], "the end is shown first");
        // Nothing else may cause a frame.
        let due = engines.world_mut().resource_mut::<NextFrame>().settle();
        assert_eq!(due, Some(END_SHOWN_FOR - Duration::from_secs(1)));
        let started = actions(&mut engines, 3);
        let [Action::Game(GameAction::NewGame(setup))] = &started[..] else {
            panic!("{started:?}")
        };
        assert_eq!(setup.rules, RuleSet::TablutBerkeley, "the first follows the last");
        assert_eq!(setup.seats, [Seat::Engine(Level::Novice); 2]);

        // People start their games themselves.
        let mut with_person = app([Seat::Person, Seat::Engine(Level::Novice)], None);
        assert_eq!(actions(&mut with_person, 10), []);
    }

    #[test]
    fn a_game_is_cut_short_after_the_given_number_of_plies() {
        let engines = [Seat::Engine(Level::Novice); 2];
        assert_eq!(actions(&mut app(engines, Some(1)), 10), [], "not yet");
        assert_eq!(actions(&mut app(engines, Some(0)), 1).len(), 1);
        assert_eq!(actions(&mut app([Seat::Person; 2], Some(0)), 10), []);
    }
}
