//! The dialect `htp` from outside: every command and its errors, the form of lines and answers, the rules that the servers
//! add to Copenhagen, whole games, and the end of input at any time.

mod commands;
#[path = "../driver/mod.rs"]
mod driver;
mod games;
mod lines;

use driver::{Engine, PATIENCE};
use std::collections::BTreeMap;

const START: &str = "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/";

const COMMANDS: [&str; 17] = [
    "board_size",
    "final_status",
    "first_move",
    "generate_move",
    "known_command",
    "list_commands",
    "name",
    "play",
    "play_from",
    "play_to",
    "play_undo",
    "protocol_version",
    "quit",
    "show_board",
    "show_board_open_tafl",
    "time_settings",
    "version",
];

fn words(text: &str) -> Vec<&str> {
    text.split_ascii_whitespace().collect()
}

/// An engine that speaks htp.
struct Htp(Engine);

impl Htp {
    fn new() -> Htp {
        Htp(Engine::start(&["--protocol", "htp"]))
    }

    /// The next answer: its lines up to the empty one.
    fn answer(&mut self) -> String {
        let mut lines: Vec<String> = Vec::new();
        loop {
            match self.0.try_line(PATIENCE) {
                Ok(Some(line)) if line.text.is_empty() => break,
                Ok(Some(line)) => lines.push(line.text),
                Ok(None) => self.0.fail("no answer in time"),
                Err(()) => self.0.fail("the output ended in an answer"),
            }
        }
        self.0.check(
            lines
                .first()
                .is_some_and(|line| line.starts_with(['=', '?'])),
            "an answer begins with = or ?",
        );
        lines.join("\n")
    }

    fn ask(&mut self, line: &str) -> String {
        self.0.send(line);
        self.answer()
    }

    /// What follows `= ` in the answer to a line that is in order.
    fn get(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        match answer.strip_prefix("= ") {
            Some(text) => text.to_string(),
            None => self.0.fail(&format!("`{line}` is in order")),
        }
    }

    fn play(&mut self, moves: &[&str]) {
        for mv in moves {
            assert_eq!(self.get(&format!("play {mv}")), "", "{mv}");
        }
    }

    /// Role, from and to of a move that the engine makes.
    fn generate(&mut self) -> [String; 3] {
        let answer = self.get("generate_move");
        let words: Vec<String> = words(&answer).into_iter().map(String::from).collect();
        match <[String; 4]>::try_from(words) {
            Ok([play, role, from, to]) if play == "play" => [role, from, to],
            _ => self.0.fail("play ROLE FROM TO"),
        }
    }

    /// Ends the input: what was still said, and that nothing went to stderr.
    fn finish(&mut self) -> Vec<String> {
        let lines = self.0.finish();
        assert_eq!(self.0.stderr(), "");
        lines
    }
}

/// The squares that are not empty, from an OpenTafl position text.
fn pieces(text: &str) -> BTreeMap<String, char> {
    let rows: Vec<&str> = text.trim_matches('/').split('/').collect();
    let mut pieces = BTreeMap::new();
    for (rank, row) in (1..).zip(&rows) {
        let (mut file, mut empty) = (0, 0);
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                empty = 10 * empty + digit as u8;
            } else {
                file += std::mem::take(&mut empty);
                pieces.insert(format!("{}{rank}", char::from(b'a' + file)), letter);
                file += 1;
            }
        }
        assert_eq!(usize::from(file + empty), rows.len(), "{text}");
    }
    pieces
}
