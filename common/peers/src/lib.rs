//! CUB and Thrust, as `peers.cu` has them, for `bench` and for the lessons. Without the feature `nvcc` there are only
//! names.

#[cfg(not(feature = "nvcc"))]
mod absent;
#[cfg(feature = "nvcc")]
mod present;

#[cfg(not(feature = "nvcc"))]
pub use absent::Peers;
#[cfg(feature = "nvcc")]
pub use present::Peers;

use std::ffi::c_void;

/// True if they were compiled.
pub const ARE_BUILT: bool = cfg!(feature = "nvcc");

/// The functions that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Sum,
    Max,
    /// A histogram of bytes, with 256 bins.
    Histogram,
    /// A histogram of ints below 16384, with a bin for each value.
    WideHistogram,
    /// The same for ints below 65536, with 65536 bins.
    LargeHistogram,
    SelectIf,
    CopyIf,
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Peer::Sum => "cub::DeviceReduce::Sum",
            Peer::Max => "cub::DeviceReduce::Max",
            Peer::Histogram | Peer::WideHistogram | Peer::LargeHistogram => "cub::DeviceHistogram::HistogramEven",
            Peer::SelectIf => "cub::DeviceSelect::If",
            Peer::CopyIf => "thrust::copy_if",
        }
    }

    /// Bytes that a call writes at [`PeerCall::to`], at most.
    pub fn output_bytes(self, n: u32) -> usize {
        match self {
            Peer::Sum | Peer::Max => 4,
            Peer::Histogram => 4 * 256,
            Peer::WideHistogram => 4 * 16384,
            Peer::LargeHistogram => 4 * 65536,
            Peer::SelectIf | Peer::CopyIf => 4 * n as usize,
        }
    }
}

/// The memory that a call reads and writes: addresses of the device's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerCall {
    /// `n` ints; for a histogram `n` bytes.
    pub from: u64,
    /// The number of bytes there is given by [`Peer::output_bytes`].
    pub to: u64,
    /// The address to which the filters store how many ints they kept: 32 bits. For `thrust::copy_if`, which tells the
    /// host, an address of the host's. The others take 0.
    pub kept: u64,
    pub n: u32,
}

/// A `CUstream`.
pub type Stream = *mut c_void;
