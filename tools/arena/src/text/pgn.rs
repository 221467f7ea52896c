//! The PGN-like form: tags, then moves in the notation of the protocol with comments `{score/depth time}`, then the result.
//!
//! Written as the PGN standard's export format has it, and read leniently: line breaks anywhere, move numbers, comments in
//! braces or from `;` to the end of the line, lines that begin with `%`, variations and glyphs (`$1`, `!`, `?`) left out.
//! Quotes and backslashes in tags are escaped, line ends are written `\n`.

use super::replay::{facts, replay};
use super::{Annotated, Transcript, tags};
use std::fmt::Write as _;

/// Columns that a line of moves fills at most.
const WIDTH: usize = 100;
/// What a game can end with.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Writes a game, with an empty line after it.
///
/// # Errors
/// If the variant is missing or unknown.
pub(super) fn write(game: &Transcript) -> Result<String, String> {
    let conditions = game.conditions()?;
    let facts = facts(&conditions.variant)?;
    let mut text = String::new();
    for (name, value) in &game.tags {
        // Writing to a string does not fail.
        let _ = writeln!(text, "[{name} \"{}\"]", escape(value));
    }
    text.push('\n');
    let start = game.tag(tags::FEN).unwrap_or(&facts.start);
    let mut fields = start.split_ascii_whitespace().skip(1);
    let second = fields
        .next()
        .is_some_and(|side| side.starts_with(facts.letters[1]));
    let mut pair: usize = fields
        .nth(1)
        .and_then(|pair| pair.parse().ok())
        .unwrap_or(1);
    // Sides take turns, and the rules need not be asked, unless a turn may go on.
    let steps = match conditions.variant.has_long_turns() {
        true => replay(&conditions, game.moves.iter().map(|mv| mv.mv.as_str()))?.steps,
        false => Vec::new(),
    };
    let mut words = Vec::new();
    let mut before = None;
    for (index, mv) in game.moves.iter().enumerate() {
        let taken_in_turns = (usize::from(second) + index) % 2;
        let side = { steps.get(index) }.map_or(taken_in_turns, |step| step.side.index());
        if before == Some(1) && side == 0 {
            pair = pair.saturating_add(1);
        }
        if side == 0 && before != Some(0) {
            words.push(format!("{pair}."));
        } else if index == 0 {
            words.push(format!("{pair}..."));
        }
        before = Some(side);
        words.push(mv.mv.clone());
        if let Some(comment) = &mv.comment {
            words.push(format!("{{{}}}", comment.replace('}', ")")));
        }
    }
    let result = game.tag(tags::RESULT).unwrap_or("*");
    words.push(match RESULTS.contains(&result) {
        true => result.to_string(),
        false => "*".to_string(),
    });
    wrap(&words, &mut text);
    text.push('\n');
    Ok(text)
}

/// Appends words in lines of at most [`WIDTH`] columns; a word that is longer has its own.
fn wrap(words: &[String], text: &mut String) {
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}

fn escape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            _ if letter.is_control() => text.push(' '),
            _ => text.push(letter),
        }
    }
    text
}

/// Reads all games.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    let mut reader = Reader {
        rest: text,
        line: 1,
        at_line_start: true,
    };
    let mut games: Vec<Transcript> = Vec::new();
    let mut game = Transcript::default();
    let mut begun = false;
    // A game ends with its result; one that has none ends where the tags of the next begin.
    let close = |game: &mut Transcript, games: &mut Vec<Transcript>| {
        game.place = place(games.len(), game);
        games.push(std::mem::take(game));
    };
    while let Some(token) = reader.next()? {
        match token {
            Token::Tag(name, value) => {
                if !game.moves.is_empty() {
                    close(&mut game, &mut games);
                }
                begun = true;
                game.set_tag(&name, value);
            }
            Token::Comment(comment) => {
                if let Some(last) = game.moves.last_mut() {
                    last.comment = Some(match last.comment.take() {
                        Some(before) => format!("{before} {comment}"),
                        None => comment,
                    });
                }
            }
            Token::Move(mv) => {
                begun = true;
                game.moves.push(Annotated {
                    mv,
                    ..Annotated::default()
                });
            }
            Token::Result(result) => {
                if game.tag(tags::RESULT).is_none() {
                    game.set_tag(tags::RESULT, result);
                } else if result != "*" && game.tag(tags::RESULT) != Some(result) {
                    return Err(format!(
                        "line {}: the result {result} is not that of the tag, {}",
                        reader.line,
                        game.tag(tags::RESULT).unwrap_or("*")
                    ));
                }
                close(&mut game, &mut games);
                begun = false;
            }
        }
    }
    if begun {
        close(&mut game, &mut games);
    }
    Ok(games)
}

fn place(index: usize, game: &Transcript) -> String {
    match game.tag("Round") {
        Some(round) => format!("game {} (round {round})", index + 1),
        None => format!("game {}", index + 1),
    }
}

enum Token {
    Tag(String, String),
    Comment(String),
    Move(String),
    Result(&'static str),
}

struct Reader<'a> {
    rest: &'a str,
    /// Number of the line that `rest` begins in.
    line: usize,
    at_line_start: bool,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<Token>, String> {
        loop {
            let Some(letter) = self.rest.chars().next() else {
                return Ok(None);
            };
            match letter {
                '%' if self.at_line_start => drop(self.take_line()),
                _ if letter.is_whitespace() => drop(self.take(letter.len_utf8())),
                '[' => return self.tag().map(Some),
                '{' => return self.comment().map(Some),
                ';' => {
                    let comment = self.take_line();
                    return Ok(Some(Token::Comment(comment[1..].trim().to_string())));
                }
                '(' => self.skip_variation()?,
                ')' | '}' | ']' => {
                    return Err(format!("line {}: a '{letter}' too many", self.line));
                }
                _ => {
                    let end = self
                        .rest
                        .find(|c: char| c.is_whitespace() || "[]{}();".contains(c))
                        .unwrap_or(self.rest.len());
                    if let Some(token) = word(self.take(end)) {
                        return Ok(Some(token));
                    }
                }
            }
        }
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        self.at_line_start = taken.ends_with('\n');
        taken
    }

    fn take_line(&mut self) -> &'a str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    fn tag(&mut self) -> Result<Token, String> {
        let line = self.line;
        let wrong = || format!("line {line}: a tag such as [Variant \"thud\"] expected");
        let mut name = None;
        let mut value: Option<String> = None;
        let mut escaped = false;
        for (at, letter) in self.rest.char_indices().skip(1) {
            match (&mut value, letter) {
                (None, '"') => {
                    name = Some(self.rest[1..at].trim());
                    value = Some(String::new());
                }
                (None, '\n' | ']') => return Err(wrong()),
                (None, _) => {}
                (Some(value), _) if escaped => {
                    value.push(if letter == 'n' { '\n' } else { letter });
                    escaped = false;
                }
                (Some(_), '\\') => escaped = true,
                (Some(_), '\n') => return Err(wrong()),
                (Some(_), '"') => {
                    let rest = self.rest[at + 1..].trim_start_matches([' ', '\t']);
                    let end = self.rest.len() - rest.len();
                    let name = name.filter(|name| {
                        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                        !name.is_empty() && name.chars().all(plain)
                    });
                    let (Some(name), true, Some(value)) = (name, rest.starts_with(']'), value)
                    else {
                        return Err(wrong());
                    };
                    self.take(end + 1);
                    return Ok(Token::Tag(name.to_string(), value));
                }
                (Some(value), _) => value.push(letter),
            }
        }
        Err(wrong())
    }

    fn comment(&mut self) -> Result<Token, String> {
        let end = self
            .rest
            .find('}')
            .ok_or_else(|| format!("line {}: a comment without its end, }}", self.line))?;
        let words: Vec<&str> = self.take(end + 1)[1..end].split_whitespace().collect();
        Ok(Token::Comment(words.join(" ")))
    }

    /// Skips brackets and what is between them, brackets and comments included.
    fn skip_variation(&mut self) -> Result<(), String> {
        let line = self.line;
        let mut depth = 0;
        loop {
            match self.rest.chars().next() {
                None => return Err(format!("line {line}: a variation without its end, )")),
                Some('{') => drop(self.comment()?),
                Some(letter) => {
                    depth += i32::from(letter == '(') - i32::from(letter == ')');
                    self.take(letter.len_utf8());
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// What a word of the moves means; nothing if it is a number or a glyph.
fn word(text: &str) -> Option<Token> {
    if let Some(result) = RESULTS.iter().find(|result| **result == text) {
        return Some(Token::Result(result));
    }
    // `1.`, `1...`, and numbers written together with their move, `1.d1c1`.
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = match digits.trim_start_matches('.') {
        rest if digits.starts_with('.') || rest.is_empty() => rest,
        _ => text,
    };
    let text = text.trim_end_matches(['!', '?']);
    (!text.is_empty() && !text.starts_with('$')).then(|| Token::Move(text.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(tags: &[(&str, &str)], moves: &[(&str, Option<&str>)]) -> Transcript {
        Transcript {
            place: "game 1".into(),
            tags: tags
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
            moves: moves
                .iter()
                .map(|(mv, comment)| Annotated {
                    mv: mv.to_string(),
                    comment: comment.map(str::to_string),
                    written: None,
                })
                .collect(),
            end: None,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let moves = [
            ("d1c1", Some("+0.12/9 0.010s")),
            ("d3c3", None),
            ("c1d1", Some("book")),
        ];
        let plain = game(
            &[
                (
                    "Event",
                    "a \"test\" of \\ and [brackets] {braces}\nin two lines",
                ),
                ("Variant", "hnefatafl7"),
                ("Result", "*"),
            ],
            &moves,
        );
        let text = write(&plain).expect("writes");
        assert!(
            text.contains("\n1. d1c1 {+0.12/9 0.010s} d3c3 2. c1d1 {book} *\n"),
            "{text}"
        );
        assert_eq!(read(&text), Ok(vec![plain.clone()]));

        let other = game(
            &[
                ("Variant", "hnefatafl7"),
                ("FEN", "7/7/7/K6/7/6t/1tT4 d 3 12"),
                ("Result", "0-1"),
            ],
            &[("a4a1", None)],
        );
        let both = text + &write(&other).expect("writes");
        assert!(both.contains("\n12... a4a1 0-1\n"), "{both}");
        let games = read(&both).expect("reads");
        assert_eq!(games[0], plain);
        assert_eq!(
            (&games[1].tags, &games[1].moves),
            (&other.tags, &other.moves)
        );
    }

    #[test]
    fn numbers_follow_the_turns() {
        let moves = "d6d5 j6j11 f4i4 e11e9 d5d4 h11h8 f5f3 d1d3 d4c4 e1e3 g5g3 d3c3 c4d4 f1e1 g7g8 g1g2 i4i11 i11i4 f2d2";
        let moves: Vec<_> = moves.split(' ').map(|mv| (mv, None)).collect();
        let text = write(&game(&[("Variant", "berserk")], &moves)).expect("writes");
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        assert!(words.contains("] 1... d6d5 2. j6j11 f4i4 3. "), "{words}");
        assert!(
            words.ends_with(" 9. g1g2 i4i11 i11i4 10. f2d2 *"),
            "{words}"
        );
    }

    #[test]
    fn long_games_are_wrapped() {
        let moves = vec![("a10a11", Some("-12.34/10 123.456s")); 300];
        let long = game(&[("Variant", "tawlbwrdd"), ("Result", "*")], &moves);
        let text = write(&long).expect("writes");
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(read(&text), Ok(vec![long]));
    }

    #[test]
    fn reading_is_lenient() {
        let text = "% a remark\n[Variant \"thud\"] [White\"x\"]\r\n\r\n1.a6a7 {two\nlines} $14 (1.b5b6 {)} (2. x)) 1... g9\n";
        assert!(
            read(text).is_ok(),
            "whatever a move looks like, it is judged later"
        );
        let text = "1.d1c1!? ; to the end } of the line\n 1... d3c3??2.\nc1d1 1/2-1/2 \n\n1. d1e1";
        let games = read(text).expect("reads");
        let words = |game: &Transcript| -> Vec<String> {
            game.moves.iter().map(|mv| mv.mv.clone()).collect()
        };
        assert_eq!(games.len(), 2);
        assert_eq!(words(&games[0]), ["d1c1", "d3c3??2.", "c1d1"]);
        assert_eq!(games[0].tag("Result"), Some("1/2-1/2"));
        assert_eq!(
            games[0].moves[0].comment.as_deref(),
            Some("to the end } of the line")
        );
        assert_eq!(words(&games[1]), ["d1e1"]);
    }

    #[test]
    fn what_can_not_be_read_is_named() {
        for (text, what) in [
            ("[Variant thud]", "line 1"),
            ("\n[Variant \"thud]", "line 2"),
            ("[Variant \"thud\" x]", "line 1"),
            ("[ \"thud\"]", "tag"),
            ("1. d1c1 {no end", "comment"),
            ("1. d1c1 (no end", "variation"),
            ("1. d1c1 }", "too many"),
            ("[Result \"1-0\"]\n1. d1c1 0-1", "not that of the tag"),
        ] {
            let why = read(text).expect_err(text);
            assert!(why.contains(what), "{text:?}: {why}");
        }
        assert_eq!(read(" \n"), Ok(Vec::new()));
    }
}
