//! A game in progress, played and annotated from outside.

mod full_rules;
#[path = "../../../../tests/common/games.rs"]
mod random_games;
mod table;
mod variations;
