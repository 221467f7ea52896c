//! An engine with a fault: passes lines between a driver and a sound engine, and does one thing wrong.
//!
//! `faulty FAULT ENGINE`; the tests of the compliance checks use it to see that the checks can fail.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

/// A fault: what becomes of a line to the engine, and of a line from it.
struct Fault {
    name: &'static str,
    to: fn(&str) -> Option<String>,
    from: fn(&str) -> String,
}

fn keep(line: &str) -> Option<String> {
    Some(line.to_string())
}

fn whole(line: &str) -> String {
    format!("{line}\n")
}

/// Leaves a line out if it begins with these words.
fn without(line: &str, words: &str) -> Option<String> {
    (!line.starts_with(words)).then(|| line.to_string())
}

const FAULTS: [Fault; 14] = [
    Fault {
        name: "none",
        to: keep,
        from: whole,
    },
    Fault {
        name: "crlf",
        to: keep,
        from: |line| format!("{line}\r\n"),
    },
    Fault {
        name: "ignores-stop",
        to: |line| without(line, "stop"),
        from: whole,
    },
    Fault {
        name: "ignores-limits",
        to: |line| without(line, "setoption name RepetitionLimit"),
        from: whole,
    },
    Fault {
        name: "ignores-ponder",
        to: |line| Some(line.replace("go ponder", "go")),
        from: whole,
    },
    Fault {
        name: "plays-on",
        to: |line| Some(line.replace("fen nonsense", "startpos")),
        from: whole,
    },
    Fault {
        name: "illegal-move",
        to: keep,
        from: |line| match line.starts_with("bestmove ") {
            true => "bestmove a1a1\n".into(),
            false => whole(line),
        },
    },
    Fault {
        name: "long-pv",
        to: keep,
        from: |line| match line.contains(" pv ") {
            true => format!("{line} a1a1\n"),
            false => whole(line),
        },
    },
    Fault {
        name: "no-score",
        to: keep,
        from: |line| match line.starts_with("info depth") {
            true => String::new(),
            false => whole(line),
        },
    },
    Fault {
        name: "twice",
        to: keep,
        from: |line| match line.starts_with("bestmove ") {
            true => format!("{line}\n{line}\n"),
            false => whole(line),
        },
    },
    Fault {
        name: "more-words",
        to: keep,
        from: |line| match line.starts_with("bestmove ") {
            true => format!("{line} score 12\n"),
            false => whole(line),
        },
    },
    Fault {
        name: "wrong-mates",
        to: keep,
        from: |line| whole(&line.replace("score mate -", "score mate ")),
    },
    Fault {
        name: "hides-a-move",
        to: keep,
        from: |line| {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                // No other answer has so many words.
                ["response", _, ref rest @ ..] if rest.len() > 10 => {
                    format!("response {}\n", rest.join(" "))
                }
                _ => whole(line),
            }
        },
    },
    Fault {
        name: "dies",
        to: |line| match line.contains("nonsense") {
            true => std::process::exit(1),
            false => keep(line),
        },
        from: whole,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, engine] = &arguments[..] else {
        eprintln!("error: faulty FAULT ENGINE expected");
        return ExitCode::FAILURE;
    };
    let Some(fault) = FAULTS.iter().find(|fault| fault.name == name) else {
        eprintln!("error: unknown fault '{name}'");
        return ExitCode::FAILURE;
    };
    match relay(fault, engine) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {engine}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn relay(fault: &'static Fault, engine: &str) -> std::io::Result<()> {
    let mut child = Command::new(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(std::io::Error::other("no pipes"));
    };
    // Ends with the driver's input or the engine, and closes the engine's input then.
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Some(line) = (fault.to)(&line)
                && input.write_all(format!("{line}\n").as_bytes()).is_err()
            {
                return;
            }
        }
    });
    let mut here = std::io::stdout().lock();
    for line in BufReader::new(output).lines() {
        here.write_all((fault.from)(&line?).as_bytes())?;
        here.flush()?;
    }
    child.wait()?;
    Ok(())
}
