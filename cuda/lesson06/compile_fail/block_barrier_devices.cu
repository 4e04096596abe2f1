// lesson06/block_barrier_devices.cu: the barrier of a grid that runs on several GPUs.
//
// Idea      this_multi_grid() and its launch were removed in CUDA 13.
// Broken    Today's header has no such group.
// Correct   A cooperative launch on each GPU (grid_reverse.cu), and an event or the host between them.
// Contract  None: it is never run.
// Expect    compile-fail: no such function.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void block_barrier_devices(const int* v, int* out) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i] = v[i];
    // BUG: there is no longer a group of several GPUs.
    cg::this_multi_grid().sync();
}
