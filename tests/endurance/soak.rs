//! Engines against each other for a long time: memory stays flat, no entity is
//! left behind, nothing is warned of again and again.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bevy::prelude::*;
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
    table::{Seat, Setup},
    words::Language,
};

use crate::{
    child::{Running, command},
    common::headless::Headless,
    memory::{Memory, Warnings, resident},
};

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// So many games.
    Games(usize),
    /// So many seconds, and then to the end of the round.
    Seconds(usize),
}

impl Effort {
    /// A game goes on for so many plies at most.
    const fn longest(self) -> usize {
        match self {
            Self::Games(_) => 30,
            Self::Seconds(_) => 150,
        }
    }
}

/// Plays rounds of one game of each rule set.
pub(crate) fn run(effort: Effort) {
    let warnings = Warnings::listen();
    let mut headless = Headless::with_app(headless_run(&AppOptions::default()));
    headless.app.add_systems(Last, look_at_meshes);
    let (begun, mut games, mut plies) = (Instant::now(), 0, 0);
    let (mut memory, mut standing) = (Memory::default(), BTreeMap::new());
    loop {
        for rules in rounds(effort) {
            // Engines would have begun to play before it can be looked at.
            headless.act(begin(rules, [Seat::Person; 2], games));
            headless.settle();
            // Every game of the same rules begins with as many entities.
            let count = headless.app.world().entities().count_spawned();
            let before = *standing.entry(rules.to_string()).or_insert(count);
            assert_eq!(count, before, "{rules}: entities after {games} games");
            headless.act(begin(rules, engines(games), games));
            plies += play(&mut headless, effort.longest());
            go_about(&mut headless, games);
            games += 1;
            if matches!(effort, Effort::Games(most) if games >= most) {
                println!("{games} games, {plies} plies, entities {standing:?}");
                return warnings.check();
            }
        }
        memory.rounds.extend(resident("self"));
        if matches!(effort, Effort::Seconds(most) if begun.elapsed().as_secs() >= most as u64) {
            break;
        }
    }
    println!("{games} games, {plies} plies, entities {standing:?}");
    println!("KiB after each round: {:?}", memory.rounds);
    println!("warned: {:?}", warnings.heard());
    warnings.check();
    // Everything has been used once by then.
    if let Some(growth) = memory.growth(2) {
        println!("memory grew by {growth:.2} % after warming up");
        assert!(growth < 5.0, "{growth} %");
    }
}

/// What has no vertices is not drawn, but Bevy's renderer sees to it all the same
/// and complains (`slab_allocator`: "Use-after-free", bevy_render 0.19.1: room is
/// made only for what has some, and then all are copied).
fn look_at_meshes(
    mut events: MessageReader<AssetEvent<Mesh>>,
    meshes: Res<Assets<Mesh>>,
    drawn: Query<(&Name, &Mesh3d)>,
) {
    for event in events.read() {
        let (AssetEvent::Added { id } | AssetEvent::Modified { id }) = event else { continue };
        if meshes.get(*id).is_some_and(|mesh| mesh.count_vertices() == 0) {
            let whose = drawn.iter().find(|(_, mesh)| mesh.id() == *id).map(|it| it.0);
            panic!("an empty mesh: {whose:?}");
        }
    }
}

/// The rules of a round: one of each game where there is little time.
fn rounds(effort: Effort) -> Vec<RuleSet> {
    match effort {
        Effort::Games(_) => vec![RuleSet::TablutLinnaeus, RuleSet::Tablan, RuleSet::Tablaaza],
        Effort::Seconds(_) => RuleSet::ALL.to_vec(),
    }
}

/// Two engines of the levels that answer at once.
fn engines(games: usize) -> [Seat; 2] {
    let levels = [Level::Novice, Level::Casual];
    [levels[games % 2], levels[(games + 1) % 2]].map(Seat::Engine)
}

fn begin(rules: RuleSet, seats: [Seat; 2], games: usize) -> Action {
    Action::Game(GameAction::NewGame(Setup { seats, seed: Some(games as u64), ..Setup::of(rules) }))
}

/// Lets the engines play to the end; gives the number of plies. Every fourth
/// ply or so is watched at the usual speed.
fn play(headless: &mut Headless, most: usize) -> usize {
    loop {
        let table = headless.table();
        let plies = table.line().len();
        if table.outcome().is_some() || plies >= most {
            headless.settle();
            return plies;
        }
        let speed = if plies % 16 < 4 { 1.0 } else { 1_000.0 };
        headless.app.insert_resource(AnimationSpeed { speed });
        headless.app.update();
        // What is awaited is a thought on another thread.
        std::thread::yield_now();
    }
}

/// What a person does besides playing: takes back, looks back, watches the
/// replay, learns, changes the settings. (How fine the picture is shows only
/// where there is a picture.)
fn go_about(headless: &mut Headless, games: usize) {
    let last = headless.table().line().len();
    for act in [
        Action::Game(GameAction::Undo),
        Action::Game(GameAction::Undo),
        Action::Game(GameAction::Redo),
        Action::Game(GameAction::ViewPly(last / 2)),
        Action::Game(GameAction::ViewNextPly),
        Action::Game(GameAction::ViewPly(last)),
    ] {
        headless.act(act);
    }
    for sheet in Dialog::ALL {
        headless.act(UiAction::OpenDialog(sheet));
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
    if games.is_multiple_of(3) {
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
    let mut settings = headless.app.world().resource::<Settings>().clone();
    settings.language = Some(Language::ALL[games % 2]);
    settings.palette = Palette::ALL[games % Palette::ALL.len()];
    settings.text_size = [100, 150, 75][games % 3];
    settings.coordinates = games.is_multiple_of(2);
    headless.change_settings(settings);
    headless.frames(5);
    headless.act(UiAction::ShowTitle);
    headless.settle();
}

fn soak(task: &str) -> Vec<String> {
    let home = tempfile::tempdir().expect("a folder");
    let mut program = Running::start(command(home.path(), task));
    let lines: Vec<String> = program.lines.by_ref().map_while(Result::ok).collect();
    for line in &lines {
        println!("{line}");
    }
    assert!(program.succeeded());
    lines
}

#[test]
fn every_game_begins_with_as_many_entities_as_the_one_before() {
    let lines = soak("soak 6");
    assert!(lines.iter().any(|line| line.starts_with("6 games")), "{lines:?}");
}

/// `cargo soak`.
#[test]
#[ignore = "an hour"]
fn an_hour() {
    soak(&format!("soak-seconds {}", seconds(Duration::from_secs(3_600))));
}

/// What `SOAK_SECONDS` says, or so long.
pub(crate) fn seconds(usual: Duration) -> u64 {
    std::env::var("SOAK_SECONDS").map_or(usual.as_secs(), |text| text.parse().expect("a number"))
}
