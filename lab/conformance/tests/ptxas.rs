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
    let files = conformance::files(&conformance::folder()).expect("the folder is there");
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance.cubin");
    let mut refused = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("the file is there");
        let newer = text.lines().find_map(|line| line.strip_prefix(".target ")).filter(|target| target.len() > 5);
        let output = Command::new(nvcc.sibling("ptxas"))
            .args(["--gpu-name", newer.unwrap_or("sm_90"), "-o"])
            .arg(&object)
            .arg(path)
            .output()
            .expect("ptxas runs");
        let said = String::from_utf8_lossy(&output.stderr);
        // An older ptxas has not heard of a newer target.
        let is_unheard = newer.is_some() && said.contains("gpu-name");
        if !output.status.success() && !is_unheard {
            refused.push(format!("{}\n{}", path.display(), said.trim_end()));
        }
    }
    assert!(files.len() > 80, "only {} files", files.len());
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
