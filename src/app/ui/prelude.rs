//! What most panels name: egui and the design system, and the state of the app.

pub(super) use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{
        self, Align, Align2, Button, Color32, Context, CornerRadius, CursorIcon, FontId, Frame, Id,
        Key, Label, LayerId, Layout, Margin, Order, Painter, Pos2, Rect, Response, RichText,
        ScrollArea, Sense, Shape, Stroke, StrokeKind, TextEdit, TextWrapMode, Ui, UiBuilder, Vec2,
        WidgetInfo, WidgetType, pos2, text::LayoutJob, vec2,
    },
};

pub(super) use super::{
    UiSet,
    dock::{Dock, reserve_insets, scene_rect},
    game_texts,
    theme::{
        self, ACCENT, BODY, CARD, CARD_CHOSEN, CARD_HOVERED, CONTROL_HEIGHT, CONTROL_RADIUS,
        DISPLAY, ERROR, FAINT, GROUND, HEADING, LABEL, LARGE, LINE, MUTED, SMALL, TEXT, space,
    },
};
pub(super) use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        core::{prelude::*, states::PanelsHidden},
        explorer::Explorer,
        game::{autosave::Autosave, online::OnlineTable, referee::Referee, results::GameResults},
        input::CommandState,
        platform::IS_WEB,
        puzzles::PuzzleTrainer,
        replay::Replay,
        scene::api::{Highlights, MotionStatus, NearSide, Photo, Pointed, ViewportInsets},
        settings::{Engines, NewGameChoice, Settings},
    },
    i18n::{localize_decimal, tr, tr_args},
    session::{FinishedGame, rules_label, seat_label, side_label},
};
