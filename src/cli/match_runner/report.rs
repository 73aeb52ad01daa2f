//! The output of a match: a line for each game, the records, and the final
//! score. The first two are those of a tournament, too.

use std::fmt;

use crate::cli::{files::results_beside, prelude::*, progress::Progress};

use super::{
    config::MatchConfig,
    game::{FinishedGame, Forfeit, ThinkingTime},
    records_out::{RecordEnd, RecordsOut},
    sprt::{Sprt, Verdict},
    stats::{EloEstimate, Score, format_elo},
};

/// What to report, and where.
#[derive(Clone, Copy)]
pub(super) struct ReportOptions<'a> {
    /// The number of games to play.
    pub(super) games: usize,
    /// The file or folder of the records.
    pub(super) path: Option<&'a Path>,
    /// Whether to print JSON.
    pub(super) json: bool,
    /// Whether to print the end only.
    pub(super) quiet: bool,
}

/// Prints and records the games of a match or a tournament.
pub(super) struct GameReport<'a> {
    pub(super) options: ReportOptions<'a>,
    pub(super) out: Box<dyn Write>,
    pub(super) records: Option<RecordsOut>,
    pub(super) progress: Progress,
}

impl<'a> GameReport<'a> {
    /// Creates the file or folder of the records, or continues it after those that `ends`
    /// names.
    pub(super) fn new(
        options: ReportOptions<'a>,
        ends: &[RecordEnd],
    ) -> Result<Self, CommandError> {
        let records = options.path.map(|path| RecordsOut::resume(path, ends)).transpose()?;
        let progress = Progress::bar(options.games, "games", options.json || options.quiet);
        Ok(Self { options, out: results_beside(options.path), records, progress })
    }

    /// Prints a line, except among JSON.
    pub(super) fn print(&mut self, line: fmt::Arguments<'_>) -> Result<(), CommandError> {
        if !self.options.json {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// Writes the record of a game and prints its line; `number` counts the games from 0.
    /// Only a match prints the points.
    pub(super) fn add(
        &mut self,
        config: &MatchConfig,
        game: &FinishedGame,
        number: usize,
        points: Option<f64>,
    ) -> Result<(), CommandError> {
        let record = &game.record;
        if let Some(records) = &mut self.records {
            self.progress.suspend(|| records.write(number + 1, record))?;
        }
        if self.options.json {
            let line = GameLine {
                kind: "game",
                game: number + 1,
                rules: config.rules.id(),
                players: Side::BOTH.map(|side| config.player(game.number, side).to_string()),
                seed: config.pair_seed(game.number),
                plies: record.history().len(),
                result: record.result().to_string(),
                reason: record.termination(),
                points,
                error: describe_forfeit(config, game),
            };
            json::print_line(&mut self.out, &line)?;
        } else if !self.options.quiet {
            let text = describe_game(config, game, number + 1, self.options.games);
            let out = &mut self.out;
            self.progress.suspend(|| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }
}

/// Prints, records and counts the games of a match.
pub(super) struct MatchReport<'a> {
    config: &'a MatchConfig,
    sprt: Option<Sprt>,
    games: GameReport<'a>,
    score: Score,
    /// By player of the match, whichever side each played.
    forfeits: [u32; 2],
    times: [ThinkingTime; 2],
}

/// A finished game as JSON.
#[derive(Serialize)]
struct GameLine<'a> {
    kind: &'static str,
    game: usize,
    rules: &'static str,
    players: [String; 2],
    seed: u64,
    plies: usize,
    result: String,
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    error: Option<String>,
}

/// The score of the match as JSON. Pairs are those of the first and the second
/// player.
#[derive(Serialize)]
struct ScoreLine {
    kind: &'static str,
    rules: &'static str,
    players: [String; 2],
    seed: u64,
    movetime_ms: Option<u64>,
    #[serde(flatten)]
    score: ScoreFields,
    mean_time_s: [Option<f64>; 2],
    longest_time_s: [f64; 2],
    forfeits: [u32; 2],
    sprt: Option<SprtLine>,
}

/// A score and its Elo difference as JSON.
#[derive(Serialize)]
pub(super) struct ScoreFields {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    points: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    pentanomial: [u32; 5],
}

impl From<Score> for ScoreFields {
    fn from(score: Score) -> Self {
        let estimate = score.elo();
        // JSON has no infinity.
        let elo = |elo: f64| elo.is_finite().then(|| json::rounded(elo, 1));
        let [elo_low, elo_high] = estimate.interval.map_or([None; 2], |ends| ends.map(elo));
        Self {
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            elo: elo(estimate.elo),
            elo_low,
            elo_high,
            pentanomial: score.pairs.0,
        }
    }
}

/// The state of the SPRT as JSON.
#[derive(Serialize)]
struct SprtLine {
    elo0: f64,
    elo1: f64,
    llr: f64,
    bound: f64,
    verdict: &'static str,
}

impl<'a> MatchReport<'a> {
    /// Creates the file or folder of the records and prints the match's settings.
    pub(super) fn new(
        config: &'a MatchConfig,
        options: ReportOptions<'a>,
        sprt: Option<Sprt>,
    ) -> Result<Self, CommandError> {
        let mut games = GameReport::new(options, &[])?;
        let [first, second] = &config.players;
        games.print(format_args!(
            "{}: {first} - {second}, {}, {}, seed {}",
            config.rules,
            counted(options.games, "game", "games"),
            config.limits,
            config.seed
        ))?;
        let (forfeits, times) = ([0; 2], [ThinkingTime::default(); 2]);
        Ok(Self { config, sprt, games, score: Score::default(), forfeits, times })
    }

    /// The number of games reported; the next game must have this number.
    pub(super) fn next_game(&self) -> usize {
        self.score.games() as usize
    }

    /// Reports a game; true when the SPRT is decided.
    pub(super) fn add_game(&mut self, game: &FinishedGame) -> Result<bool, CommandError> {
        let result = game.result();
        let points = result.half_points() as f64 / 2.0;
        self.games.add(self.config, game, game.number, Some(points))?;
        if let Some(player) = game.forfeiter() {
            self.forfeits[player] += 1;
        }
        self.score.add(result);
        self.games.progress.set(self.next_game());
        for (sum, time) in self.times.iter_mut().zip(game.times) {
            sum.merge(time);
        }
        let pairs = self.score.pairs;
        Ok(self.sprt.is_some_and(|sprt| sprt.verdict(pairs) != Verdict::Continue))
    }

    /// Prints the score and what it says about the players' strength.
    pub(super) fn finish(&mut self) -> Result<(), CommandError> {
        self.games.progress.finish();
        if self.games.options.json {
            return self.print_json_score();
        }
        let score = self.score;
        let [first, second] = &self.config.players;
        writeln!(
            self.games.out,
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
                writeln!(
                    self.games.out,
                    "time of {player}: {mean:.3} s a move, {longest:.3} s at most"
                )?;
            }
        }
        for (player, forfeits) in self.config.players.iter().zip(self.forfeits) {
            if forfeits > 0 {
                writeln!(self.games.out, "forfeits of {player}: {forfeits}")?;
            }
        }
        Ok(())
    }

    fn print_json_score(&mut self) -> Result<(), CommandError> {
        let (config, score, times) = (self.config, self.score, self.times);
        let pairs = score.pairs;
        let seconds = |time: Duration| json::rounded(time.as_secs_f64(), 3);
        let line = ScoreLine {
            kind: "score",
            rules: config.rules.id(),
            players: config.players.each_ref().map(ToString::to_string),
            seed: config.seed,
            movetime_ms: config
                .limits
                .movetime()
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            score: score.into(),
            mean_time_s: times.map(|times| times.mean().map(seconds)),
            longest_time_s: times.map(|times| seconds(times.longest)),
            forfeits: self.forfeits,
            sprt: self.sprt.map(|sprt| SprtLine {
                elo0: sprt.elo0,
                elo1: sprt.elo1,
                llr: json::rounded(sprt.log_likelihood_ratio(pairs), 2),
                bound: json::rounded(Sprt::BOUND, 2),
                verdict: match sprt.verdict(pairs) {
                    Verdict::AcceptH0 => "elo0",
                    Verdict::AcceptH1 => "elo1",
                    Verdict::Continue => "open",
                },
            }),
        };
        json::print_line(&mut self.games.out, &line)
    }

    fn print_elo(&mut self) -> io::Result<()> {
        let pairs = self.score.pairs;
        let estimate = self.score.elo();
        let interval = match format_interval(estimate) {
            Some(interval) => format!("95 %: {interval}"),
            None if pairs.count() == 0 => "no interval, no pair of games is complete".to_owned(),
            None => "no interval, all pairs of games scored alike".to_owned(),
        };
        writeln!(self.games.out, "Elo difference: {} ({interval})", format_elo(estimate.elo))?;
        let counts = pairs.0.map(|count| count.to_string()).join(", ");
        writeln!(self.games.out, "Ptnml(0-2): {counts}")?;
        let Some(sprt) = self.sprt else { return Ok(()) };
        let (elo0, elo1) = (format_elo(sprt.elo0), format_elo(sprt.elo1));
        let verdict = match sprt.verdict(pairs) {
            Verdict::AcceptH0 => format!("rather {elo0}"),
            Verdict::AcceptH1 => format!("rather {elo1}"),
            Verdict::Continue => "not decided".to_owned(),
        };
        let (ratio, bound) = (sprt.log_likelihood_ratio(pairs), Sprt::BOUND);
        writeln!(
            self.games.out,
            "SPRT {elo0} or {elo1}: {verdict}, log-likelihood ratio {ratio:+.2} (±{bound:.2})"
        )
    }
}

/// A finished game as a line of text, with a second line if a player forfeited it. It
/// is game `number` of `games`, counted from 1.
fn describe_game(config: &MatchConfig, game: &FinishedGame, number: usize, games: usize) -> String {
    let record = &game.record;
    let [first, second] = Side::BOTH.map(|side| config.describe_player(game.number, side));
    let mut text = format!(
        "game {number} of {games}: {first} - {second}: {} ({}), {}\n",
        record.result(),
        record.termination().unwrap_or("open"),
        counted(record.history().len(), "ply", "plies")
    );
    if let Some(error) = describe_forfeit(config, game) {
        text += &format!("game {number}: {error}\n");
    }
    text
}

/// What a player did wrong in this game, with the player's name.
fn describe_forfeit(config: &MatchConfig, game: &FinishedGame) -> Option<String> {
    let Forfeit { side, reason } = game.forfeit.as_ref()?;
    Some(format!("{} {reason}", config.describe_player(game.number, *side)))
}

/// The 95 % interval as text: `-12 to +45`.
pub(super) fn format_interval(estimate: EloEstimate) -> Option<String> {
    let [low, high] = estimate.interval?.map(format_elo);
    Some(format!("{low} to {high}"))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{config::ThinkingLimits, game::Course},
        *,
    };
    use crate::{
        engines::SearchLimits,
        games::{AnyPosition, GameHistory, RuleSet},
        records::{GameResult, Record},
    };

    #[test]
    fn a_forfeit_counts_for_the_player_that_forfeits_whatever_the_result() {
        let config = MatchConfig {
            rules: RuleSet::TablutAshton,
            players: ["novice", "casual"].map(|name| name.parse().expect("a level")),
            limits: ThinkingLimits::PerMove(SearchLimits::default()),
            patience: Duration::from_secs(1),
            overrun: Duration::from_secs(1),
            permitted_errors: 0,
            threads: 1,
            hash_mib: 1,
            seed: 1,
            opening_moves: 0,
            max_plies: 100,
        };
        let options = ReportOptions { games: 2, path: None, json: false, quiet: true };
        let results = [
            GameResult::Won(Side::First),
            GameResult::Won(Side::Second),
            GameResult::Drawn,
            GameResult::Unknown,
        ];
        // The players swap sides from game to game.
        for (number, side) in [(0, Side::Second), (1, Side::First)] {
            for result in results {
                let mut report = MatchReport::new(&config, options, None).expect("a report");
                let mut record = Record::new(GameHistory::new(AnyPosition::start(config.rules)));
                let termination = (result != GameResult::Unknown).then_some("elsewhere");
                assert!(record.stop(result, termination));
                let forfeit = Some(Forfeit { side, reason: "has ended".to_owned() });
                let times = [ThinkingTime::default(); 2];
                let course = Course::begin();
                let game = FinishedGame { number, record, forfeit, times, course };
                report.add_game(&game).expect("printed");
                assert_eq!(report.forfeits, [0, 1], "game {number}: {result:?}");
            }
        }
    }
}
