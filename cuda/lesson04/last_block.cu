// lesson04/last_block.cu: a sum in one launch. Each block stores its part, and the block that comes last adds them up.
//
// Idea      A counter tells a block that it is the last. atomicInc() sets it back to 0 for the next launch. So nothing has to
//           be cleared, and no atomic is in the way of another one.
// Broken    Nothing orders a block's part before its count. The last block may read a part that is not there yet.
// Correct   A fence before the count and one after it.
// Ladder    correct: the sum. packed: count and sum share one 64-bit word, so one atomic does both. It needs no fence,
//           since nothing else is read. max: the parts meet in one atomicMax() instead of an array.
// Contract  n <= 2^31; v has n ints and is aligned to 16 bytes; blocks of a multiple of 32 threads, at most 512; at most 2^23
//           threads in the grid; parts has an int per block. *done and *word start at 0, *most starts at INT_MIN, and all
//           three end so. Sums wrap.
// Expect    broken: race-global. all others: no findings, the exact result.
// PTX       last_block_broken: ld.global.cs.v4; shfl.sync; bar.sync; st.global; atom.global.inc; never fence; never membar
// PTX       last_block_correct: ld.global.cs.v4; shfl.sync; bar.sync; st.global; membar|fence; atom.global.inc; membar|fence
// PTX       last_block_packed: ld.global.cs.v4; shfl.sync; bar.sync; atom.global.add.u64; st.global; never membar; never fence
// PTX       last_block_max: ld.global.cs.v4; shfl.sync; bar.sync; atom|red.global.max; membar|fence; atom.global.inc; membar|fence

#include <limits.h>

#define FULL_MASK 0xffffffffu
#define LOADS 8 // Of 16 bytes, for each thread.

struct Sum {
    static const int NONE = 0;
    static __device__ int of(int a, int b) {
        return (unsigned)a + (unsigned)b;
    }
};

struct Max {
    static const int NONE = INT_MIN;
    static __device__ int of(int a, int b) {
        return max(a, b);
    }
};

// This thread's share of the vector. All its loads are on their way before the first is needed. None is needed twice, so
// __ldcs() lets the caches drop it.
template <typename Op>
__device__ int of_thread(const int* v, unsigned n) {
    const int4* wide = reinterpret_cast<const int4*>(v);
    const unsigned tile = LOADS * blockDim.x;
    int own = Op::NONE;
    for (unsigned i = blockIdx.x * tile + threadIdx.x; i < n / 4; i += gridDim.x * tile) {
        int4 four[LOADS];
        for (int k = 0; k < LOADS; k++) {
            const unsigned at = i + k * blockDim.x;
            four[k] = at < n / 4 ? __ldcs(&wide[at]) : make_int4(Op::NONE, Op::NONE, Op::NONE, Op::NONE);
        }
        for (int k = 0; k < LOADS; k++) {
            own = Op::of(own, Op::of(Op::of(four[k].x, four[k].y), Op::of(four[k].z, four[k].w)));
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4) own = Op::of(own, v[n / 4 * 4 + threadIdx.x]);
    return own;
}

template <typename Op>
__device__ int of_warp(int own) {
    for (int offset = 16; offset > 0; offset /= 2) own = Op::of(own, __shfl_down_sync(FULL_MASK, own, offset));
    return own;
}

// Of all threads of the block; for thread 0.
template <typename Op>
__device__ int of_block(int own) {
    __shared__ int warps[32];
    own = of_warp<Op>(own);
    __syncthreads(); // Before the second call overwrites what the first one reads.
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x >= 32) return own;
    return of_warp<Op>(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : Op::NONE);
}

// What the last block does. The others are through.
__device__ void add_up(int* result, const int* parts) {
    int own = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) own += parts[block];
    own = of_block<Sum>(own);
    if (threadIdx.x == 0) *result = own;
}

extern "C" __global__ void __launch_bounds__(512, 2)
    last_block_broken(const int* v, unsigned n, int* result, int* parts, unsigned* done) {
    __shared__ bool is_last;
    const int part = of_block<Sum>(of_thread<Sum>(v, n));
    if (threadIdx.x == 0) {
        // BUG: the count may be seen before this part.
        parts[blockIdx.x] = part;
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) add_up(result, parts);
}

extern "C" __global__ void __launch_bounds__(512, 2)
    last_block_correct(const int* v, unsigned n, int* result, int* parts, unsigned* done) {
    __shared__ bool is_last;
    const int part = of_block<Sum>(of_thread<Sum>(v, n));
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part;
        __threadfence(); // FIX: this block's part comes before its count ...
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); // ... and the count comes before the last block's loads of all parts.
    }
    __syncthreads();
    if (is_last) add_up(result, parts);
}

extern "C" __global__ void __launch_bounds__(512, 2)
    last_block_packed(const int* v, unsigned n, int* result, unsigned long long* word) {
    const int part = of_block<Sum>(of_thread<Sum>(v, n));
    if (threadIdx.x != 0) return;
    // Upper half: the sum, whose overflow falls off the end. Lower half: how many blocks have added.
    const unsigned long long found = atomicAdd(word, ((unsigned long long)part << 32) + 1);
    if ((unsigned)found == gridDim.x - 1) {
        *result = (int)(found >> 32) + part;
        atomicExch(word, 0); // For the next launch.
    }
}

extern "C" __global__ void __launch_bounds__(512, 2)
    last_block_max(const int* v, unsigned n, int* result, int* most, unsigned* done) {
    const int part = of_block<Max>(of_thread<Max>(v, n));
    if (threadIdx.x != 0) return;
    atomicMax(most, part);
    __threadfence(); // As above: both are atomic, but two words are two places.
    if (atomicInc(done, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        *result = atomicExch(most, INT_MIN);
    }
}
