// lesson01/int2_tail.cu: a copy in pairs, and the int that is left.
//
// Idea      A vector type moves two ints at once. If n is odd, one int is left, and some thread must copy it.
// Broken    No thread copies it. In int2_tail_slide the thread with index n / 2 should, but the grid may have no
//           such thread. Examples: n = 257 with 128 threads, or a capped number of blocks.
// Correct   Thread 0 of the grid copies it. It always exists.
// Contract  n < 2^30; any grid of at most 2^30 threads; in and out have n ints and are aligned to 8 bytes. If n is
//           even there is no bug; int2_tail_slide is also right if the grid has more than n / 2 threads.
// Expect    broken and int2_tail_slide: undefined-value. correct: no findings, out equals in.
// PTX       int2_tail_broken: ld.global; st.global; not ld.global
// PTX       int2_tail_slide: ld.global; st.global; setp; ld.global; st.global
// PTX       int2_tail_correct: ld.global; st.global; ld.global; st.global

extern "C" __global__ void int2_tail_broken(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 2; i += gridDim.x * blockDim.x) {
        // BUG: if n is odd, n / 2 pairs are only n - 1 ints.
        reinterpret_cast<int2*>(out)[i] = reinterpret_cast<const int2*>(in)[i];
    }
}

extern "C" __global__ void int2_tail_slide(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 2; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int2*>(out)[i] = reinterpret_cast<const int2*>(in)[i];
    }
    // BUG: the grid may have no thread n / 2.
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
