//! The rules against test vectors of other programs, against properties that hold in
//! every game, and against a second, literal implementation.

mod differential;
mod literal;
#[path = "../../../../tests/common/games.rs"]
mod random_games;
mod tablaaza_properties;
mod tablaaza_vectors;
mod tablan_properties;
mod tablan_vectors;
mod tablut_properties;
mod tablut_vectors;
#[path = "../../../../tests/common/vectors.rs"]
mod vectors;
