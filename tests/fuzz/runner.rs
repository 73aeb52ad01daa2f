//! Runs a target on mutated inputs, and minimises one that fails.

use std::{
    collections::HashSet,
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{common::games::Numbers, mutate::mutate};

/// A property that every input must have.
pub(crate) trait Target {
    /// The initial corpus.
    fn seeds(&self) -> Vec<Vec<u8>>;

    /// Words of the input's language, which mutations insert.
    fn words(&self) -> &'static [&'static str];

    /// Panics if the input violates the property. Otherwise returns the kind of
    /// answer, by which the runner recognises inputs of interest.
    fn check(&mut self, input: &[u8]) -> String;

    /// Checks after all inputs.
    fn finish(&mut self) {}
}

/// Reads the files of a folder in `tests` whose names end so, in order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<_> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The kind of a message: its plain words outside quotes, which do not depend on
/// the input.
pub(crate) fn message_kind(message: &str) -> String {
    let unquoted = message.split('\'').step_by(2);
    let words = unquoted
        .flat_map(str::split_whitespace)
        .filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    words.take(8).collect::<Vec<_>>().join(" ")
}

/// How long to run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Budget {
    Inputs(u64),
    Time(Duration),
}

impl Budget {
    /// `FUZZ_SECONDS`, or a minute.
    pub(crate) fn from_env() -> Self {
        let seconds = env::var("FUZZ_SECONDS").map_or(60, |text| text.parse().unwrap());
        Self::Time(Duration::from_secs(seconds))
    }
}

/// An input that takes this long counts as a hang.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);
/// The largest corpus.
const MAX_POOL: usize = 4000;

/// Runs the target; panics with a minimised input if one fails.
pub(crate) fn run(target: &mut impl Target, effort: Budget) {
    // The current input, for the watchdog thread to print.
    let current = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let (sender, alive) = mpsc::channel();
        let current = &current;
        scope.spawn(move || {
            loop {
                match alive.recv_timeout(HANG_TIMEOUT) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        let input = current.lock().unwrap_or_else(PoisonError::into_inner);
                        eprintln!("hangs on b\"{}\"", input.escape_ascii());
                        process::abort();
                    }
                }
            }
        });
        let mut attempt = |target: &mut _, input: &[u8]| {
            current.lock().unwrap().clone_from(&input.to_vec());
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
    effort: Budget,
    attempt: &mut impl FnMut(&mut T, &[u8]) -> Answer,
) {
    let seed = match effort {
        Budget::Inputs(_) => 1,
        // Other inputs in each run; a failing one is printed.
        Budget::Time(_) => u64::from(process::id()) << 32 ^ unix_seconds(),
    };
    let (mut numbers, started) = (Numbers::new(seed), Instant::now());
    let (mut pool, mut answers, mut tried) = (target.seeds(), HashSet::new(), 0);
    assert!(!pool.is_empty());
    for input in pool.clone() {
        answers.insert(attempt_or_panic(target, &input, attempt));
    }
    let in_budget = |tried| match effort {
        Budget::Inputs(times) => tried < times,
        Budget::Time(time) => started.elapsed() < time,
    };
    while in_budget(tried) {
        let input = mutate(&mut numbers, &pool, target.words());
        let answer = attempt_or_panic(target, &input, attempt);
        if answers.insert(answer) && pool.len() < MAX_POOL {
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

/// Tries an input; on failure minimises it and panics.
fn attempt_or_panic<T: Target>(
    target: &mut T,
    input: &[u8],
    attempt: &mut impl FnMut(&mut T, &[u8]) -> Answer,
) -> String {
    attempt(target, input).unwrap_or_else(|message| {
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
        panic!("{message}: b\"{}\"", shortest.escape_ascii())
    })
}
