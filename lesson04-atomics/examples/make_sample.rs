//! Draws the lesson's picture as a PGM file on stdout.

use lesson04_atomics::sample;
use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(&sample::pgm())
}
