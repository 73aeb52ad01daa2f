//! What most commands name: how they print and end, and the games.

pub(super) use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

pub(super) use serde::Serialize;

pub(super) use tabulae_command_line::{
    CommandError,
    files::{counted, refuse_stdio, write_file},
    json, print_error_line,
    screen::{shown, stdout},
    values,
};

pub(super) use crate::{
    engines::{EngineOptions, Level, Request, SearchLimits, StopSignal},
    games::{
        AnyMove, AnyPosition, Event, Game, GameHistory, Illegal, Ply, RuleSet, Side, Square, Throw,
        Turn,
    },
    i18n::{tr, tr_args},
    records::{GameResult, Record, on_one_line},
    session::{
        GameSession, Seat, describe_illegal, describe_outcome, describe_ply, rules_label,
        side_label, today,
    },
};
