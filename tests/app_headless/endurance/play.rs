//! The child's task `play`: plays games and prints each ply when it is shown.
//!
//! ```text
//! came 2 e4-f4 d1-d4     the game that was resumed at the start
//! begins tablan          a new game is about to begin
//! goes-back              a ply is about to be taken back
//! shown 3 f4-f2          (the app's own report)
//! over                   the game has ended
//! done                   all games were played
//! ```

use tabulae::{
    app::{
        AppOptions,
        core::{
            actions::{Action, GameAction, UiAction},
            states::Screen,
        },
        game::referee::Referee,
        headless_run,
        scene::api::MotionStatus,
    },
    engines::Level,
    games::{Game, RuleSet, Turn},
    session::{GameSession, Seat, Setup, Thrower},
};

use crate::{common::games::Numbers, headless::Headless};

/// A person resigns after this many plies.
const MAX_PLIES: usize = 60;

/// The settings file: no animation.
pub(crate) const SETTINGS: &str = "reduced-motion = true\n";

/// Plays this number of games to their ends.
pub(crate) fn run(seed: usize, games: usize) {
    let options = AppOptions { size: Some((900, 600)), report: true, ..AppOptions::default() };
    let mut headless = Headless::with_app(headless_run(&options));
    let mut numbers = Numbers::new(seed as u64);
    let came: Vec<String> = headless.referee().table.as_ref().map_or_else(Vec::new, plies);
    println!("came {} {}", came.len(), came.join(" "));
    // Wait until the parent closes the input or sends a line.
    std::io::stdin().read_line(&mut String::new()).expect("a line or an end");
    let mut over = 0;
    let goes_on = headless.referee().table.is_some();
    if goes_on {
        headless.act(UiAction::ShowTable);
    } else {
        begin(&mut headless, &mut numbers);
    }
    loop {
        headless.app.update();
        let world = headless.app.world();
        let (referee, motion) = (world.resource::<Referee>(), world.resource::<MotionStatus>());
        let Some(table) = &referee.table else { panic!("a game was begun") };
        if headless.screen() != Screen::Table || motion.is_busy() {
            continue;
        }
        if table.outcome().is_some() {
            println!("over");
            over += 1;
            if over == games {
                println!("done");
                return;
            }
            begin(&mut headless, &mut numbers);
        } else if let Some(act) = act(table, &mut numbers) {
            if act == Action::Game(GameAction::Undo) {
                println!("goes-back");
                headless.act(act);
                headless.act(GameAction::Answer(0));
                continue;
            }
            headless.app.world_mut().write_message(act);
        } else if table.history().len() > MAX_PLIES {
            // Engines never resign.
            begin(&mut headless, &mut numbers);
        }
    }
}

/// The notation of a game's plies.
pub(crate) fn plies(table: &GameSession) -> Vec<String> {
    let history = table.history();
    (1..=history.len()).map(|number| history.notation(number).expect("a ply")).collect()
}

/// Starts a game by random rules, with persons and engines in random seats.
fn begin(headless: &mut Headless, numbers: &mut Numbers) {
    let rules = numbers.pick(&RuleSet::ALL);
    let novice = Seat::Engine(Level::Novice);
    let seats = numbers.pick(&[
        [Seat::Person, Seat::Person],
        [Seat::Person, novice],
        [novice, Seat::Person],
        [novice, novice],
    ]);
    println!("begins {rules}");
    let seed = Some(numbers.next());
    headless.act(GameAction::NewGame(Setup { seats, seed, ..Setup::new(rules) }));
}

/// A random action of the person whose turn it is; `None` on an engine's turn.
fn act(table: &GameSession, numbers: &mut Numbers) -> Option<Action> {
    if table.thrower() == Some(Thrower::Person) {
        return Some(Action::Game(GameAction::Throw));
    }
    if !table.person_moves() {
        return None;
    }
    if table.history().len() > MAX_PLIES {
        return Some(Action::Game(GameAction::Resign));
    }
    if numbers.below(12) == 0 {
        return Some(numbers.pick(&[
            Action::Game(GameAction::Undo),
            Action::Game(GameAction::Undo),
            Action::Game(GameAction::Redo),
        ]));
    }
    debug_assert!(matches!(table.turn(), Some(Turn::Move(_))));
    let moves = table.history().legal_moves();
    Some(Action::Game(GameAction::TypeMove(
        table.history().position().notation(numbers.pick(&moves)),
    )))
}
