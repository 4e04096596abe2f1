//! Compares texture reads in all modes with those of an H200 with CUDA 13.0: `lab/textures/h200.txt` has the FNV-1a
//! hash of each line that `./modes full` printed there.

use kernel_build::Nvcc;
use std::path::Path;
use std::process::Command;

/// The line in which one read differs, as `docs/limits.md` says.
const DIFFERS: &str = "2d f16x2 linear clamp texels";

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn hashed(line: &str) -> String {
    let (name, values) = line.split_once(": ").expect("a name and values");
    format!("{name}: {:016x}", hash(values))
}

#[test]
fn texture_reads_have_the_bits_of_a_gpu() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/textures");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", "--fast"]).arg(folder.join("modes.cu")).arg("full").env_remove("LESSON_DEVICE");
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted = std::fs::read_to_string(folder.join("h200.txt")).unwrap();
    let wanted: Vec<&str> = wanted.lines().collect();
    let given: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(hashed).collect();
    assert_eq!(given.len(), wanted.len());
    for (given, wanted) in given.iter().zip(wanted).filter(|(_, wanted)| !wanted.starts_with(DIFFERS)) {
        assert_eq!(given, wanted);
    }
}
