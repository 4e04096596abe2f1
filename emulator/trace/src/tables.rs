//! The tables that events point into: sites, and arrays. Each stands in its table once, in the order of its first use.

use crate::bits::Bits;
use crate::data::{Array, ArrayName, Site};
use crate::event::TracePlace;
use finding::Space;
use machine::place;
use machine::run::launch::Launch;
use rustc_hash::FxHashMap;
use std::hash::Hash;

#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub sites: Vec<Site>,
    known_sites: FxHashMap<Site, usize>,
    pub arrays: Vec<Array>,
    known_arrays: FxHashMap<Array, usize>,
    /// The number of each site's line: sites of one source line have the same.
    lines: Vec<usize>,
    known_lines: FxHashMap<LineKey, usize>,
}

/// File and line; without one, the line of the PTX.
#[derive(Debug, PartialEq, Eq, Hash)]
enum LineKey {
    Source(String, u32),
    Ptx(u32),
}

fn intern<T: Clone + Eq + Hash>(list: &mut Vec<T>, known: &mut FxHashMap<T, usize>, one: T) -> usize {
    *known.entry(one).or_insert_with_key(|one| {
        list.push(one.clone());
        list.len() - 1
    })
}

impl Tables {
    pub fn site(&mut self, site: Site) -> usize {
        let line = match &site.location {
            Some(place) => LineKey::Source(place.file.clone(), place.line),
            None => LineKey::Ptx(site.ptx_line),
        };
        let at = intern(&mut self.sites, &mut self.known_sites, site);
        if at == self.lines.len() {
            let next = self.known_lines.len();
            self.lines.push(*self.known_lines.entry(line).or_insert(next));
        }
        at
    }

    /// The number of a site's source line.
    pub fn line(&self, site: usize) -> usize {
        self.lines[site]
    }

    /// Returns the name of `bytes` bytes at an address.
    pub fn place(&mut self, launch: &Launch, space: Space, address: u64, bytes: u32) -> TracePlace {
        let kernel = || launch.kernel.to_string();
        let (place, index) = match place::of(launch, space, address, bytes) {
            // A trace counts in accesses.
            finding::MemoryPlace::Part { of, byte } => (*of, Some(byte / i64::from(bytes.max(1)))),
            place => (place, None),
        };
        let (name, index) = match place.at(index) {
            finding::MemoryPlace::Variable { name, index } => {
                let index = index.map(|index| index as i64);
                match space {
                    Space::Shared => (ArrayName::Shared { name, kernel: kernel() }, index),
                    _ => (ArrayName::Variable { name }, index),
                }
            }
            finding::MemoryPlace::Argument { number, index } => {
                (ArrayName::Argument { number, kernel: kernel() }, index)
            }
            _ => return TracePlace::Address { address: Bits(address) },
        };
        let array = intern(&mut self.arrays, &mut self.known_arrays, Array { space, name });
        TracePlace::Element { array, index }
    }
}
