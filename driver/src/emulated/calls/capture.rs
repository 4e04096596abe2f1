//! Streams that are being captured: what is submitted to them becomes nodes of a graph (CUDA Driver API, "Stream
//! Management"; CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture").

use super::graph::handles;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::base::thread;
use crate::emulated::context::captures;
use crate::emulated::context::captures::{Capture, GLOBAL, RELAXED};
use crate::emulated::context::handle;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::queue::LEGACY;
use crate::emulated::task::graphs::graphs;
use crate::types::CUgraphEdgeData;
use cust_raw::CUresult::*;
use cust_raw::CUstreamCaptureStatus_enum::*;
use cust_raw::*;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint};

fn begin_into(stream: CUstream, graph: Option<(u64, Vec<u64>)>, mode: c_int) -> CallResult {
    if !(GLOBAL..=RELAXED).contains(&mode) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if key == LEGACY {
        return Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    if state.captures.of(key).is_some() {
        return Err(CUDA_ERROR_ILLEGAL_STATE);
    }
    let is_given = graph.is_some();
    let (graph, after) = graph.unwrap_or_else(|| (graphs().create(), vec![]));
    state.captures.add(Capture {
        id: handle::fresh(),
        graph,
        is_given,
        origin: key,
        mode,
        thread: thread::number(),
        is_valid: true,
        streams: BTreeMap::from([(key, after)]),
        shown: vec![],
        shown_edges: vec![],
    });
    Ok(())
}

pub(crate) unsafe fn begin(stream: CUstream, mode: c_int) -> CallResult {
    begin_into(stream, None, mode)
}

/// Data of edges is not looked at: only edges without data can be made here.
pub(crate) unsafe fn begin_to_graph(
    stream: CUstream,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    _edges: *const CUgraphEdgeData,
    count: usize,
    mode: c_int,
) -> CallResult {
    // SAFETY: the caller's list.
    let after = unsafe { handles(dependencies, count)? };
    let graph = graphs().check(graph)?;
    begin_into(stream, Some((graph, after)), mode)
}

pub(crate) unsafe fn end(stream: CUstream, graph: *mut CUgraph) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    let capture = state.captures.of(key).ok_or(CUDA_ERROR_ILLEGAL_STATE)?;
    if capture.mode != RELAXED && capture.thread != thread::number() {
        return Err(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    }
    if capture.origin != key {
        capture.is_valid = false;
        return Err(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    }
    let id = capture.id;
    let ended = state.captures.remove(id).ok_or(CUDA_ERROR_ILLEGAL_STATE)?;
    let joined = |nodes: &Vec<u64>| graphs().lead_to(nodes, &ended.streams[&key]);
    let code = match ended.is_valid {
        false => CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
        true if ended.streams.values().all(joined) => CUDA_SUCCESS,
        true => CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
    };
    let captured = if code == CUDA_SUCCESS { ended.graph as CUgraph } else { std::ptr::null_mut() };
    // Null drops the handle: of a graph that the program gave, it has another.
    if !graph.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { graph.write(captured) };
    }
    if code == CUDA_SUCCESS {
        return Ok(());
    }
    if !ended.is_given {
        graphs().remove(ended.graph);
    }
    Err(code)
}

fn status(capture: Option<&mut Capture>) -> CUstreamCaptureStatus {
    match capture {
        None => CU_STREAM_CAPTURE_STATUS_NONE,
        Some(capture) if capture.is_valid => CU_STREAM_CAPTURE_STATUS_ACTIVE,
        Some(_) => CU_STREAM_CAPTURE_STATUS_INVALIDATED,
    }
}

pub(crate) unsafe fn is_capturing(stream: CUstream, place: *mut CUstreamCaptureStatus) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    let mut state = context.lock()?;
    if key == LEGACY {
        state.is_captured(key)?;
    }
    place.set(status(state.captures.of(key)));
    Ok(())
}

pub(crate) unsafe fn info(stream: CUstream, place: *mut CUstreamCaptureStatus, id: *mut cuuint64_t) -> CallResult {
    let (graph, nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: passed on as it came.
    unsafe { info_with_graph(stream, place, id, graph, nodes, count) }
}

pub(crate) unsafe fn info_with_graph(
    stream: CUstream,
    place: *mut CUstreamCaptureStatus,
    id: *mut cuuint64_t,
    graph: *mut CUgraph,
    dependencies: *mut *const CUgraphNode,
    count: *mut usize,
) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { info_with_edges(stream, place, id, graph, dependencies, std::ptr::null_mut(), count) }
}

/// All but the status may be null, and is written only where there is a capture. No edge has data, so that of each is
/// zero: bindings read as many as there are nodes.
pub(crate) unsafe fn info_with_edges(
    stream: CUstream,
    place: *mut CUstreamCaptureStatus,
    id: *mut cuuint64_t,
    graph: *mut CUgraph,
    dependencies: *mut *const CUgraphNode,
    edges: *mut *const CUgraphEdgeData,
    count: *mut usize,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    unsafe { is_capturing(stream, place)? };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    let mut state = context.lock()?;
    let Some(capture) = state.captures.of(key).filter(|capture| capture.is_valid) else { return Ok(()) };
    capture.shown = capture.streams[&key].clone();
    capture.shown_edges = vec![CUgraphEdgeData::default(); capture.shown.len()];
    // SAFETY: out-pointers of the caller, or null.
    unsafe {
        if !id.is_null() {
            out(id)?.set(capture.id);
        }
        if !graph.is_null() {
            out(graph)?.set(capture.graph as CUgraph);
        }
        if !dependencies.is_null() {
            out(dependencies)?.set(capture.shown.as_ptr().cast());
        }
        if !edges.is_null() {
            out(edges)?.set(capture.shown_edges.as_ptr());
        }
        if !count.is_null() {
            out(count)?.set(capture.shown.len());
        }
    }
    Ok(())
}

/// `CU_STREAM_ADD_CAPTURE_DEPENDENCIES` or `CU_STREAM_SET_CAPTURE_DEPENDENCIES`.
pub(crate) unsafe fn update_dependencies(
    stream: CUstream,
    dependencies: *mut CUgraphNode,
    count: usize,
    flags: c_uint,
) -> CallResult {
    // SAFETY: the caller's list.
    let nodes = unsafe { handles(dependencies, count)? };
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if !state.is_captured(key)? {
        return Err(CUDA_ERROR_ILLEGAL_STATE);
    }
    let capture = state.captures.of(key).ok_or(CUDA_ERROR_ILLEGAL_STATE)?;
    if flags > 1 || !nodes.iter().all(|&node| graphs().node(node as CUgraphNode).is_ok()) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let after = capture.streams.entry(key).or_default();
    if flags == 1 {
        after.clear();
    }
    after.extend(nodes);
    after.sort_unstable();
    after.dedup();
    Ok(())
}

pub(crate) unsafe fn update_dependencies_with_edges(
    stream: CUstream,
    dependencies: *mut CUgraphNode,
    _edges: *const CUgraphEdgeData,
    count: usize,
    flags: c_uint,
) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { update_dependencies(stream, dependencies, count, flags) }
}

/// Gives the thread's mode back in place of the new one.
pub(crate) unsafe fn exchange_mode(mode: *mut c_int) -> CallResult {
    may_call()?;
    // SAFETY: in and out.
    let place = unsafe { out(mode)? };
    // SAFETY: as above.
    let wanted = unsafe { mode.read_unaligned() };
    if !(GLOBAL..=RELAXED).contains(&wanted) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    place.set(captures::exchange_mode(wanted));
    Ok(())
}
