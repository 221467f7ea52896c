//! Sections 6 to 8: what an engine tells of itself and of its options, and what it prints for people.

use super::super::process::shorten;
use super::super::report::option_name;
use super::super::script::{Setup, end};
use super::super::talk::{Dialect, Talk, Verdict};
use super::Code;
use super::scores::lines_of;
use std::collections::HashSet;
use std::time::Instant;

pub(super) const CHECKS: &[Code] = &[
    Code {
        section: "6",
        name: "uci: id name, id author, the options, then uciok",
        setup: Setup::Bare,
        options: &[],
        run: |talk, _| hello(talk, Dialect::Uci),
    },
    Code {
        section: "6",
        name: "ugi: id name, id author, the options, then ugiok",
        setup: Setup::Bare,
        options: &[],
        run: |talk, _| hello(talk, Dialect::Ugi),
    },
    Code {
        section: "6",
        name: "d: the lines Fen, Key, Side and Result",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, _| {
            let fen = "Fen: 3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1";
            let side = "Side: player 1 (attackers)";
            for begins in ["Fen:", "Key: 0x", "Side:", "Result:"] {
                spoken(talk, "d", |line| line.starts_with(begins), begins)?;
            }
            for line in [fen, side, "Result: none"] {
                spoken(talk, "d", |said| said == line, line)?;
            }
            Ok(())
        },
    },
    Code {
        section: "6",
        name: "eval prints something for people, and the search is not needed for it",
        setup: Setup::Every,
        options: &[],
        run: |talk, _| spoken(talk, "eval", |line| line != "readyok", "a line for people"),
    },
    Code {
        section: "6",
        name: "help prints something for people",
        setup: Setup::Hello,
        options: &[],
        run: |talk, _| spoken(talk, "help", |line| line != "readyok", "a line for people"),
    },
    Code {
        section: "6",
        name: "bench ends with its nodes, the same each time, and leaves position and options",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: bench,
    },
    Code {
        section: "7",
        name: "every option line is well formed, and no name comes twice",
        setup: Setup::Hello,
        options: &[],
        run: option_lines,
    },
    Code {
        section: "8",
        name: "the options of the page are there, with their types",
        setup: Setup::Hello,
        options: &[],
        run: |talk, _| {
            for (name, kind) in OPTIONS {
                let line = talk.subject.option(name);
                let line = line.ok_or_else(|| format!("an option {name} expected"))?;
                if !line.contains(&format!(" type {kind}")) {
                    return Err(format!("type {kind} of {name} expected, '{line}' came"));
                }
            }
            Ok(())
        },
    },
    Code {
        section: "8",
        name: "whole numbers out of range are refused, for every spin",
        setup: Setup::Hello,
        options: &[],
        run: |talk, _| {
            let offered: Vec<&str> = talk.subject.offered.iter().map(String::as_str).collect();
            for line in offered {
                let (Some(name), true) = (option_name(line), line.contains(" type spin ")) else {
                    continue;
                };
                let after = |key: &str| -> Option<i64> {
                    let (_, rest) = line.split_once(key)?;
                    rest.split(' ').next()?.parse().ok()
                };
                let (Some(min), Some(max)) = (after(" min "), after(" max ")) else {
                    return Err(format!("min and max in '{line}' expected"));
                };
                for value in [min.saturating_sub(1), max.saturating_add(1)] {
                    talk.refuse(&format!("setoption name {name} value {value}"))?;
                }
            }
            Ok(())
        },
    },
    Code {
        section: "8",
        name: "true and false in any case and nothing else, for every check",
        setup: Setup::Hello,
        options: &[],
        run: |talk, _| {
            let offered: Vec<&str> = talk.subject.offered.iter().map(String::as_str).collect();
            for line in offered {
                let (Some(name), true) = (option_name(line), line.contains(" type check ")) else {
                    continue;
                };
                for value in ["true", "FALSE", "True", "false"] {
                    talk.accept(&format!("setoption name {name} value {value}"))?;
                }
                for value in ["maybe", "1", ""] {
                    talk.refuse(&format!("setoption name {name} value {value}"))?;
                }
            }
            Ok(())
        },
    },
    Code {
        section: "8",
        name: "a refused value leaves the old one",
        setup: Setup::Variant("hnefatafl7"),
        options: &["MultiPV"],
        run: |talk, variant| {
            talk.accept("setoption name MultiPV value 2")?;
            for value in ["0", "-1", "1001", "two", ""] {
                talk.refuse(&format!("setoption name MultiPV value {value}"))?;
                lines_of(talk, variant, 2)?;
            }
            Ok(())
        },
    },
    Code {
        section: "8",
        name: "Debug Log File takes every line of both directions with a time stamp",
        setup: Setup::Variant("hnefatafl7"),
        options: &["Debug Log File"],
        run: log_file,
    },
    Code {
        section: "8",
        name: "a log file that can not be written is an error",
        setup: Setup::Hello,
        options: &["Debug Log File"],
        run: |talk, _| {
            talk.refuse("setoption name Debug Log File value /no/such/folder/log.txt")?;
            talk.accept("setoption name Debug Log File value <empty>")
        },
    },
];

/// Names and types of the options.
const OPTIONS: [(&str, &str); 16] = [
    ("Hash", "spin"),
    ("Threads", "spin"),
    ("MultiPV", "spin"),
    ("Ponder", "check"),
    ("Clear Hash", "button"),
    ("Move Overhead", "spin"),
    ("UCI_Variant", "combo"),
    ("Skill Level", "spin"),
    ("UCI_LimitStrength", "check"),
    ("UCI_Elo", "spin"),
    ("UCI_ShowWDL", "check"),
    ("QuietLimit", "spin"),
    ("RepetitionLimit", "spin"),
    ("Offers", "check"),
    ("Debug Log File", "string"),
    ("OwnBook", "check"),
];

fn hello(talk: &mut Talk<'_>, dialect: Dialect) -> Verdict {
    for _ in 0..2 {
        let lines = talk.greet(dialect)?;
        let filled = |line: Option<&String>, begins: &str| match line {
            Some(line) if line.len() > begins.len() && line.starts_with(begins) => Ok(()),
            _ => Err(format!(
                "'{begins}…' expected, '{}' came",
                line.map_or("nothing", |line| line.as_str())
            )),
        };
        filled(lines.first(), "id name ")?;
        filled(lines.get(1), "id author ")?;
        let rest = lines.get(2..).unwrap_or_default();
        if let Some(line) = rest.iter().find(|line| !line.starts_with("option name ")) {
            return Err(format!(
                "'option name …' expected, '{}' came",
                shorten(line)
            ));
        }
    }
    talk.sync()
}

/// Sends a line to which something is printed for people, and finds a line in it.
fn spoken(
    talk: &mut Talk<'_>,
    command: &str,
    fits: impl Fn(&str) -> bool,
    expected: &str,
) -> Verdict {
    talk.send(&format!("{command}\nisready"));
    let mut found = false;
    let limit = Instant::now() + talk.subject.patience;
    loop {
        let left = limit.saturating_duration_since(Instant::now());
        let Some(line) = talk.any_line(left)? else {
            return Err("'readyok' expected, nothing came".into());
        };
        found |= fits(&line);
        if line == "readyok" {
            break;
        }
    }
    match found {
        true => Ok(()),
        false => Err(format!(
            "'{expected}' in the answer to '{command}' expected"
        )),
    }
}

fn bench(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    talk.accept("position startpos moves d1c1")?;
    let mut runs = Vec::new();
    for _ in 0..2 {
        talk.send("bench 1");
        let limit = Instant::now() + talk.subject.patience;
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            let Some(line) = talk.any_line(left)? else {
                return Err("'N nodes M nps' expected, nothing came".into());
            };
            let words: Vec<&str> = line.split(' ').collect();
            if let [nodes, "nodes", _, "nps"] = words[..] {
                runs.push(nodes.to_string());
                break;
            }
        }
        talk.sync()?;
    }
    if runs[0] != runs[1] {
        return Err(format!(
            "{} nodes again expected, {} came",
            runs[0], runs[1]
        ));
    }
    talk.ask_for("p1turn", "false")?;
    talk.ask_for("variant", variant)
}

fn option_lines(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    let mut names = HashSet::new();
    for line in &talk.subject.offered {
        let wrong = |what: &str| format!("{what} in '{line}'");
        let name = option_name(line).ok_or_else(|| wrong("'option name N type T' expected"))?;
        if name.is_empty() || !names.insert(name.to_ascii_lowercase()) {
            return Err(wrong("another name expected"));
        }
        let rest = line.split_once(" type ").map_or("", |(_, rest)| rest);
        let words: Vec<&str> = rest.split(' ').collect();
        let number = |word: &str| word.parse::<i64>().ok();
        let well = match words[..] {
            ["check", "default", value] => ["true", "false"].contains(&value),
            ["spin", "default", value, "min", min, "max", max] => {
                match (number(min), number(value), number(max)) {
                    (Some(min), Some(value), Some(max)) => min <= value && value <= max,
                    _ => false,
                }
            }
            ["combo", "default", value, ref rest @ ..] => {
                let pairs = rest.chunks(2).all(|pair| matches!(pair, ["var", _]));
                pairs && rest.chunks(2).any(|pair| pair == ["var", value])
            }
            ["string", "default", ..] | ["button"] => true,
            _ => false,
        };
        if !well {
            return Err(wrong("the fields of its type expected"));
        }
    }
    Ok(())
}

fn log_file(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    let path = std::env::temp_dir().join(format!("compliance log {}.txt", std::process::id()));
    let name = path.display().to_string();
    // The name has blanks, which an option's value may have. A file that is left over would spoil the count.
    let _ = std::fs::remove_file(&path);
    talk.accept(&format!("setoption name Debug Log File value {name}"))?;
    talk.ask("variant")?;
    talk.process.close();
    end(talk)?;
    let log = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
    let _ = std::fs::remove_file(&path);
    for what in ["query variant", "response hnefatafl7"] {
        let line = log.lines().find(|line| line.contains(what));
        match line {
            None => return Err(format!("a line with '{what}' in the log expected")),
            Some(line) if line.starts_with(what) => {
                return Err(format!("a time stamp before '{what}' in the log expected"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
