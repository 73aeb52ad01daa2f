//! The app in another language, in a process of its own: a language is one
//! value for the whole program.
#![cfg(feature = "app")]

mod common;

use common::silent::Silent;
use tabulae::{
    app::{acts::Act, settings::Settings},
    games::RuleSet,
    i18n::Language,
    table::{Setup, status},
};

#[test]
fn what_was_said_is_said_again_in_the_language_chosen() {
    let mut silent = Silent::new((900, 600));
    let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::TablutAshton) };
    silent.act(Act::NewGame(setup));
    silent.act(Act::Type("e4-f4".to_owned()));
    silent.settle();
    assert_eq!(silent.referee().said, ["White moves e4 to f4."]);
    let italian = Settings { language: Some(Language::Italian), ..Settings::default() };
    silent.act(Act::Configure(italian));
    assert_eq!(silent.referee().said, ["Il Bianco muove da e4 a f4."]);
    assert_eq!(status(silent.table()), "Muove il Nero: scegli un pezzo, poi la casella dove va.");
    silent.act(Act::Type("d1-d4".to_owned()));
    silent.settle();
    assert_eq!(silent.referee().said.last().map(String::as_str), Some("Il Nero muove da d1 a d4."));
    silent.act(Act::Type("a1-a2".to_owned()));
    let notice = silent.referee().notice.clone().expect("a word about it");
    assert!(notice.text.contains("nessun pezzo"), "{}", notice.text);
    // Records are the same in every language.
    let record = silent.table().record(None).to_string();
    assert!(record.contains("[White \"Person\"]"), "{record}");

    // In a replay, with a notice and a question over it.
    let speaks = |silent: &mut Silent, language| {
        silent.act(Act::Configure(Settings { language: Some(language), ..Settings::default() }));
    };
    silent.act(Act::Watch);
    silent.act(Act::Jump(1));
    assert_eq!(silent.replay().said, ["Il Bianco muove da e4 a f4."]);
    silent.act(Act::Resume("no-such.tab".into()));
    silent.act(Act::Copy);
    let notice = |silent: &Silent| silent.referee().notice.clone().expect("a word").text;
    assert_eq!(notice(&silent), "La partita è copiata come testo.");
    speaks(&mut silent, Language::English);
    assert_eq!(notice(&silent), "The game is copied as text.");
    assert_eq!(silent.replay().said, ["White moves e4 to f4."]);
    assert_eq!(silent.replay().title, "This game");
    silent.act(Act::Table);
    silent.act(Act::OfferDraw);
    let asked = |silent: &Silent| silent.referee().question.clone().expect("a question").choices;
    assert_eq!(asked(&silent), ["Accept", "Decline"]);
    speaks(&mut silent, Language::Italian);
    assert_eq!(asked(&silent), ["Accetta", "Rifiuta"]);
    let left = std::time::Duration::from_millis(9_400);
    assert_eq!(tabulae::table::format_clock(left), "9,4", "decimals have a comma");
}
