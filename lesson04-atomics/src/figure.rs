//! The slides' figure: every way to filter, against the share of elements kept. On a GPU the bandwidth; on the emulator
//! what explains it, atomics and memory sectors.

use crate::filter::{self, FILTER};
use common::check::{self, InputValues};
use common::{Counter, Counts, Figure, Lesson, Panel, Point, Run, Series};

/// The shares of elements that are kept, in percent.
const KEPT: [u32; 8] = [0, 1, 5, 10, 25, 50, 75, 100];
/// Elements on a GPU.
const GPU: usize = 100_000_000;
/// Elements on the emulator.
const EMULATOR: usize = 1 << 14;

/// Runs every kernel that is right at every share.
pub fn of_filters(lesson: &Lesson) -> anyhow::Result<Figure> {
    let n = if lesson.is_on_emulator() { EMULATOR } else { GPU };
    let (mut rates, mut atomics, mut sectors) = (Vec::new(), Vec::new(), Vec::new());
    for kernel in lesson.kernels(&FILTER)?.iter().filter(|kernel| !kernel.is_broken()) {
        let (mut rate, mut atomic, mut sector) = (Vec::new(), Vec::new(), Vec::new());
        for percent in KEPT {
            let src = InputValues::seeded(9).with_positive_share(n, f64::from(percent) / 100.0);
            let kept = src.iter().filter(|&&value| value > 0).count();
            let job = |run: &Run| {
                run.moves(4 * (n + kept) as u64);
                run.each(|| check::equal_value(filter::keep(run, &src, None)?.len(), kept))
            };
            let x = f64::from(percent);
            match lesson.count(kernel, n, job)? {
                Some(counts) => {
                    atomic.push(Point::new(x, for_each_thousand(&counts, &[Counter::AtomicOperations])));
                    let moved = [Counter::GlobalLoadSectors, Counter::GlobalStoreSectors];
                    sector.push(Point::new(x, for_each_thousand(&counts, &moved)));
                }
                None => rate.extend(lesson.gb_per_s(kernel, n, job)?.map(|rate| Point::new(x, rate))),
            }
        }
        for (all, points) in [(&mut rates, rate), (&mut atomics, atomic), (&mut sectors, sector)] {
            all.push(Series::new(&kernel.name, points));
        }
    }
    let x = &say!("elements-kept");
    let panels = if lesson.is_on_emulator() {
        vec![
            Panel::new(&say!("atomics"), x, &say!("atomics-counted"), atomics),
            Panel::new(&say!("memory"), x, &say!("sectors-counted"), sectors),
        ]
    } else {
        vec![Panel::new(&say!("bandwidth"), x, &say!("rate"), rates)]
    };
    let title = say!("figure", n = n.to_string());
    Ok(Figure { title, note: lesson.device_line(), panels })
}

fn for_each_thousand(counts: &Counts, counters: &[Counter]) -> f64 {
    let sum: u64 = counters.iter().map(|&counter| counts[counter]).sum();
    1000.0 * sum as f64 / counts.size as f64
}
