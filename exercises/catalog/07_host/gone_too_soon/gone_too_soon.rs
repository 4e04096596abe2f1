// gone_too_soon: 0, 1, ..., n - 1 go to the device, are copied there from one buffer to another, and come back.
//
// Given    the kernel   void copy(const int* from, int* to, int n).
// Do       Print "last 99" for n = 100.
// Problem  The compiler reports nothing, but the kernel reads memory that has been freed.
//
// Read     cargo learn explain use-after-free

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
    let from = {
        // TODO: how long does this buffer live?
        let v = ramp.as_slice().as_dbuf()?;
        v.as_device_ptr()
    };
    // SAFETY: both have n elements.
    unsafe { launch!(copy<<<(n as u32).div_ceil(64), 64, 0, stream>>>(from, out.as_device_ptr(), n as i32))? };
    stream.synchronize()?;
    println!("last {}", out.as_host_vec()?[n - 1]);
    Ok(())
}
