//! The output of a tournament: a line for each game, the records, and the table.

use std::collections::BTreeMap;

use crate::cli::prelude::*;

use super::{
    super::{
        game::{FinishedGame, ThinkingTime},
        records_out::RecordEnd,
        report::{GameReport, ReportOptions, ScoreFields, format_interval},
        stats::{Score, format_elo},
    },
    Tournament,
    state::GameOutcome,
};

/// Prints, records and counts the games.
pub(super) struct TournamentReport<'a> {
    tournament: &'a Tournament,
    /// The players' names.
    names: Vec<String>,
    games: GameReport<'a>,
    /// By the games' indices.
    outcomes: BTreeMap<usize, GameOutcome>,
    /// The players' times in the games of this run.
    times: Vec<ThinkingTime>,
}

/// The score of a pairing as JSON, from the view of its first player.
#[derive(Serialize)]
struct PairingLine<'a> {
    kind: &'static str,
    players: [&'a str; 2],
    #[serde(flatten)]
    score: ScoreFields,
}

/// The score of a player against all others as JSON.
#[derive(Serialize)]
struct PlayerLine<'a> {
    kind: &'static str,
    rank: usize,
    player: &'a str,
    #[serde(flatten)]
    score: ScoreFields,
    forfeits: u32,
}

impl<'a> TournamentReport<'a> {
    /// Prints the tournament's settings. The places of the records of an earlier run are
    /// `ends`.
    pub(super) fn new(
        tournament: &'a Tournament,
        names: Vec<String>,
        options: ReportOptions<'a>,
        ends: &[RecordEnd],
    ) -> Result<Self, CommandError> {
        let mut games = GameReport::new(options, ends)?;
        let settings = &tournament.settings;
        games.print(format_args!(
            "{}: {} of {} players, {} games, {}, seed {}",
            settings.rules,
            settings.format,
            names.len(),
            options.games,
            settings.limits,
            settings.seed
        ))?;
        let times = vec![ThinkingTime::default(); names.len()];
        Ok(Self { tournament, names, games, outcomes: BTreeMap::new(), times })
    }

    /// Counts the games of an earlier run.
    pub(super) fn continue_from(
        &mut self,
        outcomes: BTreeMap<usize, GameOutcome>,
    ) -> Result<(), CommandError> {
        if !outcomes.is_empty() {
            let games = counted(outcomes.len(), "game", "games");
            self.games.print(format_args!("continuing after {games}"))?;
        }
        self.outcomes = outcomes;
        self.games.progress.set(self.outcomes.len());
        Ok(())
    }

    /// Reports a game and returns what counts.
    pub(super) fn add_game(
        &mut self,
        index: usize,
        game: &FinishedGame,
    ) -> Result<GameOutcome, CommandError> {
        let outcome = GameOutcome { result: game.result(), forfeit: game.forfeiter() };
        self.outcomes.insert(index, outcome);
        let pairing = self.tournament.schedule.slot(index).pairing;
        for (&player, time) in self.tournament.schedule.pairings[pairing].iter().zip(game.times) {
            self.times[player].merge(time);
        }
        self.games.add(&self.tournament.matches[pairing], game, index, None)?;
        self.games.progress.set(self.outcomes.len());
        Ok(outcome)
    }

    /// Waits until the disk has the records, and returns the length of their file.
    pub(super) fn sync_records(&self) -> Result<u64, CommandError> {
        let Some(records) = &self.games.records else { return Ok(0) };
        records.sync()?;
        Ok(records.length)
    }

    /// Prints the table once all games are played.
    pub(super) fn finish(&mut self) -> Result<(), CommandError> {
        self.games.progress.finish();
        let schedule = &self.tournament.schedule;
        let mut table = Table::new(self.names.clone(), &schedule.pairings);
        // The order of a pairing's games is that of their indices, as the pairs need it.
        for (&index, outcome) in &self.outcomes {
            table.add(schedule.slot(index).pairing, *outcome);
        }
        if self.games.options.json {
            return table.print_json(&mut self.games.out);
        }
        self.games.out.write_all(table.to_text().as_bytes())?;
        for (name, times) in self.names.iter().zip(&self.times) {
            if self.tournament.settings.is_refereed()
                && let Some(mean) = times.mean()
            {
                let (mean, longest) = (mean.as_secs_f64(), times.longest.as_secs_f64());
                let out = &mut self.games.out;
                writeln!(out, "time of {name}: {mean:.3} s a move, {longest:.3} s at most")?;
            }
        }
        Ok(())
    }
}

/// The players' scores against each other.
pub(in super::super) struct Table {
    names: Vec<String>,
    /// The scores of the pairings, with the players' places in `names`. The score is
    /// that of the first.
    pairings: Vec<([usize; 2], Score)>,
    /// By place in `names`: games lost by a fault of the player's program.
    forfeits: Vec<u32>,
}

/// A player's score against all others.
struct Standing {
    /// The player's place in `names`.
    player: usize,
    score: Score,
    forfeits: u32,
}

impl Table {
    pub(in super::super) fn new(names: Vec<String>, pairings: &[[usize; 2]]) -> Self {
        let pairings = pairings.iter().map(|&players| (players, Score::default())).collect();
        Self { forfeits: vec![0; names.len()], names, pairings }
    }

    /// Counts a game of a pairing.
    fn add(&mut self, pairing: usize, outcome: GameOutcome) {
        let (players, score) = &mut self.pairings[pairing];
        score.add(outcome.result);
        if let Some(forfeiter) = outcome.forfeit {
            self.forfeits[players[forfeiter]] += 1;
        }
    }

    /// Counts a game of two players, who may be new.
    pub(in super::super) fn add_game(&mut self, names: [&str; 2], game: &FinishedGame) {
        let [first, second] = names.map(|name| self.place(name));
        let known = |(players, _): &([usize; 2], Score)| *players == [first, second];
        let pairing = self.pairings.iter().position(known).unwrap_or_else(|| {
            self.pairings.push(([first, second], Score::default()));
            self.pairings.len() - 1
        });
        self.add(pairing, GameOutcome { result: game.result(), forfeit: game.forfeiter() });
    }

    fn place(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.forfeits.push(0);
            self.names.len() - 1
        })
    }

    /// The players from the best to the worst.
    fn standings(&self) -> Vec<Standing> {
        let mut standings: Vec<_> = (0..self.names.len())
            .map(|player| Standing {
                player,
                score: Score::default(),
                forfeits: self.forfeits[player],
            })
            .collect();
        for ([first, second], score) in &self.pairings {
            standings[*first].score.merge(*score);
            standings[*second].score.merge(score.reversed());
        }
        // Stable: equal players stay in the order of the command line.
        standings.sort_by(|one, other| other.score.mean().total_cmp(&one.score.mean()));
        standings
    }

    fn print_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        for (players, score) in &self.pairings {
            let players = players.map(|player| self.names[player].as_str());
            let score = (*score).into();
            json::print_line(out, &PairingLine { kind: "pairing", players, score })?;
        }
        for (rank, standing) in (1..).zip(self.standings()) {
            let line = PlayerLine {
                kind: "player",
                rank,
                player: &self.names[standing.player],
                score: standing.score.into(),
                forfeits: standing.forfeits,
            };
            json::print_line(out, &line)?;
        }
        Ok(())
    }

    /// The table as text. The last columns, one for each player, have the points won
    /// against that player.
    pub(in super::super) fn to_text(&self) -> String {
        let standings = self.standings();
        let heads = ["#", "player", "points", "games", "+", "=", "-", "Elo", "95 %", "forfeits"];
        let ranks = 1..=standings.len();
        let heads = heads.into_iter().map(str::to_owned).chain(ranks.map(|rank| rank.to_string()));
        let mut rows = vec![heads.collect::<Vec<_>>()];
        for (rank, standing) in (1..).zip(&standings) {
            let Standing { player, score, forfeits } = standing;
            let estimate = score.elo();
            let mut row = vec![
                format!("{rank}"),
                self.names[*player].clone(),
                score.points().to_string(),
                score.games().to_string(),
                score.wins.to_string(),
                score.draws.to_string(),
                score.losses.to_string(),
                format_elo(estimate.elo),
                format_interval(estimate).unwrap_or_else(|| "?".to_owned()),
                forfeits.to_string(),
            ];
            row.extend(standings.iter().map(|other| self.cell(*player, other.player)));
            rows.push(row);
        }
        align(&rows)
    }

    /// The points of one player against another: empty if they did not play, a dash for
    /// the player itself.
    fn cell(&self, player: usize, other: usize) -> String {
        if player == other {
            return "-".to_owned();
        }
        let scores = self.pairings.iter().filter_map(|&(players, score)| match players {
            [first, second] if (first, second) == (player, other) => Some(score),
            [first, second] if (first, second) == (other, player) => Some(score.reversed()),
            _ => None,
        });
        let score = scores.reduce(|mut sum, score| {
            sum.merge(score);
            sum
        });
        score.map(|score| score.points().to_string()).unwrap_or_default()
    }
}

/// Lines of columns that are as wide as their longest cell. The names are aligned to
/// the left, all else to the right.
fn align(rows: &[Vec<String>]) -> String {
    const NAMES: usize = 1;
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == NAMES { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_longest_cell() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["#", "player", "points"]), row(["10", "él", ""])];
        assert_eq!(align(&rows), " #  player  points\n10  él\n");
    }
}
