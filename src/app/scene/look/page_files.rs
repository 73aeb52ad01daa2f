//! Loads the files of a game beside the page when the game's board is first set up.

use bevy::asset::{AssetLoadFailedEvent, AssetLoader, LoadContext, io::Reader};

use super::{
    files::{AwaitedFiles, NAMES, is_here, take},
    models, pictures,
};
use crate::app::scene::prelude::*;

/// The bytes of a file.
#[derive(Asset, TypePath)]
struct FileBytes(Vec<u8>);

/// Reads a file as it is.
#[derive(TypePath)]
struct BytesLoader;

impl AssetLoader for BytesLoader {
    type Asset = FileBytes;
    type Settings = ();
    type Error = std::io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        &(): &(),
        _: &mut LoadContext<'_>,
    ) -> std::io::Result<FileBytes> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(FileBytes(bytes))
    }
}

/// The files that are being loaded.
#[derive(Resource, Default)]
struct Requested([Option<[Handle<FileBytes>; 4]>; 3]);

pub(super) fn plugin(app: &mut App) {
    app.init_asset::<FileBytes>()
        .register_asset_loader(BytesLoader)
        .init_resource::<Requested>()
        .add_systems(
            Update,
            (receive, request).chain().in_set(AppSet::Scene).before(SceneSet::Board),
        );
}

/// Begins to load the files of a game when its board is set up.
fn request(
    mut position: NewPosition,
    server: Res<AssetServer>,
    mut requested: ResMut<Requested>,
    mut awaited: ResMut<AwaitedFiles>,
) {
    let Some(game) = position.read().map(|position| position.rules.game()) else { return };
    awaited.set_if_neq(AwaitedFiles(Some(game).filter(|game| !is_here(*game))));
    if awaited.0.is_some() {
        requested.0[game as usize].get_or_insert_with(|| {
            NAMES[game as usize].map(|name| server.load(format!("scenes/{name}")))
        });
    }
}

/// Takes the files of a game once all of them have come. What cannot be loaded or read is
/// told to the player; the files of a game are requested again with its next board.
fn receive(
    mut failed: MessageReader<AssetLoadFailedEvent<FileBytes>>,
    mut loaded: ResMut<Assets<FileBytes>>,
    mut requested: ResMut<Requested>,
    mut awaited: ResMut<AwaitedFiles>,
    mut notices: MessageWriter<Notify>,
) {
    let mut tell = |file: String, error: String| {
        let message = LocalizedMessage::new("notice.no-board");
        notices.write(Notify::error(message.with("file", file).with("error", error)));
    };
    for event in failed.read() {
        for files in &mut requested.0 {
            files.take_if(|files| files.iter().any(|file| file.id() == event.id));
        }
        tell(format!("assets/{}", event.path), event.error.to_string());
    }
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        let files = &mut requested.0[game as usize];
        let have_come = |files: &mut [Handle<_>; 4]| files.iter().all(|file| loaded.contains(file));
        let Some(files) = files.take_if(have_come) else { continue };
        let bytes = files.map(|file| loaded.remove(&file).map(|file| file.0).unwrap_or_default());
        take(game, bytes);
        awaited.0.take_if(|awaited| *awaited == game);
        for damaged in models::check(game).into_iter().chain(pictures::check(game)) {
            tell(format!("assets/scenes/{}", damaged.file), damaged.problem);
        }
    }
}
