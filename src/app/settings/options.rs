//! The choices that a settings file offers by name.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The colours of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// Woods and earths.
    #[default]
    Wood,
    /// Lighter, with more between light and dark.
    Clear,
    /// Sides in dark and light, blue and orange, which every kind of eye tells
    /// apart.
    BlueOrange,
}

impl Palette {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Wood, Self::Clear, Self::BlueOrange];
}

/// What moves pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Means {
    /// A click on the piece and one on its square.
    Click,
    /// Dragging the piece.
    Drag,
    /// Either.
    #[default]
    Both,
}

impl Means {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Click, Self::Drag, Self::Both];
}

/// Whether the table turns between two people at one screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turning {
    /// It stays as it is.
    #[default]
    Never,
    /// A button stands ready after each move.
    Ask,
    /// To whoever plays next.
    Always,
}

impl Turning {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Never, Self::Ask, Self::Always];
}

/// How fine the picture is.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quality {
    /// What is seen of each pixel is drawn once, edges are left as they are,
    /// surfaces are smooth: a processor that stands in for a graphics card
    /// takes a third of the time for it.
    Light,
    /// Soft edges, reliefs, soft shadows: for every graphics card.
    #[default]
    Fine,
    /// Besides, what stands close together darkens each other, and shadows are
    /// sharper: for a card of its own.
    Best,
}

impl Quality {
    /// All of them, the lightest first.
    pub const ALL: [Self; 3] = [Self::Light, Self::Fine, Self::Best];
}

impl std::fmt::Display for Quality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Light => "light",
            Self::Fine => "fine",
            Self::Best => "best",
        })
    }
}

/// A text that names no quality.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown quality '{0}' (one of light, fine, best)")]
pub struct ParseQualityError(pub String);

impl std::str::FromStr for Quality {
    type Err = ParseQualityError;

    fn from_str(text: &str) -> Result<Self, ParseQualityError> {
        match text {
            "light" => Ok(Self::Light),
            "fine" => Ok(Self::Fine),
            "best" => Ok(Self::Best),
            _ => Err(ParseQualityError(text.to_owned())),
        }
    }
}
