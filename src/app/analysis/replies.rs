//! What becomes of the answers of searches.

use super::{
    Analysis, Candidate, Evaluation, LINES, PositionEvaluation,
    worker::{AnalysisWorker, Job, Purpose},
};
use crate::{
    app::{core::prelude::*, game::referee::Referee},
    engines::{Info, SearchEvent},
    session::side_key,
};

/// Stores what a search reports; returns what the player must know.
pub(super) fn handle_reply(
    reply: SearchEvent,
    worker: &mut AnalysisWorker,
    analysis: &mut Analysis,
    referee: &mut Referee,
) -> Option<Notify> {
    match reply {
        SearchEvent::Info { line, info, .. } => {
            let job = worker.job.as_mut()?;
            if let (Purpose::Lines(_), Some(&mv)) = (job.purpose, info.pv.first()) {
                let candidate = candidate(&job.history, mv, &info);
                let multi_pv = analysis.multi_pv.entry(job.history.position().key()).or_default();
                multi_pv.update(line, candidate, job.history.legal_moves().len().min(LINES));
            }
            if line == 1 {
                job.last = Some(info);
            }
            None
        }
        SearchEvent::BestMove { best, .. } => {
            handle_result(worker.job.take()?, best, analysis, referee)
        }
    }
}

/// Stores or answers with the result of a finished search.
fn handle_result(
    job: Job,
    best: Option<AnyMove>,
    analysis: &mut Analysis,
    referee: &mut Referee,
) -> Option<Notify> {
    if matches!(job.purpose, Purpose::Lines(_)) {
        finish_lines(analysis, &job);
        return None;
    }
    let position = job.history.position();
    let mover = position.side();
    let value = job.last.as_ref().map(|info| Evaluation::from_score(info.score, mover));
    // A hint's score includes contempt, so it is no evaluation.
    if let Some(value) = value.filter(|_| job.purpose != Purpose::Hint) {
        let depth = job.last.as_ref().map_or(0, |info| info.depth);
        let variation =
            job.last.map_or_else(String::new, |info| variation_text(&job.history, &info.pv));
        analysis
            .evaluations
            .insert(position.key(), PositionEvaluation { value, best, variation, depth });
    }
    if value.is_none() && job.purpose == Purpose::Evaluation {
        analysis.unsearchable.insert(position.key());
    }
    match (job.purpose, best) {
        (Purpose::Hint, Some(best)) => {
            analysis.hint = Some((position.key(), best));
            None
        }
        (Purpose::Hint, None) => Some(Notify::info(LocalizedMessage::new("notice.no-hint"))),
        (Purpose::Draw, _) => answer_offer(referee, mover, value),
        (Purpose::Evaluation | Purpose::Lines(_), _) => None,
    }
}

/// The line that a search reported. It begins with its own move, also where the search
/// ended with another one, `best`, that it had no time to report.
pub(super) fn candidate(
    history: &GameHistory<AnyPosition>,
    best: AnyMove,
    info: &Info,
) -> Candidate {
    let mv = info.pv.first().copied().unwrap_or(best);
    let value = Evaluation::from_score(info.score, history.position().side());
    let variation = variation_text(history, &info.pv);
    Candidate { mv, value, depth: info.depth, exact: info.exact, variation }
}

/// Ends a round of the best lines. The first one is also the position's evaluation, unless
/// that comes from a deeper search.
fn finish_lines(analysis: &mut Analysis, job: &Job) {
    let key = job.history.position().key();
    let multi_pv = analysis.multi_pv.entry(key).or_default();
    if job.last.is_none() {
        multi_pv.finish();
        return;
    }
    multi_pv.finish_round();
    let Some(Candidate { mv, value, depth, variation, .. }) = multi_pv.lines.first().cloned()
    else {
        return;
    };
    if analysis.evaluations.get(&key).is_none_or(|known| depth >= known.depth) {
        let best = Some(mv);
        analysis.evaluations.insert(key, PositionEvaluation { value, best, variation, depth });
    }
}

/// Answers a draw offer: an engine accepts when it is not ahead, and says so otherwise.
fn answer_offer(referee: &mut Referee, offerer: Side, value: Option<Evaluation>) -> Option<Notify> {
    let accepts = match value {
        Some(Evaluation::Points(points)) => {
            let points = if offerer == Side::First { points } else { -points };
            points >= 0
        }
        Some(Evaluation::Wins(side, _)) => side == offerer,
        None => false,
    };
    if accepts {
        referee.agree_draw();
        return None;
    }
    let rules = referee.table.as_ref()?.rules();
    let side = LocalizedMessage::new(side_key(rules, offerer.other()));
    Some(Notify::info(LocalizedMessage::new("notice.draw-declined").with_message("side", side)))
}

/// Writes a principal variation in the records' notation.
fn variation_text(history: &GameHistory<AnyPosition>, variation: &[AnyMove]) -> String {
    let mut history = history.clone();
    let mut moves = Vec::new();
    for &mv in variation {
        let text = history.position().notation(mv);
        if history.push(crate::games::Ply::Move(mv)).is_err() {
            break;
        }
        moves.push(text);
    }
    moves.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::engines::Score;

    #[test]
    fn a_line_begins_with_its_own_move_where_the_search_ended_with_another() {
        let history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        let [reported, preferred] =
            ["e3-h3", "e3-b3"].map(|text| history.position().parse_move(text).expect("a move"));
        let (score, time) = (Score::Points(0), Duration::ZERO);
        let info = Info { depth: 9, score, nodes: 1, time, pv: vec![reported], exact: false };
        let line = candidate(&history, preferred, &info);
        assert_eq!((line.mv, line.variation.as_str()), (reported, "e3-h3"));
        let without = Info { pv: Vec::new(), ..info };
        assert_eq!(candidate(&history, preferred, &without).mv, preferred);
    }
}
