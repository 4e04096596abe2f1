// wrong: race-scope
// Both fences are there, but they apply within their own block only.

extern "C" __global__ void add_all(const int* v, int n, int* stats, int* lock) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence_block();
    stats[0] += v[i];
    stats[1] = max(stats[1], v[i]);
    __threadfence_block();
    atomicExch(lock, 0);
}
