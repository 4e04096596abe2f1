//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::Schedule;
use common::testing::Table;
use lesson07_beyond_the_block::{KERNELS, ROWS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson07-beyond-the-block"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..16");
}

#[test]
fn every_run_of_every_broken_kernel_is_reported() {
    TABLE.assert_always_found(&[(Schedule::Random, 16)]);
}

#[test]
fn a_finding_is_short_in_each_language() {
    TABLE.assert_readable();
}

#[test]
fn a_replay_is_the_same_run_again() {
    TABLE.assert_replays(&["tile", "ring", "store", "product", "chain", "bins", "mirror"]);
}

#[test]
fn nothing_at_all_is_a_size_too() {
    let output = TABLE.run(&["--n", "0", "--seeds", "0..2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_ptx_is_as_the_kernel_files_claim() {
    TABLE.assert_claims();
}

#[test]
fn the_claims_hold_for_debug_builds_too() {
    TABLE.assert_debug_claims(|path| kernel_build::debug_ptx(env!("CARGO_MANIFEST_DIR"), path));
}

#[test]
fn a_report_ends_in_a_command_that_writes_its_page() {
    TABLE.assert_pages(&["tile", "ring", "store", "product", "chain", "bins", "mirror"]);
}
