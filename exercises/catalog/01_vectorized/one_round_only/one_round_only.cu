// one_round_only: fewer threads than elements
//
// out[i] becomes -in[i] for every i below n. The launch has 1, 3 or 4 blocks of 32 or
// 64 threads, whatever n is. Real kernels often run just as many threads as the GPU can hold,
// and each thread does several elements.
//
// Now each thread does only one element, and with 4 blocks of 64 the elements from 256 on are not done.
//
// Range    n is from 1 to 1500; gridDim.x is 1, 3 or 4; blockDim.x is 32 or 64; in has values from
//          -99 to 99.
// Do       Let every thread continue to the end of the vector. Use gridDim.x and blockDim.x: the
//          kernel must be right for any grid.
// Read     lesson01-vectorized/README.md; cargo learn explain undefined-value

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: this is the thread's first element; the next ones are missing
    if (i < n) out[i] = -in[i];
}
