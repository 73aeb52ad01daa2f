//! The smoke test of acts: each on every screen.

use super::*;

/// Every act there is, with what it may be given, sound or not.
fn every_act(folder: &std::path::Path) -> Vec<Act> {
    let path = folder.join("game.tab");
    let setup = persons(RuleSet::Tablaaza, 1);
    let mut acts = vec![
        Act::Touch(square("e4")),
        Act::Touch(Square::new(200, 200)),
        Act::LetGo,
        Act::Press,
        Act::Answer(0),
        Act::Answer(99),
        Act::Throw,
        Act::PutThrow(1),
        Act::PutThrow(200),
        Act::Type("nonsense".to_owned()),
        Act::Type(String::new()),
        Act::Undo,
        Act::UndoTurn,
        Act::Redo,
        Act::Hint,
        Act::Threats,
        Act::Value,
        Act::Look(0),
        Act::Look(usize::MAX),
        Act::LookBack,
        Act::LookBack,
        Act::LookOn,
        Act::Branch,
        Act::Save(path.clone()),
        Act::Save(folder.join("no\0file")),
        Act::Copy,
        Act::CopyLink,
        Act::Export(folder.join("game.unknown")),
        Act::StopExport,
        Act::TogglePlay,
        Act::TogglePlay,
        Act::StepForward,
        Act::StepBack,
        Act::Jump(usize::MAX),
        Act::Speed(f32::NAN),
        Act::Speed(-1.0),
        Act::Speed(2.0),
        Act::Loop,
        Act::Analyse,
        Act::Analyse,
        Act::AutoCamera,
        Act::SetUp(Some(RuleSet::TablutLinnaeus)),
        Act::EditRules(RuleSet::Tablan),
        Act::EditTool(None),
        Act::EditTool(Some(PieceKind::King)),
        Act::EditMove(square("e1"), Some(square("e9"))),
        Act::EditMove(square("a1"), None),
        Act::EditSide(Side::Second),
        Act::EditSticks(ThrowState::ThrowingOff),
        Act::EditSeats([Seat::Person; 2]),
        Act::EditClear,
        Act::EditAnalyse,
        Act::EditStart,
        Act::EditText("nonsense".to_owned()),
        Act::EditText("9/9/9/9/4K4/9/9/9/9 w".to_owned()),
        Act::EditDone,
        Act::ResetView,
        Act::TopView,
        Act::TopView,
        Act::TurnTable,
        Act::TurnTable,
        Act::Course,
        Act::Course,
        Act::Hurry,
        Act::Close,
        Act::Dismiss,
        Act::Dismiss,
        Act::Configure(Settings { speed: f32::NAN, text_size: 9_999, ..Settings::default() }),
        Act::Configure(Settings { confirm: true, reduced_motion: true, ..Settings::default() }),
        Act::Configure(Settings::default()),
        Act::OfferDraw,
        Act::Resign,
        Act::Undo,
        Act::NextStep,
        Act::PreviousStep,
        Act::Learn(GameKind::Tablaaza),
        Act::NextStep,
        Act::PreviousStep,
        Act::FirstStep,
        Act::Title,
        Act::Table,
        Act::Watch,
        Act::PlayOn,
        Act::Open(path.clone()),
        Act::Open(folder.join("several.tab")),
        Act::Pick(1),
        Act::Pick(usize::MAX),
        Act::Open(folder.join("missing.tab")),
        Act::Resume(folder.join("missing.tab")),
        Act::Resume(folder.join("several.tab")),
        Act::Pick(0),
        Act::Forget(folder.join("missing.tab")),
        Act::Resume(path),
        Act::Rematch,
        Act::NewGame(setup),
        Act::Quit,
    ];
    let ways = [Way::Up, Way::Down, Way::Left, Way::Right];
    acts.splice(0..0, ways.into_iter().flat_map(|way| vec![Act::Cursor(way); 14]));
    acts.splice(0..0, Sheet::ALL.into_iter().map(Act::Show));
    acts.splice(0..0, Asking::ALL.into_iter().map(Act::Ask));
    acts
}

/// Every act, on every screen and in every game: none panics, none takes the
/// game off the table without another.
#[test]
fn every_act_can_be_done_on_every_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let acts = every_act(folder.path());
    let two = "[Rules \"tablaaza\"]\n\n1. c7 *\n\n".repeat(2);
    std::fs::write(folder.path().join("several.tab"), two).expect("written");
    let ids: std::collections::BTreeSet<&str> = acts.iter().map(Act::id).collect();
    let all: std::collections::BTreeSet<&str> = Act::IDS.iter().copied().collect();
    assert_eq!(ids, all, "every act is among them");

    let mut silent = Silent::new(SIZE);
    for act in acts.clone() {
        // On the title, before there is any game.
        silent.act(act);
    }
    for rules in [RuleSet::TablutLinnaeus, RuleSet::Tablan, RuleSet::Tablaaza] {
        let mut silent = at_table(persons(rules, 1));
        hurry(&mut silent);
        silent.act(Act::Save(folder.path().join("game.tab")));
        let lesson = Act::Learn(rules.game());
        for screen in [Act::Title, Act::Table, Act::Watch, Act::SetUp(None), lesson] {
            for act in acts.clone() {
                // Wherever the act before it has led.
                if silent.app.world().resource::<Lesson>().game.is_some() {
                    silent.act(Act::Title);
                }
                silent.act(screen.clone());
                let id = act.id();
                silent.act(act);
                let table = silent.referee().table.as_ref();
                assert!(table.is_some(), "{rules}: {id} after {}", screen.id());
            }
        }
    }
}
