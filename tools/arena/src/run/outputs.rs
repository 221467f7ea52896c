//! What a run leaves behind besides its file: the final table and the files that are asked for, all made of the file
//! alone, so that they agree with it.

use crate::config::Settings;
use crate::record::{self, Recorded};
use crate::standings::Standings;
use crate::{report, text};
use std::path::{Path, PathBuf};

/// The name of the standings in the directory of a run.
const STANDINGS_FILE: &str = "standings.json";

/// Which files are asked for besides the report.
pub struct Outputs {
    pgn: bool,
    json: bool,
}

impl Outputs {
    /// Those of the settings.
    pub fn new(settings: &Settings) -> Self {
        Outputs {
            pgn: settings.pgn,
            json: settings.json,
        }
    }

    /// Prints the table, writes the files, and returns all files of the run, the one that they are made of first.
    ///
    /// # Errors
    /// Names the file that can not be read or written.
    pub fn write(&self, dir: &Path) -> Result<Vec<PathBuf>, String> {
        let source = dir.join(record::FILE);
        let Recorded { run, pairs, .. } = record::load(&source)?;
        let standings = Standings::of(&run, &pairs)?;
        print!("{}", standings.table());
        let page = dir.join(report::FILE);
        report::write(&run, &pairs, &page)?;
        let mut files = vec![source, page];
        if self.pgn {
            let path = dir.join(text::PGN_FILE);
            text::write_pgn(&run, &pairs, &path)?;
            files.push(path);
        }
        if self.json {
            let path = dir.join(STANDINGS_FILE);
            let json = serde_json::to_string_pretty(&standings.summary());
            let json = json.map_err(|error| format!("'{}': {error}", path.display()))?;
            record::replace(&path, &(json + "\n"))?;
            files.push(path);
        }
        Ok(files)
    }
}
