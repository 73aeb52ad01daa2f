//! The quiet sound of the room: air in the study, a fire and wind in the cabin.

use bevy::audio::{
    AudioPlayer, AudioSink, AudioSinkPlayback, AudioSource, PlaybackSettings, Volume,
};

use super::audio;
use crate::app::scene::prelude::*;

/// The entity that plays the sound of this room.
#[derive(Component)]
struct Playing(Room);

pub(super) fn plugin(app: &mut App) {
    let is_due = resource_changed::<Settings>.or_else(resource_changed::<State<Screen>>);
    app.add_systems(Update, update.run_if(is_due));
}

/// The sound of a room: it repeats without a seam.
const fn file(room: Room) -> &'static [u8] {
    match room {
        Room::Study => include_bytes!("../../../../assets/sounds/room-study.ogg"),
        Room::Cabin => include_bytes!("../../../../assets/sounds/room-cabin.ogg"),
    }
}

/// The room that is to be heard; none on the title, where nothing sounds.
fn wanted(settings: &Settings, screen: Screen) -> Option<Room> {
    let is_heard = settings.room_tone > 0 && settings.volume > 0 && screen != Screen::Title;
    is_heard.then_some(settings.room)
}

/// Follows the settings: stops, begins with another room, changes the volume.
fn update(
    mut commands: Commands,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    mut playing: Query<(Entity, &Playing, Option<&mut AudioSink>)>,
    mut assets: ResMut<Assets<AudioSource>>,
) {
    let percent = f32::from(settings.volume) * f32::from(settings.room_tone) / 100.0;
    let volume = Volume::Linear(percent / 100.0);
    let mut wanted = wanted(&settings, *screen.get());
    for (entity, Playing(room), sink) in &mut playing {
        if Some(*room) == wanted {
            wanted = None;
            if let Some(mut sink) = sink {
                sink.set_volume(volume);
            }
        } else {
            commands.entity(entity).despawn();
        }
    }
    if let Some(room) = wanted {
        commands.spawn((
            Playing(room),
            AudioPlayer(assets.add(audio(file(room)))),
            PlaybackSettings::LOOP.with_volume(volume),
        ));
    }
}

#[cfg(test)]
mod tests {
    use bevy::audio::{Decodable as _, Source as _};

    use super::*;

    #[test]
    fn the_sound_of_a_room_is_quiet_and_repeats_without_a_seam() {
        for &room in Room::VARIANTS {
            let decoder = audio(file(room)).decoder();
            let second = decoder.sample_rate().get() as usize;
            let sound: Vec<f32> = decoder.collect();
            assert_eq!(sound.len(), 16 * second, "{room}");
            let peak = sound.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
            assert!(peak <= 0.3, "{room}: {peak}");
            let rms = |part: &[f32]| {
                (part.iter().map(|sample| sample * sample).sum::<f32>() / part.len() as f32).sqrt()
            };
            // Far below the sound of a move.
            assert!((0.01..0.025).contains(&rms(&sound)), "{room}: {}", rms(&sound));
            // The step from the last sample to the first is no larger than any other.
            let steps = sound.windows(2).map(|pair| (pair[1] - pair[0]).abs());
            let largest = steps.fold(0.0, f32::max);
            let seam = (sound[0] - sound[sound.len() - 1]).abs();
            assert!(seam <= largest, "{room}: {seam} at the seam, {largest} elsewhere");
            // Nor is it louder or quieter there than half a loop away.
            let (begin, middle) = (rms(&sound[..second]), rms(&sound[8 * second..9 * second]));
            assert!((0.4..2.5).contains(&(begin / middle)), "{room}: {begin} and {middle}");
        }
    }

    #[test]
    fn nothing_is_heard_on_the_title_nor_where_sound_or_room_is_off() {
        let settings = Settings { room: Room::Cabin, room_tone: 100, ..Settings::default() };
        assert_eq!(wanted(&settings, Screen::Table), Some(Room::Cabin));
        assert_eq!(wanted(&settings, Screen::Title), None);
        let silent = Settings { volume: 0, ..settings.clone() };
        assert_eq!(wanted(&silent, Screen::Table), None);
        let off = Settings { room_tone: 0, ..settings };
        assert_eq!(wanted(&off, Screen::Table), None);
    }

    #[test]
    fn one_room_is_heard_at_a_time() {
        use bevy::state::app::StatesPlugin;

        let mut app = App::new();
        app.add_plugins((
            bevy::app::TaskPoolPlugin::default(),
            StatesPlugin,
            AssetPlugin::default(),
        ))
        .init_asset::<AudioSource>()
        .init_resource::<Settings>()
        .insert_state(Screen::Table)
        .add_plugins(plugin);
        let heard = |app: &mut App, change: &dyn Fn(&mut Settings)| {
            change(&mut app.world_mut().resource_mut::<Settings>());
            app.update();
            let mut rooms = app.world_mut().query::<(Entity, &Playing)>();
            rooms.iter(app.world()).map(|(entity, room)| (entity, room.0)).collect::<Vec<_>>()
        };
        let study = heard(&mut app, &|_| {});
        assert!(matches!(study[..], [(_, Room::Study)]));
        let cabin = heard(&mut app, &|settings| settings.room = Room::Cabin);
        assert!(matches!(cabin[..], [(_, Room::Cabin)]));
        assert_eq!(heard(&mut app, &|settings| settings.volume = 35), cabin, "the same goes on");
        assert_eq!(heard(&mut app, &|settings| settings.room_tone = 0), [], "off");
    }
}
