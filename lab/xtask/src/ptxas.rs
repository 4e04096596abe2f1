//! Stored PTX through `ptxas`, NVIDIA's own assembler: what it refuses, no driver will load.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use kernel_build::{Nvcc, toolkit};

use crate::ptx;

pub fn check(root: &Path) -> Result<String> {
    let nvcc = Nvcc::find_version(toolkit::NVCC_VERSION)
        .with_context(|| format!("stored PTX is checked with the ptxas of nvcc {}", toolkit::NVCC_VERSION))?;
    let ptxas = nvcc.sibling("ptxas");
    let object = env::temp_dir().join(format!("ptxas-{}.cubin", std::process::id()));
    let files = ptx::existing(root)?;
    let mut refused = Vec::new();
    for path in &files {
        let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {}", path.display()))?;
        let Some(target) = target(&text) else {
            refused.push(format!("{} has no `.target` line", path.display()));
            continue;
        };
        let mut command = Command::new(&ptxas);
        command.current_dir(root).arg("--gpu-name").arg(target).arg("-o").arg(&object);
        if is_relocatable(&text) {
            command.arg("--compile-only"); // What it calls is in libcudadevrt.a, which a later link brings.
        }
        let output = command.arg(path).output().with_context(|| format!("cannot run {}", ptxas.display()))?;
        if !output.status.success() {
            refused.push(format!("{}\n{}", path.display(), String::from_utf8_lossy(&output.stderr).trim_end()));
        }
    }
    // It is there unless every file was refused.
    if object.exists() {
        fs::remove_file(&object)?;
    }
    if !refused.is_empty() {
        bail!("ptxas refused {} of {} stored PTX files\n{}", refused.len(), files.len(), refused.join("\n"));
    }
    Ok(format!("ptxas takes all {} stored PTX files", files.len()))
}

/// `sm_75` from `.target sm_75, debug`.
fn target(ptx: &str) -> Option<&str> {
    ptx.lines().find_map(|line| line.strip_prefix(".target ")?.split(',').next()).map(str::trim)
}

/// From the `flags` line that every stored PTX opens with.
fn is_relocatable(ptx: &str) -> bool {
    let flags = ptx.lines().map_while(|line| line.strip_prefix("// ")).find(|line| line.starts_with("flags"));
    flags.is_some_and(|flags| flags.split_whitespace().any(|flag| matches!(flag, "-rdc=true" | "-dc")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_and_kind_are_read_from_the_text() {
        let ptx = "// source   a.cu\n// flags    -O3 -rdc=true\n.version 9.0\n.target sm_90, debug\n";
        assert_eq!(target(ptx), Some("sm_90"));
        assert!(is_relocatable(ptx));
        assert!(!is_relocatable(&ptx.replace(" -rdc=true", "")));
        assert_eq!(target(".version 9.0\n"), None);
    }
}
