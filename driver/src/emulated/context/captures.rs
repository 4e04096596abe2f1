//! The captures of a context: which streams take part in one, and what their next work comes after (CUDA Driver API,
//! "Stream Management"; CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture").

use super::objects::{Captured, Stream};
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::thread;
use crate::emulated::queue::LEGACY;
use crate::types::CUgraphEdgeData;
use cust_raw::CUresult::{self, *};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_int;

/// `CU_STREAM_CAPTURE_MODE_GLOBAL` and `_RELAXED`; between them is `_THREAD_LOCAL`.
pub(crate) const GLOBAL: c_int = 0;
pub(crate) const RELAXED: c_int = 2;

thread_local! {
    /// The mode that `cuThreadExchangeStreamCaptureMode` has set.
    static MODE: Cell<c_int> = const { Cell::new(GLOBAL) };
}

/// Sets the mode of the calling thread, and returns the one before.
pub(crate) fn exchange_mode(mode: c_int) -> c_int {
    MODE.replace(mode)
}

/// A capture that goes on.
pub(crate) struct Capture {
    pub(crate) id: u64,
    pub(crate) graph: u64,
    /// The graph was the program's before, and stays so.
    pub(crate) is_given: bool,
    pub(crate) origin: u64,
    pub(crate) mode: c_int,
    pub(crate) thread: u64,
    pub(crate) is_valid: bool,
    /// The nodes that the next work of each stream comes after.
    pub(crate) streams: BTreeMap<u64, Vec<u64>>,
    /// As `cuStreamGetCaptureInfo` gave them out: what the next work comes after, and data of as many edges.
    pub(crate) shown: Vec<u64>,
    pub(crate) shown_edges: Vec<CUgraphEdgeData>,
}

/// The captures of a context.
#[derive(Default)]
pub(crate) struct Captures(Vec<Capture>);

impl Captures {
    pub(crate) fn add(&mut self, capture: Capture) {
        self.0.push(capture);
    }

    /// Removes a capture, and returns it.
    pub(crate) fn remove(&mut self, id: u64) -> Option<Capture> {
        let place = self.0.iter().position(|capture| capture.id == id)?;
        Some(self.0.remove(place))
    }

    /// Returns the capture that a stream takes part in.
    pub(crate) fn of(&mut self, stream: u64) -> Option<&mut Capture> {
        self.0.iter_mut().find(|capture| capture.streams.contains_key(&stream))
    }

    /// True if work of a stream is to become nodes. Work of the legacy stream would wait for streams that are captured.
    pub(crate) fn is_captured(&mut self, stream: u64, streams: &BTreeMap<u64, Stream>) -> CallResult<bool> {
        if stream == LEGACY {
            let is_blocking = |key: &u64| streams.get(key).is_some_and(|stream| stream.flags & 1 == 0);
            return match self.0.iter_mut().find(|capture| capture.streams.keys().any(is_blocking)) {
                Some(capture) => {
                    capture.is_valid = false;
                    Err(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
                }
                None => Ok(false),
            };
        }
        match self.of(stream) {
            Some(capture) if !capture.is_valid => Err(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
            found => Ok(found.is_some()),
        }
    }

    /// Refuses work that cannot be a node, and a wait for a stream that does nothing yet.
    pub(crate) fn not_captured(&mut self, stream: u64, streams: &BTreeMap<u64, Stream>) -> CallResult {
        if self.is_captured(stream, streams)? {
            self.of(stream).into_iter().for_each(|capture| capture.is_valid = false);
            return Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        }
        Ok(())
    }

    /// Calls that CUDA has not made safe during a capture, such as allocations, are refused unless it is relaxed.
    pub(crate) fn not_while_capturing(&mut self) -> CallResult {
        let (own, mode) = (thread::number(), MODE.get());
        let forbids = |capture: &Capture| match (capture.mode, mode) {
            (RELAXED, _) | (_, RELAXED) => false,
            (GLOBAL, GLOBAL) => true,
            _ => capture.thread == own,
        };
        let mut is_refused = false;
        for capture in self.0.iter_mut().filter(|capture| forbids(capture)) {
            capture.is_valid = false;
            is_refused = true;
        }
        if is_refused { Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) } else { Ok(()) }
    }

    /// A stream is destroyed. One that began a capture takes the capture with it. Work of another one stays, and the
    /// capture ends as unjoined if nothing waits for that work.
    pub(crate) fn end_of(&mut self, stream: u64) {
        self.0.retain(|capture| capture.origin != stream);
    }

    /// Returns the point that an event stands for which is recorded in a captured stream.
    pub(crate) fn point_of(&mut self, stream: u64) -> Option<Captured> {
        let capture = self.of(stream)?;
        Some(Captured { capture: capture.id, nodes: capture.streams[&stream].clone() })
    }

    /// A stream waits for a captured event, and so is captured from here on.
    pub(crate) fn join(&mut self, stream: u64, point: &Captured) -> CallResult {
        if stream == LEGACY {
            return Err(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
        }
        let own = self.of(stream).map(|capture| capture.id);
        let capture = self.0.iter_mut().find(|capture| capture.id == point.capture);
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
    pub(crate) fn refuse_event(&mut self, point: &Captured) -> CUresult {
        match self.0.iter_mut().find(|capture| capture.id == point.capture) {
            Some(capture) => {
                capture.is_valid = false;
                CUDA_ERROR_CAPTURED_EVENT
            }
            None => CUDA_ERROR_INVALID_VALUE,
        }
    }

    /// A captured stream waits for something outside.
    pub(crate) fn leave(&mut self, stream: u64) -> CallResult {
        match self.of(stream) {
            Some(capture) => {
                capture.is_valid = false;
                Err(CUDA_ERROR_STREAM_CAPTURE_ISOLATION)
            }
            None => Ok(()),
        }
    }
}
