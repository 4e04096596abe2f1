//! The program itself: what it prints, writes and returns without a GPU.

use bench::record::Report;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench"))
        .env("LANG", "C.UTF-8")
        .env_remove("LC_ALL")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// One row, which took so many milliseconds, beside a peer that took 2.
fn stored(ms: f64) -> String {
    format!(
        r#"{{"machine": {{"gpu": "NVIDIA H200", "compute_capability": "9.0", "driver": "580.95.05", "cuda": "13.0",
        "cub": "3.0.1", "processes": 1, "copy_gb_per_s": 4000.0}}, "records": [{{"job": "sum", "input": "random",
        "n": 1000, "method": "vector_sum_warp", "ms": {ms}, "ms_low": {ms}, "ms_high": {ms}, "rounds": 51,
        "bytes": 4000, "gb_per_s": {}, "peer": "cub::DeviceReduce::Sum", "peer_ms": 2.0, "ratio": {}, "ratio_low": 1.0,
        "ratio_high": 2.0}}]}}"#,
        4000.0 / (ms * 1e6),
        2.0 / ms
    )
}

#[test]
fn without_a_gpu_it_is_skipped_and_nothing_is_written() {
    if driver::choose(driver::Choice::Gpu, None).is_ok() {
        skipped::because(skipped::WITHOUT, "there is a GPU");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let output = bench(&["--quick", "--json", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("skipped: no NVIDIA GPU ("), "{}", text(&output.stdout));
    assert!(!file.exists());
}

#[test]
fn three_files_become_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let files = [1.0, 4.0, 2.0].map(|ms| {
        let path = path(&format!("{ms}.json"));
        fs::write(&path, stored(ms)).unwrap();
        path
    });
    let (json, csv) = (path("all.json"), path("all.csv"));
    let [a, b, c] = files.each_ref().map(String::as_str);
    let output = bench(&["--merge", a, b, c, "--json", &json, "--csv", &csv]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("1.000 [1.000 2.000] cub::DeviceReduce::Sum"), "{}", text(&output.stdout));
    let report = Report::read(Path::new(&json)).unwrap();
    assert_eq!((report.machine.processes, report.records[0].ms, report.records[0].ms_high), (3, 2.0, 4.0));
    assert!(
        fs::read_to_string(&csv).unwrap().lines().nth(1).unwrap().starts_with("sum,random,1000,vector_sum_warp,2,1,4,")
    );
}

#[test]
fn what_cannot_be_read_or_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.json");
    fs::write(&broken, stored(1.0).replace("\"ratio\": 2", "\"ratio\": 3")).unwrap();
    let broken = broken.to_str().unwrap();
    for (arguments, part) in [
        (&["--merge", "no/such.json"][..], "no/such.json"),
        (&["--merge", broken], "ratio is not peer_ms / ms"),
        (&["--json", "no/such/folder/a.json"], "the folder no/such/folder does not exist"),
        (&["--json", "no/such/folder/a.json", "--lang", "es"], "la carpeta no/such/folder no existe"),
    ] {
        let output = bench(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {}", text(&output.stderr));
    }
    assert_eq!(bench(&["--job", "none"]).status.code(), Some(2));
    assert_eq!(bench(&["--check", "--quick"]).status.code(), Some(2), "one runs on a GPU, the other does not");
}

#[test]
fn help_is_there_in_both_languages() {
    for (language, word) in [("en", "answers checked"), ("es", "comprueban")] {
        let output = bench(&["--lang", language, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains(word), "{}", text(&output.stdout));
    }
}
