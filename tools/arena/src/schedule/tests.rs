use super::*;

/// Plays all of it; the engine with the smaller value of `strength` wins, equal ones draw.
fn play(schedule: &mut Schedule, strength: impl Fn(usize) -> usize) -> Vec<Task> {
    let mut tasks = Vec::new();
    loop {
        match schedule.hand_out() {
            Next::Play(task) => {
                let [a, b] = task.engines;
                let score = match strength(a).cmp(&strength(b)) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Greater => 0.0,
                    std::cmp::Ordering::Equal => 0.5,
                };
                schedule.finished(task.index, score);
                tasks.push(task);
            }
            Next::Wait => panic!("nothing is being played"),
            Next::Done => return tasks,
        }
    }
}

#[test]
fn in_a_round_robin_all_meet_equally_often() {
    let mut schedule = Schedule::new(Format::RoundRobin, 4, 3);
    let tasks = play(&mut schedule, |engine| engine);
    assert_eq!(tasks.len() as u64, schedule.total());
    let mut meetings = BTreeMap::new();
    for (index, task) in tasks.iter().enumerate() {
        assert_eq!(task.index, index as u64);
        assert_eq!(
            task.opening,
            u64::from(task.round),
            "a round has one opening"
        );
        *meetings.entry(task.engines).or_insert(0) += 1;
    }
    assert_eq!(meetings.len(), 6);
    assert!(meetings.values().all(|&count| count == 3));
}

#[test]
fn pairs_without_dependence_are_handed_out_at_once() {
    let mut schedule = Schedule::new(Format::RoundRobin, 2, 2);
    assert!(matches!(schedule.hand_out(), Next::Play(_)));
    assert!(matches!(schedule.hand_out(), Next::Play(_)));
    assert_eq!(schedule.hand_out(), Next::Wait);
}

#[test]
fn in_a_gauntlet_the_first_meets_all() {
    let tasks = play(&mut Schedule::new(Format::Gauntlet, 4, 2), |engine| engine);
    let engines: Vec<_> = tasks.iter().map(|task| task.engines).collect();
    assert_eq!(engines, [[0, 1], [0, 2], [0, 3], [0, 1], [0, 2], [0, 3]]);
}

#[test]
fn in_a_knockout_the_loser_is_out() {
    for engines in 2..10 {
        for winner in 0..engines {
            let mut schedule = Schedule::new(Format::Knockout, engines, 2);
            let strength = |engine| (engine + engines - winner) % engines;
            let tasks = play(&mut schedule, strength);
            assert_eq!(tasks.len() as u64, schedule.total(), "no tie-breaks");
            assert_eq!(schedule.alive, [winner]);
            let last = tasks.last().map(|task| task.round + 1);
            assert_eq!(last, Some(engines.next_power_of_two().ilog2()));
        }
    }
}

#[test]
fn a_drawn_match_has_tiebreaks_and_then_the_better_seed_wins() {
    let mut schedule = Schedule::new(Format::Knockout, 4, 1);
    let tasks = play(&mut schedule, |_| 0);
    assert_eq!(schedule.alive, [0]);
    assert_eq!(tasks.len() as u32, 3 * (1 + TIEBREAKS));
}

#[test]
fn a_swiss_tournament_avoids_meetings_twice() {
    let mut schedule = Schedule::new(Format::Swiss, 7, 5);
    let tasks = play(&mut schedule, |engine| engine);
    assert_eq!(tasks.len() as u64, schedule.total());
    let meetings: BTreeSet<_> = tasks.iter().map(|task| task.engines).collect();
    assert_eq!(meetings.len(), tasks.len());
    let best = (0..7).max_by(|&a, &b| {
        schedule.scores[a]
            .total_cmp(&schedule.scores[b])
            .then(b.cmp(&a))
    });
    assert_eq!(best, Some(0));
    assert_eq!(schedule.byes.len(), 5);
    // More rounds than opponents: they meet again.
    assert_eq!(
        play(&mut Schedule::new(Format::Swiss, 2, 3), |engine| engine).len(),
        3
    );
}
