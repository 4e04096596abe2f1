// lesson03/exchange.cu: the four shuffles, each with every distance and every width.
//
// Idea      A shuffle says who reads whom. The mask says which lanes take part. The distance says how far away
//           a lane reads. The width cuts the warp into groups that read only within themselves.
// Broken    Only even lanes take part, but each reads its right neighbour: an odd lane, not in the mask.
// Correct   Each reads the next even lane.
// Contract  broken, correct: one warp; v and out have 32 ints, out is written at even lanes.
//           the others: one warp per block; block (x, y) takes distance x and width 2^y, with y up to 5 and
//           x below 32, for idx below 64. v has 32 ints, out 32 per block, block (0, 0) first, then
//           (1, 0). idx: below 32 every lane reads lane x; from 32 on, lane x - 32 to its right, wrapping around.
// Expect    broken: absent-lane. all others: no findings; out holds the value of the lane read, or
//           its own where no such lane is in range.
// PTX       exchange_broken: mov.u32 31; mov.u32 1; shfl.sync.down; st.global
// PTX       exchange_correct: mov.u32 31; mov.u32 2; shfl.sync.down; st.global
// PTX       exchange_idx: shfl.sync.idx; st.global
// PTX       exchange_up: shfl.sync.up; st.global
// PTX       exchange_down: shfl.sync.down; st.global
// PTX       exchange_xor: shfl.sync.bfly; st.global

#define FULL_MASK 0xffffffffu
#define EVEN_LANES 0x55555555u

extern "C" __global__ void exchange_broken(const int* v, int* out) {
    const unsigned lane = threadIdx.x;
    if (lane % 2 == 0) {
        // BUG: lane + 1 is odd. It does not take this branch, and the mask does not name it.
        out[lane] = __shfl_down_sync(EVEN_LANES, v[lane], 1);
    }
}

extern "C" __global__ void exchange_correct(const int* v, int* out) {
    const unsigned lane = threadIdx.x;
    if (lane % 2 == 0) {
        // FIX: even lanes read even lanes; lane 30 has none to its right and keeps its own value.
        out[lane] = __shfl_down_sync(EVEN_LANES, v[lane], 2);
    }
}

// Where this thread's result goes: 32 elements per block.
__device__ unsigned place() {
    return 32 * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
}

extern "C" __global__ void exchange_idx(const int* v, int* out) {
    const unsigned lane = threadIdx.x;
    const unsigned x = blockIdx.x;
    const unsigned from = x < 32 ? x : lane + x; // lane + x - 32, wrapping around: every width divides 32.
    out[place()] = __shfl_sync(FULL_MASK, v[lane], from, 1 << blockIdx.y);
}

extern "C" __global__ void exchange_up(const int* v, int* out) {
    out[place()] = __shfl_up_sync(FULL_MASK, v[threadIdx.x], blockIdx.x, 1 << blockIdx.y);
}

extern "C" __global__ void exchange_down(const int* v, int* out) {
    out[place()] = __shfl_down_sync(FULL_MASK, v[threadIdx.x], blockIdx.x, 1 << blockIdx.y);
}

extern "C" __global__ void exchange_xor(const int* v, int* out) {
    out[place()] = __shfl_xor_sync(FULL_MASK, v[threadIdx.x], blockIdx.x, 1 << blockIdx.y);
}
