//! Every conformance file through `ptxas`: what NVIDIA's assembler refuses proves nothing about an emulator.

use kernel_build::Nvcc;
use std::path::Path;
use std::process::Command;

#[test]
fn ptxas_takes_every_file() {
    let Ok(nvcc) = Nvcc::find() else {
        skipped::because(skipped::CUDA_COMPILER, "no CUDA toolkit on this machine");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance");
    let files = conformance::files(&folder).expect("the folder is there");
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance.cubin");
    let mut refused = Vec::new();
    for path in &files {
        let output = Command::new(nvcc.sibling("ptxas"))
            .args(["--gpu-name", "sm_90", "-o"])
            .arg(&object)
            .arg(path)
            .output()
            .expect("ptxas runs");
        if !output.status.success() {
            refused.push(format!("{}\n{}", path.display(), String::from_utf8_lossy(&output.stderr).trim_end()));
        }
    }
    assert!(files.len() > 80, "only {} files", files.len());
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
