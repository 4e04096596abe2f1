// float_that_is_zero: multiplies n floats, each of them 2, by 1.5 on the device and prints their sum.
//
// Given    the kernel   void scale(float* v, int n, float factor)   multiplies n floats by factor. n is the argument.
// Do       Print "sum 300" for n = 100.
// Problem  It compiles, it runs, no call fails, and the sum is 0.
//
// Read     common/src/device/launch.rs: the course's own launch! compares sizes, but cust's launch! does not

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
    // TODO: launch! passes the bytes of factor, and scale reads the bytes that it expects.
    let factor = 1.5;
    // SAFETY: v has n elements, and scale touches no more.
    unsafe { launch!(scale<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32, factor))? };
    stream.synchronize()?;
    println!("sum {}", v.as_host_vec()?.iter().sum::<f32>());
    Ok(())
}
