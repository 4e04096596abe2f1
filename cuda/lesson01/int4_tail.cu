// lesson01/int4_tail.cu: a copy in groups of four, and the one to three ints that are left.
//
// Idea      The wider the type, the more ints can be left: up to three here.
// Broken    The thread with index n / 4 should copy them. The grid may have no such thread.
// Correct   The first threads of the grid copy one int each. Every block has at least three.
// Contract  n < 2^30; blocks of at least 4 threads, a grid of at most 2^30; in and out have n ints and are aligned to
//           16 bytes. If n is a multiple of 4, or the grid has more than n / 4 threads, there is no bug.
// Expect    broken: undefined-value. correct: no findings, out equals in.
// PTX       int4_tail_broken: ld.global.v4; st.global.v4; ld.global; st.global; bra
// PTX       int4_tail_correct: ld.global.v4; st.global.v4; ld.global; st.global

extern "C" __global__ void int4_tail_broken(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 4; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    }
    // BUG: the grid may have no thread n / 4.
    if (index == n / 4) {
#pragma unroll 1
        for (int i = n / 4 * 4; i < n; i++) out[i] = in[i];
    }
}

extern "C" __global__ void int4_tail_correct(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 4; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    }
    // FIX: threads 0, 1 and 2 exist in every grid.
    if (index < n % 4) {
        const int i = n / 4 * 4 + index;
        out[i] = in[i];
    }
}
