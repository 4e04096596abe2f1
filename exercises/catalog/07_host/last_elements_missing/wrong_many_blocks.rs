// wrong: answer
// 256 blocks are many: enough for 16384 elements.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let square = module.get_function("square")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    let blocks = 256;
    // SAFETY: v has n elements, and square touches no more.
    unsafe { launch!(square<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32))? };
    stream.synchronize()?;
    println!("last {}", v.as_host_vec()?[n - 1]);
    Ok(())
}
