//! Fuzz tests: any input is either read or refused with an error that says
//! where, without a panic or a hang.
//!
//! A fuzzer for the stable compiler. `cargo-fuzz` and the coverage-guided engines
//! of `bolero` need a nightly one; on stable, `bolero` and `proptest` draw random
//! inputs, which needs no package. Inputs are mutated from a corpus
//! ([`mutate`]). An input with a new kind of answer joins the corpus of the run
//! ([`runner`]), in place of coverage feedback. A failing input is minimised and
//! printed.
//!
//! The corpus is `corpus/` and the records in `tests/records`. Each target is
//! named after the property it checks. The tests run a few hundred inputs each;
//! `cargo fuzzing` runs each target for a minute, or for `FUZZ_SECONDS`. The settings
//! file, which only the app reads, is fuzzed in `tests/app_headless/settings_fuzz.rs`.

#[path = "../common/mod.rs"]
mod common;
mod mutate;
mod runner;
mod saves;
mod targets;
mod ugi;

use runner::{Budget, Target, run};

macro_rules! targets {
    ($($name:ident, $long:ident: $target:expr, $few:literal;)*) => {$(
        #[test]
        fn $name() {
            run(&mut $target, Budget::Inputs($few));
        }

        /// `cargo fuzzing`.
        #[test]
        #[ignore = "a minute"]
        fn $long() {
            run(&mut $target, Budget::from_env());
        }
    )*};
}

targets! {
    records_read_back_equal_or_err_with_a_place, records_for_long: targets::Records, 3000;
    opentafl_games_read_back_as_records_or_err_with_a_place, opentafl_for_long:
        targets::OpenTafl, 3000;
    links_read_back_or_err, links_for_long: targets::Links, 1000;
    puzzles_are_played_or_err, puzzles_for_long: targets::Puzzles, 1000;
    berkeley_lists_read_back_as_records_or_err_with_a_place, berkeley_for_long:
        targets::Berkeley, 3000;
    bologna_logs_read_back_as_records_or_err_with_a_place, bologna_for_long:
        targets::Bologna, 3000;
    positions_read_back_equal_and_can_be_played, positions_for_long: targets::Positions, 3000;
    moves_are_played_or_change_nothing, moves_for_long: targets::Moves, 3000;
    saved_games_are_restored_or_err, saves_for_long: saves::Saves::new(), 300;
    online_messages_are_answered_or_change_nothing, online_for_long:
        targets::OnlineMessages, 3000;
    ugi_lines_are_answered_and_do_not_end_the_engine, ugi_for_long: ugi::UgiLines::start(), 300;
}

/// The runner itself finds failures.
#[test]
fn a_failing_input_is_found_and_minimised() {
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
    let failure = std::panic::catch_unwind(|| run(&mut Broken, Budget::Inputs(10_000)));
    let text = *failure.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("it went off") && text.ends_with("b\"boom\""), "{text}");
}
