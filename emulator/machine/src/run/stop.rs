//! Why a group of threads stopped: what the interpreter's loop leaves to others.

use super::access::InvalidAccess;
use crate::registers::Mask;

/// Why a group stopped.
pub enum GroupStop {
    /// Its slice is used up.
    Slice,
    /// Diverged, met another group, or called: choose again.
    Choose,
    /// These lanes have ended.
    Exit(Mask),
    /// At a block barrier; the group stands on the instruction.
    Barrier,
    /// At an arrival at the barrier of the cluster; the group stands on the instruction.
    ClusterArrive,
    /// At an access that these lanes have still to make, some of them to shared memory of other blocks of the cluster;
    /// the group stands on the instruction.
    OfPeer(Mask),
    /// At a warp-level `.sync`; the group stands on the instruction.
    Collective,
    /// At a call of a function of the device runtime; the group stands on the instruction.
    Builtin,
    /// At an operation on a barrier object; the group stands on the instruction.
    Mbarrier,
    /// At a bulk copy, or at a wait for some; the group stands on the instruction.
    Bulk,
    Trap,
    /// `brx.idx` outside its table, a call to no function.
    WildJump,
    InvalidAccess(InvalidAccess),
    /// No host memory, or local memory used up.
    StackOverflow,
}
