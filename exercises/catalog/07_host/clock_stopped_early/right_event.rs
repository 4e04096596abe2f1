// Wait for the event after the kernel and the copy.

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
    done.synchronize()?;
    // Read together: the clock, and what has come back by then.
    let (took, sum_by_then) = (begin.elapsed(), seen[0]);
    stream.synchronize()?;
    eprintln!("{took:?}");
    println!("measured up to {sum_by_then}");
    println!("sum {}", sum.as_host_vec()?[0]);
    Ok(())
}
