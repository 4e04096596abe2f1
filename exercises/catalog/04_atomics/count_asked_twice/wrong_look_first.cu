// wrong: race-global
// The position is read first and taken afterwards: two threads may read before either takes.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        const int place = *kept;
        dst[place] = src[i];
        atomicAdd(kept, 1);
    }
}
