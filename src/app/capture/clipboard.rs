//! What is looked at, to be copied: as text, or as a link that carries it.

use bevy::prelude::*;

use crate::{
    app::{
        core::{
            actions::{Action, UiAction},
            schedule::AppSet,
            states::Screen,
        },
        editor::Editor,
        game::referee::Referee,
        replay::Replay,
    },
    games::Line,
    records::{Record, link},
    table::today,
    words::Why,
};

/// The address of the page that the program is on; none where it is on no page.
/// Then nothing can be linked to.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct PageAddress(pub(crate) Option<String>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PageAddress>().add_systems(Update, tell.in_set(AppSet::Files));
}

/// What can be looked at.
#[derive(Clone, Copy)]
pub(crate) struct Viewed<'a> {
    pub(crate) screen: Screen,
    pub(crate) referee: &'a Referee,
    pub(crate) replay: &'a Replay,
    pub(crate) editor: &'a Editor,
}

impl Viewed<'_> {
    /// The game that is looked at, and up to which ply.
    pub(crate) fn game(&self) -> Option<(Record, usize)> {
        match self.screen {
            Screen::Title | Screen::Editor => None,
            Screen::Table => {
                let table = self.referee.table.as_ref()?;
                Some((table.record(today()), self.referee.shown_ply()))
            }
            Screen::Replay => Some((self.replay.record.clone()?, self.replay.ply)),
        }
    }

    /// What this act copies: the game, or the position that is set up.
    pub(crate) fn copied(&self, act: &Action, address: &PageAddress) -> Option<String> {
        match act {
            Action::Ui(UiAction::Copy) if self.screen == Screen::Editor => {
                Some(self.editor.draft.to_string())
            }
            Action::Ui(UiAction::Copy) => self.game().map(|(record, _)| record.to_string()),
            Action::Ui(UiAction::CopyLink) => {
                let page = address.0.as_ref()?;
                let record = match self.screen {
                    Screen::Editor => Record::new(Line::new(self.editor.draft.position().ok()?)),
                    Screen::Title | Screen::Table | Screen::Replay => self.game()?.0,
                };
                Some(format!("{page}#{}", link::fragment(&record.to_string())))
            }
            _ => None,
        }
    }
}

/// Says what was copied.
fn tell(
    mut acts: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    replay: Res<Replay>,
    editor: Res<Editor>,
    address: Res<PageAddress>,
    screen: Res<State<Screen>>,
) {
    for act in acts.read() {
        let screen = *screen.get();
        let sight = Viewed { screen, referee: &referee, replay: &replay, editor: &editor };
        if sight.copied(act, &address).is_none() {
            continue;
        }
        referee.notify(Why::of(match act {
            Action::Ui(UiAction::CopyLink) => "notice.link-copied",
            _ if screen == Screen::Editor => "notice.position-copied",
            _ => "notice.copied",
        }));
    }
}
