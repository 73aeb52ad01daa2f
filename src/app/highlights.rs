//! Which squares are highlighted on the table and in a replay: legal moves, the
//! last move, a hint, the best lines, threats.

use bevy::prelude::*;

use super::{
    analysis::Analysis,
    core::{schedule::AppSet, states::Screen},
    game::referee::Referee,
    replay::Replay,
    scene::{
        api::{Arrow, Highlights, MotionStatus},
        plies::last_squares,
    },
};
use crate::{
    games::{AnyMove, AnyPosition, Game},
    table::{scripts, threats},
};

/// Decides the highlights once actions, files and engines have had their say.
pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (highlight_table, highlight_replay).after(AppSet::ApplyActions).before(AppSet::Scene),
    );
}

/// Highlights the table screen. What can be done next is shown only after the
/// last ply's animation: a throw is not given away while the sticks still fly.
fn highlight_table(
    referee: Res<Referee>,
    advice: Res<Analysis>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut marks: ResMut<Highlights>,
) {
    let changed =
        referee.is_changed() || screen.is_changed() || motion.is_changed() || advice.is_changed();
    if *screen.get() != Screen::Table || !changed {
        return;
    }
    let mut new = marks.kept();
    if let Some(table) = &referee.table {
        let line = table.line();
        let shown = referee.looking.unwrap_or(line.len());
        new.last = last_squares(line, shown);
        let still = !motion.is_busy();
        let here = referee.looking.is_none() && still;
        new.sticks = referee.throws() && here;
        if referee.plays() && here {
            let touched = referee.selection.touched();
            if touched.is_empty() {
                new.touchable = referee.selection.next(referee.legal());
            } else {
                new.reachable = referee.selection.next(referee.legal());
            }
            new.chosen = touched.to_vec();
        }
        if let Some(position) = line.at(shown).filter(|_| still) {
            let over = shown == line.len() && table.outcome().is_some();
            highlight_analysis(&mut new, &advice, position, over);
        }
    }
    marks.set_if_neq(new);
}

/// Highlights the replay screen.
fn highlight_replay(
    replay: Res<Replay>,
    advice: Res<Analysis>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut marks: ResMut<Highlights>,
) {
    let changed =
        replay.is_changed() || screen.is_changed() || advice.is_changed() || motion.is_changed();
    if *screen.get() != Screen::Replay || !changed {
        return;
    }
    let mut new = Highlights::default();
    if let Some(line) = replay.line() {
        new.last = last_squares(line, replay.at);
        if let Some(position) = line.at(replay.at).filter(|_| !motion.is_busy()) {
            let over = replay.at == line.len() && replay.is_settled();
            highlight_analysis(&mut new, &advice, position, over);
        }
    }
    marks.set_if_neq(new);
}

/// Draws a move: the best one has rank 0.
fn draw_move(marks: &mut Highlights, mv: AnyMove, rank: u8) {
    let scripts = scripts(&mv);
    match scripts.first().map(Vec::as_slice) {
        None => {}
        Some([place]) if rank == 0 => marks.advised.push(*place),
        Some([place]) => marks.lesser.push((*place, rank)),
        Some(steps) => {
            for step in steps.chunks_exact(2) {
                marks.arrows.push(match rank {
                    0 => Arrow::Analysis(step[0], step[1]),
                    rank => Arrow::Lesser(step[0], step[1], rank),
                });
            }
        }
    }
}

/// Draws the hint, the best lines and the threats that are switched on. In a
/// finished game only an analysis is drawn: nothing threatens any more, even if
/// a player resigned in the middle.
fn highlight_analysis(
    marks: &mut Highlights,
    advice: &Analysis,
    position: &AnyPosition,
    over: bool,
) {
    let judged = || advice.known.get(&position.key()).filter(|_| advice.analysis);
    let hint = advice.hint_for(position).filter(|_| !over).or_else(|| judged()?.best);
    if let Some(hint) = hint {
        draw_move(marks, hint, 0);
    }
    if advice.analysis {
        let others = advice.lines_of(position).iter().filter(|line| Some(line.mv) != hint);
        for (line, rank) in others.zip(1..) {
            draw_move(marks, line.mv, rank);
        }
    }
    if advice.threats && !over {
        let threats = threats(position);
        marks.noted.extend(threats.captured);
        marks.arrows.extend(threats.king_ways.into_iter().map(|(from, to)| Arrow::Way(from, to)));
        for (stone, at) in threats.pavilions {
            marks.noted.push(at);
            marks.arrows.push(Arrow::Way(stone, at));
        }
    }
}
