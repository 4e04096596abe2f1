//! The jobs. A file has a table of its methods: a new kernel is a line or a few in one of them.

mod barrier;
mod bins;
mod block_sum;
mod chain;
mod copy;
mod filter;
mod histogram;
mod mandelbrot;
mod reduce;
mod tile;

use crate::run::Job;

/// In the order in which they run.
pub static JOBS: &[Job] = &[
    Job { name: "copy", run: copy::copy },
    Job { name: "memset", run: copy::memset },
    Job { name: "sum", run: reduce::sum },
    Job { name: "max", run: reduce::max },
    Job { name: "histogram", run: histogram::histogram },
    Job { name: "filter", run: filter::filter },
    Job { name: "barrier", run: barrier::barrier },
    Job { name: "reduce", run: block_sum::block_sum },
    Job { name: "tile", run: tile::tile },
    Job { name: "bins", run: bins::bins },
    Job { name: "large", run: bins::large },
    Job { name: "chain", run: chain::chain },
    Job { name: "mandelbrot", run: mandelbrot::mandelbrot },
];
