//! Another program as a player. It runs on a thread of its own; whatever it does wrong
//! ends it and leaves its side to a person, and never harms the game.

use super::referee::Referee;
use crate::{
    app::{
        core::prelude::*,
        platform::IS_WEB,
        scene::api::{MotionStatus, SceneCommand, SceneReady},
        settings::Engines,
    },
    session::{
        EngineEntry, PROGRAM_PATIENCE, ProgramError, ProgramEvent, ProgramLimits, ProgramWorker,
    },
};

/// The programs that play at this table, by [`Side::index`].
#[derive(Resource, Default)]
pub(super) struct ProgramPlayers([Option<ProgramPlayer>; 2]);

struct ProgramPlayer {
    name: String,
    /// The number of its game on this table.
    game: u64,
    worker: ProgramWorker,
    /// The ticket of the last search.
    ticket: u64,
    /// The key of the position that it thinks about.
    pending: Option<u64>,
}

/// What a program has done in its game.
enum Answer {
    Move(AnyMove),
    Failed(ProgramError),
}

impl ProgramPlayer {
    fn start(entry: &EngineEntry, game: u64) -> Self {
        let worker = ProgramWorker::start(entry.clone(), PROGRAM_PATIENCE);
        Self { name: entry.name.clone(), game, worker, ticket: 0, pending: None }
    }

    /// Stops the search unless it belongs to the position with this key.
    fn stop_unless(&mut self, key: Option<u64>) {
        if self.pending.is_some() && self.pending != key {
            self.worker.stop();
            self.pending = None;
        }
    }

    fn poll(&mut self) -> Option<Answer> {
        for event in self.worker.poll_some() {
            match event {
                ProgramEvent::Move(ticket, mv)
                    if ticket == self.ticket && self.pending.is_some() =>
                {
                    self.pending = None;
                    return Some(Answer::Move(mv));
                }
                ProgramEvent::Failed(error) => return Some(Answer::Failed(error)),
                ProgramEvent::Ready(..) | ProgramEvent::Info(..) | ProgramEvent::Move(..) => {}
            }
        }
        None
    }

    fn start_search(&mut self, table: &GameSession) {
        self.ticket += 1;
        self.pending = Some(table.history().position().key());
        let (limits, deadline) = ProgramLimits::for_turn(table);
        self.worker.search(self.ticket, table.history().clone(), limits, deadline);
    }
}

impl ProgramPlayers {
    /// Whether one of them is thinking.
    pub(super) fn are_thinking(&self) -> bool {
        self.0.iter().flatten().any(|player| player.pending.is_some())
    }

    /// Ends the programs of other games, and those whose side another player has.
    fn retain(&mut self, referee: &Referee) {
        // In a lesson the game waits, and its programs with it.
        if referee.is_exercise() {
            return;
        }
        for side in Side::BOTH {
            self.0[side.index()].take_if(|player| {
                referee.game_number() != player.game
                    || referee.table.as_ref().is_none_or(|table| {
                        table.seats()[side.index()] != Seat::Program
                            || table.names()[side.index()] != player.name
                    })
            });
        }
    }
}

/// The side that waits for a program.
fn program_to_act(referee: &Referee) -> Option<(Side, &GameSession)> {
    let table = referee.table.as_ref().filter(|_| !referee.is_exercise())?;
    let side = table.turn()?.side()?;
    (table.seats()[side.index()] == Seat::Program).then_some((side, table))
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<ProgramPlayers>()
        .add_systems(Update, play_program_turns.run_if(no_ply_is_due).in_set(AppSet::Engines));
}

/// Whether no ply was played in this frame: the scene begins to show it only later, and the
/// computer's answer waits until it has been seen.
pub(super) fn no_ply_is_due(mut commands: MessageReader<SceneCommand>) -> bool {
    let is_ply = |command: &&SceneCommand| matches!(command, SceneCommand::PlayPly(_));
    commands.read().filter(is_ply).count() == 0
}

/// Starts programs and plays their moves.
pub(super) fn play_program_turns(
    mut programs: ResMut<ProgramPlayers>,
    mut referee: ResMut<Referee>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    engines: Res<Engines>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    scene_ready: Res<SceneReady>,
) {
    let here = *screen.get() == Screen::Table;
    programs.retain(&referee);
    let to_act = program_to_act(&referee).filter(|_| here);
    let key = to_act.map(|(_, table)| table.history().position().key());
    for player in programs.0.iter_mut().flatten() {
        player.stop_unless(key);
    }
    let Some((side, table)) = to_act else { return };
    // As for the engines: an answer waits until it can be seen.
    if referee.viewed_ply.is_some() || !scene_ready.0 || referee.reply_waits(&motion) {
        return;
    }
    if programs.0[side.index()].is_none() {
        let name = &table.names()[side.index()];
        let entry = engines.list().find(name).filter(|_| !IS_WEB);
        let Some(entry) = entry else {
            let key = if IS_WEB { "notice.no-programs" } else { "notice.no-such-engine" };
            let message = LocalizedMessage::new(key).with("name", name);
            referee.take_over(side);
            told.write(Notify::error(message));
            return;
        };
        programs.0[side.index()] = Some(ProgramPlayer::start(entry, referee.game_number()));
    }
    let Some(player) = &mut programs.0[side.index()] else { return };
    match player.poll() {
        Some(Answer::Move(mv)) => {
            let command = referee.play(mv);
            commands.write_batch(command);
        }
        Some(Answer::Failed(error)) => {
            let message = LocalizedMessage::new("notice.program-failed")
                .with("name", &player.name)
                .with("fault", error);
            programs.0[side.index()] = None;
            referee.take_over(side);
            told.write(Notify::error(message));
        }
        None if referee.awaits_verdict() || motion.is_busy() || player.pending.is_some() => {}
        None => {
            if matches!(table.turn(), Some(Turn::Move(_))) {
                player.start_search(table);
            }
        }
    }
}

impl Referee {
    /// Lets a person play for a program that cannot.
    fn take_over(&mut self, side: Side) {
        if let Some(table) = &mut self.table {
            table.take_over(side);
        }
    }
}
