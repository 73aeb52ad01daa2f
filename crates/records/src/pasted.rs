//! Links and codes as people paste them: from mail that wraps and quotes lines, from chat
//! that puts a full stop or brackets around a link.

/// A pasted link without what does not belong to it: line breaks with the marks of quoting
/// behind them, and `%23` and `%3D` in place of `#` and `=`.
pub fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    joined.extend(lines(text));
    if !joined.contains('#') {
        joined = joined.replacen("%23", "#", 1);
    }
    for encoded in ["%3D", "%3d"] {
        joined = joined.replace(encoded, "=");
    }
    joined
}

/// The lines of a pasted text, without the marks of quoting before them.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.trim_start_matches(is_quoting).trim_end())
}

/// The code at the start of a [`joined`] text, letters and the `other` signs, without the
/// white space in it, and what stands behind the code. Text fields make spaces of line
/// breaks.
pub fn code<'a>(text: &'a str, other: &[char]) -> (String, &'a str) {
    let (mut code, mut rest) = (String::new(), text);
    loop {
        let end =
            rest.find(|symbol: char| !symbol.is_ascii_alphanumeric() && !other.contains(&symbol));
        let (letters, behind) = rest.split_at(end.unwrap_or(rest.len()));
        code.push_str(letters);
        rest = behind;
        if !rest.starts_with(char::is_whitespace) {
            return (code, rest);
        }
        rest = rest.trim_start_matches(is_quoting);
    }
}

/// White space, and the mark before a quoted line.
pub fn is_quoting(symbol: char) -> bool {
    symbol.is_whitespace() || symbol == '>'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_and_quoted_lines_are_joined() {
        assert_eq!(joined("> > https://a.b/%23seat%3Dab \r\n> > cd\n"), "https://a.b/#seat=abcd");
        assert_eq!(joined("a%23#b"), "a%23#b", "one mark is enough");
    }

    #[test]
    fn a_code_ends_at_the_first_other_sign() {
        for (text, expected, rest) in [
            ("ab-c_d", "ab-c_d", ""),
            ("ab c\t> d>. e", "abcd", ">. e"),
            ("ab'", "ab", "'"),
            ("", "", ""),
        ] {
            assert_eq!(code(text, &['-', '_']), (expected.to_owned(), rest), "{text}");
        }
    }
}
