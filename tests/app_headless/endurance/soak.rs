//! Soak test: engines play for a long time without a growth of memory, leaked
//! entities or repeated warnings.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use strum::VariantArray as _;

use bevy::{
    ecs::{resource::IsResource, system::SystemIdMarker},
    prelude::*,
};
use tabulae::{
    app::{
        AppOptions,
        core::{
            actions::{Action, GameAction, ReplayAction, UiAction, ViewAction},
            states::{Dialog, Screen},
        },
        headless_run,
        scene::api::AnimationSpeed,
        settings::{Settings, options::Palette},
    },
    engines::Level,
    games::RuleSet,
    i18n::Language,
    session::{Seat, Setup},
};

use super::{
    child::{RunningChild, command},
    memory::{Memory, Warnings, resident},
};
use crate::headless::Headless;

/// How long to play.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// A number of games.
    Games(usize),
    /// A number of seconds, and then to the end of the round.
    Seconds(usize),
}

impl Effort {
    /// The largest number of plies of a game.
    const fn max_plies(self) -> usize {
        match self {
            Self::Games(_) => 30,
            Self::Seconds(_) => 150,
        }
    }
}

/// Plays rounds of one game of each rule set.
pub(crate) fn run(effort: Effort) {
    let warnings = Warnings::install();
    let mut headless = Headless::with_app(headless_run(&AppOptions::default()));
    headless.app.add_systems(Last, check_meshes);
    let (start, mut games, mut plies) = (Instant::now(), 0, 0);
    let (mut memory, mut entity_counts) = (Memory::default(), BTreeMap::new());
    loop {
        for rules in rounds(effort) {
            // With persons, since engines would play before the count.
            headless.perform(begin(rules, [Seat::Person; 2], games));
            // Each game by the same rules starts with the same number.
            let count = count_entities(headless.app.world_mut());
            let before = entity_counts.entry(rules.to_string()).or_insert_with(|| count.clone());
            let differs: Vec<_> =
                count.iter().filter(|counted| before.get(counted.0) != Some(counted.1)).collect();
            let [now, then]: [usize; 2] = [&count, &*before].map(|counts| counts.values().sum());
            assert_eq!(now, then, "{rules}: entities after {games} games: {differs:?}");
            headless.act(begin(rules, engines(games), games));
            plies += play(&mut headless, effort.max_plies());
            use_the_app(&mut headless, games);
            games += 1;
            if matches!(effort, Effort::Games(most) if games >= most) {
                println!("{games} games, {plies} plies");
                return warnings.check();
            }
        }
        memory.rounds.extend(resident("self"));
        if matches!(effort, Effort::Seconds(most) if start.elapsed().as_secs() >= most as u64) {
            break;
        }
    }
    println!("{games} games, {plies} plies");
    println!("KiB after each round: {:?}", memory.rounds);
    println!("warned: {:?}", warnings.counts());
    warnings.check();
    // The first two rounds fill the caches.
    if let Some(growth) = memory.growth(2) {
        println!("memory grew by {growth:.2} % after warming up");
        assert!(growth < 5.0, "{growth} %");
    }
}

/// How many entities there are of each name, and without one of each set of components.
fn count_entities(world: &mut World) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (entity, name) in world.query::<(Entity, Option<&Name>)>().iter(world) {
        let components = || {
            let infos = world.inspect_entity(entity).into_iter().flatten();
            let mut names: Vec<String> =
                infos.map(|info| info.name().shortname().to_string()).collect();
            names.sort();
            names.join(" ")
        };
        // Bevy adds a resource or a cached system when it is first used.
        if world.entity(entity).contains::<IsResource>()
            || world.entity(entity).contains::<SystemIdMarker>()
        {
            continue;
        }
        *counts.entry(name.map_or_else(components, ToString::to_string)).or_default() += 1;
    }
    counts
}

/// Panics on a mesh without vertices. Bevy's renderer allocates no memory for it
/// but copies it, and logs an error (`slab_allocator`: "Use-after-free",
/// `bevy_render` 0.19.1).
fn check_meshes(
    mut events: MessageReader<AssetEvent<Mesh>>,
    meshes: Res<Assets<Mesh>>,
    drawn: Query<(&Name, &Mesh3d)>,
) {
    for event in events.read() {
        let (AssetEvent::Added { id } | AssetEvent::Modified { id }) = event else { continue };
        if meshes.get(*id).is_some_and(|mesh| mesh.count_vertices() == 0) {
            let whose = drawn.iter().find(|(_, mesh)| mesh.id() == *id).map(|drawn| drawn.0);
            panic!("an empty mesh: {whose:?}");
        }
    }
}

/// The rule sets of a round: one of each game in a short run.
fn rounds(effort: Effort) -> Vec<RuleSet> {
    match effort {
        Effort::Games(_) => vec![RuleSet::TablutLinnaeus, RuleSet::Tablan, RuleSet::Tablaaza],
        Effort::Seconds(_) => RuleSet::ALL.to_vec(),
    }
}

/// Two engines of the levels that answer fastest.
fn engines(games: usize) -> [Seat; 2] {
    let levels = [Level::Novice, Level::Casual];
    [levels[games % 2], levels[(games + 1) % 2]].map(Seat::Engine)
}

fn begin(rules: RuleSet, seats: [Seat; 2], games: usize) -> Action {
    Action::Game(GameAction::NewGame(Setup {
        seats,
        seed: Some(games as u64),
        ..Setup::new(rules)
    }))
}

/// Lets the engines play to the end or `most` plies; returns the number of plies.
/// About every fourth ply is animated at normal speed.
fn play(headless: &mut Headless, most: usize) -> usize {
    loop {
        let table = headless.table();
        let plies = table.history().len();
        if table.outcome().is_some() || plies >= most {
            headless.settle();
            return plies;
        }
        let speed = (plies % 16 < 4).then_some(1.0);
        headless.app.insert_resource(AnimationSpeed(speed));
        headless.app.update();
        // The search runs on another thread.
        std::thread::yield_now();
    }
}

/// Uses the rest of the app: undo, looking back, dialogs, the replay, a lesson
/// and the settings. (Quality has an effect only with a renderer.)
fn use_the_app(headless: &mut Headless, games: usize) {
    let last = headless.table().history().len();
    for act in [
        Action::Game(GameAction::Undo),
        Action::Game(GameAction::Answer(0)),
        Action::Game(GameAction::Undo),
        Action::Game(GameAction::Redo),
        Action::Game(GameAction::ViewPly(last / 2)),
        Action::Game(GameAction::ViewNextPly),
        Action::Game(GameAction::ViewPly(last)),
    ] {
        headless.act(act);
    }
    for dialog in Dialog::VARIANTS.iter().copied() {
        headless.act(UiAction::OpenDialog(dialog));
        headless.act(UiAction::CloseDialog);
    }
    for act in [
        Action::View(ViewAction::ToggleThreats),
        Action::View(ViewAction::ToggleThreats),
        Action::View(ViewAction::ToggleTopView),
        Action::View(ViewAction::ResetCamera),
        Action::Replay(ReplayAction::WatchGame),
    ] {
        headless.act(act);
    }
    headless.settle();
    use_the_replay(headless, last);
    if games.is_multiple_of(3) {
        take_a_lesson(headless);
    }
    let mut settings = headless.get::<Settings>().clone();
    settings.language = Some(Language::ALL[games % 2]);
    settings.palette = Palette::VARIANTS[games % Palette::VARIANTS.len()];
    settings.text_size = [100, 150, 75][games % 3];
    settings.coordinates = games.is_multiple_of(2);
    headless.change_settings(settings);
    headless.frames(5);
    headless.perform(UiAction::ShowTitle);
}

/// Plays and steps through the replay of `last` plies, then returns to the table.
fn use_the_replay(headless: &mut Headless, last: usize) {
    assert_eq!(headless.screen(), Screen::Replay);
    headless.act(ReplayAction::SetSpeed(4.0));
    headless.act(ReplayAction::TogglePlay);
    headless.frames(20);
    for act in [
        Action::Replay(ReplayAction::Jump(last / 3)),
        Action::Replay(ReplayAction::StepForward),
        Action::Replay(ReplayAction::StepBack),
        Action::Replay(ReplayAction::Jump(last)),
        Action::Ui(UiAction::ShowTable),
    ] {
        headless.act(act);
    }
    headless.settle();
}

/// Steps through a lesson, leaves it and resumes it.
fn take_a_lesson(headless: &mut Headless) {
    headless.act(GameAction::StartLesson(headless.table().rules().game()));
    for act in [
        Action::Game(GameAction::NextLessonStep),
        Action::Game(GameAction::NextLessonStep),
        Action::Game(GameAction::PreviousLessonStep),
        Action::Ui(UiAction::ShowTitle),
        Action::Ui(UiAction::ShowTable),
    ] {
        headless.act(act);
    }
    headless.settle();
}

fn soak(task: &str) -> Vec<String> {
    let home = tempfile::tempdir().expect("a folder");
    let mut program = RunningChild::start(command(home.path(), task));
    let lines: Vec<String> = program.lines.by_ref().map_while(Result::ok).collect();
    for line in &lines {
        println!("{line}");
    }
    assert!(program.succeeded());
    lines
}

#[test]
fn every_game_starts_with_the_same_number_of_entities() {
    let lines = soak("soak 6");
    assert!(lines.iter().any(|line| line.starts_with("6 games")), "{lines:?}");
}

/// `cargo soak`.
#[test]
#[ignore = "an hour"]
fn an_hour() {
    soak(&format!("soak-seconds {}", seconds(Duration::from_secs(3_600))));
}

/// `SOAK_SECONDS`, or the usual duration, in seconds.
pub(crate) fn seconds(usual: Duration) -> u64 {
    std::env::var("SOAK_SECONDS").map_or(usual.as_secs(), |text| text.parse().expect("a number"))
}
