//! `cargo xtask bundle`: `bench` with its peers, packed for a node of a cluster that has a GPU and no Rust; with
//! `--lessons` the lessons too, which compare their kernels with the same peers.

use crate::lessons::{Lessons, build};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleOptions {
    /// The folder for `bench-bundle` and its archive.
    pub to: PathBuf,
    /// The build that is there already on a machine where people develop.
    pub is_debug: bool,
    pub with_lessons: bool,
}

/// `--to FOLDER`, `--debug` and `--lessons`, in any order.
pub fn options(mut words: &[&str]) -> Option<BundleOptions> {
    let mut options = BundleOptions { to: "target".into(), is_debug: false, with_lessons: false };
    loop {
        words = match words {
            [] => return Some(options),
            ["--debug", rest @ ..] => {
                options.is_debug = true;
                rest
            }
            ["--lessons", rest @ ..] => {
                options.with_lessons = true;
                rest
            }
            ["--to", folder, rest @ ..] if !folder.is_empty() => {
                options.to = folder.into();
                rest
            }
            _ => return None,
        };
    }
}

const NAME: &str = "bench-bundle";
/// Bytes of the archive.
const MOST: u64 = 60_000_000;
/// And with the lessons.
const MOST_WITH_LESSONS: u64 = 120_000_000;

pub fn run(root: &Path, options: &BundleOptions) -> Result<String> {
    let built = |folder: &Path, package: &str, feature| {
        let profile = if options.is_debug { "dev" } else { "release" };
        build(folder, package, package, &["--features", feature, "--profile", profile])
    };
    let mut programs = vec![("bench".to_string(), built(&root.join("lab"), "bench", "peers")?)];
    if options.with_lessons {
        for lesson in Lessons::of(root)?.packages {
            // Those without a peer have no such feature of their own.
            programs.push((lesson.clone(), built(root, &lesson, "common/peers")?));
        }
    }
    let to = root.join(&options.to);
    let folder = to.join(NAME);
    if folder.exists() {
        ensure!(folder.join("run.sh").is_file(), "{} is there, and is no bundle", folder.display());
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, program) in programs {
        let copy = folder.join(name);
        fs::copy(&program, &copy).with_context(|| format!("cannot copy {}", program.display()))?;
        called(Command::new("strip").arg(copy))?;
    }
    for (from, name) in [
        (root.join("lab/bench/run.sh"), "run.sh"),
        (root.join("docs/bench.md"), "bench.md"),
        (root.join("LICENSE-APACHE"), "LICENSE-APACHE"),
        (root.join("LICENSE-MIT"), "LICENSE-MIT"),
    ] {
        fs::copy(&from, folder.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    let archive = to.join(format!("{NAME}.tar.gz"));
    called(Command::new("tar").arg("-C").arg(&to).arg("-czf").arg(&archive).arg(NAME))?;
    let bytes = fs::metadata(&archive)?.len();
    let most = if options.with_lessons { MOST_WITH_LESSONS } else { MOST };
    ensure!(bytes <= most, "{} has {bytes} bytes, more than {most}", archive.display());
    Ok(format!("{} has {:.1} MB; unpack it where the GPU is, and call ./run.sh", archive.display(), bytes as f64 / 1e6))
}

fn called(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let given = options(&["--debug", "--to", "somewhere"]).unwrap();
        assert_eq!(given, options(&["--to", "somewhere", "--debug"]).unwrap());
        assert_eq!(given, BundleOptions { to: "somewhere".into(), is_debug: true, with_lessons: false });
        assert_eq!(options(&[]).unwrap(), BundleOptions { to: "target".into(), is_debug: false, with_lessons: false });
        assert_eq!(options(&["--lessons"]).unwrap(), BundleOptions { with_lessons: true, ..options(&[]).unwrap() });
        assert_eq!(options(&["--to"]), None);
        assert_eq!(options(&["--fast"]), None);
    }
}
