//! Variants from a file: TOML, with readable keys that stand for those of rules records.
//!
//! `[[variant]]` tables, each with a `name`; [`KEYS`] and [`PARTS`] of [`ZONES`] are the rest. The keys of a variant become a rules record, behind
//! that of the game it is based on if there is one, so that what a key means and what it may be stands in one place.

use super::{BUILT_IN, Check, Told, built_in, unknown, visit_spec};
use crate::tafl::spec::{LETTERS, Spec};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How a value is written in the file.
enum Form {
    /// One of these words, each with what the record has for it.
    Words(&'static [(&'static str, &'static str)]),
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Number,
    /// A text without blanks.
    Text,
    /// A list of squares.
    Squares,
    /// A number, or a table of numbers by letter.
    Speed,
}

/// A key of the file with the table it is in, the key of records that it stands for, and its form.
type Key = (&'static str, &'static str, Form);

const JUMP: Form = Form::Words(&[
    ("none", "n"),
    ("restricted", "r"),
    ("free", "j"),
    ("captures", "c"),
]);

#[rustfmt::skip]
static KEYS: [Key; 25] = [
    ("size", "dim", Form::Number),
    ("start", "starti", Form::Text),
    ("first", "atkf", Form::Words(&[("attackers", "y"), ("defenders", "n")])),
    ("goal", "esc", Form::Words(&[("corner", "c"), ("edge", "e")])),
    ("king-captured-by", "ks", Form::Words(&[
        ("four", "s"),
        ("four-near-centre", "c"),
        ("four-on-centre", "t"),
        ("all-neighbours", "m"),
        ("two", "w"),
    ])),
    ("king-captures", "ka", Form::Words(&[
        ("always", "y"),
        ("as-mover", "h"),
        ("as-partner", "a"),
        ("never", "n"),
    ])),
    ("throne-takes-king", "kth", Form::Flag),
    ("shield-wall", "sw", Form::Words(&[("none", "n"), ("pieces", "w"), ("pieces-and-corners", "s")])),
    ("shield-wall-needs-mover", "swf", Form::Flag),
    ("edge-fort", "efe", Form::Flag),
    ("linnaean", "linc", Form::Flag),
    ("encirclement", "surf", Form::Flag),
    ("berserk", "ber", Form::Words(&[("none", "n"), ("while-capturing", "c"), ("while-moving", "m")])),
    // A record has two keys for it.
    ("repetition", "tfr", Form::Words(&[
        ("draw", "d rep:n"),
        ("mover-wins", "w rep:n"),
        ("mover-loses", "l rep:n"),
        ("defenders-lose", "d rep:d"),
    ])),
    ("repetition-limit", "repn", Form::Number),
    ("quiet-limit", "quiet", Form::Number),
    ("no-move", "stuck", Form::Words(&[("loses", "l"), ("draws", "d")])),
    ("order-of-ends", "end", Form::Words(&[("opentafl", "o"), ("house", "h")])),
    ("speed", "spd", Form::Speed),
    ("jumps.man", "jt", JUMP),
    ("jumps.commander", "cj", JUMP),
    ("jumps.knight", "nj", JUMP),
    ("jumps.king", "kj", JUMP),
    ("jumps.mercenary", "mj", JUMP),
    ("jumps.guard", "jg", JUMP),
];

/// The tables of special squares, and what their keys begin with in records.
static ZONES: [(&str, &str); 4] = [
    ("corners", "cor"),
    ("centre", "cen"),
    ("attacker-forts", "afor"),
    ("defender-forts", "dfor"),
];

/// The keys in these tables, and what the keys of records end with.
static PARTS: [Key; 6] = [
    ("squares", "", Form::Squares),
    ("hostile", "h", Form::Text),
    ("hostile-empty", "he", Form::Text),
    ("pass", "p", Form::Text),
    ("stop", "s", Form::Text),
    (ENTER, "re", Form::Text),
];
const ENTER: &str = "enter";

/// What a variant is told by in place of keys: the name of another, or a record.
const SOURCES: [&str; 2] = ["base", "record"];

/// All keys: path in the file, key of records, form.
fn keys() -> impl Iterator<Item = (String, String, &'static Form)> {
    let zones = ZONES.iter().flat_map(|(table, begin)| {
        let part = move |(part, end, form): &'static Key| {
            (format!("{table}.{part}"), format!("{begin}{end}"), form)
        };
        PARTS.iter().map(part)
    });
    let own = KEYS.iter();
    own.map(|(path, key, form)| (path.to_string(), key.to_string(), form))
        .chain(zones)
}

/// A message and where in the text it belongs.
type Wrong = (usize, String);

/// Reads a file of variants, in which each may be based on those before it.
///
/// # Errors
/// Names line and key, what is wrong with it and what is expected.
pub(super) fn read(text: &str) -> Result<Vec<(String, Spec)>, String> {
    read_all(text).map_err(|(at, why)| {
        let line = text.get(..at).unwrap_or(text).matches('\n').count() + 1;
        format!("line {line}: {why}")
    })
}

fn read_all(text: &str) -> Result<Vec<(String, Spec)>, Wrong> {
    let form = "[[variant]] tables expected";
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (at, error.message().lines().collect::<Vec<_>>().join(", "))
    })?;
    let mut known = Vec::new();
    for (key, value) in in_order(root.get_ref()) {
        let tables = value
            .get_ref()
            .as_array()
            .filter(|_| key.get_ref() == "variant");
        let tables =
            tables.ok_or_else(|| (key.span().start, format!("'{}', {form}", key.get_ref())))?;
        for table in tables.iter() {
            let at = table.span();
            let table = table.get_ref().as_table();
            let table = table.ok_or_else(|| (at.start, format!("variant: {form}")))?;
            known.push(read_variant(at, table, &known)?);
        }
    }
    match known.is_empty() {
        true => Err((0, format!("no variant, {form}"))),
        false => Ok(known),
    }
}

fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(
    &'a Spanned<toml::de::DeString<'i>>,
    &'a Spanned<DeValue<'i>>,
)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn read_variant(
    at: Range<usize>,
    table: &DeTable,
    known: &[(String, Spec)],
) -> Result<(String, Spec), Wrong> {
    let name = table.get("name");
    let name = name.ok_or_else(|| (at.start, "name: missing, a name expected".to_string()))?;
    let name = (name.span().start, name.get_ref());
    let name = read_name(name.1, known).map_err(|why| (name.0, format!("name: {why}")))?;
    let in_variant = |(at, why): Wrong| (at, format!("variant '{name}': {why}"));
    let spec = read_keys(&at, &name, table, known).map_err(in_variant)?;
    Ok((name, spec))
}

fn read_name(value: &DeValue, known: &[(String, Spec)]) -> Result<String, String> {
    let form = "letters, digits and - expected";
    let name = value.as_str().ok_or_else(|| not(value, form))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("'{name}', {form}"));
    }
    let mut taken = known.iter().map(|(known, _)| known.as_str());
    if built_in(name).is_some() || taken.any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(format!("'{name}' exists already, another name expected"));
    }
    Ok(name.to_string())
}

/// What was found in a variant: a key of records and its value, for a key of the file.
struct Found {
    at: usize,
    path: String,
    key: String,
    value: String,
}

fn read_keys(
    at: &Range<usize>,
    name: &str,
    table: &DeTable,
    known: &[(String, Spec)],
) -> Result<Spec, Wrong> {
    let base = read_source(table, known)?;
    let mut found = Vec::new();
    collect(table, "", base.as_ref(), &mut found)?;
    let mut record = base.as_ref().map(Spec::to_record).unwrap_or_default();
    // In records the keys of re-entry count only together: those that are not given stay as they are.
    if found.iter().any(|found| found.path.ends_with(ENTER)) {
        for ((_, begin), zone) in ZONES.iter().zip(0..) {
            let all = |kind: &usize| {
                base.as_ref()
                    .is_none_or(|base| base.zones[zone].enter.has(*kind))
            };
            let who: String = (0..LETTERS.len())
                .filter(all)
                .map(|kind| LETTERS[kind])
                .collect();
            record += &format!(" {begin}re:{who}");
        }
    }
    for Found { key, value, .. } in &found {
        record += &format!(" {key}:{value}");
    }
    record += &format!(" name:{name}");
    let spec = Spec::from_record(&record).map_err(|why| in_words_of_the_file(&why, at, &found))?;
    visit_spec(&spec, Check)
        .and_then(|start| start)
        .map_err(|why| (at.start, why))?;
    Ok(spec)
}

/// An error of a record, about a key of the file.
fn in_words_of_the_file(why: &str, at: &Range<usize>, found: &[Found]) -> Wrong {
    let (key, what) = why.split_once(": ").unwrap_or(("", why));
    if let Some(found) = found.iter().rev().find(|found| found.key == key) {
        return (found.at, format!("{}: {what}", found.path));
    }
    let path = keys().find(|(path, known, _)| known == key || path == key);
    (
        at.start,
        format!(
            "{}: {what}",
            path.map_or(key.to_string(), |(path, ..)| path)
        ),
    )
}

/// The game that a variant is based on.
fn read_source(table: &DeTable, known: &[(String, Spec)]) -> Result<Option<Spec>, Wrong> {
    let [base, record] = SOURCES.map(|source| table.get(source));
    let (key, value) = match (base, record) {
        (None, None) => return Ok(None),
        (Some(_), Some(record)) => {
            let why = "record: together with base, one of the two expected";
            return Err((record.span().start, why.to_string()));
        }
        (Some(base), None) => (SOURCES[0], base),
        (None, Some(record)) => (SOURCES[1], record),
    };
    let text = value.get_ref().as_str();
    let text = text.ok_or_else(|| not(value.get_ref(), "a text expected"));
    let spec = text.and_then(|text| match base {
        Some(_) => based_on(text, known),
        None => Spec::from_record(text),
    });
    spec.map(Some)
        .map_err(|why| (value.span().start, format!("{key}: {why}")))
}

fn based_on(name: &str, known: &[(String, Spec)]) -> Result<Spec, String> {
    let same = |known: &str| known.eq_ignore_ascii_case(name);
    if let Some((_, spec)) = known.iter().find(|(known, _)| same(known)) {
        return Ok(spec.clone());
    }
    match built_in(name) {
        Some((_, Told::Record(record))) => Spec::from_record(record),
        Some((_, Told::Thud(_))) => Err(format!("'{name}', a game of the tafl family expected")),
        None => {
            let built_in = BUILT_IN.iter();
            let tafl = built_in.filter(|(_, told)| matches!(told, Told::Record(_)));
            let before = known.iter().map(|(name, _)| name.as_str());
            Err(unknown(name, tafl.map(|&(name, _)| name).chain(before)))
        }
    }
}

/// Collects what is in a table, and in those inside it.
fn collect(
    table: &DeTable,
    before: &str,
    base: Option<&Spec>,
    found: &mut Vec<Found>,
) -> Result<(), Wrong> {
    for (word, value) in in_order(table) {
        let (at, path) = (word.span().start, format!("{before}{}", word.get_ref()));
        if before.is_empty() && (path == "name" || SOURCES.contains(&path.as_str())) {
            continue;
        }
        let inside = format!("{path}.");
        let wrong = |why: String| (at, format!("{path}: {why}"));
        if let Some((_, key, form)) = keys().find(|(known, ..)| *known == path) {
            let value = form.read(value.get_ref(), base).map_err(wrong)?;
            found.push(Found {
                at,
                path,
                key,
                value,
            });
        } else if keys().any(|(known, ..)| known.starts_with(&inside)) {
            let table = value.get_ref().as_table();
            let table = table.ok_or_else(|| wrong(not(value.get_ref(), "a table expected")))?;
            collect(table, &inside, base, found)?;
        } else {
            let mut known: Vec<String> = keys()
                .filter_map(|(path, ..)| Some(path.strip_prefix(before)?.to_string()))
                .map(|path| path.split('.').next().unwrap_or_default().to_string())
                .collect();
            known.dedup();
            let why = format!("unknown key, one of {} expected", known.join(" "));
            return Err(wrong(why));
        }
    }
    Ok(())
}

impl Form {
    /// The value as a record has it.
    fn read(&self, value: &DeValue, base: Option<&Spec>) -> Result<String, String> {
        match self {
            Form::Words(words) => {
                let known: Vec<String> = words
                    .iter()
                    .map(|(word, _)| format!("\"{word}\""))
                    .collect();
                let expected = format!("one of {} expected", known.join(" "));
                let word = value
                    .as_str()
                    .and_then(|text| words.iter().find(|(word, _)| *word == text));
                word.map(|(_, value)| value.to_string())
                    .ok_or_else(|| not(value, &expected))
            }
            Form::Flag => match value.as_bool() {
                Some(true) => Ok("y".into()),
                Some(false) => Ok("n".into()),
                None => Err(not(value, "true or false expected")),
            },
            Form::Number => number(value),
            Form::Text => word(value, "a text without blanks expected"),
            Form::Squares => {
                let expected = "a list of squares such as [\"a1\", \"g7\"] expected";
                let list = value.as_array().ok_or_else(|| not(value, expected))?;
                let names = list.iter().map(|name| word(name.get_ref(), expected));
                Ok(names.collect::<Result<Vec<_>, _>>()?.join(","))
            }
            Form::Speed => {
                let Some(table) = value.as_table() else {
                    return number(value);
                };
                let mut speed = base
                    .map_or([0; LETTERS.len()], |base| base.speed)
                    .map(|n| n.to_string());
                for (letter, value) in in_order(table) {
                    let kind = LETTERS
                        .iter()
                        .position(|known| letter.get_ref() == &known.to_string());
                    let letters: String = LETTERS.iter().collect();
                    let kind = kind.ok_or_else(|| {
                        format!("'{}', letters from {letters} expected", letter.get_ref())
                    })?;
                    speed[kind] = number(value.get_ref())?;
                }
                Ok(speed.join(","))
            }
        }
    }
}

/// A number from 0, of which others mean nothing here.
fn number(value: &DeValue) -> Result<String, String> {
    value
        .as_integer()
        .and_then(|number| u32::from_str_radix(number.as_str(), number.radix()).ok())
        .map(|number| number.to_string())
        .ok_or_else(|| not(value, &format!("a number from 0 to {} expected", u32::MAX)))
}

/// A text that a word of a record can hold.
fn word(value: &DeValue, expected: &str) -> Result<String, String> {
    let plain = |c: char| !c.is_ascii_whitespace() && c != ':' && c != ',';
    value
        .as_str()
        .filter(|text| text.chars().all(plain))
        .map(str::to_string)
        .ok_or_else(|| not(value, expected))
}

/// Says that a value is not what is expected.
fn not(value: &DeValue, expected: &str) -> String {
    let text = match value {
        DeValue::String(text) => format!("'{}'", text.escape_debug()),
        DeValue::Integer(number) => format!("'{}'", number.as_str()),
        DeValue::Boolean(flag) => format!("'{flag}'"),
        other => format!("{} given", other.type_str()),
    };
    format!("{text}, {expected}")
}
