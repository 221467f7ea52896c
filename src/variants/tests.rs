//! What the built-in variants are told by, and reading a file of variants.

use super::*;
use crate::tafl::notation::RECORDS;
use crate::tafl::spec::{Ends, Goal, Jump, Letters, Repeated, ShieldWall, Stuck, Surround};

fn record(name: &str) -> &'static str {
    match built_in(name) {
        Some((_, Told::Record(record))) => record,
        _ => panic!("{name} is told by a record"),
    }
}

fn spec(name: &str) -> Spec {
    Spec::from_record(record(name)).expect(name)
}

#[test]
fn names_are_plain_and_different() {
    for (index, (name, _)) in BUILT_IN.iter().enumerate() {
        assert!(
            name.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{name}"
        );
        assert!(BUILT_IN[..index].iter().all(|(other, _)| other != name));
        assert_eq!(find(&name.to_ascii_uppercase()), Ok(*name));
    }
    assert_eq!(names().last(), Some("hnefatafl7"));
    assert!(names().any(|name| name == DEFAULT));
}

#[test]
fn records_of_the_built_in_are_read_back() {
    let mut hosts = 0;
    for (name, told) in &BUILT_IN {
        let Told::Record(record) = told else { continue };
        let spec = Spec::from_record(record).expect(name);
        assert_eq!(
            Spec::from_record(&spec.to_record()).as_ref(),
            Ok(&spec),
            "{name}"
        );
        let host = RECORDS.contains(record);
        let ends = if host { Ends::Host } else { Ends::House };
        assert_eq!(spec.ends, ends, "{name}");
        hosts += u32::from(host);
    }
    assert_eq!(hosts, 14, "each of the host's games has a name");
}

/// The records of the games that the present rules code plays say what it is told.
#[test]
fn records_of_the_present_games() {
    for name in ["tawlbwrdd", "tawlbwrdd-bell", "hnefatafl7"] {
        let told = format!("{:?}", present(name).expect(name));
        assert_eq!(format!("{:?}", present_part(&spec(name))), told, "{name}");
    }
    for name in ["tawlbwrdd", "tawlbwrdd-bell"] {
        let spec = spec(name);
        let [corner, centre, ..] = &spec.zones;
        assert!(corner.squares.is_empty(), "no corner is special");
        assert_eq!(centre.squares, [(5, 5)]);
        assert_eq!(
            centre.hostile,
            Letters::NONE,
            "the occupied castle is not hostile"
        );
        assert_eq!(
            centre.hostile_empty,
            Letters(0b0100_0001),
            "the empty one is to both sides"
        );
        assert_eq!(centre.stop, Letters::NONE, "nobody stops on the castle");
        assert_eq!(centre.pass, Letters::ALL, "everyone passes");
        assert!(spec.king_hammer && spec.king_anvil && !spec.encirclement);
        assert_eq!(
            (spec.repeated, spec.limits.repetition),
            (Repeated::Draws, 2)
        );
    }
    let spec = spec("hnefatafl7");
    let [corner, centre, ..] = &spec.zones;
    assert_eq!(corner.squares.len(), 4);
    assert_eq!((corner.pass, corner.stop), (Letters::KING, Letters::KING));
    assert_eq!(corner.hostile, Letters::ALL);
    assert_eq!((centre.pass, centre.stop), (Letters::KING, Letters::KING));
    assert_eq!(
        (centre.hostile, centre.hostile_empty),
        (Letters::NONE, Letters::ALL)
    );
    assert!(spec.king_hammer && spec.king_anvil && !spec.encirclement);
    assert!(spec.throne_takes_king);
}

#[test]
fn games_of_our_own() {
    let four = spec("brandubh-4-throne");
    assert_eq!(
        (four.surround, four.throne_takes_king),
        (Surround::OnCentre, false)
    );
    assert_eq!(four.repeated, Repeated::DefendersLose);
    let other = spec("brandubh-432");
    assert_eq!(
        (other.surround, other.throne_takes_king),
        (Surround::NearCentre, true)
    );
    let ard_ri = spec("ard-ri");
    assert_eq!((ard_ri.goal, ard_ri.speed), (Goal::Edge, [1; 12]));
    assert_eq!(
        spec("magpie").zones[spec::CENTRE].hostile_empty,
        Letters::NONE
    );
    assert_eq!(
        spec("tablut-foteviken").zones[spec::CENTRE].hostile_empty,
        Letters(0b0100_0001)
    );
}

/// The game of a file with one variant, called mine, that has these lines.
fn mine(lines: &str) -> Spec {
    let text = format!("[[variant]]\nname = \"mine\"\n{lines}\n");
    let mut known = file::read(&text).unwrap_or_else(|why| panic!("{text}{why}"));
    let (name, spec) = known.pop().expect("a variant");
    assert_eq!((name.as_str(), known.len()), ("mine", 0));
    spec
}

const START: &str = "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3";

/// Checks that lines after size and start say what keys of a record do.
#[track_caller]
fn same(lines: &str, keys: &str) {
    let found = mine(&format!("size = 7\nstart = \"{START}\"\n{lines}"));
    let record = format!("dim:7 name:mine {keys} start:/{START}/");
    assert_eq!(Ok(found), Spec::from_record(&record), "{lines}");
}

#[test]
fn each_key_of_a_file() {
    same("", "");
    same("first = \"defenders\"\ngoal = \"edge\"", "atkf:n esc:e");
    for (word, value) in [
        ("four", "s"),
        ("four-near-centre", "c"),
        ("four-on-centre", "t"),
        ("all-neighbours", "m"),
        ("two", "w"),
    ] {
        same(
            &format!("king-captured-by = \"{word}\""),
            &format!("ks:{value}"),
        );
    }
    for (word, value) in [
        ("always", "y"),
        ("as-mover", "h"),
        ("as-partner", "a"),
        ("never", "n"),
    ] {
        same(
            &format!("king-captures = \"{word}\""),
            &format!("ka:{value}"),
        );
    }
    same(
        "throne-takes-king = false\nencirclement = false",
        "kth:n surf:n",
    );
    same("edge-fort = true\nlinnaean = true", "efe:y linc:y");
    same(
        "shield-wall = \"pieces\"\nshield-wall-needs-mover = false",
        "sw:w swf:n",
    );
    same("shield-wall = \"pieces-and-corners\"", "sw:s");
    same("berserk = \"while-capturing\"", "ber:c");
    same("berserk = \"while-moving\"", "ber:m");
    for (word, keys) in [
        ("draw", ""),
        ("mover-wins", "tfr:w"),
        ("mover-loses", "tfr:l"),
        ("defenders-lose", "rep:d"),
    ] {
        same(&format!("repetition = \"{word}\""), keys);
    }
    same(
        "repetition-limit = 0x10\nquiet-limit = 132",
        "repn:16 quiet:132",
    );
    same(
        "no-move = \"draws\"\norder-of-ends = \"house\"",
        "stuck:d end:h",
    );
    same("speed = 2", "spd:2");
    same("speed = { K = 1, t = 3 }", "spd:3,0,0,0,0,0,0,0,0,1,0,0");
    same(
        "[variant.jumps]\nman = \"free\"\ncommander = \"none\"\nknight = \"restricted\"\n\
         king = \"captures\"\nmercenary = \"free\"\nguard = \"free\"",
        "jt:j cj:n nj:r kj:c mj:j jg:j",
    );
    for (table, begin) in [
        ("corners", "cor"),
        ("centre", "cen"),
        ("attacker-forts", "afor"),
        ("defender-forts", "dfor"),
    ] {
        same(
            &format!(
                "[variant.{table}]\nsquares = [\"a2\", \"g7\"]\nhostile = \"tT\"\nhostile-empty = \"K\"\n\
                 pass = \"\"\nstop = \"T\""
            ),
            &format!("{begin}:a2,g7 {begin}h:tT {begin}he:K {begin}p: {begin}s:T"),
        );
        // Without a word on the others everybody enters them.
        let enter = mine(&format!("base = \"brandub\"\n{table}.enter = \"K\""));
        let tables = ["corners", "centre", "attacker-forts", "defender-forts"];
        for (zone, known) in enter.zones.iter().zip(tables) {
            let expected = if known == table {
                Letters::KING
            } else {
                Letters(u16::MAX)
            };
            assert_eq!(zone.enter, expected, "{table}: {known}");
        }
    }
}

#[test]
fn based_on_another() {
    let named = |name: &str, spec: Spec| Spec {
        name: name.to_string(),
        ..spec
    };
    for (name, told) in BUILT_IN {
        if let Told::Record(record) = told
            && spec(name).size == 7
        {
            let expected = named("mine", spec(name));
            assert_eq!(mine(&format!("base = \"{name}\"")), expected);
            assert_eq!(mine(&format!("record = \"{record}\"")), expected);
        }
    }
    let changed =
        mine("base = \"brandubh-4-throne\"\nrepetition = \"mover-wins\"\nno-move = \"draws\"");
    assert_eq!(
        changed,
        Spec {
            repeated: Repeated::MoverWins,
            stuck: Stuck::Draws,
            ..named("mine", spec("brandubh-4-throne"))
        }
    );
    let speed = mine("base = \"ard-ri\"\nspeed.K = 0").speed;
    assert_eq!(speed, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1]);
    let two = "[[variant]]\nname = \"One-1\"\nbase = \"copenhagen\"\njumps.king = \"free\"\n\
               [[variant]]\nname = \"two\"\nbase = \"ONE-1\"\nedge-fort = false\n";
    let known = file::read(two).expect("reads");
    assert_eq!(known[0].0, "One-1");
    let (name, spec) = &known[1];
    assert_eq!(
        (name.as_str(), spec.jumps[spec::KING], spec.edge_fort),
        ("two", Jump::Free, false)
    );
    assert_eq!(spec.shield_wall, ShieldWall::PiecesAndCorners);
}

#[test]
fn errors_of_a_file() {
    for (text, expected) in [
        ("", "line 1: no variant, [[variant]] tables expected"),
        ("x = 1", "line 1: 'x', [[variant]] tables expected"),
        (
            "\n[variant]\nname = \"a\"",
            "line 2: 'variant', [[variant]] tables expected",
        ),
        (
            "variant = [1]",
            "line 1: variant: [[variant]] tables expected",
        ),
        ("[[variant]]", "line 1: name: missing, a name expected"),
        (
            "[[variant]]\nname = 3",
            "line 2: name: '3', letters, digits and - expected",
        ),
        (
            "[[variant]]\nname = \"a b\"",
            "line 2: name: 'a b', letters, digits and - expected",
        ),
        (
            "[[variant]]\nname = \"\"",
            "line 2: name: '', letters, digits and - expected",
        ),
        (
            "[[variant]]\nname = \"Thud\"",
            "line 2: name: 'Thud' exists already, another name expected",
        ),
        (
            "[[variant]]\nname = \"a\"\nbase = \"brandub\"\n[[variant]]\nname = \"A\"\nbase = \"a\"",
            "line 5: name: 'A' exists already, another name expected",
        ),
    ] {
        assert_eq!(
            file::read(text).as_ref().err().map(String::as_str),
            Some(expected),
            "{text}"
        );
    }
    let start = format!("size = 7\nstart = \"{START}\"\n");
    for (lines, expected) in [
        (
            "",
            "1: variant 'a': size: missing, one of 7 9 11 13 15 19 expected",
        ),
        (
            "size = 8",
            "3: variant 'a': size: '8', one of 7 9 11 13 15 19 expected",
        ),
        (
            "size = 7",
            "1: variant 'a': start: missing, the start position expected",
        ),
        (
            "size = \"7\"",
            "3: variant 'a': size: '7', a number from 0 to 4294967295 expected",
        ),
        (
            "size = -7",
            "3: variant 'a': size: '-7', a number from 0 to 4294967295 expected",
        ),
        (
            "size = 7\nstart = \"7/8\"",
            "4: variant 'a': start: 2 rows, 7 expected",
        ),
        (
            "base = \"thud\"",
            "3: variant 'a': base: 'thud', a game of the tafl family expected",
        ),
        ("base = 1", "3: variant 'a': base: '1', a text expected"),
        (
            "record = \"dim:7\"",
            "3: variant 'a': record: start: missing, the start position expected",
        ),
        (
            "base = \"brandub\"\nrecord = \"\"",
            "4: variant 'a': record: together with base, one of the two expected",
        ),
        (
            "S\ngoal = \"corners\"",
            "5: variant 'a': goal: 'corners', one of \"corner\" \"edge\" expected",
        ),
        (
            "S\nedge-fort = 1",
            "5: variant 'a': edge-fort: '1', true or false expected",
        ),
        (
            "S\nrepetition-limit = 1",
            "5: variant 'a': repetition-limit: '1', 0, or a number from 2 to 4294967295 expected",
        ),
        (
            "S\ncorners = 1",
            "5: variant 'a': corners: '1', a table expected",
        ),
        (
            "S\n[variant.corners]\npas = \"K\"",
            "6: variant 'a': corners.pas: unknown key, one of squares hostile hostile-empty pass stop enter expected",
        ),
        (
            "S\ncorners.pass = \"K esc:e\"",
            "5: variant 'a': corners.pass: 'K esc:e', a text without blanks expected",
        ),
        (
            "S\ncorners.pass = \"X\"",
            "5: variant 'a': corners.pass: 'X', letters from tcnkmgTCNKMG expected",
        ),
        (
            "S\ncentre.enter = \"\"\ncorners.enter = \"X\"",
            "6: variant 'a': corners.enter: 'X', letters from tcnkmgTCNKMG expected",
        ),
        (
            "S\ncorners.squares = [\"a1\", \"h1\"]",
            "5: variant 'a': corners.squares: 'h1', a square from a1 to g7 expected",
        ),
        (
            "S\ncorners.squares = \"a1\"",
            "5: variant 'a': corners.squares: 'a1', a list of squares such as [\"a1\", \"g7\"] expected",
        ),
        (
            "S\nspeed.x = 1",
            "5: variant 'a': speed: 'x', letters from tcnkmgTCNKMG expected",
        ),
        (
            "S\nspeed.t = -1",
            "5: variant 'a': speed: '-1', a number from 0 to 4294967295 expected",
        ),
    ] {
        let text = format!(
            "[[variant]]\nname = \"a\"\n{}",
            lines.replace("S\n", &start)
        );
        assert_eq!(
            file::read(&text).err(),
            Some(format!("line {expected}")),
            "{text}"
        );
    }
    for (text, line, word) in [
        ("[[variant]]\nname = \"a\"\nsize = ", "line 3: ", ""),
        (
            "[[variant]]\nname = \"a\"\nsize = 7\nsize = 7",
            "line 4: ",
            "duplicate",
        ),
        (
            "[[variant]]\nname = \"a\"\nbase = \"x\"",
            "line 3: variant 'a': base: unknown variant 'x'",
            "alea-evangelii",
        ),
        (
            "[[variant]]\nname = \"a\"\ncolour = 1",
            "line 3: variant 'a': colour: unknown key, one of size ",
            " centre ",
        ),
    ] {
        let why = file::read(text).expect_err(text);
        assert!(
            why.starts_with(line) && why.contains(word) && !why.contains('\n'),
            "{why}"
        );
    }
}
