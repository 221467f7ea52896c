//! What a person can type beside a move, and the questions that come back.

use super::board::Square;
use super::contest::{Contest, Seat};
use super::typed::{self, Choice, LISTED, Typed};
use super::{Desk, Next, file, words};
use crate::search::level::FULL;

/// A command: its word, what may follow it, and what `help` says.
struct Command {
    word: &'static str,
    argument: Argument,
    help: &'static str,
}

/// What may follow a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    None,
    File,
    MaybeSquare,
}

const fn command(word: &'static str, argument: Argument, help: &'static str) -> Command {
    Command {
        word,
        argument,
        help,
    }
}

/// All commands.
static COMMANDS: [Command; 14] = [
    command("board", Argument::None, "draw the board again"),
    command("flip", Argument::None, "turn the board around"),
    command(
        "moves",
        Argument::MaybeSquare,
        "list the legal moves, all or those from a square",
    ),
    command(
        "hint",
        Argument::None,
        "what the engine would play here at full strength",
    ),
    command(
        "undo",
        Argument::None,
        "go back to your previous turn, also after the end",
    ),
    command(
        "offer",
        Argument::None,
        "offer to end the game as it stands, or accept such an offer",
    ),
    command("resign", Argument::None, "give up"),
    command(
        "next",
        Argument::None,
        "begin the second battle of a match when the first is over",
    ),
    command("new", Argument::None, "begin anew"),
    command("save", Argument::File, "write the game to a file"),
    command(
        "load",
        Argument::File,
        "go on with a saved game and those who played it",
    ),
    command("help", Argument::None, "this list"),
    command("quit", Argument::None, "leave; so does the end of input"),
    command("exit", Argument::None, "the same"),
];

impl Desk {
    /// Carries out a typed line.
    pub(super) fn obey(&mut self, line: &str) -> Next {
        let line = line.trim();
        let (word, argument) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        if word.is_empty() {
            return Next::GoOn;
        }
        let word = word.to_ascii_lowercase();
        match COMMANDS.iter().find(|command| command.word == word) {
            Some(command) => match command.argument {
                Argument::None if !argument.is_empty() => {
                    self.say(format!(
                        "{word} '{argument}': nothing is expected after {word}"
                    ));
                    Next::GoOn
                }
                Argument::File if argument.is_empty() => {
                    self.say(format!("{word}: the name of a file is expected after it"));
                    Next::GoOn
                }
                _ => self.carry_out(command.word, argument),
            },
            None if typed::looks_like_move(line) => self.typed_move(line),
            None => {
                let known: Vec<&str> = COMMANDS.iter().map(|command| command.word).collect();
                self.say(format!(
                    "unknown command '{word}'; known are {}, and moves such as d1d3",
                    known.join(", ")
                ));
                Next::GoOn
            }
        }
    }

    fn carry_out(&mut self, word: &str, argument: &str) -> Next {
        match word {
            "quit" | "exit" => return Next::Quit,
            "board" => self.show(),
            "flip" => {
                self.flipped = !self.flipped;
                self.show();
            }
            "moves" => self.list_moves(argument),
            "hint" => self.hint(),
            "undo" => self.undo(),
            "offer" => return self.offer(),
            "resign" => self.resign(),
            "next" => return self.next_battle(),
            "new" => return self.begin_anew(),
            "save" => match file::save(&self.contest, argument) {
                Ok(()) => self.say(format!("Saved to {argument}.")),
                Err(why) => self.say(why),
            },
            "load" => match file::load(argument, &self.variants, &self.table) {
                Ok(contest) => self.replace(contest),
                Err(why) => self.say(why),
            },
            _ => self.help(),
        }
        Next::GoOn
    }

    fn help(&self) {
        self.say("A move is typed as from and to, such as d1d3; a from alone lists where its piece can go.");
        self.say(
            "Captures that you may choose follow with x, such as g9h10xi11, or are asked for.",
        );
        for command in &COMMANDS {
            let argument = match command.argument {
                Argument::None => "",
                Argument::File => " FILE",
                Argument::MaybeSquare => " [SQUARE]",
            };
            let usage = format!("{}{argument}", command.word);
            self.say(format!("  {usage:<16}{}", command.help));
        }
        self.say(match self.contest.is_match() {
            true => {
                "A match is two battles with the sides exchanged; who wins a battle is credited with its margin in points. \
                 To resign is to lose a battle, scored as if all your men were off the board; the match goes on."
            }
            false => "To resign is to lose the game. An agreement is a draw.",
        });
        self.say(format!(
            "On the board: {}.",
            words::legend(&self.contest, self.terminal.colour)
        ));
    }

    fn list_moves(&self, only: &str) {
        if self.contest.ending().is_some() {
            return self.say("the game is over, there are no moves");
        }
        match typed::table(&self.contest, only) {
            Ok(lines) => lines.iter().for_each(|line| self.say(line)),
            Err(why) => self.say(why),
        }
    }

    fn hint(&self) {
        if self.contest.ending().is_some() {
            return self.say("the game is over, there are no moves");
        }
        let Some(answer) = self.search(FULL) else {
            return;
        };
        let Some(best) = answer.best else {
            return self.say("the engine finds no move");
        };
        let reply = answer
            .ponder
            .map_or(String::new(), |reply| format!(", and expects {reply}"));
        let score = words::score(&self.contest, answer.score);
        self.say(format!("The engine would play {best}{reply} ({score})."));
    }

    fn undo(&mut self) {
        if !self.contest.has_person() {
            return self.say("nobody here plays, there is nothing to take back");
        }
        match self.contest.undo() {
            Ok(()) => {
                self.announced = false;
                self.offered = false;
                self.show();
            }
            Err(why) => self.say(why),
        }
    }

    /// Whether somebody here may end the game by word; if not, says why.
    fn may_speak(&self) -> bool {
        if self.contest.ending().is_some() {
            self.say("the game is over already");
            return false;
        }
        let is_person = self.contest.seat(self.contest.side()) == Seat::Person;
        if !is_person {
            self.say("nobody here has the move");
        }
        is_person
    }

    fn resign(&mut self) {
        if self.may_speak() {
            self.contest.resign(self.contest.side());
        }
    }

    fn offer(&mut self) -> Next {
        if !self.may_speak() {
            return Next::GoOn;
        }
        let other = !self.contest.side();
        let accepts = match self.contest.seat(other) {
            Seat::Engine if self.offered => true,
            Seat::Engine => match self.search(self.level) {
                // Both numbers are from the person, who has the move; the engine looks at them from the other side.
                Some(answer) => answer.score >= self.contest.worth_now(),
                None => true,
            },
            Seat::Person => {
                let question = format!(
                    "{}, end it as it stands? yes or no",
                    self.contest.name(other)
                );
                match self.ask_yes_or_no(&question) {
                    Some(answer) => answer,
                    None => return Next::Quit,
                }
            }
        };
        let name = words::capitals(words::player_of(&self.contest, other));
        if accepts {
            self.say(format!("{name} accepts."));
            self.contest.agree();
        } else {
            self.say(format!("{name} declines."));
        }
        Next::GoOn
    }

    fn begin_anew(&mut self) -> Next {
        let is_over = self.contest.ending().is_some() && !self.contest.has_next();
        let is_begun = !self.contest.moves().is_empty() || self.contest.earlier().is_some();
        if !is_over && is_begun {
            match self.ask_yes_or_no("give this game up and begin anew? yes or no") {
                Some(true) => {}
                Some(false) => return Next::GoOn,
                None => return Next::Quit,
            }
        }
        match self.contest.begin_anew() {
            Ok(()) => self.begin(),
            Err(why) => self.say(why),
        }
        Next::GoOn
    }

    fn replace(&mut self, contest: Contest) {
        self.contest = contest;
        self.begin();
    }

    /// `None` at the end of the input.
    fn ask_yes_or_no(&self, question: &str) -> Option<bool> {
        loop {
            match self
                .terminal
                .ask(question)?
                .trim()
                .to_ascii_lowercase()
                .as_str()
            {
                "y" | "yes" => return Some(true),
                "n" | "no" => return Some(false),
                _ => {}
            }
        }
    }

    fn typed_move(&mut self, line: &str) -> Next {
        if self.contest.ending().is_some() {
            self.say("the game is over; undo takes the last moves back, new begins anew");
            return Next::GoOn;
        }
        if self.contest.seat(self.contest.side()) == Seat::Engine {
            self.say("nobody here has the move");
            return Next::GoOn;
        }
        match typed::read(&self.contest, line) {
            Typed::Move(text) => self.play(&text),
            Typed::Advice(advice) => self.say(advice),
            Typed::Choice(choices) => match self.ask_captures(&choices) {
                Picked::Move(text) => self.play(&text),
                Picked::Nothing => {}
                Picked::Quit => return Next::Quit,
            },
        }
        Next::GoOn
    }

    /// Asks which of the moves that differ in their captures is meant.
    fn ask_captures(&self, choices: &[Choice]) -> Picked {
        self.say("It can capture:");
        let takers = choices.iter().filter(|choice| !choice.captured.is_empty());
        let takers: Vec<&Choice> = takers.collect();
        for (index, choice) in takers.iter().take(LISTED).enumerate() {
            self.say(format!("  {:>2}  {}", index + 1, choice.to_text()));
        }
        if takers.len() > LISTED {
            self.say(format!(
                "  and {} sets more; name the squares, such as {}",
                takers.len() - LISTED,
                takers[LISTED].to_text()
            ));
        }
        let none = choices.iter().find(|choice| choice.captured.is_empty());
        if none.is_some() {
            self.say("  none");
        }
        loop {
            let Some(line) = self.terminal.ask("number, squares, or cancel") else {
                return Picked::Quit;
            };
            let line = line.trim().to_ascii_lowercase();
            match line.as_str() {
                "" | "cancel" => return Picked::Nothing,
                "quit" | "exit" => return Picked::Quit,
                "none" | "nothing" => match none {
                    Some(choice) => return Picked::Move(choice.text.clone()),
                    None => self.say("this move must capture something"),
                },
                _ => match answer(choices, &takers, &line) {
                    Ok(text) => return Picked::Move(text),
                    Err(why) => self.say(why),
                },
            }
        }
    }
}

/// What became of a question for captures.
enum Picked {
    Move(String),
    Nothing,
    Quit,
}

/// The move meant by a number of the list or by squares.
fn answer(choices: &[Choice], takers: &[&Choice], line: &str) -> Result<String, String> {
    if line.bytes().all(|byte| byte.is_ascii_digit()) {
        return line
            .parse::<usize>()
            .ok()
            .and_then(|number| takers.get(number.checked_sub(1)?))
            .map(|choice| choice.text.clone())
            .ok_or_else(|| format!("'{line}', a number from 1 to {} expected", takers.len()));
    }
    let words = line.split(|c: char| c.is_whitespace() || c == 'x' || c == ',');
    let squares: Option<Vec<Square>> = words
        .filter(|word| !word.is_empty())
        .map(|word| match Square::read(word) {
            Some((square, "")) => Some(square),
            _ => None,
        })
        .collect();
    let squares =
        squares.ok_or_else(|| format!("'{line}', a number, squares, none or cancel expected"))?;
    typed::pick(choices, &squares)
}
