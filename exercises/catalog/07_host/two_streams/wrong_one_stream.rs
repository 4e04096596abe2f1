// wrong: idle
// One stream for both kernels: in order, but the second stream is not used.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let fill = module.get_function("fill")?;
    let add = module.get_function("add")?;
    let v = DeviceBuffer::<i32>::zeroed(n)?;
    let sum = DeviceBuffer::<i32>::zeroed(1)?;
    let blocks = (n as u32).div_ceil(64);
    // SAFETY: v has n elements, sum has one.
    unsafe {
        launch!(fill<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32))?;

        launch!(add<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32, sum.as_device_ptr()))?;
    }
    stream.synchronize()?;
    println!("sum {}", sum.as_host_vec()?[0]);
    Ok(())
}
