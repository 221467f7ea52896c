//! Real games of OpenTafl with an engine, replayed: the host's lines are said as they were, and each answer of ours must be
//! one move, in the host's notation, legal in the position before it. Our moves are others than those of the engine that
//! sat there; the host goes on with its own positions, which are the truth.

mod otep_table;

use otep_table::{Host, Truth};

/// Lines of both sides, in their order.
enum Step {
    Host(String),
    Engine,
}

fn read(name: &str) -> Vec<Step> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/positions/opentafl");
    let text = std::fs::read_to_string(format!("{folder}/{name}.txt")).expect(name);
    let steps = text.lines().map(|line| {
        if let Some(said) = line.strip_prefix("host> ") {
            Step::Host(said.to_string())
        } else {
            assert!(line.starts_with("engine> "), "{line}");
            Step::Engine
        }
    });
    steps.collect()
}

/// Replays a dialogue; the number of moves that were asked for and given.
fn replay(name: &str) -> usize {
    let mut host = Host::new();
    let mut truth = None;
    let (mut position, mut moves) = (String::new(), 0);
    let mut steps = read(name).into_iter().peekable();
    while let Some(step) = steps.next() {
        let Step::Host(line) = step else {
            continue;
        };
        host.send(&line);
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "rules" => {
                host.greeting();
                let start = words.iter().find_map(|word| word.strip_prefix("start:"));
                position = start.expect("a start").to_string();
                truth = Some(Truth::new(&line).expect(name));
            }
            "move" | "opponent-move" => position = words[words.len() - 1].to_string(),
            "play" => {
                // Where the engine of that game lost on time, the host does not wait for ours either.
                if matches!(steps.peek(), Some(Step::Engine)) {
                    let truth = truth.as_mut().expect("rules come first");
                    host.a_move(words[1], truth, &position);
                    moves += 1;
                }
            }
            _ => {}
        }
    }
    // Most hosts have said goodbye by now; one was killed.
    let rest = host.hang_up();
    let late = rest.iter().filter(|line| line.starts_with("move ")).count();
    assert!(late <= 1, "{name}: {rest:?}");
    moves
}

/// The answers that the engine of that game gave before the host lost patience with it.
fn answered(name: &str) -> usize {
    let steps = read(name);
    let pairs = steps.windows(2);
    let asked = |pair: &&[Step]| matches!(pair, [Step::Host(line), Step::Engine] if line.starts_with("play "));
    pairs.filter(asked).count()
}

fn check(game: &str) {
    for side in ["attackers", "defenders"] {
        let name = format!("{game}-{side}");
        let expected = answered(&name);
        assert!(expected > 10, "{name} is a game");
        assert_eq!(replay(&name), expected, "{name}");
    }
}

#[test]
fn every_dialogue_can_be_replayed() {
    for game in ["brandub", "copenhagen", "tablut", "tawlbwrdd"] {
        check(game);
    }
}
