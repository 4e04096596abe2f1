// The block returns the buffer itself, so it lives on outside.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let copy = module.get_function("copy")?;
    let ramp: Vec<i32> = (0..n as i32).collect();
    let out = DeviceBuffer::<i32>::zeroed(n)?;
    let v = {
        let mut v = DeviceBuffer::<i32>::zeroed(n)?;
        v.copy_from(&ramp)?;
        v
    };
    // SAFETY: both have n elements.
    unsafe {
        launch!(copy<<<(n as u32).div_ceil(64), 64, 0, stream>>>(v.as_device_ptr(), out.as_device_ptr(), n as i32))?
    };
    stream.synchronize()?;
    println!("last {}", out.as_host_vec()?[n - 1]);
    Ok(())
}
