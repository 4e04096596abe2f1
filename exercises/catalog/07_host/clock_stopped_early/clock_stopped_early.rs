// clock_stopped_early.rs: how long does a kernel take?
//
// Given     the kernel   void squares(int* sum, int n)   adds up the squares below n; n is the argument. The event `done` is
//           recorded behind the kernel.
// Wanted    "measured: the kernel" and "sum 328350" for n = 100: the clock is to be read when the kernel is done.
// Trouble   However large n is, it takes a few microseconds. The fastest kernels of the world are measured so.
//
// Read on   common/src/timing.rs: how the course measures; CUDA C++ Programming Guide, "Events"

use cust::prelude::*;
use std::time::Instant;

static PTX: &str = include_str!(env!("KERNELS"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).ok_or("how many?")?.parse()?;
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(PTX, &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let squares = module.get_function("squares")?;
    let sum = DeviceBuffer::<i32>::zeroed(1)?;
    let done = Event::new(EventFlags::DISABLE_TIMING)?;
    let begin = Instant::now();
    // SAFETY: sum has one element.
    unsafe { launch!(squares<<<1, 1, 0, stream>>>(sum.as_device_ptr(), n as i32))? };
    done.record(&stream)?;
    // TODO: what has run by now?
    // Read together: the clock, and whether the kernel is done.
    let (took, finished) = (begin.elapsed(), done.query()? == EventStatus::Ready);
    stream.synchronize()?;
    println!("{}", if finished && !took.is_zero() { "measured: the kernel" } else { "measured: a launch" });
    println!("sum {}", sum.as_host_vec()?[0]);
    Ok(())
}
