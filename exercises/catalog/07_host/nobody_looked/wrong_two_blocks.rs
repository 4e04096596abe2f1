// wrong: answer
// Two blocks are enough for 1500 elements, and for no more than 2048.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let reverse = module.get_function("reverse")?;
    let v: Vec<i32> = (1..=n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    let out = DeviceBuffer::<i32>::zeroed(n)?;
    // SAFETY: both buffers have n elements.
    unsafe {
        launch!(reverse<<<2, 1024, 0, stream>>>(v.as_device_ptr(), out.as_device_ptr(), n as i32))?
    };
    stream.synchronize()?;
    let out = out.as_host_vec()?;
    println!("first {}, last {}", out[0], out[n - 1]);
    Ok(())
}
