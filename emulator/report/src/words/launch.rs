//! Launches that are refused, by kernels and by the host.

use super::Said;
use finding::{LaunchRefusal, MemoryFor, ShapeError, Space};

pub(super) fn not_cooperative() -> Said {
    Said::new(
        "a barrier of the whole grid in a launch that is not cooperative",
        "only a cooperative launch promises that all blocks are there at once; in any other, blocks may wait for one that has no \
         place to begin",
        "launch it with cuLaunchCooperativeKernel, with no more blocks than the occupancy call allows",
    )
}

pub(super) fn failed(kernel: Option<&str>, error: &str, reason: &LaunchRefusal) -> Said {
    Said::new(
        format!("a launch of {} failed with {error}, and the thread never asked", kernel_or_not(kernel)),
        refusal(reason),
        "ask `cudaGetLastError()` after the launch, and hand what it says to the host",
    )
}

/// A kernel by its name; a pointer may lead to none.
pub(super) fn kernel_or_not(kernel: Option<&str>) -> String {
    kernel.map_or("a kernel".into(), |kernel| format!("`{kernel}`"))
}

pub(super) fn own_memory(kernel: &str, number: usize, space: Space) -> Said {
    let space = space.name();
    Said::new(
        format!("argument {number} of `{kernel}` points to {space} memory of the parent"),
        format!("a child has its own {space} memory: the same address means another place there"),
        "hand over global memory: a buffer of the host's, or a `__device__` variable",
    )
}

/// Why a launch by a kernel is refused.
pub fn refusal(reason: &LaunchRefusal) -> String {
    match reason {
        LaunchRefusal::NoKernel => "the pointer is to no kernel".into(),
        LaunchRefusal::NoBuffer => "no such buffer".into(),
        LaunchRefusal::NoStream => "the stream was not created by this grid, or has been destroyed".into(),
        LaunchRefusal::TooDeep { most } => {
            format!("launches are nested {most} deep, as many as may be pending, and each waits for the next")
        }
        LaunchRefusal::TooManyPending { most } => format!(
            "{most} launches are pending, as many as cudaLimitDevRuntimePendingLaunchCount says, and none of them can begin"
        ),
        LaunchRefusal::Shape { shape: error } => shape_error(error),
        LaunchRefusal::Unsupported { what } => what.clone(),
    }
}

/// Why a launch's shape or size is refused.
pub fn shape_error(error: &ShapeError) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    match error {
        ShapeError::Grid { axis, blocks, most } => {
            format!("grid.{} is {blocks}, allowed are 1 to {most}", AXES[*axis])
        }
        ShapeError::Block { axis, threads, most } => {
            format!("block.{} is {threads}, allowed are 1 to {most}", AXES[*axis])
        }
        ShapeError::Threads { threads, kernel, most } => {
            format!("the block has {threads} threads, `{kernel}` allows {most}")
        }
        ShapeError::RequiredBlock { kernel, block } => format!("`{kernel}` requires blocks of {block:?}"),
        ShapeError::SharedMemory { bytes, most } => {
            format!("the block needs {bytes} bytes of shared memory, it may have {most}")
        }
        ShapeError::NothingFits { kernel } => format!("not one block of `{kernel}` fits a multiprocessor"),
        ShapeError::Cooperative { blocks, resident } => {
            format!("{blocks} blocks in a cooperative launch, where {resident} can be resident")
        }
        ShapeError::NoMemory { needed_for: MemoryFor::Parameters } => "the host has no memory left".into(),
        ShapeError::NoMemory { needed_for: MemoryFor::Launches } => "no memory left for the launches of kernels".into(),
        ShapeError::NoMemory { needed_for: MemoryFor::GridBarrier } => {
            "no memory left for the barrier of the grid".into()
        }
    }
}
