//! The fixed opponents as engines: the mover at random and the yardstick of the slow reference, over the `uci` dialect of
//! `protocol.md`, so that a tournament manager can play them.
//!
//! Owns the dialogue alone. A choice follows from `Seed` and the game so far and from nothing else, so that a game that was
//! broken off is the same when it is played again, whatever the process has played before.

#[path = "../../../../tests/reference/mod.rs"]
mod reference;

use clap::{Parser, ValueEnum};
use reference::{Game, Position, RandomMover, VARIANTS, Yardstick};
use std::io::{BufRead, Write};

#[derive(Parser)]
#[command(version, about = "A fixed opponent that speaks the uci dialect")]
struct Arguments {
    /// Who it is
    #[arg(value_enum)]
    player: Player,
}

#[derive(Clone, Copy, ValueEnum)]
enum Player {
    /// Moves at random
    Random,
    /// A plain 2-ply material search
    Yardstick,
}

fn main() -> std::io::Result<()> {
    let mut opponent = Opponent::new(Arguments::parse().player);
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim() == "quit" {
            break;
        }
        let answer = opponent
            .obey(line.trim())
            .unwrap_or_else(|error| format!("info string error: {error}\n"));
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

struct Opponent {
    player: Player,
    variant: &'static str,
    seed: u64,
    /// The words before `moves` of the position, and the moves.
    start: String,
    moves: Vec<String>,
    /// The game there; none after a position that could not be read.
    game: Option<Game>,
}

/// A game that begins here. When it ends is the driver's concern: limits are off, the board alone decides.
fn begin(variant: &str, start: &str) -> Result<Game, String> {
    let position = match start.split_once(' ') {
        None if start == "startpos" => Position::start(variant),
        Some(("fen", text)) => Position::parse(variant, text.trim())?,
        _ => return Err(format!("position '{start}', startpos or fen expected")),
    };
    Ok(Game::with_limits(position, 0, 0))
}

impl Opponent {
    fn new(player: Player) -> Self {
        let variant = VARIANTS[0];
        Opponent {
            player,
            variant,
            seed: 1,
            start: "startpos".into(),
            moves: Vec::new(),
            game: begin(variant, "startpos").ok(),
        }
    }

    /// Carries out a line and returns what is to be printed.
    fn obey(&mut self, line: &str) -> Result<String, String> {
        let (command, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match command {
            "uci" => Ok(self.hello()),
            "isready" => Ok("readyok\n".into()),
            "setoption" => self.set_option(rest).map(|()| String::new()),
            "position" => {
                let set = self.set_position(rest);
                if set.is_err() {
                    self.game = None;
                }
                set.map(|()| String::new())
            }
            "go" => Ok(self.go()),
            // A move takes no time, so there is nothing to be stopped, and no game is remembered.
            "" | "ucinewgame" | "stop" | "ponderhit" | "debug" => Ok(String::new()),
            _ => Err(format!("unknown command '{command}'")),
        }
    }

    fn hello(&self) -> String {
        let name = match self.player {
            Player::Random => "Random mover",
            Player::Yardstick => "Yardstick",
        };
        let mut text = format!(
            "id name {name}\noption name UCI_Variant type combo default {}",
            VARIANTS[0]
        );
        for variant in VARIANTS {
            text += &format!(" var {variant}");
        }
        text + &format!("\noption name Seed type spin default 1 min 0 max {MAX_SEED}\nuciok\n")
    }

    fn set_option(&mut self, words: &str) -> Result<(), String> {
        let named = words.strip_prefix("name ").and_then(|words| {
            let (name, value) = words.split_once(" value ")?;
            Some((name.trim(), value.trim()))
        });
        let (name, value) = named.ok_or("setoption: name N value V expected")?;
        if name.eq_ignore_ascii_case("UCI_Variant") {
            let mut known = VARIANTS.into_iter();
            let found = known.find(|known| known.eq_ignore_ascii_case(value));
            self.variant = found.ok_or_else(|| {
                format!(
                    "unknown variant '{value}', one of {} expected",
                    VARIANTS.join(" ")
                )
            })?;
            self.start.clear();
            return self.set_position("startpos");
        }
        if name.eq_ignore_ascii_case("Seed") {
            let seed = value.parse().ok().filter(|seed| *seed <= MAX_SEED);
            self.seed = seed.ok_or_else(|| format!("Seed '{value}', 0 to {MAX_SEED} expected"))?;
            return Ok(());
        }
        Err(format!("unknown option '{name}'"))
    }

    /// Sets up a position. One that only grows by moves is not played anew, which the slow rules would feel.
    fn set_position(&mut self, words: &str) -> Result<(), String> {
        let (start, moves) = words.split_once("moves").unwrap_or((words, ""));
        let start = start.trim();
        let moves: Vec<String> = moves.split_ascii_whitespace().map(str::to_string).collect();
        let known = self.moves.len();
        let grows = start == self.start && moves.starts_with(&self.moves);
        let (mut game, known) = match self.game.take().filter(|_| grows) {
            Some(game) => (game, known),
            None => (begin(self.variant, start)?, 0),
        };
        for mv in &moves[known..] {
            game.play(mv)?;
        }
        self.start = start.to_string();
        self.moves = moves;
        self.game = Some(game);
        Ok(())
    }

    fn go(&self) -> String {
        let Some(game) = &self.game else {
            return "info string error: no position\nbestmove (none)\n".into();
        };
        let dice = self.dice();
        let choice = match self.player {
            Player::Random => RandomMover::new(dice).choose(game),
            Player::Yardstick => Yardstick::new(dice).choose(game),
        };
        match choice {
            // A score is owed with every move; these players have no opinion of the position.
            Some(mv) => format!("info depth 1 score cp 0 pv {mv}\nbestmove {mv}\n"),
            None => "bestmove (none)\n".into(),
        }
    }

    /// A number that every game and every move of it has for itself: FNV-1a of the position line, from the seed.
    fn dice(&self) -> u64 {
        let words = [&self.start].into_iter().chain(&self.moves);
        let bytes = words.flat_map(|word| word.bytes().chain([b' ']));
        let from = self.seed.to_le_bytes().into_iter();
        from.chain(bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// The largest seed that the option takes.
const MAX_SEED: u64 = 1 << 32;

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed after these lines, in turn.
    fn said(player: Player, lines: &[&str]) -> String {
        let mut opponent = Opponent::new(player);
        let answers = lines.iter().map(|line| match opponent.obey(line) {
            Ok(answer) => answer,
            Err(error) => format!("error: {error}\n"),
        });
        answers.collect()
    }

    fn best(player: Player, lines: &[&str]) -> String {
        let said = said(player, lines);
        let (_, best) = said.trim_end().rsplit_once("bestmove ").expect("a move");
        best.to_string()
    }

    const SEVEN: &str = "setoption name UCI_Variant value hnefatafl7";

    #[test]
    fn it_says_who_it_is_and_what_it_plays() {
        let said = said(Player::Yardstick, &["uci", "isready"]);
        assert!(said.starts_with("id name Yardstick\n"), "{said}");
        assert!(said.contains(" var tawlbwrdd var "), "{said}");
        assert!(said.ends_with("uciok\nreadyok\n"), "{said}");
    }

    #[test]
    fn a_choice_follows_from_seed_and_game_alone() {
        let after = |seed: &str, before: &[&str]| {
            let seed = format!("setoption name Seed value {seed}");
            let first = [SEVEN, &seed];
            let last = ["position startpos moves d1c1 d3c3", "go nodes 5"];
            best(Player::Random, &[&first, before, &last].concat())
        };
        let move_of_7 = after("7", &[]);
        let other_game = ["position startpos moves d1e1", "go", "ucinewgame"];
        assert_eq!(after("7", &other_game), move_of_7);
        let same_game = ["position startpos moves d1c1", "go"];
        assert_eq!(after("7", &same_game), move_of_7);
        let others = (8..28).map(|seed| after(&seed.to_string(), &[]));
        assert!({ others }.any(|mv| mv != move_of_7));
    }

    #[test]
    fn the_yardstick_takes_a_win_that_is_there() {
        let won = "position fen 7/7/7/5t1/7/7/3K3 d 0 1";
        let mv = best(Player::Yardstick, &[SEVEN, won, "go movetime 1"]);
        assert!(["d1a1", "d1g1"].contains(&mv.as_str()), "{mv}");
    }

    #[test]
    fn a_game_that_is_over_and_no_position_have_no_move() {
        let over = "position fen 7/7/7/5t1/7/7/K6 a 0 1";
        assert_eq!(best(Player::Random, &[SEVEN, over, "go"]), "(none)");
        let lines = ["position startpos moves a1a2", "go"];
        let said = said(Player::Random, &lines);
        assert!(said.starts_with("error: "), "{said}");
        assert!(said.ends_with("no position\nbestmove (none)\n"), "{said}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, named) in [
            ("setoption name UCI_Variant value chess", "'chess'"),
            ("setoption name Seed value -1", "'-1'"),
            ("setoption name Hash value 1", "'Hash'"),
            ("setoption Seed", "value V expected"),
            ("position here", "'here'"),
            ("fly", "'fly'"),
        ] {
            let said = said(Player::Random, &[line]);
            assert!(
                said.starts_with("error: ") && said.contains(named),
                "{said}"
            );
        }
    }
}
