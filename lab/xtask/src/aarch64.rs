//! `cargo xtask aarch64`: the emulator and a lesson on ARM's 64-bit processors, by QEMU.
//!
//! Floating-point conversions, NaNs and the order of atomic operations differ from x86-64's. There is no form for its
//! vector instructions to be chosen at run time, as there is for AVX2: every such processor has them, so the compiler
//! uses them everywhere.

use crate::cross::Compiler;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
/// An emulator of user programs, and where Debian puts that machine's C library.
const RUNNER: &str = "qemu-aarch64 -L /usr/aarch64-linux-gnu";

/// The crates whose unit tests run, beside `unit-tests`, which has those of what reads, executes and checks PTX.
const CRATES: [&str; 3] = ["trace", "finding", "emulator"];

pub fn check(root: &Path) -> Result<String> {
    for program in [LINKER, "qemu-aarch64"] {
        let is_there = Command::new(program).arg("--version").output().is_ok();
        ensure!(is_there, "no {program}: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user");
    }
    let compiler = Compiler::find(root, TARGET)?;
    let crates = CRATES.iter().flat_map(|name| ["--package", name]);
    run(root, &compiler, "test", crates.chain(["--lib"]), &[])?;
    run(root, &compiler, "test", ["--package", "unit-tests", "--tests"], &[])?;
    run(root, &compiler, "test", ["--package", "emulator", "--test", "files"], &["conformance/"])?;
    run(root, &compiler, "run", ["--package", "lesson02-sync"], &["--device", "emulator"])?;
    Ok(format!("unit tests, conformance cases and lesson 2 pass on aarch64 (by {compiler} and QEMU)"))
}

fn run<'a>(
    root: &Path,
    compiler: &Compiler,
    command: &str,
    options: impl IntoIterator<Item = &'a str>,
    arguments: &[&str],
) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args([command, "--quiet", "--locked", "--target-dir", "target/aarch64"]).args(options);
    compiler.choose(&mut cargo, TARGET);
    cargo.arg("--").args(arguments);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", RUNNER);
    let status = cargo.status().context("cannot run cargo")?;
    ensure!(status.success(), "on aarch64 `cargo {command} {}` fails", arguments.join(" "));
    Ok(())
}
