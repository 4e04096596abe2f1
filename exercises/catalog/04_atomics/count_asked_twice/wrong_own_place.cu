// wrong: answer
// Every thread has a place of its own: its index. Nobody meets anybody, and dst is full of holes.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (src[i] > 0) {
        atomicAdd(kept, 1);
        dst[i] = src[i];
    }
}
