//! Output to stdout.

use crate::wrap;
use std::io::Write;

/// Longer lines are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// To stdout, with colours only on a terminal. A reader that has gone away is no reason to fail. A disk that is full is
/// one: status 2.
pub fn say(text: &str) {
    let columns = match rustix::termios::tcgetwinsize(std::io::stdout()) {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col).min(WIDEST),
        _ => WIDEST,
    };
    put(&wrap::fit(text, columns));
}

/// As [`say`], of text that is laid out already.
pub fn put(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        words::complain(&format!("{}: {error}", say!("output-unwritable")));
        std::process::exit(2);
    }
}

/// An error and its causes: `a.bin cannot be read: there is no such file or folder`. What the operating system says is
/// in the reader's language.
pub fn in_a_line(error: &anyhow::Error) -> String {
    kernel_build::in_a_line(error.as_ref())
}
