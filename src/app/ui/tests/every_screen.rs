//! Every screen and dialog in both languages, in small and usual windows and at
//! the largest text: nothing is cut off or covered.

use super::visible_text::report;
use crate::{
    app::{
        analysis::{Candidate, MultiPv, PositionEvaluation},
        core::notice::{Notice, Notices},
        game::{
            board_flip::FlipOffered,
            exercise::Attempt,
            my_games::{MyGame, MyGames},
            referee::Question,
        },
        ui::{dialogs::confirmation::Confirm, tests::*},
    },
    i18n::set_thread_language,
    online::{GameStatus, OnlineGame, Refusal, SavedSeat, Standing},
    session::{PositionBuilder, SaveStore, TimeControl, TimeControls},
};

/// A window in points, and how many pixels a point has: 900x600 and 1280x720
/// at 100 % and at 200 %.
const WINDOWS: [(&str, (f32, f32), f32); 4] = [
    ("900", (900.0, 600.0), 1.0),
    ("900-200", (450.0, 300.0), 2.0),
    ("1280", (1280.0, 720.0), 1.0),
    ("1280-200", (640.0, 360.0), 2.0),
];

type SceneBuilder = Box<dyn Fn((f32, f32)) -> TestUi>;

/// Online games in all states.
fn my_games() -> Vec<MyGame> {
    let status = |standing, time_left| Some(Ok(GameStatus { standing, entries: 7, time_left }));
    let day = 86_400_000;
    let all = [
        ("Bartholomew Featherstonehaugh", status(Standing::Yours, Some(2 * day))),
        ("Aili", status(Standing::Theirs, Some(3 * day))),
        ("", status(Standing::Waiting, None)),
        ("Bo", Some(Err(Refusal::Version))),
        ("Ann", None),
    ];
    let link = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
    let game = |(opponent, status): (&str, Option<Result<GameStatus, Refusal>>)| {
        let (rules, opponent) = (RuleSet::TablanOrdered, opponent.to_owned());
        let link = link.to_owned();
        let seat = SavedSeat { link, rules, opponent, is_over: false, links: None };
        let mut game = MyGame::new(seat, status);
        let status = game.status.as_ref().and_then(|it| it.as_ref().ok());
        game.deadline = status.and_then(|status| game.seat.deadline(status));
        game
    };
    all.map(game).into()
}

fn title(choose: impl Fn(&mut NewGameChoice) + 'static, table: bool) -> SceneBuilder {
    Box::new(move |size| {
        let mut ui = TestUi::new(Screen::Title, size);
        if table {
            ui.edit::<Referee>().table = Some(super::table(RuleSet::TablutLinnaeus, 4));
        }
        choose(&mut ui.edit::<SelectedGame>());
        ui
    })
}

fn on(ui: SceneBuilder, dialog: Dialog) -> SceneBuilder {
    Box::new(move |size| {
        let mut ui = ui(size);
        ui.edit::<OpenDialog>().0 = Some(dialog);
        ui
    })
}

fn playing(rules: RuleSet, plies: usize, change: impl Fn(&mut TestUi) + 'static) -> SceneBuilder {
    Box::new(move |size| {
        let mut ui = at_table(rules, plies, size);
        change(&mut ui);
        ui
    })
}

fn watching(rules: RuleSet, change: impl Fn(&mut TestUi) + 'static) -> SceneBuilder {
    Box::new(move |size| {
        let mut ui = in_replay(rules, 32, 23, size);
        ui.edit::<Referee>().table = Some(super::table(rules, 4));
        ui.edit::<Replay>().title = "tablan-2026-11-20.tab".to_owned();
        change(&mut ui);
        ui
    })
}

fn learning(rules: RuleSet, last: bool, change: fn(&mut Lesson)) -> SceneBuilder {
    playing(rules, 0, move |ui| {
        ui.edit::<Referee>().on_table = OnTable::Lesson;
        let mut lesson = ui.edit::<Lesson>();
        lesson.game = Some(rules.game());
        lesson.step = if last { lesson.steps() - 1 } else { 0 };
        change(&mut lesson);
        let (start, done) = (lesson.current_step().expect("a step").start.clone(), lesson.done);
        let setup = Setup { start: Some(start), seed: Some(1), ..Setup::new(rules) };
        let mut referee = ui.edit::<Referee>();
        referee.table = Some(GameSession::new(setup));
        referee.locked = done;
    })
}

/// Practice on the last move of a game after `plies` plies, at this point of it.
fn practising(rules: RuleSet, plies: usize, at: fn(Judgement) -> Attempt) -> SceneBuilder {
    playing(rules, plies, move |ui| super::practise(ui, Some(at)))
}

/// Each point of a puzzle that has a text of its own.
const PUZZLE: [(&str, Attempt); 3] = [
    ("task", Attempt::Waiting),
    ("missed", Attempt::Missed(None)),
    ("solved", Attempt::Solved(None)),
];

/// A puzzle at this point of it.
fn solving(rules: RuleSet, attempt: Attempt) -> SceneBuilder {
    playing(rules, 14, move |ui| {
        let puzzle = crate::session::puzzles::shipped(rules).swap_remove(0);
        let mut referee = ui.edit::<Referee>();
        (referee.on_table, referee.locked) = (OnTable::Puzzle, attempt == Attempt::Solved(None));
        let history = GameHistory::new(puzzle.start.clone());
        referee.table = Some(GameSession::exercise(history));
        *ui.edit::<PuzzleTrainer>() = PuzzleTrainer::at(puzzle, attempt.clone());
    })
}

/// Judges every other position of a game and finds lines for all.
pub(crate) fn analyse(ui: &mut TestUi, history: &GameHistory<AnyPosition>) {
    let mut analysis = ui.edit::<Analysis>();
    analysis.enabled = true;
    for ply in 0..=history.len() {
        let Some(position) = history.at(ply) else { continue };
        let mut part = GameHistory::new(position.clone());
        let moves = part.legal_moves();
        let Some(&best) = moves.first() else { continue };
        let points = i32::try_from(ply * 37 % 400).expect("small") - 200;
        let value = Evaluation::Points(points);
        let variation = part.position().notation(best);
        drop(part.push(Ply::Move(best)));
        if ply % 5 != 3 {
            let evaluation = PositionEvaluation {
                value,
                best: Some(best),
                variation: variation.clone(),
                depth: 9,
            };
            analysis.evaluations.insert(position.key(), evaluation);
        }
        let variation = [variation.as_str(); 9].join(" ");
        let found =
            |&mv| Candidate { mv, value, depth: 11, exact: false, variation: variation.clone() };
        let mut multi_pv = MultiPv::default();
        multi_pv.lines = moves.iter().take(3).map(found).collect();
        analysis.multi_pv.insert(position.key(), multi_pv);
    }
}

fn analysed(ui: &mut TestUi) {
    let history = ui.read::<Replay>().history().cloned();
    let table = || ui.read::<Referee>().table.as_ref().map(|table| table.history().clone());
    let history = history.or_else(table).expect("a game");
    analyse(ui, &history);
}

fn asking(ui: &mut TestUi) {
    ui.edit::<Referee>().question = Some(Question::Draw(Side::Second));
}

/// Each point of a practice that has a text of its own.
const PRACTICE: [(&str, fn(Judgement) -> Attempt); 5] = [
    ("task", |_| Attempt::Waiting),
    ("judging", |judged| Attempt::Judging(judged.played)),
    ("good", |judged| Attempt::Solved(Some(Judgement { loss: 0.0, ..judged }))),
    ("missed", |judged| Attempt::Missed(Some(judged))),
    ("refuted", |judged| Attempt::Refuted(judged, std::time::Duration::ZERO)),
];

/// The tutor's question about the last move.
fn warned(ui: &mut TestUi) {
    let judgement = super::judged_last_move(ui);
    let history = ui.read::<Referee>().table.as_ref().map(|table| table.history().clone());
    let mut before = history.expect("a game");
    while before.ply(before.len()) != Some(Ply::Move(judgement.played)) {
        before.undo();
    }
    before.undo();
    let what = crate::session::describe_giveaway(&before, &judgement);
    ui.edit::<Referee>().warn_of_last_move(what);
}

fn noticed(ui: &mut TestUi, is_error: bool) {
    let file = "/home/maria/.local/share/tabulae/games/recent/20261120-204110.tab";
    let text = if is_error {
        let values = [("file", file), ("error", "Permission denied (os error 13)")];
        crate::i18n::tr_args("notice.not-saved", &values)
    } else {
        crate::i18n::tr_args("notice.saved", &[("file", file)])
    };
    ui.edit::<Notices>().set(Notice::new(text, is_error));
}

fn world<T: Resource<Mutability = bevy::ecs::component::Mutable>>(
    change: fn(&mut T),
) -> impl Fn(&mut TestUi) {
    move |ui| change(&mut ui.edit::<T>())
}

fn ended(rules: RuleSet, plies: usize) -> SceneBuilder {
    playing(rules, plies, |ui| {
        let mut referee = ui.edit::<Referee>();
        let table = referee.table.as_mut().expect("a table");
        assert!(table.resign(Side::First));
    })
}

fn with_saves(ui: &mut TestUi) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SaveStore::new(folder.path().to_owned());
    for rules in RuleSet::ALL {
        let lock = store.create().expect("a place");
        lock.write(&table(rules, 12).record(None).to_string()).expect("written");
    }
    std::fs::write(folder.path().join("0.tab"), "nothing").expect("written");
    ui.app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    ui.list_recent(&store);
}

/// All screens, by name.
fn scenes() -> Vec<(String, SceneBuilder)> {
    use RuleSet::{Tablaaza, Tablan, TablutAshton, TablutLinnaeus};
    let mut scenes: Vec<(String, SceneBuilder)> = Vec::new();
    let mut add = |name: &str, build: SceneBuilder| scenes.push((name.to_owned(), build));
    add("title", title(|_| (), false));
    add("title-linnaeus", title(|choice| choice.rules = TablutLinnaeus, true));
    add(
        "title-tablan",
        title(
            |choice| {
                choice.rules = Tablan;
                let [one, other] = [TimeControl::GAMES[2], TimeControl::GAMES[0]];
                choice.clock = Some(TimeControls::each([one, other]));
                choice.games = 4;
            },
            true,
        ),
    );
    add("title-tablaaza", title(|choice| choice.rules = Tablaaza, true));
    let folder = tempfile::tempdir().expect("a folder");
    add(
        "title-saves",
        Box::new(move |size| {
            let mut ui = TestUi::new(Screen::Title, size);
            super::offers::with_unfinished(&mut ui, folder.path());
            ui.edit::<Referee>().table = Some(super::table(TablutLinnaeus, 4));
            ui
        }),
    );
    for rules in [TablutAshton, Tablan] {
        let choose = move |choice: &mut NewGameChoice| {
            choice.set_rules(rules);
            let [one, other] = [TimeControl::GAMES[2], TimeControl::GAMES[0]];
            choice.clock = Some(TimeControls::each([one, other]));
        };
        let name = format!("new-game-{}", rules.file_name());
        add(&name, on(title(choose, false), Dialog::NewGame));
    }
    let watch = |choice: &mut NewGameChoice| choice.seats = [Seat::Engine(Level::Casual); 2];
    add("new-game-watch", on(title(watch, false), Dialog::NewGame));
    for rules in [TablutAshton, Tablan, Tablaaza] {
        let game = format!("{:?}", rules.game()).to_lowercase();
        add(&format!("table-{}", rules.file_name()), playing(rules, 14, |_| ()));
        add(&format!("begun-{game}"), playing(rules, 0, |_| ()));
        add(
            &format!("list-{game}"),
            playing(rules, 14, world::<MoveList>(|list| list.is_open = true)),
        );
        add(&format!("analysis-{game}"), playing(rules, 14, analysed));
        add(&format!("analysis-late-{game}"), playing(rules, 13, analysed));
        add(
            &format!("advice-{game}"),
            playing(rules, 14, |ui| {
                analysed(ui);
                ui.edit::<MoveList>().is_open = true;
                let mut analysis = ui.edit::<Analysis>();
                (analysis.enabled, analysis.show_threats, analysis.show_evaluation) =
                    (false, true, true);
            }),
        );
        add(
            &format!("looking-{game}"),
            playing(rules, 14, world::<Referee>(|referee| referee.viewed_ply = Some(5))),
        );
        add(&format!("end-{game}"), ended(rules, 14));
        add(&format!("learn-first-{game}"), learning(rules, false, |_| ()));
        add(
            &format!("learn-missed-{game}"),
            learning(rules, true, |lesson| {
                let history =
                    GameHistory::new(lesson.current_step().expect("a step").start.clone());
                lesson.missed = lesson.current_step().map(|step| step.why_missed(&history));
            }),
        );
        add(&format!("learn-last-{game}"), learning(rules, true, |lesson| lesson.done = true));
        for (name, at) in PRACTICE {
            add(&format!("practice-{name}-{game}"), practising(rules, 14, at));
        }
        add(&format!("practice-begins-{game}"), playing(rules, 14, |ui| super::practise(ui, None)));
        for (name, at) in PUZZLE {
            add(&format!("puzzle-{name}-{game}"), solving(rules, at));
        }
        add(&format!("tutor-{game}"), playing(rules, 14, warned));
        add(&format!("replay-{game}"), watching(rules, |_| ()));
        add(
            &format!("replay-list-{game}"),
            watching(rules, world::<MoveList>(|list| list.is_open = true)),
        );
        add(&format!("replay-analysis-{game}"), watching(rules, analysed));
        let explored = world::<Explorer>(|explorer| explorer.is_open = true);
        add(&format!("replay-explorer-{game}"), watching(rules, explored));
        add(
            &format!("replay-analysis-list-{game}"),
            watching(rules, |ui| {
                analysed(ui);
                ui.edit::<MoveList>().is_open = true;
            }),
        );
        add(
            &format!("editor-{game}"),
            Box::new(move |size| {
                let mut ui = TestUi::new(Screen::Editor, size);
                ui.edit::<Editor>().draft = PositionBuilder::start(rules);
                ui
            }),
        );
    }
    add(
        "dialog-menu-editor",
        on(
            Box::new(|size| {
                let mut ui = TestUi::new(Screen::Editor, size);
                ui.edit::<Editor>().draft = PositionBuilder::start(Tablan);
                ui
            }),
            Dialog::Menu,
        ),
    );
    add(
        "editor-wrong",
        Box::new(move |size| {
            let mut ui = TestUi::new(Screen::Editor, size);
            ui.edit::<Editor>().draft = PositionBuilder::empty(TablutAshton);
            ui
        }),
    );
    add(
        "replay-told",
        watching(Tablan, |ui| {
            let mut replay = ui.edit::<Replay>();
            replay.ply = replay.ply_count();
            let at = replay.ply;
            let record = replay.record.as_mut().expect("a record");
            record.comment(at, "North hurries home, and forgets the two pieces behind.");
            replay.ending = Some("South wins: North resigned.".to_owned());
        }),
    );
    add("clock", Box::new(super::clocks::timed));
    add(
        "clock-adaptive",
        playing(TablutAshton, 0, |ui| {
            let clock = Some(TimeControls::both("300".parse().expect("five minutes")));
            ui.edit::<Referee>().table = Some(GameSession::new(Setup {
                seats: [Seat::Person, Seat::Engine(Level::Candidate)],
                adaptive: true,
                clock,
                ..Setup::new(TablutAshton)
            }));
        }),
    );
    add(
        "photo",
        playing(TablutAshton, 4, |ui| {
            ui.edit::<crate::app::scene::api::Photo>().0 = Some(default());
            ui.edit::<crate::app::core::states::PanelsHidden>().0 = true;
        }),
    );
    add("question", playing(TablutAshton, 4, asking));
    add("notice", playing(TablutAshton, 4, |ui| noticed(ui, false)));
    add("error", playing(TablutAshton, 4, |ui| noticed(ui, true)));
    add("replay-notice", watching(TablutAshton, |ui| noticed(ui, false)));
    add(
        "turn-table",
        playing(TablutAshton, 4, |ui| {
            ui.app.insert_resource(FlipOffered(true));
        }),
    );
    add(
        "by-hand",
        playing(Tablan, 0, |ui| {
            ui.edit::<Referee>().table = Some(GameSession::new(Setup {
                by_hand: true,
                seed: Some(1),
                ..Setup::new(Tablan)
            }));
        }),
    );
    add(
        "resign",
        playing(
            TablutAshton,
            4,
            world::<Confirmation>(|confirmation| confirmation.0 = Some(Confirm::Resign)),
        ),
    );
    add(
        "leave",
        playing(
            TablutAshton,
            4,
            world::<Confirmation>(|confirmation| {
                confirmation.0 = Some(Confirm::LoseGame(GameAction::Rematch.into()));
            }),
        ),
    );
    for dialog in Dialog::VARIANTS.iter().copied() {
        let name = format!("dialog-{dialog:?}").to_lowercase();
        add(&name, on(playing(TablutAshton, 6, |_| ()), dialog));
        if matches!(dialog, Dialog::Menu | Dialog::Help | Dialog::Throws | Dialog::Export) {
            add(&format!("{name}-tablan"), on(playing(Tablan, 30, |_| ()), dialog));
            add(&format!("{name}-replay"), on(watching(Tablan, |_| ()), dialog));
        }
    }
    add(
        "forget",
        playing(
            Tablan,
            6,
            world::<Confirmation>(|confirmation| {
                let game = "Tablan (ordered), 2026-11-20, move 112".to_owned();
                confirmation.0 = Some(Confirm::DeleteSave("1.tab".into(), game));
            }),
        ),
    );
    add("dialog-recent-full", on(playing(Tablan, 6, with_saves), Dialog::Recent));
    add(
        "dialog-history-full",
        on(playing(Tablan, 6, super::history::with_results), Dialog::History),
    );
    add(
        "dialog-history-curve",
        on(
            playing(TablutAshton, 6, |ui| {
                super::history::with_results(ui);
                ui.edit::<History>().filter.rules = Some(TablutAshton);
            }),
            Dialog::History,
        ),
    );
    add(
        "title-adaptive",
        Box::new(|size| {
            let mut ui = TestUi::new(Screen::Title, size);
            super::history::with_results(&mut ui);
            ui.edit::<SelectedGame>().adaptive = true;
            ui
        }),
    );
    for (name, has_begun) in [("waiting", false), ("begun", true)] {
        let shows_dialog = |ui: &mut TestUi| ui.edit::<OpenDialog>().0 = Some(Dialog::Online);
        let online = move |ui: &mut TestUi| {
            let table = OnlineTable::with_game(TablutAshton, has_begun);
            ui.edit::<Referee>().table = table.game().and_then(OnlineGame::table_session);
            ui.edit::<Referee>().on_table = OnTable::OnlineGame;
            *ui.edit::<OnlineTable>() = table;
        };
        add(&format!("online-{name}"), playing(TablutAshton, 0, online));
        add(
            &format!("dialog-online-{name}"),
            playing(TablutAshton, 0, move |ui| {
                online(ui);
                shows_dialog(ui);
            }),
        );
    }
    let listed = Box::new(|size| {
        let mut ui = TestUi::new(Screen::Title, size);
        ui.edit::<MyGames>().games = my_games();
        ui
    });
    add("dialog-online-games", on(listed, Dialog::Online));
    add("title-friend", title(|choice| choice.seats = [Seat::Person, Seat::Remote], false));
    add("open", title(|_| (), false));
    add("export", watching(TablutAshton, |_| ()));
    scenes
}

/// Looks at a scene; leaves its picture where pictures are wanted.
fn check_scene(name: &str, ui: &mut TestUi, language: Language, window: &str, faults: &mut Faults) {
    for _ in 0..6 {
        ui.frame(Vec::new());
    }
    let short = format!("{language:?}").to_lowercase()[..2].to_owned();
    let scene = format!("{name}@{window}-{short}");
    // The file dialog is another's, and names folders of this machine.
    if !matches!(name, "open" | "export") {
        faults.extend(ui.visible_text().faults().into_iter().map(|fault| (scene.clone(), fault)));
    }
    if let Some(folder) = std::env::var_os("PICTURES") {
        let folder = std::path::PathBuf::from(folder);
        let picture = ui.picture();
        picture.save(folder.join(format!("{scene}.png"))).expect("a picture written");
    }
}

type Faults = Vec<(String, String)>;

fn check_all(language: Language) {
    set_thread_language(Some(language));
    let wanted = std::env::var("SCENES").unwrap_or_default();
    let mut faults = Faults::new();
    for (name, build) in scenes() {
        for (window, size, scale) in WINDOWS {
            if !format!("{name}@{window}").contains(&wanted) {
                continue;
            }
            let mut ui = build(size);
            ui.scale = scale;
            let mut files = ui.edit::<FileChooser>();
            match name.as_str() {
                "open" => files.open(),
                "export" => files.export(RuleSet::TablutAshton, default()),
                _ => {}
            }
            check_scene(&name, &mut ui, language, window, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", report(&faults));
}

#[test]
fn nothing_is_cut_or_covered_in_english() {
    check_all(Language::English);
}

#[test]
fn nothing_is_cut_or_covered_in_italian() {
    check_all(Language::Italian);
}

#[test]
fn a_screen_is_whole_in_its_first_frame() {
    set_thread_language(Some(Language::English));
    let mut faults = Faults::new();
    for (name, build) in scenes() {
        let mut ui = build(WINDOWS[2].1);
        let mut shown = || {
            ui.frame(Vec::new());
            ui.visible_text().words()
        };
        let first = shown();
        let settled = (0..5).map(|_| shown()).last().unwrap_or_default();
        let missing = settled.into_iter().filter(|words| !first.contains(words));
        faults.extend(missing.map(|words| (name.clone(), format!("'{words}' comes late"))));
    }
    assert!(faults.is_empty(), "{}", report(&faults));
}

/// Enter is the golden button: there is one, or none.
#[test]
fn a_screen_has_one_golden_button_at_most() {
    set_thread_language(Some(Language::English));
    let mut faults = Faults::new();
    for (name, build) in scenes() {
        let mut ui = build(WINDOWS[2].1);
        match name.as_str() {
            "open" => ui.edit::<FileChooser>().open(),
            "export" => ui.edit::<FileChooser>().export(RuleSet::TablutAshton, default()),
            _ => {}
        }
        ui.settle();
        let golden = ui.golden_buttons();
        if golden.len() > 1 {
            faults.push((name, format!("{golden:?}")));
        }
    }
    assert!(faults.is_empty(), "{}", report(&faults));
}
