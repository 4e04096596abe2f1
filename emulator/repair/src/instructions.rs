//! Instructions that a fix inserts, in PTX as in the assembly of a CUDA source.

/// Ends the bulk group of a thread, and waits for its groups.
pub const BULK_WAIT: &str = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
pub const PROXY_FENCE: &str = "fence.proxy.async;";
pub const GRID_WAIT: &str = "griddepcontrol.wait;";
