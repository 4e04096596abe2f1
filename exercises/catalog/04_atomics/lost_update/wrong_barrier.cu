// wrong: race-global
// A barrier orders what comes before it and what comes after it. It does not order the threads that reach it together.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    if (i < n && v[i] % 2 == 0) *count += 1;
    __syncthreads();
}
