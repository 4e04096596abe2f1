// last_elements_missing: squares 0, 1, 2, ... on the device and prints the last one.
//
// Given    the kernel   void square(int* v, int n)   with the usual index and `if (i < n)`. n is the argument.
// Do       Print "last 9801" for n = 100, since 99 * 99 = 9801. It must be right for every n from 1 to 46341.
// Problem  For n = 128 it is right. For n = 100 the last element is 99.
//
// Read     lesson01-vectorized/README.md

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let square = module.get_function("square")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    // TODO: how many blocks of 64 threads are needed?
    let blocks = n as u32 / 64;
    // SAFETY: v has n elements, and square touches no more.
    unsafe { launch!(square<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32))? };
    stream.synchronize()?;
    println!("last {}", v.as_host_vec()?[n - 1]);
    Ok(())
}
