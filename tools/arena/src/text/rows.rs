//! The `ROWS` of a position text as a board of letters, whatever the game.

/// What stands on each square, the highest rank first, file a first; nothing where it is empty.
pub type Board = Vec<Vec<Option<char>>>;

/// Reads rows that the engine wrote.
pub fn read(rows: &str) -> Board {
    rows.split('/').map(read_row).collect()
}

fn read_row(row: &str) -> Vec<Option<char>> {
    let mut cells = Vec::new();
    let mut empty = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => empty = empty * 10 + digit as usize,
            None => {
                cells.extend(std::iter::repeat_n(None, std::mem::take(&mut empty)));
                cells.push(Some(letter));
            }
        }
    }
    cells.extend(std::iter::repeat_n(None, empty));
    cells
}

/// Writes rows as the engine does.
pub fn write(board: &Board) -> String {
    let mut text = String::new();
    for (index, row) in board.iter().enumerate() {
        if index > 0 {
            text.push('/');
        }
        for run in row.chunk_by(|a, b| a.is_none() == b.is_none()) {
            match run[0] {
                None => text += &run.len().to_string(),
                Some(_) => text.extend(run.iter().flatten()),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_there_and_back() {
        let board = read("11/t9T/*3K*2tt2*");
        let lengths: Vec<usize> = board.iter().map(Vec::len).collect();
        assert_eq!(lengths, [11, 11, 13]);
        assert_eq!(
            (board[1][0], board[1][9], board[1][10]),
            (Some('t'), None, Some('T'))
        );
        for name in huscarl::variants::names() {
            let start = super::super::replay::facts(&name.parse().unwrap())
                .expect("known")
                .start;
            let rows = start.split(' ').next().expect("rows");
            assert_eq!(write(&read(rows)), rows);
        }
    }
}
