//! The local storage of the page's origin, in place of files.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};
use web_sys::{Blob, HtmlAnchorElement, Storage, Url};

use crate::i18n::{Language, tr};

/// The prefix of every key, since several programs may share an origin.
const PREFIX: &str = "tabulae:";
/// The folder of files that the user opened.
const OPENED: &str = "/opened";
/// The folder of files that the user saves; each becomes a download.
const SAVED: &str = "Downloads";

thread_local! {
    static FILES: RefCell<BTreeMap<PathBuf, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Where this user's files are.
pub struct UserPaths {
    /// The folder of games.
    pub games: PathBuf,
    /// The settings file.
    pub settings: PathBuf,
}

/// This user's games and settings.
pub fn user_paths() -> Option<UserPaths> {
    Some(UserPaths { games: PathBuf::from("/games"), settings: PathBuf::from("/settings.toml") })
}

/// The language of the browser, if the program has its texts.
pub fn language() -> Option<Language> {
    Language::from_locale(&web_sys::window()?.navigator().language()?)
}

/// Whether the user asked the browser for reduced motion.
pub fn prefers_reduced_motion() -> bool {
    let asked = || web_sys::window()?.match_media("(prefers-reduced-motion: reduce)").ok()?;
    asked().is_some_and(|query| query.matches())
}

/// The time by the browser's clock.
pub fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs_f64(js_sys::Date::now() / 1000.0)
}

/// A number that no other page has.
pub fn process_number() -> u32 {
    thread_local! {
        static NUMBER: u32 = rand::random();
    }
    NUMBER.with(|number| *number)
}

/// The path of a file that the user saves by this name.
pub fn download_path(name: &str) -> PathBuf {
    Path::new(SAVED).join(name)
}

/// Keeps a file that the user opened and returns the path to read it from.
pub fn opened(name: &str, content: Vec<u8>) -> PathBuf {
    let path = Path::new(OPENED).join(name.replace('/', "-"));
    FILES.with_borrow_mut(|files| files.insert(path.clone(), content));
    path
}

fn storage() -> io::Result<Storage> {
    let found = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    found.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, tr("files.no-storage")))
}

fn key(path: &Path) -> String {
    format!("{PREFIX}{}", path.display())
}

/// The time an entry was written and its text. An entry is the milliseconds
/// since 1970, a space and the text.
fn stored(path: &Path) -> io::Result<Option<(SystemTime, String)>> {
    let value = storage()?.get_item(&key(path)).ok().flatten();
    Ok(value.and_then(|value| {
        let (time, text) = value.split_once(' ')?;
        let time = UNIX_EPOCH.checked_add(Duration::from_millis(time.parse().ok()?))?;
        Some((time, text.to_owned()))
    }))
}

/// Reads a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if let Some(content) = FILES.with_borrow(|files| files.get(path).cloned()) {
        return Ok(content);
    }
    stored(path)?.map(|(_, text)| text.into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Sleeps; returns whether the platform can. A page cannot, and need not: its
/// locks end with it.
pub fn pause() -> bool {
    false
}

/// The size of a file in bytes.
///
/// # Errors
/// The system's, if there is no such file.
pub fn size(path: &Path) -> io::Result<u64> {
    read(path).map(|content| content.len() as u64)
}

/// Whether `path` is a file.
pub fn is_file(path: &Path) -> bool {
    read(path).is_ok()
}

/// Whether `path` exists.
pub fn exists(path: &Path) -> bool {
    is_file(path)
}

/// Does nothing: keys need no folders.
pub fn create_dir_all(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// The files in a folder with the times at which they were last written.
pub fn files(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let Ok(storage) = storage() else { return Vec::new() };
    let keys = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
    let paths = keys.filter_map(|key| key.strip_prefix(PREFIX).map(PathBuf::from));
    let here = paths.filter(|path| path.parent() == Some(folder));
    here.filter_map(|path| Some((stored(&path).ok()??.0, path))).collect()
}

/// The same as [`replace`]: the browser decides when it writes.
pub fn replace_unsynced(path: &Path, suffix: &str, content: &[u8]) -> io::Result<()> {
    replace(path, suffix, content)
}

/// Replaces a file. The storage writes every entry whole.
pub fn replace(path: &Path, _suffix: &str, content: &[u8]) -> io::Result<()> {
    if path.starts_with(SAVED) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        return download(&name, content).map_err(|_| io::Error::other(tr("files.no-download")));
    }
    let text = str::from_utf8(content).map_err(io::Error::other)?;
    let since = now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let value = format!("{} {text}", since.as_millis());
    let full = |_| io::Error::new(io::ErrorKind::StorageFull, tr("files.storage-full"));
    storage()?.set_item(&key(path), &value).map_err(full)
}

/// The same as [`replace`]: the storage is this origin's alone.
pub fn replace_private(path: &Path, suffix: &str, content: &[u8]) -> io::Result<()> {
    replace(path, suffix, content)
}

/// Adds a line to a file.
pub fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let before = stored(path)?.map(|(_, text)| text).unwrap_or_default();
    replace(path, "", format!("{before}{line}\n").as_bytes())
}

/// Moves a file.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    replace(to, "", &read(from)?)?;
    FILES.with_borrow_mut(|files| files.remove(from));
    // An entry that is already gone is no error.
    _ = storage()?.remove_item(&key(from));
    Ok(())
}

/// Offers the user a file as a download.
fn download(name: &str, content: &[u8]) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    let parts = Array::of1(&Uint8Array::from(content));
    let address = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&address)
}

/// An exclusive lock on a file, held by this page until it is dropped.
///
/// Browsers grant locks asynchronously. Until the answer comes the lock counts
/// as granted, unless another page was known to hold it.
#[derive(Debug)]
pub struct Lock(u32);

impl Lock {
    /// Locks the file at `path`; `None` while another page holds the lock.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let number = take(&path.to_string_lossy());
        Ok((number != 0).then_some(Self(number)))
    }

    /// Deletes the locked file.
    pub fn remove(self, path: &Path) -> io::Result<()> {
        FILES.with_borrow_mut(|files| files.remove(path));
        storage()?.remove_item(&key(path)).map_err(|_| io::Error::other(tr("files.no-storage")))
    }

    /// Whether another page turned out to hold the lock.
    pub fn is_lost(&self) -> bool {
        is_lost(self.0)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        release(self.0);
    }
}

#[wasm_bindgen(module = "/web/locks.js")]
extern "C" {
    /// Asks which files other pages have locked. Await it before the first
    /// [`Lock::take`].
    pub async fn look();
    fn take(name: &str) -> u32;
    #[wasm_bindgen(js_name = isLost)]
    fn is_lost(number: u32) -> bool;
    fn release(number: u32);
}
