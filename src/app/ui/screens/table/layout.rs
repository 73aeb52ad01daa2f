//! Where the panels of the table stand.

use bevy_egui::egui::{Rect, pos2};

use crate::app::{
    scene::api::ViewportInsets,
    ui::{
        screens::{analysis_panel, side_panel, status_pill, throw_panel, toolbar},
        widgets::evaluation_bar,
    },
};

/// The rectangles of the panels; none for those that are not shown.
pub(super) struct Layout {
    /// Whether a pill over the board says whose turn it is; else a toolbar.
    pub(super) has_pill: bool,
    /// The toolbar, or the strip in which the pill stands.
    pub(super) bar: Rect,
    /// The evaluation at the left of the board.
    pub(super) evaluation: Option<Rect>,
    pub(super) side: Option<Rect>,
    pub(super) throw_panel: Option<Rect>,
    pub(super) analysis: Option<Rect>,
    /// The score of a match, under the bar.
    pub(super) score: Option<Rect>,
    /// The end of the game, in place of the throw panel.
    pub(super) end: Option<Rect>,
    /// The tutor's question, in place of the throw panel.
    pub(super) question: Option<Rect>,
    /// How much of the scene the panel at the right takes.
    right: f32,
}

impl Layout {
    /// In a tight window the list of moves stands beside the board only when it
    /// is open, and then the sticks on the board replace the throw panel.
    pub(super) fn new(screen: Rect, sticks: bool, list: bool) -> Self {
        let tight = toolbar::is_tight(screen.width());
        let high = if tight { toolbar::height(screen.width()) } else { status_pill::HEIGHT };
        let under = screen.top() + high;
        let shows_list = !tight || list;
        let right = if shows_list { side_panel::width(screen.width()) } else { 0.0 };
        let left = screen.right() - right;
        let bar = screen.with_max_y(under).with_max_x(if tight { screen.right() } else { left });
        let top = if tight { under } else { screen.top() };
        let side = shows_list.then(|| Rect::from_min_max(pos2(left, top), screen.max));
        let throw_panel = (sticks && !(tight && list)).then(|| {
            let top = screen.bottom() - throw_panel::HEIGHT;
            Rect::from_min_max(pos2(screen.left(), top), pos2(left, screen.bottom()))
        });
        Self {
            has_pill: !tight,
            bar,
            evaluation: None,
            side,
            throw_panel,
            analysis: None,
            score: None,
            end: None,
            question: None,
            right,
        }
    }

    /// The score stands over the board; an open list of moves beside it begins under
    /// the bar as before.
    pub(super) fn with_score(mut self) -> Self {
        let (top, right) = (self.bar.bottom(), self.side.map_or(f32::INFINITY, |it| it.left()));
        let corner = pos2(self.bar.right().min(right), top + status_pill::SCORE_HEIGHT);
        self.score = Some(Rect::from_min_max(pos2(self.bar.left(), top), corner));
        self
    }

    /// The end of the game stands under the board.
    pub(super) fn with_end(mut self, screen: Rect, height: f32) -> Self {
        self.end = Some(self.take_foot(screen, height));
        self
    }

    /// The tutor's question stands under the board, too.
    pub(super) fn with_question(mut self, screen: Rect, height: f32) -> Self {
        self.question = Some(self.take_foot(screen, height));
        self
    }

    /// The room under the board, which the throw panel leaves.
    fn take_foot(&mut self, screen: Rect, height: f32) -> Rect {
        self.throw_panel = None;
        let corner = pos2(screen.right() - self.right, screen.bottom());
        Rect::from_min_max(pos2(screen.left(), screen.bottom() - height), corner)
    }

    /// What stands under the board.
    fn foot(&self) -> Option<Rect> {
        self.end.or(self.question).or(self.throw_panel)
    }

    /// Where the panels under the board begin.
    fn floor(&self, screen: Rect) -> f32 {
        self.foot().map_or(screen.bottom(), |it| it.top())
    }

    /// Where the board begins.
    fn ceiling(&self) -> f32 {
        self.score.unwrap_or(self.bar).bottom()
    }

    /// The evaluation stands between the pill and the throw panel.
    pub(super) fn with_evaluation(mut self, screen: Rect) -> Self {
        let corner = pos2(screen.left() + evaluation_bar::WIDTH, self.floor(screen));
        self.evaluation = Some(Rect::from_min_max(pos2(screen.left(), self.ceiling()), corner));
        self
    }

    /// The analysis stands under the board, above the throw panel; where there
    /// is little room it gives way to the list of moves.
    pub(super) fn with_analysis(mut self, screen: Rect, list: bool, throw: bool) -> Self {
        let tight = toolbar::is_tight(screen.width());
        let low = tight || analysis_panel::is_low(screen.height());
        // Before a throw there is nothing to analyse, and the button is needed.
        if tight && list || low && throw {
            return self;
        }
        // The end of the game and the tutor's question come first.
        if low && self.end.or(self.question).is_some() {
            return self;
        }
        if low {
            self.throw_panel = None;
        }
        if analysis_panel::stands_beside(screen.size()) {
            self.widen_side(side_panel::analysis_width(screen.width()), screen);
        }
        let floor = self.floor(screen);
        let right = screen.right() - self.right;
        let high = analysis_panel::height(screen.size());
        let top = (floor - high).max(self.ceiling());
        self.analysis = Some(Rect::from_min_max(pos2(screen.left(), top), pos2(right, floor)));
        self.evaluation = self.evaluation.map(|it| it.with_max_y(top.max(it.top())));
        self
    }

    /// Gives the panel at the right this width.
    fn widen_side(&mut self, width: f32, screen: Rect) {
        self.right = width;
        let left = screen.right() - width;
        self.bar = self.bar.with_max_x(left);
        self.side = self.side.map(|it| it.with_min_x(left));
        for rect in [&mut self.throw_panel, &mut self.score, &mut self.end, &mut self.question] {
            *rect = rect.map(|it| it.with_max_x(left));
        }
    }

    /// A lesson's text stands in place of the moves. Where there is little room
    /// the toolbar has no status line.
    pub(super) fn for_lesson(screen: Rect, sticks: bool) -> Self {
        let mut layout = Self::new(screen, sticks, true);
        let high = if toolbar::is_tight(screen.width()) {
            toolbar::BUTTONS_HEIGHT
        } else {
            toolbar::height(screen.width())
        };
        let under = screen.top() + high;
        layout.has_pill = false;
        layout.bar = screen.with_max_y(under);
        layout.side = layout.side.map(|side| side.with_min_y(under));
        layout
    }

    pub(super) fn insets(&self, screen: Rect) -> ViewportInsets {
        let bottom = self.foot().map_or(0.0, |it| it.height())
            + self.analysis.map_or(0.0, |analysis| analysis.height());
        let score = self.score.map_or(0.0, |it| it.height());
        ViewportInsets {
            left: self.evaluation.map_or(0.0, |it| it.width()),
            right: self.right,
            top: (self.bar.height() + score).min(screen.height()),
            bottom,
        }
    }
}
