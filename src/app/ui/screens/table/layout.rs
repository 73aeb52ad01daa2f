//! Where the panels of the table stand.

use crate::app::ui::{
    prelude::*,
    screens::{analysis_panel, side_panel, status_pill, throw_panel, toolbar},
    widgets::evaluation_bar,
};

/// What stands on the table beside the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// Whether there is so little room that the list of moves is shown only when it is open.
    pub(super) is_tight: bool,
    /// Whether the list of moves is open there.
    pub(super) list: bool,
    pub(super) exercise: bool,
    pub(super) sticks: bool,
    /// Whether a throw is due.
    pub(super) throw_due: bool,
    /// Whether a match has a score.
    pub(super) score: bool,
    /// How high what stands under the board in place of the sticks is: the end of the game,
    /// or the tutor's question.
    pub(super) foot: Option<f32>,
    pub(super) evaluation: bool,
    pub(super) analysis: bool,
}

/// The rectangles of the panels; none for those that are not shown.
pub(super) struct Layout {
    /// The toolbar, or the strip in which the pill stands that says whose turn it is.
    pub(super) bar: Rect,
    /// The evaluation at the left of the board.
    pub(super) evaluation: Option<Rect>,
    pub(super) side: Option<Rect>,
    pub(super) throw_panel: Option<Rect>,
    pub(super) analysis: Option<Rect>,
    /// The score of a match, under the bar.
    pub(super) score: Option<Rect>,
    /// The end of the game or the tutor's question.
    pub(super) foot: Option<Rect>,
    /// What they take from the scene.
    pub(super) insets: ViewportInsets,
}

impl Layout {
    pub(super) fn new(mut dock: Dock, shown: Shown) -> Self {
        let window = dock.window();
        let Shown { is_tight, list, exercise, .. } = shown;
        let is_low = is_tight || analysis_panel::is_low(window.height());
        // Where there is little room, the list takes the place of the analysis; the end of
        // the game and the tutor's question come first, and before a throw there is nothing
        // to analyse.
        let gives_way = is_tight && list || is_low && (shown.throw_due || shown.foot.is_some());
        let has_analysis = shown.analysis && !exercise && !gives_way;
        let is_beside = has_analysis && analysis_panel::stands_beside(window.size());
        let width = if is_beside { side_panel::analysis_width } else { side_panel::width };
        let has_side = !is_tight || list || exercise;
        let side = |dock: &mut Dock| has_side.then(|| dock.right(width(window.width())));
        let (bar, side) = if is_tight {
            let high = if exercise { toolbar::BUTTONS_HEIGHT } else { toolbar::HEIGHT };
            (dock.top(high), side(&mut dock))
        } else {
            let side = side(&mut dock);
            (dock.top(status_pill::HEIGHT), side)
        };
        let score = shown.score.then(|| dock.top(status_pill::SCORE_HEIGHT));
        let foot = shown.foot.map(|height| dock.bottom(height));
        // Beside an open list or an exercise the sticks on the board replace their panel.
        let has_throws = shown.sticks
            && foot.is_none()
            && !(is_tight && (list || exercise))
            && !(has_analysis && is_low);
        let throw_panel = has_throws.then(|| dock.bottom(throw_panel::HEIGHT));
        let analysis = has_analysis.then(|| dock.bottom(analysis_panel::height(window.size())));
        let has_evaluation = shown.evaluation && !is_tight && !exercise;
        let evaluation = has_evaluation.then(|| dock.left(evaluation_bar::WIDTH));
        Self { bar, evaluation, side, throw_panel, analysis, score, foot, insets: dock.insets() }
    }
}
