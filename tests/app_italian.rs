//! The app in another language, in a process of its own: a language is one
//! value for the whole program.
#![cfg(feature = "app")]

mod common;

use common::silent::Silent;
use tabulae::{
    app::{acts::Act, settings::Settings},
    games::RuleSet,
    table::{Setup, status},
    words::Language,
};

#[test]
fn what_was_said_is_said_again_in_the_language_chosen() {
    let mut silent = Silent::new((900, 600));
    let setup = Setup { seed: Some(1), ..Setup::of(RuleSet::TablutAshton) };
    silent.act(Act::NewGame(setup));
    silent.act(Act::Type("e4-f4".to_owned()));
    silent.settle();
    assert_eq!(silent.referee().said, ["White moves e4 to f4."]);
    let italian = Settings { language: Some(Language::Italian), ..Settings::default() };
    silent.act(Act::Configure(italian));
    assert_eq!(silent.referee().said, ["Bianco muove da e4 a f4."]);
    assert_eq!(status(silent.table()), "Tocca a Nero: tocca un pezzo, poi la casella dove va.");
    silent.act(Act::Type("d1-d4".to_owned()));
    silent.settle();
    assert_eq!(silent.referee().said.last().map(String::as_str), Some("Nero muove da d1 a d4."));
    silent.act(Act::Type("a1-a2".to_owned()));
    let notice = silent.referee().notice.clone().expect("a word about it");
    assert!(notice.text.contains("nessun pezzo"), "{}", notice.text);
    // Records are the same in every language.
    let record = silent.table().record(None).to_string();
    assert!(record.contains("[White \"Person\"]"), "{record}");
}
