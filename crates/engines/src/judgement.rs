//! A move compared with the best one.

use super::{Score, tablan::MoveReview};
use tabulae_games::{AnyMove, GameKind, Side};

/// The severity of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A smaller loss.
    Mistake,
    /// A large loss.
    Blunder,
}

impl Verdict {
    /// The annotation sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The severity of a loss in win share; none for less than a mistake. In Tablan a
    /// single choice decides less, since the sticks fall again before the next.
    pub fn from_loss(game: GameKind, loss: f32) -> Option<Self> {
        let [mistake, blunder] = match game {
            GameKind::Tablut | GameKind::Tablaaza => [0.15, 0.30],
            GameKind::Tablan => [0.02, 0.05],
        };
        if loss >= blunder {
            Some(Self::Blunder)
        } else if loss >= mistake {
            Some(Self::Mistake)
        } else {
            None
        }
    }

    /// The severity of a move by the scores of the best move and of this one, both for the
    /// side that moved. Giving up a forced win of Tablut is a mistake unless the position
    /// stays all but won: the evaluation of a won position varies by more than that. So is a
    /// move into a forced loss, unless the position was all but lost. What no player can see is
    /// no mistake: see [`visible_loss`].
    pub fn of_scores(game: GameKind, best: Score, played: Score) -> Option<Self> {
        if !is_foreseeable(best, played) {
            return None;
        }
        let [from, to] = [best, played].map(|score| score.win_share(game));
        let misses_win =
            game == GameKind::Tablut && matches!(best, Score::Win(_)) && to < STILL_WON;
        let is_lost = |score| matches!(score, Score::Loss(_));
        let walks_into_loss =
            game == GameKind::Tablut && is_lost(played) && !is_lost(best) && from > 1.0 - STILL_WON;
        Self::from_loss(game, from - to)
            .or((misses_win || walks_into_loss).then_some(Self::Mistake))
    }
}

/// A forced win or loss that is further away than this (plies) is one that no player sees.
const FORESIGHT: u32 = 16;

/// Whether a player can see why one move is better than the other: the better one wins soon,
/// the other one loses soon, or neither is decided by force.
const fn is_foreseeable(best: Score, played: Score) -> bool {
    match (best, played) {
        (Score::Points(_), Score::Points(_)) => true,
        (Score::Win(plies), _) if plies <= FORESIGHT => true,
        (_, Score::Loss(plies)) => plies <= FORESIGHT,
        _ => false,
    }
}

/// The loss of a move in win share, by the scores of the best move and of this one for the side
/// that moved. It is 0 where only a forced win or loss more than 16 plies ahead tells the moves
/// apart: no player sees so far.
///
/// ```
/// use tabulae_engines::{Score, visible_loss};
/// use tabulae_games::GameKind::Tablaaza;
///
/// assert_eq!(visible_loss(Tablaaza, Score::Win(9), Score::Loss(8)), 1.0);
/// assert_eq!(visible_loss(Tablaaza, Score::Win(31), Score::Loss(30)), 0.0);
/// ```
pub fn visible_loss(game: GameKind, best: Score, played: Score) -> f32 {
    let loss = best.win_share(game) - played.win_share(game);
    if is_foreseeable(best, played) { loss.max(0.0) } else { 0.0 }
}

/// The win share that a position keeps where giving up a forced win of Tablut is no mistake:
/// lichess' bound for the same, 999 centipawns.
const STILL_WON: f32 = 0.975;

/// The loss, in win share, up to which another move is as good as the best one.
const fn tolerance(game: GameKind) -> f32 {
    match game {
        GameKind::Tablut | GameKind::Tablaaza => 0.06,
        GameKind::Tablan => 0.01,
    }
}

/// A move compared with the best one. Scores are for the side that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The move that was played.
    pub played: AnyMove,
    /// The best move.
    pub best: AnyMove,
    /// The score of the played move.
    pub played_score: Score,
    /// The score of the best move.
    pub best_score: Score,
    /// The opponent's best answer to the played move; none at the end of the game, and where
    /// a throw comes first.
    pub reply: Option<AnyMove>,
    /// The loss in win share: 1 is from won to lost.
    pub loss: f32,
    /// Whether the score of the best move is proven.
    pub exact: bool,
}

impl Judgement {
    /// The severity of the move; none if it is no mistake.
    pub fn verdict(&self) -> Option<Verdict> {
        match game_of(self.played) {
            GameKind::Tablut => {
                Verdict::of_scores(GameKind::Tablut, self.best_score, self.played_score)
            }
            // In Tablaaza the loss of an unproven or distant result is none, in Tablan it is exact.
            game => Verdict::from_loss(game, self.loss),
        }
    }

    /// Whether the move is as good as the best one, within a small tolerance.
    pub fn is_good(&self) -> bool {
        let is_near = self.loss <= tolerance(game_of(self.played));
        self.is_best() || is_near && self.verdict().is_none()
    }

    /// Whether no move is better.
    pub fn is_best(&self) -> bool {
        let is_as_good = match (self.played_score, self.best_score, game_of(self.played)) {
            // A slow win is as good as a quick one only where a proof does not count plies.
            (Score::Win(played), Score::Win(best), GameKind::Tablut) => played <= best,
            (Score::Loss(played), Score::Loss(best), GameKind::Tablut) => played >= best,
            (played, best, game) => played.win_share(game) >= best.win_share(game),
        };
        self.played == self.best || is_as_good
    }

    pub(super) fn new(played: AnyMove, before: BestMove, after: PlayedMove) -> Self {
        let PlayedMove { score, reply, exact } = after;
        let game = game_of(played);
        let loss = before.score.win_share(game) - score.win_share(game);
        // In Tablaaza a proven position is judged by proof alone.
        let unproven = before.exact && !exact && game == GameKind::Tablaaza;
        let (best, best_score) =
            if loss < 0.0 { (played, score) } else { (before.best, before.score) };
        Self {
            played,
            best,
            played_score: score,
            best_score,
            reply,
            loss: if unproven { 0.0 } else { visible_loss(game, best_score, score) },
            exact: before.exact,
        }
    }
}

impl From<&MoveReview> for Judgement {
    fn from(review: &MoveReview) -> Self {
        let points = |equity: f32| {
            #[expect(clippy::cast_possible_truncation, reason = "at most 100")]
            Score::Points((100.0 * equity).round() as i32)
        };
        Self {
            played: AnyMove::Tablan(review.played),
            best: AnyMove::Tablan(review.best),
            played_score: points(review.played_equity),
            best_score: points(review.best_equity),
            reply: None,
            loss: review.error() / 2.0,
            exact: review.exact,
        }
    }
}

pub(super) const fn game_of(mv: AnyMove) -> GameKind {
    match mv {
        AnyMove::Tablut(_) => GameKind::Tablut,
        AnyMove::Tablan(_) => GameKind::Tablan,
        AnyMove::Tablaaza(_) => GameKind::Tablaaza,
    }
}

/// The best move of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BestMove {
    pub(super) best: AnyMove,
    pub(super) score: Score,
    pub(super) exact: bool,
}

/// What the move led to, for the side that moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedMove {
    pub(super) score: Score,
    pub(super) reply: Option<AnyMove>,
    pub(super) exact: bool,
}

/// The score of a game that the move ended.
pub(super) fn final_score(winner: Option<Side>, mover: Side) -> Score {
    match winner {
        Some(side) if side == mover => Score::Win(1),
        Some(_) => Score::Loss(1),
        None => Score::Points(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::{AnyPosition, Game as _, RuleSet};

    /// The borders are shares of a win: from an even position of Tablut a mistake costs 93
    /// points, a blunder 208; from 300 points ahead 151 and 252.
    #[test]
    fn verdicts_are_shares_of_a_win() {
        let mv = AnyPosition::start(RuleSet::TablutAshton).legal_moves()[0];
        let other = AnyPosition::start(RuleSet::TablutAshton).legal_moves()[1];
        let judged = |best: i32, points: i32| {
            let known = BestMove { best: other, score: Score::Points(best), exact: false };
            let score = Score::Points(best - points);
            Judgement::new(mv, known, PlayedMove { score, reply: None, exact: false })
        };
        use Verdict::{Blunder, Mistake};
        for (best, points, verdict) in [
            (0, 92, None),
            (0, 93, Some(Mistake)),
            (0, 207, Some(Mistake)),
            (0, 208, Some(Blunder)),
            (300, 150, None),
            (300, 151, Some(Mistake)),
            (300, 251, Some(Mistake)),
            (300, 252, Some(Blunder)),
        ] {
            assert_eq!(judged(best, points).verdict(), verdict, "{points} of {best}");
        }
        assert!(judged(0, 36).is_good() && !judged(0, 37).is_good());
    }

    #[test]
    fn giving_up_a_forced_win_is_a_mistake_unless_the_position_stays_won() {
        let of = |played| Verdict::of_scores(GameKind::Tablut, Score::Win(11), played);
        assert_eq!(of(Score::Points(382)), Some(Verdict::Mistake));
        assert_eq!(of(Score::Points(100)), Some(Verdict::Blunder));
        assert_eq!(of(Score::Points(600)), None);
        assert_eq!(of(Score::Win(21)), None);
        let tablaaza = Verdict::of_scores(GameKind::Tablaaza, Score::Win(11), Score::Points(2_000));
        assert_eq!(tablaaza, None, "there only a proof counts");
    }

    #[test]
    fn a_move_into_a_forced_loss_is_a_mistake_unless_all_was_lost() {
        let of = |best| Verdict::of_scores(GameKind::Tablut, best, Score::Loss(2));
        assert_eq!(of(Score::Points(0)), Some(Verdict::Blunder));
        // What White has at the start of Ashton's rules, and less.
        assert_eq!(of(Score::Points(-359)), Some(Verdict::Mistake));
        assert_eq!(of(Score::Points(-450)), Some(Verdict::Mistake));
        assert_eq!(of(Score::Points(-600)), None);
        assert_eq!(of(Score::Loss(8)), None);
        // However little is left to lose.
        let moves = AnyPosition::start(RuleSet::TablutAshton).legal_moves();
        let best = BestMove { best: moves[1], score: Score::Points(-450), exact: false };
        let played = PlayedMove { score: Score::Loss(2), reply: None, exact: true };
        let judgement = Judgement::new(moves[0], best, played);
        assert!(judgement.loss < 0.06 && !judgement.is_good(), "{}", judgement.loss);
    }

    #[test]
    fn what_no_player_can_see_is_no_mistake() {
        let moves = AnyPosition::start(RuleSet::Tablaaza).legal_moves();
        let (far, near, even) = (30, 16, 0);
        for (best, played, verdict) in [
            (Score::Win(far), Score::Loss(far), None),
            (Score::Win(far), Score::Points(even), None),
            (Score::Points(even), Score::Loss(far), None),
            (Score::Loss(far), Score::Loss(2), None),
            (Score::Win(near), Score::Loss(far), Some(Verdict::Blunder)),
            (Score::Win(far), Score::Loss(near), Some(Verdict::Blunder)),
            (Score::Points(even), Score::Loss(near), Some(Verdict::Blunder)),
            (Score::Points(even), Score::Points(-900), Some(Verdict::Blunder)),
        ] {
            let known = BestMove { best: moves[1], score: best, exact: true };
            let after = PlayedMove { score: played, reply: None, exact: true };
            let judgement = Judgement::new(moves[0], known, after);
            assert_eq!(judgement.verdict(), verdict, "{best} {played}");
            assert_eq!(judgement.loss > 0.0, verdict.is_some(), "{best} {played}");
            for game in [GameKind::Tablut, GameKind::Tablaaza] {
                assert_eq!(Verdict::of_scores(game, best, played), verdict, "{best} {played}");
            }
        }
    }

    #[test]
    fn among_moves_that_win_for_certain_none_is_better() {
        let judged = |rules, played_score, best_score| {
            let moves = AnyPosition::start(rules).legal_moves();
            let (played, best) = (moves[0], moves[1]);
            Judgement {
                played,
                best,
                played_score,
                best_score,
                reply: None,
                loss: 0.0,
                exact: true,
            }
        };
        // A proof in Tablaaza counts no plies; in Tablut a quicker win is better.
        let [slow, quick] = [Score::Win(9), Score::Win(3)];
        assert!(judged(RuleSet::Tablaaza, slow, quick).is_best());
        assert!(!judged(RuleSet::TablutAshton, slow, quick).is_best());
        assert!(judged(RuleSet::TablutAshton, quick, quick).is_best());
        for rules in [RuleSet::Tablaaza, RuleSet::TablutAshton] {
            assert!(!judged(rules, Score::Points(0), quick).is_best(), "{rules}");
        }
    }
}
