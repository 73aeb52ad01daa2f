//! Records and other formats of games, read and written.

mod course_files;
mod long_records;
#[path = "../../../../tests/common/games.rs"]
mod random_games;
mod samples;
