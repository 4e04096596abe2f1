//! Streams that are being captured: what is submitted to them becomes nodes of a graph (CUDA Driver API, "Stream
//! Management"; CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture").

use super::graph::{graphs, handles};
use super::outcome::{Outcome, out};
use super::queue::LEGACY;
use super::state::State;
use super::stream::{self, Found};
use super::task::Task;
use super::{handle, thread};
use crate::types::CUgraphEdgeData;
use cust_raw::CUresult::*;
use cust_raw::CUstreamCaptureStatus_enum::*;
use cust_raw::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint};

/// `CU_STREAM_CAPTURE_MODE_GLOBAL` and `_RELAXED`; between them is `_THREAD_LOCAL`.
const GLOBAL: c_int = 0;
const RELAXED: c_int = 2;

thread_local! {
    /// The mode that `cuThreadExchangeStreamCaptureMode` has set.
    static MODE: Cell<c_int> = const { Cell::new(GLOBAL) };
}

pub(crate) struct Capture {
    id: u64,
    graph: u64,
    /// The graph was the program's before, and stays so.
    is_given: bool,
    origin: u64,
    mode: c_int,
    thread: u64,
    is_valid: bool,
    /// The nodes that the next work of each stream comes after.
    streams: BTreeMap<u64, Vec<u64>>,
    /// As `cuStreamGetCaptureInfo` gave them out: what the next work comes after, and data of as many edges.
    shown: Vec<u64>,
    shown_edges: Vec<CUgraphEdgeData>,
}

/// The point of a capture that an event stands for, if it was recorded in a captured stream.
#[derive(Clone)]
pub(crate) struct Captured {
    capture: u64,
    nodes: Vec<u64>,
}

impl State {
    fn capture_of(&mut self, stream: u64) -> Option<&mut Capture> {
        self.captures.iter_mut().find(|capture| capture.streams.contains_key(&stream))
    }

    /// True if work of a stream is to become nodes. Work of the legacy stream would wait for streams that are captured.
    pub(crate) fn is_captured(&mut self, stream: u64) -> Outcome<bool> {
        if stream == LEGACY {
            let Self { captures, streams, .. } = self;
            let is_blocking = |key: &u64| streams.get(key).is_some_and(|stream| stream.flags & 1 == 0);
            return match captures.iter_mut().find(|capture| capture.streams.keys().any(is_blocking)) {
                Some(capture) => {
                    capture.is_valid = false;
                    Err(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
                }
                None => Ok(false),
            };
        }
        match self.capture_of(stream) {
            Some(capture) if !capture.is_valid => Err(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
            found => Ok(found.is_some()),
        }
    }

    /// Work that cannot be a node, or a wait for a stream that does nothing yet.
    pub(crate) fn not_captured(&mut self, stream: u64) -> Outcome {
        if self.is_captured(stream)? {
            self.capture_of(stream).into_iter().for_each(|capture| capture.is_valid = false);
            return Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        }
        Ok(())
    }

    /// Calls that CUDA has not made safe during a capture, such as allocations, are refused unless it is relaxed.
    pub(crate) fn not_while_capturing(&mut self) -> Outcome {
        let (own, mode) = (thread::number(), MODE.get());
        let forbids = |capture: &Capture| match (capture.mode, mode) {
            (RELAXED, _) | (_, RELAXED) => false,
            (GLOBAL, GLOBAL) => true,
            _ => capture.thread == own,
        };
        let mut is_refused = false;
        for capture in self.captures.iter_mut().filter(|capture| forbids(capture)) {
            capture.is_valid = false;
            is_refused = true;
        }
        if is_refused { Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) } else { Ok(()) }
    }

    /// A stream is destroyed. One that began a capture takes the capture with it. Work of another one stays, and the
    /// capture ends as unjoined if nothing waits for that work.
    pub(crate) fn end_capture_of(&mut self, stream: u64) {
        self.captures.retain(|capture| capture.origin != stream);
    }

    /// Adds a node behind what the stream has done so far.
    pub(crate) fn capture(&mut self, stream: u64, task: Task) -> Outcome {
        let capture = self.capture_of(stream).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let after = capture.streams.get_mut(&stream).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let node = graphs().add(capture.graph, after.clone(), task)?;
        *after = vec![node];
        Ok(())
    }

    /// Returns the point that an event stands for which is recorded in a captured stream.
    pub(crate) fn captured_point(&mut self, stream: u64) -> Option<Captured> {
        let capture = self.capture_of(stream)?;
        Some(Captured { capture: capture.id, nodes: capture.streams[&stream].clone() })
    }

    /// A stream waits for a captured event, and so is captured from here on.
    pub(crate) fn join_capture(&mut self, stream: u64, point: &Captured) -> Outcome {
        if stream == LEGACY {
            return Err(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
        }
        let own = self.capture_of(stream).map(|capture| capture.id);
        let capture = self.captures.iter_mut().find(|capture| capture.id == point.capture);
        let capture = capture.ok_or(CUDA_ERROR_INVALID_VALUE)?;
        if own.is_some_and(|own| own != point.capture) {
            capture.is_valid = false;
            return Err(CUDA_ERROR_STREAM_CAPTURE_MERGE);
        }
        let after = capture.streams.entry(stream).or_default();
        after.extend(&point.nodes);
        after.sort_unstable();
        after.dedup();
        Ok(())
    }

    /// An event of a capture is asked for, or waited for by the host.
    pub(crate) fn asked_in_capture(&mut self, point: &Captured) -> CUresult {
        match self.captures.iter_mut().find(|capture| capture.id == point.capture) {
            Some(capture) => {
                capture.is_valid = false;
                CUDA_ERROR_CAPTURED_EVENT
            }
            None => CUDA_ERROR_INVALID_VALUE,
        }
    }

    /// A captured stream waits for something outside.
    pub(crate) fn leave_capture(&mut self, stream: u64) -> Outcome {
        match self.capture_of(stream) {
            Some(capture) => {
                capture.is_valid = false;
                Err(CUDA_ERROR_STREAM_CAPTURE_ISOLATION)
            }
            None => Ok(()),
        }
    }
}

fn begin_into(stream: CUstream, graph: Option<(u64, Vec<u64>)>, mode: c_int) -> Outcome {
    if !(GLOBAL..=RELAXED).contains(&mode) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let Found { context, key } = stream::resolve_here(stream)?;
    let mut state = context.lock()?;
    if key == LEGACY {
        return Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    if state.capture_of(key).is_some() {
        return Err(CUDA_ERROR_ILLEGAL_STATE);
    }
    let is_given = graph.is_some();
    let (graph, after) = graph.unwrap_or_else(|| (graphs().create(), vec![]));
    state.captures.push(Capture {
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

pub(crate) unsafe fn begin(stream: CUstream, mode: c_int) -> Outcome {
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
) -> Outcome {
    // SAFETY: the caller's list.
    let after = unsafe { handles(dependencies, count)? };
    let graph = graphs().check(graph)?;
    begin_into(stream, Some((graph, after)), mode)
}

pub(crate) unsafe fn end(stream: CUstream, graph: *mut CUgraph) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let graph = unsafe { out(graph)? };
    let Found { context, key } = stream::resolve_here(stream)?;
    let mut state = context.lock()?;
    let capture = state.capture_of(key).ok_or(CUDA_ERROR_ILLEGAL_STATE)?;
    if capture.mode != RELAXED && capture.thread != thread::number() {
        return Err(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    }
    if capture.origin != key {
        capture.is_valid = false;
        return Err(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    }
    let id = capture.id;
    let Some(place) = state.captures.iter().position(|capture| capture.id == id) else {
        return Err(CUDA_ERROR_ILLEGAL_STATE);
    };
    let ended = state.captures.remove(place);
    let joined = |nodes: &Vec<u64>| graphs().lead_to(nodes, &ended.streams[&key]);
    let code = match ended.is_valid {
        false => CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
        true if ended.streams.values().all(joined) => CUDA_SUCCESS,
        true => CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
    };
    if code == CUDA_SUCCESS {
        graph.set(ended.graph as CUgraph);
        return Ok(());
    }
    if !ended.is_given {
        graphs().remove(ended.graph);
    }
    graph.set(std::ptr::null_mut());
    Err(code)
}

fn status(capture: Option<&mut Capture>) -> CUstreamCaptureStatus {
    match capture {
        None => CU_STREAM_CAPTURE_STATUS_NONE,
        Some(capture) if capture.is_valid => CU_STREAM_CAPTURE_STATUS_ACTIVE,
        Some(_) => CU_STREAM_CAPTURE_STATUS_INVALIDATED,
    }
}

pub(crate) unsafe fn is_capturing(stream: CUstream, place: *mut CUstreamCaptureStatus) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    let Found { context, key } = stream::resolve(stream)?;
    let mut state = context.lock()?;
    if key == LEGACY {
        state.is_captured(key)?;
    }
    place.set(status(state.capture_of(key)));
    Ok(())
}

pub(crate) unsafe fn info(stream: CUstream, place: *mut CUstreamCaptureStatus, id: *mut cuuint64_t) -> Outcome {
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
) -> Outcome {
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
) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    unsafe { is_capturing(stream, place)? };
    let Found { context, key } = stream::resolve(stream)?;
    let mut state = context.lock()?;
    let Some(capture) = state.capture_of(key).filter(|capture| capture.is_valid) else { return Ok(()) };
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
) -> Outcome {
    // SAFETY: the caller's list.
    let nodes = unsafe { handles(dependencies, count)? };
    let Found { context, key } = stream::resolve_here(stream)?;
    let mut state = context.lock()?;
    if !state.is_captured(key)? {
        return Err(CUDA_ERROR_ILLEGAL_STATE);
    }
    let capture = state.capture_of(key).ok_or(CUDA_ERROR_ILLEGAL_STATE)?;
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
) -> Outcome {
    // SAFETY: passed on as it came.
    unsafe { update_dependencies(stream, dependencies, count, flags) }
}

/// Gives the thread's mode back in place of the new one.
pub(crate) unsafe fn exchange_mode(mode: *mut c_int) -> Outcome {
    super::state::may_call()?;
    // SAFETY: in and out.
    let place = unsafe { out(mode)? };
    // SAFETY: as above.
    let wanted = unsafe { mode.read_unaligned() };
    if !(GLOBAL..=RELAXED).contains(&wanted) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    place.set(MODE.replace(wanted));
    Ok(())
}
