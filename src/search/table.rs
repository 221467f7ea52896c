//! The transposition table, shared by all threads without a lock.
//!
//! An entry is two relaxed atomics, `key ^ data` and `data` (Hyatt and Mann 2002): a torn write does not match its
//! key and is a miss. A key may still collide, so a move from the table is not trusted until it is checked.

use crate::game::Move;
use crate::score::Score;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// This is the score.
    Exact = 3,
}

/// A search result for a position. The score's distances to the end are counted from the position itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The best move found, or none.
    pub mv: Move,
    /// From the side to move.
    pub score: Score,
    /// Depth of the search that gave it, 0 to 255.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
}

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries that share a cache line.
const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; WAYS]);

/// A fixed number of buckets and the generation that tells old searches' entries from new ones.
pub struct Table {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

// Layout of `data`, low bits first: move 26, score 18 (offset), depth 8, bound 2, generation 6; 4 are free.
const SCORE_SHIFT: u32 = Move::BITS;
const SCORE_BITS: u32 = 18;
const SCORE_OFFSET: Score = 1 << (SCORE_BITS - 1);
const DEPTH_SHIFT: u32 = SCORE_SHIFT + SCORE_BITS;
const BOUND_SHIFT: u32 = DEPTH_SHIFT + 8;
const GENERATION_SHIFT: u32 = BOUND_SHIFT + 2;
const GENERATIONS: u8 = 64;

const _: () = assert!(crate::score::INFINITE + (crate::score::MAX_PLY as Score) < SCORE_OFFSET);

impl Table {
    /// A table of `mib` MiB, allocated and touched.
    ///
    /// # Errors
    /// If the memory can not be had.
    pub fn new(mib: usize) -> Result<Self, String> {
        let refused = || format!("{mib} MiB of memory for the table can not be had");
        let count = mib
            .checked_mul(1 << 20)
            .map(|bytes| (bytes / size_of::<Bucket>()).max(1))
            .ok_or_else(refused)?;
        if available_memory().is_some_and(|available| mib as u64 > available >> 20) {
            return Err(refused());
        }
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| refused())?;
        buckets.resize_with(count, Bucket::default);
        Ok(Table {
            buckets,
            generation: AtomicU8::new(0),
        })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.check.store(0, Relaxed);
            entry.data.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// Begins a search: what is stored from now on is preferred to what is there.
    pub fn next_generation(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Asks the processor to fetch what a later `probe` will read. A table larger than the caches makes every probe wait
    /// for memory: a fifth to a third of all time was spent there.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = std::ptr::from_ref(self.bucket(key));
            // SAFETY: a prefetch changes nothing that a program can see, and the address is that of a bucket. The
            // intrinsic needs SSE, which every processor of this architecture has.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Hit> {
        self.bucket(key).0.iter().find_map(|entry| {
            let data = entry.data.load(Relaxed);
            (entry.check.load(Relaxed) ^ data == key && data != 0).then(|| unpack(data))?
        })
    }

    /// Stores a result in place of the same position's, or of the shallowest and oldest entry of its bucket.
    #[inline]
    pub fn store(&self, key: u64, hit: Hit) {
        let generation = self.generation.load(Relaxed);
        let entries = &self.bucket(key).0;
        let mut victim = &entries[0];
        let mut least = i32::MAX;
        for entry in entries {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                // The same position: keep the deeper result of this search, and a move where the new one has none.
                let old = unpack(data);
                if let Some(old) = old {
                    let deeper = old.depth > hit.depth + 3 && hit.bound != Bound::Exact;
                    if deeper && generation_of(data) == generation {
                        return;
                    }
                    let mv = if hit.mv.is_none() { old.mv } else { hit.mv };
                    return write(entry, key, Hit { mv, ..hit }, generation);
                }
                victim = entry;
                break;
            }
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let worth = if data == 0 {
                i32::MIN
            } else {
                (data >> DEPTH_SHIFT & 0xff) as i32 - 8 * i32::from(age)
            };
            if worth < least {
                least = worth;
                victim = entry;
            }
        }
        write(victim, key, hit, generation);
    }

    /// Entries of the current search in a sample of the table, in permille.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|entry| entry.data.load(Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        (used * 1000 / (sample * WAYS)) as u32
    }
}

#[inline(always)]
fn generation_of(data: u64) -> u8 {
    (data >> GENERATION_SHIFT) as u8 % GENERATIONS
}

#[inline(always)]
fn write(entry: &Entry, key: u64, hit: Hit, generation: u8) {
    let data = u64::from(hit.mv.bits())
        | ((hit.score + SCORE_OFFSET) as u64) << SCORE_SHIFT
        | (hit.depth.clamp(0, 255) as u64) << DEPTH_SHIFT
        | (hit.bound as u64) << BOUND_SHIFT
        | u64::from(generation) << GENERATION_SHIFT;
    entry.check.store(key ^ data, Relaxed);
    entry.data.store(data, Relaxed);
}

#[inline(always)]
fn unpack(data: u64) -> Option<Hit> {
    let bound = match data >> BOUND_SHIFT & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Hit {
        mv: Move::from_bits(data as u32),
        score: (data >> SCORE_SHIFT & ((1 << SCORE_BITS) - 1)) as Score - SCORE_OFFSET,
        depth: (data >> DEPTH_SHIFT & 0xff) as i32,
        bound,
    })
}

/// Bytes of memory that can still be given out, where the system tells: an allocation may succeed beyond that and
/// end the process only when it is touched.
fn available_memory() -> Option<u64> {
    let number =
        |path: &str| -> Option<u64> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    // A container may be allowed less than the machine has.
    let group = number("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some(group.unwrap_or(u64::MAX).min(kib << 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_results_come_back_whole() {
        let table = Table::new(1).expect("one MiB");
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let hit = Hit {
                mv: Move::new(random.u16(..512), random.u16(1..512), random.u8(..)),
                score: random.i32(-100_000..100_001),
                depth: random.i32(0..256),
                bound: [Bound::Upper, Bound::Lower, Bound::Exact][random.usize(..3)],
            };
            let key = random.u64(..);
            table.store(key, hit);
            assert_eq!(table.probe(key), Some(hit));
            assert_eq!(table.probe(!key), None);
        }
        table.clear();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn memory_that_can_not_be_had_is_an_error() {
        assert!(Table::new(1 << 40).is_err());
        assert!(Table::new(usize::MAX).is_err());
    }
}
