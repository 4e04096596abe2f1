//! The lesson's table, end to end: the program itself, its JSON, its replay; and what the kernel files claim.

use common::KernelFile;
use common::claims::{self, Build};
use kernel_build::ptx_with_flags;
use lesson02_sync::{KERNELS, ROWS};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn lesson(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lesson02-sync"))
        .args(["--device", "emulator"])
        .args(arguments)
        .output()
        .expect("the lesson starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = lesson(&[arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error} in what {arguments:?} printed:\n{}", String::from_utf8_lossy(&output.stderr))
    })
}

/// The line of code below a kernel's `BUG:` comment.
fn bug_line(file: &KernelFile, kernel: &str) -> u32 {
    let extent = file.extent(kernel).expect("every broken kernel is written out in its file");
    let mut lines = (1..).zip(file.source.lines()).filter(|(number, _)| extent.contains(number));
    lines.find(|(_, line)| line.contains("// BUG:")).expect("a broken kernel says where");
    let is_code = |line: &str| !line.trim().is_empty() && !line.trim().starts_with("//");
    lines.find(|(_, line)| is_code(line)).expect("code follows the comment").0
}

/// Every broken kernel is found under its slug, on the line that its comment marks, by each of the 64 default seeds and in order.
#[test]
fn every_kernel_does_what_the_table_says() {
    let report = json(&[]);
    let rows = report["rows"].as_array().expect("rows is a list");
    let reported: Vec<&str> = rows.iter().filter_map(|row| row["kernel"].as_str()).collect();
    let table: Vec<String> = ROWS.iter().flat_map(|row| row.kernels()).map(|(name, _)| name).collect();
    assert_eq!(BTreeSet::from_iter(reported), BTreeSet::from_iter(table.iter().map(String::as_str)));

    for row in rows {
        let kernel = row["kernel"].as_str().unwrap();
        assert_eq!(row["expected"], Value::Bool(true), "{kernel}: {row:#}");
        assert_eq!(row["runs"], 65, "{kernel}");
        if row["variant"] != "broken" {
            assert_eq!(row["wrong_runs"], 0, "{kernel}");
            assert_eq!(row["findings"], Value::Array(vec![]), "{kernel}");
            continue;
        }
        let file = KERNELS.iter().find(|file| file.kernels().any(|name| name == kernel)).unwrap();
        let bug = bug_line(file, kernel);
        let names_it = |finding: &&Value| {
            finding["slug"] == row["slug"] && finding["lines"].as_array().unwrap().iter().any(|line| *line == bug)
        };
        let findings = row["findings"].as_array().unwrap();
        assert!(findings.iter().any(|finding| names_it(&finding)), "{kernel}: no finding on line {bug}: {findings:#?}");
    }
}

#[test]
fn a_replay_is_the_same_run_again() {
    for kernel in ["reverse", "globalreverse", "barrier_elsewhere", "flag_scope"] {
        let first = json(&["--only", kernel, "--seeds", "0..4"]);
        let broken = &first["rows"][0];
        let token = broken["findings"][0]["replay"].as_str().unwrap();
        let [once, again] = [json(&["--replay", token]), json(&["--replay", token])];
        assert_eq!(once, again, "{token}");
        let [row] = &once["rows"].as_array().unwrap()[..] else { panic!("one kernel is replayed: {once:#}") };
        assert_eq!((&row["kernel"], &row["runs"]), (&broken["kernel"], &Value::from(1)));
        let lines = &broken["findings"][0]["lines"];
        assert!(row["findings"].as_array().unwrap().iter().any(|finding| finding["lines"] == *lines), "{token}");
    }
}

#[test]
fn nothing_at_all_is_a_size_too() {
    let output = lesson(&["--n", "0", "--seeds", "0..2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_ptx_is_as_the_kernel_files_claim() {
    for file in KERNELS {
        let claims = claims::verify(file, file.ptx, Build::Optimised).unwrap();
        for (kernel, variant) in ROWS.iter().flat_map(|row| row.kernels()) {
            let is_claimed = claims.iter().any(|claim| claim.kernel == kernel);
            assert!(
                is_claimed || file.kernels().all(|name| name != kernel) || variant.expect().is_none(),
                "{kernel} claims nothing"
            );
        }
    }
}

#[test]
fn the_claims_hold_for_debug_builds_too() {
    let root = kernel_build::repository_root(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    for file in KERNELS {
        match ptx_with_flags(&root, file.source_path, &["-G", "-std=c++17"]) {
            Ok(ptx) => drop(claims::verify(file, &ptx, Build::Debug).unwrap()),
            Err(error) => return println!("skipped: {error}"),
        }
    }
}

/// What the remark in flag.cu says: nvcc waits for a plain flag with a branch to itself, and a volatile one is loaded each time.
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
