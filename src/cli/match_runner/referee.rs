//! `tabulae bologna serve`: the referee of Bologna's competition for many games.
//!
//! Programs that are started play a tournament; clients that connect by themselves play one
//! game after the other.

use std::{fs, net::TcpListener, num::NonZeroUsize};

use crate::cli::{
    bologna::protocol::{COMPETITION_RULES, default_port},
    files::cannot_read,
    prelude::*,
};

use super::{
    args::{GameArgs, RefereeRules},
    game::play_connected,
    player::BolognaClient,
    player_spec::PlayerSpec,
    report::{GameReport, ReportOptions},
    server_log,
    tournament::{self, Format, Table},
};

const EXAMPLES: &str = "\
Players:
  COMMAND       A client of the competition. {role} stands for white or black,
                {ROLE} for WHITE or BLACK, {time} for the seconds for a move,
                {host} and {port} for the address of the server
  level:LEVEL   A built-in level, as level:club
  NAME=PLAYER   Either of these under another name

Examples:
  tabulae bologna serve --games 1
  tabulae bologna serve --list programs.txt --time 60 --logs logs --state night.state";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Add a player that is started for each of its games (see below); without players,
    /// the clients connect by themselves
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// Add the players of this file, one per line; # begins a comment
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Play this many games for each pairing, an even number; without players, this many
    /// in all [default: 2, without players 1]
    #[arg(long, value_name = "GAMES", value_parser = values::above_zero::<NonZeroUsize>())]
    games: Option<NonZeroUsize>,
    /// Give this time for each move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = values::seconds_for_a_move)]
    time: Duration,
    /// Permit each player this many illegal moves in a game
    #[arg(long, value_name = "ERRORS", default_value = "0")]
    errors: u32,
    /// Write a log of each game to this folder, in the format of the competition's server
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Write the records of the games to this file, or each to a file of its own in this
    /// folder
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// Save the results to this file after each game, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Wait at this address for clients that connect by themselves; 0.0.0.0 also lets
    /// clients on other machines connect
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    address: String,
    /// Wait at this port for White
    #[arg(long, value_name = "PORT", default_value_t = default_port(Side::First))]
    white_port: u16,
    /// Wait at this port for Black
    #[arg(long, value_name = "PORT", default_value_t = default_port(Side::Second))]
    black_port: u16,
    /// Set the size of the transposition table of a built-in level, in MiB
    #[arg(long, value_name = "MIB", default_value = "64", value_parser = values::above_zero::<NonZeroUsize>())]
    hash: NonZeroUsize,
    /// Print only the table
    #[arg(long)]
    quiet: bool,
}

pub(in crate::cli) fn run(args: &Args) -> Result<(), CommandError> {
    let players = players(args)?;
    let referee = RefereeRules { time: args.time, permitted_errors: args.errors };
    let game = GameArgs::with_referee(referee, Some(1), args.hash);
    if players.is_empty() {
        return serve_clients(args, &game);
    }
    tournament::run(&tournament::Args {
        rules: COMPETITION_RULES,
        players,
        format: Format::RoundRobin,
        games: args.games.unwrap_or(NonZeroUsize::MIN.saturating_add(1)),
        game,
        out: args.out.clone(),
        state: args.state.clone(),
        json: false,
        quiet: args.quiet,
        logs: args.logs.clone(),
    })
}

/// The players of the command line, then those of the list.
fn players(args: &Args) -> Result<Vec<PlayerSpec>, CommandError> {
    let mut players = Vec::new();
    for text in &args.players {
        let player = parse_player(text);
        players.push(player.map_err(|why| {
            CommandError::Usage(format!("invalid value '{text}' for '--player': {why}"))
        })?);
    }
    let Some(path) = &args.list else { return Ok(players) };
    let text = fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let player = parse_player(line);
            players.push(player.map_err(|why| {
                CommandError::Failed(format!("{}:{number}: '{line}': {why}", path.display()))
            })?);
        }
    }
    if players.is_empty() {
        return Err(CommandError::Failed(format!("{}: no player is listed", path.display())));
    }
    Ok(players)
}

/// A command is a client's, unless it names a level.
fn parse_player(text: &str) -> Result<PlayerSpec, String> {
    let is_name = |name: &str| !name.contains(char::is_whitespace) && !name.contains('/');
    let (name, player) = match text.split_once('=').filter(|(name, _)| is_name(name)) {
        Some((name, player)) => (Some(name), player),
        None => (None, text),
    };
    let kind = match player.strip_prefix("level:") {
        Some(level) => level.to_owned(),
        None => format!("bologna:{player}"),
    };
    match name {
        Some(name) => format!("{name}={kind}").parse(),
        None => kind.parse(),
    }
}

/// Plays the games of clients that connect by themselves, one after the other.
fn serve_clients(args: &Args, game: &GameArgs) -> Result<(), CommandError> {
    if args.state.is_some() {
        return Err(CommandError::usage(
            "cannot continue games of clients that connect by themselves: --state needs --player \
             or --list",
        ));
    }
    refuse_stdio("--out", args.out.as_deref(), "the table is printed")?;
    let listen = |port: u16| {
        TcpListener::bind((args.address.as_str(), port)).map_err(|error| {
            let address = &args.address;
            CommandError::Failed(format!("cannot listen at {address} port {port}: {error}"))
        })
    };
    let listeners = [listen(args.white_port)?, listen(args.black_port)?];
    let games = args.games.map_or(1, NonZeroUsize::get);
    let options =
        ReportOptions { games, path: args.out.as_deref(), json: false, quiet: args.quiet };
    let mut report = GameReport::new(options, &[])?;
    let port = |listener: &TcpListener| {
        listener.local_addr().map_or_else(|_| "?".to_owned(), |address| address.to_string())
    };
    let [white, black] = listeners.each_ref().map(port);
    report.print(format_args!("waiting for White at {white} and for Black at {black}"))?;
    report.out.flush()?;
    let mut table = Table::new(Vec::new(), &[]);
    for number in 0..games {
        let mut clients = Vec::new();
        let any: PlayerSpec = "random".parse().map_err(CommandError::Failed)?;
        let mut config = game.config(COMPETITION_RULES, &[], [&any, &any])?;
        for (listener, side) in listeners.iter().zip(Side::BOTH) {
            let client = BolognaClient::wait_at(listener, config.patience, config.overrun);
            let client = client.map_err(|error| {
                CommandError::Failed(format!("cannot wait for a client: {error}"))
            })?;
            let mut name = client.name();
            // The table tells them apart.
            if clients.first().is_some_and(|first: &BolognaClient| first.name() == name) {
                name += "_2";
            }
            config.players[side.index()] = PlayerSpec::connected(&name, side);
            clients.push(client);
        }
        let Ok(clients) = <[BolognaClient; 2]>::try_from(clients) else { break };
        let mut finished = play_connected(&config, clients)?;
        finished.record.set_tag("Round", &(number + 1).to_string());
        report.add(&config, &finished, number, None)?;
        report.progress.set(number + 1);
        let names = finished.record.players.clone();
        table.add_game([&names[0], &names[1]], &finished);
        if let Some(folder) = &args.logs {
            server_log::write(folder, &finished)?;
        }
    }
    report.progress.finish();
    Ok(report.out.write_all(table.to_text().as_bytes())?)
}
