//! The demonstration on the title screen: the board of the game that is chosen
//! there, and two weak engines that play on it.
//!
//! Nothing of it reaches the game on the table. It plays only where drawing costs
//! little and somebody may look: not with reduced motion or at low quality, not
//! in a window without the focus or under a dialog, and after a while no more.

use bevy::window::PrimaryWindow;

use super::opponent::found_move;
use crate::{
    app::{
        core::prelude::*,
        platform::IS_WEB,
        scene::{
            api::{Highlights, MotionStatus, SceneCommand, SceneReady},
            plies::{play_ply_command, set_position_command},
        },
        settings::{Settings, options::Quality},
    },
    engines::{EngineOptions, Request, SearchLimits, SearchWorker},
    games::Illegal,
    session::PieceTracker,
};

/// How long a position is shown before the next ply.
const PLY_INTERVAL: Duration = Duration::from_millis(2200);
/// How long the end of a game is shown.
const END_SHOWN_FOR: Duration = Duration::from_secs(6);
/// After so many plies the demonstration rests until the title is opened again: the player
/// has gone away.
const MAX_PLIES: usize = 120;
/// The shortest wait for a frame: the scene may not be ready for the ply that is due.
const SHORTEST_WAIT: Duration = Duration::from_millis(100);
/// The limits of a search: a few milliseconds.
const LIMITS: SearchLimits = SearchLimits {
    movetime: Some(Duration::from_millis(150)),
    depth: None,
    nodes: Some(1_500),
    solver_nodes: None,
};

/// What the title screen's board shows.
#[derive(Resource, Default)]
pub(crate) struct Demonstration {
    /// The rules whose board is shown. The title screen writes them.
    pub(crate) rules: Option<RuleSet>,
    /// Whether that board is drawn in full and in motion, so that it may be shown in place
    /// of a picture.
    pub(crate) is_alive: bool,
    game: Option<DemonstrationGame>,
    /// The engine of both players.
    worker: SearchWorker,
    /// Plies played since the title was opened or another game was chosen.
    plies: usize,
}

/// A game that engines play.
struct DemonstrationGame {
    session: GameSession,
    tracker: PieceTracker,
    /// How long its position has been shown.
    shown_for: Duration,
    /// Whether its last move is marked, or need not be.
    is_marked: bool,
}

/// The search for the next move of a game.
fn request(session: &GameSession) -> Request {
    let options = EngineOptions {
        level: Level::Casual,
        hash_mib: 1,
        seed: session.seed().wrapping_add(session.history().len() as u64),
        ..EngineOptions::default()
    };
    Request { history: session.history().clone(), limits: LIMITS, options }
}

/// The demonstration of Tablaaza begins after these moves: its empty board shows nothing
/// of the game, and where no plies are played it would stay empty.
const TABLAAZA_OPENING: &str = "b6 d5 b2 b5 h4 a4 h6 a2 h2 b3 a5 h5 b4 h3 a3 g4 g5 e2 c7 c2 e7 e4";

impl DemonstrationGame {
    fn new(rules: RuleSet) -> Self {
        let session = GameSession::new(Setup::new(rules));
        let tracker = PieceTracker::new(session.history().start());
        let mut game = Self { session, tracker, shown_for: Duration::ZERO, is_marked: true };
        if rules == RuleSet::Tablaaza {
            for text in TABLAAZA_OPENING.split(' ') {
                let mv = game.session.history().position().parse_move(text);
                game.apply(|session| session.play(mv?));
            }
        }
        game
    }

    fn scene_setup(&self) -> SceneCommand {
        let history = self.session.history();
        set_position_command(self.session.rules(), &self.tracker, history, history.len())
    }

    /// Plays a ply; returns the scene's command if it was legal.
    fn apply(
        &mut self,
        play: impl FnOnce(&mut GameSession) -> Result<&[Event], Illegal>,
    ) -> Option<SceneCommand> {
        play(&mut self.session).ok()?;
        self.shown_for = Duration::ZERO;
        let history = self.session.history();
        play_ply_command(&mut self.tracker, history, history.len(), self.session.seed())
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Demonstration>().add_systems(OnExit(Screen::Title), stop).add_systems(
        Update,
        (
            (update_alive, show_board, play).chain().in_set(AppSet::Engines),
            schedule_redraw.in_set(AppSet::Report),
        )
            .run_if(in_state(Screen::Title).and_then(stays_on_screen)),
    );
}

/// Run condition: no other screen was requested, whose board is being set up.
fn stays_on_screen(next: Res<NextState<Screen>>) -> bool {
    matches!(*next, NextState::Unchanged)
}

/// Ends the game when another screen is shown.
fn stop(mut demonstration: ResMut<Demonstration>) {
    *demonstration = Demonstration::default();
}

/// Sets up the board of the rules that are chosen.
fn show_board(
    mut demonstration: ResMut<Demonstration>,
    mut highlights: ResMut<Highlights>,
    mut commands: MessageWriter<SceneCommand>,
) {
    let shown = demonstration.game.as_ref().map(|game| game.session.rules());
    let Some(rules) = demonstration.rules.filter(|rules| shown != Some(*rules)) else { return };
    demonstration.worker.cancel();
    let game = DemonstrationGame::new(rules);
    commands.write(game.scene_setup());
    (demonstration.game, demonstration.plies) = (Some(game), 0);
    highlights.set_if_neq(Highlights::default());
}

/// Whether the board of the rules that are chosen was set up in an earlier frame, and is
/// drawn in full where that costs little.
fn update_alive(
    mut demonstration: ResMut<Demonstration>,
    conditions: Conditions,
    scene_ready: Res<SceneReady>,
) {
    let shown = demonstration.game.as_ref().map(|game| game.session.rules());
    let is_alive = shown.is_some()
        && shown == demonstration.rules
        && scene_ready.0
        && conditions.is_cheap()
        && !conditions.settings.reduced_motion;
    if demonstration.is_alive != is_alive {
        demonstration.is_alive = is_alive;
    }
}

/// Why the demonstration may rest.
#[derive(bevy::ecs::system::SystemParam)]
struct Conditions<'w, 's> {
    quality: Res<'w, Quality>,
    settings: Res<'w, Settings>,
    focus: Res<'w, UiFocus>,
    windows: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl Conditions<'_, '_> {
    /// Whether frames cost little. A page does not know whether a processor draws it.
    fn is_cheap(&self) -> bool {
        match *self.quality {
            Quality::Low => false,
            Quality::Medium => !IS_WEB,
            Quality::High => true,
        }
    }

    /// Whether the demonstration may play.
    fn allow(&self, demonstration: &Demonstration) -> bool {
        let has_focus = self.windows.iter().any(|window| window.focused);
        self.is_cheap()
            && !self.settings.reduced_motion
            && !self.focus.pauses
            && has_focus
            && demonstration.plies < MAX_PLIES
    }
}

/// Marks the last move once it has been seen.
fn mark_last_move(
    demonstration: &mut ResMut<Demonstration>,
    highlights: &mut ResMut<Highlights>,
    motion: &MotionStatus,
) {
    let game = &mut demonstration.bypass_change_detection().game;
    let Some(game) = game.as_mut().filter(|game| !game.is_marked && !motion.is_busy()) else {
        return;
    };
    game.is_marked = true;
    let history = game.session.history();
    highlights.set_if_neq(Highlights::of_last_move(history, history.len()));
}

/// Plays the next ply when the last one has been shown for a while.
fn play(
    mut demonstration: ResMut<Demonstration>,
    mut highlights: ResMut<Highlights>,
    mut commands: MessageWriter<SceneCommand>,
    conditions: Conditions,
    (motion, scene_ready, time): (Res<MotionStatus>, Res<SceneReady>, Res<Time<Real>>),
) {
    mark_last_move(&mut demonstration, &mut highlights, &motion);
    if !conditions.allow(&demonstration) {
        demonstration.bypass_change_detection().worker.cancel();
        return;
    }
    if motion.is_busy() || !scene_ready.0 {
        return;
    }
    let demonstration = demonstration.bypass_change_detection();
    let Some(game) = &mut demonstration.game else { return };
    game.shown_for += time.delta();
    let Some(turn) = game.session.turn() else {
        if game.shown_for >= END_SHOWN_FOR {
            *game = DemonstrationGame::new(game.session.rules());
            commands.write(game.scene_setup());
            highlights.set_if_neq(Highlights::default());
        }
        return;
    };
    if game.shown_for < PLY_INTERVAL {
        return;
    }
    let command = match turn {
        Turn::Throw(_) => game.apply(GameSession::throw),
        Turn::Move(_) => match found_move(&mut demonstration.worker) {
            Some(Some(mv)) => game.apply(|session| session.play(mv)),
            // It would find none again.
            Some(None) => {
                demonstration.plies = MAX_PLIES;
                None
            }
            None => {
                if !demonstration.worker.is_searching() {
                    demonstration.worker.start(request(&game.session));
                }
                None
            }
        },
        Turn::Over(_) => None,
    };
    let Some(command) = command else { return };
    commands.write(command);
    game.is_marked = false;
    demonstration.plies += 1;
    highlights.set_if_neq(Highlights::default());
}

/// Requests the frame of the next ply.
fn schedule_redraw(
    demonstration: Res<Demonstration>,
    conditions: Conditions,
    mut next: ResMut<NextFrame>,
) {
    let Some(game) = demonstration.game.as_ref().filter(|_| conditions.allow(&demonstration))
    else {
        return;
    };
    let rest = if game.session.turn().is_some() { PLY_INTERVAL } else { END_SHOWN_FOR };
    // The engine's answer wakes the window.
    if !demonstration.worker.is_searching() {
        next.within(rest.saturating_sub(game.shown_for).max(SHORTEST_WAIT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The title screen with the board of these rules.
    fn app(rules: RuleSet) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, bevy::state::app::StatesPlugin, plugin));
        app.insert_state(Screen::Title).add_message::<SceneCommand>();
        app.insert_resource(Quality::Medium).insert_resource(SceneReady(true));
        app.insert_resource(Settings { reduced_motion: false, ..Settings::default() });
        app.init_resource::<MotionStatus>().init_resource::<Highlights>();
        app.init_resource::<NextFrame>().init_resource::<UiFocus>();
        app.world_mut().spawn((Window { focused: true, ..default() }, PrimaryWindow));
        app.world_mut().resource_mut::<Demonstration>().rules = Some(rules);
        app
    }

    /// The scene's commands after so much time.
    fn commands(app: &mut App, time: Duration) -> Vec<SceneCommand> {
        app.world_mut().resource_mut::<Time<Real>>().advance_by(time);
        app.world_mut().run_schedule(Update);
        app.world_mut().resource_mut::<Messages<SceneCommand>>().drain().collect()
    }

    #[test]
    fn the_board_of_the_chosen_game_is_shown() {
        let mut app = app(RuleSet::Tablan);
        for rules in [RuleSet::Tablan, RuleSet::Tablaaza] {
            app.world_mut().resource_mut::<Demonstration>().rules = Some(rules);
            let shown = commands(&mut app, Duration::ZERO);
            let [SceneCommand::SetPosition(shown)] = &shown[..] else { panic!("{shown:?}") };
            assert_eq!(shown.rules, rules);
            assert!(commands(&mut app, Duration::ZERO).is_empty(), "once");
        }
    }

    #[test]
    fn the_board_takes_the_place_of_its_picture_once_it_is_drawn() {
        let mut app = app(RuleSet::Tablan);
        let is_alive = |app: &mut App| {
            commands(app, Duration::ZERO);
            app.world().resource::<Demonstration>().is_alive
        };
        app.insert_resource(SceneReady(false));
        assert!(!is_alive(&mut app) && !is_alive(&mut app), "it is being painted");
        app.insert_resource(SceneReady(true));
        assert!(is_alive(&mut app));
        app.world_mut().resource_mut::<Demonstration>().rules = Some(RuleSet::Tablaaza);
        assert!(!is_alive(&mut app), "another board is asked for");
        app.insert_resource(SceneReady(false));
        assert!(!is_alive(&mut app), "and painted");
        app.insert_resource(SceneReady(true));
        assert!(is_alive(&mut app));
        app.world_mut().resource_mut::<Settings>().reduced_motion = true;
        assert!(!is_alive(&mut app), "the picture stays");
    }

    #[test]
    fn the_board_of_tablaaza_is_not_empty_where_no_ply_is_played() {
        let mut app = app(RuleSet::Tablaaza);
        *app.world_mut().resource_mut::<Quality>() = Quality::Low;
        let shown = commands(&mut app, Duration::ZERO);
        let [SceneCommand::SetPosition(shown)] = &shown[..] else { panic!("{shown:?}") };
        assert_eq!(shown.pieces.len(), TABLAAZA_OPENING.split(' ').count(), "every move is legal");
    }

    /// In Tablan the first plies are throws, which need no engine.
    #[test]
    fn a_ply_is_played_where_it_costs_little_and_somebody_may_look() {
        let plays = |change: fn(&mut World)| {
            let mut app = app(RuleSet::Tablan);
            commands(&mut app, Duration::ZERO);
            app.world_mut().resource_mut::<NextFrame>().settle();
            change(app.world_mut());
            let played = commands(&mut app, PLY_INTERVAL);
            let asks = app.world_mut().resource_mut::<NextFrame>().settle().is_some();
            let plays = matches!(played[..], [SceneCommand::PlayPly(_)]);
            assert_eq!(plays, asks, "no frame is asked for in vain");
            plays
        };
        assert!(plays(|_| ()));
        assert!(!plays(|world| *world.resource_mut::<Quality>() = Quality::Low));
        assert!(!plays(|world| world.resource_mut::<Settings>().reduced_motion = true));
        assert!(!plays(|world| world.resource_mut::<UiFocus>().pauses = true));
        assert!(!plays(|world| {
            world.query::<&mut Window>().single_mut(world).expect("a window").focused = false;
        }));
        assert!(!plays(|world| world.resource_mut::<Demonstration>().plies = MAX_PLIES));
        assert!(!plays(|world| world.resource_mut::<NextState<Screen>>().set(Screen::Table)));
    }
}
