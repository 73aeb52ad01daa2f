//! What is looked at, to be copied: as text, or as a link that carries it.

use bevy::prelude::*;

use super::{Steps, acts::Act, editor::Editor, referee::Referee, replay::Replay, stage::Screen};
use crate::{
    games::GameHistory,
    i18n::LocalizedMessage,
    records::{Record, link},
    table::today,
};

/// The address of the page that the program is on; none where it is on no page.
/// Then nothing can be linked to.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Address(pub(crate) Option<String>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Address>().add_systems(Update, tell.in_set(Steps::Files));
}

/// What can be looked at.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) screen: Screen,
    pub(crate) referee: &'a Referee,
    pub(crate) replay: &'a Replay,
    pub(crate) editor: &'a Editor,
}

impl Sight<'_> {
    /// The game that is looked at, and up to which ply.
    pub(crate) fn game(&self) -> Option<(Record, usize)> {
        match self.screen {
            Screen::Title | Screen::Editor => None,
            Screen::Table => {
                let table = self.referee.table.as_ref()?;
                Some((table.record(today()), self.referee.looked_at()))
            }
            Screen::Replay => Some((self.replay.record.clone()?, self.replay.at)),
        }
    }

    /// What this act copies: the game, or the position that is set up.
    pub(crate) fn copied(&self, act: &Act, address: &Address) -> Option<String> {
        match act {
            Act::Copy if self.screen == Screen::Editor => Some(self.editor.draft.to_string()),
            Act::Copy => self.game().map(|(record, _)| record.to_string()),
            Act::CopyLink => {
                let page = address.0.as_ref()?;
                let record = match self.screen {
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

/// Says what was copied.
fn tell(
    mut acts: MessageReader<Act>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    editor: Res<Editor>,
    address: Res<Address>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        let screen = *screen.get();
        let sight = Sight { screen, referee: &referee, replay: &replay, editor: &editor };
        if sight.copied(act, &address).is_none() {
            continue;
        }
        referee.tell(LocalizedMessage::new(match act {
            Act::CopyLink => "notice.link-copied",
            _ if screen == Screen::Editor => "notice.position-copied",
            _ => "notice.copied",
        }));
    }
}
