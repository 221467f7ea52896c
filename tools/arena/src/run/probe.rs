//! What is known of engines and machine before the first game.

use crate::config::Player;
use crate::engine::{Engine, Fault, Log, Spin, Terms};
use crate::lifeline::Lifeline;
use crate::record::EngineInfo;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Starts an engine once to see who it is; the lines that it gets to be warned of are added to `warnings`.
///
/// # Errors
/// Why it can not play in this run.
pub fn engine(
    player: &Player,
    terms: &Terms,
    lifeline: &Arc<Lifeline>,
    warnings: &mut Vec<String>,
) -> Result<String, String> {
    let engine = start(player, terms, lifeline)?;
    warnings.extend(engine.check()?);
    let id = engine.id().to_string();
    engine.quit();
    Ok(id)
}

/// Starts an engine once to see which options with a range it has.
///
/// # Errors
/// Why it can not be started.
pub fn spins(
    player: &Player,
    terms: &Terms,
    lifeline: &Arc<Lifeline>,
) -> Result<Vec<Spin>, String> {
    let engine = start(player, terms, lifeline)?;
    let spins = engine.spins();
    engine.quit();
    Ok(spins)
}

fn start(player: &Player, terms: &Terms, lifeline: &Arc<Lifeline>) -> Result<Engine, String> {
    let started = Engine::start(player, terms, None, Log::default(), Arc::clone(lifeline));
    started.map_err(|fault| {
        let why = match fault {
            Fault::Crash(why) | Fault::Stall(why) => why,
            Fault::Interrupted => "interrupted".into(),
        };
        format!("engine '{}': {why}", player.name)
    })
}

/// What is recorded of an engine.
///
/// # Errors
/// If its program can not be read.
pub fn describe(player: &Player, id: String) -> Result<EngineInfo, String> {
    Ok(EngineInfo {
        name: player.name.clone(),
        id,
        command: player.command_line(),
        checksum: match program_file(player) {
            Some(path) => checksum(&path)?,
            // Then it can not be started either.
            None => String::new(),
        },
        protocol: player.protocol.to_string(),
        options: player.options.clone(),
        limit: player.limit.to_string(),
    })
}

/// The program with its whole path. A path is taken from the engine's directory, if it is there, else from the present
/// one; a mere name is looked for where the system looks for programs.
pub fn program_file(player: &Player) -> Option<PathBuf> {
    let cmd = &player.cmd;
    if cmd.components().count() > 1 {
        let there = player.dir.as_ref().map(|dir| dir.join(cmd));
        let path = there.filter(|path| path.is_file()).unwrap_or(cmd.clone());
        return std::fs::canonicalize(path).ok();
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(cmd))
        .find(|file| file.is_file())
}

/// SHA-256 of a file in hexadecimal.
fn checksum(path: &Path) -> Result<String, String> {
    let fault = |error| format!("'{}' can not be read: {error}", path.display());
    let mut file = std::fs::File::open(path).map_err(fault)?;
    let mut hash = Sha256::new();
    std::io::copy(&mut file, &mut hash).map_err(fault)?;
    let digest = hash.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Operating system, processor, number of cores.
pub fn host() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_string())
        });
    let processor = processor.unwrap_or_else(|| std::env::consts::ARCH.to_string());
    format!("{}, {processor}, {cores} cores", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        let path = std::env::temp_dir().join(format!("arena-checksum-{}", std::process::id()));
        std::fs::write(&path, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(checksum(&path).unwrap(), expected);
        std::fs::remove_file(path).unwrap();
    }
}
