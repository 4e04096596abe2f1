// wrong: idle
// The host computes it and never launches the kernel.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let _ = (&module, &stream);
    println!("sum {}", (0..n as i32).map(|x| 3 * x).sum::<i32>());
    Ok(())
}
