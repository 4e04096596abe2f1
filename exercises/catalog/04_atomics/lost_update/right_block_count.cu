// One atomic per block: a barrier that counts.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int here = __syncthreads_count(i < n && v[i] % 2 == 0);
    if (threadIdx.x == 0) atomicAdd(count, here);
}
