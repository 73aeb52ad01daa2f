//! How sticks fall: pure functions of the throw, its tumble and the time.
//!
//! The throw is decided before it is shown. Nothing here is simulated: a
//! path is laid backwards from the faces the throw must show, so the last
//! frame is exact whatever the frame rate.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use bevy::prelude::*;

use crate::{app::scene::layout::Layout, games::Throw};

/// Radius of the rod that was split.
pub(super) const RADIUS: f32 = 0.15;
/// Half a stick's length.
pub(super) const HALF_LENGTH: f32 = 0.85;
/// How far the flat side lies under the stick's middle.
pub(super) const SUNK: f32 = 0.065;

/// Distance between the places of two sticks: more than a stick's length, so
/// that sticks at rest never touch however they lie.
const LANE: f32 = 2.1;

/// When sticks hit the table after leaving the hand, as parts of the flight.
const CONTACTS: [f32; 5] = [0.0, 0.40, 0.63, 0.77, 0.85];
/// How high they jump after each contact; the first leaves the hand.
const JUMPS: [f32; 4] = [0.55, 0.50, 0.17, 0.045];
/// Where the hand lets go: that high over the table.
const HAND: f32 = 1.5;
/// The part of the flight after which a stick that stood on its edge falls.
const EDGE: f32 = 0.86;
/// The part of the whole time in which the sticks are gathered.
const GATHERING: f32 = 0.22;

/// Numbers that look random and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn of(throw: Throw, tumble: u64) -> Self {
        Self(tumble.wrapping_mul(0xD134_2543_DE82_EF95) ^ (u64::from(throw.plain()) << 56))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// From -1 to 1.
    fn swing(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// How one stick falls.
#[derive(Clone, Copy)]
struct Fall {
    place: Vec2,
    yaw: f32,
    plain: bool,
    spin: f32,
    rolls: f32,
    flips: f32,
    late: f32,
    /// It stands on its edge a while before it shows a face.
    slow: bool,
}

/// The stick that comes to rest last, when the other three agree: then all
/// hangs on it.
pub(crate) fn slow_stick(throw: Throw, tumble: u64) -> Option<usize> {
    falls(throw, tumble).iter().position(|fall| fall.slow)
}

fn falls(throw: Throw, tumble: u64) -> [Fall; 4] {
    let mut dice = Dice::of(throw, tumble);
    let plain = faces(&mut dice, throw);
    let last = Dice::of(throw, !tumble).below(4) as usize;
    let others = (0..4).filter(|&n| n != last && plain[n]).count();
    let decides = others == 0 || others == 3;
    std::array::from_fn(|n| {
        let way = if dice.below(2) == 0 { 1.0 } else { -1.0 };
        Fall {
            place: Vec2::new((n as f32 - 1.5) * LANE + 0.14 * dice.swing(), 0.16 * dice.swing()),
            yaw: 0.55 * dice.swing(),
            plain: plain[n],
            spin: way * (1.0 + 2.0 * dice.unit()),
            rolls: way * (1 + dice.below(3)) as f32,
            flips: if dice.below(2) == 0 { 1.0 } else { -1.0 } * (1 + dice.below(2)) as f32,
            late: 0.05 * dice.unit(),
            slow: decides && n == last,
        }
    })
}

/// Which of the four sticks show their plain side: as many as the throw says.
fn faces(dice: &mut Dice, throw: Throw) -> [bool; 4] {
    let mut faces = std::array::from_fn(|n| n < usize::from(throw.plain()));
    for n in (1..4).rev() {
        faces.swap(n, dice.below(n as u64 + 1) as usize);
    }
    faces
}

/// Whether a stick that lies so shows its plain side.
#[cfg(test)]
pub(crate) fn plain_up(stick: &Transform) -> bool {
    (stick.rotation * Vec3::NEG_Y).y > 0.0
}

/// How far the lowest point of a stick turned so lies under its middle.
fn clearance(rotation: Quat) -> f32 {
    let mut lowest = 0.0_f32;
    for end in [-HALF_LENGTH, HALF_LENGTH] {
        for step in 0..=8 {
            let (sin, cos) = (PI * step as f32 / 8.0).sin_cos();
            let point = Vec3::new(end, sin * RADIUS - SUNK, cos * RADIUS);
            lowest = lowest.min((rotation * point).y);
        }
    }
    -lowest
}

/// A stick that lies or flies: its middle over the table by `jump`.
fn stance(layout: &Layout, place: Vec2, rotation: Quat, jump: f32) -> Transform {
    let middle = layout.sticks_middle();
    Transform {
        translation: middle + Vec3::new(place.x, clearance(rotation) + jump, place.y),
        rotation,
        scale: Vec3::ONE,
    }
}

fn lying(fall: &Fall) -> Quat {
    let roll = if fall.plain { PI } else { 0.0 };
    Quat::from_rotation_y(fall.yaw) * Quat::from_rotation_x(roll)
}

/// How the sticks lie after a throw.
pub(crate) fn rest(layout: &Layout, throw: Throw, tumble: u64) -> [Transform; 4] {
    falls(throw, tumble).map(|fall| stance(layout, fall.place, lying(&fall), 0.0))
}

/// How they lie before the first throw: side by side, in a bundle.
pub(crate) fn bundle(layout: &Layout) -> [Transform; 4] {
    std::array::from_fn(|n| {
        let place = Vec2::new(0.0, (n as f32 - 1.5) * RADIUS * 2.15);
        stance(layout, place, Quat::IDENTITY, 0.0)
    })
}

/// When sticks hit the table, as parts of the whole time, how hard and where,
/// in the order of time.
pub(crate) fn contacts(layout: &Layout, throw: Throw, tumble: u64) -> Vec<(f32, f32, Vec3)> {
    let falls = falls(throw, tumble);
    let mut contacts = Vec::new();
    for (n, fall) in falls.iter().enumerate() {
        for (s, jump) in CONTACTS[1..].iter().zip(JUMPS) {
            let flight = fall.late + s * (1.0 - fall.late);
            let part = GATHERING + flight * (1.0 - GATHERING);
            // As hard as it fell high.
            let force = (jump / JUMPS[0]).sqrt();
            contacts.push((part, force, flying(layout, fall, n, *s).translation));
        }
    }
    contacts.sort_by(|a, b| a.0.total_cmp(&b.0));
    contacts
}

/// The sticks at a part `t` (0 to 1) of a throw that finds them lying at
/// `from`: gathered, let go, bounced, rolled out.
pub(crate) fn at(
    layout: &Layout,
    from: &[Transform; 4],
    throw: Throw,
    tumble: u64,
    t: f32,
) -> [Transform; 4] {
    let falls = falls(throw, tumble);
    std::array::from_fn(|n| {
        let fall = &falls[n];
        if t < GATHERING {
            let t = t / GATHERING;
            let ease = t * t * (3.0 - 2.0 * t);
            let hand = flying(layout, fall, n, 0.0);
            let lift = Vec3::Y * (PI * ease).sin() * 0.25;
            return Transform {
                translation: from[n].translation.lerp(hand.translation, ease) + lift,
                rotation: from[n].rotation.slerp(hand.rotation, ease),
                scale: Vec3::ONE,
            };
        }
        let flight = (t - GATHERING) / (1.0 - GATHERING);
        flying(layout, fall, n, ((flight - fall.late) / (1.0 - fall.late)).clamp(0.0, 1.0))
    })
}

/// One stick at a part `s` of its flight.
fn flying(layout: &Layout, fall: &Fall, n: usize, s: f32) -> Transform {
    let left = 1.0 - s;
    let hand = Vec2::new((n as f32 - 1.5) * 0.28, 2.3);
    let place = hand.lerp(fall.place, 1.0 - left.powf(1.9));
    // End over end only until the second contact, rolling to the very end.
    let tumbling = (1.0 - s / CONTACTS[2]).max(0.0).powf(1.4);
    let rocking = if fall.plain { 0.5 * (s * 34.0).sin() * left * left } else { 0.0 };
    let end = if fall.plain { PI } else { 0.0 };
    let roll = if fall.slow {
        // It rolls onto its edge, sways there, and falls at the very end.
        let sways = 0.22 * (s * 30.0).sin() * (1.0 - s) * 3.0;
        let falls = ((s - EDGE) / (1.0 - EDGE)).clamp(0.0, 1.0).powi(3);
        let edge = FRAC_PI_2 * fall.rolls.signum()
            + fall.rolls * TAU * (1.0 - s / EDGE).max(0.0).powf(1.6);
        let from = edge + sways;
        // The shorter way round to its face.
        let to = end + TAU * ((FRAC_PI_2 * fall.rolls.signum() - end) / TAU).round();
        from + (to - from) * falls
    } else {
        end + fall.rolls * TAU * left.powf(2.2) + rocking
    };
    let rotation = Quat::from_rotation_y(fall.yaw + fall.spin * left * left)
        * Quat::from_rotation_z(fall.flips * TAU * tumbling + FRAC_PI_2 * 0.3 * tumbling)
        * Quat::from_rotation_x(roll);
    stance(layout, place, rotation, jump(s))
}

/// Height over the table at a part `s` of the flight.
fn jump(s: f32) -> f32 {
    for (contact, high) in CONTACTS.windows(2).zip(JUMPS) {
        if s < contact[1] {
            let x = (s - contact[0]) / (contact[1] - contact[0]);
            let fall = if contact[0] == 0.0 { HAND * (1.0 - x) } else { 0.0 };
            return fall + 4.0 * high * x * (1.0 - x);
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn layout() -> Layout {
        Layout { files: 12, ranks: 4, sticks: true }
    }

    #[test]
    fn the_faces_drawn_are_the_faces_shown() {
        let layout = layout();
        for throw in Throw::ALL {
            for tumble in 0..2000 {
                let from = bundle(&layout);
                let end = at(&layout, &from, throw, tumble, 1.0);
                let rest = rest(&layout, throw, tumble);
                for (end, rest) in end.iter().zip(&rest) {
                    assert!(end.translation.distance(rest.translation) < 1e-3);
                    assert!(end.rotation.angle_between(rest.rotation) < 1e-2);
                    // Flat on the table: one of the two faces is straight up.
                    assert!((end.rotation * Vec3::Y).y.abs() > 0.999);
                }
                let plain = end.iter().filter(|stick| plain_up(stick)).count();
                assert_eq!(plain, usize::from(throw.plain()), "{throw} {tumble}");
            }
        }
    }

    #[test]
    fn throws_vary_and_repeat() {
        let layout = layout();
        let Some(two) = Throw::new(2) else { unreachable!() };
        let faces: HashSet<[bool; 4]> =
            (0..200).map(|tumble| rest(&layout, two, tumble).map(|it| plain_up(&it))).collect();
        assert_eq!(faces.len(), 6, "two of four sticks, every way");
        let places: HashSet<u32> =
            (0..50).map(|tumble| rest(&layout, two, tumble)[0].translation.x.to_bits()).collect();
        assert_eq!(places.len(), 50);
        let from = bundle(&layout);
        assert_eq!(at(&layout, &from, two, 7, 0.6), at(&layout, &from, two, 7, 0.6));
    }

    /// In a quarter of all throws the last stick decides, and is seen to.
    #[test]
    fn the_last_stick_waits_when_all_hangs_on_it() {
        let layout = layout();
        for throw in Throw::ALL {
            let slow: Vec<(u64, usize)> =
                (0..400).filter_map(|it| Some((it, slow_stick(throw, it)?))).collect();
            match throw.plain() {
                0 | 4 => assert_eq!(slow.len(), 400, "three agree whatever the last shows"),
                2 => assert!(slow.is_empty(), "two of each never do"),
                _ => assert!((50..150).contains(&slow.len()), "{}", slow.len()),
            }
            for &(tumble, stick) in slow.iter().take(40) {
                let before = at(&layout, &bundle(&layout), throw, tumble, 0.88);
                for (n, place) in before.iter().enumerate() {
                    let upright = (place.rotation * Vec3::Y).y.abs();
                    assert_eq!(upright < 0.6, n == stick, "{throw} {tumble} {n}: {upright}");
                }
            }
        }
    }

    #[test]
    fn sticks_never_sink_and_never_lie_on_each_other() {
        let layout = layout();
        let table = layout.sticks_middle().y;
        for throw in Throw::ALL {
            for tumble in 0..40 {
                let from = bundle(&layout);
                for step in 0..=60 {
                    for stick in at(&layout, &from, throw, tumble, step as f32 / 60.0) {
                        let low = stick.translation.y - clearance(stick.rotation);
                        // While gathered they are lifted along a straight line.
                        assert!(low > table - 0.12, "{throw} {tumble} {step}: {low}");
                    }
                }
                let rest = rest(&layout, throw, tumble);
                for pair in rest.windows(2) {
                    assert!(pair[0].translation.distance(pair[1].translation) > 2.0 * HALF_LENGTH);
                }
            }
        }
    }

    #[test]
    fn every_contact_is_at_the_table() {
        let layout = layout();
        let table = layout.sticks_middle().y;
        let from = bundle(&layout);
        for throw in Throw::ALL {
            let contacts = contacts(&layout, throw, 5);
            assert_eq!(contacts.len(), 16);
            assert!(contacts.is_sorted_by_key(|it| it.0));
            for (part, force, place) in contacts {
                assert!(part > GATHERING && part < 1.0 && force > 0.0 && force <= 1.0);
                let sticks = at(&layout, &from, throw, 5, part);
                let touches = |stick: &Transform| {
                    let low = stick.translation.y - clearance(stick.rotation);
                    (low - table).abs() < 0.02 && stick.translation.distance(place) < 0.05
                };
                assert!(sticks.iter().any(touches), "{throw}: {part}");
            }
        }
    }

    #[test]
    fn the_bundle_shows_no_throw_and_holds_together() {
        let bundle = bundle(&layout());
        for pair in bundle.windows(2) {
            let apart = pair[0].translation.distance(pair[1].translation);
            assert!((2.0 * RADIUS..0.4).contains(&apart));
        }
    }
}
