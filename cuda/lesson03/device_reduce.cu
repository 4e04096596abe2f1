// lesson03/device_reduce.cu: the sum of a long vector in two launches: one sum per block, then the sum of those.
//
// Idea      The end of a launch is a barrier for the whole grid. The second launch may read only what the
//           blocks of the first one have written, not all that the buffer has room for.
// Broken    The second launch always adds up 1024 partial sums. If fewer blocks ran, the rest was never
//           written.
// Correct   It adds up one partial sum per block that ran.
// Contract  First device_reduce_blocks: blocks of 512 threads, at most 1024 of them; v has n ints, partial room
//           for 1024. Then broken or correct: one block of 1024 threads; blocks is the number that ran;
//           *sum starts at 0 and the total is added to it. n <= 2^31 - 2^19; sums fit in an int.
// Expect    broken: undefined-value if fewer than 1024 blocks ran. correct: no findings, the exact sum.
// PTX       device_reduce_broken: ld.global; shfl.sync.down; bar.sync; atom|red.global.add; never ld.param.u32
// PTX       device_reduce_correct: ld.param.u32; ld.global; shfl.sync.down; bar.sync; atom|red.global.add
// PTX       device_reduce_blocks: ld.global; shfl.sync.down; bar.sync; st.global

#define FULL_MASK 0xffffffffu

__device__ int warp_sum(int sum) {
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    return sum;
}

// The whole sum, in thread 0. The block is a multiple of 32 threads.
__device__ int block_sum(int own) {
    __shared__ int partial[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    own = warp_sum(own);
    if (lane == 0) partial[warp] = own;
    __syncthreads();
    int sum = 0;
    if (warp == 0) sum = warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0);
    return sum;
}

extern "C" __global__ void device_reduce_blocks(const int* v, unsigned n, int* partial) {
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += v[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void device_reduce_broken(const int* partial, unsigned blocks, int* sum) {
    const int total = block_sum(partial[threadIdx.x]);
    // BUG: if fewer blocks ran than there are threads here, total includes values that no block has written.
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

extern "C" __global__ void device_reduce_correct(const int* partial, unsigned blocks, int* sum) {
    // FIX: one partial sum per block that ran.
    const int total = block_sum(threadIdx.x < blocks ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(sum, total);
}
