//! What grows if something is forgotten: memory, entities, warnings.

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

/// The memory of a process that is really there, in KiB; none where the system
/// does not say.
pub(crate) fn resident(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// How memory went.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// After each round.
    pub(crate) rounds: Vec<u64>,
}

impl Memory {
    /// By how many percent the second half of the rounds took more than the
    /// first half, not counting the first `warm` ones, in which everything is
    /// used once and caches are filled; none for too few rounds to say.
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

/// Every warning and error of the log, and how often it came.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<BTreeMap<String, usize>>>);

impl Warnings {
    /// Listens to the log of this process, which nobody else may do.
    pub(crate) fn listen() -> Self {
        let warnings = Self::default();
        registry().with(warnings.clone()).try_init().expect("the only listener");
        warnings
    }

    pub(crate) fn heard(&self) -> BTreeMap<String, usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Nothing was warned of twice.
    pub(crate) fn check(&self) {
        let heard = self.heard();
        assert!(heard.values().all(|times| *times == 1), "{heard:#?}");
    }
}

/// What the panels' library says each frame where there is no window.
const NO_WINDOW: &str = "Cannot access an underlying winit window";

struct Text(String);

impl tracing::field::Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl<S: Subscriber> Layer<S> for Warnings {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        // The lower, the graver.
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
fn growth_is_of_the_second_half_over_the_first_after_warming_up() {
    let memory = Memory { rounds: vec![10, 50, 100, 100, 110, 110] };
    assert!(memory.growth(2).is_some_and(|growth| (growth - 10.0).abs() < 1e-6));
    assert_eq!(Memory { rounds: vec![1, 2, 3] }.growth(2), None);
    assert!(!cfg!(target_os = "linux") || resident("self").is_some_and(|kib| kib > 1_000));
}
