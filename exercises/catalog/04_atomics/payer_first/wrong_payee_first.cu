// wrong: livelock
// All threads take the locks the other way around, so the ring is still a ring.

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

    take(&locks[to]);
    take(&locks[from]);
    balance[from] -= amount[i];
    balance[to] += amount[i];
    give_back(&locks[from]);
    give_back(&locks[to]);
}
