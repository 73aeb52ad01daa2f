//! A game in progress, played and annotated from outside.

#[path = "../../../../tests/common/games.rs"]
mod random_games;
mod table;
mod variations;
