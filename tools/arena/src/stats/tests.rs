//! Worked examples, edge cases, and simulations with fixed seeds.

use super::likelihood::Sample;
use super::*;

fn assert_near(value: f64, expected: f64, within: f64) {
    assert!(
        (value - expected).abs() <= within,
        "{value}, {expected} ± {within} expected"
    );
}

/// Mean 125/230 = 0.543478, mean of squares 81.25/230, so variance 0.0578922 and standard error
/// √(0.0578922/230) = 0.0158652.
const PENTANOMIAL: [u64; 5] = [10, 40, 100, 60, 20];

#[test]
fn a_score_of_three_quarters_is_400_log_3() {
    // 1/0.75 − 1 = 1/3, and 400 · log₁₀ 3 = 190.8485.
    assert_near(elo_of_score(0.75), 190.848_501_887, 1e-8);
    assert_near(score_of_elo(190.848_501_887), 0.75, 1e-11);
    assert_eq!(score_of_elo(0.0), 0.5);
}

#[test]
fn elo_of_many_pairs_is_that_of_the_normal_approximation() {
    let elo = elo(&Counts::pentanomial(PENTANOMIAL)).expect("pairs");
    // 400 · log₁₀(0.543478 / 0.456522) = 30.288; 1.96 · 0.0158652 · (400 / ln 10) / (0.543478 · 0.456522) = 21.772.
    assert_near(elo.value, 30.288_29, 1e-4);
    assert_near(elo.error(), 21.772, 0.4);
    // Fishtest's own figures for this sample: −0.442608 ± 1.729859.
    let large = super::elo(&Counts::pentanomial([1187, 7410, 13475, 7378, 1164])).expect("pairs");
    assert_near(large.value, -0.442_607_8, 1e-6);
    assert_near(large.error(), 1.729_859, 1e-3);
}

#[test]
fn normalised_elo_counts_standard_deviations_of_a_game() {
    let normalized = normalized_elo(&Counts::pentanomial(PENTANOMIAL)).expect("pairs");
    // t = 0.0434783 / √0.0578922 = 0.180702; / √2 · 347.4356 = 44.394; 1.96 / √230 / √2 · 347.4356 = 31.75.
    assert_near(normalized.value, 44.393_7, 1e-3);
    assert_near(normalized.error(), 31.75, 0.7);
    // The same results as matches: a match stands for one game, so √2 more.
    let matches = normalized_elo(&Counts::trinomial([20, 30, 50])).expect("pairs");
    // Mean 0.65, variance 0.0·20 … : 0.575 − 0.4225 = 0.1525; 0.15 / √0.1525 · 347.4356 = 133.454.
    assert_near(matches.value, 133.454, 1e-2);
}

#[test]
fn superiority_is_that_of_the_normal_approximation() {
    // Φ(0.0434783 / 0.0158652) = Φ(2.7405) = 0.99693.
    let counts = Counts::pentanomial(PENTANOMIAL);
    assert_near(
        likelihood_of_superiority(&counts).expect("pairs"),
        0.996_93,
        1e-3,
    );
    let reversed = likelihood_of_superiority(&counts.reversed()).expect("pairs");
    assert_near(reversed, 1.0 - 0.996_93, 1e-3);
    let even = Counts::pentanomial([5, 0, 3, 0, 5]);
    assert_near(likelihood_of_superiority(&even).expect("pairs"), 0.5, 1e-6);
}

#[test]
fn the_interval_of_wins_and_losses_is_that_of_the_likelihood_ratio() {
    // 2 (60 ln(0.6/p) + 40 ln(0.4/(1−p))) = 1.96² at p = 0.502348 and p = 0.692589: 1.632 and 141.102 Elo.
    let elo = elo(&Counts::trinomial([40, 0, 60])).expect("pairs");
    assert_near(elo.value, 70.436_5, 1e-4);
    assert_near(elo.low, 1.632, 0.05);
    assert_near(elo.high, 141.102, 0.05);
}

#[test]
fn pairs_that_are_all_alike_have_an_interval_all_the_same() {
    // Ten even pairs: the likeliest distribution with mean s > ½ has 2 (1 − s) of them on ½ and the rest on 1;
    // (2 (1 − s))^10 = exp(−1.96²/2) at s = 0.587377: 61.345 Elo.
    let elo = elo(&Counts::pentanomial([0, 0, 10, 0, 0])).expect("pairs");
    assert_near(elo.value, 0.0, 1e-6);
    assert_near(elo.high, 61.345, 0.5);
    assert_near(elo.low, -61.345, 0.5);
}

#[test]
fn ten_won_matches_of_ten_are_a_finite_difference() {
    // Half of one counts as drawn: 1 − 0.25/10 = 0.975, 636.426 Elo. For the upper end the drawn share q of
    // 2 (0.5 ln(0.05/q) + 9.5 ln(0.95/(1−q))) = 1.96² gives 1 − q/2 = 0.999796: 1476.07 Elo.
    let elo = elo(&Counts::trinomial([0, 0, 10])).expect("pairs");
    assert_near(elo.value, 636.425_8, 1e-3);
    assert_near(elo.high, 1476.07, 2.0);
    assert!((150.0..400.0).contains(&elo.low), "{elo:?}");
    let lost = super::elo(&Counts::trinomial([10, 0, 0])).expect("pairs");
    assert_near(lost.value, -elo.value, 1e-6);
    assert_near(lost.low, -elo.high, 1e-4);
}

#[test]
fn one_pair_says_little_and_none_says_nothing() {
    for cell in 0..5 {
        let mut counts = Counts::new(Kind::Pentanomial);
        counts.add(cell);
        let elo = elo(&counts).expect("a pair");
        assert!(elo.low < elo.value && elo.value < elo.high, "{elo:?}");
        assert!(elo.low.is_finite() && elo.high.is_finite(), "{elo:?}");
        assert!(elo.error() > 150.0, "{elo:?}");
        let normalized = normalized_elo(&counts).expect("a pair");
        assert!(normalized.value.is_finite() && normalized.error().is_finite());
        assert!((0.0..=1.0).contains(&likelihood_of_superiority(&counts).expect("a pair")));
    }
    let none = Counts::new(Kind::Trinomial);
    assert_eq!(elo(&none), None);
    assert_eq!(normalized_elo(&none), None);
    assert_eq!(likelihood_of_superiority(&none), None);
    assert_eq!(none.score(), None);
    assert_eq!(sprt("elo0=0 elo1=10").judge(&none).0, 0.0);
}

#[test]
fn more_won_pairs_never_make_a_smaller_difference() {
    let value = |cells| elo(&Counts::pentanomial(cells)).expect("pairs").value;
    assert!(value([0, 0, 0, 0, 10]) > value([0, 0, 0, 1, 9]));
    assert!(value([0, 0, 0, 1, 9]) > value([0, 0, 1, 0, 9]));
    assert!(value([0, 0, 0, 0, 11]) > value([0, 0, 0, 0, 10]));
}

fn sprt(words: &str) -> Sprt {
    words.parse().expect("reads")
}

fn llr(words: &str, counts: Counts) -> f64 {
    sprt(words).judge(&counts).0
}

#[test]
fn the_ratio_of_wins_and_losses_is_that_of_two_coins() {
    let counts = Counts::trinomial([40, 0, 60]);
    // Expected score at 50 Elo 0.571463: 60 ln(0.571463/0.5) + 40 ln(0.428537/0.5) = 1.84626.
    assert_near(llr("elo0=0 elo1=50", counts), 1.846_26, 2e-3);
    // 20 normalised Elo are t = 0.0575646, and (p − ½) / √(p (1 − p)) = t at p = ½ + t / (2 √(1 + t²)) = 0.528735:
    // 60 ln(0.528735/0.5) + 40 ln(0.471265/0.5) = 0.985247.
    assert_near(
        llr("elo0=0 elo1=20 model=normalized", counts),
        0.985_247,
        2e-3,
    );
}

#[test]
fn the_ratio_agrees_with_published_values() {
    // What fishtest's LLRcalc gives for these samples; its program text has the first and the third as tests.
    let large = [10789, 19328, 33806, 19402, 10543];
    let drawish = [39, 2226, 31451, 2412, 40];
    let small = [0, 10, 20, 50, 20];
    for (cells, words, expected) in [
        (large, "elo0=-3 elo1=1", 2.131_067_811_8),
        (large, "elo0=-3 elo1=1 model=normalized", 0.300_869_785_5),
        (drawish, "elo0=0.2 elo1=0.9", 2.162_542_580_0),
        (
            drawish,
            "elo0=0.764 elo1=3.439 model=normalized",
            2.162_940_869_6,
        ),
        (small, "elo0=0 elo1=5", 1.428_686_106_5),
        (small, "elo0=0 elo1=5 model=normalized", 1.268_896_404_0),
        ([3, 20, 45, 25, 7], "elo0=0 elo1=10", 0.695_972_606_5),
    ] {
        assert_near(llr(words, Counts::pentanomial(cells)), expected, 1e-6);
    }
}

#[test]
fn the_ratio_is_near_its_normal_approximation() {
    // s₁ = 0.514389; (s₁ − s₀)(2 · 0.543478 − s₀ − s₁) / (2 · 0.0578922) · 230 = 2.07399.
    assert_near(
        llr("elo0=0 elo1=10", Counts::pentanomial(PENTANOMIAL)),
        2.074,
        0.1,
    );
}

#[test]
fn bounds_are_walds() {
    let (_, lower, upper, verdict) =
        sprt("elo0=0 elo1=10 alpha=0.05 beta=0.1").judge(&Counts::pentanomial(PENTANOMIAL));
    // ln(0.1/0.95) = −2.251292, ln(0.9/0.05) = 2.890372.
    assert_near(lower, -2.251_292, 1e-6);
    assert_near(upper, 2.890_372, 1e-6);
    assert_eq!(verdict, None);
    let strong = Counts::pentanomial(PENTANOMIAL.map(|count| count * 2));
    assert_eq!(sprt("elo0=0 elo1=10").judge(&strong).3, Some(Verdict::H1));
    assert_eq!(
        sprt("elo0=0 elo1=10").judge(&strong.reversed()).3,
        Some(Verdict::H0)
    );
}

#[test]
fn constraints_hold_for_any_counts() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..2000 {
        let most = [1, 10, 1000][random.usize(0..3)];
        let cells: [u64; 5] = std::array::from_fn(|_| random.u64(0..=most) * random.u64(0..2));
        let Some(sample) = Sample::new(&Counts::pentanomial(cells)) else {
            continue;
        };
        let mean = 0.01 + 0.98 * random.f64();
        assert_near(sample.likeliest_with_mean(mean).mean(), mean, 1e-9);
        let t = (random.f64() - 0.5) * 0.8;
        let found = sample.likeliest_with_t(t);
        assert_near((found.mean() - 0.5) / found.variance().sqrt(), t, 1e-6);
    }
}

#[test]
fn a_test_is_read_from_words() {
    let test = sprt("beta=0.1 elo1=10 model=normalized elo0=-5 alpha=0.01");
    assert_eq!(
        test,
        Sprt {
            elo0: -5.0,
            elo1: 10.0,
            alpha: 0.01,
            beta: 0.1,
            model: Model::Normalized
        }
    );
    assert_eq!(sprt(&test.to_string()), test);
    let default = sprt("elo0=0 elo1=10");
    assert_eq!(
        (default.alpha, default.beta, default.model),
        (0.05, 0.05, Model::Logistic)
    );
    for (words, named) in [
        ("", "elo0 is missing"),
        ("elo0=0", "elo1 is missing"),
        ("elo0=5 elo1=5", "elo0 below elo1"),
        ("elo0=0 elo1=ten", "elo1 'ten'"),
        ("elo0=0 elo1=NaN", "elo1 'NaN'"),
        ("elo0=0 elo1=10000", "from -200 to 200"),
        ("elo0=0 elo1=5 alpha=0", "alpha '0'"),
        ("elo0=0 elo1=5 beta=0.5", "beta '0.5'"),
        ("elo0=0 elo1=5 model=bayes", "logistic or normalized"),
        ("elo0=0 elo1=5 gamma=1", "unknown word 'gamma'"),
        ("elo0", "KEY=VALUE"),
    ] {
        let error = words.parse::<Sprt>().expect_err(words);
        assert!(error.contains(named), "{words}: {error}");
    }
}

fn meeting(players: [usize; 2], cells: [u64; 5]) -> Meeting {
    Meeting {
        players,
        counts: Counts::pentanomial(cells),
    }
}

#[test]
fn ratings_of_two_are_the_difference_and_its_error() {
    let rated = ratings(2, &[meeting([0, 1], PENTANOMIAL)]);
    let [Some(first), Some(second)] = rated[..] else {
        panic!("two ratings")
    };
    assert_near(first.value - second.value, 30.288_29, 1e-4);
    assert_near(first.value + second.value, 0.0, 1e-9);
    // The error of half the difference, 21.772 / 2.
    assert_near(first.error(), 10.886, 0.2);
}

#[test]
fn ratings_of_three_add_up() {
    // 75 % of first against second, 75 % of second against third, and 90 % of first against third, which is just
    // what 3 · 3 : 1 expects: so differences of 400 log₁₀ 3 = 190.8485, and 0 in the middle.
    let rated = ratings(
        4,
        &[
            meeting([0, 1], [10, 0, 0, 0, 30]),
            meeting([1, 2], [10, 0, 0, 0, 30]),
            meeting([0, 2], [4, 0, 0, 0, 36]),
        ],
    );
    let [Some(first), Some(second), Some(third), None] = rated[..] else {
        panic!("three ratings")
    };
    assert_near(first.value, 190.8485, 1e-3);
    assert_near(second.value, 0.0, 1e-9);
    assert_near(third.value, -190.8485, 1e-3);
    // Fisher information in logits: 40 · 0.1875 = 7.5 for the first two meetings, 40 · 0.09 = 3.6 for the third. In
    // the directions (1, −2, 1)/√6 and (1, 0, −1)/√2 it is diagonal, 22.5 and 14.7, so the variance of the second
    // rating is 4/6 / 22.5 = 0.029630. Dispersion: each of the 120 pairs has a squared residual of p (1 − p) in the
    // mean, so (120 + 1) / (118 + 1). 1.96 · √(0.029630 · 1.016807) · 173.7178 = 59.1.
    assert_near(second.error(), 59.1, 0.1);
}

#[test]
fn ratings_exist_for_those_who_won_everything_and_those_who_never_met() {
    let unbeaten = ratings(2, &[meeting([0, 1], [0, 0, 0, 0, 10])]);
    let [Some(first), Some(second)] = unbeaten[..] else {
        panic!("two ratings")
    };
    assert!((200.0..1000.0).contains(&(first.value - second.value)));
    let apart = ratings(
        4,
        &[
            meeting([0, 1], [1, 2, 4, 4, 2]),
            meeting([3, 2], [0, 0, 0, 0, 3]),
        ],
    );
    for rating in apart {
        let rating = rating.expect("everybody played");
        assert!(rating.value.is_finite() && rating.error().is_finite() && rating.error() > 0.0);
    }
    assert_eq!(ratings(2, &[]), vec![None, None]);
    assert_eq!(ratings(0, &[]), vec![]);
}

/// Draws pairs from a distribution.
struct Pairs {
    random: fastrand::Rng,
    shares: [f64; 5],
    kind: Kind,
}

impl Pairs {
    fn new(kind: Kind, shares: [f64; 5], seed: u64) -> Self {
        Pairs {
            // The streams of neighbouring seeds are not independent of each other.
            random: fastrand::Rng::with_seed(seed).fork(),
            shares,
            kind,
        }
    }

    /// A distribution with this mean: an even one is moved towards its best or worst cell.
    fn with_mean(kind: Kind, mean: f64, seed: u64) -> Self {
        let mut shares = match kind {
            Kind::Pentanomial => [0.1, 0.2, 0.4, 0.2, 0.1],
            Kind::Trinomial => [0.35, 0.0, 0.3, 0.0, 0.35],
        };
        let moved = (mean - 0.5) * 2.0;
        shares
            .iter_mut()
            .for_each(|share| *share *= 1.0 - moved.abs());
        shares[if moved > 0.0 { 4 } else { 0 }] += moved.abs();
        Pairs::new(kind, shares, seed)
    }

    fn draw(&mut self) -> usize {
        let mut rest = self.random.f64();
        let cell = self.shares.iter().position(|share| {
            rest -= share;
            rest < 0.0
        });
        cell.unwrap_or(4)
    }

    fn sample(&mut self, pairs: usize) -> Counts {
        let mut counts = Counts::new(self.kind);
        for _ in 0..pairs {
            counts.add(self.draw());
        }
        counts
    }
}

#[test]
fn the_interval_covers_the_truth_in_95_of_100_matches() {
    const MATCHES: usize = 2000;
    for (kind, elo_difference, pairs) in [
        (Kind::Pentanomial, 0.0, 50),
        (Kind::Pentanomial, 100.0, 100),
        (Kind::Pentanomial, 300.0, 100),
        (Kind::Trinomial, 50.0, 200),
        (Kind::Trinomial, -200.0, 60),
    ] {
        let mut results = Pairs::with_mean(kind, score_of_elo(elo_difference), 7);
        let covered = (0..MATCHES).filter(|_| {
            let elo = elo(&results.sample(pairs)).expect("pairs");
            (elo.low..=elo.high).contains(&elo_difference)
        });
        let share = covered.count() as f64 / MATCHES as f64;
        println!("{kind:?}, {elo_difference} Elo, {pairs} pairs: {share} covered");
        // Four standard errors of a share of 0.95 in 2,000 are 0.0195.
        assert_near(share, 0.95, 0.02);
    }
}

#[test]
fn ratings_cover_the_truth_in_95_of_100_tournaments() {
    const TOURNAMENTS: usize = 1000;
    let truth = [120.0, 0.0, -120.0];
    let mut all = [[0, 1], [0, 2], [1, 2]].map(|players: [usize; 2]| {
        let mean = score_of_elo(truth[players[0]] - truth[players[1]]);
        let seed = players.iter().sum::<usize>() as u64;
        (players, Pairs::with_mean(Kind::Pentanomial, mean, seed))
    });
    let covered = (0..TOURNAMENTS).filter(|_| {
        let meetings = all.each_mut().map(|(players, results)| Meeting {
            players: *players,
            counts: results.sample(50),
        });
        let best = ratings(3, &meetings)[0].expect("played");
        (best.low..=best.high).contains(&truth[0])
    });
    let share = covered.count() as f64 / TOURNAMENTS as f64;
    println!("three players: {share} covered");
    // Four standard errors of a share of 0.95 in 1,000 are 0.028.
    assert_near(share, 0.95, 0.03);
}

/// The share of tests that end with the wrong verdict.
fn errors(test: &Sprt, mean: f64, kind: Kind, wrong: Verdict, tests: u64) -> f64 {
    let mut results = Pairs::with_mean(kind, mean, 3);
    let errors = (0..tests).filter(|_| {
        let mut counts = Counts::new(kind);
        loop {
            counts.add(results.draw());
            if let Some(verdict) = test.judge(&counts).3 {
                return verdict == wrong;
            }
        }
    });
    let share = errors.count() as f64 / tests as f64;
    println!("{kind:?}, {test}: wrongly {wrong}: {share}");
    share
}

#[test]
fn the_test_errs_as_seldom_as_asked_for() {
    let test = sprt("elo0=0 elo1=50 alpha=0.1 beta=0.1");
    for kind in [Kind::Pentanomial, Kind::Trinomial] {
        // Three standard errors of a share of 0.1 in 600 are 0.037; far fewer errors would be a fault as well.
        let alpha = errors(&test, 0.5, kind, Verdict::H1, 600);
        let beta = errors(&test, score_of_elo(50.0), kind, Verdict::H0, 600);
        assert!((0.02..0.137).contains(&alpha), "{kind:?}: alpha {alpha}");
        assert!((0.02..0.137).contains(&beta), "{kind:?}: beta {beta}");
    }
}

#[test]
fn the_normalised_test_errs_as_seldom_as_asked_for() {
    let test = sprt("elo0=0 elo1=80 alpha=0.1 beta=0.1 model=normalized");
    let alpha = errors(&test, 0.5, Kind::Pentanomial, Verdict::H1, 200);
    // The mean whose distance from ½ is t deviations of its distribution.
    let t = 80.0 / 347.435_6 * 2f64.sqrt();
    let mut mean = 0.5;
    for _ in 0..50 {
        let moved = (mean - 0.5) * 2.0;
        let squares = (1.0 - moved) * (0.075 + 0.25) + moved;
        mean = 0.5 + t * f64::sqrt(squares - mean * mean);
    }
    let beta = errors(&test, mean, Kind::Pentanomial, Verdict::H0, 200);
    // Three standard errors of a share of 0.1 in 200 are 0.064.
    assert!((0.01..0.164).contains(&alpha), "alpha {alpha}");
    assert!((0.01..0.164).contains(&beta), "beta {beta}");
}
