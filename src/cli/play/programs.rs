//! Other programs as players at the terminal.

use super::{CommandError, Stopwatch, shown};
use crate::{
    cli::prelude::*,
    session::{
        EngineEntry, EngineList, PROGRAM_PATIENCE, ProgramLimits, UgiProgram, clean_name,
        engines_path, split_command,
    },
};

/// A player on the command line: a person, a level, or a program.
#[derive(Clone, Debug)]
pub(super) enum Player {
    Seat(Seat),
    /// A level that follows the person's rating.
    Adaptive,
    Program(EngineEntry),
    /// A program of the list of engines, by its name.
    Listed(String),
}

impl Player {
    /// The seat. That of a program has the program's name.
    pub(super) const fn seat(&self) -> Seat {
        match self {
            Self::Seat(seat) => *seat,
            Self::Adaptive => Seat::Engine(Level::Casual),
            Self::Program(_) | Self::Listed(_) => Seat::Program,
        }
    }

    /// The name of its person, or of the program.
    pub(super) fn name(&self, person: Option<&String>) -> String {
        match self {
            Self::Seat(_) | Self::Adaptive => person.cloned().unwrap_or_default(),
            Self::Program(entry) => entry.name.clone(),
            Self::Listed(name) => name.clone(),
        }
    }

    /// Looks a listed program up.
    ///
    /// # Errors
    /// The list of engines does not have it, or cannot be read.
    pub(super) fn looked_up(&self) -> Result<Self, CommandError> {
        let Self::Listed(name) = self else { return Ok(self.clone()) };
        let error = |why: &str| CommandError::Usage(format!("cannot find 'engine:{name}': {why}"));
        let path = engines_path().ok_or_else(|| error("the system names no place for settings"))?;
        let list = EngineList::read(&path)
            .map_err(|why| error(&format!("cannot read {}: {why}", shown(&path))))?;
        let entry = list.find(name);
        let missing = || error(&format!("no engine of that name in {}", shown(&path)));
        entry.cloned().map(Self::Program).ok_or_else(missing)
    }
}

/// Parses `person`, `adaptive`, a level, `cmd:COMMAND` or `engine:NAME`.
///
/// # Errors
/// It is none of these.
pub(super) fn parse_player(text: &str) -> Result<Player, String> {
    if let Some(command) = text.strip_prefix("cmd:") {
        let words = split_command(command)
            .ok_or_else(|| "expected a command after cmd:, with closed quotes".to_owned())?;
        let program = words.first().map_or("", |word| word.as_str());
        let stem = std::path::Path::new(program).file_stem().unwrap_or_default();
        let name = clean_name(&stem.to_string_lossy());
        let name = if name.is_empty() { "UGI".to_owned() } else { name };
        let command = command.to_owned();
        return Ok(Player::Program(EngineEntry { name, command, ..EngineEntry::default() }));
    }
    if text.eq_ignore_ascii_case("adaptive") {
        return Ok(Player::Adaptive);
    }
    if let Some(name) = text.strip_prefix("engine:") {
        return Ok(Player::Listed(name.to_owned()));
    }
    text.parse().map(Player::Seat).map_err(|_| {
        format!(
            "expected person, adaptive, a level ({}), cmd:COMMAND or engine:NAME",
            Level::names()
        )
    })
}

/// The programs at the terminal. Each plays the side that has its name.
pub(super) struct Programs(Vec<Seated>);

/// A program with its process, once it has started.
struct Seated {
    entry: EngineEntry,
    running: Option<UgiProgram>,
    /// The rules and the seed of the game that it knows.
    game: Option<(RuleSet, u64)>,
}

impl Programs {
    /// The programs among the players, which start with their first move.
    pub(super) fn new(players: [&Player; 2]) -> Self {
        let programs = players.into_iter().filter_map(|player| match player {
            Player::Program(entry) => {
                Some(Seated { entry: entry.clone(), running: None, game: None })
            }
            Player::Seat(_) | Player::Adaptive | Player::Listed(_) => None,
        });
        Self(programs.collect())
    }

    /// Prepares for a game. A program that is neither here nor in the list of engines
    /// leaves its side to a person.
    pub(super) fn prepare(&mut self, session: &mut GameSession) {
        for side in Side::BOTH {
            if session.seats()[side.index()] != Seat::Program || self.place(session, side).is_some()
            {
                continue;
            }
            let list = engines_path().and_then(|path| EngineList::read(&path).ok());
            match list.as_ref().and_then(|list| list.find(&session.names()[side.index()])) {
                Some(entry) => {
                    self.0.push(Seated { entry: entry.clone(), running: None, game: None });
                }
                None => session.take_over(side),
            }
        }
    }

    fn place(&self, session: &GameSession, side: Side) -> Option<usize> {
        let name = &session.names()[side.index()];
        self.0.iter().position(|seated| seated.entry.name == *name)
    }

    /// Asks the program to move for its move; `None` if it has not been
    /// [prepared](Self::prepare). A program that does anything else is killed, and a
    /// person plays its side.
    ///
    /// # Errors
    /// What it did, for people.
    pub(super) fn choose_move(
        &mut self,
        session: &mut GameSession,
        stopwatch: &Stopwatch,
    ) -> Option<Result<AnyMove, String>> {
        let side = session.turn()?.side()?;
        let place = self.place(session, side)?;
        let Seated { entry, running, game } = self.0.get_mut(place)?;
        let history = session.history().clone();
        let mut asked = || {
            if running.is_none() {
                *running = Some(entry.start(PROGRAM_PATIENCE)?);
            }
            let Some(program) = running.as_mut() else { return Ok(None) };
            let this_game = Some((session.rules(), session.seed()));
            if *game != this_game {
                program.new_game(session.rules())?;
                *game = this_game;
            }
            // The start of a program takes nothing from its clock.
            let started = stopwatch.time();
            let (limits, deadline) = ProgramLimits::for_turn(session);
            let mv = program.choose_move(&history, &limits, deadline, &mut |_| ());
            session.run_clock(stopwatch.time() - started);
            mv.map(Some)
        };
        let answer = asked();
        Some(match answer {
            Ok(Some(mv)) => Ok(mv),
            Ok(None) => return None,
            Err(error) => {
                let Seated { entry, .. } = self.0.remove(place);
                session.take_over(side);
                let names = [("name", entry.name.as_str()), ("fault", &error.to_string())];
                Err(tr_args("play.program-failed", &names))
            }
        })
    }
}
