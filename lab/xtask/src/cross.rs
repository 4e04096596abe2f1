//! A compiler for another machine: this toolchain's, where rustup has or gets its target, else Debian's.
//!
//! Debian packages the compiler, the standard library's source and a linker for WebAssembly, and keeps one version of
//! each; they would replace rustup if they were installed, so they are unpacked into `target/` only. The standard
//! library is then built with the rest.

use anyhow::{Context, Result, bail, ensure};
use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub enum Compiler {
    /// rustup's target.
    Own,
    /// Unpacked packages: programs that find their libraries. The linker is for WebAssembly.
    Debian { rustc: PathBuf, linker: PathBuf, version: String },
}

impl Compiler {
    pub fn find(root: &Path, target: &str) -> Result<Compiler> {
        if has(target)? {
            return Ok(Compiler::Own);
        }
        // Without rustup, or without a network, the next way may go.
        let _ = Command::new("rustup").args(["target", "add", target]).output();
        if has(target)? {
            return Ok(Compiler::Own);
        }
        debian(&root.join("target/wasm-toolchain"))
            .with_context(|| format!("no compiler for {target}. `rustup target add {target}` gets one"))
    }

    /// Has cargo use it, for this target.
    pub fn choose(&self, cargo: &mut Command, target: &str) {
        cargo.args(["--target", target]);
        if let Compiler::Debian { rustc, linker, .. } = self {
            cargo.args(["-Z", "build-std=std,panic_abort"]).env("RUSTC_BOOTSTRAP", "1").env("RUSTC", rustc);
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Compiler::Own => f.write_str("this toolchain"),
            Compiler::Debian { version, .. } => write!(f, "Debian's {version}"),
        }
    }
}

/// True if this toolchain has the target's standard library.
fn has(target: &str) -> Result<bool> {
    let folder = said(Command::new("rustc").args(["--print", "target-libdir", "--target", target]))?;
    Ok(fs::read_dir(folder.trim()).is_ok_and(|mut files| files.next().is_some()))
}

fn debian(folder: &Path) -> Result<Compiler> {
    let (rustc, linker) = (folder.join("rustc"), folder.join("wasm-ld"));
    if !rustc.is_file() || !linker.is_file() {
        unpack(folder)?;
        let libraries = find(folder, "libLLVM", ".so.")?;
        let libraries = libraries.parent().context("a library without a folder")?;
        program(&rustc, &folder.join("usr/bin/rustc"), libraries)?;
        program(&linker, &find(&folder.join("usr/bin"), "wasm-ld-", "")?, libraries)?;
    }
    let version = said(Command::new(&rustc).arg("--version"))?;
    let version = version.split(" (").next().unwrap_or_default().to_string();
    Ok(Compiler::Debian { rustc, linker, version })
}

/// Fetches the packages and unpacks them.
fn unpack(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let library = dependency("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = dependency(&library, "libllvm")?;
    let lld = llvm.replace("libllvm", "lld-");
    let packages = ["rustc-web", "rust-web-src", "libstd-rust-web-dev", &library, &llvm, &lld, "libedit2", "libz3-4"];
    let mut download = Command::new("apt-get");
    download.args(["download", "--quiet"]).args(packages).current_dir(folder);
    ensure!(
        download.output().context("cannot run apt-get")?.status.success(),
        "apt-get has no {}",
        packages.join(", ")
    );
    for package in files(folder, ".deb")? {
        let status = Command::new("dpkg").arg("-x").arg(&package).arg(folder).status().context("cannot run dpkg")?;
        ensure!(status.success(), "cannot unpack {}", package.display());
        fs::remove_file(package)?;
    }
    Ok(())
}

/// The package that another needs, by the beginning of its name.
fn dependency(of: &str, begin: &str) -> Result<String> {
    let text = said(Command::new("apt-cache").args(["depends", of]))?;
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    let found = names.map(str::trim).find(|name| name.starts_with(begin));
    found.map(str::to_string).with_context(|| format!("Debian's {of} needs no {begin}"))
}

/// A script that runs a program with the libraries it came with.
fn program(script: &Path, program: &Path, libraries: &Path) -> Result<()> {
    let text = format!(
        "#!/bin/sh\nLD_LIBRARY_PATH='{}' exec '{}' \"$@\"\n",
        absolute(libraries)?.display(),
        absolute(program)?.display()
    );
    fs::write(script, text).with_context(|| format!("cannot write {}", script.display()))?;
    Ok(fs::set_permissions(script, fs::Permissions::from_mode(0o755))?)
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
}

/// The files of a folder that end so.
fn files(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.to_string_lossy().ends_with(end)).collect())
}

/// The first file below a folder whose name begins so and has that in it.
fn find(folder: &Path, begin: &str, part: &str) -> Result<PathBuf> {
    let output = said(Command::new("find").arg(folder).args(["-name", &format!("{begin}*{part}*")]))?;
    match output.lines().next() {
        Some(path) => Ok(PathBuf::from(path)),
        None => bail!("no {begin}* in {}", folder.display()),
    }
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    ensure!(output.status.success(), "{:?}: {}", command, String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8(output.stdout)?)
}
