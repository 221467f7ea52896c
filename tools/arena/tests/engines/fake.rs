//! An engine for tests that plays by the rules until it misbehaves in the way that its first argument names.
//!
//! `fake-engine FAULT [MOVES]`: the fault comes with the move after so many good ones (0 if left out). It plays the first
//! legal move in the order of their texts that does not end the game, so its games can be foretold; with `nodes N` it takes
//! the Nth of them.

use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::variants;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

fn session(variant: &str) -> Result<Box<dyn Session>, String> {
    let config = Config {
        table: Arc::new(Table::new(1)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    variants::open(variant, config)
}

fn write(bytes: &[u8]) {
    let mut out = std::io::stdout();
    // A driver that is gone ends this process by itself.
    let _ = out.write_all(bytes);
    let _ = out.flush();
}

fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

struct Fake {
    fault: String,
    /// Good moves before the fault.
    good: usize,
    moves: usize,
    session: Box<dyn Session>,
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let fault = arguments.next().unwrap_or_default();
    let good = arguments
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(0);
    let mut fake = Fake {
        fault,
        good,
        moves: 0,
        session: session("thud")?,
    };
    match fake.fault.as_str() {
        "no-hello" => sleep_for_ever(),
        "ends-at-once" => std::process::exit(7),
        "fills-stderr" => {
            for number in 0..200_000 {
                eprintln!("something is not quite as it should be, number {number}");
            }
        }
        "child" => {
            let me = std::env::current_exe().map_err(|error| error.to_string())?;
            let child = std::process::Command::new(me)
                .arg("no-hello")
                .args(std::env::args().skip(2))
                .spawn();
            let child = child.map_err(|error| error.to_string())?;
            eprintln!("child {}", child.id());
        }
        _ => {}
    }
    let mut line = String::new();
    while std::io::stdin()
        .read_line(&mut line)
        .is_ok_and(|count| count > 0)
    {
        if !fake.obey(line.trim())? {
            break;
        }
        line.clear();
    }
    if fake.fault == "ignores-the-end" {
        sleep_for_ever();
    }
    Ok(())
}

impl Fake {
    fn obey(&mut self, line: &str) -> Result<bool, String> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => {
                say("id name Fake 1");
                say(
                    "option name UCI_Variant type combo default thud var thud var tawlbwrdd var hnefatafl7",
                );
                say("option name Hash type spin default 1 min 1 max 16");
                say("option name Ponder type check default false");
                if self.fault.starts_with("offer") {
                    say("option name Offers type check default false");
                }
                say("uciok");
            }
            Some("isready") if self.fault == "never-ready" => sleep_for_ever(),
            Some("isready") => say("readyok"),
            Some("ucinewgame") => self.moves = 0,
            Some("setoption") => {
                if let Some(variant) = line.strip_prefix("setoption name UCI_Variant value ") {
                    self.session = session(variant)?;
                }
            }
            Some("position") => {
                let (place, moves) = line.split_once(" moves").unwrap_or((line, ""));
                self.session
                    .set_position(place.strip_prefix("position fen "))?;
                let moves: Vec<&str> = moves.split_whitespace().collect();
                self.session
                    .play(&moves)
                    .map_err(|refusal| refusal.message)?;
            }
            Some("go") => self.go(&words.collect::<Vec<_>>()),
            Some("quit") => return Ok(self.fault == "ignores-quit"),
            _ => {}
        }
        Ok(true)
    }

    fn choose(&mut self, go: &[&str]) -> String {
        let mut moves = self.session.moves().unwrap_or_default();
        moves.sort();
        let nodes = go.iter().position(|&word| word == "nodes");
        let number = nodes.and_then(|at| go.get(at + 1)?.parse::<usize>().ok());
        let count = moves.len().max(1);
        moves
            .into_iter()
            .nth((number.unwrap_or(1).max(1) - 1) % count)
            .unwrap_or("(none)".into())
    }

    fn go(&mut self, words: &[&str]) {
        let mv = self.choose(words);
        self.moves += 1;
        let fault = self.fault.clone();
        let fault = match self.moves > self.good {
            true => fault.as_str(),
            false => "",
        };
        break_down(fault, &mv);
        let answer = match fault {
            "garbage" => {
                write(b"\xff\xfe\x00\x1b[2J garbage\nbestmove \xff\xff\n");
                return;
            }
            "noise" => {
                write(b"\xff\xfe\x00 noise\n\n\r\nbestmoves are many\ninfo\ninfo score pv\n");
                format!("  bestmove   {}  \r", mv.to_uppercase())
            }
            "illegal" => "bestmove a1a1".into(),
            "none" => "bestmove (none)".into(),
            "empty" => "bestmove".into(),
            "offer" => format!("bestmove {mv} offer"),
            // Two answers for one question: the second must not be taken for that of a later one.
            "answers-twice" => format!("bestmove {mv}\nbestmove a1a1"),
            "ponder" => self.ponder(words, &mv),
            _ => format!("bestmove {mv}"),
        };
        match fault {
            "no-score" => {}
            "wrong-pv" => score("a1a1"),
            "illegal-pv" => score(&format!("{mv} a1a1")),
            _ => score(&mv),
        }
        if fault == "late" {
            std::thread::sleep(Duration::from_millis(400));
        }
        say(&answer);
    }

    /// Answers a search on the opponent's time only when it is told to; tells which reply it expects.
    fn ponder(&mut self, words: &[&str], mv: &str) -> String {
        if words.contains(&"ponder") {
            let mut line = String::new();
            // The end of the input ends it, too.
            while std::io::stdin()
                .read_line(&mut line)
                .is_ok_and(|count| count > 0)
            {
                match line.trim() {
                    "isready" => say("readyok"),
                    "stop" | "ponderhit" => break,
                    _ => {}
                }
                line.clear();
            }
        }
        let _ = self.session.play(&[mv]);
        let reply = self.choose(words);
        format!("bestmove {mv} ponder {reply}")
    }
}

fn score(pv: &str) {
    say(&format!("info depth 1 score cp 0 nodes 1 pv {pv}"));
}

/// The faults after which nothing more comes.
fn break_down(fault: &str, mv: &str) {
    match fault {
        "crash" => {
            eprintln!("assertion failed: everything");
            std::process::exit(3);
        }
        "abort" => std::process::abort(),
        "hang" | "ignores-stop" => {
            score(mv);
            sleep_for_ever();
        }
        "half-line" => {
            write(b"bestm");
            sleep_for_ever();
        }
        "half-line-and-end" => {
            write(b"bestm");
            std::process::exit(0);
        }
        "flood" => loop {
            say("info string still thinking, still thinking, still thinking, still thinking");
        },
        "flood-answers" => loop {
            say("readyok");
        },
        "long-line" => {
            let chunk = [b'x'; 1 << 16];
            while std::io::stdout().write_all(&chunk).is_ok() {}
            sleep_for_ever();
        }
        "close-output" => {
            close(1);
            sleep_for_ever();
        }
        "close-input" => {
            close(0);
            score(mv);
            say(&format!("bestmove {mv}"));
            sleep_for_ever();
        }
        _ => {}
    }
}

#[cfg(unix)]
fn close(pipe: i32) {
    let _ = nix::unistd::close(pipe);
}

#[cfg(not(unix))]
fn close(_: i32) {}
