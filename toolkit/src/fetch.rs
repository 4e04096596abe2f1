//! Gets wheels through `pip`, which brings the user's own mirror and proxy settings.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::wheels::Wheel;

/// Something that puts the files of these wheels into a folder. They are not trusted: the caller checks every file.
pub trait Fetch {
    fn fetch(&self, wheels: &[Wheel], folder: &Path) -> Result<()>;
}

/// `pip`, as this machine has it.
pub struct Pip;

/// Ways to call pip, in the order in which they are tried.
const PIPS: [&[&str]; 4] = [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip3"], &["pip"]];

/// Platform tags that such wheels are published under; pip is told, so that its own guess does not matter.
const TAGS: [&str; 6] =
    ["manylinux_2_28", "manylinux_2_17", "manylinux2014", "manylinux_2_12", "manylinux2010", "linux"];

/// The words that call a pip that works, or what is missing.
pub fn find_pip() -> Result<Vec<&'static str>> {
    for words in PIPS {
        let answer = Command::new(words[0]).args(&words[1..]).arg("--version").output();
        if answer.is_ok_and(|output| output.status.success()) {
            return Ok(words.to_vec());
        }
    }
    let calls: Vec<String> = PIPS.iter().map(|words| format!("`{}`", words.join(" "))).collect();
    bail!("{}\n{}", say!("no-pip", tried = calls.join(", ")), say!("no-pip.help"))
}

impl Fetch for Pip {
    fn fetch(&self, wheels: &[Wheel], folder: &Path) -> Result<()> {
        let words = find_pip()?;
        let mut pip = Command::new(words[0]);
        pip.args(&words[1..]).args(["download", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"]);
        for tag in TAGS {
            pip.arg("--platform").arg(format!("{tag}_{}", std::env::consts::ARCH));
        }
        pip.arg("--dest").arg(folder);
        pip.args(wheels.iter().map(|wheel| format!("{}=={}", wheel.name, wheel.version)));
        let program = words.join(" ");
        let status = pip.status().with_context(|| say!("cannot-run", program = &program))?;
        if !status.success() {
            bail!(say!("pip-failed", program, status = status.to_string()));
        }
        Ok(())
    }
}
