// other_blocks_not_done: the barrier between blocks is the end of a kernel
//
// Two things must be done with a vector: square each element in place, then write the squares to
// `out` in reverse order. There are many blocks, and each reads what another one has squared.
//
// The program launches two kernels, `first` and then `second`, in one stream. So far `first` does
// everything, with a barrier in the middle, and `second` does nothing.
//
// Range    n is from 1 to 400; data has values from -99 to 99.
// Do       Make it right, using both kernels.
// Read     lesson02-sync/README.md, row `globalreverse`; cargo learn explain race-global

extern "C" __global__ void first(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
    __syncthreads(); // TODO: for whom does this wait?
    if (i < n) out[i] = data[n - 1 - i];
}

extern "C" __global__ void second(int* data, int* out, int n) {
}
