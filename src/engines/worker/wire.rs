//! What a page and the worker that thinks for it say to each other: one JSON
//! text for each message, games in it as records, moves as they are written.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    engines::{
        EngineOptions, Info, Level, ParseLevelError, Reply, Request, Score, SearchLimits,
        tablan::{MoveReview, Review, ThrowReview},
    },
    games::{AnyMove, AnyPosition, Game, Illegal, Line, Ply},
    records::{Record, RecordError, read},
};

/// Why a message cannot be used.
#[derive(Debug, Error)]
pub(super) enum WireError {
    /// It is no such message.
    #[error("no message of an engine: {0}")]
    Form(#[from] serde_json::Error),
    /// The game in it cannot be read.
    #[error(transparent)]
    Game(#[from] RecordError),
    /// There is no game in it.
    #[error("no game in the message")]
    NoGame,
    /// A move in it cannot be played.
    #[error("'{0}': {1}")]
    Move(String, Illegal),
    /// The level in it is none.
    #[error(transparent)]
    Level(#[from] ParseLevelError),
    /// The worker could not use what it was asked.
    #[cfg(target_arch = "wasm32")]
    #[error("{0}")]
    Worker(String),
    /// There is no such ply in the game.
    #[error("no throw or choice at ply {0}")]
    NoSuchPly(usize),
}

/// What the page asks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Asked {
    /// For a move.
    Think(Question),
    /// For luck and skill in this game.
    Review(String),
}

/// A request, as it is sent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Question {
    ticket: u64,
    game: String,
    without: Vec<String>,
    movetime: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    level: String,
    hash_mib: usize,
    seed: u64,
    contempt: bool,
    adapt: bool,
}

/// A request, as it was received.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) ticket: u64,
    pub(super) request: Request,
    pub(super) without: Vec<AnyMove>,
}

/// What the worker tells.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Told {
    /// How far a thought has come.
    Info(Finding),
    /// The answer to a request.
    Best { ticket: u64, key: u64, best: Option<String> },
    /// A review; none where there is nothing to review.
    Review(Option<Findings>),
    /// It cannot be done; why.
    Failed(String),
}

/// An [`Info`], as it is sent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Finding {
    ticket: u64,
    depth: u32,
    score: Score,
    nodes: u64,
    time: Duration,
    pv: Vec<String>,
    exact: bool,
}

/// A [`Review`], as it is sent: each throw and choice by its ply.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Findings {
    throws: Vec<(usize, f32, f32)>,
    moves: Vec<Weighed>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Weighed {
    ply: usize,
    best: String,
    best_equity: f32,
    played_equity: f32,
    move_count: usize,
    exact: bool,
}

/// A game as text.
pub(super) fn game_text(line: &Line<AnyPosition>) -> String {
    Record::new(line.clone()).to_string()
}

/// The game of a text.
pub(super) fn game_of(text: &str) -> Result<Line<AnyPosition>, WireError> {
    let first = read(text)?.into_iter().next().ok_or(WireError::NoGame)?;
    Ok(first.line().clone())
}

fn move_of(line: &Line<AnyPosition>, text: &str) -> Result<AnyMove, WireError> {
    let read = line.position().parse_move(text);
    read.map_err(|why| WireError::Move(text.to_owned(), why))
}

impl Question {
    pub(super) fn of(ticket: u64, request: &Request, without: &[AnyMove]) -> Self {
        let Request { line, limits, options } = request;
        Self {
            ticket,
            game: game_text(line),
            without: without.iter().map(ToString::to_string).collect(),
            movetime: limits.movetime,
            depth: limits.depth,
            nodes: limits.nodes,
            level: options.level.to_string(),
            hash_mib: options.hash_mib,
            seed: options.seed,
            contempt: options.contempt,
            adapt: options.adapt,
        }
    }

    /// The request. A worker has one thread, whatever was asked for.
    pub(super) fn received(&self) -> Result<Received, WireError> {
        let line = game_of(&self.game)?;
        let without =
            self.without.iter().map(|text| move_of(&line, text)).collect::<Result<_, _>>();
        let limits = SearchLimits { movetime: self.movetime, depth: self.depth, nodes: self.nodes };
        let level: Level = self.level.parse()?;
        let Self { hash_mib, seed, contempt, adapt, .. } = *self;
        let options = EngineOptions { level, threads: 1, hash_mib, seed, contempt, adapt };
        let request = Request { line, limits, options };
        Ok(Received { ticket: self.ticket, request, without: without? })
    }
}

impl From<&Reply> for Told {
    fn from(reply: &Reply) -> Self {
        match reply {
            Reply::Info { ticket, info } => Self::Info(Finding {
                ticket: *ticket,
                depth: info.depth,
                score: info.score,
                nodes: info.nodes,
                time: info.time,
                pv: info.pv.iter().map(ToString::to_string).collect(),
                exact: info.exact,
            }),
            Reply::Best { ticket, key, best } => {
                Self::Best { ticket: *ticket, key: *key, best: best.map(|it| it.to_string()) }
            }
        }
    }
}

impl Finding {
    /// What was found about the game asked about.
    pub(super) fn reply(&self, game: &Line<AnyPosition>) -> Result<Reply, WireError> {
        let mut line = game.clone();
        let mut pv = Vec::new();
        for text in &self.pv {
            let mv = move_of(&line, text)?;
            pv.push(mv);
            // In Tablan a throw comes next, and nothing after it is told.
            if line.push(Ply::Move(mv)).is_err() {
                break;
            }
        }
        let Self { ticket, depth, score, nodes, time, exact, .. } = *self;
        Ok(Reply::Info { ticket, info: Info { depth, score, nodes, time, pv, exact } })
    }
}

/// The answer about the game asked about.
pub(super) fn best_reply(
    game: &Line<AnyPosition>,
    ticket: u64,
    key: u64,
    best: Option<&str>,
) -> Result<Reply, WireError> {
    let best = best.map(|text| move_of(game, text)).transpose()?;
    Ok(Reply::Best { ticket, key, best })
}

impl From<&Review> for Findings {
    fn from(review: &Review) -> Self {
        let weighed = |it: &MoveReview| Weighed {
            ply: it.ply,
            best: it.best.to_string(),
            best_equity: it.best_equity,
            played_equity: it.played_equity,
            move_count: it.move_count,
            exact: it.exact,
        };
        Self {
            throws: review
                .throws
                .iter()
                .map(|it| (it.ply, it.equity_before, it.equity_after))
                .collect(),
            moves: review.moves.iter().map(weighed).collect(),
        }
    }
}

impl Findings {
    /// The review of the game asked about.
    pub(super) fn review(&self, game: &Line<AnyPosition>) -> Result<Review, WireError> {
        let throws = self.throws.iter().map(|&(ply, equity_before, equity_after)| {
            let (position, Some(Ply::Throw(throw))) = before_ply(game, ply)? else {
                return Err(WireError::NoSuchPly(ply));
            };
            Ok(ThrowReview { ply, side: position.side(), throw, equity_before, equity_after })
        });
        let moves = self.moves.iter().map(|weighed| {
            let ply = weighed.ply;
            let (position, played) = before_ply(game, ply)?;
            let best = position.parse_move(&weighed.best);
            let best = best.map_err(|why| WireError::Move(weighed.best.clone(), why))?;
            let (Some(Ply::Move(AnyMove::Tablan(played))), AnyMove::Tablan(best)) = (played, best)
            else {
                return Err(WireError::NoSuchPly(ply));
            };
            let Weighed { best_equity, played_equity, move_count, exact, .. } = *weighed;
            Ok(MoveReview {
                ply,
                side: position.side(),
                played,
                best,
                best_equity,
                played_equity,
                move_count,
                exact,
            })
        });
        let (throws, moves) = (throws.collect::<Result<_, _>>()?, moves.collect::<Result<_, _>>()?);
        Ok(Review { throws, moves })
    }
}

/// A ply, and where it was played.
fn before_ply(
    game: &Line<AnyPosition>,
    ply: usize,
) -> Result<(&AnyPosition, Option<Ply<AnyMove>>), WireError> {
    let before = ply.checked_sub(1).and_then(|before| game.at(before));
    before.map(|position| (position, game.ply(ply))).ok_or(WireError::NoSuchPly(ply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engines::{EngineState, StopSignal, search_excluding, tablan::review},
        games::{RuleSet, Throw},
    };

    /// A game that waits for a move, a few plies after its start.
    fn game(rules: RuleSet) -> Line<AnyPosition> {
        let mut line = Line::new(AnyPosition::start(rules));
        for number in 0..9 {
            let ply = match line.legal_moves().into_iter().min() {
                Some(mv) => Ply::Move(mv),
                None => Ply::Throw(Throw::ALL[1 + number % 2]),
            };
            line.push(ply).expect("legal");
        }
        while line.legal_moves().is_empty() {
            line.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
        }
        line
    }

    /// As it comes out at the other end.
    fn sent<T: Serialize + serde::de::DeserializeOwned>(message: &T) -> T {
        serde_json::from_str(&serde_json::to_string(message).expect("a text"))
            .expect("it reads back")
    }

    #[test]
    fn a_request_arrives_as_it_was_made() {
        for rules in RuleSet::ALL {
            let line = game(rules);
            let without = vec![line.legal_moves().into_iter().max().expect("moves")];
            let movetime = Some(Duration::from_micros(1_234_567));
            let limits = SearchLimits { movetime, depth: Some(7), nodes: Some(u64::MAX) };
            let (level, seed) = (Level::Expert, u64::MAX - 1);
            let (contempt, adapt) = (true, false);
            let options = EngineOptions { level, threads: 1, hash_mib: 5, seed, contempt, adapt };
            let request = Request { line, limits, options };
            let Asked::Think(question) = sent(&Asked::Think(Question::of(3, &request, &without)))
            else {
                unreachable!("a question was sent")
            };
            let received = question.received().expect("usable");
            assert_eq!((received.ticket, &received.without), (3, &without));
            assert_eq!(received.request.line, request.line, "{rules}");
            assert_eq!(received.request.limits, limits);
            assert_eq!(received.request.options, request.options);
        }
    }

    #[test]
    fn all_that_is_found_arrives() {
        for rules in RuleSet::ALL {
            let line = game(rules);
            let limits = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
            let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
            let request = Request { line: line.clone(), limits, options };
            let mut found = Vec::new();
            let best = search_excluding(
                &EngineState::new(),
                &request,
                &[],
                &StopSignal::default(),
                &mut |info| {
                    found.push(Reply::Info { ticket: 9, info: info.clone() });
                },
            );
            assert!(!found.is_empty() && best.is_some(), "{rules}");
            found.push(Reply::Best { ticket: 9, key: u64::MAX, best });
            found.push(Reply::Best { ticket: 9, key: 0, best: None });
            for reply in found {
                let arrived = match sent(&Told::from(&reply)) {
                    Told::Info(finding) => finding.reply(&line),
                    Told::Best { ticket, key, best } => {
                        best_reply(&line, ticket, key, best.as_deref())
                    }
                    other => unreachable!("{other:?}"),
                };
                assert_eq!(arrived.expect("usable"), reply, "{rules}");
            }
        }
    }

    #[test]
    fn a_review_arrives() {
        let line = game(RuleSet::Tablan);
        let found = review(&line, &StopSignal::default()).expect("a game of Tablan");
        assert!(!found.throws.is_empty() && !found.moves.is_empty());
        assert_eq!(sent(&Findings::from(&found)).review(&line).expect("usable"), found);
        let other = game(RuleSet::Tablaaza);
        assert!(Findings::from(&found).review(&other).is_err());
        let short = Line::new(AnyPosition::start(RuleSet::Tablan));
        let error = Findings::from(&found).review(&short).expect_err("too short");
        assert!(error.to_string().contains("ply 1"), "{error}");
    }

    #[test]
    fn a_bad_message_is_refused_with_what_is_wrong() {
        let line = game(RuleSet::TablutAshton);
        let request = Request {
            line: line.clone(),
            limits: SearchLimits::default(),
            options: EngineOptions::default(),
        };
        let question = || Question::of(1, &request, &[]);
        let refused = |question: Question| question.received().expect_err("refused").to_string();
        assert!(refused(Question { level: "god".to_owned(), ..question() }).contains("'god'"));
        assert!(refused(Question { game: "1. z9".to_owned(), ..question() }).contains("1:"));
        assert!(refused(Question { game: String::new(), ..question() }).contains("game"));
        let without = vec!["z9-z8".to_owned()];
        assert!(refused(Question { without, ..question() }).contains("'z9-z8'"));
        assert!(serde_json::from_str::<Asked>("{\"think\": 3}").is_err());
        assert!(best_reply(&line, 1, 1, Some("e5-e5")).is_err());
    }
}
