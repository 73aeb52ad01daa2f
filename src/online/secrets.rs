//! The secrets of the player's seats, kept so that a game can go on after a restart.

use std::{io, path::PathBuf};

use super::{GameLink, Hash256};
use crate::table::{saves_folder, storage};

/// The secret of the seat of a link: the one kept on this machine, or else a new one,
/// which is then kept.
///
/// # Errors
/// A new secret cannot be kept.
pub fn seat_secret(link: &GameLink) -> io::Result<Hash256> {
    let Some(path) = path(link) else { return Ok(Hash256::random()) };
    if let Ok(bytes) = storage::read(&path)
        && let Some(secret) =
            std::str::from_utf8(&bytes).ok().and_then(|it| Hash256::parse(it.trim()))
    {
        return Ok(secret);
    }
    let secret = Hash256::random();
    if let Some(folder) = path.parent() {
        storage::create_dir_all(folder)?;
    }
    storage::replace(&path, ".new", format!("{secret}\n").as_bytes())?;
    Ok(secret)
}

/// Both seats of a game can be played on the same machine, so the file is named by the
/// token's hash.
fn path(link: &GameLink) -> Option<PathBuf> {
    let seat = link.ticket.token.hashed().hashed().to_string();
    Some(saves_folder()?.join("online").join(seat.get(..22)?))
}
