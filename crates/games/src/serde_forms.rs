//! What serde writes of positions, games and throws, and the checks on what it reads.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{AnyMove, AnyPosition, GameHistory, Ply, RuleSet, Throw};

/// A position as its rule set and its text.
#[derive(Serialize, Deserialize)]
pub(super) struct PositionText {
    rules: RuleSet,
    position: String,
}

impl From<AnyPosition> for PositionText {
    fn from(position: AnyPosition) -> Self {
        Self { rules: position.rules(), position: position.to_string() }
    }
}

impl TryFrom<PositionText> for AnyPosition {
    type Error = String;

    fn try_from(text: PositionText) -> Result<Self, String> {
        Self::parse(text.rules, &text.position).map_err(|error| error.to_string())
    }
}

impl From<Throw> for u8 {
    fn from(throw: Throw) -> Self {
        throw.plain()
    }
}

impl TryFrom<u8> for Throw {
    type Error = &'static str;

    fn try_from(plain: u8) -> Result<Self, Self::Error> {
        Self::new(plain).ok_or("a throw of more than 4 sticks")
    }
}

/// A game as its start and its plies.
#[derive(Serialize, Deserialize)]
struct Plies {
    start: AnyPosition,
    plies: Vec<Ply<AnyMove>>,
}

impl Serialize for GameHistory<AnyPosition> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plies = self.plies().collect();
        Plies { start: self.start().clone(), plies }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for GameHistory<AnyPosition> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Plies { start, plies } = Plies::deserialize(deserializer)?;
        let mut history = Self::new(start);
        for (number, ply) in (1..).zip(plies) {
            history.push(ply).map_err(|illegal| {
                D::Error::custom(format_args!("illegal ply {number}: {illegal}"))
            })?;
        }
        Ok(history)
    }
}
