//! Plays a short match between two programs that speak UGI and prints the results.
//!
//! `cargo run -p tabulae-session --example ugi_match -- 'tabulae engine' 'other engine'`

use std::time::Duration;

use tabulae_engines::SearchLimits;
use tabulae_games::{AnyPosition, End, GameHistory, Ply, RuleSet, Side, Turn};
use tabulae_session::{ProgramError, ProgramLimits, UgiProgram};

const RULES: RuleSet = RuleSet::Tablaaza;
const GAMES: usize = 2;

/// How long a program may take for an answer beyond its time for the move.
const PATIENCE: Duration = Duration::from_secs(10);

fn play(programs: &mut [UgiProgram; 2], swapped: bool) -> Result<End, Box<dyn std::error::Error>> {
    let time = Duration::from_millis(50);
    let limits =
        ProgramLimits::PerMove(SearchLimits { movetime: Some(time), ..SearchLimits::default() });
    let mut game = GameHistory::new(AnyPosition::start(RULES));
    for program in programs.iter_mut() {
        program.new_game(RULES)?;
    }
    loop {
        match game.turn() {
            Turn::Over(end) => return Ok(end),
            Turn::Throw(_) => return Err("these rules have no throws".into()),
            Turn::Move(side) => {
                let program = &mut programs[usize::from((side == Side::Second) != swapped)];
                let mv = program.choose_move(&game, &limits, time + PATIENCE, &mut |_| ())?;
                game.push(Ply::Move(mv))?;
            }
        }
    }
}

fn start(command: &str) -> Result<UgiProgram, ProgramError> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    UgiProgram::start(&words, PATIENCE)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let commands: Vec<String> = std::env::args().skip(1).collect();
    let [first, second] = &commands[..] else {
        return Err("expected the commands of two programs".into());
    };
    let mut programs = [start(first)?, start(second)?];
    for game in 0..GAMES {
        let end = play(&mut programs, game % 2 == 1)?;
        println!("game {}: {} ({})", game + 1, end.result(), end.reason);
    }
    Ok(())
}

#[test]
fn a_program_that_is_missing_is_an_error() {
    let error = start("no-such-program").expect_err("it cannot be started");
    assert!(matches!(error, ProgramError::NotStarted(_)), "{error}");
}
