//! CUB and Thrust, as `peers.cu` has them. Without the feature `peers` there are none.

#[cfg(not(feature = "peers"))]
pub use absent::Peers;
#[cfg(feature = "peers")]
pub use present::Peers;

/// The functions that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Sum,
    Max,
    Histogram,
    SelectIf,
    CopyIf,
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Peer::Sum => "cub::DeviceReduce::Sum",
            Peer::Max => "cub::DeviceReduce::Max",
            Peer::Histogram => "cub::DeviceHistogram::HistogramEven",
            Peer::SelectIf => "cub::DeviceSelect::If",
            Peer::CopyIf => "thrust::copy_if",
        }
    }
}

#[cfg(not(feature = "peers"))]
mod absent {
    use super::Peer;
    use crate::device::{Gpu, Step};
    use anyhow::Result;
    use std::cell::Cell;
    use std::rc::Rc;

    pub struct Peers;

    impl Peers {
        pub fn start(_: &Gpu) -> Result<Peers> {
            Ok(Peers)
        }

        pub fn cub(&self) -> Option<String> {
            None
        }

        pub fn step(&self, _: &Gpu, _: Peer, _: u64, _: u64, _: u64, _: u32) -> Result<Option<(Step, Rc<Cell<u32>>)>> {
            Ok(None)
        }
    }
}

#[cfg(feature = "peers")]
mod present {
    use super::Peer;
    use crate::device::{Gpu, Step};
    use anyhow::{Result, ensure};
    use cust_raw::CUstream;
    use std::cell::Cell;
    use std::ffi::{CStr, c_char, c_int, c_void};
    use std::ptr::null_mut;
    use std::rc::Rc;

    type Call = unsafe extern "C" fn(*mut c_void, *mut usize, u64, u64, *mut u32, u32, CUstream) -> c_int;

    unsafe extern "C" {
        fn peers_versions(cub: *mut c_int, thrust: *mut c_int, runtime: *mut c_int) -> c_int;
        fn peers_start() -> c_int;
        fn peers_error(code: c_int) -> *const c_char;
        fn peer_sum(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: CUstream) -> c_int;
        fn peer_max(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: CUstream) -> c_int;
        fn peer_histogram(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: CUstream) -> c_int;
        fn peer_select_if(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: CUstream) -> c_int;
        fn peer_copy_if(_: *mut c_void, _: *mut usize, _: u64, _: u64, _: *mut u32, _: u32, _: CUstream) -> c_int;
    }

    impl Peer {
        fn call(self) -> Call {
            match self {
                Peer::Sum => peer_sum,
                Peer::Max => peer_max,
                Peer::Histogram => peer_histogram,
                Peer::SelectIf => peer_select_if,
                Peer::CopyIf => peer_copy_if,
            }
        }
    }

    fn check(peer: &str, code: c_int) -> Result<()> {
        // SAFETY: the runtime's texts live as long as the program.
        let text = || unsafe { CStr::from_ptr(peers_error(code)) }.to_string_lossy().into_owned();
        ensure!(code == 0, "{peer}: {}", text());
        Ok(())
    }

    pub struct Peers {
        cub: c_int,
        is_there: bool,
    }

    impl Peers {
        /// On the emulated GPU there are none: they talk to the driver themselves.
        pub fn start(gpu: &Gpu) -> Result<Peers> {
            let (mut cub, mut thrust, mut runtime) = (0, 0, 0);
            if gpu.is_emulated {
                return Ok(Peers { cub, is_there: false });
            }
            // SAFETY: the calling thread has the primary context, and all pointers are to locals.
            unsafe {
                check("the CUDA runtime", peers_start())?;
                check("the CUDA runtime", peers_versions(&mut cub, &mut thrust, &mut runtime))?;
            }
            Ok(Peers { cub, is_there: true })
        }

        pub fn cub(&self) -> Option<String> {
            let (major, minor, patch) = (self.cub / 100_000, self.cub / 100 % 1000, self.cub % 100);
            self.is_there.then(|| format!("{major}.{minor}.{patch}"))
        }

        /// A call on n elements at `from`, with its temporary memory. `kept` is where the number of elements that are kept goes;
        /// for `thrust::copy_if`, which tells the host, it is the cell.
        pub fn step(
            &self,
            gpu: &Gpu,
            peer: Peer,
            from: u64,
            to: u64,
            kept: u64,
            n: u32,
        ) -> Result<Option<(Step, Rc<Cell<u32>>)>> {
            if !self.is_there {
                return Ok(None);
            }
            let (call, told) = (peer.call(), Rc::new(Cell::new(0u32)));
            let is_on_host = peer == Peer::CopyIf;
            let mut bytes = 0;
            let cell = told.clone();
            let place =
                move || if is_on_host { cell.as_ptr() } else { std::ptr::with_exposed_provenance_mut(kept as usize) };
            // SAFETY: without temporary memory the function only says how much it needs, and reads and writes nothing else.
            let code = unsafe { call(null_mut(), &mut bytes, from, to, place(), n, gpu.stream.as_inner()) };
            check(peer.name(), code)?;
            let temp = gpu.room::<u8>(bytes)?;
            let step = move |stream: &cust::stream::Stream| {
                let (memory, mut bytes) = (temp.as_device_ptr().as_raw(), bytes);
                let memory = std::ptr::with_exposed_provenance_mut(memory as usize);
                // SAFETY: `from` and `to` have n elements of the caller's, as with a launch; `temp` has as many bytes as were
                // asked for.
                let code = unsafe { call(memory, &mut bytes, from, to, place(), n, stream.as_inner()) };
                check(peer.name(), code)
            };
            Ok(Some((Step::Library(Box::new(step)), told)))
        }
    }
}
