//! Properties of every Tablan game, on seeded random games.
//!
//! A second move generator, written from the sentences of the rules with a map of
//! square names, is compared with the program's at every ply.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::LazyLock,
};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tabulae_games::{
    Event, Game, GameHistory, Ply, Side, Throw, Turn,
    tablan::{self, Move, Position, Rules, throw_of},
};

const RULES: [&Rules; 2] = [tablan::PLAIN, tablan::ORDERED];
const GAMES: u64 = 40;

/// The pieces by square name.
type Board = BTreeMap<&'static str, char>;

const SOUTH: &str = "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 l2 k2 j2 i2 h2 g2 f2 e2 d2 c2 b2 a2 \
                     a3 b3 c3 d3 e3 f3 g3 h3 i3 j3 k3 l3 l4 k4 j4 i4 h4 g4 f4 e4 d4 c4 b4 a4";
const NORTH: &str = "l4 k4 j4 i4 h4 g4 f4 e4 d4 c4 b4 a4 a3 b3 c3 d3 e3 f3 g3 h3 i3 j3 k3 l3 \
                     l2 k2 j2 i2 h2 g2 f2 e2 d2 c2 b2 a2 a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1";

static COURSES: LazyLock<HashMap<char, Vec<&'static str>>> = LazyLock::new(|| {
    HashMap::from([('S', SOUTH.split(' ').collect()), ('N', NORTH.split(' ').collect())])
});

/// The rules, read literally.
struct Literal {
    player: char,
    ordered: bool,
}

impl Literal {
    fn course(&self) -> &'static [&'static str] {
        &COURSES[&self.player]
    }

    fn place(&self, square: &str) -> usize {
        self.course().iter().position(|&name| name == square).expect("a square of the course")
    }

    fn own_start_row(&self, square: &str) -> bool {
        square.ends_with(if self.player == 'S' { '1' } else { '4' })
    }

    fn goal_row(&self, square: &str) -> bool {
        square.ends_with(if self.player == 'S' { '4' } else { '1' })
    }

    /// Moves one piece: where it lands, whether it captures, and the board after.
    fn go(&self, board: &Board, from: &str, steps: usize) -> Option<(&'static str, bool, Board)> {
        if self.goal_row(from) {
            return None;
        }
        let to = *self.course().get(self.place(from) + steps)?;
        let there = board.get(to).copied();
        if there == Some(self.player) || there.is_some() && self.own_start_row(to) {
            return None;
        }
        if self.ordered && self.goal_row(to) {
            let mut from_the_far_end = self.course().iter().rev();
            let next = from_the_far_end.find(|&name| board.get(name) != Some(&self.player));
            if next != Some(&to) {
                return None;
            }
        }
        let mut after = board.clone();
        after.remove(from);
        after.insert(to, self.player);
        Some((to, there.is_some(), after))
    }

    fn moves(&self, board: &Board, score: usize) -> BTreeSet<String> {
        let own: Vec<_> = board
            .iter()
            .filter(|&(_, &owner)| owner == self.player)
            .map(|(&name, _)| name)
            .collect();
        let half = |from: &str, to: &str, captures| {
            format!("{from}{}{to}", if captures { 'x' } else { '-' })
        };
        let mut moves = BTreeSet::new();
        for first in &own {
            if let Some((to, captures, _)) = self.go(board, first, score) {
                moves.insert(half(first, to, captures));
            }
            let Some((to, captures, between)) = self.go(board, first, score / 2) else { continue };
            let first_half = half(first, to, captures);
            for second in own.iter().filter(|&second| second != first) {
                if let Some((to, captures, _)) = self.go(&between, second, score / 2) {
                    let second_half = half(second, to, captures);
                    moves.insert(if self.place(first) > self.place(second) {
                        format!("{first_half}+{second_half}")
                    } else {
                        format!("{second_half}+{first_half}")
                    });
                }
            }
        }
        moves
    }
}

fn literal(position: &Position, side: Side) -> Literal {
    let player = if side == Side::First { 'S' } else { 'N' };
    Literal { player, ordered: position.rules() == tablan::ORDERED }
}

/// The board from the position's text.
fn board(position: &Position) -> Board {
    let text = position.to_string();
    let rows = text.split(' ').next().expect("rows");
    let mut board = Board::new();
    for (row, rank) in rows.split('/').zip(["4", "3", "2", "1"]) {
        let mut squares = String::new();
        let mut number = String::new();
        for letter in row.chars().chain(['/']) {
            if letter.is_ascii_digit() {
                number.push(letter);
                continue;
            }
            squares += &".".repeat(std::mem::take(&mut number).parse().unwrap_or(0));
            squares.push(letter);
        }
        for (piece, file) in squares.chars().zip('a'..='l') {
            if piece != '.' {
                let name = format!("{file}{rank}");
                let name = COURSES[&'S'].iter().find(|&&square| square == name).expect("a square");
                board.insert(name, piece);
            }
        }
    }
    board
}

/// The reason of the end by the sentences of the rules; `None` if it goes on.
fn literal_end(position: &Position) -> Option<&'static str> {
    let board = board(position);
    let sides = Side::BOTH.map(|side| literal(position, side));
    let of = |player| board.iter().filter(move |&(_, &owner)| owner == player);
    if sides.iter().any(|side| {
        of(side.player).count() > 0 && of(side.player).all(|(name, _)| side.goal_row(name))
    }) {
        return Some("all-home");
    }
    if sides.iter().any(|side| of(side.player).count() == 0) {
        return Some("no-pieces");
    }
    let stuck =
        |side: &Literal| [2, 8, 12].iter().all(|&score| side.moves(&board, score).is_empty());
    sides.iter().all(stuck).then_some("deadlock")
}

fn texts(moves: &[Move]) -> BTreeSet<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn pick<T: Copy>(rng: &mut ChaCha8Rng, list: &[T]) -> T {
    list[rng.random_range(0..list.len())]
}

/// Plays random games to their ends and calls `look` before every ply.
fn random_games(seed: u64, mut look: impl FnMut(&GameHistory<Position>, &mut ChaCha8Rng)) {
    for rules in RULES {
        for game in 0..GAMES {
            let mut rng = ChaCha8Rng::seed_from_u64(seed << 32 | game);
            let first = pick(&mut rng, &Side::BOTH);
            let mut line = GameHistory::new(Position::with_first_thrower(rules, first));
            loop {
                look(&line, &mut rng);
                let ply = match line.turn() {
                    Turn::Over(_) => break,
                    Turn::Throw(_) => Ply::Throw(throw_of(rng.random_range(0..16))),
                    Turn::Move(_) => Ply::Move(pick(&mut rng, &line.legal_moves())),
                };
                let played = line.push(ply).map(|_| ());
                assert_eq!(played, Ok(()), "{}, {ply}", line.position());
                assert!(line.len() < 20_000, "a game without end");
            }
        }
    }
}

#[test]
fn both_generators_agree_at_every_ply() {
    random_games(1, |line, _| {
        let position = line.position();
        let board = board(position);
        if let Some(throw) = position.pending() {
            let legal = position.legal_moves();
            let expect = literal(position, position.side()).moves(&board, throw.score().into());
            assert_eq!(texts(&legal), expect, "{position}");
            assert_eq!(legal.len(), expect.len(), "{position} names a move twice");
        }
        if line.len() % 8 == 0 {
            for (side, score) in
                Side::BOTH.into_iter().flat_map(|side| [(side, 2), (side, 8), (side, 12)])
            {
                let mut moves = Vec::new();
                position.append_moves(side, score, &mut moves);
                let expect = literal(position, side).moves(&board, score.into());
                assert_eq!(texts(&moves), expect, "{position}, {side:?}, {score}");
                assert_eq!(position.can_use(side, score), !expect.is_empty());
            }
        }
    });
}

#[test]
fn both_find_the_same_ends() {
    let mut reasons = BTreeSet::new();
    random_games(2, |line, _| {
        let position = line.position();
        // Only moves change the board.
        if line.is_empty() || matches!(line.ply(line.len()), Some(Ply::Move(_))) {
            let reason = position.end().map(|end| end.reason.id());
            assert_eq!(reason, literal_end(position), "{position}");
            reasons.extend(reason);
        }
    });
    assert!(reasons.contains("all-home") && reasons.contains("deadlock"), "{reasons:?}");
}

#[test]
fn every_legal_move_plays_and_round_trips() {
    random_games(3, |line, _| {
        let position = line.position();
        let legal = position.legal_moves();
        assert_eq!(legal.is_empty(), position.pending().is_none());
        for mv in legal {
            let text = mv.to_string();
            assert_eq!(position.parse_move(&text), Ok(mv));
            assert_eq!(position.parse_move(&text.replace('x', "-")), Ok(mv));
            if let Some((leader, follower)) = text.split_once('+') {
                assert_eq!(position.parse_move(&format!("{follower}+{leader}")), Ok(mv));
            }
            let mut after = position.clone();
            let events = after.play(mv).expect("a legal move");
            let captured =
                events.iter().filter(|event| matches!(event, Event::Captured { .. })).count();
            let side = position.side();
            assert_eq!(captured, mv.captures() as usize);
            assert_eq!(after.count(side), position.count(side));
            assert_eq!(
                after.count(side.other()) as usize + captured,
                position.count(side.other()) as usize
            );
            assert_eq!(after.side(), side);
            assert_eq!(after.pending(), None);
        }
    });
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let mut earlier: Vec<Move> = Vec::new();
    let mut refused = 0;
    random_games(4, |line, rng| {
        let position = line.position();
        let mut now = position.clone();
        let legal = position.legal_moves();
        let names = &COURSES[&'S'];
        let mut part = || format!("{}-{}", pick(rng, names), pick(rng, names));
        for text in [part(), format!("{}+{}", part(), part())] {
            // A move that parses must be legal; most random ones are not.
            match now.parse_move(&text) {
                Ok(mv) => assert!(legal.contains(&mv), "{position}: {text}"),
                Err(_) => refused += 1,
            }
        }
        for _ in 0..4.min(earlier.len()) {
            let mv = pick(rng, &earlier);
            if !legal.contains(&mv) {
                assert!(now.play(mv).is_err(), "{position}: {mv}");
                assert_eq!(now, *position);
                refused += 1;
            }
        }
        if position.pending().is_some() {
            assert!(now.throw(pick(rng, &Throw::ALL)).is_err());
            assert_eq!(now, *position);
            earlier.extend(legal);
        }
    });
    assert!(refused > 1000);
}

#[test]
fn random_pairs_agree_with_the_generator() {
    // Pairs of the right length, legal or not, in either order.
    random_games(5, |line, rng| {
        let position = line.position();
        let Some(throw) = position.pending() else { return };
        let legal = texts(&position.legal_moves());
        let literal = literal(position, position.side());
        let half = usize::from(throw.score() / 2);
        let mut part = || {
            let from = rng.random_range(0..48 - half);
            (from, format!("{}-{}", literal.course()[from], literal.course()[from + half]))
        };
        for _ in 0..6 {
            let (first, second) = (part(), part());
            let text = format!("{}+{}", first.1, second.1);
            let (lead, follow) = if first.0 > second.0 { (first, second) } else { (second, first) };
            let canonical = format!("{}+{}", lead.1, follow.1);
            let is_legal = legal.iter().any(|mv| mv.replace('x', "-") == canonical);
            assert_eq!(position.parse_move(&text).is_ok(), is_legal, "{position}: {text}");
        }
    });
}

#[test]
fn undo_restores_every_position() {
    random_games(6, |line, _| {
        if !matches!(line.turn(), Turn::Over(_)) {
            return;
        }
        let mut back = line.clone();
        let mut again = GameHistory::new(line.start().clone());
        for ply in line.plies() {
            again.push(ply).expect("a ply of a legal game");
        }
        assert_eq!(again, *line);
        while let Some(ply) = back.undo() {
            assert_eq!(Some(ply), line.ply(back.len() + 1));
            assert_eq!(Some(back.position()), line.at(back.len()));
        }
        assert_eq!(back.position(), line.start());
    });
}

#[test]
fn texts_round_trip_and_equal_positions_have_equal_keys() {
    let mut keys: HashMap<(bool, u64), Position> = HashMap::new();
    random_games(7, |line, _| {
        let position = line.position();
        let again = Position::parse(position.rules(), &position.to_string())
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, *position);
        assert_eq!(again.key(), position.key());
        let ordered = position.rules() == tablan::ORDERED;
        let same_key = keys.entry((ordered, position.key())).or_insert(again);
        assert_eq!(same_key, position);
    });
}
