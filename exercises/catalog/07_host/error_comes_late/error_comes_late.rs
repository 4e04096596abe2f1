// error_comes_late: one kernel fills v with 1, 2, ..., n, another one adds them up.
//
// Given    void fill(int* v, int n)   and   void add(const int* v, int n, int* sum);   n is the number of elements.
// Do       Print "sum 5050" for n = 100.
// Problem  Both launches return Ok. The error comes when the program waits, on a line that did not cause it.
//
// Read     cargo learn explain out-of-bounds

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let fill = module.get_function("fill")?;
    let add = module.get_function("add")?;
    let v = unsafe { DeviceBuffer::<i32>::uninitialized(n)? };
    let sum = DeviceBuffer::<i32>::zeroed(1)?;
    let blocks = (n as u32).div_ceil(64);
    // SAFETY: v has n elements, sum has one.
    unsafe {
        // TODO: one of these two launches is wrong. Both return Ok.
        launch!(fill<<<4 * blocks, 64, 0, stream>>>(v.as_device_ptr(), (n * size_of::<i32>()) as i32))?;
        launch!(add<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32, sum.as_device_ptr()))?;
    }
    stream.synchronize()?;
    println!("sum {}", sum.as_host_vec()?[0]);
    Ok(())
}
