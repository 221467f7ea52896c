//! The checks: scripts in text files, and functions where the library has to judge.

mod answers;
mod games;
mod scores;
mod search;
mod transport;

use super::script::{self, Setup};
use super::talk::{Talk, Verdict};
use super::{Body, Check};

/// Scripts, in the order of the sections.
const SCRIPTS: [&str; 6] = [
    include_str!("transport.txt"),
    include_str!("states.txt"),
    include_str!("games.txt"),
    include_str!("commands.txt"),
    include_str!("go.txt"),
    include_str!("rest.txt"),
];

/// A check that is a function.
struct Code {
    section: &'static str,
    name: &'static str,
    setup: Setup,
    /// Options that it needs.
    options: &'static [&'static str],
    run: fn(&mut Talk<'_>, &'static str) -> Verdict,
}

const CODE: [&[Code]; 5] = [
    transport::CHECKS,
    games::CHECKS,
    search::CHECKS,
    answers::CHECKS,
    scores::CHECKS,
];

/// All checks, section by section.
///
/// # Errors
/// If a script can not be read, which a test excludes.
pub(super) fn all() -> Result<Vec<Check>, String> {
    let mut checks = Vec::new();
    for text in SCRIPTS {
        checks.extend(script::read(text)?.into_iter().map(|script| Check {
            section: script.section,
            name: script.name,
            setup: script.setup,
            dialect: script.dialect,
            options: script.options.clone(),
            body: Body::Script(script),
        }));
    }
    checks.extend(CODE.iter().copied().flatten().map(|code| Check {
        section: code.section,
        name: code.name,
        setup: code.setup,
        dialect: None,
        options: code.options.to_vec(),
        body: Body::Code(code.run),
    }));
    checks.sort_by_key(|check| check.section.parse::<u32>().unwrap_or(u32::MAX));
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn checks_are_read_and_have_names_of_their_own() {
        let checks = all().expect("the scripts can be read");
        assert!(checks.len() >= 100, "{}", checks.len());
        let names: HashSet<String> = checks.iter().map(Check::title).collect();
        assert_eq!(names.len(), checks.len());
        for check in &checks {
            let heading = super::super::heading(check.section);
            assert!(!heading.is_empty(), "{}", check.title());
            if let Setup::Variant(name) = check.setup {
                assert!(huscarl::variants::find(name).is_ok(), "{}", check.title());
            }
        }
    }
}
