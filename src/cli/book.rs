//! `tabulae book`: makes an opening book, and looks positions up.

use std::{
    fmt::Write as _,
    io::Write,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    CommandError,
    files::{
        counted, game_of, is_stdio, read_file, read_games, read_records_of, refuse_same_file,
        refuse_stdio, refuse_terminal, results_beside, write_file,
    },
    json,
    progress::Progress,
    screen::{shown, stdout},
    values,
};
use crate::{
    engines::Score,
    games::{AnyPosition, Game as _, RuleSet, Side, Turn},
    session::{Book, BookBuilder, BookMove, BookPlan, GameHit, GameIndex},
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae book --rules tablut/ashton --seed 26 --games 100 --out new.book
  tabulae book --rules tablan --from mine.tab more.tab --games 0 --min-games 1 --out own.book
  tabulae book --show game.tab --ply 6
  tabulae book --show --rules tablaaza --book own.book --search my-games")]
pub(super) struct Args {
    /// Make a book of these rules, or with --show look up a position of them
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    #[arg(required_unless_present = "show")]
    rules: Option<RuleSet>,
    /// Seed the games of self-play; the same seed makes the same book
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Play this many games of self-play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Count the games of these records, too; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// Count this many plies of each game; in Tablan throws are plies
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
    /// Search this many nodes for a move of self-play, and for the value of a position
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = values::above_zero::<u64>())]
    nodes: u64,
    /// Leave out positions that fewer games reached
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u32,
    /// Keep this many positions at most, those that the most games reached
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_positions: usize,
    /// Write the book to this file; - is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "show")]
    out: Option<PathBuf>,
    /// Show the moves of the book for a position of this record; without FILE, for the
    /// position of --rules and --position
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    #[arg(conflicts_with_all = ["seed", "games", "from", "plies", "nodes", "min_games"])]
    #[arg(conflicts_with_all = ["max_positions", "out", "quiet"])]
    show: Option<Option<PathBuf>>,
    /// Show the position after this many plies [default: the last]
    #[arg(long, value_name = "N", requires = "show")]
    ply: Option<usize>,
    /// Show the game with this number in the file, from 1
    #[arg(long, value_name = "N", requires = "show")]
    game: Option<usize>,
    /// Show this position [default: the start]
    #[arg(long, value_name = "POSITION", requires = "show")]
    position: Option<String>,
    /// Look it up in this book [default: the one that comes with the program]
    #[arg(long, value_name = "FILE", requires = "show")]
    book: Option<PathBuf>,
    /// List all games in the .tab files of this folder that reached the position
    #[arg(long, value_name = "DIR", requires = "show")]
    search: Option<PathBuf>,
    /// Print a JSON object for each move, and for each game that --search finds
    #[arg(long, requires = "show")]
    json: bool,
    /// Show no progress bar
    #[arg(long)]
    quiet: bool,
}

/// Makes a book, or shows a position's moves.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    match (&args.show, args.rules, &args.out) {
        (Some(file), ..) => show(args, file.as_deref()),
        (None, Some(rules), Some(out)) => make(args, rules, out),
        // The parser wants both.
        (None, ..) => Err(CommandError::Usage("give --rules and --out, or --show".to_owned())),
    }
}

fn make(args: &Args, rules: RuleSet, out: &Path) -> Result<(), CommandError> {
    if args.from.iter().filter(|file| is_stdio(file)).count() > 1 {
        return Err(CommandError::Usage("cannot read - twice".to_owned()));
    }
    refuse_terminal("--out", out)?;
    for file in &args.from {
        refuse_same_file(("--out", out), ("--from", file))?;
    }
    let mut builder = BookBuilder::new(BookPlan {
        rules,
        seed: args.seed,
        plies: args.plies,
        nodes: args.nodes,
        min_games: args.min_games,
        max_positions: args.max_positions,
    });
    let mut taken = 0;
    for file in &args.from {
        for (_, record) in read_records_of(file, rules)? {
            taken += usize::from(builder.take_game(record.history(), record.result()));
        }
    }
    let progress = Progress::bar(args.games as usize, "games", args.quiet);
    for _ in 0..args.games {
        builder.play_game();
        progress.advance(1);
    }
    progress.finish();
    let progress = Progress::bar(builder.positions(), "positions", args.quiet);
    let (seed, games, plies, nodes) = (args.seed, args.games, args.plies, args.nodes);
    let least = args.min_games;
    let mut origin =
        format!("seed {seed}, games {games}, plies {plies}, nodes {nodes}, min-games {least}");
    if taken > 0 {
        // Writing to a text cannot fail.
        _ = write!(origin, ", games of records {taken}");
    }
    let book = builder.finish(&origin, |_| {
        progress.advance(1);
        true
    });
    progress.finish();
    let bytes = book.write();
    let size = bytes.len();
    write_file(out, bytes)?;
    let positions = counted(book.len(), "position", "positions");
    let mut results = results_beside(Some(out));
    writeln!(results, "{}: {rules}, {positions}, {size} bytes", shown(out))?;
    Ok(())
}

/// An object of JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    Move {
        source: &'a str,
        rules: &'static str,
        position: &'a str,
        r#move: String,
        games: u32,
        first_wins: u32,
        second_wins: u32,
        cp: Option<i32>,
        mate: Option<i32>,
    },
    Game {
        file: String,
        game: usize,
        ply: usize,
        first: &'a str,
        second: &'a str,
        date: Option<&'a str>,
        result: String,
    },
}

fn show(args: &Args, file: Option<&Path>) -> Result<(), CommandError> {
    refuse_stdio("--book", args.book.as_deref(), "a book is a binary file")?;
    let position = position(args, file)?;
    let book = match &args.book {
        None => None,
        Some(path) => Some(Book::read(&read_file(path)?).map_err(|error| {
            CommandError::Failed(format!("cannot read {}: {error}", shown(path)))
        })?),
    };
    let book = book.as_ref().unwrap_or_else(|| Book::builtin(position.rules()));
    if book.rules() != position.rules() {
        return Err(CommandError::Failed(format!(
            "cannot look up a position of {} in a book of {}",
            position.rules(),
            book.rules()
        )));
    }
    let mut out = stdout();
    let moves = book.lookup(&position);
    if !args.json {
        writeln!(out, "{}: {position}", position.rules())?;
    }
    print_moves(&mut out, args, "book", &position, &moves)?;
    if let Some(folder) = &args.search {
        refuse_stdio("--search", Some(folder), "it is a folder")?;
        if !folder.is_dir() {
            return Err(CommandError::Failed(format!("{} is not a folder", shown(folder))));
        }
        let mut index = GameIndex::default();
        for damaged in index.add_folder(folder) {
            print_error_line!("{}: {}", shown(&damaged.path), damaged.reason);
        }
        print_moves(&mut out, args, "games", &position, &index.lookup(&position))?;
        let hits = index.games(&position);
        if !args.json {
            writeln!(
                out,
                "\n{} of {} reached it",
                hits.len(),
                counted(index.len(), "game", "games")
            )?;
        }
        for hit in &hits {
            print_hit(&mut out, args.json, position.rules(), hit)?;
        }
    }
    Ok(())
}

/// The position to look up.
fn position(args: &Args, file: Option<&Path>) -> Result<AnyPosition, CommandError> {
    let usage = |text: &str| Err(CommandError::Usage(text.to_owned()));
    if let Some(file) = file {
        if args.rules.is_some() || args.position.is_some() {
            return usage("--rules and --position are for --show without a file");
        }
        let games = read_games(file)?;
        let record = game_of(file, &games, args.game, args.ply)?;
        let history = record.history();
        let position = history.at(args.ply.unwrap_or(history.len()));
        return Ok(position.unwrap_or_else(|| history.start()).clone());
    }
    let Some(rules) = args.rules else {
        return usage("--show needs a file, or --rules and a position");
    };
    if args.ply.is_some() || args.game.is_some() {
        return usage("--ply and --game are for --show with a file");
    }
    match &args.position {
        None => Ok(AnyPosition::start(rules)),
        Some(text) => {
            AnyPosition::parse(rules, text).map_err(|error| CommandError::Failed(error.to_string()))
        }
    }
}

fn print_moves(
    out: &mut impl Write,
    args: &Args,
    source: &str,
    position: &AnyPosition,
    moves: &[BookMove],
) -> Result<(), CommandError> {
    let rules = position.rules();
    if args.json {
        let text = position.to_string();
        for book_move in moves {
            let (cp, mate) = match book_move.value {
                Some(Score::Points(points)) => (Some(points), None),
                Some(Score::Win(plies)) => (None, i32::try_from(plies.div_ceil(2)).ok()),
                Some(Score::Loss(plies)) => {
                    (None, i32::try_from(plies.div_ceil(2)).ok().map(|moves| -moves))
                }
                None => (None, None),
            };
            let [first_wins, second_wins] = book_move.counts.wins;
            let line = Line::Move {
                source,
                rules: rules.id(),
                position: &text,
                r#move: position.notation(book_move.mv),
                games: book_move.counts.games,
                first_wins,
                second_wins,
                cp,
                mate,
            };
            json::print_line(out, &line)?;
        }
        return Ok(());
    }
    if moves.is_empty() {
        let why = match position.turn() {
            Turn::Throw(_) => "a throw is due",
            Turn::Over(_) => "the game is over",
            Turn::Move(_) => "none",
        };
        writeln!(out, "{source}: {why}")?;
        return Ok(());
    }
    let [first, second] = Side::BOTH.map(|side| rules.side_name(side));
    writeln!(out, "\n{source:18} games  {first:>6}  {second:>6}   other  value")?;
    for book_move in moves {
        let counts = book_move.counts;
        let percent = |games: u32| 100.0 * f64::from(games) / f64::from(counts.games.max(1));
        let [one, two] = counts.wins.map(percent);
        let other = 100.0 - one - two;
        let value = book_move.value.map(|value| value.to_string()).unwrap_or_default();
        let row = format!(
            "{:18} {:5}  {one:5.1}%  {two:5.1}%  {other:5.1}%  {value}",
            position.notation(book_move.mv),
            counts.games
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    Ok(())
}

fn print_hit(
    out: &mut impl Write,
    as_json: bool,
    rules: RuleSet,
    hit: &GameHit,
) -> Result<(), CommandError> {
    let [first, second] = &hit.players;
    if as_json {
        let line = Line::Game {
            file: hit.path.display().to_string(),
            game: hit.game,
            ply: hit.ply,
            first,
            second,
            date: hit.date.as_deref(),
            result: hit.result.to_string(),
        };
        return json::print_line(out, &line);
    }
    let [one, two] = Side::BOTH.map(|side| rules.side_name(side));
    let date = hit.date.as_deref().map(|date| format!(", {date}")).unwrap_or_default();
    let text = format!("{one} {first} - {two} {second}, {}{date}", hit.result);
    let (file, game, ply) = (shown(&hit.path), hit.game, hit.ply);
    writeln!(out, "{file}: game {game}, ply {ply}, {}", text.escape_debug())?;
    Ok(())
}
