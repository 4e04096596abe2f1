//! `cargo xtask wasm`: the emulator as WebAssembly, and whether it says there what it says here.

mod sources;
pub mod verdicts;

use crate::cross::Compiler;
use anyhow::{Context, Result, ensure};
pub use sources::hash as sources;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the module.
pub fn build(root: &Path) -> Result<String> {
    let (module, compiler) = module(root)?;
    let bytes = std::fs::metadata(&module).with_context(|| format!("cannot read {}", module.display()))?.len();
    Ok(format!("{} has {bytes} bytes (by {compiler})", module.display()))
}

/// Builds it and compares its answers with those of the same code for this machine.
pub fn check(root: &Path) -> Result<String> {
    let (module, compiler) = module(root)?;
    let asked = verdicts::compare(root, &module)?;
    Ok(format!("{asked} in WebAssembly (by {compiler})"))
}

/// The module's file, and who compiled it.
pub fn module(root: &Path) -> Result<(PathBuf, String)> {
    let compiler = Compiler::find(root, TARGET)?;
    let folder = root.join("target/wasm");
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["build", "--quiet", "--profile", "web", "--package", "browser", "--lib"]);
    cargo.arg("--target-dir").arg(&folder);
    compiler.choose(&mut cargo, TARGET);
    // Lanes are computed side by side where the processor can; every browser of today can.
    // The place of a panic in our source is of no use in a browser, and takes room.
    cargo.env("RUSTFLAGS", "-Ctarget-feature=+simd128 -Zlocation-detail=none").env("RUSTC_BOOTSTRAP", "1");
    ensure!(cargo.status().context("cannot run cargo")?.success(), "the emulator does not build for {TARGET}");
    Ok((folder.join(TARGET).join("web/browser.wasm"), compiler.to_string()))
}
