//! The links of an online game: two seats and one for spectators.
//!
//! A link is the address of a server's page and, behind `#`, who opens it:
//! `https://play.example/#seat=ID.TOKEN`. Browsers do not send that part to servers
//! and leave it out of referrers.

use std::{fmt, str::FromStr};

use data_encoding::BASE64URL_NOPAD;
use thiserror::Error;

use super::Hash256;
use tabulae_records::pasted::{is_quoting, lines};
use tabulae_session::i18n::LocalizedMessage;

/// The longest link in bytes.
pub const MAX_LINK_LENGTH: usize = 512;

/// The secret of a seat: 128 random bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token([u8; 16]);

impl Token {
    /// A token from the system's randomness.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// What a server stores instead of the token.
    pub fn hashed(&self) -> Hash256 {
        Hash256::of(&[b"tabulae token", &self.0])
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

/// Without the value, so that it cannot get into a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// The public name of a game on its server: 72 random bits as 12 characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId([u8; 9]);

impl GameId {
    /// A name from the system's randomness.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// Parses what `Display` writes.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64URL_NOPAD.encode(&self.0))
    }
}

/// The part of a link that a server checks: the game and the token. `Display` writes
/// `ID.TOKEN`; show it to nobody but its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The game.
    pub game: GameId,
    /// The secret of the seat or of the spectators.
    pub token: Token,
}

impl Ticket {
    /// The length of what `Display` writes.
    const LENGTH: usize = 12 + 1 + 22;

    /// Parses what `Display` writes.
    pub fn parse(text: &str) -> Option<Self> {
        let (game, token) = text.split_once('.')?;
        Some(Self { game: GameId::parse(game)?, token: Token::parse(token)? })
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.game, BASE64URL_NOPAD.encode(&self.token.0))
    }
}

/// A link to an online game. `Display` and `FromStr` write and read its text.
///
/// ```
/// use tabulae_online::{GameLink, LinkProblem};
///
/// let text = "https://play.example/tab/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
/// let link: GameLink = text.parse()?;
/// assert_eq!(link.to_string(), text);
/// assert_eq!(link.socket_address(), "wss://play.example/tab/play");
/// assert_eq!("https://play.example/".parse::<GameLink>(), Err(LinkProblem::NoSeat));
/// # Ok::<(), LinkProblem>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLink {
    /// The page's address, up to and with the last `/`.
    page: String,
    /// The game and the token.
    pub ticket: Ticket,
    /// Whether the link is for spectators.
    pub is_spectator: bool,
}

/// Why a text is not a link to an online game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("{}", self.message())]
pub enum LinkProblem {
    /// It does not begin with `https://`, `http://`, `wss://` or `ws://`.
    Scheme,
    /// There is no host.
    Host,
    /// Nothing behind `#` names a seat.
    NoSeat,
    /// The seat's text is damaged.
    Damaged,
    /// It is longer than any link.
    TooLong,
}

impl LinkProblem {
    /// The error as a message that can be translated.
    pub fn message(self) -> LocalizedMessage {
        LocalizedMessage::new(match self {
            Self::Scheme => "why.seat-link-scheme",
            Self::Host => "why.seat-link-host",
            Self::NoSeat => "why.seat-link-no-seat",
            Self::Damaged => "why.seat-link-damaged",
            Self::TooLong => "why.seat-link-too-long",
        })
    }
}

const SEAT: &str = "seat";
const WATCH: &str = "watch";
/// What stands before these words and behind them, as it is and as some programs send it.
const HASH: [&str; 2] = ["#", "%23"];
const EQUALS: [&str; 3] = ["=", "%3D", "%3d"];
/// The path of the WebSocket behind the page's.
const SOCKET: &str = "play";

impl GameLink {
    /// A link to a game at a page (`https://host/` or with a path).
    ///
    /// # Errors
    /// The page's address is no such address.
    pub fn new(page: &str, ticket: Ticket, is_spectator: bool) -> Result<Self, LinkProblem> {
        Ok(Self { page: page_address(page)?, ticket, is_spectator })
    }

    /// The link of a page's address and the part behind its `#`.
    ///
    /// # Errors
    /// The fragment names no seat.
    pub fn of_fragment(page: &str, fragment: &str) -> Result<Self, LinkProblem> {
        let text = Pasted::new(&format!("#{}", fragment.trim_start_matches('#')));
        let mark = text.mark(0).filter(|mark| mark.start == 0).ok_or(LinkProblem::NoSeat)?;
        Self::new(page, text.ticket(mark.end).ok_or(LinkProblem::Damaged)?, mark.is_spectator)
    }

    /// The address of the server's WebSocket.
    pub fn socket_address(&self) -> String {
        // Every page begins with http.
        format!("ws{}{SOCKET}", self.page.trim_start_matches("http"))
    }

    /// The page's address, without the secret.
    pub fn page(&self) -> &str {
        &self.page
    }
}

/// How an address may begin, and the scheme that is meant.
const SCHEMES: [(&str, &str); 4] =
    [("https://", "https"), ("http://", "http"), ("wss://", "https"), ("ws://", "http")];

/// The page's address with a `/` at its end, as `http` or `https`.
fn page_address(text: &str) -> Result<String, LinkProblem> {
    let lower = text.get(..8.min(text.len())).unwrap_or_default().to_ascii_lowercase();
    let (start, scheme) =
        SCHEMES.into_iter().find(|(it, _)| lower.starts_with(it)).ok_or(LinkProblem::Scheme)?;
    let text = &text[start.len()..];
    let rest = text.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_host =
        |sign: char| sign.is_ascii_alphanumeric() || ['.', '-', ':', '[', ']', '_'].contains(&sign);
    if host.is_empty() || !host.chars().all(is_host) {
        return Err(LinkProblem::Host);
    }
    if !path.chars().all(|letter| letter.is_ascii_graphic()) || text.contains(char::is_whitespace) {
        return Err(LinkProblem::Damaged);
    }
    // Not a page's file, nor the socket that a ws link may name.
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    Ok(format!("{scheme}://{}/{folder}", host.to_ascii_lowercase()))
}

impl fmt::Display for GameLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_spectator { WATCH } else { SEAT };
        write!(f, "{}#{kind}={}", self.page, self.ticket)
    }
}

impl FromStr for GameLink {
    type Err = LinkProblem;

    fn from_str(text: &str) -> Result<Self, LinkProblem> {
        let pasted = Pasted::new(text);
        let text = &pasted.text;
        let lower = text.to_ascii_lowercase();
        // What somebody wrote before the link may have a `#` of its own, and an address.
        let first = SCHEMES.iter().filter_map(|(it, _)| lower.find(it)).min();
        let first = first.ok_or(LinkProblem::Scheme)?;
        let mark = pasted.mark(first);
        let end = match &mark {
            Some(mark) => mark.start,
            None => text[first..].find('#').map_or(text.len(), |place| first + place),
        };
        let last = SCHEMES.iter().filter_map(|(it, _)| lower[..end].rfind(it)).max();
        let page = &text[last.unwrap_or(first)..end];
        if page.len() > MAX_LINK_LENGTH {
            return Err(LinkProblem::TooLong);
        }
        let page = page_address(page)?;
        let mark = mark.ok_or(LinkProblem::NoSeat)?;
        let ticket = pasted.ticket(mark.end).ok_or(LinkProblem::Damaged)?;
        Ok(Self { page, ticket, is_spectator: mark.is_spectator })
    }
}

/// A text in which a link is looked for, as mail wraps and quotes it.
struct Pasted {
    /// Its lines, joined.
    text: String,
    /// Where they end.
    ends: Vec<usize>,
}

/// What names a seat in a link: `#seat=` or `#watch=`.
struct Mark {
    start: usize,
    end: usize,
    is_spectator: bool,
}

impl Pasted {
    fn new(pasted: &str) -> Self {
        let (mut text, mut ends) = (String::with_capacity(pasted.len()), Vec::new());
        for line in lines(pasted) {
            text.push_str(line);
            ends.push(text.len());
        }
        Self { text, ends }
    }

    /// The first mark from a place on.
    fn mark(&self, from: usize) -> Option<Mark> {
        let behind = |place: usize, signs: &[&str]| {
            let text = &self.text[place..];
            signs.iter().find(|sign| text.starts_with(**sign)).map(|sign| place + sign.len())
        };
        self.text[from..].match_indices(['#', '%']).find_map(|(start, _)| {
            let start = from + start;
            let word = behind(start, &HASH)?;
            [(SEAT, false), (WATCH, true)].into_iter().find_map(|(kind, is_spectator)| {
                let end = behind(behind(word, &[kind])?, &EQUALS)?;
                Some(Mark { start, end, is_spectator })
            })
        })
    }

    /// The ticket at a place. It is whole, or is broken once: at the end of a line, or at
    /// the space that a text field makes of that. What somebody wrote behind a ticket that
    /// was cut off is not taken for its letters, as that would have to end with it.
    fn ticket(&self, at: usize) -> Option<Ticket> {
        let line = self.line(at);
        let (start, behind) = letters(line);
        if let Some(whole) = start.get(..Ticket::LENGTH) {
            return Ticket::parse(whole);
        }
        let next = match behind.chars().next() {
            None => self.line(at + line.len()),
            Some(space) if space.is_whitespace() => behind.trim_start_matches(is_quoting),
            Some(_) => return None,
        };
        let (more, _) = letters(next);
        let (end, more) = more.split_at_checked(Ticket::LENGTH - start.len())?;
        let is_end = !more.contains(|sign: char| sign.is_ascii_alphanumeric());
        is_end.then(|| Ticket::parse(&format!("{start}{end}"))).flatten()
    }

    /// The line at a place, from there on.
    fn line(&self, at: usize) -> &str {
        let end = self.ends.iter().find(|end| **end > at);
        &self.text[at..end.copied().unwrap_or(self.text.len())]
    }
}

/// The letters of tickets at the start of a text, and what stands behind them.
fn letters(text: &str) -> (&str, &str) {
    let is_other = |sign: char| !sign.is_ascii_alphanumeric() && !['-', '_', '.'].contains(&sign);
    text.split_at(text.find(is_other).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_in_every_form_and_written_as_pages() {
        let ticket = Ticket { game: GameId::random(), token: Token::random() };
        for (text, page, socket) in [
            ("https://a.b", "https://a.b/", "wss://a.b/play"),
            ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/", "ws://127.0.0.1:8000/play"),
            ("HTTPS://A.b/x/index.html?y=1", "https://a.b/x/", "wss://a.b/x/play"),
            ("ws://[::1]:80/play", "http://[::1]:80/", "ws://[::1]:80/play"),
            ("wss://a.b/x/play", "https://a.b/x/", "wss://a.b/x/play"),
        ] {
            for (kind, is_spectator) in [(SEAT, false), (WATCH, true)] {
                let link: GameLink = format!(" {text}#{kind}={ticket}\n").parse().expect(text);
                assert_eq!((link.page(), link.socket_address().as_str()), (page, socket));
                assert_eq!((link.ticket, link.is_spectator), (ticket, is_spectator));
                assert_eq!(link.to_string().parse(), Ok(link));
            }
        }
    }

    #[test]
    fn links_are_read_as_people_paste_them() {
        let text = "https://a.b/x/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
        let link: GameLink = text.parse().expect("a link");
        let (start, end) = text.split_at(40);
        for pasted in [
            format!("{text}."),
            format!("Play with me: <{text}>, now"),
            format!("\"{text}\""),
            format!("({text})\nSee you"),
            format!("> {start}\n> {end}\n>\n> Yours, A."),
            format!("{start} > {end} "),
            format!("https://a.b/\n  x/#seat={}", &text[text.len() - Ticket::LENGTH..]),
            text.replace('#', "%23").replace('=', "%3D"),
            format!("{text}&utm=1"),
            format!("{text}\nSee you"),
            format!("> {start}\n> {end}.\n> See you"),
            format!("Game #3, 100% fair: {text}"),
            format!("The rules: https://x.example/faq\n{text}"),
            format!("http://x.example/?to={}", text.replace('#', "%23")),
            format!("{text}\nwatch: {}", text.replace("seat", "watch")),
        ] {
            assert_eq!(pasted.parse().as_ref(), Ok(&link), "{pasted}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        let seat = "#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
        for (text, problem) in [
            (String::new(), LinkProblem::Scheme),
            (format!("ftp://a.b/{seat}"), LinkProblem::Scheme),
            ("http://".to_owned(), LinkProblem::Host),
            (format!("https://a b/{seat}"), LinkProblem::Host),
            (format!("https://u@a.b/{seat}"), LinkProblem::Host),
            (format!("https://a.b/#game={} and more", "x".repeat(600)), LinkProblem::NoSeat),
            (format!("https://a.b/{}", &seat[..20]), LinkProblem::Damaged),
            (format!("https://a.b/{} Yours sincerely, A.", &seat[..23]), LinkProblem::Damaged),
            (format!("https://a.b/{}\nYours sincerely", &seat[..23]), LinkProblem::Damaged),
            (format!("https://a.b/{}\nAQ AAAAAAAAAA", &seat[..29]), LinkProblem::Damaged),
            (format!("https://a.b/?c and {seat}"), LinkProblem::Damaged),
            (format!("https://a.b/ø/{seat}"), LinkProblem::Damaged),
            (format!("https://{}/{seat}", "a".repeat(600)), LinkProblem::TooLong),
        ] {
            assert_eq!(text.parse::<GameLink>(), Err(problem), "{text}");
        }
    }

    #[test]
    fn the_page_of_a_fragment_is_the_one_that_was_opened() {
        let fragment = "#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
        let page = "https://a.b/?at=https://x.example/";
        let link = GameLink::of_fragment(page, fragment).expect("a link");
        assert_eq!(link.to_string(), format!("https://a.b/{fragment}"));
        let other = GameLink::of_fragment(page, "#game=xyz");
        assert_eq!(other, Err(LinkProblem::NoSeat));
    }

    #[test]
    fn a_token_is_shown_by_nothing_but_its_link() {
        let ticket = Ticket { game: GameId::random(), token: Token::random() };
        let secret = ticket.to_string();
        let secret = secret.split_once('.').expect("two parts").1;
        let link = GameLink::new("https://a.b", ticket, false).expect("a page");
        assert!(!format!("{link:?} {:?}", ticket.token.hashed()).contains(secret));
    }
}
