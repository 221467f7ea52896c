//! `arena compliance`: whether an engine keeps the protocol, section by section of `protocol.md`.
//!
//! A check is a dialogue with a process of its own: either a script, which is data, or a function where answers have to be
//! judged by the library. Nothing is measured: a bound on time is only ever how long a check waits before it gives up.

mod checks;
mod process;
mod report;
mod script;
mod talk;

use crate::lifeline::Lifeline;
use script::{Script, Setup};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use talk::{Dialect, Subject, Talk, Verdict};

/// What `arena compliance` is asked for.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// The engine: cmd=PROGRAM [ARGUMENTS], proto=uci|ugi, dir=FOLDER, option.NAME=VALUE
    #[arg(long, value_name = "WORDS", num_args = 1.., required_unless_present = "list")]
    engine: Vec<String>,
    /// Only checks whose section and name contain this, whatever its case
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,
    /// Lists the checks
    #[arg(long)]
    list: bool,
    /// How long a line may take, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5000)]
    timeout: u64,
}

/// A check.
struct Check {
    section: &'static str,
    name: &'static str,
    setup: Setup,
    dialect: Option<Dialect>,
    /// Options that it needs; without one of them it is skipped.
    options: Vec<&'static str>,
    body: Body,
}

enum Body {
    Script(Script),
    /// The second argument is the variant that was set, if one was.
    Code(fn(&mut Talk<'_>, &'static str) -> Verdict),
}

/// Runs the checks and prints what came of each.
///
/// # Errors
/// If the engine can not be started or says no hello, or if a check fails.
pub fn run(options: &Options, lifeline: Lifeline) -> Result<(), String> {
    let mut checks = checks::all()?;
    if let Some(pattern) = &options.only {
        let pattern = pattern.to_lowercase();
        checks.retain(|check| check.title().to_lowercase().contains(&pattern));
        if checks.is_empty() {
            return Err(format!(
                "no check is called '{pattern}'; --list shows them all"
            ));
        }
    }
    if options.list {
        for check in &checks {
            println!("{}", check.title());
        }
        return Ok(());
    }
    let mut subject = subject(&options.engine)?;
    subject.lifeline = Arc::new(lifeline);
    subject.patience = Duration::from_millis(options.timeout.max(1));
    subject.offered = hello(&subject)?;
    let started = Instant::now();
    let mut counts = [0; 3];
    let mut section = "";
    for check in &checks {
        if std::mem::replace(&mut section, check.section) != check.section {
            println!("{} {}", check.section, heading(check.section));
        }
        let outcome = check.run(&subject);
        counts[match outcome {
            Outcome::Pass => 0,
            Outcome::Fail { .. } => 1,
            Outcome::Skip(_) => 2,
        }] += 1;
        print(check, &outcome);
    }
    let [passed, failed, skipped] = counts;
    println!(
        "{} checks in {:.1} s: {passed} passed, {failed} failed, {skipped} skipped",
        checks.len(),
        started.elapsed().as_secs_f64()
    );
    match failed {
        0 => Ok(()),
        1 => Err("a check failed".into()),
        _ => Err(format!("{failed} checks failed")),
    }
}

/// The sections of `protocol.md` that have checks.
const HEADINGS: [(&str, &str); 11] = [
    ("2", "Transport"),
    ("3", "Grammar"),
    ("4", "States and commands"),
    ("5", "Games"),
    ("6", "Commands, from driver to engine"),
    ("7", "Messages, from engine to driver"),
    ("8", "Options"),
    ("9", "Time control"),
    ("10", "Agreement"),
    ("11", "Dialects"),
    ("12", "Errors"),
];

fn heading(section: &str) -> &'static str {
    let found = HEADINGS.iter().find(|(number, _)| *number == section);
    found.map_or("", |(_, heading)| heading)
}

/// What came of a check.
enum Outcome {
    Pass,
    Fail {
        why: String,
        /// The last lines of the dialogue, and of standard error.
        said: Vec<String>,
    },
    Skip(String),
}

fn print(check: &Check, outcome: &Outcome) {
    match outcome {
        Outcome::Pass => println!("pass  {}", check.title()),
        Outcome::Skip(why) => println!("skip  {}: {why}", check.title()),
        Outcome::Fail { why, said } => {
            println!("FAIL  {}", check.title());
            println!("      {why}");
            for line in said {
                println!("      | {line}");
            }
        }
    }
}

/// Lines of the dialogue that a failure shows.
const SHOWN: usize = 14;

impl Check {
    fn title(&self) -> String {
        format!("{:>2}  {}", self.section, self.name)
    }

    fn run(&self, subject: &Subject) -> Outcome {
        if let Some(name) = self
            .options
            .iter()
            .find(|name| subject.option(name).is_none())
        {
            return Outcome::Skip(format!("the engine has no option {name}"));
        }
        let offered = subject.variants();
        let variants: Vec<Option<&'static str>> = match self.setup {
            Setup::Bare | Setup::Hello => vec![None],
            Setup::Variant(name) if offered.contains(&name) => vec![Some(name)],
            Setup::Variant(name) => {
                return Outcome::Skip(format!("the engine does not offer {name}"));
            }
            Setup::Every => offered.into_iter().map(Some).collect(),
        };
        let mut talk = match Talk::bare(subject) {
            Ok(talk) => talk,
            Err(why) => {
                let said = Vec::new();
                return Outcome::Fail { why, said };
            }
        };
        match self.hold(&mut talk, &variants) {
            Ok(()) => Outcome::Pass,
            Err(why) => Outcome::Fail {
                why,
                said: dialogue(&talk),
            },
        }
    }

    /// Holds the dialogue, with one process for all variants.
    fn hold(&self, talk: &mut Talk<'_>, variants: &[Option<&'static str>]) -> Verdict {
        if self.setup != Setup::Bare {
            talk.begin(self.dialect.unwrap_or(talk.subject.dialect))?;
        }
        for variant in variants {
            let named = |why: String| match (self.setup, variant) {
                (Setup::Every, Some(variant)) => format!("{variant}: {why}"),
                _ => why,
            };
            if let Some(variant) = variant {
                talk.play(variant).map_err(named)?;
            }
            match &self.body {
                Body::Script(script) => script.run(talk, *variant),
                Body::Code(code) => code(talk, variant.unwrap_or_default()),
            }
            .map_err(named)?;
        }
        Ok(())
    }
}

fn dialogue(talk: &Talk<'_>) -> Vec<String> {
    let mut lines: Vec<String> = talk
        .process
        .said()
        .rev()
        .take(SHOWN)
        .map(str::to_string)
        .collect();
    lines.reverse();
    let diagnostics = talk.process.diagnostics();
    lines.extend(
        diagnostics
            .lines()
            .rev()
            .take(3)
            .map(|line| format!("stderr: {}", process::shorten(line))),
    );
    lines
}

/// The keys of the words that describe an engine.
const KEYS: [&str; 5] = ["cmd=", "proto=", "dir=", "name=", "option."];

/// Reads the words that describe the engine. A word that begins with no key belongs to the value before it.
fn subject(words: &[String]) -> Result<Subject, String> {
    let mut parts: Vec<String> = Vec::new();
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let begins = KEYS.iter().any(|key| word.starts_with(key));
        match parts.last_mut() {
            Some(last) if !begins => {
                last.push(' ');
                last.push_str(word);
            }
            _ => parts.push(word.to_string()),
        }
    }
    let mut subject = Subject {
        command: Vec::new(),
        dir: None,
        lifeline: Arc::default(),
        dialect: Dialect::Uci,
        options: Vec::new(),
        patience: Duration::default(),
        offered: Vec::new(),
    };
    for part in &parts {
        let wrong = || format!("engine: '{part}', one of {} expected", KEYS.join(" "));
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        match key {
            "cmd" => subject.command = value.split(' ').map(str::to_string).collect(),
            "dir" => subject.dir = Some(PathBuf::from(value)),
            "proto" if value == "uci" => subject.dialect = Dialect::Uci,
            "proto" if value == "ugi" => subject.dialect = Dialect::Ugi,
            "proto" => return Err(format!("engine: proto={value}, uci or ugi expected")),
            // A match names its engines; here there is only one.
            "name" => {}
            _ => {
                let name = key.strip_prefix("option.").ok_or_else(wrong)?;
                subject.options.push((name.to_string(), value.to_string()));
            }
        }
    }
    if subject.command.iter().all(String::is_empty) {
        return Err("engine: cmd=PROGRAM is missing".into());
    }
    Ok(subject)
}

/// The option lines of the engine.
fn hello(subject: &Subject) -> Result<Vec<String>, String> {
    let mut talk = Talk::bare(subject)?;
    let lines = talk.greet(subject.dialect);
    let lines = lines.map_err(|why| format!("the engine says no hello: {why}"))?;
    Ok(lines
        .into_iter()
        .filter(|line| line.starts_with("option "))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_engine() {
        let words =
            |words: &[&str]| -> Vec<String> { words.iter().map(|w| w.to_string()).collect() };
        let one = subject(&words(&[
            "cmd=./huscarl --threads 2 proto=ugi option.Move Overhead=5",
        ]));
        let one = one.expect("reads");
        assert_eq!(one.command, ["./huscarl", "--threads", "2"]);
        assert_eq!(one.dialect, Dialect::Ugi);
        assert_eq!(
            one.options,
            [("Move Overhead".to_string(), "5".to_string())]
        );
        let two =
            subject(&words(&["cmd=e", "dir=/tmp", "name=x", "option.Hash=1"])).expect("reads");
        assert_eq!(two.dir, Some(PathBuf::from("/tmp")));
        for bad in [
            &["proto=uci"][..],
            &["cmd="],
            &["cmd=e", "proto=otep"],
            &["e"],
            &[],
        ] {
            assert!(subject(&words(bad)).is_err(), "{bad:?}");
        }
    }
}
