//! Events (CUDA Driver API, "Event Management"). Times are those of the [queue](crate::emulated::queue)'s timeline.

use super::pool;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::current;
use crate::emulated::context::handle;
use crate::emulated::context::objects::Event;
use crate::emulated::context::state::{ContextState, StreamWork};
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::context::{Context, Locked};
use crate::emulated::queue::{NextStep, StreamMark};
use crate::emulated::task::StreamTask;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::HostOrder;
use std::ffi::c_uint;
use std::sync::Arc;

/// Flags of an event that processes share.
pub(crate) const OF_PROCESSES: c_uint =
    CUevent_flags_enum::CU_EVENT_INTERPROCESS as u32 | CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32;

/// A flag of ours: the event stands for one of another process.
pub(crate) const OPENED: c_uint = 1 << 31;

/// Returns the flags with which an event was made.
pub(crate) fn flags(event: CUevent) -> CallResult<c_uint> {
    let context = owner(event)?;
    let state = context.lock()?;
    Ok(find(&state, event)?.flags)
}

pub(crate) fn owner(event: CUevent) -> CallResult<Arc<Context>> {
    may_call()?;
    handle::owner(handle::HandleKind::Event, event as u64)
}

fn find<'a>(state: &'a Locked<'_>, event: CUevent) -> CallResult<&'a Event> {
    state.events.get(&(event as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)
}

/// Returns the last record of the event, if there is one. In a capture there is nothing to wait for.
pub(crate) fn mark(state: &mut Locked<'_>, event: CUevent) -> CallResult<Option<StreamMark>> {
    match find(state, event)?.captured.clone() {
        Some(point) => Err(state.captures.refuse_event(&point)),
        None => Ok(find(state, event)?.recorded.clone()),
    }
}

/// Does all that the event stands for. The host is not told.
pub(crate) fn finish(context: &Context, event: CUevent) -> CallResult {
    let mut state = context.lock()?;
    match mark(&mut state, event)? {
        Some(mark) => context.reach(state, &mark).map(drop),
        None => Ok(()),
    }
}

pub(crate) unsafe fn create(event: *mut CUevent, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let event = unsafe { out(event)? };
    let context = current()?;
    let mut state = context.lock()?;
    let interprocess = CUevent_flags_enum::CU_EVENT_INTERPROCESS as u32;
    let no_timing = CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32;
    if flags > 7 || (flags & interprocess != 0 && flags & no_timing == 0) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    event.set(add(&context, &mut state, flags));
    Ok(())
}

/// Makes an event that stands for one of another process.
pub(crate) unsafe fn open(event: *mut CUevent) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let event = unsafe { out(event)? };
    let context = current()?;
    let mut state = context.lock()?;
    event.set(add(&context, &mut state, OF_PROCESSES | OPENED));
    Ok(())
}

fn add(context: &Arc<Context>, state: &mut ContextState, flags: c_uint) -> CUevent {
    let key = handle::register(handle::HandleKind::Event, context);
    state.events.insert(key, Event { flags, recorded: None, time: None, captured: None });
    key as CUevent
}

pub(crate) unsafe fn destroy(event: CUevent) -> CallResult {
    let context = owner(event)?;
    let mut state = context.lock()?;
    handle::forget(event as u64);
    state.events.remove(&(event as u64)).map(drop).ok_or(CUDA_ERROR_INVALID_HANDLE)
}

pub(crate) unsafe fn record(event: CUevent, stream: CUstream) -> CallResult {
    let context = owner(event)?;
    let found = stream_handle::resolve(stream)?;
    if found.context.handle != context.handle {
        return Err(CUDA_ERROR_INVALID_HANDLE);
    }
    let mut state = context.lock()?;
    let is_of_processes = find(&state, event)?.flags & OF_PROCESSES == OF_PROCESSES;
    if state.is_captured(found.key)? {
        let point = state.captures.point_of(found.key);
        let event = state.events.get_mut(&(event as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
        event.captured = point;
        return Ok(());
    }
    let mark = state.record(event as u64, found.key, &[]);
    // Another process cannot have this one run its work.
    if is_of_processes {
        context.reach(state, &mark).map(drop)?;
    }
    Ok(())
}

impl ContextState {
    /// Records an event, if it is still there.
    pub(crate) fn record(&mut self, event: u64, stream: u64, waits: &[&StreamMark]) -> StreamMark {
        let work = StreamWork::device(move |state: &mut ContextState, order: &HostOrder| {
            // Recorded again or destroyed meanwhile: this one no longer counts.
            if let Some(event) = state.events.get_mut(&event)
                && event.recorded.as_ref().is_some_and(|mark| mark.order == *order)
            {
                event.time = state.queue.start(stream);
            }
        });
        let mark = self.queue.submit(stream, waits, work);
        if let Some(event) = self.events.get_mut(&event) {
            event.recorded = Some(mark.clone());
            event.time = None;
            event.captured = None;
        }
        mark
    }
}

pub(crate) unsafe fn record_with_flags(event: CUevent, stream: CUstream, flags: c_uint) -> CallResult {
    if flags > CUevent_record_flags_enum::CU_EVENT_RECORD_EXTERNAL as u32 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    let mut state = context.lock()?;
    if flags != 0 && state.is_captured(key)? {
        return state.capture(key, StreamTask::Record(event as u64));
    }
    drop(state);
    // SAFETY: handles are looked up, never followed.
    unsafe { record(event, stream) }
}

/// An event that was never recorded is complete.
pub(crate) unsafe fn query(event: CUevent) -> CallResult {
    let context = owner(event)?;
    context.is_ready()?;
    let mut state = context.lock()?;
    let Some(mark) = mark(&mut state, event)? else { return Ok(()) };
    let (mut state, reached) = context.poll(state, {
        let mark = mark.clone();
        move |queue| queue.step_to_mark(&mark)
    })?;
    if !reached {
        return Err(CUDA_ERROR_NOT_READY);
    }
    state.queue.host_joins(&mark);
    Ok(())
}

pub(crate) unsafe fn synchronize(event: CUevent) -> CallResult {
    let context = owner(event)?;
    let mut state = context.lock()?;
    if let Some(mark) = mark(&mut state, event)? {
        drop(context.wait(state, &mark)?);
    }
    pool::synchronized();
    Ok(())
}

/// `cuStreamWaitEvent`.
pub(crate) unsafe fn stream_wait(stream: CUstream, event: CUevent, flags: c_uint) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    if flags > CUevent_wait_flags_enum::CU_EVENT_WAIT_EXTERNAL as u32 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let recorder = owner(event)?;
    if recorder.handle != context.handle {
        // Between contexts there is no shared queue. Doing the other's work now is an order the program allows.
        return finish(&recorder, event);
    }
    let mut state = context.lock()?;
    if flags != 0 && state.is_captured(key)? {
        return state.capture(key, StreamTask::Wait(event as u64));
    }
    if let Some(point) = find(&state, event)?.captured.clone() {
        return state.captures.join(key, &point);
    }
    if let Some(mark) = mark(&mut state, event)? {
        state.captures.leave(key)?;
        state.is_captured(key)?;
        state.queue.submit(key, &[&mark], StreamWork::nothing());
    }
    Ok(())
}

pub(crate) unsafe fn elapsed_time(milliseconds: *mut f32, start: CUevent, end: CUevent) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let milliseconds = unsafe { out(milliseconds)? };
    let context = owner(start)?;
    if owner(end)?.handle != context.handle {
        return Err(CUDA_ERROR_INVALID_HANDLE);
    }
    let state = context.lock()?;
    let mut times = [None; 2];
    for (time, event) in times.iter_mut().zip([start, end]) {
        let event = find(&state, event)?;
        if event.captured.is_some() {
            return Err(CUDA_ERROR_INVALID_HANDLE);
        }
        let timed = event.flags & CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32 == 0;
        let Some(mark) = event.recorded.as_ref().filter(|_| timed) else { return Err(CUDA_ERROR_INVALID_HANDLE) };
        if state.queue.step_to_mark(mark) == NextStep::Reached {
            *time = event.time;
        }
    }
    let [Some(start), Some(end)] = times else { return Err(CUDA_ERROR_NOT_READY) };
    let seconds = end.as_secs_f64() - start.as_secs_f64();
    milliseconds.set((seconds * 1e3) as f32);
    Ok(())
}
