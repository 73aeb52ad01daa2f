//! Engines on show: when their game is over and was looked at for a while, the
//! next one begins by itself, under the next rules (`tabulae --again`).

use bevy::prelude::*;

use super::referee::Referee;
use crate::{
    app::{
        core::{
            actions::{Action, GameAction},
            schedule::AppSet,
            states::Screen,
        },
        scene::api::MotionStatus,
    },
    games::RuleSet,
    table::{GameSession, Seat, Setup},
};

/// There while one game follows the other; after so many plies at the latest,
/// if it says how many.
#[derive(Resource)]
pub(crate) struct AutoplayOptions(pub(crate) Option<usize>);

/// How long the end of a game is shown (seconds).
const END: f32 = 4.0;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        go_on.in_set(AppSet::Report).run_if(resource_exists::<AutoplayOptions>),
    );
}

fn go_on(
    again: Res<AutoplayOptions>,
    referee: Res<Referee>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    time: Res<Time<Real>>,
    mut over: Local<f32>,
    mut acts: MessageWriter<Action>,
) {
    let is_long = |table: &GameSession| again.0.is_some_and(|most| table.history().len() >= most);
    let ended = referee.table.as_ref().filter(|table| {
        let engines = table.seats().iter().all(|seat| matches!(seat, Seat::Engine(_)));
        engines && (table.outcome().is_some() || is_long(table))
    });
    let Some(table) = ended.filter(|_| *screen.get() == Screen::Table && !motion.is_busy()) else {
        *over = 0.0;
        return;
    };
    *over += time.delta_secs();
    if *over >= END || table.outcome().is_none() {
        *over = 0.0;
        acts.write(Action::Game(GameAction::NewGame(Setup {
            rules: next(table.rules()),
            ..table.rematch()
        })));
    }
}

/// The rules after these.
fn next(rules: RuleSet) -> RuleSet {
    let all = RuleSet::ALL;
    all.iter().position(|it| *it == rules).map_or(rules, |at| all[(at + 1) % all.len()])
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
        let mut table = GameSession::new(Setup { seats, ..default_setup(RuleSet::Tablaaza) });
        if most.is_none() {
            table.resign(crate::games::Side::First);
        }
        app.world_mut().resource_mut::<Referee>().table = Some(table);
        app
    }

    /// The acts of so many seconds, in frames of a second.
    fn acts(app: &mut App, seconds: usize) -> Vec<Action> {
        for _ in 0..seconds {
            app.world_mut()
                .resource_mut::<Time<Real>>()
                .advance_by(core::time::Duration::from_secs(1));
            app.world_mut().run_schedule(Update);
        }
        app.world_mut().resource_mut::<Messages<Action>>().drain().collect()
    }

    #[test]
    fn after_a_game_of_engines_comes_one_under_the_next_rules() {
        let mut show = app([Seat::Engine(Level::Novice); 2], None);
        assert_eq!(acts(&mut show, 2), [], "its end is looked at first");
        let begun = acts(&mut show, 3);
        let [Action::Game(GameAction::NewGame(setup))] = &begun[..] else { panic!("{begun:?}") };
        assert_eq!(setup.rules, RuleSet::TablutBerkeley, "the first of all comes after the last");
        assert_eq!(setup.seats, [Seat::Engine(Level::Novice); 2]);

        // Persons begin their games themselves.
        let mut mine = app([Seat::Person, Seat::Engine(Level::Novice)], None);
        assert_eq!(acts(&mut mine, 10), []);
    }

    #[test]
    fn a_game_ends_after_so_many_plies_where_that_is_said() {
        let engines = [Seat::Engine(Level::Novice); 2];
        assert_eq!(acts(&mut app(engines, Some(1)), 10), [], "not yet");
        assert_eq!(acts(&mut app(engines, Some(0)), 1).len(), 1);
        assert_eq!(acts(&mut app([Seat::Person; 2], Some(0)), 10), []);
    }
}
