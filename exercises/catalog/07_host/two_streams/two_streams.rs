// two_streams: one kernel fills v with 1, 2, ..., n, another one adds them up, each in its own stream.
//
// Given    void fill(int* v, int n)   and   void add(const int* v, int n, int* sum);   v and *sum are 0 at first.
// Do       Print "sum 5050" for n = 100. Leave each kernel in its own stream, as later work of the program needs.
// Problem  Two streams may run at the same time. It is luck whether `add` reads what `fill` has written.
//
// Read     cargo learn explain race-global; CUDA C++ Programming Guide, "Events"

use cust::prelude::*;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let fill = module.get_function("fill")?;
    let add = module.get_function("add")?;
    let second = Stream::new(StreamFlags::NON_BLOCKING, None)?;
    let v = DeviceBuffer::<i32>::zeroed(n)?;
    let sum = DeviceBuffer::<i32>::zeroed(1)?;
    let blocks = (n as u32).div_ceil(64);
    // SAFETY: v has n elements, sum has one.
    unsafe {
        launch!(fill<<<blocks, 64, 0, stream>>>(v.as_device_ptr(), n as i32))?;
        // TODO: what does the second stream know about the first?
        launch!(add<<<blocks, 64, 0, second>>>(v.as_device_ptr(), n as i32, sum.as_device_ptr()))?;
    }
    second.synchronize()?;
    println!("sum {}", sum.as_host_vec()?[0]);
    Ok(())
}
