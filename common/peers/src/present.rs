//! The functions of `peers.cu`.

use crate::{Peer, PeerCall, Stream};
use anyhow::{Result, ensure};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null_mut, with_exposed_provenance_mut};

type Function = unsafe extern "C" fn(*mut c_void, *mut usize, u64, u64, *mut u32, u32, Stream) -> c_int;

unsafe extern "C" {
    fn peers_versions(cub: *mut c_int, thrust: *mut c_int, runtime: *mut c_int) -> c_int;
    fn peers_start() -> c_int;
    fn peers_error(code: c_int) -> *const c_char;
    fn peer_sum(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
    fn peer_max(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
    fn peer_histogram(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
    fn peer_wide_histogram(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
    fn peer_large_histogram(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
    fn peer_select_if(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
    fn peer_copy_if(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: Stream) -> c_int;
}

impl Peer {
    fn function(self) -> Function {
        match self {
            Peer::Sum => peer_sum,
            Peer::Max => peer_max,
            Peer::Histogram => peer_histogram,
            Peer::WideHistogram => peer_wide_histogram,
            Peer::LargeHistogram => peer_large_histogram,
            Peer::SelectIf => peer_select_if,
            Peer::CopyIf => peer_copy_if,
        }
    }
}

fn check(what: &str, code: c_int) -> Result<()> {
    // SAFETY: the runtime's texts live as long as the program.
    let text = || unsafe { CStr::from_ptr(peers_error(code)) }.to_string_lossy().into_owned();
    ensure!(code == 0, "{what}: {}", text());
    Ok(())
}

/// A proof that the CUDA runtime has started.
#[derive(Clone, Copy)]
pub struct Peers {
    cub: c_int,
}

impl Peers {
    /// Starts the CUDA runtime in the calling thread's context. They talk to the driver themselves: only for a GPU.
    pub fn start() -> Result<Option<Peers>> {
        let (mut cub, mut thrust, mut runtime) = (0, 0, 0);
        // SAFETY: all pointers are to locals.
        unsafe {
            check("the CUDA runtime", peers_start())?;
            check("the CUDA runtime", peers_versions(&mut cub, &mut thrust, &mut runtime))?;
        }
        Ok(Some(Peers { cub }))
    }

    /// CUB's version: `3.0.1`.
    pub fn cub(&self) -> String {
        let (major, minor, patch) = (self.cub / 100_000, self.cub / 100 % 1000, self.cub % 100);
        format!("{major}.{minor}.{patch}")
    }

    /// Returns the bytes of temporary memory that a call needs.
    ///
    /// # Safety
    ///
    /// `stream` is one of the current context.
    pub unsafe fn temp_bytes(&self, peer: Peer, call: PeerCall, stream: Stream) -> Result<usize> {
        let (PeerCall { from, to, kept, n }, mut bytes) = (call, 0);
        let kept = with_exposed_provenance_mut(kept as usize);
        // SAFETY: without temporary memory the function only says how much it needs, and reads and writes nothing else.
        let code = unsafe { (peer.function())(null_mut(), &mut bytes, from, to, kept, n, stream) };
        check(peer.name(), code)?;
        Ok(bytes)
    }

    /// Enqueues a call, with the address and the size of its temporary memory.
    ///
    /// # Safety
    ///
    /// `stream` is one of the current context, the memory that `call` names is there until it is done, and the
    /// temporary memory is as large as [`temp_bytes`](Peers::temp_bytes) says.
    pub unsafe fn enqueue(&self, peer: Peer, call: PeerCall, temp: (u64, usize), stream: Stream) -> Result<()> {
        let (PeerCall { from, to, kept, n }, mut bytes) = (call, temp.1);
        let [memory, kept] = [temp.0, kept].map(|address| with_exposed_provenance_mut::<u32>(address as usize));
        // SAFETY: the caller's.
        let code = unsafe { (peer.function())(memory.cast(), &mut bytes, from, to, kept, n, stream) };
        check(peer.name(), code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls into what nvcc compiled, so that a build without one of its parts fails here.
    #[test]
    fn they_start_where_there_is_a_gpu_and_elsewhere_say_why_not() {
        match Peers::start() {
            Ok(peers) => {
                assert!(peers.expect("they are built").cub().starts_with(|first: char| first.is_ascii_digit()))
            }
            Err(why) => assert!(why.to_string().contains("the CUDA runtime: "), "{why}"),
        }
    }
}
