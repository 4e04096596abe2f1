//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::Schedule;
use common::testing::Table;
use lesson05_dynamic_parallelism::{KERNELS, ROWS, WORDS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson05-dynamic-parallelism"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..16");
}

#[test]
fn every_run_of_every_broken_kernel_is_reported() {
    TABLE.assert_always_found(&[(Schedule::Random, 16), (Schedule::Adversarial, 16)]);
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
    TABLE.assert_replays(&["border_dwell", "child_result", "child_pointer", "launch_error"]);
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

/// A finding in or about a child says who launched it, and where.
#[test]
fn a_race_with_a_child_names_its_launch() {
    let report = TABLE.json(&["--only", "child_result", "--schedule", "in-order"]);
    let findings = report["rows"][0]["findings"].as_array().expect("findings is a list");
    let accesses = findings[0]["accesses"].as_array().expect("a race has accesses");
    let launched: Vec<_> = accesses.iter().filter_map(|access| access["launched_by"][0].as_object()).collect();
    let [launch] = launched[..] else { panic!("one of two is in a child: {findings:#?}") };
    assert_eq!(launch["kernel"], "square_all");
    let file = KERNELS.iter().find(|file| file.name == "child_result").expect("it is there");
    let line = launch["location"]["line"].as_u64().expect("a line") as usize;
    assert!(file.source.lines().nth(line - 1).is_some_and(|text| text.contains("square_all<<<")), "{launch:?}");
}

#[test]
fn a_report_ends_in_a_command_that_writes_its_page() {
    TABLE.assert_pages(&["launch_error", "child_result"]);
}
