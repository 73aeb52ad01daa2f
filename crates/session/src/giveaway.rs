//! What a mistake gives away, in a sentence that does not name the better move.

use crate::i18n::{LocalizedMessage, localize_decimal};
use tabulae_engines::{Judgement, Score};
use tabulae_games::{AnyPosition, Event, Game, GameHistory, GameKind, Ply, Side, Turn};

/// What a move gives away: the king's escape, the game, a piece, a pavilion, or so much
/// of the score. `before` is the game before the move.
///
/// ```
/// use tabulae_engines::{Judgement, Score};
/// use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet};
/// use tabulae_session::describe_giveaway;
///
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/4B4/9/9/9/9/4K4/9/6W2 w")?;
/// let [played, best] = ["g1-h1", "e3-a3"].map(|text| start.parse_move(text).unwrap());
/// let judgement = Judgement {
///     played,
///     best,
///     played_score: Score::Points(0),
///     best_score: Score::Win(1),
///     reply: None,
///     loss: 0.5,
///     exact: false,
/// };
/// let text = describe_giveaway(&GameHistory::new(start), &judgement);
/// assert_eq!(text.to_string(), "This move gives up the chance for the king to escape.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn describe_giveaway(
    before: &GameHistory<AnyPosition>,
    judgement: &Judgement,
) -> LocalizedMessage {
    LocalizedMessage::new(
        match before.start().rules().game() {
            GameKind::Tablut => tablut(before, judgement),
            GameKind::Tablaaza => tablaaza(before, judgement),
            GameKind::Tablan => None,
        }
        .unwrap_or_else(|| match before.start().rules().game() {
            GameKind::Tablut => "tutor.gives-pieces",
            GameKind::Tablan => "tutor.gives-equity",
            GameKind::Tablaaza => "tutor.gives-squares",
        }),
    )
    .with("amount", amount(judgement))
}

/// The loss in the units of the score, in Tablan in percent of a win.
fn amount(judgement: &Judgement) -> String {
    match (judgement.best_score, judgement.played_score, judgement.played) {
        (_, _, tabulae_games::AnyMove::Tablan(_)) => format!("{:.0}", 100.0 * judgement.loss),
        (Score::Points(best), Score::Points(played), _) => {
            localize_decimal(&format!("{:.1}", f64::from(best - played) / 100.0))
        }
        _ => String::new(),
    }
}

fn is_win(score: Score) -> bool {
    matches!(score, Score::Win(_))
}

fn is_loss(score: Score) -> bool {
    matches!(score, Score::Loss(_))
}

fn tablut(before: &GameHistory<AnyPosition>, judgement: &Judgement) -> Option<&'static str> {
    let &Judgement { best_score, played_score, .. } = judgement;
    let mover = before.position().side();
    let is_white = before.start().rules().side_name(mover) == "White";
    if is_loss(played_score) && !is_loss(best_score) {
        // A player also loses by repeating a position, or without a move.
        return Some(match (king_decides(before, judgement), is_white) {
            (true, true) => "tutor.gives-king",
            (true, false) => "tutor.lets-escape",
            (false, _) => "tutor.gives-game",
        });
    }
    if is_win(best_score) && !is_win(played_score) {
        return Some(if is_white { "tutor.gives-escape" } else { "tutor.gives-capture" });
    }
    let captured = |event: &Event| matches!(event, Event::Captured { side, .. } if *side == mover);
    reply_events(before, judgement).iter().any(captured).then_some("tutor.gives-soldier")
}

/// Whether it is the king's capture or escape that loses the game.
fn king_decides(before: &GameHistory<AnyPosition>, judgement: &Judgement) -> bool {
    let mut after = before.clone();
    let played = after.push(Ply::Move(judgement.played)).is_ok();
    played && matches!(after.turn(), Turn::Move(_))
}

fn tablaaza(before: &GameHistory<AnyPosition>, judgement: &Judgement) -> Option<&'static str> {
    let &Judgement { best_score, played_score, .. } = judgement;
    if is_win(best_score) && !is_win(played_score) {
        return Some("tutor.gives-win");
    }
    if is_loss(played_score) && !is_loss(best_score) {
        return Some("tutor.gives-game");
    }
    let mover = before.position().side();
    let raises = |events: &[Event], by: Side| {
        events
            .iter()
            .any(|event| matches!(event, Event::PavilionRaised { side, .. } if *side == by))
    };
    let events = |mv| before.position().clone().play(mv).unwrap_or_default();
    if raises(&reply_events(before, judgement), mover.other()) {
        Some("tutor.lets-pavilion")
    } else if raises(&events(judgement.best), mover) && !raises(&events(judgement.played), mover) {
        Some("tutor.gives-pavilion")
    } else {
        None
    }
}

/// What the opponent's best answer does.
fn reply_events(before: &GameHistory<AnyPosition>, judgement: &Judgement) -> Vec<Event> {
    let mut position = before.position().clone();
    let answer = |reply| position.play(judgement.played).and_then(|_| position.play(reply));
    judgement.reply.map(answer).and_then(Result::ok).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::RuleSet;

    /// The king can go to the edge; with White and with Black to move.
    const WHITE: &str = "4B4/4B4/9/9/9/9/4K4/9/6W2 w";
    const BLACK: &str = "4B4/4B4/9/9/9/9/4K4/9/6W2 b";

    /// What a move gives away, with these scores and this answer to it.
    fn told(
        rules: RuleSet,
        position: &str,
        [played, best]: [&str; 2],
        scores: [Score; 2],
        reply: Option<&str>,
    ) -> String {
        let start = AnyPosition::parse(rules, position).expect("a position");
        let [played, best] = [played, best].map(|text| start.parse_move(text).expect("a move"));
        let reply = reply.map(|text| {
            let mut after = start.clone();
            after.play(played).expect("legal");
            after.parse_move(text).expect("a reply")
        });
        let [played_score, best_score] = scores;
        let judgement =
            Judgement { played, best, played_score, best_score, reply, loss: 0.2, exact: false };
        describe_giveaway(&GameHistory::new(start), &judgement).to_string()
    }

    #[test]
    fn a_loss_in_tablut_is_told_by_what_it_costs() {
        let told = |position: &str, scores: [Score; 2], reply: Option<&str>| {
            let moves = if position == WHITE { ["g1-h1", "e3-a3"] } else { ["e9-f9", "e9-d9"] };
            told(RuleSet::TablutBerkeley, position, moves, scores, reply)
        };
        let [even, win, loss] = [Score::Points(0), Score::Win(1), Score::Loss(2)];
        assert_eq!(
            told(WHITE, [even, win], None),
            "This move gives up the chance for the king to escape."
        );
        assert_eq!(told(WHITE, [loss, even], None), "This move gives away the king.");
        assert_eq!(told(BLACK, [loss, even], None), "This move lets the king escape.");
        let captures = "This move gives up the chance to capture the king.";
        assert_eq!(told(BLACK, [even, win], None), captures);
        let worth = told(WHITE, [even, Score::Points(140)], None);
        assert_eq!(worth, "This move gives away about as much as 1.4 soldiers are worth.");
    }

    #[test]
    fn a_soldier_that_the_answer_captures_is_named_as_such() {
        // Black's b4 stands beside c4, where White goes; d8 comes to d4.
        let told = told(
            RuleSet::TablutBerkeley,
            "9/3B5/9/9/4K4/1B7/9/2W6/9 w",
            ["c2-c4", "c2-c3"],
            [Score::Points(-100), Score::Points(50)],
            Some("d8-d4"),
        );
        assert_eq!(told, "This move gives away a soldier.");
    }

    #[test]
    fn in_tablan_a_loss_is_told_in_winning_chances() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
        let moves: Vec<String> =
            start.legal_moves().iter().take(2).map(ToString::to_string).collect();
        let told = told(
            RuleSet::Tablan,
            "N11/12/12/S3S7 s t1",
            [&moves[0], &moves[1]],
            [Score::Points(0), Score::Points(40)],
            None,
        );
        assert_eq!(told, "This move lowers your winning chances by 20 %.");
    }

    #[test]
    fn a_pavilion_is_told_whoever_raises_it() {
        // The green squares of column a but one, and of row 7, are filled.
        let near = "1g1g1g1g/g7/2~2~2/g1~2~2/2~2~2/8/8 g";
        let scores = [Score::Points(0), Score::Points(300)];
        let start = AnyPosition::parse(RuleSet::Tablaaza, near).expect("a position");
        let other = start.legal_moves().iter().map(ToString::to_string).find(|text| text != "a2");
        let other = other.expect("another move");
        let told = |moves, scores| told(RuleSet::Tablaaza, near, moves, scores, None);
        assert_eq!(
            told([&other, "a2"], scores),
            "This move gives up the chance to raise a pavilion."
        );
        let proven = [Score::Loss(6), Score::Win(9)];
        assert_eq!(told([&other, "a2"], proven), "This move gives away a sure win.");
    }
}
