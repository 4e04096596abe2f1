//! A vector reversed in place, with a barrier of the whole grid in the middle.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, LaunchRefused, Row, Run, Slug, launch, launch_cooperative};
use cust::device::{Device, DeviceAttribute};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// A barrier for all blocks, and the launch that it needs.
pub const GRID_REVERSE: Row = Row::of("grid_reverse")
    .broken(&[("grid_reverse_ordinary", Expect::Finding(Slug::CooperativeLaunch))])
    .correct(&["grid_reverse"])
    .sizes(100_000, 1000)
    .seeds(32)
    .gpu(100_000_000)
    .from_zero()
    .shows_from(0)
    .isolated()
    .job(|run| reversed(run, &InputValues::seeded(5).ints(run.size(), -1000, 1000)));

/// The vector is as the CPU reverses it.
pub fn reversed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed(values);
    run.moves(4 * size_of_val(values) as u64); // Each element is read and written twice.
    run.each(|| check::equal(&in_place(run, values)?, &expected))
}

/// Threads of a block.
const BLOCK: u32 = 256;
/// Blocks of the ordinary launch. On a GPU so few are all there at once, and the barrier works by luck.
const FEW_BLOCKS: u32 = 4;

/// The blocks that can be there at once: what the occupancy call gives, for each multiprocessor.
pub(crate) fn most_blocks(function: &common::Function) -> anyhow::Result<u32> {
    let each = function.max_active_blocks_per_multiprocessor(BLOCK.into(), 0)?;
    let multiprocessors = Device::get_device(0)?.get_attribute(DeviceAttribute::MultiprocessorCount)?;
    Ok(each * multiprocessors as u32)
}

/// Both kernels, in place.
fn in_place(run: &Run, values: &[i32]) -> anyhow::Result<Vec<i32>> {
    check::at_most(values.len(), 1 << 30)?;
    let n = values.len() as u32;
    let function = run.function()?;
    let blocks = most_blocks(&function)?.min(n.div_ceil(BLOCK)).max(1);
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let d = values.as_dbuf()?;
    let e = run.poisoned::<i32>(values.len())?;
    // SAFETY: `d` and `e` hold n ints each.
    unsafe {
        match run.kernel().name.as_str() {
            "grid_reverse_ordinary" => {
                launch!(function<<<FEW_BLOCKS, BLOCK, 0, stream>>>(d.as_device_ptr(), e.as_device_ptr(), n))?;
            }
            _ => launch_cooperative!(function<<<blocks, BLOCK, 0, stream>>>(d.as_device_ptr(), e.as_device_ptr(), n))?,
        }
    }
    stream.synchronize()?;
    Ok(d.as_host_vec()?)
}

/// Returns the result of [`too_large`] in words.
pub fn told((blocks, refused): (u32, LaunchRefused)) -> String {
    say!("too-many-at-once", blocks, refused = refused.to_string())
}

/// One block more than can be there at once: the driver's answer, and how many blocks that were.
pub fn too_large(run: &Run) -> anyhow::Result<(u32, LaunchRefused)> {
    let function = run.function_named("grid_reverse")?;
    let blocks = most_blocks(&function)? + 1;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let d = DeviceBuffer::<i32>::zeroed(1)?;
    let e = DeviceBuffer::<i32>::zeroed(1)?;
    // SAFETY: with n = 0 no thread touches either buffer.
    let launched = unsafe {
        launch_cooperative!(function<<<blocks, BLOCK, 0, stream>>>(d.as_device_ptr(), e.as_device_ptr(), 0u32))
    };
    match launched {
        Ok(()) => anyhow::bail!("{blocks} blocks were launched, though not all can be there at once"),
        Err(error) => match error.downcast_ref::<LaunchRefused>() {
            Some(&refused) => Ok((blocks, refused)),
            None => Err(error),
        },
    }
}
