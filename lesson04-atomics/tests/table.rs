//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::testing::{Bench, Table};
use common::{Peer, Schedule};
use lesson04_atomics::{KERNELS, ROWS, WORDS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson04-atomics"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..16");
}

#[test]
fn every_run_of_every_broken_kernel_is_reported() {
    TABLE.assert_always_found(&[(Schedule::Random, 64), (Schedule::Adversarial, 16)]);
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
    TABLE.assert_replays(&["counter", "filter", "histogram_barrier", "lock_scope", "lock_order"]);
}

#[test]
fn nothing_at_all_is_a_size_too() {
    let output = TABLE.run(&["--n", "0", "--seeds", "0..2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Aggregation by hand means a warp's worth of atomics instead of a thread's; the scan needs none.
#[test]
fn the_figure_shows_who_needs_how_many_atomics() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("filter.svg");
    let path = path.to_str().expect("a path of ours");
    let output = TABLE.run(&["--only", "filter", "--seeds", "0..1", "--plot", path]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(path).expect("it was written");
    // The ends of each line, as the figure tells them to who does not see it.
    for told in [
        "filter_correct (0: 0 … 100: 1000)",
        "filter_shared (0: 3.91 … 100: 1004)",
        "filter_warp (0: 0 … 100: 31.2)",
        "filter_groups (0: 0 … 100: 31.2)",
        "filter_scan (0: 0 … 100: 0)",
        "filter_lookback (0: 0.977 … 100: 0.977)",
        "filter_tiles (0: 1.04 … 100: 1.04)",
    ] {
        let name = told.split(' ').next().expect("a name");
        assert!(text.contains(told), "{told}");
        assert_eq!(text.matches(&format!(">{name}</text>")).count(), 2, "{name}: once per panel");
    }
}

/// A broken kernel has none, and neither has a row whose job no library does alike.
#[test]
fn correct_kernels_say_their_peer() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    for (row, kernel, peer) in [
        ("vector_sum", "vector_sum_broken", None),
        ("vector_sum", "vector_sum_correct", Some(Peer::Sum)),
        ("array_max", "array_max_tree", Some(Peer::Max)),
        ("last_block", "last_block_packed", Some(Peer::Sum)),
        ("last_block", "last_block_max", Some(Peer::Max)),
        ("histogram", "histogram_lanes", Some(Peer::Histogram)),
        ("filter", "filter_tiles", Some(Peer::SelectIf)),
        ("atomic_max_float", "atomic_max_float_bits", None),
    ] {
        assert_eq!(bench.kernel(row, kernel).peer(), peer, "{kernel}");
    }
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
    TABLE.assert_pages(&["counter", "lock_order"]);
}

#[test]
fn a_wrong_count_says_what_its_last_change_was() {
    let output = TABLE.run(&["--only", "atomic_inc", "--seeds", "0..1"]);
    let text = String::from_utf8(output.stdout).expect("a report is text");
    let change = "^ thread 1 (warp 0) does an atomic increment with limit 1: `*count` goes from 1 to 0";
    assert!(text.contains(change), "{text}");
}
