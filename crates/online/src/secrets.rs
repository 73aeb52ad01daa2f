//! The player's seats, saved so that a game can go on after a restart: for each the
//! secret of its throws, its link, and which parts of throws were given.
//!
//! A file has three lines: the secret, the seat, and what was given.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::{GameLink, Hash256, Refusal};
use tabulae_games::RuleSet;
use tabulae_session::{saves_folder, set_aside, storage};

/// A seat in a game that goes on, for a list of such games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSeat {
    /// The link, as text.
    pub link: String,
    /// The rules.
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

/// The last part of a throw that was given in a round, and under which commitments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Given {
    pub(super) round: usize,
    /// Those of the sides and the server.
    pub(super) commitments: [Hash256; 3],
    /// The number of the throw, from 1.
    pub(super) throw: usize,
    /// The hash of the plies before the throw.
    pub(super) plies: Hash256,
}

/// The secret of a seat's throws, and what was given away of it.
///
/// A part that is given twice for different throws lets others know a throw before it is
/// made, or choose it. So every part is noted before it is given, also for the time after
/// a restart.
#[derive(Clone, Debug)]
pub struct SeatSecret {
    secret: Hash256,
    /// Where it is saved; `None` saves nothing.
    path: Option<PathBuf>,
    /// What was given away, by round.
    given: Vec<Given>,
}

/// A secret that is saved nowhere.
impl From<Hash256> for SeatSecret {
    fn from(secret: Hash256) -> Self {
        Self { secret, path: None, given: Vec::new() }
    }
}

impl SeatSecret {
    /// The secret.
    pub const fn secret(&self) -> Hash256 {
        self.secret
    }

    /// The secret by which a server knows this device again on this seat.
    pub(super) fn device(&self) -> Hash256 {
        Hash256::of(&[b"tabulae device", &self.secret.0])
    }

    /// Notes that a part of a throw is given.
    ///
    /// # Errors
    /// It was given before for something else, or cannot be saved: then it must not be
    /// given.
    pub(super) fn give(&mut self, part: Given) -> Result<(), Refusal> {
        if let Some(path) = &self.path {
            // Another program on this machine may have the same seat open.
            let file = read(path).map_err(|error| Refusal::NotSaved(error.to_string()))?;
            self.given = file.map_or(Vec::new(), |file| file.given);
        }
        let place = self.given.iter().position(|given| given.round == part.round);
        match place.map(|place| &mut self.given[place]) {
            Some(last) if *last == part => return Ok(()),
            Some(last) if last.commitments == part.commitments && last.throw < part.throw => {
                *last = part;
            }
            Some(_) => return Err(Refusal::ThrowsKnown),
            None => self.given.push(part),
        }
        let Some(path) = &self.path else { return Ok(()) };
        let written = change(path, self.secret, |file| file.given.clone_from(&self.given));
        written.map_err(|error| Refusal::NotSaved(error.to_string()))
    }
}

/// The folder that keeps the player's seats; the default keeps their secrets in memory, so
/// that a player who has left a game gets his seat again while the program runs.
#[derive(Clone, Debug, Default)]
pub struct SeatStore {
    folder: Option<PathBuf>,
    /// The secrets of links, where there is no folder.
    in_memory: Arc<Mutex<HashMap<String, Hash256>>>,
}

impl SeatStore {
    /// This user's seats, beside the saved games.
    pub fn of_user() -> Self {
        let folder = saves_folder().map(|folder| folder.join("online"));
        Self { folder, ..Self::default() }
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
    /// store.save(&link, secret.secret(), &seat)?;
    /// assert_eq!(store.secret(&link)?.secret(), secret.secret());
    /// assert_eq!(store.seats(), [seat]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..Self::default() }
    }

    /// The secret of the seat of a link: the one that is saved, or else a new one,
    /// which is then saved. A damaged file is renamed first.
    ///
    /// # Errors
    /// The file cannot be read, or a new secret cannot be saved.
    pub fn secret(&self, link: &GameLink) -> io::Result<SeatSecret> {
        let Some(path) = self.path(link) else {
            let mut kept = self.in_memory.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok((*kept.entry(link.to_string()).or_insert_with(Hash256::random)).into());
        };
        if let Some(SeatFile { secret, given, .. }) = read(&path)? {
            return Ok(SeatSecret { secret, path: Some(path), given });
        }
        if storage::exists(&path) {
            _ = set_aside(&path)?;
        }
        let secret = Hash256::random();
        change(&path, secret, |_| ())?;
        Ok(SeatSecret { secret, path: Some(path), given: Vec::new() })
    }

    /// Saves a seat beside its secret, in place of what was saved of it before.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, link: &GameLink, secret: Hash256, seat: &SavedSeat) -> io::Result<()> {
        let Some(path) = self.path(link) else { return Ok(()) };
        change(&path, secret, |file| file.seat = Some(seat.clone()))
    }

    /// The links of the game of a link, if it was created here.
    pub fn links(&self, link: &GameLink) -> Option<[GameLink; 3]> {
        let [first, second, watch] = read_seat(&self.path(link)?)?.links?;
        Some([first.parse().ok()?, second.parse().ok()?, watch.parse().ok()?])
    }

    /// The seats in games that go on, the latest first. What cannot be read is skipped.
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

/// What the file of a seat holds.
struct SeatFile {
    secret: Hash256,
    seat: Option<SavedSeat>,
    given: Vec<Given>,
}

impl SeatFile {
    fn parse(file: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(file).ok()?.lines();
        let secret = Hash256::parse(lines.next()?.trim())?;
        let seat = lines.next().and_then(|line| serde_json::from_str(line).ok());
        // A line that is damaged may hide what was given.
        let given =
            lines.next().map_or(Some(Vec::new()), |line| serde_json::from_str(line).ok())?;
        Some(Self { secret, seat, given })
    }
}

/// The file of a seat; `None` if there is none, or a damaged one.
fn read(path: &Path) -> io::Result<Option<SeatFile>> {
    Ok(storage::read_if_there(path)?.and_then(|bytes| SeatFile::parse(&bytes)))
}

/// Changes the file of a seat with this secret; a new one is made.
fn change(path: &Path, secret: Hash256, what: impl FnOnce(&mut SeatFile)) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        storage::create_dir_all(folder)?;
    }
    let kept = read(path)?.filter(|file| file.secret == secret);
    let mut file = kept.unwrap_or(SeatFile { secret, seat: None, given: Vec::new() });
    what(&mut file);
    let seat = file.seat.and_then(|seat| serde_json::to_string(&seat).ok()).unwrap_or_default();
    let given = serde_json::to_string(&file.given).unwrap_or_default();
    let text = format!("{secret}\n{seat}\n{given}\n");
    storage::replace_private(path, ".new", text.as_bytes())
}

fn read_seat(path: &Path) -> Option<SavedSeat> {
    read(path).ok()??.seat
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn without_a_folder_a_seat_keeps_its_secret_while_the_program_runs() {
        let store = SeatStore::default();
        let [one, other] = ["AAAAAAAAAAAA", "BAAAAAAAAAAA"].map(|game| {
            let link = format!("https://play.example/#seat={game}.AAAAAAAAAAAAAAAAAAAAAA");
            link.parse::<GameLink>().expect("a link")
        });
        let secret = |store: &SeatStore, link| store.secret(link).expect("a secret").secret();
        assert_eq!(secret(&store, &one), secret(&store.clone(), &one));
        assert_ne!(secret(&store, &one), secret(&store, &other));
    }

    #[test]
    fn a_damaged_seat_is_set_aside_and_a_foreign_folder_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SeatStore::in_folder(folder.path());
        let link: GameLink = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA"
            .parse()
            .expect("a link");
        let secret = store.secret(&link).expect("saved").secret();
        let path = store.path(&link).expect("a path");
        let whole = fs::read(&path).expect("saved");
        fs::write(&path, "damaged").expect("written");
        assert_ne!(store.secret(&link).expect("a new one").secret(), secret);
        let names = fs::read_dir(folder.path()).expect("a folder");
        let aside = names
            .flatten()
            .find(|name| name.file_name().to_string_lossy().contains("damaged"))
            .expect("the damaged file");
        assert_eq!(fs::read(aside.path()).expect("readable"), b"damaged");
        // What cannot be read is not replaced.
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder in its place");
        store.secret(&link).expect_err("not a file");
        assert!(path.is_dir());
        fs::remove_dir(&path).expect("removed");
        fs::write(&path, whole).expect("written");
        assert_eq!(store.secret(&link).expect("saved").secret(), secret);
    }

    #[test]
    fn a_part_is_given_once_in_any_program_and_after_any_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SeatStore::in_folder(folder.path());
        let text = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
        let link: GameLink = text.parse().expect("a link");
        let hash = |number| Hash256([number; 32]);
        let part = |commitments: [u8; 3], throw, plies| Given {
            round: 0,
            commitments: commitments.map(hash),
            throw,
            plies: hash(plies),
        };
        let mut one = store.secret(&link).expect("saved");
        let mut two = store.secret(&link).expect("saved");
        assert_eq!(one.give(part([1, 2, 3], 1, 0)), Ok(()));
        assert_eq!(two.give(part([1, 2, 3], 1, 0)), Ok(()), "the same throw again");
        assert_eq!(two.give(part([1, 2, 4], 1, 0)), Err(Refusal::ThrowsKnown));
        assert_eq!(two.give(part([1, 2, 4], 2, 0)), Err(Refusal::ThrowsKnown));
        assert_eq!(two.give(part([1, 2, 3], 1, 9)), Err(Refusal::ThrowsKnown), "other plies");
        assert_eq!(two.give(part([1, 2, 3], 5, 0)), Ok(()));
        assert_eq!(one.give(part([1, 2, 3], 4, 0)), Err(Refusal::ThrowsKnown), "an earlier throw");
        let seat = SavedSeat {
            link: text.to_owned(),
            rules: RuleSet::Tablan,
            opponent: String::new(),
            is_over: false,
            links: None,
        };
        store.save(&link, one.secret(), &seat).expect("saved");
        let mut again = store.secret(&link).expect("saved");
        assert_eq!(again.give(part([1, 2, 3], 4, 0)), Err(Refusal::ThrowsKnown));
        assert_eq!(again.give(Given { round: 1, ..part([5, 6, 7], 1, 0) }), Ok(()));
        fs::remove_dir_all(folder.path()).expect("removed");
        fs::write(folder.path(), "").expect("a file in its place");
        let refused = again.give(part([1, 2, 3], 6, 0));
        assert!(matches!(refused, Err(Refusal::NotSaved(_))), "{refused:?}");
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
            .map(|ticket| format!("https://play.example/#{ticket}.AAAAAAAAAAAAAAAAAAAAAA"));
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
        let found = store.links(&own).expect("saved").map(|link| link.to_string());
        assert_eq!(found, links);
        assert_eq!(store.secret(&own).expect("saved").secret(), Hash256([1; 32]));
    }
}
