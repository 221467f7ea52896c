//! Sections 6 to 8 and 11: what an engine tells of itself, of its options and of its scores.

use super::super::process::shorten;
use super::super::report::{Score, option_name};
use super::super::script::{Setup, end};
use super::super::talk::{Dialect, Talk, Verdict, referee};
use super::Code;
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
        section: "7",
        name: "info lines have their fields in order, nodes and time never fall",
        setup: Setup::Every,
        options: &[],
        run: info_lines,
    },
    Code {
        section: "7",
        name: "MultiPV: so many lines of different moves, the first is the bestmove's",
        setup: Setup::Every,
        options: &["MultiPV"],
        run: |talk, variant| many_lines(talk, variant, 3),
    },
    Code {
        section: "7",
        name: "MultiPV is capped at the number of legal moves",
        setup: Setup::Every,
        options: &["MultiPV"],
        run: |talk, variant| many_lines(talk, variant, 1000),
    },
    Code {
        section: "7",
        name: "wdl comes only if UCI_ShowWDL is on, and sums to 1000",
        setup: Setup::Every,
        options: &["UCI_ShowWDL"],
        run: chances,
    },
    Code {
        section: "7",
        name: "bestmove has exactly two words while Ponder and Offers are off",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            let search = talk.go("depth 3", &mut *referee(variant)?)?;
            match (&search.ponder, search.offer) {
                (None, false) => Ok(()),
                _ => Err("'bestmove M' without further words expected".into()),
            }
        },
    },
    Code {
        section: "7",
        name: "with Ponder on, the move to ponder on is a legal reply",
        setup: Setup::Every,
        options: &["Ponder"],
        run: |talk, variant| {
            talk.accept("setoption name Ponder value true")?;
            let mut board = referee(variant)?;
            for words in ["depth 1", "depth 3", "nodes 2000"] {
                talk.go(words, &mut *board)?;
            }
            Ok(())
        },
    },
    Code {
        section: "7",
        name: "thud: a finished battle is worth 100 times its margin, and there are no mates",
        setup: Setup::Variant("thud"),
        options: &[],
        run: margins,
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
    Code {
        section: "11",
        name: "uci: score mate counts own moves",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| mates(talk, variant, Dialect::Uci),
    },
    Code {
        section: "11",
        name: "ugi: score mate counts plies",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| mates(talk, variant, Dialect::Ugi),
    },
    Code {
        section: "11",
        name: "go mate ends when a win within N is proven",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| {
            let mut board = referee(variant)?;
            talk.position(MATES[1].0, &mut *board)?;
            for (dialect, words) in [(Dialect::Uci, "mate 2"), (Dialect::Ugi, "mate 3")] {
                talk.greet(dialect)?;
                talk.go(words, &mut *board)?;
            }
            Ok(())
        },
    },
    Code {
        section: "11",
        name: "the last hello counts, and without one the dialect is uci",
        setup: Setup::Bare,
        options: &[],
        run: |talk, _| {
            talk.play("hnefatafl7")?;
            let mut board = referee("hnefatafl7")?;
            let (fen, own, plies) = MATES[2];
            talk.position(fen, &mut *board)?;
            scores(talk, &mut *board, own)?;
            talk.greet(Dialect::Ugi)?;
            scores(talk, &mut *board, plies)?;
            talk.greet(Dialect::Uci)?;
            scores(talk, &mut *board, own)
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

/// Decided positions of 7×7, with their distance in own moves and in plies.
const MATES: [(&str, i64, i64); 3] = [
    ("7/7/7/K6/7/6t/1tT4 d 0 1", 1, 1),
    ("7/7/7/1K5/7/6t/3T3 d 0 1", 2, 3),
    ("7/7/7/K6/7/6t/1tT4 a 0 1", -1, -2),
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

fn info_lines(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let search = talk.go("depth 3", &mut *referee(variant)?)?;
    let (mut nodes, mut time) = (0, 0);
    for info in search.infos.iter().filter(|info| info.score.is_some()) {
        let (Some(_), Some(now), Some(at)) = (info.depth, info.nodes, info.time) else {
            return Err("depth, nodes and time in every info line with a score expected".into());
        };
        if now < nodes || at < time {
            return Err(format!(
                "nodes and time that do not fall expected, {now} after {nodes} and {at} after {time} came"
            ));
        }
        (nodes, time) = (now, at);
    }
    Ok(())
}

/// So many lines are reported at depth 1.
fn lines_of(talk: &mut Talk<'_>, variant: &'static str, count: usize) -> Verdict {
    let search = talk.go("depth 1", &mut *referee(variant)?)?;
    let mut ranks = HashSet::new();
    let mut moves = HashSet::new();
    for info in search.infos.iter().filter(|info| info.depth == Some(1)) {
        // A line may be told again with a better bound; the last of each rank counts.
        if ranks.insert(info.multipv.unwrap_or(1)) {
            moves.extend(info.pv.first().cloned());
        }
    }
    let all = (1..=count as i64).all(|rank| ranks.contains(&rank));
    if ranks.len() != count || !all {
        return Err(format!("lines 1 to {count} expected, {} came", ranks.len()));
    }
    if moves.len() != count {
        return Err(format!(
            "{count} different moves expected, {} came",
            moves.len()
        ));
    }
    Ok(())
}

fn many_lines(talk: &mut Talk<'_>, variant: &'static str, count: usize) -> Verdict {
    let legal = referee(variant)?.moves().unwrap_or_default().len();
    talk.accept(&format!("setoption name MultiPV value {count}"))?;
    lines_of(talk, variant, count.min(legal))
}

fn chances(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut board = referee(variant)?;
    let before = talk.go("depth 2", &mut *board)?;
    if before.infos.iter().any(|info| info.wdl.is_some()) {
        return Err("no wdl expected while UCI_ShowWDL is off".into());
    }
    talk.accept("setoption name UCI_ShowWDL value true")?;
    let after = talk.go("depth 2", &mut *board)?;
    for info in after.infos.iter().filter(|info| info.score.is_some()) {
        match info.wdl {
            Some(chances) if chances.iter().sum::<i64>() == 1000 => {}
            Some(chances) => return Err(format!("a wdl of sum 1000 expected, {chances:?} came")),
            None => return Err("wdl expected while UCI_ShowWDL is on".into()),
        }
    }
    talk.accept("setoption name UCI_ShowWDL value false")
}

/// Positions of Thud in which a move ends the battle, with that move and the margin for the side that makes it.
const BATTLES: [(&str, &str, i64); 2] = [
    (
        "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/4ddd2T5/*13*/**11**/***9***/****7****/*****5***** d 0 1",
        "g6j6",
        3,
    ),
    (
        "*****5*****/****7****/***9***/**5d5**/*13*/6T8/15/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** t 0 1",
        "g10h11xh12",
        4,
    ),
];

fn margins(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut board = referee(variant)?;
    for (fen, mv, margin) in BATTLES {
        talk.position(fen, &mut *board)?;
        let search = talk.go(&format!("depth 2 searchmoves {mv}"), &mut *board)?;
        let expected = Score::Cp(100 * margin);
        if search.score()? != expected {
            return Err(format!("{expected:?} expected, {:?} came", search.score()?));
        }
    }
    Ok(())
}

/// The last score of a search is this distance.
fn scores(talk: &mut Talk<'_>, board: &mut dyn huscarl::session::Session, mate: i64) -> Verdict {
    match talk.go("depth 5", board)?.score()? {
        Score::Mate(came) if came == mate => Ok(()),
        came => Err(format!("score mate {mate} expected, {came:?} came")),
    }
}

fn mates(talk: &mut Talk<'_>, variant: &'static str, dialect: Dialect) -> Verdict {
    let mut board = referee(variant)?;
    talk.greet(dialect)?;
    for (fen, own, plies) in MATES {
        talk.position(fen, &mut *board)?;
        let mate = if dialect == Dialect::Uci { own } else { plies };
        scores(talk, &mut *board, mate)?;
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
