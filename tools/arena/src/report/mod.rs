//! The report of a run: one page without external parts, for a browser.
//!
//! The page is a frame of static text, style and script from `page/`, and the run as JSON in a script element that is
//! not executed. The script draws everything from that and puts every text in as text, never as markup. It knows no
//! rules: which squares change with each move is worked out here, by the library.

mod games;
mod series;

use crate::record::{self, Pair, Recorded, Run};
use crate::standings::{Standings, Summary};
use games::{Board, GameData, Start};
use serde::Serialize;
use series::Series;
use std::path::{Path, PathBuf};

/// The name of the page in the directory of a run.
pub const FILE: &str = "report.html";

/// Arguments of `arena report`.
#[derive(clap::Args)]
pub struct Options {
    /// Directory of a run; its games.jsonl is read, its report.html written
    pub dir: PathBuf,
}

/// Makes the report of a directory anew.
///
/// # Errors
/// If the file of games can not be read, or the report not be written.
pub fn run(options: &Options) -> Result<(), String> {
    let Recorded { run, pairs, .. } = record::load(&options.dir.join(record::FILE))?;
    let path = options.dir.join(FILE);
    write(&run, &pairs, &path)?;
    println!("{}: {} games", path.display(), 2 * pairs.len());
    Ok(())
}

/// Writes the report of a run.
///
/// # Errors
/// If the run does not fit together, or the file can not be written.
pub fn write(run: &Run, pairs: &[Pair], path: &Path) -> Result<(), String> {
    record::replace(path, &page(run, pairs)?)
}

/// The text of the page.
///
/// # Errors
/// If the run does not fit together: an unknown variant, or pairs of engines that there are not.
pub fn page(run: &Run, pairs: &[Pair]) -> Result<String, String> {
    let standings = Standings::of(run, pairs)?;
    let (board, starts, games) = games::encode(run, pairs)?;
    let data = Data {
        run,
        summary: standings.summary(),
        series: series::of(run, pairs)?,
        board,
        starts,
        games,
    };
    let json = serde_json::to_string(&data).map_err(|why| format!("report: {why}"))?;
    Ok(include_str!("page/page.html")
        .replacen("/*style*/", include_str!("page/page.css"), 1)
        .replacen("/*script*/", SCRIPT, 1)
        .replacen("/*data*/", &in_element(&json), 1))
}

/// The parts of the script, each of which uses only those before it.
const SCRIPT: &str = concat!(
    "'use strict';\n",
    include_str!("page/draw.js"),
    include_str!("page/charts.js"),
    include_str!("page/tables.js"),
    include_str!("page/board.js"),
    include_str!("page/scores.js"),
    include_str!("page/viewer.js"),
    include_str!("page/main.js"),
);

/// What the script of the page is given.
#[derive(Serialize)]
struct Data<'a> {
    run: &'a Run,
    summary: Summary,
    series: Series,
    board: Board,
    starts: Vec<Start>,
    games: Vec<GameData>,
}

/// JSON as it may stand in a script element: what could end the element, or begin a comment or another one, is written
/// as an escape, which JSON allows within its texts, and these characters stand nowhere else in it.
fn in_element(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text += &format!("\\u{:04x}", u32::from(c));
            }
            _ => text.push(c),
        }
    }
    text
}
