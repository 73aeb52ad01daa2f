//! `tabulae post`: a game by post, one message at a time.

use super::screen::stdout_as_file;
use crate::{
    cli::prelude::*,
    i18n::set_language,
    online::{PostError, PostGame},
    session::preferred_language,
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae post --rules tablaaza --move c7    Begin a game; prints the command to send
  tabulae post 'turn=...' --move c6          Answer the command that you got")]
pub(super) struct Args {
    /// Open this game: the command that the other player has sent, or only its part from
    /// `turn=` to the end
    #[arg(value_name = "GAME", required_unless_present = "rules", conflicts_with = "rules")]
    game: Option<String>,
    /// Begin a game by these rules; you play the side that moves first
    #[arg(long, value_name = "RULES", value_parser = values::rule_set_or_game())]
    rules: Option<RuleSet>,
    /// Play this move; give --move several times if you have several moves in a row
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    /// Print the game as a record instead of a command
    #[arg(long, conflicts_with = "moves")]
    record: bool,
    /// Print a link to this web address instead of a command; only `tabulae post` can open
    /// the link, the web page cannot
    #[arg(long, value_name = "URL")]
    page: Option<String>,
}

/// Opens or begins a game, plays, and prints what to send to the other player.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    set_language(preferred_language().unwrap_or_default());
    let failed = |error: PostError| CommandError::Failed(error.message().localized());
    let mut out = stdout();
    let mut game = match (&args.game, args.rules) {
        (Some(text), _) => PostGame::from_fragment(text).map_err(failed)?,
        (None, Some(rules)) => PostGame::new(rules),
        (None, None) => return Err(CommandError::usage("expected GAME or --rules")),
    };
    if args.record {
        write!(stdout_as_file(), "{}", game.record())?;
        return Ok(());
    }
    let rules = game.session().rules();
    let Some(side) = game.waits_for() else {
        if let Some(outcome) = game.session().outcome() {
            writeln!(out, "{}", describe_outcome(rules, outcome))?;
        }
        return Ok(());
    };
    let secret = game.secret(side).map_err(failed)?;
    game.act(secret);
    // What was thrown is known now, so it must be kept before anything else.
    game.keep(side, secret).map_err(failed)?;
    for text in &args.moves {
        if game.waits_for() != Some(side) {
            return Err(failed(PostError::NotYourTurn));
        }
        game.play(text).map_err(failed)?;
        game.act(secret);
        game.keep(side, secret).map_err(failed)?;
    }
    match (game.session().outcome(), game.waits_for()) {
        (Some(outcome), _) => writeln!(out, "{}", describe_outcome(rules, outcome))?,
        (None, Some(next)) if next == side => {
            let moves = game.legal_moves();
            let count = moves.len().to_string();
            writeln!(out, "{}", tr_args("play.to-move", &[("side", side_label(rules, side))]))?;
            let values = [("count", count.as_str()), ("moves", &moves.join(", "))];
            writeln!(out, "{}", tr_args("play.moves", &values))?;
            return Ok(());
        }
        (None, _) => {}
    }
    let fragment = game.fragment();
    let text = match &args.page {
        Some(page) => format!("{}/#{fragment}", page.trim_end_matches('/')),
        None => format!("tabulae post '{fragment}'"),
    };
    writeln!(out, "{}\n{text}", tr("online.post-send"))?;
    Ok(())
}
