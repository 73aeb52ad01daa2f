use std::fs;

use super::*;
use crate::{
    app::core::notice::Notice,
    app::game::{
        files::{self, delete_save, resume},
        notices::show_notices,
        record_files::read_game,
        referee::default_setup,
    },
    games::RuleSet,
    session::{Setup, UnratedReason},
};

fn app(folder: &Path) -> App {
    let mut referee = Referee::default();
    let mut autosave = Autosave::in_folder(folder.to_owned());
    let _ = autosave.resume(&mut referee);
    let mut app = App::new();
    app.insert_resource(referee).insert_resource(autosave).add_message::<AppExit>();
    app.add_systems(Update, |referee: ResMut<Referee>, mut autosave: ResMut<Autosave>| {
        let _ = write_if_due(referee, &mut autosave, true);
    });
    app.add_systems(Last, autosave_on_exit.run_if(on_message::<AppExit>));
    app
}

fn begin(app: &mut App, plies: usize) {
    let mut referee = app.world_mut().resource_mut::<Referee>();
    referee.begin(default_setup(RuleSet::Tablaaza));
    play(&mut referee, plies);
    app.update();
}

fn play(referee: &mut Referee, plies: usize) {
    for _ in 0..plies {
        let mv = referee.legal_moves()[0];
        assert!(referee.play(mv).is_some());
    }
}

fn file(app: &App) -> PathBuf {
    app.world().resource::<Autosave>().path().expect("a file").to_owned()
}

fn plies(path: &Path) -> usize {
    read_game(path, 1).expect("a game").history().len()
}

fn on_table(app: &App) -> Option<usize> {
    app.world().resource::<Referee>().table.as_ref().map(|table| table.history().len())
}

#[test]
fn each_game_has_its_own_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = app(folder.path());
    begin(&mut first, 0);
    assert!(first.world().resource::<Autosave>().path().is_none(), "nothing was played");
    begin(&mut first, 3);
    let old = file(&first);
    let world = first.world();
    assert!(world.resource::<Autosave>().keeps(world.resource::<Referee>()));
    begin(&mut first, 1);
    let new = file(&first);
    assert_eq!((plies(&old), plies(&new)), (3, 1));

    // The program is killed and opened again: the game stands there.
    drop(first);
    let mut second = app(folder.path());
    assert_eq!(on_table(&second), Some(1));
    second.update();
    play(&mut second.world_mut().resource_mut::<Referee>(), 1);
    second.update();
    assert_eq!((file(&second), plies(&new)), (new.clone(), 2));

    // Meanwhile a third copy runs: it gets another game.
    let third = app(folder.path());
    assert_eq!(on_table(&third), Some(3));
    assert_eq!(file(&third), old);
    let fourth = app(folder.path());
    assert_eq!(on_table(&fourth), None, "both are on tables");
}

/// An app that finds its latest save held by another process.
fn retrying_app(folder: &Path) -> App {
    let mut autosave = Autosave::in_folder(folder.to_owned()).with_retries();
    let mut referee = Referee::default();
    let _ = autosave.resume(&mut referee);
    assert!(referee.table.is_none() && autosave.held.is_some());
    let mut app = App::new();
    app.insert_resource(referee).insert_resource(autosave);
    app.insert_resource(State::new(Screen::Title)).init_resource::<Time<Real>>();
    app.init_resource::<NextFrame>()
        .init_resource::<Notices>()
        .add_message::<Notify>()
        .add_systems(
            Update,
            (retry_held_save.run_if(in_state(Screen::Title)), show_notices).chain(),
        );
    app
}

#[test]
fn a_second_copy_starts_at_once_and_resumes_when_the_lock_is_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dying = app(folder.path());
    begin(&mut dying, 2);
    let mut second = retrying_app(folder.path());
    let warning = Notice::new("the settings are damaged".to_owned(), true);
    second.world_mut().resource_mut::<Notices>().set(warning.clone());
    second.update();
    assert_eq!(on_table(&second), None);
    drop(dying);
    second.insert_resource(State::new(Screen::Replay));
    second.update();
    assert_eq!(on_table(&second), None, "not behind another screen");
    second.insert_resource(State::new(Screen::Title));
    second.update();
    assert_eq!(on_table(&second), Some(2));
    assert_eq!(second.world().resource::<Notices>().shown, Some(warning), "it stays");
}

#[test]
fn an_older_save_is_resumed_when_the_latest_one_stays_held() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = app(folder.path());
    begin(&mut first, 3);
    begin(&mut first, 1);
    let mut second = retrying_app(folder.path());
    let mut autosave = second.world_mut().resource_mut::<Autosave>();
    autosave.held.as_mut().expect("it is held").1 = Duration::ZERO;
    second.update();
    assert_eq!(on_table(&second), Some(3));
}

fn left(app: &App) -> [Duration; 2] {
    let table = app.world().resource::<Referee>().table.as_ref().expect("the game");
    let clock = table.clock().expect("its clocks");
    crate::games::Side::BOTH.map(|side| clock.left(side))
}

#[test]
fn the_time_spent_on_the_current_move_survives_a_kill() {
    let second = Duration::from_secs(1);
    for ends in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = app(folder.path());
        let mut referee = first.world_mut().resource_mut::<Referee>();
        let clock = "60+5".parse().ok();
        let seats = [crate::session::Seat::Person; 2];
        referee.begin(crate::session::Setup { clock, seats, ..default_setup(RuleSet::Tablaaza) });
        assert!(!referee.run_clock(10 * second));
        play(&mut referee, 1);
        first.update();
        for _ in 0..9 {
            let world = first.world_mut();
            world.resource_mut::<Referee>().bypass_change_detection().run_clock(second);
            first.update();
        }
        if ends {
            first.world_mut().write_message(AppExit::Success);
            first.update();
        }
        let here = left(&first);
        assert_eq!(here, [55 * second, 51 * second]);
        drop(first);
        let there = left(&app(folder.path()));
        assert_eq!(there[0], here[0]);
        let given_back = there[1] - here[1];
        let most = if ends { Duration::ZERO } else { CLOCK_SAVE_INTERVAL };
        assert!(given_back <= most, "{given_back:?} where it {ends} ends");
    }
}

#[test]
fn a_game_that_another_copy_plays_continues_as_a_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut one = app(folder.path());
    begin(&mut one, 2);
    let theirs = file(&one);
    let mut two = app(folder.path());
    two.world_mut().resource_scope(|world, mut autosave: Mut<'_, Autosave>| {
        let mut referee = world.resource_mut::<Referee>();
        let records = read_games(&theirs).expect("a game");
        let session = GameSession::from_records(&records).expect("a game");
        let (_, notice) = resume(&mut referee, &mut autosave, &theirs, session);
        assert!(notice.is_some());
        let reason = referee.table.as_ref().and_then(GameSession::unrated_reason);
        assert_eq!(reason, Some(UnratedReason::Copy));
        play(&mut referee, 1);
    });
    two.update();
    assert_ne!(file(&two), theirs);
    assert_eq!((plies(&theirs), plies(&file(&two))), (2, 3));
}

#[test]
fn a_saved_game_is_deleted_and_the_one_on_the_table_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    begin(&mut app, 3);
    let old = file(&app);
    begin(&mut app, 1);
    let new = file(&app);
    for (path, gone) in [(&new, false), (&old, true), (&old, true)] {
        let there = path.is_file();
        let notice = delete_save(app.world().resource::<Autosave>(), path).0;
        assert_eq!(!path.is_file(), gone, "{}", path.display());
        assert_eq!(notice.is_error, !(gone && there), "{}", notice.text);
    }
}

#[test]
fn a_saved_game_is_replayed_under_its_date() {
    let folder = tempfile::tempdir().expect("a folder");
    let autosave = Autosave::in_folder(folder.path().join("games"));
    let text = "[Rules \"tablaaza\"]\n[Date \"1999.01.02\"]\n\n1. c7 *\n";
    let record = crate::records::read_any(text).expect("a record").remove(0);
    for (path, title) in
        [("games/1795335397770-21784-0.tab", "Game of 1999-01-02"), ("mine.tab", "mine.tab")]
    {
        let named = files::saved_title(&folder.path().join(path), &record, &autosave);
        assert_eq!(named.text(), title);
    }
}

#[test]
fn the_games_of_a_match_share_a_file_that_survives_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = app(folder.path());
    let mut referee = first.world_mut().resource_mut::<Referee>();
    let seats = [crate::session::Seat::Person; 2];
    let rules = RuleSet::Tablaaza;
    referee.begin(crate::session::Setup { games: 2, seats, ..crate::session::Setup::new(rules) });
    play(&mut referee, 3);
    referee.resign();
    first.update();
    let path = file(&first);
    // Killed between the games, it is still the game to continue.
    drop(first);
    let mut second = app(folder.path());
    assert_eq!((on_table(&second), file(&second)), (Some(3), path.clone()));
    second.world_mut().resource_scope(|world, mut autosave: Mut<'_, Autosave>| {
        let mut referee = world.resource_mut::<Referee>();
        assert!(referee.begin_next_game().is_some() && referee.begin_next_game().is_none());
        autosave.continue_match(&referee);
    });
    second.update();
    drop(second);
    let mut third = app(folder.path());
    assert_eq!((on_table(&third), file(&third)), (Some(0), path.clone()), "the second game");
    let standing = |app: &App| {
        let table = app.world().resource::<Referee>().table.as_ref().expect("a game");
        table.match_standing().expect("a match")
    };
    assert_eq!((standing(&third).round, standing(&third).half_points.iter().sum()), (2, 2));
    let mut referee = third.world_mut().resource_mut::<Referee>();
    play(&mut referee, 2);
    referee.resign();
    third.update();
    assert_eq!(read_games(&path).expect("one file").len(), 2);
    drop(third);
    assert_eq!(on_table(&app(folder.path())), None, "the match is over");
}

#[test]
fn a_branch_leaves_the_original_game_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    begin(&mut app, 5);
    let whole = file(&app);
    let mut referee = app.world_mut().resource_mut::<Referee>();
    assert!(referee.view_ply(2).is_some());
    assert!(referee.branch(true).is_some());
    play(&mut referee, 1);
    app.update();
    assert_eq!((plies(&whole), plies(&file(&app))), (5, 3));
}

#[test]
fn a_resumed_record_keeps_its_tags_and_comments() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "[Rules \"tablaaza\"]\n[Date \"1999.01.02\"]\n[Red \"Ann\"]\n[Green \"Bo\"]\n\
                [Result \"*\"]\n[Event \"Club\"]\n\n1. c7 {well begun} c6 *\n";
    let path = folder.path().join("1.tab");
    fs::write(&path, text).expect("written");
    let mut app = app(folder.path());
    play(&mut app.world_mut().resource_mut::<Referee>(), 1);
    app.update();
    let record = read_game(&path, 1).expect("a game");
    assert_eq!(record.date.as_deref(), Some("1999.01.02"));
    assert_eq!(record.tags(), [("Event".to_owned(), "Club".to_owned())]);
    assert_eq!(record.comments(1), ["well begun"]);
    assert_eq!(record.history().len(), 3);
}

#[test]
fn a_damaged_save_is_renamed_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("1.tab");
    for number in 1..3 {
        fs::write(&path, "not a record").expect("written");
        let mut referee = Referee::default();
        let notice = Autosave::in_folder(folder.path().to_owned()).resume(&mut referee);
        let aside = folder.path().join(format!("1-damaged-{number}.txt"));
        assert_eq!(fs::read_to_string(&aside).expect("kept"), "not a record");
        let Notify(notice) = notice.expect("a word about it");
        assert!(notice.is_error && notice.text.contains("1-damaged-"), "{}", notice.text);
    }
}

#[test]
fn a_seat_that_a_person_takes_over_is_saved_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let mut referee = app.world_mut().resource_mut::<Referee>();
    referee
        .begin(Setup { seats: [Seat::Person, Seat::Program], ..default_setup(RuleSet::Tablaaza) });
    play(&mut referee, 1);
    app.update();
    let path = file(&app);
    let seats = || GameSession::from_record(&read_game(&path, 1).expect("a game")).seats();
    assert_eq!(seats(), [Seat::Person, Seat::Program]);
    let mut referee = app.world_mut().resource_mut::<Referee>();
    referee.table.as_mut().expect("a game").take_over(crate::games::Side::Second);
    app.update();
    assert_eq!(seats(), [Seat::Person; 2]);
}
