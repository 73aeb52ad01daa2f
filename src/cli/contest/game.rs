//! One game of a match.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use crate::{
    games::{AnyPosition, GameHistory, Ply, RuleSet, Side, Turn},
    records::{GameResult, Record, on_one_line},
    table::{Dice, today},
};

use super::player::{Contestant, Player};

/// What all games of a match have in common.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) rules: RuleSet,
    pub(super) players: [Player; 2],
    pub(super) movetime: Duration,
    /// How long a program may take to start, and over its time to move.
    pub(super) patience: Duration,
    /// Threads of each of our levels.
    pub(super) threads: usize,
    /// Memory of each of our levels, in MiB.
    pub(super) hash_mib: usize,
    pub(super) seed: u64,
    /// Moves drawn at random before the players are asked.
    pub(super) openings: usize,
    /// The game is a draw once it is this long.
    pub(super) most_plies: usize,
}

/// A game played.
pub(super) struct Played {
    /// Its number in the match, from 0.
    pub(super) number: usize,
    pub(super) record: Record,
    /// What a player did wrong, if that is how the game ended.
    pub(super) fault: Option<String>,
    /// How long the match's players thought.
    pub(super) thinking: [Thinking; 2],
}

/// How long a player thought about its moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thinking {
    pub(super) moves: u32,
    pub(super) total: Duration,
    pub(super) longest: Duration,
}

impl Thinking {
    fn add(&mut self, time: Duration) {
        self.moves += 1;
        self.total += time;
        self.longest = self.longest.max(time);
    }

    pub(super) fn include(&mut self, other: Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// The time a move took, none when there were none.
    pub(super) fn mean(self) -> Option<Duration> {
        self.total.checked_div(self.moves)
    }
}

/// The side that the match's first player has in a game: they change after
/// each game.
pub(super) const fn side_of_first(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// Openings that end the game are drawn again, this often at most.
const TRIES: u64 = 100;

/// Plays game `number`. Both games of a pair have the same opening and the
/// same sticks, with the sides changed.
pub(super) fn play(terms: &Terms, number: usize) -> Played {
    let first = side_of_first(number);
    let seed = terms.seed.wrapping_add((number / 2) as u64);
    let mut dice = Dice::new(seed);
    let mut line = opening(terms, seed, &mut dice);
    let player_of = |side: Side| &terms.players[usize::from(side != first)];
    let mut thinking = [Thinking::default(); 2];
    let fault = Seats::taken(terms, player_of, seed).and_then(|mut seats| {
        while line.len() < terms.most_plies {
            seats.watch(&line)?;
            match line.turn() {
                Turn::Over(_) => break,
                Turn::Throw(_) => {
                    if !throw(&mut line, &mut dice) {
                        break;
                    }
                }
                Turn::Move(side) => {
                    let begun = Instant::now();
                    let choice = seats.of(side).choose(&line, terms.movetime);
                    thinking[usize::from(side != first)].add(begun.elapsed());
                    let mv = choice.map_err(|text| Fault { side, text })?;
                    line.push(Ply::Move(mv))
                        .map_err(|illegal| Fault { side, text: illegal.to_string() })?;
                }
            }
        }
        Ok(())
    });
    let mut record = Record::new(line);
    for side in Side::BOTH {
        record.players[side.index()] = player_of(side).to_string();
    }
    record.date = today();
    record.seed = terms.rules.has_sticks().then_some(seed);
    record.set_tag("Round", &(number + 1).to_string());
    let fault = fault.err().map(|Fault { side, text }| {
        record.stop(GameResult::Won(side.other()), Some("forfeit"));
        let at = record.history().len();
        // What a program said may hold anything.
        let text = on_one_line(&text);
        let text = format!("{} ({}) {text}", player_of(side), terms.rules.side_name(side));
        record.comment(at, &text);
        text
    });
    if fault.is_none() {
        // Refused when the rules ended the game, as they mostly do.
        record.stop(GameResult::Drawn, Some("ply limit"));
    }
    Played { number, record, fault, thinking }
}

/// What a player did wrong, which loses the game.
struct Fault {
    side: Side,
    text: String,
}

/// Both players at the board.
struct Seats([Contestant; 2]);

impl Seats {
    fn taken<'a>(
        terms: &Terms,
        player_of: impl Fn(Side) -> &'a Player,
        seed: u64,
    ) -> Result<Self, Fault> {
        let sit = |side| {
            Contestant::sit(terms, player_of(side), side, seed).map_err(|text| Fault { side, text })
        };
        Ok(Self([sit(Side::First)?, sit(Side::Second)?]))
    }

    const fn of(&mut self, side: Side) -> &mut Contestant {
        &mut self.0[side.index()]
    }

    /// Shows both how the game stands.
    fn watch(&mut self, line: &GameHistory<AnyPosition>) -> Result<(), Fault> {
        for side in Side::BOTH {
            self.of(side).watch(line).map_err(|text| Fault { side, text })?;
        }
        Ok(())
    }
}

/// A line of random moves that does not end the game.
fn opening(terms: &Terms, seed: u64, dice: &mut Dice) -> GameHistory<AnyPosition> {
    let start = GameHistory::new(AnyPosition::start(terms.rules));
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    // Not the sticks' own words again.
    generator.set_stream(2);
    for _ in 0..TRIES {
        let mut line = start.clone();
        let mut moves = 0;
        while moves < terms.openings {
            match line.turn() {
                Turn::Over(_) => break,
                Turn::Throw(_) => {
                    throw(&mut line, dice);
                }
                Turn::Move(_) => {
                    let mut legal = line.legal_moves();
                    legal.sort_unstable();
                    let mv = legal[generator.random_range(0..legal.len())];
                    if line.push(Ply::Move(mv)).is_err() {
                        break;
                    }
                    moves += 1;
                }
            }
        }
        if line.turn().end().is_none() {
            return line;
        }
    }
    start
}

/// Throws the game's next throw.
fn throw(line: &mut GameHistory<AnyPosition>, dice: &mut Dice) -> bool {
    let thrown = line.plies().filter(|ply| matches!(ply, Ply::Throw(_))).count();
    line.push(Ply::Throw(dice.throw(thrown))).is_ok()
}
