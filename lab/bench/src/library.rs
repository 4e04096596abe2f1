//! A library's call as a step, with its temporary memory.

use crate::device::{Gpu, Step};
use anyhow::Result;
use cust::stream::Stream;
use peers::{Peer, PeerCall, Peers};
use std::cell::Cell;
use std::rc::Rc;

/// `thrust::copy_if` tells the host how many elements it kept: that is in the cell, whatever `call` says.
pub fn step(gpu: &Gpu, peers: Peers, peer: Peer, call: PeerCall) -> Result<(Step, Rc<Cell<u32>>)> {
    let told = Rc::new(Cell::new(0u32));
    let cell = told.clone();
    let call = move || match peer {
        Peer::CopyIf => PeerCall { kept: cell.as_ptr().expose_provenance() as u64, ..call },
        _ => call,
    };
    // SAFETY: the stream is the GPU's own.
    let bytes = unsafe { peers.temp_bytes(peer, call(), gpu.stream.as_inner().cast()) }?;
    let temp = gpu.room::<u8>(bytes)?;
    let step = move |stream: &Stream| {
        // SAFETY: the call's memory is the caller's, as with a launch; `temp` has as many bytes as were asked for.
        unsafe { peers.enqueue(peer, call(), (temp.as_device_ptr().as_raw(), bytes), stream.as_inner().cast()) }
    };
    Ok((Step::Library(Box::new(step)), told))
}
