//! The screen of a replay: the bar that steps through it, and the panels of its
//! moves and its analysis.

use super::{
    analysed_game::{AnalysedGame, Usage, mistakes_until},
    analysis_panel,
    clocks::Clocks,
    move_list::{ListedReplay, MoveList},
    move_rows::{MoveRow, MoveRows},
    replay_bar::{self, ReplayBar},
    side_panel,
    throw_panel::{self, ThrowControl},
    toolbar,
};
use crate::{
    app::ui::{
        dialogs::recent_games::player_name,
        overlays::{callout::Callout, caption},
        prelude::*,
        widgets::command::CommandUi,
    },
    session::strip_clock_command,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Replay)).in_set(UiSet::Screens),
    );
}

fn show(
    mut contexts: EguiContexts,
    (mut list, mut rows, mut callout): (ResMut<MoveList>, ResMut<MoveRows>, ResMut<Callout>),
    (state, settings): (CommandState, Res<Settings>),
    (analysis, replay): (Res<Analysis>, Res<Replay>),
    (motion, hidden, explorer): (Res<MotionStatus>, Res<PanelsHidden>, Res<Explorer>),
    (mut insets, near): (ResMut<ViewportInsets>, Res<NearSide>),
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let (Some(record), Some(history)) = (&replay.record, replay.history()) else { return };
    let window = context.content_rect();
    list.close_for_analysis(analysis.enabled, toolbar::is_tight(window.width()));
    let screen = ReplayScreen {
        replay: &replay,
        record,
        history,
        analysis: &analysis,
        explorer: &explorer,
        shown: replay.ply.saturating_sub(motion.pending),
        near: near.0,
    };
    if hidden.0 {
        reserve_insets(context, &mut insets, ViewportInsets::default());
        callout.follow(history, screen.shown, true, context.input(|input| input.time));
        return;
    }
    let layout = Layout::new(context, history, analysis.enabled, list.is_open);
    let caption = if layout.is_tight { screen.caption(screen.shown) } else { String::new() };
    let analysed = screen.analysed_game(&caption);
    let is_beside = analysis.enabled && analysis_panel::stands_beside(window.size());
    let top = layout.insets.top + screen.caption_height(context, &layout);
    reserve_insets(context, &mut insets, ViewportInsets { top, ..layout.insets });

    let mut commands = CommandUi::new(&state, &settings);
    if let Some(rect) = layout.side {
        let rows = rows.of_replay(&replay);
        screen.show_side(context, rect, &mut list, rows, (&analysed, is_beside), &mut commands);
    }
    match layout.analysis {
        Some(rect) => {
            analysis_panel::show(context, rect, &analysed, &mut commands.requested);
        }
        None => caption::show(context, layout.scene, &caption),
    }
    let mut bar = ReplayBar {
        replay: &replay,
        mistakes: &analysed.mistakes,
        list: &mut list,
        commands: &mut commands,
        has_graph: is_beside && layout.analysis.is_some(),
    };
    bar.show(context, layout.bar);
    if let Some(rect) = layout.throw_panel {
        // Any throw can be tried.
        let is_due = replay.awaits_throw() && !motion.is_busy() && !replay.playing;
        let is_end = replay.ply == history.len();
        let control = if is_due && is_end { ThrowControl::Enter } else { ThrowControl::None };
        let requested = &mut commands.requested;
        throw_panel::show(context, rect, history, screen.shown, control, None, requested);
    }
    callout.follow(history, screen.shown, true, context.input(|input| input.time));
    actions.write_batch(commands.requested);
}

/// Where the panels of a replay stand.
struct Layout {
    is_tight: bool,
    /// What the panels leave to the board and the caption above it.
    scene: Rect,
    side: Option<Rect>,
    analysis: Option<Rect>,
    throw_panel: Option<Rect>,
    bar: Rect,
    insets: ViewportInsets,
}

impl Layout {
    /// Where there is little room, the analysis takes the place of the sticks,
    /// and the list of moves that of both.
    fn new(
        context: &Context,
        history: &GameHistory<AnyPosition>,
        is_analysed: bool,
        list: bool,
    ) -> Self {
        let mut dock = Dock::new(context);
        let window = dock.window();
        let is_tight = toolbar::is_tight(window.width());
        let is_beside = is_analysed && analysis_panel::stands_beside(window.size());
        // With the lines in the side panel, only the graph is under the board; a position
        // without moves has none.
        let has_graph = is_beside && !history.is_empty();
        let is_low = is_tight || analysis_panel::is_low(window.height());
        let has_analysis = is_analysed && (has_graph || !is_beside) && !(is_tight && list);
        let has_throws =
            history.start().rules().has_sticks() && !(is_tight && list) && !(is_low && is_analysed);
        let width = if is_beside { side_panel::analysis_width } else { side_panel::width };
        let bar = dock.bottom(replay_bar::height(window.width(), has_graph));
        let side = (!is_tight || list).then(|| dock.right(width(window.width())));
        let throw_panel = has_throws.then(|| dock.bottom(throw_panel::HEIGHT));
        let analysis = has_analysis.then(|| dock.bottom(analysis_panel::height(window.size())));
        let (scene, insets) = (dock.rest(), dock.insets());
        Self { is_tight, scene, side, analysis, throw_panel, bar, insets }
    }
}

/// What the panels of a replay are about.
struct ReplayScreen<'a> {
    replay: &'a Replay,
    record: &'a Record,
    /// The line that is shown.
    history: &'a GameHistory<AnyPosition>,
    analysis: &'a Analysis,
    explorer: &'a Explorer,
    /// How many plies have been shown to their end.
    shown: usize,
    /// The side that sits near: its plate is the lower one.
    near: Side,
}

impl ReplayScreen<'_> {
    /// The comment on a ply, without clock times where clocks show them.
    fn comment(&self, ply: usize) -> String {
        let note = self.record.tree().annotation(self.replay.node_at(ply));
        let comments = note.comments_before().iter().chain(note.comments());
        let comments: Vec<String> = match &self.replay.clock {
            Some(_) => comments.filter_map(|comment| strip_clock_command(comment)).collect(),
            None => comments.cloned().collect(),
        };
        comments.join("\n")
    }

    /// The text above a small board after `shown` plies: the comment, and at
    /// the end how the game ended.
    fn caption(&self, shown: usize) -> String {
        let ending = self.replay.ending.as_deref().filter(|_| shown == self.replay.ply_count());
        let comment = self.comment(shown);
        let parts = [comment.as_str(), ending.unwrap_or_default()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The room for the highest caption of the game, so that the board stays in
    /// place while captions come and go.
    fn caption_height(&self, context: &Context, layout: &Layout) -> f32 {
        if !layout.is_tight || layout.analysis.is_some() {
            return 0.0;
        }
        let height = |ply| caption::height(context, layout.scene, &self.caption(ply));
        (0..=self.history.len()).map(height).fold(0.0, f32::max)
    }

    /// Whose turn it is after the plies that are shown.
    fn turn(&self) -> Option<Side> {
        let history = self.history;
        if self.shown >= history.len() {
            history.turn().side()
        } else {
            history.at(self.shown)?.turn().side()
        }
    }

    fn show_side(
        &self,
        context: &Context,
        rect: Rect,
        list: &mut MoveList,
        rows: &[MoveRow],
        (analysed, shows_analysis): (&AnalysedGame<'_>, bool),
        commands: &mut CommandUi,
    ) {
        let (record, replay, shown) = (self.record, self.replay, self.shown);
        let history = self.history;
        let clock = replay.clock.as_ref().filter(|_| replay.is_main_line());
        let listed = ListedReplay {
            current: replay.node_at(shown),
            on_line: &|ply| replay.node_at(ply),
            note: record.tree().annotation(replay.node()),
            is_unsaved: replay.is_unsaved(),
        };
        let comment = |ply| self.comment(ply);
        let game = side_panel::Game {
            analysed,
            shows_analysis,
            rows,
            players: record.players.each_ref().map(|name| match name.as_str() {
                "?" => String::new(),
                name => player_name(name),
            }),
            away: [false; 2],
            near: self.near,
            turn: self.turn(),
            clocks: clock.map(|clock| Clocks { left: clock.after_ply(shown), running: None }),
            viewer: None,
            thinking: false,
            goal: None,
            subtitle: &replay.title,
            comment: &comment,
            announced: &replay.describe(shown).join(" "),
            cursor: None,
            is_over: replay.ending.is_some() && shown == history.len(),
            evaluation_beside: false,
            tools: None,
            replay: Some(listed),
            explorer: Some(self.explorer).filter(|explorer| explorer.is_open),
        };
        if let Some(ply) = side_panel::show(context, rect, &game, list, commands) {
            commands.requested.push(ReplayAction::Jump(ply).into());
        }
    }

    /// The analysis, with `caption` as its first text.
    fn analysed_game<'a>(&'a self, caption: &'a str) -> AnalysedGame<'a> {
        AnalysedGame {
            history: self.history,
            current: self.shown,
            // The graph shows the whole line from the start.
            revealed: self.history.len(),
            analysis: self.analysis,
            mistakes: mistakes_until(self.analysis, self.history, self.history.len()),
            reviews: true,
            first_text: caption,
            go_to: |ply| ReplayAction::Jump(ply).into(),
            // While a ply is shown, the replay is further than the board.
            usage: Usage {
                has_cards: true,
                plays_lines: self.shown == self.replay.ply,
                practises: self.shown == self.replay.ply && self.replay.is_main_line(),
                sums_up: self.analysis.enabled && self.replay.is_main_line(),
            },
        }
    }
}
