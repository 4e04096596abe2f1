// wrong: race-global
// One lock keeps out threads that pay from the same account. Threads that pay to it hold another lock.

__device__ void take(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
}

__device__ void give_back(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void pay(const int* amount, int n, int* balance, int* locks, int accounts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int from = i % accounts;
    const int to = (from + 1) % accounts;

    take(&locks[from]);
    balance[from] -= amount[i];
    balance[to] += amount[i];
    give_back(&locks[from]);
}
