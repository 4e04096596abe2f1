// A plain copy returns when it is complete. It does not wait for another stream's kernel, so the host waits first.

use cust::memory::LockedBuffer;
use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let triple = module.get_function("triple")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    let mut result = LockedBuffer::new(&0i32, n)?;
    // SAFETY: v and result have n elements, and both live until the stream is done.
    unsafe {
        launch!(triple<<<(n as u32).div_ceil(64), 64, 0, stream>>>(v.as_device_ptr(), n as i32))?;
    }
    stream.synchronize()?;
    v.copy_to(&mut result)?;
    println!("sum {}", result.iter().sum::<i32>());
    Ok(())
}
