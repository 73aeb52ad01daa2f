//! Options with named values in the settings file.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray};

/// The colours of the board and the pieces.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumString,
    Serialize,
    Deserialize,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Palette {
    /// Wood and earth.
    #[default]
    Wood,
    /// Lighter, with a higher contrast.
    Clear,
    /// Dark blue against light orange, for colour-blind players.
    BlueOrange,
}

/// The room round the table.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumString,
    Serialize,
    Deserialize,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Room {
    /// A study by day: a window, shelves, an oak table.
    #[default]
    Study,
    /// A winter cabin by night: a fire, walls of logs, snow behind the window.
    Cabin,
}

/// When a photograph is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum TimeOfDay {
    /// As in play: the study by day, the cabin by night.
    #[default]
    Usual,
    /// The sun is low, or the fire has burnt down and the window is light.
    Morning,
    /// The sun goes down, or dusk is blue behind the window.
    Evening,
}

/// How pieces are moved with the mouse or a finger.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
pub enum MoveInput {
    /// Click the piece, then its destination.
    Click,
    /// Drag the piece.
    Drag,
    /// Either.
    #[default]
    Both,
}

/// Whether the tutor judges a player's moves against an engine.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
pub enum TutorMode {
    /// It does not.
    #[default]
    Off,
    /// Once a move was played, before the opponent answers.
    AfterMove,
    /// Before a move counts.
    BeforeMove,
}

impl TutorMode {
    /// Whether it judges no move.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

/// Whether the board is flipped between two people at one screen.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
pub enum BoardFlip {
    /// It stays.
    #[default]
    Never,
    /// A button offers it after each move.
    Ask,
    /// After each move.
    Always,
}

/// The quality of the graphics. Settings files and flags accept the names of
/// earlier builds, too: light, fine and best.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Resource,
    Display,
    EnumString,
    Serialize,
    Deserialize,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Quality {
    /// Baked light alone, smooth edges only at rest, still water: for software renderers.
    #[serde(alias = "light")]
    #[strum(to_string = "low", serialize = "light")]
    Low,
    /// Antialiasing, waves, and reflections of the room: for every graphics card.
    #[default]
    #[serde(alias = "fine")]
    #[strum(to_string = "medium", serialize = "fine")]
    Medium,
    /// The shadows that the sun or the fire casts, too: for a discrete card.
    #[serde(alias = "best")]
    #[strum(to_string = "high", serialize = "best")]
    High,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::settings::Settings;

    #[test]
    fn qualities_read_back_and_no_other() {
        for (quality, name) in Quality::VARIANTS.iter().copied().zip(["low", "medium", "high"]) {
            assert_eq!(quality.to_string(), name);
            assert_eq!(name.parse(), Ok(quality));
        }
        assert!("great".parse::<Quality>().is_err());
    }

    #[test]
    fn the_old_names_of_the_qualities_are_accepted() {
        for (quality, name) in Quality::VARIANTS.iter().copied().zip(["light", "fine", "best"]) {
            assert_eq!(name.parse(), Ok(quality), "as a flag");
            let settings = Settings::parse(&format!("picture = \"{name}\"")).expect("settings");
            assert_eq!(settings.quality, Some(quality), "in a settings file");
        }
    }
}
