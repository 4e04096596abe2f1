//! Fills (CUDA Driver API, "Memory Management"): the host never waits, except where the target is memory it can see.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::Context;
use crate::emulated::context::current::current;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::queue::LEGACY;
use crate::emulated::task::StreamTask;
use crate::emulated::task::fill::{Fill, FillRows};
use cust_raw::*;
use emulator::HostMemory;
use std::ffi::{c_uchar, c_uint, c_ushort};
use std::sync::Arc;

/// `None` stands for the synchronous form.
fn fill<const N: usize>(rows: FillRows, pattern: [u8; N], stream: Option<CUstream>) -> CallResult {
    let (context, key): (Arc<Context>, u64) = match stream {
        None => (current()?, LEGACY),
        Some(stream) => {
            let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
            (context, key)
        }
    };
    let mut state = context.lock()?;
    let is_captured = stream.is_some() && state.is_captured(key)?;
    let mut padded = [0; 4];
    padded[..N].copy_from_slice(&pattern);
    let (fill, target) = Fill::new(&state, context.number, rows, padded, N)?;
    let Some(target) = target else { return Ok(()) };
    if is_captured {
        return state.capture(key, StreamTask::Fill(fill));
    }
    let mark = state.submit(key, move |state, order| fill.run(state, order))?;
    if stream.is_none() && target.place != HostMemory::Device {
        context.wait(state, &mark).map(drop)?;
    }
    Ok(())
}

fn line(address: u64, count: usize) -> FillRows {
    FillRows { address, pitch: 0, width: count, height: 1 }
}

pub(crate) unsafe fn bytes(address: CUdeviceptr, value: c_uchar, count: usize) -> CallResult {
    fill(line(address, count), [value], None)
}

pub(crate) unsafe fn halves(address: CUdeviceptr, value: c_ushort, count: usize) -> CallResult {
    fill(line(address, count), value.to_ne_bytes(), None)
}

pub(crate) unsafe fn words(address: CUdeviceptr, value: c_uint, count: usize) -> CallResult {
    fill(line(address, count), value.to_ne_bytes(), None)
}

pub(crate) unsafe fn bytes_async(address: CUdeviceptr, value: c_uchar, count: usize, stream: CUstream) -> CallResult {
    fill(line(address, count), [value], Some(stream))
}

pub(crate) unsafe fn halves_async(address: CUdeviceptr, value: c_ushort, count: usize, stream: CUstream) -> CallResult {
    fill(line(address, count), value.to_ne_bytes(), Some(stream))
}

pub(crate) unsafe fn words_async(address: CUdeviceptr, value: c_uint, count: usize, stream: CUstream) -> CallResult {
    fill(line(address, count), value.to_ne_bytes(), Some(stream))
}

pub(crate) unsafe fn plane_bytes(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uchar,
    width: usize,
    height: usize,
) -> CallResult {
    fill(FillRows { address, pitch, width, height }, [value], None)
}

pub(crate) unsafe fn plane_halves(
    address: CUdeviceptr,
    pitch: usize,
    value: c_ushort,
    width: usize,
    height: usize,
) -> CallResult {
    fill(FillRows { address, pitch, width, height }, value.to_ne_bytes(), None)
}

pub(crate) unsafe fn plane_words(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uint,
    width: usize,
    height: usize,
) -> CallResult {
    fill(FillRows { address, pitch, width, height }, value.to_ne_bytes(), None)
}

pub(crate) unsafe fn plane_bytes_async(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uchar,
    width: usize,
    height: usize,
    stream: CUstream,
) -> CallResult {
    fill(FillRows { address, pitch, width, height }, [value], Some(stream))
}

pub(crate) unsafe fn plane_halves_async(
    address: CUdeviceptr,
    pitch: usize,
    value: c_ushort,
    width: usize,
    height: usize,
    stream: CUstream,
) -> CallResult {
    fill(FillRows { address, pitch, width, height }, value.to_ne_bytes(), Some(stream))
}

pub(crate) unsafe fn plane_words_async(
    address: CUdeviceptr,
    pitch: usize,
    value: c_uint,
    width: usize,
    height: usize,
    stream: CUstream,
) -> CallResult {
    fill(FillRows { address, pitch, width, height }, value.to_ne_bytes(), Some(stream))
}
