// lesson01/int2_tail.cu: a copy in pairs, and the int that is left.
//
// Idea      A vector type moves two ints at once. Of an odd number of ints one is left, and some thread must take it.
// Broken    Nobody does. In int2_tail_slide the thread whose index is n / 2 should: there is no such thread where
//           the grid ends before it, at n = 257 with 128 threads or under a capped number of blocks.
// Correct   Thread 0 of the grid does. It always exists.
// Contract  n < 2^30; any grid of at most 2^30 threads; in and out have n ints and are aligned to 8 bytes. Where n is even
//           there is no bug; int2_tail_slide is right where the grid has more than n / 2 threads, too.
// Expect    broken and int2_tail_slide: undefined-value. correct: no findings, out equals in.
// PTX       int2_tail_broken: ld.global; st.global; not ld.global
// PTX       int2_tail_slide: ld.global; st.global; setp; ld.global; st.global
// PTX       int2_tail_correct: ld.global; st.global; ld.global; st.global

extern "C" __global__ void int2_tail_broken(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 2; i += gridDim.x * blockDim.x) {
        // BUG: n / 2 pairs are n - 1 ints where n is odd.
        reinterpret_cast<int2*>(out)[i] = reinterpret_cast<const int2*>(in)[i];
    }
}

extern "C" __global__ void int2_tail_slide(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 2; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int2*>(out)[i] = reinterpret_cast<const int2*>(in)[i];
    }
    // BUG: the grid need not have a thread n / 2.
    if (index == n / 2 && n % 2 != 0) out[n - 1] = in[n - 1];
}

extern "C" __global__ void int2_tail_correct(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 2; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int2*>(out)[i] = reinterpret_cast<const int2*>(in)[i];
    }
    // FIX: every grid has a thread 0.
    if (index == 0 && n % 2 != 0) out[n - 1] = in[n - 1];
}
