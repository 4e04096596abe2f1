// wrong: race-global
// The second read is atomic, but other threads have added in the meantime: two threads store to one element.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        atomicAdd(kept, 1);
        const int place = atomicAdd(kept, 0) - 1;
        dst[place] = src[i];
    }
}
