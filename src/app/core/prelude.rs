//! What most of the app names: Bevy, the actions and states, the notices, the games.

pub(crate) use std::{
    path::{Path, PathBuf},
    time::Duration,
};

pub(crate) use bevy::{ecs::system::SystemParam, prelude::*};
pub(crate) use strum::VariantArray;

pub(crate) use super::{
    actions::{Action, EditorAction, GameAction, OnlineAction, ReplayAction, UiAction, ViewAction},
    notice::{Notice, Notices, Notify},
    redraw::NextFrame,
    schedule::AppSet,
    states::{Dialog, OnTable, OpenDialog, Screen, UiFocus},
};
pub(crate) use crate::{
    engines::Level,
    games::{
        AnyMove, AnyPosition, Event, Game, GameHistory, GameKind, Ply, RuleSet, Side, Square,
        Throw, Turn,
    },
    i18n::{Language, LocalizedMessage},
    records::Record,
    session::{
        GameSession, PieceKind, Seat, Setup, Thrower, describe_outcome, describe_ply, today,
    },
};
