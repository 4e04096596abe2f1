// A fence after the locking and one before the unlocking: the accesses inside stay between the two.

extern "C" __global__ void add_all(const int* v, int n, int* stats, int* lock) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    stats[0] += v[i];
    stats[1] = max(stats[1], v[i]);
    __threadfence();
    atomicExch(lock, 0);
}
