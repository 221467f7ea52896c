//! A game of the tafl family as people state it: [`Spec`], everything that a rules record can say and a few things that
//! it can not.
//!
//! Nothing here knows a board. `Rules` works a `Spec` out into sets of squares; `notation` reads and writes it as a
//! record.

use crate::game::{Limits, Side};

/// The kinds of piece of both sides, in the order in which records list them: man, commander, knight, king, mercenary and
/// guard of the attackers, then of the defenders.
pub const LETTERS: [char; 12] = ['t', 'c', 'n', 'k', 'm', 'g', 'T', 'C', 'N', 'K', 'M', 'G'];

/// A kind of piece of one side, as an index into [`LETTERS`].
pub type Kind = usize;

/// Kinds of a side; the other side's has the same number this much further on.
pub const KINDS_OF_SIDE: usize = 6;

/// Kinds of piece within a side.
pub const MAN: usize = 0;
/// See [`MAN`].
pub const COMMANDER: usize = 1;
/// See [`MAN`].
pub const KNIGHT: usize = 2;
/// See [`MAN`].
pub const KING: usize = 3;
/// See [`MAN`].
pub const MERCENARY: usize = 4;
/// See [`MAN`].
pub const GUARD: usize = 5;

/// The kind with this number of a side.
#[inline(always)]
pub const fn kind_of(side: Side, number: usize) -> Kind {
    side.index() * KINDS_OF_SIDE + number
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Letters(pub u16);

impl Letters {
    /// Nobody.
    pub const NONE: Letters = Letters(0);
    /// All kinds but the guards, as the defaults have it.
    pub const ALL: Letters = Letters(0b0111_1101_1111);
    /// The attackers, guards apart.
    pub const ATTACKERS: Letters = Letters(0b01_1111);
    /// The defenders, guards apart.
    pub const DEFENDERS: Letters = Letters(0b0111_1100_0000);
    /// The king of the defenders.
    pub const KING: Letters = Letters(1 << kind_of(Side::Second, KING));

    /// Whether the kind is a member.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind & 1 != 0
    }

    /// The set with one more member.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Letters(self.0 | 1 << kind)
    }
}

/// Where the king wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any square at the edge.
    Edge,
    /// The corner squares.
    Corners,
}

/// How many hostile neighbours take the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surround {
    /// All four, everywhere; never at an edge.
    Four,
    /// Four on a centre square and next to one, elsewhere two.
    NearCentre,
    /// Four on a centre square, elsewhere two.
    OnCentre,
    /// All neighbours that there are: four, three at an edge, two in a corner.
    Existing,
    /// Two on opposite sides, like a man.
    Two,
}

/// A jump over one adjacent enemy to the empty square behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// None.
    Never,
    /// From or to a special square only, nothing taken by it.
    Restricted,
    /// Nothing taken by it.
    Free,
    /// What is jumped is captured.
    Captures,
}

/// What the repetition of a position means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeated {
    /// A draw.
    Draws,
    /// The side to move wins: who repeated has lost.
    MoverWins,
    /// The side to move loses.
    MoverLoses,
    /// The defenders lose, whoever repeated.
    DefendersLose,
}

impl Repeated {
    /// The winner if a position is repeated in which `mover` is to move; `None` for a draw.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match self {
            Repeated::Draws => None,
            Repeated::MoverWins => Some(mover),
            Repeated::MoverLoses => Some(!mover),
            Repeated::DefendersLose => Some(Side::First),
        }
    }
}

/// What becomes of a side that has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// It loses.
    Loses,
    /// The game is drawn.
    Draws,
}

/// Whether rows of men at the edge are captured by enemies behind and at both ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShieldWall {
    /// No.
    None,
    /// Yes; a corner closes no row.
    Pieces,
    /// Yes; a corner square closes a row as a piece does.
    PiecesAndCorners,
}

/// Whether a piece that captured moves on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Berserk {
    /// No.
    None,
    /// As long as it can capture.
    WhileItCaptures,
    /// As long as it can move.
    WhileItMoves,
}

/// The order in which the end of a game is looked for after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// That of the project's own games: king captured, king home, edge fort and encirclement if the game has them,
    /// repetition, no legal move, quiet limit.
    House,
    /// That of OpenTafl: no attackers, no defenders, repetition, king home, king captured, no defender with room,
    /// edge fort, encirclement; then no legal move and quiet limit, which OpenTafl does not know.
    Host,
}

/// Special squares of one type, and who may do what there. A square of several types is of the last of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Zone {
    /// Its squares as file and rank, from 0.
    pub squares: Vec<(u8, u8)>,
    /// To whom it is hostile while a piece stands on it.
    pub hostile: Letters,
    /// To whom it is hostile while it is empty.
    pub hostile_empty: Letters,
    /// Who may pass.
    pub pass: Letters,
    /// Who may stop.
    pub stop: Letters,
    /// Who may come from elsewhere.
    pub enter: Letters,
}

/// Index of the corners in [`Spec::zones`].
pub const CORNER: usize = 0;
/// Index of the centre.
pub const CENTRE: usize = 1;
/// Index of the attackers' forts.
pub const ATTACKER_FORT: usize = 2;
/// Index of the defenders' forts.
pub const DEFENDER_FORT: usize = 3;

/// A game of the tafl family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What it is called.
    pub name: String,
    /// Number of files and ranks.
    pub size: u8,
    /// `ROWS` of the start position, the highest rank first.
    pub start: String,
    /// Who moves first.
    pub first: Side,
    /// Where the king wins.
    pub goal: Goal,
    /// Corners, centre, attackers' forts and defenders' forts.
    pub zones: [Zone; 4],
    /// How the king is taken.
    pub surround: Surround,
    /// Whether the king captures as the piece that moves.
    pub king_hammer: bool,
    /// Whether the king captures as the piece that waits.
    pub king_anvil: bool,
    /// Whether the empty centre may help against a king, as far as it is hostile to him.
    pub throne_takes_king: bool,
    /// The jumps of a side's kinds, by number.
    pub jumps: [Jump; KINDS_OF_SIDE],
    /// How many squares a kind slides at most; 0 is no limit.
    pub speed: [u8; LETTERS.len()],
    /// Rows at the edge.
    pub shield_wall: ShieldWall,
    /// Whether only a piece of the wall that comes to the edge captures the row.
    pub wall_needs_mover: bool,
    /// Whether the king wins in a fort at the edge that can not be broken.
    pub edge_fort: bool,
    /// Whether three attackers around the king take the man on his fourth side.
    pub linnaean: bool,
    /// Whether the attackers win when no defender can come to the edge any more.
    pub encirclement: bool,
    /// Whether a piece that captured moves on.
    pub berserk: Berserk,
    /// What a repetition means.
    pub repeated: Repeated,
    /// What becomes of a side without a move.
    pub stuck: Stuck,
    /// Which occurrence of a position is a repetition, and the quiet limit, by default.
    pub limits: Limits,
    /// The order of the ends.
    pub ends: Ends,
}

impl Spec {
    /// The game that a record describes which says nothing but size and start.
    pub fn of_size(size: u8, start: String) -> Self {
        let (middle, last) = (size / 2, size.saturating_sub(1));
        let zone = |squares, hostile, pass, stop| Zone {
            squares,
            hostile,
            hostile_empty: hostile,
            pass,
            stop,
            enter: Letters(u16::MAX),
        };
        let corners = vec![(0, 0), (0, last), (last, 0), (last, last)];
        let (all, nobody) = (Letters::ALL, Vec::new);
        let (attackers, defenders) = (Letters::ATTACKERS, Letters::DEFENDERS);
        Spec {
            name: String::new(),
            size,
            start,
            first: Side::First,
            goal: Goal::Corners,
            zones: [
                zone(corners, all, Letters::KING, Letters::KING),
                Zone {
                    hostile_empty: all,
                    ..zone(vec![(middle, middle)], attackers, all, Letters::KING)
                },
                zone(nobody(), defenders, all, all),
                zone(nobody(), attackers, defenders, defenders),
            ],
            surround: Surround::Four,
            king_hammer: true,
            king_anvil: true,
            throne_takes_king: true,
            jumps: [
                Jump::Never,
                Jump::Free,
                Jump::Captures,
                Jump::Never,
                Jump::Never,
                Jump::Never,
            ],
            speed: [0; LETTERS.len()],
            shield_wall: ShieldWall::None,
            wall_needs_mover: true,
            edge_fort: false,
            linnaean: false,
            encirclement: true,
            berserk: Berserk::None,
            repeated: Repeated::Draws,
            stuck: Stuck::Loses,
            limits: Limits {
                repetition: 3,
                quiet: 0,
            },
            ends: Ends::Host,
        }
    }
}
