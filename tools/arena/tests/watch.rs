//! Runs of the library: who watches one may stop it, and sees each pair once.

mod common;

use arena::config::Flags;
use arena::lifeline::Lifeline;
use arena::record::Pair;
use arena::run::{self, NoWatch, Verdict, Watch};
use clap::{Args, Command, FromArgMatches};
use common::{Scratch, engine, read, timeless};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Stops when it has seen so many pairs.
struct Stops {
    after: usize,
    seen: BTreeSet<u64>,
}

impl Watch for Stops {
    fn pair(&mut self, pair: &Pair) -> Verdict {
        assert!(self.seen.insert(pair.index), "pair {} twice", pair.index);
        match self.seen.len() == self.after {
            true => Verdict::Stop("enough".into()),
            false => Verdict::Continue,
        }
    }
}

fn flags(out: &Path, more: &[&str]) -> Flags {
    let mut words = engine("a", "", 0, "nodes=1");
    words.extend(engine("b", "", 0, "nodes=2"));
    let line = "--variant hnefatafl7 --max-plies 12 --rounds 8 --silent --concurrency 2 --out";
    words.extend(line.split_whitespace().map(str::to_string));
    words.push(out.display().to_string());
    words.extend(more.iter().map(|word| word.to_string()));
    let command = Flags::augment_args(Command::new("arena").no_binary_name(true));
    let matches = command.try_get_matches_from(words).unwrap();
    Flags::from_arg_matches(&matches).unwrap()
}

#[test]
fn a_watch_stops_a_run_and_sees_every_pair_once() {
    let scratch = Scratch::new("watch");
    let (out, whole) = (scratch.path("out"), scratch.path("whole"));
    let lifeline = Arc::new(Lifeline::default());
    let settings = flags(&out, &[]).over(toml::Table::new()).unwrap();
    let mut watch = Stops {
        after: 3,
        seen: BTreeSet::new(),
    };
    assert_eq!(
        run::start(&settings, None, &lifeline, &mut watch),
        Ok(out.clone())
    );
    let kept: BTreeSet<u64> = read(&out).1.iter().map(|pair| pair.index).collect();
    assert_eq!(
        kept, watch.seen,
        "those that were being played are kept, too"
    );
    assert!(kept.len() < 8);
    let mut watch = Stops {
        after: 100,
        seen: BTreeSet::new(),
    };
    run::start(&settings, Some(&out), &lifeline, &mut watch).unwrap();
    assert_eq!(watch.seen, (0..8).collect());
    let settings = flags(&whole, &[]).over(toml::Table::new()).unwrap();
    run::start(&settings, None, &lifeline, &mut NoWatch).unwrap();
    assert_eq!(timeless(&read(&out).1), timeless(&read(&whole).1));
}

#[test]
fn an_interrupted_run_ends_with_a_word_on_how_to_go_on() {
    let scratch = Scratch::new("stopped");
    let out = scratch.path("out");
    let lifeline = Arc::new(Lifeline::default());
    let settings = flags(&out, &[]).over(toml::Table::new()).unwrap();
    /// Interrupts the run after the first pair.
    struct Interrupts(Arc<Lifeline>);
    impl Watch for Interrupts {
        fn pair(&mut self, _: &Pair) -> Verdict {
            self.0.interrupt();
            Verdict::Continue
        }
    }
    let mut watch = Interrupts(Arc::clone(&lifeline));
    let error = run::start(&settings, None, &lifeline, &mut watch).unwrap_err();
    assert!(
        error.starts_with("interrupted; to go on: arena match --resume"),
        "{error}"
    );
    assert!(read(&out).1.len() < 8);
}
