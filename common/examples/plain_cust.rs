//! CUDA by `cust` alone: a context, a module from PTX, a launch, a copy back, a check.
//! Run: cargo run --example plain_cust      Try: `reverse_broken` instead, and the emulator names the race.
//!
//! A program of your own begins like this one, in which nothing but the linked driver is ours. What the lessons add is
//! the device's choice, the check of a launch's arguments, and many runs of it.

use cust::prelude::*;
// Links the driver layer: a GPU's driver if there is one, else the emulator, which reports what it finds. With CUDA
// installed, leave it out.
use observer as _;

/// Made by nvcc from cuda/lesson02/reverse.cu: one block turns up to 64 ints round.
const PTX: &str = include_str!("../../cuda/ptx/lesson02/reverse.ptx");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _context = cust::quick_init()?; // The first device; the context ends with this variable.
    let module = Module::from_ptx(PTX, &[])?;
    let function = module.get_function("reverse_correct")?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;

    let numbers: Vec<i32> = (0..64).collect();
    let data = numbers.as_slice().as_dbuf()?; // Allocates on the device, and copies there.
    let n = data.len();
    // SAFETY: the kernel takes an int* and an int, and n threads of one block touch the n ints of `data`.
    unsafe {
        launch!(function<<<1, n as u32, 0, stream>>>(data.as_device_ptr(), n as i32))?;
    }
    stream.synchronize()?; // A launch only asks; here the kernel has ended.

    let mut reversed = vec![0; n];
    data.copy_to(&mut reversed)?;
    assert!(reversed.iter().rev().eq(&numbers), "not reversed: {reversed:?}");
    println!("{n} ints turned round on {}", Device::get_device(0)?.name()?);
    Ok(())
}
