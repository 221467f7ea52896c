//! A dialogue with an engine: what is sent, which of its lines mean something, and what a search says.

use super::process::{Process, Silence, shorten};
use super::report::{Info, Search};
use crate::engine::Program;
use crate::lifeline::Lifeline;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::variants;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What every error line begins with.
pub(super) const ERROR: &str = "info string error: ";
/// How long something is watched not to happen.
pub(super) const A_WHILE: Duration = Duration::from_millis(60);

/// The two dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Uci,
    Ugi,
}

impl Dialect {
    /// The word that says hello.
    pub(super) fn hello(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ugi => "ugi",
        }
    }
}

/// What the engine under test is, as its first hello told.
pub(super) struct Subject {
    /// Program and arguments.
    pub(super) command: Vec<String>,
    /// Folder to start it in.
    pub(super) dir: Option<PathBuf>,
    /// Sees to it that no process is left.
    pub(super) lifeline: Arc<Lifeline>,
    pub(super) dialect: Dialect,
    /// Options that every process is given, by name and value.
    pub(super) options: Vec<(String, String)>,
    /// How long a line may take.
    pub(super) patience: Duration,
    /// Its option lines.
    pub(super) offered: Vec<String>,
}

impl Subject {
    /// What is to be started.
    fn program(&self) -> Verdict<Program<'_>> {
        let (cmd, args) = self.command.split_first().ok_or("no program to start")?;
        Ok(Program {
            cmd: Path::new(cmd),
            args,
            dir: self.dir.as_deref(),
        })
    }

    /// The option line with this name, whatever its case.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let line = self.offered.iter().find(|line| {
            super::report::option_name(line).is_some_and(|known| known.eq_ignore_ascii_case(name))
        });
        line.map(String::as_str)
    }

    /// The variants of the library that the engine offers.
    pub(super) fn variants(&self) -> Vec<&'static str> {
        let line = self.option("UCI_Variant").unwrap_or_default();
        let words: Vec<&str> = line.split(' ').collect();
        let offers = |name: &str| words.windows(2).any(|pair| pair == ["var", name]);
        variants::names().filter(|name| offers(name)).collect()
    }
}

/// A dialogue.
pub(super) struct Talk<'s> {
    pub(super) subject: &'s Subject,
    pub(super) process: Process,
    /// The `info` lines with fields since the last `bestmove`.
    infos: Vec<Info>,
    /// The error lines since the last `bestmove` that [`Talk::answer`] passed over.
    errors: Vec<String>,
}

/// What a check comes to: a sentence on what was expected and what came.
pub(super) type Verdict<T = ()> = Result<T, String>;

/// Whether a line is one of the kinds that a driver acts on. The others, `info` lines and unknown kinds among them, are
/// to be passed over.
fn is_significant(line: &str) -> bool {
    let words = [
        "bestmove", "response", "readyok", "uciok", "ugiok", "id", "option",
    ];
    let first = line.split(' ').next().unwrap_or_default();
    words.contains(&first)
        || line.starts_with("Nodes searched:")
        || line.starts_with(ERROR.trim_end())
        || is_perft_row(line)
}

/// `move: count`
fn is_perft_row(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(mv, count)| {
        let mv = mv.as_bytes();
        let square = |at: usize| {
            mv.get(at).is_some_and(u8::is_ascii_lowercase)
                && mv.get(at + 1).is_some_and(u8::is_ascii_digit)
        };
        square(0) && !count.is_empty() && count.bytes().all(|digit| digit.is_ascii_digit())
    })
}

impl<'s> Talk<'s> {
    /// A process to which nothing was said.
    pub(super) fn bare(subject: &'s Subject) -> Verdict<Talk<'s>> {
        Ok(Talk {
            subject,
            process: Process::start(&subject.program()?, &subject.lifeline)?,
            infos: Vec::new(),
            errors: Vec::new(),
        })
    }

    /// Says hello and sets the options that every process is given.
    pub(super) fn begin(&mut self, dialect: Dialect) -> Verdict {
        self.greet(dialect)?;
        for (name, value) in &self.subject.options {
            self.accept(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }

    /// Says hello and returns the lines before its end.
    pub(super) fn greet(&mut self, dialect: Dialect) -> Verdict<Vec<String>> {
        self.send(dialect.hello());
        let end = format!("{}ok", dialect.hello());
        let mut lines = Vec::new();
        loop {
            let line = self.significant(&end)?;
            if line == end {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// Chooses a variant.
    pub(super) fn play(&mut self, variant: &str) -> Verdict {
        self.accept(&format!("setoption name UCI_Variant value {variant}"))
    }

    /// Sends a line, or several in one write.
    pub(super) fn send(&mut self, line: &str) {
        self.process.write(format!("{line}\n").as_bytes());
    }

    /// The next line of any kind that comes before the limit; nothing if none does.
    pub(super) fn any_line(&mut self, patience: Duration) -> Verdict<Option<String>> {
        let line = match self.process.line(patience) {
            Ok(line) => line,
            Err(Silence::Late) => return Ok(None),
            Err(Silence::Ended) => return Err("the output has ended".into()),
        };
        let line = String::from_utf8(line).map_err(|_| "a line that is not UTF-8")?;
        if line.ends_with('\r') {
            return Err(format!("'{}' ends with CR", shorten(line.trim_end())));
        }
        if line.starts_with("info ") && !line.starts_with("info string") {
            self.infos.push(Info::read(&line)?);
        }
        Ok(Some(line))
    }

    /// The next line that means something; `expected` says in messages what is waited for.
    pub(super) fn significant(&mut self, expected: &str) -> Verdict<String> {
        let patience = self.subject.patience;
        let limit = Instant::now() + patience;
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            match self.any_line(left) {
                Ok(Some(line)) if is_significant(&line) => return Ok(line),
                Ok(Some(_)) if !left.is_zero() => {}
                Ok(_) => {
                    let ms = patience.as_millis();
                    return Err(format!("'{expected}' expected, nothing came in {ms} ms"));
                }
                Err(why) => return Err(format!("'{expected}' expected, {why}")),
            }
        }
    }

    /// The next line that means something, which must be this one.
    pub(super) fn expect(&mut self, line: &str) -> Verdict {
        match self.significant(line)? {
            came if came == line => Ok(()),
            came => Err(format!("'{line}' expected, '{}' came", shorten(&came))),
        }
    }

    /// The next line that means something, which must be an error line; its text.
    pub(super) fn expect_error(&mut self) -> Verdict<String> {
        let line = self.significant("info string error: …")?;
        match line.strip_prefix(ERROR.trim_end()) {
            Some(text) if !text.trim().is_empty() => Ok(text.trim().to_string()),
            Some(_) => Err("an error line without a text".into()),
            None => Err(format!("an error line expected, '{}' came", shorten(&line))),
        }
    }

    /// Nothing that means something comes, up to the answer of `isready` and while a search would go on.
    pub(super) fn sync(&mut self) -> Verdict {
        self.send("isready");
        self.expect("readyok")
    }

    /// A line that is carried out without a word.
    pub(super) fn accept(&mut self, line: &str) -> Verdict {
        self.send(line);
        self.sync()
            .map_err(|why| format!("after '{}': {why}", shorten(line)))
    }

    /// A line that gets one error line and nothing else; the text of the error.
    pub(super) fn refuse(&mut self, line: &str) -> Verdict<String> {
        self.send(line);
        let named = |why| format!("after '{}': {why}", shorten(line));
        let error = self.expect_error().map_err(named)?;
        self.sync().map_err(named)?;
        Ok(error)
    }

    /// The search goes on: `isready` is answered, and nothing else comes for a while.
    pub(super) fn holds(&mut self) -> Verdict {
        self.sync()?;
        let limit = Instant::now() + A_WHILE;
        while let Some(left) = limit.checked_duration_since(Instant::now()) {
            let line = self.any_line(left)?;
            if let Some(line) = line.filter(|line| is_significant(line)) {
                return Err(format!("nothing expected yet, '{}' came", shorten(&line)));
            }
        }
        Ok(())
    }

    /// The answer to a `query`, without an error.
    pub(super) fn ask(&mut self, question: &str) -> Verdict<String> {
        self.send(&format!("query {question}"));
        let line = self.significant("response …")?;
        match line.strip_prefix("response ") {
            Some(answer) if !answer.is_empty() => Ok(answer.to_string()),
            _ => Err(format!(
                "'response …' to 'query {question}' expected, '{}' came",
                shorten(&line)
            )),
        }
    }

    /// The answer to a `query` must be this.
    pub(super) fn ask_for(&mut self, question: &str, expected: &str) -> Verdict {
        let answer = self.ask(question)?;
        if answer == expected {
            return Ok(());
        }
        Err(format!(
            "'response {expected}' to 'query {question}' expected, 'response {}' came",
            shorten(&answer)
        ))
    }

    /// The legal moves, in the order of texts.
    pub(super) fn moves(&mut self) -> Verdict<Vec<String>> {
        let answer = self.ask("moves")?;
        let mut moves: Vec<String> = match answer.as_str() {
            "none" => Vec::new(),
            list => list.split(' ').map(str::to_string).collect(),
        };
        moves.sort();
        Ok(moves)
    }

    /// The next `bestmove` with what was said before it; error lines are passed over.
    pub(super) fn answer(&mut self) -> Verdict<Search> {
        loop {
            let line = self.significant("bestmove …")?;
            if let Some(error) = line.strip_prefix(ERROR) {
                self.errors.push(error.to_string());
                continue;
            }
            return self.search_of(&line);
        }
    }

    /// The search that ended with this line.
    pub(super) fn search_of(&mut self, line: &str) -> Verdict<Search> {
        let infos = std::mem::take(&mut self.infos);
        let errors = std::mem::take(&mut self.errors);
        Search::read(line, infos, errors)
    }

    /// The answer to `go` in a position, judged by the referee: the only one, a legal move after a score, its line legal
    /// and no longer than the game.
    pub(super) fn go(&mut self, words: &str, referee: &mut dyn Session) -> Verdict<Search> {
        let search = self.go_with_errors(words, referee)?;
        match search.errors.first() {
            None => Ok(search),
            Some(error) => Err(format!("no error expected of 'go {words}', '{error}' came")),
        }
    }

    /// The same, where there may be error lines.
    pub(super) fn go_with_errors(
        &mut self,
        words: &str,
        referee: &mut dyn Session,
    ) -> Verdict<Search> {
        self.infos.clear();
        self.send(&format!("go {words}"));
        let named = |why| format!("after 'go {}': {why}", shorten(words));
        let search = self.answer().map_err(named)?;
        search.judge(referee).map_err(named)?;
        self.sync().map_err(named)?;
        Ok(search)
    }

    /// Sets a position on both sides and returns nothing if they agree that it can be read.
    pub(super) fn position(&mut self, fen: &str, referee: &mut dyn Session) -> Verdict {
        referee.set_position(Some(fen))?;
        self.accept(&format!("position fen {fen}"))
    }
}

/// A referee at the start of a variant.
pub(super) fn referee(variant: &str) -> Verdict<Box<dyn Session>> {
    let config = Config {
        table: Arc::new(Table::new(1)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    variants::open(variant, config)
}
