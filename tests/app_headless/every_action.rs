//! Smoke test: every action on every screen.

use super::*;
use strum::VariantArray as _;
use tabulae::{
    app::core::actions::OnlineAction,
    online::Terms,
    records::{NodeId, Shape, ShapeColor},
};

/// Every action, with valid and invalid arguments.
fn every_action(folder: &std::path::Path) -> Vec<Action> {
    let path = folder.join("game.tab");
    let setup = two_people(RuleSet::Tablaaza, 1);
    let mut actions = vec![
        Action::Game(GameAction::SelectSquare(square("e4"))),
        Action::Game(GameAction::SelectSquare(Square::new(200, 200))),
        Action::Game(GameAction::DropPiece(square("e4"))),
        Action::Game(GameAction::DropPiece(Square::new(200, 200))),
        Action::Game(GameAction::Deselect),
        Action::Game(GameAction::PlaceCursor(square("b2"))),
        Action::Game(GameAction::PlaceCursor(Square::new(200, 200))),
        Action::Game(GameAction::PressCursor),
        Action::Game(GameAction::Answer(0)),
        Action::Game(GameAction::Answer(99)),
        Action::Game(GameAction::Throw),
        Action::Game(GameAction::EnterThrow(1)),
        Action::Game(GameAction::EnterThrow(200)),
        Action::Game(GameAction::TypeMove("nonsense".to_owned())),
        Action::Game(GameAction::TypeMove(String::new())),
        Action::Game(GameAction::Undo),
        Action::Game(GameAction::UndoTurn),
        Action::Game(GameAction::Redo),
        Action::Game(GameAction::Hint),
        Action::Game(GameAction::StartPuzzles(Some(RuleSet::Tablan))),
        Action::Game(GameAction::FilterPuzzles(None)),
        Action::Game(GameAction::LeavePractice),
        Action::Game(GameAction::PlayTaught),
        Action::Online(OnlineAction::Create {
            page: "nonsense".to_owned(),
            terms: Terms { rules: RuleSet::Tablan, clock: None },
            side: Side::Second,
            name: String::new(),
        }),
        // Nobody listens there.
        Action::Online(OnlineAction::Create {
            page: "http://127.0.0.1:9/".to_owned(),
            terms: Terms { rules: RuleSet::Tablan, clock: None },
            side: Side::First,
            name: "Aili".to_owned(),
        }),
        Action::Online(OnlineAction::Join { link: "nonsense".to_owned(), name: String::new() }),
        Action::Online(OnlineAction::Join {
            link: "http://127.0.0.1:9/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
            name: String::new(),
        }),
        Action::Online(OnlineAction::Admit { code: "AAAA".to_owned() }),
        Action::Online(OnlineAction::Leave),
        Action::View(ViewAction::ToggleThreats),
        Action::View(ViewAction::ToggleEvaluation),
        Action::Game(GameAction::ViewPly(0)),
        Action::Game(GameAction::ViewPly(usize::MAX)),
        Action::Game(GameAction::ViewPreviousPly),
        Action::Game(GameAction::ViewPreviousPly),
        Action::Game(GameAction::ViewNextPly),
        Action::Game(GameAction::Branch),
        Action::Game(GameAction::Save(path.clone())),
        Action::Game(GameAction::Save(folder.join("no\0file"))),
        Action::Ui(UiAction::Copy),
        Action::Ui(UiAction::CopyLink),
        Action::Ui(UiAction::Export {
            path: folder.join("game.unknown"),
            options: ExportOptions::default(),
        }),
        Action::Ui(UiAction::StopExport),
        Action::Replay(ReplayAction::TogglePlay),
        Action::Replay(ReplayAction::TogglePlay),
        Action::Replay(ReplayAction::StepForward),
        Action::Replay(ReplayAction::StepBack),
        Action::Replay(ReplayAction::Jump(usize::MAX)),
        Action::Replay(ReplayAction::SetSpeed(f32::NAN)),
        Action::Replay(ReplayAction::SetSpeed(-1.0)),
        Action::Replay(ReplayAction::SetSpeed(2.0)),
        Action::Replay(ReplayAction::ToggleLoop),
        Action::View(ViewAction::ToggleAnalysis),
        Action::View(ViewAction::ToggleAnalysis),
        Action::View(ViewAction::ToggleExplorer),
        Action::View(ViewAction::SetExplorerSource(ExplorerSource::OwnGames)),
        Action::View(ViewAction::AskEngine(Some("none".to_owned()))),
        Action::Replay(ReplayAction::OpenAt {
            path: folder.join("missing.tab"),
            game: 0,
            ply: usize::MAX,
        }),
        Action::Replay(ReplayAction::ToggleAutoCamera),
        Action::Replay(ReplayAction::GoTo(NodeId::ROOT)),
        Action::Replay(ReplayAction::SetGlyph(Some(200))),
        Action::Replay(ReplayAction::SetComment("[%csl Ga1] quiet".to_owned())),
        Action::Replay(ReplayAction::ToggleShape(Shape {
            from: Square::new(200, 0),
            to: None,
            color: ShapeColor::Red,
        })),
        Action::Replay(ReplayAction::ClearShapes),
        Action::Replay(ReplayAction::Promote),
        Action::Replay(ReplayAction::MakeMain),
        Action::Replay(ReplayAction::DeleteFromHere),
        Action::Replay(ReplayAction::Save(folder.join("replay.tab"))),
        Action::Replay(ReplayAction::DiscardChanges),
        Action::Editor(EditorAction::Enter(Some(RuleSet::TablutLinnaeus))),
        Action::Editor(EditorAction::SetRules(RuleSet::Tablan)),
        Action::Editor(EditorAction::SelectTool(None)),
        Action::Editor(EditorAction::SelectTool(Some(PieceKind::King))),
        Action::Editor(EditorAction::MovePiece(square("e1"), Some(square("e9")))),
        Action::Editor(EditorAction::MovePiece(square("a1"), None)),
        Action::Editor(EditorAction::SetSideToMove(Side::Second)),
        Action::Editor(EditorAction::SetSticks(ThrowState::ThrowingOff)),
        Action::Editor(EditorAction::SetSeats([Seat::Person; 2])),
        Action::Editor(EditorAction::Clear),
        Action::Editor(EditorAction::Analyse),
        Action::Editor(EditorAction::SetStartPosition),
        Action::Editor(EditorAction::SetText("nonsense".to_owned())),
        Action::Editor(EditorAction::SetText("9/9/9/9/4K4/9/9/9/9 w".to_owned())),
        Action::Editor(EditorAction::Leave),
        Action::View(ViewAction::ResetCamera),
        Action::View(ViewAction::ToggleTopView),
        Action::View(ViewAction::ToggleTopView),
        Action::View(ViewAction::FlipBoard),
        Action::View(ViewAction::FlipBoard),
        Action::View(ViewAction::ToggleCourse),
        Action::View(ViewAction::ToggleCourse),
        Action::View(ViewAction::FinishAnimations),
        Action::View(ViewAction::TogglePanels),
        Action::View(ViewAction::TogglePanels),
        Action::View(ViewAction::TogglePhoto),
        Action::Ui(UiAction::SavePhoto { path: folder.join("no/folder.png"), pixels: 0 }),
        Action::View(ViewAction::TogglePhoto),
        Action::View(ViewAction::ToggleDiagram),
        Action::View(ViewAction::ToggleDiagram),
        Action::Ui(UiAction::CloseDialog),
        Action::Ui(UiAction::Dismiss),
        Action::Ui(UiAction::Dismiss),
        Action::Ui(UiAction::AskToDiscard(Box::new(Action::Ui(UiAction::ShowTitle)))),
        Action::Game(GameAction::ToggleAutomaticThrows),
        Action::Game(GameAction::OfferDraw),
        Action::Game(GameAction::Resign),
        Action::Game(GameAction::Undo),
        Action::Game(GameAction::NextLessonStep),
        Action::Game(GameAction::PreviousLessonStep),
        Action::Game(GameAction::StartLesson(GameKind::Tablaaza)),
        Action::Game(GameAction::NextLessonStep),
        Action::Game(GameAction::PreviousLessonStep),
        Action::Game(GameAction::FirstLessonStep),
        Action::Game(GameAction::LearnFromSaved(folder.join("missing.tab"))),
        Action::Game(GameAction::LearnFromSaved(folder.join("several.tab"))),
        Action::Game(GameAction::LearnFromMistakes),
        Action::Game(GameAction::LearnFromEarlier),
        Action::Game(GameAction::NextLessonStep),
        Action::Game(GameAction::Hint),
        Action::Game(GameAction::LeavePractice),
        Action::Ui(UiAction::ShowTitle),
        Action::Ui(UiAction::ShowTable),
        Action::Replay(ReplayAction::WatchGame),
        Action::Ui(UiAction::ShowTable),
        Action::Replay(ReplayAction::AnalyseGame),
        Action::Replay(ReplayAction::PlayFromHere),
        Action::Replay(ReplayAction::open(path.clone())),
        Action::Replay(ReplayAction::open(folder.join("several.tab"))),
        Action::Replay(ReplayAction::PickGame(1)),
        Action::Replay(ReplayAction::PickGame(usize::MAX)),
        Action::Replay(ReplayAction::open(folder.join("missing.tab"))),
        Action::Game(GameAction::ResumeFile(folder.join("missing.tab"))),
        Action::Game(GameAction::ResumeFile(folder.join("several.tab"))),
        Action::Replay(ReplayAction::PickGame(0)),
        Action::Game(GameAction::DeleteSave(folder.join("missing.tab"))),
        Action::Game(GameAction::ResumeFile(path)),
        Action::Game(GameAction::Rematch),
        Action::Game(GameAction::RematchSameSides),
        Action::Game(GameAction::NextGame),
        Action::Game(GameAction::NewGame(setup)),
        Action::Ui(UiAction::Quit),
        Action::Ui(UiAction::QuitAnyway),
    ];
    let ways = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
    actions.splice(
        0..0,
        ways.into_iter().flat_map(|way| vec![Action::Game(GameAction::MoveCursor(way)); 14]),
    );
    actions
        .splice(0..0, Dialog::VARIANTS.iter().map(|&dialog| UiAction::OpenDialog(dialog).into()));
    actions.splice(0..0, Prompt::VARIANTS.iter().map(|&prompt| UiAction::Prompt(prompt).into()));
    actions
}

/// Applies every action on every screen and in every game. None panics; none
/// leaves the table without a game.
#[test]
fn every_action_can_be_applied_on_every_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let actions = every_action(folder.path());
    let two = "[Rules \"tablaaza\"]\n\n1. c7 *\n\n".repeat(2);
    std::fs::write(folder.path().join("several.tab"), two).expect("written");
    let names: std::collections::BTreeSet<_> = actions.iter().map(Action::name).collect();
    assert_eq!(names, Action::names().collect(), "every action is in the list");

    let mut headless = Headless::new(SIZE);
    for action in actions.clone() {
        // On the title screen, before there is a game.
        headless.act(action);
    }
    let settings = || {
        [
            Settings::parse("speed = nan\ntext-size = 9999").expect("clamped"),
            Settings { confirm_moves: true, reduced_motion: true, ..Settings::default() },
            Settings::default(),
        ]
    };
    settings().into_iter().for_each(|setting| headless.change_settings(setting));
    for rules in [RuleSet::TablutLinnaeus, RuleSet::Tablan, RuleSet::Tablaaza] {
        let mut headless = start_game(two_people(rules, 1));
        speed_up(&mut headless);
        headless.act(GameAction::Save(folder.path().join("game.tab")));
        let lesson = Action::Game(GameAction::StartLesson(rules.game()));
        for screen in [
            Action::Ui(UiAction::ShowTitle),
            Action::Ui(UiAction::ShowTable),
            Action::Replay(ReplayAction::WatchGame),
            Action::Editor(EditorAction::Enter(None)),
            lesson,
        ] {
            for action in actions.clone() {
                // The action before may have started a lesson.
                if headless.lesson().game.is_some() {
                    headless.act(UiAction::ShowTitle);
                }
                headless.act(screen.clone());
                let name = action.name();
                headless.act(action);
                let table = headless.referee().table.as_ref();
                assert!(table.is_some(), "{rules}: {name:?} after {:?}", screen.name());
            }
            settings().into_iter().for_each(|setting| headless.change_settings(setting));
            let table = headless.referee().table.as_ref();
            assert!(table.is_some(), "{rules}: settings after {:?}", screen.name());
        }
    }
}
