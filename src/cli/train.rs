//! `tabulae train`: the puzzle trainer in a terminal.

use std::io::{StdinLock, Stdout};

use super::{
    board::{BoardTerminal, english_word},
    lines::{Dialogue, Lines, converse},
    screen::Screen,
};
use crate::{
    cli::prelude::*,
    i18n::{Language, set_language},
    session::{
        Rating, clean_name, preferred_language,
        puzzles::{Puzzle, PuzzleTraining, Theme, describe_task, describe_themes, describe_why},
    },
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae train --rules tablut               Solve puzzles of Tablut
  tabulae train --rules tablaaza --theme parity

Type the move that solves the puzzle, or `help` for the commands. Ratings and missed
puzzles are shared with the 3D table.")]
pub(super) struct Args {
    /// Solve puzzles of these rules; `tablut` means tablut/ashton
    #[arg(long, value_name = "RULES", value_parser = values::rule_set_or_game())]
    rules: RuleSet,
    /// Solve only puzzles of this theme; puzzles of a chosen theme are not rated
    #[arg(long, value_name = "THEME", value_parser = values::theme())]
    theme: Option<Theme>,
    /// Use the rating and progress of this player [default: the player without a name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Set the language [default: that of the settings]
    #[arg(long, value_name = "LANGUAGE", ignore_case = true, value_parser = values::language())]
    language: Option<Language>,
}

/// Sets puzzles until `quit`, the end of input, or until none is left.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    set_language(args.language.or_else(preferred_language).unwrap_or_default());
    let (mut training, warning) = PuzzleTraining::default_path()
        .map_or_else(Default::default, |path| PuzzleTraining::in_file(&path));
    if let Some(warning) = warning {
        print_error_line!("{}", warning.localized());
    }
    training.set_rules(args.rules);
    training.set_player(&clean_name(args.name.as_deref().unwrap_or_default()));
    if let Some(theme) = args.theme
        && !training.themes().any(|known| known == theme)
    {
        let themes: Vec<&str> = training.themes().map(Theme::id).collect();
        let (rules, themes) = (args.rules, themes.join(", "));
        let error = format!("no puzzle of {rules} has the theme '{theme}'; they have: {themes}");
        return Err(CommandError::Usage(error));
    }
    training.set_theme(args.theme);
    let mut out = stdout();
    writeln!(out, "{}", tr_args("puzzles.of", &[("rules", rules_label(args.rules))]))?;
    writeln!(out, "{}", tr("play.say-help"))?;
    let mut trainer = Trainer { training, lines: Lines::of_stdin(), out, current: None };
    trainer.set_next()?;
    converse(&mut trainer)
}

/// The terminal, the training and the puzzle that is to be solved.
struct Trainer {
    training: PuzzleTraining,
    lines: Lines<StdinLock<'static>>,
    out: Screen<Stdout>,
    current: Option<Current>,
}

/// The puzzle that is to be solved.
struct Current {
    puzzle: Puzzle,
    /// The right moves so far, and the replies to them.
    played: GameHistory<AnyPosition>,
    /// Whether it was counted: after a wrong try, or when the solution was shown.
    counted: bool,
}

impl Dialogue for Trainer {
    fn next_line(&mut self) -> Result<Option<String>, CommandError> {
        if self.current.is_none() {
            return Ok(None);
        }
        let line = self.lines.next_at_prompt(&mut self.out)?;
        if line.is_none() {
            writeln!(self.out)?;
        }
        Ok(line)
    }

    fn answer(&mut self, text: &str) -> Result<bool, CommandError> {
        match english_word(text) {
            "quit" | "exit" => return Ok(false),
            "solution" => self.show_solution()?,
            "next" => self.set_next()?,
            word if self.answer_common(word)? => {}
            _ => self.attempt(text)?,
        }
        Ok(true)
    }
}

impl BoardTerminal for Trainer {
    const HELP: &'static str = "train.help";

    fn out(&mut self) -> &mut Screen<Stdout> {
        &mut self.out
    }

    fn position(&self) -> Option<&AnyPosition> {
        self.current.as_ref().map(|current| current.played.position())
    }

    fn print_status(&mut self) -> io::Result<()> {
        let Some(current) = &self.current else { return Ok(()) };
        writeln!(self.out, "{}", describe_task(&current.puzzle))
    }
}

impl Trainer {
    /// Sets the next puzzle, if one is left.
    fn set_next(&mut self) -> io::Result<()> {
        let Some((puzzle, came_back)) = self.training.next_puzzle() else {
            self.current = None;
            return writeln!(self.out, "{}", tr("puzzles.none-left"));
        };
        let played = GameHistory::new(puzzle.start.clone());
        self.current = Some(Current { puzzle, played, counted: false });
        writeln!(self.out)?;
        self.print_board()?;
        if came_back {
            writeln!(self.out, "{}", tr("puzzles.came-back"))?;
        }
        self.print_status()
    }

    /// Counts the puzzle. False if it was counted before.
    fn count(&mut self, solved: bool) -> bool {
        let Some(current) = self.current.as_mut().filter(|current| !current.counted) else {
            return false;
        };
        current.counted = true;
        let (_, unsaved) = self.training.record(&current.puzzle, solved);
        if let Some(error) = unsaved {
            print_error_line!("{}", tr_args("puzzles.unsaved", &[("reason", &error.to_string())]));
        }
        true
    }

    fn show_solution(&mut self) -> io::Result<()> {
        _ = self.count(false);
        let Some(current) = &self.current else { return Ok(()) };
        let solution = current.puzzle.solution(&current.played);
        let solution = solution.map(|mv| current.played.position().notation(mv));
        let solution = solution.unwrap_or_default();
        writeln!(self.out, "{}", tr_args("puzzles.shown", &[("move", &solution)]))
    }

    /// Tries a move.
    fn attempt(&mut self, text: &str) -> io::Result<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let mv: AnyMove = match current.played.parse(text) {
            Ok(Ply::Move(mv)) => mv,
            Ok(Ply::Throw(_)) => return writeln!(self.out, "{}", tr("train.no-throw")),
            Err(error) => {
                let why = describe_illegal(&error);
                return writeln!(self.out, "{}", tr_args("play.cannot", &[("why", &why)]));
            }
        };
        if !current.puzzle.accepts(&current.played, mv) {
            let mv = current.played.position().notation(mv);
            _ = self.count(false);
            writeln!(self.out, "{}", tr_args("puzzles.wrong", &[("move", &mv)]))?;
            return writeln!(self.out, "{}", tr("practice.again"));
        }
        let solved = current.played.push(Ply::Move(mv)).is_ok();
        let reply = current.puzzle.reply(&current.played).filter(|_| solved);
        if let Some(reply) = reply {
            let written = current.played.position().notation(reply);
            _ = current.played.push(Ply::Move(reply));
            writeln!(self.out, "{}", tr_args("train.reply", &[("move", &written)]))?;
            self.print_board()?;
            return writeln!(self.out, "{}", tr("puzzles.go-on"));
        }
        self.finish()
    }

    /// Says how the puzzle was solved, and sets the next one.
    fn finish(&mut self) -> io::Result<()> {
        let is_late = !self.count(true);
        let key = if is_late { "puzzles.solved-late" } else { "puzzles.solved" };
        writeln!(self.out, "{}", tr(key))?;
        let Some(current) = &self.current else { return Ok(()) };
        writeln!(self.out, "{}", describe_why(&current.puzzle))?;
        writeln!(self.out, "{}", describe_themes(&current.puzzle))?;
        let progress = self.training.progress();
        let rating = Rating::from(progress.rating(current.puzzle.rules())).to_string();
        writeln!(self.out, "{}", tr_args("puzzles.rating", &[("rating", &rating)]))?;
        let (streak, best) = (progress.streak().to_string(), progress.best_streak().to_string());
        let streak = [("streak", streak.as_str()), ("best", &best)];
        writeln!(self.out, "{}", tr_args("puzzles.streak", &streak))?;
        self.set_next()
    }
}
