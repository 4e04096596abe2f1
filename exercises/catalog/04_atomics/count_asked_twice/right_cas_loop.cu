// Compare and swap until nobody came between: the number that was swapped is this thread's own position.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || src[i] <= 0) return;

    int place = *kept;
    while (true) {
        const int found = atomicCAS(kept, place, place + 1);
        if (found == place) break;
        place = found;
    }
    dst[place] = src[i];
}
