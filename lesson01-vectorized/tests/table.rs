//! The lesson's table, end to end: the program itself, its JSON, its replay, its figure; and what the kernel files
//! claim.

use common::Schedule;
use common::testing::Table;
use lesson01_vectorized::{KERNELS, ROWS, WORDS};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson01-vectorized"), files: KERNELS, rows: ROWS };

#[test]
fn every_kernel_does_what_the_table_says() {
    TABLE.assert_kept("0..32");
}

#[test]
fn every_run_of_every_broken_kernel_is_reported() {
    TABLE.assert_always_found(&[(Schedule::Random, 32), (Schedule::Adversarial, 8)]);
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
    TABLE.assert_replays(&["copy", "int2_tail", "int4_tail", "int4_offset"]);
}

#[test]
fn the_ptx_is_as_the_kernel_files_claim() {
    TABLE.assert_claims();
}

#[test]
fn the_claims_hold_for_debug_builds_too() {
    TABLE.assert_debug_claims(|path| kernel_build::debug_ptx(env!("CARGO_MANIFEST_DIR"), path));
}

/// A row of its own size, with `--n` and without counters, is no reason to fail.
#[test]
fn small_sizes_are_taken() {
    for n in ["0", "1", "3"] {
        let output = TABLE.run(&["--only", "ladder", "--only", "access", "--n", n, "--seeds", "0..2"]);
        assert_eq!(output.status.code(), Some(0), "{n}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_figure_is_written_in_both_formats() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, start) in [("lesson01.svg", &b"<svg "[..]), ("lesson01.png", b"\x89PNG")] {
        let path = folder.join(name);
        let path = path.to_str().expect("a path of ours");
        let output =
            TABLE.run(&["--only", "ladder", "--only", "access", "--n", "4096", "--seeds", "0..1", "--plot", path]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = std::fs::read(path).expect("it was written");
        assert!(bytes.starts_with(start), "{name}");
        if name.ends_with("svg") {
            let text = String::from_utf8(bytes).expect("SVG is text");
            for part in [
                "By width of the type",
                "By stride",
                "By offset",
                "access_strided",
                "32-byte sectors",
                "bytes of each load",
            ] {
                assert!(text.contains(part), "{part}");
            }
        }
    }
}

#[test]
fn a_report_ends_in_a_command_that_writes_its_page() {
    TABLE.assert_pages(&["int2_tail"]);
}
