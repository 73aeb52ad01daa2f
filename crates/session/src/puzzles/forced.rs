//! Forced wins by the rules alone: every reply is tried, and no engine is asked.

use tabulae_games::{AnyMove, AnyPosition, GameHistory, Ply, Side, Turn};

/// Searches forced wins: a move for one side, every reply for the other, until the
/// rules declare the win.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet};
/// use tabulae_session::puzzles::ForcedWins;
///
/// // Whatever Black does, the king reaches the edge.
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 b")?;
/// let white = start.side().other();
/// let mut history = GameHistory::new(start);
/// assert_eq!(ForcedWins::default().wins_after(&mut history, white, 2), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ForcedWins {
    /// Plies that may still be played.
    budget: u64,
    /// By plies left: the last move that won or refuted, tried first.
    killers: Vec<Option<AnyMove>>,
}

impl Default for ForcedWins {
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl ForcedWins {
    /// A search that gives up after so many plies.
    pub const fn new(budget: u64) -> Self {
        Self { budget, killers: Vec::new() }
    }

    /// The moves of the side to move that win within `plies` plies, themselves
    /// included. None if the budget ran out.
    pub fn winning_moves(
        &mut self,
        history: &mut GameHistory<AnyPosition>,
        plies: u32,
    ) -> Option<Vec<AnyMove>> {
        let side = mover(history)?;
        let mut winning = Vec::new();
        for mv in sorted_moves(history) {
            if self.try_move(history, mv, |search, history| {
                search.wins_after(history, side, plies.saturating_sub(1))
            })? {
                winning.push(mv);
            }
        }
        Some(winning)
    }

    /// Whether `side` wins within `plies` plies with the opponent to move: against
    /// every reply. None if the budget ran out.
    pub fn wins_after(
        &mut self,
        history: &mut GameHistory<AnyPosition>,
        side: Side,
        plies: u32,
    ) -> Option<bool> {
        match history.turn() {
            Turn::Over(end) => return Some(end.winner == Some(side)),
            Turn::Throw(_) => return Some(false),
            Turn::Move(_) if plies == 0 => return Some(false),
            Turn::Move(_) => {}
        }
        for reply in self.ordered(history, plies) {
            let wins = self.try_move(history, reply, |search, history| match history.turn() {
                Turn::Over(end) => Some(end.winner == Some(side)),
                _ => search.can_win(history, side, plies - 1),
            })?;
            if !wins {
                self.remember(plies, reply);
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether `side`, which is to move, wins within `plies` plies. None if the budget
    /// ran out.
    pub fn can_win(
        &mut self,
        history: &mut GameHistory<AnyPosition>,
        side: Side,
        plies: u32,
    ) -> Option<bool> {
        if plies == 0 || !matches!(history.turn(), Turn::Move(_)) {
            return Some(false);
        }
        let moves = self.ordered(history, plies);
        for &mv in &moves {
            let is_over = |_: &mut Self, history: &mut GameHistory<AnyPosition>| {
                Some(history.turn().end().is_some_and(|end| end.winner == Some(side)))
            };
            if self.try_move(history, mv, is_over)? {
                self.remember(plies, mv);
                return Some(true);
            }
        }
        if plies < 3 {
            return Some(false);
        }
        for &mv in &moves {
            if self.try_move(history, mv, |search, history| {
                search.wins_after(history, side, plies - 1)
            })? {
                self.remember(plies, mv);
                return Some(true);
            }
        }
        Some(false)
    }

    /// The least odd number of plies, at most `plies`, in which `side`, which is to
    /// move, wins; none if it does not, or the budget ran out.
    fn distance(
        &mut self,
        history: &mut GameHistory<AnyPosition>,
        side: Side,
        plies: u32,
    ) -> Option<u32> {
        (1..=plies).step_by(2).find(|&within| self.can_win(history, side, within) == Some(true))
    }

    /// The reply that resists a forced win of `side` the longest; none if the game is
    /// over.
    pub fn longest_reply(
        &mut self,
        history: &mut GameHistory<AnyPosition>,
        side: Side,
        plies: u32,
    ) -> Option<AnyMove> {
        let mut longest: Option<(u32, AnyMove)> = None;
        for reply in sorted_moves(history) {
            history.push(Ply::Move(reply)).ok()?;
            let is_over = history.turn().end().is_some();
            let distance =
                if is_over { 0 } else { self.distance(history, side, plies).unwrap_or(u32::MAX) };
            history.undo();
            if longest.is_none_or(|(most, _)| distance > most) {
                longest = Some((distance, reply));
            }
        }
        longest.map(|(_, reply)| reply)
    }

    /// The line of a forced win from `first` on: the longest replies, and moves that
    /// win within what is left of `plies`.
    pub fn line(
        &mut self,
        start: &AnyPosition,
        first: AnyMove,
        plies: u32,
    ) -> Option<Vec<AnyMove>> {
        let mut history = GameHistory::new(start.clone());
        let side = mover(&history)?;
        let (mut line, mut left, mut mv) = (Vec::new(), plies, first);
        loop {
            history.push(Ply::Move(mv)).ok()?;
            line.push(mv);
            if history.turn().end().is_some() {
                return Some(line);
            }
            left = left.checked_sub(2)?;
            let reply = self.longest_reply(&mut history, side, left)?;
            history.push(Ply::Move(reply)).ok()?;
            if history.turn().end().is_some() {
                // The opponent has only moves that end the game.
                return Some(line);
            }
            line.push(reply);
            left = self.distance(&mut history, side, left)?;
            mv = *self.winning_moves(&mut history, left)?.first()?;
        }
    }

    /// Plays a move, asks, and undoes it. None if the budget ran out.
    fn try_move(
        &mut self,
        history: &mut GameHistory<AnyPosition>,
        mv: AnyMove,
        ask: impl FnOnce(&mut Self, &mut GameHistory<AnyPosition>) -> Option<bool>,
    ) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        history.push(Ply::Move(mv)).ok()?;
        let answer = ask(self, history);
        history.undo();
        answer
    }

    /// The legal moves, the one that decided last first.
    fn ordered(&self, history: &GameHistory<AnyPosition>, plies: u32) -> Vec<AnyMove> {
        let mut moves = history.legal_moves();
        if let Some(Some(killer)) = self.killers.get(plies as usize)
            && let Some(at) = moves.iter().position(|mv| mv == killer)
        {
            moves.swap(0, at);
        }
        moves
    }

    fn remember(&mut self, plies: u32, mv: AnyMove) {
        let at = plies as usize;
        if self.killers.len() <= at {
            self.killers.resize(at + 1, None);
        }
        self.killers[at] = Some(mv);
    }
}

fn mover(history: &GameHistory<AnyPosition>) -> Option<Side> {
    match history.turn() {
        Turn::Move(side) => Some(side),
        Turn::Throw(_) | Turn::Over(_) => None,
    }
}

fn sorted_moves(history: &GameHistory<AnyPosition>) -> Vec<AnyMove> {
    let mut moves = history.legal_moves();
    moves.sort_unstable();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::{Game as _, RuleSet};

    #[test]
    fn a_fork_wins_in_three_and_a_blocked_king_does_not() {
        let text = "4B4/9/9/9/4K4/9/9/9/9 w";
        let start = AnyPosition::parse(RuleSet::TablutLinnaeus, text).unwrap();
        let mut history = GameHistory::new(start.clone());
        let winning = |plies, history: &mut GameHistory<AnyPosition>| {
            ForcedWins::default().winning_moves(history, plies).unwrap()
        };
        assert_eq!(winning(1, &mut history), []);
        let moves = winning(3, &mut history);
        // Two corners at once, and one stone cannot block both.
        let to_edge = start.parse_move("e5-e1").unwrap();
        assert!(moves.contains(&to_edge), "{moves:?}");
        let line = ForcedWins::default().line(&start, to_edge, 3).unwrap();
        assert_eq!(line.len(), 3);
        assert_eq!(ForcedWins::new(5).winning_moves(&mut history, 3), None);
    }
}
