//! Makes the sets: random positions, kept where the solver knows the answer. The same seed makes the same set.

use crate::reference;
use crate::solver::{tafl, thud};
use fastrand::Rng;
use std::collections::BTreeSet;

/// Positions of a set of tafl for each length of the win and each side that wins.
const OF_A_KIND: [(u32, usize); 3] = [(3, 40), (5, 40), (7, 40)];
const OF_A_KIND_11: [(u32, usize); 2] = [(3, 60), (5, 60)];
/// Positions of a set of Thud for each side.
const OF_A_SIDE: usize = 120;
/// Of the legal moves, one in so many may be an answer.
const ONE_IN: usize = 4;
/// Positions of a random game.
const LONGEST_WAY: usize = 60;
/// Pieces on the 11×11 board, the king included.
const MOST_MEN: usize = 12;
const MOST_DWARFS: usize = 12;
const MOST_TROLLS: usize = 3;
/// What every other move must lose in the longer run, for a position of Thud to be taken.
const LEAD: i32 = 2;

pub fn set(variant: &str, seed: u64) -> String {
    // Two variants of one board get different sets.
    let offset = variant
        .bytes()
        .fold(0, |sum: u64, byte| sum * 31 + u64::from(byte));
    let mut random = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(offset));
    let mut lines = if variant.starts_with("thud") {
        thud_lines(variant, &mut random)
    } else {
        tafl_lines(variant, &mut random)
    };
    lines.sort();
    let lines: String = lines.into_iter().map(|(_, line)| line + "\n").collect();
    let what = if variant.starts_with("thud") {
        format!(
            "# Random positions of {variant} with at most {MOST_DWARFS} dwarfs and {MOST_TROLLS} trolls, and the best \
             margin over 3 plies from the\n# side to move in points. The moves are all that reach it, a quarter of \
             the legal ones at most; every other move is\n# at least {LEAD} points worse over 4 and over 5 plies, too."
        )
    } else {
        format!(
            "# Random positions of {variant} in which the side to move forces a win on the board, and the plies of the shortest \
             one.\n# The moves are all that keep it, a quarter of the legal ones at most."
        )
    };
    format!(
        "{what}\n# Made by an exhaustive solver: trials forced --make DIR --seed {seed} --variant {variant}\n{lines}"
    )
}

/// Plays random moves that do not let the opponent win at once, as long as there are some, until a win is at hand, and
/// gives all positions passed. Attackers mostly take the move that leaves the king the fewest ways, or they would never
/// catch him.
fn wander(rules: &tafl::Rules, start: tafl::Position, random: &mut Rng) -> Vec<tafl::Position> {
    let mut passed = vec![start];
    let mut position = start;
    while passed.len() < LONGEST_WAY && !rules.wins_at_once(&position) {
        let moves = rules.moves(&position);
        let mut next: Vec<_> = moves.iter().map(|&mv| rules.play(&position, mv)).collect();
        random.shuffle(&mut next);
        if position.side == tafl::ATTACKERS && random.u8(..4) > 0 {
            next.sort_by_key(|next| rules.ways_of_king(next));
        }
        let safe = next.iter().find(|next| !rules.wins_at_once(next));
        let Some(next) = safe.or(next.first()) else {
            break;
        };
        position = *next;
        passed.push(position);
    }
    passed
}

/// The start of a game with only a few of its men left, or men anywhere around a king with most of his lines barred.
fn few_men(solver: &tafl::Solver, start: &tafl::Position, random: &mut Rng) -> tafl::Position {
    let rules = &solver.rules;
    let squares = (rules.size * rules.size) as u8;
    let attackers = random.usize(4..=8);
    let defenders = random.usize(..=(MOST_MEN - 1 - attackers).min(4));
    let thinned = random.bool();
    let mut position = tafl::Position {
        pieces: [0, 0],
        king: start.king,
        side: random.usize(..2),
    };
    let mut taken = 0u128;
    if !thinned {
        // He stands on the castle now and then.
        while random.u8(..8) > 0 {
            let king = random.u8(..squares);
            if rules.goals >> king & 1 == 0 {
                position.king = Some(king);
                break;
            }
        }
    }
    let king = position.king.unwrap_or(rules.centre);
    position.pieces[tafl::DEFENDERS] |= 1 << king;
    taken |= 1 << king | 1 << rules.centre | rules.corners();
    let mut put = |side: usize, square: u8, position: &mut tafl::Position| {
        let free = taken >> square & 1 == 0;
        let fits = !thinned || start.pieces[side] >> square & 1 != 0;
        if free && fits {
            taken |= 1 << square;
            position.pieces[side] |= 1 << square;
        }
    };
    if !thinned {
        for ray in &rules.rays[usize::from(king)] {
            if random.u8(..8) > 0
                && let Some(&square) = random.choice(ray)
            {
                put(tafl::ATTACKERS, square, &mut position);
            }
        }
    }
    for (side, men) in [
        (tafl::ATTACKERS, attackers),
        (tafl::DEFENDERS, defenders + 1),
    ] {
        while (position.pieces[side].count_ones() as usize) < men {
            put(side, random.u8(..squares), &mut position);
        }
    }
    position
}

fn tafl_lines(variant: &str, random: &mut Rng) -> Vec<(u32, String)> {
    let mut solver = tafl::Solver::new(variant);
    let slow = reference::Position::start(variant);
    let start = solver.rules.read(&slow);
    let is_small = variant == "hnefatafl7";
    let kinds: &[(u32, usize)] = if is_small { &OF_A_KIND } else { &OF_A_KIND_11 };
    let longest = kinds.last().map_or(1, |kind| kind.0);
    // How many are wanted still, by kind and winner.
    let mut wanted: Vec<[usize; 2]> = kinds.iter().map(|&(_, count)| [count; 2]).collect();
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    while wanted.iter().flatten().any(|&count| count > 0) {
        let first = if is_small && random.bool() {
            start
        } else {
            few_men(&solver, &start, random)
        };
        let passed = wander(&solver.rules, first, random);
        solver.clear();
        // Back from the end, where a win is at hand, as long as it was forced.
        let mut within = 1;
        for position in passed.iter().rev().step_by(2) {
            let men = (position.pieces[0] | position.pieces[1]).count_ones() as usize;
            let is_fit = solver.rules.winner(position).is_none() && (is_small || men <= MOST_MEN);
            let shortest = solver.shortest_win(position, within).filter(|_| is_fit);
            let Some(plies) = shortest else {
                break;
            };
            within = (plies + 2).min(longest);
            let kind = kinds.iter().position(|kind| kind.0 == plies);
            let left = kind.map(|kind| &mut wanted[kind][position.side]);
            let text = solver.rules.text(position);
            let Some(left) = left.filter(|left| **left > 0) else {
                continue;
            };
            let moves = solver.winning_moves(position, plies);
            let legal = solver.rules.moves(position).len();
            if moves.len() * ONE_IN <= legal && seen.insert(text.clone()) {
                *left -= 1;
                let moves = moves.into_iter().map(|mv| solver.rules.move_text(mv));
                lines.push((plies, line(&text, &format!("win {plies}"), moves.collect())));
            }
        }
    }
    lines
}

fn line(position: &str, goal: &str, mut moves: Vec<String>) -> String {
    moves.sort();
    format!("{position} ; {goal} ; moves {}", moves.join(" "))
}

/// A few dwarfs and trolls, within a part of the board so that they meet.
fn few_pieces(empty: &thud::Position, random: &mut Rng) -> thud::Position {
    let mut position = *empty;
    position.side = random.usize(..2);
    let part = random.usize(6..=thud::SIZE);
    let corner = [(); 2].map(|()| random.usize(..=thud::SIZE - part));
    let counts = [random.usize(4..=MOST_DWARFS), random.usize(1..=MOST_TROLLS)];
    for (piece, count) in [b'd', b'T'].into_iter().zip(counts) {
        // A part may have too few squares for all, so the tries are counted, not the pieces.
        for _ in 0..count {
            let [file, rank] = corner.map(|corner| corner + random.usize(..part));
            let cell = &mut position.cells[file * thud::SIZE + rank];
            if *cell == b'.' {
                *cell = piece;
            }
        }
    }
    position
}

fn thud_lines(variant: &str, random: &mut Rng) -> Vec<(u32, String)> {
    let rules = thud::Rules::new(variant);
    let mut empty = rules.read(&reference::Position::start(variant));
    for cell in &mut empty.cells {
        if *cell != b'*' {
            *cell = b'.';
        }
    }
    let mut wanted = [OF_A_SIDE; 2];
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    while wanted != [0, 0] {
        let position = few_pieces(&empty, random);
        let text = rules.text(&position);
        if wanted[position.side] == 0 || seen.contains(&text) {
            continue;
        }
        let Some((value, answers)) = answers(&rules, &position) else {
            continue;
        };
        wanted[position.side] -= 1;
        let moves = answers.iter().map(|mv| rules.move_text(mv)).collect();
        let margin = rules.margin(&position) + value;
        lines.push((
            position.side as u32,
            line(&text, &format!("margin {margin}"), moves),
        ));
        seen.insert(text);
    }
    lines
}

/// The best change of the margin over 3 plies and the moves that reach it, if the position is fit for the set.
fn answers(rules: &thud::Rules, position: &thud::Position) -> Option<(i32, Vec<thud::Move>)> {
    let values = rules.values(position, 3);
    let best = values.iter().map(|(_, value)| *value).max()?;
    let (answers, others): (Vec<_>, Vec<_>) = values.iter().partition(|(_, value)| *value == best);
    let is_fit = best != 0 && answers.len() * ONE_IN <= values.len();
    let answers: Vec<thud::Move> = answers.into_iter().map(|(mv, _)| mv).collect();
    let stands_out = |plies: u32| {
        let value = |mv: &thud::Move, low: i32, high: i32| {
            let next = rules.play(position, mv);
            mv.gain - rules.value(&next, plies - 1, mv.gain - high, mv.gain - low)
        };
        // All answers must be better than all others, so the worst of the answers counts.
        let worst = answers
            .iter()
            .map(|mv| value(mv, -1000, 1000))
            .min()
            .unwrap_or(0);
        let limit = worst - LEAD;
        others
            .iter()
            .all(|(mv, _)| value(mv, limit, limit + 1) <= limit)
    };
    (is_fit && stands_out(4) && stands_out(5)).then_some((best, answers))
}
