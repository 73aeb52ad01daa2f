//! Exports with a shell in place of the renderer.

use std::{
    fs,
    time::{Duration, Instant},
};

use super::*;
use crate::app::{
    core::{notice::Notices, states::Screen},
    editor::Editor,
    game::{notices::show_notices, referee::Referee},
    replay::Replay,
};

/// An app with one export, in which a shell runs this script. In the script
/// `$PART` is where the renderer would write.
fn app(folder: &Path, script: &str) -> App {
    let out = folder.join("game.gif");
    let record = folder.join("game.tab");
    fs::write(&record, "").expect("written");
    let mut command = Command::new("sh");
    let script = format!("PART={}.part-$$; {script}", out.display());
    command.arg("-c").arg(script);
    let job = ExportJob::start(command, &out, record).expect("a shell");
    let mut app = App::new();
    app.add_plugins(bevy::state::app::StatesPlugin)
        .init_state::<Screen>()
        .add_message::<UiAction>()
        .add_message::<Notify>()
        .init_resource::<Referee>()
        .init_resource::<Notices>()
        .init_resource::<Replay>()
        .init_resource::<Editor>()
        .init_resource::<ExportRunning>()
        .init_resource::<NextFrame>()
        .init_resource::<Settings>()
        .init_resource::<Quality>()
        .init_resource::<FlatView>()
        .insert_resource(CameraRig::at(CameraView::Seat))
        .insert_resource(ExportJobs(vec![job]))
        .add_systems(Update, (start_or_stop, finish_jobs, show_notices).chain());
    app
}

/// Longer than a shell takes for any of these scripts.
const TIMEOUT: Duration = Duration::from_secs(90);

fn until(app: &mut App, done: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !done(app) {
        assert!(start.elapsed() < TIMEOUT, "the export stands still: {:?}", progress(app));
        app.update();
        thread::yield_now();
    }
}

fn progress(app: &App) -> Vec<(String, usize, usize)> {
    app.world().resource::<ExportJobs>().progress()
}

#[test]
fn an_export_reports_its_progress_and_leaves_no_file_when_it_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "echo half > $PART; echo ply 1 of 5; echo ply 2 of 5; exec sleep 1000";
    let mut app = app(folder.path(), script);
    until(&mut app, |app| progress(app) == [("game.gif".to_owned(), 2, 5)]);
    app.update();
    assert!(app.world().resource::<ExportRunning>().0);
    let due = app.world_mut().resource_mut::<NextFrame>().settle();
    assert_eq!(due, Some(PROGRESS_INTERVAL), "its progress is shown");
    app.world_mut().write_message(UiAction::StopExport);
    app.update();
    assert!(progress(&app).is_empty());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    assert!(app.world().resource::<Notices>().shown.as_ref().is_some_and(|shown| !shown.is_error));
    app.world_mut().resource_mut::<NextFrame>().settle();
    app.update();
    assert!(!app.world().resource::<ExportRunning>().0);
    assert_eq!(app.world_mut().resource_mut::<NextFrame>().settle(), None);
}

#[test]
fn a_failed_export_gives_the_reason_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("game.gif").display().to_string();
    let script = format!("echo half > $PART; echo '{out}: no space left' >&2; exit 1");
    let mut app = app(folder.path(), &script);
    until(&mut app, |app| progress(app).is_empty());
    let notice = app.world().resource::<Notices>().shown.clone().expect("a notice");
    assert!(notice.is_error && notice.text.contains("no space left"), "{}", notice.text);
    assert_eq!(notice.text.matches("game.gif").count(), 1, "{}", notice.text);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// More warnings than a pipe holds: the child would block on its stderr.
#[test]
fn an_export_that_writes_many_warnings_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "i=0; while [ $i -lt 5000 ]; do echo \"a warning of many characters $i\" >&2; \
                  i=$((i + 1)); done; echo ply 1 of 5; echo 'the last one' >&2; exit 1";
    let mut app = app(folder.path(), script);
    until(&mut app, |app| progress(app).is_empty());
    let notice = app.world().resource::<Notices>().shown.clone().expect("a notice");
    assert!(notice.text.contains("the last one"), "{}", notice.text);
}

#[test]
fn an_export_leaves_no_file_when_the_program_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "echo half > $PART; echo ply 1 of 5; exec sleep 1000";
    let mut app = app(folder.path(), script);
    until(&mut app, |app| progress(app) == [("game.gif".to_owned(), 1, 5)]);
    drop(app);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn an_export_looks_as_the_table_does() {
    use bevy::ecs::system::RunSystemOnce as _;

    use crate::app::settings::options::{Palette, Room};

    let mut world = World::new();
    world.insert_resource(Settings {
        palette: Palette::BlueOrange,
        room: Room::Cabin,
        ..Settings::default()
    });
    world.insert_resource(Quality::High);
    let mut arguments = |flat: bool, view: CameraView| {
        world.insert_resource(FlatView(flat));
        world.insert_resource(CameraRig::at(view));
        world.run_system_once(|look: TableLook| look.arguments().join(" "))
    };
    let look = "--room=cabin --palette=blue-orange --quality=high";
    for (flat, view, expected) in [
        (false, CameraView::Seat, "seat"),
        (false, CameraView::Far, "far"),
        (false, CameraView::Top, "top"),
        (true, CameraView::Seat, "diagram"),
    ] {
        let found = arguments(flat, view).expect("run");
        assert_eq!(found, format!("{look} --view={expected}"));
    }
}

#[test]
fn an_export_renders_the_part_and_the_size_that_were_chosen() {
    use crate::app::core::actions::{ExportForm, ExportPause, ExportSize};

    let arguments = |file: &str, part, size| {
        let form = ExportForm::VARIANTS.iter().find(|it| {
            Path::new(file).extension().is_some_and(|end| end.eq_ignore_ascii_case(it.extension()))
        });
        let form = form.copied().unwrap_or_default();
        let pause = ExportPause::Long;
        let board_alone = size == ExportSize::Medium;
        let options = ExportOptions { form, part, size, pause, board_alone };
        let arguments = render_arguments(Path::new(file), 7, options)?;
        Some(
            arguments
                .iter()
                .map(|argument| argument.to_str().expect("text"))
                .collect::<Vec<_>>()
                .join(" "),
        )
    };
    let (whole, medium) = (ExportPart::WholeGame, ExportSize::Medium);
    let expect = |file, part, size, expected: &str| {
        assert_eq!(arguments(file, part, size).as_deref(), Some(expected));
    };
    expect("a.gif", whole, medium, "--out a.gif --size 640x480 --pause 1.5");
    expect(
        "a.GIF",
        ExportPart::ToShownPly,
        medium,
        "--out a.GIF --size 640x480 --pause 1.5 --ply 7",
    );
    let large = "--frames a.frames --size 1280x960 --names --pause 1.5 --from 7";
    expect("a.frames", ExportPart::FromShownPly, ExportSize::Large, large);
    // A picture shows one position, whatever the part.
    for &part in ExportPart::VARIANTS {
        expect("a.png", part, ExportSize::Small, "--out a.png --size 800x600 --names --ply 7");
    }
    assert_eq!(arguments("a.webm", whole, medium), None);
}

/// This program ends the process groups that it has started, however it ends.
#[test]
#[cfg(target_os = "linux")]
fn an_export_has_a_process_group_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let jobs = ExportJobs::example(folder.path());
    let number = jobs.0[0].number.to_string();
    let status = fs::read_to_string(format!("/proc/{number}/stat")).expect("a process");
    // After its name in brackets: state, parent, group.
    let group = status.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2));
    assert_eq!(group, Some(number.as_str()));
}
