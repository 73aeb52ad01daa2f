"""The sounds: struck wood, stone and bells, and the quiet of two rooms.

    python tools/art/sounds.py            # writes assets/sounds/*.ogg

A struck body rings in several modes at once, each a sine that dies away; the contact adds a
burst of noise, and the room a few early reflections. Frequencies are in hertz, times in
seconds, amplitudes linear. Equal seeds make equal samples.
"""

import pathlib

import numpy as np
import soundfile

RATE = 44_100
VARIANTS = 4
OUT = pathlib.Path(__file__).resolve().parents[2] / "assets" / "sounds"

# Of each body the modes: frequency, amplitude, time until 1/e is left. What stands on a board
# makes the board sound, too: the lowest modes are the board's.
WOOD = [(148, 0.50, 0.050), (312, 0.90, 0.034), (741, 0.60, 0.022), (1490, 0.34, 0.013),
        (2210, 0.20, 0.009), (3080, 0.10, 0.006)]
STONE = [(172, 0.42, 0.040), (655, 0.30, 0.024), (2140, 0.80, 0.030), (3870, 0.46, 0.020),
         (6120, 0.22, 0.011), (8350, 0.08, 0.007)]
STICK = [(705, 0.80, 0.030), (1710, 0.62, 0.021), (3260, 0.34, 0.012), (5200, 0.14, 0.007)]
# Felt and cloth: hardly a ring.
CLOTH = [(96, 1.00, 0.038), (205, 0.45, 0.026), (420, 0.16, 0.014)]
# A small bell: hum, prime, tierce, quint, nominal, as ratios.
BELL = [(0.5, 0.30, 0.55), (1.0, 1.00, 0.46), (1.2, 0.38, 0.31), (1.5, 0.26, 0.23),
        (2.0, 0.46, 0.21), (2.9, 0.12, 0.09)]


def low_pass(sound, cutoff):
    """A one-pole low-pass filter."""
    factor = 1 - np.exp(-2 * np.pi * cutoff / RATE)
    filtered, last = np.empty_like(sound), 0.0
    for index, value in enumerate(sound):
        last += factor * (value - last)
        filtered[index] = last
    return filtered


def strike(sound, start, modes, strength, contact, noise, tune):
    """Adds a strike. `contact` is the amplitude, time and cut-off of its noise."""
    first = int(start * RATE)
    time = np.arange(len(sound) - first) / RATE
    for frequency, amplitude, decay in modes:
        # No two pieces are cut alike.
        own = frequency * tune * (1 + 0.012 * noise.uniform(-1, 1))
        # A contact is no step: the higher the mode, the sooner it is there.
        attack = 1 - np.exp(-time * own * 4)
        sound[first:] += strength * amplitude * attack * np.exp(-time / decay) * np.sin(
            2 * np.pi * own * time)
    amplitude, decay, cutoff = contact
    count = min(len(time), int(6 * decay * RATE))
    burst = low_pass(noise.uniform(-1, 1, count), cutoff) * np.exp(-time[:count] / decay)
    sound[first:first + count] += strength * amplitude * burst


def in_room(sound, noise):
    """With the early reflections of a furnished room, some 26 dB below."""
    wet = np.copy(sound)
    for delay, gain in [(0.0071, 0.070), (0.0113, 0.055), (0.0178, 0.042), (0.0262, 0.030)]:
        shift = int(delay * (1 + 0.1 * noise.uniform(-1, 1)) * RATE)
        wet[shift:] += gain * low_pass(sound[:-shift], 3500)
    return wet


def finished(sound):
    """Without what nobody hears at the end, with a peak of 0.97 and no click at the ends."""
    audible = np.flatnonzero(np.abs(sound) > 0.002 * np.abs(sound).max())
    sound = sound[:audible[-1] + 1]
    fade_in, fade_out = RATE // 2000, len(sound) // 8
    sound[:fade_in] *= np.linspace(0, 1, fade_in)
    sound[-fade_out:] *= np.linspace(1, 0, fade_out)
    return 0.97 * sound / np.abs(sound).max()


def impact(kind, seed):
    noise = np.random.default_rng([seed, *kind.encode()])
    tune = 1 + 0.045 * noise.uniform(-1, 1)
    sound = np.zeros(3 * RATE)

    def add(start, modes, strength, contact, pitch=1.0):
        strike(sound, start, modes, strength, contact, noise, pitch * tune)

    def ring(start, pitch, strength):
        modes = [(pitch * ratio, *rest) for ratio, *rest in BELL]
        strike(sound, start, modes, strength, (0.12, 0.003, 5000), noise, 1)

    bright, dull = (0.9, 0.0022, 6000), (0.8, 0.004, 2600)
    if kind == "wood":
        add(0, WOOD, 1, dull)
    elif kind == "cloth":
        # It tips over and lies.
        add(0, CLOTH, 1, (0.7, 0.010, 900))
        add(0.085 + 0.01 * noise.uniform(), CLOTH, 0.35, (0.5, 0.008, 700), 1.2)
    elif kind == "stone":
        add(0, STONE, 1, bright)
    elif kind == "pavilion":
        # Stone slides on stone, and the roof comes to rest.
        grain = low_pass(noise.uniform(-1, 1, int(0.16 * RATE)), 1400)
        sound[:len(grain)] += 0.5 * grain * np.sin(np.linspace(0, np.pi, len(grain)))**2
        add(0.15, STONE, 0.6, bright, 0.82)
        add(0.15, WOOD, 0.6, dull, 0.9)
    elif kind == "stick":
        add(0, STICK, 1, bright)
    elif kind == "bell":
        ring(0, 880, 1)
    elif kind == "chime":
        # D5, G5, B5.
        for start, pitch, strength in [(0, 587.33, 0.8), (0.16, 783.99, 0.8), (0.34, 987.77, 1)]:
            ring(start, pitch, strength)
    else:
        raise ValueError(f"no sound '{kind}'")
    return finished(in_room(sound, noise))


def air(length, noise, cutoff, swells):
    """Noise below a cut-off, which swells so many times in the loop of `LOOP` seconds."""
    time = np.arange(length) / RATE
    twice = low_pass(low_pass(noise.uniform(-1, 1, length), cutoff), cutoff)
    return twice * (1 + 0.25 * np.sin(2 * np.pi * swells * time / LOOP))


LOOP, OVERLAP = 16, 1


def room(name):
    """A loop: its end fades out over its beginning."""
    noise = np.random.default_rng(list(name.encode()))
    length, overlap = LOOP * RATE, OVERLAP * RATE
    if name == "study":
        sound = air(length + overlap, noise, 180, 1)
    else:
        # A fire: a low roar, the wind outside, and crackling wood.
        sound = air(length + overlap, noise, 110, 3) + 0.35 * air(length + overlap, noise, 420, 2)
        at = 0.0
        while (at := at + noise.exponential(0.22)) < LOOP - 0.1:
            strength = noise.uniform()
            decay = 0.002 + 0.006 * strength
            count, first = int(6 * decay * RATE), int(at * RATE)
            fall = np.exp(-np.arange(count) / (decay * RATE))
            crackle = low_pass(noise.uniform(-1, 1, count), 6000) * fall
            sound[first:first + count] += 0.3 * strength**3 * crackle
    share = np.linspace(0, 1, overlap)
    sound[:overlap] = sound[:overlap] * np.sqrt(share) + sound[length:] * np.sqrt(1 - share)
    sound = sound[:length]
    # Far below the sound of a move.
    return np.clip(0.02 * sound / np.sqrt(np.mean(sound**2)), -0.25, 0.25)


def write(name, sound, quality, rate=RATE):
    # What lies above half the rate is hardly there.
    soundfile.write(OUT / f"{name}.ogg", sound[::RATE // rate], rate, format="OGG",
                    subtype="VORBIS", compression_level=1 - quality)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for kind in ["wood", "cloth", "stone", "pavilion", "stick", "bell", "chime"]:
        for variant in range(1, VARIANTS + 1):
            write(f"{kind}-{variant}", impact(kind, variant), 0.4)
    for name, rate in [("study", RATE // 4), ("cabin", RATE // 2)]:
        write(f"room-{name}", room(name), 0.1, rate)


if __name__ == "__main__":
    main()
