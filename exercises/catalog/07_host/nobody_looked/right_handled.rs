// The error is returned to the caller by hand.

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
    let blocks = 1 + n as u32 / 128;
    // SAFETY: both buffers have n elements.
    let launched =
        unsafe { launch!(reverse<<<blocks, 128, 0, stream>>>(v.as_device_ptr(), out.as_device_ptr(), n as i32)) };
    if let Err(error) = launched {
        return Err(format!("the launch was refused: {error}").into());
    }
    stream.synchronize()?;
    let out = out.as_host_vec()?;
    println!("first {}, last {}", out[0], out[n - 1]);
    Ok(())
}
