//! The rule sets by name, and the rows that all tables of rule sets are made from.

use std::{fmt, str::FromStr};

use thiserror::Error;

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

/// Calls the macro named `$table` with a row for each rule set: its name in [`RuleSet`], its
/// id, the name of its files in `assets`, its title, and its game with the constant that has
/// its rules. All tables of rule sets are made from these rows.
///
/// ```
/// macro_rules! file_names {
///     ($($(#[$doc:meta])* $set:ident: $id:literal, $file:literal, $title:literal, $game:ident
///         ($($rules:ident)?);)*) => { [$($file),*] };
/// }
/// assert_eq!(tabulae_games::for_each_rule_set!(file_names)[1], "tablut-ashton");
/// ```
#[macro_export]
macro_rules! for_each_rule_set {
    ($table:ident) => {
        $table! {
            /// Berkeley's Tablut, with Black to begin.
            TablutBerkeley: "tablut/berkeley", "tablut-berkeley", "Tablut (Berkeley)",
                Tablut(BERKELEY);
            /// Ashton's Tablut, with camps.
            TablutAshton: "tablut/ashton", "tablut-ashton", "Tablut (Ashton)", Tablut(ASHTON);
            /// Linnaeus' Tablut, in which the king escapes to a corner.
            TablutLinnaeus: "tablut/linnaeus", "tablut-linnaeus", "Tablut (Linnaeus)",
                Tablut(LINNAEUS);
            /// Saami Tablut, which players of tafl play in their championships.
            TablutSaami: "tablut/saami", "tablut-saami", "Tablut (Saami)", Tablut(SAAMI);
            /// Tablan by the leaflet's main rules.
            Tablan: "tablan", "tablan", "Tablan", Tablan(PLAIN);
            /// The variation of Tablan that fills the goal row in order.
            TablanOrdered: "tablan/ordered", "tablan-ordered", "Tablan (ordered)",
                Tablan(ORDERED);
            /// Tablaaza.
            Tablaaza: "tablaaza", "tablaaza", "Tablaaza", Tablaaza();
        }
    };
}

macro_rules! rule_sets {
    ($($(#[$doc:meta])* $set:ident: $id:literal, $file:literal, $title:literal, $game:ident
        ($($rules:ident)?);)*) => {
        /// One of the rule sets. `Display`, `FromStr` and serde use its [`id`](Self::id).
        ///
        /// ```
        /// use tabulae_games::{RuleSet, Side};
        ///
        /// let rules: RuleSet = "tablut/ashton".parse().unwrap();
        /// assert_eq!(rules.side_name(Side::First), "White");
        /// assert!("tablut/brandub".parse::<RuleSet>().is_err());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum RuleSet {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $id))] $set,)*
        }

        impl RuleSet {
            /// All rule sets.
            pub const ALL: [Self; [$($id),*].len()] = [$(Self::$set),*];

            /// Its name in records, options and protocols, such as `tablut/berkeley` or
            /// `tablan`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$set => $id,)* }
            }

            /// The name of its files in `assets`, and of its texts in the words: the id
            /// with `-` for `/`.
            pub const fn file_name(self) -> &'static str {
                match self { $(Self::$set => $file,)* }
            }

            /// Its place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The display name, in English.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$set => $title,)* }
            }

            /// Its game.
            pub const fn game(self) -> GameKind {
                match self { $(Self::$set => GameKind::$game,)* }
            }
        }
    };
}

for_each_rule_set!(rule_sets);

/// Those of Tablut that a beginner starts with.
impl Default for RuleSet {
    fn default() -> Self {
        GameKind::Tablut.default_rules()
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<Self, ParseRuleSetError> {
        let error = || ParseRuleSetError(text.to_owned());
        Self::ALL.into_iter().find(|rules| rules.id() == text).ok_or_else(error)
    }
}

impl GameKind {
    /// The rule set of a user who names only the game.
    pub const fn default_rules(self) -> RuleSet {
        match self {
            Self::Tablut => RuleSet::TablutAshton,
            Self::Tablan => RuleSet::Tablan,
            Self::Tablaaza => RuleSet::Tablaaza,
        }
    }
}

impl RuleSet {
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

    /// The number of files (columns) and of ranks (rows) of its board.
    pub const fn board_size(self) -> (u8, u8) {
        match self.game() {
            GameKind::Tablut => (9, 9),
            GameKind::Tablan => (12, 4),
            GameKind::Tablaaza => (8, 7),
        }
    }

    /// Whether its game has casting sticks.
    pub const fn has_sticks(self) -> bool {
        matches!(self.game(), GameKind::Tablan)
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
#[error("invalid rule set '{0}': expected {ids}", ids = list_ids())]
pub struct ParseRuleSetError(pub String);

/// All ids in words: `a, b or c`.
fn list_ids() -> String {
    let ids = RuleSet::ALL.map(RuleSet::id);
    let (last, others) = ids.split_last().unwrap_or((&"", &[]));
    format!("{} or {last}", others.join(", "))
}
