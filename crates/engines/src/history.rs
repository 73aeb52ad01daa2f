//! The history heuristic, as the searches of Tablut and Tablaaza share it.

/// History gravity: a value after a bonus or, if it is negative, a malus. The nearer
/// the value is to `max` in the bonus's direction, the less it changes, so it stays
/// between `-max` and `max`. The bonus must too.
pub(super) const fn with_bonus(value: i32, bonus: i32, max: i32) -> i32 {
    value + bonus - value * bonus.abs() / max
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_approach_the_maximum_and_never_pass_it() {
        const MAX: i32 = 16_000;
        for bonus in [1, 12, 1600, MAX, -1, -12, -1600, -MAX] {
            let mut value = 0;
            for _ in 0..20_000 {
                let next = with_bonus(value, bonus, MAX);
                assert!(next.abs() <= MAX, "{value} and {bonus}: {next}");
                assert!((next - value) * bonus.signum() >= 0, "{value} and {bonus}: {next}");
                value = next;
            }
            // One bonus the other way counts more than one more of the same.
            let back = value - with_bonus(value, -bonus, MAX);
            assert!(back.abs() > (with_bonus(value, bonus, MAX) - value).abs(), "{bonus}");
        }
    }
}
