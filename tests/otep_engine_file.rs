//! The file by which OpenTafl knows the engine: written where it is asked for, and good enough to start the engine by.

mod otep_table;

use otep_table::Host;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn configure(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_huscarl"))
        .arg("opentafl-config")
        .arg(folder)
        .output()
        .expect("the engine starts")
}

fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

#[test]
fn the_engine_can_be_started_by_its_file() {
    let folder = fresh_folder("opentafl engines");
    let output = configure(&folder);
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
    let path = String::from_utf8(output.stdout).expect("text");
    assert_eq!(
        Path::new(path.trim_end())
            .parent()
            .map(|p| p.canonicalize().unwrap()),
        folder.canonicalize().ok()
    );
    let text = std::fs::read_to_string(path.trim_end()).expect("the file is there");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "[engine]");
    let value = |key: &str| {
        let found: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_prefix(key)?.strip_prefix('='))
            .collect();
        assert_eq!(found.len(), 1, "{key} stands there once");
        assert_ne!(found[0], "", "{key} is not empty");
        found[0]
    };
    assert!(value("name").starts_with("Huscarl"));
    // The host reads the directory from its own folder on, whatever it begins with.
    let directory = folder.join(value("directory"));
    assert!(Path::new(value("directory")).is_relative());
    assert!(directory.join(value("filename")).is_file());

    let mut command = Command::new(value("command"));
    command
        .args(value("arguments").split(' '))
        .current_dir(directory);
    let mut host = Host::spawn(command);
    host.greeting();
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn a_folder_that_is_none_is_told() {
    let folder = fresh_folder("opentafl-none");
    let file = folder.join("file");
    std::fs::write(&file, "").expect("a file can be written");
    // A folder of the file's name can not be overwritten by a file.
    let taken = folder.join("taken");
    std::fs::create_dir_all(taken.join("huscarl.ini")).expect("a folder can be made");
    for wrong in [folder.join("missing"), file, taken] {
        let output = configure(&wrong);
        assert!(!output.status.success(), "{}", wrong.display());
        assert!(output.stdout.is_empty());
        let text = String::from_utf8(output.stderr).expect("text");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("error: "), "{text}");
    }
}
