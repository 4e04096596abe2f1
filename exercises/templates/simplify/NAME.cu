// NAME: each block reverses its 64 elements, using shared memory.
//
// Say here what the kernel is for. It is right, but does something needless.
//
// Given   in and out have n ints each, n a multiple of 64. One block per 64 elements.
// Range   n is 64, 128, 192 or 256; in has values from -99 to 99.
// Do      the same with one barrier per block.
// Read    the lesson that this belongs to.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    // TODO: which of the two barriers orders something?
    out[i] = tile[63 - threadIdx.x];
    __syncthreads();
}
