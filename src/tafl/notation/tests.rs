//! Rules records: every key, the host's own records, errors, and that what is written is read back.

use super::*;
use crate::game::Limits;
use crate::tafl::spec::{LETTERS, Zone};

const START7: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

/// The game of a record of size 7 with these keys.
fn read(keys: &str) -> Spec {
    let record = format!("rules dim:7 {keys} start:{START7}");
    Spec::from_record(&record).unwrap_or_else(|why| panic!("{record}: {why}"))
}

fn error(record: &str) -> String {
    Spec::from_record(record).expect_err(record)
}

fn set(letters: &str) -> Letters {
    let kind = |letter| LETTERS.iter().position(|&known| known == letter);
    letters.chars().fold(Letters::NONE, |set, letter| {
        set.with(kind(letter).expect("a known letter"))
    })
}

/// Checks that the keys do what `change` does to a game that says nothing, and that it is read back.
fn means(keys: &str, change: impl Fn(&mut Spec)) {
    let mut expected = read("");
    change(&mut expected);
    let found = read(keys);
    assert_eq!(found, expected, "{keys}");
    assert_eq!(
        Spec::from_record(&found.to_record()).as_ref(),
        Ok(&found),
        "{keys}"
    );
}

#[test]
fn nothing_said_is_the_default() {
    let spec = read("");
    assert_eq!(spec, Spec::of_size(7, START7.trim_matches('/').into()));
    assert_eq!(spec.to_record(), format!("dim:7 start:{START7}"));
    assert_eq!(
        (spec.goal, spec.first, spec.repeated, spec.surround),
        (Goal::Corners, Side::First, Repeated::Draws, Surround::Four)
    );
    assert_eq!(spec.zones[CORNER].squares, [(0, 0), (0, 6), (6, 0), (6, 6)]);
    assert_eq!(spec.zones[CENTRE].squares, [(3, 3)]);
    assert_eq!(spec.zones[CENTRE].hostile, set("tcnkm"));
    assert_eq!(spec.zones[CENTRE].hostile_empty, set("tcnkmTCNKM"));
    assert_eq!(spec.zones[DEFENDER_FORT].pass, set("TCNKM"));
}

#[test]
fn each_key_of_words() {
    means("esc:e", |s| s.goal = Goal::Edge);
    means("esc:x", |s| s.goal = Goal::Edge);
    means("esc:c", |_| ());
    means("surf:n", |s| s.encirclement = false);
    means("surf:yes", |s| s.encirclement = false);
    means("atkf:n", |s| s.first = Side::Second);
    means("tfr:w", |s| s.repeated = Repeated::MoverWins);
    means("tfr:l", |s| s.repeated = Repeated::MoverLoses);
    means("tfr:i", |_| ());
    means("tfr:?", |_| ());
    means("ka:h", |s| s.king_anvil = false);
    means("ka:a", |s| s.king_hammer = false);
    means("ka:n", |s| (s.king_hammer, s.king_anvil) = (false, false));
    means("ka:?", |_| ());
    means("ks:c", |s| s.surround = Surround::NearCentre);
    means("ks:m", |s| s.surround = Surround::Existing);
    means("ks:w", |s| s.surround = Surround::Two);
    means("ks:n", |s| s.surround = Surround::Two);
    means("ks:y", |_| ());
    means("ks:t", |s| s.surround = Surround::OnCentre);
    means("kj:r nj:j cj:c mj:r", |s| {
        s.jumps[KING] = Jump::Restricted;
        s.jumps[KNIGHT] = Jump::Free;
        s.jumps[COMMANDER] = Jump::Captures;
        s.jumps[MERCENARY] = Jump::Restricted;
    });
    means("cj:?", |s| s.jumps[COMMANDER] = Jump::Never);
    means("gj:c", |_| ());
    means("sw:w swf:n efe:y linc:y", |s| {
        s.shield_wall = ShieldWall::Pieces;
        s.wall_needs_mover = false;
        s.edge_fort = true;
        s.linnaean = true;
    });
    means("sw:s", |s| s.shield_wall = ShieldWall::PiecesAndCorners);
    means("ber:c", |s| s.berserk = Berserk::WhileItCaptures);
    means("ber:m", |s| s.berserk = Berserk::WhileItMoves);
    means("sw:? ber:? ", |_| ());
}

#[test]
fn our_own_keys() {
    means("kth:n", |s| s.throne_takes_king = false);
    means("rep:d", |s| s.repeated = Repeated::DefendersLose);
    means("rep:d tfr:w", |s| s.repeated = Repeated::DefendersLose);
    means("tfr:w rep:n", |s| s.repeated = Repeated::MoverWins);
    means("repn:2", |s| s.limits.repetition = 2);
    means("repn:0", |s| s.limits.repetition = 0);
    means("quiet:132", |s| s.limits.quiet = 132);
    means("stuck:l", |_| ());
    means("stuck:d", |s| s.stuck = Stuck::Draws);
    means("end:o", |_| ());
    means("end:h", |s| s.ends = Ends::House);
    means("jt:j jg:c", |s| {
        s.jumps[MAN] = Jump::Free;
        s.jumps[GUARD] = Jump::Captures;
    });
    means("corh:tT corhe:", |s| {
        s.zones[CORNER].hostile = set("tT");
        s.zones[CORNER].hostile_empty = Letters::NONE;
    });
}

#[test]
fn names_squares_and_letters() {
    means("name:Sea_Battle_(Parlett)", |s| {
        s.name = "Sea Battle (Parlett)".into()
    });
    means("name:a%5Fb%3a50%_%zz", |s| s.name = "a_b:50% %zz".into());
    means("cor: cen:", |s| {
        s.zones[CORNER].squares.clear();
        s.zones[CENTRE].squares.clear();
    });
    means("afor:a4,a5,b5, dfor:g7", |s| {
        s.zones[ATTACKER_FORT].squares = vec![(0, 3), (0, 4), (1, 4)];
        s.zones[DEFENDER_FORT].squares = vec![(6, 6)];
    });
    means("corh:T cenh: cenhe:K aforh:tcnkmgTCNKMG dforh:t", |s| {
        for (zone, letters) in [
            (CORNER, "T"),
            (ATTACKER_FORT, "tcnkmgTCNKMG"),
            (DEFENDER_FORT, "t"),
        ] {
            s.zones[zone].hostile = set(letters);
            s.zones[zone].hostile_empty = set(letters);
        }
        s.zones[CENTRE].hostile = Letters::NONE;
        s.zones[CENTRE].hostile_empty = set("K");
    });
    means(
        "corp:g cenp:K aforp:tt dforp: cors:T cens: afors:t dfors:TK",
        |s| {
            let values = [("g", "T"), ("K", ""), ("t", "t"), ("", "TK")];
            for (zone, (pass, stop)) in s.zones.iter_mut().zip(values) {
                (zone.pass, zone.stop) = (set(pass), set(stop));
            }
        },
    );
}

/// The other keys of re-entry count only with `cenre`, and then mean nobody where they are missing.
#[test]
fn entry_hangs_on_the_centre() {
    means("corre:K aforre: dforre:T", |_| ());
    means("cenre:", |s| {
        s.zones
            .iter_mut()
            .for_each(|zone| zone.enter = Letters::NONE)
    });
    means("cenre:K corre:T", |s| {
        for (zone, letters) in s.zones.iter_mut().zip(["T", "K", "", ""]) {
            zone.enter = set(letters);
        }
    });
    let all = "tcnkmgTCNKMG";
    means(
        &format!("cenre:{all} corre:{all} aforre:{all} dforre:{all}"),
        |_| (),
    );
    means(&format!("cenre:{all} aforre:{all} dforre:{all}"), |s| {
        s.zones[CORNER].enter = Letters::NONE;
    });
}

#[test]
fn limits_of_speed() {
    means("spd:1", |s| s.speed = [1; 12]);
    means("spd:-1", |_| ());
    means("spd:1,2", |_| ());
    means("spd:1,2,3,4,5,6,7,8,", |s| {
        s.speed = [1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0]
    });
    means("spd:1,2,3,4,5,6,7,8,9,10", |_| ());
    means("spd:1,2,3,4,5,6,7,8,9,-3,0,300,", |s| {
        s.speed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 255];
    });
}

#[test]
fn how_words_are_split() {
    means("esc:e:c", |s| s.goal = Goal::Edge);
    means("esc:c ks:w esc:e", |s| {
        s.surround = Surround::Two;
        s.goal = Goal::Edge;
    });
    means("repn:x repn:4", |s| s.limits.repetition = 4);
    means("esc other:thing ::: : ks", |_| ());
    let turned = "1t5/3t3/3t3/ttTKTtt/3T3/3t3/3t2t";
    let record = format!("starti:{turned}/\tdim:7\nesc:e");
    let spec = Spec::from_record(&record).expect("reads");
    assert_eq!(spec.start, turned);
    let record = format!("{record} start:/{turned}/");
    let spec = Spec::from_record(&record).expect("reads");
    assert_eq!(spec.start, "3t2t/3t3/3T3/ttTKTtt/3t3/3t3/1t5");
}

#[test]
fn errors_name_the_key() {
    for (record, expected) in [
        ("", "dim: missing, one of 7 9 11 13 15 19 expected"),
        ("dim", "dim: missing, one of 7 9 11 13 15 19 expected"),
        ("dim:8", "dim: '8', one of 7 9 11 13 15 19 expected"),
        ("dim:17", "dim: '17', one of 7 9 11 13 15 19 expected"),
        ("dim:x", "dim: 'x', one of 7 9 11 13 15 19 expected"),
        ("dim:7", "start: missing, the start position expected"),
        ("dim:7 start:/7/7/", "start: 2 rows, 7 expected"),
        (
            "dim:7 start:/7/6/7/7/7/7/K6/",
            "start: rank 2: 6 squares, 7 expected",
        ),
        (
            "dim:7 starti:/7/6/7/7/7/7/K6/",
            "starti: rank 6: 6 squares, 7 expected",
        ),
        (
            "dim:7 start:/7/8/7/7/7/7/K6/",
            "start: rank 2: more than 7 squares, 7 expected",
        ),
        (
            "dim:7 start:/7/99999999999999999999999/7/7/7/7/K6/",
            "start: rank 2: more than 7 squares, 7 expected",
        ),
        (
            "dim:7 start:/7/7/é6/7/7/7/K6/",
            "start: rank 3: 'é', a piece from tcnkmgTCNKMG or a number of empty squares expected",
        ),
        (
            "dim:7 start:/7/7/07/7/7/7/K6/",
            "start: rank 3: '07', a piece from tcnkmgTCNKMG or a number of empty squares expected",
        ),
        (
            "dim:7 start:/7/7/7/7/7/7/k6/",
            "start: no king of the defenders, at least one K expected",
        ),
    ] {
        assert_eq!(error(record), expected, "{record}");
    }
    let full = "ttttttttttttttttttt/".repeat(13);
    let crowd = |row| format!("dim:19 starti:/K18/{full}{row}/19/19/19/19/");
    assert_eq!(
        error(&crowd("tttttttt11")),
        "starti: 256 pieces, at most 254 expected"
    );
    assert!(Spec::from_record(&crowd("tttttt13")).is_ok());
    for (keys, expected) in [
        ("cor:a1,h1", "cor: 'h1', a square from a1 to g7 expected"),
        ("cen:d0", "cen: 'd0', a square from a1 to g7 expected"),
        ("afor:a1,,b1", "afor: '', a square from a1 to g7 expected"),
        ("dfor:A+1", "dfor: 'A+1', a square from a1 to g7 expected"),
        ("dfor:a999", "dfor: 'a999', a square from a1 to g7 expected"),
        ("cenp:tX", "cenp: 'X', letters from tcnkmgTCNKMG expected"),
        (
            "cenre: corre:1",
            "corre: '1', letters from tcnkmgTCNKMG expected",
        ),
        (
            "aforhe:x",
            "aforhe: 'x', letters from tcnkmgTCNKMG expected",
        ),
        ("spd:", "spd: '', a number of squares, or -1, expected"),
        ("spd:1,x", "spd: 'x', a number of squares, or -1, expected"),
        ("spd:1,2,3", "spd: 3 numbers, 1, 2, 8, 10 or 12 expected"),
        ("rep:x", "rep: 'x', n or d expected"),
        ("kth:x", "kth: 'x', n or y expected"),
        ("stuck:w", "stuck: 'w', l or d expected"),
        ("end:", "end: '', o or h expected"),
        (
            "repn:1",
            "repn: '1', 0, or a number from 2 to 4294967295 expected",
        ),
        (
            "quiet:-1",
            "quiet: '-1', a number from 0 to 4294967295 expected",
        ),
    ] {
        let record = format!("dim:7 {keys} start:{START7}");
        assert_eq!(error(&record), expected, "{record}");
    }
}

/// The two records that are not what is played, and only as long as they are these records.
#[test]
fn exceptions() {
    let tablut = RECORDS[8];
    let magpie = RECORDS[9];
    let read = |record: &str| Spec::from_record(record).expect("reads");
    assert_eq!(read(tablut).zones[CENTRE].hostile_empty, set("tT"));
    assert_eq!(read(magpie).zones[CENTRE].hostile_empty, Letters::NONE);
    assert_eq!(read(magpie).zones[CENTRE].hostile, Letters::NONE);
    for record in [tablut, magpie] {
        for change in [" name:Other", " tfr:w", " asis:y"] {
            let said = read(&format!("{record}{change}"));
            assert_ne!(
                said.zones[CENTRE].hostile_empty,
                read(record).zones[CENTRE].hostile_empty,
                "{change}"
            );
            assert_eq!(read(&said.to_record()), said, "{change}");
        }
        // Other ways to say the same.
        let same = format!("unknown:1 gj:c mj:r {record} mj:n stuck:l");
        assert_eq!(read(&same), read(record));
    }
}

#[test]
fn records_are_read_back() {
    for record in RECORDS {
        let spec = Spec::from_record(record).expect(record);
        let written = spec.to_record();
        assert_eq!(Spec::from_record(&written), Ok(spec), "{record}\n{written}");
        // What the host says by default, we leave out; what stands in both is the same but for trailing commas.
        let words: Vec<&str> = written.split(' ').collect();
        assert_eq!(
            words.first(),
            record.split(' ').next().as_ref(),
            "{written}"
        );
        assert_eq!(
            words.last(),
            record.split(' ').next_back().as_ref(),
            "{written}"
        );
    }
    assert_eq!(
        Spec::from_record(RECORDS[4]).expect("reads").to_record(),
        "dim:11 name:Berserk surf:n atkf:n tfr:l kj:r ber:c \
         start:/3ttttt3/5c5/11/t4T4t/t3NTT3t/tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/"
    );
}

fn pick<T: Copy>(rng: &mut fastrand::Rng, from: &[T]) -> T {
    from[rng.usize(..from.len())]
}

fn random_letters(rng: &mut fastrand::Rng) -> Letters {
    Letters(rng.u16(..1 << LETTERS.len()))
}

fn random_start(rng: &mut fastrand::Rng, size: u8) -> String {
    let mut squares: Vec<Option<char>> = (0..u32::from(size) * u32::from(size))
        .map(|_| (rng.u8(..4) == 0).then(|| pick(rng, &LETTERS)))
        .collect();
    let king = rng.usize(..squares.len());
    squares[king] = Some('K');
    let rows = squares.chunks(size.into()).map(|row| {
        row.chunk_by(|a, b| a.is_none() && b.is_none())
            .map(|run| run[0].map_or(run.len().to_string(), String::from))
            .collect::<String>()
    });
    rows.collect::<Vec<_>>().join("/")
}

/// A game with everything at random; half of it is as in a game that says nothing.
fn random_spec(rng: &mut fastrand::Rng) -> Spec {
    let size = pick(rng, &SIZES);
    let plain = Spec::of_size(size, random_start(rng, size));
    let mut spec = plain.clone();
    let name =
        (0..rng.usize(..9)).map(|_| pick(rng, &['a', 'Z', ' ', '_', ':', '%', '2', '\t', 'é']));
    spec.name = name.collect();
    spec.first = pick(rng, &Side::BOTH);
    spec.goal = pick(rng, GOAL).1;
    for zone in &mut spec.zones {
        if rng.bool() {
            continue;
        }
        let squares = 0..rng.usize(..9);
        let squares = squares.map(|_| (rng.u8(..size), rng.u8(..size))).collect();
        *zone = Zone {
            squares,
            hostile: random_letters(rng),
            hostile_empty: random_letters(rng),
            pass: random_letters(rng),
            stop: random_letters(rng),
            enter: match rng.bool() {
                true => EVERYBODY,
                false => Letters(rng.u16(..(1 << LETTERS.len()) - 1)),
            },
        };
        if rng.bool() {
            zone.hostile_empty = zone.hostile;
        }
    }
    spec.surround = pick(rng, SURROUND).1;
    (spec.king_hammer, spec.king_anvil) = (rng.bool(), rng.bool());
    spec.throne_takes_king = rng.bool();
    for jump in &mut spec.jumps {
        *jump = pick(rng, JUMP).1;
    }
    if rng.bool() {
        spec.speed = [pick(rng, &[0, 1, 255]); LETTERS.len()];
    } else {
        spec.speed = std::array::from_fn(|_| rng.u8(..));
    }
    spec.shield_wall = pick(rng, SHIELD_WALL).1;
    spec.wall_needs_mover = rng.bool();
    spec.edge_fort = rng.bool();
    spec.linnaean = rng.bool();
    spec.encirclement = rng.bool();
    spec.berserk = pick(rng, BERSERK).1;
    spec.repeated = match rng.u8(..4) {
        0 => Repeated::DefendersLose,
        _ => pick(rng, REPEATED).1,
    };
    spec.stuck = pick(rng, STUCK).1;
    spec.limits = Limits {
        repetition: pick(rng, &[0, 2, 3, 4, u32::MAX]),
        quiet: pick(rng, &[0, 1, 132, u32::MAX]),
    };
    spec.ends = pick(rng, ENDS).1;
    spec
}

/// Whatever a game is, its record says all of it.
#[test]
fn every_game_is_read_back() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..4_000 {
        let spec = random_spec(&mut rng);
        let record = spec.to_record();
        assert_eq!(Spec::from_record(&record), Ok(spec), "{record}");
    }
}

/// Text of any kind is read or refused, in one line.
#[test]
fn damaged_records() {
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..4_000 {
        let record = pick(&mut rng, &RECORDS);
        let mut letters: Vec<char> = record.chars().collect();
        for _ in 0..rng.usize(1..6) {
            let at = rng.usize(..letters.len());
            match rng.u8(..3) {
                0 => drop(letters.remove(at)),
                1 => letters.insert(
                    at,
                    pick(&mut rng, &['0', '9', ':', ',', '/', 'K', 'é', ' ']),
                ),
                _ => letters[at] = pick(&mut rng, &letters),
            }
        }
        let text: String = letters.into_iter().collect();
        match Spec::from_record(&text) {
            Ok(spec) => assert_eq!(Spec::from_record(&spec.to_record()), Ok(spec), "{text}"),
            Err(why) => {
                let (key, _) = why.split_once(": ").expect("a key");
                assert!(
                    text.contains(key) || why.contains("missing"),
                    "{text}\n{why}"
                );
                assert!(!why.contains('\n'), "{why}");
            }
        }
    }
}
