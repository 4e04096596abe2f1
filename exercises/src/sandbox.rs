//! Shuts a judging process in, with Landlock (Linux' kernel documentation, "Landlock: unprivileged access control").
//!
//! A submission is CUDA C++: it is compiled inside this process and interpreted, so nothing of it ever runs as a program.
//! What it could do is read, by `#include`. From here on the process may read the course, the compiler's headers, the
//! system's libraries and the folders that are named, and write temporary files of its own. Where the kernel does not enforce all of
//! it, that is an error.

use crate::compile::Compiler;
use anyhow::{Context, Result, bail};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// Makes it so, for the rest of this process.
pub fn enter(folders: &[PathBuf], compiler: &Compiler) -> Result<()> {
    let Compiler::Nvrtc(nvrtc, includes) = compiler else {
        bail!(
            "only NVRTC can be shut in, nvcc is many programs; `cargo toolkit install` brings it, or say `--no-sandbox`"
        );
    };
    let abi = ABI::V1;
    let own = std::env::temp_dir();
    let course = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut read = vec![course.join("catalog"), course.with_file_name("cuda"), course.with_file_name("Cargo.toml")];
    read.extend(folders.iter().cloned());
    read.extend(includes.iter().cloned());
    read.extend(nvrtc.path().parent().map(Path::to_path_buf));
    read.extend(["/usr/lib", "/lib", "/lib64"].map(PathBuf::from));
    read.retain(|path| path.exists());
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.create())
        .and_then(|rules| rules.add_rules(path_beneath_rules(read, AccessFs::from_read(abi))))
        .and_then(|rules| rules.add_rules(path_beneath_rules([own], AccessFs::from_all(abi))))
        .and_then(|rules| rules.restrict_self())
        .context("this kernel has no Landlock; say `--no-sandbox` to grade without")?;
    if status.ruleset != RulesetStatus::FullyEnforced {
        bail!("this kernel does not enforce Landlock; say `--no-sandbox` to grade without");
    }
    Ok(())
}
