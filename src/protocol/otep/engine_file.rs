//! The file by which OpenTafl knows an engine.

use std::path::{Component, Path, PathBuf};

/// Name of the file; its ending is what OpenTafl looks for.
const FILE: &str = "huscarl.ini";

/// What OpenTafl passes to the engine. Not empty: it would turn nothing into one empty argument.
const ARGUMENTS: &str = "--protocol otep";

/// Writes the engine file for this program into OpenTafl's folder `engines`, and returns its path.
///
/// # Errors
/// Names what could not be found or written.
pub fn write(folder: &Path) -> Result<PathBuf, String> {
    let told = folder.display();
    let folder = folder
        .canonicalize()
        .map_err(|why| format!("folder '{told}': {why}, OpenTafl's folder engines expected"))?;
    if !folder.is_dir() {
        return Err(format!(
            "'{told}' is no folder, OpenTafl's folder engines expected"
        ));
    }
    let program = std::env::current_exe()
        .and_then(|path| path.canonicalize())
        .map_err(|why| format!("the path of this program can not be found: {why}"))?;
    let content = content(&folder, &program)?;
    let path = folder.join(FILE);
    std::fs::write(&path, content)
        .map_err(|why| format!("'{}' can not be written: {why}", path.display()))?;
    Ok(path)
}

fn content(folder: &Path, program: &Path) -> Result<String, String> {
    let text = |path: &Path| {
        path.to_str()
            .filter(|text| !text.contains(['\n', '\r']))
            .map(String::from)
            .ok_or_else(|| format!("'{}' can not be written as text", path.display()))
    };
    let home = program.parent().unwrap_or(Path::new("/"));
    let name = Path::new(program.file_name().unwrap_or_default());
    let directory = relative(folder, home).ok_or_else(|| {
        format!(
            "no way leads from '{}' to '{}', one drive expected",
            folder.display(),
            home.display()
        )
    })?;
    Ok(format!(
        "[engine]\nname={}\ndirectory={}\nfilename={}\ncommand={}\narguments={ARGUMENTS}\n",
        crate::protocol::NAME,
        text(&directory)?,
        text(name)?,
        text(program)?,
    ))
}

/// The way from one folder to another. OpenTafl reads `directory` from its own folder on, also where it begins with `/`.
fn relative(from: &Path, to: &Path) -> Option<PathBuf> {
    let parts = |path: &Path| -> Vec<PathBuf> {
        path.components()
            .map(|part: Component| PathBuf::from(part.as_os_str()))
            .collect()
    };
    let (from, to) = (parts(from), parts(to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return None;
    }
    let up = from[common..].iter().map(|_| PathBuf::from(".."));
    let way: PathBuf = up.chain(to[common..].iter().cloned()).collect();
    Some(if way.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        way
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        for (from, to, way) in [
            ("/a/engines", "/a/engines", "."),
            ("/a/engines", "/a/engines/bin", "bin"),
            ("/a/engines", "/a", ".."),
            ("/a/engines", "/b/bin", "../../b/bin"),
            ("/", "/b", "b"),
        ] {
            assert_eq!(
                relative(Path::new(from), Path::new(to)),
                Some(PathBuf::from(way)),
                "from {from} to {to}"
            );
        }
    }
}
