//! Messages between a page and its engine worker, one JSON text each.
//!
//! Games are sent as records, and moves as text, because only a position can
//! read them. `tests/web/speed.mjs` also uses this format, and
//! `web/engine-worker.js` sends `failed`.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    EngineOptions, Info, Request, SearchEvent, SearchLimits,
    tablan::{MoveReview, Review, ThrowReview},
};
use tabulae_games::{AnyMove, AnyPosition, Game, GameHistory, Illegal, Ply};
use tabulae_records::{Record, RecordError, read};

/// Why a message is invalid.
#[derive(Debug, Error)]
pub(super) enum MessageError {
    /// It is not a message of this kind.
    #[error("invalid message: {0}")]
    Json(#[from] serde_json::Error),
    /// Its game is not a record.
    #[error(transparent)]
    Game(#[from] RecordError),
    /// Its record holds no game.
    #[error("no game in the message")]
    NoGame,
    /// One of its moves is illegal.
    #[error("'{0}': {1}")]
    Move(String, Illegal),
    /// It reviews a ply that the game does not contain.
    #[error("no throw or move at ply {0}")]
    NoSuchPly(usize),
    /// The worker failed.
    #[cfg(target_arch = "wasm32")]
    #[error("{0}")]
    Worker(String),
}

/// A request from a page to its worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerRequest {
    /// Find the best move.
    Think(SearchMessage),
    /// Review this game.
    Review(String),
}

/// A search to run. A worker has one thread, so `threads` is not sent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SearchMessage {
    pub(super) ticket: u64,
    game: String,
    #[serde(rename = "without")]
    excluded: Vec<String>,
    #[serde(flatten)]
    limits: SearchLimits,
    #[serde(flatten)]
    options: EngineOptions,
}

/// A response from a worker to its page.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerResponse {
    /// An iteration is finished.
    Info {
        ticket: u64,
        #[serde(flatten)]
        info: Info,
        /// Not part of `info`, because only a position can read it.
        pv: Vec<String>,
    },
    /// The search is finished.
    Best { ticket: u64, key: u64, best: Option<String> },
    /// The review; none if the game cannot be reviewed.
    Review(Option<ReviewMessage>),
    /// The request failed, and why.
    Failed(String),
}

/// A [`Review`] without what follows from the game itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ReviewMessage {
    /// The ply of each throw, and its equities before and after.
    throws: Vec<(usize, f32, f32)>,
    moves: Vec<MoveMessage>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MoveMessage {
    ply: usize,
    best: String,
    best_equity: f32,
    played_equity: f32,
    move_count: usize,
    exact: bool,
}

/// The record of a game.
pub(super) fn write_game(history: &GameHistory<AnyPosition>) -> String {
    Record::new(history.clone()).to_string()
}

/// The game of a record.
pub(super) fn read_game(text: &str) -> Result<GameHistory<AnyPosition>, MessageError> {
    let first = read(text)?.into_iter().next().ok_or(MessageError::NoGame)?;
    Ok(first.history().clone())
}

fn read_move(position: &AnyPosition, text: &str) -> Result<AnyMove, MessageError> {
    position.parse_move(text).map_err(|illegal| MessageError::Move(text.to_owned(), illegal))
}

impl SearchMessage {
    pub(super) fn new(ticket: u64, request: &Request, excluded: &[AnyMove]) -> Self {
        Self {
            ticket,
            game: write_game(&request.history),
            excluded: excluded.iter().map(ToString::to_string).collect(),
            limits: request.limits,
            options: request.options.clone(),
        }
    }

    /// The request and the excluded moves.
    pub(super) fn read(self) -> Result<(Request, Vec<AnyMove>), MessageError> {
        let Self { limits, options, .. } = self;
        let history = read_game(&self.game)?;
        let excluded = self.excluded.iter().map(|text| read_move(history.position(), text));
        let excluded = excluded.collect::<Result<_, _>>()?;
        Ok((Request { history, limits, options }, excluded))
    }
}

impl From<SearchEvent> for WorkerResponse {
    fn from(event: SearchEvent) -> Self {
        match event {
            SearchEvent::Info { ticket, info } => {
                let pv = info.pv.iter().map(ToString::to_string).collect();
                Self::Info { ticket, info, pv }
            }
            SearchEvent::BestMove { ticket, key, best } => {
                Self::Best { ticket, key, best: best.map(|mv| mv.to_string()) }
            }
        }
    }
}

impl WorkerResponse {
    /// The event of a search of this game's last position; none if the response
    /// belongs to a review.
    pub(super) fn search_event(
        self,
        game: &GameHistory<AnyPosition>,
    ) -> Result<Option<SearchEvent>, MessageError> {
        Ok(match self {
            Self::Info { ticket, info, pv } => {
                let info = Info { pv: read_pv(game, &pv)?, ..info };
                Some(SearchEvent::Info { ticket, info })
            }
            Self::Best { ticket, key, best } => {
                let best = best.map(|text| read_move(game.position(), &text)).transpose()?;
                Some(SearchEvent::BestMove { ticket, key, best })
            }
            Self::Review(_) | Self::Failed(_) => None,
        })
    }
}

fn read_pv(
    game: &GameHistory<AnyPosition>,
    texts: &[String],
) -> Result<Vec<AnyMove>, MessageError> {
    let mut history = game.clone();
    let mut pv = Vec::new();
    for text in texts {
        let mv = read_move(history.position(), text)?;
        pv.push(mv);
        // In Tablan a throw comes next, and the variation ends.
        if history.push(Ply::Move(mv)).is_err() {
            break;
        }
    }
    Ok(pv)
}

impl From<&Review> for ReviewMessage {
    fn from(review: &Review) -> Self {
        let message = |it: &MoveReview| MoveMessage {
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
            moves: review.moves.iter().map(message).collect(),
        }
    }
}

impl ReviewMessage {
    /// The review of this game.
    pub(super) fn read(self, game: &GameHistory<AnyPosition>) -> Result<Review, MessageError> {
        let throws = self.throws.into_iter().map(|(ply, equity_before, equity_after)| {
            let (position, Some(Ply::Throw(throw))) = reviewed_ply(game, ply)? else {
                return Err(MessageError::NoSuchPly(ply));
            };
            Ok(ThrowReview { ply, side: position.side(), throw, equity_before, equity_after })
        });
        let moves = self.moves.into_iter().map(|message| {
            let MoveMessage { ply, best, best_equity, played_equity, move_count, exact } = message;
            let (position, played) = reviewed_ply(game, ply)?;
            let best = read_move(position, &best)?;
            let (Some(Ply::Move(AnyMove::Tablan(played))), AnyMove::Tablan(best)) = (played, best)
            else {
                return Err(MessageError::NoSuchPly(ply));
            };
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
        let throws = throws.collect::<Result<_, _>>()?;
        Ok(Review { throws, moves: moves.collect::<Result<_, _>>()? })
    }
}

/// The position before a ply, and the ply.
fn reviewed_ply(
    game: &GameHistory<AnyPosition>,
    ply: usize,
) -> Result<(&AnyPosition, Option<Ply<AnyMove>>), MessageError> {
    let before = ply.checked_sub(1).and_then(|before| game.at(before));
    before.map(|position| (position, game.ply(ply))).ok_or(MessageError::NoSuchPly(ply))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::{EngineState, Level, StopSignal, search_excluding, tablan::review};
    use tabulae_games::{RuleSet, Throw};

    /// A game with a move to choose, a few plies after its start.
    fn game(rules: RuleSet) -> GameHistory<AnyPosition> {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        for number in 0..9 {
            let ply = match history.legal_moves().into_iter().min() {
                Some(mv) => Ply::Move(mv),
                None => Ply::Throw(Throw::ALL[1 + number % 2]),
            };
            history.push(ply).expect("legal");
        }
        while history.legal_moves().is_empty() {
            history.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
        }
        history
    }

    /// The message as the other end reads it.
    fn send<T: Serialize + DeserializeOwned>(message: &T) -> T {
        serde_json::from_str(&serde_json::to_string(message).expect("a text"))
            .expect("it reads back")
    }

    #[test]
    fn search_request_round_trips() {
        for rules in RuleSet::ALL {
            let history = game(rules);
            let excluded = vec![history.legal_moves().into_iter().max().expect("moves")];
            let movetime = Some(Duration::from_micros(1_234_567));
            let nodes = Some(u64::MAX);
            let limits = SearchLimits { movetime, depth: Some(7), nodes, solver_nodes: Some(9) };
            let (level, seed) = (Level::Expert, u64::MAX - 1);
            let (contempt, adapt, book) = (true, false, true);
            let options =
                EngineOptions { level, threads: 1, hash_mib: 5, seed, contempt, adapt, book };
            let request = Request { history, limits, options };
            let message = WorkerRequest::Think(SearchMessage::new(3, &request, &excluded));
            let WorkerRequest::Think(message) = send(&message) else {
                unreachable!("a search was sent")
            };
            assert_eq!(message.ticket, 3);
            let (read, read_excluded) = message.read().expect("valid");
            assert_eq!(read_excluded, excluded);
            assert_eq!(read.history, request.history, "{rules}");
            assert_eq!(read.limits, limits);
            assert_eq!(read.options, request.options);
        }
    }

    #[test]
    fn search_events_round_trip() {
        for rules in RuleSet::ALL {
            let history = game(rules);
            let limits = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
            let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
            let request = Request { history: history.clone(), limits, options };
            let mut events = Vec::new();
            let (state, stop) = (EngineState::new(), StopSignal::default());
            let best = search_excluding(&state, &request, &[], &stop, &mut |info| {
                events.push(SearchEvent::Info { ticket: 9, info: info.clone() });
            });
            assert!(!events.is_empty() && best.is_some(), "{rules}");
            events.push(SearchEvent::BestMove { ticket: 9, key: u64::MAX, best });
            events.push(SearchEvent::BestMove { ticket: 9, key: 0, best: None });
            for event in events {
                let message = send(&WorkerResponse::from(event.clone()));
                assert_eq!(message.search_event(&history).expect("valid"), Some(event), "{rules}");
            }
        }
    }

    #[test]
    fn messages_have_the_shape_that_scripts_expect() {
        let text = r#"{"think": {"ticket": 1, "game": "[Rules \"tablan\"]\n\nt1 *\n",
            "without": [], "movetime": {"secs": 5, "nanos": 0}, "depth": null, "nodes": null,
            "level": "master", "hash_mib": 64, "seed": 0, "contempt": true, "adapt": true}}"#;
        let WorkerRequest::Think(message) = serde_json::from_str(text).expect("valid") else {
            unreachable!("it asks for a move")
        };
        let (request, _) = message.read().expect("valid");
        assert_eq!((request.options.threads, request.options.level), (1, Level::Master));
        assert_eq!(request.limits.movetime, Some(Duration::from_secs(5)));
        let info = Info {
            depth: 4,
            score: crate::Score::Points(7),
            nodes: 9,
            time: Duration::from_millis(1500),
            pv: Vec::new(),
            exact: false,
        };
        let info = WorkerResponse::from(SearchEvent::Info { ticket: 1, info });
        let info = serde_json::to_value(&info).expect("a message");
        assert_eq!((&info["info"]["nodes"], &info["info"]["depth"]), (&9.into(), &4.into()));
        assert_eq!(info["info"]["time"], serde_json::json!({"secs": 1, "nanos": 500_000_000}));
        let best = SearchEvent::BestMove { ticket: 1, key: 2, best: None };
        let best = serde_json::to_value(WorkerResponse::from(best)).expect("a message");
        assert!(best["best"].is_object());
        let failed = serde_json::from_str::<WorkerResponse>(r#"{"failed": "no memory"}"#);
        assert!(matches!(failed, Ok(WorkerResponse::Failed(why)) if why == "no memory"));
    }

    #[test]
    fn review_round_trips_and_must_fit_the_game() {
        let history = game(RuleSet::Tablan);
        let found = review(&history, &StopSignal::default()).expect("a game of Tablan");
        assert!(!found.throws.is_empty() && !found.moves.is_empty());
        let message = || ReviewMessage::from(&found);
        assert_eq!(send(&message()).read(&history).expect("valid"), found);
        assert!(message().read(&game(RuleSet::Tablaaza)).is_err());
        let short = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        let error = message().read(&short).expect_err("too short");
        assert!(error.to_string().contains("ply 1"), "{error}");
    }

    #[test]
    fn invalid_message_is_rejected_with_its_fault() {
        let history = game(RuleSet::TablutAshton);
        let request = Request {
            history: history.clone(),
            limits: SearchLimits::default(),
            options: EngineOptions::default(),
        };
        let message = || SearchMessage::new(1, &request, &[]);
        let fault = |message: SearchMessage| message.read().expect_err("invalid").to_string();
        assert!(fault(SearchMessage { game: "1. z9".to_owned(), ..message() }).contains("1:"));
        assert!(fault(SearchMessage { game: String::new(), ..message() }).contains("game"));
        let excluded = vec!["z9-z8".to_owned()];
        assert!(fault(SearchMessage { excluded, ..message() }).contains("'z9-z8'"));
        let mut bad_level = serde_json::to_value(message()).expect("a message");
        bad_level["level"] = "god".into();
        let error = serde_json::from_value::<SearchMessage>(bad_level).expect_err("no such level");
        assert!(error.to_string().contains("`god`"), "{error}");
        assert!(serde_json::from_str::<WorkerRequest>("{\"think\": 3}").is_err());
        let best = WorkerResponse::Best { ticket: 1, key: 1, best: Some("e5-e5".to_owned()) };
        assert!(best.search_event(&history).is_err());
    }
}
