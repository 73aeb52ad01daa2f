//! Which squares are highlighted on the table and in a replay: legal moves, the
//! last move, a hint, the best lines, threats.

use std::collections::BTreeMap;

use bevy::picking::pointer::{PointerAction, PointerInput};

use super::{
    analysis::Analysis,
    game::{referee::Referee, results::GameResults},
    lesson::Lesson,
    replay::{Replay, shown_game},
    scene::api::{
        AnimationSpeed, Arrow, Corridors, CourseShown, Hand, Highlights, LitCorridors,
        MotionStatus, MoveMark, Pointed, SceneCommand,
    },
};
use crate::{
    app::core::prelude::*,
    games::{tablaaza::Cell, tablan::course},
    records::{Annotation, ShapeColor},
    session::{Outcome, click_sequences, threats},
};

/// The squares that the texts beside the board name: the task and the feedback of an
/// exercise, the tutor's question. The board shows them, with what the texts say of their move.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedSquares(pub(crate) BTreeMap<Square, Option<MoveMark>>);

impl NamedSquares {
    /// The squares of a board of this size that texts name, by themselves or in moves. The mark
    /// of a text is that of the first move or square in it.
    pub(crate) fn in_texts<'a>(
        texts: impl Iterator<Item = (&'a str, Option<MoveMark>)>,
        (files, ranks): (u8, u8),
    ) -> Self {
        let mut named = BTreeMap::new();
        for (text, mut mark) in texts {
            for word in text.split_whitespace() {
                let parts = word.split(|it: char| !it.is_alphanumeric() || it == 'x');
                let squares = parts.filter_map(|part| part.parse().ok());
                let mut squares =
                    squares.filter(|it: &Square| it.file < files && it.rank < ranks).peekable();
                let judged = mark.take_if(|_| squares.peek().is_some());
                for square in squares {
                    let known = named.entry(square).or_insert(judged);
                    *known = judged.or(*known);
                }
            }
        }
        Self(named)
    }
}

/// Whether the plies that are shown have been seen to happen: nothing moves, and nothing is
/// about to.
#[derive(Resource, Clone, Copy, Default, PartialEq, Eq)]
struct PliesSettled(bool);

/// Decides the highlights after actions, and before files and engines.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<NamedSquares>().init_resource::<PliesSettled>().add_systems(
        Update,
        (
            settle_plies,
            highlight_table.run_if(in_state(Screen::Table)),
            highlight_replay.run_if(in_state(Screen::Replay)),
            highlight_corridors,
            show_course_to_beginners
                .run_if(resource_changed::<Referee>.or_else(resource_changed::<State<Screen>>)),
        )
            .chain()
            .in_set(AppSet::Highlights),
    );
}

/// Tells whether the plies that are shown have been seen to happen.
fn settle_plies(
    mut commands: MessageReader<SceneCommand>,
    (status, speed): (Res<MotionStatus>, Res<AnimationSpeed>),
    mut settled: ResMut<PliesSettled>,
    mut next: ResMut<NextFrame>,
) {
    let is_ply = |command: &&SceneCommand| matches!(command, SceneCommand::PlayPly(_));
    // The scene begins to move it only after this.
    let is_due = commands.read().filter(is_ply).count() > 0 && speed.0.is_some();
    if is_due {
        next.at_once();
    }
    settled.set_if_neq(PliesSettled(!is_due && !status.is_busy()));
}

/// Highlights the table screen. The last move is marked, and what can be done next is
/// shown, only after its animation: the effect does not come before its cause, and a throw
/// is not given away while the sticks still fly.
fn highlight_table(
    (referee, lesson, named): (Res<Referee>, Res<Lesson>, Res<NamedSquares>),
    analysis: Res<Analysis>,
    (screen, settled): (Res<State<Screen>>, Res<PliesSettled>),
    mut highlights: ResMut<Highlights>,
) {
    let changed = referee.is_changed()
        || screen.is_changed()
        || settled.is_changed()
        || analysis.is_changed()
        || named.is_changed();
    if !changed {
        return;
    }
    let PliesSettled(settled) = *settled;
    let mut new = Highlights::default();
    if let Some(table) = &referee.table {
        let history = table.history();
        let shown = referee.viewed_ply.unwrap_or(history.len());
        if settled {
            new.mark_last_move(history, shown);
            let is_move = |ply: &usize| matches!(history.ply(*ply), Some(Ply::Move(_)));
            let moved = (1..=shown).rev().find(is_move);
            if moved.is_some_and(|ply| table.moved_follower_first(ply)) {
                new.last_move.reverse();
            }
        }
        let current = referee.viewed_ply.is_none() && settled;
        new.sticks_ready = referee.awaits_throw() && current;
        if referee.awaits_move() && current {
            let selected = referee.selection.squares();
            if selected.is_empty() {
                new.selectable = referee.selection.next(referee.legal_moves());
            } else {
                new.reachable = referee.selection.next(referee.legal_moves());
            }
            new.selected = selected.to_vec();
        }
        if let Some(position) = history.at(shown).filter(|_| settled) {
            let over = shown == history.len() && table.outcome().is_some();
            if referee.is_exercise() {
                highlight_hint(&mut new, &analysis, position, over);
            } else {
                highlight_analysis(&mut new, &analysis, position, over, table.only_person());
            }
        }
        if settled && shown == history.len() && matches!(table.outcome(), Some(Outcome::Ended(_))) {
            draw_deciding_move(&mut new, history);
        }
        if let Some([from, to]) = referee.placed_step() {
            new.chosen_step = Some((from, to));
        }
        if let Some(mv) = referee.held_move() {
            draw_held_move(&mut new, mv);
        }
        let is_lesson = referee.on_table == OnTable::Lesson;
        if is_lesson && lesson.game == Some(GameKind::Tablan) && lesson.step == 0 {
            draw_course(&mut new);
        }
        for (square, mark) in named.0.iter().filter(|_| settled) {
            match mark {
                Some(mark) => new.judged.push((*square, *mark)),
                None => new.circles.push((*square, ShapeColor::Blue)),
            }
        }
    }
    highlights.set_if_neq(new);
}

/// Shows the course of Tablan's pieces in a player's first games.
fn show_course_to_beginners(
    (referee, results): (Res<Referee>, Res<GameResults>),
    screen: Res<State<Screen>>,
    mut course: ResMut<CourseShown>,
) {
    let is_game = *screen.get() == Screen::Table && !referee.is_exercise();
    let by_default = is_game && results.is_new_to(GameKind::Tablan);
    course.set_if_neq(CourseShown { by_default, ..*course });
}

/// Draws the move that decided the game: the king's way out, the capture of the king, the
/// last stone, the last piece home.
fn draw_deciding_move(highlights: &mut Highlights, history: &GameHistory<AnyPosition>) {
    let color = ShapeColor::Yellow;
    let has_course = history.start().rules().has_sticks();
    for step in highlights.last_move.clone() {
        highlights.circles.push((step.to, color));
        // In Tablan the way of the last move is drawn along the course already.
        if let Some(from) = step.from.filter(|_| !has_course) {
            highlights.arrows.push(Arrow::Drawn(from, step.to, color));
        }
    }
    let king = match history.at(history.len().saturating_sub(1)) {
        Some(AnyPosition::Tablut(before)) => before.king(),
        _ => None,
    };
    let is_captured = |at: &Square| highlights.captured.contains(at);
    if let Some(king) = king.filter(is_captured) {
        highlights.circles.push((king, ShapeColor::Red));
    }
}

/// Draws the rows of South's course and the turns between them, which the first step
/// of Tablan's lesson tells of.
fn draw_course(highlights: &mut Highlights) {
    let rows: Vec<&[Square]> = course(Side::First).chunks(course(Side::First).len() / 4).collect();
    for row in &rows {
        if let [from, .., to] = row {
            highlights.arrows.push(Arrow::Hint(*from, *to));
        }
    }
    for pair in rows.windows(2) {
        if let ([.., from], [to, ..]) = (pair[0], pair[1]) {
            highlights.arrows.push(Arrow::Ranked(*from, *to, 1));
        }
    }
}

/// Highlights the replay screen.
fn highlight_replay(
    replay: Res<Replay>,
    analysis: Res<Analysis>,
    (screen, settled): (Res<State<Screen>>, Res<PliesSettled>),
    mut highlights: ResMut<Highlights>,
) {
    let changed =
        replay.is_changed() || screen.is_changed() || settled.is_changed() || analysis.is_changed();
    if !changed {
        return;
    }
    let PliesSettled(settled) = *settled;
    let mut new = Highlights::default();
    if let (Some(record), Some(history)) = (&replay.record, replay.history()) {
        if settled {
            new.mark_last_move(history, replay.ply);
            draw_shapes(&mut new, record.tree().annotation(replay.node()));
        }
        if settled && !replay.playing {
            let selected = replay.selection.squares();
            // Nobody has to move here: only a piece that was selected calls for marks.
            if !selected.is_empty() {
                new.reachable = replay.selection.next(&replay.legal_moves());
            }
            new.selected = selected.to_vec();
        }
        if let Some(position) = history.at(replay.ply).filter(|_| settled) {
            let over = replay.ply == history.len() && replay.is_settled();
            highlight_analysis(&mut new, &analysis, position, over, None);
        }
    }
    highlights.set_if_neq(new);
}

/// For how long the corridors of a pavilion that has risen are lit.
const RISEN_SHOWN_FOR: Duration = Duration::from_millis(1_200);

/// The pavilions that have risen just now.
#[derive(Default)]
struct Risen {
    /// How many plies were shown when this was read last, and the key of the position.
    shown: Option<(usize, u64)>,
    squares: Vec<Square>,
    until: Duration,
}

impl Risen {
    /// Takes the pavilions of the ply that is shown now; a jump raises none.
    fn follow(&mut self, history: &GameHistory<AnyPosition>, shown: usize, now: Duration) {
        let position = |ply| Some((ply, history.at(ply)?.key()));
        let (before, now_shown) = (shown.checked_sub(1).and_then(position), position(shown));
        if now_shown == self.shown {
            return;
        }
        self.squares.clear();
        if before.is_some() && before == self.shown {
            self.squares.extend(history.events(shown).iter().filter_map(|event| match event {
                Event::PavilionRaised { at, .. } => Some(*at),
                _ => None,
            }));
            self.until = now + RISEN_SHOWN_FOR;
        }
        self.shown = now_shown;
    }

    /// How long they are still shown.
    fn left(&self, now: Duration) -> Duration {
        if self.squares.is_empty() { Duration::ZERO } else { self.until.saturating_sub(now) }
    }
}

/// Whether the pointer still rests where it was when the game began: then it points at a
/// square by chance.
#[derive(Default)]
struct Resting {
    game: u64,
    is_resting: bool,
}

impl Resting {
    fn follow<'a>(&mut self, game: u64, inputs: impl Iterator<Item = &'a PointerInput>) {
        let has_begun = std::mem::replace(&mut self.game, game) != game;
        let is_move = |input: &&PointerInput| matches!(input.action, PointerAction::Move { .. });
        let has_moved = inputs.filter(is_move).count() > 0;
        self.is_resting = has_begun || self.is_resting && !has_moved;
    }
}

/// Lights the corridors of the opponent's free square under the pointer, unless the hand holds a
/// stone over it, or named by an exercise; and for a moment those of a pavilion that has risen.
fn highlight_corridors(
    (referee, replay, named): (Res<Referee>, Res<Replay>, Res<NamedSquares>),
    (screen, hand, lesson): (Res<State<Screen>>, Res<Hand>, Res<Lesson>),
    pointer: Res<Pointed>,
    settled: Res<PliesSettled>,
    time: Res<Time<Real>>,
    (mut risen, mut rests): (Local<Risen>, Local<Resting>),
    mut inputs: MessageReader<PointerInput>,
    mut next: ResMut<NextFrame>,
    mut lit: ResMut<LitCorridors>,
) {
    let now = time.elapsed();
    let at_table = *screen.get() == Screen::Table;
    rests.follow(referee.game_number(), inputs.read());
    let mut corridors = Vec::new();
    // A lesson first explains what they are.
    if let Some((history, ply)) = shown_game(*screen.get(), &referee, &replay)
        .filter(|_| settled.0 && !lesson.is_before("corridor"))
        && let Some(AnyPosition::Tablaaza(position)) = history.at(ply)
    {
        risen.follow(history, ply, now);
        let of = |of: Square| Corridors { of, squares: position.corridor_squares(of) };
        let played = referee.table.as_ref().filter(|it| at_table && it.outcome().is_none());
        let builder = played.and_then(GameSession::only_person);
        let enemy = builder.unwrap_or_else(|| position.side()).other();
        let is_free =
            |at: &Square| position.colour(*at) == Some(enemy) && position.at(*at) == Cell::Free;
        let pointed = pointer.square.filter(|_| hand.0.is_none() && !rests.is_resting);
        corridors.extend(pointed.filter(is_free).map(of));
        if at_table && referee.is_exercise() {
            corridors.extend(named.0.keys().copied().filter(is_free).map(of));
        }
        let left = risen.left(now);
        if !left.is_zero() {
            corridors.extend(risen.squares.iter().copied().map(of));
            next.within(left);
        }
    }
    lit.set_if_neq(LitCorridors(corridors));
}

/// Draws the circles and arrows of a position.
fn draw_shapes(highlights: &mut Highlights, annotation: &Annotation) {
    for shape in annotation.shapes() {
        match shape.to {
            None => highlights.circles.push((shape.from, shape.color)),
            Some(to) => highlights.arrows.push(Arrow::Drawn(shape.from, to, shape.color)),
        }
    }
}

/// Draws a move: the best one has rank 0.
fn draw_move(highlights: &mut Highlights, mv: AnyMove, rank: u8) {
    let sequences = click_sequences(&mv);
    match sequences.first().map(Vec::as_slice) {
        None => {}
        Some([square]) if rank == 0 => highlights.hinted.push(*square),
        Some([square]) => highlights.ranked.push((*square, rank)),
        Some(steps) => {
            for step in steps.chunks_exact(2) {
                highlights.arrows.push(match rank {
                    0 => Arrow::Hint(step[0], step[1]),
                    rank => Arrow::Ranked(step[0], step[1], rank),
                });
            }
        }
    }
}

/// Draws the move that the tutor holds back: the pieces stand where they stood.
fn draw_held_move(highlights: &mut Highlights, mv: AnyMove) {
    match click_sequences(&mv).first().map(Vec::as_slice) {
        None => {}
        Some([square]) => highlights.warned.push(*square),
        Some(steps) => highlights
            .arrows
            .extend(steps.chunks_exact(2).map(|step| Arrow::Warning(step[0], step[1]))),
    }
}

/// Draws the hint that an exercise gives: nothing else of the analysis is shown with it,
/// which would give the solution away.
fn highlight_hint(
    highlights: &mut Highlights,
    analysis: &Analysis,
    position: &AnyPosition,
    over: bool,
) {
    if over {
        return;
    }
    if let Some(hint) = analysis.hint_for(position) {
        draw_move(highlights, hint, 0);
    }
    highlights.hinted.extend(analysis.hinted_piece(position));
}

/// Draws the hint, the best lines and the threats that are switched on. In a
/// finished game only an analysis is drawn: nothing threatens any more, even if
/// a player resigned in the middle.
fn highlight_analysis(
    highlights: &mut Highlights,
    analysis: &Analysis,
    position: &AnyPosition,
    over: bool,
    viewer: Option<Side>,
) {
    let evaluation = || analysis.evaluations.get(&position.key()).filter(|_| analysis.enabled);
    // The first of the lines listed, which may be searched deeper than the evaluation.
    let first_line = || analysis.lines_of(position).first().filter(|_| analysis.enabled);
    let best = || first_line().map(|line| line.mv).or_else(|| evaluation()?.best);
    let hint = analysis.hint_for(position).filter(|_| !over).or_else(best);
    if let Some(hint) = hint {
        draw_move(highlights, hint, 0);
    }
    if !over {
        highlights.hinted.extend(analysis.hinted_piece(position));
    }
    if analysis.enabled {
        let others = analysis.lines_of(position).iter().filter(|line| Some(line.mv) != hint);
        for (line, rank) in others.zip(1..) {
            draw_move(highlights, line.mv, rank);
        }
    }
    if analysis.show_threats && !over {
        let threats = threats(position);
        // The viewer's own pieces are warned of, the other side's are recommended.
        let viewer = viewer.unwrap_or_else(|| position.side());
        let [own, other] = [viewer, viewer.other()].map(|side| &threats.captured[side.index()]);
        highlights.warned.extend(own);
        highlights.ranked.extend(other.iter().map(|square| (*square, 1)));
        highlights
            .arrows
            .extend(threats.king_escapes.into_iter().map(|(from, to)| Arrow::Warning(from, to)));
        for (stone, at) in threats.pavilions {
            highlights.warned.push(at);
            highlights.arrows.push(Arrow::Warning(stone, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::state::app::StatesPlugin;

    use crate::session::FinishedGame;

    #[test]
    fn the_course_is_shown_in_a_players_first_games_of_tablan() {
        let finished = |rules: RuleSet| {
            let mut table = GameSession::new(Setup::new(rules));
            while table.can_abort() {
                let first = table.history().legal_moves().first().copied();
                let played = match first {
                    Some(mv) => table.play(mv).is_ok(),
                    None => table.throw().is_ok(),
                };
                assert!(played);
            }
            assert!(table.resign(Side::First));
            FinishedGame::new("1", &table, None).expect("it is over")
        };
        let mut referee = Referee::default();
        let _ = referee.set_game(GameSession::new(Setup::new(RuleSet::Tablan)));
        let mut app = App::new();
        app.add_plugins(StatesPlugin)
            .insert_state(Screen::Table)
            .insert_resource(referee)
            .init_resource::<CourseShown>()
            .add_systems(Update, show_course_to_beginners);
        let mut is_shown = |games: Vec<FinishedGame>| {
            app.insert_resource(GameResults::of(games));
            app.update();
            app.world().resource::<CourseShown>().is_on()
        };
        assert!(is_shown(vec![finished(RuleSet::TablutAshton); 9]), "other games");
        assert!(is_shown(vec![finished(RuleSet::TablanOrdered); 2]));
        assert!(!is_shown(vec![finished(RuleSet::Tablan); 3]));
    }

    #[test]
    fn the_squares_that_texts_name_are_found_in_words_and_in_moves() {
        let texts = ["Look at a7: the box, t1 and z9 are none.", "The move i1xd2+a1-b1 captures."];
        let named = |size| {
            let texts = texts.into_iter().map(|text| (text, None));
            let NamedSquares(squares) = NamedSquares::in_texts(texts, size);
            squares.keys().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(named((9, 9)), "a1 a7 b1 d2 i1");
        assert_eq!(named((8, 4)), "a1 b1 d2");
    }

    #[test]
    fn what_a_text_says_of_a_move_is_said_of_the_first_one_in_it() {
        let texts = [
            ("Here White played e3-h3, a mistake.", Some(MoveMark::Played)),
            ("e3-e4? It loses h3. The computer answers a2-c2.", Some(MoveMark::Wrong)),
        ];
        let NamedSquares(named) = NamedSquares::in_texts(texts.into_iter(), (9, 9));
        let marks: Vec<_> = named.iter().map(|(at, mark)| (at.to_string(), *mark)).collect();
        let [played, wrong] = [MoveMark::Played, MoveMark::Wrong].map(Some);
        let expected = [("a2", None), ("c2", None), ("e3", wrong), ("e4", wrong), ("h3", played)];
        assert_eq!(marks, expected.map(|(at, mark)| (at.to_owned(), mark)));
    }
}
