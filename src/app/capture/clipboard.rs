//! The text that the clipboard receives: the game shown, a position, or a link
//! that contains them.

use crate::{
    app::{core::prelude::*, on_screen::OnScreen},
    records::link,
};

/// The address of the web page the program runs on; none natively, where
/// nothing can be linked to.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct PageAddress(pub(crate) Option<String>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PageAddress>().add_systems(Update, report_copies.in_set(AppSet::Files));
}

impl OnScreen<'_> {
    /// The game, and the number of plies up to the position shown.
    pub(crate) fn game(&self) -> Option<(Record, usize)> {
        match self.screen() {
            Screen::Title | Screen::Editor => None,
            Screen::Table => {
                let table = self.referee.table.as_ref()?;
                Some((table.record(today()), self.referee.shown_ply()))
            }
            Screen::Replay => Some((self.replay.record.clone()?, self.replay.ply)),
        }
    }

    /// The text that this action copies: the game, the position in the editor,
    /// or a link to one of them.
    pub(crate) fn clipboard_text(
        &self,
        action: &UiAction,
        address: &PageAddress,
    ) -> Option<String> {
        match action {
            UiAction::Copy if self.screen() == Screen::Editor => {
                Some(self.editor.draft.to_string())
            }
            // All games of a match, as they are saved.
            UiAction::Copy if self.screen() == Screen::Table => {
                Some(self.referee.table.as_ref()?.file_text(today()))
            }
            UiAction::Copy => self.game().map(|(record, _)| record.to_string()),
            UiAction::CopyLink => {
                let page = address.0.as_ref()?;
                let record = match self.screen() {
                    Screen::Editor => {
                        Record::new(GameHistory::new(self.editor.draft.position().ok()?))
                    }
                    Screen::Title | Screen::Table | Screen::Replay => self.game()?.0,
                };
                Some(format!("{page}#{}", link::encode(&record.to_string())))
            }
            _ => None,
        }
    }
}

/// Tells the player what was copied. The UI, which has the clipboard, copies it.
fn report_copies(
    mut actions: MessageReader<UiAction>,
    mut notices: MessageWriter<Notify>,
    shown: OnScreen,
    address: Res<PageAddress>,
) {
    for action in actions.read() {
        if shown.clipboard_text(action, &address).is_none() {
            continue;
        }
        notices.write(Notify::info(LocalizedMessage::new(match action {
            UiAction::CopyLink => "notice.link-copied",
            _ if shown.screen() == Screen::Editor => "notice.position-copied",
            _ => "notice.copied",
        })));
    }
}
