//! The games as a driver sees them: start positions, counts, and positions that test files share.

pub const DIALECTS: [&str; 2] = ["uci", "ugi"];

/// A game as a driver sees it.
pub struct Variant {
    pub name: &'static str,
    /// The position text of the start.
    pub start: &'static str,
    /// Perft counts of the start, depth 1 to 4.
    pub perft: [u64; 4],
    /// Four quiet plies from the start that lead back to it.
    pub shuffle: [&'static str; 4],
    /// The letters of player 1 and player 2 in the side field.
    pub sides: [&'static str; 2],
    pub tafl: bool,
    /// What ends an endless shuffle by the variant's own limits.
    pub shuffle_reason: &'static str,
    /// The variant's own limits, 0 for off.
    pub quiet_limit: u32,
    pub repetition_limit: u32,
}

const THUD: &str = "*****dd1dd*****/****d5d****/***d7d***/**d9d**/*d11d*/d13d/d5TTT5d/6T*T6/d5TTT5d/d13d/*d11d*/**d9d**/***d7d***/****d5d****/*****dd1dd***** d 0 1";

pub const VARIANTS: [Variant; 5] = [
    Variant {
        name: "thud",
        start: THUD,
        perft: [656, 22_624, 14_142_624, 589_562_824],
        shuffle: ["g15h15", "g9f9", "h15g15", "f9g9"],
        sides: ["d", "t"],
        tafl: false,
        shuffle_reason: "quiet-limit",
        quiet_limit: 200,
        repetition_limit: 0,
    },
    Variant {
        name: "thud-rulebook",
        start: THUD,
        perft: [656, 22_624, 14_142_624, 589_900_928],
        shuffle: ["g15h15", "g9f9", "h15g15", "f9g9"],
        sides: ["d", "t"],
        tafl: false,
        shuffle_reason: "quiet-limit",
        quiet_limit: 200,
        repetition_limit: 0,
    },
    Variant {
        name: "tawlbwrdd",
        start: "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3 a 0 1",
        perft: [124, 7_276, 920_688, 57_885_012],
        shuffle: ["f10e10", "f8e8", "e10f10", "e8f8"],
        sides: ["a", "d"],
        tafl: true,
        shuffle_reason: "repetition",
        quiet_limit: 0,
        repetition_limit: 2,
    },
    Variant {
        name: "tawlbwrdd-bell",
        start: "4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4 a 0 1",
        perft: [136, 7_620, 1_042_016, 61_550_700],
        shuffle: ["e11d11", "f8e8", "d11e11", "e8f8"],
        sides: ["a", "d"],
        tafl: true,
        shuffle_reason: "repetition",
        quiet_limit: 0,
        repetition_limit: 2,
    },
    Variant {
        name: "hnefatafl7",
        start: "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1",
        perft: [40, 960, 39_512, 1_007_392],
        shuffle: ["d7c7", "d5c5", "c7d7", "c5d5"],
        sides: ["a", "d"],
        tafl: true,
        shuffle_reason: "repetition",
        quiet_limit: 0,
        repetition_limit: 3,
    },
];

impl Variant {
    /// The rows of the start position alone.
    pub fn rows(&self) -> &'static str {
        self.start.split(' ').next().unwrap()
    }

    /// The start position with the given player (0 or 1) to move and the given QUIET.
    pub fn fen(&self, player: usize, quiet: u32) -> String {
        format!("{} {} {quiet} 1", self.rows(), self.sides[player])
    }

    /// `plies` moves of the shuffle to and fro, split by blanks.
    pub fn shuffled(&self, plies: usize) -> String {
        let moves: Vec<&str> = self.shuffle.iter().copied().cycle().take(plies).collect();
        moves.join(" ")
    }
}

pub fn variant(name: &str) -> &'static Variant {
    VARIANTS.iter().find(|v| v.name == name).unwrap()
}

/// Positions that are over on the board: variant, position, result, reason.
pub const FINISHED: [(&str, &str, &str, &str); 9] = [
    (
        "thud",
        "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****2d2***** t 0 1",
        "p1win",
        "no-moves",
    ),
    (
        "thud",
        "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****2T2***** d 0 1",
        "p2win",
        "no-moves",
    ),
    (
        "thud-rulebook",
        "*****Td3*****/****ddd4****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** t 0 1",
        "draw",
        "no-moves",
    ),
    (
        "tawlbwrdd",
        "11/11/11/11/11/11/K10/11/11/11/t10 a 0 1",
        "p2win",
        "king-escaped",
    ),
    (
        "tawlbwrdd",
        "11/11/11/11/11/11/11/11/11/T10/t10 d 0 1",
        "p1win",
        "king-captured",
    ),
    (
        "tawlbwrdd-bell",
        "11/11/7K3/11/11/11/11/11/11/11/11 a 0 1",
        "draw",
        "no-moves",
    ),
    (
        "hnefatafl7",
        "K6/7/7/7/7/5t1/7 d 3 9",
        "p2win",
        "king-escaped",
    ),
    (
        "hnefatafl7",
        "7/7/7/T6/7/5t1/7 a 0 1",
        "p1win",
        "king-captured",
    ),
    ("hnefatafl7", "7/7/7/2K4/7/7/7 a 0 1", "p2win", "no-moves"),
];

/// Positions won at once by the side to move: variant, position, a winning move.
pub const WON: [(&str, &str, &str); 7] = [
    ("hnefatafl7", "7/t6/7/K6/7/6t/1t1T3 d 0 1", "a4a1"),
    ("hnefatafl7", "7/7/7/K6/7/6t/1t1T3 d 0 1", "a4a1"),
    ("hnefatafl7", "7/7/2tK2t/7/7/T6/7 a 0 1", "g5e5"),
    (
        "tawlbwrdd",
        "11/11/11/11/11/11/11/2tK6t/11/11/T10 a 0 1",
        "k4e4",
    ),
    (
        "tawlbwrdd",
        "11/11/11/11/11/11/1K9/11/11/11/t10 d 0 1",
        "b5a5",
    ),
    (
        "tawlbwrdd-bell",
        "11/11/11/11/11/11/11/2tK6t/11/11/T10 a 0 1",
        "k4e4",
    ),
    (
        "thud",
        "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/4ddd2T5/*13*/**11**/***9***/****7****/*****5***** d 0 1",
        "g6j6",
    ),
];

/// Positions with one legal move: variant, position, the move. (Thud has hardly any: a blocked troll can capture.)
pub const SINGLE: [(&str, &str, &str); 2] = [
    ("hnefatafl7", "7/7/7/2K4/1T5/7/1tT4 a 0 1", "b1b2"),
    (
        "tawlbwrdd",
        "11/11/7K3/11/11/11/11/11/T10/11/tT9 a 0 1",
        "a1a2",
    ),
];

/// The king's side wins in two of its own moves (three plies) and not in one.
pub const MATE_IN_TWO: &str = "7/7/7/1K5/7/6t/3T3 d 0 1";
/// The attackers to move lose to the king's next move (two plies) whatever they do.
pub const LOST: &str = "7/7/7/K6/7/6t/1t1T3 a 0 1";
