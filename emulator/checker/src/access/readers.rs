//! Words that many threads read and nobody writes.

use crate::access::entries::{Common, Entries, key};
use crate::sites::touched::Touched;
use machine::registers::Mask;

/// The accesses of a word that has only been read, all plainly: most words that need the table are read by many, as a vector that
/// is multiplied by a matrix, and never written. The same as [`More`](crate::access::overflow::More) would have of them.
#[derive(Clone, Debug, Default)]
pub struct Readers {
    pub newest: Option<(Common, Mask)>,
    pub others: Entries,
}

impl Readers {
    pub fn add(&mut self, read: Touched, lanes: Mask) {
        match &mut self.newest {
            Some((newest, of)) if *newest == key(read) => *of |= lanes,
            newest => {
                if let Some((key, lanes)) = newest.replace((key(read), lanes)) {
                    self.others.add(key, lanes);
                }
            }
        }
    }

    /// Keeps the list's room.
    pub fn clear(&mut self) {
        self.newest = None;
        self.others.clear();
    }
}
