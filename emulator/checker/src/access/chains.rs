//! The chains of strong writes of one word, and of its parts.

use crate::access::write_chain::WriteChain;

/// The chains of a word's strong writes, by the first byte that these touch. Few words are written in parts.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    pub word: WriteChain,
    parts: Option<Box<[WriteChain; 3]>>,
}

/// That of a part of a word that nothing has been written to by itself.
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

    /// Those that may be in use, by their byte.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut WriteChain)> {
        let parts = self.parts.iter_mut().flat_map(|parts| parts.iter_mut());
        std::iter::once(&mut self.word).chain(parts).enumerate()
    }
}
