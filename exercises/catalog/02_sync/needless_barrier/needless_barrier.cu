// needless_barrier: which barrier is it?
//
// One block of n threads computes out[t] = in[t] squared + in[t - 1] squared; out[0] is in[0]
// squared. Each element is loaded and squared once; shared memory brings the neighbour's square.
//
// Somebody had a data race here, and put a barrier between every two lines. Now it is right. But
// each barrier makes the whole block wait for its slowest thread, and only one of these is needed.
//
// Range    blockDim.x is from 2 to 200; in has values from -99 to 99.
// Do       Remove those that order nothing. The budget is one barrier.
// Read     lesson02-sync/README.md

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
