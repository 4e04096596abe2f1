#[path = "../../../../lesson07-beyond-the-block/tests/properties/mod.rs"]
mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson07_beyond_the_block::{KERNELS, bins, chain, mirror, product, ring, store, tiles};

/// The lesson's rows. For a debug build the assembler waits for each product by itself, so registers of products are
/// not judged there.
static ROWS: &[Row] = &[
    tiles::TILE,
    ring::RING,
    store::STORE,
    product::PRODUCT.broken(&[]),
    chain::CHAIN,
    bins::BINS,
    bins::LARGE,
    mirror::MIRROR,
];

static DRAWN: CaseSource = CaseSource::on(|| {
    Bench::open_debug(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lesson07-beyond-the-block"), KERNELS, ROWS)
});
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |row: &Row| row.sizes.seeds.min(row.shows_from.max(1024));
    bench.assert_all_kept(size, 0..4);
}
