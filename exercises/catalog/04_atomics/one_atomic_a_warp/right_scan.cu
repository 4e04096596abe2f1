// A scan over the block in shared memory, and one atomic for the whole block.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    __shared__ unsigned flags[64];
    __shared__ unsigned first;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    const bool keep = i < n && src[i] > 0;
    flags[t] = keep;
    __syncthreads();
    unsigned before = 0;
    for (int other = 0; other < t; other++) before += flags[other];
    if (t == 63) first = atomicAdd(kept, before + keep);
    __syncthreads();
    if (keep) dst[first + before] = src[i];
}
