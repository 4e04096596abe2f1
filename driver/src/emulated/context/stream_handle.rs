//! Handles of streams, and the default streams, which have none (CUDA Driver API, "Stream Management").

use super::Context;
use super::current::current;
use super::handle::{HandleKind, owner, register};
use super::objects::Stream;
use super::state::ContextState;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::process::may_call;
use crate::emulated::base::thread;
use crate::emulated::queue::LEGACY;
use cust_raw::{CUresult, CUstream};
use std::sync::Arc;

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`, as `cuda.h` defines them. Null is the legacy stream too.
const CU_STREAM_LEGACY: u64 = 1;
pub(crate) const CU_STREAM_PER_THREAD: u64 = 2;

/// The context of a stream handle, locked, and the stream's key there.
pub(crate) struct LockedStream {
    pub(crate) context: Arc<Context>,
    pub(crate) key: u64,
}

impl ContextState {
    /// The key of the calling thread's own default stream.
    pub(crate) fn thread_stream(&mut self, context: &Arc<Context>) -> u64 {
        let thread = thread::number();
        if let Some(&key) = self.thread_streams.get(&thread) {
            return key;
        }
        let key = register(HandleKind::Stream, context);
        self.queue.open(key, true);
        self.streams.insert(key, Stream::default());
        self.thread_streams.insert(thread, key);
        key
    }
}

/// Any context's stream.
pub(crate) fn resolve(stream: CUstream) -> CallResult<LockedStream> {
    let here = current();
    match stream as u64 {
        0 | CU_STREAM_LEGACY => Ok(LockedStream { context: here?, key: LEGACY }),
        CU_STREAM_PER_THREAD => {
            let context = here?;
            let key = context.lock()?.thread_stream(&context);
            Ok(LockedStream { context, key })
        }
        key => {
            may_call()?;
            let context = owner(HandleKind::Stream, key)?;
            Ok(LockedStream { context, key })
        }
    }
}

/// A stream of the current context: work is submitted where the caller is.
pub(crate) fn resolve_here(stream: CUstream) -> CallResult<LockedStream> {
    let found = resolve(stream)?;
    if found.context.handle != current()?.handle {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    Ok(found)
}
