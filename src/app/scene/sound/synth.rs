//! Modal synthesis of struck wood, stone and bells. Pure functions: equal input
//! gives equal samples.
//!
//! A struck body rings in several vibration modes at once, each an exponentially
//! decaying sine; the contact itself adds a short burst of low-passed noise.
//! Frequencies are in hertz, times in seconds.

use std::f32::consts::TAU;

/// Samples per second.
pub(super) const SAMPLE_RATE: u32 = 44_100;

/// What is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter)]
pub(crate) enum SoundKind {
    /// A piece is set down on a wooden board.
    Wood,
    /// A captured piece falls into its tray.
    Tray,
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

/// A vibration mode: a decaying sine.
struct VibrationMode {
    frequency: f32,
    amplitude: f32,
    /// Time constant of the decay: after it, 1/e of the amplitude is left.
    decay: f32,
}

const fn mode(frequency: f32, amplitude: f32, decay: f32) -> VibrationMode {
    VibrationMode { frequency, amplitude, decay }
}

/// One strike of a body.
struct Strike {
    /// When.
    start: f32,
    modes: Vec<VibrationMode>,
    /// Amplitude and time constant of the contact noise.
    contact_noise: (f32, f32),
}

/// A white noise generator: an LCG whose output is hashed.
pub(super) struct WhiteNoise(pub(super) u32);

impl WhiteNoise {
    /// From -1 to 1.
    pub(super) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 15)).wrapping_mul(0x2C1B_3C6D);
        ((mixed ^ (mixed >> 13)) >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// The samples of a sound, from -1 to 1. Variants of one kind differ in pitch and
/// noise, as no two pieces of wood are alike.
pub(super) fn synthesise(kind: SoundKind, variant: u32) -> Vec<f32> {
    let mut noise = WhiteNoise(variant.wrapping_mul(0x85EB_CA77) ^ kind as u32);
    // Up to a semitone higher or lower.
    let pitch = 1.0 + 0.055 * noise.next();
    let strikes = strikes(kind, pitch);
    // After six time constants a mode is inaudible.
    let end = strikes
        .iter()
        .flat_map(|strike| strike.modes.iter().map(|mode| strike.start + 6.0 * mode.decay))
        .fold(0.05, f32::max);
    let mut sound = vec![0.0; (end * SAMPLE_RATE as f32) as usize];
    for strike in strikes {
        let first = (strike.start * SAMPLE_RATE as f32) as usize;
        for mode in &strike.modes {
            add_mode(&mut sound[first..], mode);
        }
        add_contact_noise(&mut sound[first..], strike.contact_noise, &mut noise);
    }
    normalise(&mut sound);
    sound
}

fn add_mode(sound: &mut [f32], mode: &VibrationMode) {
    let step = TAU * mode.frequency / SAMPLE_RATE as f32;
    let factor = (-1.0 / (mode.decay * SAMPLE_RATE as f32)).exp();
    let mut amplitude = mode.amplitude;
    for (n, sample) in sound.iter_mut().enumerate() {
        *sample += amplitude * (step * n as f32).sin();
        amplitude *= factor;
    }
}

fn add_contact_noise(sound: &mut [f32], (amplitude, decay): (f32, f32), noise: &mut WhiteNoise) {
    let mut filtered = 0.0;
    for (n, sample) in sound.iter_mut().enumerate() {
        let time = n as f32 / SAMPLE_RATE as f32;
        if time > 6.0 * decay {
            break;
        }
        // A one-pole low-pass filter.
        filtered += 0.35 * (noise.next() - filtered);
        *sample += amplitude * filtered * (-time / decay).exp();
    }
}

/// Scales the peak to 1, with a short fade at both ends against clicks.
fn normalise(sound: &mut [f32]) {
    let fade_in = SAMPLE_RATE as usize / 2000;
    let fade_out = sound.len() / 10;
    let peak = sound.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs())).max(1e-6);
    let length = sound.len();
    for (n, sample) in sound.iter_mut().enumerate() {
        let start = n as f32 / fade_in as f32;
        let end = (length - 1 - n) as f32 / fade_out as f32;
        *sample *= start.min(end).min(1.0) / peak;
    }
}

/// The strikes of a sound; `tune` is a factor of all pitches but the bells'.
fn strikes(kind: SoundKind, tune: f32) -> Vec<Strike> {
    let wood = |start: f32, pitch: f32, amplitude: f32| Strike {
        start,
        modes: vec![
            mode(310.0 * pitch * tune, 0.9 * amplitude, 0.030),
            mode(742.0 * pitch * tune, 0.6 * amplitude, 0.022),
            mode(1495.0 * pitch * tune, 0.35 * amplitude, 0.013),
            mode(2680.0 * pitch * tune, 0.16 * amplitude, 0.008),
        ],
        contact_noise: (0.8 * amplitude, 0.004),
    };
    let stone = |start: f32, amplitude: f32| Strike {
        start,
        modes: vec![
            mode(520.0 * tune, 0.35 * amplitude, 0.018),
            mode(2140.0 * tune, 0.8 * amplitude, 0.012),
            mode(3870.0 * tune, 0.5 * amplitude, 0.008),
            mode(6120.0 * tune, 0.25 * amplitude, 0.005),
        ],
        contact_noise: (0.9 * amplitude, 0.002),
    };
    let bell = |start: f32, pitch: f32, amplitude: f32| Strike {
        start,
        // The partials of a small bell: hum, prime, tierce, quint, nominal.
        modes: [
            (0.5, 0.3, 0.5),
            (1.0, 1.0, 0.42),
            (1.2, 0.4, 0.3),
            (1.5, 0.3, 0.22),
            (2.0, 0.5, 0.2),
        ]
        .map(|(ratio, level, decay)| mode(pitch * ratio, level * amplitude, decay))
        .into(),
        contact_noise: (0.15 * amplitude, 0.003),
    };
    match kind {
        SoundKind::Wood => vec![wood(0.0, 1.0, 1.0)],
        // It hits the rim, then settles.
        SoundKind::Tray => vec![wood(0.0, 1.5, 0.8), wood(0.07, 1.2, 0.5), wood(0.12, 1.3, 0.25)],
        SoundKind::Stone => vec![stone(0.0, 1.0), stone(0.055, 0.25)],
        SoundKind::Pavilion => vec![stone(0.0, 0.5), wood(0.0, 0.55, 1.0), stone(0.09, 0.4)],
        SoundKind::Stick => vec![wood(0.0, 2.3, 1.0)],
        SoundKind::Bell => vec![bell(0.0, 880.0, 1.0)],
        // D5, G5, B5: a fourth and a sixth above the first.
        SoundKind::Chime => {
            vec![bell(0.0, 587.33, 0.8), bell(0.16, 783.99, 0.8), bell(0.34, 987.77, 1.0)]
        }
    }
}

/// A sound as a WAV file: 16 bits, mono.
#[cfg(test)]
pub(super) fn wav(samples: &[f32]) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).expect("a short sound");
    let mut file = Vec::new();
    file.extend(b"RIFF");
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt ");
    for word in [16, 1 << 16 | 1, SAMPLE_RATE, SAMPLE_RATE * 2, 16 << 16 | 2] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(b"data");
    file.extend(bytes.to_le_bytes());
    for sample in samples {
        #[expect(clippy::cast_possible_truncation, reason = "a sample")]
        file.extend(((sample * 32767.0).round() as i16).to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn every_sound_is_audible_and_decays() {
        for kind in SoundKind::iter() {
            let sound = synthesise(kind, 3);
            let peak = sound.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            assert!((0.8..=1.0).contains(&peak), "{kind:?}: {peak}");
            assert!(sound.iter().all(|it| it.is_finite()));
            let energy = |part: &[f32]| part.iter().map(|it| it * it).sum::<f32>();
            let (early, late) = sound.split_at(sound.len() / 2);
            assert!(energy(early) > 4.0 * energy(late), "{kind:?}");
            assert!(sound.last().is_some_and(|it| it.abs() < 1e-3), "{kind:?} ends in a click");
            let seconds = sound.len() as f32 / SAMPLE_RATE as f32;
            assert!((0.05..4.0).contains(&seconds), "{kind:?}: {seconds} s");
        }
    }

    /// The largest normalised cross-correlation at small shifts, from 0 to 1.
    fn similarity(one: &[f32], other: &[f32]) -> f32 {
        let energy = |part: &[f32]| part.iter().map(|it| it * it).sum::<f32>();
        let whole = (energy(one) * energy(other)).sqrt();
        let at = |shift: usize| -> f32 {
            one[shift..].iter().zip(other).map(|(a, b)| a * b).sum::<f32>().abs()
        };
        (0..60).map(at).fold(0.0, f32::max) / whole
    }

    /// Writes all sounds as files and checks them; with `SOUNDS=folder` they are
    /// written there, to listen to.
    #[test]
    fn sounds_are_loud_unclipped_and_distinct() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = std::env::var_os("SOUNDS").map_or(folder.path().to_owned(), Into::into);
        let mut known_sounds: Vec<(SoundKind, Vec<f32>)> = Vec::new();
        for kind in SoundKind::iter() {
            let path = folder.join(format!("{kind:?}.wav").to_lowercase());
            std::fs::write(&path, wav(&synthesise(kind, 1))).expect("written");
            let file = std::fs::read(&path).expect("read");
            assert_eq!((&file[..4], &file[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
            let pairs = file[44..].chunks_exact(2);
            let values: Vec<i16> = pairs.map(|it| i16::from_le_bytes([it[0], it[1]])).collect();
            let clipped = values.windows(3).filter(|it| it.iter().all(|v| v.abs() > 32_700));
            assert_eq!(clipped.count(), 0, "{kind:?} is clipped");
            let sound: Vec<f32> = values.iter().map(|it| f32::from(*it) / 32767.0).collect();
            let rms = (sound.iter().map(|it| it * it).sum::<f32>() / sound.len() as f32).sqrt();
            assert!(rms > 0.02, "{kind:?} is silent: {rms}");
            let seconds = sound.len() as f32 / SAMPLE_RATE as f32;
            assert!((0.05..4.0).contains(&seconds), "{kind:?}: {seconds} s");
            for (other, known) in &known_sounds {
                let similarity = similarity(&sound, known).max(similarity(known, &sound));
                assert!(similarity < 0.85, "{kind:?} sounds like {other:?}: {similarity}");
            }
            known_sounds.push((kind, sound));
        }
    }

    #[test]
    fn variants_differ_and_are_reproducible() {
        assert_eq!(synthesise(SoundKind::Wood, 1), synthesise(SoundKind::Wood, 1));
        assert_ne!(synthesise(SoundKind::Wood, 1), synthesise(SoundKind::Wood, 2));
    }

    /// Zero crossings per second, a measure of pitch.
    fn zero_crossings(kind: SoundKind) -> f32 {
        let sound = synthesise(kind, 0);
        let early = &sound[..sound.len().min(SAMPLE_RATE as usize / 20)];
        let count = early.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
        count as f32 / (early.len() as f32 / SAMPLE_RATE as f32)
    }

    #[test]
    fn stone_and_sticks_sound_brighter_than_wood() {
        assert!(zero_crossings(SoundKind::Stone) > 1.5 * zero_crossings(SoundKind::Wood));
        assert!(zero_crossings(SoundKind::Stick) > 1.5 * zero_crossings(SoundKind::Wood));
    }
}
