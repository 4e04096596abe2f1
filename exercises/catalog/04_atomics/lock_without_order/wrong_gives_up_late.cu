// wrong: answer
// The wait ends after 5,000 tries, with the lock or without it. In most runs it has the lock long before.

extern "C" __global__ void add_all(const int* v, int n, int* stats, int* lock) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    for (int tries = 0; tries < 5000; tries++) {
        if (atomicCAS(lock, 0, 1) == 0) break;
    }
    __threadfence();
    stats[0] += v[i];
    stats[1] = max(stats[1], v[i]);
    __threadfence();
    atomicExch(lock, 0);
}
