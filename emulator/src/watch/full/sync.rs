//! Release and acquire (PTX ISA, "Memory Consistency Model": release and acquire patterns,
//! synchronizes-with).
//!
//! A location remembers what the last strong write to it released. A read that observes it
//! acquires that at once (`.acquire`) or at the reader's next fence (`.relaxed`,
//! `.volatile`). An atomic read-modify-write hands on what it found (the ISA's observation
//! goes through such chains); a compare-and-exchange that fails writes nothing and so
//! releases nothing. A release pattern may end in a later strong write of the same thread.
//! Both sides' scopes must include the other thread; where they
//! do not, the reader learns nothing, and what it would have learned is kept apart so that
//! a race that follows, behind a barrier too, can name the scope as its cause.

use super::clock::{View, joined};
use crate::exec::memory::Scope;
use std::rc::Rc;

/// What one side of a synchronisation covers: its own block, or all blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    pub block: u64,
    pub wide: bool,
}

impl Reach {
    pub fn new(scope: Scope, block: u64) -> Reach {
        // Clusters have one block here: launches with more are refused.
        Reach { block, wide: scope >= Scope::Gpu }
    }

    /// True if two threads include each other (the scope half of "morally strong").
    pub fn meets(self, other: Reach) -> bool {
        self.block == other.block || self.wide && other.wide
    }

    /// The narrower of a fence and the access beside it.
    pub fn narrowed(self, scope: Scope) -> Reach {
        Reach { wide: self.wide && scope >= Scope::Gpu, ..self }
    }
}

/// What was released, and how far it reaches.
pub type Released = (Reach, Rc<View>);

/// A location's last release, or several where atomics of several blocks have chained.
#[derive(Clone, Debug, Default)]
pub struct SyncVar {
    entries: Vec<Released>,
    /// Who last wrote it with `.release`, and what that released.
    pub releaser: Option<(Thread, Released)>,
}

/// Block, warp, lane.
pub type Thread = (u64, u32, u32);

impl SyncVar {
    /// A strong write replaces what was there.
    pub fn replace<'a>(&mut self, released: impl Iterator<Item = &'a Released>) {
        self.entries.clear();
        self.entries.extend(released.cloned());
        self.releaser = None;
    }

    /// What `thread` released here by its last write still goes with its next one.
    pub fn own(&self, thread: Thread, scope: Scope) -> Option<Released> {
        let (_, (reach, view)) = self.releaser.as_ref().filter(|(releaser, _)| *releaser == thread)?;
        Some((reach.narrowed(scope), view.clone()))
    }

    /// A read-modify-write adds to it.
    pub fn chain(&mut self, (reach, view): &Released) {
        // Wide releases are alike to every reader; narrow ones are kept by block.
        match self.entries.iter_mut().find(|(known, _)| known.wide && reach.wide || known == reach) {
            Some((_, known)) => *known = joined(known, view),
            None => self.entries.push((*reach, view.clone())),
        }
    }

    pub fn entries(&self) -> &[Released] {
        &self.entries
    }
}

/// One thread's part in release and acquire patterns.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// The last fence: what it covers goes out with every later strong write.
    pub fence: Option<Released>,
    /// Observed by relaxed reads; acquired at the next fence.
    pub pending: Vec<Released>,
    /// Observed across too narrow a scope: not known, but it would have ordered.
    pub denied: Option<Rc<View>>,
}

impl Patterns {
    /// Notes something observed by a relaxed read.
    pub fn observe(&mut self, released: &Released) {
        if !self.pending.iter().any(|(reach, view)| *reach == released.0 && Rc::ptr_eq(view, &released.1)) {
            // A long spin observes the same few releases; more than that are joined.
            match self.pending.iter_mut().find(|(reach, _)| *reach == released.0) {
                Some((_, view)) => *view = joined(view, &released.1),
                None => self.pending.push(released.clone()),
            }
        }
    }
}

/// Adds to what was denied. It passes barriers as knowledge does, or a race behind one would lose its cause.
pub fn deny(denied: &mut Option<Rc<View>>, more: Option<&Rc<View>>) {
    let Some(more) = more else { return };
    *denied = Some(match denied {
        Some(known) => joined(known, more),
        None => more.clone(),
    });
}
