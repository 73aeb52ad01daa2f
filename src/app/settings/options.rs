//! Options with named values in the settings file.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

/// The colours of the board and the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// Wood and earth.
    #[default]
    Wood,
    /// Lighter, with a higher contrast.
    Clear,
    /// Dark blue against light orange, for colour-blind players.
    BlueOrange,
}

impl Palette {
    /// All palettes.
    pub const ALL: [Self; 3] = [Self::Wood, Self::Clear, Self::BlueOrange];
}

/// How pieces are moved with the mouse or a finger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl MoveInput {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Click, Self::Drag, Self::Both];
}

/// Whether the board is flipped between two people at one screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl BoardFlip {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Never, Self::Ask, Self::Always];
}

/// The quality of the graphics.
#[derive(
    Resource,
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
)]
#[serde(rename_all = "kebab-case")]
#[strum(
    serialize_all = "kebab-case",
    parse_err_ty = ParseQualityError,
    parse_err_fn = unknown_quality
)]
pub enum Quality {
    /// No antialiasing and no relief, a depth prepass against overdraw: a
    /// software renderer needs a third of the time.
    Light,
    /// Antialiasing, relief and soft shadows: for every graphics card.
    #[default]
    Fine,
    /// Besides, ambient occlusion and sharper shadows: for a discrete card.
    Best,
}

impl Quality {
    /// All qualities, the fastest first.
    pub const ALL: [Self; 3] = [Self::Light, Self::Fine, Self::Best];
}

/// A text that names no quality.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown quality '{0}' (one of light, fine, best)")]
pub struct ParseQualityError(pub String);

fn unknown_quality(text: &str) -> ParseQualityError {
    ParseQualityError(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualities_read_back_and_an_unknown_one_is_named() {
        for quality in Quality::ALL {
            assert_eq!(quality.to_string().parse(), Ok(quality));
        }
        let error = "great".parse::<Quality>().expect_err("no quality");
        assert_eq!(error.to_string(), "unknown quality 'great' (one of light, fine, best)");
    }
}
