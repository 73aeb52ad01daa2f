//! The 3D table: everything seen, heard and clicked.
//!
//! One plugin per folder. Nothing here decides what is legal: acts go to the
//! [`referee`], which asks the rules; the scene is handed what happened.

pub mod acts;
mod animation;
mod board;
mod camera;
mod input;
mod look;
mod panels;
mod pieces;
pub mod referee;
pub mod render;
mod replay;
pub mod stage;
mod sticks;
