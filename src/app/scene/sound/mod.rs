//! Sound effects: synthesised at startup, played where the thing happens, panned
//! between left and right.
//!
//! Other modules of the scene say when to play what ([`PlaySound`]). Without a
//! sound device nothing is played, and nothing fails.

mod room_tone;
mod synth;

use std::{num::NonZero, sync::Arc, time::Duration};

use bevy::{
    audio::{
        AddAudioSource, AudioPlayer, AudioPlugin, ChannelCount, Decodable, PlaybackSettings,
        SampleRate, Source, Volume,
    },
    platform::collections::HashMap,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use strum::IntoEnumIterator;

use crate::app::{
    core::{schedule::AppSet, states::Screen},
    settings::Settings,
};

pub(crate) use synth::SoundKind;

/// Plays a sound.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaySound {
    pub(crate) kind: SoundKind,
    /// Where on the table.
    pub(crate) at: Vec3,
    /// The strength of the impact, from 0 to 1: a linear factor of the volume.
    pub(crate) force: f32,
}

/// How many variants of each sound there are.
const VARIANTS: u32 = 4;
/// Distance from the board's centre of a sound that is panned fully.
const PAN_DISTANCE: f32 = 7.0;
/// How much quieter a fully panned sound is in the far channel, from 0 to 1.
const MAX_PAN: f32 = 0.55;
/// How many sounds are played in a frame at most.
const MAX_PER_FRAME: usize = 6;

/// The samples of every kind and variant that was synthesised so far.
#[derive(Resource, Default)]
struct SoundBank(HashMap<(SoundKind, u32), Arc<[f32]>>);

/// A mono sound with its stereo gains.
#[derive(Asset, TypePath, Clone)]
struct PannedSound {
    samples: Arc<[f32]>,
    /// For the left and the right channel.
    gains: [f32; 2],
}

/// Yields the interleaved stereo samples of a [`PannedSound`].
struct PannedSoundDecoder {
    sound: PannedSound,
    /// Index of the next interleaved sample.
    next: usize,
}

impl Iterator for PannedSoundDecoder {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let sample = self.sound.samples.get(self.next / 2)?;
        let gain = self.sound.gains[self.next % 2];
        self.next += 1;
        Some(sample * gain)
    }
}

impl Source for PannedSoundDecoder {
    fn current_span_len(&self) -> Option<usize> {
        // Channels and rate never change.
        None
    }

    fn channels(&self) -> ChannelCount {
        NonZero::new(2).unwrap_or(NonZero::<u16>::MIN)
    }

    fn sample_rate(&self) -> SampleRate {
        NonZero::new(synth::SAMPLE_RATE).unwrap_or(NonZero::<u32>::MIN)
    }

    fn total_duration(&self) -> Option<Duration> {
        let seconds = self.sound.samples.len() as f64 / f64::from(synth::SAMPLE_RATE);
        Some(Duration::from_secs_f64(seconds))
    }
}

impl Decodable for PannedSound {
    type Decoder = PannedSoundDecoder;

    fn decoder(&self) -> PannedSoundDecoder {
        PannedSoundDecoder { sound: self.clone(), next: 0 }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<PlaySound>();
    if app.is_plugin_added::<AudioPlugin>() {
        app.add_plugins(room_tone::plugin)
            .init_resource::<SoundBank>()
            .add_audio_source::<PannedSound>()
            .add_systems(Startup, start_synthesis)
            .add_systems(Update, (finish_synthesis, play_sounds).chain().after(AppSet::Scene));
    }
}

/// Whether there may be a sound device. Checked on Linux only, where opening a
/// missing device makes the audio library write to stderr.
pub(crate) fn has_sound_device() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let cards = std::fs::read_to_string("/proc/asound/cards").unwrap_or_default();
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_server = std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| {
        let folder = std::path::Path::new(&folder);
        ["pulse/native", "pipewire-0"].iter().any(|it| folder.join(it).exists())
    });
    has_card(&cards) || has_server || is_set("PULSE_SERVER") || is_set("PIPEWIRE_REMOTE")
}

/// Whether `/proc/asound/cards` lists a card: such lines start with a number.
fn has_card(cards: &str) -> bool {
    cards.lines().any(|line| line.trim_start().starts_with(|it: char| it.is_ascii_digit()))
}

/// The synthesis of all sounds in the background.
#[derive(Resource)]
struct SynthesisTask(Task<Vec<((SoundKind, u32), Arc<[f32]>)>>);

fn start_synthesis(mut commands: Commands) {
    commands.insert_resource(SynthesisTask(AsyncComputeTaskPool::get().spawn(async {
        SoundKind::iter()
            .flat_map(|kind| (0..VARIANTS).map(move |variant| (kind, variant)))
            .map(|key| (key, synth::synthesise(key.0, key.1).into()))
            .collect()
    })));
}

fn finish_synthesis(
    mut commands: Commands,
    task: Option<ResMut<SynthesisTask>>,
    mut bank: ResMut<SoundBank>,
) {
    if let Some(sounds) = task.and_then(|mut task| check_ready(&mut task.0)) {
        bank.0.extend(sounds);
        commands.remove_resource::<SynthesisTask>();
    }
}

/// Plays the sounds of this frame. The demonstration on the title is silent.
fn play_sounds(
    mut commands: Commands,
    mut messages: MessageReader<PlaySound>,
    settings: Option<Res<Settings>>,
    screen: Option<Res<State<Screen>>>,
    mut bank: ResMut<SoundBank>,
    mut assets: ResMut<Assets<PannedSound>>,
    mut count: Local<u32>,
) {
    let defaults = Settings::default();
    let settings = settings.as_deref().unwrap_or(&defaults);
    let percent = settings.volume;
    let is_title = screen.is_some_and(|screen| *screen.get() == Screen::Title);
    if percent == 0 || is_title {
        messages.clear();
        return;
    }
    let due: Vec<PlaySound> = messages.read().take(MAX_PER_FRAME).copied().collect();
    let volumes = volumes(&due.iter().map(|sound| sound.force).collect::<Vec<_>>(), percent);
    for (message, volume) in due.into_iter().zip(volumes) {
        *count = count.wrapping_add(1);
        let variant = *count % VARIANTS;
        let samples = bank
            .0
            .entry((message.kind, variant))
            .or_insert_with(|| synth::synthesise(message.kind, variant).into())
            .clone();
        let sound = PannedSound { samples, gains: stereo_gains(message.at) };
        commands.spawn((
            AudioPlayer(assets.add(sound)),
            PlaybackSettings::DESPAWN.with_volume(Volume::Linear(volume)),
        ));
    }
    messages.clear();
}

/// The linear volumes of the sounds of a frame: together no louder than the setting,
/// even where their peaks meet.
fn volumes(forces: &[f32], percent: u16) -> Vec<f32> {
    let forces = forces.iter().map(|force| force.clamp(0.0, 1.0));
    let sum: f32 = forces.clone().sum();
    let most = f32::from(percent.min(100)) / 100.0;
    forces.map(|force| most * force / sum.max(1.0)).collect()
}

/// Left and right gain of a sound at a place: the far channel is attenuated
/// linearly.
fn stereo_gains(at: Vec3) -> [f32; 2] {
    let pan = (at.x / PAN_DISTANCE).clamp(-1.0, 1.0) * MAX_PAN;
    [1.0 - pan.max(0.0), 1.0 + pan.min(0.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_cards_are_found_in_the_list_of_cards() {
        assert!(!has_card("--- no soundcards ---\n") && !has_card(""));
        assert!(has_card(" 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n   HDA Intel at\n"));
    }

    #[test]
    fn the_sounds_of_a_frame_are_together_no_louder_than_the_setting() {
        assert_eq!(volumes(&[0.5], 70), [0.35]);
        assert_eq!(volumes(&[9.0, -1.0], 100), [1.0, 0.0]);
        for percent in [0, 35, 70, 100] {
            let sum: f32 = volumes(&[0.9, 0.7, 1.5, 0.2], percent).into_iter().sum();
            assert!(sum <= f32::from(percent) / 100.0 + 1e-6, "{percent} %: {sum}");
        }
    }

    #[test]
    fn sounds_at_the_left_are_quieter_at_the_right() {
        assert_eq!(stereo_gains(Vec3::ZERO), [1.0, 1.0]);
        let [left, right] = stereo_gains(Vec3::new(-4.0, 0.0, 2.0));
        assert!(left == 1.0 && right < 0.8 && right > 0.4, "{left} {right}");
        let [left, right] = stereo_gains(Vec3::new(400.0, 0.0, 2.0));
        assert!(right == 1.0 && left > 0.4, "{left} {right}");
    }

    #[test]
    fn the_decoder_interleaves_both_channels() {
        let sound = PannedSound { samples: vec![0.5, -1.0].into(), gains: [1.0, 0.5] };
        let decoder = sound.decoder();
        let format = (decoder.channels().get(), decoder.sample_rate().get());
        assert_eq!(format, (2, synth::SAMPLE_RATE));
        assert_eq!(decoder.collect::<Vec<_>>(), [0.5, 0.25, -1.0, -0.5]);
    }
}
