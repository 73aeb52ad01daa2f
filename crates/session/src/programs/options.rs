//! The options that a program reports.

/// The option of the rule set.
pub(super) const RULES: &str = "Rules";

/// What kind of values an option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number in a range.
    Spin {
        /// The least value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// One of these values.
    Combo(Vec<String>),
    /// Something to do, without a value.
    Button,
    /// Any text.
    Text,
}

/// An option as the program reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOption {
    /// Its name.
    pub name: String,
    /// Which values it takes.
    pub kind: OptionKind,
    /// Its value at the start.
    pub default: Option<String>,
}

impl ProgramOption {
    /// Whether a value is one of the option's.
    pub fn allows(&self, value: &str) -> bool {
        let is_line = !value.contains(char::is_control);
        is_line
            && match &self.kind {
                OptionKind::Check => value == "true" || value == "false",
                OptionKind::Spin { min, max } => value.parse::<i64>().is_ok_and(|number| {
                    min.is_none_or(|min| min <= number) && max.is_none_or(|max| number <= max)
                }),
                OptionKind::Combo(values) => values.iter().any(|known| known == value),
                OptionKind::Button => value.is_empty(),
                OptionKind::Text => true,
            }
    }

    /// Whether it is the option of the rule set, which each game sets
    /// ([`UgiProgram::new_game`](super::UgiProgram::new_game)).
    pub fn is_rule_set(&self) -> bool {
        self.name == RULES
    }

    /// Parses what follows `option`: `name N type T default D min A max B var V`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (mut field, mut fields) = ("", Vec::<(&str, String)>::new());
        for word in text.split_whitespace() {
            if ["name", "type", "default", "min", "max", "var"].contains(&word) {
                field = word;
                fields.push((word, String::new()));
            } else if let Some((_, value)) = fields.last_mut().filter(|_| !field.is_empty()) {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
        let of = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, it)| it);
        let number = |name| of(name).and_then(|value| value.parse().ok());
        let kind = match of("type").map_or("string", String::as_str) {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin { min: number("min"), max: number("max") },
            "combo" => {
                let values = fields.iter().filter(|(field, _)| *field == "var");
                OptionKind::Combo(values.map(|(_, value)| value.clone()).collect())
            }
            "button" => OptionKind::Button,
            _ => OptionKind::Text,
        };
        let name = of("name").filter(|name| !name.is_empty())?.clone();
        Some(Self { name, kind, default: of("default").cloned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_their_values() {
        let option = |text| ProgramOption::parse(text).expect("an option");
        let level = option("name Play Level type combo default club var club var grand master");
        assert_eq!(level.name, "Play Level");
        assert!(level.allows("grand master") && !level.allows("master"));
        assert_eq!(level.default.as_deref(), Some("club"));
        let threads = option("name Threads type spin default 1 min 1 max 64");
        assert!(threads.allows("64") && !threads.allows("65") && !threads.allows("many"));
        let contempt = option("name Contempt type check default true");
        assert!(contempt.allows("false") && !contempt.allows("no"));
        assert!(!option("name File type string").allows("two\nlines"));
        assert_eq!(ProgramOption::parse("type spin"), None);
    }
}
