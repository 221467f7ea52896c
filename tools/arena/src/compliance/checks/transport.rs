//! Sections 2 and 12: bytes and lines.

use super::super::process::shorten;
use super::super::script::{Setup, end};
use super::super::talk::{A_WHILE, Talk, Verdict, referee};
use super::Code;
use super::games::shuffle;
use std::time::Duration;

pub(super) const CHECKS: &[Code] = &[
    Code {
        section: "2",
        name: "nothing is printed before the first command",
        setup: Setup::Bare,
        options: &[],
        run: |talk, _| match talk.any_line(4 * A_WHILE)? {
            None => talk.sync(),
            Some(line) => Err(format!("nothing expected yet, '{}' came", shorten(&line))),
        },
    },
    Code {
        section: "2",
        name: "a line may come in pieces",
        setup: Setup::Bare,
        options: &[],
        run: pieces,
    },
    Code {
        section: "2",
        name: "a line may have any length: a list of 5,000 moves",
        setup: Setup::Every,
        options: &[],
        run: long_list,
    },
    Code {
        section: "2",
        name: "lines of output are whole, whatever prints at the same time",
        setup: Setup::Every,
        options: &["Threads", "MultiPV"],
        run: whole_lines,
    },
    Code {
        section: "2",
        name: "lines are UTF-8 and end with LF, also what is for people",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            talk.go("depth 2", &mut *referee(variant)?)?;
            talk.accept("d\neval\nhelp")
        },
    },
    Code {
        section: "2",
        name: "standard error is silent",
        setup: Setup::Hello,
        options: &[],
        run: |talk, _| {
            talk.send("nonsense\nposition fen nonsense\ngo depth 1");
            talk.answer()?;
            talk.process.close();
            end(talk)?;
            match talk.process.diagnostics() {
                text if text.is_empty() => Ok(()),
                text => Err(format!(
                    "nothing on standard error expected, '{}' came",
                    shorten(text.trim_end())
                )),
            }
        },
    },
    Code {
        section: "12",
        name: "bytes that are no text are errors at most",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: no_text,
    },
    Code {
        section: "12",
        name: "lines of a million letters are errors at most",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: million,
    },
    Code {
        section: "12",
        name: "random words of the protocol never end the engine",
        setup: Setup::Hello,
        options: &[],
        run: random_words,
    },
];

fn pieces(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    for piece in ["que", "ry p1", "turn\nisr", "eady"] {
        talk.process.write(piece.as_bytes());
        // Each piece is to be a read of its own.
        std::thread::sleep(Duration::from_millis(15));
        if piece.starts_with("turn") {
            talk.expect("response true")?;
        }
        if let Some(line) = talk.any_line(Duration::from_millis(15))? {
            return Err(format!("nothing expected yet, '{}' came", shorten(&line)));
        }
    }
    talk.process.write(b"\n");
    talk.expect("readyok")
}

fn long_list(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    const PLIES: usize = 5000;
    let Some(shuffle) = shuffle(variant)? else {
        return Ok(());
    };
    let moves: Vec<&str> = shuffle
        .iter()
        .map(String::as_str)
        .cycle()
        .take(PLIES)
        .collect();
    talk.accept(&format!("position startpos moves {}", moves.join(" ")))?;
    let mut board = referee(variant)?;
    board.play(&moves).map_err(|refusal| refusal.message)?;
    let fen = board.position_text().unwrap_or_default();
    talk.ask_for("fen", &fen)?;
    talk.send("go depth 1");
    talk.answer()?.mv().map(drop)
}

fn whole_lines(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    const TIMES: usize = 30;
    talk.accept("setoption name Threads value 4\nsetoption name MultiPV value 5")?;
    talk.send("go infinite");
    for _ in 0..TIMES {
        talk.send("isready\nisready\nisready");
    }
    // A broken line is one that is not understood, or one that is missing.
    for _ in 0..3 * TIMES {
        talk.expect("readyok")?;
    }
    talk.send("stop");
    talk.answer()?.last().map(drop)
}

fn no_text(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    let lines: [&[u8]; 6] = [
        b"\xff\xfe\xfd\n",
        b"\0\0\0\n",
        b"query \x80\n",
        b"setoption name \xf0\x9f value \xff\n",
        b"\x1b[2J\x07\n",
        b"position fen \xff\xff d 0 1\n",
    ];
    for bytes in lines {
        talk.process.write(bytes);
        talk.expect_error()?;
        if bytes.starts_with(b"query") {
            talk.expect("response none")?;
        }
    }
    talk.accept("position startpos")?;
    talk.go("depth 1", &mut *referee("hnefatafl7")?).map(drop)
}

fn million(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    let letters = "a".repeat(1_000_000);
    for words in [
        "",
        "setoption name Hash value ",
        "position fen ",
        "position startpos moves ",
    ] {
        talk.send(&format!("{words}{letters}"));
        talk.expect_error()?;
    }
    talk.send(&format!("go depth 1 {letters}"));
    talk.answer()?;
    talk.accept("position startpos")?;
    talk.go("depth 1", &mut *referee("hnefatafl7")?).map(drop)
}

/// Words that a driver could send, in whatever order. None of them ends the engine or changes where it writes.
const WORDS: [&str; 40] = [
    "uci",
    "ugi",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "help",
    "d",
    "eval",
    "debug",
    "on",
    "setoption",
    "name",
    "value",
    "Hash",
    "MultiPV",
    "UCI_Variant",
    "thud",
    "hnefatafl7",
    "position",
    "startpos",
    "fen",
    "moves",
    "a1a2",
    "d1c1",
    "7/7/7/K6/7/6t/1tT4",
    "a",
    "0",
    "1",
    "-1",
    "go",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "searchmoves",
    "query",
    "islegal",
    "captures",
    "99999999999999999999",
];

fn random_words(talk: &mut Talk<'_>, _: &'static str) -> Verdict {
    let mut random = fastrand::Rng::with_seed(20);
    for _ in 0..200 {
        let count = random.usize(1..7);
        let words: Vec<&str> = (0..count).filter_map(|_| random.choice(WORDS)).collect();
        talk.send(&words.join(" "));
    }
    // Whatever was asked for, all of it is ended, and then the engine answers as ever.
    let last = "response hnefatafl7";
    talk.send("stop\nsetoption name UCI_Variant value hnefatafl7\nquery variant");
    while talk.significant(last)? != last {}
    talk.accept("position startpos")?;
    talk.ask_for("gameover", "false")
}
