//! How things sound: struck wood, stone and bells, worked out from how such
//! bodies ring. Pure functions: the same knock, the same samples.
//!
//! A struck body rings in several modes at once, each a sine that dies away;
//! what strikes it adds a short noise. Frequencies are in hertz, times in
//! seconds.

use std::f32::consts::TAU;

/// Samples in a second.
pub(super) const RATE: u32 = 44_100;

/// What is struck by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SoundKind {
    /// A piece is set down on a wooden board.
    Wood,
    /// A captured piece falls into its tray.
    Tray,
    /// A stone is set down.
    Stone,
    /// A pavilion has risen.
    Pavilion,
    /// A stick hits the table.
    Stick,
    /// Something is announced.
    Bell,
    /// The game is over.
    Chime,
}

impl SoundKind {
    /// All of them.
    pub(super) const ALL: [Self; 7] =
        [Self::Wood, Self::Tray, Self::Stone, Self::Pavilion, Self::Stick, Self::Bell, Self::Chime];
}

/// A mode of a ringing body.
struct Mode {
    frequency: f32,
    strength: f32,
    /// After this time a third of it is left.
    fade: f32,
}

const fn mode(frequency: f32, strength: f32, fade: f32) -> Mode {
    Mode { frequency, strength, fade }
}

/// A body that is struck at a time.
struct Stroke {
    at: f32,
    modes: Vec<Mode>,
    /// The noise of the touch itself, and how long it lasts.
    touch: (f32, f32),
}

/// Numbers that look random and are the same for the same seed.
struct Noise(u32);

impl Noise {
    fn swing(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 15)).wrapping_mul(0x2C1B_3C6D);
        ((mixed ^ (mixed >> 13)) >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// The sound of a knock, from -1 to 1. `variant` tells one from another of the
/// same kind: no two pieces of wood are quite alike.
pub(super) fn samples(knock: SoundKind, variant: u32) -> Vec<f32> {
    let mut noise = Noise(variant.wrapping_mul(0x85EB_CA77) ^ knock as u32);
    // Up to a semitone higher or lower.
    let tune = 1.0 + 0.055 * noise.swing();
    let strokes = strokes(knock, tune);
    let end = strokes
        .iter()
        .flat_map(|stroke| stroke.modes.iter().map(|mode| stroke.at + 6.0 * mode.fade))
        .fold(0.05, f32::max);
    let mut sound = vec![0.0; (end * RATE as f32) as usize];
    for stroke in strokes {
        let first = (stroke.at * RATE as f32) as usize;
        for mode in &stroke.modes {
            let turn = TAU * mode.frequency / RATE as f32;
            let keep = (-1.0 / (mode.fade * RATE as f32)).exp();
            let mut level = mode.strength;
            for (n, sample) in sound[first..].iter_mut().enumerate() {
                *sample += level * (turn * n as f32).sin();
                level *= keep;
            }
        }
        let (loud, long) = stroke.touch;
        let mut soft = 0.0;
        for (n, sample) in sound[first..].iter_mut().enumerate() {
            let time = n as f32 / RATE as f32;
            if time > 6.0 * long {
                break;
            }
            // A touch has no sharp edge: its noise is dull.
            soft += 0.35 * (noise.swing() - soft);
            *sample += loud * soft * (-time / long).exp();
        }
    }
    let rise = RATE as usize / 2000;
    let peak = sound.iter().fold(0.0_f32, |most, sample| most.max(sample.abs())).max(1e-6);
    let fall = sound.len() / 10;
    let length = sound.len();
    for (n, sample) in sound.iter_mut().enumerate() {
        let gate = (n as f32 / rise as f32).min((length - 1 - n) as f32 / fall as f32).min(1.0);
        *sample *= gate / peak;
    }
    sound
}

fn strokes(knock: SoundKind, tune: f32) -> Vec<Stroke> {
    let wood = |at: f32, pitch: f32, strength: f32| Stroke {
        at,
        modes: vec![
            mode(310.0 * pitch * tune, 0.9 * strength, 0.030),
            mode(742.0 * pitch * tune, 0.6 * strength, 0.022),
            mode(1495.0 * pitch * tune, 0.35 * strength, 0.013),
            mode(2680.0 * pitch * tune, 0.16 * strength, 0.008),
        ],
        touch: (0.8 * strength, 0.004),
    };
    let stone = |at: f32, strength: f32| Stroke {
        at,
        modes: vec![
            mode(520.0 * tune, 0.35 * strength, 0.018),
            mode(2140.0 * tune, 0.8 * strength, 0.012),
            mode(3870.0 * tune, 0.5 * strength, 0.008),
            mode(6120.0 * tune, 0.25 * strength, 0.005),
        ],
        touch: (0.9 * strength, 0.002),
    };
    let bell = |at: f32, pitch: f32, strength: f32| Stroke {
        at,
        // The partials of a small bell: hum, prime, tierce, quint, nominal.
        modes: [
            (0.5, 0.3, 0.5),
            (1.0, 1.0, 0.42),
            (1.2, 0.4, 0.3),
            (1.5, 0.3, 0.22),
            (2.0, 0.5, 0.2),
        ]
        .map(|(ratio, level, fade)| mode(pitch * ratio, level * strength, fade))
        .into(),
        touch: (0.15 * strength, 0.003),
    };
    match knock {
        SoundKind::Wood => vec![wood(0.0, 1.0, 1.0)],
        // It knocks against the rim, then settles.
        SoundKind::Tray => vec![wood(0.0, 1.5, 0.8), wood(0.07, 1.2, 0.5), wood(0.12, 1.3, 0.25)],
        SoundKind::Stone => vec![stone(0.0, 1.0), stone(0.055, 0.25)],
        SoundKind::Pavilion => vec![stone(0.0, 0.5), wood(0.0, 0.55, 1.0), stone(0.09, 0.4)],
        SoundKind::Stick => vec![wood(0.0, 2.3, 1.0)],
        SoundKind::Bell => vec![bell(0.0, 880.0, 1.0)],
        // A fourth, a sixth: the game has come home.
        SoundKind::Chime => {
            vec![bell(0.0, 587.33, 0.8), bell(0.16, 783.99, 0.8), bell(0.34, 987.77, 1.0)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knock_is_heard_and_fades() {
        for knock in SoundKind::ALL {
            let sound = samples(knock, 3);
            let peak = sound.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            assert!((0.8..=1.0).contains(&peak), "{knock:?}: {peak}");
            assert!(sound.iter().all(|it| it.is_finite()));
            let energy = |part: &[f32]| part.iter().map(|it| it * it).sum::<f32>();
            let (early, late) = sound.split_at(sound.len() / 2);
            assert!(energy(early) > 4.0 * energy(late), "{knock:?}");
            assert!(sound.last().is_some_and(|it| it.abs() < 1e-3), "{knock:?} ends in a click");
            let seconds = sound.len() as f32 / RATE as f32;
            assert!((0.05..4.0).contains(&seconds), "{knock:?}: {seconds} s");
        }
    }

    /// A sound as a WAV file of 16 bits, one channel.
    fn wav(samples: &[f32]) -> Vec<u8> {
        let bytes = u32::try_from(samples.len() * 2).expect("a short sound");
        let mut file = Vec::new();
        file.extend(b"RIFF");
        file.extend((36 + bytes).to_le_bytes());
        file.extend(b"WAVEfmt ");
        for word in [16, 1 << 16 | 1, RATE, RATE * 2, 16 << 16 | 2] {
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

    /// How alike two sounds are at the best of small shifts, from 0 to 1.
    fn alike(one: &[f32], other: &[f32]) -> f32 {
        let energy = |part: &[f32]| part.iter().map(|it| it * it).sum::<f32>();
        let whole = (energy(one) * energy(other)).sqrt();
        let at = |shift: usize| -> f32 {
            one[shift..].iter().zip(other).map(|(a, b)| a * b).sum::<f32>().abs()
        };
        (0..60).map(at).fold(0.0, f32::max) / whole
    }

    /// What one would hear from the files: `SOUNDS=folder` keeps them.
    #[test]
    fn every_sound_is_a_file_worth_hearing() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = std::env::var_os("SOUNDS").map_or(folder.path().to_owned(), Into::into);
        let mut heard: Vec<(SoundKind, Vec<f32>)> = Vec::new();
        for knock in SoundKind::ALL {
            let path = folder.join(format!("{knock:?}.wav").to_lowercase());
            std::fs::write(&path, wav(&samples(knock, 1))).expect("written");
            let file = std::fs::read(&path).expect("read");
            assert_eq!((&file[..4], &file[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
            let pairs = file[44..].chunks_exact(2);
            let values: Vec<i16> = pairs.map(|it| i16::from_le_bytes([it[0], it[1]])).collect();
            let clipped = values.windows(3).filter(|it| it.iter().all(|v| v.abs() > 32_700));
            assert_eq!(clipped.count(), 0, "{knock:?} is clipped");
            let sound: Vec<f32> = values.iter().map(|it| f32::from(*it) / 32767.0).collect();
            let loud = (sound.iter().map(|it| it * it).sum::<f32>() / sound.len() as f32).sqrt();
            assert!(loud > 0.02, "{knock:?} is silent: {loud}");
            let seconds = sound.len() as f32 / RATE as f32;
            assert!((0.05..4.0).contains(&seconds), "{knock:?}: {seconds} s");
            for (other, known) in &heard {
                let alike = alike(&sound, known).max(alike(known, &sound));
                assert!(alike < 0.85, "{knock:?} sounds like {other:?}: {alike}");
            }
            heard.push((knock, sound));
        }
    }

    #[test]
    fn no_two_pieces_sound_quite_alike() {
        assert_eq!(samples(SoundKind::Wood, 1), samples(SoundKind::Wood, 1));
        assert_ne!(samples(SoundKind::Wood, 1), samples(SoundKind::Wood, 2));
    }

    /// How often the sound crosses zero in a second, a measure of its pitch.
    fn crossings(knock: SoundKind) -> f32 {
        let sound = samples(knock, 0);
        let early = &sound[..sound.len().min(RATE as usize / 20)];
        let count = early.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
        count as f32 / (early.len() as f32 / RATE as f32)
    }

    #[test]
    fn stone_and_sticks_are_brighter_than_wood() {
        assert!(crossings(SoundKind::Stone) > 1.5 * crossings(SoundKind::Wood));
        assert!(crossings(SoundKind::Stick) > 1.5 * crossings(SoundKind::Wood));
    }
}
