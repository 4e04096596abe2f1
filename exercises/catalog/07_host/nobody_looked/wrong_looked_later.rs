// wrong: answer
// "I check at the end." A refused launch leaves nothing to wait for, so waiting finds no error.

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
    let _ = unsafe { launch!(reverse<<<1, n as u32, 0, stream>>>(v.as_device_ptr(), out.as_device_ptr(), n as i32)) };
    if let Err(error) = stream.synchronize() {
        return Err(error.into());
    }
    let out = out.as_host_vec()?;
    println!("first {}, last {}", out[0], out[n - 1]);
    Ok(())
}
