//! Compares copies of tensors and products of warpgroups with those of an H200 with CUDA 13.0. `h200.txt` in
//! `lab/tensors/` and `lab/wgmma/` is what the program next to it printed there.

use kernel_build::Nvcc;
use std::path::Path;
use std::process::Command;

/// Returns what a program of `lab/` prints under `gpu-check`, and what it printed on an H200.
fn printed(folder: &str, program: &str, flags: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab").join(folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", "--fast", "--nvcc-flags", flags]).arg(folder.join(program));
    let output = command.env_remove("LESSON_DEVICE").output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted = std::fs::read_to_string(folder.join("h200.txt")).unwrap();
    (String::from_utf8(output.stdout).unwrap(), wanted)
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
