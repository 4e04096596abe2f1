// barrier_outside_the_loop: a barrier in every iteration
//
// Each block of 256 threads adds up 256 elements with a tree in shared memory. 128 threads add the
// upper half to the lower half, then 64 do, then 32 ... until partial[0] holds the sum.
//
// There is a barrier between the first writes and the loop. Inside the loop, each iteration reads
// what the iteration before wrote. Threads that run ahead read too early.
//
// Range    gridDim.x is from 1 to 3; in has values from -99 to 99.
// Do       Fix the order. Every iteration must be done before the next one begins. The budget
//          allows one load per 32 elements: no thread may add up everything alone.
// Read     lesson02-sync/README.md, row `block_sum`; cargo learn explain race-shared

extern "C" __global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[256];
    const int t = threadIdx.x;
    partial[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        // TODO: are the values that this iteration reads already written?
        if (t < half) partial[t] += partial[t + half];
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}
