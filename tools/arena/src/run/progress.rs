//! What is seen of a run while it lasts: a bar at a terminal, plain lines elsewhere.

use crate::record::Pair;
use crate::standings::Standings;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

/// The display.
pub struct Progress {
    bar: Option<ProgressBar>,
    names: Vec<String>,
    total: u64,
    silent: bool,
    /// The score and the games of the last pair, for the bar.
    last: String,
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
            last: String::new(),
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

    /// Shows a finished pair.
    pub fn pair(&mut self, pair: &Pair, standings: &Standings) {
        let games: Vec<String> = pair.games.iter().map(|game| self.game(game)).collect();
        let games = games.join(", ");
        match &self.bar {
            Some(bar) => {
                bar.inc(1);
                self.last = format!("{}\nlast: {games}\n", standings.line());
            }
            None if self.silent => {}
            None => {
                let number = pair.index + 1;
                println!("pair {number} of {}: {games}", self.total);
                println!("{}", standings.line());
            }
        }
    }

    /// Shows which pairs are being played: their numbers and engines.
    pub fn running(&self, pairs: &BTreeMap<u64, [usize; 2]>) {
        if let Some(bar) = &self.bar {
            let one = |(index, engines): (&u64, &[usize; 2])| {
                let [a, b] = engines.map(|engine| &self.names[engine]);
                format!("{} ({a} – {b})", index + 1)
            };
            let now: Vec<String> = pairs.iter().map(one).collect();
            bar.set_message(format!("{}playing: {}", self.last, now.join(", ")));
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
