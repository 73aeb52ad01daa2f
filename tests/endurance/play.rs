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
        acts::Act,
        referee::Referee,
        silent_run,
        stage::{Motion, Screen},
    },
    engines::Level,
    games::{Game, RuleSet, Turn},
    table::{GameSession, Seat, Setup},
};

use crate::common::{games::Numbers, silent::Silent};

/// A person resigns after this many plies.
const MAX_PLIES: usize = 60;

/// The settings file: no animation.
pub(crate) const SETTINGS: &str = "reduced-motion = true\n";

/// Plays this number of games to their ends.
pub(crate) fn run(seed: usize, games: usize) {
    let options = AppOptions { size: Some((900, 600)), report: true, ..AppOptions::default() };
    let mut silent = Silent::over(silent_run(&options));
    let mut numbers = Numbers::new(seed as u64);
    let came: Vec<String> = silent.referee().table.as_ref().map_or_else(Vec::new, plies);
    println!("came {} {}", came.len(), came.join(" "));
    // Wait until the parent closes the input or sends a line.
    std::io::stdin().read_line(&mut String::new()).expect("a line or an end");
    let mut over = 0;
    let goes_on = silent.referee().table.is_some();
    if goes_on {
        silent.act(Act::Table);
    } else {
        begin(&mut silent, &mut numbers);
    }
    loop {
        silent.app.update();
        let world = silent.app.world();
        let (referee, motion) = (world.resource::<Referee>(), world.resource::<Motion>());
        let Some(table) = &referee.table else { panic!("a game was begun") };
        if silent.screen() != Screen::Table || motion.is_busy() {
            continue;
        }
        if table.outcome().is_some() {
            println!("over");
            over += 1;
            if over == games {
                println!("done");
                return;
            }
            begin(&mut silent, &mut numbers);
        } else if let Some(act) = act(table, &mut numbers) {
            if act == Act::Undo {
                println!("goes-back");
            }
            silent.app.world_mut().write_message(act);
        } else if table.history().len() > MAX_PLIES {
            // Engines never resign.
            begin(&mut silent, &mut numbers);
        }
    }
}

/// The notation of a game's plies.
pub(crate) fn plies(table: &GameSession) -> Vec<String> {
    let line = table.history();
    (1..=line.len()).map(|number| line.notation(number).expect("a ply")).collect()
}

/// Starts a game by random rules, with persons and engines in random seats.
fn begin(silent: &mut Silent, numbers: &mut Numbers) {
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
    silent.act(Act::NewGame(Setup { seats, seed, ..Setup::new(rules) }));
}

/// A random action of the person whose turn it is; `None` on an engine's turn.
fn act(table: &GameSession, numbers: &mut Numbers) -> Option<Act> {
    if table.person_throws() {
        return Some(Act::Throw);
    }
    if !table.person_moves() {
        return None;
    }
    if table.history().len() > MAX_PLIES {
        return Some(Act::Resign);
    }
    if numbers.below(12) == 0 {
        return Some(numbers.pick(&[Act::Undo, Act::Undo, Act::Redo]));
    }
    debug_assert!(matches!(table.turn(), Some(Turn::Move(_))));
    let moves = table.history().legal_moves();
    Some(Act::Type(table.history().position().notation(numbers.pick(&moves))))
}
