//! Games in a form that can be stepped through without rules.
//!
//! A move is told by what it does to the board: the square that is left, the one that is entered, and those that are
//! cleared, each of the latter after an `x`. Scores, depths and times are lists in a text of their own, since a text of
//! numbers takes a third of what JSON objects take.

use crate::record::{Game, Notes, Pair, Played, Run, Said};
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;

/// The board, whatever stands on it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Board {
    /// Squares along an edge.
    pub size: usize,
    /// Squares that mean something while they are empty, and what.
    pub specials: Vec<(String, String)>,
}

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Start {
    /// `ROWS` of the position.
    pub rows: String,
    /// Who makes the first move there, 0 or 1.
    pub side: usize,
}

/// A game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GameData {
    /// Number of its pair.
    pub pair: u64,
    /// Round of the tournament.
    pub round: u32,
    /// 0 for the first game of the pair, 1 for the second.
    pub half: usize,
    /// Engines that are player 1 and player 2.
    pub players: [usize; 2],
    /// The winning player.
    pub winner: Option<usize>,
    /// Why it ended.
    pub reason: String,
    /// What more there is to say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What the referee and the clock noticed besides, if there was anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Notes>,
    /// Both sides' points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<[u32; 2]>,
    /// Seconds that it took.
    pub seconds: f64,
    /// Index of where it begins.
    pub start: usize,
    /// Moves of the opening.
    pub opening: usize,
    /// Every move, those of the opening first, with blanks between them.
    pub moves: String,
    /// Numbers, from 0, of the moves of a side that had made the one before as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<usize>,
    /// The score of each move after the opening, from the side that moved: centipoints, `m` and the moves to the end,
    /// or `-`.
    pub scores: String,
    /// The depth of each of these, or `-`.
    pub depths: String,
    /// The time of each move after the opening, in milliseconds.
    pub times: String,
}

/// The board, the places where games begin, and all games in the order of the schedule. A game whose record holds a
/// move that the rules do not allow is told up to there.
pub(super) fn encode(
    run: &Run,
    pairs: &[Pair],
) -> Result<(Board, Vec<Start>, Vec<GameData>), String> {
    // Nothing ends before the record does: limits are off, and what the board decides has no moves after it.
    let config = Config {
        table: Arc::new(Table::new(1)?),
        threads: 1,
        repetition: Some(0),
        quiet: Some(0),
    };
    let mut session = run.game()?.open(config)?;
    let board = Board {
        size: session
            .board()
            .map_or(0, |lines| lines.len().saturating_sub(1)),
        specials: session
            .special_squares()
            .into_iter()
            .map(|(square, _, what)| (square, what.to_string()))
            .collect(),
    };
    let mut starts = Vec::new();
    let mut order: Vec<&Pair> = pairs.iter().collect();
    order.sort_by_key(|pair| pair.index);
    let mut games = Vec::with_capacity(2 * pairs.len());
    for pair in order {
        for (half, game) in pair.games.iter().enumerate() {
            games.push(encode_game(&mut *session, &mut starts, pair, half, game)?);
        }
    }
    Ok((board, starts, games))
}

fn encode_game(
    session: &mut dyn Session,
    starts: &mut Vec<Start>,
    pair: &Pair,
    half: usize,
    game: &Game,
) -> Result<GameData, String> {
    session
        .set_position(pair.fen.as_deref())
        .map_err(|why| format!("pair {}: {why}", pair.index))?;
    let start = start_of(session);
    let start = starts
        .iter()
        .position(|known| *known == start)
        .unwrap_or_else(|| {
            starts.push(start);
            starts.len() - 1
        });
    let texts = pair
        .opening
        .iter()
        .chain(game.moves.iter().map(|played| &played.mv));
    let mut moves = String::new();
    let mut again = Vec::new();
    let mut before = None;
    let mut detail = game.detail.clone();
    for (index, text) in texts.enumerate() {
        let side = session.side();
        match effect(session, text) {
            Ok(effect) => {
                append(&mut moves, &effect);
                if before == side {
                    again.push(index);
                }
                before = side;
            }
            Err(why) => {
                let gap = if detail.is_empty() { "" } else { "\n" };
                detail += &format!("{gap}the record breaks off: {why}");
                break;
            }
        }
    }
    Ok(GameData {
        pair: pair.index,
        round: pair.round,
        half,
        players: game.players,
        winner: game.winner,
        reason: game.reason.clone(),
        detail,
        notes: (game.notes != Notes::default()).then(|| game.notes.clone()),
        points: game.points,
        seconds: (game.seconds * 100.0).round() / 100.0,
        start,
        opening: pair.opening.len(),
        moves,
        again,
        scores: list(&game.moves, |played| played.score.map(score_text)),
        depths: list(&game.moves, |played| {
            played.depth.map(|depth| depth.to_string())
        }),
        times: list(&game.moves, |played| Some(time_text(played.time))),
    })
}

fn start_of(session: &dyn Session) -> Start {
    let text = session.position_text().unwrap_or_default();
    Start {
        rows: text.split(' ').next().unwrap_or_default().to_string(),
        side: session.side().map_or(0, |side| side.index()),
    }
}

/// Plays a move, and tells what it does to the board.
fn effect(session: &mut dyn Session, text: &str) -> Result<String, String> {
    let captured = session.captures(text).ok_or("no position")?;
    let captured = captured.map_err(|why| format!("move {text}: {why}"))?;
    session.play(&[text]).map_err(|refusal| refusal.message)?;
    let lower = text.to_ascii_lowercase();
    let mut effect = lower.split('x').next().unwrap_or_default().to_string();
    for square in captured {
        effect.push('x');
        effect += &square;
    }
    Ok(effect)
}

fn append(list: &mut String, word: &str) {
    if !list.is_empty() {
        list.push(' ');
    }
    list.push_str(word);
}

fn list(moves: &[Played], word: impl Fn(&Played) -> Option<String>) -> String {
    let mut text = String::new();
    for played in moves {
        append(&mut text, word(played).as_deref().unwrap_or("-"));
    }
    text
}

fn score_text(score: Said) -> String {
    match score {
        Said::Cp(centipoints) => centipoints.to_string(),
        Said::Mate(moves) => format!("m{moves}"),
    }
}

/// A time with as many digits as matter: tenths below 10 ms.
fn time_text(time: f64) -> String {
    let mut text = String::new();
    let digits = usize::from(time < 10.0);
    // Writing to a text does not fail.
    let _ = write!(text, "{time:.digits$}");
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}
