// lesson04/vector_sum.cu: the sum of a vector, added up in one variable.
//
// Idea      An atomic makes a shared sum right. Fewer atomics make it fast.
// Broken    `*result += v[i]` loads, adds and stores: additions get lost. nvcc even loads
//           *result only once per thread, before the loop, and stores its own sum in each iteration.
// Correct   atomicAdd() for every element.
// Ladder    correct: one atomic per element. warp: one atomic per warp, after a sum in
//           registers by shuffles. block: one atomic per block, after a tree in shared memory.
// Contract  n <= 2^31; any grid of at most 2^31 threads; v has n ints, result one, which starts at 0; every partial
//           sum fits in an int. warp: the block is a multiple of 32 threads. block: 256 threads.
// Expect    broken: race-global. all others: no findings, the exact sum.
// PTX       vector_sum_broken: ld.global; ld.global; add; st.global; never atom|red
// PTX       vector_sum_correct: ld.global; atom|red.global.add; never st.global
// PTX       vector_sum_warp: shfl.sync.down; atom|red.global.add
// PTX       vector_sum_block: st.shared; bar.sync; ld.shared; atom|red.global.add

#define BLOCK 256
#define FULL_MASK 0xffffffffu

extern "C" __global__ void vector_sum_broken(const int* v, unsigned n, int* result) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // BUG: between this thread's load of *result and its store, other threads add too.
        *result += v[i];
    }
}

extern "C" __global__ void vector_sum_correct(const int* v, unsigned n, int* result) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // FIX: the addition is one step, so none is lost.
        atomicAdd(result, v[i]);
    }
}

// The sum of this thread's share of the vector, in a register.
__device__ int own_sum(const int* v, unsigned n) {
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += v[i];
    }
    return sum;
}

extern "C" __global__ void vector_sum_warp(const int* v, unsigned n, int* result) {
    int sum = own_sum(v, n);
    // Every lane takes part (with 0 if it has no element), so the mask is full.
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

extern "C" __global__ void vector_sum_block(const int* v, unsigned n, int* result) {
    __shared__ int partial[BLOCK];
    const unsigned t = threadIdx.x;

    partial[t] = own_sum(v, n);
    __syncthreads();
    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) atomicAdd(result, partial[0]);
}
