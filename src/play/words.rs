//! What is said of a game: who is who, whose turn it is, how it ended, what a score means.

use super::contest::{Cause, Contest, Ending, Seat};
use crate::game::Side;
use crate::score::{self, Score};

/// What a player is called.
pub(super) fn player(contest: &Contest, player: usize) -> &'static str {
    let [one, two] = contest.seats;
    match (contest.seats[player], one == two, player) {
        (Seat::Person, false, _) => "you",
        (Seat::Engine, false, _) => "the engine",
        (Seat::Person, true, 0) => "player A",
        (Seat::Person, true, _) => "player B",
        (Seat::Engine, true, 0) => "engine A",
        (Seat::Engine, true, _) => "engine B",
    }
}

/// What the player of a side is called.
pub(super) fn player_of(contest: &Contest, side: Side) -> &'static str {
    player(contest, contest.player(side))
}

/// A side with its player.
pub(super) fn side(contest: &Contest, side: Side) -> String {
    format!("{} ({})", contest.name(side), player_of(contest, side))
}

/// Who plays what, and in a match which battle this is.
pub(super) fn setting(contest: &Contest) -> String {
    let [one, two] = Side::BOTH.map(|name| side(contest, name));
    let battle = match (contest.is_match(), contest.has_next()) {
        (false, _) => String::new(),
        (true, true) => ", battle 1 of 2".into(),
        (true, false) => ", battle 2 of 2".into(),
    };
    format!("{}{battle}: {one} against {two}", contest.variant)
}

/// What the letters, marks and colours of the board stand for.
pub(super) fn legend(contest: &Contest, colour: bool) -> String {
    let board = contest.board();
    let mut parts: Vec<String> = Side::BOTH
        .iter()
        .filter_map(|&side| {
            let letters: Vec<String> = board.letters(side).iter().map(char::to_string).collect();
            let name = contest.name(side);
            (!letters.is_empty()).then(|| format!("{} {name}", letters.join(" ")))
        })
        .collect();
    for (_, mark, what) in contest.specials() {
        let part = format!("{mark} {what}");
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    if board.has_stone() {
        parts.push("# stone".into());
    }
    let trace = match colour {
        true => "the last move is yellow, x captured",
        false => "the last move goes from ( ) to [ ], x captured",
    };
    format!("{}; {trace}", parts.join(", "))
}

/// What the line under the board says.
pub(super) fn state(contest: &Contest) -> String {
    let board = contest.board();
    let [one, two] = contest.names();
    let count = match contest.points() {
        Some([first, second]) => format!("Points: {one} {first}, {two} {second}."),
        None => {
            let [first, second] = Side::BOTH.map(|side| board.count(side));
            format!("Men: {one} {first}, {two} {second}.")
        }
    };
    if contest.ending().is_some() {
        return count;
    }
    let turn = capitals(&side(contest, contest.side()));
    format!("{count} {turn} to move.")
}

/// How a game ended.
pub(super) fn ending(contest: &Contest, ending: &Ending) -> Vec<String> {
    let what = match contest.is_match() {
        true => "Battle over",
        false => "Game over",
    };
    let cause = match ending.cause {
        Cause::Rules(reason) => reason.to_string().replace('-', " "),
        Cause::Resigned(loser) => format!("{} resigned", contest.name(loser)),
    };
    let points = ending.points.map_or(String::new(), |[first, second]| {
        let [one, two] = contest.names();
        format!(" {} {first}, {two} {second}:", capitals(one))
    });
    let result = match (ending.winner, ending.points) {
        (None, _) => "it is a draw".to_string(),
        (Some(winner), None) => format!("{} win", side(contest, winner)),
        (Some(winner), Some(_)) => {
            format!("{} win by {}", side(contest, winner), ending.margin())
        }
    };
    let result = match points.is_empty() {
        true => capitals(&result),
        false => result,
    };
    let mut lines = vec![format!("{what}: {cause}.{points} {result}.")];
    if contest.is_match() {
        lines.extend(credits(contest));
    }
    lines
}

/// The credits of a match, and after its last battle the result.
fn credits(contest: &Contest) -> Vec<String> {
    let [one, two] = contest.credits();
    let names = [0, 1].map(|index| player(contest, index));
    let standing = format!("{} {one}, {} {two}", names[0], names[1]);
    if contest.has_next() {
        return vec![format!("Credits after the first battle: {standing}.")];
    }
    let result = match one.cmp(&two) {
        std::cmp::Ordering::Equal => "the match is drawn".to_string(),
        order => {
            let winner = names[usize::from(order.is_lt())];
            let verb = if winner == "you" { "win" } else { "wins" };
            format!("{winner} {verb} the match by {}", one.abs_diff(two))
        }
    };
    vec![format!("Match over. Credits: {standing}; {result}.")]
}

/// A score in words, from the side to move.
pub(super) fn score(contest: &Contest, score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if plies > 0 => format!("a win in {}", (plies + 1) / 2),
        Some(plies) => format!("a loss in {}", -plies / 2),
        None => {
            let unit = if contest.is_match() { "points" } else { "men" };
            format!("{:+.1} {unit}", f64::from(score) / 100.0)
        }
    }
}

/// A text with its first letter large.
pub(super) fn capitals(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(rest).collect()
    })
}
