//! The rules against a second, literal telling of them (`tests/literal`), over
//! random games: positions, legal moves with what they take or raise, who is
//! due, everything a ply did, results and repetition, at every ply.
//!
//! Some games begin at made-up positions with few pieces, and most are steered
//! to what is rare, by a wish that changes from game to game. Every rule the
//! literal side knows is counted when it is met; a rule nobody met fails the
//! test, since nothing would be known of it.
//!
//! The full count is 10,000 games of each rule set: `cargo differential`.

mod common;
mod literal;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use common::games::Numbers;
use literal::{
    Board, Literal, Name, Tally, WAYS, Wish, step,
    tablaaza::{self, Tablaaza},
    tablan::{self, Tablan},
    tablut::{self, Laws, Tablut},
};
use tabulae::games::{
    Announcement, AnyMove, AnyPosition, End, Event, Game, Line, Ply, RuleSet, Side, Throw, Turn,
};

const WISHES: [Wish; 4] = [Wish::Nothing, Wish::Captures, Wish::Ahead, Wish::Again];
/// In this many games every rule is met, or the games are badly made.
const ENOUGH: u64 = 1000;
/// A game longer than this is broken off.
const PLIES: usize = 300;

/// A side by the first letter of its name.
fn letter(rules: RuleSet, side: Side) -> char {
    rules.side_name(side).to_ascii_lowercase().chars().next().unwrap()
}

fn ending(rules: RuleSet, end: End) -> String {
    let winner = end.winner.map_or('-', |side| letter(rules, side));
    format!("{winner} {}", end.reason)
}

/// An event in the literal side's words.
fn telling(rules: RuleSet, event: &Event) -> String {
    let side = |side: Side| letter(rules, side);
    match *event {
        Event::Slid { from, to } => format!("slid {from} {to}"),
        Event::Captured { at, side: whose } => format!("captured {at} {}", side(whose)),
        Event::Placed { at, side: whose } => format!("placed {at} {}", side(whose)),
        Event::PavilionRaised { at, side: whose } => format!("pavilion {at} {}", side(whose)),
        Event::Thrown { side: whose, throw } => format!("thrown {} {throw}", side(whose)),
        Event::Passed { side: whose } => format!("passed {}", side(whose)),
        Event::Lost { side: whose } => format!("lost {}", side(whose)),
        Event::Announced(Announcement::Raichi) => "raichi".to_owned(),
        Event::Announced(Announcement::Tuichi) => "tuichi".to_owned(),
        Event::Announced(Announcement::Starts(whose)) => format!("starts {}", side(whose)),
        Event::Ended(end) => format!("ended {}", ending(rules, end)),
    }
}

fn due(line: &Line<AnyPosition>) -> String {
    let rules = line.position().rules();
    match line.turn() {
        Turn::Move(side) => format!("move {}", letter(rules, side)),
        Turn::Throw(side) => format!("throw {}", letter(rules, side)),
        Turn::Over(end) => format!("over {}", ending(rules, end)),
    }
}

/// A move's captures or pavilions, as its notation has them.
fn with(position: &AnyPosition, mv: AnyMove) -> BTreeSet<String> {
    let (said, notation) = (mv.to_string(), position.notation(mv));
    let rest = notation.strip_prefix(&said).unwrap();
    let parts: Vec<_> = rest.split(['x', '^']).skip(1).map(str::to_owned).collect();
    let set: BTreeSet<_> = parts.iter().cloned().collect();
    assert_eq!(set.len(), parts.len(), "{notation}");
    set
}

/// A game told twice.
struct Pair {
    fast: Line<AnyPosition>,
    literal: Box<dyn Literal>,
}

impl Pair {
    fn new(rules: RuleSet, literal: Box<dyn Literal>) -> Self {
        let start = AnyPosition::parse(rules, &literal.text()).unwrap();
        Self { fast: Line::new(start), literal }
    }

    /// Compares how the game stands; the moves that can be made, with how well
    /// each grants the wish.
    fn compare(&self, wish: Wish) -> Vec<(AnyMove, i32)> {
        let position = self.fast.position();
        assert_eq!(position.to_string(), self.literal.text(), "{}", self.story());
        assert_eq!(due(&self.fast), self.literal.due(), "{}", self.story());
        let said = self.literal.moves(wish);
        let mut moves = BTreeMap::new();
        for mv in self.fast.legal_moves() {
            assert_eq!(moves.insert(mv.to_string(), mv), None, "twice {mv}: {}", self.story());
        }
        assert!(moves.keys().eq(said.keys()), "{moves:?}\n{said:?}\n{}", self.story());
        moves
            .into_iter()
            .map(|(text, mv)| {
                let literal = &said[&text];
                assert_eq!(with(position, mv), literal.with, "{text}: {}", self.story());
                (mv, literal.appeal)
            })
            .collect()
    }

    fn push(&mut self, ply: Ply<AnyMove>, tally: &mut Tally) {
        let rules = self.fast.position().rules();
        let literal = self.literal.play(&ply.to_string(), tally);
        let events = self.fast.push(ply).unwrap().to_vec();
        let ended = events.iter().position(|event| matches!(event, Event::Ended(_)));
        assert!(ended.is_none_or(|index| index + 1 == events.len()), "{}", self.story());
        let mut fast: Vec<_> = events.iter().map(|event| telling(rules, event)).collect();
        fast.sort();
        assert_eq!(fast, literal, "{}", self.story());
    }

    /// The game so far, for a message.
    fn story(&self) -> String {
        let plies: Vec<_> = self.fast.plies().map(|ply| ply.to_string()).collect();
        format!("{} | {}", self.fast.start(), plies.join(" "))
    }
}

/// Among the moves, one that grants the wish, mostly.
fn choose(numbers: &mut Numbers, moves: &[(AnyMove, i32)]) -> AnyMove {
    let best = moves.iter().map(|(_, appeal)| *appeal).max().unwrap();
    let granting: Vec<_> =
        moves.iter().filter(|(_, appeal)| *appeal == best).map(|(mv, _)| *mv).collect();
    if numbers.below(4) == 0 { numbers.pick(moves).0 } else { numbers.pick(&granting) }
}

/// Among a few moves, the one that leaves the opponent the fewest.
fn squeeze(numbers: &mut Numbers, position: &AnyPosition, moves: &[(AnyMove, i32)]) -> AnyMove {
    let few: Vec<_> = (0..8).map(|_| numbers.pick(moves).0).collect();
    let left = |mv: &AnyMove| {
        let mut after = position.clone();
        after.play(*mv).unwrap();
        if after.turn().end().is_some_and(|end| end.reason.id() != "no-moves") {
            return usize::MAX;
        }
        after.legal_moves().len()
    };
    few.into_iter().min_by_key(left).unwrap()
}

fn throw(numbers: &mut Numbers, position: &AnyPosition, wish: Wish) -> Throw {
    let outcomes = position.outcomes();
    assert_eq!(
        outcomes,
        &[0, 1, 2, 3, 4].map(|n| (Throw::new(n).unwrap(), [1, 4, 6, 4, 1][usize::from(n)]))
    );
    // Sticks that seldom pass, for games that get somewhere.
    if wish == Wish::Nothing {
        let weighted: Vec<_> =
            outcomes.iter().flat_map(|(throw, weight)| vec![*throw; *weight as usize]).collect();
        numbers.pick(&weighted)
    } else {
        numbers
            .pick(&Throw::ALL.map(|throw| if throw.plain() == 3 { Throw::ALL[1] } else { throw }))
    }
}

/// Plays and compares one game.
fn game(rules: RuleSet, seed: u64, tally: &mut Tally) -> usize {
    let mut numbers = Numbers::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let wish = WISHES[usize::try_from(seed % 4).unwrap()];
    let made_up = seed % 8 >= 4;
    let mut pair = Pair::new(rules, start(rules, &mut numbers, wish, made_up));
    let squeezes = made_up && wish == Wish::Nothing;
    while pair.fast.len() < PLIES {
        let moves = pair.compare(wish);
        let ply = match pair.fast.turn() {
            Turn::Over(_) => {
                assert!(moves.is_empty() && pair.fast.push(Ply::Throw(Throw::ALL[0])).is_err());
                break;
            }
            Turn::Throw(_) => {
                assert!(moves.is_empty());
                Ply::Throw(throw(&mut numbers, pair.fast.position(), wish))
            }
            Turn::Move(_) if squeezes => {
                Ply::Move(squeeze(&mut numbers, pair.fast.position(), &moves))
            }
            Turn::Move(_) => Ply::Move(choose(&mut numbers, &moves)),
        };
        pair.push(ply, tally);
    }
    pair.fast.len()
}

/// The usual start, or one with few pieces.
fn start(rules: RuleSet, numbers: &mut Numbers, wish: Wish, made_up: bool) -> Box<dyn Literal> {
    let laws = match rules {
        RuleSet::TablutBerkeley => Laws::Berkeley,
        RuleSet::TablutAshton => Laws::Ashton,
        RuleSet::TablutLinnaeus => Laws::Linnaeus,
        RuleSet::Tablan | RuleSet::TablanOrdered => {
            let ordered = rules == RuleSet::TablanOrdered;
            let side = numbers.pick(&['s', 'n']);
            return Box::new(if made_up {
                Tablan::from(ordered, runners(numbers, ordered), side)
            } else {
                Tablan::start(ordered, numbers.pick(&['s', 'n']))
            });
        }
        RuleSet::Tablaaza => return Box::new(Tablaaza::start()),
    };
    Box::new(if made_up {
        let (board, side) = soon_decided(laws, numbers, wish);
        Tablut::from(laws, board, side)
    } else {
        Tablut::start(laws)
    })
}

/// A Tablut board that is soon decided, of one of several kinds, and the side
/// that has something to do there.
fn soon_decided(laws: Laws, numbers: &mut Numbers, wish: Wish) -> (Board, char) {
    let squares: Vec<Name> =
        ('a'..='i').flat_map(|column| ('1'..='9').map(move |row| [column, row])).collect();
    let plain: Vec<_> = squares.iter().copied().filter(|at| Tablut::is_plain(laws, *at)).collect();
    let inner: Vec<_> = plain.iter().copied().filter(|at| Tablut::is_open_to_king(*at)).collect();
    let castle = ['e', '5'];
    let near_castle = Tablut::beside(castle);
    let kind = match wish {
        // Whoever looks for captures finds the greatest, and who goes for the
        // king finds him at his castle.
        Wish::Captures if numbers.below(2) == 0 => numbers.pick(&[5, 6]),
        Wish::Ahead if numbers.below(2) == 0 => 4,
        _ => numbers.below(8),
    };
    let side = if matches!(kind, 5 | 7) { 'b' } else { numbers.pick(&['w', 'b']) };
    let king = match (kind, numbers.below(3)) {
        (0..5, 0) | (5, _) => castle,
        (4, _) => numbers.pick(&near_castle),
        _ => numbers.pick(&inner),
    };
    let mut board = Board::from([(king, 'K')]);
    match kind {
        // Hardly any white, hardly any black, a king alone.
        0 => scatter(&mut board, numbers, &plain, [0..6, 1..11]),
        1 => scatter(&mut board, numbers, &plain, [5..9, 1..3]),
        2 => scatter(&mut board, numbers, &plain, [0..1, 9..17]),
        // Everybody, anywhere: several are taken at once.
        3 => scatter(&mut board, numbers, &plain, [7..9, 14..17]),
        // A crowd round the castle.
        4 => {
            let crowd: Vec<_> = near_castle
                .iter()
                .flat_map(|at| Tablut::beside(*at))
                .chain(near_castle.clone())
                .collect();
            let crowd: Vec<_> = crowd.into_iter().filter(|at| plain.contains(at)).collect();
            scatter(&mut board, numbers, &crowd, [1..4, 5..12]);
            scatter(&mut board, numbers, &plain, [0..1, 3..6]);
        }
        // The king on his castle, held on all sides but for one soldier.
        5 => {
            let guard = numbers.pick(&near_castle);
            for at in near_castle {
                board.insert(at, if at == guard { 'W' } else { 'B' });
            }
            scatter(&mut board, numbers, &inner, [0..3, 2..6]);
        }
        // Three soldiers of one side, each before one of the other, round a
        // square that a fourth may come to.
        6 => {
            let (ours, theirs) = if side == 'w' { ('W', 'B') } else { ('B', 'W') };
            let (middle, open) = (numbers.pick(&inner), numbers.below(4));
            for (index, way) in WAYS.into_iter().enumerate() {
                let mut put = |steps: i32, piece| {
                    let at = step(middle, (way.0 * steps, way.1 * steps), 'i', '9');
                    at.filter(|at| plain.contains(at)).map(|at| *board.entry(at).or_insert(piece))
                };
                if index == open {
                    put(2, ours);
                } else {
                    put(1, theirs);
                    put(2, ours);
                }
            }
        }
        // White shut in, and a black who may shut the last door.
        _ => {
            let mut caged = vec![king];
            while let Some(at) = caged.pop() {
                for beside in Tablut::beside(at) {
                    let white = board.len() < 4 && numbers.below(4) == 0;
                    if plain.contains(&beside) && !board.contains_key(&beside) {
                        board.insert(beside, if white { 'W' } else { 'B' });
                        caged.extend(white.then_some(beside));
                    }
                }
            }
            scatter(&mut board, numbers, &plain, [0..1, 1..4]);
        }
    }
    (board, side)
}

/// So many white and black soldiers on random squares that are free, no more
/// in all than a board has.
fn scatter(board: &mut Board, numbers: &mut Numbers, squares: &[Name], counts: [Range<usize>; 2]) {
    for (range, (piece, most)) in counts.into_iter().zip([('W', 8), ('B', 16)]) {
        for _ in 0..range.start + numbers.below(range.len()) {
            if board.values().filter(|stands| **stands == piece).count() < most {
                board.entry(numbers.pick(squares)).or_insert(piece);
            }
        }
    }
}

/// A Tablan board late in the game.
fn runners(numbers: &mut Numbers, ordered: bool) -> Board {
    let mut board = Board::new();
    for (side, piece) in [('s', 'S'), ('n', 'N')] {
        let course = Tablan::course(side);
        let arrived = numbers.pick(&[0, 0, 1, 2, 4]);
        for index in 0..arrived {
            let at = if ordered { 47 - index } else { 36 + numbers.below(12) };
            board.entry(course[at]).or_insert(piece);
        }
        for _ in 0..=numbers.pick(&[0, 0, 1, 2]) {
            let at = numbers.pick(&[30, 34, 35, 8, 24]) + numbers.below(2) - numbers.below(2);
            board.entry(course[at.min(35)]).or_insert(piece);
        }
        // One that no score takes any further.
        if numbers.below(3) == 0 {
            board.entry(course[35]).or_insert(piece);
            if !ordered {
                for at in [37, 43, 47] {
                    board.entry(course[at]).or_insert(piece);
                }
            }
        }
    }
    board
}

/// Compares so many games, and more until every rule was met, and shows how
/// often each was.
fn compare(rules: RuleSet, games: u64) {
    let known = match rules {
        RuleSet::TablutBerkeley => tablut::rules(Laws::Berkeley),
        RuleSet::TablutAshton => tablut::rules(Laws::Ashton),
        RuleSet::TablutLinnaeus => tablut::rules(Laws::Linnaeus),
        RuleSet::Tablan => tablan::rules(false),
        RuleSet::TablanOrdered => tablan::rules(true),
        RuleSet::Tablaaza => tablaaza::rules(),
    };
    let (mut tally, mut played, mut plies) = (Tally::new(), 0, 0);
    let missed = |tally: &Tally| {
        known.iter().copied().filter(|rule| !tally.contains_key(rule)).collect::<Vec<_>>()
    };
    while played < games || !missed(&tally).is_empty() && played < ENOUGH {
        plies += game(rules, played, &mut tally);
        played += 1;
    }
    println!("{rules}: {played} games, {plies} plies, no difference");
    for (rule, times) in &tally {
        println!("{times:>10}  {rule}");
    }
    assert_eq!(missed(&tally), [""; 0], "never met in {rules}");
    let new: Vec<_> = tally.keys().filter(|rule| !known.contains(rule)).collect();
    assert!(new.is_empty(), "met and not known in {rules}: {new:?}");
}

macro_rules! both_tellings_agree {
    ($($name:ident, $whole:ident: $rules:ident, $few:literal;)*) => {$(
        #[test]
        fn $name() {
            compare(RuleSet::$rules, $few);
        }

        /// `cargo differential`.
        #[test]
        #[ignore = "minutes"]
        fn $whole() {
            compare(RuleSet::$rules, 10_000);
        }
    )*};
}

both_tellings_agree! {
    berkeley, berkeley_10000: TablutBerkeley, 60;
    ashton, ashton_10000: TablutAshton, 60;
    linnaeus, linnaeus_10000: TablutLinnaeus, 60;
    tablan, tablan_10000: Tablan, 60;
    tablan_ordered, tablan_ordered_10000: TablanOrdered, 60;
    tablaaza, tablaaza_10000: Tablaaza, 60;
}
