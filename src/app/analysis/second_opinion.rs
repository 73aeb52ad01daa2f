//! A second opinion: what another engine says about the position that is analysed.

use std::collections::HashMap;

use super::{
    Analysis, Candidate, Evaluation, is_move_due, replies::candidate, scheduler::NEWS_INTERVAL,
    up_to,
};
use crate::{
    app::{
        core::prelude::*,
        game::{opponent::EngineThinking, referee::Referee},
        platform::IS_WEB,
        replay::{Replay, shown_game},
        scene::api::MotionStatus,
        settings::Engines,
    },
    engines::SearchLimits,
    session::{PROGRAM_PATIENCE, ProgramEvent, ProgramLimits, ProgramWorker},
};

/// How long another engine may think about a position.
const TIME: Duration = Duration::from_secs(10);

/// What another engine says about positions.
#[derive(Debug, Default)]
pub struct SecondOpinion {
    /// The name of the engine that is asked; none is without.
    pub engine: Option<String>,
    /// The names of the engines that can be asked.
    pub available: Vec<String>,
    /// Its best line by position key.
    found: HashMap<u64, Candidate>,
}

impl SecondOpinion {
    /// The best line of a position, if the engine has found one.
    pub fn line_of(&self, position: &AnyPosition) -> Option<&Candidate> {
        self.found.get(&position.key())
    }

    fn ask(&mut self, engine: Option<String>) {
        self.engine = engine.filter(|name| self.available.contains(name));
        self.found.clear();
    }
}

/// The engine that is asked, while it runs.
#[derive(Resource, Default)]
pub(super) struct SecondEngine {
    running: Option<RunningEngine>,
}

struct RunningEngine {
    name: String,
    worker: ProgramWorker,
    /// The ticket of the last search.
    ticket: u64,
    /// The game whose last position it thinks about, and whether it has answered.
    asked: Option<(GameHistory<AnyPosition>, bool)>,
}

impl RunningEngine {
    fn is_thinking(&self) -> bool {
        matches!(&self.asked, Some((_, false)))
    }

    /// Stops the search, unless it is about the last position of this game.
    fn stop_unless(&mut self, wanted: Option<&GameHistory<AnyPosition>>) {
        if self.asked.as_ref().is_some_and(|(asked, _)| Some(asked) != wanted) {
            if self.is_thinking() {
                self.worker.stop();
            }
            self.asked = None;
        }
    }

    fn start(&mut self, history: GameHistory<AnyPosition>) {
        self.ticket += 1;
        let limits = SearchLimits { movetime: Some(TIME), ..SearchLimits::default() };
        let limits = ProgramLimits::PerMove(limits);
        self.worker.search(self.ticket, history.clone(), limits, TIME + PROGRAM_PATIENCE);
        self.asked = Some((history, false));
    }

    /// Takes in what it says; the message says why it has ended.
    fn poll(&mut self, analysis: &mut ResMut<Analysis>) -> Result<(), LocalizedMessage> {
        for event in self.worker.poll_some() {
            match event {
                ProgramEvent::Info(ticket, info) if ticket == self.ticket && info.line == 1 => {
                    let Some((history, _)) = &self.asked else { continue };
                    let Some(&mv) = info.info.pv.first() else { continue };
                    let line = candidate(history, mv, &info.info);
                    let found = &mut analysis.second_opinion.found;
                    found.insert(history.position().key(), line);
                }
                ProgramEvent::Move(ticket, mv) if ticket == self.ticket => {
                    let Some((history, is_answered)) = &mut self.asked else { continue };
                    *is_answered = true;
                    // A program need not report anything but its move.
                    let position = history.position();
                    let found = &mut analysis.second_opinion.found;
                    found.entry(position.key()).or_insert_with(|| Candidate {
                        mv,
                        value: Evaluation::Points(0),
                        depth: 0,
                        exact: false,
                        variation: position.notation(mv),
                    });
                }
                ProgramEvent::Failed(error) => {
                    return Err(LocalizedMessage::new("notice.second-failed")
                        .with("name", &self.name)
                        .with("fault", error));
                }
                ProgramEvent::Ready(..) | ProgramEvent::Info(..) | ProgramEvent::Move(..) => {}
            }
        }
        Ok(())
    }
}

/// Chooses the engine that is asked.
pub(super) fn choose_engine(
    mut actions: MessageReader<ViewAction>,
    mut analysis: ResMut<Analysis>,
    engines: Res<Engines>,
) {
    if engines.is_changed() && !IS_WEB {
        let names = engines.list().engines.iter().map(|entry| entry.name.clone()).collect();
        analysis.second_opinion.available = names;
        let engine = analysis.second_opinion.engine.clone();
        if engine.is_some() {
            analysis.second_opinion.ask(engine);
        }
    }
    for action in actions.read() {
        if let ViewAction::AskEngine(name) = action {
            analysis.second_opinion.ask(name.clone());
        }
    }
}

/// Asks the engine about the position that is shown.
pub(super) fn ask_engine(
    mut second: ResMut<SecondEngine>,
    mut analysis: ResMut<Analysis>,
    mut next: ResMut<NextFrame>,
    mut notices: MessageWriter<Notify>,
    (referee, replay): (Res<Referee>, Res<Replay>),
    (engines, motion): (Res<Engines>, Res<MotionStatus>),
    thinking: Res<EngineThinking>,
    screen: Res<State<Screen>>,
) {
    let wanted = analysis.second_opinion.engine.clone().filter(|_| analysis.enabled);
    second
        .running
        .take_if(|running| Some(&running.name) != wanted.as_ref() || engines.is_changed());
    let Some(name) = wanted else { return };
    // The engine that plays gets the processor.
    let game = shown_game(*screen.get(), &referee, &replay)
        .filter(|(history, ply)| !thinking.0 && is_move_due(history, *ply))
        .map(|(history, ply)| up_to(history, ply));
    let running = match &mut second.running {
        Some(running) => running,
        None if game.is_none() => return,
        none => {
            let Some(entry) = engines.list().find(&name) else { return };
            let worker = ProgramWorker::start(entry.clone(), PROGRAM_PATIENCE);
            none.insert(RunningEngine { name, worker, ticket: 0, asked: None })
        }
    };
    running.stop_unless(game.as_ref());
    let said = running.poll(&mut analysis);
    if let Err(why) = said {
        second.running = None;
        analysis.second_opinion.ask(None);
        notices.write(Notify::error(why));
        return;
    }
    if let Some(game) = game.filter(|_| running.asked.is_none() && !motion.is_busy()) {
        running.start(game);
    }
    if running.is_thinking() {
        next.within(NEWS_INTERVAL);
    }
}
