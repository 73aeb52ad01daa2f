//! Sound effects, played where the thing happens, panned between left and right.
//!
//! Other modules of the scene say when to play what ([`PlaySound`]). Without a
//! sound device nothing is played, and nothing fails. `tools/art/sounds.py` makes the sounds.

mod room_tone;

use std::num::NonZero;

use bevy::audio::{
    AddAudioSource, AudioPlayer, AudioPlugin, AudioSource, ChannelCount, Decodable,
    PlaybackSettings, SampleRate, Source, Volume,
};

use crate::app::scene::prelude::*;

/// What is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(crate) enum SoundKind {
    /// A piece is set down on a wooden board.
    Wood,
    /// A captured piece is laid on the cloth.
    Cloth,
    /// A stone is placed.
    Stone,
    /// A pavilion has risen.
    Pavilion,
    /// A stick hits the table.
    Stick,
    /// An announcement.
    Bell,
    /// The end of the game.
    Chime,
}

/// How many variants of each sound there are: no two pieces of wood are alike.
const VARIANTS: usize = 4;

impl SoundKind {
    /// How loud it is by the settings, as a factor.
    fn share(self, settings: &Settings) -> f32 {
        let percent = match self {
            Self::Stick => settings.sticks_volume,
            Self::Wood | Self::Cloth | Self::Stone | Self::Pavilion | Self::Bell | Self::Chime => {
                settings.pieces_volume
            }
        };
        f32::from(percent) / 100.0
    }

    /// The variants as OGG Vorbis files with one channel.
    const fn files(self) -> [&'static [u8]; VARIANTS] {
        macro_rules! files {
            ($name:literal) => {
                [
                    include_bytes!(concat!("../../../../assets/sounds/", $name, "-1.ogg")),
                    include_bytes!(concat!("../../../../assets/sounds/", $name, "-2.ogg")),
                    include_bytes!(concat!("../../../../assets/sounds/", $name, "-3.ogg")),
                    include_bytes!(concat!("../../../../assets/sounds/", $name, "-4.ogg")),
                ]
            };
        }
        match self {
            Self::Wood => files!("wood"),
            Self::Cloth => files!("cloth"),
            Self::Stone => files!("stone"),
            Self::Pavilion => files!("pavilion"),
            Self::Stick => files!("stick"),
            Self::Bell => files!("bell"),
            Self::Chime => files!("chime"),
        }
    }
}

/// A sound of a file.
fn audio(file: &'static [u8]) -> AudioSource {
    AudioSource { bytes: file.into() }
}

/// Plays a sound.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaySound {
    pub(crate) kind: SoundKind,
    /// Where on the table.
    pub(crate) at: Vec3,
    /// The strength of the impact, from 0 to 1: a linear factor of the volume.
    pub(crate) force: f32,
}

/// Distance from the board's centre of a sound that is panned fully.
const PAN_DISTANCE: f32 = 7.0;
/// How much quieter a fully panned sound is in the far channel, from 0 to 1.
const MAX_PAN: f32 = 0.55;
/// How many sounds are played in a frame at most.
const MAX_PER_FRAME: usize = 6;

/// A sound of one channel with its stereo gains.
#[derive(Asset, TypePath, Clone)]
struct PannedSound {
    sound: AudioSource,
    /// For the left and the right channel.
    gains: [f32; 2],
}

/// Yields the interleaved stereo samples of a [`PannedSound`].
struct PannedSoundDecoder {
    mono: <AudioSource as Decodable>::Decoder,
    gains: [f32; 2],
    /// The sample that the right channel still has to get.
    right: Option<f32>,
}

impl Iterator for PannedSoundDecoder {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if let Some(sample) = self.right.take() {
            return Some(sample * self.gains[1]);
        }
        let sample = self.mono.next()?;
        self.right = Some(sample);
        Some(sample * self.gains[0])
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
        self.mono.sample_rate()
    }

    fn total_duration(&self) -> Option<Duration> {
        self.mono.total_duration()
    }
}

impl Decodable for PannedSound {
    type Decoder = PannedSoundDecoder;

    fn decoder(&self) -> PannedSoundDecoder {
        PannedSoundDecoder { mono: self.sound.decoder(), gains: self.gains, right: None }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<PlaySound>();
    if app.is_plugin_added::<AudioPlugin>() {
        app.add_plugins(room_tone::plugin).add_audio_source::<PannedSound>().add_systems(
            Update,
            (play_sounds, play_samples.run_if(resource_changed::<Settings>))
                .chain()
                .after(AppSet::Scene),
        );
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
        ["pulse/native", "pipewire-0"].iter().any(|socket| folder.join(socket).exists())
    });
    has_card(&cards) || has_server || is_set("PULSE_SERVER") || is_set("PIPEWIRE_REMOTE")
}

/// Whether `/proc/asound/cards` lists a card: such lines start with a number.
fn has_card(cards: &str) -> bool {
    cards.lines().any(|line| line.trim_start().starts_with(|first: char| first.is_ascii_digit()))
}

/// Plays the sounds of this frame. The demonstration on the title is silent.
fn play_sounds(
    mut commands: Commands,
    mut messages: MessageReader<PlaySound>,
    settings: Res<Settings>,
    screen: Option<Res<State<Screen>>>,
    near: Res<NearSide>,
    mut assets: ResMut<Assets<PannedSound>>,
    mut count: Local<usize>,
) {
    let percent = settings.volume;
    let is_title = screen.is_some_and(|screen| *screen.get() == Screen::Title);
    if percent == 0 || is_title {
        messages.clear();
        return;
    }
    let due: Vec<PlaySound> = messages.read().take(MAX_PER_FRAME).copied().collect();
    let force = |sound: &PlaySound| sound.force * sound.kind.share(&settings);
    let volumes = volumes(&due.iter().map(force).collect::<Vec<_>>(), percent);
    for (message, volume) in due.into_iter().zip(volumes) {
        *count = count.wrapping_add(1);
        let at = near.seen_from_seat(message.at);
        commands.spawn(player(message.kind, *count, at, volume, &mut assets));
    }
    messages.clear();
}

/// What plays a sound once.
fn player(
    kind: SoundKind,
    number: usize,
    at: Vec3,
    volume: f32,
    assets: &mut Assets<PannedSound>,
) -> impl Bundle {
    let file = kind.files()[number % VARIANTS];
    let sound = PannedSound { sound: audio(file), gains: stereo_gains(at) };
    let settings = PlaybackSettings::DESPAWN.with_volume(Volume::Linear(volume));
    (AudioPlayer(assets.add(sound)), settings)
}

/// The time between two samples while a slider is dragged.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(180);

/// Lets a volume be heard when it is changed, on the title too. The room is heard by
/// itself.
fn play_samples(
    mut commands: Commands,
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    mut assets: ResMut<Assets<PannedSound>>,
    mut before: Local<Option<Settings>>,
    mut last: Local<Option<Duration>>,
) {
    let sample = before.as_ref().and_then(|before| sample(before, &settings));
    *before = Some(settings.clone());
    let is_free = last.is_none_or(|last| time.elapsed() >= last + SAMPLE_INTERVAL);
    let Some(kind) = sample.filter(|_| is_free) else { return };
    *last = Some(time.elapsed());
    let volume = kind.share(&settings) * f32::from(settings.volume) / 100.0;
    commands.spawn(player(kind, 0, Vec3::ZERO, SAMPLE_FORCE * volume, &mut assets));
}

/// The strength of a sample: that of a piece which is set down.
const SAMPLE_FORCE: f32 = 0.7;

/// The sound whose volume differs.
fn sample(before: &Settings, now: &Settings) -> Option<SoundKind> {
    if before.sticks_volume != now.sticks_volume {
        Some(SoundKind::Stick)
    } else if (before.volume, before.pieces_volume) != (now.volume, now.pieces_volume) {
        Some(SoundKind::Wood)
    } else {
        None
    }
}

/// The linear volumes of the sounds of a frame: together no louder than the setting,
/// even where their peaks meet.
fn volumes(forces: &[f32], percent: u16) -> Vec<f32> {
    let forces = forces.iter().map(|force| force.clamp(0.0, 1.0));
    let sum: f32 = forces.clone().sum();
    let most = f32::from(percent.min(100)) / 100.0;
    forces.map(|force| most * force / sum.max(1.0)).collect()
}

/// Left and right gain of a sound at a place as seen from the seat: the far channel is
/// attenuated linearly.
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
    fn each_kind_has_its_own_volume_and_lets_it_be_heard_when_it_changes() {
        let before = Settings::default();
        let sticks = Settings { sticks_volume: 20, ..before.clone() };
        assert_eq!(SoundKind::Stick.share(&sticks), 0.2);
        assert_eq!(SoundKind::Wood.share(&sticks), 1.0);
        assert_eq!(sample(&before, &sticks), Some(SoundKind::Stick));
        let all = Settings { volume: 20, ..before.clone() };
        let pieces = Settings { pieces_volume: 0, ..before.clone() };
        assert_eq!(SoundKind::Stone.share(&pieces), 0.0);
        assert_eq!([all, pieces].map(|it| sample(&before, &it)), [Some(SoundKind::Wood); 2]);
        // The room goes on by itself, and other settings have no sound.
        let room = Settings { room_tone: 20, text_size: 150, ..before.clone() };
        assert_eq!(sample(&before, &room), None);
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
    fn left_and_right_are_those_of_the_player_who_sits_there() {
        let at = Vec3::new(-4.0, 0.1, 2.0);
        let [left, right] = stereo_gains(NearSide(Side::Second).seen_from_seat(at));
        assert!(right == 1.0 && left < 0.8, "{left} {right}");
        assert_eq!(NearSide(Side::First).seen_from_seat(at), at);
    }

    fn samples(file: &'static [u8]) -> Vec<f32> {
        let decoder = audio(file).decoder();
        assert_eq!((decoder.channels().get(), decoder.sample_rate().get()), (1, 44_100));
        decoder.collect()
    }

    #[test]
    fn the_decoder_interleaves_both_channels() {
        let [file, ..] = SoundKind::Wood.files();
        let sound = PannedSound { sound: audio(file), gains: [1.0, 0.5] };
        let decoder = sound.decoder();
        assert_eq!((decoder.channels().get(), decoder.sample_rate().get()), (2, 44_100));
        let stereo: Vec<_> = decoder.collect();
        let mono = samples(file);
        let expected: Vec<_> = mono.iter().flat_map(|sample| [*sample, sample * 0.5]).collect();
        assert!(stereo == expected && stereo.len() > 8_000);
    }

    fn energy(part: &[f32]) -> f32 {
        part.iter().map(|sample| sample * sample).sum()
    }

    /// The largest normalised cross-correlation at small shifts, from 0 to 1.
    fn similarity(one: &[f32], other: &[f32]) -> f32 {
        let whole = (energy(one) * energy(other)).sqrt();
        let at = |shift: usize| -> f32 {
            one[shift..].iter().zip(other).map(|(a, b)| a * b).sum::<f32>().abs()
        };
        (0..60).map(at).fold(0.0, f32::max) / whole
    }

    #[test]
    fn every_sound_is_audible_decays_and_is_like_no_other() {
        let mut known: Vec<(SoundKind, Vec<f32>)> = Vec::new();
        for kind in SoundKind::VARIANTS.iter().copied() {
            let [first, second, ..] = kind.files();
            assert_ne!(first, second, "{kind:?}");
            let sound = samples(first);
            let peak = sound.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
            assert!((0.8..1.0).contains(&peak), "{kind:?}: {peak}");
            let (early, late) = sound.split_at(sound.len() / 2);
            assert!(energy(early) > 4.0 * energy(late), "{kind:?}");
            assert!(sound.last().is_some_and(|last| last.abs() < 0.01), "{kind:?} ends in a click");
            let seconds = sound.len() as f32 / 44_100.0;
            assert!((0.1..4.0).contains(&seconds), "{kind:?}: {seconds} s");
            for (other, before) in &known {
                let similarity = similarity(&sound, before).max(similarity(before, &sound));
                assert!(similarity < 0.85, "{kind:?} sounds like {other:?}: {similarity}");
            }
            known.push((kind, sound));
        }
    }
}
