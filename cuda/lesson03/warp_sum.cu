// lesson03/warp_sum.cu: a warp adds up its values by shuffles, without shared memory.
//
// Idea      A shuffle reads a value that another lane holds. A lane without a thread holds no value.
// Broken    Blocks of 16 threads are half a warp. The first shuffle reads lanes 16 to 31, which have
//           no threads, and lane 0 adds what it got to the sum.
// Correct   The same 16 threads, mask and width 16, first offset 8.
// Ladder    full: a whole warp of 32 threads, first offset 16.
// Contract  One sum per block: block b adds up size elements, the first of them v[b * size], and
//           stores sums[b]. size and the block are 16 threads, for full 32. Sums fit in an int.
// Expect    broken: absent-lane. all others: no findings, the exact sums.
// PTX       warp_sum_broken: mov.u32 16; mov.u32 -1; shfl.sync.down; st.global
// PTX       warp_sum_correct: mov.u32 8; mov.u32 65535; shfl.sync.down; st.global
// PTX       warp_sum_full: mov.u32 16; mov.u32 -1; shfl.sync.down; st.global

#define HALF_WARP 16
#define HALF_MASK 0x0000ffffu
#define FULL_MASK 0xffffffffu

extern "C" __global__ void warp_sum_broken(const int* v, int* sums) {
    int sum = v[blockIdx.x * HALF_WARP + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        // BUG: in the first round lane 0 reads lane 16, but this block has no thread there.
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

extern "C" __global__ void warp_sum_correct(const int* v, int* sums) {
    int sum = v[blockIdx.x * HALF_WARP + threadIdx.x];
    for (int offset = HALF_WARP / 2; offset > 0; offset /= 2) {
        // FIX: offsets from 8, and a width of 16: no lane reads beyond lane 15.
        sum += __shfl_down_sync(HALF_MASK, sum, offset, HALF_WARP);
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

extern "C" __global__ void warp_sum_full(const int* v, int* sums) {
    int sum = v[blockIdx.x * 32 + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        // All 32 lanes are there. Where no lane is in range, a lane reads its own value; that sum is not used.
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
