//! Which squares are marked on the table, and how.

use bevy::prelude::*;

use super::{Referee, last_squares};
use crate::{
    app::{
        advice::Advice,
        stage::{Arrow, Marks, Motion, Screen},
    },
    games::{AnyPosition, Game},
    table::{scripts, threats},
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
        let line = table.line();
        let shown = referee.looking.unwrap_or(line.len());
        new.last = last_squares(line, shown);
        let still = !motion.is_busy();
        let here = referee.looking.is_none() && still;
        new.sticks = table.person_throws() && here;
        if table.person_moves() && here {
            let touched = referee.selection.touched();
            if touched.is_empty() {
                new.touchable = referee.selection.next(referee.legal());
            } else {
                new.reachable = referee.selection.next(referee.legal());
            }
            new.chosen = touched.to_vec();
        }
        if let Some(position) = line.at(shown).filter(|_| still) {
            point_out(&mut new, &advice, position);
        }
    }
    marks.set_if_neq(new);
}

/// Draws what was asked for: the hint, and threats.
pub(in crate::app) fn point_out(marks: &mut Marks, advice: &Advice, position: &AnyPosition) {
    let judged = || advice.known.get(&position.key()).filter(|_| advice.analysis);
    let hint = advice.hint_for(position).or_else(|| judged()?.best);
    if let Some(hint) = hint
        && let Some(script) = scripts(&hint).first()
    {
        match script.as_slice() {
            [place] => marks.advised.push(*place),
            steps => {
                for step in steps.chunks_exact(2) {
                    marks.arrows.push(Arrow::Advice(step[0], step[1]));
                }
            }
        }
    }
    if advice.threats {
        let threats = threats(position);
        marks.noted.extend(threats.captured);
        marks.arrows.extend(threats.king_ways.into_iter().map(|(from, to)| Arrow::Way(from, to)));
        for (stone, at) in threats.pavilions {
            marks.noted.push(at);
            marks.arrows.push(Arrow::Way(stone, at));
        }
    }
}
