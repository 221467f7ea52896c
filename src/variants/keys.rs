//! The keys of a file of variants: what they stand for in rules records, and how their values are written.

use crate::tafl::spec::{LETTERS, Spec};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// How a value is written in the file.
pub(super) enum Form {
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

/// The tables of special squares in the order of [`Spec::zones`], and what their keys begin with in records.
pub(super) static ZONES: [(&str, &str); 4] = [
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
pub(super) const ENTER: &str = "enter";

/// What a variant is told by in place of keys: the name of another, or a record.
pub(super) const SOURCES: [&str; 2] = ["base", "record"];

/// All keys: path in the file, key of records, form.
pub(super) fn keys() -> impl Iterator<Item = (String, String, &'static Form)> {
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

impl Form {
    /// The value as a record has it.
    pub(super) fn read(&self, value: &DeValue, base: Option<&Spec>) -> Result<String, String> {
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
                        let letter = letter.get_ref().escape_debug();
                        format!("'{letter}', letters from {letters} expected")
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
pub(super) fn not(value: &DeValue, expected: &str) -> String {
    let text = match value {
        DeValue::String(text) => format!("'{}'", text.escape_debug()),
        DeValue::Integer(number) => format!("'{}'", number.as_str()),
        DeValue::Boolean(flag) => format!("'{flag}'"),
        other => format!("{} given", other.type_str()),
    };
    format!("{text}, {expected}")
}

/// The entries of a table as they stand in the file.
pub(super) fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
