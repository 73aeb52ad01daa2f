//! ExportJobs that a shell stands in for.

use std::fs;

use crate::app::capture::export::*;

/// An app in which a shell does this in the place of drawing. In the
/// script `$PART` is where it writes.
fn app(folder: &Path, script: &str) -> App {
    let out = folder.join("game.gif");
    let record = folder.join("game.tab");
    fs::write(&record, "").expect("written");
    let mut command = Command::new("sh");
    let script = format!("PART={}.part-$$; {script}", out.display());
    command.arg("-c").arg(script);
    let drawing = ExportJob::start(command, &out, record).expect("a shell");
    let mut app = App::new();
    app.add_plugins(bevy::state::app::StatesPlugin)
        .init_state::<Screen>()
        .add_message::<Action>()
        .init_resource::<Referee>()
        .init_resource::<Replay>()
        .init_resource::<Editor>()
        .init_resource::<ExportRunning>()
        .insert_resource(ExportJobs(vec![drawing]))
        .add_systems(Update, (begin, look_after).chain());
    app
}

fn until(app: &mut App, done: impl Fn(&App) -> bool) {
    while !done(app) {
        app.update();
        thread::yield_now();
    }
}

fn progress(app: &App) -> Vec<(String, usize, usize)> {
    app.world().resource::<ExportJobs>().progress()
}

#[test]
fn a_drawing_tells_how_far_it_is_and_leaves_nothing_when_it_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "echo half > $PART; echo ply 1 of 5; echo ply 2 of 5; exec sleep 1000";
    let mut app = app(folder.path(), script);
    until(&mut app, |app| progress(app) == [("game.gif".to_owned(), 2, 5)]);
    app.update();
    assert!(app.world().resource::<ExportRunning>().0, "the window is drawn anew");
    app.world_mut().write_message(Action::Ui(UiAction::StopExport));
    app.update();
    assert!(progress(&app).is_empty());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    assert!(app.world().resource::<Referee>().notice.as_ref().is_some_and(|it| !it.is_error));
    app.update();
    assert!(!app.world().resource::<ExportRunning>().0);
}

#[test]
fn a_program_that_draws_is_left_when_it_is_asked_for_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path(), "exec sleep 1000");
    app.add_systems(Update, crate::app::capture::quit::leave);
    for left in [false, true] {
        app.world_mut().write_message(Action::Ui(UiAction::Quit));
        app.update();
        assert_eq!(app.should_exit().is_some(), left);
    }
    let said = app.world().resource::<Referee>().notice.as_ref().map(|it| it.text.clone());
    assert!(said.is_some_and(|it| it.contains("Quit once more")));
}

#[test]
fn a_drawing_that_fails_says_why_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("game.gif").display().to_string();
    let script = format!("echo half > $PART; echo '{out}: no space left' >&2; exit 1");
    let mut app = app(folder.path(), &script);
    until(&mut app, |app| progress(app).is_empty());
    let notice = app.world().resource::<Referee>().notice.clone().expect("a word");
    assert!(notice.is_error && notice.text.contains("no space left"), "{}", notice.text);
    assert_eq!(notice.text.matches("game.gif").count(), 1, "{}", notice.text);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn what_is_drawn_when_the_program_ends_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "echo half > $PART; echo ply 1 of 5; exec sleep 1000";
    let mut app = app(folder.path(), script);
    until(&mut app, |app| progress(app) == [("game.gif".to_owned(), 1, 5)]);
    drop(app);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
