//! The dialect of the servers of hnefatafl.org, `htp`: a line in, an answer and an empty line out.
//!
//! Text only: what the commands are, how a line is read and an answer written. The rules of the servers are in [`game`].

mod game;

use super::queue::Task;
use super::{Shared, Worker, engine};
use crate::game::Side;
use crate::search::limits::{Clock, Limits};
use crate::search::table::Table;
use game::{Game, Square};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The version of the protocol that this is.
const PROTOCOL_VERSION: &str = "1-beta";
/// Time for a move in a game without clocks.
const UNTIMED: Duration = Duration::from_secs(2);
/// Of a clock and of what it adds no more is planned with: clocks of days are for people, and old drivers tell the time
/// in milliseconds, which would be years.
const LONGEST: [Duration; 2] = [Duration::from_secs(3600), Duration::from_secs(60)];

/// What the roles are called, and what the result is when one wins.
const ROLES: [(&str, &str); 2] = [("attacker", "attacker_wins"), ("defender", "defender_wins")];

/// What follows `=`, in one or more lines, or `?`.
type Answer = Result<String, String>;

/// A command.
struct Command {
    name: &'static str,
    /// How many words may follow, and which.
    count: RangeInclusive<usize>,
    form: &'static str,
    run: fn(&mut Htp, &[&str], &Task) -> Answer,
}

const fn command(
    name: &'static str,
    count: RangeInclusive<usize>,
    form: &'static str,
    run: fn(&mut Htp, &[&str], &Task) -> Answer,
) -> Command {
    Command {
        name,
        count,
        form,
        run,
    }
}

const GENERATE: &str = "generate_move";
const QUIT: &str = "quit";
const TIME_SETTINGS: &str = "un-timed | fischer MINUTES ADD_SECONDS";

static COMMANDS: [Command; 17] = [
    command("board_size", 1..=1, "SIZE", Htp::board_size),
    command("final_status", 0..=0, "", |htp, _, _| {
        Ok(result_word(htp.game()?.result()).into())
    }),
    command("first_move", 1..=1, "ROLE", Htp::first_move),
    command(GENERATE, 0..=0, "", |htp, _, task| htp.generate_move(task)),
    command("known_command", 1..=1, "COMMAND", |_, words, _| {
        Ok(find(words[0]).is_some().to_string())
    }),
    command("list_commands", 0..=0, "", |_, _, _| {
        Ok(COMMANDS.each_ref().map(|known| known.name).join("\n"))
    }),
    command("name", 0..=0, "", |_, _, _| Ok("Huscarl".into())),
    command("play", 2..=3, "ROLE FROM TO | ROLE resign", Htp::play),
    command("play_from", 0..=0, "", |htp, _, _| htp.play_from()),
    command("play_to", 2..=2, "ROLE FROM", Htp::play_to),
    command("play_undo", 0..=0, "", |htp, _, _| {
        htp.game()?.undo().map(|()| String::new())
    }),
    command("protocol_version", 0..=0, "", |_, _, _| {
        Ok(PROTOCOL_VERSION.into())
    }),
    command(QUIT, 0..=0, "", |_, _, _| Ok(String::new())),
    command("show_board", 0..=0, "", |htp, _, _| {
        Ok(htp.game()?.drawing().join("\n"))
    }),
    command("show_board_open_tafl", 0..=0, "", |htp, _, _| {
        let rows = htp.game()?.rows();
        let upward: Vec<&str> = rows.rsplit('/').collect();
        Ok(format!("/{}/", upward.join("/")))
    }),
    command("time_settings", 1..=3, TIME_SETTINGS, Htp::time_settings),
    command("version", 0..=0, "", |_, _, _| {
        Ok(env!("CARGO_PKG_VERSION").into())
    }),
];

/// A line, read.
struct Request<'a> {
    /// The number before the command, which the answer repeats; often none.
    id: &'a str,
    name: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Request<'a> {
    /// Reads a line that [`clean`] has prepared; `None` if nothing is left of it.
    fn read(line: &'a str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace().peekable();
        let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(number).unwrap_or("");
        let name = match words.next() {
            Some(name) => name,
            None if id.is_empty() => return None,
            None => "",
        };
        Some(Request {
            id,
            name,
            words: words.collect(),
        })
    }

    /// The command, with as many words as it takes.
    fn command(&self) -> Result<&'static Command, String> {
        let command = find(self.name).ok_or_else(|| {
            format!(
                "unknown command '{}', one of those of list_commands expected",
                self.name
            )
        })?;
        if command.count.contains(&self.words.len()) {
            return Ok(command);
        }
        let expected = match command.form {
            "" => "nothing",
            form => form,
        };
        let words = self.words.join(" ");
        Err(format!("{}: '{words}', {expected} expected", command.name))
    }
}

/// The line without comment and control characters, in lower case: upper and lower case mean the same everywhere.
fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.replace('\t', " ")
        .replace(char::is_control, "")
        .to_ascii_lowercase()
}

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Whether a first line is of this protocol. `quit` may be of any.
pub(super) fn is_request(line: &str) -> bool {
    let line = clean(line);
    let request = Request::read(&line);
    request.is_some_and(|request| request.name != QUIT && request.command().is_ok())
}

/// Hands a line on; says whether to go on reading.
pub(super) fn take(line: &str, shared: &Shared) -> bool {
    let cleaned = clean(line);
    let Some(request) = Request::read(&cleaned) else {
        return true;
    };
    let name = request.command().map_or("", |command| command.name);
    if name == GENERATE {
        shared.queue.push_search(line, false);
    } else {
        shared.queue.push(line);
    }
    name != QUIT
}

/// The clocks of both players.
#[derive(Clone, Copy, Default)]
struct Clocks {
    left: [Duration; 2],
    main: Duration,
    increment: Duration,
}

/// A driver's game.
pub(super) struct Htp {
    shared: Arc<Shared>,
    table: Arc<Table>,
    /// Begun when it is first asked for.
    game: Option<Game>,
    /// `None` in a game without clocks.
    clocks: Option<Clocks>,
    /// When the last search ended; one that waited for it starts its clock there.
    idle_since: Instant,
}

impl Worker for Htp {
    fn carry_out(&mut self, task: &Task) {
        self.answer(task, |htp, request| {
            let command = request.command()?;
            (command.run)(htp, &request.words, task)
                .map_err(|why| format!("{}: {why}", command.name))
        });
    }

    fn answer_fault(&mut self, task: &Task) {
        self.answer(task, |_, request| {
            Err(format!(
                "{}: a fault while it was carried out",
                request.name
            ))
        });
    }
}

impl Htp {
    /// Nothing is begun before the first command.
    pub(super) fn new(shared: Arc<Shared>, table: Arc<Table>) -> Self {
        Htp {
            shared,
            table,
            game: None,
            clocks: None,
            idle_since: Instant::now(),
        }
    }

    /// Writes the answer to a line. One of several lines begins on a line of its own.
    fn answer(&mut self, task: &Task, find: impl FnOnce(&mut Self, &Request) -> Answer) {
        let line = clean(&task.line);
        let Some(request) = Request::read(&line) else {
            return;
        };
        let (mark, text) = match find(self, &request) {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let first = if text.contains('\n') { "\n" } else { "" };
        for line in format!("{mark}{} {first}{text}\n", request.id).split('\n') {
            self.shared.output.say(line);
        }
    }

    /// The game, by default on the board of most games on the servers.
    fn game(&mut self) -> Result<&mut Game, String> {
        if self.game.is_none() {
            self.begin("11")?;
        }
        self.game.as_mut().ok_or_else(|| "there is no game".into())
    }

    fn begin(&mut self, size: &str) -> Result<(), String> {
        let config = engine::config(&self.shared.settings, &self.table);
        self.game = Some(Game::new(size, config)?);
        self.table.clear();
        Ok(())
    }

    fn board_size(&mut self, words: &[&str], _: &Task) -> Answer {
        self.begin(words[0])?;
        if let Some(clocks) = &mut self.clocks {
            clocks.left = [clocks.main; 2];
        }
        Ok(String::new())
    }

    fn first_move(&mut self, words: &[&str], _: &Task) -> Answer {
        self.game()?.set_first(role(words[0])?)?;
        Ok(String::new())
    }

    fn time_settings(&mut self, words: &[&str], _: &Task) -> Answer {
        self.clocks = match *words {
            ["un-timed"] => None,
            ["fischer", minutes, seconds] => {
                let number = |text: &str| {
                    let read = text.parse::<u32>();
                    read.map_err(|_| format!("'{text}', a whole number from 0 expected"))
                };
                let main = Duration::from_secs(60 * u64::from(number(minutes)?));
                Some(Clocks {
                    left: [main; 2],
                    main,
                    increment: Duration::from_secs(number(seconds)?.into()),
                })
            }
            _ => {
                let words = words.join(" ");
                return Err(format!("'{words}', {TIME_SETTINGS} expected"));
            }
        };
        Ok(String::new())
    }

    /// The game, if it goes on.
    fn ongoing(&mut self) -> Result<&mut Game, String> {
        let game = self.game()?;
        match game.result() {
            None => Ok(game),
            result => Err(format!("the game is over ({})", result_word(result))),
        }
    }

    /// The game, if it is this player's turn.
    fn turn(&mut self, whose: &str) -> Result<&mut Game, String> {
        let whose = role(whose)?;
        let game = self.ongoing()?;
        let side = game.side();
        if whose != side {
            let [whose, side] = [whose, side].map(|side| ROLES[side.index()].0);
            return Err(format!("'{whose}', {side} expected, whose turn it is"));
        }
        Ok(game)
    }

    fn play(&mut self, words: &[&str], _: &Task) -> Answer {
        let game = self.turn(words[0])?;
        match *words {
            // An older form has an s.
            [_, "resign" | "resigns"] => game.resign().map(|()| String::new()),
            [_, from, to] => {
                let size = game.size();
                let captured = game.play([Square::parse(from, size)?, Square::parse(to, size)?])?;
                Ok(captured.join(" "))
            }
            _ => Err(format!("'{}', FROM TO or resign expected", words[1])),
        }
    }

    fn play_from(&mut self) -> Answer {
        let game = self.ongoing()?;
        let mut words = vec![ROLES[game.side().index()].0.to_string()];
        words.extend(game.moves().iter().map(|[from, _]| from.to_string()));
        words.dedup();
        Ok(words.join(" "))
    }

    fn play_to(&mut self, words: &[&str], _: &Task) -> Answer {
        let game = self.turn(words[0])?;
        let from = Square::parse(words[1], game.size())?;
        let moves = game.moves();
        let to: Vec<String> = moves
            .iter()
            .filter(|step| step[0] == from)
            .map(|step| step[1].to_string())
            .collect();
        if to.is_empty() {
            return Err(format!(
                "'{from}', one of the squares of play_from expected"
            ));
        }
        Ok(to.join(" "))
    }

    fn generate_move(&mut self, task: &Task) -> Answer {
        let started = task.read.max(self.idle_since);
        let side = self.ongoing()?.side();
        let limits = self.limits(side);
        let never = Arc::default();
        let signals = task.signals.as_ref().unwrap_or(&never);
        let game = self.game()?;
        let step = game.choose(limits, signals, started)?;
        game.play(step)?;
        self.idle_since = Instant::now();
        if let Some(clocks) = &mut self.clocks {
            let left = &mut clocks.left[side.index()];
            *left = left.saturating_sub(self.idle_since.duration_since(started)) + clocks.increment;
        }
        let [from, to] = step;
        Ok(format!("play {} {from} {to}", ROLES[side.index()].0))
    }

    /// What a search for a move of this side may spend.
    fn limits(&self, side: Side) -> Limits {
        let clock = self.clocks.map(|clocks| Clock {
            left: clocks.left[side.index()].min(LONGEST[0]),
            increment: clocks.increment.min(LONGEST[1]),
            ..Clock::default()
        });
        Limits {
            movetime: clock.is_none().then_some(UNTIMED),
            clock,
            overhead: Duration::from_millis(self.shared.settings.overhead),
            ..Limits::default()
        }
    }
}

fn role(text: &str) -> Result<Side, String> {
    let roles = ROLES.map(|(role, _)| role);
    Side::BOTH
        .into_iter()
        .find(|side| [roles[side.index()], &roles[side.index()][..1]].contains(&text))
        .ok_or_else(|| format!("'{text}', {} expected", roles.join(" or ")))
}

fn result_word(result: Option<Option<Side>>) -> &'static str {
    match result {
        None => "ongoing",
        Some(None) => "draw",
        Some(Some(winner)) => ROLES[winner.index()].1,
    }
}
