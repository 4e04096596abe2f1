// wrong: idle
// The host does the work, and the kernel is never launched.

use cust::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    println!("sum {}", (1..=n).sum::<usize>());
    Ok(())
}
