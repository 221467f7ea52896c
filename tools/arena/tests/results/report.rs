//! The report: what is in it, and what a browser makes of it.

use crate::generate::{self, Generator};
use arena::record::{self, Line, Pair, Run};
use arena::report;
use std::path::{Path, PathBuf};
use std::process::Command;

const HOSTILE: &str =
    "</script><img src=x onerror=\"document.title='owned'\"><!--<script>'\"&amp;\u{2028}";

/// A directory of this test alone, empty.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

fn pairs(variant: &str, count: usize, most: usize) -> Vec<Pair> {
    let mut generator = Generator::new(variant, 1, most);
    (0..count).map(|_| generator.pair([0, 1])).collect()
}

fn lines(run: &Run, pairs: &[Pair]) -> String {
    let head = std::iter::once(Line::Run(run.clone()));
    let rest = pairs.iter().cloned().map(Line::Pair);
    head.chain(rest)
        .map(|line| serde_json::to_string(&line).expect("JSON") + "\n")
        .collect()
}

/// The page's data, read back.
fn data(page: &str) -> serde_json::Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = page.split_once(start).expect("data");
    let (json, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn a_directory_gives_a_report_without_its_torn_line() {
    let dir = directory("torn");
    let (run, pairs) = (
        generate::run("hnefatafl7", &["Old", "New"]),
        pairs("hnefatafl7", 2, 60),
    );
    let whole = lines(&run, &pairs);
    std::fs::write(dir.join("games.jsonl"), &whole[..whole.len() - 30]).expect("written");
    report::run(&report::Options { dir: dir.clone() }).expect("a report");
    let page = std::fs::read_to_string(dir.join("report.html")).expect("a page");
    assert_eq!(data(&page)["games"].as_array().map(Vec::len), Some(2));
    let read = record::load(&dir.join("games.jsonl")).expect("reads");
    assert_eq!((read.run, read.pairs), (run, pairs[..1].to_vec()));
}

#[test]
fn what_can_not_be_read_is_named() {
    let dir = directory("unreadable");
    let path = dir.join("games.jsonl");
    let (run, pairs) = (
        generate::run("hnefatafl7", &["Old", "New"]),
        pairs("hnefatafl7", 1, 20),
    );
    let missing = record::load(&path).expect_err("no file");
    assert!(missing.contains("games.jsonl"), "{missing}");
    let head = lines(&run, &[]);
    let pair = lines(&run, &pairs)[head.len()..].to_string();
    for (text, named) in [
        (String::new(), "no line that describes the run"),
        (pair.clone(), "line 1: a pair, the run expected first"),
        (format!("{head}{head}"), "line 2: a second run"),
        (format!("{head}{{}}\n{pair}"), "line 2: "),
    ] {
        std::fs::write(&path, text).expect("written");
        let error = record::load(&path).expect_err(named);
        assert!(error.contains(named), "{error}");
    }
    let mut strange = pairs[0].clone();
    strange.engines = [0, 5];
    let error = report::page(&run, &[strange]).expect_err("an engine that there is not");
    assert!(error.contains("engines 0 and 5"), "{error}");
    let error = report::page(
        &Run {
            variant: "chess".into(),
            ..run
        },
        &[],
    )
    .expect_err("a variant that there is not");
    assert!(error.contains("chess"), "{error}");
}

#[test]
fn nothing_that_comes_from_a_run_can_end_the_data() {
    let mut run = generate::run("hnefatafl7", &[HOSTILE, "New"]);
    run.settings = serde_json::json!({ "event": HOSTILE });
    let mut pairs = pairs("hnefatafl7", 1, 20);
    pairs[0].games[0].detail = HOSTILE.into();
    pairs[0].games[1].reason = HOSTILE.into();
    let page = report::page(&run, &pairs).expect("a page");
    let empty = report::page(&generate::run("hnefatafl7", &["Old", "New"]), &[]).expect("a page");
    for mark in ["<script", "</script", "<!--", "<img", "\u{2028}"] {
        assert_eq!(
            page.matches(mark).count(),
            empty.matches(mark).count(),
            "{mark}"
        );
    }
    assert_eq!(data(&page)["run"]["engines"][0]["name"], HOSTILE);
    assert_eq!(data(&page)["games"][0]["detail"], HOSTILE);
}

#[test]
fn a_record_that_breaks_a_rule_is_told_up_to_there() {
    let run = generate::run("hnefatafl7", &["Old", "New"]);
    let mut pairs = pairs("hnefatafl7", 1, 30);
    pairs[0].games[0].moves[3].mv = "d4d4".into();
    let page = report::page(&run, &pairs).expect("a page");
    let game = &data(&page)["games"][0];
    let moves = game["moves"].as_str().expect("moves").split(' ').count();
    assert_eq!(moves, pairs[0].opening.len() + 3);
    let detail = game["detail"].as_str().expect("a detail");
    assert!(
        detail.contains("the record breaks off: move d4d4"),
        "{detail}"
    );
}

#[test]
fn a_thousand_games_of_a_hundred_plies_stay_small() {
    for variant in ["hnefatafl7", "thud"] {
        let run = generate::run(variant, &["Old", "New"]);
        let some = pairs(variant, 10, 100);
        let plies: usize = some
            .iter()
            .flat_map(|pair| &pair.games)
            .map(|game| game.moves.len())
            .sum();
        let pairs: Vec<Pair> = (0..50)
            .flat_map(|_| some.clone())
            .enumerate()
            .map(|(index, pair)| Pair {
                index: index as u64,
                ..pair
            })
            .collect();
        let page = report::page(&run, &pairs).expect("a page");
        let a_ply = page.len() as f64 / (50 * plies) as f64;
        println!("{variant}: {} bytes, {a_ply:.1} a ply", page.len());
        // 1,000 games of 100 plies at 40 bytes are 4 MB.
        assert!(a_ply < 40.0, "{variant}: {a_ply} bytes a ply");
    }
}

/// A browser that can be run without a window.
fn browser() -> Option<&'static str> {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    names.into_iter().find(|name| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    })
}

/// Notes faults of the page's script from its beginning.
const WATCH: &str = "<head><script>window.faults = [];\
    addEventListener('error', event => faults.push(String(event.message)));\
    addEventListener('securitypolicyviolation', event => faults.push(event.violatedDirective));</script>";

/// Steps through every game by keys and clicks, and leaves what it saw in an element at the end.
const WALK: &str = "<script>(() => {
    const key = name => document.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
    const board = () => document.querySelector('#board svg').dataset;
    const walked = [];
    for (let index = 0; ; index++) {
        const rows = document.querySelectorAll('#list tbody tr');
        if (index >= rows.length) break;
        rows[index].click();
        const seen = [board().rows];
        for (;;) {
            const ply = board().ply;
            key('ArrowRight');
            if (board().ply === ply) break;
            seen.push(board().rows);
        }
        const captured = document.querySelectorAll('#board .captured').length;
        const last = document.querySelectorAll('#board .last').length;
        key('ArrowLeft');
        const back = board().ply;
        const curve = document.querySelector('#curve svg');
        const {left, top, width, height} = curve.getBoundingClientRect();
        // The last ply is at the right end of the curve, 12 pixels from its edge.
        curve.dispatchEvent(new MouseEvent('click', {clientX: left + width - 12, clientY: top + height / 2, bubbles: true}));
        const end = board().ply;
        document.querySelector('#moves button').click();
        walked.push({end, seen, captured, last, back, first: board().ply, status: document.querySelector('#status').textContent});
    }
    const choose = (label, value) => {
        const select = document.querySelector(`select[aria-label=${label}]`);
        select.value = value;
        select.dispatchEvent(new Event('change'));
        return document.querySelectorAll('#list tbody tr').length;
    };
    const filtered = [choose('Result', '0'), choose('Result', '1'), choose('Result', 'null'), choose('Result', '')];
    const pre = document.createElement('pre');
    pre.id = 'walked';
    pre.textContent = JSON.stringify({
        walked, filtered, faults, ready: document.documentElement.dataset.ready, title: document.title,
        heading: document.querySelector('h1').textContent,
        head: document.querySelector('.tiles').textContent,
        charts: document.querySelectorAll('#charts svg').length,
        foreign: document.querySelectorAll('img, iframe, link, object, embed').length,
        fetched: performance.getEntriesByType('resource').length,
        remarks: [...document.querySelectorAll('.remark')].map(line => line.textContent),
        marks: [...document.querySelectorAll('#list td.text small')].map(mark => mark.textContent),
        stones: document.querySelectorAll('#board .stone').length,
        specials: document.querySelectorAll('#board .special').length,
        curves: [...document.querySelectorAll('#curve path')].map(path => path.getAttribute('d').length),
    });
    document.body.append(pre);
})();</script></body>";

/// What the browser saw of a report, or none where there is no browser.
fn walk(name: &str, run: &Run, pairs: &[Pair]) -> Option<serde_json::Value> {
    let Some(browser) = browser() else {
        println!("skipped: there is no browser to look at the report with");
        return None;
    };
    let dir = directory(name);
    let page = report::page(run, pairs).expect("a page");
    let page = page.replacen("<head>", WATCH, 1);
    let at = page.rfind("</body>").expect("a body");
    let path = dir.join("report.html");
    std::fs::write(&path, format!("{}{WALK}{}", &page[..at], &page[at + 7..])).expect("written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.join("profile").display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = dom.split_once("<pre id=\"walked\">").unwrap_or_else(|| {
        panic!(
            "the script did not come to its end: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    let (text, _) = rest.split_once("</pre>").expect("an end");
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    Some(serde_json::from_str(&text).expect("JSON"))
}

/// `ROWS` before and after every move of a game, by the library.
fn rows(variant: &str, pair: &Pair, half: usize) -> Vec<String> {
    let mut session = generate::session(variant);
    session
        .set_position(pair.fen.as_deref())
        .expect("a position");
    let mut rows = Vec::new();
    let played = pair.games[half].moves.iter().map(|played| &played.mv);
    for mv in [None]
        .into_iter()
        .chain(pair.opening.iter().chain(played).map(Some))
    {
        if let Some(mv) = mv {
            session.play(&[mv]).expect("legal");
        }
        let text = session.position_text().expect("a position");
        rows.push(text.split(' ').next().unwrap_or_default().to_string());
    }
    rows
}

/// Makes the position after the opening the one that a pair starts from.
fn begin_after_the_opening(variant: &str, pair: &mut Pair) {
    let mut session = generate::session(variant);
    session.set_position(None).expect("the start");
    // An odd number of moves, so that player 2 begins.
    if pair.opening.len().is_multiple_of(2) {
        let last = pair.opening.pop().expect("an opening");
        for game in &mut pair.games {
            game.moves.insert(
                0,
                arena::record::Played {
                    mv: last.clone(),
                    ..game.moves[0].clone()
                },
            );
        }
    }
    for mv in pair.opening.drain(..) {
        session.play(&[&mv]).expect("legal");
    }
    pair.fen = session.position_text();
}

/// How a position text says that player 2 is to move.
fn second_letter(variant: &str) -> &'static str {
    if variant.starts_with("thud") {
        "t"
    } else {
        "d"
    }
}

#[test]
fn a_browser_shows_every_position_of_every_game() {
    for (variant, stones) in [
        ("hnefatafl7", 0),
        ("tawlbwrdd", 0),
        ("thud", 1),
        ("thud-rulebook", 1),
    ] {
        let mut run = generate::run(variant, &["Old", "New"]);
        run.settings = serde_json::json!({ "sprt": "elo0=0 elo1=10" });
        let mut pairs = pairs(variant, 3, 80);
        begin_after_the_opening(variant, &mut pairs[1]);
        let Some(found) = walk(variant, &run, &pairs) else {
            return;
        };
        assert_eq!(found["faults"], serde_json::json!([]), "{variant}");
        assert_eq!(found["ready"], "yes");
        assert_eq!(found["charts"], 6, "{variant}");
        assert_eq!(found["fetched"], 0);
        assert_eq!(found["stones"], stones);
        assert!(variant.starts_with("thud") || found["specials"].as_u64() > Some(0));
        assert_eq!(found["heading"], "Old against New");
        let walked = found["walked"].as_array().expect("games");
        assert_eq!(walked.len(), 6);
        for (index, game) in walked.iter().enumerate() {
            let pair = &pairs[index / 2];
            let expected = rows(variant, pair, index % 2);
            assert_eq!(
                game["seen"],
                serde_json::json!(expected),
                "{variant}, game {index}"
            );
            assert_eq!(game["last"], 2);
            assert_eq!(game["back"], (expected.len() - 2).to_string());
            assert_eq!(game["end"], (expected.len() - 1).to_string());
            assert_eq!(game["first"], "1");
            let played = &pair.games[index % 2].moves;
            let first = pair.opening.first().unwrap_or(&played[0].mv);
            let side = match &pair.fen {
                Some(fen) if fen.split(' ').nth(1) == Some(second_letter(variant)) => &run.sides[1],
                _ => &run.sides[0],
            };
            let status = game["status"].as_str().expect("a status");
            assert!(
                status.contains(&format!("{side} {}", &first[..4])),
                "{status}"
            );
        }
        let count = |winner| {
            let games = pairs.iter().flat_map(|pair| &pair.games);
            games.filter(|game| game.winner == winner).count()
        };
        let filtered = [count(Some(0)), count(Some(1)), count(None), 6];
        assert_eq!(found["filtered"], serde_json::json!(filtered));
    }
}

#[test]
fn a_browser_shows_hostile_text_as_text() {
    let mut run = generate::run("hnefatafl7", &[HOSTILE, "New", "Other"]);
    run.host = HOSTILE.into();
    run.engines[0].id = HOSTILE.into();
    run.engines[1].command = HOSTILE.into();
    run.settings = serde_json::json!({ HOSTILE: HOSTILE });
    let mut pairs = pairs("hnefatafl7", 2, 30);
    pairs[0].games[0].detail = HOSTILE.into();
    pairs[1].games[1].reason = HOSTILE.into();
    pairs[1].games[1].notes.warnings = [0, 1];
    pairs[1].games[1].notes.first = Some(HOSTILE.into());
    let Some(found) = walk("hostile", &run, &pairs) else {
        return;
    };
    assert_eq!(found["faults"], serde_json::json!([]));
    assert_eq!(found["foreign"], 0);
    assert_eq!(found["fetched"], 0);
    let remarks = found["remarks"].to_string();
    assert!(remarks.contains("1 warning; </script>"), "{remarks}");
    assert_eq!(found["title"], "Tournament of 3 engines · hnefatafl7");
}

#[test]
fn a_browser_shows_what_was_noticed_besides() {
    let mut run = generate::run("hnefatafl7", &["Old", "New"]);
    run.settings = serde_json::json!({ "sprt": "elo0=0 elo1=200 alpha=0.45 beta=0.45" });
    let mut pairs = pairs("hnefatafl7", 2, 30);
    for (winner, game) in pairs[0].games.iter_mut().enumerate() {
        (game.winner, game.reason) = (Some(winner), "time".into());
    }
    // The last game, which is on the board when the walk ends.
    let game = &mut pairs[1].games[1];
    (game.winner, game.reason) = (Some(0), "time".into());
    game.notes.arena_late = Some(12.5);
    game.notes.warnings = [2, 1];
    game.notes.first = Some("Old, ply 3: no score before bestmove d1c1".into());
    let data = data(&report::page(&run, &pairs).expect("a page"));
    assert_eq!(data["games"][3]["notes"]["arena_late"], 12.5);
    assert_eq!(data["games"][0].get("notes"), None);
    assert_eq!(data["summary"]["sprt"]["after"], 1);
    let Some(found) = walk("noticed", &run, &pairs) else {
        return;
    };
    assert_eq!(found["faults"], serde_json::json!([]));
    assert_eq!(
        found["marks"],
        serde_json::json!(["arena late", "3 warnings"])
    );
    let remarks = found["remarks"].to_string();
    for remark in [
        "Old: 1 losses on time while the arena itself was late",
        "Old: 1 faults in what it said of its moves",
        "New: 2 faults in what it said of its moves",
        "arena late, 3 warnings; Old, ply 3: no score before bestmove d1c1",
    ] {
        assert!(remarks.contains(remark), "{remark} in {remarks}");
    }
    assert!(
        found["head"]
            .to_string()
            .contains("finished after the verdict: 1"),
        "{found}"
    );
}

#[test]
fn a_browser_shows_a_run_without_games() {
    let run = generate::run("thud", &["Old", "New"]);
    let dir = directory("empty");
    let Some(browser) = browser() else {
        println!("skipped: there is no browser to look at the report with");
        return;
    };
    let path = dir.join("report.html");
    report::write(&run, &[], &path).expect("a report");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.join("profile").display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&output.stdout);
    assert!(dom.contains("data-ready=\"yes\""));
    assert!(dom.contains("No games yet."));
}
