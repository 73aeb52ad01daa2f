//! The first positions of the compared games: the start position, or made-up ones
//! that are close to rare rules.

use std::ops::Range;

use tabulae_games::RuleSet;

use crate::{
    literal::{
        Board, DIRECTIONS, Name, Preference, ReferenceGame, step,
        tablaaza::Tablaaza,
        tablan::Tablan,
        tablut::{Laws, Tablut},
    },
    random_games::Numbers,
};

/// The start position, or one with few pieces.
pub(crate) fn start(
    rules: RuleSet,
    numbers: &mut Numbers,
    preference: Preference,
    made_up: bool,
) -> Box<dyn ReferenceGame> {
    let laws = match rules {
        RuleSet::TablutBerkeley => Laws::Berkeley,
        RuleSet::TablutAshton => Laws::Ashton,
        RuleSet::TablutLinnaeus => Laws::Linnaeus,
        RuleSet::TablutSaami => Laws::Saami,
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
        _ => panic!("{rules} has no second implementation"),
    };
    Box::new(if made_up {
        let (board, side) = soon_decided(laws, numbers, preference);
        Tablut::from(laws, board, side)
    } else {
        Tablut::start(laws)
    })
}

/// A Tablut board of one of several kinds that is soon decided, and the side to
/// move.
fn soon_decided(laws: Laws, numbers: &mut Numbers, preference: Preference) -> (Board, char) {
    let squares: Vec<Name> =
        ('a'..='i').flat_map(|column| ('1'..='9').map(move |row| [column, row])).collect();
    let plain: Vec<_> = squares.iter().copied().filter(|at| Tablut::is_plain(laws, *at)).collect();
    let inner: Vec<_> = plain.iter().copied().filter(|at| Tablut::is_open_to_king(*at)).collect();
    let castle = ['e', '5'];
    let near_castle = Tablut::beside(castle);
    let kind = match preference {
        // A game that prefers captures often begins with several at once, and one that
        // prefers attacks on the king with the king at his castle.
        Preference::Captures if numbers.below(2) == 0 => numbers.pick(&[5, 6]),
        Preference::Ahead if numbers.below(2) == 0 => 4,
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
        // Few white soldiers, few black ones, or a lone king.
        0 => scatter(&mut board, numbers, &plain, [0..6, 1..11]),
        1 => scatter(&mut board, numbers, &plain, [5..9, 1..3]),
        2 => scatter(&mut board, numbers, &plain, [0..1, 9..17]),
        // All soldiers anywhere, so that several are captured at once.
        3 => scatter(&mut board, numbers, &plain, [7..9, 14..17]),
        // Many soldiers around the castle.
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
        // The king on the castle, enclosed but for one side.
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
            for (index, way) in DIRECTIONS.into_iter().enumerate() {
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
        // White shut in but for one move, which a black soldier can block.
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

/// Puts white and black soldiers on random empty squares, at most as many as a game
/// has.
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
        // A piece that no score can move.
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
