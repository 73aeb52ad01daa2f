//! The six rule sets by name.

use strum::{Display, EnumString, IntoStaticStr};
use thiserror::Error;

use super::Side;

/// One of the three games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// The tafl game of Lapland.
    Tablut,
    /// The running-fight game of Mysore.
    Tablan,
    /// The territory game with lakes and pavilions.
    Tablaaza,
}

/// One of the six rule sets. `Display` and `FromStr` use its [`id`](Self::id).
///
/// ```
/// use tabulae_games::{RuleSet, Side};
///
/// let rules: RuleSet = "tablut/ashton".parse().unwrap();
/// assert_eq!(rules.side_name(Side::First), "White");
/// assert!("tablut/brandub".parse::<RuleSet>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr)]
#[strum(parse_err_ty = ParseRuleSetError, parse_err_fn = unknown_rules)]
pub enum RuleSet {
    /// Berkeley's Tablut, with Black to begin.
    #[strum(serialize = "tablut/berkeley")]
    TablutBerkeley,
    /// Ashton's Tablut, with camps.
    #[strum(serialize = "tablut/ashton")]
    TablutAshton,
    /// Linnaeus' Tablut, in which the king escapes to a corner.
    #[strum(serialize = "tablut/linnaeus")]
    TablutLinnaeus,
    /// Tablan by the leaflet's main rules.
    #[strum(serialize = "tablan")]
    Tablan,
    /// The variation of Tablan that fills the goal row in order.
    #[strum(serialize = "tablan/ordered")]
    TablanOrdered,
    /// Tablaaza.
    #[strum(serialize = "tablaaza")]
    Tablaaza,
}

impl GameKind {
    /// The rule set of a user who names only the game.
    #[must_use]
    pub const fn default_rules(self) -> RuleSet {
        match self {
            Self::Tablut => RuleSet::TablutAshton,
            Self::Tablan => RuleSet::Tablan,
            Self::Tablaaza => RuleSet::Tablaaza,
        }
    }
}

impl RuleSet {
    /// All rule sets.
    pub const ALL: [Self; 6] = [
        Self::TablutBerkeley,
        Self::TablutAshton,
        Self::TablutLinnaeus,
        Self::Tablan,
        Self::TablanOrdered,
        Self::Tablaaza,
    ];

    /// Its name in records, options and protocols: `tablut/berkeley`,
    /// `tablut/ashton`, `tablut/linnaeus`, `tablan`, `tablan/ordered` or `tablaaza`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// Parses a rule set's id, or the name of a game, which means its
    /// [`GameKind::default_rules`].
    ///
    /// ```
    /// use tabulae_games::RuleSet;
    ///
    /// assert_eq!(RuleSet::from_id_or_game("tablut"), Ok(RuleSet::TablutAshton));
    /// assert_eq!(RuleSet::from_id_or_game("tablan/ordered"), Ok(RuleSet::TablanOrdered));
    /// assert!(RuleSet::from_id_or_game("tab").is_err());
    /// ```
    ///
    /// # Errors
    /// The text is neither.
    pub fn from_id_or_game(text: &str) -> Result<Self, ParseRuleSetError> {
        let of_game = |rules: &Self| rules.id().split('/').next() == Some(text);
        let default_rules =
            || Self::ALL.into_iter().find(of_game).map(|rules| rules.game().default_rules());
        text.parse().or_else(|error| default_rules().ok_or(error))
    }

    /// The display name, in English.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::TablutBerkeley => "Tablut (Berkeley)",
            Self::TablutAshton => "Tablut (Ashton)",
            Self::TablutLinnaeus => "Tablut (Linnaeus)",
            Self::Tablan => "Tablan",
            Self::TablanOrdered => "Tablan (ordered)",
            Self::Tablaaza => "Tablaaza",
        }
    }

    /// Its game.
    #[must_use]
    pub const fn game(self) -> GameKind {
        match self {
            Self::TablutBerkeley | Self::TablutAshton | Self::TablutLinnaeus => GameKind::Tablut,
            Self::Tablan | Self::TablanOrdered => GameKind::Tablan,
            Self::Tablaaza => GameKind::Tablaaza,
        }
    }

    /// The number of files (columns) and of ranks (rows) of its board.
    #[must_use]
    pub const fn board_size(self) -> (u8, u8) {
        match self.game() {
            GameKind::Tablut => (9, 9),
            GameKind::Tablan => (12, 4),
            GameKind::Tablaaza => (8, 7),
        }
    }

    /// Whether its game has casting sticks.
    #[must_use]
    pub const fn has_sticks(self) -> bool {
        matches!(self.game(), GameKind::Tablan)
    }

    /// The English name of a side, as in records.
    #[must_use]
    pub const fn side_name(self, side: Side) -> &'static str {
        match (self, side) {
            (Self::TablutBerkeley, Side::First)
            | (Self::TablutAshton | Self::TablutLinnaeus, Side::Second) => "Black",
            (Self::TablutBerkeley, Side::Second)
            | (Self::TablutAshton | Self::TablutLinnaeus, Side::First) => "White",
            (Self::Tablan | Self::TablanOrdered, Side::First) => "South",
            (Self::Tablan | Self::TablanOrdered, Side::Second) => "North",
            (Self::Tablaaza, Side::First) => "Red",
            (Self::Tablaaza, Side::Second) => "Green",
        }
    }
}

/// The error of parsing a [`RuleSet`]: the text.
///
/// ```
/// use tabulae_games::{ParseRuleSetError, RuleSet};
///
/// assert_eq!("tablut".parse::<RuleSet>(), Err(ParseRuleSetError("tablut".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "invalid rule set '{0}': expected tablut/berkeley, tablut/ashton, tablut/linnaeus, tablan, \
     tablan/ordered or tablaaza"
)]
pub struct ParseRuleSetError(pub String);

fn unknown_rules(text: &str) -> ParseRuleSetError {
    ParseRuleSetError(text.to_owned())
}
