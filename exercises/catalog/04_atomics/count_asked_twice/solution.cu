// The value that the atomic returns is this thread's position.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        const int place = atomicAdd(kept, 1);
        dst[place] = src[i];
    }
}
