// lesson04/filter_activemask.cu: the index of each kept element, with one atomic per warp.
//
// Idea      __activemask() tells which lanes run together here and now. One line later, inside
//           a branch, these may be others. Ask once, and keep the answer.
// Broken    The leader asks again inside its own branch, where it is alone: it reserves 1
//           index for up to 32 lanes. Elements are lost and cloned.
// Correct   The mask is asked for once. The leader reserves one index per lane of it.
// Contract  n <= 2^31; at least n threads; src has n ints. The array place has n elements:
//           those of positive elements are written. The counter kept is one unsigned that starts at 0.
//           The indices are recorded, not used. Two stores to one element would race too,
//           and this pair is about an answer that is wrong although no rule is broken.
// Expect    broken: wrong-result as soon as two lanes of a warp keep. correct: no findings; the
//           places written are 0 .. kept-1, each once.
// PTX       filter_activemask_broken: activemask; activemask; popc; atom.global.add; shfl.sync.idx
// PTX       filter_activemask_correct: activemask; not activemask; popc; not activemask; atom.global.add; shfl.sync.idx

extern "C" __global__ void filter_activemask_broken(unsigned* place, unsigned* kept, const int* src, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    if (i < n && src[i] > 0) {
        const unsigned mask = __activemask();
        const unsigned leader = __ffs(mask) - 1;
        unsigned first = 0;
        if (lane == leader) {
            // BUG: only the leader is active in here, so this counts 1.
            first = atomicAdd(kept, __popc(__activemask()));
        }
        first = __shfl_sync(mask, first, leader);
        place[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}

extern "C" __global__ void filter_activemask_correct(unsigned* place, unsigned* kept, const int* src, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    if (i < n && src[i] > 0) {
        const unsigned mask = __activemask();
        const unsigned leader = __ffs(mask) - 1;
        unsigned first = 0;
        if (lane == leader) {
            // FIX: the mask that all these lanes share.
            first = atomicAdd(kept, __popc(mask));
        }
        first = __shfl_sync(mask, first, leader);
        place[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}
