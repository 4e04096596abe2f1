// wrong: out-of-bounds
// Enough for the numbers that were tried, and not for the largest block.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let reverse = module.get_function("reverse")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    let bytes = 2048;
    // SAFETY: v has n elements, a thread for each.
    unsafe { launch!(reverse<<<1, n as u32, bytes, stream>>>(v.as_device_ptr()))? };
    stream.synchronize()?;
    println!("first {}", v.as_host_vec()?[0]);
    Ok(())
}
