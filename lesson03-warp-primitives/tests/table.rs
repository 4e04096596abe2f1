//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::testing::Table;
use lesson03_warp_primitives::{KERNELS, ROWS, WORDS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson03-warp-primitives"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..16");
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
    TABLE.assert_replays(&["transpose", "lockstep_sum", "block_reduce_sum", "device_reduce"]);
}

#[test]
fn nothing_at_all_is_a_size_too() {
    let output = TABLE.run(&["--n", "0", "--seeds", "0..2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn pictures_are_for_people() {
    let text = |arguments: &[&str]| String::from_utf8(TABLE.run(arguments).stdout).unwrap();
    let only = ["--only", "exchange", "--seeds", "0..1"];
    assert!(text(&only).contains("\n  reads   4   5   6   7   8"));
    // JSON is one object and nothing else, and a row that was not asked for draws nothing.
    TABLE.json(&only);
    assert!(!text(&["--only", "transpose", "--seeds", "0..1"]).contains("\n  reads"));
}

#[test]
fn the_ptx_is_as_the_kernel_files_claim() {
    TABLE.assert_claims();
}

#[test]
fn what_does_not_compile_is_refused_by_the_nvcc_that_is_here() {
    TABLE.assert_refused(env!("CARGO_MANIFEST_DIR"));
}

#[test]
fn the_claims_hold_for_debug_builds_too() {
    TABLE.assert_debug_claims(|path| kernel_build::debug_ptx(env!("CARGO_MANIFEST_DIR"), path));
}

#[test]
fn a_report_ends_in_a_command_that_writes_its_page() {
    TABLE.assert_pages(&["all_reduce", "exchange"]);
}

/// A note is shown where what it tells has reached the wrong element, and left out where it has not.
#[test]
fn a_wrong_result_names_who_wrote_it_and_whether_a_note_is_the_reason() {
    let told = |row: &str| {
        let output = TABLE.run(&["--only", row, "--seeds", "0..1"]);
        String::from_utf8(output.stdout).expect("a report is text").replace("\n          ", " ")
    };
    let all_reduce = told("all_reduce");
    let reason = "read the note below: it explains this value";
    for part in ["^ thread 1 (warp 0) writes 499, the last write of `out[1]`", reason, "\nnote: a shuffle past the end"]
    {
        assert!(all_reduce.contains(part), "{part}: {all_reduce}");
    }
    let tail = told("block_reduce_tail");
    for part in [
        "^ thread 0 (warp 0) writes 4560, the last write of `*sum`",
        "no thread reads `partial[3]` (written in line 38)",
    ] {
        assert!(tail.contains(part), "{part}: {tail}");
    }
    assert!(!tail.contains("note:"), "{tail}");
}
