//! Which squares are marked on the table, and how.

use bevy::prelude::*;

use super::{Referee, last_squares};
use crate::{
    app::{
        advice::Advice,
        stage::{Arrow, Marks, Motion, Screen},
    },
    games::{AnyMove, AnyPosition, Game},
    table::{click_sequences, threats},
};

/// Says which squares are to be marked, on the table screen. What can be done
/// next is shown once the last ply has been: a throw is not given away while
/// the sticks still fly.
pub(super) fn mark(
    referee: Res<Referee>,
    advice: Res<Advice>,
    screen: Res<State<Screen>>,
    motion: Res<Motion>,
    mut marks: ResMut<Marks>,
) {
    let changed =
        referee.is_changed() || screen.is_changed() || motion.is_changed() || advice.is_changed();
    if *screen.get() != Screen::Table || !changed {
        return;
    }
    let mut new = marks.kept();
    if let Some(table) = &referee.table {
        let line = table.history();
        let shown = referee.looking.unwrap_or(line.len());
        new.last = last_squares(line, shown);
        let still = !motion.is_busy();
        let here = referee.looking.is_none() && still;
        new.sticks = referee.throws() && here;
        if referee.plays() && here {
            let touched = referee.selection.squares();
            if touched.is_empty() {
                new.touchable = referee.selection.next(referee.legal());
            } else {
                new.reachable = referee.selection.next(referee.legal());
            }
            new.chosen = touched.to_vec();
        }
        if let Some(position) = line.at(shown).filter(|_| still) {
            let over = shown == line.len() && table.outcome().is_some();
            point_out(&mut new, &advice, position, over);
        }
    }
    marks.set_if_neq(new);
}

/// Draws a move: the best with rank 0, lesser ones after it.
fn draw_move(marks: &mut Marks, mv: AnyMove, rank: u8) {
    let scripts = click_sequences(&mv);
    match scripts.first().map(Vec::as_slice) {
        None => {}
        Some([place]) if rank == 0 => marks.advised.push(*place),
        Some([place]) => marks.lesser.push((*place, rank)),
        Some(steps) => {
            for step in steps.chunks_exact(2) {
                marks.arrows.push(match rank {
                    0 => Arrow::Advice(step[0], step[1]),
                    rank => Arrow::Lesser(step[0], step[1], rank),
                });
            }
        }
    }
}

/// Draws what was asked for: the hint, the best lines, and threats. Where the
/// game is over only an analysis has something to say: nothing threatens any
/// more, even where somebody gave up and the board alone would go on.
pub(in crate::app) fn point_out(
    marks: &mut Marks,
    advice: &Advice,
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
        marks
            .arrows
            .extend(threats.king_escapes.into_iter().map(|(from, to)| Arrow::Way(from, to)));
        for (stone, at) in threats.pavilions {
            marks.noted.push(at);
            marks.arrows.push(Arrow::Way(stone, at));
        }
    }
}
