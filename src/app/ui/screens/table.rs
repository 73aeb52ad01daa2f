//! The screen of a game being played: lays out its panels.

mod headline;

use self::headline::{
    Headline, chosen_status, game_headline, second_half_status, sticks_fly, throw_under_way,
    viewed_status,
};
use super::{
    analysed_game::{AnalysedGame, Usage, mistakes_until},
    analysis_panel,
    clocks::Clocks,
    exercise::{self, Exercise},
    move_list::MoveList,
    move_rows::{MoveRow, MoveRows},
    side_panel, status_pill, throw_panel, toolbar,
};
use crate::{
    app::{
        game::{opponent::EngineThinking, referee::Question},
        highlights::NamedSquares,
        lesson::Lesson,
        practice::PracticeSession,
        scene::api::MoveMark,
        ui::{
            dialogs,
            overlays::{
                callout::Callout,
                end_banner::{END, EndBanner},
                question::{self, QUESTION, QuestionRoom},
            },
            prelude::*,
            widgets::{self, command::CommandUi, evaluation_bar},
        },
    },
    online::OnlineState,
    session::{describe_lot, describe_ply_of, describe_standing, player_label, used_score},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<NamedSquares>().add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Table)).in_set(UiSet::Screens),
    );
}

fn show(
    mut contexts: EguiContexts,
    (mut list, mut rows, mut callout): (ResMut<MoveList>, ResMut<MoveRows>, ResMut<Callout>),
    (referee, online): (Res<Referee>, Res<OnlineTable>),
    thinking: Res<EngineThinking>,
    (lesson, practice, trainer): (Res<Lesson>, Res<PracticeSession>, Res<PuzzleTrainer>),
    (analysis, state, settings): (Res<Analysis>, CommandState, Res<Settings>),
    (pointer, near, results): (Res<Pointed>, Res<NearSide>, Res<GameResults>),
    (motion, hidden): (Res<MotionStatus>, Res<PanelsHidden>),
    (mut insets, mut banner): (ResMut<ViewportInsets>, ResMut<EndBanner>),
    (mut room, mut named): (ResMut<QuestionRoom>, ResMut<NamedSquares>),
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(table) = &referee.table else { return };
    let window = context.content_rect();
    list.close_for_analysis(analysis.enabled, toolbar::is_tight(window.width()));
    let now = context.input(|input| input.time);
    if let Some(wait) = banner.follow(&referee, &motion, analysis.enabled, now) {
        context.request_repaint_after(Duration::try_from_secs_f64(wait).unwrap_or_default());
    }
    let asks_for_tutor = referee.question == Some(Question::Tutor);
    let mut screen = TableScreen {
        table,
        referee: &referee,
        thinking: thinking.0,
        online: &online,
        exercise: exercise::of((referee.on_table, table), &lesson, &practice, &trainer, &analysis),
        named: NamedSquares::default(),
        trainer: &trainer,
        analysis: &analysis,
        near: near.0,
        cursor: pointer.cursor,
        motion: &motion,
        is_new: results.is_new_to(table.rules().game()),
        shown: shown_plies(table, &motion),
        is_tight: toolbar::is_tight(window.width()),
        throws_by_itself: settings.automatic_throws,
        has_ended: banner.is_due(&referee, &motion),
        is_end_put_away: banner.is_put_away(&referee),
    };
    screen.named = screen.named_squares(hidden.0);
    if named.set_if_neq(screen.named.clone()) {
        context.request_repaint();
    }
    let mut commands = CommandUi::new(&state, &settings);
    if hidden.0 {
        (banner.room, *room) = (None, QuestionRoom::default());
        reserve_insets(context, &mut insets, ViewportInsets::default());
    } else {
        // Both stand under the board, as high as their content.
        let foot = match (screen.has_ended, asks_for_tutor) {
            (true, _) => Some(END),
            (false, true) => Some(QUESTION),
            (false, false) => None,
        };
        let foot = foot.map(|id| widgets::foot_panel_height(context, id));
        let layout = screen.layout(context, list.is_open, foot);
        banner.room = layout.foot.filter(|_| screen.has_ended);
        room.under = layout.foot.filter(|_| asks_for_tutor);
        room.over = Some(layout.bar).filter(|_| !screen.is_tight);
        reserve_insets(context, &mut insets, layout.insets);
        let comment = |ply| table.comments(ply).join("\n");
        let number = referee.game_number();
        let rows = rows.of_game(number, table, screen.shown, &comment);
        screen.show_panels(context, &layout, rows, &mut list, &mut commands);
    }
    callout.announce_lot(table, now);
    callout.follow(table.history(), screen.current(), false, now);
    actions.write_batch(commands.requested);
}

/// The rectangles of the panels; none for those that are not shown.
struct Layout {
    /// The toolbar, or the strip in which the pill stands that says whose turn it is.
    bar: Rect,
    /// The evaluation at the left of the board.
    evaluation: Option<Rect>,
    side: Option<Rect>,
    throw_panel: Option<Rect>,
    analysis: Option<Rect>,
    /// The score of a match, under the bar.
    score: Option<Rect>,
    /// The end of the game or the tutor's question.
    foot: Option<Rect>,
    /// What they take from the scene.
    insets: ViewportInsets,
}

/// What the panels of the table are about.
struct TableScreen<'a> {
    table: &'a GameSession,
    referee: &'a Referee,
    /// Whether an engine is thinking.
    thinking: bool,
    online: &'a OnlineTable,
    /// The exercise that is on the table in place of a game.
    exercise: Option<Exercise>,
    /// The squares that the exercise or the tutor names.
    named: NamedSquares,
    trainer: &'a PuzzleTrainer,
    analysis: &'a Analysis,
    /// The side that sits near: its plate is the lower one.
    near: Side,
    /// The square under the keyboard's cursor.
    cursor: Option<Square>,
    motion: &'a MotionStatus,
    /// Whether the player is new to this kind of game.
    is_new: bool,
    /// How many plies have been shown to their end.
    shown: usize,
    is_tight: bool,
    /// Whether the sticks of a person are thrown without a click.
    throws_by_itself: bool,
    /// Whether the panel at the end of the game is due.
    has_ended: bool,
    /// Whether that panel was closed, or makes room for the analysis.
    is_end_put_away: bool,
}

impl TableScreen<'_> {
    /// The ply that is looked at.
    fn current(&self) -> usize {
        self.referee.viewed_ply.unwrap_or(self.shown)
    }

    /// The squares that the exercise or the tutor names.
    fn named_squares(&self, are_panels_hidden: bool) -> NamedSquares {
        let asks = self.referee.question == Some(Question::Tutor);
        let question = self.referee.question_text().filter(|_| asks).map(|question| question.text);
        let question = question.as_deref().map(|text| (text, Some(MoveMark::Wrong)));
        let texts = self.exercise.iter().flat_map(Exercise::texts).chain(question);
        let texts = texts.filter(|_| !are_panels_hidden);
        NamedSquares::in_texts(texts, self.table.rules().board_size())
    }

    /// Where the panels stand, with the end of the game or the tutor's question `foot` high
    /// under the board in place of the sticks.
    fn layout(&self, context: &Context, list: bool, foot: Option<f32>) -> Layout {
        let mut dock = Dock::new(context);
        let window = dock.window();
        let (is_tight, exercise) = (self.is_tight, self.exercise.is_some());
        let is_low = is_tight || analysis_panel::is_low(window.height());
        let throw_due =
            self.referee.viewed_ply.is_none() && matches!(self.table.turn(), Some(Turn::Throw(_)));
        // Where there is little room, the list takes the place of the analysis; the end of
        // the game and the tutor's question come first, and before a throw there is nothing
        // to analyse.
        let gives_way = is_tight && list || is_low && (throw_due || foot.is_some());
        let has_analysis = self.analysis.enabled && !exercise && !gives_way;
        let is_beside = has_analysis && analysis_panel::stands_beside(window.size());
        let width = if is_beside { side_panel::analysis_width } else { side_panel::width };
        let has_side = !is_tight || list || exercise;
        let side = |dock: &mut Dock| has_side.then(|| dock.right(width(window.width())));
        let (bar, side) = if is_tight {
            let high = if exercise { toolbar::BUTTONS_HEIGHT } else { toolbar::HEIGHT };
            (dock.top(high), side(&mut dock))
        } else {
            let side = side(&mut dock);
            let asked = widgets::foot_panel_height(context, QUESTION) + 2.0 * question::MARGIN;
            let asked = if self.asks_over_board() { asked } else { 0.0 };
            (dock.top(status_pill::HEIGHT.max(asked)), side)
        };
        let score = self.table.match_standing().map(|_| dock.top(status_pill::SCORE_HEIGHT));
        let has_throws = self.table.rules().has_sticks()
            && foot.is_none()
            // Beside an open list or an exercise the sticks on the board replace their panel.
            && !(is_tight && (list || exercise))
            && !(has_analysis && is_low);
        let foot = foot.map(|height| dock.bottom(height));
        let throw_panel = has_throws.then(|| dock.bottom(throw_panel::HEIGHT));
        let analysis = has_analysis.then(|| dock.bottom(analysis_panel::height(window.size())));
        let has_evaluation = self.analysis.show_evaluation && !is_tight && !exercise;
        let evaluation = has_evaluation.then(|| dock.left(evaluation_bar::WIDTH));
        Layout { bar, evaluation, side, throw_panel, analysis, score, foot, insets: dock.insets() }
    }

    /// Whether a question stands in place of the pill.
    fn asks_over_board(&self) -> bool {
        self.referee.question.is_some_and(|question| question != Question::Tutor)
    }

    /// Whose turn it is, in words and for the disc and the dots.
    fn headline(&self) -> Headline {
        let Referee { viewed_ply, selection, .. } = self.referee;
        let side = self.table.turn().and_then(Turn::side);
        let still = |text: &str| Headline { text: text.to_owned(), ..Headline::default() };
        if let Some([from, to]) = selection.first_step() {
            let text = second_half_status(self.table, from, to);
            return Headline { text, side, awaits_player: true, thinking: false };
        }
        if let Some(from) = selection.origin().filter(|_| viewed_ply.is_none()) {
            let text = chosen_status(self.table, from);
            return Headline { text, side, awaits_player: true, thinking: false };
        }
        match viewed_ply {
            Some(plies) => {
                let history = self.table.history();
                let text = viewed_status(history, *plies);
                let side = history.at(*plies).and_then(|position| position.turn().side());
                Headline { text, side, ..Headline::default() }
            }
            None if let Some(text) = dialogs::online::waiting_text(self.online, self.table) => {
                still(text)
            }
            None if self.table.is_online() => game_headline(self.table, self.shown, false),
            None if let Some(exercise) = &self.exercise
                && !exercise.status.is_empty() =>
            {
                still(&exercise.status)
            }
            None if self.referee.awaits_verdict() => {
                let is_judged = self.referee.question.is_some();
                still(tr(if is_judged { "tutor.waits" } else { "tutor.judging" }))
            }
            None => game_headline(self.table, self.shown, self.thinking),
        }
    }

    fn show_panels(
        &self,
        context: &Context,
        layout: &Layout,
        rows: &[MoveRow],
        list: &mut MoveList,
        commands: &mut CommandUi,
    ) {
        self.show_status(context, layout, list, commands);
        if let (Some(strip), Some(score)) = (layout.score, describe_standing(self.table)) {
            status_pill::show_score(context, strip, &score);
        }
        if let Some(rect) = layout.evaluation {
            self.show_evaluation(context, rect);
        }
        let analysed = self.analysed_game();
        if let Some(rect) = layout.side {
            self.show_side(context, rect, &analysed, rows, list, commands);
        }
        if let Some(rect) = layout.analysis {
            analysis_panel::show(context, rect, &analysed, &mut commands.requested);
        }
        if let Some(rect) = layout.throw_panel {
            self.show_throw_panel(context, rect, &mut commands.requested);
        }
    }

    /// The pill, or the toolbar.
    fn show_status(
        &self,
        context: &Context,
        layout: &Layout,
        list: &mut MoveList,
        commands: &mut CommandUi,
    ) {
        let (history, referee) = (self.table.history(), self.referee);
        let headline = self.headline();
        // The side panel warns otherwise.
        let is_latest = self.shown == history.len() && referee.viewed_ply.is_none();
        let warns = self.is_tight && !list.is_open && is_latest;
        let status = toolbar::Status {
            text: &headline.text,
            thinking: headline.thinking,
            awaits_player: headline.awaits_player || referee.viewed_ply.is_some(),
            turn: headline.side,
            warning: warns.then(|| crate::session::warning(history.position())).flatten(),
            clocks: Clocks::new(self.table, referee.viewed_ply),
        };
        // The panel at the end says the same.
        let is_told = self.has_ended && referee.viewed_ply.is_none();
        if self.is_tight {
            toolbar::show(context, layout.bar, self.table.rules(), &status, list, commands);
        } else if !is_told && !self.asks_over_board() {
            status_pill::show(context, layout.bar, self.table.rules(), &status);
        }
    }

    /// The evaluation of the position that is shown; that of a game which a player resigned
    /// or lost on time does not change with it.
    fn show_evaluation(&self, context: &Context, rect: Rect) {
        let (history, current) = (self.table.history(), self.current());
        let value = self.analysis.deepest_value(history, current);
        let is_old = self.analysis.is_old_at(history, current);
        let (rules, near) = (self.table.rules(), self.near);
        evaluation_bar::show_beside(context, rect, rules, near, value, is_old);
    }

    /// The exercise, or the game.
    fn show_side(
        &self,
        context: &Context,
        rect: Rect,
        analysed: &AnalysedGame<'_>,
        rows: &[MoveRow],
        list: &mut MoveList,
        commands: &mut CommandUi,
    ) {
        let (table, history, current) = (self.table, self.table.history(), self.current());
        if let Some(exercise) = &self.exercise {
            exercise::show(context, rect, (exercise, &self.named), self.trainer, commands);
            return;
        }
        let comment = |ply| table.comments(ply).join("\n");
        let is_over = current == history.len() && table.outcome().is_some();
        // The panel at the end says the same.
        let announced =
            if self.has_ended { Vec::new() } else { describe_ply_of(table, current) }.join(" ");
        let headline = self.headline();
        let played = self.online.game().filter(|_| table.is_online());
        let connection = played.and_then(dialogs::online::connection_text).unwrap_or_default();
        let game = side_panel::Game {
            analysed,
            shows_analysis: self.analysis.enabled
                && analysis_panel::stands_beside(context.content_rect().size()),
            rows,
            players: Side::BOTH.map(|side| player_label(table, side)),
            away: Side::BOTH.map(|side| self.is_away(side)),
            near: self.near,
            turn: headline.side,
            clocks: Clocks::new(table, self.referee.viewed_ply).filter(|_| !self.is_tight),
            thinking: headline.thinking,
            viewer: table.only_person(),
            subtitle: &connection,
            goal: table.only_person().filter(|_| self.is_new).map(|side| goal(table.rules(), side)),
            comment: &comment,
            announced: &announced,
            cursor: self.cursor,
            is_over,
            evaluation_beside: !self.is_tight,
            tools: (!self.is_tight).then(|| self.tools(commands)),
            replay: None,
            explorer: None,
        };
        if let Some(ply) = side_panel::show(context, rect, &game, list, commands) {
            commands.requested.push(GameAction::ViewPly(ply).into());
        }
    }

    /// Whether a side's player is not connected, in an online game.
    fn is_away(&self, side: Side) -> bool {
        let game = self.online.game().filter(|_| self.table.is_online());
        game.is_some_and(|game| {
            game.state() != OnlineState::Connecting
                && game.side() != Some(side)
                && !game.is_present(side)
        })
    }

    /// The commands whose buttons stand under the moves.
    fn tools(&self, commands: &CommandUi) -> &'static [&'static str] {
        // Until the last move has been shown, nothing tells that it was the last. Its panel
        // offers what follows.
        if commands.context.views_earlier_ply {
            &["view-latest-ply", "play-from-here"]
        } else if commands.context.is_over && !self.motion.is_busy() {
            if self.is_end_put_away {
                &["next-game", "rematch", "analyse-game"]
            } else {
                &["watch-game", "show-title"]
            }
        } else {
            &["undo", "hint", "toggle-evaluation"]
        }
    }

    fn analysed_game(&self) -> AnalysedGame<'_> {
        AnalysedGame {
            history: self.table.history(),
            current: self.current(),
            revealed: self.shown,
            analysis: self.analysis,
            mistakes: mistakes_until(self.analysis, self.table.history(), self.shown),
            reviews: false,
            first_text: "",
            go_to: |ply| GameAction::ViewPly(ply).into(),
            usage: Usage::default(),
        }
    }

    fn show_throw_panel(&self, context: &Context, rect: Rect, actions: &mut Vec<Action>) {
        let (table, referee) = (self.table, self.referee);
        let is_free = !self.motion.is_busy() && referee.viewed_ply.is_none();
        let control = if table.by_hand() && !table.is_online() {
            if table.thrower() == Some(Thrower::Hand) && is_free {
                throw_panel::ThrowControl::Enter
            } else {
                throw_panel::ThrowControl::None
            }
        } else if table.seats().contains(&Seat::Person) || table.is_online() {
            throw_panel::ThrowControl::Button {
                enabled: referee.awaits_throw() && is_free,
                by_itself: self.throws_by_itself,
            }
        } else {
            throw_panel::ThrowControl::None
        };
        let (history, current) = (table.history(), self.current());
        let flies = referee.viewed_ply.is_none() && throw_under_way(history, self.shown);
        let note = if flies {
            Some(sticks_fly(history, self.shown))
        } else if referee.awaits_throw() && is_free && used_score(history).is_some() {
            // A throw that is used is no longer of interest.
            Some(tr("desk.throw-now").to_owned())
        } else {
            describe_lot(table).filter(|_| throw_panel::last_throw(history, current).is_none())
        };
        throw_panel::show(context, rect, history, current, control, note.as_deref(), actions);
    }
}

/// How a side wins, in a sentence.
fn goal(rules: RuleSet, side: Side) -> &'static str {
    match rules {
        RuleSet::Tablan | RuleSet::TablanOrdered => tr("goal.tablan"),
        RuleSet::Tablaaza => tr("goal.tablaaza"),
        _ if rules.side_name(side) == "Black" => tr("goal.black"),
        RuleSet::TablutLinnaeus => tr("goal.white-corner"),
        _ => tr("goal.white"),
    }
}

/// How many plies of the game on the table have been shown to their end.
pub(crate) fn shown_plies(table: &GameSession, motion: &MotionStatus) -> usize {
    table.history().len().saturating_sub(motion.pending)
}
