//! Game records: reading and writing `.tab` text, and importing other programs'
//! logs.
//!
//! A [`Record`] is a game with its tags, variations and comments. [`read`] parses one or several
//! games, strictly by the rules but leniently about white space, line ends and move
//! numbers. `Display` writes a text that [`read`] parses back equal. [`import`]
//! parses the records of other programs.
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
//! # let records = tabulae_records::read(text).unwrap();
//! # assert_eq!(records[0].comments(2), ["a quiet start"]);
//! ```
//!
//! # The format
//! - **Tags**, `[Name "value"]`. Inside a value `\"` `\\` `\n` `\r` `\t` stand
//!   for the character. `Rules` is required. Each side has a tag with its name, for
//!   the player. `Seed` is the seed of the throws. `Position` is there if the game
//!   did not begin at the usual start (for example Tablan with North throwing
//!   first). Other tags are kept.
//! - **Plies**: moves in the rules' notation, and throws `t0` to `t4`. Numbers
//!   (`12.` `12...`) are for people and are skipped. Tablut and
//!   Tablaaza number a pair of moves, as chess does; Tablan numbers a turn: all
//!   throws and moves of one player until the sticks pass on.
//! - **Comments**: `{...}`, also over several lines, and from `;` to the end of a
//!   line. A comment belongs to the position before it. Inside
//!   braces `\}` is a brace and `\\` a backslash; any other backslash is itself.
//!   The commands `[%csl Ge4,Rd5]` and `[%cal Ge4f4]` in a comment draw circles and
//!   arrows ([`Shape`]).
//! - **Glyphs**: `!`, `?`, `!!`, `??`, `!?` and `?!` behind a ply, and `$0` to `$255`
//!   ([`Glyph`]). `R!`, `T!` and `#`, which the list of moves shows for Raichi,
//!   Tuichi and the end, are read too if they are right.
//! - **Variations**, in parentheses behind the ply that they replace and its
//!   comments, also inside one another. A comment behind the opening parenthesis
//!   stands before its first ply. A variation has no result.
//! - **The result**, `1-0` (the first side won), `0-1`, `1/2-1/2` or `*`. When
//!   the rules have ended the game, the result, the `Result` tag and the
//!   `Termination` tag must agree with the rules. Otherwise the `Termination` tag has
//!   the reason (`resignation`), if it is known.
//! - **Skipped**: lines that begin with `%`, as in PGN.
//!
//! Architecture invariant: text only. The caller reads the file and adds its path
//! to errors ([`RecordError::in_file`]).

mod annotation;
mod error;
pub mod import;
pub mod link;
mod movetext;
pub mod opentafl;
pub mod pasted;
mod read;
pub mod reasons;
mod record;
mod scan;
mod tree;
mod write;

pub use annotation::{Annotation, Glyph, Shape, ShapeColor};
pub use error::RecordError;
pub use error::on_one_line;
pub use import::{read_any, read_bytes, read_games};
pub use read::read;
pub use record::{GameResult, Record};
pub use tree::{GameTree, NodeId};
