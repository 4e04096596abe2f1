//! A pseudo-terminal: the side of a person, and the name of a program's. `cargo xtask` uses this file too.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io;
use std::process::{Command, Stdio};

/// Opens one, and has `command` read from and write to it.
pub fn open(command: &mut Command) -> io::Result<File> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let name = name.to_str().map_err(io::Error::other)?;
    let side = || File::options().read(true).write(true).open(name).map(Stdio::from);
    command.stdin(side()?).stdout(side()?).stderr(side()?);
    Ok(File::from(master))
}
