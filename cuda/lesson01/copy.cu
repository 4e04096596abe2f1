// lesson01/copy.cu: a grid copies a vector, one int a thread and round.
//
// Idea      A grid has whole blocks, a vector any number of elements: the last round needs a check.
// Broken    A round begins while its first element exists. Its last thread has none.
// Correct   Each thread asks for its own element.
// Contract  n <= 2^30; any grid and block of together at most 2^30 threads; in and out have n ints. Where n is a multiple of
//           the number of threads there is no bug.
// Expect    broken: out-of-bounds. correct: no findings, out equals in.
// PTX       copy_broken: not setp.ge; ld.global; st.global
// PTX       copy_correct: setp; ld.global; st.global

extern "C" __global__ void copy_broken(int* out, const int* in, int n) {
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int first = 0; first < n; first += stride) {
        const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
        // BUG: first < n says nothing about i.
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
