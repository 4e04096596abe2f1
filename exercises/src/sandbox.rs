//! Shuts a judging process in, with Landlock (Linux' kernel documentation, "Landlock: unprivileged access control").
//!
//! A submission is CUDA C++: it is compiled inside this process and interpreted, so nothing of it ever runs as a program.
//! What it could do is read, by `#include`. From here on the process may read the student's folder, what judging takes of
//! the catalogue (no solutions), the compiler's headers and the system's libraries, and write temporary files of its own.
//! Where Linux does not enforce all of it, that is an error.

use crate::catalog::Catalog;
use crate::compile::Compiler;
use crate::{pack, stored};
use anyhow::{Context, Result, bail};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// Makes it so, for the rest of this process.
pub fn enter(student: &Path, catalog: &Catalog, compiler: &Compiler) -> Result<()> {
    let Compiler::Nvrtc(nvrtc, includes, _) = compiler else {
        bail!(
            "only NVRTC can be shut in, nvcc is many programs; `cargo toolkit install` brings it, or say `--no-sandbox`"
        );
    };
    let abi = ABI::V1;
    let own = std::env::temp_dir();
    let course = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Stored PTX is known by its source, and the course's root by its Cargo.toml.
    let mut read = vec![student.into(), course.with_file_name("cuda").join("ptx"), course.with_file_name("Cargo.toml")];
    for exercise in &catalog.exercises {
        read.extend([exercise.folder.join("exercise.toml"), exercise.check_file(), exercise.shipped()]);
        let kernels = stored::sources(exercise);
        read.extend(kernels.iter().map(|path| path.with_extension("ptx")).chain(kernels.iter().cloned()));
    }
    read.push(catalog.folder.join(pack::FILE));
    read.extend(catalog.topics.iter().map(|(name, _)| catalog.folder.join(name).join("topic.toml")));
    read.extend(includes.iter().cloned());
    read.extend(nvrtc.path().parent().map(Path::to_path_buf));
    read.extend(["/usr/lib", "/lib", "/lib64"].map(PathBuf::from));
    read.retain(|path| path.exists());
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.create())
        .and_then(|rules| rules.add_rules(path_beneath_rules(read, AccessFs::from_read(abi))))
        .and_then(|rules| rules.add_rules(path_beneath_rules([&catalog.folder], AccessFs::ReadDir)))
        .and_then(|rules| rules.add_rules(path_beneath_rules([own], AccessFs::from_all(abi))))
        .and_then(|rules| rules.restrict_self())
        .context("Linux has no Landlock here; say `--no-sandbox` to grade without")?;
    if status.ruleset != RulesetStatus::FullyEnforced {
        bail!("Linux does not enforce Landlock here; say `--no-sandbox` to grade without");
    }
    Ok(())
}
