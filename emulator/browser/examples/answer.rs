//! The same answers without WebAssembly: a request in each line of standard input, its answer in a line of standard
//! output.

use std::io::{BufRead, Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    let mut player = browser::Player::default();
    for request in stdin().lock().lines() {
        writeln!(stdout(), "{}", player.answer(&request?))?;
    }
    Ok(())
}
