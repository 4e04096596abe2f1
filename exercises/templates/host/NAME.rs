// NAME: adds one to each of 0, 1, ..., n - 1 on the device, and adds them up.
//
// Say here what the program is for, and what goes wrong.
//
// Given    the kernel   void add_one(int* v, int n)   with the usual index and `if (i < n)`; n is the argument.
// Do       Print "sum 5050" for n = 100; it must be right for every other n too.
// Problem  For n = 64 it is right. For n = 100 it is not.
//
// Read     the lesson that this belongs to

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let add_one = module.get_function("add_one")?;
    let v: Vec<i32> = (0..n as i32).collect();
    let v = v.as_slice().as_dbuf()?;
    // TODO: how many blocks of 64 threads are needed?
    let blocks = 1;
    // SAFETY: v has n elements, and add_one touches no more.
    unsafe { launch!(add_one<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32))? };
    stream.synchronize()?;
    println!("sum {}", v.as_host_vec()?.iter().sum::<i32>());
    Ok(())
}
