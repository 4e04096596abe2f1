// Always one more than n / 64: the bounds check stops the extra threads.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let add_one = module.get_function("add_one")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    let blocks = n as u32 / 64 + 1;
    // SAFETY: v has n elements, and add_one touches no more.
    unsafe { launch!(add_one<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32))? };
    stream.synchronize()?;
    println!("sum {}", v.as_host_vec()?.iter().sum::<i32>());
    Ok(())
}
