//! Long and odd lines: line ends and blanks, unknown words, bytes that are no text, thousands of moves, malformed positions and
//! lists with illegal moves.

mod driver;

use driver::*;

/// "CRLF, tabs, leading blanks, empty lines, a BOM on the first line, no newline at the very end": all fine.
#[test]
fn odd_line_ends_and_blanks() {
    for v in &VARIANTS {
        let setting = format!("setoption name UCI_Variant value {}", v.name);
        let moves = v.shuffled(3);
        let after = {
            let mut engine = Engine::playing(v.name);
            engine.accept(&format!("position startpos moves {moves}"));
            engine.ask("fen")
        };
        let plain = format!("{setting}\nposition startpos moves {moves}\nquery fen");
        let inputs = [
            plain.clone(),
            format!("{plain}\n"),
            plain.replace('\n', "\r\n"),
            format!("{}\r\n", plain.replace('\n', "\r\n")),
            plain.replace(' ', "\t"),
            plain.replace(' ', "   \t "),
            format!("  \t{}", plain.replace('\n', "\n\t  ")),
            format!("\n\n \n\t\n\r\n{}\n\n", plain.replace('\n', "\n\n\r\n  \n")),
            format!("\u{feff}{plain}"),
            format!("\u{feff}\n{plain}"),
            format!("\u{feff}\r\n{}  ", plain.replace('\n', " \t \r\n")),
        ];
        for input in inputs {
            let mut engine = Engine::new();
            engine.raw(input.as_bytes());
            assert_eq!(engine.finish(), [format!("response {after}")], "{input:?}");
        }
    }
    let mut engine = Engine::new();
    engine.raw("\u{feff}uci\r\n".as_bytes());
    assert_eq!(engine.lines_until("uciok").last().unwrap(), "uciok");
}

/// A line that comes in pieces is one line.
#[test]
fn a_line_in_pieces() {
    let mut engine = Engine::new();
    for piece in [
        "setop",
        "tion name UCI_Var",
        "iant value hnef",
        "atafl7\nquer",
        "y vari",
        "ant\nisr",
        "eady",
        "\n",
    ] {
        engine.raw(piece.as_bytes());
        if piece.starts_with("ant") {
            assert_eq!(engine.expect("response"), "response hnefatafl7");
        }
        if piece != "\n" {
            assert!(
                engine.try_line(A_WHILE / 4).unwrap().is_none(),
                "half a line does nothing"
            );
        }
    }
    engine.expect("readyok");
}

/// An unknown first word is an error line that names it, and nothing else happens.
#[test]
fn unknown_words() {
    let mut engine = Engine::new();
    let fen = engine.ask("fen");
    for (line, named) in [
        ("nonsense", "nonsense"),
        ("Uci", "Uci"),
        ("positio startpos", "positio"),
        ("joho go depth 2", "joho"),
        ("bestmove a1a2", "bestmove"),
        ("go-depth 2", "go-depth"),
        ("🐎 e2e4", "🐎"),
        ("=1", "=1"),
    ] {
        let error = engine.refuse(line);
        assert!(error.contains(named), "`{error}` names `{named}`");
        assert_eq!(error.lines().count(), 1);
    }
    assert_eq!(engine.ask("fen"), fen);
    engine.send("go infinite\nnonsense");
    engine.still_searching();
    engine.send("stop");
    engine.answer().sound();
    engine.sync();
}

/// Is there an error for what was sent? A search is waited for, because `isready` does not wait for it.
fn complains(engine: &mut Engine, search: bool) -> bool {
    engine.send("stop");
    match search {
        true => !engine.answer().errors.is_empty(),
        false => engine.sync().iter().any(|l| l.starts_with(ERROR)),
    }
}

/// Bytes that are no text, control characters, and lines of a million bytes are errors at most.
#[test]
fn bytes_that_are_no_text() {
    let mut engine = Engine::new();
    let junk: [&[u8]; 7] = [
        b"\xff\xfe\xfd\n",
        b"\0\0\0\n",
        b"position fen \xff\xff d 0 1\n",
        b"go depth \xc3\n",
        b"query \x80\n",
        b"setoption name \xf0\x9f value \xff\n",
        b"\x1b[2J\x07\n",
    ];
    for bytes in junk {
        engine.raw(bytes);
        assert!(
            complains(&mut engine, bytes.starts_with(b"go")),
            "{bytes:?}"
        );
    }
    for words in [
        "",
        "position fen ",
        "position startpos moves ",
        "go ",
        "go depth ",
        "query ",
        "query captures ",
        "setoption name Hash value ",
    ] {
        engine.send(&format!("{words}{}", "a".repeat(1_000_000)));
        assert!(
            complains(&mut engine, words.starts_with("go")),
            "`{words}` and a million letters"
        );
    }
    engine.send(&format!(
        "position startpos moves {}\nstop",
        "a1a1 ".repeat(200_000)
    ));
    engine.sync();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let mut bytes: Vec<u8> = (0..random.usize(1..60))
            .map(|_| random.u8(..))
            .filter(|b| *b != b'\n')
            .collect();
        bytes.push(b'\n');
        engine.raw(&bytes);
    }
    engine.send("stop");
    engine.sync();
    engine.accept("position startpos");
    engine.go("depth 1").sound();
    assert_eq!(engine.finish(), [""; 0]);
}

/// "a `position` line of 5,000 moves", in every game, from `startpos` and from a position text.
#[test]
fn five_thousand_moves() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let after = format!("{} {} 5000 2501", v.rows(), v.sides[0]);
        for line in [
            format!("position startpos moves {}", v.shuffled(5000)),
            format!("position fen {} moves {}", v.start, v.shuffled(5000)),
        ] {
            engine.accept(&line);
            assert_eq!(engine.ask("fen"), after, "{}", v.name);
            assert_eq!(engine.ask("gameover"), "true");
            assert_eq!(engine.ask("reason"), v.shuffle_reason);
            assert_eq!(engine.ask("result"), "draw");
            assert_eq!(engine.moves().len() as u64, v.perft[0]);
            engine.go("depth 1").sound();
            engine.accept(&format!("moves {}", v.shuffled(3)));
            engine.go("depth 1").sound();
        }
    }
}

/// A list that grows by a move each time, shrinks, parts from the last one, or follows another: always the position it says.
#[test]
fn growing_lists() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let mut fens = vec![v.start.to_string()];
        for plies in 1..=60 {
            engine.accept(&format!("position startpos moves {}", v.shuffled(plies)));
            let fen = engine.ask("fen");
            assert!(
                fen.ends_with(&format!(" {plies} {}", plies / 2 + 1)),
                "{fen}"
            );
            if plies >= 4 {
                assert_eq!(words(&fen)[..2], words(&fens[plies - 4])[..2]);
            }
            fens.push(fen);
        }
        let repeated = if v.repetition_limit > 0 {
            4 * (v.repetition_limit as usize - 1)
        } else {
            usize::MAX
        };
        for plies in [60, 3, 30, 0, 59, 1, 2, 58, 5, 8, 7, 9] {
            let moves = if plies == 0 {
                String::new()
            } else {
                format!(" moves {}", v.shuffled(plies))
            };
            engine.accept(&format!("position startpos{moves}"));
            assert_eq!(engine.ask("fen"), fens[plies], "{} {plies}", v.name);
            assert_eq!(
                engine.ask("gameover"),
                (plies >= repeated).to_string(),
                "{} {plies}",
                v.name
            );
        }
        // `moves` goes on from where the list ended, and the next list starts anew.
        engine.accept("position startpos");
        for (plies, fen) in fens.iter().enumerate().skip(1) {
            engine.accept(&format!("moves {}", v.shuffle[(plies - 1) % 4]));
            assert_eq!(engine.ask("fen"), *fen);
        }
        engine.accept(&format!("position startpos moves {}", v.shuffled(2)));
        assert_eq!(engine.ask("fen"), fens[2]);
        // Another move at the end, an illegal one, another start.
        engine.accept(&format!("position startpos moves {}", v.shuffled(4)));
        let other = engine
            .moves()
            .into_iter()
            .find(|m| m != v.shuffle[0])
            .unwrap();
        engine.accept(&format!(
            "position startpos moves {} {other}",
            v.shuffled(4)
        ));
        let parted = engine.ask("fen");
        assert_ne!(parted, fens[5]);
        engine.refuse(&format!("position startpos moves {} a1a1", v.shuffled(4)));
        assert_eq!(engine.ask("fen"), fens[4]);
        engine.accept(&format!("position startpos moves {}", v.shuffled(5)));
        assert_eq!(engine.ask("fen"), fens[5]);
        engine.accept(&format!(
            "position fen {} moves {}",
            v.fen(0, 40),
            v.shuffled(5)
        ));
        assert!(engine.ask("fen").ends_with(" 45 3"));
        engine.accept(&format!("position startpos moves {}", v.shuffled(6)));
        assert_eq!(engine.ask("fen"), fens[6]);
    }
}

/// Position texts with one fault each, for every variant.
fn faults(v: &Variant) -> Vec<String> {
    let (rows, side) = (v.rows(), v.sides[0]);
    let first = rows.split('/').next().unwrap();
    let without_first = &rows[first.len() + 1..];
    let mut all = vec![
        String::new(),
        "nonsense".into(),
        rows.into(),
        format!("{without_first} {side} 0 1"),
        format!("{first}/{rows} {side} 0 1"),
        format!("{rows}/ {side} 0 1"),
        format!("1{rows} {side} 0 1"),
        format!("{rows}1 {side} 0 1"),
        format!(
            "{} {side} 0 1",
            rows.replacen('1', "01", 1).replacen('3', "03", 1)
        ),
        format!("{} {side} 0 1", rows.replacen(['t', 'd'], "x", 1)),
        format!("{} {side} 0 1", rows.replacen(['t', 'd'], "", 1)),
        format!("{rows} x 0 1"),
        format!("{rows} {}{side} 0 1", v.sides[1]),
        format!("{rows} {} 0 1", side.to_uppercase()),
        format!("{rows} {side} -1 1"),
        format!("{rows} {side} x 1"),
        format!("{rows} {side} 0 0"),
        format!("{rows} {side} 0 -1"),
        format!("{rows} {side} 0 x"),
        format!("{rows} {side} 99999999999999999999999 1"),
        format!("{rows} {side} 0 99999999999999999999999"),
        format!("{rows} {side} 0 1 1"),
        format!("{rows} {side} 0 1 nonsense"),
    ];
    let own: &[&str] = match v.name {
        "hnefatafl7" => &[
            "K5K/7/7/7/7/7/t6 a 0 1",
            "t6/7/7/3K3/7/7/7 a 0 1",
            "6T/7/7/3K3/7/7/t6 a 0 1",
            "7/7/7/3T3/7/5K1/1t5 a 0 1",
            "7/7/7/3t3/7/5K1/1t5 a 0 1",
            "7/7/7/8/7/7/7 a 0 1",
            "7/7/7/0K6/7/7/1t5 a 0 1",
            "7/7/7/k6/7/7/1t5 a 0 1",
        ],
        "thud" | "thud-rulebook" => &[
            "*****5*****/****7****/***9***/**11**/*13*/15/15/15/15/15/*13*/**11**/***9***/****7****/*****d3T***** d 0 1",
            "*****5*****/****7****/***9***/**11**/*13*/15/15/7d7/15/15/*13*/**11**/***9***/****7****/*****d3T***** d 0 1",
            "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/7*7/*13*/**11**/***9***/****7****/*****d3T***** d 0 1",
            "****d5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****d3T***** d 0 1",
            "5/7/9/11/13/15/15/7*7/15/15/13/11/9/7/5 d 0 1",
            "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****d3K***** d 0 1",
        ],
        _ => &[
            "11/11/11/11/11/5T5/11/11/11/11/t4K5 a 0 1",
            "11/11/11/11/11/5t5/11/11/7K3/11/t10 a 0 1",
            "11/11/11/11/11/5K5/11/11/7K3/11/t10 a 0 1",
            "11/11/11/11/11/5K5/11/11/12/11/t10 a 0 1",
            "11/11/11/11/11/5K5/11/11/011/11/t10 a 0 1",
        ],
    };
    all.extend(own.iter().map(ToString::to_string));
    all
}

/// "a malformed position": an error; then `go` answers `bestmove (none)` with an error and does not search the old position, and
/// each `query` an error and `response none`, until a good one arrives.
#[test]
fn malformed_positions() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            for fault in faults(v) {
                let tail = format!(" moves {}", v.shuffle[0]);
                for tail in ["", &tail] {
                    engine.refuse(&format!("position fen {fault}{tail}"));
                    for words in ["depth 1", "movetime 1", "wtime 10 btime 10"] {
                        let search = engine.go_with_errors(words);
                        search.none();
                        assert!(!search.errors.is_empty(), "{} `{fault}`", v.name);
                    }
                }
                engine.accept("position startpos");
                assert_eq!(engine.ask("fen"), v.start);
                engine.go("depth 1").sound();
            }
            let all = [
                "p1turn",
                "gameover",
                "result",
                "moves",
                "islegal a1a2",
                "captures a1a2",
                "fen",
                "reason",
                "score",
                "variant",
            ];
            for line in [
                "position fen nonsense",
                "position",
                "position nonsense",
                "position startpo",
                "position fen",
            ] {
                engine.refuse(line);
                for what in all {
                    assert_eq!(
                        engine.ask_wrongly(what),
                        "none",
                        "{} `query {what}` after `{line}`",
                        v.name
                    );
                }
                engine.refuse(&format!("moves {}", v.shuffle[0]));
                engine.send("d\neval");
                engine.sync();
                assert_eq!(engine.ask_wrongly("fen"), "none");
                engine.accept("position startpos");
                assert_eq!(engine.ask("fen"), v.start);
            }
        }
    }
}

/// The error of a malformed position names the row or field: the same fault in another place has another text.
#[test]
fn errors_name_the_field() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let (rows, side) = (v.rows(), v.sides[0]);
        let mut texts = Vec::new();
        for (fault, named) in [
            (format!("{rows} q7 0 1"), "q7"),
            (format!("{rows} {side} q8 1"), "q8"),
            (format!("{rows} {side} 0 q9"), "q9"),
            (format!("{rows} {side} 0 1 q6"), "q6"),
        ] {
            let error = engine.refuse(&format!("position fen {fault}"));
            let lower = error.to_lowercase();
            assert!(
                lower.contains(named)
                    || ["side", "quiet", "move", "field"]
                        .iter()
                        .any(|f| lower.contains(f)),
                "{error}"
            );
            texts.push(error.replace(named, ""));
        }
        let count = rows.split('/').count();
        for row in 0..count {
            let spoilt: Vec<String> = rows
                .split('/')
                .enumerate()
                .map(|(i, r)| if i == row { format!("{r}q") } else { r.into() })
                .collect();
            texts.push(engine.refuse(&format!("position fen {} {side} 0 1", spoilt.join("/"))));
        }
        let all = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), all, "each place has its own text: {texts:?}");
    }
}
