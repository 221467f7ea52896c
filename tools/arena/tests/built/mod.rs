//! Programs of the workspace that are not the arena's own, for tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that cargo builds this profile in.
pub fn built() -> PathBuf {
    let here = std::env::current_exe().expect("a test has a path");
    // The test itself stands in `deps`.
    let deps = here.parent().expect("a file is in a folder");
    deps.parent().expect("deps is in a folder").to_path_buf()
}

/// Builds a program of the workspace as `cargo test` itself would.
pub fn build(what: &[&str]) {
    let built = built();
    let target = built
        .parent()
        .expect("the folder of the profile is in another");
    let profile = match built.ends_with("release") {
        true => "release",
        false => "test",
    };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--profile", profile, "--target-dir"])
        .arg(target)
        .args(what)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "{what:?} can be built");
}

/// The engine, built.
pub fn engine() -> PathBuf {
    build(&["--package", "huscarl", "--bin", "huscarl"]);
    built().join(format!("huscarl{}", std::env::consts::EXE_SUFFIX))
}
