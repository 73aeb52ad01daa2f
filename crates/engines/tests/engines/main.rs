//! The engines as their users see them: legal and strong answers, the same ones for the
//! same limits, proofs, and what they report while they search.

mod golden;
mod multi_pv;
mod search;
mod strength;
mod tablaaza_proven_game;
mod tablaaza_solver;
mod tablan_engine;
mod tablan_yardsticks;
mod tablut_wins;
#[path = "../../../../tests/common/vectors.rs"]
mod vectors;
mod win_share;
mod worker;
