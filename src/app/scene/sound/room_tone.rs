//! The quiet sound of the room: air in the study, a fire and wind in the cabin.
//!
//! It is synthesised in the background when it begins, and repeats without a seam.

use std::{f32::consts::TAU, num::NonZero, sync::Arc, time::Duration};

use bevy::{
    audio::{
        AddAudioSource, AudioPlayer, AudioSink, AudioSinkPlayback, ChannelCount, Decodable,
        PlaybackSettings, SampleRate, Source, Volume,
    },
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};

use super::synth::{SAMPLE_RATE, WhiteNoise};
use crate::app::{
    core::states::Screen,
    settings::{Settings, options::Room},
};

/// How long it is before it repeats, in seconds.
const LENGTH: f32 = 16.0;
/// How long its end and its beginning overlap, in seconds.
const OVERLAP: f32 = 1.0;
/// The root mean square of its samples: far below the sound of a move.
const LEVEL: f32 = 0.02;
/// No sample is louder.
const PEAK: f32 = 0.25;

/// The samples of a room, repeated without end.
#[derive(Asset, TypePath, Clone)]
struct RoomTone(Arc<[f32]>);

/// Yields the samples again and again.
struct RoomToneDecoder {
    samples: Arc<[f32]>,
    next: usize,
}

impl Iterator for RoomToneDecoder {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let sample = self.samples.get(self.next).copied()?;
        self.next = (self.next + 1) % self.samples.len();
        Some(sample)
    }
}

impl Source for RoomToneDecoder {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> ChannelCount {
        NonZero::<u16>::MIN
    }

    fn sample_rate(&self) -> SampleRate {
        NonZero::new(SAMPLE_RATE).unwrap_or(NonZero::<u32>::MIN)
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}

impl Decodable for RoomTone {
    type Decoder = RoomToneDecoder;

    fn decoder(&self) -> RoomToneDecoder {
        RoomToneDecoder { samples: self.0.clone(), next: 0 }
    }
}

/// The entity that plays the sound of this room.
#[derive(Component)]
struct Playing(Room);

/// The synthesis of a room's sound in the background.
#[derive(Resource)]
struct RoomToneTask(Room, Task<Arc<[f32]>>);

pub(super) fn plugin(app: &mut App) {
    app.add_audio_source::<RoomTone>().add_systems(Update, (update, start).chain());
}

/// The room that is to be heard; none on the title, where nothing sounds.
fn wanted(settings: &Settings, screen: Screen) -> Option<Room> {
    let is_heard = settings.room_tone && settings.volume > 0 && screen != Screen::Title;
    is_heard.then_some(settings.room)
}

/// Follows the settings: stops, begins with another room, changes the volume.
fn update(
    mut commands: Commands,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    mut playing: Query<(Entity, &Playing, Option<&mut AudioSink>)>,
    task: Option<Res<RoomToneTask>>,
) {
    if !settings.is_changed() && !screen.is_changed() {
        return;
    }
    let wanted = wanted(&settings, *screen.get());
    for (entity, Playing(room), sink) in &mut playing {
        if Some(*room) != wanted {
            commands.entity(entity).despawn();
        } else if let Some(mut sink) = sink {
            sink.set_volume(volume(&settings));
        }
    }
    let is_known = playing.iter().any(|(_, Playing(room), _)| Some(*room) == wanted);
    let is_coming = task.is_some_and(|task| Some(task.0) == wanted);
    match wanted {
        Some(room) if !is_known && !is_coming => {
            let samples = AsyncComputeTaskPool::get().spawn(async move { synthesise(room).into() });
            commands.insert_resource(RoomToneTask(room, samples));
        }
        _ => {}
    }
}

/// Plays what was synthesised, if it is still wanted.
fn start(
    mut commands: Commands,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    task: Option<ResMut<RoomToneTask>>,
    mut assets: ResMut<Assets<RoomTone>>,
) {
    let Some(mut task) = task else { return };
    let room = task.0;
    let Some(samples) = check_ready(&mut task.1) else { return };
    commands.remove_resource::<RoomToneTask>();
    if wanted(&settings, *screen.get()) == Some(room) {
        commands.spawn((
            Playing(room),
            AudioPlayer(assets.add(RoomTone(samples))),
            PlaybackSettings::ONCE.with_volume(volume(&settings)),
        ));
    }
}

fn volume(settings: &Settings) -> Volume {
    Volume::Linear(f32::from(settings.volume) / 100.0)
}

/// The samples of a room.
fn synthesise(room: Room) -> Vec<f32> {
    let rate = SAMPLE_RATE as f32;
    let (length, overlap) = ((LENGTH * rate) as usize, (OVERLAP * rate) as usize);
    let mut noise = WhiteNoise(room as u32 + 7);
    let mut sound = match room {
        Room::Study => air(length + overlap, &mut noise, 180.0, 1),
        Room::Cabin => fire(length + overlap, length, &mut noise),
    };
    // The end fades out over the beginning, which fades in.
    for n in 0..overlap {
        let share = n as f32 / overlap as f32;
        sound[n] = sound[n] * share.sqrt() + sound[length + n] * (1.0 - share).sqrt();
    }
    sound.truncate(length);
    let power = sound.iter().map(|it| it * it).sum::<f32>() / length as f32;
    let scale = LEVEL / power.sqrt().max(1e-9);
    for sample in &mut sound {
        *sample = (*sample * scale).clamp(-PEAK, PEAK);
    }
    sound
}

/// Noise below a cut-off frequency in hertz, which swells so many times in a loop.
fn air(length: usize, noise: &mut WhiteNoise, cutoff: f32, swells: u8) -> Vec<f32> {
    let factor = 1.0 - (-TAU * cutoff / SAMPLE_RATE as f32).exp();
    let (mut first, mut second) = (0.0, 0.0);
    let sample = |n: usize| {
        first += factor * (noise.next() - first);
        second += factor * (first - second);
        let time = n as f32 / (LENGTH * SAMPLE_RATE as f32);
        second * (1.0 + 0.25 * (TAU * f32::from(swells) * time).sin())
    };
    (0..length).map(sample).collect()
}

/// Mean time between two crackles of the fire, in seconds.
const MEAN_CRACKLE_INTERVAL: f32 = 0.22;

/// A fire: a low roar, the wind outside, and crackling wood.
fn fire(length: usize, loop_length: usize, noise: &mut WhiteNoise) -> Vec<f32> {
    let rate = SAMPLE_RATE as f32;
    let mut sound = air(length, noise, 110.0, 3);
    for (sample, wind) in sound.iter_mut().zip(air(length, noise, 420.0, 2)) {
        *sample += 0.35 * wind;
    }
    let mut at = 0.0;
    loop {
        // The times between crackles are exponentially distributed.
        at -= MEAN_CRACKLE_INTERVAL * (0.5 + 0.5 * noise.next()).max(1e-4).ln();
        let first = (at * rate) as usize;
        if first >= loop_length {
            return sound;
        }
        let strength = 0.5 + 0.5 * noise.next();
        let (amplitude, decay) = (0.2 * strength.powi(3), 0.002 + 0.006 * strength);
        let mut filtered = 0.0;
        for (n, sample) in sound[first..].iter_mut().take((6.0 * decay * rate) as usize).enumerate()
        {
            filtered += 0.5 * (noise.next() - filtered);
            *sample += amplitude * filtered * (-(n as f32) / (decay * rate)).exp();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_of_a_room_is_quiet_and_repeats_without_a_seam() {
        for room in Room::ALL {
            let sound = synthesise(room);
            assert_eq!(sound, synthesise(room), "{room}: reproducible");
            // To listen to, as the other sounds.
            if let Some(folder) = std::env::var_os("SOUNDS") {
                let path = std::path::Path::new(&folder).join(format!("room-{room}.wav"));
                std::fs::write(path, super::super::synth::wav(&sound)).expect("written");
            }
            let peak = sound.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            assert!(peak <= PEAK, "{room}: {peak}");
            let rms = |part: &[f32]| {
                (part.iter().map(|it| it * it).sum::<f32>() / part.len() as f32).sqrt()
            };
            assert!((0.5 * LEVEL..=1.01 * LEVEL).contains(&rms(&sound)), "{room}: {}", rms(&sound));
            // The step from the last sample to the first is no larger than any other.
            let steps = sound.windows(2).map(|it| (it[1] - it[0]).abs());
            let largest = steps.fold(0.0, f32::max);
            let seam = (sound[0] - sound[sound.len() - 1]).abs();
            assert!(seam <= largest, "{room}: {seam} at the seam, {largest} elsewhere");
            // Nor is it louder or quieter there than half a loop away.
            let second = SAMPLE_RATE as usize;
            let (begin, middle) = (rms(&sound[..second]), rms(&sound[8 * second..9 * second]));
            assert!((0.4..2.5).contains(&(begin / middle)), "{room}: {begin} and {middle}");
        }
    }

    #[test]
    fn the_decoder_repeats_the_loop() {
        let decoder = RoomTone(vec![0.5, -1.0].into()).decoder();
        assert_eq!(decoder.take(5).collect::<Vec<_>>(), [0.5, -1.0, 0.5, -1.0, 0.5]);
        assert_eq!(RoomTone(Vec::new().into()).decoder().next(), None);
    }

    #[test]
    fn nothing_is_heard_on_the_title_nor_where_sound_or_room_is_off() {
        let settings = Settings { room: Room::Cabin, room_tone: true, ..Settings::default() };
        assert_eq!(wanted(&settings, Screen::Table), Some(Room::Cabin));
        assert_eq!(wanted(&settings, Screen::Title), None);
        let silent = Settings { volume: 0, ..settings.clone() };
        assert_eq!(wanted(&silent, Screen::Table), None);
        let off = Settings { room_tone: false, ..settings };
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
        .init_asset::<RoomTone>()
        .init_resource::<Settings>()
        .insert_state(Screen::Table)
        .add_systems(Update, (update, start).chain());
        let heard = |app: &mut App| {
            while app.world().contains_resource::<RoomToneTask>() {
                app.update();
                std::thread::yield_now();
            }
            let mut rooms = app.world_mut().query::<&Playing>();
            rooms.iter(app.world()).map(|it| it.0).collect::<Vec<_>>()
        };
        app.update();
        assert_eq!(heard(&mut app), [Room::Study]);
        // Changed twice before the first is ready.
        for room in [Room::Cabin, Room::Study, Room::Cabin] {
            app.world_mut().resource_mut::<Settings>().room = room;
            app.update();
        }
        assert_eq!(heard(&mut app), [Room::Cabin]);
        app.world_mut().resource_mut::<Settings>().volume = 35;
        app.update();
        assert_eq!(heard(&mut app), [Room::Cabin], "the same goes on");
        app.world_mut().resource_mut::<Settings>().room_tone = false;
        app.update();
        assert_eq!(heard(&mut app), [], "off");
    }
}
