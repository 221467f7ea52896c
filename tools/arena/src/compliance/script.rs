//! Checks written as dialogues.
//!
//! ```text
//! == 6 moves plays on from the position
//! @ variant hnefatafl7
//! > position startpos
//! > moves d1c1
//! > query p1turn
//! < response false
//! ```
//!
//! `==` begins a check with its section of the protocol and its name. What it needs stands on lines with `@`: `variant V`
//! (else `hnefatafl7`), `every variant`, `hello` (no variant is set), `bare` (not even a hello is said), `dialect D`, and
//! `option O` for options that an engine need not have.
//!
//! `>` is a line to send, and lines in a row are sent in one write; `>raw` is bytes to send, with escapes and without an end
//! of line. `<` is the next line that means something: `{n}` is a whole number, `{word}` and `{move}` are a word, `{text}` is
//! the rest, `error WORDS` is an error line that contains these words, `...` is any number of lines. `..` watches that nothing
//! comes for a while and that `isready` is answered. `eof` ends the input, and `end` waits for the process to end with exit
//! code 0 after no further line. A check that does not end so ends with `isready`, before whose answer nothing may come.
//! In a check of every variant `{variant}`, `{start}` and `{first}` in lines to send are its name, the position text of its
//! start and a legal move there.

use super::process::shorten;
use super::talk::{Dialect, ERROR, Talk, Verdict, referee};
use crate::engine::Ending;
use crate::text::replay::facts;

/// What is said before a check begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setup {
    /// Nothing.
    Bare,
    /// The hello.
    Hello,
    /// The hello, and this variant is set.
    Variant(&'static str),
    /// As `Variant`, for every variant that the engine offers one after the other; a check may leave options behind only if
    /// it does not mind to find them so.
    Every,
}

/// A line of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Send(String),
    Raw(Vec<u8>),
    Expect(String),
    Error(String),
    Skip,
    Hold,
    Close,
    End,
}

/// A check written as a dialogue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Script {
    pub(super) section: &'static str,
    pub(super) name: &'static str,
    pub(super) setup: Setup,
    pub(super) dialect: Option<Dialect>,
    pub(super) options: Vec<&'static str>,
    steps: Vec<Step>,
}

/// The variant of checks that do not name one.
const USUAL: &str = "hnefatafl7";

/// Reads scripts.
///
/// # Errors
/// Names the line.
pub(super) fn read(text: &'static str) -> Result<Vec<Script>, String> {
    let mut scripts: Vec<Script> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = || format!("line {number} of the checks: '{line}'");
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "==" {
            let (section, name) = rest.split_once(' ').ok_or_else(wrong)?;
            scripts.push(Script {
                section,
                name,
                setup: Setup::Variant(USUAL),
                dialect: None,
                options: Vec::new(),
                steps: Vec::new(),
            });
            continue;
        }
        let script = scripts.last_mut().ok_or_else(wrong)?;
        if word == "@" {
            match rest.split_once(' ').unwrap_or((rest, "")) {
                ("bare", _) => script.setup = Setup::Bare,
                ("hello", _) => script.setup = Setup::Hello,
                ("every", _) => script.setup = Setup::Every,
                ("variant", name) => script.setup = Setup::Variant(name),
                ("dialect", "uci") => script.dialect = Some(Dialect::Uci),
                ("dialect", "ugi") => script.dialect = Some(Dialect::Ugi),
                ("option", name) => script.options.push(name),
                _ => return Err(wrong()),
            }
            continue;
        }
        let step = match word {
            ">" => match script.steps.last_mut() {
                Some(Step::Send(before)) => {
                    before.push('\n');
                    before.push_str(rest);
                    continue;
                }
                _ => Step::Send(rest.to_string()),
            },
            ">raw" => Step::Raw(unescape(rest).ok_or_else(wrong)?),
            "<" if rest == "..." => Step::Skip,
            "<" => match rest.strip_prefix("error") {
                Some(words) => Step::Error(words.trim().to_string()),
                None => Step::Expect(rest.to_string()),
            },
            ".." => Step::Hold,
            "eof" => Step::Close,
            "end" => Step::End,
            _ => return Err(wrong()),
        };
        script.steps.push(step);
    }
    Ok(scripts)
}

/// `\n`, `\r`, `\t`, `\s` for a blank, `\\`, and `\xHH` for a byte.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let (&letter, after) = rest.split_first()?;
        rest = after;
        bytes.push(match letter {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b's' => b' ',
            b'\\' => b'\\',
            b'x' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

/// Whether a line is what a pattern says.
fn matches(pattern: &str, line: &str) -> bool {
    let is_number = |word: &str| {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    let is_move = |word: &str| {
        let mut bytes = word.bytes();
        bytes
            .next()
            .is_some_and(|letter| letter.is_ascii_lowercase())
            && bytes.next().is_some_and(|digit| digit.is_ascii_digit())
    };
    let mut words = line.split(' ');
    for part in pattern.split(' ') {
        if part == "{text}" {
            return words.next().is_some();
        }
        let Some(word) = words.next() else {
            return false;
        };
        // A colon belongs to the line, not to the move before it.
        let (kind, value) = match part.strip_suffix(':') {
            Some(kind) => match word.strip_suffix(':') {
                Some(value) => (kind, value),
                None => return false,
            },
            None => (part, word),
        };
        let fits = match kind {
            "{n}" => is_number(value),
            "{word}" => !value.is_empty(),
            "{move}" => is_move(value),
            _ => kind == value,
        };
        if !fits {
            return false;
        }
    }
    words.next().is_none()
}

impl Script {
    /// Holds the dialogue.
    pub(super) fn run(&self, talk: &mut Talk<'_>, variant: Option<&str>) -> Verdict {
        let filled = |text: &str| -> Verdict<String> {
            let Some(variant) = variant.filter(|_| self.setup == Setup::Every) else {
                return Ok(text.to_string());
            };
            let first = referee(variant)?.moves().unwrap_or_default();
            Ok(text
                .replace("{variant}", variant)
                .replace("{start}", &facts(&variant.parse()?)?.start)
                .replace("{first}", first.first().map_or("", String::as_str)))
        };
        let mut skipping = false;
        for step in &self.steps {
            match step {
                Step::Send(text) => talk.send(&filled(text)?),
                Step::Raw(bytes) => talk.process.write(bytes),
                Step::Skip => skipping = true,
                Step::Hold => talk.holds()?,
                Step::Close => talk.process.close(),
                Step::End => end(talk)?,
                Step::Expect(pattern) => {
                    let pattern = filled(pattern)?;
                    let fits = |line: &str| matches(&pattern, line);
                    next(talk, std::mem::take(&mut skipping), &pattern, fits)?;
                }
                Step::Error(words) => {
                    let fits = |line: &str| {
                        let text = line.strip_prefix(ERROR.trim_end());
                        text.is_some_and(|text| !text.trim().is_empty() && text.contains(words))
                    };
                    let pattern = format!("{ERROR}… {words}");
                    next(
                        talk,
                        std::mem::take(&mut skipping),
                        pattern.trim_end(),
                        fits,
                    )?;
                }
            }
        }
        match self.steps.last() {
            Some(Step::End) => Ok(()),
            _ => talk.sync(),
        }
    }
}

/// Takes the next line that means something; with `skipping`, the next that fits.
fn next(
    talk: &mut Talk<'_>,
    skipping: bool,
    expected: &str,
    fits: impl Fn(&str) -> bool,
) -> Verdict {
    loop {
        let line = talk.significant(expected)?;
        if fits(&line) {
            return Ok(());
        }
        if !skipping {
            return Err(format!("'{expected}' expected, '{}' came", shorten(&line)));
        }
    }
}

/// The process ends with exit code 0, and prints nothing more that means something.
pub(super) fn end(talk: &mut Talk<'_>) -> Verdict {
    match talk.significant("the end of the output") {
        Ok(line) => {
            return Err(format!(
                "the end of the output expected, '{}' came",
                shorten(&line)
            ));
        }
        Err(why) if why.contains("the output has ended") => {}
        Err(why) => return Err(why),
    }
    match talk.process.wait(talk.subject.patience)? {
        Ending::Code(0) => Ok(()),
        ending => Err(format!("exit code 0 expected, the process ended: {ending}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, line, fits) in [
            ("readyok", "readyok", true),
            ("readyok", "readyok ", false),
            ("response {n}", "response -12", true),
            ("response {n}", "response none", false),
            ("bestmove {move}", "bestmove d1c1", true),
            ("bestmove {move}", "bestmove (none)", false),
            ("bestmove {move}", "bestmove d1c1 ponder d3c3", false),
            ("bestmove {text}", "bestmove d1c1 ponder d3c3", true),
            ("{move}: {n}", "b1b2: 1", true),
            ("{move}: {n}", "b1b2 1", false),
            ("response d8 e7", "response d8 e7", true),
            ("response d8 e7", "response d8", false),
        ] {
            assert_eq!(matches(pattern, line), fits, "{pattern} / {line}");
        }
    }

    #[test]
    fn scripts_are_read() {
        let text = "# remark\n\n== 4 a name\n@ variant thud\n@ option Offers\n> a\n> b\n< error x y\n< ...\n< c {n}\n>raw d\\r\\n\\xff\n..\neof\nend\n";
        let scripts = read(text).expect("reads");
        assert_eq!(scripts.len(), 1);
        let script = &scripts[0];
        assert_eq!((script.section, script.name), ("4", "a name"));
        assert_eq!(script.setup, Setup::Variant("thud"));
        assert_eq!(script.options, ["Offers"]);
        let steps = [
            Step::Send("a\nb".into()),
            Step::Error("x y".into()),
            Step::Skip,
            Step::Expect("c {n}".into()),
            Step::Raw(b"d\r\n\xff".to_vec()),
            Step::Hold,
            Step::Close,
            Step::End,
        ];
        assert_eq!(script.steps, steps);
        for bad in [
            "> a",
            "== 4",
            "== 4 x\n@ nothing",
            "== 4 x\nhello",
            "== 4 x\n>raw \\q",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
