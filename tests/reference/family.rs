//! The slow reference for the whole tafl family: any game that a rules record describes, in arrays of letters and loops.
//!
//! This file owns the interface (`moves`, `play`, `Game`, `perft`). `family/record.rs` reads rules records,
//! `family/board.rs` positions; `moves.rs`, `captures.rs`, `walls.rs` and `ends.rs` hold the rules proper, `random.rs` makes up
//! records. None of it shares code with the engine, and speed is never a reason for anything here.

mod board;
mod captures;
mod ends;
mod moves;
mod random;
mod record;
mod walls;

pub use board::{Board, EMPTY, Side, Square};
pub use ends::Counts;
pub use moves::moves;
pub use random::random_record;
use record::Berserk;
pub use record::Record;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mv {
    pub from: Square,
    pub to: Square,
    pub jump: bool,
}

impl Mv {
    fn slide(from: Square, to: Square) -> Mv {
        let jump = false;
        Mv { from, to, jump }
    }

    /// The host's short form, `d1-e1`.
    pub fn text(self) -> String {
        format!("{}-{}", self.from.name(), self.to.name())
    }
}

/// How a game has ended: who won, nobody in a draw, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    pub winner: Option<Side>,
    pub reason: &'static str,
}

/// What a move has led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub board: Board,
    /// The captured squares in ascending order; on some of them a mercenary may stand who has changed sides.
    pub captured: Vec<Square>,
    pub end: Option<End>,
}

/// Makes a legal move in a position without a history: no repetition and no quiet plies before it.
pub fn play(record: &Record, board: &Board, mv: Mv) -> Played {
    let (board, captured) = advance(record, board, mv);
    let end = ends::result(record, &board, Counts::FRESH);
    Played {
        board,
        captured,
        end,
    }
}

/// Makes a legal move and settles whose turn it is. After a capture the turn of a berserk piece may go on, unless the game
/// has ended on the board.
fn advance(record: &Record, before: &Board, mv: Mv) -> (Board, Vec<Square>) {
    let (mut board, mut captured) = captures::make(record, before, mv);
    captured.sort();
    let goes_on = !captured.is_empty()
        && may_go_on(record, &board, mv.to)
        && ends::standing(record, &board, None).is_none();
    board.running = goes_on.then_some(mv.to);
    if !goes_on {
        board.side = before.side.other();
    }
    (board, captured)
}

/// Whether a piece that has just captured must move again.
fn may_go_on(record: &Record, board: &Board, piece: Square) -> bool {
    match record.berserk {
        Berserk::None => false,
        Berserk::MustCapture => (moves::moves_of(record, board, piece).into_iter())
            .any(|mv| captures::opens_gate(record, board, mv)),
        Berserk::MustMove => moves::can_step(record, board, piece),
    }
}

/// The number of legal move sequences of `depth` moves; a finished game has none, and no history plays a part.
pub fn perft(record: &Record, board: &Board, depth: u32) -> u64 {
    let moves = moves(record, board);
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    let played = moves.into_iter().map(|mv| play(record, board, mv));
    let going_on = played.filter(|played| played.end.is_none());
    going_on
        .map(|played| perft(record, &played.board, depth - 1))
        .sum()
}

/// A game: a position with its history.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    pub record: &'a Record,
    pub board: Board,
    pub counts: Counts,
    /// Pieces and side to move of every position so far, the present one last.
    history: Vec<(Vec<char>, Side)>,
}

impl<'a> Game<'a> {
    /// A game from the record's start position.
    pub fn start(record: &'a Record) -> Game<'a> {
        Game::from(record, record.start.clone())
    }

    pub fn from(record: &'a Record, board: Board) -> Game<'a> {
        Game {
            history: vec![identity(record, &board)],
            record,
            board,
            counts: Counts::FRESH,
        }
    }

    /// Makes a legal move: what it led to, repetition and quiet plies counted.
    pub fn play(&mut self, mv: Mv) -> Played {
        let (board, captured) = advance(self.record, &self.board, mv);
        self.board = board;
        let present = identity(self.record, &self.board);
        self.history.push(present.clone());
        self.counts = Counts {
            occurrences: self.history.iter().filter(|&p| *p == present).count() as u32,
            quiet: match captured.is_empty() {
                true => self.counts.quiet + 1,
                false => 0,
            },
        };
        Played {
            end: ends::result(self.record, &self.board, self.counts),
            board: self.board.clone(),
            captured,
        }
    }

    /// Makes the legal move with these squares, or None if there is none.
    pub fn play_text(&mut self, text: &str) -> Option<Played> {
        let legal = moves(self.record, &self.board);
        let mv = legal.into_iter().find(|mv| mv.text() == text)?;
        Some(self.play(mv))
    }
}

/// What makes two positions the same one. The host takes mercenaries and guards for men.
fn identity(record: &Record, board: &Board) -> (Vec<char>, Side) {
    let seen = |&cell: &char| match Side::of(cell) {
        Some(side) if !record.house_order && ['m', 'g'].contains(&board::kind(cell)) => {
            side.own('t')
        }
        _ => cell,
    };
    (board.cells.iter().map(seen).collect(), board.side)
}
