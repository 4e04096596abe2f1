// nobody_looked: reverses 1, 2, ..., n on the device, and prints the first and the last element.
//
// Given    the kernel   void reverse(const int* v, int* out, int n)   with the usual index and `if (i < n)`.
// Do       Print "first 1500, last 1" for n = 1500, and what is right for any other n.
// Problem  For n = 40 it works. For n = 1500 both are 0, and no error is shown.
//
// Read     lesson05-dynamic-parallelism/README.md, row `launch_error`: the same inside kernels

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
    // TODO: what does the launch return?
    // SAFETY: both buffers have n elements.
    let _ = unsafe { launch!(reverse<<<1, n as u32, 0, stream>>>(v.as_device_ptr(), out.as_device_ptr(), n as i32)) };
    stream.synchronize()?;
    let out = out.as_host_vec()?;
    println!("first {}, last {}", out[0], out[n - 1]);
    Ok(())
}
