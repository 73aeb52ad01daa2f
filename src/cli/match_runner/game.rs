//! Plays one game of a match.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::SystemTime,
};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use crate::{cli::prelude::*, session::Dice};

use super::{
    config::{MatchConfig, side_of_first},
    player::{BolognaClient, MoveLimits, NoMove, PlayerInstance, RefusedMove, StartError},
    stats::PlayerResult,
};

/// A finished game.
pub(super) struct FinishedGame {
    /// Its number in the match, from 0.
    pub(super) number: usize,
    pub(super) record: Record,
    /// What a player did wrong, if it did. The rules may have ended the game
    /// before.
    pub(super) forfeit: Option<Forfeit>,
    /// The thinking times of the match's two players.
    pub(super) times: [ThinkingTime; 2],
    /// What happened beside the moves.
    pub(super) course: Course,
}

/// What happened in a game that its record does not say.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) started: SystemTime,
    /// The time for each ply.
    pub(super) thinking: Vec<Duration>,
    /// Moves that were not legal, each with the number of plies before it.
    pub(super) refused: Vec<(usize, RefusedMove)>,
    /// Whether the game was lost because a move came too late.
    pub(super) is_late: bool,
}

impl Course {
    pub(super) fn begin() -> Self {
        let (thinking, refused) = (Vec::new(), Vec::new());
        Self { started: SystemTime::now(), thinking, refused, is_late: false }
    }
}

impl FinishedGame {
    /// The result for the match's first player. A game left open counts as a
    /// draw.
    pub(super) fn result(&self) -> PlayerResult {
        match self.record.result() {
            GameResult::Won(side) if side == side_of_first(self.number) => PlayerResult::Win,
            GameResult::Won(_) => PlayerResult::Loss,
            GameResult::Drawn | GameResult::Unknown => PlayerResult::Draw,
        }
    }

    /// The match's player that forfeited the game, 0 or 1, whichever side it played.
    pub(super) fn forfeiter(&self) -> Option<usize> {
        let Forfeit { side, .. } = self.forfeit.as_ref()?;
        Some(usize::from(*side != side_of_first(self.number)))
    }
}

/// The time that a player used for its moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThinkingTime {
    moves: u32,
    total: Duration,
    pub(super) longest: Duration,
}

impl ThinkingTime {
    fn record_move(&mut self, time: Duration) {
        self.merge(Self { moves: 1, total: time, longest: time });
    }

    /// Adds another game's times.
    pub(super) fn merge(&mut self, other: Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// The mean time for a move; `None` without moves.
    pub(super) fn mean(self) -> Option<Duration> {
        self.total.checked_div(self.moves)
    }
}

/// Plays game `number`. Both games of a pair (2n and 2n + 1) have the same
/// opening and the same seed of the sticks, with the sides swapped.
///
/// # Errors
/// The match cannot go on, through no fault of a player, or `stopped` is set.
pub(super) fn play_game(
    config: &MatchConfig,
    number: usize,
    stopped: &AtomicBool,
) -> Result<FinishedGame, CommandError> {
    let seed = config.pair_seed(number);
    let start = |side| {
        PlayerInstance::start(config, config.player(number, side), side, seed).map_err(|error| {
            match error {
                StartError::Player(reason) => Interruption::Forfeit(Forfeit { side, reason }),
                StartError::Match(text) => Interruption::Match(text),
            }
        })
    };
    let players = start(Side::First).and_then(|first| Ok([first, start(Side::Second)?]));
    finish_game(config, number, players, stopped)
}

/// Plays a game between clients that have connected by themselves, White first.
///
/// # Errors
/// As [`play_game`].
pub(super) fn play_connected(
    config: &MatchConfig,
    clients: [BolognaClient; 2],
) -> Result<FinishedGame, CommandError> {
    let players = Ok(clients.map(PlayerInstance::Bologna));
    finish_game(config, 0, players, &AtomicBool::new(false))
}

/// Plays with these players, if they have started, and makes the record.
fn finish_game(
    config: &MatchConfig,
    number: usize,
    players: Result<[PlayerInstance; 2], Interruption>,
    stopped: &AtomicBool,
) -> Result<FinishedGame, CommandError> {
    let seed = config.pair_seed(number);
    let mut dice = Dice::new(seed);
    let mut game = RunningGame {
        history: random_opening(config, seed, &mut dice),
        dice,
        times: [ThinkingTime::default(); 2],
        course: Course::begin(),
    };
    let result = players.and_then(|mut players| {
        let result = game.play(config, number, &mut players, stopped);
        // Where the rules have ended the game, the last position has told so.
        if game.history.turn().end().is_none() {
            let told = match &result {
                Err(Interruption::Forfeit(forfeit)) => GameResult::Won(forfeit.side.other()),
                _ => GameResult::Drawn,
            };
            players.iter_mut().for_each(|player| player.show_result(&game.history, told));
        }
        result
    });
    let RunningGame { history, times, course, .. } = game;
    let mut record = Record::new(history);
    for side in Side::BOTH {
        record.players[side.index()] = config.player(number, side).to_string();
    }
    record.date = today();
    record.seed = config.rules.has_sticks().then_some(seed);
    record.set_tag("Round", &(number + 1).to_string());
    let forfeit = match result {
        Ok(()) => {
            // Refused if the rules have ended the game, as in most games.
            record.stop(GameResult::Drawn, Some("ply limit"));
            None
        }
        Err(Interruption::Stopped) => return Err(CommandError::AlreadyReported),
        Err(Interruption::Match(text)) => return Err(CommandError::Failed(text)),
        Err(Interruption::Forfeit(Forfeit { side, reason })) => {
            record.stop(GameResult::Won(side.other()), Some("forfeit"));
            // The reason may quote a program, which can send any characters.
            let forfeit = Forfeit { side, reason: on_one_line(&reason) };
            let text = format!("{} {}", config.describe_player(number, side), forfeit.reason);
            record.comment(record.history().len(), &text);
            Some(forfeit)
        }
    };
    Ok(FinishedGame { number, record, forfeit, times, course })
}

/// A player's error that loses the game.
pub(super) struct Forfeit {
    pub(super) side: Side,
    pub(super) reason: String,
}

/// What ends a game before its end by the rules.
enum Interruption {
    Forfeit(Forfeit),
    /// An error of ours; nobody loses.
    Match(String),
    /// The match has ended without this game.
    Stopped,
}

/// A game that is on.
struct RunningGame {
    history: GameHistory<AnyPosition>,
    dice: Dice,
    times: [ThinkingTime; 2],
    course: Course,
}

impl RunningGame {
    /// Plays until the end of the game or the ply limit.
    fn play(
        &mut self,
        config: &MatchConfig,
        number: usize,
        players: &mut [PlayerInstance; 2],
        stopped: &AtomicBool,
    ) -> Result<(), Interruption> {
        let mut limits = MoveLimits::start(config.limits);
        let mut errors = [0; 2];
        while self.history.len() < config.max_plies {
            if stopped.load(Ordering::Relaxed) {
                return Err(Interruption::Stopped);
            }
            for side in Side::BOTH {
                players[side.index()]
                    .show_position(&self.history)
                    .map_err(|reason| Interruption::Forfeit(Forfeit { side, reason }))?;
            }
            match self.history.turn() {
                Turn::Over(_) => break,
                Turn::Throw(_) => {
                    if !throw_sticks(&mut self.history, &mut self.dice) {
                        break;
                    }
                    self.course.thinking.push(Duration::ZERO);
                }
                Turn::Move(side) => {
                    let started = Instant::now();
                    let choice = players[side.index()].choose_move(&self.history, limits);
                    let elapsed = started.elapsed();
                    self.times[usize::from(side != side_of_first(number))].record_move(elapsed);
                    let forfeit = |reason| Interruption::Forfeit(Forfeit { side, reason });
                    match choice {
                        Ok(mv) => {
                            limits.stop_clock(side, elapsed).map_err(forfeit)?;
                            self.history
                                .push(Ply::Move(mv))
                                .map_err(|error| forfeit(error.to_string()))?;
                            self.course.thinking.push(elapsed);
                        }
                        Err(NoMove::Failed(reason)) => return Err(forfeit(reason)),
                        Err(NoMove::Late(reason)) => {
                            self.course.is_late = true;
                            return Err(forfeit(reason));
                        }
                        Err(NoMove::Refused(refused)) => {
                            let reason = refused.to_string();
                            self.course.refused.push((self.history.len(), refused));
                            errors[side.index()] += 1;
                            if errors[side.index()] > config.permitted_errors {
                                return Err(forfeit(reason));
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Attempts to draw an opening that does not end the game.
const MAX_OPENING_ATTEMPTS: u64 = 100;

/// Plays `config.opening_moves` random moves that do not end the game; none
/// when no such opening is found.
fn random_opening(config: &MatchConfig, seed: u64, dice: &mut Dice) -> GameHistory<AnyPosition> {
    let start = GameHistory::new(AnyPosition::start(config.rules));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Another stream than the sticks', which have the same seed.
    rng.set_stream(2);
    for _ in 0..MAX_OPENING_ATTEMPTS {
        let mut history = start.clone();
        let mut moves = 0;
        while moves < config.opening_moves {
            match history.turn() {
                Turn::Over(_) => break,
                Turn::Throw(_) => {
                    throw_sticks(&mut history, dice);
                }
                Turn::Move(_) => {
                    let mut legal = history.legal_moves();
                    legal.sort_unstable();
                    let mv = legal[rng.random_range(0..legal.len())];
                    if history.push(Ply::Move(mv)).is_err() {
                        break;
                    }
                    moves += 1;
                }
            }
        }
        if history.turn().end().is_none() {
            return history;
        }
    }
    start
}

/// Plays the game's next throw; false if no throw is due.
fn throw_sticks(history: &mut GameHistory<AnyPosition>, dice: &mut Dice) -> bool {
    let thrown = history.throws();
    history.push(Ply::Throw(dice.throw(thrown))).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{super::config::ThinkingLimits, *};

    #[test]
    fn a_game_of_a_match_that_has_ended_is_not_played_on() {
        let config = MatchConfig {
            rules: crate::games::RuleSet::Tablaaza,
            players: ["novice", "casual"].map(|name| name.parse().expect("a level")),
            limits: ThinkingLimits::PerMove(crate::engines::SearchLimits::default()),
            patience: Duration::from_secs(1),
            overrun: Duration::from_secs(1),
            permitted_errors: 0,
            threads: 1,
            hash_mib: 1,
            seed: 1,
            opening_moves: 0,
            max_plies: usize::MAX,
        };
        let stopped = play_game(&config, 0, &AtomicBool::new(true));
        assert!(matches!(stopped, Err(CommandError::AlreadyReported)));
    }
}
