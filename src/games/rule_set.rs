//! The six rule sets by name.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::Side;

/// One of the three games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// Lapland's tafl game.
    Tablut,
    /// Mysore's running fight.
    Tablan,
    /// Lakes and pavilions.
    Tablaaza,
}

/// One of the six rule sets.
///
/// ```
/// use tabulae::games::{RuleSet, Side};
///
/// let rules: RuleSet = "tablut/ashton".parse().unwrap();
/// assert_eq!(rules.side_name(Side::First), "White");
/// assert!("tablut/brandub".parse::<RuleSet>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// `tablut/berkeley`
    TablutBerkeley,
    /// `tablut/ashton`
    TablutAshton,
    /// `tablut/linnaeus`
    TablutLinnaeus,
    /// `tablan`
    Tablan,
    /// `tablan/ordered`
    TablanOrdered,
    /// `tablaaza`
    Tablaaza,
}

impl GameKind {
    /// The rules that a newcomer meets best.
    #[must_use]
    pub const fn usual(self) -> RuleSet {
        match self {
            Self::Tablut => RuleSet::TablutAshton,
            Self::Tablan => RuleSet::Tablan,
            Self::Tablaaza => RuleSet::Tablaaza,
        }
    }
}

impl RuleSet {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::TablutBerkeley,
        Self::TablutAshton,
        Self::TablutLinnaeus,
        Self::Tablan,
        Self::TablanOrdered,
        Self::Tablaaza,
    ];

    /// The name other programs use.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::TablutBerkeley => "tablut/berkeley",
            Self::TablutAshton => "tablut/ashton",
            Self::TablutLinnaeus => "tablut/linnaeus",
            Self::Tablan => "tablan",
            Self::TablanOrdered => "tablan/ordered",
            Self::Tablaaza => "tablaaza",
        }
    }

    /// The rule set that a person asks for: by its name, or by its game's
    /// alone, which means the rules that a newcomer to it meets best.
    ///
    /// ```
    /// use tabulae::games::RuleSet;
    ///
    /// assert_eq!(RuleSet::asked("tablut"), Ok(RuleSet::TablutAshton));
    /// assert_eq!(RuleSet::asked("tablan/ordered"), Ok(RuleSet::TablanOrdered));
    /// assert!(RuleSet::asked("tab").is_err());
    /// ```
    ///
    /// # Errors
    /// It names neither; what there is to name.
    pub fn asked(text: &str) -> Result<Self, ParseRuleSetError> {
        let of_game = |rules: &Self| rules.id().split('/').next() == Some(text);
        let usual = || Self::ALL.into_iter().find(of_game).map(|rules| rules.game().usual());
        text.parse().or_else(|error| usual().ok_or(error))
    }

    /// The name people read.
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

    /// The game it belongs to.
    #[must_use]
    pub const fn game(self) -> GameKind {
        match self {
            Self::TablutBerkeley | Self::TablutAshton | Self::TablutLinnaeus => GameKind::Tablut,
            Self::Tablan | Self::TablanOrdered => GameKind::Tablan,
            Self::Tablaaza => GameKind::Tablaaza,
        }
    }

    /// Whether casting sticks are thrown.
    #[must_use]
    pub const fn has_sticks(self) -> bool {
        matches!(self.game(), GameKind::Tablan)
    }

    /// What the side is called at the table.
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

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A text that names no rule set.
///
/// ```
/// use tabulae::games::{ParseRuleSetError, RuleSet};
///
/// assert_eq!("tablut".parse::<RuleSet>(), Err(ParseRuleSetError("tablut".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown rules '{0}' (one of tablut/berkeley, tablut/ashton, tablut/linnaeus, tablan, \
     tablan/ordered, tablaaza)"
)]
pub struct ParseRuleSetError(pub String);

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<Self, ParseRuleSetError> {
        Self::ALL
            .into_iter()
            .find(|rules| rules.id() == text)
            .ok_or_else(|| ParseRuleSetError(text.to_owned()))
    }
}
