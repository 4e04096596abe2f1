### Launches that are refused.

not-cooperative = `grid.sync()` in a launch that is not cooperative
    .why = Only a cooperative launch promises that all blocks run at once. In any other launch, blocks can wait for one that cannot begin.
    .fix = launch it with `cuLaunchCooperativeKernel`, and with no more blocks than can run at once: `cuOccupancyMaxActiveBlocksPerMultiprocessor` times the number of multiprocessors
launch-failed = the launch of { $kernel } failed, and the kernel did not check: { $reason }
    .why = The launch gave { $error }. Only a thread that asks for the error learns of it.
    .fix = correct the launch. Call `cudaGetLastError()` after it, and hand the error to the host
pointer-to-own-memory = argument { $number } of `{ $kernel }` points to { $space } memory of the parent
    .why = A child grid has its own { $space } memory. The same address means another variable there.
    .fix = pass global memory: a buffer that the host allocated, or a `__device__` variable
a-kernel = a kernel
refused-no-kernel = the pointer is not to a kernel
refused-no-buffer = no such buffer
refused-no-stream = the stream was not created by this grid, or was destroyed
refused-too-deep = launches are nested { $most } deep, as many as may be pending, and each waits for the next
refused-too-many = { $most } launches are pending, the most that cudaLimitDevRuntimePendingLaunchCount allows, and none can begin
refused-grid = grid.{ $axis } is { $blocks }, allowed are 1 to { $most }
refused-block = block.{ $axis } is { $threads }, allowed are 1 to { $most }
refused-threads = the block has { $threads } threads, `{ $kernel }` allows { $most }
refused-required-block = `{ $kernel }` requires blocks of { $block }
refused-required-cluster = `{ $kernel }` requires clusters of { $cluster } blocks
refused-missing-cluster = `{ $kernel }` needs a launch that gives the size of its clusters
refused-cluster = a cluster has { $blocks } blocks, allowed are 1 to { $most }
refused-grid-of-clusters = grid.{ $axis } is { $blocks }, which is no multiple of the cluster's { $cluster }
refused-shared-memory = the block needs { $bytes } bytes of shared memory, at most { $most } are allowed
refused-nothing-fits = not one block of `{ $kernel }` fits on a multiprocessor
refused-cooperative = a cooperative launch of { $blocks } blocks, but only { $resident } can be resident
refused-no-memory = { $needed_for ->
    [parameters] the host has no memory left
    [launches] no memory is left for launches by kernels
   *[barrier] no memory is left for the barrier of the grid
}
