// A block counts in shared memory first, and reserves its positions with one atomic.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    __shared__ int here, first;
    if (threadIdx.x == 0) here = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && src[i] > 0;
    const int place = keep ? atomicAdd(&here, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(kept, here);
    __syncthreads();
    if (keep) dst[first + place] = src[i];
}
