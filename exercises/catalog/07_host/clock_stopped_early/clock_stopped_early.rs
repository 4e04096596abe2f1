// clock_stopped_early: how long does a kernel take?
//
// Given    the kernel   void squares(int* sum, int n)   adds up the squares of 0 to n - 1; n is the argument. After the
//          kernel, the sum is copied to page-locked memory of the host. The event `done` is recorded after the copy.
// Do       Print "measured up to 328350" for n = 100: read the clock when the kernel is complete. A time cannot be
//          compared, so `seen` is: leave it in one line with the clock.
// Problem  However large n is, it takes a few microseconds.
//
// Read     common/src/device/timing.rs: how the course measures; CUDA C++ Programming Guide, "Events"

use cust::memory::{AsyncCopyDestination, LockedBuffer};
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
    let mut seen = LockedBuffer::new(&0i32, 1)?;
    let done = Event::new(EventFlags::DISABLE_TIMING)?;
    let begin = Instant::now();
    // SAFETY: sum and seen have one element, and both live until the stream is done.
    unsafe {
        launch!(squares<<<1, 1, 0, stream>>>(sum.as_device_ptr(), n as i32))?;
        sum.async_copy_to(&mut seen, &stream)?;
    }
    done.record(&stream)?;
    // TODO: what has run by now?
    // Read together: the clock, and what has come back by then.
    let (took, sum_by_then) = (begin.elapsed(), seen[0]);
    stream.synchronize()?;
    eprintln!("{took:?}");
    println!("measured up to {sum_by_then}");
    println!("sum {}", sum.as_host_vec()?[0]);
    Ok(())
}
