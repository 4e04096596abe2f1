// wrong: race-global
// "A barrier orders threads." It orders what is before it and what is after it, not those that come to it together.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    if (i < n && v[i] % 2 == 0) *count += 1;
    __syncthreads();
}
