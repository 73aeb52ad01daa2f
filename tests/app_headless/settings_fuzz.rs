//! Fuzzes the settings file with the runner of `tests/fuzz`.

use tabulae::app::settings::{Settings, TEXT_SIZES};

use crate::runner::{Budget, Target, files, message_kind, run};

/// Settings files that a user or another version may have written.
struct SettingsFiles;

impl Target for SettingsFiles {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("fuzz/corpus", ".settings")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "language = \"italian\"\n",
            "text-size = 150\n",
            "palette = \"blue-orange\"\n",
            "speed = 0.5\n",
            "speed = nan\n",
            "speed = -inf\n",
            "reduced-motion = true\n",
            "moves = \"drag\"\n",
            "volume = 35\n",
            "picture = \"light\"\n",
            "[table]\n",
            "= [",
            "{ a = 1 }",
            "true",
            "1e400",
            "\"\"\"",
            "#",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let settings = match Settings::parse(&text) {
            Ok(settings) => settings,
            Err(reason) => {
                assert!(!reason.is_empty());
                return message_kind(&reason);
            }
        };
        let [least, .., most] = TEXT_SIZES;
        assert!((least..=most).contains(&settings.text_size), "{}", settings.text_size);
        assert!(
            settings.volume <= 100
                && settings.animation_speed.is_finite()
                && settings.effective_animation_speed().is_none_or(|speed| speed > 0.0)
        );
        // Written settings read back equal.
        let written = toml::to_string(&settings).unwrap();
        assert_eq!(Settings::parse(&written), Ok(settings), "{written}");
        written
    }
}

#[test]
fn settings_are_valid_or_err() {
    run(&mut SettingsFiles, Budget::Inputs(3000));
}

/// `cargo fuzzing-settings`.
#[test]
#[ignore = "a minute"]
fn settings_for_long() {
    run(&mut SettingsFiles, Budget::from_env());
}
