//! The output of a match: a line for each game, the records, and the final
//! score.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{cli::CommandError, games::Side, records::Record};

use super::{
    config::{MatchConfig, side_of_first},
    game::{FinishedGame, Forfeit, ThinkingTime},
    stats::{Score, Sprt, Verdict, format_elo},
};

/// Prints, records and counts the games.
pub(super) struct MatchReport<'a> {
    config: &'a MatchConfig,
    out: io::Stdout,
    file: Option<(PathBuf, File)>,
    /// The number of games to play.
    games: usize,
    score: Score,
    /// By player of the match, whichever side each played.
    forfeits: [u32; 2],
    times: [ThinkingTime; 2],
    sprt: Option<Sprt>,
}

impl<'a> MatchReport<'a> {
    /// Creates the file of the records and prints the match's settings.
    pub(super) fn new(
        config: &'a MatchConfig,
        games: usize,
        sprt: Option<Sprt>,
        path: Option<&Path>,
    ) -> Result<Self, CommandError> {
        let file = match path {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
                Some((path.to_owned(), file))
            }
        };
        let mut out = io::stdout();
        let [first, second] = &config.players;
        writeln!(
            out,
            "{}: {first} - {second}, {games} games, {} ms a move, seed {}",
            config.rules,
            config.movetime.as_millis(),
            config.seed
        )?;
        let (forfeits, times) = ([0; 2], [ThinkingTime::default(); 2]);
        Ok(Self { config, out, file, games, score: Score::default(), forfeits, times, sprt })
    }

    /// The number of games reported; the next game must have this number.
    pub(super) fn next_game(&self) -> usize {
        self.score.games() as usize
    }

    /// Reports a game; true when the SPRT is decided.
    pub(super) fn add_game(&mut self, game: &FinishedGame) -> Result<bool, CommandError> {
        let (record, number) = (&game.record, game.number + 1);
        let [first, second] = Side::BOTH.map(|side| self.config.describe_player(game.number, side));
        writeln!(
            self.out,
            "game {number} of {}: {first} - {second}: {} ({}), {} plies",
            self.games,
            record.result(),
            record.termination().unwrap_or("open"),
            record.history().len()
        )?;
        self.write_record(record)?;
        if let Some(Forfeit { side, reason }) = &game.forfeit {
            let player = self.config.describe_player(game.number, *side);
            writeln!(self.out, "game {number}: {player} {reason}")?;
            self.forfeits[usize::from(*side != side_of_first(game.number))] += 1;
        }
        self.score.add(game.result());
        for (sum, time) in self.times.iter_mut().zip(game.times) {
            sum.merge(time);
        }
        let pairs = self.score.pairs;
        Ok(self.sprt.is_some_and(|sprt| sprt.verdict(pairs) != Verdict::Continue))
    }

    fn write_record(&mut self, record: &Record) -> Result<(), CommandError> {
        let separator = if self.next_game() > 0 { "\n" } else { "" };
        match &mut self.file {
            None => Ok(()),
            Some((path, file)) => {
                write!(file, "{separator}{record}").map_err(|error| cannot_write(path, &error))
            }
        }
    }

    /// Prints the score and what it says about the players' strength.
    pub(super) fn finish(&mut self) -> Result<(), CommandError> {
        let score = self.score;
        let [first, second] = &self.config.players;
        writeln!(
            self.out,
            "score of {first} against {second}: +{} ={} -{}, {} of {} ({:.1} %)",
            score.wins,
            score.draws,
            score.losses,
            score.points(),
            score.games(),
            score.mean() * 100.0
        )?;
        self.print_elo()?;
        for (player, times) in self.config.players.iter().zip(self.times) {
            if let Some(mean) = times.mean() {
                let (mean, longest) = (mean.as_secs_f64(), times.longest.as_secs_f64());
                writeln!(self.out, "time of {player}: {mean:.3} s a move, {longest:.3} s at most")?;
            }
        }
        for (player, forfeits) in self.config.players.iter().zip(self.forfeits) {
            if forfeits > 0 {
                writeln!(self.out, "forfeits of {player}: {forfeits}")?;
            }
        }
        Ok(())
    }

    fn print_elo(&mut self) -> io::Result<()> {
        let pairs = self.score.pairs;
        let estimate = self.score.elo();
        let interval = match estimate.interval {
            Some([low, high]) => format!("95 %: {} to {}", format_elo(low), format_elo(high)),
            None if pairs.count() == 0 => "no interval, no pair of games is complete".to_owned(),
            None => "no interval, all pairs of games scored alike".to_owned(),
        };
        writeln!(self.out, "Elo difference: {} ({interval})", format_elo(estimate.elo))?;
        let counts = pairs.0.map(|count| count.to_string()).join(", ");
        writeln!(self.out, "Ptnml(0-2): {counts}")?;
        let Some(sprt) = self.sprt else { return Ok(()) };
        let (elo0, elo1) = (format_elo(sprt.elo0), format_elo(sprt.elo1));
        let verdict = match sprt.verdict(pairs) {
            Verdict::AcceptH0 => format!("rather {elo0}"),
            Verdict::AcceptH1 => format!("rather {elo1}"),
            Verdict::Continue => "not decided".to_owned(),
        };
        let (ratio, bound) = (sprt.log_likelihood_ratio(pairs), Sprt::BOUND);
        writeln!(
            self.out,
            "SPRT {elo0} or {elo1}: {verdict}, log-likelihood ratio {ratio:+.2} (±{bound:.2})"
        )
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        games::{AnyPosition, GameHistory, RuleSet},
        records::GameResult,
    };

    #[test]
    fn a_forfeit_counts_for_the_player_that_forfeits_whatever_the_result() {
        let config = MatchConfig {
            rules: RuleSet::TablutAshton,
            players: ["novice", "casual"].map(|name| name.parse().expect("a level")),
            movetime: Duration::from_millis(1),
            patience: Duration::from_secs(1),
            threads: 1,
            hash_mib: 1,
            seed: 1,
            opening_moves: 0,
            max_plies: 100,
        };
        let results = [
            GameResult::Won(Side::First),
            GameResult::Won(Side::Second),
            GameResult::Drawn,
            GameResult::Unknown,
        ];
        // The players swap sides from game to game.
        for (number, side) in [(0, Side::Second), (1, Side::First)] {
            for result in results {
                let mut report = MatchReport::new(&config, 2, None, None).expect("a report");
                let mut record = Record::new(GameHistory::new(AnyPosition::start(config.rules)));
                let termination = (result != GameResult::Unknown).then_some("elsewhere");
                assert!(record.stop(result, termination));
                let forfeit = Some(Forfeit { side, reason: "has ended".to_owned() });
                let times = [ThinkingTime::default(); 2];
                let game = FinishedGame { number, record, forfeit, times };
                report.add_game(&game).expect("printed");
                assert_eq!(report.forfeits, [0, 1], "game {number}: {result:?}");
            }
        }
    }
}
