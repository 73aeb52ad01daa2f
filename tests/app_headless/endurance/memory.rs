//! Measures what grows with a leak: memory, and repeated warnings.

use std::{
    collections::BTreeMap,
    fmt::{Debug, Write},
    sync::{Arc, Mutex, PoisonError},
};

use bevy::log::{
    Level,
    tracing::{self, Event, Subscriber, field::Field},
    tracing_subscriber::{Layer, layer::Context, prelude::*, registry},
};

/// The resident memory of a process, in KiB; `None` where the system does not
/// report it.
pub(crate) fn resident(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Memory over time.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// In KiB after each round.
    pub(crate) rounds: Vec<u64>,
}

impl Memory {
    /// The growth from the first half of the rounds to the second, in percent,
    /// without the first `warm` rounds, in which caches fill. `None` with too few
    /// rounds.
    pub(crate) fn growth(&self, warm: usize) -> Option<f64> {
        let rounds = self.rounds.get(warm..)?;
        if rounds.len() < 2 {
            return None;
        }
        let mean = |part: &[u64]| part.iter().sum::<u64>() as f64 / part.len() as f64;
        let (first, second) = rounds.split_at(rounds.len() / 2);
        Some((mean(second) / mean(first) - 1.0) * 100.0)
    }
}

/// The warnings and errors of the log, with their counts.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<BTreeMap<String, usize>>>);

impl Warnings {
    /// Installs itself as the only subscriber of this process's log.
    pub(crate) fn install() -> Self {
        let warnings = Self::default();
        registry().with(warnings.clone()).try_init().expect("the only subscriber");
        warnings
    }

    pub(crate) fn counts(&self) -> BTreeMap<String, usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks that no warning came twice.
    pub(crate) fn check(&self) {
        let counts = self.counts();
        assert!(counts.values().all(|times| *times == 1), "{counts:#?}");
    }
}

/// A warning of `bevy_egui` in each frame without a window.
const NO_WINDOW: &str = "Cannot access an underlying winit window";

struct Text(String);

impl tracing::field::Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl<S: Subscriber> Layer<S> for Warnings {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        // Lower levels are more severe.
        if *event.metadata().level() > Level::WARN {
            return;
        }
        let mut text = Text(event.metadata().target().to_owned());
        event.record(&mut text);
        if text.0.contains(NO_WINDOW) {
            return;
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(text.0).or_default() += 1;
    }
}

#[test]
fn growth_compares_the_halves_of_the_rounds_after_warming_up() {
    let memory = Memory { rounds: vec![10, 50, 100, 100, 110, 110] };
    assert!(memory.growth(2).is_some_and(|growth| (growth - 10.0).abs() < 1e-6));
    assert_eq!(Memory { rounds: vec![1, 2, 3] }.growth(2), None);
    assert!(!cfg!(target_os = "linux") || resident("self").is_some_and(|kib| kib > 1_000));
}
