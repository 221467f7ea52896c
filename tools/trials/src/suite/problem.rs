//! A position with its answers as a line of a suite: `POSITION ; moves M1 M2 … ; HOW`, where HOW says why these are the
//! answers: `proof …` or `search …`.

/// A position, the moves that are right in it, and how that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub position: String,
    pub moves: Vec<String>,
    pub how: String,
}

impl Problem {
    /// Reads a line.
    pub fn read(line: &str) -> Result<Problem, String> {
        let wrong = || format!("'{line}', POSITION ; moves M… ; proof … or search … expected");
        let fields: Vec<&str> = line.split(" ; ").collect();
        let &[position, moves, how] = fields.as_slice() else {
            return Err(wrong());
        };
        let moves = moves.strip_prefix("moves ").ok_or_else(wrong)?;
        if !["proof ", "search "]
            .iter()
            .any(|word| how.starts_with(word))
        {
            return Err(wrong());
        }
        Ok(Problem {
            position: position.to_string(),
            moves: moves.split(' ').map(str::to_string).collect(),
            how: how.to_string(),
        })
    }

    /// The line that [`Problem::read`] reads.
    pub fn line(&self) -> String {
        let moves = self.moves.join(" ");
        format!("{} ; moves {moves} ; {}", self.position, self.how)
    }

    /// Whether an exhaustive search has shown the answers to be right.
    pub fn is_proven(&self) -> bool {
        self.how.starts_with("proof")
    }

    pub fn is_answer(&self, mv: &str) -> bool {
        self.moves.iter().any(|answer| answer == mv)
    }
}

/// The problems of a suite's text; lines that begin with `#` are remarks.
pub fn read_all(text: &str) -> Result<Vec<Problem>, String> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| Problem::read(line).map_err(|why| format!("line {number}: {why}")))
        .collect()
}

/// The same text for all turns and reflections of a position text: the first of the eight images, and the side to move.
pub fn key(position: &str) -> String {
    let mut fields = position.split(' ');
    let rows = fields.next().unwrap_or_default();
    let mut board: Vec<Vec<char>> = rows.split('/').map(cells).collect();
    let mut images = Vec::new();
    for _ in 0..4 {
        images.push(board.clone());
        images.push(board.iter().rev().cloned().collect());
        board = turned(&board);
    }
    let texts = images.into_iter().map(|image| {
        let rows = image.into_iter().map(String::from_iter);
        rows.collect::<Vec<String>>().join("/")
    });
    let first = texts.min().unwrap_or_default();
    format!("{first} {}", fields.next().unwrap_or_default())
}

/// The squares of a row, empty ones as dots.
fn cells(row: &str) -> Vec<char> {
    let mut cells = Vec::new();
    for run in row
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit())
    {
        let run = String::from_utf8_lossy(run);
        match run.parse() {
            Ok(empty) => cells.extend(std::iter::repeat_n('.', empty)),
            Err(_) => cells.extend(run.chars()),
        }
    }
    cells
}

/// A quarter turn of a board with as many rows as columns.
fn turned(board: &[Vec<char>]) -> Vec<Vec<char>> {
    let column = |file| {
        board
            .iter()
            .rev()
            .filter_map(move |row| row.get(file).copied())
    };
    (0..board.len())
        .map(|file| column(file).collect())
        .collect()
}
