// wrong: answer
// Every thread uses its own index as position. No two threads meet, but dst is full of holes.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        atomicAdd(kept, 1);
        dst[i] = src[i];
    }
}
