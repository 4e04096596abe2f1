// lesson01/copy.cu: a grid copies a vector, one int per thread and iteration.
//
// Idea      A grid has whole blocks, a vector any number of elements: the last iteration needs a bounds check.
// Broken    The loop checks only the first element of an iteration. The last threads may have no element.
// Correct   Each thread checks its own element.
// Contract  n <= 2^30; any grid and block with at most 2^30 threads in all; in and out have n ints. If n is a
//           multiple of the number of threads there is no bug.
// Expect    broken: out-of-bounds. correct: no findings, out equals in.
// PTX       copy_broken: not setp.ge; ld.global; st.global
// PTX       copy_correct: setp; ld.global; st.global

extern "C" __global__ void copy_broken(int* out, const int* in, int n) {
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int first = 0; first < n; first += stride) {
        const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
        // BUG: first < n does not mean i < n.
        out[i] = in[i];
    }
}

extern "C" __global__ void copy_correct(int* out, const int* in, int n) {
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int first = 0; first < n; first += stride) {
        const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
        // FIX: a thread without an element does nothing.
        if (i < n) out[i] = in[i];
    }
}
