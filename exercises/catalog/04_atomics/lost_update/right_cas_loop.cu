// Compare and swap until nobody came between: slow where many meet, but no addition gets lost.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] % 2 != 0) return;

    int seen = *count;
    while (true) {
        const int found = atomicCAS(count, seen, seen + 1);
        if (found == seen) break;
        seen = found;
    }
}
