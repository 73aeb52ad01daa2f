//! What was made or measured for each rule set: networks, levels, ratings and first moves.

use tabulae_games::{RuleSet, Side};

/// What the engines have for a rule set.
#[derive(Debug)]
pub(super) struct EngineData {
    rules: RuleSet,
    /// The points of each level against the one below, in percent, from Beginner to
    /// Master. Source: the first table of "Levels" in docs/benchmarks.md, which a test
    /// compares.
    pub(super) steps: [f64; BELOW_MASTER],
    /// The side that won far more of the games that equal levels played. Source: the table
    /// in "Which side is easier" in docs/manual.md, which a test compares.
    favoured: Option<Side>,
    pub(super) of_game: GameData,
}

/// What only the engine of one game has.
#[derive(Debug)]
pub(super) enum GameData {
    Tablut(TablutData),
    Tablan(TablanData),
    Tablaaza,
}

/// A network and the levels below Master of a rule set of Tablut.
#[derive(Debug)]
pub(super) struct TablutData {
    /// The bytes of the network that is shipped; see `assets/engines/README.md`. An empty
    /// file stands for one that counts material only.
    pub(super) network: &'static [u8],
    pub(super) levels: [TablutLevel; BELOW_MASTER],
    /// The first side's first moves in the opening book; empty without a book.
    pub(super) first_moves: &'static [&'static str],
}

/// A network and the levels below Master of a rule set of Tablan.
#[derive(Debug)]
pub(super) struct TablanData {
    pub(super) network: &'static [u8],
    /// Largest error of a move's evaluation in either direction, in equity.
    pub(super) noise: [f32; BELOW_MASTER],
}

/// The number of levels below Master.
const BELOW_MASTER: usize = 9;

/// How a level plays Tablut.
#[derive(Clone, Copy, Debug)]
pub(super) enum TablutLevel {
    /// Looks at its own move only. `missed_wins` and `missed_replies` are percentages of
    /// wins overlooked; `capture_bonus` and `noise` are points.
    Static { noise: i32, missed_wins: u32, missed_replies: u32, capture_bonus: i32 },
    /// Searches `depth` plies, with errors of up to `noise` points.
    Searching { depth: u32, noise: i32 },
}

const fn static_choice(
    noise: i32,
    missed_wins: u32,
    missed_replies: u32,
    capture_bonus: i32,
) -> TablutLevel {
    TablutLevel::Static { noise, missed_wins, missed_replies, capture_bonus }
}

const fn searches(depth: u32, noise: i32) -> TablutLevel {
    TablutLevel::Searching { depth, noise }
}

/// The bytes of a file in `assets/engines`.
macro_rules! network {
    ($file:literal) => {
        include_bytes!(concat!("../../../assets/engines/", $file, ".net"))
    };
}

/// The levels of Berkeley's rules, which Saami Tablut plays with, too.
const BERKELEY_LEVELS: [TablutLevel; 9] = [
    static_choice(300, 83, 93, 200),
    static_choice(250, 28, 45, 150),
    static_choice(65, 0, 6, 20),
    searches(1, 400),
    searches(2, 360),
    searches(3, 170),
    searches(3, 95),
    searches(3, 35),
    searches(5, 0),
];

/// The levels are set so that the steps between them are about even, or grow a little
/// towards the top.
static RULE_SETS: &[EngineData] = &[
    EngineData {
        rules: RuleSet::TablutBerkeley,
        steps: [78.5, 80.8, 83.9, 84.7, 95.0, 78.0, 91.0, 88.0, 96.7],
        favoured: None,
        of_game: GameData::Tablut(TablutData {
            network: network!("tablut-berkeley"),
            levels: BERKELEY_LEVELS,
            first_moves: &[],
        }),
    },
    EngineData {
        rules: RuleSet::TablutAshton,
        steps: [80.4, 81.3, 65.9, 72.2, 87.4, 80.2, 64.0, 66.5, 68.3],
        favoured: Some(Side::Second),
        of_game: GameData::Tablut(TablutData {
            network: network!("tablut-ashton"),
            // Black has such an advantage that only large errors turn a game: with depth 8
            // and no noise Black won all ten games against Master.
            levels: [
                static_choice(300, 84, 94, 200),
                static_choice(240, 32, 52, 150),
                static_choice(95, 0, 11, 40),
                searches(1, 800),
                searches(1, 380),
                searches(2, 270),
                searches(3, 160),
                searches(3, 80),
                searches(4, 30),
            ],
            // An inner soldier steps aside. Symmetry makes all eight equal.
            // docs/benchmarks.md has the matches that favour them.
            first_moves: &["d5-d4", "d5-d6", "e4-d4", "e4-f4", "e6-d6", "e6-f6", "f5-f4", "f5-f6"],
        }),
    },
    EngineData {
        rules: RuleSet::TablutLinnaeus,
        steps: [68.0, 73.9, 67.9, 94.5, 86.0, 87.0, 91.5, 93.0, 93.3],
        favoured: Some(Side::Second),
        of_game: GameData::Tablut(TablutData {
            network: network!("tablut-linnaeus"),
            levels: [
                static_choice(330, 82, 95, 200),
                static_choice(250, 30, 50, 150),
                static_choice(60, 0, 4, 10),
                searches(1, 400),
                searches(2, 330),
                searches(2, 130),
                searches(2, 48),
                searches(3, 40),
                searches(5, 5),
            ],
            first_moves: &[],
        }),
    },
    EngineData {
        rules: RuleSet::TablutSaami,
        steps: [77.8, 82.2, 79.4, 84.2, 97.0, 78.5, 85.0, 90.0, 87.5],
        favoured: None,
        of_game: GameData::Tablut(TablutData {
            // Only repetition and one capture differ from Berkeley's rules.
            network: network!("tablut-berkeley"),
            levels: BERKELEY_LEVELS,
            first_moves: &[],
        }),
    },
    EngineData {
        rules: RuleSet::Tablan,
        steps: [56.8, 55.6, 56.9, 55.2, 55.8, 55.8, 58.2, 56.8, 56.1],
        favoured: None,
        of_game: GameData::Tablan(TablanData {
            network: network!("tablan-plain"),
            noise: [0.80, 0.45, 0.28, 0.19, 0.18, 0.125, 0.085, 0.05, 0.02],
        }),
    },
    EngineData {
        rules: RuleSet::TablanOrdered,
        steps: [72.8, 63.8, 59.8, 64.8, 60.8, 61.8, 61.1, 60.4, 59.4],
        favoured: None,
        of_game: GameData::Tablan(TablanData {
            network: network!("tablan-ordered"),
            // Ordered Tablan forgives less: the same errors would cost more.
            noise: [0.70, 0.33, 0.225, 0.175, 0.15, 0.118, 0.085, 0.057, 0.03],
        }),
    },
    EngineData {
        rules: RuleSet::Tablaaza,
        steps: [71.9, 76.1, 81.9, 77.6, 71.7, 72.8, 83.5, 74.5, 85.0],
        favoured: Some(Side::First),
        of_game: GameData::Tablaaza,
    },
];

/// The row of a rule set. A test finds one for each.
pub(super) fn data_of(rules: RuleSet) -> &'static EngineData {
    RULE_SETS.iter().find(|data| data.rules == rules).unwrap_or(&RULE_SETS[0])
}

/// The side that has it easier by these rules: it won more than 60 % of the games between
/// equal levels. None where the chances are about even.
///
/// ```
/// use tabulae_engines::favoured_side;
/// use tabulae_games::{RuleSet, Side};
///
/// // Black, who surrounds the king.
/// assert_eq!(favoured_side(RuleSet::TablutAshton), Some(Side::Second));
/// assert_eq!(favoured_side(RuleSet::Tablan), None);
/// ```
pub fn favoured_side(rules: RuleSet) -> Option<Side> {
    data_of(rules).favoured
}

/// What the engine of Tablut has for a rule set; `None` for those of other games.
pub(super) fn tablut_data(rules: RuleSet) -> Option<&'static TablutData> {
    match &data_of(rules).of_game {
        GameData::Tablut(data) => Some(data),
        GameData::Tablan(_) | GameData::Tablaaza => None,
    }
}

/// What the engine of Tablan has for a rule set; `None` for those of other games.
pub(super) fn tablan_data(rules: RuleSet) -> Option<&'static TablanData> {
    match &data_of(rules).of_game {
        GameData::Tablan(data) => Some(data),
        GameData::Tablut(_) | GameData::Tablaaza => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::GameKind;

    /// A row such as `| Tablut, Ashton | White | White 20 %, Black 78 % | ...`: a side that
    /// won more than 60 % has it easier.
    #[test]
    fn the_favoured_sides_are_those_of_the_manual() {
        let manual = include_str!("../../../docs/manual.md");
        let part = manual.split("### Which side is easier").nth(1).expect("the table");
        let rows =
            part.lines().filter(|line| line.starts_with('|')).skip(2).take(RuleSet::ALL.len());
        let mut compared = 0;
        for row in rows {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let title =
                cells[0].replace(", ", " (") + if cells[0].contains(", ") { ")" } else { "" };
            let title = title.replace("Tablan ordered", "Tablan (ordered)");
            let rules = RuleSet::ALL.into_iter().find(|rules| rules.title() == title);
            let rules = rules.unwrap_or_else(|| panic!("no rules are called {title}"));
            let won = |side: Side| {
                let name = rules.side_name(side);
                let share = cells[2].split(", ").find_map(|part| part.strip_prefix(name));
                share.map_or(50, |share| {
                    share.trim_end_matches('%').trim().parse().expect("a share")
                })
            };
            let easier = Side::BOTH.into_iter().find(|&side| won(side) > 60);
            assert_eq!(favoured_side(rules), easier, "{row}");
            compared += 1;
        }
        assert_eq!(compared, RuleSet::ALL.len());
    }

    #[test]
    fn each_rule_set_has_a_row_of_its_game() {
        assert_eq!(RULE_SETS.iter().map(|data| data.rules).collect::<Vec<_>>(), RuleSet::ALL);
        for rules in RuleSet::ALL {
            assert_eq!(tablut_data(rules).is_some(), rules.game() == GameKind::Tablut, "{rules}");
            assert_eq!(tablan_data(rules).is_some(), rules.game() == GameKind::Tablan, "{rules}");
        }
    }
}
