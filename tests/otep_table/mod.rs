//! A host of OpenTafl's protocol for the black-box tests: starts the engine, says lines, and reads what it says strictly.
//! What is legal comes from the library, through a session of its own.
//!
//! Time-outs only turn a hang into a failure; nothing here measures speed.

#![allow(dead_code)]

use huscarl::game::Side;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::tafl::spec::Spec;
use huscarl::variants;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a line may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A game on the 7×7 board.
pub const BRANDUB: &str =
    "dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
/// Its start position.
pub const BRANDUB_START: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
/// A game on the 11×11 board.
pub const FETLAR: &str = "dim:11 name:Fetlar atkf:y nj:n cj:n start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/";
/// Its start position.
pub const FETLAR_START: &str =
    "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/";

/// A clock that makes moves quick.
pub const SHORT: &str = "clock 900 900 1 3 3 ";

/// What is legal in the game of a rules record.
pub fn truth(record: &str) -> Truth {
    Truth::new(record).expect("the game can be played")
}

/// A running engine and all that was said.
pub struct Host {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    said: Vec<String>,
}

impl Host {
    /// The engine without arguments.
    pub fn new() -> Host {
        Host::start(&[])
    }

    /// The engine, asked for as many messages on stderr as it can be.
    pub fn start(args: &[&str]) -> Host {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huscarl"));
        command.args(args);
        Host::spawn(command)
    }

    /// The engine, started by this command.
    pub fn spawn(mut command: Command) -> Host {
        let mut child = command
            .env("RUST_LOG", "trace")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let stdin = child.stdin.take();
        let mut stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(n @ 1..) = stdout.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..n]).into_owned();
                // OpenTafl ends with an exception when a line comes in two pieces.
                let whole = if text.ends_with('\n') { "" } else { "TORN " };
                for line in text.lines() {
                    if sender.send(format!("{whole}{line}")).is_err() {
                        return;
                    }
                }
            }
        });
        let mut errors = child.stderr.take().expect("stderr is piped");
        let stderr = std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = errors.read_to_end(&mut all);
            all
        });
        Host {
            child,
            stdin,
            lines,
            stderr: Some(stderr),
            said: Vec::new(),
        }
    }

    /// The engine in a game with these rules.
    pub fn game(record: &str) -> Host {
        let mut host = Host::new();
        host.send(&format!("rules {record}"));
        host.greeting();
        host
    }

    /// Fails with what was said so far.
    pub fn fail(&self, what: &str) -> ! {
        let tail = self.said.len().saturating_sub(60);
        panic!(
            "{what}\n--- said last ---\n{}",
            self.said[tail..].join("\n")
        );
    }

    /// Writes these bytes in one go.
    pub fn raw(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.said.push(format!("host> {}", text.trim_end()));
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the engine reads");
    }

    /// Writes a line, or several in one go.
    pub fn send(&mut self, line: &str) {
        self.raw(format!("{line}\n").as_bytes());
    }

    /// The next line, `None` at the end of the output.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.said.push(format!("engine> {line}"));
                if line.starts_with("TORN") || line.contains('\r') {
                    self.fail("a line is one write that ends with its newline");
                }
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("no line in time"),
        }
    }

    /// The next line that is not a status.
    pub fn answer(&mut self) -> String {
        loop {
            match self.line() {
                Some(line) if line.starts_with("status ") => {}
                Some(line) => return line,
                None => self.fail("the output ends before an answer"),
            }
        }
    }

    /// The next answer, which must begin with these words; the rest of it.
    pub fn expect(&mut self, words: &str) -> String {
        let line = self.answer();
        match line.strip_prefix(words) {
            Some(rest) => rest.trim_start().to_string(),
            None => self.fail(&format!("`{words}` expected, not `{line}`")),
        }
    }

    /// What comes before everything else.
    pub fn greeting(&mut self) {
        assert_eq!(self.expect("hello"), "");
        assert_eq!(self.expect("simple-moves"), "on");
    }

    /// Asks for a move and gets exactly one, which is legal in the host's position.
    pub fn play(&mut self, side: &str, truth: &mut Truth, position: &str) -> String {
        self.send(&format!("play {side}"));
        self.a_move(side, truth, position)
    }

    /// The move that was asked for.
    pub fn a_move(&mut self, side: &str, truth: &mut Truth, position: &str) -> String {
        let mv = self.expect("move ");
        if !truth.legal(position, side).contains(&mv) {
            self.fail(&format!("`{mv}` is not legal for {side} in {position}"));
        }
        mv
    }

    /// Waits until everything said before has been carried out; nothing may have been printed by then.
    pub fn silent(&mut self) {
        self.send("clock synchronize");
        let line = self.expect("error 0");
        if !line.starts_with("clock") {
            self.fail("nothing is said about it");
        }
    }

    /// Says goodbye; the lines that still come.
    pub fn goodbye(mut self) -> Vec<String> {
        self.send("goodbye");
        self.end()
    }

    /// Closes the input; the lines that still come.
    pub fn hang_up(mut self) -> Vec<String> {
        self.end()
    }

    fn end(&mut self) -> Vec<String> {
        self.stdin = None;
        let mut rest = Vec::new();
        while let Some(line) = self.line() {
            rest.push(line);
        }
        let limit = Instant::now() + PATIENCE;
        let status = loop {
            match self.child.try_wait().expect("the engine can be waited for") {
                Some(status) => break status,
                None if Instant::now() > limit => self.fail("the engine does not end"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        if !status.success() {
            self.fail(&format!("the engine ended with {status}"));
        }
        let errors = self.stderr.take().map(|reader| reader.join().unwrap());
        assert_eq!(
            String::from_utf8_lossy(&errors.unwrap_or_default()),
            "",
            "nothing on stderr"
        );
        rest
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is legal, by the library's rules.
pub struct Truth {
    session: Box<dyn Session>,
}

impl Truth {
    /// By these rules; an error where they can not be played.
    pub fn new(record: &str) -> Result<Truth, String> {
        let config = Config {
            table: Arc::new(Table::new(1)?),
            threads: 1,
            repetition: None,
            quiet: None,
        };
        let spec = Spec::from_record(record)?;
        let session = variants::open_spec(&spec, config)?;
        Ok(Truth { session })
    }

    /// The legal moves as a host writes them, `d1-e1`; `^` and `=` are not told apart here.
    pub fn legal(&mut self, position: &str, side: &str) -> Vec<String> {
        let ranks: Vec<&str> = position.trim_matches('/').split('/').rev().collect();
        let text = format!("{} {}", ranks.join("/"), &side[..1]);
        self.session
            .set_position(Some(&text))
            .unwrap_or_else(|why| panic!("{position}: {why}"));
        let moves = self.session.moves().expect("there is a position");
        moves.iter().map(|mv| with_dash(mv)).collect()
    }

    /// The host's position after a move in one.
    pub fn after(&mut self, position: &str, side: &str, mv: &str) -> String {
        assert!(self.legal(position, side).contains(&mv.to_string()), "{mv}");
        self.session.play(&[&mv.replace('-', "")]).expect("legal");
        let text = self.session.position_text().expect("there is a position");
        let rows = text.split(' ').next().unwrap_or_default();
        let ranks: Vec<&str> = rows.split('/').rev().collect();
        format!("/{}/", ranks.join("/"))
    }

    /// Whether this position text of ours can be read.
    pub fn knows(&mut self, text: &str) -> bool {
        self.session.set_position(Some(text)).is_ok()
    }

    /// Whose turn it is after [`Truth::after`].
    pub fn side(&self) -> Option<Side> {
        self.session.side()
    }
}

/// `d1e1` as `d1-e1`.
pub fn with_dash(mv: &str) -> String {
    let second = 1 + mv[1..].find(|c: char| c.is_ascii_lowercase()).expect(mv);
    format!("{}-{}", &mv[..second], &mv[second..])
}
