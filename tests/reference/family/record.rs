//! Rules records: what every key says, with the defaults and oddities of the host's reading. What a rule does in play is
//! for the other files.

use super::board::{Board, LETTERS, Side, Square};
use std::collections::BTreeMap;

const ATTACKERS: &str = "tcnkm";
const DEFENDERS: &str = "TCNKM";
/// Guards are in none of the defaults but that of entering again.
const ALL: &str = "tcnkmTCNKM";

/// The host plays these two by name and not by the text: the one with a hostile empty centre, the other with one that is
/// hostile to nobody.
const FOTEVIKEN: &str = "dim:9 name:Foteviken_Tablut esc:e atkf:y nj:n cor: \
    afor:a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8, cenp:tcnkTCNK aforp:tcnkTCNK cens: cenh: cenhe:K aforh:K cenre: \
    aforre: start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/";
const MAGPIE: &str = "dim:7 name:Magpie surf:n atkf:y ks:m spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,1,-1,-1, \
    start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

/// The kinds of special squares, in the order of `Record::specials`; of several lists that name a square the last counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Corner,
    Centre,
    AttackerFort,
    DefenderFort,
}

/// The squares of one type and the letters of the pieces with each right there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Special {
    pub squares: Vec<Square>,
    /// To whom a square is hostile (`t` for all attackers, `T` for all defenders), and for the centre while it is empty.
    pub hostile: String,
    pub hostile_empty: String,
    pub pass: String,
    pub stop: String,
    pub reenter: String,
}

/// What the repetition that ends a game means; "mover" is the side that would move next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    Draw,
    MoverWins,
    MoverLoses,
    DefendersLose,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    Four,
    FourNearCentre,
    FourOnCentre,
    AllExisting,
    Two,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    None,
    /// To or from a special square only.
    Restricted,
    Free,
    Capturing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walls {
    None,
    /// Closed by men only.
    Weak,
    /// Closed by men or corners.
    Strong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Berserk {
    None,
    MustCapture,
    MustMove,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub name: String,
    /// Squares along an edge.
    pub size: i32,
    pub goal_is_edge: bool,
    pub encirclement: bool,
    pub attackers_first: bool,
    pub repetition: Repetition,
    /// Which occurrence of a position ends the game; 0 is none.
    pub occurrence: u32,
    pub king_captures_as_mover: bool,
    pub king_captures_as_anvil: bool,
    pub strength: Strength,
    /// Whether the empty centre may be hostile to kings at all.
    pub centre_takes_kings: bool,
    /// By small letter.
    pub jumps: BTreeMap<char, Jump>,
    /// The longest slide by letter, in squares; 0 and less is no limit.
    pub speeds: BTreeMap<char, i32>,
    pub specials: [Special; 4],
    pub walls: Walls,
    pub walls_need_flanking: bool,
    pub edge_fort: bool,
    pub linnaean: bool,
    pub berserk: Berserk,
    /// A side without a legal move draws; else it loses.
    pub stuck_draws: bool,
    /// Plies without capture that draw; 0 is off.
    pub quiet_limit: u32,
    /// The end of a move is looked at in our own games' order, not in the host's.
    pub house_order: bool,
    /// The start position, and who has the first move.
    pub start: Board,
}

impl Record {
    /// Reads a record as the host plays it, its two exceptions by name included.
    pub fn parse(text: &str) -> Result<Record, String> {
        let mut record = Record::parse_as_written(text)?;
        for (known, hostile_to) in [(FOTEVIKEN, "tT"), (MAGPIE, "")] {
            if record == Record::parse_as_written(known)? {
                let centre = &mut record.specials[Type::Centre as usize];
                centre.hostile_empty = hostile_to.to_string();
                if hostile_to.is_empty() {
                    centre.hostile.clear();
                }
                return Ok(record);
            }
        }
        Ok(record)
    }

    fn parse_as_written(text: &str) -> Result<Record, String> {
        let words = Words::split(text);
        let size = words.number("dim")?.ok_or("dim: missing")?;
        if size % 2 == 0 || !(5..=19).contains(&size) {
            return Err(format!("dim: {size}, expected an odd number from 5 to 19"));
        }
        let size = size as i32;
        let yes = |key, default| words.choice(key, default) == "y";
        let attackers_first = yes("atkf", "y");
        let armed = words.choice("ka", "y");
        Ok(Record {
            name: words.choice("name", "").replace('_', " "),
            size,
            goal_is_edge: words.choice("esc", "c") != "c",
            encirclement: yes("surf", "y"),
            attackers_first,
            repetition: match (words.choice("rep", ""), words.choice("tfr", "d")) {
                ("d", _) => Repetition::DefendersLose,
                (_, "w") => Repetition::MoverWins,
                (_, "l") => Repetition::MoverLoses,
                _ => Repetition::Draw,
            },
            occurrence: match words.number("repn")?.unwrap_or(3) {
                1 => return Err("repn: 1, expected 0 (off) or 2 and more".to_string()),
                count => count,
            },
            king_captures_as_mover: !["n", "a"].contains(&armed),
            king_captures_as_anvil: !["n", "h"].contains(&armed),
            strength: match words.choice("ks", "s") {
                "c" => Strength::FourNearCentre,
                "t" => Strength::FourOnCentre,
                "m" => Strength::AllExisting,
                "w" | "n" => Strength::Two,
                _ => Strength::Four,
            },
            centre_takes_kings: words.choice("kth", "y") != "n",
            jumps: words.jumps(),
            speeds: words.speeds()?,
            specials: words.specials(size)?,
            walls: match words.choice("sw", "n") {
                "w" => Walls::Weak,
                "s" => Walls::Strong,
                _ => Walls::None,
            },
            walls_need_flanking: yes("swf", "y"),
            edge_fort: yes("efe", "n"),
            linnaean: yes("linc", "n"),
            berserk: match words.choice("ber", "n") {
                "c" => Berserk::MustCapture,
                "m" => Berserk::MustMove,
                _ => Berserk::None,
            },
            stuck_draws: words.choice("stuck", "l") == "d",
            quiet_limit: words.number("quiet")?.unwrap_or(0),
            house_order: words.choice("end", "") == "h",
            start: words.start(size, attackers_first)?,
        })
    }

    /// The type of a square, if it is special.
    pub fn type_of(&self, square: Square) -> Option<Type> {
        let types = [
            Type::DefenderFort,
            Type::AttackerFort,
            Type::Centre,
            Type::Corner,
        ];
        types
            .into_iter()
            .find(|&t| self.special(t).squares.contains(&square))
    }

    pub fn special(&self, t: Type) -> &Special {
        &self.specials[t as usize]
    }

    pub fn is_goal(&self, square: Square) -> bool {
        if self.goal_is_edge {
            self.start.is_edge(square)
        } else {
            self.special(Type::Corner).squares.contains(&square)
        }
    }

    pub fn jump(&self, letter: char) -> Jump {
        let found = self.jumps.get(&super::board::kind(letter));
        found.copied().unwrap_or(Jump::None)
    }

    /// The longest slide of a piece in squares.
    pub fn reach(&self, letter: char) -> i32 {
        match self.speeds.get(&letter) {
            Some(&limit) if limit > 0 => limit,
            _ => self.size,
        }
    }

    /// Whether a side has commanders or knights in the start position, which changes how it takes a king.
    pub fn began_with_leaders(&self, side: Side) -> bool {
        let leaders = ['c', 'n'].map(|letter| side.own(letter));
        self.start.cells.iter().any(|cell| leaders.contains(cell))
    }
}

/// The words of a record by key.
struct Words<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Words<'a> {
    /// Of a word with several colons only the part between the first two counts, and of words with one key the last.
    fn split(text: &'a str) -> Words<'a> {
        let mut words = BTreeMap::new();
        for word in text.split_ascii_whitespace() {
            let mut parts = word.split(':');
            if let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                words.insert(key, value);
            }
        }
        Words(words)
    }

    fn choice(&self, key: &str, default: &'a str) -> &'a str {
        self.0.get(key).copied().unwrap_or(default)
    }

    fn number(&self, key: &str) -> Result<Option<u32>, String> {
        let Some(value) = self.0.get(key) else {
            return Ok(None);
        };
        let number = value
            .parse()
            .map_err(|_| format!("{key}: '{value}', expected a number"))?;
        Ok(Some(number))
    }

    fn jumps(&self) -> BTreeMap<char, Jump> {
        // gj is known to the notation, but guards never jump.
        let keys = [("kj", "n"), ("nj", "c"), ("cj", "j"), ("mj", "n")];
        let read = |(key, default): (&str, &'static str)| {
            let jump = match self.choice(key, default) {
                "r" => Jump::Restricted,
                "j" => Jump::Free,
                "c" => Jump::Capturing,
                _ => Jump::None,
            };
            key.chars().next().map(|letter| (letter, jump))
        };
        keys.into_iter().filter_map(read).collect()
    }

    /// Two and ten numbers are well-formed and without effect, as on the host.
    fn speeds(&self) -> Result<BTreeMap<char, i32>, String> {
        let value = self.choice("spd", "-1");
        let list = value.strip_suffix(',').unwrap_or(value);
        let numbers: Vec<i32> = list
            .split(',')
            .map(|number| number.parse())
            .collect::<Result<_, _>>()
            .map_err(|_| format!("spd: '{value}', expected numbers"))?;
        let letters = match numbers.len() {
            1 => {
                return Ok(LETTERS.chars().map(|letter| (letter, numbers[0])).collect());
            }
            2 | 10 => "",
            8 => "tcnkTCNK",
            12 => LETTERS,
            count => {
                return Err(format!("spd: {count} numbers, expected 1, 2, 8, 10 or 12"));
            }
        };
        Ok(letters.chars().zip(numbers).collect())
    }

    fn specials(&self, size: i32) -> Result<[Special; 4], String> {
        let board = Board::empty(size, Side::Attackers);
        let (corners, middle) = (board.corners(), vec![board.middle()]);
        Ok([
            self.special(&board, "cor", corners, [ALL, "", "K", "K"])?,
            self.special(&board, "cen", middle, [ATTACKERS, ALL, ALL, "K"])?,
            self.special(&board, "afor", Vec::new(), [DEFENDERS, "", ALL, ALL])?,
            self.special(
                &board,
                "dfor",
                Vec::new(),
                [ATTACKERS, "", DEFENDERS, DEFENDERS],
            )?,
        ])
    }

    /// One type of special squares, with its default squares and its defaults for hostile, hostile while empty, pass and stop.
    fn special(
        &self,
        board: &Board,
        key: &str,
        squares: Vec<Square>,
        defaults: [&'a str; 4],
    ) -> Result<Special, String> {
        let set = |ending: &str, default: &'a str| {
            let key = format!("{key}{ending}");
            let value = self.choice(&key, default);
            match value.chars().find(|&letter| !LETTERS.contains(letter)) {
                Some(letter) => Err(format!("{key}: '{letter}', expected letters of {LETTERS}")),
                None => Ok(value.to_string()),
            }
        };
        let hostile = set("h", defaults[0])?;
        // Only the centre tells empty squares from others. The rights to enter again are looked at only where the centre's
        // are given, and then one that is missing is nobody's.
        let hostile_empty = if key == "cen" {
            set("he", defaults[1])?
        } else {
            hostile.clone()
        };
        let reenter = match self.0.contains_key("cenre") {
            true => set("re", "")?,
            false => LETTERS.to_string(),
        };
        Ok(Special {
            squares: self.squares(board, key)?.unwrap_or(squares),
            hostile,
            hostile_empty,
            pass: set("p", defaults[2])?,
            stop: set("s", defaults[3])?,
            reenter,
        })
    }

    fn squares(&self, board: &Board, key: &str) -> Result<Option<Vec<Square>>, String> {
        let Some(value) = self.0.get(key) else {
            return Ok(None);
        };
        let mut squares = Vec::new();
        for name in value.split(',').filter(|name| !name.is_empty()) {
            let square = Square::named(name).map_err(|why| format!("{key}: {why}"))?;
            if !board.contains(square) {
                let size = board.size;
                return Err(format!("{key}: {name} is off the board of {size}×{size}"));
            }
            squares.push(square);
        }
        Ok(Some(squares))
    }

    fn start(&self, size: i32, attackers_first: bool) -> Result<Board, String> {
        let side = match attackers_first {
            true => Side::Attackers,
            false => Side::Defenders,
        };
        let board = if let Some(text) = self.0.get("start") {
            Board::from_host(size, text, side).map_err(|why| format!("start: {why}"))?
        } else if let Some(text) = self.0.get("starti") {
            let rows = text.trim_matches('/').rsplit('/').collect();
            Board::from_rows(size, rows, side).map_err(|why| format!("starti: {why}"))?
        } else {
            return Err("start: missing".to_string());
        };
        match board.pieces(Side::Attackers).len() + board.pieces(Side::Defenders).len() {
            0..=254 => Ok(board),
            count => Err(format!("start: {count} pieces, expected 254 at most")),
        }
    }
}
