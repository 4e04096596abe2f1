// lesson06/barrier_cost.cu: what a barrier costs: of a warp, of a block, of the grid.
//
// Idea      The more threads a barrier waits for, the more it costs. The difference between a launch with barriers and one
//           without, divided by their number, is the cost of one.
// Correct   none: the same loop without a barrier. warp: __syncwarp(). block: __syncthreads(). grid: grid.sync().
// Contract  out has an unsigned for each thread. grid: a cooperative launch.
// Expect    no findings; each thread's number after so many steps.
// PTX       barrier_cost_none: never bar.sync; never bar.warp.sync
// PTX       barrier_cost_warp: bar.warp.sync; st.global
// PTX       barrier_cost_block: bar.sync; st.global
// PTX       barrier_cost_grid: atom.add.release.gpu; ld.acquire.gpu; st.global

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// What a thread does between two barriers: too little to matter, and the compiler cannot leave it out.
__device__ unsigned step(unsigned value) {
    return value * 1664525 + 1013904223;
}

extern "C" __global__ void barrier_cost_none(unsigned* out, unsigned barriers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = i;
#pragma unroll 1
    for (unsigned round = 0; round < barriers; round++) value = step(value);
    out[i] = value;
}

extern "C" __global__ void barrier_cost_warp(unsigned* out, unsigned barriers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = i;
#pragma unroll 1
    for (unsigned round = 0; round < barriers; round++) {
        value = step(value);
        __syncwarp();
    }
    out[i] = value;
}

extern "C" __global__ void barrier_cost_block(unsigned* out, unsigned barriers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = i;
#pragma unroll 1
    for (unsigned round = 0; round < barriers; round++) {
        value = step(value);
        __syncthreads();
    }
    out[i] = value;
}

extern "C" __global__ void barrier_cost_grid(unsigned* out, unsigned barriers) {
    cg::grid_group grid = cg::this_grid();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = i;
#pragma unroll 1
    for (unsigned round = 0; round < barriers; round++) {
        value = step(value);
        grid.sync();
    }
    out[i] = value;
}
