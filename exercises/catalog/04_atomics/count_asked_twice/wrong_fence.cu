// wrong: race-global
// A fence keeps this thread's own accesses in order. It does not keep other threads out.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        atomicAdd(kept, 1);
        __threadfence();
        const int place = *kept - 1;
        dst[place] = src[i];
    }
}
