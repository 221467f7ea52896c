//! What is seen of a run while it lasts: a bar at a terminal, plain lines elsewhere.

use super::tally::Tally;
use crate::record::Pair;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The display.
pub struct Progress {
    bar: Option<ProgressBar>,
    names: Vec<String>,
    total: u64,
    silent: bool,
}

impl Progress {
    /// A display of `total` pairs, of which `done` were played before.
    pub fn new(names: Vec<String>, total: u64, done: u64, silent: bool) -> Self {
        let bar = (!silent && std::io::stdout().is_terminal()).then(|| {
            let bar = ProgressBar::new(total).with_position(done);
            let template = "{bar:30} {pos}/{len} pairs, {per_sec}, {eta} left\n{msg}";
            // The template is a constant that reads.
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress {
            bar,
            names,
            total,
            silent,
        }
    }

    /// Shows a line of its own.
    pub fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None if self.silent => {}
            None => println!("{line}"),
        }
    }

    /// Shows a finished pair; `running` are being played still.
    pub fn pair(&self, pair: &Pair, tally: &Tally, running: usize) {
        let games: Vec<String> = pair.games.iter().map(|game| self.game(game)).collect();
        let scores = tally.scores();
        match &self.bar {
            Some(bar) => {
                bar.inc(1);
                // A cross table has no room here; the line that has just changed has.
                let [a, b] = pair.engines.map(|engine| &self.names[engine]);
                let about = |line: &&String| {
                    line.starts_with(&format!("{a} – {b}:"))
                        || line.starts_with(&format!("{b} – {a}:"))
                };
                let score = scores.iter().find(about).cloned().unwrap_or_default();
                bar.set_message(format!(
                    "{score}\n{running} pairs being played; last: {}",
                    games.join(", ")
                ));
            }
            None if self.silent => {}
            None => {
                let number = pair.index + 1;
                println!("pair {number} of {}: {}", self.total, games.join(", "));
                for line in scores.iter().filter(|_| scores.len() == 1) {
                    println!("{line}");
                }
            }
        }
    }

    fn game(&self, game: &crate::record::Game) -> String {
        let [a, b] = game.players.map(|engine| &self.names[engine]);
        let result = match game.winner {
            Some(0) => "1-0",
            Some(_) => "0-1",
            None => "½-½",
        };
        let late = if game.notes.arena_late.is_some() {
            ", arena late"
        } else {
            ""
        };
        format!(
            "{a} – {b} {result} ({}{late}, {} moves)",
            game.reason,
            game.moves.len()
        )
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
