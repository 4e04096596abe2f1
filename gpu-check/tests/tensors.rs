//! Compares copies of tensors, bulk copies and products of matrices with those of an H200 with CUDA 13.0. `h200.txt` in
//! `lab/tensors/` and `lab/wgmma/` is what the program next to it printed there. `lab/bits/` has hashes of such lines.

use kernel_build::Nvcc;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns what a program of `lab/` prints under `gpu-check`.
fn run(program: &Path, arguments: &[&str], flags: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", "--fast", "--nvcc-flags", flags]).arg(program).args(arguments);
    let output = command.env_remove("LESSON_DEVICE").output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn lab(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab").join(folder)
}

/// Returns what a program of `lab/` prints under `gpu-check`, and what it printed on an H200.
fn printed(folder: &str, program: &str, flags: &str) -> (String, String) {
    let folder = lab(folder);
    let wanted = std::fs::read_to_string(folder.join("h200.txt")).unwrap();
    (run(&folder.join(program), &[], flags), wanted)
}

/// Compares the first seeds of a program of `lab/bits/`.
fn seeds_agree(program: &str, seeds: usize) {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let folder = lab("bits");
    let stored = std::fs::read_to_string(folder.join(format!("{program}.h200.txt"))).unwrap();
    let count = seeds.to_string();
    let flags = "-std=c++17 -arch=sm_90a -lcuda";
    let given = run(&folder.join(format!("{program}.cu")), &["0", &count], flags);
    assert_eq!(given.lines().count(), seeds);
    for (line, wanted) in given.lines().zip(stored.lines()) {
        assert_eq!(format!("{:016x}", fnv1a(line)), wanted, "{line}");
    }
}

fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn random_copies_of_tensors_have_the_bits_of_a_gpu() {
    seeds_agree("tensors", 300);
}

#[test]
fn random_bulk_copies_have_the_bits_of_a_gpu() {
    seeds_agree("bulk", 300);
}

#[test]
fn random_products_have_the_bits_of_a_gpu() {
    seeds_agree("products", 300);
}

fn assert_same(given: &str, wanted: &str) {
    assert_eq!(given.lines().count(), wanted.lines().count());
    for (given, wanted) in given.lines().zip(wanted.lines()) {
        assert_eq!(given, wanted);
    }
}

#[test]
fn copies_of_tensors_have_the_bits_of_a_gpu() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let (given, wanted) = printed("tensors", "modes.cu", "-arch=sm_90a -lcuda");
    assert_same(&given, &wanted);
}

#[test]
fn products_of_warpgroups_have_the_bits_of_a_gpu() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let (given, wanted) = printed("wgmma", "forms.cu", "-gencode arch=compute_90a,code=compute_90a");
    assert_same(&given, &wanted);
}
