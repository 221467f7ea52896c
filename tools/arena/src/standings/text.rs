//! The standings as text: a line while the run goes on, a table at its end.

use super::{Duel, Results, Standings};
use crate::stats::{Estimate, Kind};
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeMap;

impl Standings {
    /// The score so far in one line: of two engines with Elo and test, of more with the rating of each, best first.
    pub fn line(&self) -> String {
        let summary = self.summary();
        if let ([first, second], [duel]) = (&self.names[..], &summary.duels[..]) {
            let mut line = format!("{first} against {second}: {}", duel_text(duel));
            if let Some(state) = summary.sprt {
                line += &format!(
                    ", LLR {:.2} ({:.2} to {:.2})",
                    state.llr, state.lower, state.upper
                );
                if let Some(verdict) = state.verdict {
                    line += &format!(", {verdict}");
                }
            }
            return line;
        }
        let rated = summary.players.iter().filter(|player| player.elo.is_some());
        let ratings: Vec<String> = rated
            .map(|player| format!("{} {}", player.name, elo_text(player.elo)))
            .collect();
        let pairs = count(summary.pairs, "pair");
        match ratings.is_empty() {
            true => "no pairs yet".to_string(),
            false => format!("{pairs}: {}", ratings.join(", ")),
        }
    }

    /// The final table, and below it a line for each two engines that met, and the test.
    pub fn table(&self) -> String {
        let summary = self.summary();
        let mut table = Table::new();
        table.load_preset(presets::ASCII_MARKDOWN);
        let [first, second] = summary.sides.each_ref().map(|side| format!("as {side}"));
        let heads = [
            "", "name", "games", "pairs", "score", "Elo", &first, &second, "ms/move", "losses",
        ];
        table.set_header(heads);
        for (rank, player) in summary.players.iter().enumerate() {
            let [first, second] = player.roles.each_ref().map(results_text);
            table.add_row([
                (rank + 1).to_string(),
                player.name.clone(),
                player.results.games().to_string(),
                player.pairs.to_string(),
                percent(player.score),
                elo_text(player.elo),
                first,
                second,
                player.time.map_or("–".into(), |time| format!("{time:.1}")),
                reasons_text(&player.losses),
            ]);
        }
        for (column, head) in table.column_iter_mut().zip(heads) {
            if !matches!(head, "name" | "losses") {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut text = format!("{table}\n");
        for player in &summary.players {
            for remark in &player.remarks {
                text += &format!("{}: {remark}\n", player.name);
            }
        }
        for duel in &summary.duels {
            let [first, second] = duel.engines.map(|engine| &self.names[engine]);
            text += &format!("\n{first} against {second}: {}\n", duel_text(duel));
            text += &duel_details(duel, &summary.sides);
        }
        let [first, second] = &summary.sides;
        if summary.first_side.games() > 0 {
            let results = results_text(&summary.first_side);
            text += &format!(
                "\n{first} against {second}: {results}; {}\n",
                reasons_text(&summary.reasons)
            );
        }
        if let Some(state) = summary.sprt {
            text += &format!("{state}\n");
        }
        text
    }
}

/// What a duel has come to, in part of a line.
fn duel_text(duel: &Duel) -> String {
    let results = duel.roles[0].plus(&duel.roles[1]);
    let pairs = match duel.counts.kind {
        Kind::Pentanomial => format!("pairs {}", cells_text(&duel.counts.cells)),
        Kind::Trinomial => {
            let [lost, _, drawn, _, won] = duel.counts.cells;
            format!("matches +{won} ={drawn} -{lost}")
        }
    };
    let games = match duel.counts.kind {
        Kind::Pentanomial => "",
        Kind::Trinomial => "battles ",
    };
    format!(
        "{games}{}, {pairs}, Elo {}, LOS {}",
        results_text(&results),
        elo_text(duel.elo),
        percent(duel.superiority)
    )
}

/// The rest that is known of a duel, two lines or three.
fn duel_details(duel: &Duel, sides: &[String; 2]) -> String {
    let mut text = format!(
        "  normalised Elo {}, drawn games {}, even pairs {}\n",
        elo_text(duel.normalized),
        percent(duel.drawn_games),
        percent(duel.drawn_pairs)
    );
    let roles = sides.iter().zip(&duel.roles);
    let roles: Vec<String> = roles
        .map(|(side, role)| format!("as {side} {}", results_text(role)))
        .collect();
    text += &format!("  {}\n", roles.join(", "));
    if let Some(margin) = duel.margin {
        let error = margin
            .error
            .map_or(String::new(), |error| format!(" ± {error:.1}"));
        text += &format!("  margin of a battle {:+.1}{error}", margin.mean);
        for (side, margin) in sides.iter().zip(duel.margins) {
            if let Some(margin) = margin {
                text += &format!(", as {side} {:+.1}", margin.mean);
            }
        }
        text.push('\n');
    }
    text
}

fn cells_text(cells: &[u64; 5]) -> String {
    cells.map(|cell| cell.to_string()).join("/")
}

/// `+12 =3 -5 (67.5 %)`
fn results_text(results: &Results) -> String {
    let Results { won, drawn, lost } = results;
    format!("+{won} ={drawn} -{lost} ({})", percent(results.score()))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{:.1} %", share * 100.0))
}

fn elo_text(elo: Option<Estimate>) -> String {
    elo.map_or("–".into(), |elo| {
        // Rounded first, and without the sign of a negative zero.
        let value = (elo.value * 10.0).round() / 10.0 + 0.0;
        format!("{value:+.1} ± {:.1}", elo.error())
    })
}

fn reasons_text(reasons: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = reasons
        .iter()
        .map(|(reason, count)| format!("{reason} {count}"))
        .collect();
    parts.join(", ")
}

fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
