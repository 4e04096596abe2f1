//! Counters of a launch, as a page gets them: by the names of `docs/output.md`.

use emulator::counters::{LaunchCounts, Totals};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub struct Counts {
    totals: NamedCounts,
    /// By source line.
    lines: Vec<LineCounts>,
    atomic_addresses: u64,
    busiest_address: u64,
    /// The number of threads that wrote to each allocation, by its address.
    writers: BTreeMap<u64, u64>,
}

#[derive(Serialize)]
struct LineCounts {
    file: String,
    line: u32,
    totals: NamedCounts,
}

/// Those that are not zero.
type NamedCounts = BTreeMap<&'static str, u64>;

impl Counts {
    pub fn of(counted: &LaunchCounts) -> Counts {
        let lines = counted.lines.iter();
        Counts {
            totals: named(&counted.totals),
            lines: lines
                .map(|(name, totals)| LineCounts { file: name.file.clone(), line: name.line, totals: named(totals) })
                .collect(),
            atomic_addresses: counted.atomic_addresses,
            busiest_address: counted.busiest_address,
            writers: counted.writers.clone(),
        }
    }
}

fn named(totals: &Totals) -> NamedCounts {
    totals.counted().map(|(counter, value)| (counter.name(), value)).collect()
}
