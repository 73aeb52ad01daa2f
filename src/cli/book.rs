//! `tabulae book`: looks positions up in an opening book.

use super::{
    files::{game_of, read_file, read_games},
    json::ScoreFields,
};
use crate::{
    cli::prelude::*,
    session::{Book, BookMove, GameHit, GameIndex},
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae book --show game.tab --ply 6
  tabulae book --show --rules tablaaza --book own.book --search my-games")]
pub(super) struct Args {
    /// Look up a position of these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    rules: Option<RuleSet>,
    /// Show the moves of the book for a position of this record; without FILE, for the
    /// position of --rules and --position
    #[arg(long, value_name = "FILE", num_args = 0..=1, required = true)]
    show: Option<Option<PathBuf>>,
    /// Show the position after this many plies [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Show this game of the file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Show this position [default: the initial one]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Look the position up in this book [default: the book that comes with the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// List all games in the .tab files of this folder that reached the position
    #[arg(long, value_name = "DIR")]
    search: Option<PathBuf>,
    /// Print a JSON object for each move, and for each game that --search finds
    #[arg(long)]
    json: bool,
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
        #[serde(flatten)]
        score: ScoreFields,
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

/// Shows a position's moves.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    refuse_stdio("--book", args.book.as_deref(), "a book is a binary file")?;
    let position = position(args, args.show.as_ref().and_then(Option::as_deref))?;
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
    let usage = |text: &str| Err(CommandError::usage(text));
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
    values::position(rules, args.position.as_deref())
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
            let [first_wins, second_wins] = book_move.counts.wins;
            let line = Line::Move {
                source,
                rules: rules.id(),
                position: &text,
                r#move: position.notation(book_move.mv),
                games: book_move.counts.games,
                first_wins,
                second_wins,
                score: book_move.value.into(),
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
