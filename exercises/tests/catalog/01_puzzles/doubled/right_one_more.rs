// doubled: doubles 0, 1, 2... on the device and prints the last one and the sum.
//
// The number of elements is the program's argument.
use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let data: Vec<i32> = (0..n as i32).collect();
    let buffer = data.as_slice().as_dbuf()?;

    let blocks = n as u32 / 64 + 1;
    let doubled = module.get_function("doubled")?;
    // SAFETY: the buffer holds n elements, and the kernel touches no more.
    unsafe {
        launch!(doubled<<<blocks, 64, 0, stream>>>(buffer.as_device_ptr(), n as i32))?;
    }
    stream.synchronize()?;
    let result = buffer.as_host_vec()?;
    println!("last {}", result[n - 1]);
    println!("sum {}", result.iter().sum::<i32>());
    Ok(())
}
