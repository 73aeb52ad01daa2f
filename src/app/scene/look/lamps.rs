//! The lamps of the rooms. How far each reaches is baked into the models; a room and a time
//! of day are four colours.

use bevy::prelude::*;

use crate::app::settings::options::{Room, TimeOfDay};

/// The colours of the lamps, in the order of the models' light: the window, the sun, the
/// fire, and the room, from everywhere.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lamps(pub(crate) [Vec3; 4]);

impl Lamps {
    /// The lamps of a room at a time of day.
    pub(crate) const fn new(room: Room, time: TimeOfDay) -> Self {
        let v = Vec3::new;
        let dark = Vec3::ZERO;
        Self(match (room, time) {
            (Room::Study, TimeOfDay::Usual) => {
                [v(0.32, 0.345, 0.39), v(0.94, 0.76, 0.53), dark, v(0.13, 0.13, 0.14)]
            }
            (Room::Study, TimeOfDay::Morning) => {
                [v(0.38, 0.43, 0.51), v(0.80, 0.66, 0.47), dark, v(0.16, 0.165, 0.18)]
            }
            (Room::Study, TimeOfDay::Evening) => {
                [v(0.20, 0.20, 0.28), v(0.88, 0.50, 0.23), dark, v(0.18, 0.165, 0.19)]
            }
            (Room::Cabin, TimeOfDay::Usual) => {
                [v(0.06, 0.09, 0.15), dark, v(0.95, 0.60, 0.32), v(0.19, 0.155, 0.135)]
            }
            (Room::Cabin, TimeOfDay::Morning) => {
                [v(0.50, 0.56, 0.66), dark, v(0.34, 0.21, 0.11), v(0.21, 0.205, 0.205)]
            }
            (Room::Cabin, TimeOfDay::Evening) => {
                [v(0.14, 0.22, 0.38), dark, v(0.66, 0.41, 0.21), v(0.15, 0.14, 0.15)]
            }
        })
    }

    /// How bright each is.
    pub(super) fn luminances(&self) -> Vec4 {
        let luminance = |colour: Vec3| LinearRgba::from_vec3(colour).luminance();
        Vec4::from(self.0.map(luminance))
    }

    /// The colour of a white, level place on an empty table.
    pub(super) fn sum(&self) -> Vec3 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_study_is_lit_by_day_and_the_cabin_by_fire() {
        let [day, fire] = Room::ALL.map(|room| Lamps::new(room, TimeOfDay::Usual));
        let warmth = |lamps: Lamps| lamps.sum().x / lamps.sum().z;
        assert!(warmth(fire) > 1.5 * warmth(day));
        assert!(day.0[2] == Vec3::ZERO && fire.0[1] == Vec3::ZERO);
        for (room, time) in
            Room::ALL.into_iter().flat_map(|room| TimeOfDay::ALL.map(|time| (room, time)))
        {
            let bright = LinearRgba::from_vec3(Lamps::new(room, time).sum()).luminance();
            assert!((0.75..1.35).contains(&bright), "{room:?} {time:?}: {bright}");
        }
    }

    #[test]
    fn the_sides_stay_apart_in_the_light_of_every_room() {
        use crate::{
            app::{scene::look::models::colours_of, settings::options::Palette},
            games::GameKind,
        };

        const SIDES: [(GameKind, [&str; 2]); 4] = [
            (GameKind::Tablut, ["piece_soldier_white", "piece_soldier_black"]),
            (GameKind::Tablan, ["piece_runner_south", "piece_runner_north"]),
            (GameKind::Tablaaza, ["piece_stone_red", "piece_stone_green"]),
            (GameKind::Tablaaza, ["piece_pavilion_red", "piece_pavilion_green"]),
        ];
        for (room, palette) in
            Room::ALL.into_iter().flat_map(|room| Palette::ALL.map(|palette| (room, palette)))
        {
            let light = Lamps::new(room, TimeOfDay::Usual).sum();
            for (game, names) in SIDES {
                let known = colours_of(game, palette);
                let [one, other] = names.map(|name| known[name].to_vec3() * light);
                let bright = |colour: Vec3| LinearRgba::from_vec3(colour).luminance() + 0.05;
                let contrast = bright(one).max(bright(other)) / bright(one).min(bright(other));
                let alike = one.normalize().dot(other.normalize());
                assert!(contrast > 1.5 || alike < 0.7, "{room:?} {palette:?} {names:?}");
            }
        }
    }
}
