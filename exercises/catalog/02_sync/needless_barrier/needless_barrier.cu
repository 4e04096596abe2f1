// needless_barrier: which barrier is it?
//
// One block of n threads makes out[t] = in[t] squared + in[t - 1] squared, and of in[0] its square.
// Each element is loaded and squared once; the neighbour's square comes from shared memory.
//
// Somebody had a race here, and has put a barrier between any two lines. It is right now. Each
// barrier makes the whole block wait for its slowest thread, and only one of these is needed.
//
// Do       Take out those that order nothing. The budget is one barrier.
// Read on  lesson02-sync/README.md

extern "C" __global__ void squares_of_two(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    // TODO: one of these four barriers is needed
    row[t] = in[t];
    __syncthreads();
    row[t] = row[t] * row[t];
    __syncthreads();
    const int left = t > 0 ? row[t - 1] : 0;
    __syncthreads();
    const int sum = row[t] + left;
    __syncthreads();
    out[t] = sum;
}
