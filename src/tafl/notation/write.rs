//! Writing rules records: `dim` first, the start position last, and between them what differs from the defaults.

use super::{AS_IT_IS, CENTRE_ENTRY, ENTRIES, EVERYBODY, KEYS, WHEN_EMPTY, Words};
use crate::tafl::spec::{LETTERS, Letters, Spec};

impl Spec {
    /// The rules record of this game, from which [`Spec::from_record`] reads the same game.
    pub fn to_record(&self) -> String {
        let plain = Spec::of_size(self.size, String::new());
        let mut words = vec![format!("dim:{}", self.size)];
        for key in KEYS {
            let value = (key.write)(self);
            if value != (key.write)(&plain) {
                words.push(format!("{}:{value}", key.name));
            }
        }
        for (key, zone) in WHEN_EMPTY {
            let zone = &self.zones[zone];
            if zone.hostile_empty != zone.hostile {
                words.push(format!("{key}:{}", letters(&zone.hostile_empty)));
            }
        }
        if self.zones.iter().any(|zone| zone.enter != EVERYBODY) {
            for (key, zone) in ENTRIES {
                let who = self.zones[zone].enter;
                if key == CENTRE_ENTRY || who != Letters::NONE {
                    words.push(format!("{key}:{}", letters(&who)));
                }
            }
        }
        if self.exception().is_some() {
            words.push(format!("{AS_IT_IS}:y"));
        }
        let rows: Vec<&str> = self.start.rsplit('/').collect();
        words.push(format!("start:/{}/", rows.join("/")));
        words.join(" ")
    }
}

/// The word that means this; there is one for everything that can be meant, but for what another key says.
pub(super) fn word<T: Copy + PartialEq>(words: &Words<T>, meaning: T) -> String {
    words
        .iter()
        .find(|(_, known)| *known == meaning)
        .map_or(words[0].0, |&(word, _)| word)
        .to_string()
}

pub(super) fn letters(set: &Letters) -> String {
    let members = LETTERS.iter().enumerate();
    members
        .filter(|&(kind, _)| set.has(kind))
        .map(|(_, letter)| letter)
        .collect()
}

pub(super) fn squares(squares: &[(u8, u8)]) -> String {
    let names: Vec<String> = squares
        .iter()
        .map(|&(file, rank)| format!("{}{}", char::from(b'a' + file), rank + 1))
        .collect();
    names.join(",")
}

pub(super) fn speed(speed: &[u8; LETTERS.len()]) -> String {
    let number = |&limit: &u8| match limit {
        0 => "-1".to_string(),
        limit => limit.to_string(),
    };
    if speed.iter().all(|limit| *limit == speed[0]) {
        return number(&speed[0]);
    }
    speed.iter().map(number).collect::<Vec<_>>().join(",")
}

pub(super) fn name(name: &str) -> String {
    name.chars()
        .map(|letter| match letter {
            ' ' => "_".to_string(),
            '_' | ':' | '%' => format!("%{:02X}", u32::from(letter)),
            _ if letter.is_ascii_whitespace() => format!("%{:02X}", u32::from(letter)),
            _ => letter.to_string(),
        })
        .collect()
}
