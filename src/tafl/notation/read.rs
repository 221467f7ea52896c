//! Reading rules records. An error names the key, what its value was, and what is expected.

use super::{
    AS_IT_IS, CENTRE_ENTRY, ENTRIES, EVERYBODY, EXCEPTIONS, KEYS, MOST_PIECES, RECORDS, SIZES,
    WHEN_EMPTY, Words,
};
use crate::game::Side;
use crate::tafl::spec::{KING, Kind, LETTERS, Letters, Spec, kind_of};

impl Spec {
    /// Reads a rules record, with or without a leading word `rules`.
    ///
    /// Two records of OpenTafl's own games say something else than what it plays under these names; they are read as
    /// what it plays, unless they say `asis:y`.
    ///
    /// # Errors
    /// Names the key, what was wrong with it, and what is expected.
    pub fn from_record(text: &str) -> Result<Spec, String> {
        let spec = Spec::at_its_word(text)?;
        if last(text, &[AS_IT_IS]).is_some_and(|(_, value)| value == "y") {
            return Ok(spec);
        }
        match spec.exception() {
            Some(played) => Spec::at_its_word(&played),
            None => Ok(spec),
        }
    }

    /// The record of what is played, if it is not this game although its record stands for it.
    pub(super) fn exception(&self) -> Option<String> {
        EXCEPTIONS.iter().find_map(|&(number, keys)| {
            let record = RECORDS[number];
            let known = Spec::at_its_word(record).ok()?;
            (known == *self).then(|| format!("{record} {keys}"))
        })
    }

    fn at_its_word(text: &str) -> Result<Spec, String> {
        let value = |key| last(text, &[key]).map(|(_, value)| value);
        let in_key = |key| move |why| format!("{key}: {why}");
        let size = size(value("dim")).map_err(in_key("dim"))?;
        let (key, rows) = last(text, &["start", "starti"])
            .ok_or("start: missing, the start position expected")?;
        let start = start(rows, size, key == "start").map_err(in_key(key))?;
        let mut spec = Spec::of_size(size, start);
        for key in KEYS {
            if let Some(value) = value(key.name) {
                (key.read)(&mut spec, value).map_err(in_key(key.name))?;
            }
        }
        for (key, zone) in WHEN_EMPTY {
            let zone = &mut spec.zones[zone];
            zone.hostile_empty = match value(key) {
                Some(value) => letters(value).map_err(in_key(key))?,
                None => zone.hostile,
            };
        }
        if value(CENTRE_ENTRY).is_some() {
            for (key, zone) in ENTRIES {
                spec.zones[zone].enter = entry(value(key).unwrap_or("")).map_err(in_key(key))?;
            }
        }
        Ok(spec)
    }
}

/// The last word with one of these keys, as key and value. Of a word with several colons the value is what stands between
/// the first two.
fn last<'a>(text: &'a str, keys: &[&str]) -> Option<(&'a str, &'a str)> {
    text.split_ascii_whitespace().rev().find_map(|word| {
        let mut parts = word.split(':');
        let (key, value) = (parts.next()?, parts.next()?);
        keys.contains(&key).then_some((key, value))
    })
}

fn size(value: Option<&str>) -> Result<u8, String> {
    let expected = SIZES.map(|size| size.to_string()).join(" ");
    let value = value.ok_or_else(|| format!("missing, one of {expected} expected"))?;
    let known = |size: &u8| SIZES.contains(size);
    let size = value.parse().ok().filter(known);
    size.ok_or_else(|| format!("'{value}', one of {expected} expected"))
}

/// The rows of a start position, the highest rank first.
fn start(text: &str, size: u8, lowest_first: bool) -> Result<String, String> {
    let text = text.strip_prefix('/').unwrap_or(text);
    let text = text.strip_suffix('/').unwrap_or(text);
    let mut rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(size) {
        return Err(format!("{} rows, {size} expected", rows.len()));
    }
    if lowest_first {
        rows.reverse();
    }
    let mut pieces = [0; LETTERS.len()];
    for (rank, row) in (1..=size).rev().zip(&rows) {
        count(row, size, &mut pieces).map_err(|why| format!("rank {rank}: {why}"))?;
    }
    if pieces[kind_of(Side::Second, KING)] == 0 {
        return Err("no king of the defenders, at least one K expected".into());
    }
    match pieces.iter().sum::<usize>() {
        all if all > MOST_PIECES => Err(format!("{all} pieces, at most {MOST_PIECES} expected")),
        _ => Ok(rows.join("/")),
    }
}

/// Adds the pieces of a row.
fn count(row: &str, size: u8, pieces: &mut [usize; LETTERS.len()]) -> Result<(), String> {
    let mut squares = 0;
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (word, after) = rest.split_at(digits.max(letter.len_utf8()));
        rest = after;
        squares += match kind(letter) {
            Some(kind) => {
                pieces[kind] += 1;
                1
            }
            None if digits > 0 && letter != '0' => word.parse().unwrap_or(usize::MAX / 2),
            None => {
                let letters: String = LETTERS.iter().collect();
                return Err(format!(
                    "'{word}', a piece from {letters} or a number of empty squares expected"
                ));
            }
        };
        if squares > usize::from(size) {
            return Err(format!("more than {size} squares, {size} expected"));
        }
    }
    match squares == usize::from(size) {
        true => Ok(()),
        false => Err(format!("{squares} squares, {size} expected")),
    }
}

fn kind(letter: char) -> Option<Kind> {
    LETTERS.iter().position(|&known| known == letter)
}

/// What a word means, if it is known.
pub(super) fn word<T: Copy>(words: &Words<T>, value: &str) -> Option<T> {
    words
        .iter()
        .find(|(word, _)| *word == value)
        .map(|&(_, meaning)| meaning)
}

pub(super) fn known_word<T: Copy>(words: &Words<T>, value: &str) -> Result<T, String> {
    word(words, value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
        format!("'{value}', {} expected", known.join(" or "))
    })
}

pub(super) fn number(value: &str) -> Result<u32, String> {
    value
        .parse()
        .map_err(|_| format!("'{value}', a number from 0 to {} expected", u32::MAX))
}

/// Which occurrence is a repetition: the first can not be one.
pub(super) fn occurrence(value: &str) -> Result<u32, String> {
    match number(value) {
        Ok(number) if number != 1 => Ok(number),
        _ => Err(format!(
            "'{value}', 0, or a number from 2 to {} expected",
            u32::MAX
        )),
    }
}

pub(super) fn letters(value: &str) -> Result<Letters, String> {
    value.chars().try_fold(Letters::NONE, |set, letter| {
        let kind = kind(letter).ok_or_else(|| {
            let letters: String = LETTERS.iter().collect();
            format!("'{letter}', letters from {letters} expected")
        })?;
        Ok(set.with(kind))
    })
}

/// As [`letters`], all of them being everybody.
fn entry(value: &str) -> Result<Letters, String> {
    let set = letters(value)?;
    let all = (0..LETTERS.len()).all(|kind| set.has(kind));
    Ok(if all { EVERYBODY } else { set })
}

/// A list of squares; a comma may end it.
pub(super) fn squares(value: &str, size: u8) -> Result<Vec<(u8, u8)>, String> {
    let list = value.strip_suffix(',').unwrap_or(value);
    if list.is_empty() {
        return Ok(Vec::new());
    }
    list.split(',')
        .map(|name| {
            square(name)
                .filter(|&(file, rank)| file < size && rank < size)
                .ok_or_else(|| {
                    let last = char::from(b'a' + size - 1);
                    format!("'{name}', a square from a1 to {last}{size} expected")
                })
        })
        .collect()
}

fn square(name: &str) -> Option<(u8, u8)> {
    let mut letters = name.chars();
    let file = u8::try_from(letters.next()?).ok()?.checked_sub(b'a')?;
    let digits = letters.as_str();
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let rank = digits.parse::<u8>().ok().filter(|_| plain)?;
    Some((file, rank - 1))
}

/// The limits of all kinds. One number is for all, eight leave out mercenaries and guards; two and ten are read and have
/// no effect, as OpenTafl has it.
pub(super) fn speed(value: &str) -> Result<[u8; LETTERS.len()], String> {
    let list = value.strip_suffix(',').unwrap_or(value);
    let numbers: Vec<u8> = list
        .split(',')
        .map(|number| match number.parse::<i32>() {
            Ok(number) => Ok(number.clamp(0, i32::from(u8::MAX)) as u8),
            Err(_) => Err(format!("'{number}', a number of squares, or -1, expected")),
        })
        .collect::<Result<_, _>>()?;
    let none = [0; LETTERS.len()];
    match numbers[..] {
        [all] => Ok([all; LETTERS.len()]),
        [t, c, n, k, t2, c2, n2, k2] => Ok([t, c, n, k, 0, 0, t2, c2, n2, k2, 0, 0]),
        _ if numbers.len() == 2 || numbers.len() == 10 => Ok(none),
        _ => numbers[..]
            .try_into()
            .map_err(|_| format!("{} numbers, 1, 2, 8, 10 or 12 expected", numbers.len())),
    }
}

/// A name: `_` is a blank, and `%` with two hexadecimal digits a character that a word can not hold.
pub(super) fn name(value: &str) -> Result<String, String> {
    let mut parts = value.split('%');
    let mut name = parts.next().unwrap_or_default().replace('_', " ");
    for part in parts {
        let code = part
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                name.push(char::from(code));
                name += &part[2..].replace('_', " ");
            }
            None => {
                name.push('%');
                name += &part.replace('_', " ");
            }
        }
    }
    Ok(name)
}
