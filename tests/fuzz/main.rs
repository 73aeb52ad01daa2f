//! Whatever comes from outside is read or refused, never more: no panic, no
//! hang, and every refusal says where.
//!
//! A stable equivalent of fuzzing. `cargo-fuzz`, and the engines of `bolero`
//! that follow coverage, want a nightly compiler; what `bolero` and `proptest`
//! do on a stable one is random. So this is random too, and needs no package:
//! inputs are mutated from a corpus ([`mutate`]), and one that is answered in a
//! new way joins the corpus for the run ([`runner`]), which takes the place of
//! coverage. A failing input is made as short as it will go, and shown.
//!
//! The corpus is what a person could have written: `corpus/` and the records
//! next door. Each target is named after the property it holds. The tests run
//! a few hundred inputs of each; `cargo fuzzing` runs each for a minute, or for
//! as many seconds as `FUZZ_SECONDS` says.

#[path = "../common/mod.rs"]
mod common;
mod mutate;
mod runner;
mod saves;
#[cfg(feature = "app")]
mod settings;
mod targets;
mod ugi;

use runner::{Effort, Target, run};

macro_rules! targets {
    ($($name:ident, $long:ident: $target:expr, $few:literal;)*) => {$(
        #[test]
        fn $name() {
            run(&mut $target, Effort::Times($few));
        }

        /// `cargo fuzzing`.
        #[test]
        #[ignore = "a minute"]
        fn $long() {
            run(&mut $target, Effort::asked());
        }
    )*};
}

targets! {
    records_read_back_equal_or_err_with_a_place, records_for_long: targets::Records, 3000;
    berkeley_lists_read_back_as_records_or_err_with_a_place, berkeley_for_long:
        targets::Berkeley, 3000;
    bologna_logs_read_back_as_records_or_err_with_a_place, bologna_for_long:
        targets::Bologna, 3000;
    positions_read_back_equal_and_can_be_played, positions_for_long: targets::Positions, 3000;
    moves_are_played_or_change_nothing, moves_for_long: targets::Moves, 3000;
    kept_games_come_back_or_are_named, saves_for_long: saves::Saves::new(), 300;
    ugi_lines_are_answered_and_end_nothing, ugi_for_long: ugi::Lines::start(), 300;
}

#[cfg(feature = "app")]
targets! {
    settings_can_be_lived_with_or_err, settings_for_long: settings::Texts, 3000;
}

/// A runner that finds nothing would be no proof of anything.
#[test]
fn a_failure_is_found_and_made_short() {
    struct Broken;
    impl Target for Broken {
        fn seeds(&self) -> Vec<Vec<u8>> {
            vec![b"one two three four".to_vec(), b"[Rules \"tablan\"]".to_vec()]
        }
        fn words(&self) -> &'static [&'static str] {
            &["boom", "e4"]
        }
        fn check(&mut self, input: &[u8]) -> String {
            assert!(!input.windows(4).any(|part| part == b"boom"), "it went off");
            String::new()
        }
    }
    let failure = std::panic::catch_unwind(|| run(&mut Broken, Effort::Times(10_000)));
    let text = *failure.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("it went off") && text.ends_with("b\"boom\""), "{text}");
}
