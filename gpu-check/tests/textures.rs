//! Compares texture reads in all modes with those of an H200 with CUDA 13.0: `lab/textures/PROGRAM.h200.txt` has the
//! FNV-1a hash of each line that the program printed there.

use kernel_build::Nvcc;
use std::path::Path;
use std::process::Command;

/// Beginnings of the lines in which reads differ, as `docs/limits.md` says.
const MODES_DIFFER: &[&str] = &["2d f16x2 linear clamp texels"];
const LEVELS_DIFFER: &[&str] = &[
    "2d f16x2 linear",
    "1d srgbx4 linear linear-levels",
    "2d srgbx2 linear linear-levels",
    "2d srgbx4 linear linear-levels wrap",
    "3d srgbx4 linear linear-levels",
    "a1d srgbx4 linear linear-levels",
    "acube srgbx4 linear linear-levels",
    "grad f32 linear linear-levels",
    "2d f32 linear linear-levels clamp view 20 from 0",
];

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn hashed(line: &str) -> String {
    let (name, values) = line.split_once(": ").expect("a name and values");
    format!("{name}: {:016x}", hash(values))
}

#[test]
fn texture_reads_have_the_bits_of_a_gpu() {
    compare("modes", &["full"], MODES_DIFFER);
}

#[test]
fn reads_of_mipmaps_srgb_seamless_cubes_and_views_have_the_bits_of_a_gpu() {
    compare("levels", &[], LEVELS_DIFFER);
}

fn compare(program: &str, arguments: &[&str], differing: &[&str]) {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/textures");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", "--fast"]).arg(folder.join(format!("{program}.cu"))).args(arguments);
    let output = command.env_remove("LESSON_DEVICE").output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted = std::fs::read_to_string(folder.join(format!("{program}.h200.txt"))).unwrap();
    let wanted: Vec<&str> = wanted.lines().collect();
    let given: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(hashed).collect();
    assert_eq!(given.len(), wanted.len());
    let agrees = |line: &str| !differing.iter().any(|start| line.starts_with(start));
    for (given, wanted) in given.iter().zip(wanted).filter(|(_, wanted)| agrees(wanted)) {
        assert_eq!(given, wanted);
    }
}
