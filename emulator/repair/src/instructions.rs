//! Instructions that a fix inserts, in PTX as in the assembly of a CUDA source.

/// Ends the bulk group of a thread, and waits for its groups.
pub const BULK_WAIT: &str = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
pub const PROXY_FENCE: &str = "fence.proxy.async;";
/// Ends the group of products of a warpgroup, and waits for its groups.
pub const PRODUCT_WAIT: &str = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
pub const PRODUCT_FENCE: &str = "wgmma.fence.sync.aligned;";
pub const GRID_WAIT: &str = "griddepcontrol.wait;";
