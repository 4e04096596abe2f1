//! Shuts a process in, with Landlock (Linux' kernel documentation, "Landlock: unprivileged access control").
//!
//! A submission in CUDA C++ is compiled inside the judging process and interpreted, so nothing of it ever runs as a
//! program. What it could do is read, by `#include`. The judging process may read the student's folder, what judging
//! takes of the catalogue (no solutions), the compiler's headers and the system's libraries. It may write to its own
//! temporary folder, which no other judging process can see. A program of the host is built and run inside of that, in
//! processes that may do less still ([`crate::confine`]).
//!
//! Access to files is a must: where Linux does not enforce all of its first version, that is an error. What later
//! versions add (truncating, devices, TCP, signals) is taken where it is there.

use crate::catalog::{Catalog, SPANISH, SPANISH_TOPIC};
use crate::compile::Compiler;
use crate::toolchain::Recipe;
use crate::{pack, stored};
use anyhow::{Context, Result, bail};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The paths that a process may still reach; each with all below it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Walls {
    /// To read, and to run.
    pub read: Vec<PathBuf>,
    /// To see which names there are.
    pub list: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
}

/// Whom a judging process is shut in for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SandboxCell {
    /// The student's folder.
    #[serde(with = "crate::answer")]
    pub student: PathBuf,
    pub catalog: PathBuf,
    /// The recipe for programs of the host, where there are any.
    pub recipe: Option<Recipe>,
}

/// Makes it so, for the rest of this process.
pub fn enter(cell: &SandboxCell, catalog: &Catalog, compiler: Option<&Compiler>) -> Result<()> {
    if let Some(Compiler::Nvcc(_)) = compiler {
        bail!(say!("sandbox-needs-nvrtc"));
    }
    let course = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Stored PTX is known by its source, and the course's root by its Cargo.toml.
    let stored_ptx = course.with_file_name("cuda").join("ptx");
    let mut read = vec![cell.student.clone(), stored_ptx, course.with_file_name("Cargo.toml")];
    for exercise in &catalog.exercises {
        let texts = ["exercise.toml", SPANISH].map(|name| exercise.folder.join(name));
        read.extend(texts.into_iter().chain([exercise.check_file(), exercise.shipped()]));
        let kernels = stored::sources(exercise);
        read.extend(kernels.iter().map(|path| path.with_extension("ptx")).chain(kernels.iter().cloned()));
    }
    read.push(catalog.folder.join(pack::FILE));
    for (name, _) in &catalog.topics {
        read.extend(["topic.toml", SPANISH_TOPIC].map(|file| catalog.folder.join(name).join(file)));
    }
    if let Some(Compiler::Nvrtc(nvrtc, includes, _)) = compiler {
        read.extend(includes.iter().cloned());
        read.extend(nvrtc.path().parent().map(Path::to_path_buf));
    }
    read.extend(system_libraries());
    let mut write = vec![std::env::temp_dir()];
    if let Some(recipe) = &cell.recipe {
        read.extend(recipe.reads());
        // This program, which shuts in what it starts.
        read.push(std::env::current_exe().context(say!("no-own-path"))?);
        write.push("/dev/null".into());
    }
    shut(&Walls { read, list: vec![catalog.folder.clone()], write })
}

/// Returns the folders that every program needs to start.
pub fn system_libraries() -> [PathBuf; 3] {
    ["/usr/lib", "/lib", "/lib64"].map(PathBuf::from)
}

/// True if Linux has Landlock here.
pub fn is_there() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules.handle_access(AccessFs::from_all(ABI::V1)).and_then(|rules| rules.create()).is_ok()
}

/// Shuts this process in, for good.
pub fn shut(walls: &Walls) -> Result<()> {
    let there = |paths: &[PathBuf]| paths.iter().filter(|path| path.exists()).cloned().collect::<Vec<_>>();
    let must = ABI::V1;
    let newest = ABI::V6;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(must))
        .map(|rules| rules.set_compatibility(CompatLevel::BestEffort))
        .and_then(|rules| rules.handle_access(AccessFs::from_all(newest)))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(newest)))
        .and_then(|rules| rules.scope(Scope::from_all(newest)))
        .and_then(|rules| rules.create())
        .and_then(|rules| rules.add_rules(path_beneath_rules(there(&walls.read), AccessFs::from_read(newest))))
        .and_then(|rules| rules.add_rules(path_beneath_rules(there(&walls.list), AccessFs::ReadDir)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(there(&walls.write), AccessFs::from_all(newest))))
        .and_then(|rules| rules.restrict_self())
        .context(say!("sandbox-no-landlock"))?;
    if status.ruleset == RulesetStatus::NotEnforced {
        bail!(say!("sandbox-not-enforced"));
    }
    Ok(())
}
