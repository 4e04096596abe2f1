//! A kernel's peer: the function of CUB that does the same job, on the same memory, in turns with the kernel.
//!
//! Only with the feature `peers`, on a GPU, and for runs whose time is reported. The peer's call follows the launch. A
//! copy before each keeps the GPU busy while the host enqueues: CUB's calls take the host longer than a launch, and
//! that is not what is compared. The copy is also larger than the caches, so that neither finds its input there.

use crate::device::buffer::POISON;
use crate::device::timing::Stopwatch;
use anyhow::Context as _;
use cust::memory::DeviceBuffer;
use cust::stream::Stream;
use cust_raw::{CUresult, cuMemsetD8Async};
use peers::{Peer, PeerCall, Peers};
use std::cell::{Cell, RefCell};
use trial::PeerTime;

/// The peer of the runs of one size.
#[derive(Default)]
pub struct PeerRuns {
    peer: Option<Peer>,
    /// The first call loads the library's kernels.
    is_warm: Cell<bool>,
    took: RefCell<Option<PeerTime>>,
}

impl PeerRuns {
    /// `is_timed`: these runs' time is reported, and it is a GPU's.
    pub fn of(peer: Option<Peer>, is_timed: bool) -> PeerRuns {
        PeerRuns { peer: peer.filter(|_| peers::ARE_BUILT && is_timed), ..PeerRuns::default() }
    }

    pub fn is_there(&self) -> bool {
        self.peer.is_some()
    }

    /// Takes the result of the run that has just ended.
    pub fn take(&self) -> Option<PeerTime> {
        self.took.take()
    }

    /// As [`Run::beside`](crate::Run::beside).
    ///
    /// # Safety
    ///
    /// The memory that `call` names is there, and no other work on `stream` or elsewhere uses it.
    pub unsafe fn call(
        &self,
        stopwatch: &Stopwatch,
        stream: &Stream,
        call: PeerCall,
        is_same: impl FnOnce() -> anyhow::Result<()>,
    ) {
        let Some(peer) = self.peer.filter(|_| call.n > 0) else { return };
        // SAFETY: the caller's.
        let took = unsafe { self.milliseconds(stopwatch, peer, stream, call) };
        let took = took.and_then(|ms| {
            is_same().with_context(|| say!("peer-differs", peer = peer.name()))?;
            Ok(ms)
        });
        *self.took.borrow_mut() = Some(took.map_err(|error| format!("{error:#}")));
    }

    /// # Safety
    ///
    /// As for [`call`](PeerRuns::call).
    unsafe fn milliseconds(
        &self,
        stopwatch: &Stopwatch,
        peer: Peer,
        stream: &Stream,
        call: PeerCall,
    ) -> anyhow::Result<f64> {
        let peers = Peers::start()?.context("the build has no peers")?;
        let raw = stream.as_inner();
        // SAFETY: the launch was on this stream.
        let bytes = unsafe { peers.temp_bytes(peer, call, raw.cast()) }?;
        // SAFETY: only the library uses it, which expects nothing there.
        let temp = unsafe { DeviceBuffer::<u8>::uninitialized(bytes.max(1)) }?;
        // SAFETY: the caller's; `temp` has as many bytes as were asked for, and is freed after the stream is done.
        let enqueue = || unsafe { peers.enqueue(peer, call, (temp.as_device_ptr().as_raw(), bytes), raw.cast()) };
        if !self.is_warm.replace(true) {
            enqueue()?;
        }
        let kept = if call.kept == 0 { 0 } else { size_of::<u32>() };
        for (at, bytes) in
            [(call.to, peer.output_bytes(call.n)), (call.kept, kept)].into_iter().filter(|(_, bytes)| *bytes > 0)
        {
            // SAFETY: what the peer may write, we may too.
            let code = unsafe { cuMemsetD8Async(at, POISON, bytes, raw) };
            anyhow::ensure!(code == CUresult::CUDA_SUCCESS, "the driver answers {code:?}");
        }
        let took = stopwatch.alone(stream, enqueue);
        stream.synchronize()?;
        took
    }
}
