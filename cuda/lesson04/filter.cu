// lesson04/filter.cu: keep the positive elements, in any order.
//
// Idea      A shared output needs a shared counter: each thread gets an index of its own from it.
// Broken    Two threads read the same count and store to the same element. One value is lost.
// Correct   atomicAdd() gives out each index once.
// Contract  n <= 2^31; at least n threads; src and dst have n ints; kept is one unsigned that starts at 0.
// Expect    broken: race-global. correct: no findings; kept is the number of positive
//           elements, and dst[0 .. kept-1] holds them in some order.
// PTX       filter_broken: ld.global; setp; ld.global; add; st.global; st.global; never atom|red
// PTX       filter_correct: ld.global; atom.global.add; st.global

extern "C" __global__ void filter_broken(int* dst, unsigned* kept, const int* src, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && src[i] > 0) {
        // BUG: a plain load and a plain store of the counter that all threads use.
        const unsigned place = (*kept)++;
        dst[place] = src[i];
    }
}

extern "C" __global__ void filter_correct(int* dst, unsigned* kept, const int* src, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && src[i] > 0) {
        // FIX: no two threads get the same index.
        const unsigned place = atomicAdd(kept, 1);
        dst[place] = src[i];
    }
}
