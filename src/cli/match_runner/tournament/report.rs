//! The output of a tournament: a line for each game, the records, and the table.

use std::{collections::BTreeMap, io::Write};

use serde::Serialize;

use crate::cli::{CommandError, files::counted, json};

use super::{
    super::{
        game::FinishedGame,
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
        Ok(Self { tournament, names, games, outcomes: BTreeMap::new() })
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
        self.games.add(&self.tournament.matches[pairing], game, index, None)?;
        self.games.progress.set(self.outcomes.len());
        Ok(outcome)
    }

    /// Waits until the disk has the records, and returns the length of their file.
    pub(super) fn sync_records(&self) -> Result<u64, CommandError> {
        let Some(records) = &self.games.records else { return Ok(0) };
        records.sync()?;
        Ok(records.length())
    }

    /// Prints the table once all games are played.
    pub(super) fn finish(&mut self) -> Result<(), CommandError> {
        self.games.progress.finish();
        let table = Table::new(self.tournament, &self.names, &self.outcomes);
        if self.games.options.json {
            return table.print_json(&mut self.games.out);
        }
        Ok(self.games.out.write_all(table.to_text().as_bytes())?)
    }
}

/// The players' scores.
struct Table<'a> {
    names: &'a [String],
    /// The scores of the pairings, with the players' places in `names`. The score is
    /// that of the first.
    pairings: Vec<([usize; 2], Score)>,
    /// From the best player to the worst.
    standings: Vec<Standing>,
}

/// A player's score against all others.
struct Standing {
    /// The player's place in `names`.
    player: usize,
    score: Score,
    forfeits: u32,
}

impl<'a> Table<'a> {
    fn new(
        tournament: &Tournament,
        names: &'a [String],
        outcomes: &BTreeMap<usize, GameOutcome>,
    ) -> Self {
        let players = tournament.schedule.pairings().iter();
        let mut pairings: Vec<_> = players.map(|&players| (players, Score::default())).collect();
        let mut standings: Vec<_> = (0..names.len())
            .map(|player| Standing { player, score: Score::default(), forfeits: 0 })
            .collect();
        // The order of a pairing's games is that of their indices, as the pairs need it.
        for (&index, outcome) in outcomes {
            let (players, score) = &mut pairings[tournament.schedule.slot(index).pairing];
            score.add(outcome.result);
            if let Some(forfeiter) = outcome.forfeit {
                standings[players[forfeiter]].forfeits += 1;
            }
        }
        for ([first, second], score) in &pairings {
            standings[*first].score.merge(*score);
            standings[*second].score.merge(score.reversed());
        }
        // Stable: equal players stay in the order of the command line.
        standings.sort_by(|one, other| other.score.mean().total_cmp(&one.score.mean()));
        Self { names, pairings, standings }
    }

    fn print_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        for (players, score) in &self.pairings {
            let players = players.map(|player| self.names[player].as_str());
            let score = (*score).into();
            json::print_line(out, &PairingLine { kind: "pairing", players, score })?;
        }
        for (rank, standing) in (1..).zip(&self.standings) {
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
    fn to_text(&self) -> String {
        let heads = ["#", "player", "points", "games", "+", "=", "-", "Elo", "95 %", "forfeits"];
        let ranks = 1..=self.standings.len();
        let heads = heads.into_iter().map(str::to_owned).chain(ranks.map(|rank| rank.to_string()));
        let mut rows = vec![heads.collect::<Vec<_>>()];
        for (rank, standing) in (1..).zip(&self.standings) {
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
            row.extend(self.standings.iter().map(|other| self.cell(*player, other.player)));
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
        let score = self.pairings.iter().find_map(|&(players, score)| match players {
            [first, second] if (first, second) == (player, other) => Some(score),
            [first, second] if (first, second) == (other, player) => Some(score.reversed()),
            _ => None,
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
