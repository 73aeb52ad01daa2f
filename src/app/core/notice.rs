//! Notices to the player, which follow a change of the language.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use crate::i18n::LocalizedMessage;

/// A text that can be translated again after the language has changed, where
/// it was made from a [`LocalizedMessage`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocalizedText {
    text: String,
    message: Option<LocalizedMessage>,
}

impl LocalizedText {
    /// The text, in the language in which it was made.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The same text in the current language.
    pub(crate) fn relocalized(&self) -> Self {
        self.message.clone().map_or_else(|| self.clone(), Self::from)
    }

    /// Both texts, one after the other; translatable where both are.
    fn joined_with(self, other: Self) -> Self {
        match (self.message, other.message) {
            (Some(one), Some(other)) => LocalizedMessage::new("notice.both")
                .with_message("one", one)
                .with_message("other", other)
                .into(),
            _ => format!("{} {}", self.text, other.text).into(),
        }
    }
}

impl From<LocalizedMessage> for LocalizedText {
    fn from(message: LocalizedMessage) -> Self {
        Self { text: message.localized(), message: Some(message) }
    }
}

/// A text that is the same in every language: a name, another program's output.
impl From<String> for LocalizedText {
    fn from(text: String) -> Self {
        Self { text, message: None }
    }
}

/// A notice to the player: something was done, or went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    /// Whether it answers the last attempt to play: the next ply of either side
    /// removes it, and the next click too.
    pub is_refusal: bool,
    /// The file that it names shortly, in full.
    pub(crate) file: Option<String>,
    localized: LocalizedText,
}

impl Notice {
    pub(crate) fn new(text: impl Into<LocalizedText>, is_error: bool) -> Self {
        let localized = text.into();
        Self { text: localized.text.clone(), is_error, is_refusal: false, file: None, localized }
    }

    /// Something the player asked for in the game is not possible. It is no error.
    pub(crate) fn refusal(text: impl Into<LocalizedText>) -> Self {
        Self { is_refusal: true, ..Self::new(text, false) }
    }

    /// Both texts in one notice, which is an error if either is.
    pub(crate) fn joined_with(self, other: Self) -> Self {
        Self::new(self.localized.joined_with(other.localized), self.is_error || other.is_error)
    }

    /// Whether it is the same notice, perhaps in another language.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        let same_message =
            self.localized.message.is_some() && self.localized.message == other.localized.message;
        self == other || same_message
    }

    /// The same notice in the current language.
    pub(crate) fn relocalized(&self) -> Self {
        let text = self.localized.relocalized();
        let (is_refusal, file) = (self.is_refusal, self.file.clone());
        Self { is_refusal, file, ..Self::new(text, self.is_error) }
    }
}

/// The notice that the player sees.
#[derive(Resource, Clone, Debug, Default)]
pub struct Notices {
    /// The last one; none once it is answered.
    pub shown: Option<Notice>,
    /// How many were set; it tells a notice that is set again from the same one left
    /// standing.
    pub(crate) count: u64,
}

impl Notices {
    /// Shows a notice in place of the last one.
    pub(crate) fn set(&mut self, notice: Notice) {
        self.shown = Some(notice);
        self.count += 1;
    }

    /// Puts the notice away: it does not concern what is shown now.
    pub(crate) fn clear(&mut self) {
        self.shown = None;
    }
}

/// Shows a notice to the player at the end of the frame
/// ([`AppSet::Notify`](super::schedule::AppSet::Notify)), or at the end of the next
/// one if sent later. Several notices of one frame are joined.
#[derive(Message, Clone, Debug)]
pub(crate) struct Notify(pub(crate) Notice);

impl Notify {
    /// Something was done.
    pub(crate) fn info(text: impl Into<LocalizedText>) -> Self {
        Self(Notice::new(text, false))
    }

    /// Something was written to a file: `key` is the text.
    pub(crate) fn written(key: &'static str, file: &Path) -> Self {
        let message = LocalizedMessage::new(key).with("file", short_path(file));
        Self(Notice { file: Some(file.display().to_string()), ..Notice::new(message, false) })
    }

    /// Something went wrong.
    pub(crate) fn error(text: impl Into<LocalizedText>) -> Self {
        Self(Notice::new(text, true))
    }
}

/// A file with the last folder before it.
fn short_path(file: &Path) -> String {
    let parts: Vec<_> = file.iter().rev().take(2).collect();
    parts.into_iter().rev().collect::<PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_is_named_shortly_and_known_in_full() {
        let alone = PathBuf::from("one.tab");
        let short = Path::new("Games").join(&alone);
        for (file, short) in [(Path::new("home").join(&short), short), (alone.clone(), alone)] {
            let notice = Notify::written("notice.saved", &file).0;
            let said = LocalizedMessage::new("notice.saved").with("file", short.display());
            let file = file.display().to_string();
            assert_eq!((&notice.text, notice.file.as_ref()), (&said.localized(), Some(&file)));
            assert_eq!(notice.relocalized().file, Some(file));
        }
    }

    #[test]
    fn a_translated_refusal_is_still_a_refusal() {
        let refusal = Notice::refusal(LocalizedMessage::new("notice.no-game"));
        let translated = refusal.relocalized();
        assert!(translated.is_refusal && !translated.is_error && refusal.repeats(&translated));
        let failure = Notice::new(LocalizedMessage::new("notice.no-game"), true).relocalized();
        assert!(failure.is_error && !failure.is_refusal);
    }
}
