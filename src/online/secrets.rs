//! The player's seats, kept so that a game can go on after a restart: for each the
//! secret of its throws, and its link.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{GameLink, Hash256, message::as_text};
use crate::{
    games::RuleSet,
    table::{saves_folder, storage},
};

/// A seat in a game that goes on, for a list of such games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSeat {
    /// The link, as text.
    pub link: String,
    /// The rules.
    #[serde(with = "as_text")]
    pub rules: RuleSet,
    /// The other player's name; empty for a guest.
    pub opponent: String,
    /// Whether the game has ended.
    pub is_over: bool,
}

/// The folder that keeps the player's seats; the default keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct SeatStore {
    folder: Option<PathBuf>,
}

impl SeatStore {
    /// This user's seats, beside the saved games.
    #[must_use]
    pub fn of_user() -> Self {
        Self { folder: saves_folder().map(|it| it.join("online")) }
    }

    /// The seats in a folder.
    ///
    /// ```
    /// use tabulae::{games::RuleSet, online::{GameLink, KeptSeat, SeatStore}};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = SeatStore::in_folder(folder.path());
    /// let text = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
    /// let link: GameLink = text.parse()?;
    /// let secret = store.secret(&link)?;
    /// let (rules, opponent) = (RuleSet::Tablan, "Aili".to_owned());
    /// let seat = KeptSeat { link: text.to_owned(), rules, opponent, is_over: false };
    /// store.keep(&link, &seat)?;
    /// assert_eq!(store.secret(&link)?, secret);
    /// assert_eq!(store.seats(), [seat]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// The secret of the seat of a link: the one that is kept, or else a new one,
    /// which is then kept.
    ///
    /// # Errors
    /// A new secret cannot be kept.
    pub fn secret(&self, link: &GameLink) -> io::Result<Hash256> {
        let Some(path) = self.path(link) else { return Ok(Hash256::random()) };
        if let Ok(bytes) = storage::read(&path)
            && let Some(secret) = secret(&bytes)
        {
            return Ok(secret);
        }
        let secret = Hash256::random();
        write(&path, &format!("{secret}\n"))?;
        Ok(secret)
    }

    /// Keeps a seat beside its secret, in place of what was kept of it before.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, link: &GameLink, seat: &KeptSeat) -> io::Result<()> {
        let Some(path) = self.path(link) else { return Ok(()) };
        let secret = self.secret(link)?;
        let seat = serde_json::to_string(seat).unwrap_or_default();
        write(&path, &format!("{secret}\n{seat}\n"))
    }

    /// The seats in games that go on, the latest first. What cannot be read is skipped.
    #[must_use]
    pub fn seats(&self) -> Vec<KeptSeat> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let mut files = storage::files(folder);
        files.sort_by(|a, b| b.cmp(a));
        let read = |path: &Path| {
            let text = String::from_utf8(storage::read(path).ok()?).ok()?;
            serde_json::from_str::<KeptSeat>(text.lines().nth(1)?).ok()
        };
        let seats = files.iter().filter_map(|(_, path)| read(path));
        seats.filter(|seat| !seat.is_over && seat.link.parse::<GameLink>().is_ok()).collect()
    }

    /// Both seats of a game can be played on the same machine, so the file is named by
    /// the token's hash.
    fn path(&self, link: &GameLink) -> Option<PathBuf> {
        let seat = link.ticket.token.hashed().hashed().to_string();
        Some(self.folder.as_ref()?.join(seat.get(..22)?))
    }
}

fn secret(file: &[u8]) -> Option<Hash256> {
    Hash256::parse(std::str::from_utf8(file).ok()?.lines().next()?.trim())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        storage::create_dir_all(folder)?;
    }
    storage::replace(path, ".new", text.as_bytes())
}
