//! What is heard: every sound is worked out at the start, and played where the
//! thing happens, a little to the left or to the right.
//!
//! The scene says what knocks ([`PlaySound`]); nothing here decides when. Without a
//! sound device there is no sound, and no error.

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

use crate::app::{core::schedule::AppSet, settings::Settings};

pub(crate) use synth::SoundKind;

/// Something knocked.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaySound {
    /// What.
    pub(crate) knock: SoundKind,
    /// Where on the table.
    pub(crate) at: Vec3,
    /// How hard, 1 for the usual.
    pub(crate) force: f32,
}

/// How many variants of each knock there are.
const VARIANTS: u32 = 4;
/// The table's half width, for what lies left and right.
const WIDE: f32 = 7.0;
/// The most that one ear hears more than the other.
const PAN: f32 = 0.55;
/// More knocks in a frame than this are not told apart.
const MOST: usize = 6;

/// The sounds, worked out.
#[derive(Resource, Default)]
struct Repertoire(HashMap<(SoundKind, u32), Arc<[f32]>>);

/// A sound on its way to the ears.
#[derive(Asset, TypePath, Clone)]
struct Tone {
    samples: Arc<[f32]>,
    /// For the left ear and the right one.
    gains: [f32; 2],
}

/// A tone being played.
struct Playing {
    tone: Tone,
    /// The number of the next value; left and right take turns.
    next: usize,
}

impl Iterator for Playing {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let sample = self.tone.samples.get(self.next / 2)?;
        let gain = self.tone.gains[self.next % 2];
        self.next += 1;
        Some(sample * gain)
    }
}

impl Source for Playing {
    fn current_span_len(&self) -> Option<usize> {
        // The same until it ends.
        None
    }

    fn channels(&self) -> ChannelCount {
        NonZero::new(2).unwrap_or(NonZero::<u16>::MIN)
    }

    fn sample_rate(&self) -> SampleRate {
        NonZero::new(synth::RATE).unwrap_or(NonZero::<u32>::MIN)
    }

    fn total_duration(&self) -> Option<Duration> {
        Some(Duration::from_secs_f64(self.tone.samples.len() as f64 / f64::from(synth::RATE)))
    }
}

impl Decodable for Tone {
    type Decoder = Playing;

    fn decoder(&self) -> Playing {
        Playing { tone: self.clone(), next: 0 }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<PlaySound>();
    if app.is_plugin_added::<AudioPlugin>() {
        app.init_resource::<Repertoire>()
            .add_audio_source::<Tone>()
            .add_systems(Startup, practise)
            .add_systems(Update, (learn, play).chain().after(AppSet::Scene));
    }
}

/// Whether there can be a sound device at all. Elsewhere than on Linux the
/// system says so without a word on stderr.
pub(crate) fn can_be_heard() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let cards = std::fs::read_to_string("/proc/asound/cards").unwrap_or_default();
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let served = std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| {
        let folder = std::path::Path::new(&folder);
        ["pulse/native", "pipewire-0"].iter().any(|it| folder.join(it).exists())
    });
    has_card(&cards) || served || named("PULSE_SERVER") || named("PIPEWIRE_REMOTE")
}

/// Whether the system's list of sound cards has one: each begins with its
/// number.
fn has_card(cards: &str) -> bool {
    cards.lines().any(|line| line.trim_start().starts_with(|it: char| it.is_ascii_digit()))
}

/// The sounds being worked out, off the main thread.
#[derive(Resource)]
struct Practice(Task<Vec<((SoundKind, u32), Arc<[f32]>)>>);

fn practise(mut commands: Commands) {
    commands.insert_resource(Practice(AsyncComputeTaskPool::get().spawn(async {
        let kinds = SoundKind::ALL.into_iter();
        kinds
            .flat_map(|knock| (0..VARIANTS).map(move |variant| (knock, variant)))
            .map(|key| (key, synth::samples(key.0, key.1).into()))
            .collect()
    })));
}

fn learn(
    mut commands: Commands,
    practice: Option<ResMut<Practice>>,
    mut repertoire: ResMut<Repertoire>,
) {
    if let Some(sounds) = practice.and_then(|mut practice| check_ready(&mut practice.0)) {
        repertoire.0.extend(sounds);
        commands.remove_resource::<Practice>();
    }
}

/// Plays what was heard in this frame.
fn play(
    mut commands: Commands,
    mut heard: MessageReader<PlaySound>,
    settings: Option<Res<Settings>>,
    mut repertoire: ResMut<Repertoire>,
    mut tones: ResMut<Assets<Tone>>,
    mut count: Local<u32>,
) {
    let percent = settings.map_or(Settings::default().volume, |settings| settings.volume);
    if percent == 0 {
        heard.clear();
        return;
    }
    for sound in heard.read().take(MOST) {
        *count = count.wrapping_add(1);
        let variant = *count % VARIANTS;
        let samples = repertoire
            .0
            .entry((sound.knock, variant))
            .or_insert_with(|| synth::samples(sound.knock, variant).into())
            .clone();
        let tone = Tone { samples, gains: gains(sound.at) };
        let volume = f32::from(percent) / 100.0 * sound.force.clamp(0.0, 1.5);
        commands.spawn((
            AudioPlayer(tones.add(tone)),
            PlaybackSettings::DESPAWN.with_volume(Volume::Linear(volume)),
        ));
    }
    heard.clear();
}

/// How loud a thing there is for the left ear and for the right.
fn gains(at: Vec3) -> [f32; 2] {
    let side = (at.x / WIDE).clamp(-1.0, 1.0) * PAN;
    [1.0 - side.max(0.0), 1.0 + side.min(0.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cards_without_a_card_is_none() {
        assert!(!has_card("--- no soundcards ---\n") && !has_card(""));
        assert!(has_card(" 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n   HDA Intel at\n"));
    }

    #[test]
    fn what_lies_left_is_heard_left() {
        assert_eq!(gains(Vec3::ZERO), [1.0, 1.0]);
        let [left, right] = gains(Vec3::new(-4.0, 0.0, 2.0));
        assert!(left == 1.0 && right < 0.8 && right > 0.4, "{left} {right}");
        let [left, right] = gains(Vec3::new(400.0, 0.0, 2.0));
        assert!(right == 1.0 && left > 0.4, "{left} {right}");
    }

    #[test]
    fn a_tone_goes_to_both_ears_in_turn() {
        let tone = Tone { samples: vec![0.5, -1.0].into(), gains: [1.0, 0.5] };
        let playing = tone.decoder();
        assert_eq!((playing.channels().get(), playing.sample_rate().get()), (2, synth::RATE));
        assert_eq!(playing.collect::<Vec<_>>(), [0.5, 0.25, -1.0, -0.5]);
    }
}
