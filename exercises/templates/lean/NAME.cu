// NAME: each block turns its 64 elements round, by way of shared memory.
//
// Say here what the kernel is for. It is right, and does something that nobody needs.
//
// Given   in and out have n ints each, n a multiple of 64. There is a block for every 64 elements.
// Do      the same with one barrier a block.
// Read    the lesson that it belongs to.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    // TODO: which of the two barriers orders something?
    out[i] = tile[63 - threadIdx.x];
    __syncthreads();
}
