//! A fault inside a search thread still gives an answer, and the next search works.
//!
//! The game here is a real one whose rules panic after a number of moves, as a bug in them might.

use huscarl::eval::{Evaluate, Kind, TermValue};
use huscarl::game::{Game, Limits, Move, Moves, Outcome, Reason, SetOf, Side};
use huscarl::grid::Grid15;
use huscarl::score::Score;
use huscarl::search::table::Table;
use huscarl::session::{Config, GameSession, Order, Session};
use huscarl::thud::{CaptureRule, Position, Thud};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// Thud that fails when its counter reaches zero.
struct Faulty {
    thud: Thud,
    moves_left: Arc<AtomicI64>,
}

impl Game for Faulty {
    type Grid = Grid15;
    type Position = Position;
    type Sight = ();

    fn start_rows(&self) -> &str {
        self.thud.start_rows()
    }
    fn side_letters(&self) -> [char; 2] {
        self.thud.side_letters()
    }
    fn side_names(&self) -> [&'static str; 2] {
        self.thud.side_names()
    }
    fn limits(&self) -> Limits {
        self.thud.limits()
    }
    fn parse(&self, rows: &str, side: Side) -> Result<Position, String> {
        self.thud.parse(rows, side)
    }
    fn piece(&self, position: &Position, square: u16) -> Option<char> {
        self.thud.piece(position, square)
    }
    fn side(&self, position: &Position) -> Side {
        self.thud.side(position)
    }
    fn pieces(&self, position: &Position, side: Side) -> SetOf<Self> {
        self.thud.pieces(position, side)
    }
    fn key(&self, position: &Position) -> u64 {
        self.thud.key(position)
    }
    fn computed_key(&self, position: &Position) -> u64 {
        self.thud.computed_key(position)
    }
    fn decided(&self, position: &Position) -> Option<Outcome> {
        self.thud.decided(position)
    }
    fn stuck(&self, position: &Position) -> Outcome {
        self.thud.stuck(position)
    }
    fn called_off(&self, position: &Position, reason: Reason) -> Outcome {
        self.thud.called_off(position, reason)
    }
    fn generate(&self, position: &Position, which: Moves, list: &mut Vec<Move>) {
        self.thud.generate(position, which, list);
    }
    fn count(&self, position: &Position) -> u64 {
        self.thud.count(position)
    }
    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        self.thud.is_legal(position, mv)
    }
    fn make(&self, position: &Position, mv: Move) -> Position {
        assert!(
            self.moves_left.fetch_sub(1, Relaxed) != 0,
            "a fault in the rules"
        );
        self.thud.make(position, mv)
    }
    fn pass(&self, position: &Position) -> Position {
        self.thud.pass(position)
    }
    fn sight(&self, _: &Position) {}

    fn captured(&self, position: &Position, mv: Move) -> SetOf<Self> {
        self.thud.captured(position, mv)
    }
}

impl Evaluate for Faulty {
    const KIND: Kind = Kind::Thud;

    fn evaluate(&self, position: &Position, sight: &()) -> Score {
        self.thud.evaluate(position, sight)
    }
    fn terms(&self, position: &Position) -> Vec<TermValue> {
        self.thud.terms(position)
    }
    fn gain(&self, position: &Position, mv: Move) -> Score {
        self.thud.gain(position, mv)
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().expect("nothing panics with it")
}

#[test]
fn a_fault_still_gives_a_move() {
    for threads in [1, 3] {
        for moves_left in [0, 1, 5, 700, 20_000] {
            let counter = Arc::new(AtomicI64::new(-1));
            let game = Faulty {
                thud: Thud::new(CaptureRule::One),
                moves_left: Arc::clone(&counter),
            };
            let config = Config {
                table: Arc::new(Table::new(1).expect("a MiB")),
                threads,
                repetition: None,
                quiet: None,
            };
            let session = GameSession::new(game, config).expect("threads");
            let mut order = Order {
                multipv: 1,
                ..Order::default()
            };
            order.limits.nodes = Some(200_000);
            let search = || {
                let told = Arc::new(Mutex::new(None));
                let tell = Arc::clone(&told);
                let answer = session
                    .search(
                        &order,
                        &Arc::default(),
                        std::time::Instant::now(),
                        &mut |_| {},
                        Box::new(move |progress| *lock(&tell) = progress.pv.first().cloned()),
                    )
                    .expect("a position");
                // Nothing is told if the fault comes before anything is known.
                let told = lock(&told).clone();
                assert!(told.is_none() || told == answer.best, "{told:?} {answer:?}");
                answer
            };
            counter.store(moves_left, Relaxed);
            let answer = search();
            let fault = answer.fault.expect("the fault is told");
            assert!(fault.contains("a fault in the rules"), "{fault}");
            let legal = session.moves().expect("a position");
            assert!(legal.contains(&answer.best.expect("a move all the same")));

            counter.store(-1, Relaxed);
            let answer = search();
            assert_eq!(answer.fault, None);
            assert!(answer.nodes >= 100_000, "a whole search: {}", answer.nodes);
        }
    }
}
