//! The app in another language, in a process of its own: a language is one
//! value for the whole program.

use crate::{
    endurance::child::{command, run_child},
    headless::Headless,
};
use tabulae::{
    app::{
        core::actions::{GameAction, ReplayAction, UiAction},
        settings::Settings,
    },
    games::RuleSet,
    i18n::Language,
    session::{Setup, status},
};

#[test]
fn announcements_and_notices_follow_the_language() {
    let home = tempfile::tempdir().expect("a folder");
    run_child(command(home.path(), "italian"));
}

/// The child's task.
pub(crate) fn run() {
    let mut headless = Headless::new((900, 600));
    let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::TablutAshton) };
    headless.act(GameAction::NewGame(setup));
    headless.perform(GameAction::TypeMove("e4-f4".to_owned()));
    assert_eq!(headless.told(), ["White moves e4 to f4."]);
    let italian = Settings { language: Some(Language::Italian), ..Settings::default() };
    headless.change_settings(italian);
    assert_eq!(headless.told(), ["Il Bianco muove da e4 a f4."]);
    assert_eq!(status(headless.table()), "Tocca al Nero: scegli un pezzo, poi una casella.");
    headless.perform(GameAction::TypeMove("d1-d4".to_owned()));
    assert_eq!(headless.told().last().map(String::as_str), Some("Il Nero muove da d1 a d4."));
    headless.act(GameAction::TypeMove("a1-a2".to_owned()));
    let notice = headless.notice().cloned().expect("a word about it");
    assert!(notice.text.contains("nessun pezzo"), "{}", notice.text);
    // Records are the same in every language.
    let record = headless.table().record(None).to_string();
    assert!(record.contains("[White \"Person\"]"), "{record}");

    // In a replay, with a notice and a question over it.
    let speaks = |headless: &mut Headless, language| {
        headless.change_settings(Settings { language: Some(language), ..Settings::default() });
    };
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::Jump(1));
    let told = |headless: &Headless| headless.replay().describe(1);
    assert_eq!(told(&headless), ["Il Bianco muove da e4 a f4."]);
    headless.act(GameAction::ResumeFile("no-such.tab".into()));
    headless.act(UiAction::Copy);
    let notice = |headless: &Headless| headless.notice().cloned().expect("a word").text;
    assert_eq!(notice(&headless), "Partita copiata come testo.");
    speaks(&mut headless, Language::English);
    assert_eq!(notice(&headless), "Game copied as text.");
    assert_eq!(told(&headless), ["White moves e4 to f4."]);
    assert_eq!(headless.replay().title, "This game");
    headless.act(UiAction::ShowTable);
    headless.act(GameAction::OfferDraw);
    let asked =
        |headless: &Headless| headless.referee().question_text().expect("a question").choices;
    assert_eq!(asked(&headless), ["Accept", "Decline"]);
    speaks(&mut headless, Language::Italian);
    assert_eq!(asked(&headless), ["Accetta", "Rifiuta"]);
    let left = std::time::Duration::from_millis(9_400);
    assert_eq!(tabulae::session::format_clock(left), "9,4", "decimals have a comma");
}
