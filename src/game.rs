//! What every game is to the rest of the house: sides, moves, outcomes, and the [`Game`] trait.
//!
//! A game value holds the rules (data); a position is a small copyable value that means nothing without them.
//! History (repetition, limits, agreement) belongs to [`crate::record`].

use crate::bits::Bits;
use crate::grid::{Grid, SQUARES};
use std::fmt::{self, Debug, Display};

/// The two players, in the order in which they move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Side {
    /// Player 1: the attackers, the dwarfs.
    First = 0,
    /// Player 2: the king's side, the trolls.
    Second = 1,
}

impl Side {
    /// Both sides in their order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for player 1, 1 for player 2.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2.
    pub const fn player(self) -> usize {
        self as usize + 1
    }
}

impl std::ops::Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Bits of a square in a [`Move`].
const SQUARE_BITS: u32 = SQUARES.ilog2();

/// A move in 26 bits: from, to, and a mask for what the player chose to capture (0 where captures follow from the
/// move). A move means something only together with the position that it was made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Move(u32);

impl Move {
    /// No move; never legal, since it would stay where it is.
    pub const NONE: Move = Move(0);
    /// Number of bits that a move takes.
    pub const BITS: u32 = 2 * SQUARE_BITS + 8;

    /// A move with its mask of chosen captures.
    #[inline(always)]
    pub const fn new(from: u16, to: u16, mask: u8) -> Self {
        Move(from as u32 | (to as u32) << SQUARE_BITS | (mask as u32) << (2 * SQUARE_BITS))
    }

    /// The move with these [`Move::BITS`] bits; higher ones are dropped.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        Move(bits & ((1 << Self::BITS) - 1))
    }

    /// The bits, below 2^[`Move::BITS`].
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The square that is left.
    #[inline(always)]
    pub const fn from(self) -> u16 {
        (self.0 % SQUARES as u32) as u16
    }

    /// The square that is entered.
    #[inline(always)]
    pub const fn to(self) -> u16 {
        ((self.0 >> SQUARE_BITS) % SQUARES as u32) as u16
    }

    /// The chosen captures.
    #[inline(always)]
    pub const fn mask(self) -> u8 {
        (self.0 >> (2 * SQUARE_BITS)) as u8
    }

    /// Whether this is [`Move::NONE`].
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Why a game is over; displays as the reason word of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The king stands on a goal square.
    KingEscaped,
    /// There is no king any more.
    KingCaptured,
    /// The side to move can not move.
    NoMoves,
    /// The position has stood too often.
    Repetition,
    /// Both sides wanted it.
    Agreed,
    /// Nothing was captured for too long.
    QuietLimit,
    /// A side made a move that is none.
    IllegalMove,
    /// All attackers have been captured.
    NoAttackers,
    /// All defenders have been captured, the king too.
    NoDefenders,
    /// No defender has an empty square beside him.
    NoRoom,
    /// The king sits in a fort at the edge that can not be broken.
    EdgeFort,
    /// The attackers have closed a ring around all defenders.
    Encircled,
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::KingEscaped => "king-escaped",
            Reason::KingCaptured => "king-captured",
            Reason::NoMoves => "no-moves",
            Reason::Repetition => "repetition",
            Reason::Agreed => "agreed",
            Reason::QuietLimit => "quiet-limit",
            Reason::IllegalMove => "illegal-move",
            Reason::NoAttackers => "no-attackers",
            Reason::NoDefenders => "no-defenders",
            Reason::NoRoom => "no-room",
            Reason::EdgeFort => "edge-fort",
            Reason::Encircled => "encircled",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
    /// Both sides' points, in games that are scored; the winner is then the side with more of them.
    pub points: Option<[u32; 2]>,
}

impl Outcome {
    /// An outcome that is not scored.
    pub const fn plain(winner: Option<Side>, reason: Reason) -> Self {
        Outcome {
            winner,
            reason,
            points: None,
        }
    }

    /// An outcome decided by points.
    pub fn scored(points: [u32; 2], reason: Reason) -> Self {
        let winner = match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        Outcome {
            winner,
            reason,
            points: Some(points),
        }
    }
}

/// Which of the legal moves to list. `Captures`, `Quiets` and `Lesser` share no move and together are `All`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// Every legal move.
    All,
    /// Captures, each taking all that it can with the same from and to.
    Captures,
    /// Moves that capture nothing and could not with the same from and to.
    Quiets,
    /// Moves that capture less than they could, or nothing although they could.
    Lesser,
}

/// Limits on a game that the board does not know, in force by default. 0 is off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The occurrence of a position that ends the game.
    pub repetition: u32,
    /// The number of plies without a capture that ends the game.
    pub quiet: u32,
}

/// The set type of a game's board.
pub type SetOf<G> = <<G as Game>::Grid as Grid>::Bits;

/// The rules of one game.
///
/// Positions must come from this same game value, and what takes a sight must be given that of the same position. `make` and `captured` must be given legal moves; every other
/// method takes any position that [`Game::parse`] or `make` gave.
pub trait Game: Send + Sync + 'static {
    /// The board.
    type Grid: Grid;
    /// Pieces, side to move and key.
    type Position: Copy + Eq + Debug + Send + Sync + 'static;
    /// What several of the questions about a position rest on, worked out once a node by [`Game::sight`].
    type Sight;

    /// Whether the two sides always move in turn.
    const ALTERNATES: bool = true;

    /// The `ROWS` of the start position.
    fn start_rows(&self) -> &str;
    /// Who moves first.
    fn first(&self) -> Side {
        Side::First
    }
    /// The letters of player 1 and player 2 in the `SIDE` field.
    fn side_letters(&self) -> [char; 2];
    /// What the two sides are called, in the plural.
    fn side_names(&self) -> [&'static str; 2];
    /// The limits that belong to the game.
    fn limits(&self) -> Limits;

    /// Reads `ROWS`.
    ///
    /// # Errors
    /// A sentence that names the row or square and what is wrong with it.
    fn parse(&self, rows: &str, side: Side) -> Result<Self::Position, String>;
    /// The letter of what stands on a square, `None` where it is empty.
    fn piece(&self, position: &Self::Position, square: u16) -> Option<char>;
    /// For squares that mean something while they are empty: a mark to draw them with, and what they are called.
    fn special(&self, _: u16) -> Option<(char, &'static str)> {
        None
    }

    /// Whose turn it is.
    fn side(&self, position: &Self::Position) -> Side;
    /// The square of the piece that must move on, where a turn may have several moves and goes on.
    fn running(&self, _: &Self::Position) -> Option<u16> {
        None
    }
    /// The position in which the piece on a square must move on.
    ///
    /// # Errors
    /// If turns have one move in this game, or none of the side's pieces stands there.
    fn with_running(&self, _: &Self::Position, _: u16) -> Result<Self::Position, String> {
        Err("a turn has one move in this game".into())
    }
    /// The key, kept up to date by `make`.
    fn key(&self, position: &Self::Position) -> u64;
    /// Whether two positions of a game are one and the same where repetitions are counted.
    fn is_same(&self, one: &Self::Position, other: &Self::Position) -> bool {
        self.key(one) == self.key(other) && one == other
    }
    /// The key made anew from the pieces.
    fn computed_key(&self, position: &Self::Position) -> u64;

    /// The outcome if the board itself has decided the game, mobility apart. A decided position has no moves.
    fn decided(&self, position: &Self::Position) -> Option<Outcome>;
    /// The outcome if the side to move can not move.
    fn stuck(&self, position: &Self::Position) -> Outcome;
    /// The outcome if the game ends here for a reason that is not on the board.
    fn called_off(&self, position: &Self::Position, reason: Reason) -> Outcome;

    /// Where the pieces of a side stand.
    fn pieces(&self, position: &Self::Position, side: Side) -> SetOf<Self>;
    /// Appends legal moves; the order is the same for the same position.
    fn generate(&self, position: &Self::Position, which: Moves, list: &mut Vec<Move>);
    /// The number of legal moves.
    fn count(&self, position: &Self::Position) -> u64;
    /// Whether the move is one of those that `generate` lists with [`Moves::All`]; takes any move whatever.
    fn is_legal(&self, position: &Self::Position, mv: Move) -> bool;
    /// The position after a legal move.
    fn make(&self, position: &Self::Position, mv: Move) -> Self::Position;
    /// The position with the other side to move, for the search; no game here allows to pass.
    fn pass(&self, position: &Self::Position) -> Self::Position;
    /// The squares whose pieces a legal move captures.
    fn captured(&self, position: &Self::Position, mv: Move) -> SetOf<Self>;

    /// Whether a legal move captures something.
    #[inline]
    fn is_capture(&self, position: &Self::Position, mv: Move) -> bool {
        self.captured(position, mv).any()
    }

    /// What is seen of a position.
    fn sight(&self, position: &Self::Position) -> Self::Sight;

    /// A legal move that wins at once, found by a few set operations. `None` does not say that there is none.
    #[inline(always)]
    fn winning_move(&self, _: &Self::Position) -> Option<Move> {
        None
    }

    /// If the opponent threatens to win at once and only a move to certain squares can prevent it, these squares.
    /// Asked only where there is no winning move.
    #[inline(always)]
    fn must_reach(&self, _: &Self::Position, _: &Self::Sight) -> Option<SetOf<Self>> {
        None
    }

    /// A legal move after which every answer leaves a winning one, found by a few set operations; there is an answer, and
    /// none ends the game but by repetition or the quiet limit. `None` does not say that there is no such move. Asked only
    /// where there is no winning move.
    #[inline(always)]
    fn fork(&self, _: &Self::Position, _: &Self::Sight) -> Option<Move> {
        None
    }

    /// Whether the opponent, were it his turn, had a winning move.
    #[inline(always)]
    fn in_danger(&self, _: &Self::Position, _: &Self::Sight) -> bool {
        false
    }

    /// Appends legal moves that capture nothing and threaten to win at once, as many as a few set operations find.
    #[inline(always)]
    fn generate_threats(&self, _: &Self::Position, _: &Self::Sight, _: &mut Vec<Move>) {}

    /// Appends the legal moves that end on a square of the set.
    fn generate_to(&self, position: &Self::Position, to: SetOf<Self>, list: &mut Vec<Move>) {
        let start = list.len();
        self.generate(position, Moves::All, list);
        let mut kept = start;
        for index in start..list.len() {
            if to.has(list[index].to()) {
                list[kept] = list[index];
                kept += 1;
            }
        }
        list.truncate(kept);
    }

    /// The start position.
    ///
    /// # Errors
    /// As `parse`; for a start that the rules themselves give, never.
    fn start(&self) -> Result<Self::Position, String> {
        self.parse(self.start_rows(), self.first())
    }

    /// The outcome that follows from the board alone.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome> {
        self.decided(position)
            .or_else(|| (self.count(position) == 0).then(|| self.stuck(position)))
    }

    /// Writes `ROWS`.
    fn rows(&self, position: &Self::Position) -> String {
        crate::grid::write_rows::<Self::Grid>(|square| self.piece(position, square))
    }

    /// Writes a legal move: from, to, and the captured squares where the player had a choice of them.
    fn move_text(&self, position: &Self::Position, mv: Move) -> String {
        let mut text = Self::Grid::name(mv.from()) + &Self::Grid::name(mv.to());
        if mv.mask() != 0 {
            for square in Self::Grid::text_order(self.captured(position, mv)) {
                text.push('x');
                text += &Self::Grid::name(square);
            }
        }
        text
    }

    /// Reads a move and finds it among the legal ones.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Move, String> {
        let words = MoveText::<Self::Grid>::parse(text)?;
        let mut list = Vec::new();
        self.generate(position, Moves::All, &mut list);
        list.retain(|mv| mv.from() == words.from && mv.to() == words.to);
        if list.is_empty() {
            return Err("not a legal move".into());
        }
        match words.captures {
            None => list
                .into_iter()
                .find(|mv| mv.mask() == 0)
                .ok_or_else(|| "not legal without a capture".into()),
            Some(captures) => list
                .into_iter()
                .find(|&mv| self.captured(position, mv) == captures)
                .ok_or_else(|| "does not capture just these squares".into()),
        }
    }
}

/// A move as written, before it is looked up among the legal ones.
struct MoveText<G: Grid> {
    from: u16,
    to: u16,
    captures: Option<G::Bits>,
}

impl<G: Grid> MoveText<G> {
    fn parse(text: &str) -> Result<Self, String> {
        let form = "a move such as a1a4 or a1a2xb3 expected";
        let lower = text.to_ascii_lowercase();
        let (from, rest) = G::parse_square(&lower).ok_or(form)?;
        let (to, mut rest) = G::parse_square(rest).ok_or(form)?;
        let mut captures = None;
        while !rest.is_empty() {
            let square = rest.strip_prefix('x').ok_or(form)?;
            let (square, after) = G::parse_square(square).ok_or(form)?;
            let set = captures.get_or_insert(G::Bits::EMPTY);
            if set.has(square) {
                return Err(format!("{} is captured twice", G::name(square)));
            }
            *set |= G::Bits::bit(square);
            rest = after;
        }
        Ok(MoveText { from, to, captures })
    }
}
