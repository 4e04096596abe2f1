//! Values that a stream writes, or waits for (CUDA Driver API, "Stream Memory Operations").
//!
//! A write comes after all earlier work of its stream, and a wait for its value comes after the write. Writes to one
//! address are in no race. Where a value was written in another way, the wait comes after all work that has been
//! queued by then (towards silence). Operations in a capture are refused.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::state::{ContextState, StreamWork};
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::queue::{VectorClock, WaitOutcome};
use cust_raw::CUresult::*;
use cust_raw::CUstreamBatchMemOpType_enum::*;
use cust_raw::*;
use std::ffi::c_uint;

/// The comparison is in the lowest bits of the flags.
const COMPARISON: c_uint = 3;
const WAIT_FLUSH: c_uint = 1 << 30;
const NO_MEMORY_BARRIER: c_uint = 1;

/// A word of 4 or 8 bytes.
#[derive(Clone, Copy)]
struct StreamValue {
    address: u64,
    bytes: usize,
    value: u64,
}

impl StreamValue {
    fn of_32(address: u64, value: u32) -> StreamValue {
        StreamValue { address, bytes: 4, value: value.into() }
    }

    fn of_64(address: u64, value: u64) -> StreamValue {
        StreamValue { address, bytes: 8, value }
    }

    fn check(&self, state: &ContextState) -> CallResult {
        if !self.address.is_multiple_of(self.bytes as u64) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        state.check_range(self.address, self.bytes).map(drop)
    }

    /// Returns true if memory holds what a wait with this comparison waits for, or is no more.
    fn is_met(&self, state: &ContextState, comparison: c_uint) -> bool {
        let Ok(bytes) = state.device.contents_at(self.address, self.bytes as u64) else { return true };
        let unused = 64 - 8 * self.bytes as u32;
        let found = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        match comparison {
            // Numbers that go round: the difference as a signed number.
            0 => ((found.wrapping_sub(self.value) << unused) as i64) >= 0,
            1 => found == self.value,
            2 => found & self.value != 0,
            _ => (!(found | self.value)) << unused != 0,
        }
    }

    /// Returns the clock of the write of what memory holds; `None` if it was written in another way since.
    fn written_by(&self, state: &ContextState) -> Option<VectorClock> {
        let (written, clock) = state.stream_values.get(&self.address)?;
        let found = state.device.contents_at(self.address, written.len() as u64).ok()?;
        (found == *written).then(|| clock.clone())
    }

    fn write(&self, state: &mut ContextState, order: &emulator::HostOrder) {
        let bytes = &self.value.to_le_bytes()[..self.bytes];
        // Such writes do not race with one another, and what they find is no report.
        let _ = state.device.write(self.address, bytes, order);
        state.stream_values.insert(self.address, (bytes.to_vec(), order.clock.clone()));
    }
}

/// An operation of a stream on a word.
#[derive(Clone, Copy)]
enum ValueOperation {
    Write(StreamValue),
    Wait(StreamValue, c_uint),
}

impl ValueOperation {
    fn write(value: StreamValue, flags: c_uint) -> CallResult<ValueOperation> {
        if flags & !NO_MEMORY_BARRIER != 0 {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        Ok(ValueOperation::Write(value))
    }

    fn wait(value: StreamValue, flags: c_uint) -> CallResult<ValueOperation> {
        if flags & !(COMPARISON | WAIT_FLUSH) != 0 {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        Ok(ValueOperation::Wait(value, flags & COMPARISON))
    }

    fn work(self) -> StreamWork {
        match self {
            ValueOperation::Write(value) => StreamWork::device(move |state, order| value.write(state, order)),
            ValueOperation::Wait(value, comparison) => {
                let look = move |state: &ContextState| match value.is_met(state, comparison) {
                    false => WaitOutcome::Waits,
                    true => value.written_by(state).map_or(WaitOutcome::AfterAll, WaitOutcome::After),
                };
                StreamWork::Wait(Box::new(look))
            }
        }
    }
}

/// Queues the operations, all or none.
fn submit(stream: CUstream, operations: &[ValueOperation]) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if state.is_captured(key)? {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    for operation in operations {
        let (ValueOperation::Write(value) | ValueOperation::Wait(value, _)) = operation;
        value.check(&state)?;
    }
    for operation in operations {
        state.queue.submit(key, &[], operation.work());
    }
    Ok(())
}

pub(crate) unsafe fn wait_32(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint) -> CallResult {
    submit(stream, &[ValueOperation::wait(StreamValue::of_32(address, value), flags)?])
}

pub(crate) unsafe fn wait_64(stream: CUstream, address: CUdeviceptr, value: u64, flags: c_uint) -> CallResult {
    submit(stream, &[ValueOperation::wait(StreamValue::of_64(address, value), flags)?])
}

pub(crate) unsafe fn write_32(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint) -> CallResult {
    submit(stream, &[ValueOperation::write(StreamValue::of_32(address, value), flags)?])
}

pub(crate) unsafe fn write_64(stream: CUstream, address: CUdeviceptr, value: u64, flags: c_uint) -> CallResult {
    submit(stream, &[ValueOperation::write(StreamValue::of_64(address, value), flags)?])
}

/// An operation of a batch as C lays it out (`CUstreamBatchMemOpParams`).
#[repr(C)]
struct BatchedOperation {
    kind: u32,
    address: u64,
    value: u64,
    flags: c_uint,
    _rest: [u64; 2],
}

/// `CU_STREAM_MEM_OP_BARRIER`, which is newer than the bindings.
const BARRIER: u32 = 6;

/// Barriers and flushes have nothing to do here.
pub(crate) unsafe fn batch(
    stream: CUstream,
    count: c_uint,
    list: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> CallResult {
    const { assert!(size_of::<BatchedOperation>() == size_of::<CUstreamBatchMemOpParams>()) };
    if flags != 0 || count > 256 || count > 0 && list.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mut operations = Vec::new();
    for nth in 0..count as usize {
        // SAFETY: the caller gave so many, each as large as this. Any bits are numbers.
        let one = unsafe { list.add(nth).cast::<BatchedOperation>().read_unaligned() };
        let is = |operation: CUstreamBatchMemOpType_enum| one.kind == operation as u32;
        let narrow = StreamValue::of_32(one.address, one.value as u32);
        let wide = StreamValue::of_64(one.address, one.value);
        if is(CU_STREAM_MEM_OP_WAIT_VALUE_32) {
            operations.push(ValueOperation::wait(narrow, one.flags)?);
        } else if is(CU_STREAM_MEM_OP_WAIT_VALUE_64) {
            operations.push(ValueOperation::wait(wide, one.flags)?);
        } else if is(CU_STREAM_MEM_OP_WRITE_VALUE_32) {
            operations.push(ValueOperation::write(narrow, one.flags)?);
        } else if is(CU_STREAM_MEM_OP_WRITE_VALUE_64) {
            operations.push(ValueOperation::write(wide, one.flags)?);
        } else if one.kind != BARRIER && !is(CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
    }
    submit(stream, &operations)
}
