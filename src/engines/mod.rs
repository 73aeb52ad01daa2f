//! Thinking (in the making: the interface everyone codes against).
#![allow(missing_docs)]
use std::{
    fmt,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::games::{AnyMove, AnyPosition, Game, Line};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Novice,
    Casual,
    Club,
    Expert,
    Master,
}
impl Level {
    pub const ALL: [Self; 5] = [Self::Novice, Self::Casual, Self::Club, Self::Expert, Self::Master];
    pub const fn title(self) -> &'static str {
        match self {
            Self::Novice => "Novice",
            Self::Casual => "Casual",
            Self::Club => "Club",
            Self::Expert => "Expert",
            Self::Master => "Master",
        }
    }
    pub fn limits(self) -> Limits {
        Limits { movetime: Some(Duration::from_millis(500)), ..Limits::default() }
    }
}
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title().to_lowercase())
    }
}
impl FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|l| l.to_string() == text).ok_or_else(|| text.to_owned())
    }
}
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub movetime: Option<Duration>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub score: Score,
    pub nodes: u64,
    pub time: Duration,
    pub pv: Vec<AnyMove>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Points(i32),
    Win(u32),
    Loss(u32),
}
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(f, "cp {points}"),
            Self::Win(plies) => write!(f, "mate {}", plies.div_ceil(2)),
            Self::Loss(plies) => write!(f, "mate -{}", plies.div_ceil(2)),
        }
    }
}
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);
impl Stop {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
#[derive(Clone, Debug)]
pub struct Settings {
    pub level: Level,
    pub threads: usize,
    pub hash_mib: usize,
    pub seed: u64,
}
#[derive(Clone, Debug)]
pub struct Request {
    pub line: Line<AnyPosition>,
    pub limits: Limits,
    pub settings: Settings,
}
pub fn think(request: &Request, _stop: &Stop, _on_info: &mut dyn FnMut(&Info)) -> Option<AnyMove> {
    request.line.legal_moves().into_iter().min()
}
pub enum Reply {
    Info { ticket: u64, info: Info },
    Best { ticket: u64, key: u64, best: Option<AnyMove> },
}
#[derive(Default)]
pub struct Worker {
    next: u64,
    waiting: Option<Reply>,
}
impl Worker {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn ask(&mut self, request: Request) -> u64 {
        self.next += 1;
        let best = think(&request, &Stop::default(), &mut |_| ());
        self.waiting =
            Some(Reply::Best { ticket: self.next, key: request.line.position().key(), best });
        self.next
    }
    pub fn poll(&mut self) -> Option<Reply> {
        self.waiting.take()
    }
    pub fn stop(&mut self) {}
    pub fn cancel(&mut self) {
        self.waiting = None;
    }
    pub fn is_thinking(&self) -> bool {
        self.waiting.is_some()
    }
}
