// wrong: budget
// No group and no leader: one atomic per thread.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;
    dst[atomicAdd(kept, 1u)] = src[i];
}
