//! The [`WriteChain`]s of one word and of its parts.
//!
//! Property: morally strong accesses are of the same bytes, so those that begin at different bytes of a word never
//! observe each other.

use crate::fast::write_chain::WriteChain;

/// The chains of a word's strong writes, by the first byte that these touch. `parts` is allocated on demand, since few
/// words are written in parts.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    pub word: WriteChain,
    parts: Option<Box<[WriteChain; 3]>>,
}

/// The chain of a part of a word that has never been written separately.
static UNUSED: WriteChain = WriteChain::new();

impl Chains {
    #[inline(always)]
    pub fn of(&self, byte: usize) -> &WriteChain {
        match (byte, &self.parts) {
            (0, _) => &self.word,
            (_, Some(parts)) => &parts[byte - 1],
            (_, None) => &UNUSED,
        }
    }

    #[inline(always)]
    pub fn of_mut(&mut self, byte: usize) -> &mut WriteChain {
        match byte {
            0 => &mut self.word,
            _ => &mut self.parts.get_or_insert_default()[byte - 1],
        }
    }

    #[inline(always)]
    pub fn has_parts(&self) -> bool {
        self.parts.is_some()
    }

    pub fn parts(&self) -> impl Iterator<Item = &WriteChain> {
        self.parts.iter().flat_map(|parts| parts.iter())
    }

    #[inline(always)]
    pub fn are_unused(&self) -> bool {
        self.word.is_unused() && self.parts().all(WriteChain::is_unused)
    }

    /// Returns the chains that may be in use, each with its first byte.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut WriteChain)> {
        let parts = self.parts.iter_mut().flat_map(|parts| parts.iter_mut());
        std::iter::once(&mut self.word).chain(parts).enumerate()
    }
}
