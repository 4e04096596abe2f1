//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::Schedule;
use common::testing::Table;
use lesson02_sync::{KERNELS, ROWS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson02-sync"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..64");
}

#[test]
fn every_run_of_every_broken_kernel_is_reported() {
    TABLE.assert_always_found(&[(Schedule::Random, 64), (Schedule::Adversarial, 64)]);
}

#[test]
fn a_finding_is_short_in_each_language() {
    TABLE.assert_readable();
}

#[test]
fn a_replay_is_the_same_run_again() {
    TABLE.assert_replays(&["reverse", "globalreverse", "barrier_sides", "barrier_elsewhere", "flag_scope"]);
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

/// Checks the remark in flag.cu: nvcc waits for a plain flag with a branch to itself, and a volatile one is loaded
/// each time.
#[test]
fn a_plain_flag_becomes_an_endless_loop() {
    let file = KERNELS.iter().find(|file| file.name == "flag").unwrap();
    let body = |kernel: &str| {
        let start = file.ptx.find(&format!(".entry {kernel}(")).expect("it was compiled");
        file.ptx[start..].lines().take_while(|line| *line != "}").map(str::trim).collect::<Vec<_>>()
    };
    // A label, and at once a branch to it.
    let is_endless = |lines: &[&str]| {
        let code: Vec<_> = lines.iter().filter(|line| !line.starts_with(".loc") && !line.is_empty()).collect();
        code.windows(2).any(|pair| pair[1].split_whitespace().eq(["bra.uni", &pair[0].replace(':', ";")]))
    };
    assert!(is_endless(&body("flag_plain_remark")));
    for kernel in ["flag_broken", "flag_correct", "flag_acquire"] {
        assert!(!is_endless(&body(kernel)), "{kernel}");
    }
}

#[test]
fn a_report_ends_in_a_command_that_writes_its_page() {
    TABLE.assert_pages(&["reverse", "barrier_elsewhere"]);
}
