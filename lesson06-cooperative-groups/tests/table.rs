//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::Schedule;
use common::testing::Table;
use lesson06_cooperative_groups::{KERNELS, ROWS, WORDS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson06-cooperative-groups"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..16");
}

#[test]
fn every_run_of_every_broken_kernel_is_reported() {
    TABLE.assert_always_found(&[(Schedule::Random, 16)]);
}

#[test]
fn every_key_has_words_and_all_words_a_key() {
    words::check::assert_fits(&WORDS, env!("CARGO_MANIFEST_DIR"), &[]);
}

#[test]
fn a_finding_is_short_in_each_language() {
    TABLE.assert_readable();
}

#[test]
fn a_replay_is_the_same_run_again() {
    TABLE.assert_replays(&["reduce_sum", "partition", "agg_inc", "async_copy", "grid_reverse"]);
}

#[test]
fn nothing_at_all_is_a_size_too() {
    let output = TABLE.run(&["--n", "0", "--seeds", "0..2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_refused_launch_is_shown() {
    let output = TABLE.run(&["--only", "grid_reverse", "--seeds", "0..1"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"));
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
fn what_does_not_compile_is_refused_by_the_nvcc_that_is_here() {
    TABLE.assert_refused(env!("CARGO_MANIFEST_DIR"));
}

#[test]
fn a_report_ends_in_a_command_that_writes_its_page() {
    TABLE.assert_pages(&["partition", "reduce_sum"]);
}
