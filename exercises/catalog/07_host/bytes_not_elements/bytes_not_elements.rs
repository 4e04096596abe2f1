// bytes_not_elements: one block of n threads reverses n ints, using shared memory.
//
// Given    the kernel   void reverse(int* v)   with   extern __shared__ int row[];   one int per thread of the block.
// Do       Print "first 99" for n = 100.
// Problem  The launch sets the size of `row`. Three of four threads write past its end.
//
// Read     lesson06-cooperative-groups/README.md, "The size is not in the kernel"; cargo learn explain out-of-bounds

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let reverse = module.get_function("reverse")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    // TODO: how much shared memory does the block need?
    let bytes = n as u32;
    // SAFETY: v has n elements, one per thread.
    unsafe { launch!(reverse<<<1, n as u32, bytes, stream>>>(v.as_device_ptr()))? };
    stream.synchronize()?;
    println!("first {}", v.as_host_vec()?[0]);
    Ok(())
}
