//! The files in `assets/scenes`.
//!
//! They are part of the program. Of the page's program only those of the rooms are: it loads
//! the files of a game beside the page when the game's board is first set up.

use crate::app::scene::prelude::*;

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

#[cfg(target_arch = "wasm32")]
pub(crate) use page::is_here;
#[cfg(target_arch = "wasm32")]
pub(super) use page::{NAMES, game_file, take};

#[cfg(target_arch = "wasm32")]
mod page {
    use std::sync::OnceLock;

    use super::{GameFile, GameKind, SceneFile};

    macro_rules! name {
        ($name:literal) => {
            $name
        };
    }

    /// The names of each game's files, by [`GameFile`].
    pub(in super::super) const NAMES: [[&str; 4]; 3] = game_files!(name);

    /// The files of each game, once all have come.
    static FILES: [OnceLock<[Vec<u8>; 4]>; 3] = [const { OnceLock::new() }; 3];

    /// A file of a game; it is empty until the game's files have come.
    pub(in super::super) fn game_file(game: GameKind, file: GameFile) -> SceneFile {
        let bytes = FILES[game as usize].get().map_or(&[][..], |files| &files[file as usize]);
        SceneFile(NAMES[game as usize][file as usize], bytes)
    }

    /// Whether the files of a game have come.
    pub(crate) fn is_here(game: GameKind) -> bool {
        FILES[game as usize].get().is_some()
    }

    /// Takes the files of a game, which have come.
    pub(in super::super) fn take(game: GameKind, files: [Vec<u8>; 4]) {
        FILES[game as usize].get_or_init(|| files);
    }
}

/// The game whose board is shown, while its files are still to come. It counts as changed
/// whenever files have come.
#[derive(Resource, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AwaitedFiles(pub(super) Option<GameKind>);
