//! The line from the last capture of the game to the node that is searched: repetition and quiet plies.

use crate::game::Limits;

/// Number of counters of the filter below.
const FILTER: usize = 4096;

/// Keys of the positions of the game since its last capture and of the line being searched.
pub struct Path {
    keys: Vec<u64>,
    quiet: Vec<u32>,
    /// How many keys of the path fall on each counter. A node whose counter is 0 repeats nothing, which saves the
    /// walk back in nearly every node.
    filter: Box<[u8; FILTER]>,
    /// Index of the root.
    root: usize,
    limits: Limits,
}

impl Default for Path {
    /// An empty path; `reset` before use.
    fn default() -> Self {
        Path {
            keys: Vec::new(),
            quiet: Vec::new(),
            filter: Box::new([0; FILTER]),
            root: 0,
            limits: Limits {
                repetition: 0,
                quiet: 0,
            },
        }
    }
}

impl Path {
    /// Begins a search: keys of the game since its last capture, the root's last, and the root's quiet plies.
    pub fn reset(&mut self, keys: &[u64], quiet: u32, limits: Limits) {
        self.keys.clear();
        self.quiet.clear();
        self.filter.fill(0);
        self.limits = limits;
        self.root = keys.len().saturating_sub(1);
        for (index, &key) in keys.iter().enumerate() {
            let before_root = (self.root - index.min(self.root)) as u32;
            self.push(key, quiet.saturating_sub(before_root));
        }
    }

    /// Enters a position.
    #[inline(always)]
    pub fn push(&mut self, key: u64, quiet: u32) {
        self.keys.push(key);
        self.quiet.push(quiet);
        let counter = &mut self.filter[key as usize % FILTER];
        *counter = counter.saturating_add(1);
    }

    /// Leaves it.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.quiet.pop();
            let counter = &mut self.filter[key as usize % FILTER];
            // A saturated counter no longer knows its count and stays: a needless walk back, never a missed one.
            if *counter < u8::MAX {
                *counter -= 1;
            }
        }
    }

    /// Plies since the last capture at the node entered last.
    #[inline(always)]
    pub fn quiet(&self) -> u32 {
        self.quiet.last().copied().unwrap_or(0)
    }

    /// Whether the node entered last ends the game by repetition, or repeats a position of the search itself, which
    /// is taken to end in repetition too.
    #[inline]
    pub fn repeats(&self) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        if self.limits.repetition == 0 || self.filter[key as usize % FILTER] < 2 {
            return false;
        }
        let reach = last.saturating_sub(self.quiet[last] as usize);
        let mut occurrences = 1;
        for index in (reach..last).rev().skip(1).step_by(2) {
            if self.keys[index] == key {
                occurrences += 1;
                if index >= self.root || occurrences >= self.limits.repetition {
                    return true;
                }
            }
        }
        false
    }

    /// Whether so many quiet plies from the node entered last reach the quiet limit.
    #[inline(always)]
    pub fn is_quiet_limit_within(&self, plies: u32) -> bool {
        self.limits.quiet > 0 && self.quiet().saturating_add(plies) >= self.limits.quiet
    }

    /// Whether the quiet limit is reached at the node entered last.
    #[inline(always)]
    pub fn is_quiet_limit(&self) -> bool {
        self.is_quiet_limit_within(0)
    }
}
