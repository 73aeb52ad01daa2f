//! Games as text: `.tab` records in and out, and other programs' logs in.
//!
//! A [`Record`] is a game with everything said about it. [`read`] reads one or
//! several games, strictly by the rules and leniently about white space, line
//! ends and move numbers; `Display` writes what [`read`] reads back equal.
//! [`import`] reads the records of other programs.
//!
//! ```
//! # let text = r#"
//! [Rules "tablut/ashton"]
//! [Date "2026.11.20"]
//! [White "Aili"]
//! [Black "Master"]
//! [Result "*"]
//!
//! 1. e4-f4 d1-d4 {a quiet start} 2. e3-f3 *
//! # "#;
//! # let records = tabulae::records::read(text).unwrap();
//! # assert_eq!(records[0].comments(2), ["a quiet start"]);
//! ```
//!
//! # The form
//! - **Tags**, `[Name "value"]`. Inside a value `\"` `\\` `\n` `\r` `\t` stand
//!   for the character. `Rules` must be there; one tag per side is named as the
//!   side; `Seed` is the number the sticks were drawn by; `Position` is there
//!   when the game did not begin at the usual start (Tablan with North throwing
//!   first among them); tags of other names are kept.
//! - **Plies**: moves as the rules' notation has them, and throws `t0` to `t4`.
//!   Numbers (`12.` `12...`) are for people and are skipped. Tablut and
//!   Tablaaza number a pair of moves, as chess does; Tablan numbers a turn: all
//!   throws and moves of one player until the sticks pass on.
//! - **Comments**, `{...}`, over several lines if need be, and from `;` to the
//!   end of a line. A comment belongs to the position it stands behind. Inside
//!   braces `\}` is a brace and `\\` a backslash; any other backslash is itself.
//! - **The result**, `1-0` (the first side won), `0-1`, `1/2-1/2` or `*`. When
//!   the rules have ended the game, the result, the `Result` tag and the
//!   `Termination` tag must say the same as the rules. When they have not, a
//!   result needs a `Termination` tag that says why (`resignation`).
//!
//! Architecture invariant: text only. Whoever holds a path reads the file and
//! tells the error its name ([`RecordError::in_file`]).

mod error;
pub mod import;
pub mod link;
mod read;
mod record;
mod scan;
mod write;

pub use error::RecordError;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use error::on_one_line;
pub use import::read_any;
pub use read::{read, read_bytes};
pub use record::{GameResult, Record};
