//! The player's seats, saved so that a game can go on after a restart: for each the
//! secret of its throws, and its link.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{GameLink, Hash256, message::as_text};
use tabulae_games::RuleSet;
use tabulae_session::{saves_folder, set_aside, storage};

/// A seat in a game that goes on, for a list of such games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSeat {
    /// The link, as text.
    pub link: String,
    /// The rules.
    #[serde(with = "as_text")]
    pub rules: RuleSet,
    /// The other player's name; empty for a guest.
    pub opponent: String,
    /// Whether the game has ended.
    pub is_over: bool,
    /// The links of a game that was created here, as text: the first side's, the second
    /// side's, and the spectators'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<[String; 3]>,
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
    /// use tabulae_games::RuleSet;
    /// use tabulae_online::{GameLink, SavedSeat, SeatStore};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = SeatStore::in_folder(folder.path());
    /// let text = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
    /// let link: GameLink = text.parse()?;
    /// let secret = store.secret(&link)?;
    /// let (rules, opponent) = (RuleSet::Tablan, "Aili".to_owned());
    /// let link_text = text.to_owned();
    /// let seat = SavedSeat { link: link_text, rules, opponent, is_over: false, links: None };
    /// store.save(&link, secret, &seat)?;
    /// assert_eq!(store.secret(&link)?, secret);
    /// assert_eq!(store.seats(), [seat]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// The secret of the seat of a link: the one that is saved, or else a new one,
    /// which is then saved. A damaged file is renamed first.
    ///
    /// # Errors
    /// The file cannot be read, or a new secret cannot be saved.
    pub fn secret(&self, link: &GameLink) -> io::Result<Hash256> {
        let Some(path) = self.path(link) else { return Ok(Hash256::random()) };
        if let Some(bytes) = storage::read_if_there(&path)? {
            match secret(&bytes) {
                Some(secret) => return Ok(secret),
                None => _ = set_aside(&path)?,
            }
        }
        let secret = Hash256::random();
        write(&path, &format!("{secret}\n"))?;
        Ok(secret)
    }

    /// Saves a seat beside its secret, in place of what was saved of it before.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, link: &GameLink, secret: Hash256, seat: &SavedSeat) -> io::Result<()> {
        let Some(path) = self.path(link) else { return Ok(()) };
        let seat = serde_json::to_string(seat).unwrap_or_default();
        write(&path, &format!("{secret}\n{seat}\n"))
    }

    /// The links of the game of a link, if it was created here.
    #[must_use]
    pub fn links(&self, link: &GameLink) -> Option<[GameLink; 3]> {
        let [first, second, watch] = read_seat(&self.path(link)?)?.links?;
        Some([first.parse().ok()?, second.parse().ok()?, watch.parse().ok()?])
    }

    /// The seats in games that go on, the latest first. What cannot be read is skipped.
    #[must_use]
    pub fn seats(&self) -> Vec<SavedSeat> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let mut files = storage::files(folder);
        files.sort_by(|a, b| b.cmp(a));
        let seats = files.iter().filter_map(|(_, path)| read_seat(path));
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

fn read_seat(path: &Path) -> Option<SavedSeat> {
    let text = String::from_utf8(storage::read(path).ok()?).ok()?;
    serde_json::from_str(text.lines().nth(1)?).ok()
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        storage::create_dir_all(folder)?;
    }
    storage::replace_private(path, ".new", text.as_bytes())
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_damaged_seat_is_set_aside_and_a_foreign_folder_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SeatStore::in_folder(folder.path());
        let link: GameLink = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA"
            .parse()
            .expect("a link");
        let secret = store.secret(&link).expect("saved");
        let path = store.path(&link).expect("a path");
        let whole = fs::read(&path).expect("saved");
        fs::write(&path, "damaged").expect("written");
        assert_ne!(store.secret(&link).expect("a new one"), secret);
        let names = fs::read_dir(folder.path()).expect("a folder");
        let aside = names
            .flatten()
            .find(|it| it.file_name().to_string_lossy().contains("damaged"))
            .expect("the damaged file");
        assert_eq!(fs::read(aside.path()).expect("readable"), b"damaged");
        // What cannot be read is not replaced.
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder in its place");
        store.secret(&link).expect_err("not a file");
        assert!(path.is_dir());
        fs::remove_dir(&path).expect("removed");
        fs::write(&path, whole).expect("written");
        assert_eq!(store.secret(&link).expect("saved"), secret);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_a_seat() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().expect("a folder");
        let store = SeatStore::in_folder(folder.path());
        let text = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
        let link: GameLink = text.parse().expect("a link");
        store.secret(&link).expect("saved");
        let path = store.path(&link).expect("a path");
        let mode = path.metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn the_links_of_a_created_game_are_saved_with_its_seat() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SeatStore::in_folder(folder.path());
        let links = ["seat=AAAAAAAAAAAA", "seat=BBBBBBBBBBBB", "watch=CCCCCCCCCCCC"]
            .map(|it| format!("https://play.example/#{it}.AAAAAAAAAAAAAAAAAAAAAA"));
        let own: GameLink = links[0].parse().expect("a link");
        assert_eq!(store.links(&own), None);
        let seat = SavedSeat {
            link: links[0].clone(),
            rules: RuleSet::Tablaaza,
            opponent: String::new(),
            is_over: false,
            links: Some(links.clone()),
        };
        store.save(&own, Hash256([1; 32]), &seat).expect("saved");
        let found = store.links(&own).expect("saved").map(|it| it.to_string());
        assert_eq!(found, links);
        assert_eq!(store.secret(&own).expect("saved"), Hash256([1; 32]));
    }
}
