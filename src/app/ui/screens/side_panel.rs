//! The panel at the right of the table and the replay: a plate for each player,
//! and between them the moves and the tools.

use super::{
    analysed_game::AnalysedGame,
    analysis_panel, clocks, explorer_panel,
    move_list::{ListedMoves, ListedReplay, MoveList},
    move_rows::MoveRow,
    toolbar,
};
use crate::{
    app::ui::{
        overlays::toast,
        prelude::*,
        widgets::{self, command::CommandUi, evaluation_bar},
    },
    session::{describe_hint, describe_square, leader, scores, threats, warning},
};

/// What the panel shows.
pub(super) struct Game<'a> {
    /// The game, and what is known of it.
    pub(super) analysed: &'a AnalysedGame<'a>,
    /// Whether its analysis stands in this panel.
    pub(super) shows_analysis: bool,
    /// The list of its moves.
    pub(super) rows: &'a [MoveRow],
    /// Who plays, by [`Side::index`].
    pub(super) players: [String; 2],
    /// Who is not connected, in an online game.
    pub(super) away: [bool; 2],
    /// Whose plate is the lower one.
    pub(super) near: Side,
    /// Whose turn it is.
    pub(super) turn: Option<Side>,
    /// The clocks, where they play with clocks.
    pub(super) clocks: Option<clocks::Clocks>,
    /// The only person who plays: threats are told from that side's view.
    pub(super) viewer: Option<Side>,
    /// Whether an engine is thinking for that side.
    pub(super) thinking: bool,
    /// A line under the title.
    pub(super) subtitle: &'a str,
    /// How the viewer wins, for one who has not played the game yet.
    pub(super) goal: Option<&'static str>,
    /// The comment on a ply; empty for none.
    pub(super) comment: &'a dyn Fn(usize) -> String,
    /// What happened in the ply shown last.
    pub(super) announced: &'a str,
    /// The square under the keyboard's cursor.
    pub(super) cursor: Option<Square>,
    /// Whether the game has ended in the position that is shown.
    pub(super) is_over: bool,
    /// Whether the evaluation stands beside the board.
    pub(super) evaluation_beside: bool,
    /// The commands whose buttons stand under the moves; none where there is no room.
    pub(super) tools: Option<&'static [&'static str]>,
    /// What the list shows of a replay.
    pub(super) replay: Option<ListedReplay<'a>>,
    /// The opening explorer, where it is open.
    pub(super) explorer: Option<&'a Explorer>,
}

/// How wide the panel is in a window this wide.
pub(super) const fn width(window: f32) -> f32 {
    // Beside a board that has little room itself.
    let least = if toolbar::is_tight(window) { 208.0 } else { 262.0 };
    (window * 0.22).clamp(least, 340.0)
}

/// How wide the panel is with the analysis in it.
pub(super) const fn analysis_width(window: f32) -> f32 {
    (window * 0.27).clamp(280.0, 440.0)
}

/// Shows the panel and returns the ply that was clicked.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    game: &Game<'_>,
    list: &mut MoveList,
    commands: &mut CommandUi,
) -> Option<usize> {
    // Beside the graph or the bar of a replay the scene would be seen as a strip at its edges.
    let stands_free = !game.shows_analysis && game.replay.is_none();
    let (rect, frame) = match stands_free {
        true => theme::side_frame(rect),
        false => (rect, theme::panel_frame()),
    };
    widgets::panel(context, "side", rect, frame, |ui| {
        let (width, height) = (ui.available_width(), ui.available_height());
        if width < 220.0 || (game.tools.is_none() && height < MIN_HEIGHT_OF_REPLAY) {
            return scrolled(ui, game, list, commands);
        }
        let least = if game.shows_analysis { MIN_HEIGHT_ANALYSED } else { MIN_HEIGHT };
        if height >= least {
            let font = theme::serif(ui.ctx(), HEADING);
            let title = RichText::new(rules_label(game.analysed.rules())).font(font);
            ui.label(title.color(ACCENT));
            if !game.subtitle.is_empty() {
                widgets::one_line(ui, game.subtitle, SMALL, MUTED);
            }
        }
        plate(ui, game, game.near.other());
        rule(ui);
        if game.shows_analysis {
            let most = height * ANALYSIS_SHARE;
            analysis_panel::show_beside(ui, game.analysed, most, &mut commands.requested);
            rule(ui);
        }
        below_far_plate(ui, game, list, commands)
    })
}

/// With less height than this the panel of a replay, which has no tools, is scrolled
/// as a whole.
const MIN_HEIGHT_OF_REPLAY: f32 = 300.0;
/// With less height than this only the plates, the moves and the tools are shown.
const MIN_HEIGHT: f32 = 420.0;
/// The same with the analysis in the panel.
const MIN_HEIGHT_ANALYSED: f32 = 600.0;
/// With less height than this below the analysis, only the menus edit a replay.
const MIN_HEIGHT_OF_TOOLS: f32 = 320.0;

/// The analysis takes at most this share of the height.
const ANALYSIS_SHARE: f32 = 0.32;

/// A thin line between the parts.
fn rule(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, LINE));
}

/// The whole panel scrolled, the moves in sight first.
fn scrolled(
    ui: &mut Ui,
    game: &Game<'_>,
    list: &mut MoveList,
    commands: &mut CommandUi,
) -> Option<usize> {
    let height = ui.available_height();
    widgets::scroll_area(ui, "side-scroll", height, |ui| {
        let clicked = moves(ui, game, height - space(6), list, true, commands);
        if let Some(replay) = &game.replay {
            replay.tools(ui, commands);
        }
        if let Some((explorer, position)) = explored(game) {
            rule(ui);
            let requested = &mut commands.requested;
            explorer_panel::show(ui, explorer, position, EXPLORER_HEIGHT, requested);
        }
        rule(ui);
        for side in [game.near.other(), game.near] {
            plate(ui, game, side);
        }
        notes(ui, game, &mut commands.requested);
        clicked
    })
}

/// At the foot the lower plate, over it the tools and the notes; the moves take what is
/// left.
fn below_far_plate(
    ui: &mut Ui,
    game: &Game<'_>,
    list: &mut MoveList,
    commands: &mut CommandUi,
) -> Option<usize> {
    let room = ui.available_height();
    let explored = explored(game);
    let has_tools = match (explored, game.shows_analysis) {
        (None, false) => true,
        (None, true) => room > MIN_HEIGHT_OF_TOOLS,
        (Some(_), _) => room > MIN_HEIGHT,
    };
    widgets::foot(ui, "foot", |ui| {
        if let Some(tools) = game.tools {
            ui.add_space(space(1));
            ui.scope(|ui| commands.rows(ui, tools, &["menu"], None));
        }
        if let Some(replay) = game.replay.as_ref().filter(|_| has_tools) {
            replay.tools(ui, commands);
        }
        rule(ui);
        plate(ui, game, game.near);
    });
    // The card of a mistake is seen whole.
    let most = ui.available_height() * if game.shows_analysis { 0.6 } else { 0.5 };
    widgets::foot(ui, "notes", |ui| {
        widgets::scroll_area(ui, "notes", most, |ui| notes(ui, game, &mut commands.requested));
    });
    if let Some((explorer, position)) = explored {
        // With little room the explorer leaves a few moves.
        let height = (ui.available_height() * 0.5).max(EXPLORER_HEIGHT);
        widgets::foot(ui, "explorer", |ui| {
            rule(ui);
            explorer_panel::show(ui, explorer, position, height, &mut commands.requested);
        });
    }
    let height = ui.available_height() - toast::keep_room(ui, 0.0);
    moves(ui, game, height, list, false, commands)
}

/// The least height of the explorer.
const EXPLORER_HEIGHT: f32 = space(34);

/// The explorer, if it is open, with the position that it is about.
fn explored<'a>(game: &Game<'a>) -> Option<(&'a Explorer, &'a AnyPosition)> {
    game.explorer.zip(game.analysed.position())
}

/// How high a plate is.
const PLATE_HEIGHT: f32 = space(14);

/// A player: the side's colour, the name, what is counted, and the clock. The
/// colour has a ring while it is this side's turn.
fn plate(ui: &mut Ui, game: &Game<'_>, side: Side) {
    let rules = game.analysed.rules();
    let is_to_move = game.turn == Some(side);
    ui.horizontal(|ui| {
        ui.set_min_height(PLATE_HEIGHT - space(2));
        // The same on both plates, whatever part of the panel they stand in.
        ui.spacing_mut().item_spacing.x = space(2);
        widgets::stone(ui, theme::side_color(rules, side), space(3), is_to_move);
        let name = game.players[side.index()].as_str();
        let label = side_label(rules, side);
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.vertical(|ui| {
            let font = theme::strong(ui.ctx(), BODY);
            let clock = if game.clocks.is_some() { CLOCK_WIDTH } else { 0.0 };
            let fits = fits_beside(ui, (label, &font), name, clock);
            ui.horizontal(|ui| {
                ui.spacing_mut().interact_size.y = space(5);
                let color = if is_to_move { ACCENT } else { TEXT };
                ui.label(RichText::new(label).font(font).color(color));
                if is_to_move && game.thinking {
                    widgets::thinking_dots(ui);
                }
                if fits {
                    widgets::one_line(ui, name, SMALL, MUTED);
                }
                if let Some(clocks) = &game.clocks {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        clocks::show(ui, rules, side, clocks);
                    });
                }
            });
            if !fits {
                widgets::wrapped(ui, name, SMALL, MUTED);
            }
            for line in [counts(game, side), game.analysed.summary(side)] {
                if !line.is_empty() {
                    widgets::wrapped(ui, &line, SMALL, MUTED);
                }
            }
        });
    });
}

/// The room for a clock beside the name.
const CLOCK_WIDTH: f32 = space(18);

/// Whether a name has room behind the side's label and before the clock, also while the
/// engine thinks.
fn fits_beside(ui: &Ui, (label, font): (&str, &FontId), name: &str, clock: f32) -> bool {
    let width = |text: &str, font: FontId| {
        ui.painter().layout_no_wrap(text.to_owned(), font, TEXT).size().x
    };
    let texts = width(label, font.clone()) + width(name, FontId::proportional(SMALL));
    let around = 2.0 * ui.spacing().item_spacing.x + widgets::THINKING_DOTS.x + clock;
    texts + around < ui.available_width()
}

/// What is counted for a side, in one line; before that, whether its player is away.
fn counts(game: &Game<'_>, side: Side) -> String {
    let Some(position) = game.analysed.position() else { return String::new() };
    let counts = scores(game.analysed.history.start(), position);
    let counts = counts.iter().map(|(label, counts)| {
        tr_args("keys.of", &[("command", label), ("key", counts[side.index()].as_str())])
    });
    let away = game.away[side.index()].then(|| tr("friend.away-mark").to_owned());
    away.into_iter().chain(counts).collect::<Vec<_>>().join(" · ")
}

/// What is said about the position: the comment, warnings, what was asked for and
/// what was announced last.
fn notes(ui: &mut Ui, game: &Game<'_>, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = space(1);
    if game.shows_analysis {
        analysis_panel::judgement(ui, game.analysed, actions);
    }
    analysis(ui, game);
    if let Some(goal) = game.goal {
        note(ui, goal, TEXT);
    }
    if let Some(lead) = game.analysed.position().filter(|_| !game.is_over).and_then(leader) {
        // Of Tablaaza alone: the number of pavilions decides.
        widgets::wrapped(ui, &lead, SMALL, MUTED).on_hover_text(tr("learn.tablaaza-parity"));
    }
    if !game.announced.is_empty() {
        note(ui, game.announced, MUTED);
    }
    let comment = (game.comment)(game.analysed.current);
    if !comment.is_empty() {
        note(ui, &comment, ACCENT);
    }
}

fn note(ui: &mut Ui, text: &str, color: Color32) {
    widgets::wrapped(ui, text, SMALL, color);
}

/// The moves, in so much height; with `within` in as much as they need, where
/// the panel scrolls as a whole.
fn moves(
    ui: &mut Ui,
    game: &Game<'_>,
    height: f32,
    list: &mut MoveList,
    within: bool,
    commands: &mut CommandUi,
) -> Option<usize> {
    let rect = ui.available_rect_before_wrap();
    let rect = rect.with_max_y(rect.top() + height);
    ui.scope_builder(UiBuilder::new().max_rect(rect.shrink2(vec2(0.0, 2.0))), |ui| {
        let analysed = game.analysed;
        let listed = ListedMoves {
            rows: game.rows,
            rules: analysed.rules(),
            current: analysed.current,
            sign: &|ply| analysed.mistake(ply).map(|mistake| mistake.verdict.sign()),
            replay: game.replay,
        };
        listed.show(ui, list, within, commands)
    })
    .inner
}

/// Warnings, and what was asked for: the evaluation, a hint, threats.
fn analysis(ui: &mut Ui, game: &Game<'_>) {
    let AnalysedGame { history, current, analysis, .. } = *game.analysed;
    let Some(position) = history.at(current) else { return };
    let rules = position.rules();
    let line = note;
    if let Some(square) = game.cursor {
        line(ui, &describe_square(position, square), TEXT);
    }
    if let Some(warning) = warning(position) {
        line(ui, warning, ERROR);
    }
    if analysis.show_evaluation && !game.evaluation_beside {
        let is_old = analysis.is_old_at(history, current);
        evaluation_bar::show(ui, rules, analysis.deepest_value(history, current), is_old);
    }
    // After a resignation the position alone would go on.
    if game.is_over {
        return;
    }
    if analysis.hint_pending {
        line(ui, tr("desk.hint-waits"), MUTED);
    } else if let Some(hint) = analysis.hint_for(position) {
        line(ui, &describe_hint(position, hint), ACCENT);
    } else if let Some(text) = first_half_of_hint(analysis, position) {
        line(ui, &text, ACCENT);
    }
    if analysis.show_threats {
        for (text, color) in threat_texts(position, game.viewer) {
            line(ui, &text, color);
        }
    }
}

/// Which piece the hint moves, or in Tablaaza which column it is in.
fn first_half_of_hint(analysis: &Analysis, position: &AnyPosition) -> Option<String> {
    let squares = analysis.hinted_piece(position);
    let first = squares.first()?.to_string();
    Some(match position {
        AnyPosition::Tablaaza(_) => {
            let column: String =
                first.chars().take_while(|letter| letter.is_alphabetic()).collect();
            tr_args("tutor.hint-column", &[("column", &column)])
        }
        AnyPosition::Tablut(_) | AnyPosition::Tablan(_) => {
            let squares = match squares.get(1) {
                Some(second) => {
                    let second = second.to_string();
                    tr_args("title.name-and-name", &[("first", &first), ("second", &second)])
                }
                None => first,
            };
            tr_args("tutor.hint-piece", &[("squares", &squares)])
        }
    })
}

/// The threats in words, and their colours: what is in danger apart from what can be
/// taken. Without a single `viewer` they are told by sides.
fn threat_texts(position: &AnyPosition, viewer: Option<Side>) -> Vec<(String, Color32)> {
    let threats = threats(position);
    let names = |squares: Vec<Square>| {
        let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
        names.join(" ")
    };
    let mut words = Vec::new();
    // What there is none of is told too: else nobody knows that it was looked for.
    let mut tell = |key: &'static str, name: &str, squares: String, color: Color32| {
        let (squares, color) = match squares.is_empty() {
            true => (tr("drawing.none"), MUTED),
            false => (squares.as_str(), color),
        };
        words.push((tr_args(key, &[("side", name), ("squares", squares)]), color));
    };
    if let AnyPosition::Tablaaza(_) = position {
        let squares = names(threats.pavilions.into_iter().map(|way| way.1).collect());
        tell("desk.near-pavilions", "", squares, TEXT);
        return words;
    }
    for side in [viewer.unwrap_or(Side::First), viewer.unwrap_or(Side::First).other()] {
        let squares = names(threats.captured[side.index()].iter().copied().collect());
        let (key, color) = match viewer {
            Some(own) if own == side => ("desk.in-danger", ERROR),
            Some(_) => ("desk.can-take", ACCENT),
            None => ("desk.side-in-danger", TEXT),
        };
        tell(key, side_label(position.rules(), side), squares, color);
    }
    if let AnyPosition::Tablut(_) = position {
        let squares = names(threats.king_escapes.into_iter().map(|way| way.1).collect());
        tell("desk.king-ways", "", squares, TEXT);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::analysis::HintStep, games::Game as _};

    #[test]
    fn a_hint_for_two_pieces_names_both_squares() {
        let mut analysis = Analysis::default();
        let text = "N11/12/12/S3S7 s t1";
        let position = AnyPosition::parse(RuleSet::Tablan, text).expect("a position");
        let pair = |mv: &AnyMove| position.notation(*mv).contains('+');
        let mv = position.legal_moves().into_iter().find(pair).expect("a move of two pieces");
        analysis.hint_step = HintStep::Piece;
        analysis.hint = Some((position.key(), mv));
        let hint = first_half_of_hint(&analysis, &position).expect("a hint");
        assert!(hint.starts_with("Hint: move from ") && hint.contains(" and "), "{hint}");
    }

    #[test]
    fn what_is_in_danger_stands_apart_from_what_can_be_taken() {
        // Both sides can lose a soldier: Black flanks c4 from d4, White g8 from f8.
        let text = "9/3B2BW1/9/9/4K4/1BW6/9/5W3/9 w";
        let position = AnyPosition::parse(RuleSet::TablutLinnaeus, text).expect("a position");
        let captured = threats(&position).captured;
        assert!(captured.iter().all(|side| !side.is_empty()), "{captured:?}");
        for (viewer, danger) in [(Side::First, "c4"), (Side::Second, "g8")] {
            let texts = threat_texts(&position, Some(viewer));
            assert!(texts[0].0.starts_with("In danger: ") && texts[0].0.contains(danger));
            assert!(texts[1].0.starts_with("You can take: ") && !texts[1].0.contains(danger));
            assert_ne!(texts[0].1, texts[1].1, "two colours");
        }
        assert!(threat_texts(&position, None)[0].0.starts_with("White in danger: "));
        let told = |rules| {
            let texts = threat_texts(&AnyPosition::start(rules), Some(Side::First));
            texts.into_iter().map(|text| text.0).collect::<Vec<_>>()
        };
        let none = ["In danger: none", "You can take: none", "The king's open ways: none"];
        assert_eq!(told(RuleSet::TablutAshton), none, "it was looked for");
        assert_eq!(told(RuleSet::Tablaaza), ["One stone from a pavilion: none"]);
    }
}
