//! The files in `assets/scenes`.
//!
//! They are part of the program. Of the page's program only those of the rooms are: it loads
//! the files of a game beside the page when the game's board is first set up.

use crate::app::core::prelude::*;

#[cfg(target_arch = "wasm32")]
pub(super) use super::page_files::game_file;
#[cfg(target_arch = "wasm32")]
pub(crate) use super::page_files::is_here;

/// A file of `assets/scenes`.
#[derive(Clone, Copy)]
pub(super) struct SceneFile(pub(super) &'static str, pub(super) &'static [u8]);

/// The file of this name.
macro_rules! scene_file {
    ($name:literal) => {
        SceneFile(
            $name,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/", $name)),
        )
    };
}
pub(super) use scene_file;

/// A file of `assets/scenes` that cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("assets/scenes/{file} is damaged: {problem}")]
pub(crate) struct DamagedFile {
    pub(super) file: &'static str,
    pub(super) problem: String,
}

impl SceneFile {
    /// The error that something is wrong with it.
    pub(super) fn damaged(self, problem: impl ToString) -> DamagedFile {
        DamagedFile { file: self.0, problem: problem.to_string() }
    }
}

/// The files that each game has.
#[derive(Clone, Copy)]
pub(super) enum GameFile {
    /// The models of the board and the pieces.
    Model,
    /// The picture of the board.
    Board,
    /// The picture of the cloth.
    Cloth,
    /// The shadows of the pieces.
    Shadows,
}

/// Calls a macro with the name of each [`GameFile`] of each game.
macro_rules! game_files {
    ($file:ident) => {
        [
            [
                $file!("tablut.glb"),
                $file!("tablut_board.webp"),
                $file!("tablut_cloth.webp"),
                $file!("tablut_shadows.png"),
            ],
            [
                $file!("tablan.glb"),
                $file!("tablan_board.webp"),
                $file!("tablan_cloth.webp"),
                $file!("tablan_shadows.png"),
            ],
            [
                $file!("tablaaza.glb"),
                $file!("tablaaza_board.webp"),
                $file!("tablaaza_cloth.webp"),
                $file!("tablaaza_shadows.png"),
            ],
        ]
    };
}
#[cfg(target_arch = "wasm32")]
pub(super) use game_files;

/// A file of a game.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn game_file(game: GameKind, file: GameFile) -> SceneFile {
    game_files!(scene_file)[game as usize][file as usize]
}

/// Whether the files of a game can be read.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn is_here(_: GameKind) -> bool {
    true
}

/// The game whose board is shown, while its files are still to come. It counts as changed
/// whenever files have come.
#[derive(Resource, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AwaitedFiles(pub(super) Option<GameKind>);
