//! Launches that are refused, by kernels and by the host.

use crate::{Reader, readable};
use finding::{Cause, LaunchRefusal, MemoryFor, ShapeError};
use words::MessageValues;

pub(super) fn values<'a>(values: &mut MessageValues<'a>, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::LaunchFailed { kernel, error, reason } => {
            values.set("kernel", kernel_or_not(kernel.as_deref(), reader));
            values.set("error", *error);
            values.set("reason", refusal(reason, reader));
        }
        Cause::PointerToOwnMemory { kernel, number, space } => {
            values.set("kernel", readable(kernel));
            values.set("number", *number);
            values.set("space", space.name());
        }
        _ => {}
    }
}

/// A kernel by its name; a pointer may lead to none.
pub(crate) fn kernel_or_not(kernel: Option<&str>, reader: &Reader) -> String {
    kernel.map_or_else(|| say!(reader, "a-kernel"), |kernel| format!("`{}`", readable(kernel)))
}

/// Why a launch by a kernel is refused.
pub fn refusal(reason: &LaunchRefusal, reader: &Reader) -> String {
    match reason {
        LaunchRefusal::NoKernel => say!(reader, "refused-no-kernel"),
        LaunchRefusal::NoBuffer => say!(reader, "refused-no-buffer"),
        LaunchRefusal::NoStream => say!(reader, "refused-no-stream"),
        LaunchRefusal::TooDeep { most } => say!(reader, "refused-too-deep", most = *most),
        LaunchRefusal::TooManyPending { most } => say!(reader, "refused-too-many", most = *most),
        LaunchRefusal::Shape { shape } => shape_error(shape, reader),
        LaunchRefusal::Unsupported { what } => what.clone(),
    }
}

/// Why a launch's shape or size is refused.
pub fn shape_error(error: &ShapeError, reader: &Reader) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    match error {
        ShapeError::Grid { axis, blocks, most } => {
            say!(reader, "refused-grid", axis = AXES[*axis], blocks = *blocks, most = *most)
        }
        ShapeError::Block { axis, threads, most } => {
            say!(reader, "refused-block", axis = AXES[*axis], threads = *threads, most = *most)
        }
        ShapeError::Threads { threads, kernel, most } => {
            say!(reader, "refused-threads", threads = *threads, kernel = readable(kernel), most = *most)
        }
        ShapeError::RequiredBlock { kernel, block } => {
            say!(reader, "refused-required-block", kernel = readable(kernel), block = format!("{block:?}"))
        }
        ShapeError::RequiredCluster { kernel, cluster } => {
            say!(reader, "refused-required-cluster", kernel = readable(kernel), cluster = format!("{cluster:?}"))
        }
        ShapeError::MissingCluster { kernel } => say!(reader, "refused-missing-cluster", kernel = readable(kernel)),
        ShapeError::Cluster { blocks, most } => say!(reader, "refused-cluster", blocks = *blocks, most = *most),
        ShapeError::GridOfClusters { axis, blocks, cluster } => {
            say!(reader, "refused-grid-of-clusters", axis = AXES[*axis], blocks = *blocks, cluster = *cluster)
        }
        ShapeError::SharedMemory { bytes, most } => {
            say!(reader, "refused-shared-memory", bytes = *bytes, most = *most)
        }
        ShapeError::NothingFits { kernel } => say!(reader, "refused-nothing-fits", kernel = readable(kernel)),
        ShapeError::Cooperative { blocks, resident } => {
            say!(reader, "refused-cooperative", blocks = *blocks, resident = *resident)
        }
        ShapeError::NoMemory { needed_for } => {
            let needed_for = match needed_for {
                MemoryFor::Parameters => "parameters",
                MemoryFor::Launches => "launches",
                MemoryFor::GridBarrier => "barrier",
            };
            say!(reader, "refused-no-memory", needed_for)
        }
    }
}
