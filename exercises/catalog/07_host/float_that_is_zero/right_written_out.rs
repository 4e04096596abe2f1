// The type is written where the variable is declared.

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let scale = module.get_function("scale")?;
    let v = vec![2.0f32; n].as_slice().as_dbuf()?;
    let blocks = (n as u32).div_ceil(64);
    const FACTOR: f32 = 3.0 / 2.0;
    let factor: f32 = FACTOR;
    // SAFETY: v has n elements, and scale touches no more.
    unsafe { launch!(scale<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32, factor))? };
    stream.synchronize()?;
    println!("sum {}", v.as_host_vec()?.iter().sum::<f32>());
    Ok(())
}
