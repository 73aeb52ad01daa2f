//! Runs a target on inputs that come ever nearer to what it reads.

use std::{
    collections::HashSet,
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{
        Mutex,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{common::games::Numbers, mutate::mutate};

/// A property of everything that is read.
pub(crate) trait Target {
    /// Inputs to begin with.
    fn seeds(&self) -> Vec<Vec<u8>>;

    /// The words of the language that is read.
    fn words(&self) -> &'static [&'static str];

    /// Panics if the property does not hold of this input; else says how it
    /// was answered, so that inputs with new answers can be gone on from.
    fn check(&mut self, input: &[u8]) -> String;

    /// What is to be looked at when all inputs were tried.
    fn finish(&mut self) {}
}

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    Times(u64),
    Time(Duration),
}

impl Effort {
    /// A minute, or what `FUZZ_SECONDS` says.
    pub(crate) fn asked() -> Self {
        let seconds = env::var("FUZZ_SECONDS").map_or(60, |text| text.parse().unwrap());
        Self::Time(Duration::from_secs(seconds))
    }
}

/// An input that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pool is no larger than this.
const MOST: usize = 4000;

/// Tries inputs; panics with the shortest that fails.
pub(crate) fn run(target: &mut impl Target, effort: Effort) {
    // What is being tried, for whoever finds that it takes too long.
    let trying = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let (sender, alive) = mpsc::channel();
        let trying = &trying;
        scope.spawn(move || {
            loop {
                match alive.recv_timeout(PATIENCE) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        let input =
                            trying.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        eprintln!("hangs on b\"{}\"", input.escape_ascii());
                        process::abort();
                    }
                }
            }
        });
        let mut attempt = |target: &mut _, input: &[u8]| {
            trying.lock().unwrap().clone_from(&input.to_vec());
            sender.send(()).unwrap();
            check(target, input)
        };
        search(target, effort, &mut attempt);
    });
    target.finish();
}

type Answer = Result<String, String>;

fn search<T: Target>(
    target: &mut T,
    effort: Effort,
    attempt: &mut impl FnMut(&mut T, &[u8]) -> Answer,
) {
    let seed = match effort {
        Effort::Times(_) => 1,
        // Another run tries other inputs; the failing one is shown whole.
        Effort::Time(_) => u64::from(process::id()) << 32 ^ unix_seconds(),
    };
    let (mut numbers, begun) = (Numbers::new(seed), Instant::now());
    let (mut pool, mut answers, mut tried) = (target.seeds(), HashSet::new(), 0);
    assert!(!pool.is_empty());
    for input in pool.clone() {
        answers.insert(attempt_or_panic(target, &input, attempt));
    }
    let goes_on = |tried| match effort {
        Effort::Times(times) => tried < times,
        Effort::Time(time) => begun.elapsed() < time,
    };
    while goes_on(tried) {
        let input = mutate(&mut numbers, &pool, target.words());
        let answer = attempt_or_panic(target, &input, attempt);
        if answers.insert(answer) && pool.len() < MOST {
            pool.push(input);
        }
        tried += 1;
    }
    println!("{tried} inputs, {} kinds of answer", answers.len());
}

fn unix_seconds() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

fn check(target: &mut impl Target, input: &[u8]) -> Answer {
    catch_unwind(AssertUnwindSafe(|| target.check(input))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()))
            .unwrap_or_default()
    })
}

fn attempt_or_panic<T: Target>(
    target: &mut T,
    input: &[u8],
    attempt: &mut impl FnMut(&mut T, &[u8]) -> Answer,
) -> String {
    attempt(target, input).unwrap_or_else(|why| {
        let mut shortest = input.to_vec();
        let mut part = shortest.len() / 2;
        while part > 0 {
            let mut at = 0;
            while at < shortest.len() {
                let mut shorter = shortest.clone();
                shorter.drain(at..(at + part).min(shorter.len()));
                if attempt(target, &shorter).is_err() {
                    shortest = shorter;
                } else {
                    at += part;
                }
            }
            part /= 2;
        }
        panic!("{why}: b\"{}\"", shortest.escape_ascii())
    })
}
